// Elements against elements, by their numbers.
#pragma once

#include "upsweep/core/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace upsweep::app {

enum class Closeness {
    same,     ///< Bit for bit, but for the bits of a NaN in an f16, which goes through an f32 on a device.
    rounded,  ///< Integers bit for bit, floats to a part in 1000 (f16: in 32).
};

/// The index of the first element that differs, if there is one. The padding between and behind the numbers
/// of an element does not count. Both spans hold as many whole elements.
std::optional<std::uint64_t> first_difference(const ElementType& type, std::span<const std::byte> a,
                                              std::span<const std::byte> b,
                                              Closeness closeness = Closeness::same);

}  // namespace upsweep::app
