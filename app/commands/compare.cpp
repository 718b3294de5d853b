#include "app/commands/compare.h"

#include "app/formats/bytes.h"
#include "app/formats/half.h"
#include "app/formats/slots.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace upsweep::app {

namespace {

double float_at(Scalar scalar, const std::byte* in) {
    return scalar == Scalar::f16 ? float_from_half(load<std::uint16_t>(in)) : load<float>(in);
}

bool is_same_number(Scalar scalar, const std::byte* a, const std::byte* b, Closeness closeness) {
    if (std::memcmp(a, b, size_of(scalar)) == 0) return true;
    if (scalar != Scalar::f32 && scalar != Scalar::f16) return false;
    const double x = float_at(scalar, a);
    const double y = float_at(scalar, b);
    const bool rounded = closeness == Closeness::rounded;
    if (std::isnan(x) && std::isnan(y)) return rounded || scalar == Scalar::f16;
    const double part = scalar == Scalar::f16 ? 1.0 / 32 : 1e-3;
    return rounded && std::fabs(x - y) <= part * std::max(std::fabs(x), std::fabs(y));
}

}  // namespace

std::optional<std::uint64_t> first_difference(const ElementType& type, std::span<const std::byte> a,
                                              std::span<const std::byte> b, Closeness closeness) {
    const std::vector<Slot> slots = slots_of(type).value_or(std::vector<Slot>());
    for (std::size_t at = 0; at < a.size(); at += type.stride) {
        const auto is_same = [&](const Slot& slot) {
            return is_same_number(slot.scalar, &a[at + slot.offset], &b[at + slot.offset], closeness);
        };
        if (!std::all_of(slots.begin(), slots.end(), is_same)) return at / type.stride;
    }
    return std::nullopt;
}

}  // namespace upsweep::app
