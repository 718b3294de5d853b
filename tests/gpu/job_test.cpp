// Jobs: recorded again and again, side by side, into encoders and passes, and forgotten before the submit.
#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"

#include <fstream>
#include <numeric>

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;

struct Data {
    BufferHandle input, output;
};

Data data_of(const Numbers& values) {
    Data data;
    auto input = gpu().buffer(values.size() * 4);
    auto output = gpu().buffer(values.size() * 4);
    EXPECT_TRUE(input && output);
    data.input = std::move(*input);
    data.output = std::move(*output);
    EXPECT_TRUE(gpu().write(data.input.get(), 0, std::as_bytes(std::span(values))));
    return data;
}

Numbers read(WGPUBuffer buffer, std::size_t count) {
    Numbers values(count);
    const auto ok = gpu().read(buffer, 0, std::as_writable_bytes(std::span(values)));
    EXPECT_TRUE(ok) << ok.error().message;
    return values;
}

Plan planned(const ScanDesc& desc) {
    auto plan = plan_scan(desc, gpu().caps());
    EXPECT_TRUE(plan) << plan.error().message;
    return *plan;
}

ScanDesc desc_of(std::uint64_t count, ScanKind kind = ScanKind::exclusive) {
    ScanDesc desc;
    desc.count = count;
    desc.kind = kind;
    desc.strategy = Strategy::reduce_then_scan;
    desc.geometry.block = 64;
    desc.geometry.groups = 7;
    return desc;
}

Job bound(const Plan& plan, const Data& data, Slice scratch = {}) {
    auto job = gpu().context().bind(
        plan, {.input = {data.input.get()}, .output = {data.output.get()}, .scratch = scratch});
    EXPECT_TRUE(job) << job.error().message;
    return *job;
}

Numbers multiples(std::uint32_t step, std::size_t count, std::uint32_t first) {
    Numbers values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = first + step * static_cast<std::uint32_t>(i);
    return values;
}

// C35, C40: jobs of one encoder share scratch and do not disturb each other; the same commands twice give the
// same.
TEST(Jobs, ShareScratchInOneEncoder) {
    const std::size_t count = 5000;
    const Data ones = data_of(Numbers(count, 1));
    const Data twos = data_of(Numbers(count, 2));
    const Data few = data_of(Numbers(10, 3));
    const Plan inclusive = planned(desc_of(count, ScanKind::inclusive));
    const Plan exclusive = planned(desc_of(count));
    ScanDesc maximum = desc_of(10);
    maximum.op = Operator::max();
    const Plan small = planned(maximum);
    auto scratch = gpu().buffer(std::max(inclusive.scratch_bytes, small.scratch_bytes));
    ASSERT_TRUE(scratch);
    const Job a = bound(inclusive, ones, {scratch->get()});
    const Job b = bound(exclusive, twos, {scratch->get()});
    const Job c = bound(small, few, {scratch->get()});
    for (int time = 0; time < 2; ++time) {
        const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            for (const Job* job : {&a, &c, &b, &a, &c, &b}) {
                if (auto recorded = job->record(encoder); !recorded) return recorded;
            }
            return {};
        });
        ASSERT_TRUE(ok) << ok.error().message;
        EXPECT_EQ(read(ones.output.get(), count), multiples(1, count, 1));
        EXPECT_EQ(read(twos.output.get(), count), multiples(2, count, 0));
        EXPECT_EQ(read(few.output.get(), 10), (Numbers{0, 3, 3, 3, 3, 3, 3, 3, 3, 3}));
    }
}

TEST(Jobs, InterleavedInOneOpenPass) {
    const Data ones = data_of(Numbers(3000, 1));
    const Data twos = data_of(Numbers(100, 2));
    const Job a = bound(planned(desc_of(3000, ScanKind::inclusive)), ones);
    const Job b = bound(planned(desc_of(100)), twos);
    const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        const PassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, nullptr));
        auto recorded = a.record(pass.get());
        if (recorded) recorded = b.record(pass.get());
        if (recorded) recorded = a.record(pass.get());
        wgpuComputePassEncoderEnd(pass.get());
        return recorded;
    });
    ASSERT_TRUE(ok) << ok.error().message;
    EXPECT_EQ(read(ones.output.get(), 3000), multiples(1, 3000, 1));
    EXPECT_EQ(read(twos.output.get(), 100), multiples(2, 100, 0));
}

// C40: other counts in one encoder; each recording keeps its own.
TEST(Jobs, OtherCountsInOneEncoder) {
    const Data first = data_of(Numbers(1000, 1));
    const Plan plan = planned(desc_of(1000, ScanKind::inclusive));
    const Job job = bound(plan, first);
    auto copy = gpu().buffer(4000);
    ASSERT_TRUE(copy);
    const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        if (auto recorded = job.record(encoder, {.count = 10}); !recorded) return recorded;
        wgpuCommandEncoderCopyBufferToBuffer(encoder, first.output.get(), 0, copy->get(), 0, 4000);
        return job.record(encoder, {.count = 700});
    });
    ASSERT_TRUE(ok) << ok.error().message;
    Numbers small = multiples(1, 10, 1);
    small.resize(1000);
    EXPECT_EQ(read(copy->get(), 1000), small);
    Numbers large = multiples(1, 700, 1);
    large.resize(1000);
    EXPECT_EQ(read(first.output.get(), 1000), large);
    const auto refused =
        gpu().submit([&](WGPUCommandEncoder encoder) { return job.record(encoder, {.count = 1001}); });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
}

// C40: what was recorded outlives the job, its plan and the context.
TEST(Jobs, ForgottenBeforeTheSubmit) {
    const Data ones = data_of(Numbers(4000, 1));
    const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        auto context = Context::create({.device = gpu().device(), .instance = gpu().instance()});
        if (!context) return tl::unexpected(context.error());
        auto plan = plan_scan(desc_of(4000, ScanKind::inclusive), context->caps());
        auto job = context->bind(*plan, {.input = {ones.input.get()}, .output = {ones.output.get()}});
        if (!job) return tl::unexpected(job.error());
        return job->record(encoder);
    });
    ASSERT_TRUE(ok) << ok.error().message;
    EXPECT_EQ(read(ones.output.get(), 4000), multiples(1, 4000, 1));
}

TEST(Jobs, ContextWithoutAnInstance) {
    const Data ones = data_of(Numbers(500, 1));
    auto context = Context::create({.device = gpu().device()});
    ASSERT_TRUE(context) << context.error().message;
    auto plan = plan_scan(desc_of(500, ScanKind::inclusive), context->caps());
    ASSERT_TRUE(plan);
    auto job = context->bind(*plan, {.input = {ones.input.get()}, .output = {ones.output.get()}});
    ASSERT_TRUE(job) << job.error().message;
    ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
    EXPECT_EQ(read(ones.output.get(), 500), multiples(1, 500, 1));
}

// C49: the pipelines depend on operator, type and mode, not on the count.
TEST(Jobs, ThousandCountsCompileOnce) {
    auto context = Context::create({.device = gpu().device(), .instance = gpu().instance()});
    ASSERT_TRUE(context);
    const Data data = data_of(Numbers(200000, 1));
    const auto bind = [&](std::uint64_t count) {
        ScanDesc desc;
        desc.count = count;
        auto plan = plan_scan(desc, context->caps());
        ASSERT_TRUE(plan);
        auto job = context->bind(*plan, {.input = {data.input.get()}, .output = {data.output.get()}});
        ASSERT_TRUE(job) << job.error().message;
    };
    bind(7);
    bind(200000);
    const std::size_t pipelines = context->pipeline_count();
    EXPECT_LE(pipelines, 4U);
    for (std::uint64_t i = 0; i < 1000; ++i) bind(1 + i * 199);
    EXPECT_EQ(context->pipeline_count(), pipelines);
}

std::uint64_t resident_kilobytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        if (word != "VmRSS:") continue;
        std::uint64_t kilobytes = 0;
        status >> kilobytes;
        return kilobytes;
    }
    return 0;
}

TEST(Jobs, TenThousandWithoutGrowth) {
    const Data data = data_of(Numbers(300, 1));
    const Plan plan = planned(desc_of(300));
    const auto some = [&](int times) {
        for (int i = 0; i < times; ++i) {
            const Job job = bound(plan, data);
            if (i % 100 != 0) continue;
            ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job.record(encoder); }));
            read(data.output.get(), 1);
        }
    };
    some(1000);
    const std::uint64_t before = resident_kilobytes();
    some(10000);
    const std::uint64_t after = resident_kilobytes();
    EXPECT_LT(after, before + 8192) << "kilobytes of memory before and after 10 000 jobs";
}

TEST(Jobs, CompileWarmsUp) {
    auto context = Context::create({.device = gpu().device(), .instance = gpu().instance()});
    ASSERT_TRUE(context);
    const Plan plan = planned(desc_of(1000));
    ASSERT_TRUE(context->compile(plan));
    const std::size_t compiled = context->pipeline_count();
    EXPECT_GT(compiled, 0U);
    const Data data = data_of(Numbers(1000, 1));
    ASSERT_TRUE(context->bind(plan, {.input = {data.input.get()}, .output = {data.output.get()}}));
    EXPECT_EQ(context->pipeline_count(), compiled);
}

}  // namespace
}  // namespace upsweep::testing
