// A debug setting of the strategies whose workgroups hand sums on.
#pragma once

#include <cstdint>

namespace upsweep {

/// Which tiles' sums a look-back holds back from the other workgroups, as if the workgroup that has the tile had stalled: the others have to recompute
/// them, or leave what needs them to the rest. Of a reduction by last_arrival, which workgroups' totals. The result stays right. For tests.
enum class Withhold : std::uint8_t { none, first, every_second, all };

}  // namespace upsweep
