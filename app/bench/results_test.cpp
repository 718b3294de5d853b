// Results as CSV and JSON, merged, and beside a rival's.
#include "app/bench/results.h"

#include <string_view>

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

constexpr std::string_view first = R"(# A card, driver 1
benchmark,provider,log2_count,us,GB/s,of_copy,rival_us,ratio_to_rival,note
scan/u32_plus_exclusive/lookback,dawn,20,20,419.4,0.5,,,"lookback, subgroup"
scan/u32_plus_exclusive/lookback,dawn,24,80,1677.7,0.8,,,"lookback, subgroup"
scan/u32_plus_exclusive/multi_level/blelloch,dawn,20,40,209.7,0.25,,,
compact/u32_predicate_half/lookback,dawn,20,,,,,,"The device, it seems, cannot."
)";
constexpr std::string_view second = R"(# A card, driver 1
# Another comment
benchmark,provider,log2_count,us,GB/s,of_copy,rival_us,ratio_to_rival,note
scan/u32_plus_exclusive/lookback,dawn,20,16,524.3,0.6,,,"lookback, subgroup"
scan/u32_plus_exclusive/lookback,dawn,24,90,1491.3,0.7,,,"lookback, subgroup"
scan/u32_plus_exclusive/lookback,wgpu-native,20,25,335.5,0.4,,,"lookback, subgroup"
compact/u32_predicate_half/lookback,dawn,20,30,209.7,0.3,,,"lookback, subgroup"
)";
constexpr std::string_view rival = R"(# CUB 3.0.1
benchmark,log2_count,us,GB/s
memcpy,20,5,1
scan/u32_plus_exclusive,20,12,1
scan/u32_plus_exclusive,20,14,1
scan/u32_plus_exclusive,24,60,1
)";

Result<Results> read(std::string_view text) {
    Input input(memory_source(text), "a.csv");
    return read_results(input);
}

TEST(BenchResults, MergeKeepsTheFasterAndComparesWithTheRival) {
    Results results = *read(first);
    merge(results, *read(second));
    set_rival(results, *read(rival));
    EXPECT_EQ(results.comments, (std::vector<std::string>{"A card, driver 1", "Another comment"}));
    EXPECT_EQ(results.rival, "CUB 3.0.1");
    const std::string csv = to_csv(results);
    EXPECT_EQ(csv, R"(# A card, driver 1
# Another comment
benchmark,provider,log2_count,us,GB/s,of_copy,cub_us,ratio_to_cub,note
scan/u32_plus_exclusive/lookback,dawn,20,16,524.3,0.6,12,0.75,"lookback, subgroup"
scan/u32_plus_exclusive/lookback,dawn,24,80,1677.7,0.8,60,0.75,"lookback, subgroup"
scan/u32_plus_exclusive/multi_level/blelloch,dawn,20,40,209.7,0.25,12,0.3,
compact/u32_predicate_half/lookback,dawn,20,30,209.7,0.3,,,"lookback, subgroup"
scan/u32_plus_exclusive/lookback,wgpu-native,20,25,335.5,0.4,12,0.48,"lookback, subgroup"
)");
    EXPECT_EQ(read(csv)->rows.size(), results.rows.size());
}

TEST(BenchResults, OneRowHasItsParts) {
    const Results results = *read(first);
    ASSERT_EQ(results.rows.size(), 4U);
    EXPECT_EQ(results.rows[2].benchmark, "scan/u32_plus_exclusive");
    EXPECT_EQ(results.rows[2].strategy, "multi_level/blelloch");
    EXPECT_EQ(results.rows[2].count, 1U << 20U);
    EXPECT_EQ(results.rows[3].us, 0);
    EXPECT_NE(table_row(results, results.rows[3]).find("-  The device, it seems, cannot."),
              std::string::npos);
    const auto json = to_json(results);
    EXPECT_TRUE(json["rival"].is_null());
    EXPECT_EQ(json["results"][0]["gb_per_s"], 419.4);
    EXPECT_TRUE(json["results"][3]["us"].is_null());
}

TEST(BenchResults, AnyCountComesBack) {
    for (const std::uint64_t count : {1ULL, 3ULL, 1000000ULL, 268435455ULL, 4294967295ULL}) {
        Results results;
        results.rows.push_back(
            {.benchmark = "reduce/u32_plus", .strategy = "automatic", .count = count, .us = 1});
        EXPECT_EQ(read(to_csv(results))->rows.at(0).count, count);
    }
}

TEST(BenchResults, AFileThatIsSomethingElseIsRefused) {
    const auto message = [](std::string_view text) {
        const auto results = read(text);
        return results ? "" : results.error().message;
    };
    EXPECT_EQ(message(""), "'a.csv' has no line that names the columns.");
    EXPECT_EQ(message("benchmark,us\n"),
              "Line 1 of 'a.csv' should name the columns, and log2_count is not among them.");
    EXPECT_EQ(message("benchmark,log2_count,us\nmemcpy,20,fast\n"),
              "Line 2 of 'a.csv' has 'fast' as its us, which is no such number.");
    EXPECT_EQ(message("benchmark,log2_count,us\nmemcpy,70,1\n"),
              "Line 2 of 'a.csv' has a count of 2^63 or more.");
}

}  // namespace
}  // namespace upsweep::app
