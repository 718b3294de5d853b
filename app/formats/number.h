// One number as text: parsing, printing, and the sentence for what is not a number.
#pragma once

#include "upsweep/core/types.h"

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace upsweep::app {

/// Longer ones are not numbers. Every number that the writers print is far shorter.
constexpr std::size_t max_token_bytes = 4096;

/// Writes the number to `out`, in the layout of a buffer; false if the whole token is not a number that fits.
///
/// Integers are decimal. Floats may be decimal or hexadecimal (0x1.8p3), nan, inf or infinity; they are
/// rounded to nearest, and one that would become infinite does not fit. A plus sign in front is allowed.
bool parse_number(std::string_view token, Scalar scalar, std::byte* out);

/// True for everything that is a number to some type, and for those that are too large for any.
bool looks_like_number(std::string_view token);

/// Appends the number at `in`: floats in the shortest form that reads back as the same value.
void append_number(fmt::memory_buffer& out, Scalar scalar, const std::byte* in);

/// "a whole number from 0 to 4294967295".
const char* range_of(Scalar scalar);

/// "Line 3 of 'a.txt' has '-5', which is not of the type u32 (...): give --type i32." `where` is the
/// beginning up to the token; `type` is the type of the elements and `scalar` that of the number.
Error bad_number(const std::string& where, std::string_view token, const ElementType& type, Scalar scalar);

}  // namespace upsweep::app
