// What is the look-back's own: sums that do not come, states that are ready for the next run, and the bits of floats.
#include "tests/gpu/buffers.h"
#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"
#include "tests/gpu/selection.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

// Those that the device can do.
std::vector<Strategy> lookbacks() {
    if (!gpu().caps().subgroups) return {Strategy::lookback};
    return {Strategy::lookback, Strategy::lookback_then_rest};
}

ScanDesc small_lookback(std::uint64_t count, Strategy strategy) {
    ScanDesc desc;
    desc.strategy = strategy;
    desc.geometry.block = 32;
    desc.geometry.groups = 5;
    desc.count = count;
    return desc;
}

// Every withheld tile but the last must have been recomputed by somebody, or computed by the rest; the states say how many were.
void expect_recomputed(ScanDesc desc, bool in_place) {
    const auto plan = plan_scan(desc, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    SCOPED_TRACE(to_string(*plan) + (in_place ? "in place" : "") + ", withheld " +
                 std::to_string(static_cast<int>(desc.withhold)));
    const auto input = random_elements(desc.type, desc.count, 4);
    std::vector<std::byte> expected(input.size());
    ASSERT_TRUE(scan_serial_cpu(desc, input, expected));
    const BufferHandle x = uploaded(input), y = uploaded(expected);
    const BufferHandle scratch = uploaded(std::vector<std::byte>(plan->scratch_bytes, std::byte{0xFF}));
    auto job = gpu().context().bind(
        *plan, {.input = {x.get()}, .output = {in_place ? x.get() : y.get()}, .scratch = {scratch.get()}});
    ASSERT_TRUE(job) << job.error().message;
    ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
    const auto got = downloaded(in_place ? x.get() : y.get(), input.size());
    const auto [wrong, right] = std::mismatch(got.begin(), got.end(), expected.begin());
    EXPECT_TRUE(wrong == got.end()) << "element " << (wrong - got.begin()) / desc.type.stride << " is wrong";
    const std::uint32_t recomputed = from_bytes<std::uint32_t>(downloaded(scratch.get(), 16))[3];
    // A workgroup alone waits for nobody: then the first dispatch does all.
    if (desc.withhold == Withhold::none && desc.geometry.groups == 1) {
        EXPECT_EQ(recomputed, 0U);
    }
    const std::uint64_t tiles = divide_up(desc.count, plan->steps.back().spec.tile());
    if (desc.withhold == Withhold::none || tiles < 2) return;
    const std::uint64_t withheld = desc.withhold == Withhold::first          ? 1
                                   : desc.withhold == Withhold::every_second ? (tiles - 1) / 2
                                                                             : tiles - 1;
    EXPECT_GE(recomputed, withheld);
}

void expect_end(Withhold withhold, Strategy strategy, BlockScan block_scan, bool in_place) {
    ScanDesc desc = small_lookback(100, strategy);
    desc.withhold = withhold;
    desc.block_scan = block_scan;
    expect_recomputed(desc, in_place);
    desc.count = 9000;
    expect_recomputed(desc, in_place);
    desc.type = mat_type();
    desc.op = mat_product_without_identity();
    desc.kind = ScanKind::inclusive;
    desc.count = 2000;
    expect_recomputed(desc, in_place);
    if (strategy == Strategy::lookback_then_rest) {
        desc.geometry.rows = 8;  // Some wait in workgroup memory.
        expect_recomputed(desc, in_place);
        desc.geometry.rows = 0;
    }
    if (withhold == Withhold::all) {
        desc.initial = random_elements(mat_type(), 1, 77);
        expect_recomputed(desc, in_place);
    }
}

TEST(LookBack, EndsWithoutTheSumsThatAreWithheld) {
    for (const Withhold withhold : {Withhold::none, Withhold::first, Withhold::every_second, Withhold::all}) {
        for (const bool in_place : {false, true}) {
            for (const Strategy strategy : lookbacks())
                expect_end(withhold, strategy, BlockScan::automatic, in_place);
            expect_end(withhold, Strategy::lookback, BlockScan::blelloch, in_place);
            if (::testing::Test::HasFailure()) return;
        }
    }
}

TEST(LookBack, NothingIsLeftToTheRestWhereNobodyWaits) {
    for (const Strategy strategy : lookbacks()) {
        for (const std::uint64_t count : {1000, 9000, 32 * 16 * 16}) {
            ScanDesc desc = small_lookback(count, strategy);
            desc.geometry.groups = 1;
            expect_recomputed(desc, false);
            expect_recomputed(desc, true);
        }
    }
}

// Whole tiles and one that is not, several for each workgroup and none at all.
TEST(LookBack, WholeTilesAndTheRest) {
    DeviceCaps any_size = gpu().caps();  // Subgroups of which no size is known.
    any_size.subgroup_min_size = 4;
    any_size.subgroup_max_size = 128;
    if (!gpu().caps().subgroups) {
        EXPECT_EQ(plan_scan(small_lookback(1, Strategy::lookback_then_rest), gpu().caps()).error().code,
                  ErrorCode::unsupported);
        return;
    }
    struct Case {
        ElementType type;
        Operator op;
    };
    for (const auto& [type, op] : {Case{types::u32, Operator::plus()},
                                   {types::i32, Operator::max()},
                                   {*ElementType::parse("u64"), Operator::plus()},
                                   {mat_type(), mat_product_without_identity()}}) {
        for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
            for (const std::uint32_t rows : {0U, 1U, 8U}) {  // Of the 8, some wait in workgroup memory.
                ScanDesc desc = small_lookback(1, Strategy::lookback_then_rest);
                desc.type = type;
                desc.op = op;
                desc.kind = kind;
                desc.geometry.rows = rows;
                if (!op.has_identity()) desc.initial = random_elements(type, 1, 3);
                const std::uint64_t tile = plan_scan(desc, gpu().caps())->steps.back().spec.tile();
                for (const std::uint64_t count :
                     {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile, tile + 1, 5 * tile, 7 * tile + 3,
                      31 * tile, 64 * tile - 1}) {
                    desc.count = count;
                    expect_scan(default_launcher(), desc, {.in_place = rows == 1});
                    if (rows != 1)
                        expect_scan(default_launcher(), desc, {.in_place = rows == 8, .caps = &any_size});
                    if (rows == 8) expect_scan(default_launcher(), desc, {.in_place = true});
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }
}

// A job's own scratch is never cleared: each run leaves the states ready for the next one, whatever its count.
void expect_ready_states(Strategy strategy, Withhold withhold) {
    ScanDesc desc = small_lookback(9000, strategy);
    desc.withhold = withhold;
    desc.kind = ScanKind::inclusive;
    const auto plan = plan_scan(desc, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto input = random_elements(types::u32, desc.count, 6);
    // Without immediates a job has one count, and runs again and again with it.
    const std::vector<std::uint64_t> counts =
        gpu().caps().immediates
            ? std::vector<std::uint64_t>{9000, 300, 9000, 0, 1, 5000, 9000, 9000, 129, 8999}
            : std::vector<std::uint64_t>{9000, 9000, 9000};
    const BufferHandle x = uploaded(input), y = uploaded(input, 0);
    const BufferHandle log = uploaded(std::vector<std::byte>(input.size() * counts.size()));
    auto job = gpu().context().bind(*plan, {.input = {x.get()}, .output = {y.get()}});
    ASSERT_TRUE(job) << job.error().message;
    const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        for (std::size_t run = 0; run < counts.size(); ++run) {
            wgpuCommandEncoderClearBuffer(encoder, y.get(), 0, input.size());
            if (auto recorded = job->record(encoder, {.count = counts[run]}); !recorded) return recorded;
            wgpuCommandEncoderCopyBufferToBuffer(encoder, y.get(), 0, log.get(), run * input.size(),
                                                 input.size());
        }
        return {};
    });
    ASSERT_TRUE(ok) << ok.error().message;
    const Numbers words = from_bytes<std::uint32_t>(input);
    const Numbers got = from_bytes<std::uint32_t>(downloaded(log.get(), input.size() * counts.size()));
    for (std::size_t run = 0; run < counts.size(); ++run) {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            sum += words[i];
            ASSERT_EQ(got[run * words.size() + i], i < counts[run] ? sum : 0)
                << "run " << run << ", element " << i;
        }
    }
}

TEST(LookBack, LeavesItsStatesReadyForTheNextRun) {
    for (const Strategy strategy : lookbacks()) {
        for (const Withhold withhold : {Withhold::none, Withhold::first, Withhold::every_second})
            expect_ready_states(strategy, withhold);
    }
}

// Chunks share the states, one after the other, and so do the runs.
void expect_ready_chunks(Strategy strategy) {
    DeviceCaps caps = gpu().caps();
    caps.max_storage_binding_size = 16384;
    ScanDesc desc = small_lookback(10001, strategy);
    desc.kind = ScanKind::inclusive;
    desc.initial = to_bytes<std::uint32_t>({7});
    const auto plan = plan_scan(desc, caps);
    ASSERT_TRUE(plan) << plan.error().message;
    // Three chunks, and what clears given scratch.
    ASSERT_EQ(plan->steps.size(), strategy == Strategy::lookback ? 4U : 7U) << to_string(*plan);
    const auto input = random_elements(types::u32, desc.count, 6);
    std::vector<std::byte> expected(input.size());
    ASSERT_TRUE(scan_serial_cpu(desc, input, expected));
    const BufferHandle x = uploaded(input), y = uploaded(input);
    auto job = gpu().context().bind(*plan, {.input = {x.get()}, .output = {y.get()}});
    ASSERT_TRUE(job) << job.error().message;
    for (int run = 0; run < 4; ++run) {
        ASSERT_TRUE(gpu().write(y.get(), 0, std::vector<std::byte>(input.size())));
        ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
        ASSERT_TRUE(downloaded(y.get(), input.size()) == expected) << "run " << run;
    }
}

TEST(LookBack, ChunksLeaveTheStatesReadyToo) {
    for (const Strategy strategy : lookbacks()) expect_ready_chunks(strategy);
}

TEST(LookBack, WhatIsRefused) {
    DeviceCaps caps = gpu().caps();
    caps.kind = AdapterKind::discrete;
    caps.max_storage_binding_size = 1024;
    ScanDesc desc;
    desc.strategy = Strategy::lookback;
    desc.block_scan = BlockScan::blelloch;
    desc.type = mat_type();
    desc.op = mat_product();
    desc.geometry.block = 1;
    desc.count = 64;
    const auto states = plan_scan(desc, caps);
    ASSERT_FALSE(states);
    EXPECT_EQ(states.error().code, ErrorCode::limit_exceeded);
    EXPECT_NE(states.error().message.find("The states of the tiles need"), std::string::npos);

    caps = gpu().caps();
    caps.subgroups = true;
    caps.subgroup_min_size = 16;
    caps.subgroup_max_size = 64;
    desc = {};
    desc.strategy = Strategy::lookback;
    desc.type = types::f32;
    desc.geometry.block = 96;
    desc.count = 1000;
    const auto uneven = plan_scan(desc, caps);
    ASSERT_FALSE(uneven);
    EXPECT_EQ(uneven.error().code, ErrorCode::unsupported);
    desc.strategy = Strategy::lookback_then_rest;  // Nothing is recomputed there.
    EXPECT_TRUE(plan_scan(desc, caps));
    desc.strategy = Strategy::automatic;
    EXPECT_TRUE(plan_scan(desc, caps));

    desc.strategy = Strategy::lookback_then_rest;
    desc.deterministic = true;
    EXPECT_EQ(plan_scan(desc, caps).error().code, ErrorCode::invalid_argument);
    desc.type = types::u32;
    EXPECT_TRUE(plan_scan(desc, caps));
    desc.block_scan = BlockScan::blelloch;
    desc.geometry.block = 64;
    const auto shared = plan_scan(desc, caps);
    ASSERT_FALSE(shared);
    EXPECT_EQ(shared.error().code, ErrorCode::unsupported);
}

// By the device and the size of the data; plans alone.
TEST(LookBack, WhenTheRestIsLeft) {
    const auto planned = [](AdapterKind kind, std::uint64_t count, const char* type = "u32",
                            const Operator& op = Operator::plus()) -> Shape {
        const auto plan =
            plan_scan({.type = *ElementType::parse(type), .op = op, .count = count}, large_device(kind));
        EXPECT_TRUE(plan) << plan.error().message;
        return plan ? shape_of_whole_tiles(*plan) : Shape{};
    };
    using enum AdapterKind;
    EXPECT_EQ(planned(discrete, (1U << 24U) - 1), Shape{});
    EXPECT_EQ(planned(discrete, 1U << 24U), (Shape{256, 4, 792}));
    EXPECT_EQ(planned(discrete, 1U << 25U), (Shape{512, 6, 264}));
    EXPECT_EQ(planned(discrete, 1U << 23U, "u64"), (Shape{512, 8, 264}));
    EXPECT_EQ(planned(discrete, 1U << 24U, "u64"), (Shape{512, 12, 264}));
    EXPECT_EQ(planned(discrete, 1U << 22U, "vec4f"), (Shape{512, 4, 264}));
    EXPECT_EQ(planned(discrete, 1U << 23U, "vec4f"), (Shape{512, 6, 264}));
    for (const AdapterKind kind : {integrated, unknown, cpu}) EXPECT_EQ(planned(kind, 1U << 27U), Shape{});
}

// Many submits of one job, with a count on the GPU that changes between them.
void expect_changing_counts(Strategy strategy) {
    ScanDesc desc = small_lookback(7000, strategy);
    desc.count_on_gpu = true;
    desc.kind = ScanKind::inclusive;
    const auto plan = plan_scan(desc, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto input = random_elements(types::u32, desc.count, 8);
    const BufferHandle x = uploaded(input), y = uploaded(input), n = uploaded(std::vector<std::byte>(4));
    auto job = gpu().context().bind(*plan, {.input = {x.get()}, .output = {y.get()}, .count = {n.get()}});
    ASSERT_TRUE(job) << job.error().message;
    const Numbers words = from_bytes<std::uint32_t>(input);
    for (const std::uint32_t count : {7000U, 3U, 7000U, 0U, 4000U, 6999U, 1U, 7000U, 0xFFFFFFFFU}) {
        const Numbers blank(words.size(), 0xDEADBEEF);
        ASSERT_TRUE(gpu().write(y.get(), 0, std::as_bytes(std::span(blank))));
        ASSERT_TRUE(gpu().write(n.get(), 0, std::as_bytes(std::span(&count, 1))));
        ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
        const Numbers got = from_bytes<std::uint32_t>(downloaded(y.get(), input.size()));
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (i >= count) {
                ASSERT_EQ(got[i], 0xDEADBEEF) << i << " of " << count;
                continue;
            }
            sum += words[i];
            ASSERT_EQ(got[i], sum) << i << " of " << count;
        }
    }
}

TEST(LookBack, CountsOnTheGpuFromRunToRun) {
    for (const Strategy strategy : lookbacks()) expect_changing_counts(strategy);
}

}  // namespace
}  // namespace upsweep::testing
