// Selection: a compaction or a partition, once its request has been read. Private to the library.
#pragma once

#include "upsweep/compact/compact.h"
#include "upsweep/core/plan_builder.h"

#include <algorithm>
#include <vector>

namespace upsweep {

// What compaction and partition have in common, once a request has been read.
struct Selection {
    std::string algorithm;
    ElementType type;
    Operator op = Operator::plus();  // In the pass that writes: the condition on an element and its index.
    Operator count_op = Operator::plus();  // In the pass that counts.
    ElementType count_type;                // What that pass reads.
    Slot count_source = Slot::input;
    bool counts_indices = false;  // That pass reads no elements: the condition lies in a buffer of its own.
    ConditionKind condition = ConditionKind::predicate;
    std::uint64_t count = 0;
    bool count_on_gpu = false;
    std::uint32_t first_index = 0;
    bool elements = true, indices = false, partition = false, three_way = false, reversed = false;
    std::uint64_t capacity = 0;  // 0: enough.
    ArgumentsDesc arguments;
    CompactStrategy strategy = CompactStrategy::automatic;
    Withhold withhold = Withhold::none;
    BlockRequest block;
    bool unroll = true;

    // What the kernel reads elements for: to decide, or to move them.
    [[nodiscard]] bool reads_elements() const { return elements || condition == ConditionKind::predicate; }
    // Elements that output and indices hold.
    [[nodiscard]] std::uint64_t room() const { return capacity != 0 ? std::min(capacity, count) : count; }
};

/// The constants of the kernels; publish.wgsl says what they are.
std::vector<std::uint32_t> constants_of(const Selection& s);
std::uint64_t arguments_bytes(ArgumentsKind kind);
std::uint64_t flags_bytes(const Selection& s);
BuilderRequest request_of(const Selection& s, const ElementType& type, const Operator& op);
/// Every buffer is bound whole, and indices are u32.
Result<void> check_bindings(const Selection& s, const DeviceCaps& caps);

}  // namespace upsweep
