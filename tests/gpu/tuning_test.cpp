// Results do not depend on a tuning.
#include "upsweep/core/tuning.h"

#include "tests/gpu/launcher.h"
#include "upsweep/profile/profile.h"

#include <cstdlib>
#include <filesystem>

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

// The example of the header of profiles.
TEST(Tuning, AProfileIsUsedOnRequest) {
    std::string folder = std::filesystem::temp_directory_path() / "upsweep-tuning-test-XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    const Gpu own = fresh_gpu();
    Context& context = own.context();
    const auto use_what_there_is = [&] {
        auto key = upsweep::profile_key(context.caps(), upsweep::Gpu::provider());
        auto path = key ? upsweep::default_profile_path(*key) : tl::unexpected(key.error());
        if (auto tuning = path ? upsweep::load_profile(*path, *key) : tl::unexpected(path.error()))
            context.use_tuning(std::make_shared<const upsweep::Tuning>(*tuning));
    };
    use_what_there_is();
    EXPECT_EQ(context.caps().tuning, nullptr);
    const ProfileKey key = profile_key(context.caps(), Gpu::provider()).value();
    const Tuning tuning{{{.elements = {.bytes = 4, .vectors = true}, .strategy = "multi_level"}}};
    ASSERT_TRUE(save_profile(default_profile_path(key).value(), key, tuning));
    use_what_there_is();
    ASSERT_NE(context.caps().tuning, nullptr);
    EXPECT_EQ(*context.caps().tuning, tuning);
    ::unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace upsweep::testing
