#include "upsweep/core/types.h"

#include <array>

namespace upsweep {

namespace {

constexpr std::array<const char*, 6> scalar_names{"u32", "i32", "f32", "f16", "u64", "i64"};

}  // namespace

const char* to_string(Scalar scalar) {
    return scalar_names.at(static_cast<std::size_t>(scalar));
}

std::uint32_t size_of(Scalar scalar) {
    if (scalar == Scalar::f16) return 2;
    return scalar == Scalar::u64 || scalar == Scalar::i64 ? 8 : 4;
}

bool ElementType::needs_f16() const {
    if (!is_struct()) return scalar == Scalar::f16;
    for (const Member& member : members) {
        if (member.scalar == Scalar::f16) return true;
    }
    return false;
}

Result<ElementType> ElementType::vector(Scalar scalar, std::uint32_t width) {
    if (width < 1 || width > 4) {
        return fail(ErrorCode::invalid_argument,
                    "A vector has 2, 3 or 4 components, not " + std::to_string(width) + ".");
    }
    const bool wide = scalar == Scalar::u64 || scalar == Scalar::i64;
    if (wide && width > 1) {
        return fail(ErrorCode::invalid_argument, std::string("There are no vectors of ") + to_string(scalar) +
                                                     "; describe the pair of words in a struct of your own.");
    }
    const std::string scalar_name = to_string(scalar);
    ElementType type;
    type.scalar = scalar;
    type.width = width;
    type.name = width == 1 ? scalar_name : "vec" + std::to_string(width) + "<" + scalar_name + ">";
    type.size = width * size_of(scalar);
    type.stride = (width == 3 ? 4 : width) * size_of(scalar);
    return type;
}

Result<ElementType> ElementType::parse(std::string_view name) {
    constexpr std::string_view suffixes = "uifh";  // vec2u, vec3i, vec4f, vec2h: in the order of the scalars.
    for (std::size_t s = 0; s < scalar_names.size(); ++s) {
        const auto scalar = static_cast<Scalar>(s);
        if (name == scalar_names.at(s)) return vector(scalar, 1);
        if (s >= suffixes.size()) continue;
        for (std::uint32_t width = 2; width <= 4; ++width) {
            const std::string vec = "vec" + std::to_string(width);
            if (name == vec + suffixes[s] || name == vec + "<" + scalar_names.at(s) + ">")
                return vector(scalar, width);
        }
    }
    return fail(ErrorCode::invalid_argument, "'" + std::string(name) +
                                                 "' is not an element type; it must be one of u32, i32, f32, "
                                                 "f16, u64, i64 or vec2, vec3, vec4 of the "
                                                 "first four, such as vec4<f32> or vec4f.");
}

}  // namespace upsweep
