// Allocation on a device, against a loop on the CPU.
#include "upsweep/allocate/allocate.h"

#include "tests/gpu/launcher.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;
constexpr std::uint32_t poison = 0xDEADBEEF;

void expect_allocated(const Launcher& launcher, AllocateDesc desc, const Numbers& sizes,
                      std::optional<std::uint32_t> gpu_count = {}, bool in_place = false) {
    ScanDesc scan;
    launcher.adapt(scan);
    desc.block_scan = scan.block_scan;
    desc.unroll = scan.unroll;
    const Gpu& device = launcher.immediates ? gpu() : gpu_without_immediates();
    const auto plan = plan_allocate(desc, device.caps());
    ASSERT_TRUE(plan) << plan.error().message;
    SCOPED_TRACE(to_string(*plan));
    const std::uint64_t count = gpu_count ? std::min<std::uint64_t>(*gpu_count, desc.count) : desc.count;
    Numbers expected(sizes.size() + 64, poison);
    if (in_place) std::copy(sizes.begin(), sizes.end(), expected.begin());
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        expected[i] = sum + sizes[i] <= desc.capacity ? static_cast<std::uint32_t>(sum) : not_allocated;
        sum += sizes[i];
    }
    Numbers offsets(sizes.size() + 64, poison), total(4, poison);
    if (in_place) std::copy(sizes.begin(), sizes.end(), offsets.begin());
    auto input = device.buffer(sizes.size() * 4), output = device.buffer(offsets.size() * 4),
         totals = device.buffer(16), counts = device.buffer(4);
    ASSERT_TRUE(input && output && totals && counts);
    ASSERT_TRUE(device.write(input->get(), 0, std::as_bytes(std::span(sizes))));
    ASSERT_TRUE(device.write(output->get(), 0, std::as_bytes(std::span(offsets))));
    ASSERT_TRUE(device.write(totals->get(), 0, std::as_bytes(std::span(total))));
    const std::uint32_t word = gpu_count.value_or(0);
    ASSERT_TRUE(device.write(counts->get(), 0, std::as_bytes(std::span(&word, 1))));
    auto job = device.context().bind(*plan, {.input = {in_place ? output->get() : input->get()},
                                             .output = {output->get()},
                                             .count = {counts->get()},
                                             .total = {totals->get()}});
    ASSERT_TRUE(job) << job.error().message;
    ASSERT_TRUE(device.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
    ASSERT_TRUE(device.read(output->get(), 0, std::as_writable_bytes(std::span(offsets))));
    ASSERT_TRUE(device.read(totals->get(), 0, std::as_writable_bytes(std::span(total))));
    EXPECT_EQ(offsets, expected) << launcher.name;
    EXPECT_EQ(total[0], std::min<std::uint64_t>(sum, 0xFFFFFFFF)) << launcher.name;
    EXPECT_EQ(total[1], sum > desc.capacity ? 1U : 0U) << launcher.name;
    EXPECT_EQ(total[2], poison);
}

AllocateDesc small(std::uint64_t count, std::uint32_t capacity) {
    AllocateDesc desc;
    desc.count = count;
    desc.capacity = capacity;
    desc.geometry = {32, 2, 5};
    return desc;
}

std::vector<Launcher> gpu_launchers() {
    auto all = launchers();
    std::erase_if(all, [](const Launcher& launcher) { return launcher.on_cpu; });
    return all;
}

TEST(Allocate, DocumentedExample) {
    expect_allocated(default_launcher(), small(5, 12), {3, 1, 7, 0, 4});
}

TEST(Allocate, SizesCountsAndCapacities) {
    for (const Launcher& launcher : gpu_launchers()) {
        for (const std::uint64_t count : {0, 1, 255, 256, 257, 3001}) {
            Numbers sizes(count);
            for (std::size_t i = 0; i < sizes.size(); ++i)
                sizes[i] = static_cast<std::uint32_t>(i * 7919 % 23);
            for (const std::uint32_t capacity : {0U, 100U, 20000U, 0xFFFFFFFEU}) {
                expect_allocated(launcher, small(count, capacity), sizes);
                if (count == 3001) expect_allocated(launcher, small(count, capacity), sizes, {}, true);
                if (::testing::Test::HasFailure()) return;
            }
            AllocateDesc desc = small(count, 5000);
            desc.count_on_gpu = true;
            for (const std::uint32_t actual : {0U, 1U, 300U, 0xFFFFFFFFU})
                expect_allocated(launcher, desc, sizes, actual);
        }
    }
}

// Sums that would wrap lie behind every capacity, also between tiles and groups.
TEST(Allocate, NothingWraps) {
    Numbers sizes(1000, 0x10000000);
    sizes[3] = 0xFFFFFFFF;
    expect_allocated(default_launcher(), small(1000, 0xFFFFFFFE), sizes);
    expect_allocated(default_launcher(), small(1000, 0x30000001), sizes);
    const auto refused = plan_allocate(small(10, not_allocated), gpu().caps());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace upsweep::testing
