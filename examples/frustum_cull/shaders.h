// The WGSL of the field of boxes: how far each lies inside the frustum, and how they are drawn.
#pragma once

/// A part of both shaders. 32 bytes.
inline constexpr const char* box_wgsl = R"(
struct Box {
    centre: vec3f,
    colour: f32,   // From 0 to 1, along the colours of the drawing shader.
    half: vec3f,
    unused: f32,
}
)";

inline constexpr const char* measuring_wgsl = R"(
struct Frustum {
    planes: array<vec4f, 6>,  // Unit normals that point inwards.
}
@group(0) @binding(0) var<uniform> frustum: Frustum;
@group(0) @binding(1) var<storage, read> boxes: array<Box>;
@group(0) @binding(2) var<storage, read_write> depths: array<f32>;

// How far the box reaches into the frustum, below 0: not at all. (A box beside an edge may count as inside.)
@compute @workgroup_size(64)
fn measure(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&boxes) { return; }
    let box = boxes[id.x];
    var depth = 1e30;
    for (var i = 0u; i < 6u; i++) {
        let plane = frustum.planes[i];
        depth = min(depth, dot(plane.xyz, box.centre) + plane.w + dot(abs(plane.xyz), box.half));
    }
    depths[id.x] = depth;
}
)";

inline constexpr const char* drawing_wgsl = R"(
struct View {
    clip_from_world: mat4x4f,
    eye: vec3f,
    fog: f32,                    // Per unit of distance; 0 for none.
    outline: array<vec4f, 24>,   // The frustum's edges, two points each.
}
@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> boxes: array<Box>;
@group(0) @binding(2) var<storage, read> drawn: array<u32>;  // Indices of boxes.
@group(0) @binding(3) var<uniform> grey: u32;                // 1: without colours.

struct Varying {
    @builtin(position) @invariant position: vec4f,
    @location(0) colour: vec3f,
    @location(1) fog: f32,
}

fn colour_of(x: f32) -> vec3f {
    var stops = array<vec3f, 5>(vec3f(0.10, 0.22, 0.48), vec3f(0.08, 0.52, 0.58), vec3f(0.35, 0.72, 0.42),
                                vec3f(0.95, 0.78, 0.30), vec3f(0.98, 0.93, 0.82));
    let at = clamp(x, 0.0, 0.999) * 4.0;
    let i = u32(at);
    return mix(stops[i], stops[i + 1u], fract(at));
}

// 24 corners: four for each of six faces, so that each face has a normal of its own.
@vertex
fn vertex(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Varying {
    let box = boxes[drawn[i]];
    let face = v / 4u;
    let axis = face / 2u;
    let side = f32(face % 2u) * 2.0 - 1.0;
    let a = f32(v & 1u) * 2.0 - 1.0;
    let b = f32((v >> 1u) & 1u) * 2.0 - 1.0;
    // a x b is along the axis, turned to the side: the front of every face is its outside.
    var corner = vec3f(side, a * side, b);
    var normal = vec3f(side, 0.0, 0.0);
    if axis == 1u {
        corner = vec3f(b, side, a * side);
        normal = vec3f(0.0, side, 0.0);
    } else if axis == 2u {
        corner = vec3f(a * side, b, side);
        normal = vec3f(0.0, 0.0, side);
    }
    let position = box.centre + corner * box.half;
    let lit = 0.45 + 0.55 * max(dot(normal, normalize(vec3f(0.45, 0.8, 0.3))), 0.0);
    let shade = mix(0.55, 1.0, 0.5 + 0.5 * corner.y);  // Darker between the boxes.
    var out: Varying;
    out.position = view.clip_from_world * vec4f(position, 1.0);
    out.colour = select(colour_of(box.colour), vec3f(0.34, 0.35, 0.37), grey != 0u) * lit * shade;
    out.fog = 1.0 - exp(-pow(view.fog * distance(view.eye, position), 4.0));
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4f {
    return vec4f(mix(in.colour, vec3f(0.07, 0.085, 0.12), in.fog), 1.0);
}

@vertex
fn outline_vertex(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
    let clip = view.clip_from_world * vec4f(view.outline[v].xyz, 1.0);
    return vec4f(clip.xy, 0.0, clip.w);  // In front of everything.
}

@fragment
fn outline_fragment() -> @location(0) vec4f {
    return vec4f(1.0);
}
)";
