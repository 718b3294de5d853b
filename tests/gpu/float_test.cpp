// Floats: values that WGSL arithmetic need not keep, bits that do not change from run to run, and the error
// of a long sum.
#include "tests/gpu/launcher.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

std::vector<float> scanned(const std::vector<float>& x, const ScanDesc& desc) {
    auto y = gpu().scan<float>(x, desc);
    EXPECT_TRUE(y) << y.error().message;
    return y.value_or(std::vector<float>());
}

std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

// C17: the documented order is IEEE 754's total order, beginning at the infinities.
TEST(Floats, MinAndMaxKeepEveryBit) {
    ScanDesc desc;
    desc.kind = ScanKind::inclusive;
    desc.op = Operator::max();
    EXPECT_EQ(scanned({-inf, -inf, 3}, desc), (std::vector<float>{-inf, -inf, 3}));
    const float nan = std::bit_cast<float>(0x7FC00001U);
    const auto with_nan = scanned({1, nan, 2}, desc);
    EXPECT_EQ(bits(with_nan[0]), bits(1.0F));
    EXPECT_EQ(bits(with_nan[1]), 0x7FC00001U);
    EXPECT_EQ(bits(with_nan[2]), 0x7FC00001U);
    EXPECT_EQ(bits(scanned({-0.0F, 0.0F}, desc)[1]), bits(0.0F));
    desc.op = Operator::min();
    EXPECT_EQ(scanned({inf, inf}, desc), (std::vector<float>{inf, inf}));
    EXPECT_EQ(bits(scanned({0.0F, -0.0F}, desc)[1]), bits(-0.0F));
    EXPECT_EQ(scanned({nan, 2}, desc), (std::vector<float>{inf, 2}));
    const float subnormal = std::bit_cast<float>(0x00000001U);
    EXPECT_EQ(bits(scanned({1, subnormal}, desc)[1]), 1U);
    desc.kind = ScanKind::exclusive;
    EXPECT_EQ(scanned({5, 4}, desc), (std::vector<float>{inf, 5}));
}

TEST(Floats, LastNonZeroKeepsEveryBit) {
    ScanDesc desc;
    desc.kind = ScanKind::inclusive;
    desc.op = Operator::last_non_zero();
    const float nan = std::bit_cast<float>(0x7FC00002U);
    const auto y = scanned({0, nan, -0.0F, inf, 0}, desc);
    EXPECT_EQ(bits(y[0]), 0U);
    EXPECT_EQ(bits(y[1]), 0x7FC00002U);
    EXPECT_EQ(bits(y[2]), 0x7FC00002U);
    EXPECT_EQ(y[3], inf);
    EXPECT_EQ(y[4], inf);
}

// C11: the same plan gives the same bits, also while another queue's worth of work runs beside it.
TEST(Floats, SameBitsFromRunToRun) {
    const std::size_t count = 60000;
    std::mt19937 random(3);
    std::uniform_real_distribution<float> exponent(-3.0F, 3.0F);
    std::vector<float> x(count);
    for (float& value : x) value = std::pow(10.0F, exponent(random)) * (random() % 2 == 0 ? 1.0F : -1.0F);
    for (const Strategy strategy : {Strategy::automatic, Strategy::reduce_then_scan, Strategy::multi_level}) {
        ScanDesc desc;
        desc.deterministic = true;
        desc.strategy = strategy;
        desc.type = types::f32;
        desc.count = count;
        desc.geometry.block = 64;
        auto plan = plan_scan(desc, gpu().caps());
        auto input = gpu().buffer(count * 4);
        auto output = gpu().buffer(count * 4);
        auto noise = gpu().buffer(count * 4);
        ASSERT_TRUE(plan && input && output && noise);
        ASSERT_TRUE(gpu().write(input->get(), 0, std::as_bytes(std::span(x))));
        auto job = gpu().context().bind(*plan, {.input = {input->get()}, .output = {output->get()}});
        auto busy = gpu().context().bind(*plan, {.input = {input->get()}, .output = {noise->get()}});
        ASSERT_TRUE(job && busy);
        std::vector<std::uint32_t> first(count);
        for (int run = 0; run < 30; ++run) {
            ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
                if (run % 2 == 1) {
                    if (auto ok = busy->record(encoder); !ok) return ok;
                }
                return job->record(encoder);
            }));
            std::vector<std::uint32_t> again(count);
            ASSERT_TRUE(gpu().read(output->get(), 0, std::as_writable_bytes(std::span(again))));
            if (run == 0) first = again;
            ASSERT_EQ(again, first) << "run " << run;
        }
    }
}

// Where grouping shows, a look-back is refused, and not chosen on a GPU either; integers and orders are the same however they are grouped.
TEST(Floats, DeterministicLeavesTheLookBackOut) {
    DeviceCaps caps = gpu().caps();
    caps.kind = AdapterKind::discrete;
    caps.subgroups = true;
    const auto strategy_of = [&](const ElementType& type, const Operator& op, bool deterministic) {
        ScanDesc desc;
        desc.type = type;
        desc.op = op;
        desc.deterministic = deterministic;
        desc.count = 1000000;
        return plan_scan(desc, caps)->strategy;
    };
    EXPECT_EQ(strategy_of(types::f32, Operator::plus(), true), "reduce_then_scan, subgroup");
    EXPECT_EQ(strategy_of(types::f32, Operator::plus(), false), "lookback, subgroup");
    EXPECT_EQ(strategy_of(types::f32, Operator::max(), true), "lookback, subgroup");
    EXPECT_EQ(strategy_of(types::u32, Operator::plus(), true), "lookback, subgroup");
    // Large scans.
    const auto large = [&](ElementType type, std::uint64_t count, bool deterministic) {
        DeviceCaps wide = caps;
        wide.max_buffer_size = wide.max_storage_binding_size = 1U << 30U;
        return plan_scan({.type = std::move(type), .count = count, .deterministic = deterministic}, wide)
            ->strategy;
    };
    EXPECT_EQ(large(types::u32, 1U << 24U, true), "lookback_then_rest, subgroup");
    EXPECT_EQ(large(types::u32, (1U << 24U) - 1, true), "lookback, subgroup");
    EXPECT_EQ(large(types::f32, 1U << 24U, true), "reduce_then_scan, subgroup");
    ScanDesc desc;
    desc.type = types::f32;
    desc.count = 1000;
    desc.strategy = Strategy::lookback;
    desc.deterministic = true;
    const auto refused = plan_scan(desc, caps);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

// A sum by a tree errs by about log2(n) roundings where a serial one errs by n.
TEST(Floats, ErrorOfALongSum) {
    const std::vector<float> x(250000, 0.1F);
    for (const Strategy strategy : {Strategy::reduce_then_scan, Strategy::multi_level, Strategy::lookback}) {
        ScanDesc desc;
        desc.kind = ScanKind::inclusive;
        desc.strategy = strategy;
        const auto y = scanned(x, desc);
        ASSERT_EQ(y.size(), x.size());
        double sum = 0;
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum += static_cast<double>(x[i]);
            worst = std::max(worst, std::abs(static_cast<double>(y[i]) - sum) / sum);
        }
        // 2^-24 for each rounding; a path from an element to the result has fewer than 200 of them.
        EXPECT_LT(worst, 200 * std::ldexp(1.0, -24));
    }
}

}  // namespace
}  // namespace upsweep::testing
