// Conversion between IEEE binary16 and wider floats. clang-14 has no _Float16 on x86-64 that could do it.
#pragma once

#include <cstdint>

namespace upsweep::app {

/// Rounds to nearest, ties to even; what is too large becomes infinity; a NaN stays one and keeps its sign.
std::uint16_t half_from_double(double value);

/// Exact. A signalling NaN stays as it is.
float float_from_half(std::uint16_t half);

}  // namespace upsweep::app
