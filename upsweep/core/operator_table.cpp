#include "upsweep/core/operator_table.h"

#include <algorithm>
#include <array>

namespace upsweep {

namespace {

constexpr const char* ones = "0xffffffffu";
constexpr std::array<OperatorRow, 10> table{{
    {"plus", Domain::all, Form::value, "a + b", "wide_add(a, b)", nullptr, "0u", "0i", "0.0", "vec2<u32>()",
     "vec2<u32>()", "subgroupInclusiveAdd", "a - b"},
    {"multiplies", Domain::all, Form::value, "a * b", "wide_multiply(a, b)", nullptr, "1u", "1i", "1.0",
     "vec2<u32>(1u, 0u)", "vec2<u32>(1u, 0u)", "subgroupInclusiveMul", nullptr},
    {"min", Domain::all, Form::ordered, "min(a, b)", "select(a, b, wide_less(b, a))",
     "select(a, b, wide_less_signed(b, a))", ones, "0x7fffffffi", "0xff800000u" /* the key of +inf */,
     "vec2<u32>(0xffffffffu, 0xffffffffu)", "vec2<u32>(0xffffffffu, 0x7fffffffu)", nullptr, nullptr},
    {"max", Domain::all, Form::ordered, "max(a, b)", "select(a, b, wide_less(a, b))",
     "select(a, b, wide_less_signed(a, b))", "0u", "i32(-0x7fffffff - 1)",
     "0x007fffffu" /* the key of -inf */, "vec2<u32>()", "vec2<u32>(0u, 0x80000000u)", nullptr, nullptr},
    {"bit_and", Domain::integers, Form::value, "a & b", "a & b", nullptr, ones, "-1i", nullptr,
     "vec2<u32>(0xffffffffu, 0xffffffffu)", "vec2<u32>(0xffffffffu, 0xffffffffu)", nullptr, nullptr},
    {"bit_or", Domain::integers, Form::value, "a | b", "a | b", nullptr, "0u", "0i", nullptr, "vec2<u32>()",
     "vec2<u32>()", nullptr, nullptr},
    {"bit_xor", Domain::integers, Form::value, "a ^ b", "a ^ b", nullptr, "0u", "0i", nullptr, "vec2<u32>()",
     "vec2<u32>()", nullptr, "a ^ b"},
    {"logical_and", Domain::integers, Form::truth, "a & b", "a & b", nullptr, "1u", "1u", nullptr, "1u", "1u",
     nullptr, nullptr},
    {"logical_or", Domain::integers, Form::truth, "a | b", "a | b", nullptr, "0u", "0u", nullptr, "0u", "0u",
     nullptr, nullptr},
    {"last_non_zero", Domain::all, Form::bits, "select(a, b, b != E())", "select(a, b, any(b != E()))",
     nullptr, "0u", "0i", nullptr, "vec2<u32>()", "vec2<u32>()", nullptr, nullptr},
}};

}  // namespace

std::span<const OperatorRow> operator_table() {
    return table;
}

const OperatorRow* find_operator(std::string_view name) {
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const OperatorRow& r) { return name == r.name; });
    return row == table.end() ? nullptr : &*row;
}

}  // namespace upsweep
