// Which strategy and geometry for which device: rows are single elements, so that what a row of invocations keeps
// goes out side by side.
#pragma once

#include "upsweep/core/block_geometry.h"

#include <algorithm>

namespace upsweep {

/// Elements of up to this many bytes wait for their place; larger ones are read again.
constexpr std::uint32_t most_held_bytes = 16;

/// Whether a compaction is faster with one pass that looks back: on GPUs with subgroups. H200, half of 2^26 elements of 16 bytes kept, us on Dawn /
/// wgpu-native: lookback 557 / 515, reduce_then_scan 471 / 444; at 2^20 20.3 / 18.1 and 21.5 / 19.1.
constexpr bool compact_looks_back(const DeviceCaps& caps, std::uint32_t element_bytes) {
    return caps.subgroups && caps.kind != AdapterKind::cpu && element_bytes <= 8;
}

/// Whether a look-back over the whole tiles with a rest is faster than that: as for scans. H200, half of the u32 kept, us on Dawn / wgpu-native at 2^28:
/// 522 / 505, lookback 696 / 656; at 2^24 54.7 / 52.8 and 64.7 / 59.5; at 2^22 22.9 / 20.7 and 23.5 / 21.4.
constexpr bool compact_leaves_rest(const DeviceCaps& caps, std::uint32_t element_bytes, std::uint64_t count) {
    return caps.kind == AdapterKind::discrete && count * element_bytes >= (1U << 24U);
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

/// Of a look-back over the whole tiles; `held`: the elements wait for their places.
constexpr BlockPolicy compact_whole_policy(const DeviceCaps& caps, std::uint32_t element_bytes,
                                           std::uint64_t count, bool held) {
    if (caps.kind == AdapterKind::cpu) return compact_policy(caps, element_bytes, true);
    // H200, half of the u32 kept, us on Dawn / wgpu-native: of 2^28 512x24 522 / 505 (eight rows in workgroup memory), 512x20 545 / 529, 512x16
    // 594 / 569; of 2^26 512x24 158 / 150, 512x16 165 / 157; of 2^24 512x24 62 / 58, 512x16 57 / 54.
    const std::uint32_t bytes = count * element_bytes >= (1U << 28U) ? 96 : 64;
    if (held) return {512, 4, std::clamp(bytes / element_bytes, 1U, bytes / 4), 264};
    // The indices of 2^28 alone: 512x32 484 / 475, 512x24 517 / 508, in 396 groups 522 / 531.
    return {512, 4, element_bytes > most_held_bytes ? 8U : 32U, 264};
}

}  // namespace upsweep
