// The twins of the reduction's kernels, for tests only.
#include "tests/gpu/cpu_run.h"

#include <algorithm>

namespace upsweep::testing {

namespace {

void reduce_tiles(CpuStep& run) {
    const KernelSpec& spec = run.step.spec;
    const std::uint32_t count = run.element_count();
    for (std::uint32_t group = 0; group < run.step.grid.groups(); ++group) {
        const CpuStep::Share share = run.share_of(group);
        CpuStep::Value total = run.neutral();
        for (std::uint64_t at = std::uint64_t{share.first} * spec.tile();
             at < std::min<std::uint64_t>(std::uint64_t{share.last} * spec.tile(), count); ++at) {
            total = run.join(total, run.load("src", at, spec.partials));
        }
        if (!run.flag("RESULT"))
            run.store("partials", group, total, true);
        else
            run.store("result", 0, run.flag("SEED") ? run.join(run.load("initial", 0, false), total) : total,
                      false);
    }
}

void reduce_nothing(CpuStep& run) {
    run.store("result", 0, run.flag("SEED") ? run.load("initial", 0, false) : run.neutral(), false);
}

const bool registered =
    register_twin("reduce_tiles", reduce_tiles) && register_twin("reduce_nothing", reduce_nothing);

}  // namespace

}  // namespace upsweep::testing
