// upsweep: the command line. Exit codes: 0, 1 (failed), 2 (wrong usage).
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"

#include <csignal>
#include <exception>
#include <new>
#include <string>

#include <CLI/CLI.hpp>

namespace {

using namespace upsweep::app;

constexpr const char* footer = R"(Examples:
  seq 1000000 | upsweep scan - --inclusive | tail -1
  upsweep scan depths.npy -o offsets.npy --verify
  upsweep reduce depths.npy --op max
  upsweep compact depths.npy --where 'x > 0.5' -o near.npy
  upsweep explain --algorithm blelloch --n 8 --svg blelloch.svg
  upsweep plan --type f32 --count 2^24
  upsweep devices
  upsweep bench --primitive scan --type u32

Results are on standard output, messages on standard error. The exit code is 0, or 1 if something failed, or 2
if the command line is wrong. 'upsweep COMMAND --help' tells more.)";

int end(const Failure& failure, const CLI::App& app) {
    if (asked_to_end() == 0 && !failure.message.empty()) {
        note("upsweep: " + failure.message);
        if (failure.exit == Exit::usage) {
            const auto commands = app.get_subcommands();
            note("Try 'upsweep " + (commands.empty() ? "" : commands.front()->get_name() + " ") + "--help'.");
        }
    }
    return static_cast<int>(failure.exit);
}

int run_program(int argc, char** argv) {
    CLI::App app(
        "Parallel primitives for WebGPU: scan, reduce and compact files on the GPU, and see how it is done.",
        "upsweep");
    app.set_version_flag("--version", "upsweep " UPSWEEP_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(28);
    app.footer(footer);
    Run run;
    for (auto add : {add_scan, add_reduce, add_compact, add_partition, add_devices, add_explain, add_plan,
                     add_wgsl, add_selftest, add_bench, add_tune, add_demo})
        add(app, run);
    // Every command takes it; most have nothing but errors to tell anyway.
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        if (command->get_option_no_throw("--quiet") == nullptr)
            command->add_flag("-q,--quiet")->description("Nothing on standard error but errors");
    }
    Outcome<void> ok;
    try {
        app.parse(argc, argv);
        ok = run();
    } catch (const CLI::CallForHelp&) {
        const auto commands = app.get_subcommands();
        ok = print(commands.empty() ? app.help() : commands.front()->help("upsweep"));
    } catch (const CLI::CallForVersion& version) {
        ok = print(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        ok = wrong_usage(error.what());
    } catch (const std::bad_alloc&) {
        ok = failed("There is not enough memory; a smaller --chunk takes less.");
    } catch (const std::exception& error) {
        ok = failed(std::string("This should not have happened: ") + error.what() + ".");
    }
    return ok ? static_cast<int>(Exit::success) : end(ok.error(), app);
}

}  // namespace

int main(int argc, char** argv) {
    hold_streams();
    take_signals();
    const int code = run_program(argc, argv);
    remove_runtime_directory();
    if (const int signal = asked_to_end(); signal != 0) {
        std::signal(signal, SIG_DFL);  // So that a shell sees what ended the program.
        std::raise(signal);
    }
    return code;
}
