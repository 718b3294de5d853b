// Compaction on a device, against loops on the CPU.
#include "tests/gpu/compaction.h"
#include "tests/gpu/operators.h"
#include "upsweep/reduce/reduce.h"
#include "upsweep/scan/scan.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

Numbers flags_for(std::uint64_t count, std::uint32_t seed) {
    return from_bytes<std::uint32_t>(random_elements(types::u32, count, seed));
}
// By each strategy.
void expect_compacted(const Launcher& launcher, CompactDesc desc, const Numbers& x, const Numbers& flags,
                      std::optional<std::uint32_t> gpu_count = {}) {
    for (const CompactStrategy strategy : {CompactStrategy::reduce_then_scan, CompactStrategy::lookback}) {
        desc.strategy = strategy;
        expect_compacted_so(launcher, desc, x, flags, gpu_count);
    }
    desc.strategy = CompactStrategy::lookback_then_rest;
    if (can_leave_rest(launcher, desc)) expect_compacted_so(launcher, desc, x, flags, gpu_count);
    desc.strategy = CompactStrategy::automatic;  // Up to a tile, a single block.
    if (desc.count <= 128) expect_compacted_so(launcher, desc, x, flags, gpu_count);
}

TEST(Compact, DocumentedExample) {
    CompactDesc desc = small_compaction(8);
    desc.keep = "fn keep(x: T, i: u32) -> bool { return x > 2u; }";
    const auto plan = plan_compact(desc, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->steps.size(), 1U);
    const SelectionOutcome out = run_selection(gpu(), *plan, {3, 1, 7, 0, 4, 1, 6, 3}, {0}, {});
    EXPECT_EQ(Numbers(out.elements.begin(), out.elements.begin() + 6), (Numbers{3, 7, 4, 6, 3, poison}));
    EXPECT_EQ(Numbers(out.indices.begin(), out.indices.begin() + 6), (Numbers{0, 2, 4, 6, 7, poison}));
    EXPECT_EQ(out.total[0], 5U);
}

// C19, C59: every form of condition at sizes around every edge.
TEST(Compact, ConditionsAndSizes) {
    for (const ConditionKind condition :
         {ConditionKind::predicate, ConditionKind::flags, ConditionKind::bit_mask}) {
        for (const Launcher& launcher : gpu_launchers()) {
            for (const std::uint64_t count : {0, 1, 2, 31, 32, 33, 127, 128, 129, 511, 640, 641, 2003}) {
                CompactDesc desc = small_compaction(count);
                desc.condition = condition;
                if (condition != ConditionKind::predicate) desc.keep.clear();
                const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, count, 3));
                expect_compacted(launcher, desc, x, flags_for(count, 4));
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

// Data in parts: conditions of every kind see the parts' own flags, and indices that go on from part to part.
TEST(Compact, FirstIndexOfAPart) {
    for (const ConditionKind condition :
         {ConditionKind::predicate, ConditionKind::flags, ConditionKind::bit_mask}) {
        for (const Launcher& launcher : gpu_launchers()) {
            for (const std::uint64_t count : {0, 5, 700}) {
                const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, count, 3));
                CompactDesc desc = small_compaction(count);
                desc.condition = condition;
                desc.first_index = 0xFFFF0000;
                adapt(launcher, desc);
                const bool by_index = condition == ConditionKind::predicate;
                desc.keep = by_index ? "fn keep(x: T, i: u32) -> bool { return i % 3u == 1u; }" : "";
                const auto plan = plan_compact(desc, device_of(launcher).caps());
                ASSERT_TRUE(plan) << plan.error().message;
                const SelectionOutcome out = run_selection(
                    device_of(launcher), *plan, x, condition == ConditionKind::bit_mask ? bits_of(x) : x, {});
                std::size_t kept = 0;
                for (std::uint32_t at = 0; at < count; ++at) {
                    const std::uint32_t i = desc.first_index + at;
                    if (by_index ? i % 3 != 1 : x[at] == 0) continue;
                    ASSERT_EQ(out.indices[kept], i) << launcher.name;
                    ASSERT_EQ(out.elements[kept], x[at]) << launcher.name;
                    ++kept;
                }
                EXPECT_EQ(out.total[0], kept);
                EXPECT_EQ(out.indices[kept], poison);
            }
        }
    }
    CompactDesc desc = small_compaction(0x10000);
    desc.first_index = 0xFFFF0000;
    EXPECT_EQ(plan_compact(desc, gpu().caps()).error().code, ErrorCode::limit_exceeded);
    desc.first_index = 1;
    desc.count_on_gpu = true;
    EXPECT_EQ(plan_compact(desc, gpu().caps()).error().code, ErrorCode::invalid_argument);
}

TEST(Compact, EveryBlockScan) {
    for (const BlockScan block_scan :
         {BlockScan::hillis_steele, BlockScan::blelloch, BlockScan::blelloch_padded, BlockScan::subgroup}) {
        for (const std::uint32_t emulated : {0U, 4U, 32U}) {
            if (block_scan != BlockScan::subgroup && emulated != 0) continue;
            if (block_scan == BlockScan::subgroup && emulated == 0 && !gpu().caps().subgroups) continue;
            CompactDesc desc = small_compaction(1777);
            desc.block_scan = block_scan;
            desc.emulated_subgroup_size = emulated;
            const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, 1777, 3));
            expect_compacted(default_launcher(), desc, x, x);
        }
    }
}

// C08, C19: all, none and the last one; no clamped or summed flag.
TEST(Compact, ExtremeFlags) {
    for (const ConditionKind condition : {ConditionKind::flags, ConditionKind::bit_mask}) {
        for (const std::size_t count : {6U, 1000U}) {
            const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, count, 9));
            CompactDesc desc = small_compaction(count);
            desc.condition = condition;
            desc.keep.clear();
            Numbers last(count, 0);
            last.back() = 256;
            for (const Numbers& flags :
                 {Numbers(count, 0), Numbers(count, 1), Numbers(count, 0xFFFFFFFF), last})
                expect_compacted(default_launcher(), desc, x, flags);
        }
    }
    CompactDesc desc = small_compaction(6);
    desc.condition = ConditionKind::flags;
    desc.keep.clear();
    expect_compacted(default_launcher(), desc, {10, 11, 12, 13, 14, 15}, {0, 2, 0xFFFFFFFF, 1, 0, 256});
}

TEST(Compact, CountOnTheGpuAndCapacity) {
    const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, 1500, 3));
    for (const ConditionKind condition :
         {ConditionKind::predicate, ConditionKind::flags, ConditionKind::bit_mask}) {
        for (const std::uint64_t capacity : {0, 1, 100, 1500, 9000}) {
            CompactDesc desc = small_compaction(1500);
            desc.condition = condition;
            if (condition != ConditionKind::predicate) desc.keep.clear();
            desc.capacity = capacity;
            expect_compacted(default_launcher(), desc, x, x);
            desc.count_on_gpu = true;
            for (const std::uint32_t count : {0U, 1U, 129U, 1500U, 1501U, 0xFFFFFFFFU})
                expect_compacted(default_launcher(), desc, x, x, count);
            if (::testing::Test::HasFailure()) return;
        }
    }
}

TEST(Compact, OnlyIndicesOrOnlyTheCount) {
    const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, 900, 3));
    for (const ConditionKind condition :
         {ConditionKind::predicate, ConditionKind::flags, ConditionKind::bit_mask}) {
        for (const std::uint64_t count : {50, 900}) {
            CompactDesc desc = small_compaction(count);
            desc.condition = condition;
            if (condition != ConditionKind::predicate) desc.keep.clear();
            desc.elements = false;
            const Numbers part(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
            expect_compacted(default_launcher(), desc, part, part);
            desc.indices = false;
            expect_compacted(default_launcher(), desc, part, part);
        }
    }
}

TEST(Compact, WideElements) {
    for (const std::uint64_t count : {1, 63, 64, 65, 700, 701}) {
        const auto bytes = random_elements(particle_type(), count, 12);
        const Numbers words = from_bytes<std::uint32_t>(bytes);
        CompactDesc desc = small_compaction(count);
        desc.type = particle_type();
        desc.keep = "fn keep(x: T, i: u32) -> bool { return (x.age & 1u) != 0u && i != 3u; }";
        desc.geometry.rows = 0;
        if (count == 701) desc.strategy = CompactStrategy::lookback;
        const auto plan = plan_compact(desc, gpu().caps());
        ASSERT_TRUE(plan) << plan.error().message;
        const SelectionOutcome out = run_selection(gpu(), *plan, words, {0}, {});
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if ((words[i * 16 + 14] & 1U) == 0 || i == 3) continue;
            ASSERT_EQ(out.indices[kept], i);
            for (const std::size_t word : {0U, 1U, 2U, 3U, 4U, 6U, 13U, 14U})
                ASSERT_EQ(out.elements[kept * 16 + word], words[i * 16 + word]);
            ++kept;
        }
        EXPECT_EQ(out.total[0], kept);
        EXPECT_EQ(out.indices[kept], poison);
    }
}

// C17: a bit test on words sees NaN where arithmetic need not.
TEST(Compact, FindsNanByBits) {
    CompactDesc desc = small_compaction(4);
    desc.keep = "fn keep(x: T, i: u32) -> bool { return (x & 0x7fffffffu) > 0x7f800000u; }";
    const auto plan = plan_compact(desc, gpu().caps());
    ASSERT_TRUE(plan);
    const SelectionOutcome out =
        run_selection(gpu(), *plan, {0x7F800000, 0x7FC00001, 0x3F800000, 0xFFC00002}, {0}, {});
    EXPECT_EQ(out.total[0], 2U);
    EXPECT_EQ(out.elements[0], 0x7FC00001U);
    EXPECT_EQ(out.elements[1], 0xFFC00002U);
}

TEST(Compact, ArgumentsOfIndirectCommands) {
    const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, 900, 3));
    std::uint32_t kept = 0;
    for (const std::uint32_t value : x) kept += value & 1U;
    for (const std::uint64_t count : {0, 900}) {
        const std::uint32_t n = count == 0 ? 0 : kept;
        const auto arguments = [&](const ArgumentsDesc& wanted, std::uint64_t capacity = 0) {
            CompactDesc desc = small_compaction(count);
            desc.arguments = wanted;
            desc.capacity = capacity;
            const auto plan = plan_compact(desc, gpu().caps());
            EXPECT_TRUE(plan) << plan.error().message;
            return run_selection(gpu(), *plan, count == 0 ? Numbers{0} : x, {0}, {}).arguments;
        };
        const Numbers p(8, poison);
        EXPECT_EQ(arguments({.kind = ArgumentsKind::dispatch, .group_size = 64}),
                  (n == 0 ? Numbers{0, 0, 0, p[0], p[0], p[0], p[0], p[0]}
                          : Numbers{(n + 63) / 64, 1, 1, p[0], p[0], p[0], p[0], p[0]}));
        EXPECT_EQ(
            arguments(
                {.kind = ArgumentsKind::draw_vertices, .other_count = 7, .first = 8, .first_instance = 9}),
            (Numbers{n, 7, 8, 9, p[0], p[0], p[0], p[0]}));
        EXPECT_EQ(
            arguments(
                {.kind = ArgumentsKind::draw_instances, .other_count = 7, .first = 8, .first_instance = 9}),
            (Numbers{7, n, 8, 9, p[0], p[0], p[0], p[0]}));
        EXPECT_EQ(arguments({.kind = ArgumentsKind::draw_indexed_indices,
                             .other_count = 7,
                             .first = 8,
                             .base_vertex = -2,
                             .first_instance = 9}),
                  (Numbers{n, 7, 8, 0xFFFFFFFE, 9, p[0], p[0], p[0]}));
        EXPECT_EQ(arguments({.kind = ArgumentsKind::draw_indexed_instances,
                             .other_count = 7,
                             .first = 8,
                             .base_vertex = -2,
                             .first_instance = 9}),
                  (Numbers{7, n, 8, 0xFFFFFFFE, 9, p[0], p[0], p[0]}));
        // What was written counts, not what there was.
        EXPECT_EQ(arguments({.kind = ArgumentsKind::draw_instances, .other_count = 3}, 10)[1],
                  std::min(n, 10U));
    }
}

// The grid of a dispatch is folded past 65535 workgroups; one invocation each makes that cheap to see.
TEST(Compact, FoldedDispatchArguments) {
    CompactDesc desc;
    desc.keep = "fn keep(x: T, i: u32) -> bool { return true; }";
    desc.elements = false;
    desc.count = 70000;
    desc.arguments = {.kind = ArgumentsKind::dispatch, .group_size = 1};
    const auto plan = plan_compact(desc, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    const SelectionOutcome out = run_selection(gpu(), *plan, Numbers(70000, 1), {0}, {});
    EXPECT_EQ(out.total[0], 70000U);
    EXPECT_LE(out.arguments[0], 65535U);
    EXPECT_GE(out.arguments[0] * out.arguments[1], 70000U);
    EXPECT_EQ(out.arguments[2], 1U);
}

TEST(Compact, ErrorsNameTheLine) {
    CompactDesc desc = small_compaction(100);
    desc.keep = "fn keep(x: T, i: u32) -> bool {\n    return x > y;\n}";
    auto plan = plan_compact(desc, gpu().caps());
    ASSERT_TRUE(plan);
    const auto compiled = gpu().context().compile(*plan);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, ErrorCode::compile_failed);
    EXPECT_NE(compiled.error().message.find("predicate, line 2"), std::string::npos)
        << compiled.error().message;
    desc.keep = "fn keep(x: T, i: u32) -> u32 { return 1u; }";
    const auto wrong = gpu().context().compile(*plan_compact(desc, gpu().caps()));
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("predicate, line 1"), std::string::npos) << wrong.error().message;
    desc.keep = "fn other(x: T) -> bool { return true; }";
    EXPECT_EQ(plan_compact(desc, gpu().caps()).error().code, ErrorCode::invalid_argument);
    desc.keep = "fn keep(x: T, i: u32) -> bool { return true; }";
    desc.count = 0x100000000;
    EXPECT_EQ(plan_compact(desc, gpu().caps()).error().code, ErrorCode::limit_exceeded);
}

// C52: compact -> scan -> reduce, the count handed on in GPU buffers, a hundred times in one submit.
// Compaction, scan of what it kept, sum of the scan: counts go from one to the next on the GPU, 100 times in one submit.
void expect_chain(CompactStrategy compact_by, Strategy scan_by) {
    const std::uint32_t count = 3000;
    const Numbers x = from_bytes<std::uint32_t>(random_elements(types::u32, count, 21));
    CompactDesc compact = small_compaction(count);
    compact.indices = false;
    compact.strategy = compact_by;
    ScanDesc scan;
    scan.kind = ScanKind::inclusive;
    scan.count = count;
    scan.count_on_gpu = true;
    scan.strategy = scan_by;
    scan.geometry = {32, 2, 5};
    ReduceDesc reduce;
    reduce.count = count;
    reduce.count_on_gpu = true;
    auto compact_plan = plan_compact(compact, gpu().caps());
    auto scan_plan = plan_scan(scan, gpu().caps());
    auto reduce_plan = plan_reduce(reduce, gpu().caps());
    ASSERT_TRUE(compact_plan && scan_plan && reduce_plan);
    const BufferHandle input = uploaded(gpu(), x), kept = uploaded(gpu(), Numbers(count, poison)),
                       sums = uploaded(gpu(), Numbers(count, poison)), total = uploaded(gpu(), {poison}),
                       result = uploaded(gpu(), {poison});
    auto first = gpu().context().bind(
        *compact_plan, {.input = {input.get()}, .output = {kept.get()}, .total = {total.get()}});
    auto second = gpu().context().bind(
        *scan_plan, {.input = {kept.get()}, .output = {sums.get()}, .count = {total.get()}});
    auto third = gpu().context().bind(
        *reduce_plan, {.input = {sums.get()}, .output = {result.get()}, .count = {total.get()}});
    ASSERT_TRUE(first && second && third);
    const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        for (int i = 0; i < 100; ++i) {
            for (const Job* job : {&*first, &*second, &*third}) {
                if (auto recorded = job->record(encoder); !recorded) return recorded;
            }
        }
        return {};
    });
    ASSERT_TRUE(ok) << ok.error().message;
    Numbers expected;
    std::uint32_t sum = 0;
    std::uint32_t sum_of_sums = 0;
    for (const std::uint32_t value : x) {
        if ((value & 1U) == 0) continue;
        expected.push_back(sum += value);
        sum_of_sums += sum;
    }
    Numbers actual(count);
    Numbers reduced(1);
    ASSERT_TRUE(gpu().read(sums.get(), 0, std::as_writable_bytes(std::span(actual))));
    ASSERT_TRUE(gpu().read(result.get(), 0, std::as_writable_bytes(std::span(reduced))));
    expected.resize(count, poison);
    EXPECT_EQ(actual, expected);
    EXPECT_EQ(reduced[0], sum_of_sums);
}

TEST(Compact, ChainWithoutAHostWait) {
    expect_chain(CompactStrategy::reduce_then_scan, Strategy::reduce_then_scan);
    expect_chain(CompactStrategy::lookback, Strategy::lookback);
    if (gpu().caps().subgroups)
        expect_chain(CompactStrategy::lookback_then_rest, Strategy::lookback_then_rest);
}

}  // namespace
}  // namespace upsweep::testing
