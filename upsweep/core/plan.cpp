#include "upsweep/core/plan.h"

#include <algorithm>

namespace upsweep {

const char* to_string(Slot slot) {
    switch (slot) {
        case Slot::input: return "input";
        case Slot::output: return "output";
        case Slot::count: return "count";
        case Slot::scratch: return "scratch";
        case Slot::initial: return "initial";
        case Slot::flags: return "flags";
        case Slot::indices: return "indices";
        case Slot::total: return "total";
        case Slot::arguments: return "arguments";
        case Slot::constants: return "constants";
    }
    return "unknown";
}

std::string to_string(const Plan& plan) {
    std::string text =
        plan.algorithm + " " + plan.strategy + ": at most " + std::to_string(plan.max_count) + " x " +
        plan.type.name + ", " + std::to_string(plan.steps.size()) +
        (plan.steps.size() == 1 ? " dispatch, " : " dispatches, ") + std::to_string(plan.scratch_bytes) +
        " bytes of scratch, " + std::to_string(plan.bytes_moved) + " bytes moved" +
        (plan.count_on_gpu() ? ", count on the GPU" : "") + (plan.tuned ? ", tuned" : "") + "\n";
    for (const Step& step : plan.steps) {
        text += "  " + step.label + " " + std::to_string(step.grid.x) + "x" + std::to_string(step.grid.y) +
                "x" + std::to_string(step.grid.z) + " groups, count " + std::to_string(step.params.count);
        if (step.clears_scratch) text += ", only for scratch of the caller's";
        if (step.params.level != 0) text += ", level " + std::to_string(step.params.level);
        for (std::size_t i = 0; i < step.regions.size(); ++i) {
            const Region& region = step.regions[i];
            text += ", " + step.spec.bindings[i].name + " = " + to_string(region.slot) + "[" +
                    std::to_string(region.offset) + ", " + std::to_string(region.offset + region.size) + ")";
        }
        text += "\n    // " + step.spec.to_string() + "\n";
    }
    return text;
}

Params params_for(const Step& step, std::uint64_t count) {
    Params params = step.params;
    if (step.counts_elements) {
        params.count = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(count - std::min(count, step.base), params.limit));
    }
    return params;
}

Result<Grid> fold_grid(std::uint64_t groups, std::uint32_t max_per_dimension) {
    const std::uint64_t limit = max_per_dimension;
    Grid grid;
    if (groups <= limit) {
        grid.x = static_cast<std::uint32_t>(std::max<std::uint64_t>(groups, 1));
        return grid;
    }
    const std::uint64_t rows = divide_up(groups, limit);
    const std::uint64_t layers = divide_up(rows, limit);
    if (layers <= limit) {
        // Nearly equal sides leave the fewest workgroups without work.
        grid.z = static_cast<std::uint32_t>(layers);
        grid.y = static_cast<std::uint32_t>(divide_up(rows, layers));
        grid.x = static_cast<std::uint32_t>(divide_up(groups, std::uint64_t{grid.y} * grid.z));
    }
    // The index of a workgroup is a u32 in the kernels.
    if (layers > limit || grid.groups() > 0xFFFFFFFFU) {
        return fail(ErrorCode::limit_exceeded, "The request needs " + std::to_string(groups) +
                                                   " workgroups, and the device takes " +
                                                   std::to_string(limit) +
                                                   " in each of three dimensions, and 4294967295 in all; use "
                                                   "a strategy with a fixed grid, or less data.");
    }
    return grid;
}

Step step_for(const Step& step, const BufferLayout& layout) {
    Step bound = step;
    KernelSpec& spec = bound.spec;
    if (spec.vec == 4 && !layout.vector_io) {
        spec.vector_io = false;
        for (BindingDecl& binding : spec.bindings) {
            if (binding.type == "array<V>") binding.type = "array<S>";
        }
    }
    const auto named = [&](const char* name) {
        return std::find_if(spec.bindings.begin(), spec.bindings.end(),
                            [&](const BindingDecl& b) { return b.name == name; });
    };
    if (layout.in_place && named("src") != spec.bindings.end() && named("dst") != spec.bindings.end()) {
        const auto src = named("src");
        bound.regions.erase(bound.regions.begin() + (src - spec.bindings.begin()));
        spec.bindings.erase(src);
        spec.in_place = true;
    }
    return bound;
}

}  // namespace upsweep
