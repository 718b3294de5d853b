#include "app/commands/verify.h"

#include "app/commands/device_run.h"
#include "app/formats/bytes.h"
#include "app/formats/half.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

template <class T>
ConstBytes bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

ScanDesc desc_of(const ElementType& type, const Operator& op, ScanKind kind) {
    ScanDesc desc;
    desc.type = type;
    desc.op = op;
    desc.kind = kind;
    return desc;
}

const ScanFunction no_device = [](const ScanDesc&, ConstBytes, Bytes) -> Result<void> {
    return fail(ErrorCode::device_error, "there is no device");
};

TEST(Verify, IntegersInChunks) {
    const std::vector<std::uint32_t> x{3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<std::uint32_t> y{0, 3, 4, 11, 11, 15, 16, 22};
    for (const bool wrong : {false, true}) {
        if (wrong) y[6] = 17;
        auto verifier = make_verifier(desc_of(types::u32, Operator::plus(), ScanKind::exclusive), no_device);
        EXPECT_TRUE(verifier->check(bytes_of(x).first(12), bytes_of(y).first(12), 1));
        auto second = verifier->check(bytes_of(x).subspan(12), bytes_of(y).subspan(12), 1);
        ASSERT_EQ(second.has_value(), !wrong);
        if (wrong) {
            EXPECT_EQ(second.error().message,
                      "The results are wrong: element 6 is 17, and the serial scan gives 16.");
        }
    }
}

TEST(Verify, TruthValuesInChunks) {
    const std::vector<std::uint32_t> x{0, 9, 0, 8};
    const std::vector<std::uint32_t> y{0, 0, 1, 1};
    auto verifier =
        make_verifier(desc_of(types::u32, Operator::logical_or(), ScanKind::exclusive), no_device);
    EXPECT_TRUE(verifier->check(bytes_of(x).first(8), bytes_of(y).first(8), 1));
    EXPECT_TRUE(verifier->check(bytes_of(x).subspan(8), bytes_of(y).subspan(8), 1));
}

// A sum by pairs rounds elsewhere than a serial one; both must pass, and a sum that lost one element must
// not.
TEST(Verify, SumsOfFloats) {
    const std::size_t count = 100000;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> value(0, 1);
    std::vector<float> x(count), y(count);
    for (float& v : x) v = value(random);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) y[i] = static_cast<float>(sum += static_cast<double>(x[i]));
    const auto check = [&](std::uint64_t depth) {
        return make_verifier(desc_of(types::f32, Operator::plus(), ScanKind::inclusive), no_device)
            ->check(bytes_of(x), bytes_of(y), depth);
    };
    EXPECT_TRUE(check(60));
    for (std::size_t i = 60000; i < count; ++i) y[i] = std::nextafter(y[i], 1e9F);
    EXPECT_TRUE(check(60));
    y[70000] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(check(60).error().message.find("element 70000 is nan"), std::string::npos);
    // A lost element of 0.5 in a sum of 1000 and more is half of a part in 1000; rounding is far below.
    y[70000] = y[69999];
    for (std::size_t i = 3000; i < count; ++i) y[i] -= 0.5F;
    EXPECT_NE(check(60).error().message.find("element 3000 "), std::string::npos);
}

TEST(Verify, FloatsOutOfRange) {
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> x{1, 3e38F, 3e38F, -3e38F, 1};
    const std::vector<float> y{1, 3e38F, inf, inf, inf};
    auto verifier = make_verifier(desc_of(types::f32, Operator::plus(), ScanKind::inclusive), no_device);
    EXPECT_TRUE(verifier->check(bytes_of(x), bytes_of(y), 10));
    EXPECT_EQ(verifier->not_comparable(), 4U);
}

TEST(Verify, ProductsOfFloats) {
    const std::vector<float> x{2, 0.5F, 3, -1, 0, 7};
    std::vector<float> y{1, 2, 1, 3, -3, -0.0F};
    const auto desc = desc_of(types::f32, Operator::multiplies(), ScanKind::exclusive);
    EXPECT_TRUE(make_verifier(desc, no_device)->check(bytes_of(x), bytes_of(y), 10));
    y[3] = 3.001F;
    EXPECT_FALSE(make_verifier(desc, no_device)->check(bytes_of(x), bytes_of(y), 10));
    // 1e30 * 1e30 may be computed before it meets the 1e-30: then the product is infinite.
    const std::vector<float> wide{1e-30F, 1e30F, 1e30F, 1e-30F};
    const std::vector<float> products{1e-30F, 1, 1e30F, std::numeric_limits<float>::infinity()};
    auto verifier =
        make_verifier(desc_of(types::f32, Operator::multiplies(), ScanKind::inclusive), no_device);
    EXPECT_TRUE(verifier->check(bytes_of(wide), bytes_of(products), 10));
    EXPECT_EQ(verifier->not_comparable(), 2U);
}

TEST(Verify, HalvesAndInitialValues) {
    std::vector<std::uint16_t> x, y;
    double sum = 10;
    for (int i = 0; i < 500; ++i) {
        x.push_back(half_from_double(0.125 * (i % 3)));
        y.push_back(half_from_double(sum += 0.125 * (i % 3)));
    }
    ScanDesc desc = desc_of(types::f16, Operator::plus(), ScanKind::inclusive);
    desc.initial.resize(2);
    store(desc.initial.data(), half_from_double(10));
    EXPECT_TRUE(make_verifier(desc, no_device)->check(bytes_of(x), bytes_of(y), 30));
    desc.initial.clear();
    EXPECT_FALSE(make_verifier(desc, no_device)->check(bytes_of(x), bytes_of(y), 30));
}

// An operator that only the device knows is asked of the serial strategy, chunk after chunk.
TEST(Verify, CustomOperators) {
    const Operator op =
        *Operator::custom({.name = "sum", .wgsl = "fn combine(a: T, b: T) -> T { return a + b; }"});
    ScanDesc desc = desc_of(types::u32, op, ScanKind::exclusive);
    desc.initial.resize(4);
    const ScanFunction serial = [](const ScanDesc& part, ConstBytes input, Bytes output) {
        EXPECT_EQ(part.strategy, Strategy::serial);
        ScanDesc plus = part;
        plus.op = Operator::plus();
        return scan_serial_cpu(plus, input, output);
    };
    const std::vector<std::uint32_t> x{3, 1, 7, 0, 4};
    std::vector<std::uint32_t> y{0, 3, 4, 11, 11};
    auto verifier = make_verifier(desc, serial);
    EXPECT_TRUE(verifier->check(bytes_of(x).first(8), bytes_of(y).first(8), 1));
    EXPECT_TRUE(verifier->check(bytes_of(x).subspan(8), bytes_of(y).subspan(8), 1));
    y[4] = 12;
    verifier = make_verifier(desc, serial);
    EXPECT_TRUE(verifier->check(bytes_of(x).first(8), bytes_of(y).first(8), 1));
    EXPECT_EQ(verifier->check(bytes_of(x).subspan(8), bytes_of(y).subspan(8), 1).error().message,
              "The results are wrong: element 4 is 12, and the serial scan gives 11.");
}

// A reduction has a total only; it is compared after all chunks.
TEST(Verify, Totals) {
    const std::vector<std::uint32_t> x{3, 1, 7, 0, 4};
    const auto total_is = [&](const ElementType& type, const Operator& op, const auto& elements, auto total,
                              const ScanFunction& serial = no_device) {
        auto verifier = make_verifier(desc_of(type, op, ScanKind::inclusive), serial);
        if (!elements.empty()) {
            EXPECT_TRUE(verifier->pass(bytes_of(elements).first(8)));
            EXPECT_TRUE(verifier->pass(bytes_of(elements).subspan(8)));
        }
        return verifier->check_total(std::as_bytes(std::span(&total, 1)), 10);
    };
    EXPECT_TRUE(total_is(types::u32, Operator::plus(), x, 15U));
    EXPECT_EQ(total_is(types::u32, Operator::plus(), x, 16U).error().message,
              "The result is wrong: it is 16, and the serial reduction gives 15.");
    EXPECT_TRUE(total_is(types::u32, Operator::logical_and(), x, 0U));
    const std::vector<std::uint32_t> none;
    EXPECT_TRUE(total_is(types::u32, Operator::min(), none, 0xFFFFFFFFU));
    EXPECT_FALSE(total_is(types::u32, Operator::min(), none, 0U));
    const std::vector<float> floats{0.1F, 0.2F, 0.3F};
    EXPECT_TRUE(total_is(types::f32, Operator::plus(), floats, 0.6F));
    EXPECT_FALSE(total_is(types::f32, Operator::plus(), floats, 0.601F));
    EXPECT_TRUE(total_is(types::f32, Operator::multiplies(), floats, 0.006F));
    const Operator op = *Operator::custom(
        {.name = "sum", .wgsl = "fn combine(a: T, b: T) -> T { return a + b; }", .identity = "0u"});
    const ScanFunction serial = [](const ScanDesc& part, ConstBytes input, Bytes output) {
        ScanDesc plus = part;
        plus.op = Operator::plus();
        return scan_serial_cpu(plus, input, output);
    };
    EXPECT_TRUE(total_is(types::u32, op, x, 15U, serial));
    EXPECT_FALSE(total_is(types::u32, op, x, 14U, serial));
    EXPECT_TRUE(total_is(types::u32, op, none, 0U, serial));
    EXPECT_FALSE(total_is(types::u32, op, none, 1U, serial));
}

TEST(Verify, RoundingDepthFollowsThePlan) {
    ScanDesc desc;
    desc.type = types::f32;
    desc.count = 1000;
    desc.strategy = Strategy::serial;
    EXPECT_GE(rounding_depth(*plan_scan(desc, DeviceCaps::minimum())), 1000U);
    desc.strategy = Strategy::automatic;
    desc.count = 1 << 20;
    EXPECT_LT(rounding_depth(*plan_scan(desc, DeviceCaps::minimum())), 400U);
    DeviceCaps caps = DeviceCaps::minimum();
    caps.subgroups = true;
    desc.strategy = Strategy::lookback;
    const std::uint64_t without_rest = rounding_depth(*plan_scan(desc, caps));
    desc.strategy = Strategy::lookback_then_rest;
    EXPECT_LT(rounding_depth(*plan_scan(desc, caps)), without_rest + 200U);
}

}  // namespace
}  // namespace upsweep::app
