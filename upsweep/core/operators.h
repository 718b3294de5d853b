// Operators: how two neighbouring elements become one, and what stands for "nothing yet".
#pragma once

#include "upsweep/core/types.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

/// Combines two elements on the CPU: `out = a op b`, each as the bytes of one element. `out` may be `a` or
/// `b`.
using CpuCombine = std::function<void(const std::byte* a, const std::byte* b, std::byte* out)>;

/// What a custom operator is made of; see Operator::custom().
struct CustomOperator {
    /// For messages and debug names.
    std::string name = {};
    /// `fn combine(a: T, b: T) -> T { ... }`, and what it needs. T is the element type, also under its own
    /// name.
    std::string wgsl = {};
    /// A WGSL expression e with combine(e, x) = combine(x, e) = x. Empty: there is none.
    std::string identity = {};
    /// combine(a, b) = combine(b, a) for all a and b: some kernels are faster then.
    bool commutative = false;
    /// The same on the CPU, for references and tests; may be left out.
    CpuCombine cpu = {};
    /// The identity as the bytes of one element, if `cpu` is given and there is an identity.
    std::vector<std::byte> cpu_identity = {};
};

/// An associative binary operator: combine(combine(a, b), c) = combine(a, combine(b, c)). Nothing else is
/// asked of it; the library keeps the order of the elements, so it need not be commutative. The left operand
/// is always the earlier element.
///
/// Built in, for each element type where they make sense:
///
/// | name | result | types |
/// |---|---|---|
/// | plus | a + b, integers modulo 2^32 (u64, i64: 2^64) | all |
/// | multiplies | a * b, integers likewise | all |
/// | min, max | the smaller, the larger; floats by the total order of IEEE 754 (-NaN < -inf < -0 < +0 < inf <
/// NaN), every bit kept, beginning at +inf for min and -inf for max | all | | bit_and, bit_or, bit_xor | of
/// every bit | integers | | logical_and, logical_or | 1 or 0; any element but zero counts as true | integers
/// | | last_non_zero | the later one that is not zero | all |
///
/// A vector is combined component by component (last_non_zero too). Floating-point plus and multiplies are
/// associative up to rounding only.
class Operator {
  public:
    static Operator plus();
    static Operator multiplies();
    static Operator min();
    static Operator max();
    static Operator bit_and();
    static Operator bit_or();
    static Operator bit_xor();
    static Operator logical_and();
    static Operator logical_or();
    static Operator last_non_zero();

    /// A built-in operator by its name in the table above.
    static Result<Operator> parse(std::string_view name);
    /// The names in the table above.
    static std::vector<std::string> names();

    /// An operator of the user's own:
    ///
    ///     auto product = Operator::custom({
    ///         .name = "mat_mul",
    ///         .wgsl = "fn combine(x: Mat, y: Mat) -> Mat { return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b
    ///         * y.d,"
    ///                 "                                               x.c * y.a + x.d * y.c, x.c * y.b + x.d
    ///                 * y.d); }",
    ///         .identity = "Mat(1u, 0u, 0u, 1u)"});
    ///
    /// The text is checked for its form here (a function `combine`, balanced braces, no entry points,
    /// bindings or directives, no name that the kernels use); the WebGPU library checks the rest when a
    /// kernel is compiled, and its message then leads to the line in this text.
    static Result<Operator> custom(CustomOperator parts);

    [[nodiscard]] const std::string& name() const { return parts_.name; }
    [[nodiscard]] bool is_custom() const { return !parts_.wgsl.empty(); }
    [[nodiscard]] bool has_identity() const { return !is_custom() || !parts_.identity.empty(); }
    [[nodiscard]] bool commutative() const { return parts_.commutative; }
    [[nodiscard]] const std::string& wgsl() const { return parts_.wgsl; }
    [[nodiscard]] const std::string& identity() const { return parts_.identity; }

    /// The operator on the CPU for elements of `type`, or an error if a custom operator came without it.
    [[nodiscard]] Result<CpuCombine> cpu(const ElementType& type) const;
    /// The bytes of the identity for elements of `type`, or an error if there is none or it is not known
    /// here.
    [[nodiscard]] Result<std::vector<std::byte>> cpu_identity(const ElementType& type) const;
    /// What the kernels make of a single element before they combine it: the truth value of a logical
    /// operator, else the element itself.
    void cpu_normalize(const ElementType& type, std::byte* element) const;

    /// Equal if they expand to the same kernels.
    friend bool operator==(const Operator& a, const Operator& b);

  private:
    explicit Operator(CustomOperator parts) : parts_(std::move(parts)) {}
    CustomOperator parts_;
};

/// How an operator computes on a type, in WGSL. Elements are loaded as S, lifted to E, combined as E, lowered
/// back to S.
struct OperatorCode {
    std::string storage;  ///< S as WGSL: the element as the buffer holds it, as u32 words where every bit
                          ///< must survive.
    std::string compute;  ///< E as WGSL.
    ElementType compute_type;       ///< Size, stride and members of E.
    std::string extra_declaration;  ///< What E needs besides the user's own declaration.
    std::string lift, lower;        ///< Bodies of fn lift(s: S) -> E and fn lower(e: E) -> S.
    std::string join;               ///< Body of fn join(a: E, b: E) -> E.
    std::string neutral;            ///< Body of fn neutral() -> E.
    std::string subgroup_scan;  ///< The built-in inclusive subgroup scan that computes the same, or empty.
    bool optional = false;      ///< E carries a flag "there is a value", since the operator has no identity.
    bool vectorizable =
        false;  ///< E is a scalar of at most four bytes, so that four elements travel as one vector.
};

/// The code for an operator on a type, or an error if they do not go together.
Result<OperatorCode> operator_code(const Operator& op, const ElementType& type);

}  // namespace upsweep
