// The built-in operators on the CPU: the serial reference that tests and `--verify` compare with.
#pragma once

#include "upsweep/core/operators.h"

#include <string_view>

namespace upsweep {

/// `name` is a row of the operator table and `type` one that goes with it.
CpuCombine builtin_cpu_combine(std::string_view name, const ElementType& type);
std::vector<std::byte> builtin_cpu_identity(std::string_view name, const ElementType& type);
/// Makes each component 1 or 0.
void builtin_cpu_truth(const ElementType& type, std::byte* element);

/// IEEE 754 binary16, to nearest even.
float half_to_float(std::uint16_t half);
std::uint16_t float_to_half(float value);

}  // namespace upsweep
