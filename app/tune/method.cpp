#include "app/tune/method.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// Bytes of elements that an invocation holds: with less it waits for memory most of the time, with more its
// registers spill. Where that begins is what is measured.
constexpr std::uint32_t least_bytes = 16, most_bytes = 128;
constexpr std::array<std::uint32_t, 12> all_rows{4, 2, 5, 6, 8, 3, 1, 12, 16, 24, 20, 32};

std::vector<std::uint32_t> rows_for(BlockScan block_scan, const ElementClass& elements) {
    if (block_scan == BlockScan::hillis_steele) return {1, 2};
    if (block_scan != BlockScan::subgroup) return {2, 4, 8};
    std::vector<std::uint32_t> rows;
    const std::uint32_t row_bytes = elements.bytes * (elements.vectors ? 4 : 1);
    for (const std::uint32_t n : all_rows) {
        if (n * row_bytes >= least_bytes && n * row_bytes <= most_bytes) rows.push_back(n);
    }
    if (rows.empty()) rows.push_back(1);
    return rows;
}

std::vector<std::uint32_t> blocks_for(const DeviceCaps& caps) {
    const std::uint32_t limit =
        std::bit_floor(std::min(caps.max_invocations_per_workgroup, caps.max_workgroup_size_x));
    // A software adapter runs a workgroup on one core.
    const std::uint32_t most = std::min(limit, caps.kind == AdapterKind::cpu ? 256U : 1024U);
    std::vector<std::uint32_t> blocks{most};
    for (const std::uint32_t part : {2U, 4U}) {
        if (most / part >= 32) blocks.push_back(most / part);
    }
    if (blocks.size() > 1) std::swap(blocks[0], blocks[1]);  // The middle first.
    return blocks;
}

std::vector<const char*> strategies_for(Primitive primitive, const DeviceCaps& caps) {
    if (primitive == Primitive::reduce) return {"last_arrival", "two_pass", "single_block"};
    if (!caps.subgroups) return {"lookback", "reduce_then_scan", "single_block"};
    return {"lookback", "lookback_then_rest", "reduce_then_scan", "single_block"};
}

// The last one of those that hold the most elements: it writes, and has the rows that the method asks for.
const Step& widest(const Plan& plan) {
    return *std::max_element(plan.steps.rbegin(), plan.steps.rend(), [](const Step& a, const Step& b) {
        return a.grid.groups() * a.spec.tile() < b.grid.groups() * b.spec.tile();
    });
}

}  // namespace

std::vector<Method> methods_for(Primitive primitive, const ElementClass& elements, const DeviceCaps& caps) {
    std::vector<BlockScan> block_scans{BlockScan::subgroup};
    if (!caps.subgroups) block_scans = {BlockScan::blelloch, BlockScan::hillis_steele};
    std::vector<Method> methods;
    // The table's own shape with each strategy, which is likely to be near the best.
    for (const char* strategy : strategies_for(primitive, caps)) methods.push_back({.strategy = strategy});
    for (const BlockScan block_scan : block_scans) {
        for (const std::uint32_t rows : rows_for(block_scan, elements)) {
            for (const std::uint32_t block : blocks_for(caps)) {
                for (const char* strategy : strategies_for(primitive, caps))
                    methods.push_back({strategy, block_scan, {.block = block, .rows = rows}});
            }
        }
    }
    if (primitive == Primitive::scan) methods.push_back({.strategy = "multi_level"});
    return methods;
}

std::vector<Method> with_other_groups(const Method& method, std::uint32_t groups) {
    std::vector<Method> methods;
    for (const std::uint32_t others : {groups * 2, groups / 2, groups * 4, groups / 4}) {
        if (others == 0) continue;
        methods.push_back(method);
        methods.back().geometry.groups = others;
    }
    return methods;
}

std::string method_text(const Plan& plan) {
    if (plan.steps.empty()) return plan.strategy;
    const Step& step = widest(plan);
    return fmt::format("{}, {}x{} in {}", plan.strategy, step.spec.block, step.spec.rows, step.grid.groups());
}

std::uint32_t groups_of(const Plan& plan) {
    return plan.steps.empty() ? 0 : static_cast<std::uint32_t>(widest(plan).grid.groups());
}

}  // namespace upsweep::app
