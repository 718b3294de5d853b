#include "upsweep/record/device.h"
#include "upsweep/record/gpu_state.h"

#include <algorithm>
#include <array>
#include <cstring>

extern "C" __attribute__((weak)) float wgpuQueueGetTimestampPeriod(WGPUQueue queue);

namespace upsweep {

namespace {

// Far above what any submission here takes on a software adapter, and still an end.
constexpr double map_timeout_seconds = 300;
constexpr std::uint64_t staging_bytes = std::uint64_t{64} << 20U;

// Marks the whole context as lost when an error says so.
template <class T>
Result<T> noted(const Gpu::State& state, Result<T> result) {
    if (!result && result.error().code == ErrorCode::device_lost && state.context)
        Context(*state.context).mark_lost();
    return result;
}

}  // namespace

Result<BufferHandle> Gpu::buffer(std::uint64_t size, WGPUBufferUsage more) const {
    if (auto ok = state_->check_alive(); !ok) return tl::unexpected(ok.error());
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.size = std::max<std::uint64_t>((size + 15) / 16 * 16,
                                        16);  // Room for whole vectors behind the last element.
    desc.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst | more;
    BufferHandle made;
    auto ok = in_error_scope(device(), instance(),
                             [&] { made = BufferHandle(wgpuDeviceCreateBuffer(device(), &desc)); });
    if (!ok)
        return noted<BufferHandle>(
            *state_, fail(ok.error().code, "A buffer of " + std::to_string(desc.size) +
                                               " bytes could not be made: " + ok.error().message));
    return made;
}

Result<void> Gpu::write(WGPUBuffer buffer, std::uint64_t offset, std::span<const std::byte> data) const {
    if (auto ok = state_->check_alive(); !ok) return ok;
    // A write is a multiple of four bytes; the last ones are padded.
    const std::size_t whole = data.size() / 4 * 4;
    std::array<std::byte, 4> rest{};
    std::copy(data.begin() + static_cast<std::ptrdiff_t>(whole), data.end(), rest.begin());
    return noted(*state_, in_error_scope(device(), instance(), [&] {
        for (std::size_t at = 0; at < whole; at += staging_bytes) {
            const std::size_t size = std::min<std::size_t>(whole - at, staging_bytes);
            wgpuQueueWriteBuffer(queue(), buffer, offset + at, data.data() + at, size);
        }
        if (whole != data.size())
            wgpuQueueWriteBuffer(queue(), buffer, offset + whole, rest.data(), rest.size());
    }));
}

Result<void> Gpu::submit(const std::function<Result<void>(WGPUCommandEncoder)>& record) const {
    if (auto ok = state_->check_alive(); !ok) return ok;
    Result<void> recorded;
    CommandBufferHandle commands;
    auto ok = in_error_scope(device(), instance(), [&] {
        const EncoderHandle encoder(wgpuDeviceCreateCommandEncoder(device(), nullptr));
        recorded = record(encoder.get());
        commands = CommandBufferHandle(wgpuCommandEncoderFinish(encoder.get(), nullptr));
    });
    if (!recorded) return recorded;
    if (!ok) return noted(*state_, std::move(ok));
    // Commands that failed must not get here: wgpu-native ends the process over a submit of them.
    ok = in_error_scope(device(), instance(), [&] {
        const WGPUCommandBuffer raw = commands.get();
        wgpuQueueSubmit(queue(), 1, &raw);
    });
    if (!ok) return noted(*state_, std::move(ok));
    return state_->check_alive();
}

Result<void> Gpu::read(WGPUBuffer buffer, std::uint64_t offset, std::span<std::byte> data) const {
    if (data.empty()) return {};
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.size = std::min<std::uint64_t>((data.size() + 3) / 4 * 4, staging_bytes);
    desc.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
    BufferHandle staging;
    if (auto ok = in_error_scope(device(), instance(),
                                 [&] { staging = BufferHandle(wgpuDeviceCreateBuffer(device(), &desc)); });
        !ok)
        return noted(*state_, std::move(ok));
    for (std::size_t at = 0; at < data.size(); at += desc.size) {
        const std::size_t size = std::min<std::size_t>(data.size() - at, desc.size);
        const std::size_t padded = (size + 3) / 4 * 4;
        auto ok = submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, offset + at, staging.get(), 0, padded);
            return {};
        });
        if (!ok) return ok;
        // It is shared with the callback, which may come after the wait has been given up.
        struct Answer {
            bool done = false;
            bool good = false;
            std::string message;
        };
        const Shared<Answer> answer;
        WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
        info.mode = WGPUCallbackMode_AllowProcessEvents;
        info.userdata1 = answer.give();
        info.callback = [](WGPUMapAsyncStatus status, WGPUStringView message, void* user, void*) {
            const auto out = Shared<Answer>::take(user);
            out->good = status == WGPUMapAsyncStatus_Success;
            out->message = text_of(message);
            out->done = true;
        };
        auto mapped = in_error_scope(device(), instance(), [&] {
            wgpuBufferMapAsync(staging.get(), WGPUMapMode_Read, 0, padded, info);
            wait_until(instance(), answer.value->done, map_timeout_seconds);
        });
        if (auto alive = state_->check_alive(); !alive) return alive;
        if (!answer.value->done)
            return noted<void>(*state_,
                               fail(ErrorCode::device_lost, "The device gave no answer within 300 seconds."));
        if (!mapped) return noted(*state_, std::move(mapped));
        if (!answer.value->good)
            return noted<void>(*state_, fail(ErrorCode::device_lost,
                                             "The result could not be read back: " + answer.value->message));
        const void* content = wgpuBufferGetConstMappedRange(staging.get(), 0, padded);
        if (content == nullptr) return fail(ErrorCode::device_error, "The result could not be mapped.");
        std::memcpy(data.data() + at, content, size);
        wgpuBufferUnmap(staging.get());
    }
    return {};
}

Result<double> Gpu::time(const Job& job) const {
    if (!caps().timestamp_query)
        return fail(
            ErrorCode::unsupported,
            "The device has no timestamps (the feature timestamp-query), so the GPU's time is not known.");
    WGPUQuerySetDescriptor query_desc = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    query_desc.type = WGPUQueryType_Timestamp;
    query_desc.count = 2;
    const QuerySetHandle queries(wgpuDeviceCreateQuerySet(device(), &query_desc));
    auto resolved = buffer(16, WGPUBufferUsage_QueryResolve);
    if (!resolved) return tl::unexpected(resolved.error());
    auto ok = submit([&](WGPUCommandEncoder encoder) {
        WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
        writes.querySet = queries.get();
        writes.beginningOfPassWriteIndex = 0;
        writes.endOfPassWriteIndex = 1;
        WGPUComputePassDescriptor pass_desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
        pass_desc.timestampWrites = &writes;
        const PassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, &pass_desc));
        auto recorded = job.record(pass.get());
        wgpuComputePassEncoderEnd(pass.get());
        wgpuCommandEncoderResolveQuerySet(encoder, queries.get(), 0, 2, resolved->get(), 0);
        return recorded;
    });
    if (!ok) return tl::unexpected(ok.error());
    std::array<std::uint64_t, 2> ticks{};
    if (auto got = read(resolved->get(), 0, std::as_writable_bytes(std::span(ticks))); !got)
        return tl::unexpected(got.error());
    const double period =
        &wgpuQueueGetTimestampPeriod != nullptr ? wgpuQueueGetTimestampPeriod(queue()) : 1.0F;
    return static_cast<double>(ticks[1] - ticks[0]) * period * 1e-9;
}

Result<void> Gpu::scan(const ScanDesc& desc, std::span<const std::byte> input,
                       std::span<std::byte> output) const {
    auto plan = plan_scan(desc, caps());
    if (!plan) return tl::unexpected(plan.error());
    if (desc.count_on_gpu)
        return fail(ErrorCode::invalid_argument, "Host data has a host count; leave count_on_gpu out.");
    if (input.size() < plan->input_bytes || output.size() < plan->output_bytes) {
        return fail(ErrorCode::invalid_argument,
                    "The scan of " + std::to_string(desc.count) + " elements needs " +
                        std::to_string(plan->input_bytes) + " bytes of input and output, not " +
                        std::to_string(input.size()) + " and " + std::to_string(output.size()) + ".");
    }
    if (desc.count == 0) return {};
    auto data = buffer(plan->input_bytes);
    if (!data) return tl::unexpected(data.error());
    auto job = context().bind(*plan, {.input = {data->get()}, .output = {data->get()}});
    if (!job) return tl::unexpected(job.error());
    if (auto ok = write(data->get(), 0, input.first(plan->input_bytes)); !ok) return ok;
    if (auto ok = submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }); !ok) return ok;
    return read(data->get(), 0, output.first(plan->output_bytes));
}

}  // namespace upsweep
