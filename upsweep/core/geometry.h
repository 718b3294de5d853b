// The part of a kernel's shape that a caller may choose.
#pragma once

#include <cstdint>

namespace upsweep {

/// Geometry that a tuner or a test may force; 0 leaves it to the policy for the device.
struct Geometry {
    std::uint32_t block = 0;   ///< Invocations of a workgroup.
    std::uint32_t rows = 0;    ///< Rows an invocation holds.
    std::uint32_t groups = 0;  ///< Workgroups of a fixed grid.
    bool operator==(const Geometry&) const = default;
};

}  // namespace upsweep
