// Profiles: what is saved comes back, and nothing else than that is taken for a profile.
#include "upsweep/profile/profile.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include <gtest/gtest.h>
#include <unistd.h>

namespace upsweep::test {
namespace {

namespace fs = std::filesystem;

class Profile : public ::testing::Test {
  protected:
    void SetUp() override {
        folder = fs::temp_directory_path() / ("upsweep-profile-test-" + std::to_string(::getpid()));
        fs::remove_all(folder);
        fs::create_directories(folder);
        path = folder / "some" / "where" / "profile.json";
        key = {"An \"adapter\" (7 bits)", "driver 1.2", "dawn", "9.8.7", true};
        TunedChoice choice;
        choice.elements = {16, false};
        choice.first_log2 = 3;
        choice.last_log2 = 14;
        choice.strategy = "lookback";
        choice.block_scan = BlockScan::subgroup;
        choice.geometry = {512, 6, 264};
        choice.measured_count = 4096;
        choice.measured_seconds = 1.25e-5;
        tuning.choices = {choice, {.primitive = Primitive::partition}};
    }
    void TearDown() override { fs::remove_all(folder); }

    [[nodiscard]] std::string text() const {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& content) const {
        fs::create_directories(path.parent_path());
        std::ofstream(path) << content;
    }
    [[nodiscard]] std::string error() const {
        const auto loaded = load_profile(path, key);
        return loaded ? "none" : loaded.error().message;
    }
    // The error of a file in which `from` has become `to`.
    std::string error_after(const std::string& from, const std::string& to) {
        EXPECT_TRUE(save_profile(path, key, tuning));
        std::string changed = text();
        const std::size_t at = changed.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        write(changed.replace(at, from.size(), to));
        return error();
    }

    fs::path folder, path;
    ProfileKey key;
    Tuning tuning;
};

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Profile, ComesBackAsItWas) {
    ASSERT_TRUE(save_profile(path, key, tuning));
    const auto loaded = load_profile(path, key);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(*loaded, tuning);
    ASSERT_TRUE(save_profile(path, key, {}));
    EXPECT_EQ(load_profile(path, key).value(), Tuning{});
    EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()), 1)
        << "nothing is left beside it";
}

TEST_F(Profile, OfAnotherKeyIsRefused) {
    ASSERT_TRUE(save_profile(path, key, tuning));
    const ProfileKey own = key;
    for (std::string ProfileKey::*part :
         {&ProfileKey::adapter, &ProfileKey::driver, &ProfileKey::provider, &ProfileKey::library}) {
        key = own;
        key.*part += " 2";
        EXPECT_CONTAINS(error(),
                        "was measured on An \"adapter\" (7 bits) with the driver 'driver 1.2', dawn");
        EXPECT_CONTAINS(error(), " 2");
    }
    key = own;
    key.subgroups = false;
    EXPECT_CONTAINS(error(), "without subgroups");
}

TEST_F(Profile, WhatIsNoProfileIsRefused) {
    EXPECT_CONTAINS(error(), "there is no such file");
    fs::create_directories(path);
    EXPECT_CONTAINS(error(), "it is not a file");
    fs::remove(path);
    for (const char* content : {"", "{", "[1, 2", "\xff\xfe", "{\"upsweep_profile\": 1,}"}) {
        write(content);
        EXPECT_CONTAINS(error(), "it is not JSON");
    }
    for (const char* content : {"1", "[]", "{}", "null", "{\"caps\": 1}"}) {
        write(content);
        EXPECT_CONTAINS(error(), "it is no profile of Upsweep");
    }
    write("{\"upsweep_profile\": 1}");
    EXPECT_CONTAINS(error(), "it has no key");
    write(std::string(5000000, ' '));
    EXPECT_CONTAINS(error(), "it is too large");
}

TEST_F(Profile, ValuesThatCannotBeAreTold) {
    EXPECT_CONTAINS(error_after("\"upsweep_profile\": 1", "\"upsweep_profile\": 2"), "its form is 2");
    EXPECT_CONTAINS(error_after("\"provider\": \"dawn\"", "\"provider\": 7"), "in its key 'provider' is 7");
    EXPECT_CONTAINS(error_after("\"block\": 512", "\"block\": -1"), "in choice 1 'block' is -1");
    EXPECT_CONTAINS(error_after("\"rows\": 6", "\"rows\": 4294967296"), "'rows' is 4294967296");
    EXPECT_CONTAINS(error_after("\"scan\"", "\"sort\""), "'primitive' is \"sort\"");
    EXPECT_CONTAINS(error_after("\"subgroup\"", "null"), "'block_scan' is null");
    EXPECT_CONTAINS(error_after("\"vectors\"", "\"vector\""), "'vectors' is missing");
    EXPECT_CONTAINS(error_after("\"first_log2\": 3", "\"first_log2\": 15"), "above the last one");
    EXPECT_CONTAINS(error_after("\"measured_seconds\": 1.25e-05", "\"measured_seconds\": -1"), "cannot be");
    EXPECT_CONTAINS(error_after("\"choices\"", "\"chosen\""), "it has no list of choices");
    // A strategy that there is not is another version's: planning passes the choice over.
    EXPECT_EQ(error_after("\"lookback\"", "\"sideways\""), "none");
}

TEST_F(Profile, IsNotWrittenWhereThatIsNotPossible) {
    write("before");
    const auto below_a_file = save_profile(path / "below", key, tuning);
    ASSERT_FALSE(below_a_file);
    EXPECT_CONTAINS(below_a_file.error().message, "cannot be written: ");
    EXPECT_FALSE(save_profile(path.parent_path(), key, tuning)) << "a folder";
    EXPECT_EQ(text(), "before");
}

TEST_F(Profile, KeysComeFromTheDevice) {
    DeviceCaps caps;
    EXPECT_EQ(profile_key(caps, "dawn").error().code, ErrorCode::invalid_argument);
    caps.adapter = "A";
    caps.driver = "D";
    const ProfileKey of_device = profile_key(caps, "dawn").value();
    EXPECT_EQ(of_device, (ProfileKey{"A", "D", "dawn", UPSWEEP_VERSION, false}));
}

class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        if (value != nullptr)
            ::setenv(name, value, 1);
        else
            ::unsetenv(name);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        if (old_)
            ::setenv(name_, old_->c_str(), 1);
        else
            ::unsetenv(name_);
    }

  private:
    const char* name_;
    std::optional<std::string> old_;
};

TEST_F(Profile, HasAPlaceInTheCache) {
    const Environment home("HOME", "/home/somebody");
    const Environment cache("XDG_CACHE_HOME", "/cache");
    const fs::path in_cache = default_profile_path(key).value();
    EXPECT_EQ(in_cache.parent_path(), "/cache/upsweep");
    EXPECT_EQ(in_cache.filename().string().substr(0, 29), "an-adapter-7-bits-dawn-9-8-7-");
    EXPECT_EQ(default_profile_path(key).value(), in_cache);
    ProfileKey other = key;
    other.driver += ".1";
    EXPECT_NE(default_profile_path(other).value(), in_cache);
    for (const char* none : {static_cast<const char*>(nullptr), "", "relative"}) {
        const Environment no_cache("XDG_CACHE_HOME", none);
        EXPECT_EQ(default_profile_path(key).value().parent_path(), "/home/somebody/.cache/upsweep");
        const Environment no_home("HOME", nullptr);
        EXPECT_EQ(default_profile_path(key).error().code, ErrorCode::unsupported);
    }
}

}  // namespace
}  // namespace upsweep::test
