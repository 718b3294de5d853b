// Choosing, with times that are made up.
#include "app/tune/choose.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

const Method automatic;
const Method quick_start{.strategy = "single_block"};
const Method long_run{.strategy = "lookback"};

TunePoint point(std::uint32_t log2, const Method& method) {
    return {log2, {method, 1e-6}, std::nullopt};
}

bool always(const Method&, std::uint64_t) {
    return true;
}

// A fixed cost and a cost for each element.
std::optional<double> seconds_at(const Method& method, std::uint32_t log2) {
    const double count = std::exp2(log2);
    return method == quick_start ? 1e-6 + 1e-8 * count : 1e-5 + 1e-9 * count;
}

std::vector<TunedChoice> choices(const std::vector<TunePoint>& points, const SecondsAt& seconds = seconds_at,
                                 const PossibleAt& possible = always) {
    return choices_for(Primitive::scan, {4, true}, points, seconds, possible);
}

// No count is without a choice, and each has one of the same strategy whatever its range.
void expect_to_cover_all(const std::vector<TunedChoice>& all) {
    for (std::uint32_t log2 = 0; log2 < 64; ++log2) {
        int found = 0;
        for (const TunedChoice& choice : all)
            found += choice.is_for(Primitive::scan, {4, true}, std::uint64_t{1} << log2) ? 1 : 0;
        EXPECT_GE(found, 1) << log2;
    }
}

TEST(Choose, TheFastestUnlessTheLibraryIsAsFast) {
    EXPECT_FALSE(fastest({}));
    EXPECT_EQ(fastest({{long_run, 3}, {quick_start, 2}})->method, quick_start);
    EXPECT_EQ(fastest({{automatic, 2.05}, {quick_start, 2}})->method, automatic);
    EXPECT_EQ(fastest({{automatic, 2.2}, {quick_start, 2}})->method, quick_start);
    EXPECT_EQ(fastest({{quick_start, 2}, {automatic, 1}})->method, automatic);
}

TEST(Choose, EqualNeighboursShareARange) {
    const auto all = choices({point(12, long_run), point(16, long_run), point(20, long_run)});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].first_log2, 0U);
    EXPECT_EQ(all[0].last_log2, 63U);
    EXPECT_EQ(all[0].strategy, "lookback");
    EXPECT_EQ(all[0].measured_count, 1U << 20U);
    EXPECT_EQ(choices({}).size(), 0U);
}

TEST(Choose, TheStepAtABorderIsSmall) {
    // They take the same time at 1000 elements.
    const auto all = choices({point(4, quick_start), point(24, long_run)});
    ASSERT_EQ(all.size(), 2U);
    expect_to_cover_all(all);
    EXPECT_EQ(all[1].first_log2, all[0].last_log2 + 1);
    const double left = *seconds_at(quick_start, all[0].last_log2);
    const double right = *seconds_at(long_run, all[0].last_log2);
    EXPECT_LE(std::max(left, right), 2 * std::min(left, right));
    EXPECT_GE(all[0].last_log2, 8U);
    EXPECT_LE(all[0].last_log2, 11U);
}

TEST(Choose, WhatIsNotPossibleEndsItsRange) {
    const auto up_to_a_tile = [](const Method& method, std::uint64_t count) {
        return method != quick_start || count <= 8192;
    };
    const auto seconds = [&](const Method& method, std::uint32_t log2) -> std::optional<double> {
        if (!up_to_a_tile(method, std::uint64_t{1} << log2)) return std::nullopt;
        return seconds_at(method, log2);
    };
    const auto all = choices({point(12, quick_start), point(16, long_run)}, seconds, up_to_a_tile);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_LE(all[0].last_log2, 13U);
    // At 2^13 + 1 the first one is not possible; the second one is asked next.
    EXPECT_EQ(all[1].first_log2, std::min(all[0].last_log2 + 1, 13U));
    expect_to_cover_all(all);
}

TEST(Choose, AdjacentPointsNeedNoMeasurement) {
    const auto none = [](const Method&, std::uint32_t) -> std::optional<double> {
        ADD_FAILURE() << "measured";
        return std::nullopt;
    };
    const auto all = choices({point(12, quick_start), point(13, long_run)}, none);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].last_log2, 12U);
    EXPECT_EQ(all[1].first_log2, 13U);
}

TEST(Choose, MethodsFitTheElementsAndTheDevice) {
    DeviceCaps caps;
    caps.subgroups = true;
    caps.max_invocations_per_workgroup = caps.max_workgroup_size_x = 1024;
    for (const ElementClass& elements :
         {ElementClass{4, true}, ElementClass{4, false}, ElementClass{16, false}, ElementClass{256, false}}) {
        const auto methods = methods_for(Primitive::scan, elements, caps);
        EXPECT_GT(methods.size(), 5U);
        EXPECT_LT(methods.size(), 120U);
        for (const Method& method : methods) {
            const std::uint32_t bytes = method.geometry.rows * elements.bytes * (elements.vectors ? 4 : 1);
            EXPECT_TRUE(bytes <= 128 || method.geometry.rows == 1);
            EXPECT_LE(method.geometry.block, 1024U);
        }
    }
    caps.subgroups = false;
    for (const Method& method : methods_for(Primitive::reduce, {4, true}, caps))
        EXPECT_NE(method.block_scan, BlockScan::subgroup);
}

}  // namespace
}  // namespace upsweep::app
