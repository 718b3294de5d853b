// Which strategy and geometry for which device: one row a case, with the measurement it came from.
#pragma once

#include "upsweep/core/block_geometry.h"

#include <algorithm>

namespace upsweep {

/// Whether a scan is faster with one pass that looks back: on GPUs with subgroups. lavapipe and SwiftShader run few workgroups at a time, and a look-back
/// waits there. H200, 2x2 matrices of 16 bytes, us on Dawn / wgpu-native at 2^26: lookback 1321 / 1138 at best, reduce_then_scan 1125 / 1071; at 2^18
/// 26.0 / 23.9 and 25.5 / 21.3.
constexpr bool scan_looks_back(const DeviceCaps& caps, std::uint32_t sum_bytes) {
    return caps.subgroups && caps.kind != AdapterKind::cpu && sum_bytes <= 8;
}

/// Whether a look-back over the whole tiles with a rest is faster than that: for large scans on discrete GPUs, whose workgroups run on once they have
/// started. H200, us on Dawn / wgpu-native: exclusive sum of 2^28 u32 596 / 588, lookback 670 / 636; of 2^26 170 / 164 and 187 / 174; of 2^24 57.6 / 58.4
/// and 60.4 / 56.7, in place 54.1 / 55.4 and 63.5 / 61.6; of 2^22 23.0 / 21.4 and 22.8 / 20.8. 2x2 matrices of 2^26 688 / 579, reduce_then_scan
/// 1125 / 1069.
constexpr bool scan_leaves_rest(const DeviceCaps& caps, std::uint32_t sum_bytes, std::uint64_t count) {
    return caps.subgroups && caps.kind == AdapterKind::discrete && sum_bytes <= 16 &&
           count * sum_bytes >= (1U << 26U);
}

constexpr BlockPolicy scan_policy(const DeviceCaps& caps) {
    // lavapipe and SwiftShader run a workgroup on one core: few groups, and enough for every core.
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, u32 exclusive sum, us at 2^20 / 2^24 / 2^28: 512x2 in 528 groups 16.6 / 70 / 822; 1024x4 in 264
    // groups 20 / 74 / 812; 256x2 in 2112 groups 16.5 / 75 / 822
    // (bench/results/2026-11-30-h200-0d6f44d.csv).
    return {512, 2, 4, 528};
}

/// Of a scan that looks back. Each workgroup holds two tiles in registers, and two workgroups fit a multiprocessor only while an invocation takes at
/// most 64 of them: six rows spill.
constexpr BlockPolicy lookback_policy(const DeviceCaps& caps, std::uint64_t count) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, u32 exclusive sum, us on wgpu-native: 512x4 in 264 groups at 2^20 / 2^24 / 2^28 13.7 / 58.0 / 664; 512x5 14.6 / 57.3 / 632; at 2^28
    // 512x6 849, 448x6 634, 384x7 642, 256x12 651.
    return {512, count < (1U << 23U) ? 4U : 5U, 4, 264};
}

/// Of a look-back over the whole tiles. What does not fit the registers waits in workgroup memory (shared_rows in block_geometry.cpp).
constexpr BlockPolicy lookback_whole_policy(const DeviceCaps& caps, std::uint32_t sum_bytes,
                                            std::uint64_t count) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, us on Dawn / wgpu-native: exclusive u32 sum of 2^28 512x6 604 / 594, 512x5 632 / 616, 256x6 610 / 606; of 2^26 512x6 170 / 166, 512x5
    // 174 / 168. 2x2 matrices of 2^24, 512x6 204 / 171, 512x4 216 / 176; of 2^22 79 / 66 and 74 / 61. u64 of 2^25, 512x12 210 / 183, 512x8 213 / 186.
    if (count * sum_bytes >= (1U << 27U)) return {512, 6, std::clamp(96U / sum_bytes, 1U, 24U), 264};
    // u32 sum of 2^24, exclusive and in place: 256x4 in 792 groups 57.2 / 56.9 and 54.8 / 55.4, 512x4 in 264 59.2 / 56.3 and 58.6 / 56.2.
    const std::uint32_t rows = std::clamp(64U / sum_bytes, 1U, 16U);
    if (sum_bytes <= 4) return {256, 4, rows, 792};
    return {512, 4, rows, 264};
}

}  // namespace upsweep
