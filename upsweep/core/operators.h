// Operators: how two neighbouring elements become one, and what stands for "nothing yet".
#pragma once

#include "upsweep/core/types.h"

#include <cstddef>
#include <cstdint>
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

/// What an operator is; all but the first two are made by the library's own planners.
enum class OperatorKind : std::uint8_t {
    builtin,
    custom,
    selection,  ///< Counts the elements for which a function `keep` of the user's holds.
    parting,    ///< Counts the elements of part 0 and of part 1, as a function `part` of the user's tells.
    arg_min,    ///< The smallest element and its index.
    arg_max,
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
/// | min, max | the smaller, the larger; floats in the total order of IEEE 754, beginning at +inf for min and -inf for max | all |
/// | bit_and, bit_or, bit_xor | of every bit | integers |
/// | logical_and, logical_or | 1 or 0; any element but zero counts as true | integers |
/// | last_non_zero | the later one that is not zero | all |
///
/// The total order is -NaN < -inf < ... < -0 < +0 < ... < inf < NaN. min, max and last_non_zero of f32 keep every bit; of f16 the bits of a NaN may change.
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
    ///         .wgsl = "fn combine(x: Mat, y: Mat) -> Mat {"
    ///                 "  return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,"
    ///                 "             x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d); }",
    ///         .identity = "Mat(1u, 0u, 0u, 1u)"});
    ///
    /// The text is checked for its form here (a function `combine`, balanced braces, no entry points, bindings or directives, no name that the
    /// kernels use); the WebGPU library checks the rest when a kernel is compiled, and its message then leads to the line in this text.
    static Result<Operator> custom(CustomOperator parts);

    /// For planners: how many elements there are for which `fn keep(x: T, i: u32) -> bool` in `wgsl` holds.
    /// `name` is for messages.
    static Result<Operator> selection(std::string name, std::string wgsl);
    /// The same for a text of the library's own, which may name the kernels' buffers.
    static Operator library_selection(std::string name, std::string wgsl);
    /// For planners: how many elements `fn part(x: T, i: u32) -> u32` sends to part 0, and how many to
    /// part 1.
    static Result<Operator> parting(std::string name, std::string wgsl);
    /// For planners: the smallest or the largest element with the index of the first one of its kind.
    static Operator arg(bool largest);

    [[nodiscard]] OperatorKind kind() const { return kind_; }
    [[nodiscard]] const std::string& name() const { return parts_.name; }
    [[nodiscard]] bool is_custom() const { return kind_ == OperatorKind::custom; }
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
    Operator(OperatorKind kind, CustomOperator parts) : kind_(kind), parts_(std::move(parts)) {}
    OperatorKind kind_;
    CustomOperator parts_;
};

}  // namespace upsweep
