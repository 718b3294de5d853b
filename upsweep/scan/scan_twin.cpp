// The twins of the scan's kernels, for tests only.
#include "tests/gpu/cpu_run.h"
#include "upsweep/core/tile_state.h"

#include <algorithm>

namespace upsweep::testing {

namespace {

CpuStep::Value start_of(CpuStep& run, std::uint32_t group) {
    if (run.flag("PREFIX") && group > 0) return run.load("partials", group - 1, true);
    if (run.flag("SEED") && group == 0) return run.load("initial", 0, false);
    return run.neutral();
}

void scan_tiles(CpuStep& run) {
    const KernelSpec& spec = run.step.spec;
    const std::uint32_t count = run.element_count();
    const auto groups = static_cast<std::uint32_t>(run.step.grid.groups());
    for (std::uint32_t group = 0; group < groups; ++group) {
        const CpuStep::Share share = run.share_of(group);
        CpuStep::Value carry = start_of(run, group);
        for (std::uint64_t at = std::uint64_t{share.first} * spec.tile();
             at < std::min<std::uint64_t>(std::uint64_t{share.last} * spec.tile(), count); ++at) {
            const CpuStep::Value value = run.load(spec.in_place ? "dst" : "src", at, spec.partials);
            const CpuStep::Value next = run.join(carry, value);
            run.store("dst", at, spec.inclusive ? next : carry, spec.partials);
            carry = next;
        }
        if (run.flag("TOTALS") && share.first < share.last) run.store("partials", group, carry, true);
        if (run.flag("CARRY") && group == groups - 1) run.store("carry_out", 0, carry, false);
    }
}

void add_back(CpuStep& run) {
    const KernelSpec& spec = run.step.spec;
    const std::uint32_t count = run.element_count();
    for (std::uint32_t at = 0; at < count; ++at) {
        const std::uint32_t tile = at / spec.tile();
        if (tile >= run.step.grid.groups()) run.fault = "add_back: the grid is too small";
        CpuStep::Value before = run.neutral();
        if (tile > 0)
            before = run.load("partials", tile - 1, true);
        else if (run.flag("SEED"))
            before = run.load("initial", 0, false);
        CpuStep::Value value = run.load("dst", at, spec.partials);
        if (!spec.inclusive && at % spec.tile() == 0 && run.identity.empty()) value = run.neutral();
        const CpuStep::Value sum = run.join(before, value);
        if (sum.present) run.store("dst", at, sum, spec.partials);
    }
}

void scan_serial(CpuStep& run) {
    const KernelSpec& spec = run.step.spec;
    CpuStep::Value carry = run.flag("SEED") ? run.load("initial", 0, false) : run.neutral();
    for (std::uint32_t at = 0; at < run.element_count(); ++at) {
        const CpuStep::Value next = run.join(carry, run.load(spec.in_place ? "dst" : "src", at, false));
        run.store("dst", at, spec.inclusive ? next : carry, false);
        carry = next;
    }
    if (run.flag("CARRY")) run.store("carry_out", 0, carry, false);
}

// Whichever workgroup has which tile, the sums are the serial ones.
void scan_lookback(CpuStep& run) {
    const KernelSpec& spec = run.step.spec;
    const std::uint64_t words = run.bound[static_cast<std::size_t>(run.binding("states"))].size() / 4;
    const std::uint64_t tiles = divide_up(run.element_count(), spec.tile());
    if (words < tile_states_header + 2 * tiles * run.state_words)
        run.fault = "scan_lookback: the states do not fit";
    scan_serial(run);
}

// What the states hold is no concern of a serial run.
void clear_states(CpuStep& run) {
    if (run.binding("states") != 0) run.fault = "clear_states: no states are bound";
}

const bool registered = register_twin("scan_lookback", scan_lookback) &&
                        register_twin("clear_states", clear_states) &&
                        register_twin("scan_tiles", scan_tiles) && register_twin("add_back", add_back) &&
                        register_twin("scan_serial", scan_serial);

}  // namespace

}  // namespace upsweep::testing
