// A field of boxes, culled against the camera's frustum on the GPU and drawn by an indirect draw. In every
// frame
//
//     measure   writes how far each box reaches into the frustum
//     compact   keeps the indices of those that do, in their order: plan_compact()
//     draw      draws them, by an indirect indexed draw with an instance for each
//
// The predicate of a compaction sees an element and its index and nothing else, and it is compiled; so what
// changes from frame to frame, the camera, goes into a kernel before it. That also reads the boxes only once,
// where compaction reads its elements twice.
//
// Because the order is kept, the picture is the same, bit for bit, as one of all boxes: the program checks
// that, and the boxes that were kept against a test on the CPU.
#include "examples/frustum_cull/shaders.h"
#include "examples/shared/camera.h"
#include "examples/shared/render.h"
#include "upsweep/compact/compact.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace {

using namespace examples;

constexpr std::uint32_t side = 64;            // Boxes along each side of the field.
constexpr std::uint32_t count = side * side;  // All boxes.
constexpr std::uint32_t view_size = 640;      // Of each of the two views, in pixels.
constexpr std::uint32_t indices_per_box = 36;
constexpr WGPUColor sky{0.07, 0.085, 0.12, 1};

// These two as in shaders.h.
struct Box {
    Vec3 centre;
    float colour;
    Vec3 half;
    float unused;
};
static_assert(sizeof(Box) == 32);

struct View {
    Mat4 clip_from_world;
    Vec3 eye;
    float fog;
    std::array<Vec4, 24> outline;
};
static_assert(sizeof(View) == 80 + 384);

using Planes = std::array<Vec4, 6>;

struct Camera {
    Vec3 eye, target;
    float angle = 0.9F, near = 0.5F, far = 46;

    [[nodiscard]] Mat4 clip_from_world() const {
        return product(perspective(angle, 1, near, far), look_at(eye, target, {0, 1, 0}));
    }
    // A point is inside where -w <= x <= w, -w <= y <= w and 0 <= z <= w in clip space; each of these is a
    // plane made of rows of the matrix (Gribb and Hartmann, 2001).
    [[nodiscard]] Planes planes() const {
        const Mat4 m = clip_from_world();
        Planes planes{};
        for (int i = 0; i < 6; ++i) {
            const float sign = i % 2 == 0 ? 1.0F : -1.0F;
            for (int column = 0; column < 4; ++column)
                planes[i][column] = (i == 4 ? 0 : m[column][3]) + sign * m[column][i / 2];
            const float length = std::hypot(planes[i][0], planes[i][1], planes[i][2]);
            for (float& part : planes[i]) part /= length;
        }
        return planes;
    }
    [[nodiscard]] std::array<Vec4, 24> outline() const {
        const Vec3 ahead = unit(add(target, eye, -1));
        const Vec3 right = unit(cross(ahead, {0, 1, 0}));
        const Vec3 up = cross(right, ahead);
        const auto corner = [&](int i) -> Vec4 {
            const float distance = (i & 4) != 0 ? far : near;
            const float reach = distance * std::tan(angle / 2);
            const Vec3 at = add(add(add(eye, ahead, distance), right, (i & 1) != 0 ? reach : -reach), up,
                                (i & 2) != 0 ? reach : -reach);
            return {at[0], at[1], at[2], 1};
        };
        std::array<Vec4, 24> points{};
        std::size_t next = 0;
        for (int i = 0; i < 8; ++i) {
            for (const int bit : {1, 2, 4}) {
                if ((i & bit) != 0) continue;
                points[next++] = corner(i);
                points[next++] = corner(i | bit);
            }
        }
        return points;
    }
};

// A flight over the field that turns as it goes.
Camera camera_at(std::uint32_t frame) {
    const float t = static_cast<float>(frame) * 0.02F;
    const Vec3 eye{-23 + 5 * t, 10.5F, 21 - 5 * t};
    const float heading = 0.6F + t;
    return {eye, add(eye, {std::sin(heading), -0.42F, -std::cos(heading)})};
}

std::vector<Box> make_boxes() {
    std::vector<Box> boxes;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(i % side) - side / 2.0F + 0.5F;
        const std::uint32_t row = i / side;
        const float z = static_cast<float>(row) - side / 2.0F + 0.5F;
        const float hills =
            std::sin(x * 0.17F) * std::cos(z * 0.21F) + 0.6F * std::sin(x * 0.31F + z * 0.43F);
        const float rough = static_cast<float>(i * 2654435761U >> 24U) / 255;
        const float height = 0.4F + 1.1F * (hills + 1.6F) + 0.8F * rough;
        boxes.push_back({{x, height / 2, z}, (height - 0.4F) / 4.2F, {0.4375F, height / 2, 0.4375F}, 0});
    }
    return boxes;
}

std::vector<std::uint16_t> make_indices() {
    std::vector<std::uint16_t> indices;
    for (int face = 0; face < 6; ++face) {
        for (const int corner : {0, 1, 2, 2, 1, 3})
            indices.push_back(static_cast<std::uint16_t>(face * 4 + corner));
    }
    return indices;
}

template <class T>
BufferHandle upload(const upsweep::Gpu& gpu, const T& content, WGPUBufferUsage more = WGPUBufferUsage_None) {
    BufferHandle buffer = must(gpu.buffer(bytes_of(content).size(), more));
    must(gpu.write(buffer.get(), 0, bytes_of(content)));
    return buffer;
}

// The boxes that the GPU kept are those that the CPU keeps. Floats may be rounded otherwise there, so a box
// that lies within a hair of a plane may be kept or not.
void check_kept(const std::vector<std::uint32_t>& kept, const std::vector<Box>& boxes, const Planes& planes) {
    constexpr double hair = 1e-3;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        double depth = 1e30;
        for (const Vec4& plane : planes) {
            double reach = plane[3];
            for (int axis = 0; axis < 3; ++axis)
                reach +=
                    double{plane[axis]} * boxes[i].centre[axis] + std::abs(plane[axis]) * boxes[i].half[axis];
            depth = std::min(depth, reach);
        }
        const bool is_kept = next < kept.size() && kept[next] == i;
        if (std::abs(depth) > hair && is_kept != (depth > 0))
            throw std::runtime_error("Box " + std::to_string(i) + " was " + (is_kept ? "kept" : "culled") +
                                     ", and its depth in the frustum is " + std::to_string(depth) + ".");
        if (is_kept) ++next;
    }
    if (next != kept.size()) throw std::runtime_error("The indices of the kept boxes are not in order.");
}

int run(const Options& options) {
    const upsweep::Gpu gpu = must(upsweep::Gpu::open({.adapter = options.adapter}));
    const std::vector<Box> all_boxes = make_boxes();
    std::vector<std::uint32_t> every_index(count);
    std::iota(every_index.begin(), every_index.end(), 0U);

    const BufferHandle boxes = upload(gpu, all_boxes);
    const BufferHandle all = upload(gpu, every_index);
    const BufferHandle indices = upload(gpu, make_indices(), WGPUBufferUsage_Index);
    const BufferHandle in_colour = upload(gpu, std::uint32_t{0}, WGPUBufferUsage_Uniform);
    const BufferHandle in_grey = upload(gpu, std::uint32_t{1}, WGPUBufferUsage_Uniform);
    const BufferHandle frustum = must(gpu.buffer(sizeof(Planes), WGPUBufferUsage_Uniform));
    const BufferHandle camera_view = must(gpu.buffer(sizeof(View), WGPUBufferUsage_Uniform));
    const BufferHandle top_view = must(gpu.buffer(sizeof(View), WGPUBufferUsage_Uniform));
    const BufferHandle depths = must(gpu.buffer(std::uint64_t{count} * 4));
    const BufferHandle kept = must(gpu.buffer(std::uint64_t{count} * 4));
    const BufferHandle kept_count = must(gpu.buffer(4));
    const BufferHandle draw_arguments = must(gpu.buffer(20, WGPUBufferUsage_Indirect));

    // Only indices come out, and with them the arguments of a draw with an instance for each.
    const upsweep::Plan plan =
        must(upsweep::plan_compact({.type = upsweep::types::f32,
                                    .keep = "fn keep(depth: T, i: u32) -> bool { return depth >= 0.0; }",
                                    .elements = false,
                                    .indices = true,
                                    .count = count,
                                    .arguments = {.kind = upsweep::ArgumentsKind::draw_indexed_instances,
                                                  .other_count = indices_per_box}},
                                   gpu.caps()));
    const upsweep::Job compact = must(gpu.context().bind(plan, {.input = {depths.get()},
                                                                .indices = {kept.get()},
                                                                .total = {kept_count.get()},
                                                                .arguments = {draw_arguments.get()}}));

    const Target picture = must(
        make_target(gpu, WGPUTextureFormat_RGBA8Unorm, 2 * view_size, view_size, WGPUTextureUsage_CopySrc));
    const Target depth = must(make_target(gpu, WGPUTextureFormat_Depth32Float, 2 * view_size, view_size));
    const auto measuring = must(make_shader(gpu, std::string(box_wgsl) + measuring_wgsl));
    const auto drawing = must(make_shader(gpu, std::string(box_wgsl) + drawing_wgsl));
    const auto measure = must(make_compute_pipeline(gpu, measuring.get(), "measure"));
    const auto draw = must(make_render_pipeline(
        gpu, {.shader = drawing.get(), .depth = depth.format, .cull = WGPUCullMode_Back}));
    const auto outline = must(make_render_pipeline(gpu, {.shader = drawing.get(),
                                                         .vertex = "outline_vertex",
                                                         .fragment = "outline_fragment",
                                                         .depth = depth.format,
                                                         .topology = WGPUPrimitiveTopology_LineList}));
    const auto measure_group =
        must(make_bind_group(gpu, measure.get(), {{0, frustum.get()}, {1, boxes.get()}, {2, depths.get()}}));
    const auto draw_group = [&](const BufferHandle& view, const BufferHandle& drawn,
                                const BufferHandle& grey) {
        return must(make_bind_group(gpu, draw.get(),
                                    {{0, view.get()}, {1, boxes.get()}, {2, drawn.get()}, {3, grey.get()}}));
    };
    const auto camera_kept = draw_group(camera_view, kept, in_colour);
    const auto camera_all = draw_group(camera_view, all, in_colour);
    const auto top_kept = draw_group(top_view, kept, in_colour);
    const auto top_all = draw_group(top_view, all, in_grey);
    const auto outline_group = must(make_bind_group(gpu, outline.get(), {{0, top_view.get()}}));

    // Left the camera's view, right the field from above. `culled`: the left half shows what was kept, else
    // all boxes.
    const auto record_views = [&](WGPUCommandEncoder encoder, bool culled) {
        const RenderPassHandle handle = begin_render_pass(encoder, picture, sky, &depth);
        WGPURenderPassEncoder pass = handle.get();
        const auto bind = [&](const BindGroupHandle& group) {
            wgpuRenderPassEncoderSetBindGroup(pass, 0, group.get(), 0, nullptr);
        };
        const auto draw_all = [&] {
            wgpuRenderPassEncoderDrawIndexed(pass, indices_per_box, count, 0, 0, 0);
        };
        const auto draw_kept = [&] {
            wgpuRenderPassEncoderDrawIndexedIndirect(pass, draw_arguments.get(), 0);
        };
        wgpuRenderPassEncoderSetPipeline(pass, draw.get());
        wgpuRenderPassEncoderSetIndexBuffer(pass, indices.get(), WGPUIndexFormat_Uint16, 0, WGPU_WHOLE_SIZE);
        wgpuRenderPassEncoderSetViewport(pass, 0, 0, view_size, view_size, 0, 1);
        bind(culled ? camera_kept : camera_all);
        culled ? draw_kept() : draw_all();
        wgpuRenderPassEncoderSetViewport(pass, view_size, 0, view_size, view_size, 0, 1);
        bind(top_all);
        draw_all();
        bind(top_kept);  // At the same depth: what comes later stays.
        draw_kept();
        wgpuRenderPassEncoderSetPipeline(pass, outline.get());
        bind(outline_group);
        wgpuRenderPassEncoderDraw(pass, 24, 1, 0, 0);
        wgpuRenderPassEncoderEnd(pass);
    };

    Planes planes{};
    for (std::uint32_t frame = 0; frame < options.frames; ++frame) {
        const Camera camera = camera_at(frame);
        planes = camera.planes();
        const View seen{camera.clip_from_world(), camera.eye, 1.45F / camera.far, {}};
        const View from_above{
            product(orthographic(80, 80, 1, 100), look_at({0, 50, 0}, {0, 0, 0}, {0, 0, -1})),
            {0, 50, 0},
            0,
            camera.outline()};
        must(gpu.write(frustum.get(), 0, bytes_of(planes)));
        must(gpu.write(camera_view.get(), 0, bytes_of(seen)));
        must(gpu.write(top_view.get(), 0, bytes_of(from_above)));
        must(gpu.submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            const PassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, nullptr));
            wgpuComputePassEncoderSetPipeline(pass.get(), measure.get());
            wgpuComputePassEncoderSetBindGroup(pass.get(), 0, measure_group.get(), 0, nullptr);
            wgpuComputePassEncoderDispatchWorkgroups(pass.get(), (count + 63) / 64, 1, 1);
            if (auto ok = compact.record(pass.get()); !ok) return ok;
            wgpuComputePassEncoderEnd(pass.get());
            record_views(encoder, true);
            return {};
        }));
    }

    const Picture result = must(read_target(gpu, picture));
    must(write_png(result, options.out));
    const std::uint32_t kept_now = must(read_buffer<std::uint32_t>(gpu, kept_count.get(), 1))[0];
    if (kept_now > count) throw std::runtime_error("More boxes were kept than there are.");
    check_kept(must(read_buffer<std::uint32_t>(gpu, kept.get(), kept_now)), all_boxes, planes);

    must(gpu.submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        record_views(encoder, false);
        return {};
    }));
    if (must(read_target(gpu, picture)).rgba != result.rgba)
        throw std::runtime_error("The picture is another one without culling.");
    std::printf(
        "%u frames on %s (%s): %u of %u boxes kept in the last one, as on the CPU, and the picture is "
        "that of all boxes; wrote %s\n",
        options.frames, gpu.adapter_name().c_str(), upsweep::Gpu::provider(), kept_now, count,
        options.out.c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return run_main(argc, argv, {.adapter = {}, .out = "frustum_cull.png", .frames = 10}, run);
}
