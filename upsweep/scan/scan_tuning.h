// Which geometry for which device: one row a case, with the measurement it came from.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/kernel_spec.h"

#include <cstdint>

namespace upsweep {

struct ScanPolicy {
    std::uint32_t block;  // Invocations of a workgroup; halved where the device or the workgroup memory does
                          // not hold it.
    std::uint32_t vector_rows;  // Rows of four elements in a subgroup block scan. hillis_steele takes 1 and
                                // blelloch 2 by their nature.
    std::uint32_t scalar_rows;  // Rows of one element, fewer for large ones.
    std::uint32_t groups;       // Workgroups of reduce_then_scan.
};

constexpr ScanPolicy scan_policy(const DeviceCaps& caps) {
    // lavapipe and SwiftShader run a workgroup on one core: few groups, and enough for every core.
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, u32 exclusive sum, us at 2^20 / 2^24 / 2^28: 512x2 in 528 groups 16.6 / 70 / 822; 1024x4 in 264
    // groups 20 / 74 / 812; 256x2 in 2112 groups 16.5 / 75 / 822
    // (bench/results/2026-11-30-h200-portable.csv).
    return {512, 2, 4, 528};
}

}  // namespace upsweep
