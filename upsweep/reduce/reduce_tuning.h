// Which geometry for which device.
#pragma once

#include "upsweep/core/geometry.h"

namespace upsweep {

constexpr BlockPolicy reduce_policy(const DeviceCaps& caps) {
    if (caps.kind == AdapterKind::cpu) return {256, 4, 4, 16};
    return {512, 4, 8, 528};
}

}  // namespace upsweep
