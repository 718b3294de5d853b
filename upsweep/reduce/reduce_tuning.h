// Which strategy and geometry for which device.
#pragma once

#include "upsweep/core/block_geometry.h"

namespace upsweep {

/// Whether a reduction is to be one dispatch, which saves what a second one costs on a GPU: about 3 us on an H200. Software adapters run few workgroups
/// at a time, and a dispatch costs them little.
constexpr bool reduce_in_one_dispatch(const DeviceCaps& caps) {
    return caps.kind != AdapterKind::cpu;
}

/// Of two_pass.
constexpr BlockPolicy reduce_policy(const DeviceCaps& caps) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, 2^28 u32, us on Dawn: 1024x4 in 264 groups 263; 512x4 in 528 278; 256x8 in 2112 269; 1024x2 in
    // 132 265.
    return {1024, 4, 8, 264};
}

/// Of last_arrival.
constexpr BlockPolicy last_arrival_policy(const DeviceCaps& caps) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, 2^28 u32, us of two dispatches on wgpu-native / Dawn: 1024x2 in 528 groups 246.6 / 259.5; 1024x4 in 264 groups 250 / 261.2, in 1056 248.5 /
    // 256.8, in 132 on Dawn 257.2.
    return {1024, 2, 8, 528};
}

}  // namespace upsweep
