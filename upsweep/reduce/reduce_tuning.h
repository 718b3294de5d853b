// Which strategy and geometry for which device.
#pragma once

#include "upsweep/core/block_geometry.h"

namespace upsweep {

/// Whether a reduction is to be one dispatch, which saves what a second one costs on a GPU: 2 to 3 us on an H200. There, us on Dawn / wgpu-native: u32 sum
/// of 2^20 12.2 / 10.9 and in two dispatches 14.4 / 12.8, of 2^24 30.0 / 26.2 and 32.3 / 29.4, of 2^28 263 / 246 and 263 / 250; but u32 arg_max, totals of
/// 8 bytes, of 2^20 23.6 / 21.4 and 20.5 / 17.7. Software adapters run few workgroups at a time, and a dispatch costs them little.
constexpr bool reduce_in_one_dispatch(const DeviceCaps& caps, std::uint32_t total_bytes, bool commutative) {
    return caps.kind != AdapterKind::cpu && total_bytes <= 4 && commutative;
}

/// Of two_pass.
constexpr BlockPolicy reduce_policy(const DeviceCaps& caps, std::uint64_t count) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, 2^28 u32, us on Dawn: 1024x4 in 264 groups 263; 512x4 in 528 278; 256x8 in 2112 269; 1024x2 in
    // 132 265. u32 arg_max, rows of one, us on Dawn / wgpu-native with 8 rows and with 4: 2^20 21.9 / 18.9 and 20.5 / 17.7; 2^24 60.3 / 43.1 and
    // 50.0 / 37.3; 2^28 372 / 269 and 394 / 285.
    return {1024, 4, count < (1U << 26U) ? 4U : 8U, 264};
}

/// Of last_arrival.
constexpr BlockPolicy last_arrival_policy(const DeviceCaps& caps) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    // H200, u32 sum, us on Dawn / wgpu-native at 2^16, 2^22 and 2^28: 1024x2 in 264 groups 11.2 / 10.2, 15.8 / 13.4, 263 / 246; 1024x2 in 528 11.2 / 10.3,
    // 18.7 / 16.6, 259 / 247; 1024x4 in 264 12.4 / 11.4, 17.3 / 14.7, 261 / 251; 512x4 in 1056 11.0 / 10.0, 18.2 / 15.7, 261 / 247.
    return {1024, 2, 8, 264};
}

}  // namespace upsweep
