// Which geometry for which device: one row a case, with the measurement it came from.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/kernel_spec.h"

#include <cstdint>

namespace upsweep {

struct ScanPolicy {
    std::uint32_t block;  // Invocations of a workgroup; halved where the device or the workgroup memory does
                          // not hold it.
    std::uint32_t
        rows;  // Rows of the subgroup block scan. hillis_steele takes 1 and blelloch 2 by their nature.
    std::uint32_t groups;  // Workgroups of reduce_then_scan.
};

constexpr ScanPolicy scan_policy(const DeviceCaps& caps) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 16};
    return {1024, 4, 264};
}

}  // namespace upsweep
