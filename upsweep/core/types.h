// Element types: what one element is in WGSL and how many bytes it takes in a buffer.
#pragma once

#include "upsweep/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

/// The scalar that an element is made of. u64 and i64 are pairs of u32 words, low word first, as in a
/// little-endian file.
enum class Scalar : std::uint8_t { u32, i32, f32, f16, u64, i64 };

/// One scalar or vector inside a user's struct: its path in WGSL (".pos", ".rows[1]") and its byte offset.
struct Member {
    std::string path;
    Scalar scalar = Scalar::u32;
    std::uint32_t width = 1;
    std::uint32_t offset = 0;

    bool operator==(const Member&) const = default;
};

/// The type of the elements of a buffer.
///
/// Built-in types are scalars (u32, i32, f32, f16, u64, i64) and vectors of 2, 3 or 4 of the first four. As
/// in WGSL, a vector of three takes the stride of a vector of four: `vec3<f32>` has 12 bytes and the
/// stride 16. Any other layout is a struct of the user's:
///
///     auto mat = ElementType::structure("Mat", "struct Mat { a: u32, b: u32, c: u32, d: u32 }");  // stride 16
///
/// Size and stride follow from the declaration by the rules of WGSL; they need not be given.
struct ElementType {
    Scalar scalar = Scalar::u32;  ///< Of a built-in type.
    std::uint32_t width = 1;      ///< 1 for a scalar, 2 to 4 for a vector, 0 for a struct.
    std::string name =
        "u32";  ///< The name in WGSL, for people, and in requests: "u32", "vec2<f32>", "u64", "Mat".
    std::string declaration;   ///< The WGSL of a struct and of all that it needs; empty for a built-in type.
    std::uint32_t size = 4;    ///< Bytes that carry data.
    std::uint32_t stride = 4;  ///< Bytes from one element to the next.
    std::vector<Member>
        members;  ///< The scalars and vectors of a struct, in order; empty for a built-in type.

    bool operator==(const ElementType&) const = default;

    [[nodiscard]] bool is_struct() const { return width == 0; }
    [[nodiscard]] bool is_wide_integer() const {
        return !is_struct() && (scalar == Scalar::u64 || scalar == Scalar::i64);
    }
    /// How WGSL names it: a 64-bit integer is a `vec2<u32>` there.
    [[nodiscard]] std::string wgsl() const { return is_wide_integer() ? "vec2<u32>" : name; }
    /// True if a WGSL implementation needs the feature `shader-f16` for it.
    [[nodiscard]] bool needs_f16() const;

    /// A scalar or, with a width of 2 to 4, a vector. u64 and i64 have no vectors: a width other than 1 is an
    /// error.
    static Result<ElementType> vector(Scalar scalar, std::uint32_t width);

    /// A struct of the user's. `declaration` holds its WGSL (with helper structs and aliases if it has any),
    /// `name` is the struct to use. A stride that is given must be the one that WGSL gives it.
    static Result<ElementType> structure(std::string name, std::string declaration, std::uint32_t stride = 0);

    /// A built-in type by its name: u32, i32, f32, f16, u64, i64, vec2<f32>, vec3f, vec4u, ...
    static Result<ElementType> parse(std::string_view name);
};

/// Shorthands for the scalar types; a vector comes from ElementType::parse("vec4<f32>").
namespace types {
inline const ElementType u32{Scalar::u32, 1, "u32", {}, 4, 4, {}};
inline const ElementType i32{Scalar::i32, 1, "i32", {}, 4, 4, {}};
inline const ElementType f32{Scalar::f32, 1, "f32", {}, 4, 4, {}};
inline const ElementType f16{Scalar::f16, 1, "f16", {}, 2, 2, {}};
inline const ElementType u64{Scalar::u64, 1, "u64", {}, 8, 8, {}};
inline const ElementType i64{Scalar::i64, 1, "i64", {}, 8, 8, {}};
}  // namespace types

/// Bytes of one scalar in a buffer.
std::uint32_t size_of(Scalar scalar);
/// Its name: "u32", "f16", "u64".
const char* to_string(Scalar scalar);

}  // namespace upsweep
