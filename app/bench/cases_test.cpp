// The cases: what must move, and plans for all of them.
#include "app/bench/cases.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

std::vector<BenchCase> all_cases() {
    return *bench_cases({std::begin(bench_primitives), std::end(bench_primitives)},
                        {std::begin(bench_types), std::end(bench_types)});
}

TEST(BenchCases, BytesAreThoseThatMustMove) {
    std::map<std::string, double> bytes;
    for (const BenchCase& one : all_cases()) bytes[one.name] = one.bytes_per_element;
    EXPECT_EQ(bytes.at("scan/u32_plus_exclusive"), 8);
    EXPECT_EQ(bytes.at("scan/mat2x2_inclusive"), 32);
    EXPECT_EQ(bytes.at("reduce/f32_plus"), 4);
    EXPECT_EQ(bytes.at("compact/u64_predicate_half"), 12);
    EXPECT_EQ(bytes.at("partition/u32_half"), 8);
    EXPECT_EQ(bytes.at("allocate/u32_all_fit"), 8);
}

TEST(BenchCases, EveryDefaultHasAPlan) {
    DeviceCaps caps = DeviceCaps::minimum();
    caps.subgroups = true;
    for (const BenchCase& one : all_cases()) {
        for (const std::string& strategy : one.strategies) {
            EXPECT_TRUE(one.has_strategy(strategy));
            const auto plan = one.plan({.strategy = strategy}, 100000, caps);
            EXPECT_TRUE(plan.has_value()) << one.name << " " << strategy << ": " << plan.error().message;
        }
    }
}

TEST(BenchCases, WrongNamesAreWrongUsage) {
    EXPECT_EQ(bench_cases({"sort"}, {"u32"}).error().exit, Exit::usage);
    EXPECT_EQ(bench_cases({"scan"}, {"u33"}).error().exit, Exit::usage);
    EXPECT_EQ(bench_cases({"allocate"}, {"f32"}).error().exit, Exit::usage);
}

}  // namespace
}  // namespace upsweep::app
