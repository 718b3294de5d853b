// Types and operators that tests use beside the built-in ones; each has its twin on the CPU.
#pragma once

#include "upsweep/core/operators.h"

namespace upsweep::testing {

/// struct Mat { a, b, c, d: u32 }, a 2x2 matrix modulo 2^32, with its product: associative, not commutative.
const ElementType& mat_type();
Operator mat_product();
/// The same without an identity.
Operator mat_product_without_identity();
/// x -> scale * x + offset on vec2<u32>(scale, offset), composed: associative, not commutative.
const ElementType& affine_type();
Operator affine_composition();
/// The left operand: associative, no identity, and the simplest operator to show a swapped pair.
Operator leftmost();
/// The smallest and the largest so far: struct Range { low: f32, high: f32 }, commutative, no identity.
const ElementType& range_type();
Operator range_union();
/// A particle of 64 bytes with a vector of three, an array and 12 bytes of padding; the operator adds the
/// counts and keeps the later name.
const ElementType& particle_type();
Operator particle_merge();

}  // namespace upsweep::testing
