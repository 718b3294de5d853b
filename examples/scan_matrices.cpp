// Running products of 2x2 matrices, recorded into an encoder of one's own: the shortest whole program.
#include <array>
#include <cstdio>
#include <span>
#include <vector>

#include <upsweep/upsweep.h>
#include <webgpu/webgpu.h>

using namespace upsweep;

int main() {
    const auto gpu = Gpu::open();
    if (!gpu) return std::puts(gpu.error().message.c_str()), 1;
    const auto type = ElementType::structure("Mat", "struct Mat { a: u32, b: u32, c: u32, d: u32 }");
    const auto product =
        Operator::custom({.name = "product",
                          .wgsl = "fn combine(x: Mat, y: Mat) -> Mat {"
                                  "  return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,"
                                  "             x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d); }",
                          .identity = "Mat(1u, 0u, 0u, 1u)"});
    const std::vector<std::array<std::uint32_t, 4>> fibonacci(10, {1, 1, 1, 0});
    const auto bytes = std::as_bytes(std::span(fibonacci));
    auto data = gpu->buffer(bytes.size());
    if (!type || !product || !data || !gpu->write(data->get(), 0, bytes)) return 1;
    const auto plan = plan_scan(
        {.type = *type, .op = *product, .kind = ScanKind::inclusive, .count = fibonacci.size()}, gpu->caps());
    const auto job = gpu->context().bind(*plan, {.input = {data->get()}, .output = {data->get()}});
    if (!job) return std::puts(job.error().message.c_str()), 1;

    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device(), nullptr);
    if (!job->record(encoder)) return 1;
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, nullptr);
    wgpuQueueSubmit(gpu->queue(), 1, &commands);

    std::vector<std::array<std::uint32_t, 4>> powers(fibonacci.size());
    if (!gpu->read(data->get(), 0, std::as_writable_bytes(std::span(powers)))) return 1;
    for (const auto& power : powers) std::printf("%u ", power[1]);  // 1 1 2 3 5 8 13 21 34 55
    std::puts("");
    return powers.back()[1] == 55 ? 0 : 1;
}
