#include "upsweep/core/operators.h"

#include "upsweep/core/operator_code.h"
#include "upsweep/core/operator_cpu.h"
#include "upsweep/core/operator_table.h"
#include "upsweep/core/user_wgsl.h"

#include <algorithm>

namespace upsweep {

namespace {

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
    for (const OperatorRow& row : operator_table()) all.emplace_back(row.name);
    return all;
}

Result<Operator> Operator::parse(std::string_view name) {
    if (find_operator(name) == nullptr) {
        std::string all;
        for (const OperatorRow& row : operator_table())
            all += (all.empty() ? "" : ", ") + std::string(row.name);
        return fail(ErrorCode::invalid_argument, "'" + std::string(name) +
                                                     "' is not an operator; it must be one of " + all +
                                                     ", or a custom operator with its own WGSL.");
    }
    CustomOperator parts;
    parts.name = std::string(name);
    parts.commutative = name != "last_non_zero";
    return Operator(OperatorKind::builtin, std::move(parts));
}

Result<Operator> Operator::custom(CustomOperator parts) {
    if (std::any_of(parts.name.begin(), parts.name.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
        return fail(ErrorCode::invalid_argument,
                    "The name of an operator stands in one line; it may not hold a control character.");
    }
    if (auto ok = check_user_functions(parts.wgsl, "operator '" + parts.name + "'", "combine"); !ok) {
        return tl::unexpected(ok.error());
    }
    if (!parts.identity.empty()) {
        if (auto ok = check_user_expression(parts.identity, "The identity of operator '" + parts.name + "'");
            !ok) {
            return tl::unexpected(ok.error());
        }
    }
    return Operator(OperatorKind::custom, std::move(parts));
}

Result<Operator> Operator::selection(std::string name, std::string wgsl) {
    if (auto ok = check_user_functions(wgsl, name, "keep"); !ok) return tl::unexpected(ok.error());
    return library_selection(std::move(name), std::move(wgsl));
}

Operator Operator::library_selection(std::string name, std::string wgsl) {
    return Operator(OperatorKind::selection,
                    {.name = std::move(name), .wgsl = std::move(wgsl), .commutative = true});
}

Result<Operator> Operator::parting(std::string name, std::string wgsl) {
    if (auto ok = check_user_functions(wgsl, name, "part"); !ok) return tl::unexpected(ok.error());
    return Operator(OperatorKind::parting,
                    {.name = std::move(name), .wgsl = std::move(wgsl), .commutative = true});
}

Operator Operator::arg(bool largest) {
    CustomOperator parts;
    parts.name = largest ? "arg_max" : "arg_min";
    parts.commutative = true;  // Of equals the smaller index wins, whatever the order.
    return Operator(largest ? OperatorKind::arg_max : OperatorKind::arg_min, std::move(parts));
}

bool operator==(const Operator& a, const Operator& b) {
    return a.kind() == b.kind() && a.name() == b.name() && a.wgsl() == b.wgsl() &&
           a.identity() == b.identity() && a.commutative() == b.commutative();
}

Result<CpuCombine> Operator::cpu(const ElementType& type) const {
    if (kind_ == OperatorKind::builtin) {
        if (auto code = operator_code(*this, type); !code) return tl::unexpected(code.error());
        return builtin_cpu_combine(parts_.name, type);
    }
    if (parts_.cpu) return parts_.cpu;
    return fail(ErrorCode::unsupported, "The operator '" + parts_.name +
                                            "' was given without its CPU function; set CustomOperator::cpu.");
}

Result<std::vector<std::byte>> Operator::cpu_identity(const ElementType& type) const {
    if (kind_ == OperatorKind::builtin) {
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
    const OperatorRow* row = kind_ == OperatorKind::builtin ? find_operator(parts_.name) : nullptr;
    if (row != nullptr && row->float_form == Form::truth) builtin_cpu_truth(type, element);
}

}  // namespace upsweep
