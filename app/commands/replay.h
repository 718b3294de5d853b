// A plan with all that another host needs to run it: the kernels' text beside the numbers.
#pragma once

#include "app/commands/outcome.h"
#include "upsweep/core/plan.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace upsweep::app {

/// One dispatch as a host binds it.
struct ReplayStep {
    Step step;
    Module module;
    std::vector<Region> bound;  ///< The regions, with their sizes rounded up to what the bindings take.
};

/// A plan for one buffer for each slot, where input and output may be one (`in_place`).
struct Replay {
    Plan plan;
    std::vector<ReplayStep> steps;
    bool in_place = false;

    /// The least size of the slot's buffer: its data, and room for whole vectors behind them.
    [[nodiscard]] std::uint64_t buffer_bytes(Slot slot) const;
};

Outcome<Replay> make_replay(const Plan& plan, bool in_place);

/// Buffers, then for each dispatch its kernel, bindings, parameters and grid. `upsweep plan --help`
/// tells how to use them.
nlohmann::ordered_json replay_json(const Replay& replay);

/// The different kernels of a plan, in the order in which they are first needed, with a name for each.
struct NamedKernel {
    std::string name;
    const ReplayStep* step;
};
std::vector<NamedKernel> distinct_kernels(const Replay& replay);

}  // namespace upsweep::app
