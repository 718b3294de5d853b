// The fountain's WGSL: what a particle is, how it moves, and how it is drawn.
#pragma once

#include <cstdint>

/// The element of the compaction, and a part of the shaders. 32 bytes: each vector's fourth word is used.
inline constexpr const char* particle_wgsl = R"(
struct Particle {
    position: vec3f,
    age: f32,
    velocity: vec3f,
    lifetime: f32,
}
)";

inline constexpr const char* simulation_wgsl = R"(
struct Frame {
    view_projection: mat4x4f,
    number: u32,
    emitted: u32,
    capacity: u32,
    seconds: f32,
}
struct Live {
    count: u32,
    groups: array<u32, 3>,  // The arguments of the dispatch of `advance`.
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(2) var<storage, read> survivors: u32;
@group(0) @binding(3) var<storage, read_write> live: Live;
// The same buffer for `advance`: where its dispatch reads its arguments it must not be bound for writing.
@group(0) @binding(4) var<storage, read> live_now: Live;

var<private> random_state: u32;

fn random() -> f32 {
    random_state = random_state * 747796405u + 2891336453u;  // PCG
    let word = ((random_state >> ((random_state >> 28u) + 4u)) ^ random_state) * 277803737u;
    return f32(((word >> 22u) ^ word) >> 8u) / 16777216.0;
}

fn born() -> Particle {
    let around = 6.2831853 * random();
    let spread = sqrt(random());
    let kind = random();
    var p: Particle;
    if kind < 0.55 {
        // The jet in the middle.
        p.velocity = vec3f(cos(around) * spread * 0.75, 8.3 + 0.6 * random(), sin(around) * spread * 0.75);
        p.lifetime = 1.9 + 1.1 * random();
    } else {
        // Eight jets in a ring, leaning outwards.
        let angle = 0.3926991 + 0.7853982 * floor(8.0 * random());
        let out = vec3f(cos(angle), 0.0, sin(angle));
        p.position = out * 0.55;
        p.velocity = out * (1.75 + 0.2 * random()) + vec3f(0.0, 5.6 + 0.35 * random(), 0.0) +
                     vec3f(cos(around), 0.0, sin(around)) * spread * 0.22;
        p.lifetime = 1.5 + 1.0 * random();
    }
    // Somewhere between this frame and the next, or frames would show as rings.
    p.position += p.velocity * frame.seconds * random();
    return p;
}

@compute @workgroup_size(64)
fn emit(@builtin(global_invocation_id) id: vec3u) {
    let first = survivors;
    if id.x == 0u {
        live.count = min(first + frame.emitted, frame.capacity);
        live.groups = array<u32, 3>((live.count + 63u) / 64u, 1u, 1u);
    }
    if id.x < frame.emitted && first + id.x < frame.capacity {
        random_state = (frame.number * frame.emitted + id.x) * 2654435761u;
        particles[first + id.x] = born();
    }
}

@compute @workgroup_size(64)
fn advance(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= live_now.count { return; }
    var p = particles[id.x];
    p.velocity.y -= 9.81 * frame.seconds;
    p.position += p.velocity * frame.seconds;
    if p.position.y < 0.0 {
        p.position.y *= -0.4;
        p.velocity *= vec3f(0.6, -0.4, 0.6);
    }
    p.age += frame.seconds;
    particles[id.x] = p;
}
)";

/// A triangle for a particle and one for its reflection in the floor.
inline constexpr std::uint32_t vertices_per_particle = 6;

inline constexpr const char* drawing_wgsl = R"(
@group(0) @binding(0) var<uniform> view_projection: mat4x4f;
@group(0) @binding(1) var<storage, read> particles: array<Particle>;

struct Varying {
    @builtin(position) position: vec4f,
    @location(0) at: vec2f,    // From -1 to 1 along and across the streak.
    @location(1) light: vec4f,
}

// White, gold, orange, rose, violet, blue: from birth to death.
fn colour_of(t: f32) -> vec3f {
    var stops = array<vec3f, 6>(vec3f(0.9, 0.75, 0.5), vec3f(1.0, 0.55, 0.12), vec3f(1.0, 0.26, 0.06),
                                vec3f(0.85, 0.1, 0.3), vec3f(0.4, 0.13, 0.85), vec3f(0.1, 0.3, 0.95));
    let x = clamp(t, 0.0, 0.999) * 5.0;
    let i = u32(x);
    return mix(stops[i], stops[i + 1u], fract(x));
}

@vertex
fn vertex(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Varying {
    // A triangle around the unit circle.
    var corners = array<vec2f, 3>(vec2f(0.0, 2.0), vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0));
    let p = particles[i];
    let reflected = v >= 3u;
    let mirror = vec3f(1.0, select(1.0, -1.0, reflected), 1.0);
    // A streak from where the particle was a moment ago to where it is, as a long exposure shows it.
    let aspect = vec2f(16.0 / 9.0, 1.0);
    let head = view_projection * vec4f(p.position * mirror, 1.0);
    let tail = view_projection * vec4f((p.position - p.velocity * 0.026) * mirror, 1.0);
    let front = head.xy / head.w * aspect;
    let back = tail.xy / tail.w * aspect;
    let radius = 0.042 / head.w;
    let direction = normalize(front - back + vec2f(0.0, 1e-6));
    let corner = corners[v % 3u];
    let along = direction * (radius + 0.5 * distance(front, back));
    let across = vec2f(-direction.y, direction.x) * radius;
    let position = 0.5 * (front + back) + along * corner.x + across * corner.y;

    let t = p.age / p.lifetime;
    let strength = (1.0 - smoothstep(0.6, 1.0, t)) * select(1.0, 0.16, reflected);
    var out: Varying;
    out.position = vec4f(position / aspect * head.w, head.z, head.w);
    out.at = corner;
    out.light = vec4f(colour_of(t) * strength, strength * 0.3 * smoothstep(0.3, 0.9, t));
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4f {
    let near = max(1.0 - dot(in.at, in.at), 0.0);
    return in.light * near * near;
}
)";

inline constexpr const char* developing_wgsl = R"(
@group(0) @binding(0) var light: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
    return vec4f(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(light));
    let at = position.xy / size;
    // Night: a glow at the horizon, darker floor below it, darker towards the corners.
    let glow = exp(-abs(at.y - 0.32) * 7.0);
    let shown = glow * select(0.55, 1.0, at.y < 0.32);
    let night = vec3f(0.001, 0.0015, 0.006) + vec3f(0.003, 0.0038, 0.016) * shown;
    let added = textureLoad(light, vec2u(position.xy), 0);
    let vignette = 1.0 - 0.7 * dot(at - 0.5, at - 0.5);
    let sum = (night * (1.0 - added.a) + added.rgb) * vignette;
    return vec4f(pow(1.0 - exp(-1.6 * sum), vec3f(1.0 / 2.2)), 1.0);
}
)";
