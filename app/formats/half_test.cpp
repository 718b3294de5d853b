#include "app/formats/half.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace upsweep::app {

namespace {

constexpr std::uint16_t infinity = 0x7c00;
constexpr std::uint16_t sign = 0x8000;

/// The value of a half by its definition.
double value_of(std::uint16_t half) {
    const int exponent = half >> 10 & 0x1f;
    const int mantissa = half & 0x3ff;
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
    return (half & sign) != 0 ? -magnitude : magnitude;
}

TEST(Half, HasTheValueOfItsBits) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        if ((half & 0x7fff) >= infinity) continue;
        ASSERT_EQ(double{float_from_half(half)}, value_of(half)) << bits;
        ASSERT_EQ(std::signbit(float_from_half(half)), (half & sign) != 0) << bits;
        ASSERT_EQ(half_from_double(value_of(half)), half) << bits;
    }
}

TEST(Half, RoundsToNearestAndTiesToEven) {
    for (std::uint16_t low = 0; low < infinity; ++low) {
        const auto high = static_cast<std::uint16_t>(low + 1);
        // Infinity is rounded to as if it were the next power of two.
        const double upper = high == infinity ? 65536.0 : value_of(high);
        const double middle = (value_of(low) + upper) / 2;
        ASSERT_EQ(half_from_double(middle), (low & 1) == 0 ? low : high) << low;
        ASSERT_EQ(half_from_double(std::nextafter(middle, 0)), low) << low;
        ASSERT_EQ(half_from_double(std::nextafter(middle, 1e9)), high) << low;
        ASSERT_EQ(half_from_double(-std::nextafter(middle, 1e9)), high | sign) << low;
    }
}

TEST(Half, KeepsWhatIsNotANumber) {
    EXPECT_EQ(half_from_double(std::numeric_limits<double>::infinity()), infinity);
    EXPECT_EQ(half_from_double(-1e300), infinity | sign);
    EXPECT_EQ(half_from_double(-0.0), sign);
    EXPECT_EQ(half_from_double(1e-300), 0);
    EXPECT_EQ(half_from_double(std::numeric_limits<double>::denorm_min()), 0);
    EXPECT_EQ(half_from_double(std::nan("")), 0x7e00);
    EXPECT_TRUE(std::isinf(float_from_half(infinity)));
    for (std::uint16_t half = infinity + 1; half < sign; ++half)
        ASSERT_TRUE(std::isnan(float_from_half(half)));
    for (std::uint16_t half = 0x7e00; half < sign; ++half) {
        ASSERT_EQ(half_from_double(double{float_from_half(half)}), half);  // Quiet NaNs keep all their bits.
    }
}

}  // namespace

}  // namespace upsweep::app
