// Flags: a condition on each element, as numbers.
#pragma once

#include "upsweep/core/plan.h"

#include <cstdint>
#include <string>

namespace upsweep {

/// A request for flags.
struct FlagsDesc {
    ElementType type = types::u32;
    /// WGSL: `fn keep(x: T, i: u32) -> bool`, as in CompactDesc.
    std::string keep = {};
    std::uint64_t count = 0;
    std::uint32_t first_index = 0;  ///< As in CompactDesc.
};

/// Plans flags: for each element a u32, 1 where the condition holds and 0 where it does not.
///
/// For x = [3 1 7 0 4 1 6 3] and `fn keep(x: T, i: u32) -> bool { return x > 2u; }`: [1 0 1 0 1 0 1 1]. An
/// invocation computes one flag, and none knows of another: a compaction by the same condition can be checked
/// against it, and one by ConditionKind::flags can follow.
///
/// **Slots**: input (elements) and output (`count` u32), which are not in place. **Counts** up to what one
/// binding of the device holds. **Moves** n elements and n flags. **Errors**: as plan_compact().
Result<Plan> plan_flags(const FlagsDesc& desc, const DeviceCaps& caps);

}  // namespace upsweep
