// Partition on a device, against loops on the CPU.
#include "tests/gpu/selection.h"
#include "upsweep/compact/compact.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

TEST(Partition, FirstIndexOfAPart) {
    PartitionDesc desc;
    desc.condition = "fn keep(x: T, i: u32) -> bool { return i >= 102u; }";
    desc.count = 5;
    desc.first_index = 100;
    const auto plan = plan_partition(desc, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    const SelectionOutcome out = run_selection(gpu(), *plan, {10, 11, 12, 13, 14}, {0}, {});
    EXPECT_EQ(Numbers(out.elements.begin(), out.elements.begin() + 6), (Numbers{12, 13, 14, 10, 11, poison}));
}

// The others in reverse from the end, by both strategies.
TEST(Partition, OthersReversed) {
    for (const Launcher& launcher : gpu_launchers()) {
        for (const CompactStrategy strategy : {CompactStrategy::reduce_then_scan, CompactStrategy::lookback,
                                               CompactStrategy::lookback_then_rest}) {
            for (const std::uint64_t count : {0, 1, 31, 128, 129, 641, 2003}) {
                const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, count, 3));
                PartitionDesc desc;
                desc.condition = "fn keep(x: T, i: u32) -> bool { return (x & 1u) != 0u; }";
                desc.count = count;
                desc.others_reversed = true;
                desc.strategy = strategy;
                desc.geometry = {32, 4, 5};
                if (strategy == CompactStrategy::lookback_then_rest && !can_leave_rest(launcher, desc))
                    continue;
                adapt(launcher, desc);
                const auto plan = plan_partition(desc, device_of(launcher).caps());
                ASSERT_TRUE(plan) << plan.error().message;
                const SelectionOutcome out = run_selection(device_of(launcher), *plan, x, {0}, {});
                Numbers expected, others;
                for (const std::uint32_t word : x) ((word & 1U) != 0 ? expected : others).push_back(word);
                EXPECT_EQ(out.total[0], expected.size());
                expected.insert(expected.end(), others.rbegin(), others.rend());
                expected.resize(out.elements.size(), poison);
                ASSERT_EQ(out.elements, expected) << launcher.name << ", " << plan->strategy << ", " << count;
            }
        }
    }
    PartitionDesc desc;
    desc.condition = "fn part(x: T, i: u32) -> u32 { return x; }";
    desc.count = 10;
    desc.three_way = desc.others_reversed = true;
    EXPECT_EQ(plan_partition(desc, gpu().caps()).error().code, ErrorCode::unsupported);
    desc.others_reversed = false;
    desc.strategy = CompactStrategy::lookback;
    EXPECT_EQ(plan_partition(desc, gpu().caps()).error().code, ErrorCode::unsupported);
}

TEST(Partition, TwoAndThreeParts) {
    for (const Launcher& launcher : gpu_launchers()) {
        for (const std::uint64_t count : {0, 1, 31, 128, 129, 641, 2003}) {
            const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, count, 8));
            PartitionDesc desc;
            desc.condition = "fn keep(x: T, i: u32) -> bool { return x % 3u == 0u; }";
            desc.count = count;
            desc.geometry = {32, 4, 5};
            adapt(launcher, desc);
            for (const bool three : {false, true}) {
                desc.three_way = three;
                if (three) desc.condition = "fn part(x: T, i: u32) -> u32 { return x % 3u; }";
                const auto plan = plan_partition(desc, device_of(launcher).caps());
                ASSERT_TRUE(plan) << plan.error().message;
                Numbers expected;
                std::uint32_t sizes[3] = {0, 0, 0};
                for (std::uint32_t part = 0; part < (three ? 3U : 2U); ++part) {
                    for (const std::uint32_t value : x) {
                        const std::uint32_t own = three ? value % 3 : value % 3 == 0 ? 0 : 1;
                        if (own == part) expected.push_back(value);
                        if (own == part) ++sizes[part];
                    }
                }
                expected.resize(count + 64, poison);
                const SelectionOutcome out = run_selection(device_of(launcher), *plan, x, {0}, {});
                EXPECT_EQ(out.elements, expected) << launcher.name << " " << count << " " << plan->strategy;
                EXPECT_EQ(out.total[0], sizes[0]);
                EXPECT_EQ(out.total[1], three ? sizes[1] : poison);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

}  // namespace
}  // namespace upsweep::testing
