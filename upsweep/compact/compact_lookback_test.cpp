// What is the look-back's own in a compaction: sums that do not come, rows that wait, and when it is chosen.
#include "tests/gpu/compaction.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

// Sums that other workgroups never see: they are recomputed, and everything comes to its place.
TEST(CompactLookBack, SumsThatAreWithheld) {
    const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, 2003, 3));
    for (const Withhold withhold : {Withhold::first, Withhold::every_second, Withhold::all}) {
        for (const BlockScan block_scan : {BlockScan::automatic, BlockScan::blelloch}) {
            CompactDesc desc = small_compaction(2003);
            desc.strategy = CompactStrategy::lookback;
            desc.withhold = withhold;
            desc.block_scan = block_scan;
            expect_compacted_so(default_launcher(), desc, x, x);
        }
        CompactDesc desc = small_compaction(2003);
        desc.strategy = CompactStrategy::lookback_then_rest;
        desc.withhold = withhold;
        if (can_leave_rest(default_launcher(), desc)) expect_compacted_so(default_launcher(), desc, x, x);
    }
}

// Elements that wait in registers and in workgroup memory, and the indices alone; with subgroups of the device's size and of any.
TEST(CompactLookBack, ManyRowsOfWholeTiles) {
    DeviceCaps any_size = gpu().caps();
    any_size.subgroup_min_size = 4;
    any_size.subgroup_max_size = 128;
    for (const bool elements : {true, false}) {
        for (const std::uint64_t count : {0, 1, 767, 768, 769, 3 * 768, 9 * 768 + 5}) {
            CompactDesc desc = small_compaction(count);
            desc.strategy = CompactStrategy::lookback_then_rest;
            desc.geometry = {32, 24, 3};
            desc.elements = elements;
            if (!gpu().caps().subgroups) {
                EXPECT_EQ(plan_compact(desc, gpu().caps()).error().code, ErrorCode::unsupported);
                return;
            }
            if (count != 0) {
                EXPECT_EQ(plan_compact(desc, gpu().caps())->steps[1].spec.shared_rows, elements ? 12U : 0U);
            }
            const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, count, 3));
            expect_compacted_so(default_launcher(), desc, x, x);
            expect_compacted_so(default_launcher(), desc, x, x, {}, &any_size);
        }
    }
}

// A look-back on a CPU adapter has a limit, which the message tells.
TEST(CompactLookBack, TheLookBackOfSoftwareAdaptersIsLimited) {
    DeviceCaps caps = gpu().caps();
    caps.kind = AdapterKind::cpu;
    CompactDesc desc = small_compaction(100000000);
    desc.strategy = CompactStrategy::lookback;
    caps.max_buffer_size = caps.max_storage_binding_size = 0xFFFFFFFC;
    const auto refused = plan_compact(desc, caps);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
    desc.strategy = CompactStrategy::automatic;
    EXPECT_TRUE(plan_compact(desc, caps));
}

TEST(CompactLookBack, WhenTheRestIsLeft) {
    const auto planned = [](AdapterKind kind, std::uint64_t count, const char* type = "u32",
                            bool elements = true) -> Shape {
        CompactDesc desc = small_compaction(count);
        desc.keep = "fn keep(x: T, i: u32) -> bool { return i % 2u == 0u; }";
        desc.type = *ElementType::parse(type);
        desc.elements = elements;
        desc.geometry = {};
        const auto plan = plan_compact(desc, large_device(kind));
        EXPECT_TRUE(plan) << plan.error().message;
        return plan ? shape_of_whole_tiles(*plan) : Shape{};
    };
    using enum AdapterKind;
    EXPECT_EQ(planned(discrete, (1U << 22U) - 1), Shape{});
    EXPECT_EQ(planned(discrete, 1U << 22U), (Shape{512, 16, 264}));
    EXPECT_EQ(planned(discrete, 1U << 26U), (Shape{512, 24, 264}));
    EXPECT_EQ(planned(discrete, 1U << 24U, "u64"), (Shape{512, 8, 264}));
    EXPECT_EQ(planned(discrete, 1U << 25U, "u64"), (Shape{512, 12, 264}));
    EXPECT_EQ(planned(discrete, 1U << 26U, "u32", false), (Shape{512, 32, 264}));
    EXPECT_EQ(planned(integrated, 1U << 26U), Shape{});
}

}  // namespace
}  // namespace upsweep::testing
