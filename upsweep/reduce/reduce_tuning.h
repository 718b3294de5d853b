// Which geometry for which device.
#pragma once

#include "upsweep/core/block_geometry.h"

namespace upsweep {

constexpr BlockPolicy reduce_policy(const DeviceCaps& caps) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, 2^28 u32, us on Dawn: 1024x4 in 264 groups 263; 512x4 in 528 278; 256x8 in 2112 269; 1024x2 in
    // 132 265.
    return {1024, 4, 8, 264};
}

}  // namespace upsweep
