// Which geometry for which device: rows are single elements, so that what a row of invocations keeps goes out
// side by side.
#pragma once

#include "upsweep/core/geometry.h"

#include <algorithm>

namespace upsweep {

constexpr BlockPolicy compact_policy(const DeviceCaps& caps, std::uint32_t element_bytes) {
    const std::uint32_t rows = std::clamp(64U / element_bytes, 1U, 16U);
    if (caps.kind == AdapterKind::cpu) return {256, 4, std::min(rows, 8U), 16};
    return {512, 4, rows, 528};
}

}  // namespace upsweep
