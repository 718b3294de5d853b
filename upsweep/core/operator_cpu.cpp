#include "upsweep/core/operator_cpu.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace upsweep {

namespace {

// binary16 as a type of its own: it computes in float and rounds after each operation, as a GPU does.
struct Half {
    std::uint16_t bits = 0;
};

template <class N>
constexpr bool is_float = std::is_same_v<N, float> || std::is_same_v<N, Half>;

// The order that min and max use on floats: IEEE 754 totalOrder, by bits.
template <class N>
std::uint32_t order_key(N value) {
    const auto bits =
        std::bit_cast<std::conditional_t<std::is_same_v<N, float>, std::uint32_t, std::uint16_t>>(value);
    constexpr std::uint32_t sign = std::is_same_v<N, float> ? 0x80000000U : 0x8000U;
    constexpr std::uint32_t all = std::is_same_v<N, float> ? 0xFFFFFFFFU : 0xFFFFU;
    return (bits & sign) != 0 ? ~bits & all : bits | sign;
}

template <class N>
bool less(N a, N b) {
    if constexpr (is_float<N>)
        return order_key(a) < order_key(b);
    else
        return a < b;
}

template <class N>
N plus(N a, N b) {
    if constexpr (std::is_same_v<N, Half>)
        return {float_to_half(half_to_float(a.bits) + half_to_float(b.bits))};
    else if constexpr (std::is_integral_v<N>)
        return static_cast<N>(static_cast<std::make_unsigned_t<N>>(a) +
                              static_cast<std::make_unsigned_t<N>>(b));
    else
        return a + b;
}

template <class N>
N multiplies(N a, N b) {
    if constexpr (std::is_same_v<N, Half>)
        return {float_to_half(half_to_float(a.bits) * half_to_float(b.bits))};
    else if constexpr (std::is_integral_v<N>)
        return static_cast<N>(static_cast<std::make_unsigned_t<N>>(a) *
                              static_cast<std::make_unsigned_t<N>>(b));
    else
        return a * b;
}

template <class N>
bool is_zero(N a) {
    if constexpr (std::is_same_v<N, Half>)
        return (a.bits & 0x7FFFU) == 0;
    else
        return a == N{};
}

template <class N>
N apply(std::string_view name, N a, N b) {
    if (name == "plus") return plus(a, b);
    if (name == "multiplies") return multiplies(a, b);
    if (name == "min") return less(b, a) ? b : a;
    if (name == "max") return less(a, b) ? b : a;
    if (name == "last_non_zero") return is_zero(b) ? a : b;
    if constexpr (std::is_integral_v<N>) {
        if (name == "bit_and") return a & b;
        if (name == "bit_or") return a | b;
        if (name == "bit_xor") return a ^ b;
        if (name == "logical_and") return a != 0 && b != 0 ? 1 : 0;
        if (name == "logical_or") return a != 0 || b != 0 ? 1 : 0;
    }
    return a;
}

template <class N>
N extreme(bool largest) {
    if constexpr (std::is_same_v<N, float>)
        return std::bit_cast<float>(largest ? 0x7F800000U : 0xFF800000U);
    else if constexpr (std::is_same_v<N, Half>)
        return {static_cast<std::uint16_t>(largest ? 0x7C00U : 0xFC00U)};
    else
        return largest ? std::numeric_limits<N>::max() : std::numeric_limits<N>::min();
}

template <class N>
N identity(std::string_view name) {
    if (name == "min") return extreme<N>(true);
    if (name == "max") return extreme<N>(false);
    if constexpr (std::is_same_v<N, Half>) {
        return {static_cast<std::uint16_t>(name == "multiplies" ? 0x3C00U : 0U)};
    } else {
        if (name == "multiplies" || name == "logical_and") return N{1};
        if constexpr (std::is_integral_v<N>) {
            if (name == "bit_and") return static_cast<N>(~N{0});
        }
        return N{};
    }
}

// Calls f with a value of the C++ type that stands for the scalar.
template <class F>
auto with_scalar(Scalar scalar, F f) {
    switch (scalar) {
        case Scalar::u32: return f(std::uint32_t{});
        case Scalar::i32: return f(std::int32_t{});
        case Scalar::f32: return f(float{});
        case Scalar::f16: return f(Half{});
        case Scalar::u64: return f(std::uint64_t{});
        case Scalar::i64: break;
    }
    return f(std::int64_t{});
}

}  // namespace

CpuCombine builtin_cpu_combine(std::string_view name, const ElementType& type) {
    return with_scalar(type.scalar, [&](auto zero) -> CpuCombine {
        using N = decltype(zero);
        return [name = std::string(name), width = type.width](const std::byte* a, const std::byte* b,
                                                              std::byte* out) {
            for (std::uint32_t c = 0; c < width; ++c) {
                N x, y;
                std::memcpy(&x, a + c * sizeof(N), sizeof(N));
                std::memcpy(&y, b + c * sizeof(N), sizeof(N));
                const N z = apply<N>(name, x, y);
                std::memcpy(out + c * sizeof(N), &z, sizeof(N));
            }
        };
    });
}

std::vector<std::byte> builtin_cpu_identity(std::string_view name, const ElementType& type) {
    std::vector<std::byte> bytes(type.stride);
    with_scalar(type.scalar, [&](auto zero) {
        using N = decltype(zero);
        const N value = identity<N>(name);
        for (std::uint32_t c = 0; c < type.width; ++c)
            std::memcpy(bytes.data() + c * sizeof(N), &value, sizeof(N));
    });
    return bytes;
}

void builtin_cpu_truth(const ElementType& type, std::byte* element) {
    with_scalar(type.scalar, [&](auto zero) {
        using N = decltype(zero);
        for (std::uint32_t c = 0; c < type.width; ++c) {
            N x;
            std::memcpy(&x, element + c * sizeof(N), sizeof(N));
            if constexpr (std::is_integral_v<N>) x = x != 0 ? 1 : 0;
            std::memcpy(element + c * sizeof(N), &x, sizeof(N));
        }
    });
}

float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 0x1FU;
    const std::uint32_t fraction = half & 0x3FFU;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13U));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
}

std::uint16_t float_to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const float magnitude = std::fabs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00U | ((bits >> 13U) & 0x3FFU));
    if (magnitude >= 65520.0F)
        return static_cast<std::uint16_t>(sign |
                                          0x7C00U);  // 65504 is the largest; 65520 rounds away from it.
    if (magnitude < 6.103515625e-05F) {              // Subnormal: multiples of 2^-24.
        return static_cast<std::uint16_t>(
            sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(magnitude, 24))));
    }
    const std::uint32_t scaled = (bits & 0x7FFFFFFFU) - (112U << 23U);
    const std::uint32_t rounded = scaled + 0xFFFU + ((scaled >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | (rounded >> 13U));
}

}  // namespace upsweep
