// Plans of reductions: which strategy for which device, what last_arrival takes, and what it refuses.
#include "tests/core/requests.h"
#include "tests/core/workgroup_memory.h"
#include "upsweep/core/plan_builder.h"
#include "upsweep/core/tile_state.h"
#include "upsweep/reduce/reduce.h"

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

DeviceCaps device_of(AdapterKind kind) {
    DeviceCaps caps = boundless_device();
    caps.kind = kind;
    caps.max_invocations_per_workgroup = caps.max_workgroup_size_x = 1024;
    caps.subgroup_min_size = caps.subgroup_max_size = 32;
    return caps;
}

Plan planned(const ReduceDesc& desc, const DeviceCaps& caps) {
    auto plan = plan_reduce(desc, caps);
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    return plan ? *plan : Plan{};
}

std::string strategy_of(const ReduceDesc& desc, const DeviceCaps& caps) {
    const std::string all = planned(desc, caps).strategy;
    return all.substr(0, all.find(','));
}

Error refusal_of(const ReduceDesc& desc, const DeviceCaps& caps) {
    const auto plan = plan_reduce(desc, caps);
    EXPECT_FALSE(plan.has_value()) << plan->strategy;
    return plan ? Error{} : plan.error();
}

// 48 bytes: more than a state holds.
ElementType large_type() {
    return *ElementType::structure("Large", "struct Large { a: vec4<u32>, b: vec4<u32>, c: vec4<u32> }");
}
Operator large_sum() {
    return *Operator::custom({.name = "large_sum",
                              .wgsl =
                                  "fn combine(x: Large, y: Large) -> Large { return Large(x.a + y.a, x.b + "
                                  "y.b, x.c + y.c); }",
                              .identity = "Large()",
                              .commutative = true});
}

TEST(ReducePlan, StrategiesHaveNames) {
    for (const char* name : {"automatic", "single_block", "two_pass", "last_arrival"})
        EXPECT_STREQ(to_string(*parse_reduce_strategy(name)), name);
    EXPECT_EQ(parse_reduce_strategy("lookback").error().message,
              "'lookback' is not a strategy of a reduction; it must be automatic, single_block, two_pass or "
              "last_arrival.");
}

TEST(ReducePlan, AutomaticIsOneDispatchOnGpus) {
    for (const AdapterKind kind : {AdapterKind::discrete, AdapterKind::integrated, AdapterKind::unknown}) {
        EXPECT_EQ(strategy_of({.count = 8192}, device_of(kind)), "single_block");
        EXPECT_EQ(strategy_of({.count = 8193}, device_of(kind)), "last_arrival");
        // Totals of more than 4 bytes, and an order to be kept.
        EXPECT_EQ(strategy_of({.form = ReduceForm::arg_max, .count = 1U << 28U}, device_of(kind)),
                  "two_pass");
        EXPECT_EQ(strategy_of({.op = Operator::last_non_zero(), .count = 1U << 28U}, device_of(kind)),
                  "two_pass");
    }
    const DeviceCaps software = device_of(AdapterKind::cpu);
    EXPECT_EQ(strategy_of({.count = 1U << 20U}, software), "two_pass");
    EXPECT_EQ(strategy_of({.count = 4096}, software), "single_block");

    // States that a binding does not hold.
    DeviceCaps small = device_of(AdapterKind::discrete);
    small.max_storage_binding_size = 4096;
    EXPECT_EQ(strategy_of({.count = 1U << 20U}, small), "two_pass");
    EXPECT_EQ(strategy_of({.count = 1U << 20U, .geometry = {.groups = 100}}, small), "last_arrival");
}

TEST(ReducePlan, LastArrivalIsOneDispatchAndWhatClearsGivenScratch) {
    const DeviceCaps caps = device_of(AdapterKind::discrete);
    const Plan plan = planned({.count = 1U << 28U}, caps);
    ASSERT_EQ(plan.steps.size(), 2U);
    EXPECT_EQ(plan.steps[0].label, "upsweep.reduce.clear");
    EXPECT_TRUE(plan.steps[0].clears_scratch);
    EXPECT_EQ(plan.steps[1].label, "upsweep.reduce.reduce_last_arrival");
    EXPECT_EQ(plan.steps[1].grid.groups(), 264U);
    EXPECT_EQ(plan.steps[1].spec.block, 1024U);
    EXPECT_EQ(plan.steps[1].spec.rows, 2U);
    EXPECT_EQ(plan.bytes_moved, std::uint64_t{4} << 28U);
    EXPECT_EQ(plan.scratch_bytes, round_up(tile_states_bytes(types::u32, 264), 256));
    // A workgroup for each tile where there are fewer.
    EXPECT_EQ(planned({.count = 3 * 8192 + 1}, caps).steps[1].grid.groups(), 4U);
    EXPECT_EQ(planned({.count = 0, .strategy = ReduceStrategy::last_arrival}, caps).steps.size(), 1U);
}

// The first chunk is the largest.
TEST(ReducePlan, ChunksShareTheStates) {
    DeviceCaps caps = device_of(AdapterKind::discrete);
    caps.max_storage_binding_size = 1U << 20U;
    const Plan plan = planned({.count = 1000001, .initial = std::vector<std::byte>(4)}, caps);
    ASSERT_EQ(plan.steps.size(), 5U);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const Step& step = plan.steps[i];
        EXPECT_EQ(step.clears_scratch, i == 0);
        EXPECT_EQ(step.spec.bindings[0].name, "states");
        EXPECT_EQ(step.regions[0], plan.steps[0].regions[0]);
        EXPECT_GE(step.regions[0].size, tile_states_bytes(types::u32, step.grid.groups()));
    }
    EXPECT_EQ(plan.steps.back().base + plan.steps.back().params.count, 1000001U);
}

TEST(ReducePlan, WithholdIsAFlagOfTheKernel) {
    const DeviceCaps caps = device_of(AdapterKind::discrete);
    const auto flags_of = [&](Withhold withhold) {
        const Plan plan = planned({.count = 1U << 20U, .withhold = withhold}, caps);
        std::string set;
        for (const auto& [name, value] : plan.steps.at(1).spec.flags)
            set += value && name.starts_with("WITHHOLD") ? name : "";
        return set;
    };
    EXPECT_EQ(flags_of(Withhold::none), "");
    EXPECT_EQ(flags_of(Withhold::first), "WITHHOLD_FIRST");
    EXPECT_EQ(flags_of(Withhold::every_second), "WITHHOLD_SECOND");
    EXPECT_EQ(flags_of(Withhold::all), "WITHHOLD_ALL");
}

TEST(ReducePlan, WorkgroupMemoryIsWhatTheDeviceHas) {
    for (const auto& [type, op] : all_pairs()) {
        for (const BlockScan block_scan : block_scans) {
            for (const std::uint32_t memory : {16384U, 32768U}) {
                DeviceCaps caps = device_of(AdapterKind::discrete);
                caps.max_workgroup_storage = memory;
                const Plan plan = planned({.type = type,
                                           .op = op,
                                           .count = 1U << 20U,
                                           .strategy = ReduceStrategy::last_arrival,
                                           .block_scan = block_scan},
                                          caps);
                EXPECT_LE(workgroup_memory(plan.steps.back().spec), memory)
                    << type.name << " " << op.name() << " " << to_string(block_scan);
            }
        }
    }
}

TEST(ReducePlan, WhatLastArrivalRefuses) {
    ReduceDesc desc{.type = large_type(),
                    .op = large_sum(),
                    .count = 1U << 20U,
                    .strategy = ReduceStrategy::last_arrival};
    Error refused = refusal_of(desc, device_of(AdapterKind::discrete));
    EXPECT_EQ(refused.code, ErrorCode::unsupported);
    EXPECT_EQ(refused.message,
              "The strategy last_arrival hands on totals of up to 40 bytes, and one of Large has more (with "
              "a word for "
              "its presence where the operator has no identity); use two_pass.");

    DeviceCaps caps = device_of(AdapterKind::discrete);
    caps.max_storage_binding_size = 8192;
    desc = {
        .count = 1U << 24U, .strategy = ReduceStrategy::last_arrival, .geometry = {.block = 1, .rows = 1}};
    desc.block_scan = BlockScan::hillis_steele;
    refused = refusal_of(desc, caps);
    EXPECT_EQ(refused.code, ErrorCode::limit_exceeded);
    EXPECT_EQ(refused.message,
              "The totals of 512 workgroups need a binding of 8224 bytes of scratch, and the limit of this "
              "device is "
              "8192; use fewer groups or two_pass.");

    desc = {.count = (1U << 27U) + 1, .strategy = ReduceStrategy::last_arrival};
    refused = refusal_of(desc, device_of(AdapterKind::cpu));
    EXPECT_EQ(refused.code, ErrorCode::limit_exceeded);
    EXPECT_EQ(refused.message,
              "The strategy last_arrival takes more than 64 dispatches for 134217729 elements on a software "
              "adapter; "
              "use two_pass.");
    desc.count = 1U << 27U;
    EXPECT_EQ(planned(desc, device_of(AdapterKind::cpu)).steps.size(), 65U);
}

}  // namespace
}  // namespace upsweep::test
