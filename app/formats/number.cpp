#include "app/formats/number.h"

#include "app/formats/bytes.h"
#include "app/formats/format.h"
#include "app/formats/half.h"

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace upsweep::app {

namespace {

/// from_chars over the whole token: invalid_argument also if something is left over.
template <class T, class... Format>
std::errc convert(std::string_view digits, T& value, Format... format) {
    const auto [stop, status] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, format...);
    return stop == digits.data() + digits.size() ? status : std::errc::invalid_argument;
}

template <class T>
bool parse_integer(std::string_view token, std::byte* out) {
    if (token.starts_with("+") && !token.starts_with("+-")) token.remove_prefix(1);
    T value = 0;
    if (convert(token, value) != std::errc()) return false;
    store(out, value);
    return true;
}

template <class T>
std::errc parse_real(std::string_view token, T& value) {
    const bool negative = token.starts_with('-');
    if (negative || token.starts_with('+')) token.remove_prefix(1);
    const bool hex = token.starts_with("0x") || token.starts_with("0X");
    if (hex) token.remove_prefix(2);
    // from_chars would take a second sign, and "0xinf".
    if (token.starts_with('-')) return std::errc::invalid_argument;
    const bool infinite = token.starts_with('i') || token.starts_with('I');
    if (hex && (infinite || token.starts_with('n') || token.starts_with('N')))
        return std::errc::invalid_argument;

    const std::errc status = convert(token, value, hex ? std::chars_format::hex : std::chars_format::general);
    if (status != std::errc()) return status;
    if (std::isinf(value) && !infinite) return std::errc::result_out_of_range;
    if (negative) value = -value;
    return {};
}

bool parse_f32(std::string_view token, std::byte* out) {
    float value = 0;
    std::errc status = parse_real(token, value);
    if (status == std::errc::result_out_of_range) {
        // Too large or too small? Python prints 1e-50 for a double, and that is 0 here.
        double wide = 0;
        status = parse_real(token, wide);
        if (std::fabs(wide) >= 1) return false;
        value = static_cast<float>(wide);
    }
    if (status != std::errc()) return false;
    store(out, value);
    return true;
}

/// By way of a double, so a decimal of over 17 digits next to the middle of two halves can be off by one
/// unit.
bool parse_f16(std::string_view token, std::byte* out) {
    double value = 0;
    if (parse_real(token, value) != std::errc()) return false;
    const std::uint16_t half = half_from_double(value);
    if (std::isinf(float_from_half(half)) && !std::isinf(value)) return false;
    store(out, half);
    return true;
}

/// A fraction needs five digits at most; printed as a binary32 it would get up to nine.
void append_half(fmt::memory_buffer& out, std::uint16_t half) {
    const float value = float_from_half(half);
    if (!std::isfinite(value) || value == std::trunc(value)) {
        fmt::format_to(std::back_inserter(out), "{}", value);
        return;
    }
    const std::size_t start = out.size();
    constexpr int most_digits = 5;
    for (int digits = 1; digits <= most_digits; ++digits) {
        out.resize(start);
        fmt::format_to(std::back_inserter(out), "{:.{}g}", value, digits);
        std::uint16_t back = 0;
        parse_f16({out.data() + start, out.size() - start}, reinterpret_cast<std::byte*>(&back));
        if (back == half) return;
    }
}

/// Which --type takes the token, in place of the one that does not; empty if there is none.
std::string better_type(std::string_view token, std::uint32_t width, Scalar given) {
    const bool wide = given == Scalar::u64 || given == Scalar::i64;
    for (const Scalar scalar : {Scalar::i32, Scalar::i64, Scalar::u64, Scalar::f32}) {
        const bool candidate_is_wide = scalar == Scalar::u64 || scalar == Scalar::i64;
        if (scalar == given || (wide && scalar == Scalar::i32) || (width > 1 && candidate_is_wide)) continue;
        std::array<std::byte, 8> value{};
        if (!parse_number(token, scalar, value.data())) continue;
        return width > 1 ? fmt::format("vec{}<{}>", width, to_string(scalar)) : to_string(scalar);
    }
    return "";
}

}  // namespace

bool parse_number(std::string_view token, Scalar scalar, std::byte* out) {
    if (token.size() > max_token_bytes) return false;
    switch (scalar) {
        case Scalar::u32: return parse_integer<std::uint32_t>(token, out);
        case Scalar::i32: return parse_integer<std::int32_t>(token, out);
        case Scalar::u64: return parse_integer<std::uint64_t>(token, out);
        case Scalar::i64: return parse_integer<std::int64_t>(token, out);
        case Scalar::f32: return parse_f32(token, out);
        case Scalar::f16: return parse_f16(token, out);
    }
    return false;
}

bool looks_like_number(std::string_view token) {
    double value = 0;
    return parse_real(token, value) != std::errc::invalid_argument;
}

void append_number(fmt::memory_buffer& out, Scalar scalar, const std::byte* in) {
    const auto print = [&out](auto value) { fmt::format_to(std::back_inserter(out), "{}", value); };
    switch (scalar) {
        case Scalar::u32: return print(load<std::uint32_t>(in));
        case Scalar::i32: return print(load<std::int32_t>(in));
        case Scalar::u64: return print(load<std::uint64_t>(in));
        case Scalar::i64: return print(load<std::int64_t>(in));
        case Scalar::f32: return print(load<float>(in));
        case Scalar::f16: return append_half(out, load<std::uint16_t>(in));
    }
}

const char* range_of(Scalar scalar) {
    switch (scalar) {
        case Scalar::u32: return "a whole number from 0 to 4294967295";
        case Scalar::i32: return "a whole number from -2147483648 to 2147483647";
        case Scalar::u64: return "a whole number from 0 to 18446744073709551615";
        case Scalar::i64: return "a whole number from -9223372036854775808 to 9223372036854775807";
        case Scalar::f32: return "a number up to 3.4028235e+38";
        case Scalar::f16: return "a number up to 65504";
    }
    return "";
}

Error bad_number(const std::string& where, std::string_view token, const ElementType& type, Scalar scalar) {
    const std::string better = better_type(token, type.is_struct() ? 1 : type.width, scalar);
    std::string remedy = "correct it or take it out";
    if (!better.empty() && type.is_struct())
        remedy = fmt::format("declare that member of {} as {}", type.name, better);
    if (!better.empty() && !type.is_struct()) remedy = "give --type " + better;
    return {ErrorCode::invalid_argument,
            fmt::format("{} {}, which is not of the type {} ({}): {}.", where, quoted(token),
                        to_string(scalar), range_of(scalar), remedy)};
}

}  // namespace upsweep::app
