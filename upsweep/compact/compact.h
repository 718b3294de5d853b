// Compaction and partition: the elements that a condition holds for, in their order.
#pragma once

#include "upsweep/core/geometry.h"
#include "upsweep/core/plan.h"
#include "upsweep/core/withhold.h"

#include <cstdint>
#include <string>

namespace upsweep {

/// Where the condition comes from.
enum class ConditionKind : std::uint8_t {
    predicate,  ///< `fn keep(x: T, i: u32) -> bool`, WGSL of the user's, evaluated in the kernel: no pass
                ///< over flags. i is the element's index.
    flags,      ///< A u32 for each element; any value but 0 counts as set.
    bit_mask,   ///< A bit for each element: bit i % 32 of word i / 32.
};

/// What the count on the GPU is written as, besides a u32: the arguments of an indirect command.
enum class ArgumentsKind : std::uint8_t {
    none,
    dispatch,  ///< dispatchWorkgroupsIndirect: as many workgroups of `group_size` invocations as the count
               ///< needs.
    draw_vertices,           ///< drawIndirect: the count is the vertex count.
    draw_instances,          ///< drawIndirect: the count is the instance count.
    draw_indexed_indices,    ///< drawIndexedIndirect: the count is the index count.
    draw_indexed_instances,  ///< drawIndexedIndirect: the count is the instance count.
};

/// The other fields of the arguments, which are written as given.
struct ArgumentsDesc {
    ArgumentsKind kind = ArgumentsKind::none;
    std::uint32_t group_size = 64;  ///< Of dispatch. Past 65535 workgroups the grid is folded over x and y;
                                    ///< the kernel asks for its index.
    std::uint32_t other_count =
        1;  ///< Of draws: instances where vertices or indices are counted, and the other way round.
    std::uint32_t first = 0;       ///< firstVertex or firstIndex.
    std::int32_t base_vertex = 0;  ///< Of indexed draws.
    std::uint32_t first_instance = 0;
};

/// How the blocks of a large compaction or partition work together.
enum class CompactStrategy : std::uint8_t {
    automatic,         ///< single_block up to a tile, else the faster one on the device.
    single_block,      ///< One workgroup, one dispatch, a count of at most one tile.
    reduce_then_scan,  ///< Count, scan the counts, move: 3 dispatches; reads the input, or the flags, twice.
    lookback,  ///< One dispatch that reads everything once; as for a scan. Not for partitions that are stable in every
               ///< part.
    lookback_then_rest,  ///< As for a scan: two dispatches, the second of one workgroup; needs subgroups.
};
const char* to_string(CompactStrategy strategy);
Result<CompactStrategy> parse_compact_strategy(std::string_view name);

/// A request for a compaction.
struct CompactDesc {
    ElementType type = types::u32;
    ConditionKind condition = ConditionKind::predicate;
    /// WGSL of the predicate, with what it needs. T is the element type. It may be asked about elements behind the
    /// count too; what it says of them is not used.
    std::string keep = {};
    bool elements = true;       ///< The output gets the elements that are kept.
    bool indices = false;       ///< The indices slice gets their indices.
    std::uint64_t count = 0;    ///< Elements, or with count_on_gpu the most there can be.
    bool count_on_gpu = false;  ///< The count is a u32 in a buffer; a larger value is taken as `count`.
    /// The index of the first element, for data that go through in parts: `i` of the predicate and the indices
    /// that are written begin with it. With a count on the GPU it is 0.
    std::uint32_t first_index = 0;
    std::uint64_t capacity =
        0;  ///< Elements that output and indices hold; 0: `count`, which is always enough.
    ArgumentsDesc arguments = {};
    CompactStrategy strategy = CompactStrategy::automatic;
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};
    bool unroll = true;                        ///< False: loops instead of unrolled text.
    std::uint32_t emulated_subgroup_size = 0;  ///< Not 0: emulated subgroups of this size, for tests.
    Withhold withhold = Withhold::none;        ///< Of the strategies that look back, for tests.
};

/// Plans a stable compaction ("select").
///
/// **Computes** the elements for which the condition holds, in the order of the input, and how many they are.
/// For x = [3 1 7 0 4 1 6 3] and `fn keep(x: T, i: u32) -> bool { return x > 2u; }`: elements [3 7 4 6 3],
/// indices [0 2 4 6 7], count 5.
///
/// **Slots**: input (elements; not used if neither the elements are asked for nor the predicate needs them),
/// flags (u32 each or bits), output (capacity elements), indices (capacity u32), total: the count as a u32,
/// and with a capacity `struct { count, written, overflow: u32 }` (12 bytes): the true count, how many were
/// written, and 1 if some were left out; arguments: 12 bytes for a dispatch, 16 for a draw, 20 for an indexed
/// draw; scratch. Nothing behind the kept elements is touched. **In place** is not possible.
///
/// **Counts** up to 2^32 - 1, first_index included, and what one binding of the device holds; a look-back on a CPU
/// adapter goes over 512 tiles at most.
///
/// **Moves** n elements and the kept ones (single_block, both look-backs), or n elements more
/// (reduce_then_scan). With flags or a mask only the kept elements are read, but by a look-back all of up to 16 bytes. A wide element (a 64-byte
/// particle) costs its bytes in each of these, and above 16 bytes the kept ones are read twice; where few are kept, compact
/// indices and gather.
///
/// **Determinism**: the order is that of the input, always. **Errors**: as plan_scan(); compile_failed leads
/// to the line in `keep`.
Result<Plan> plan_compact(const CompactDesc& desc, const DeviceCaps& caps);

/// A request for a partition in two or three parts.
struct PartitionDesc {
    ElementType type = types::u32;
    /// WGSL, as CompactDesc::keep: `fn keep(x: T, i: u32) -> bool`, or for three parts `fn part(x: T, i: u32) -> u32` with 0, 1 or
    /// (any other value) 2.
    std::string condition = {};
    bool three_way = false;
    std::uint64_t count = 0;
    bool count_on_gpu = false;
    std::uint32_t first_index = 0;  ///< As in CompactDesc.
    /// The others come from the end of the output on, the first of them last: one pass is enough then, and n elements less
    /// are read. Not with three parts.
    bool others_reversed = false;
    ArgumentsDesc arguments = {};  ///< From the size of the first part.
    CompactStrategy strategy = CompactStrategy::automatic;
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};
    bool unroll = true;
    std::uint32_t emulated_subgroup_size = 0;
    Withhold withhold = Withhold::none;
};

/// Plans a partition that is stable in every part, but for `others_reversed`: first the elements that are kept (part 0), then the others
/// (part 1, then 2).
///
/// For x = [3 1 7 0 4 1 6 3] and x > 2u: [3 7 4 6 3 1 0 1] and the total 5. The total slice gets the size of
/// part 0, and with three parts also that of part 1 (8 bytes). Slots, counts, costs and errors are those of a
/// compaction by predicate; the output holds `count` elements.
Result<Plan> plan_partition(const PartitionDesc& desc, const DeviceCaps& caps);

}  // namespace upsweep
