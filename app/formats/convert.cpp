#include "app/formats/convert.h"

#include "app/formats/bytes.h"
#include "app/formats/half.h"

#include <cmath>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

template <class To, class From>
bool store_integer(From value, std::byte* out) {
    if constexpr (std::is_floating_point_v<From>) {
        return false;
    } else {
        if (!std::in_range<To>(value)) return false;
        store(out, static_cast<To>(value));
        return true;
    }
}

template <class From>
bool store_float(From value, std::byte* out) {
    const auto narrow = static_cast<float>(value);
    store(out, narrow);
    return !std::isinf(narrow) || std::isinf(static_cast<double>(value));
}

/// A whole number that a double cannot hold exactly is far beyond the halves, so nothing is rounded twice.
bool store_half(double value, std::byte* out) {
    const std::uint16_t half = half_from_double(value);
    store(out, half);
    return !std::isinf(float_from_half(half)) || std::isinf(value);
}

}  // namespace

Scalar natural_scalar(const NpyDtype& dtype) {
    if (dtype.kind == 'f') return dtype.bytes == 2 ? Scalar::f16 : Scalar::f32;
    if (dtype.kind == 'i') return dtype.bytes == 8 ? Scalar::i64 : Scalar::i32;
    return dtype.bytes == 8 ? Scalar::u64 : Scalar::u32;
}

bool is_same(const NpyDtype& dtype, Scalar scalar) {
    return dtype.kind != 'b' && natural_scalar(dtype) == scalar && dtype.bytes == size_of(scalar);
}

Number load_number(const NpyDtype& dtype, const std::byte* in) {
    switch (dtype.kind) {
        case 'f':
            if (dtype.bytes == 2) return double{float_from_half(load<std::uint16_t>(in))};
            if (dtype.bytes == 4) return double{load<float>(in)};
            return load<double>(in);
        case 'i':
            if (dtype.bytes == 1) return std::int64_t{load<std::int8_t>(in)};
            if (dtype.bytes == 2) return std::int64_t{load<std::int16_t>(in)};
            if (dtype.bytes == 4) return std::int64_t{load<std::int32_t>(in)};
            return load<std::int64_t>(in);
        case 'b': return std::uint64_t{*in == std::byte{0} ? 0U : 1U};
        default:
            if (dtype.bytes == 1) return std::uint64_t{load<std::uint8_t>(in)};
            if (dtype.bytes == 2) return std::uint64_t{load<std::uint16_t>(in)};
            if (dtype.bytes == 4) return std::uint64_t{load<std::uint32_t>(in)};
            return load<std::uint64_t>(in);
    }
}

bool store_number(const Number& number, Scalar scalar, std::byte* out) {
    return std::visit(
        [&](auto value) {
            switch (scalar) {
                case Scalar::u32: return store_integer<std::uint32_t>(value, out);
                case Scalar::i32: return store_integer<std::int32_t>(value, out);
                case Scalar::u64: return store_integer<std::uint64_t>(value, out);
                case Scalar::i64: return store_integer<std::int64_t>(value, out);
                case Scalar::f32: return store_float(value, out);
                case Scalar::f16: return store_half(static_cast<double>(value), out);
            }
            return false;
        },
        number);
}

std::string to_string(const Number& number) {
    return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

}  // namespace upsweep::app
