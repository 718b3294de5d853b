// C45: a device that is lost gives device_lost within bounded time, at every moment, and never zeros for a
// result. Each case has a device of its own.
#include "tests/gpu/launcher.h"

#include <gtest/gtest.h>

namespace upsweep::testing {

namespace {

const std::vector<std::uint32_t> numbers{3, 1, 7, 0, 4, 1, 6, 3};

void expect_lost(const Gpu& device) {
    std::vector<std::uint32_t> out(numbers.size(), 42);
    ScanDesc desc;
    desc.count = numbers.size();
    const auto again =
        device.scan(desc, std::as_bytes(std::span(numbers)), std::as_writable_bytes(std::span(out)));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::device_lost) << again.error().message;
    EXPECT_EQ(out, std::vector<std::uint32_t>(numbers.size(), 42));
}

TEST(LostDevice, BeforeAnything) {
    const Gpu device = fresh_gpu();
    wgpuDeviceDestroy(device.device());
    expect_lost(device);
    expect_lost(device);
}

TEST(LostDevice, BetweenBindAndSubmit) {
    const Gpu device = fresh_gpu();
    ScanDesc desc;
    desc.count = numbers.size();
    auto plan = plan_scan(desc, device.caps());
    auto buffer = device.buffer(64);
    ASSERT_TRUE(plan && buffer);
    auto job = device.context().bind(*plan, {.input = {buffer->get()}, .output = {buffer->get()}});
    ASSERT_TRUE(job);
    wgpuDeviceDestroy(device.device());
    auto submitted = device.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
    std::vector<std::byte> out(32);
    if (submitted) submitted = device.read(buffer->get(), 0, out);
    ASSERT_FALSE(submitted);
    EXPECT_EQ(submitted.error().code, ErrorCode::device_lost) << submitted.error().message;
    expect_lost(device);
}

TEST(LostDevice, BetweenSubmitAndReadback) {
    const Gpu device = fresh_gpu();
    ScanDesc desc;
    desc.count = 100000;
    auto plan = plan_scan(desc, device.caps());
    auto buffer = device.buffer(400000);
    ASSERT_TRUE(plan && buffer);
    auto job = device.context().bind(*plan, {.input = {buffer->get()}, .output = {buffer->get()}});
    ASSERT_TRUE(job);
    ASSERT_TRUE(device.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
    wgpuDeviceDestroy(device.device());
    std::vector<std::byte> out(400000);
    const auto got = device.read(buffer->get(), 0, out);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::device_lost) << got.error().message;
    expect_lost(device);
}

TEST(LostDevice, BeforeACompile) {
    const Gpu device = fresh_gpu();
    ScanDesc desc;
    desc.count = 8;
    auto plan = plan_scan(desc, device.caps());
    ASSERT_TRUE(plan);
    wgpuDeviceDestroy(device.device());
    const auto compiled = device.context().compile(*plan);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, ErrorCode::device_lost) << compiled.error().message;
}

TEST(LostDevice, ToldByItsOwner) {
    const Gpu device = fresh_gpu();
    device.context().mark_lost();
    ScanDesc desc;
    desc.count = 8;
    const auto compiled = device.context().compile(*plan_scan(desc, device.caps()));
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, ErrorCode::device_lost);
}

}  // namespace
}  // namespace upsweep::testing
