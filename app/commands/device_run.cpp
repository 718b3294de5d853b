#include "app/commands/device_run.h"

#include <algorithm>
#include <bit>

namespace upsweep::app {

std::uint64_t rounding_depth(const Plan& plan) {
    std::uint64_t depth = 0;
    for (const Step& step : plan.steps) {
        if (step.clears_scratch) continue;
        // A look-back may add every tile to the sum of the one before, and so may what is left to a rest.
        const bool looks_back = step.spec.kernel.starts_with("scan_lookback");
        if (looks_back) depth += divide_up(step.params.count, step.spec.tile());
        const std::uint64_t per_round = step.spec.tile() * step.grid.groups();
        const std::uint64_t rounds =
            step.spec.kernel == "scan_rest" ? 1 : divide_up(step.params.count, per_round);
        const std::uint64_t rows = std::uint64_t{step.spec.rows} * step.spec.vec;
        const auto tree = static_cast<std::uint64_t>(std::bit_width(step.spec.block));
        depth += rounds * (step.spec.rows + 1) + rows + 2 * tree + 4;
    }
    return depth;
}

// A buffer of the slot that holds so many bytes; none for a slot that the plan does not use.
Result<Slice> DeviceRun::slice(Slot slot, std::uint64_t bytes) {
    if (bytes == 0) return Slice();
    Kept& kept = kept_[slot];
    if (kept.bytes < bytes) {
        kept = Kept();  // Never two of them at a time.
        auto made = gpu_.buffer(bytes);
        if (!made) {
            return fail(made.error().code, made.error().message +
                                               " A smaller --chunk asks for smaller buffers, and the data go "
                                               "through in more steps.");
        }
        kept = {std::move(*made), bytes};
    }
    return Slice{kept.buffer.get()};
}

Result<void> DeviceRun::run(const Plan& plan, ConstBytes input) {
    in_place_ = plan.in_place_allowed;
    Slices slices;
    const struct {
        Slot slot;
        std::uint64_t bytes;
        Slice& slice;
    } used[] = {{Slot::input, plan.input_bytes, slices.input},
                {Slot::output, in_place_ ? 0 : plan.output_bytes, slices.output},
                {Slot::indices, plan.indices_bytes, slices.indices},
                {Slot::total, plan.total_bytes, slices.total}};
    for (const auto& [slot, bytes, out] : used) {
        auto made = slice(slot, bytes);
        if (!made) return tl::unexpected(made.error());
        out = *made;
    }
    if (in_place_) slices.output = slices.input;
    auto job = gpu_.context().bind(plan, slices);
    if (!job) return tl::unexpected(job.error());
    if (plan.input_bytes != 0) {
        if (auto ok = gpu_.write(slices.input.buffer, 0, input); !ok) return ok;
    }
    if (timed_) {
        auto seconds = gpu_.time(*job);
        if (!seconds) return tl::unexpected(seconds.error());
        gpu_seconds_ += *seconds;
    } else {
        auto ok = gpu_.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
        if (!ok) return ok;
    }
    if (strategy_.empty()) strategy_ = plan.strategy;
    // The scratch is the job's own here.
    dispatches_ += static_cast<std::uint64_t>(std::count_if(
        plan.steps.begin(), plan.steps.end(), [](const Step& step) { return !step.clears_scratch; }));
    depth_ += rounding_depth(plan);  // What a chunk begins with goes through all of it again.
    return {};
}

Result<void> DeviceRun::scan(const ScanDesc& desc, ConstBytes input, Bytes output) {
    auto plan = plan_scan(desc, caps());
    if (!plan) return tl::unexpected(plan.error());
    if (auto ok = run(*plan, input); !ok) return ok;
    return read(Slot::output, output);
}

Result<void> DeviceRun::read(Slot slot, Bytes out) const {
    if (out.empty()) return {};
    return gpu_.read(kept_.at(in_place_ && slot == Slot::output ? Slot::input : slot).buffer.get(), 0, out);
}

}  // namespace upsweep::app
