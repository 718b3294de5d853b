// A fountain whose particles live on the GPU. In every frame
//
//     emit      writes new particles behind the survivors of the last frame
//     advance   ages and moves all of them, by an indirect dispatch
//     compact   keeps those that still live, in their order: plan_compact()
//     draw      draws the survivors, by an indirect draw
//
// and the CPU never knows how many there are: the count that compaction leaves in a buffer is where emit
// appends, and the arguments that it leaves are those of the draw. Nothing is mapped before the last frame.
//
// Why in their order: blending depends on it. An atomic counter would hand out the places in another order in
// every frame, and overlapping particles would flicker.
#include "examples/particles/shaders.h"
#include "examples/shared/camera.h"
#include "examples/shared/render.h"
#include "upsweep/compact/compact.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

namespace {

using namespace examples;

constexpr std::uint32_t width = 960;
constexpr std::uint32_t height = 540;
constexpr std::uint32_t capacity = 1U << 14U;  // Particles at any time.
constexpr std::uint32_t emitted = 120;         // New ones in a frame.
constexpr float seconds_per_frame = 1.0F / 30;

// As in shaders.h.
struct Particle {
    Vec3 position;
    float age;
    Vec3 velocity;
    float lifetime;
};
static_assert(sizeof(Particle) == 32);

struct Frame {
    Mat4 view_projection;
    std::uint32_t number;
    std::uint32_t emitted;
    std::uint32_t capacity;
    float seconds;
};

struct Buffers {
    // The survivors of a frame go from one into the other: compaction is not possible in place.
    std::array<BufferHandle, 2> particles;
    BufferHandle frame;
    BufferHandle survivors;       // How many compaction kept: a u32.
    BufferHandle live;            // Those and the new ones: a u32, and behind it the arguments of a dispatch.
    BufferHandle draw_arguments;  // Of the survivors.
};

Buffers make_buffers(const upsweep::Gpu& gpu) {
    Buffers buffers;
    for (BufferHandle& particles : buffers.particles)
        particles = must(gpu.buffer(capacity * sizeof(Particle)));
    buffers.frame = must(gpu.buffer(sizeof(Frame), WGPUBufferUsage_Uniform));
    buffers.survivors = must(gpu.buffer(4));  // Zero, as every new buffer: no survivors at first.
    buffers.live = must(gpu.buffer(16, WGPUBufferUsage_Indirect));
    buffers.draw_arguments = must(gpu.buffer(16, WGPUBufferUsage_Indirect));
    return buffers;
}

// The compaction out of one of the particle buffers into the other.
upsweep::Job bind_compaction(const upsweep::Gpu& gpu, const upsweep::Plan& plan, const Buffers& buffers,
                             int from) {
    return must(gpu.context().bind(plan, {.input = {buffers.particles[from].get()},
                                          .output = {buffers.particles[1 - from].get()},
                                          .count = {buffers.live.get(), 0, 4},
                                          .total = {buffers.survivors.get(), 0, 4},
                                          .arguments = {buffers.draw_arguments.get()}}));
}

// Everything that depends on which of the two buffers the particles are in.
struct Turn {
    BindGroupHandle emit, advance, draw;
    upsweep::Job compact;
};

void use(WGPUComputePassEncoder pass, WGPUComputePipeline pipeline, WGPUBindGroup group) {
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, nullptr);
}

// The survivors lie in the order of their birth, and so their ages fall; none is older than it may become.
void check_particles(const std::vector<Particle>& particles) {
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (!(particles[i].age < particles[i].lifetime))
            throw std::runtime_error("A particle outlived its time.");
        if (i > 0 && particles[i].age > particles[i - 1].age)
            throw std::runtime_error("The particles are out of order.");
    }
}

void check_picture(const Picture& picture) {
    std::size_t bright = 0;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
        bright += std::max({picture.rgba[i], picture.rgba[i + 1], picture.rgba[i + 2]}) > 150 ? 1 : 0;
    if (bright < 50) throw std::runtime_error("The picture is black.");
}

int run(const Options& options) {
    const upsweep::Gpu gpu = must(upsweep::Gpu::open({.adapter = options.adapter}));
    const Buffers buffers = make_buffers(gpu);

    // Of as many particles as `live` says, and at most `capacity`. It also writes the arguments of a draw
    // with an instance for each survivor.
    const upsweep::Plan plan = must(upsweep::plan_compact(
        {.type = must(upsweep::ElementType::structure("Particle", particle_wgsl)),
         .keep = "fn keep(p: T, i: u32) -> bool { return p.age < p.lifetime; }",
         .count = capacity,
         .count_on_gpu = true,
         .arguments = {.kind = upsweep::ArgumentsKind::draw_instances, .other_count = vertices_per_particle}},
        gpu.caps()));

    // Light adds up in half floats, so that many faint particles make a bright place without clipping; the
    // last pass turns it into colours of the picture.
    const Target light =
        must(make_target(gpu, WGPUTextureFormat_RGBA16Float, width, height, WGPUTextureUsage_TextureBinding));
    const Target picture =
        must(make_target(gpu, WGPUTextureFormat_RGBA8Unorm, width, height, WGPUTextureUsage_CopySrc));

    const ShaderModuleHandle simulation =
        must(make_shader(gpu, std::string(particle_wgsl) + simulation_wgsl));
    const ShaderModuleHandle drawing = must(make_shader(gpu, std::string(particle_wgsl) + drawing_wgsl));
    const ShaderModuleHandle developing = must(make_shader(gpu, developing_wgsl));
    const auto emit = must(make_compute_pipeline(gpu, simulation.get(), "emit"));
    const auto advance = must(make_compute_pipeline(gpu, simulation.get(), "advance"));
    // Premultiplied alpha: a young particle has an alpha of 0 and only adds its light, an old one covers what
    // lies behind it.
    WGPUBlendState over = WGPU_BLEND_STATE_INIT;
    over.color = {WGPUBlendOperation_Add, WGPUBlendFactor_One, WGPUBlendFactor_OneMinusSrcAlpha};
    over.alpha = over.color;
    const auto draw =
        must(make_render_pipeline(gpu, {.shader = drawing.get(), .colour = light.format, .blend = &over}));
    const auto develop =
        must(make_render_pipeline(gpu, {.shader = developing.get(), .colour = picture.format}));
    const auto develop_group = must(make_bind_group(gpu, develop.get(), {{0, nullptr, light.view.get()}}));

    std::vector<Turn> turns;
    for (const int from : {0, 1}) {
        const WGPUBuffer now = buffers.particles[from].get();
        const WGPUBuffer next = buffers.particles[1 - from].get();
        const WGPUBuffer frame = buffers.frame.get();
        turns.push_back(
            {must(make_bind_group(
                 gpu, emit.get(),
                 {{0, frame}, {1, now}, {2, buffers.survivors.get()}, {3, buffers.live.get()}})),
             must(make_bind_group(gpu, advance.get(), {{0, frame}, {1, now}, {4, buffers.live.get()}})),
             must(make_bind_group(gpu, draw.get(), {{0, frame}, {1, next}})),
             bind_compaction(gpu, plan, buffers, from)});
    }

    const Vec3 eye{2.5F, 2.7F, 8.9F};
    Frame frame{product(perspective(0.64F, static_cast<float>(width) / height, 0.1F, 50),
                        look_at(eye, {0, 1.6F, 0}, {0, 1, 0})),
                0, emitted, capacity, seconds_per_frame};
    for (; frame.number < options.frames; ++frame.number) {
        const Turn& turn = turns[frame.number % 2];
        must(gpu.write(buffers.frame.get(), 0, bytes_of(frame)));
        must(gpu.submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            const PassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, nullptr));
            use(pass.get(), emit.get(), turn.emit.get());
            wgpuComputePassEncoderDispatchWorkgroups(pass.get(), (emitted + 63) / 64, 1, 1);
            use(pass.get(), advance.get(), turn.advance.get());
            wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass.get(), buffers.live.get(), 4);
            if (auto ok = turn.compact.record(pass.get()); !ok) return ok;
            wgpuComputePassEncoderEnd(pass.get());

            const RenderPassHandle particles = begin_render_pass(encoder, light, {0, 0, 0, 0});
            wgpuRenderPassEncoderSetPipeline(particles.get(), draw.get());
            wgpuRenderPassEncoderSetBindGroup(particles.get(), 0, turn.draw.get(), 0, nullptr);
            wgpuRenderPassEncoderDrawIndirect(particles.get(), buffers.draw_arguments.get(), 0);
            wgpuRenderPassEncoderEnd(particles.get());

            const RenderPassHandle whole = begin_render_pass(encoder, picture, {0, 0, 0, 1});
            wgpuRenderPassEncoderSetPipeline(whole.get(), develop.get());
            wgpuRenderPassEncoderSetBindGroup(whole.get(), 0, develop_group.get(), 0, nullptr);
            wgpuRenderPassEncoderDraw(whole.get(), 3, 1, 0, 0);
            wgpuRenderPassEncoderEnd(whole.get());
            return {};
        }));
    }

    // Only now does the CPU ask what there is.
    const std::uint32_t alive = must(read_buffer<std::uint32_t>(gpu, buffers.survivors.get(), 1))[0];
    const WGPUBuffer last = buffers.particles[options.frames % 2].get();
    check_particles(must(read_buffer<Particle>(gpu, last, std::min(alive, capacity))));
    const Picture result = must(read_target(gpu, picture));
    must(write_png(result, options.out));
    check_picture(result);
    std::printf("%u frames on %s (%s): %u particles alive, oldest first; wrote %s\n", options.frames,
                gpu.adapter_name().c_str(), upsweep::Gpu::provider(), alive, options.out.c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return run_main(argc, argv, {.adapter = {}, .out = "particles.png", .frames = 80}, run);
}
