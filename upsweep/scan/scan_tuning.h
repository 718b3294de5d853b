// Which geometry for which device: one row a case, with the measurement it came from.
#pragma once

#include "upsweep/core/block_geometry.h"

namespace upsweep {

constexpr BlockPolicy scan_policy(const DeviceCaps& caps) {
    // lavapipe and SwiftShader run a workgroup on one core: few groups, and enough for every core.
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, u32 exclusive sum, us at 2^20 / 2^24 / 2^28: 512x2 in 528 groups 16.6 / 70 / 822; 1024x4 in 264
    // groups 20 / 74 / 812; 256x2 in 2112 groups 16.5 / 75 / 822
    // (bench/results/2026-11-30-h200.csv).
    return {512, 2, 4, 528};
}

}  // namespace upsweep
