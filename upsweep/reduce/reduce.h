// Reduce: a sequence combined to one value.
#pragma once

#include "upsweep/core/geometry.h"
#include "upsweep/core/plan.h"
#include "upsweep/core/withhold.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace upsweep {

enum class ReduceStrategy : std::uint8_t {
    automatic,     ///< single_block up to a tile; else, on a GPU, last_arrival for commutative operators with
                   ///< totals of up to 4 bytes; else two_pass.
    single_block,  ///< One workgroup goes through all tiles: one dispatch. Slow for many tiles.
    two_pass,      ///< A fixed number of workgroups reduces a range each, one workgroup their totals: two
                   ///< dispatches.
    last_arrival,  ///< A fixed number of workgroups reduces a range each, and the one that arrives last their
                   ///< totals: one dispatch. Totals of up to 40 bytes.
};
const char* to_string(ReduceStrategy strategy);
Result<ReduceStrategy> parse_reduce_strategy(std::string_view name);

/// What a reduction looks for.
enum class ReduceForm : std::uint8_t {
    value,    ///< All elements combined.
    arg_min,  ///< The smallest element and its index; of equals the first.
    arg_max,  ///< The largest element and its index; of equals the first.
};

/// A request for a reduction.
struct ReduceDesc {
    ElementType type = types::u32;
    Operator op = Operator::plus();  ///< Of ReduceForm::value.
    ReduceForm form = ReduceForm::value;
    std::uint64_t count = 0;    ///< Elements, or with count_on_gpu the most there can be.
    bool count_on_gpu = false;  ///< The count is a u32 in a buffer; a larger value is taken as `count`.
    /// What stands before the first element, the bytes of one element; empty: the identity.
    std::vector<std::byte> initial = {};
    ReduceStrategy strategy = ReduceStrategy::automatic;
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};
    bool unroll = true;                        ///< False: loops instead of unrolled text.
    std::uint32_t emulated_subgroup_size = 0;  ///< Not 0: emulated subgroups of this size, for tests.
    Withhold withhold = Withhold::none;        ///< Of last_arrival, workgroups in place of tiles; for tests.
};

/// Plans a reduction.
///
/// **Computes** `init (+) x[0] (+) ... (+) x[n-1]`, in this order for an operator that is not commutative.
/// For x = [3 1 7 0 4 1 6 3] and plus: 25. arg_min and arg_max give `struct Found { value: T, index: u32 }`
/// (8 bytes for a 32-bit type, 16 for a 64-bit one): for the same x the smallest is {0, 3}, the largest {7,
/// 2}. min and max of a type without its index are ReduceForm::value with Operator::min() and
/// Operator::max(). Floats are ordered as by these operators (see Operator).
///
/// **Empty input** gives the initial value, else the identity, else (an operator without an identity) zero
/// bytes. arg_min and arg_max give the index 4294967295 then.
///
/// **Slots**: input holds `count` elements, output one result (plan.output_bytes) at an offset of the user's,
/// count one u32, scratch plan.scratch_bytes. **In place**: the output may not overlap the input. last_arrival
/// keeps the totals of its workgroups in scratch and leaves it ready for the next run, as a look-back does:
/// scratch that is the caller's is cleared by a dispatch of its own before each run.
///
/// **Counts** as for a scan; data beyond the limit of one binding is reduced in chunks. **Moves** n elements.
///
/// **Determinism**: the same plan on the same device gives the same bits, floats included, whichever workgroup
/// arrives last: the totals are combined in their order. (Where the subgroups of a workgroup differ in size, the
/// last bits of floats may vary.) No workgroup waits for another, so that it ends whatever the order of the
/// workgroups.
///
/// **Errors**: as plan_scan(); last_arrival is unsupported for totals of more than 40 bytes, and for totals that
/// round in workgroups that are no multiple of the largest subgroup; arg_min and arg_max of vectors, structs or
/// with an initial value are unsupported.
Result<Plan> plan_reduce(const ReduceDesc& desc, const DeviceCaps& caps);

/// The same on the CPU, element after element, for ReduceForm::value: `output` gets one element. An error if
/// a custom operator has no CPU function.
Result<void> reduce_serial_cpu(const ReduceDesc& desc, std::span<const std::byte> input,
                               std::span<std::byte> output);

}  // namespace upsweep
