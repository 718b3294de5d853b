// upsweep selftest: does the library compute right on this device?
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/element.h"
#include "app/commands/options.h"
#include "app/commands/provider.h"
#include "app/commands/quantity.h"
#include "app/commands/selftest_cases.h"

#include <chrono>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* examples = R"(Examples:
  upsweep selftest
  upsweep selftest --provider dawn --adapter swiftshader
  upsweep selftest --quiet || echo "do not trust this device"

Every strategy, block scan, type and operator of the scan, and the forms of reduce, compact, partition and allocate
run at sizes around vectors, workgroups and tiles, and are compared
with serial results of the CPU, bit for bit. A line for each: ok, FAIL or skip. The exit code is 1 after a FAIL.)";

struct SelftestOptions {
    bool json = false, quiet = false;
    DeviceOptions device;
};

// Prints a line for each test as it ends, or everything as one object at the end.
class Transcript {
  public:
    explicit Transcript(const SelftestOptions& options) : options_(options) {}

    Outcome<void> add(const char* result, const std::string& what, const std::string& why = "") {
        Json test{{"result", result}, {"test", what}};
        if (!why.empty()) test["why"] = why;
        tests_.push_back(std::move(test));
        const bool is_ok = result == ok;
        (is_ok ? passed_ : result == skip ? skipped_ : failed_) += 1;
        if (options_.json || (options_.quiet && is_ok)) return {};
        return print(fmt::format("{:<4}  {}{}{}\n", result, what, why.empty() ? "" : ": ", why));
    }

    Outcome<void> end(const Gpu& gpu, double seconds) {
        if (!options_.json) {
            return print(fmt::format("{} ok, {} failed, {} skipped in {} on {} by {}\n", passed_, failed_,
                                     skipped_, seconds_text(seconds), gpu.adapter_name(), Gpu::provider()));
        }
        return print(json_text({{"adapter", gpu.adapter_name()},
                                {"provider", Gpu::provider()},
                                {"passed", passed_},
                                {"failed", failed_},
                                {"skipped", skipped_},
                                {"seconds", seconds},
                                {"tests", tests_}}));
    }

    [[nodiscard]] std::size_t failures() const { return failed_; }

    static constexpr const char* ok = "ok";
    static constexpr const char* fail = "FAIL";
    static constexpr const char* skip = "skip";

  private:
    const SelftestOptions& options_;
    std::size_t passed_ = 0, failed_ = 0, skipped_ = 0;
    Json tests_ = Json::array();
};

Outcome<void> add_probe(Transcript& transcript, const Gpu& gpu) {
    const auto& probe = gpu.context().subgroup_probe();
    if (!probe) return transcript.add(Transcript::skip, "subgroup probe", "the device was made without them");
    const std::string what =
        fmt::format("subgroup probe: {} to {} lanes seen", probe->smallest, probe->largest);
    // Unsound subgroups are the driver's fault, and the library does without them: no failure of this test.
    if (probe->sound) return transcript.add(Transcript::ok, what);
    return transcript.add(Transcript::skip, "subgroup probe",
                          probe->fault + "; the library does without subgroups here");
}

Outcome<void> run_selftest(const SelftestOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return ok;
    auto gpu = open_gpu(options.device);
    if (!gpu) return tl::unexpected(gpu.error());
    const auto start = std::chrono::steady_clock::now();
    Transcript transcript(options);
    if (auto ok = add_probe(transcript, *gpu); !ok) return ok;
    std::vector<std::string> skipped;
    const std::vector<SelftestCase> cases = selftest_cases(gpu->caps(), skipped);
    for (const SelftestCase& test : cases) {
        if (asked_to_end() != 0) return failed("Interrupted.");
        auto ran = run_selftest_case(test, *gpu);
        auto told = ran ? transcript.add(Transcript::ok, test.name)
                        : transcript.add(Transcript::fail, test.name, ran.error().message);
        if (!told) return told;
        // Nothing that follows could be right.
        if (!ran && ran.error().code == ErrorCode::device_lost) return failed("The device was lost.");
    }
    for (const std::string& what : skipped) {
        if (auto ok = transcript.add(Transcript::skip, what); !ok) return ok;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (auto ok = transcript.end(*gpu, seconds.count()); !ok) return ok;
    if (transcript.failures() == 0) return {};
    return failed(fmt::format("{} tests failed on this device.", transcript.failures()));
}

}  // namespace

void add_selftest(CLI::App& app, Run& run) {
    auto options = std::make_shared<SelftestOptions>();
    CLI::App* command = app.add_subcommand("selftest", "Check that results are right on this device");
    command->add_flag("--json", options->json, "Print JSON, at the end");
    command->add_flag("-q,--quiet", options->quiet, "Print only what is not ok, and the summary");
    add_device_options(*command, options->device);
    command->footer(examples);
    command->callback([options, &run] { run = [options] { return run_selftest(*options); }; });
}

}  // namespace upsweep::app
