// The table of built-in operators: the one place that a new operator touches.
#include "upsweep/core/operators.h"

#include "upsweep/core/operator_cpu.h"
#include "upsweep/core/user_wgsl.h"

#include <algorithm>
#include <array>
#include <limits>

namespace upsweep {

namespace {

// How elements are represented while they are combined.
enum class Form {
    value,    // As they are.
    ordered,  // Floats as u32 keys in their total order, so that no NaN or infinity passes through WGSL
              // arithmetic.
    truth,    // 1 or 0.
    bits,     // Floats as their u32 words.
};

enum class Domain { all, integers };

struct Row {
    const char* name;
    Domain domain;
    Form float_form;          // The form on floats; integers are values, but for truth.
    const char* join;         // fn join(a: E, b: E) -> E, for types of up to 32 bits.
    const char* wide_join;    // The same on u64 and i64, both a vec2<u32>; functions of wide_integer.wgsl.
    const char* wide_signed;  // On i64 where that differs.
    const char* neutral_u;    // The identity of u32 (and of u32 keys), as a scalar.
    const char* neutral_i;
    const char* neutral_f;  // Of the float, or of its key in the form `ordered`.
    const char* wide_neutral_u;
    const char* wide_neutral_i;
    const char* subgroup_scan;
};

constexpr const char* ones = "0xffffffffu";
constexpr std::array<Row, 10> table{{
    {"plus", Domain::all, Form::value, "a + b", "wide_add(a, b)", nullptr, "0u", "0i", "0.0", "vec2<u32>()",
     "vec2<u32>()", "subgroupInclusiveAdd"},
    {"multiplies", Domain::all, Form::value, "a * b", "wide_multiply(a, b)", nullptr, "1u", "1i", "1.0",
     "vec2<u32>(1u, 0u)", "vec2<u32>(1u, 0u)", "subgroupInclusiveMul"},
    {"min", Domain::all, Form::ordered, "min(a, b)", "select(a, b, wide_less(b, a))",
     "select(a, b, wide_less_signed(b, a))", ones, "0x7fffffffi", "0xff800000u" /* the key of +inf */,
     "vec2<u32>(0xffffffffu, 0xffffffffu)", "vec2<u32>(0xffffffffu, 0x7fffffffu)", nullptr},
    {"max", Domain::all, Form::ordered, "max(a, b)", "select(a, b, wide_less(a, b))",
     "select(a, b, wide_less_signed(a, b))", "0u", "i32(-0x7fffffff - 1)",
     "0x007fffffu" /* the key of -inf */, "vec2<u32>()", "vec2<u32>(0u, 0x80000000u)", nullptr},
    {"bit_and", Domain::integers, Form::value, "a & b", "a & b", nullptr, ones, "-1i", nullptr,
     "vec2<u32>(0xffffffffu, 0xffffffffu)", "vec2<u32>(0xffffffffu, 0xffffffffu)", nullptr},
    {"bit_or", Domain::integers, Form::value, "a | b", "a | b", nullptr, "0u", "0i", nullptr, "vec2<u32>()",
     "vec2<u32>()", nullptr},
    {"bit_xor", Domain::integers, Form::value, "a ^ b", "a ^ b", nullptr, "0u", "0i", nullptr, "vec2<u32>()",
     "vec2<u32>()", nullptr},
    {"logical_and", Domain::integers, Form::truth, "a & b", "a & b", nullptr, "1u", "1u", nullptr, "1u", "1u",
     nullptr},
    {"logical_or", Domain::integers, Form::truth, "a | b", "a | b", nullptr, "0u", "0u", nullptr, "0u", "0u",
     nullptr},
    {"last_non_zero", Domain::all, Form::bits, "select(a, b, b != E())", "select(a, b, any(b != E()))",
     nullptr, "0u", "0i", nullptr, "vec2<u32>()", "vec2<u32>()", nullptr},
}};

const Row* find_row(std::string_view name) {
    const auto row = std::find_if(table.begin(), table.end(), [&](const Row& r) { return name == r.name; });
    return row == table.end() ? nullptr : &*row;
}

std::string vector_of(std::uint32_t width, const std::string& scalar) {
    return width == 1 ? scalar : "vec" + std::to_string(width) + "<" + scalar + ">";
}

std::string returns(const std::string& expression) {
    return "return " + expression + ";";
}

void set_u32_form(OperatorCode& code, std::uint32_t width) {
    code.compute_type = *ElementType::vector(Scalar::u32, width);
    code.compute = code.compute_type.name;
    code.vectorizable = width == 1;
}

OperatorCode wide_code(const Row& row, const ElementType& type) {
    OperatorCode code;
    code.storage = "vec2<u32>";
    const bool is_signed = type.scalar == Scalar::i64;
    const std::string neutral = is_signed ? row.wide_neutral_i : row.wide_neutral_u;
    code.join = returns(is_signed && row.wide_signed != nullptr ? row.wide_signed : row.wide_join);
    code.neutral = returns(neutral);
    if (row.float_form == Form::truth) {
        set_u32_form(code, 1);
        code.vectorizable = false;  // Its storage is already a vector.
        code.lift = returns("select(0u, 1u, any(s != vec2<u32>()))");
        code.lower = returns("vec2<u32>(e, 0u)");
    } else {
        code.compute_type = *ElementType::vector(Scalar::u32, 2);
        code.compute = code.compute_type.name;
        code.lift = returns("s");
        code.lower = returns("e");
    }
    return code;
}

// Words of a float: f16 has no 16-bit integer to become, so it travels as the f32 of the same value.
void set_float_words(OperatorCode& code, const ElementType& type) {
    const std::string words = vector_of(type.width, "u32");
    const std::string floats = vector_of(type.width, "f32");
    const bool half = type.scalar == Scalar::f16;
    code.storage = half ? type.name : words;
    code.lift = half ? "let bits = bitcast<" + words + ">(" + floats + "(s)); " : "let bits = s; ";
    code.lower = half ? "return " + type.name + "(bitcast<" + floats + ">(bits));" : "return bits;";
    set_u32_form(code, type.width);
}

OperatorCode narrow_code(const Row& row, const ElementType& type) {
    OperatorCode code;
    const bool is_float = type.scalar == Scalar::f32 || type.scalar == Scalar::f16;
    const std::string ints = vector_of(type.width, "i32");
    const std::string words = vector_of(type.width, "u32");
    const char* neutral = type.scalar == Scalar::i32 ? row.neutral_i : row.neutral_u;
    code.storage = type.name;
    code.join = returns(row.join);
    if (row.float_form == Form::truth) {
        set_u32_form(code, type.width);
        code.lift = returns("select(E(0u), E(1u), s != " + type.name + "())");
        code.lower = returns(type.scalar == Scalar::i32 ? ints + "(e)" : "e");
        neutral = row.neutral_u;
    } else if (is_float && row.float_form == Form::ordered) {
        set_float_words(code, type);
        code.lift +=
            "return bits ^ (bitcast<E>(bitcast<" + ints + ">(bits) >> " + words + "(31u)) | E(0x80000000u));";
        code.lower = "let bits = e ^ (bitcast<E>(bitcast<" + ints + ">(~e) >> " + words +
                     "(31u)) | E(0x80000000u)); " + code.lower;
        neutral = row.neutral_f;
    } else if (is_float && row.float_form == Form::bits) {
        set_float_words(code, type);
        code.lift += "return bits;";
        code.lower = "let bits = e; " + code.lower;
        code.join = returns("select(a, b, (b & E(0x7fffffffu)) != E())");  // -0.0 is zero too.
    } else {
        code.compute_type = type;
        code.compute = type.name;
        code.lift = returns("s");
        code.lower = returns("e");
        code.subgroup_scan = row.subgroup_scan != nullptr ? row.subgroup_scan : "";
        code.vectorizable = type.width == 1;
        if (is_float) neutral = row.neutral_f;
    }
    code.neutral = returns("E(" + std::string(neutral) + ")");
    return code;
}

Result<OperatorCode> custom_code(const Operator& op, const ElementType& type) {
    OperatorCode code;
    code.storage = type.is_wide_integer() ? "vec2<u32>" : type.name;
    if (op.has_identity()) {
        code.compute_type = type;
        code.compute = code.storage;
        code.lift = returns("s");
        code.lower = returns("e");
        code.join = returns("combine(a, b)");
        code.neutral = returns(op.identity());
        code.vectorizable = !type.is_struct() && type.width == 1 && !type.is_wide_integer();
        return code;
    }
    code.optional = true;
    code.compute = "OptionalElement";
    code.extra_declaration = "struct OptionalElement { value: " + code.storage + ", present: u32 }\n";
    auto compute = ElementType::structure(code.compute, type.declaration + "\n" + code.extra_declaration);
    if (!compute) return tl::unexpected(compute.error());
    code.compute_type = *compute;
    code.lift = returns("E(s, 1u)");
    code.lower = returns("e.value");
    code.join =
        "if (a.present == 0u) { return b; } if (b.present == 0u) { return a; } return E(combine(a.value, "
        "b.value), 1u);";
    code.neutral = returns("E()");
    return code;
}

Operator builtin(std::string_view name) {
    return *Operator::parse(name);
}

}  // namespace

Operator Operator::plus() {
    return builtin("plus");
}
Operator Operator::multiplies() {
    return builtin("multiplies");
}
Operator Operator::min() {
    return builtin("min");
}
Operator Operator::max() {
    return builtin("max");
}
Operator Operator::bit_and() {
    return builtin("bit_and");
}
Operator Operator::bit_or() {
    return builtin("bit_or");
}
Operator Operator::bit_xor() {
    return builtin("bit_xor");
}
Operator Operator::logical_and() {
    return builtin("logical_and");
}
Operator Operator::logical_or() {
    return builtin("logical_or");
}
Operator Operator::last_non_zero() {
    return builtin("last_non_zero");
}

std::vector<std::string> Operator::names() {
    std::vector<std::string> all;
    for (const Row& row : table) all.emplace_back(row.name);
    return all;
}

Result<Operator> Operator::parse(std::string_view name) {
    if (find_row(name) == nullptr) {
        std::string all;
        for (const Row& row : table) all += (all.empty() ? "" : ", ") + std::string(row.name);
        return fail(ErrorCode::invalid_argument, "'" + std::string(name) +
                                                     "' is not an operator; it must be one of " + all +
                                                     ", or a custom operator with its own WGSL.");
    }
    CustomOperator parts;
    parts.name = std::string(name);
    parts.commutative = name != "last_non_zero";
    return Operator(std::move(parts));
}

Result<Operator> Operator::custom(CustomOperator parts) {
    if (auto ok = check_user_functions(parts.wgsl, "operator '" + parts.name + "'", "combine"); !ok) {
        return tl::unexpected(ok.error());
    }
    if (!parts.identity.empty()) {
        if (auto ok = check_user_expression(parts.identity, "The identity of operator '" + parts.name + "'");
            !ok) {
            return tl::unexpected(ok.error());
        }
    }
    return Operator(std::move(parts));
}

bool operator==(const Operator& a, const Operator& b) {
    return a.name() == b.name() && a.wgsl() == b.wgsl() && a.identity() == b.identity() &&
           a.commutative() == b.commutative();
}

Result<CpuCombine> Operator::cpu(const ElementType& type) const {
    if (!is_custom()) {
        if (auto code = operator_code(*this, type); !code) return tl::unexpected(code.error());
        return builtin_cpu_combine(parts_.name, type);
    }
    if (parts_.cpu) return parts_.cpu;
    return fail(ErrorCode::unsupported, "The operator '" + parts_.name +
                                            "' was given without its CPU function; set CustomOperator::cpu.");
}

Result<std::vector<std::byte>> Operator::cpu_identity(const ElementType& type) const {
    if (!is_custom()) {
        if (auto code = operator_code(*this, type); !code) return tl::unexpected(code.error());
        return builtin_cpu_identity(parts_.name, type);
    }
    if (has_identity() && parts_.cpu_identity.size() == type.stride) return parts_.cpu_identity;
    return fail(ErrorCode::unsupported,
                "The identity of operator '" + parts_.name +
                    "' is not known on the CPU; set CustomOperator::cpu_identity to the " +
                    std::to_string(type.stride) + " bytes of one element.");
}

void Operator::cpu_normalize(const ElementType& type, std::byte* element) const {
    const Row* row = is_custom() ? nullptr : find_row(parts_.name);
    if (row != nullptr && row->float_form == Form::truth) builtin_cpu_truth(type, element);
}

Result<OperatorCode> operator_code(const Operator& op, const ElementType& type) {
    if (op.is_custom()) return custom_code(op, type);
    const Row* row = find_row(op.name());
    if (type.is_struct()) {
        return fail(ErrorCode::unsupported, "The operator '" + op.name() + "' works on numbers, and '" +
                                                type.name + "' is a struct; give a custom operator for it.");
    }
    const bool is_float = type.scalar == Scalar::f32 || type.scalar == Scalar::f16;
    if (is_float && row->domain == Domain::integers) {
        return fail(ErrorCode::unsupported, "The operator '" + op.name() + "' works on integers, not on " +
                                                type.name + "; use u32 or i32, or a custom operator.");
    }
    return type.is_wide_integer() ? wide_code(*row, type) : narrow_code(*row, type);
}

}  // namespace upsweep
