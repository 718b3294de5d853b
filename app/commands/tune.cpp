// upsweep tune: measures what is fastest on a device, and keeps it for the commands and programs that run there.
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/device_profile.h"
#include "app/commands/element.h"
#include "app/commands/options.h"
#include "app/commands/progress.h"
#include "app/commands/provider.h"
#include "app/commands/tune_report.h"
#include "app/tune/tuner.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr const char* examples = R"(Examples:
  upsweep tune
  upsweep tune --primitive scan,reduce --seconds 30
  upsweep tune --adapter lavapipe --dry-run --json > measured.json

Strategies and shapes of each primitive are run on the device, checked against serial results of the CPU, and timed.
The fastest ones become the device's profile, which all commands use from then on (--no-profile does without);
'upsweep devices' tells where it is. Primitives that were not measured keep the choices of a profile that is there.
Let nothing else run on the device meanwhile.)";

struct TuneOptions {
    std::vector<std::string> primitives;
    double seconds = 90;
    std::string output;
    bool dry_run = false, json = false, quiet = false;
    DeviceOptions device;
};

Outcome<std::vector<Primitive>> requested_primitives(const TuneOptions& options) {
    if (options.primitives.empty())
        return std::vector<Primitive>(std::begin(all_primitives), std::end(all_primitives));
    std::vector<Primitive> primitives;
    for (const std::string& name : options.primitives) {
        auto primitive = requested_primitive(name);
        if (!primitive) return tl::unexpected(primitive.error());
        primitives.push_back(*primitive);
    }
    return primitives;
}

// The new choices, and those of the profile that is there for what was not measured now.
Tuning merged(const TuneReport& report, const Result<Tuning>& before,
              const std::vector<Primitive>& measured) {
    Tuning tuning;
    for (const TunedCase& of : report.cases)
        tuning.choices.insert(tuning.choices.end(), of.choices.begin(), of.choices.end());
    if (!before) return tuning;
    for (const TunedChoice& choice : before->choices) {
        if (std::find(measured.begin(), measured.end(), choice.primitive) == measured.end())
            tuning.choices.push_back(choice);
    }
    return tuning;
}

Outcome<void> run_tune(const TuneOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return ok;
    auto primitives = requested_primitives(options);
    if (!primitives) return tl::unexpected(primitives.error());
    if (!(options.seconds > 0 && options.seconds <= 86400))
        return wrong_usage("--seconds must be more than 0, and a day at most.");
    DeviceOptions device = options.device;
    device.no_profile = true;
    auto gpu = open_gpu(device);
    if (!gpu) return tl::unexpected(gpu.error());
    device.profile = options.output;
    auto key = profile_key_of(*gpu);
    auto path = profile_path(*gpu, device);
    if (!key || (!path && !options.dry_run)) return tl::unexpected(key ? path.error() : key.error());

    auto report = [&] {
        const StepProgress bar(!options.quiet && Progress::can_be_seen());
        return tune(*gpu, tune_cases(*primitives), options.seconds,
                    [&](double part, const std::string& what) {
                        bar.show(part, what);
                        return asked_to_end() == 0;
                    });
    }();
    if (!report) return tl::unexpected(report.error());
    const std::string file = options.dry_run ? "" : path->string();
    if (!options.dry_run) {
        const Tuning tuning = merged(*report, load_profile(*path, *key), *primitives);
        if (auto ok = save_profile(*path, *key, tuning); !ok) return tl::unexpected(ok.error());
    }
    const TunedDevice tuned{*key, file};
    if (auto ok = print(options.json ? json_text(report_json(*report, tuned)) : report_text(*report, tuned));
        !ok)
        return ok;
    const auto wrong = std::count_if(report->problems.begin(), report->problems.end(),
                                     [](const Problem& problem) { return problem.wrong; });
    if (wrong == 0) return {};
    return failed(fmt::format("{} methods gave wrong results on this device; they were not chosen.", wrong));
}

}  // namespace

void add_tune(CLI::App& app, Run& run) {
    auto options = std::make_shared<TuneOptions>();
    CLI::App* command = app.add_subcommand("tune", "Measure what is fastest on this device, and keep it");
    command
        ->add_option("--primitive", options->primitives,
                     "scan, reduce, compact, partition, or several with commas; by default all")
        ->delimiter(',')
        ->type_name("NAME");
    command->add_option("--seconds", options->seconds, "About how long to measure (90)")->type_name("N");
    command
        ->add_option("-o,--output", options->output, "Keep the profile in this file instead of its own place")
        ->type_name("FILE");
    command->add_flag("--dry-run", options->dry_run, "Measure and tell, and keep nothing");
    command->add_flag("--json", options->json, "Print JSON");
    command->add_flag("-q,--quiet", options->quiet, "No progress bar");
    add_device_options(*command, options->device, false);
    command->footer(examples);
    command->callback([options, &run] { run = [options] { return run_tune(*options); }; });
}

}  // namespace upsweep::app
