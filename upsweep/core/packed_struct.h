// How a struct travels between buffer and kernel: as vectors of words. A struct of 32-bit members promises an alignment of 4, so that a compiler
// has to move it member by member; as vectors it moves 16 or 8 bytes at a time. Private to the library.
#pragma once

#include "upsweep/core/types.h"

#include <optional>
#include <string>

namespace upsweep {

struct PackedStruct {
    std::string storage;  ///< "vec4<u32>", or "array<vec4<u32>, 4>".
    std::string unpack;   ///< `unpacked(p: STORAGE) -> T { ... }`.
    std::string pack;     ///< `packed(x: T) -> STORAGE { ... }`. Padding becomes 0.
};

/// For structs of 32-bit members whose stride is a multiple of 8.
std::optional<PackedStruct> packed_struct(const ElementType& type);

}  // namespace upsweep
