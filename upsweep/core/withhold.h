// A debug setting of the strategies that look back.
#pragma once

#include <cstdint>

namespace upsweep {

/// Which tiles' sums a look-back holds back from the other workgroups, as if the workgroup that has the tile had stalled: the others have to recompute
/// them, or leave what needs them to the rest. The result stays right. For tests.
enum class Withhold : std::uint8_t { none, first, every_second, all };

}  // namespace upsweep
