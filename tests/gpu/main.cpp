// The program of the tests that need a device: upsweep_gpu_tests-PROVIDER [--adapter=NAME] [GoogleTest's
// options].
#include "tests/gpu/launcher.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace upsweep::testing {

namespace {

std::string adapter;
constexpr int seconds_for_one_test = 240;

Gpu open_or_exit(const GpuOptions& options) {
    auto opened = Gpu::open(options);
    if (!opened) {
        std::fprintf(stderr, "No device to test: %s\n", opened.error().message.c_str());
        std::_Exit(1);
    }
    return *opened;
}

// A GPU that hangs must not hang the tests: a test that takes too long ends the process with its name.
class Watchdog : public ::testing::EmptyTestEventListener {
  public:
    Watchdog() {
        std::thread([this] {
            for (;;) {
                std::this_thread::sleep_for(std::chrono::seconds(1));
                if (running_ && ++seconds_ > seconds_for_one_test) {
                    std::fprintf(stderr, "WATCHDOG: the test %s did not end within %d seconds.\n",
                                 name_.c_str(), seconds_for_one_test);
                    std::_Exit(3);
                }
            }
        }).detach();
    }
    void OnTestStart(const ::testing::TestInfo& info) override {
        name_ = std::string(info.test_suite_name()) + "." + info.name();
        seconds_ = 0;
        running_ = true;
    }
    void OnTestEnd(const ::testing::TestInfo&) override { running_ = false; }

  private:
    std::string name_;
    std::atomic<int> seconds_ = 0;
    std::atomic<bool> running_ = false;
};

}  // namespace

Gpu& gpu() {
    static Gpu device = open_or_exit({.adapter = adapter});
    return device;
}

Gpu& gpu_without_immediates() {
    static Gpu device = open_or_exit({.adapter = adapter, .immediates = false, .default_limits = true});
    return device;
}

Gpu fresh_gpu() {
    return open_or_exit({.adapter = adapter});
}

}  // namespace upsweep::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    for (int i = 1; i < argc; ++i) {
        constexpr const char* option = "--adapter=";
        if (std::strncmp(argv[i], option, std::strlen(option)) != 0) {
            std::fprintf(stderr, "The argument %s is not known; there is --adapter=NAME.\n", argv[i]);
            return 2;
        }
        upsweep::testing::adapter = argv[i] + std::strlen(option);
    }
    const upsweep::Gpu& gpu = upsweep::testing::gpu();
    std::printf("Testing %s on %s.\n", upsweep::Gpu::provider(), gpu.adapter_name().c_str());
    ::testing::UnitTest::GetInstance()->listeners().Append(new upsweep::testing::Watchdog);
    return RUN_ALL_TESTS();
}
