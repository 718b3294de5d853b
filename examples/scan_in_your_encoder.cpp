// Your device, your buffers, your encoder: Upsweep records a scan into it, here the running products of
// 2x2 matrices, which do not commute.
#include "open_device.h"

#include <array>
#include <cstdint>
#include <vector>

#include <upsweep/upsweep.h>
#include <webgpu/webgpu.h>

using Mat = std::array<std::uint32_t, 4>;

// Any struct and any associative function will do.
const char* const mat_wgsl = "struct Mat { a: u32, b: u32, c: u32, d: u32 }";
const char* const multiply_wgsl = R"(
    fn combine(x: Mat, y: Mat) -> Mat {
        return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,
                   x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d);
    })";

Mat multiply(const Mat& x, const Mat& y) {
    return {x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3],  //
            x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3]};
}

template <class T>
T value_of(upsweep::Result<T> result) {
    if (!result) give_up(result.error().message.c_str());
    return std::move(*result);
}

int main() {
    std::vector<Mat> matrices(100'000);
    for (std::uint32_t i = 0; i < matrices.size(); ++i) matrices[i] = {1, i, i % 3, 1};
    const std::size_t bytes = matrices.size() * sizeof(Mat);

    const OpenDevice gpu = open_device();
    const WGPUBuffer input = make_buffer(gpu, WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst, bytes);
    const WGPUBuffer output = make_buffer(gpu, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc, bytes);
    const WGPUBuffer readback = make_buffer(gpu, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, bytes);
    wgpuQueueWriteBuffer(gpu.queue, input, 0, matrices.data(), bytes);

    // Once: the context holds the compiled kernels, the job is the scan of these buffers.
    auto context = value_of(upsweep::Context::create({gpu.device, gpu.instance, gpu.adapter}));
    const auto mat = value_of(upsweep::ElementType::structure("Mat", mat_wgsl));
    const auto product = value_of(upsweep::Operator::custom(
        {.name = "product", .wgsl = multiply_wgsl, .identity = "Mat(1u, 0u, 0u, 1u)"}));
    const auto plan = value_of(upsweep::plan_scan(
        {.type = mat, .op = product, .kind = upsweep::ScanKind::inclusive, .count = matrices.size()},
        context.caps()));
    const auto job = value_of(context.bind(plan, {.input = {input}, .output = {output}}));

    // As often as you like, among your own commands: nothing is submitted, waited for or allocated.
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu.device, nullptr);
    if (auto ok = job.record(encoder); !ok) give_up(ok.error().message.c_str());
    wgpuCommandEncoderCopyBufferToBuffer(encoder, output, 0, readback, 0, bytes);
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, nullptr);
    wgpuQueueSubmit(gpu.queue, 1, &commands);

    std::vector<Mat> products(matrices.size());
    read_buffer(gpu, readback, products.data(), bytes);
    Mat expected = {1, 0, 0, 1};
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        expected = multiply(expected, matrices[i]);
        if (products[i] != expected) give_up("A product is wrong.");
    }
    std::printf("%zu running products are right, on %s.\n", products.size(), context.caps().adapter.c_str());

    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    for (const WGPUBuffer buffer : {input, output, readback}) wgpuBufferRelease(buffer);
    close_device(gpu);  // The context and the job hold references of their own.
}
