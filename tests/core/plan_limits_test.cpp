// Plans at the limits of devices and of 32 bits: folded grids, largest counts, small bindings, the floor of
// WebGPU.
#include "tests/core/plan_check.h"
#include "tests/core/random_requests.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace upsweep::test {
namespace {

ScanDesc scan_of(std::uint64_t count, Strategy strategy, BlockScan block_scan = BlockScan::blelloch) {
    ScanDesc desc;
    desc.count = count;
    desc.strategy = strategy;
    desc.block_scan = block_scan;
    return desc;
}

// What is wrong with the plan, or "refused: " and why there is none.
std::string fault(const ScanDesc& desc, const DeviceCaps& caps) {
    const auto plan = plan_scan(desc, caps);
    return plan ? fault_in(*plan, desc, caps) : "refused: " + plan.error().message;
}

// What does not fit the registers waits in workgroup memory as far as that goes.
TEST(PlanLimits, RowsWaitInWorkgroupMemoryWhereThereIsRoom) {
    DeviceCaps caps = boundless_device();
    caps.subgroups = true;
    caps.kind = AdapterKind::discrete;
    caps.max_workgroup_storage = 49152;
    caps.max_invocations_per_workgroup = caps.max_workgroup_size_x = 1024;
    ScanDesc desc = scan_of(1U << 26U, Strategy::lookback_then_rest, BlockScan::subgroup);
    const auto shared_rows = [&](std::uint32_t rows) {
        desc.geometry.rows = rows;
        EXPECT_EQ(fault(desc, caps), "");
        return plan_scan(desc, caps)->steps.at(1).spec.shared_rows;
    };
    EXPECT_EQ(shared_rows(4), 0U);
    EXPECT_EQ(shared_rows(5), 1U);
    EXPECT_EQ(shared_rows(6), 2U) << "a row of 512 invocations has 8 KiB";
    EXPECT_EQ(shared_rows(8), 2U);
    caps.max_workgroup_storage = 16384;
    EXPECT_EQ(shared_rows(6), 1U);
    caps.max_workgroup_storage = 8192;
    EXPECT_EQ(shared_rows(6), 0U);
}

// C01: more workgroups than a dimension takes, at every level.
TEST(PlanLimits, GridsFoldOverTheOtherDimensions) {
    DeviceCaps caps;
    caps.max_workgroups_per_dimension = 2;
    ScanDesc desc = scan_of(1024, Strategy::multi_level);
    desc.geometry.block = 16;
    EXPECT_EQ(fault(desc, caps), "");
    EXPECT_EQ(plan_scan(desc, caps)->steps.at(0).spec.tile(), 128U);
    EXPECT_EQ(plan_scan(desc, caps)->steps.at(0).grid, (Grid{2, 2, 2}));
    desc.count = 1025;
    EXPECT_FALSE(plan_scan(desc, caps).has_value()) << "nine workgroups in eight places";
}

TEST(PlanLimits, OneWorkgroupMoreThanADimensionTakesIsFolded) {
    const DeviceCaps caps = boundless_device();
    for (const std::uint64_t more : {0U, 1U}) {
        ScanDesc desc = scan_of(0, Strategy::multi_level);
        desc.count = 2048 * std::uint64_t{65535} + more;
        EXPECT_EQ(fault(desc, caps), "");
        const Grid grid = plan_scan(desc, caps)->steps.at(0).grid;
        EXPECT_EQ(grid.y, 1U + more);
        EXPECT_GE(grid.groups(), 65535U + more);
    }
}

// C04: the largest counts of 32 bits and beyond.
TEST(PlanLimits, TheLargestCountsHaveExactSizes) {
    const DeviceCaps caps = boundless_device();
    constexpr std::uint64_t two_31 = std::uint64_t{1} << 31U;
    constexpr std::uint64_t two_32 = std::uint64_t{1} << 32U;
    for (const char* type : {"u32", "f16", "u64", "vec4<f32>"}) {
        for (const BlockScan block_scan : {BlockScan::subgroup, BlockScan::hillis_steele}) {
            for (const Strategy strategy : {Strategy::reduce_then_scan, Strategy::multi_level}) {
                for (const std::uint64_t count :
                     {two_31 - 1, two_31, two_31 + 1, two_32 - 2048, two_32 - 2047, two_32 - 1, two_32,
                      two_32 + 1, std::uint64_t{29} * 150039552, std::uint64_t{1} << 36U}) {
                    ScanDesc desc = scan_of(count, strategy, block_scan);
                    desc.type = type_of(type);
                    EXPECT_EQ(fault(desc, caps), "");
                    const auto plan = plan_scan(desc, caps);
                    ASSERT_TRUE(plan.has_value());
                    EXPECT_EQ(plan->input_bytes, count * desc.type.stride);
                    EXPECT_GT(plan->scratch_bytes, 0U);
                    // The last chunk ends with the data.
                    const Step& last = plan->steps.back();
                    EXPECT_EQ(last.base + last.params.count, count);
                }
            }
        }
    }
}

// A plan for 2^40 elements: 1024 chunks of 2^30.
TEST(PlanLimits, ATrillionElements) {
    const DeviceCaps caps = boundless_device();
    ScanDesc desc = scan_of(std::uint64_t{1} << 40U, Strategy::reduce_then_scan);
    EXPECT_EQ(fault(desc, caps), "");
    EXPECT_LT(plan_scan(desc, caps)->scratch_bytes, 1U << 20U);
}

// C05: at the default limit of a binding, and one element more.
TEST(PlanLimits, OneBindingFullAndOneElementMore) {
    const DeviceCaps caps;
    for (const Strategy strategy : {Strategy::reduce_then_scan, Strategy::multi_level}) {
        ScanDesc desc = scan_of(33554432, strategy);
        EXPECT_EQ(fault(desc, caps), "");
        EXPECT_EQ(plan_scan(desc, caps)->steps.back().base, 0U);
        desc.count = 33554433;
        EXPECT_EQ(fault(desc, caps), "");
        const auto plan = plan_scan(desc, caps);
        EXPECT_EQ(plan->steps.back().base, 33554432U);
        EXPECT_EQ(plan->steps.back().params.count, 1U);
    }
}

// Vectors of four are bound whole, and the largest binding of some devices is no whole number of them.
TEST(PlanLimits, TheLastVectorFitsIntoTheBindingToo) {
    DeviceCaps caps = boundless_device();
    for (const std::uint64_t binding : {2147483644U, 4294967292U, 65540U}) {
        caps.max_storage_binding_size = binding;
        for (std::uint64_t missing = 0; missing < 5; ++missing) {
            for (const Strategy strategy : {Strategy::reduce_then_scan, Strategy::multi_level})
                EXPECT_EQ(fault(scan_of(binding / 4 - missing, strategy), caps), "");
        }
    }
}

// A binding can be no larger than the limit, whatever it takes to keep to it: another chunk, or a refusal.
TEST(PlanLimits, NoChunkIsLargerThanABinding) {
    std::string wrong;
    int faults = 0;
    for (const std::uint64_t binding : {16U, 64U, 100U, 128U, 256U, 500U, 1000U, 1024U, 4096U, 5000U}) {
        for (const std::uint32_t alignment : {32U, 256U, 4096U}) {
            for (const std::uint32_t words : {1U, 3U, 5U}) {
                DeviceCaps caps;
                caps.max_storage_binding_size = binding;
                caps.min_storage_offset_alignment = alignment;
                ScanDesc desc = scan_of(5000, Strategy::multi_level);
                desc.type = struct_of_words(words);
                desc.op = take_right();
                desc.kind = ScanKind::inclusive;
                const std::string found = fault(desc, caps);
                if (found.empty() || found.starts_with("refused: ") || ++faults > 3) continue;
                wrong += "\nbinding " + std::to_string(binding) + ", alignment " + std::to_string(alignment) +
                         ", stride " + std::to_string(words * 4) + ": " + found.substr(0, found.find(" in "));
            }
        }
    }
    EXPECT_EQ(faults, 0) << "the first three:" << wrong;
}

// The totals of tiny tiles of small elements can be more bytes than the elements.
TEST(PlanLimits, TheTotalsFitIntoABindingToo) {
    const DeviceCaps caps = capable_device();
    ScanDesc desc = scan_of(60000000, Strategy::multi_level);
    desc.type = types::f16;
    desc.op = take_right();
    desc.kind = ScanKind::inclusive;
    desc.geometry.block = 1;
    const std::string wrong = fault(desc, caps);
    EXPECT_TRUE(wrong.empty() || wrong.starts_with("refused: ")) << wrong.substr(0, 300);
}

// The strategy that needs only a fixed grid fits its grid to the device.
TEST(PlanLimits, ReduceThenScanWorksOnTheSmallestGrid) {
    for (const std::uint32_t limit : {1U, 2U, 3U, 5U}) {
        DeviceCaps caps;
        caps.max_workgroups_per_dimension = limit;
        EXPECT_EQ(fault(scan_of(30000000, Strategy::reduce_then_scan), caps), "") << limit;
    }
}

// C09: the floor of WebGPU is enough for every type and every operator.
TEST(PlanLimits, TheFloorOfWebGpuIsEnoughForEverything) {
    DeviceCaps caps = DeviceCaps::minimum();
    EXPECT_EQ(caps.max_invocations_per_workgroup, 256U);
    EXPECT_EQ(caps.max_workgroup_storage, 16384U);
    EXPECT_EQ(caps.max_storage_buffers_per_stage, 8U);
    caps.shader_f16 = true;
    for (const TypeAndOperator& pair : all_pairs()) {
        for (const Strategy strategy :
             {Strategy::reduce_then_scan, Strategy::multi_level, Strategy::serial}) {
            for (const BlockScan block_scan : {BlockScan::automatic, BlockScan::hillis_steele,
                                               BlockScan::blelloch, BlockScan::blelloch_padded}) {
                // With everything that takes a binding: a count on the GPU, an initial value, three chunks.
                Request request = request_of(pair, strategy, block_scan, 1U | 4U | 8U | 16U);
                caps.max_storage_binding_size = request.caps.max_storage_binding_size;
                EXPECT_EQ(fault(request.desc, caps), "");
            }
        }
    }
}

TEST(PlanLimits, LargeElementsGetSmallerWorkgroupsUntilNoneFits) {
    const DeviceCaps caps = capable_device();
    for (const BlockScan block_scan : block_scans) {
        bool refused = false;
        for (const std::uint32_t words :
             {16U, 64U, 256U, 1024U, 1363U, 1364U, 2045U, 4088U, 4092U, 4096U, 16384U}) {
            ScanDesc desc = scan_of(1000, Strategy::reduce_then_scan, block_scan);
            desc.type = struct_of_words(words);
            desc.op = *Operator::custom(
                {.name = "last", .wgsl = "fn combine(a: T, b: T) -> T { return b; }", .identity = "T()"});
            desc.count_on_gpu = true;
            const std::string wrong = fault(desc, caps);
            EXPECT_FALSE(refused && wrong.empty()) << "a larger element fits where a smaller one did not";
            refused = refused || wrong.starts_with("refused: ");
            EXPECT_TRUE(wrong.empty() || wrong.starts_with("refused: The block scan "))
                << words << ": " << wrong;
        }
        EXPECT_TRUE(refused) << to_string(block_scan) << " has room for anything?";
    }
}

// One invocation after the other needs no workgroup memory: the reference for large elements.
TEST(PlanLimits, TheSerialScanTakesElementsThatNoBlockScanHolds) {
    ScanDesc desc = scan_of(100, Strategy::serial);
    desc.type = struct_of_words(8192);
    desc.op = take_right();
    desc.kind = ScanKind::inclusive;
    EXPECT_EQ(fault(desc, {}), "");
}

// C39, at the border between one chunk and two.
TEST(PlanLimits, TheScratchGrowsWithTheCountOverTheFirstChunksEnd) {
    const DeviceCaps caps = capable_device();
    for (const std::uint32_t words : {1U, 3U, 65U, 257U, 1364U}) {
        ScanDesc desc = scan_of(1, Strategy::multi_level);
        desc.type = struct_of_words(words);
        desc.op = take_right();
        desc.kind = ScanKind::inclusive;
        const std::uint64_t fits = caps.max_storage_binding_size / desc.type.stride;
        std::uint64_t before = 0;
        for (std::uint64_t count = fits - 70; count < fits + 70; ++count) {
            desc.count = count;
            const auto plan = plan_scan(desc, caps);
            if (!plan) break;
            EXPECT_LE(before, plan->scratch_bytes)
                << words << " words, " << count << " elements, " << fits << " fit";
            before = plan->scratch_bytes;
        }
    }
}

// A tile of one element does not make its totals fewer: levels over levels without end. In a process of its
// own that cannot take the machine along.
TEST(PlanLimitsDeathTest, MultiLevelEndsWithATileOfOneElement) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto plan_it = [] {
        alarm(5);
#ifndef __SANITIZE_ADDRESS__
        const rlimit limit{std::uint64_t{1} << 31U, std::uint64_t{1} << 31U};
        setrlimit(RLIMIT_AS, &limit);
#endif
        ScanDesc desc = scan_of(1000, Strategy::multi_level, BlockScan::hillis_steele);
        desc.type = types::u64;
        desc.geometry.block = 1;
        const DeviceCaps caps;
        const auto plan = plan_scan(desc, caps);
        std::_Exit(plan && !fault_in(*plan, desc, caps).empty() ? 1 : 0);
    };
    EXPECT_EXIT(plan_it(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace upsweep::test
