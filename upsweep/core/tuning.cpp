#include "upsweep/core/tuning.h"

#include "upsweep/core/names.h"

#include <algorithm>
#include <array>
#include <bit>

namespace upsweep {

namespace {

constexpr std::array<const char*, 4> primitive_names{"scan", "reduce", "compact", "partition"};

}  // namespace

const char* to_string(Primitive primitive) {
    return name_of(primitive, primitive_names);
}

Result<Primitive> parse_primitive(std::string_view name) {
    return value_named<Primitive>(name, primitive_names, "a primitive");
}

ElementClass element_class(std::uint32_t stride, bool vectors) {
    return {std::bit_ceil(std::max(stride, 4U)), vectors};
}

bool TunedChoice::is_for(Primitive wanted, const ElementClass& of, std::uint64_t count) const {
    const auto log2 = static_cast<std::uint32_t>(std::bit_width(std::max<std::uint64_t>(count, 1))) - 1;
    return primitive == wanted && elements == of && first_log2 <= log2 && log2 <= last_log2;
}

}  // namespace upsweep
