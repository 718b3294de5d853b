// Tunings: which choice a request takes, and that none makes a plan that would not be sound.
#include "upsweep/core/tuning.h"

#include "tests/core/holds.h"
#include "tests/core/plan_check.h"
#include "tests/core/random_requests.h"
#include "upsweep/allocate/allocate.h"
#include "upsweep/compact/compact.h"
#include "upsweep/reduce/reduce.h"

namespace upsweep::test {
namespace {

DeviceCaps tuned_device(std::vector<TunedChoice> choices, DeviceCaps caps = {}) {
    caps.tuning = std::make_shared<const Tuning>(Tuning{std::move(choices)});
    return caps;
}

TunedChoice scan_choice(const char* strategy, std::uint32_t block = 0) {
    TunedChoice choice;
    choice.elements = {4, true};
    choice.strategy = strategy;
    choice.geometry.block = block;
    return choice;
}

std::string strategy_of(const ScanDesc& desc, const DeviceCaps& caps) {
    const auto plan = plan_scan(desc, caps);
    return plan ? plan->strategy : plan.error().message;
}

// The example of the header.
TEST(Tuning, AutomaticTakesAChoice) {
    auto tuning = std::make_shared<Tuning>();
    tuning->choices.push_back({.elements = {.bytes = 4, .vectors = true},
                               .first_log2 = 16,
                               .strategy = "multi_level",
                               .geometry = {.block = 128}});
    DeviceCaps caps;
    caps.tuning = tuning;
    auto plan = plan_scan({.count = 100000}, caps);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->strategy, "multi_level, blelloch");
    EXPECT_EQ(plan->steps.at(0).spec.block, 128U);
    EXPECT_TRUE(plan->tuned);
    EXPECT_NE(to_string(*plan).find(", tuned\n"), std::string::npos);

    plan = plan_scan({.count = 65535}, caps);
    EXPECT_EQ(plan->strategy, "reduce_then_scan, blelloch");
    EXPECT_FALSE(plan->tuned);
    EXPECT_EQ(*plan, *plan_scan({.count = 65535}, DeviceCaps{}));
}

TEST(Tuning, RangesAreOfPowersOfTwo) {
    TunedChoice choice = scan_choice("lookback");
    choice.first_log2 = 10;
    choice.last_log2 = 12;
    for (const auto& [count, expected] :
         {std::pair<std::uint64_t, bool>{1023, false}, {1024, true}, {8191, true}, {8192, false}})
        EXPECT_EQ(choice.is_for(Primitive::scan, {4, true}, count), expected) << count;
    choice.first_log2 = 0;
    EXPECT_TRUE(choice.is_for(Primitive::scan, {4, true}, 0));
    EXPECT_FALSE(choice.is_for(Primitive::reduce, {4, true}, 0));
    choice.last_log2 = 63;
    EXPECT_TRUE(choice.is_for(Primitive::scan, {4, true}, ~std::uint64_t{0}));
}

TEST(Tuning, ElementsOfAnotherClassAreNotMeant) {
    const DeviceCaps caps = tuned_device({scan_choice("multi_level")});
    ScanDesc desc{.count = 100000};
    EXPECT_EQ(strategy_of(desc, caps), "multi_level, blelloch");
    desc.type = types::i32;
    desc.op = Operator::max();
    EXPECT_EQ(strategy_of(desc, caps), "multi_level, blelloch");
    desc.op = take_right();  // Without an identity, elements are loaded one by one.
    desc.kind = ScanKind::inclusive;
    EXPECT_EQ(strategy_of(desc, caps), "reduce_then_scan, blelloch");
    desc.type = types::u64;
    desc.op = Operator::plus();
    EXPECT_EQ(strategy_of(desc, caps), "reduce_then_scan, blelloch");
    EXPECT_EQ(element_class(2, true), (ElementClass{4, true}));
    EXPECT_EQ(element_class(12, false), (ElementClass{16, false}));
}

TEST(Tuning, AnExplicitRequestWins) {
    const DeviceCaps caps = tuned_device({scan_choice("multi_level", 128)}, capable_device());
    ScanDesc desc{.count = 100000};
    desc.strategy = Strategy::reduce_then_scan;
    EXPECT_EQ(*plan_scan(desc, caps), *plan_scan(desc, capable_device()));
    desc.strategy = Strategy::multi_level;  // The choice is of this strategy.
    EXPECT_EQ(plan_scan(desc, caps)->steps.at(0).spec.block, 128U);
    desc.strategy = Strategy::automatic;
    desc.block_scan = BlockScan::hillis_steele;
    EXPECT_EQ(*plan_scan(desc, caps), *plan_scan(desc, capable_device()));
    desc.block_scan = BlockScan::automatic;
    desc.geometry.groups = 7;
    EXPECT_EQ(*plan_scan(desc, caps), *plan_scan(desc, capable_device()));
    desc.geometry = {};
    desc.emulated_subgroup_size = 16;
    EXPECT_EQ(*plan_scan(desc, caps), *plan_scan(desc, capable_device()));
}

TEST(Tuning, WhatIsNotPossibleIsPassedOver) {
    TunedChoice without_subgroups = scan_choice("lookback");
    without_subgroups.block_scan = BlockScan::subgroup;
    const DeviceCaps caps =
        tuned_device({scan_choice("lookback", 1024), scan_choice("no such strategy"), scan_choice("two_pass"),
                      without_subgroups, scan_choice("lookback", 96), scan_choice("single_block"),
                      scan_choice("multi_level", 64)});
    EXPECT_EQ(strategy_of({.count = 100000}, caps), "multi_level, blelloch");
    EXPECT_EQ(strategy_of({.count = 1000}, caps), "single_block, blelloch");
}

TEST(Tuning, ErrorsSpeakOfTheRequest) {
    ScanDesc desc{.count = std::uint64_t{1} << 40U};
    const DeviceCaps caps = tuned_device({scan_choice("lookback", 4096)});
    EXPECT_EQ(plan_scan(desc, caps).error().message, plan_scan(desc, DeviceCaps{}).error().message);
}

TEST(Tuning, EveryPrimitiveLooksForItsOwn) {
    constexpr const char* keep = "fn keep(x: T, i: u32) -> bool { return x > 2u; }";
    TunedChoice reduce = scan_choice("single_block");
    reduce.primitive = Primitive::reduce;
    TunedChoice compact = scan_choice("lookback", 64);
    compact.primitive = Primitive::compact;
    compact.elements = {4, false};
    TunedChoice partition = scan_choice("reduce_then_scan", 32);
    partition.primitive = Primitive::partition;
    partition.elements = {4, false};
    const DeviceCaps caps = tuned_device({scan_choice("reduce_then_scan", 16), reduce, compact, partition});
    const auto shape = [](const Result<Plan>& plan) {
        const std::string strategy = plan->strategy.substr(0, plan->strategy.find(','));
        return strategy + " " + std::to_string(plan->steps.back().spec.block) + (plan->tuned ? " tuned" : "");
    };
    EXPECT_EQ(shape(plan_scan({.count = 1000}, caps)), "reduce_then_scan 16 tuned");
    EXPECT_EQ(shape(plan_allocate({.count = 1000}, caps)), "reduce_then_scan 16 tuned");
    EXPECT_EQ(shape(plan_reduce({.count = 100}, caps)), "single_block 256 tuned");
    EXPECT_EQ(shape(plan_compact({.keep = keep, .count = 1000}, caps)), "lookback 64 tuned");
    EXPECT_EQ(shape(plan_partition({.condition = keep, .count = 1000}, caps)), "reduce_then_scan 32 tuned");
    EXPECT_EQ(shape(plan_partition({.condition = keep, .count = 1000, .others_reversed = true}, caps)),
              "reduce_then_scan 256");
}

TunedChoice arbitrary_choice() {
    TunedChoice choice;
    choice.primitive =
        *rc::gen::elementOf(std::vector<Primitive>(std::begin(all_primitives), std::end(all_primitives)));
    if (*rc::gen::inRange(0, 4) != 0) choice.primitive = Primitive::scan;
    choice.elements = {1U << *rc::gen::inRange(1U, 10U), *rc::gen::arbitrary<bool>()};
    choice.first_log2 = *rc::gen::inRange(0U, 16U);
    choice.last_log2 = *rc::gen::inRange(10U, 64U);
    choice.strategy = *rc::gen::inRange(0, 3) != 0
                          ? to_string(*rc::gen::elementOf(strategies))
                          : *rc::gen::element<std::string>("automatic", "two_pass", "", "no such strategy");
    choice.block_scan = *rc::gen::element(BlockScan::automatic, BlockScan::hillis_steele, BlockScan::blelloch,
                                          BlockScan::blelloch_padded, BlockScan::subgroup);
    choice.geometry.block = *rc::gen::element(0U, 1U, 4U, 48U, 64U, 256U, 1024U, 4096U, 0xFFFFFFFFU);
    choice.geometry.rows = *rc::gen::element(0U, 1U, 2U, 3U, 4U, 8U, 32U, 33U, 0xFFFFFFFFU);
    choice.geometry.groups = *rc::gen::element(0U, 1U, 7U, 1000U, 0xFFFFFFFFU);
    return choice;
}

TEST(Tuning, NoTuningMakesAPlanThatIsNotSound) {
    int tuned = 0;
    EXPECT_TRUE(holds(
        [&] {
            Request request = arbitrary_request();
            ScanDesc& desc = request.desc;
            if (*rc::gen::inRange(0, 4) != 0) {  // Most requests leave it to the library.
                desc.geometry = {};
                desc.emulated_subgroup_size = 0;
                if (*rc::gen::inRange(0, 4) != 0) desc.strategy = Strategy::automatic;
                if (*rc::gen::inRange(0, 4) != 0) desc.block_scan = BlockScan::automatic;
            }
            const auto untuned = plan_scan(request.desc, request.caps);
            const auto code = operator_code(request.desc.op, request.desc.type);
            std::vector<TunedChoice> choices;
            for (int i = 0; i < 6; ++i) {
                choices.push_back(arbitrary_choice());
                // Most random choices are of no interest to a request.
                if (code && *rc::gen::inRange(0, 3) != 0)
                    choices.back().elements = element_class(code->compute_type.stride, code->vectorizable);
            }
            request.caps = tuned_device(std::move(choices), request.caps);
            const auto plan = plan_scan(request.desc, request.caps);
            if (!plan) {
                RC_ASSERT(!untuned);
                RC_ASSERT(plan.error().message == untuned.error().message);
                return;
            }
            const std::string fault = fault_in(*plan, request.desc, request.caps);
            if (!fault.empty()) RC_FAIL(fault);
            if (plan->tuned)
                ++tuned;
            else
                RC_ASSERT(*plan == *untuned);
            RC_ASSERT(*plan == *plan_scan(request.desc, request.caps));
        },
        400));
    EXPECT_GT(tuned, 15) << "hardly any choice was taken, or this has checked little";
}

}  // namespace
}  // namespace upsweep::test
