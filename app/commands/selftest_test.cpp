// The inputs of the selftest must not round, or floats could not be compared bit for bit.
#include "app/commands/selftest_cases.h"
#include "app/commands/selftest_input.h"
#include "app/commands/selftest_slots.h"
#include "app/formats/bytes.h"
#include "app/formats/half.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

TEST(Selftest, FloatsDoNotRound) {
    constexpr std::uint64_t count = 3000;
    const auto x = selftest_input(types::f16, Operator::plus(), count);
    double magnitude = 0;
    for (std::uint64_t i = 0; i < count; ++i)
        magnitude += std::fabs(float_from_half(load<std::uint16_t>(x.data() + 2 * i)));
    EXPECT_GT(magnitude, 100);
    EXPECT_LE(magnitude, 2048);  // All whole numbers up to there are halves.
    const auto factors = selftest_input(types::f16, Operator::multiplies(), count);
    double product = 1;
    for (std::uint64_t i = 0; i < count; ++i) {
        product *= float_from_half(load<std::uint16_t>(factors.data() + 2 * i));
        EXPECT_TRUE(std::fabs(product) == 1 || std::fabs(product) == 2 || std::fabs(product) == 0.5);
    }
}

TEST(Selftest, CasesHaveNamesOfTheirOwn) {
    DeviceCaps caps;
    std::vector<std::string> skipped;
    const std::size_t few = selftest_cases(caps, skipped).size();
    EXPECT_EQ(skipped.size(), 2U);
    caps.shader_f16 = caps.subgroups = true;
    skipped.clear();
    std::set<std::string> names;
    const auto cases = selftest_cases(caps, skipped);
    EXPECT_TRUE(skipped.empty());
    EXPECT_GT(cases.size(), few);
    for (const SelftestCase& test : cases) EXPECT_TRUE(names.insert(test.name).second) << test.name;
}

TEST(Selftest, WrongResultsAreSeen) {
    const std::vector<std::uint32_t> x{1, 2, 3};
    const auto expected = std::as_bytes(std::span(x));
    SelftestSlots slots;
    std::vector<std::byte>& total = slots.contents[Slot::total];
    total.assign(expected.begin(), expected.end());
    total.resize(total.size() + tail_bytes, poison);
    EXPECT_TRUE(slots.check(Slot::total, types::u32, 3, expected));
    total[4] = std::byte{7};
    EXPECT_EQ(slots.check(Slot::total, types::u32, 3, expected).error().message,
              "of 3 elements of the total, number 1 is 7 and not 2");
    total[4] = std::byte{2};
    total[17] = std::byte{0};
    EXPECT_EQ(slots.check(Slot::total, types::u32, 3, expected).error().message,
              "of 3 elements of the total, something was written 5 bytes behind the last");
}

}  // namespace
}  // namespace upsweep::app
