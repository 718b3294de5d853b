// The primitives that have strategies, by name.
#pragma once

#include "upsweep/core/result.h"

#include <cstdint>
#include <string_view>

namespace upsweep {

enum class Primitive : std::uint8_t { scan, reduce, compact, partition };
inline constexpr Primitive all_primitives[] = {Primitive::scan, Primitive::reduce, Primitive::compact,
                                               Primitive::partition};
const char* to_string(Primitive primitive);
Result<Primitive> parse_primitive(std::string_view name);

}  // namespace upsweep
