// What the requests of the selftest are made of: types, operators and data that tell.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/kernel_spec.h"
#include "upsweep/core/operators.h"

#include <cstdint>
#include <vector>

namespace upsweep::app {

/// Input for `count` elements: telling for the operator, and without rounding for floats.
std::vector<std::byte> selftest_input(const ElementType& type, const Operator& op, std::uint64_t count);

/// All scalars and vectors that the device has.
std::vector<ElementType> selftest_types(const DeviceCaps& caps);
/// All block scans that the device has.
std::vector<BlockScan> selftest_block_scans(const DeviceCaps& caps);

/// 2x2 matrices of u32 and their product, which is not commutative.
ElementType selftest_matrix();
Operator selftest_matrix_product(bool with_identity);

}  // namespace upsweep::app
