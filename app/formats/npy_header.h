// The header of an npy file: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "app/formats/input.h"
#include "upsweep/core/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::app {

inline constexpr std::string_view npy_magic{"\x93NUMPY", 6};

/// The type of the items of an array. Big-endian items have `swapped` set.
struct NpyDtype {
    std::string text;  ///< As the file says it, for messages: "<f4", or "structured".
    char kind = 'u';   ///< numpy's: b bool, i and u integers, f floats, V for structured and opaque items.
    std::uint64_t bytes = 4;  ///< Of one item.
    bool swapped = false;
};

struct NpyHeader {
    NpyDtype dtype;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t header_bytes = 0;  ///< Where the data begin.
};

/// Reads the header, versions 1 to 3, and leaves the input at the first item. Dtypes of other kinds, and
/// structured ones with parts whose size or byte order cannot be used, are errors.
Result<NpyHeader> read_npy_header(Input& input);

/// A header of version 1, padded so that the data are aligned to 64 bytes. A vector type becomes the shape
/// (count, width); a struct of plain scalars and vectors becomes a structured dtype, any other struct
/// '|V<stride>'.
std::string make_npy_header(const ElementType& type, std::uint64_t count);

}  // namespace upsweep::app
