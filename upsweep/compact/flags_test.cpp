// Flags on a device, against a loop on the CPU.
#include "upsweep/compact/flags.h"

#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;
constexpr std::uint32_t poison = 0xDEADBEEF;

Numbers flags_of(const Gpu& device, const Plan& plan, const std::vector<std::byte>& input) {
    Numbers out(plan.output_bytes / 4 + 64, poison);
    auto data = device.buffer(input.size()), flags = device.buffer(out.size() * 4);
    EXPECT_TRUE(data && flags);
    EXPECT_TRUE(device.write(data->get(), 0, input));
    EXPECT_TRUE(device.write(flags->get(), 0, std::as_bytes(std::span(out))));
    auto job = device.context().bind(plan, {.input = {data->get()}, .output = {flags->get()}});
    EXPECT_TRUE(job) << job.error().message;
    if (!job) return out;
    EXPECT_TRUE(device.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
    EXPECT_TRUE(device.read(flags->get(), 0, std::as_writable_bytes(std::span(out))));
    return out;
}

TEST(Flags, DocumentedExample) {
    const auto plan =
        plan_flags({.keep = "fn keep(x: T, i: u32) -> bool { return x > 2u; }", .count = 8}, gpu().caps());
    ASSERT_TRUE(plan) << plan.error().message;
    Numbers out = flags_of(gpu(), *plan, to_bytes<std::uint32_t>({3, 1, 7, 0, 4, 1, 6, 3}));
    out.resize(9);
    EXPECT_EQ(out, (Numbers{1, 0, 1, 0, 1, 0, 1, 1, poison}));
}

TEST(Flags, SizesAndFirstIndex) {
    for (const Gpu& device : {gpu(), gpu_without_immediates()}) {
        for (const std::uint64_t count : {0, 1, 255, 256, 257, 5000}) {
            const auto input = random_elements(types::u32, count, 5);
            const auto x = from_bytes<std::uint32_t>(input);
            const auto plan =
                plan_flags({.keep = "fn keep(x: T, i: u32) -> bool { return ((x >> 3u) & 1u) != (i & 1u); }",
                            .count = count,
                            .first_index = 77},
                           device.caps());
            ASSERT_TRUE(plan) << plan.error().message;
            Numbers expected;
            for (std::uint32_t i = 0; i < count; ++i)
                expected.push_back(((x[i] >> 3U) & 1U) != ((i + 77) & 1U) ? 1 : 0);
            expected.resize(count + 64, poison);
            EXPECT_EQ(flags_of(device, *plan, input), expected) << count;
        }
    }
}

// A grid of many workgroups is folded; a device of two in each dimension shows it with few elements.
TEST(Flags, FoldedGrid) {
    DeviceCaps caps = gpu().caps();
    caps.max_workgroups_per_dimension = 2;
    const auto plan =
        plan_flags({.keep = "fn keep(x: T, i: u32) -> bool { return i % 7u == 0u; }", .count = 1500}, caps);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_GT(plan->steps[0].grid.z, 1U);
    const Numbers out = flags_of(gpu(), *plan, std::vector<std::byte>(6000));
    for (std::uint32_t i = 0; i < 1500; ++i) ASSERT_EQ(out[i], i % 7 == 0 ? 1U : 0U) << i;
    EXPECT_EQ(out[1500], poison);
}

TEST(Flags, WhatIsRefused) {
    FlagsDesc desc;
    desc.count = 10;
    EXPECT_EQ(plan_flags(desc, gpu().caps()).error().code, ErrorCode::invalid_argument);
    desc.keep = "fn keep(x: T, i: u32) -> bool { return true; }";
    desc.first_index = 0xFFFFFFFA;
    EXPECT_EQ(plan_flags(desc, gpu().caps()).error().code, ErrorCode::limit_exceeded);
    desc.first_index = 0;
    DeviceCaps caps = gpu().caps();
    caps.max_storage_binding_size = 32;
    EXPECT_EQ(plan_flags(desc, caps).error().code, ErrorCode::limit_exceeded);
}

}  // namespace
}  // namespace upsweep::testing
