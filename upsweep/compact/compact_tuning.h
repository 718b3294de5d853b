// Which geometry for which device: rows are single elements, so that what a row of invocations keeps goes out
// side by side.
#pragma once

#include "upsweep/core/block_geometry.h"

#include <algorithm>

namespace upsweep {

constexpr BlockPolicy compact_policy(const DeviceCaps& caps, std::uint32_t element_bytes) {
    const std::uint32_t rows = std::clamp(32U / element_bytes, 1U, 8U);
    if (caps.kind == AdapterKind::cpu) return {256, 4, rows, 16};
    // H200, half of 2^28 u32 kept, us on Dawn / wgpu-native: 1024x8 in 264 groups 701 / 679; 256x16 in 528
    // 761 / 740; 512x8 in 528 782 / 751; 1024x4 in 264 854 / 824 (bench/results/2026-11-30-h200.csv has the
    // table of all primitives).
    return {1024, 4, rows, 264};
}

}  // namespace upsweep
