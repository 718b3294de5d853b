// How an operator computes on a type, in WGSL. Private to the library.
#pragma once

#include "upsweep/core/operators.h"

namespace upsweep {

/// How an operator computes on a type, in WGSL. Elements are loaded as S, lifted to E, combined as E, lowered
/// back to S.
struct OperatorCode {
    std::string storage;  ///< S as WGSL: the element as the buffer holds it, as u32 words where every bit
                          ///< must survive.
    std::string compute;  ///< E as WGSL.
    ElementType compute_type;       ///< Size, stride and members of E.
    std::string extra_declaration;  ///< What E needs besides the user's own declaration.
    std::string lift, lower;  ///< Bodies of fn lift(s: S, at: u32) -> E and fn lower(e: E) -> S; `at` is
                              ///< the index of the element in its binding.
    ElementType seed_type;    ///< What an initial value and a final result are; the element type for most.
    std::string lift_seed,
        lower_seed;       ///< Bodies of fn lift_seed(s: Seed) -> E and fn lower_seed(e: E) -> Seed.
    std::string join;     ///< Body of fn join(a: E, b: E) -> E.
    std::string neutral;  ///< Body of fn neutral() -> E.
    std::vector<std::string> functions;  ///< Further functions, each without its `fn`.
    std::string subgroup_scan;  ///< The built-in inclusive subgroup scan that computes the same, or empty.
    std::string undo;  ///< Body of fn undo(a: E, b: E) -> E, what stood left of b in their sum a; or empty.
    bool rounds = false;    ///< The result depends on how the operands are grouped: arithmetic on floats.
    bool optional = false;  ///< E carries a flag "there is a value", since the operator has no identity.
    bool vectorizable =
        false;  ///< E is a scalar of at most four bytes, so that four elements travel as one vector.
};

/// ElementType::structure() for structs of the library's own, whose names a user may not take.
Result<ElementType> library_structure(std::string name, std::string declaration, std::uint32_t stride = 0);

/// The code for an operator on a type, or an error if they do not go together.
Result<OperatorCode> operator_code(const Operator& op, const ElementType& type);

}  // namespace upsweep
