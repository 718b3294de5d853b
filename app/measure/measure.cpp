#include "app/measure/measure.h"

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace upsweep::app {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Result<void> Measure::fill(WGPUBuffer buffer, std::uint64_t bytes, std::uint32_t mask) const {
    // A period of 16 MiB: no kernel sees it, and it is quickly made.
    std::vector<std::uint32_t> words(std::min<std::uint64_t>(bytes / 4 + 1, 1U << 22U));
    std::mt19937 random(7);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random()) & mask;
    const auto all = std::as_bytes(std::span(words));
    for (std::uint64_t at = 0; at < bytes; at += all.size()) {
        auto ok = gpu_.write(buffer, at, all.first(std::min<std::uint64_t>(all.size(), bytes - at)));
        if (!ok) return ok;
    }
    return {};
}

Result<WGPUBuffer> Measure::kept(Role role, std::uint64_t bytes) {
    BufferHandle& buffer = kept_.at(role);
    if (buffer && wgpuBufferGetSize(buffer.get()) >= bytes) return buffer.get();
    buffer = {};  // Before the larger one is made: a device may not hold both.
    auto made = gpu_.buffer(bytes, role == arguments ? WGPUBufferUsage_Indirect : WGPUBufferUsage_None);
    if (!made) return tl::unexpected(made.error());
    if (role == in || role == bits) {
        auto ok = fill(made->get(), bytes, role == bits ? 1U : 0xFFFFFFFFU);
        if (!ok) return tl::unexpected(ok.error());
    }
    buffer = std::move(*made);
    return buffer.get();
}

Result<WGPUBuffer> Measure::input(std::uint64_t bytes) {
    return kept(in, bytes);
}

Result<WGPUBuffer> Measure::output(std::uint64_t bytes) {
    return kept(out, bytes);
}

Result<Job> Measure::bind(const Plan& plan, Data data) {
    if (plan.count_on_gpu())
        return fail(ErrorCode::invalid_argument,
                    "A plan whose count lies on the GPU is not measured; plan it for a count.");
    const Role source = data == Data::words ? in : data == Data::bits ? bits : out;
    Slices slices;
    struct Use {
        Slice* slice;
        Role role;
        std::uint64_t bytes;
    };
    // A mask is words for 32 elements each; as flags they would be nearly all zero.
    const bool is_mask = plan.flags_bytes != 0 && plan.flags_bytes < plan.max_count * 4;
    for (const Use& use :
         {Use{&slices.input, source, plan.input_bytes}, Use{&slices.output, out, plan.output_bytes},
          Use{&slices.flags, is_mask ? in : bits, plan.flags_bytes},
          Use{&slices.indices, indices, plan.indices_bytes}, Use{&slices.total, total, plan.total_bytes},
          Use{&slices.arguments, arguments, plan.arguments_bytes}}) {
        if (use.bytes == 0) continue;
        auto buffer = kept(use.role, use.bytes);
        if (!buffer) return tl::unexpected(buffer.error());
        use.slice->buffer = *buffer;
    }
    return gpu_.context().bind(plan, slices);
}

// The copy is a plan of one step with a kernel of its own, so that it is timed just as the primitives are.
Result<Job> Measure::copy_job(std::uint64_t bytes) {
    const DeviceCaps& caps = gpu_.caps();
    Plan plan;
    plan.algorithm = "copy";
    plan.max_count = bytes / 4;
    plan.input_bytes = plan.output_bytes = bytes;
    Step step;
    step.label = "upsweep.copy_tiles";
    step.spec.kernel = "copy_tiles";
    step.spec.block = 256;
    step.spec.rows = 4;
    step.spec.vec = 4;
    step.spec.dialect = caps.dialect;
    step.spec.immediates = caps.immediates;
    step.spec.flags["COUNT_BUFFER"] = false;
    step.spec.bindings = {{"src", "array<V>", Access::read}, {"dst", "array<V>", Access::read_write}};
    step.regions = {{Slot::input, 0, bytes}, {Slot::output, 0, bytes}};
    step.params.count = step.params.limit = static_cast<std::uint32_t>(bytes / 4);
    auto grid = fold_grid(divide_up(bytes / 4, step.spec.tile()), caps.max_workgroups_per_dimension);
    if (!grid) return tl::unexpected(grid.error());
    step.grid = *grid;
    plan.steps = {step};
    return bind(plan);
}

// An idle GPU is clocked down and takes a while to climb back.
Result<void> Measure::warm_up(const Job& job) {
    const bool was_idle = seconds_since(last_) > 0.05;
    const auto start = Clock::now();
    const double wanted = gpu_.caps().kind == AdapterKind::cpu ? 0 : was_idle ? 0.5 : 0.02;
    do {
        // The first run of a pipeline may also compile it.
        auto seconds = gpu_.time(job);
        if (!seconds) return tl::unexpected(seconds.error());
        if (wanted == 0) break;
        // Some milliseconds of work at once, so that the GPU does not wait for the CPU in between.
        const double fits = 0.005 / std::max(*seconds, 1e-6);
        const int times = static_cast<int>(std::clamp(fits, 1.0, 50.0));
        auto ok = gpu_.submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            for (int i = 0; i < times; ++i) {
                if (auto recorded = job.record(encoder); !recorded) return recorded;
            }
            return {};
        });
        if (!ok) return ok;
    } while (seconds_since(start) < wanted);
    return {};
}

Result<double> Measure::median_seconds(const Job& job, Effort effort) {
    if (auto ok = warm_up(job); !ok) return tl::unexpected(ok.error());
    std::vector<double> all;
    const auto start = Clock::now();
    for (int i = 0; i < effort.runs && (i < 3 || seconds_since(start) < effort.seconds); ++i) {
        auto seconds = gpu_.time(job);
        if (!seconds) return seconds;
        all.push_back(*seconds);
    }
    last_ = Clock::now();
    if (all.empty()) return fail(ErrorCode::invalid_argument, "A median needs a run at least.");
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
}

Result<double> Measure::copy_seconds(std::uint64_t bytes, Effort effort) {
    const std::uint64_t most = gpu_.caps().max_storage_binding_size / 16 * 16;  // Whole vectors.
    if (bytes > most) {
        auto seconds = copy_seconds(most, effort);
        if (seconds) *seconds *= static_cast<double>(bytes) / static_cast<double>(most);
        return seconds;
    }
    if (const auto known = copies_.find(bytes); known != copies_.end()) return known->second;
    auto job = copy_job(bytes);
    if (!job) return tl::unexpected(job.error());
    auto seconds = median_seconds(*job, effort);
    if (seconds) copies_[bytes] = *seconds;
    return seconds;
}

}  // namespace upsweep::app
