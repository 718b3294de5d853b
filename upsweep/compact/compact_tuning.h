// Which strategy and geometry for which device: rows are single elements, so that what a row of invocations keeps
// goes out side by side.
#pragma once

#include "upsweep/core/block_geometry.h"

#include <algorithm>

namespace upsweep {

/// Elements of up to this many bytes wait in registers for their place; larger ones are read again.
constexpr std::uint32_t most_held_bytes = 16;

/// Whether a compaction is faster with one pass that looks back: on GPUs with subgroups. H200, half of 2^26 elements of 16 bytes kept, us on Dawn /
/// wgpu-native: lookback 557 / 515, reduce_then_scan 471 / 444; at 2^20 20.3 / 18.1 and 21.5 / 19.1.
constexpr bool compact_looks_back(const DeviceCaps& caps, std::uint32_t element_bytes) {
    return caps.subgroups && caps.kind != AdapterKind::cpu && element_bytes <= 8;
}

/// Whether a look-back over the whole tiles with a rest is faster than that: as for scans. H200, half of 2^28 u32 kept, us on Dawn / wgpu-native:
/// 557 / 538, lookback 696 / 656. Smaller counts were not measured.
constexpr bool compact_leaves_rest(const DeviceCaps& caps, std::uint32_t element_bytes, std::uint64_t count) {
    return caps.kind == AdapterKind::discrete && count * element_bytes >= (1U << 28U);
}

constexpr BlockPolicy compact_policy(const DeviceCaps& caps, std::uint32_t element_bytes, bool looks_back) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, std::clamp(32U / element_bytes, 1U, 8U), 16};
    // H200, half of the u32 kept, us on Dawn / wgpu-native: at 2^28 512x16 in 264 groups 710 / 665; 512x20 971 / 921; 384x24 709 / 664; 256x32
    // 803 / 777. At 2^20 512x16 16.9 / 14.0, at 2^22 23.8 / 21.8.
    if (looks_back)
        return {512, 4, element_bytes > most_held_bytes ? 8 : std::clamp(64U / element_bytes, 1U, 16U), 264};
    // H200, half of 2^28 u32 kept, us on Dawn / wgpu-native: 1024x8 in 264 groups 701 / 679; 256x16 in 528
    // 761 / 740; 512x8 in 528 782 / 751; 1024x4 in 264 854 / 824 (bench/results/2026-11-30-h200-0d6f44d.csv has the
    // table of all primitives).
    return {1024, 4, std::clamp(32U / element_bytes, 1U, 8U), 264};
}

/// Of a look-back over the whole tiles.
constexpr BlockPolicy compact_whole_policy(const DeviceCaps& caps, std::uint32_t element_bytes,
                                           bool partition) {
    BlockPolicy policy = compact_policy(caps, element_bytes, true);
    // H200, us on Dawn / wgpu-native: half of 2^28 u32 kept, 512x20 in 264 groups 557 / 538, 512x16 594 / 569, 512x24 741 / 702. A partition has more to
    // compute for each; with 512x16 748 / 737, no other shape was measured.
    if (caps.kind != AdapterKind::cpu && element_bytes <= 4 && !partition) policy.scalar_rows = 20;
    return policy;
}

}  // namespace upsweep
