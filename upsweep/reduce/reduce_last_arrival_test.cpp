// What is last_arrival's own: totals that do not come, states that are ready for the next run, and the bits of floats.
#include "tests/gpu/buffers.h"
#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"
#include "upsweep/reduce/reduce.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

ReduceDesc small(std::uint64_t count, std::uint32_t groups = 5) {
    ReduceDesc desc;
    desc.strategy = ReduceStrategy::last_arrival;
    desc.geometry.block = 32;
    desc.geometry.groups = groups;
    desc.count = count;
    return desc;
}

// A run in scratch that held anything before; the states say how many totals the last workgroup has computed again.
struct Outcome {
    std::vector<std::byte> result;
    std::uint32_t recomputed = 0;
    std::uint32_t groups = 0;
};
Outcome outcome_of(const ReduceDesc& desc, const std::vector<std::byte>& input, const DeviceCaps& caps) {
    const auto plan = plan_reduce(desc, caps);
    EXPECT_TRUE(plan) << plan.error().message;
    if (!plan) return {};
    SCOPED_TRACE(to_string(*plan));
    const BufferHandle x = uploaded(input), y = uploaded({});
    const BufferHandle scratch = uploaded(std::vector<std::byte>(plan->scratch_bytes, std::byte{0xFF}));
    auto job =
        gpu().context().bind(*plan, {.input = {x.get()}, .output = {y.get()}, .scratch = {scratch.get()}});
    EXPECT_TRUE(job) << job.error().message;
    if (!job) return {};
    EXPECT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
    Outcome outcome;
    outcome.result = downloaded(y.get(), plan->output_bytes);
    const std::uint64_t states = plan->steps.back().regions.at(0).offset;
    std::memcpy(&outcome.recomputed, downloaded(scratch.get(), states + 16).data() + states + 12, 4);
    outcome.groups = static_cast<std::uint32_t>(plan->steps.back().grid.groups());
    return outcome;
}

void expect_recomputed(const ReduceDesc& desc, const DeviceCaps& caps = gpu().caps()) {
    const auto input = random_elements(desc.type, desc.count, 4);
    std::vector<std::byte> expected(desc.type.stride);
    ASSERT_TRUE(reduce_serial_cpu(desc, input, expected));
    const Outcome outcome = outcome_of(desc, input, caps);
    EXPECT_EQ(outcome.result, expected)
        << desc.type.name << " of " << desc.count << ", withheld " << static_cast<int>(desc.withhold);
    const std::uint32_t groups = outcome.groups;
    const std::uint32_t withheld = desc.withhold == Withhold::first          ? 1
                                   : desc.withhold == Withhold::every_second ? groups / 2
                                   : desc.withhold == Withhold::all          ? groups
                                                                             : 0;
    if (desc.withhold == Withhold::none) return;  // A total may come late.
    EXPECT_GE(outcome.recomputed, withheld) << "of " << groups;
}

void expect_end(Withhold withhold, BlockScan block_scan, bool shuffled) {
    for (const std::uint32_t groups : {1U, 5U, 70U}) {  // 70: several for each invocation.
        for (const std::uint64_t count : {1, 100, 9000}) {
            ReduceDesc desc = small(count, groups);
            desc.withhold = withhold;
            desc.block_scan = block_scan;
            if (shuffled) desc.emulated_subgroup_size = 8;
            expect_recomputed(desc);
        }
        ReduceDesc desc = small(3000, groups);
        desc.withhold = withhold;
        desc.block_scan = block_scan;
        if (shuffled) desc.emulated_subgroup_size = 8;
        desc.type = mat_type();
        desc.op = mat_product_without_identity();
        expect_recomputed(desc);
        desc.op = mat_product();
        desc.initial = random_elements(mat_type(), 1, 77);
        expect_recomputed(desc);
        desc = small(2000, groups);
        desc.withhold = withhold;
        desc.op = leftmost();
        expect_recomputed(desc);
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(ReduceLastArrival, EndsWithoutTheTotalsThatAreWithheld) {
    for (const Withhold withhold : {Withhold::none, Withhold::first, Withhold::every_second, Withhold::all}) {
        expect_end(withhold, BlockScan::automatic, false);
        expect_end(withhold, BlockScan::blelloch, false);
        if (::testing::Test::HasFailure()) return;
    }
    expect_end(Withhold::every_second, BlockScan::hillis_steele, false);
    expect_end(Withhold::every_second, BlockScan::subgroup, true);
}

// Subgroups of which no size is known: the order of the invocations follows from how many there are in each.
TEST(ReduceLastArrival, SubgroupsOfAnySize) {
    if (!gpu().caps().subgroups) {
        ReduceDesc none = small(9000);
        none.block_scan = BlockScan::subgroup;
        EXPECT_EQ(plan_reduce(none, gpu().caps()).error().code, ErrorCode::unsupported);
        return;
    }
    DeviceCaps any_size = gpu().caps();
    any_size.subgroup_min_size = 4;
    any_size.subgroup_max_size = 128;
    for (const std::uint32_t block : {32U, 96U}) {
        for (const std::uint32_t groups : {1U, 5U, 70U, 130U}) {
            ReduceDesc desc = small(9000, groups);
            desc.geometry.block = block;
            expect_recomputed(desc, any_size);
            desc.op = leftmost();
            expect_recomputed(desc, any_size);
            desc.type = mat_type();
            desc.op = mat_product();
            desc.count = 3000;
            expect_recomputed(desc, any_size);
            desc.withhold = Withhold::every_second;
            expect_recomputed(desc, any_size);
        }
    }
    ReduceDesc desc = small(9000);
    desc.type = types::f32;
    const auto uneven = plan_reduce(desc, any_size);
    ASSERT_FALSE(uneven);
    EXPECT_EQ(uneven.error().code, ErrorCode::unsupported);
    desc.strategy = ReduceStrategy::automatic;
    any_size.kind = AdapterKind::discrete;
    EXPECT_TRUE(plan_reduce(desc, any_size)->strategy.starts_with("two_pass"));
}

TEST(ReduceLastArrival, AllCountsAndNumbersOfWorkgroups) {
    for (const std::uint32_t groups : {1U, 2U, 31U, 32U, 33U, 64U, 65U, 130U}) {
        for (const std::uint64_t tiles : {1U, 2U, 31U, 32U, 33U, 64U, 65U, 129U, 200U}) {
            for (const int more : {-1, 0, 1}) {
                ReduceDesc desc =
                    small(static_cast<std::uint64_t>(more + 128 * static_cast<int>(tiles)), groups);
                desc.geometry.rows = 1;
                desc.block_scan = BlockScan::hillis_steele;
                expect_recomputed(desc);
                desc.op = leftmost();
                expect_recomputed(desc);
            }
        }
        if (::testing::Test::HasFailure()) return;
    }
}

// The same bits whoever combines, and whether a total has come or has been computed again.
TEST(ReduceLastArrival, BitsOfFloats) {
    ReduceDesc desc = small(20011, 33);
    desc.type = types::f32;
    desc.geometry.block = 128;  // Whole subgroups of any size.
    std::vector<float> x(desc.count);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0F / static_cast<float>(i + 1);
    const auto input = to_bytes(x);
    const auto expected = outcome_of(desc, input, gpu().caps()).result;
    EXPECT_NEAR(from_bytes<float>(expected)[0], 10.48F, 0.01F);
    for (const Withhold withhold : {Withhold::none, Withhold::first, Withhold::every_second, Withhold::all}) {
        desc.withhold = withhold;
        EXPECT_EQ(outcome_of(desc, input, gpu().caps()).result, expected) << static_cast<int>(withhold);
    }
}

// A job's own scratch is never cleared: each run leaves the states ready for the next one, whatever its count.
void expect_ready_states(Withhold withhold, const DeviceCaps& caps, std::size_t steps) {
    ReduceDesc desc = small(9000);
    desc.withhold = withhold;
    const auto plan = plan_reduce(desc, caps);
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->steps.size(), steps) << to_string(*plan);
    const auto input = random_elements(types::u32, desc.count, 6);
    // Without immediates a job has one count, and runs again and again with it.
    const std::vector<std::uint64_t> counts =
        gpu().caps().immediates && steps == 2
            ? std::vector<std::uint64_t>{9000, 300, 9000, 0, 1, 5000, 9000, 9000, 129, 8999}
            : std::vector<std::uint64_t>(7, 9000);
    const BufferHandle x = uploaded(input), y = uploaded({});
    const BufferHandle log = uploaded(std::vector<std::byte>(4 * counts.size()));
    auto job = gpu().context().bind(*plan, {.input = {x.get()}, .output = {y.get()}});
    ASSERT_TRUE(job) << job.error().message;
    const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        for (std::size_t run = 0; run < counts.size(); ++run) {
            wgpuCommandEncoderClearBuffer(encoder, y.get(), 0, 4);
            if (auto recorded = job->record(encoder, {.count = counts[run]}); !recorded) return recorded;
            wgpuCommandEncoderCopyBufferToBuffer(encoder, y.get(), 0, log.get(), run * 4, 4);
        }
        return {};
    });
    ASSERT_TRUE(ok) << ok.error().message;
    const auto words = from_bytes<std::uint32_t>(input);
    const auto got = from_bytes<std::uint32_t>(downloaded(log.get(), 4 * counts.size()));
    for (std::size_t run = 0; run < counts.size(); ++run) {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < counts[run]; ++i) sum += words[i];
        EXPECT_EQ(got[run], sum) << "run " << run;
    }
}

TEST(ReduceLastArrival, LeavesItsStatesReadyForTheNextRun) {
    DeviceCaps chunks = gpu().caps();
    chunks.max_storage_binding_size = 16384;
    for (const Withhold withhold : {Withhold::none, Withhold::first, Withhold::every_second, Withhold::all}) {
        expect_ready_states(withhold, gpu().caps(), 2);
        expect_ready_states(withhold, chunks, 4);  // The last chunk has fewer workgroups than the first.
    }
}

// Each clears what is not its own.
TEST(ReduceLastArrival, SharesScratchWithALookBack) {
    const auto reduce = plan_reduce(small(9000), gpu().caps());
    const auto scan = plan_scan({.kind = ScanKind::inclusive,
                                 .count = 9000,
                                 .strategy = Strategy::lookback,
                                 .geometry = {.block = 32, .groups = 5}},
                                gpu().caps());
    ASSERT_TRUE(reduce && scan);
    const auto input = random_elements(types::u32, 9000, 6);
    const BufferHandle x = uploaded(input), y = uploaded(input), total = uploaded({});
    const BufferHandle scratch = uploaded(
        std::vector<std::byte>(std::max(reduce->scratch_bytes, scan->scratch_bytes), std::byte{0xFF}));
    auto a = gpu().context().bind(*reduce,
                                  {.input = {x.get()}, .output = {total.get()}, .scratch = {scratch.get()}});
    auto b =
        gpu().context().bind(*scan, {.input = {x.get()}, .output = {y.get()}, .scratch = {scratch.get()}});
    ASSERT_TRUE(a && b);
    ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        for (const Job* job : {&*a, &*b, &*a, &*b, &*b, &*a}) {
            if (auto recorded = job->record(encoder); !recorded) return recorded;
        }
        return {};
    }));
    std::vector<std::uint32_t> expected = from_bytes<std::uint32_t>(input);
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    EXPECT_EQ(from_bytes<std::uint32_t>(downloaded(y.get(), input.size())), expected);
    EXPECT_EQ(from_bytes<std::uint32_t>(downloaded(total.get(), 4))[0], expected.back());
}

// Many submits of one job, with a count on the GPU that changes between them.
TEST(ReduceLastArrival, CountsOnTheGpuFromRunToRun) {
    ReduceDesc desc = small(7000);
    desc.count_on_gpu = true;
    const auto plan = plan_reduce(desc, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto input = random_elements(types::u32, desc.count, 8);
    const BufferHandle x = uploaded(input), y = uploaded({}), n = uploaded(std::vector<std::byte>(4));
    auto job = gpu().context().bind(*plan, {.input = {x.get()}, .output = {y.get()}, .count = {n.get()}});
    ASSERT_TRUE(job) << job.error().message;
    const auto words = from_bytes<std::uint32_t>(input);
    for (const std::uint32_t count : {7000U, 3U, 7000U, 0U, 4000U, 6999U, 1U, 7000U, 0xFFFFFFFFU}) {
        ASSERT_TRUE(gpu().write(n.get(), 0, std::as_bytes(std::span(&count, 1))));
        ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(count, words.size()); ++i) sum += words[i];
        ASSERT_EQ(from_bytes<std::uint32_t>(downloaded(y.get(), 4))[0], sum) << count;
    }
}

// The result of one is an element of the other, in one submit.
TEST(ReduceLastArrival, OneReductionFeedsAnother) {
    const auto input = random_elements(types::u32, 5000, 9);
    const ReduceDesc first = small(5000);
    const ReduceDesc second = small(300);
    const auto plan = plan_reduce(first, gpu().caps());
    const auto next = plan_reduce(second, gpu().caps());
    ASSERT_TRUE(plan && next);
    const BufferHandle x = uploaded(input), y = uploaded(std::vector<std::byte>(1200)), z = uploaded({});
    auto job = gpu().context().bind(*plan, {.input = {x.get()}, .output = {y.get()}});
    auto fed = gpu().context().bind(*next, {.input = {y.get()}, .output = {z.get()}});
    ASSERT_TRUE(job && fed);
    for (int run = 0; run < 3; ++run) {
        ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            if (auto ok = job->record(encoder); !ok) return ok;
            return fed->record(encoder);
        }));
    }
    std::uint32_t sum = 0;
    for (const std::uint32_t word : from_bytes<std::uint32_t>(input)) sum += word;
    EXPECT_EQ(from_bytes<std::uint32_t>(downloaded(z.get(), 4))[0], sum);
}

}  // namespace
}  // namespace upsweep::testing
