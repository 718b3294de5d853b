// Planning with a tuning: a choice is tried as if the caller had asked for it. Private to the library.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/plan.h"
#include "upsweep/core/tuning.h"

namespace upsweep {

/// Sets desc.strategy to the one of a choice, by its name; false if the request asks for another one.
template <class Desc, class Strategy>
bool take_strategy(Desc& desc, const std::string& name, Result<Strategy> (*parse)(std::string_view)) {
    const auto strategy = parse(name);
    if (!strategy) return false;
    if (desc.strategy == Strategy::automatic) desc.strategy = *strategy;
    return desc.strategy == *strategy;
}

/// Plans with `plan` as the first choice of the device's tuning tells with which that is possible, else `desc`
/// itself. `take(desc, name)` says whether a choice's strategy goes with the request, and sets it.
template <class Desc, class Take, class PlanFunction>
Result<Plan> plan_tuned(Primitive primitive, const ElementClass& elements, const Desc& desc,
                        const DeviceCaps& caps, Take take, PlanFunction plan) {
    const bool open = desc.geometry == Geometry{} && desc.emulated_subgroup_size == 0;
    if (!open || caps.tuning == nullptr) return plan(desc, caps);
    for (const TunedChoice& choice : caps.tuning->choices) {
        if (!choice.is_for(primitive, elements, desc.count)) continue;
        if (desc.block_scan != BlockScan::automatic && desc.block_scan != choice.block_scan) continue;
        Desc tuned = desc;
        if (!take(tuned, choice.strategy)) continue;
        tuned.block_scan = choice.block_scan;
        tuned.geometry = choice.geometry;
        auto planned = plan(tuned, caps);
        if (!planned) continue;  // What is wrong with the request itself is told below.
        planned->tuned = true;
        return planned;
    }
    return plan(desc, caps);
}

}  // namespace upsweep
