#include "upsweep/core/operator_code.h"

#include "upsweep/core/operator_table.h"
#include "upsweep/core/packed_struct.h"

#include <algorithm>

namespace upsweep {

namespace {

std::string vector_of(std::uint32_t width, const std::string& scalar) {
    return width == 1 ? scalar : "vec" + std::to_string(width) + "<" + scalar + ">";
}

std::string returns(const std::string& expression) {
    return "return " + expression + ";";
}

bool is_float(const ElementType& type) {
    return type.scalar == Scalar::f32 || type.scalar == Scalar::f16;
}

void set_u32_form(OperatorCode& code, std::uint32_t width) {
    code.compute_type = *ElementType::vector(Scalar::u32, width);
    code.compute = code.compute_type.name;
    code.vectorizable = width == 1;
}

OperatorCode wide_code(const OperatorRow& row, const ElementType& type) {
    OperatorCode code;
    code.storage = type.wgsl();
    const bool is_signed = type.scalar == Scalar::i64;
    code.join = returns(is_signed && row.wide_signed != nullptr ? row.wide_signed : row.wide_join);
    code.neutral = returns(is_signed ? row.wide_neutral_i : row.wide_neutral_u);
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

OperatorCode narrow_code(const OperatorRow& row, const ElementType& type) {
    OperatorCode code;
    const std::string ints = vector_of(type.width, "i32");
    const std::string words = vector_of(type.width, "u32");
    const char* neutral = type.scalar == Scalar::i32 ? row.neutral_i : row.neutral_u;
    code.storage = type.name;
    code.join = returns(row.join);
    if (row.float_form == Form::truth) {
        set_u32_form(code, type.width);
        code.lift = returns("select(" + words + "(0u), " + words + "(1u), s != " + type.name + "())");
        code.lower = returns(type.scalar == Scalar::i32 ? ints + "(e)" : "e");
        neutral = row.neutral_u;
    } else if (is_float(type) && row.float_form == Form::ordered) {
        // The sign decides whether all bits turn or only itself.
        const auto turned = [&](const std::string& sign_of) {
            return "(bitcast<" + words + ">(bitcast<" + ints + ">(" + sign_of + ") >> " + words +
                   "(31u)) | " + words + "(0x80000000u))";
        };
        set_float_words(code, type);
        code.lift += returns("bits ^ " + turned("bits"));
        code.lower = "let bits = e ^ " + turned("~e") + "; " + code.lower;
        neutral = row.neutral_f;
    } else if (is_float(type) && row.float_form == Form::bits) {
        set_float_words(code, type);
        code.lift += "return bits;";
        code.lower = "let bits = e; " + code.lower;
        code.join = returns("select(a, b, (b & " + words + "(0x7fffffffu)) != " + words +
                            "())");  // -0.0 is zero too.
    } else {
        code.compute_type = type;
        code.compute = type.name;
        code.lift = returns("s");
        code.lower = returns("e");
        code.subgroup_scan = row.subgroup_scan != nullptr ? row.subgroup_scan : "";
        code.vectorizable = type.width == 1;
        if (is_float(type)) neutral = row.neutral_f;
        code.rounds = is_float(type);
        if (!is_float(type) && row.undo != nullptr) code.undo = returns(row.undo);
    }
    code.neutral = returns(code.compute + "(" + neutral + ")");
    return code;
}

bool has_floats(const ElementType& type) {
    return is_float(type) || std::any_of(type.members.begin(), type.members.end(), [](const Member& member) {
               return member.scalar == Scalar::f32 || member.scalar == Scalar::f16;
           });
}

// S for elements of a type as they are, and how one becomes a T and comes from it.
struct ElementStorage {
    std::string to_element = "s";
    std::string (*from_element)(const std::string&) = [](const std::string& x) { return x; };
};

ElementStorage set_storage(OperatorCode& code, const ElementType& type) {
    const auto packed = packed_struct(type);
    code.storage = packed ? packed->storage : type.wgsl();
    if (!packed) return {};
    code.functions.push_back(packed->unpack);
    code.functions.push_back(packed->pack);
    return {"unpacked(s)", [](const std::string& x) { return "packed(" + x + ")"; }};
}

Result<OperatorCode> custom_code(const Operator& op, const ElementType& type) {
    OperatorCode code;
    code.rounds = has_floats(type);
    const ElementStorage stored = set_storage(code, type);
    if (op.has_identity()) {
        code.compute_type = type;
        code.compute = type.wgsl();
        code.lift = returns(stored.to_element);
        code.lower = returns(stored.from_element("e"));
        code.join = returns("combine(a, b)");
        code.neutral = returns(op.identity());
        std::replace(code.neutral.begin(), code.neutral.end(), '\n',
                     ' ');  // A function of the prelude is one line.
        std::replace(code.neutral.begin(), code.neutral.end(), '\r', ' ');
        code.vectorizable = !type.is_struct() && type.width == 1 && !type.is_wide_integer();
        return code;
    }
    code.optional = true;
    code.compute = "OptionalElement";
    code.extra_declaration = "struct OptionalElement { value: " + type.wgsl() + ", present: u32 }";
    auto compute = library_structure(code.compute, type.declaration + "\n" + code.extra_declaration);
    if (!compute) return tl::unexpected(compute.error());
    code.compute_type = *compute;
    code.lift = returns("E(" + stored.to_element + ", 1u)");
    code.lower = returns(stored.from_element("e.value"));
    code.join =
        "if (a.present == 0u) { return b; } if (b.present == 0u) { return a; } "
        "return E(combine(a.value, b.value), 1u);";
    code.neutral = returns("E()");
    return code;
}

Result<OperatorCode> builtin_code(const Operator& op, const ElementType& type) {
    const OperatorRow* row = find_operator(op.name());
    if (type.is_struct()) {
        return fail(ErrorCode::unsupported, "The operator '" + op.name() + "' works on numbers, and '" +
                                                type.name + "' is a struct; give a custom operator for it.");
    }
    if (is_float(type) && row->domain == Domain::integers) {
        return fail(ErrorCode::unsupported, "The operator '" + op.name() + "' works on integers, not on " +
                                                type.name + "; use u32 or i32, or a custom operator.");
    }
    return type.is_wide_integer() ? wide_code(*row, type) : narrow_code(*row, type);
}

// The smallest or largest element with its index; of equals the first. Without an element the index is 2^32
// - 1.
Result<OperatorCode> arg_code(bool largest, const ElementType& type) {
    if (type.is_struct() || type.width != 1) {
        return fail(ErrorCode::unsupported,
                    "The smallest and the largest element are defined for numbers, and '" + type.name +
                        "' is none; use a custom operator on a struct that holds the index.");
    }
    const OperatorCode order = *builtin_code(largest ? Operator::max() : Operator::min(), type);
    const std::string key = order.compute;
    OperatorCode code;
    code.storage = order.storage;
    code.compute = "IndexedElement";
    code.extra_declaration = "struct IndexedElement { key: " + key +
                             ", index: u32 }  struct Found { value: " + type.wgsl() + ", index: u32 }";
    auto compute = library_structure(code.compute, code.extra_declaration);
    auto found = library_structure("Found", code.extra_declaration);
    if (!compute || !found) return tl::unexpected((!compute ? compute : found).error());
    code.compute_type = *compute;
    code.seed_type = *found;
    const std::string less = !type.is_wide_integer()      ? ""
                             : type.scalar == Scalar::i64 ? "wide_less_signed"
                                                          : "wide_less";
    const std::string before =
        less.empty() ? (largest ? "a > b" : "a < b") : less + (largest ? "(b, a)" : "(a, b)");
    code.functions = {"order_key(s: " + order.storage + ") -> " + key + " { " + order.lift + " }",
                      "order_value(e: " + key + ") -> " + order.storage + " { " + order.lower + " }",
                      "order_start() -> " + key + " { " + order.neutral + " }",
                      "order_before(a: " + key + ", b: " + key + ") -> bool { " + returns(before) + " }"};
    const bool words = type.scalar == Scalar::f32;
    code.lift = returns("E(order_key(s), params.base + at)");
    code.lower = returns("order_value(e.key)");
    code.lift_seed =
        returns(words ? "E(order_key(bitcast<u32>(s.value)), s.index)" : "E(order_key(s.value), s.index)");
    code.lower_seed = returns(words ? "Seed(bitcast<f32>(order_value(e.key)), e.index)"
                                    : "Seed(order_value(e.key), e.index)");
    code.join =
        "if (b.index == 0xffffffffu) { return a; } if (a.index == 0xffffffffu) { return b; } "
        "if (order_before(b.key, a.key) || (!order_before(a.key, b.key) && b.index < a.index)) { return b; } "
        "return a;";
    code.neutral = returns("E(order_start(), 0xffffffffu)");
    return code;
}

// How many elements a condition holds for: each counts 1 or 0.
OperatorCode selection_code(const ElementType& type) {
    OperatorCode code;
    const ElementStorage stored = set_storage(code, type);
    code.compute_type = code.seed_type = types::u32;
    code.compute = "u32";
    code.lift = returns("select(0u, 1u, keep(" + stored.to_element + ", params.base + at))");
    code.lower = returns("S()");
    code.lift_seed = returns("s");
    code.lower_seed = returns("e");
    code.join = returns("a + b");
    code.neutral = returns("0u");
    code.subgroup_scan = "subgroupInclusiveAdd";
    code.undo = returns("a - b");
    code.vectorizable = !type.is_struct() && type.width == 1 && size_of(type.scalar) <= 4;
    return code;
}

// How many elements go to part 0 and how many to part 1 of three.
OperatorCode parting_code(const ElementType& type) {
    OperatorCode code = selection_code(type);
    const std::string element = packed_struct(type) ? "unpacked(s)" : "s";
    code.compute_type = code.seed_type = *ElementType::vector(Scalar::u32, 2);
    code.compute = code.compute_type.name;
    code.lift = "let to = part(" + element +
                ", params.base + at); return vec2<u32>(select(0u, 1u, to == 0u), select(0u, 1u, to == "
                "1u));";
    code.neutral = returns("vec2<u32>()");
    code.vectorizable = false;
    return code;
}

}  // namespace

Result<OperatorCode> operator_code(const Operator& op, const ElementType& type) {
    switch (op.kind()) {
        case OperatorKind::selection: return selection_code(type);
        case OperatorKind::parting: return parting_code(type);
        case OperatorKind::arg_min: return arg_code(false, type);
        case OperatorKind::arg_max: return arg_code(true, type);
        case OperatorKind::builtin:
        case OperatorKind::custom: break;
    }
    auto code = op.is_custom() ? custom_code(op, type) : builtin_code(op, type);
    if (!code) return code;
    code->seed_type = type;
    code->lift_seed = code->lift;
    code->lower_seed = code->lower;
    return code;
}

}  // namespace upsweep
