// Conversion of the numbers of an npy file to the scalars that a kernel knows.
#pragma once

#include "app/formats/npy_header.h"
#include "upsweep/core/types.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace upsweep::app {

/// A number of any dtype, without loss.
using Number = std::variant<std::uint64_t, std::int64_t, double>;

/// The scalar that stands for a dtype if no --type is given: that of the same width; u32 for bool and the
/// smaller unsigned integers, i32 for the smaller signed ones, f32 for f8.
Scalar natural_scalar(const NpyDtype& dtype);

/// True if the items already are the scalar and need no conversion.
bool is_same(const NpyDtype& dtype, Scalar scalar);

/// One item, in the byte order of this machine.
Number load_number(const NpyDtype& dtype, const std::byte* in);

/// Writes the number to `out`; false if the scalar cannot hold it. Whole numbers fit or do not; floats are
/// rounded to nearest, and do not fit if they would become infinite. A float never becomes a whole number.
bool store_number(const Number& number, Scalar scalar, std::byte* out);

/// For messages.
std::string to_string(const Number& number);

}  // namespace upsweep::app
