// Results do not depend on a tuning.
#include "upsweep/core/tuning.h"

#include "tests/gpu/launcher.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

TEST(Tuning, ResultsDoNotDependOnIt) {
    ScanDesc desc;
    for (const char* strategy : {"multi_level", "reduce_then_scan", "lookback", "single_block"}) {
        for (const BlockScan block_scan : {BlockScan::automatic, BlockScan::hillis_steele}) {
            DeviceCaps caps = gpu().caps();
            auto tuning = std::make_shared<Tuning>();
            tuning->choices.push_back({.elements = {.bytes = 4, .vectors = true},
                                       .strategy = strategy,
                                       .block_scan = block_scan,
                                       .geometry = {.block = 64, .rows = 2, .groups = 5}});
            caps.tuning = tuning;
            for (const std::uint64_t count : {1U, 500U, 513U, 20000U}) {
                desc.count = count;
                SCOPED_TRACE(std::string(strategy) + " " + std::to_string(count));
                EXPECT_EQ(plan_scan(desc, caps).value().tuned,
                          strategy != std::string("single_block") || count < 513);
                expect_scan(default_launcher(), desc, {.caps = &caps});
            }
        }
    }
}

TEST(Tuning, AContextPlansWithIt) {
    const Gpu own = fresh_gpu();
    auto tuning = std::make_shared<Tuning>();
    tuning->choices.push_back({.elements = {.bytes = 4, .vectors = true}, .strategy = "multi_level"});
    const auto is_tuned = [](const Context& context) {
        return plan_scan({.count = 100}, context.caps()).value().tuned;
    };
    EXPECT_FALSE(is_tuned(own.context()));
    own.context().use_tuning(tuning);
    EXPECT_TRUE(is_tuned(own.context()));
    own.context().use_tuning(nullptr);
    EXPECT_FALSE(is_tuned(own.context()));
    const auto made_with_it =
        Context::create({.device = own.device(), .instance = own.instance(), .tuning = tuning});
    ASSERT_TRUE(made_with_it) << made_with_it.error().message;
    EXPECT_TRUE(is_tuned(*made_with_it));
}

}  // namespace
}  // namespace upsweep::testing
