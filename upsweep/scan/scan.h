// Scan: every prefix of a sequence combined.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/geometry.h"
#include "upsweep/core/operators.h"
#include "upsweep/core/plan.h"
#include "upsweep/core/withhold.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace upsweep {

/// How the blocks of a large scan work together.
enum class Strategy : std::uint8_t {
    automatic,  ///< single_block up to a tile, else on GPUs with subgroups lookback for sums of up to 8 bytes and, on discrete ones from 64 MiB on,
                ///< lookback_then_rest for sums of up to 16; reduce_then_scan elsewhere.
    single_block,  ///< One workgroup, one dispatch, a count of at most one tile. Moves 2n elements.
    multi_level,  ///< Scan the tiles, scan their totals level by level, add them back. 2 log(n) / log(tile) -
                  ///< 1 dispatches. Moves about 4n.
    reduce_then_scan,  ///< A fixed number of workgroups reduces a range each, one scans the totals, all scan
                       ///< again. 3 dispatches. Moves 3n.
    lookback,  ///< One dispatch; workgroups take tiles in turn, and learn what precedes a tile from the sums that
               ///< earlier tiles publish. Moves 2n. Sums of up to 40 bytes.
    lookback_then_rest,  ///< Two dispatches: a look-back over the whole tiles, which leaves a tile where it waits in vain, and one workgroup for what is
    ///< left. Less to do for each tile, so larger ones. Moves 2n. Sums of up to 40 bytes; needs subgroups.
    serial,  ///< One invocation, element by element: slow, and right by construction. The reference for
             ///< operators that exist only in WGSL.
};
const char* to_string(Strategy strategy);
Result<Strategy> parse_strategy(std::string_view name);

enum class ScanKind : std::uint8_t { exclusive, inclusive };

/// A request for a scan.
struct ScanDesc {
    ElementType type = types::u32;
    Operator op = Operator::plus();
    ScanKind kind = ScanKind::exclusive;
    std::uint64_t count = 0;  ///< Elements, or with count_on_gpu the most there can be.
    bool count_on_gpu =
        false;  ///< The count is a u32 in a buffer; a larger value than `count` is taken as `count`.
    /// What stands before the first element, the bytes of one element; empty: the identity.
    std::vector<std::byte> initial = {};
    /// The same bits from run to run, floats too: where grouping would show in them, no look-back is used.
    bool deterministic = false;
    Strategy strategy = Strategy::automatic;
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};
    bool unroll = true;  ///< False: loops instead of unrolled text, for tests and measurements.
    std::uint32_t emulated_subgroup_size =
        0;  ///< Not 0: block_scan subgroup on emulated subgroups of this size, for tests.
    Withhold withhold = Withhold::none;  ///< Of the strategies that look back, for tests.
};

/// Plans a scan.
///
/// **Computes** for elements x[0] ... x[n-1] and an associative operator (+):
/// inclusive `y[i] = init (+) x[0] (+) ... (+) x[i]`, exclusive `y[i] = init (+) x[0] (+) ... (+) x[i-1]`,
/// where init is the initial value or else the identity. For x = [3 1 7 0 4 1 6 3] and plus: inclusive [3 4
/// 11 11 15 16 22 25], exclusive [0 3 4 11 11 15 16 22].
///
/// **Operator**: associative; it need not be commutative. Without an identity an exclusive scan needs an
/// initial value.
///
/// **Counts** go from 0 to what a buffer of the device holds (and to 2^32 - 1 with the count on the GPU).
/// Data beyond the limit of one binding is scanned in chunks that hand their total on in scratch. What lies
/// behind the count in the output is left as it was.
///
/// **Slots**: input and output hold `count` elements at their stride, each slice at an offset that is a
/// multiple of the device's minStorageBufferOffsetAlignment; count is one u32; scratch is
/// `plan.scratch_bytes` large and needs no preparation.
/// **In place**: input and output may be the same slice. Slices that overlap otherwise are refused.
///
/// **Moves** 2n elements (single_block, both look-backs), 3n (reduce_then_scan) or about 4n (multi_level), and a few thousand
/// bytes of scratch.
///
/// **Determinism**: with `deterministic`, and always for integers, min, max and bits, the same plan on the same device gives the same bits. Without it a
/// look-back adds floats in groups that depend on which sums are there when it looks: the last bits of sums and products differ from run to run, each
/// within the error bound of any order, n * 2^-24 of the sum of magnitudes for f32 (in practice a few units in the last place). Another geometry,
/// strategy or device may round floats otherwise. (A device whose subgroups in one workgroup differ in size is an exception.)
///
/// **Progress**: no look-back waits for a workgroup for good: a sum that does not come is recomputed, or with lookback_then_rest left to its second
/// dispatch. So both end on every device, however it schedules.
///
/// **Errors**: invalid_argument (exclusive without identity and initial value, an initial value of the wrong
/// size, a geometry that is not possible, deterministic with a look-back where sums round), unsupported (operator and type do not go together; the device
/// lacks f16 or subgroups), limit_exceeded (a count or type that the device does not hold).
///
/// The methods: Hillis and Steele 1986; Blelloch 1990; Merrill and Garland 2016 and Smith, Levien and Owens 2025 (look-back); Merrill and Grimshaw, "Parallel scan for stream
/// architectures", 2009 (reduce-then-scan).
Result<Plan> plan_scan(const ScanDesc& desc, const DeviceCaps& caps);

/// The same on the CPU, element after element: the reference for tests and for `--verify`. `output` may be
/// `input`. An error if a custom operator has no CPU function.
Result<void> scan_serial_cpu(const ScanDesc& desc, std::span<const std::byte> input,
                             std::span<std::byte> output);

}  // namespace upsweep
