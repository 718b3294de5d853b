// binary16 on the CPU: every value there and back, rounding to nearest even, and sums that round once.
#include "tests/core/element_bytes.h"
#include "tests/core/holds.h"
#include "upsweep/core/operator_cpu.h"
#include "upsweep/core/operators.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace upsweep::test {
namespace {

bool is_nan(std::uint16_t half) {
    return (half & 0x7FFFU) > 0x7C00U;
}

// The value of a half by its definition.
double value_of(std::uint16_t half) {
    const int exponent = (half >> 10U) & 0x1F;
    const int fraction = half & 0x3FF;
    const double magnitude = exponent == 31  ? HUGE_VAL
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    return (half & 0x8000U) != 0 ? -magnitude : magnitude;
}

// The half nearest to a value, of two equally near ones the even: by search among all that there are.
// Infinity counts as the value that would follow the largest.
std::uint16_t nearest(double value) {
    if (value == 0 || std::signbit(value)) {
        if (value != 0) return static_cast<std::uint16_t>(nearest(-value) | 0x8000U);
        return std::signbit(value) ? 0x8000U : 0U;
    }
    const auto at = [](std::uint16_t half) { return half == 0x7C00U ? 65536.0 : value_of(half); };
    std::uint16_t low = 0;
    std::uint16_t high = 0x7C00;
    if (value >= 65536.0) return high;
    while (high - low > 1) {
        const auto middle = static_cast<std::uint16_t>((low + high) / 2);
        (at(middle) <= value ? low : high) = middle;
    }
    const double below = value - at(low);
    const double above = at(high) - value;
    if (below != above) return below < above ? low : high;
    return low % 2 == 0 ? low : high;
}

TEST(HalfFloat, EveryHalfBecomesTheFloatOfItsValue) {
    for (std::uint32_t half = 0; half <= 0xFFFF; ++half) {
        const auto bits = static_cast<std::uint16_t>(half);
        const float f = half_to_float(bits);
        ASSERT_EQ(std::isnan(f), is_nan(bits)) << half;
        ASSERT_EQ(std::signbit(f), (half & 0x8000U) != 0) << half;
        ASSERT_TRUE(is_nan(bits) || static_cast<double>(f) == value_of(bits)) << half;
    }
}

TEST(HalfFloat, EveryHalfComesBackFromAFloat) {
    for (std::uint32_t half = 0; half <= 0xFFFF; ++half) {
        const auto bits = static_cast<std::uint16_t>(half);
        const std::uint16_t back = float_to_half(half_to_float(bits));
        // A signalling NaN comes back quiet, with the rest of its bits.
        ASSERT_EQ(back, is_nan(bits) ? bits | 0x200U : bits) << half;
    }
}

TEST(HalfFloat, RoundsToNearestEvenAtTheEdges) {
    const auto bits = [](double value) { return float_to_half(static_cast<float>(value)); };
    EXPECT_EQ(bits(65504.0), 0x7BFF);  // The largest.
    EXPECT_EQ(bits(65519.996), 0x7BFF);
    EXPECT_EQ(bits(65520.0), 0x7C00);  // Half way to what would come next: infinity.
    EXPECT_EQ(bits(-65520.0), 0xFC00);
    EXPECT_EQ(bits(1e30), 0x7C00);
    EXPECT_EQ(bits(1.0 + std::ldexp(1.0, -11)), 0x3C00);  // A tie goes to the even one,
    EXPECT_EQ(bits(1.0 + std::ldexp(3.0, -11)), 0x3C02);  // here upwards.
    EXPECT_EQ(bits(1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -23)), 0x3C01);
    EXPECT_EQ(bits(2.0 - std::ldexp(1.0, -12)), 0x4000);  // Into the next exponent.
    EXPECT_EQ(bits(std::ldexp(1.0, -14)), 0x0400);        // The least normal one.
    EXPECT_EQ(bits(std::ldexp(1023.75, -24)), 0x0400);    // A subnormal that rounds up to it.
    EXPECT_EQ(bits(std::ldexp(1.0, -24)), 0x0001);
    EXPECT_EQ(bits(std::ldexp(1.0, -25)), 0x0000);  // A tie with zero.
    EXPECT_EQ(bits(std::ldexp(1.0001, -25)), 0x0001);
    EXPECT_EQ(bits(std::ldexp(-3.0, -25)), 0x8002);  // A tie between 1 and 2.
    EXPECT_EQ(bits(1e-45), 0x0000);
    EXPECT_EQ(bits(-1e-45), 0x8000);
    EXPECT_EQ(bits(-0.0), 0x8000);
}

TEST(HalfFloat, NanStaysNanWhateverItsBits) {
    for (const std::uint32_t bits : {0x7F800001U, 0x7F801FFFU, 0x7F802000U, 0x7FC00000U, 0x7FFFFFFFU}) {
        EXPECT_TRUE(is_nan(float_to_half(std::bit_cast<float>(bits)))) << bits;
        EXPECT_TRUE(is_nan(float_to_half(std::bit_cast<float>(bits | 0x80000000U)))) << bits;
        EXPECT_EQ(float_to_half(std::bit_cast<float>(bits | 0x80000000U)) & 0x8000U, 0x8000U) << bits;
    }
}

TEST(HalfFloat, RoundsEveryFloatToTheNearest) {
    EXPECT_TRUE(holds(
        [] {
            // Near a half, or any float at all.
            const auto half = *arbitrary_float_bits<std::uint16_t>();
            const float near = half_to_float(half);
            const auto any = *arbitrary_float_bits<std::uint32_t>();
            // Half a step between two normal halves is 4096 floats: ties are to be frequent.
            const auto steps = *rc::gen::element<std::int64_t>(-4096, 4096, 12288, 0) +
                               *rc::gen::element<std::int64_t>(0, -1, 1, *rc::gen::inRange(-9000, 9000));
            for (const std::uint32_t bits :
                 {any, static_cast<std::uint32_t>(std::bit_cast<std::uint32_t>(near) + steps)}) {
                const float value = std::bit_cast<float>(bits);
                if (!std::isnan(value)) RC_ASSERT(float_to_half(value) == nearest(value));
            }
        },
        1000));
}

// A sum or product of halves is exact in a double, so rounding that once is the right result.
TEST(HalfFloat, SumsAndProductsRoundOnce) {
    EXPECT_TRUE(holds(
        [] {
            const auto a = *arbitrary_float_bits<std::uint16_t>();
            const auto b = *arbitrary_float_bits<std::uint16_t>();
            for (const bool plus : {true, false}) {
                std::uint16_t out = 0;
                const Operator op = plus ? Operator::plus() : Operator::multiplies();
                (*op.cpu(types::f16))(reinterpret_cast<const std::byte*>(&a),
                                      reinterpret_cast<const std::byte*>(&b),
                                      reinterpret_cast<std::byte*>(&out));
                const double exact = is_nan(a) || is_nan(b) ? NAN
                                     : plus                 ? value_of(a) + value_of(b)
                                                            : value_of(a) * value_of(b);
                const bool right = std::isnan(exact) ? is_nan(out) : out == nearest(exact);
                RC_ASSERT(right);
            }
        },
        1000));
}

}  // namespace
}  // namespace upsweep::test
