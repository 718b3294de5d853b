// Allocation in parallel: room for items of different sizes, one behind the other in a buffer of a given
// capacity.
#pragma once

#include "upsweep/core/geometry.h"
#include "upsweep/core/plan.h"

#include <cstdint>

namespace upsweep {

/// The offset of an item that does not fit.
constexpr std::uint32_t not_allocated = 0xFFFFFFFF;

/// A request for an allocation. Sizes and offsets are u32, in whatever unit the caller counts (bytes,
/// vertices, ...).
struct AllocateDesc {
    std::uint64_t count = 0;     ///< Items, or with count_on_gpu the most there can be.
    bool count_on_gpu = false;   ///< The count is a u32 in a buffer; a larger value is taken as `count`.
    std::uint32_t capacity = 0;  ///< Units that there are, at most 2^32 - 2.
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};
    bool unroll = true;
    std::uint32_t emulated_subgroup_size = 0;
};

/// Plans an allocation: an exclusive scan of the sizes with a bound.
///
/// **Computes** for sizes s[i] the offsets o[i] = s[0] + ... + s[i-1] where item i ends within the capacity,
/// o[i] + s[i] <= capacity, and `not_allocated` where it does not; nothing wraps, whatever the sizes. For
/// sizes [3 1 7 0 4] and the capacity 12: [0 3 4 11 not_allocated], the total 15 and an overflow. An item
/// that does not fit still takes its place, so that offsets do not depend on the capacity.
///
/// **Slots**: input (sizes) and output (offsets), `count` u32 each, which may be the same slice; total:
/// `struct { total, overflow: u32 }`, the sum of all sizes (2^32 - 1 if it is that or more) and 1 if some
/// item did not fit, else 0; count; scratch.
///
/// **Moves** 3n words, up to a tile 2n. **Errors**: as plan_scan(); invalid_argument for a capacity of 2^32
/// - 1.
Result<Plan> plan_allocate(const AllocateDesc& desc, const DeviceCaps& caps);

}  // namespace upsweep
