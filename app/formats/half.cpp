#include "app/formats/half.h"

#include <bit>

namespace upsweep::app {

std::uint16_t half_from_double(double value) {
    constexpr int mantissa_bits = 52;
    constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << mantissa_bits) - 1;
    constexpr std::uint64_t infinity = std::uint64_t{0x7ff} << mantissa_bits;

    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
    const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
    const auto with_sign = [sign](std::uint64_t half) { return static_cast<std::uint16_t>(sign | half); };

    if (magnitude > infinity) return with_sign(0x7e00 | (magnitude >> 42 & 0x1ff));
    const int exponent = static_cast<int>(magnitude >> mantissa_bits) - 1023;
    if (exponent > 15) return with_sign(0x7c00);
    if (exponent < -25) return with_sign(0);  // Less than half of the smallest subnormal, 2^-24.

    // 11 bits of the significand stay, fewer below 2^-14, where the halves are subnormal.
    const int shift = exponent >= -14 ? 42 : 28 - exponent;
    const std::uint64_t significand = (magnitude & mantissa_mask) | std::uint64_t{1} << mantissa_bits;
    const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t tie = std::uint64_t{1} << (shift - 1);
    std::uint64_t kept = significand >> shift;
    if (rest > tie || (rest == tie && (kept & 1) != 0)) ++kept;

    // The leading bit of a normal `kept` adds one to the exponent, and so does a carry, even up to infinity.
    return with_sign(exponent >= -14 ? (static_cast<std::uint64_t>(exponent + 14) << 10) + kept : kept);
}

float float_from_half(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
    const std::uint32_t exponent = half >> 10 & 0x1fU;
    const std::uint32_t mantissa = half & 0x3ffU;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide_exponent = exponent == 0x1f ? 0xff : exponent + (127 - 15);
    return std::bit_cast<float>(sign | wide_exponent << 23 | mantissa << 13);
}

}  // namespace upsweep::app
