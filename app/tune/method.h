// A way to compute a primitive: what a tuned choice leaves to choose.
#pragma once

#include "upsweep/core/plan.h"
#include "upsweep/core/tuning.h"

#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::app {

/// Without anything set it is what `automatic` does without a tuning.
struct Method {
    std::string strategy = "automatic";
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};
    bool operator==(const Method&) const = default;
};

/// The methods that are worth a measurement for elements of a class on a device, the likeliest to be fast first. Some
/// of them need not be possible for every count.
std::vector<Method> methods_for(Primitive primitive, const ElementClass& elements, const DeviceCaps& caps);

/// The same method with other numbers of workgroups, about `groups`.
std::vector<Method> with_other_groups(const Method& method, std::uint32_t groups);

/// "lookback, subgroup, 512x6 in 264": the strategy, the block scan, and the invocations, rows and workgroups of the
/// dispatch that has the most of them.
std::string method_text(const Plan& plan);
/// The workgroups of that dispatch.
std::uint32_t groups_of(const Plan& plan);

}  // namespace upsweep::app
