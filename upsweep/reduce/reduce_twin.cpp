// The twins of the reduction's kernels, for tests only.
#include "tests/gpu/cpu_run.h"
#include "upsweep/core/tile_state.h"

#include <algorithm>

namespace upsweep::testing {

namespace {

CpuStep::Value range_total(CpuStep& run, std::uint32_t group) {
    const KernelSpec& spec = run.step.spec;
    const CpuStep::Share share = run.share_of(group);
    CpuStep::Value total = run.neutral();
    for (std::uint64_t at = std::uint64_t{share.first} * spec.tile();
         at < std::min<std::uint64_t>(std::uint64_t{share.last} * spec.tile(), run.element_count()); ++at) {
        total = run.join(total, run.load("src", at, spec.partials));
    }
    return total;
}

void store_result(CpuStep& run, const CpuStep::Value& total) {
    run.store("result", 0, run.flag("SEED") ? run.join(run.load("initial", 0, false), total) : total, false);
}

void reduce_tiles(CpuStep& run) {
    for (std::uint32_t group = 0; group < run.step.grid.groups(); ++group) {
        if (run.flag("RESULT"))
            store_result(run, range_total(run, group));
        else
            run.store("partials", group, range_total(run, group), true);
    }
}

void reduce_last_arrival(CpuStep& run) {
    const auto groups = static_cast<std::uint32_t>(run.step.grid.groups());
    const std::uint64_t words = run.bound[static_cast<std::size_t>(run.binding("states"))].size() / 4;
    if (words < tile_states_header + 2 * std::uint64_t{groups} * run.state_words)
        run.fault = "reduce_last_arrival: the states do not fit";
    CpuStep::Value total = run.neutral();
    for (std::uint32_t group = 0; group < groups; ++group) total = run.join(total, range_total(run, group));
    store_result(run, total);
}

void reduce_nothing(CpuStep& run) {
    run.store("result", 0, run.flag("SEED") ? run.load("initial", 0, false) : run.neutral(), false);
}

const bool registered = register_twin("reduce_tiles", reduce_tiles) &&
                        register_twin("reduce_nothing", reduce_nothing) &&
                        register_twin("reduce_last_arrival", reduce_last_arrival);

}  // namespace

}  // namespace upsweep::testing
