#include "app/commands/float_verifier.h"

#include "app/formats/bytes.h"
#include "app/formats/half.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

struct FloatRange {
    int bits;             // Of the fraction, the leading one included.
    int lowest, highest;  // Normal numbers are from 2^lowest to below 2^highest.
};

FloatRange range_of_floats(Scalar scalar) {
    return scalar == Scalar::f16 ? FloatRange{11, -14, 16} : FloatRange{24, -126, 128};
}

}  // namespace

FloatVerifier::FloatVerifier(const ScanDesc& desc)
    : type_(desc.type),
      inclusive_(desc.kind == ScanKind::inclusive),
      product_(desc.op.name() == "multiplies"),
      sums_(type_.width),
      products_(type_.width),
      broken_(type_.width) {
    if (desc.initial.empty()) return;
    for (std::uint32_t c = 0; c < type_.width; ++c)
        take(c, number(desc.initial.data() + std::size_t{c} * size_of(type_.scalar)));
}

double FloatVerifier::number(const std::byte* in) const {
    return type_.scalar == Scalar::f16 ? float_from_half(load<std::uint16_t>(in)) : load<float>(in);
}

void FloatVerifier::take(std::uint32_t component, double x) {
    if (!std::isfinite(x)) broken_[component] = true;
    if (broken_[component]) return;
    if (!product_) {
        sums_[component].value += x;
        sums_[component].magnitude += std::fabs(x);
        return;
    }
    Product& product = products_[component];
    if (x == 0) {
        product.zero = true;
        return;
    }
    int exponent = 0;
    product.fraction = std::frexp(product.fraction * x, &exponent);
    product.exponent += exponent;
    product.lowest = std::min(product.lowest, product.exponent);
    product.highest = std::max(product.highest, product.exponent);
}

FloatVerifier::Bound FloatVerifier::expected(std::uint32_t component, double depth) const {
    const FloatRange range = range_of_floats(type_.scalar);
    const double unit = std::ldexp(1.0, 1 - range.bits);
    const double flushed = depth * std::ldexp(1.0, range.lowest);
    if (broken_[component]) return {false};
    if (!product_) {
        const Sum& sum = sums_[component];
        if (sum.magnitude >= std::ldexp(1.0, range.highest - 1)) return {false};  // Rounded, it may grow.
        return {true, sum.value, depth * unit * sum.magnitude + flushed};
    }
    // Every product of neighbours is a quotient of two prefixes, so none leaves the range if these lie close
    // enough together. (The fractions take up to two powers of two more.)
    const Product& product = products_[component];
    if (product.highest - product.lowest + 2 > std::min(-range.lowest, range.highest)) return {false};
    const double value = product.zero ? 0 : std::ldexp(product.fraction, static_cast<int>(product.exponent));
    return {true, value, depth * unit * std::fabs(value) + (product.zero ? 0 : flushed)};
}

std::optional<FloatVerifier::Difference> FloatVerifier::differs(std::uint32_t component,
                                                                const std::byte* result, double depth) {
    const Bound bound = expected(component, depth);
    if (!bound.known) {
        ++not_comparable_;
        return std::nullopt;
    }
    const double value = number(result + std::size_t{component} * size_of(type_.scalar));
    if (std::fabs(value - bound.value) <= bound.error) return std::nullopt;  // Not so for NaN.
    const std::string where = type_.width == 1 ? "" : fmt::format(" in its component {}", component);
    return Difference{fmt::format("{}{}", value, where),
                      fmt::format("{} with an error of at most {:.3g}", bound.value, bound.error)};
}

Result<void> FloatVerifier::check(ConstBytes elements, ConstBytes results, std::uint64_t depth) {
    const std::size_t bytes = size_of(type_.scalar);
    const auto roundings = static_cast<double>(depth);
    for (std::size_t at = 0; at < elements.size(); at += type_.stride) {
        for (std::uint32_t c = 0; c < type_.width; ++c) {
            const double x = number(elements.data() + at + c * bytes);
            if (inclusive_) take(c, x);
            const auto wrong = differs(c, results.data() + at, roundings);
            if (wrong) {
                return fail(ErrorCode::invalid_argument,
                            difference(done_ + at / type_.stride, wrong->result, wrong->expected));
            }
            if (!inclusive_) take(c, x);
        }
    }
    done_ += elements.size() / type_.stride;
    return {};
}

Result<void> FloatVerifier::pass(ConstBytes elements) {
    const std::size_t bytes = size_of(type_.scalar);
    for (std::size_t at = 0; at < elements.size(); at += type_.stride) {
        for (std::uint32_t c = 0; c < type_.width; ++c) take(c, number(elements.data() + at + c * bytes));
    }
    return {};
}

Result<void> FloatVerifier::check_total(ConstBytes total, std::uint64_t depth) {
    for (std::uint32_t c = 0; c < type_.width; ++c) {
        if (const auto wrong = differs(c, total.data(), static_cast<double>(depth)))
            return fail(ErrorCode::invalid_argument, wrong_total(wrong->result, wrong->expected));
    }
    return {};
}

}  // namespace upsweep::app
