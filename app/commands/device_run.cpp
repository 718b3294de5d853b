#include "app/commands/device_scan.h"

#include <algorithm>
#include <bit>

namespace upsweep::app {

std::uint64_t rounding_depth(const Plan& plan) {
    std::uint64_t depth = 0;
    for (const Step& step : plan.steps) {
        const std::uint64_t per_round = step.spec.tile() * step.grid.groups();
        const std::uint64_t rounds = (step.params.count + per_round - 1) / per_round;
        const std::uint64_t rows = std::uint64_t{step.spec.rows} * step.spec.vec;
        const auto tree = static_cast<std::uint64_t>(std::bit_width(step.spec.block));
        depth += rounds * (step.spec.rows + 1) + rows + 2 * tree + 4;
    }
    return depth;
}

std::uint64_t DeviceScan::capacity(std::uint64_t bytes, std::uint32_t stride) const {
    return std::min(bytes, gpu_.caps().max_buffer_size / 16 * 16) / stride;
}

Result<void> DeviceScan::scan(const ScanDesc& desc, ConstBytes input, Bytes output) {
    auto plan = plan_scan(desc, gpu_.caps());
    if (!plan) return tl::unexpected(plan.error());
    if (data_bytes_ < plan->input_bytes) {
        data_ = BufferHandle();  // Never two of them at a time.
        auto made = gpu_.buffer(plan->input_bytes);
        if (!made) {
            return fail(made.error().code, made.error().message +
                                               " A smaller --chunk asks for smaller buffers, and the scan "
                                               "goes through the data in more steps.");
        }
        data_ = std::move(*made);
        data_bytes_ = plan->input_bytes;
    }
    auto job = gpu_.context().bind(*plan, {.input = {data_.get()}, .output = {data_.get()}});
    if (!job) return tl::unexpected(job.error());
    if (auto ok = gpu_.write(data_.get(), 0, input); !ok) return ok;
    if (timed_) {
        auto seconds = gpu_.time(*job);
        if (!seconds) return tl::unexpected(seconds.error());
        gpu_seconds_ += *seconds;
    } else {
        auto ok = gpu_.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
        if (!ok) return ok;
    }
    if (strategy_.empty()) strategy_ = plan->strategy;
    dispatches_ += plan->steps.size();
    depth_ += rounding_depth(*plan);  // What a chunk begins with goes through all of it again.
    return gpu_.read(data_.get(), 0, output);
}

}  // namespace upsweep::app
