#include "app/commands/quantity.h"

#include "app/formats/format.h"

#include <array>
#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

std::optional<std::uint64_t> digits_of(std::string_view text, int base = 10) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t value = 1;
    if (base <= 1) return exponent == 0 ? 1 : base;
    for (; exponent > 0; --exponent) {
        if (__builtin_mul_overflow(value, base, &value)) return std::nullopt;
    }
    return value;
}

// 2.5e6 has the digits 25 and the exponent 6 - 1.
std::optional<std::uint64_t> scientific(std::string_view mantissa, std::string_view exponent) {
    const std::size_t dot = mantissa.find('.');
    const std::string_view fraction =
        dot == std::string_view::npos ? std::string_view() : mantissa.substr(dot + 1);
    const auto digits = digits_of(std::string(mantissa.substr(0, dot)) + std::string(fraction));
    const auto shift = digits_of(exponent);
    if (!digits || !shift || *shift < fraction.size()) return std::nullopt;
    const auto scale = power(10, *shift - fraction.size());
    std::uint64_t value = 0;
    if (!scale || __builtin_mul_overflow(*digits, *scale, &value)) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> count_of(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '_');
    if (plain.starts_with("0x") || plain.starts_with("0X")) return digits_of(plain.substr(2), 16);
    if (const std::size_t at = plain.find('^'); at != std::string::npos) {
        const auto base = digits_of(plain.substr(0, at));
        const auto exponent = digits_of(plain.substr(at + 1));
        return base && exponent ? power(*base, *exponent) : std::nullopt;
    }
    if (const std::size_t at = plain.find_first_of("eE"); at != std::string::npos)
        return scientific(std::string_view(plain).substr(0, at), std::string_view(plain).substr(at + 1));
    return digits_of(plain);
}

}  // namespace

Result<std::uint64_t> parse_count(std::string_view text) {
    if (const auto count = count_of(text)) return *count;
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} is not a count; write it as 1000000, 1_000_000, 1e6 or 2^20, and at most "
                            "18446744073709551615.",
                            app::quoted(text)));
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
    std::string_view number = text;
    if (number.ends_with("iB")) number.remove_suffix(2);
    constexpr std::string_view units = "KMG";
    std::uint64_t unit = 1;
    const std::size_t which = number.empty() ? std::string_view::npos : units.find(number.back());
    if (which != std::string_view::npos) {
        number.remove_suffix(1);
        unit = std::uint64_t{1} << (10 * (which + 1));
    }
    const auto count =
        which == std::string_view::npos && number.size() != text.size() ? std::nullopt : count_of(number);
    std::uint64_t bytes = 0;
    if (count && !__builtin_mul_overflow(*count, unit, &bytes)) return bytes;
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} is not a number of bytes; write it as 1048576, 2^20, 1M or 1MiB.",
                            app::quoted(text)));
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units.at(unit));
}

std::string seconds_text(double seconds) {
    if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
    if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
    return fmt::format("{:.2f} s", seconds);
}

}  // namespace upsweep::app
