// The subcommands. Each declares its options and, if it is the one that was given, sets what to run.
#pragma once

#include "app/commands/outcome.h"

#include <functional>

namespace CLI {
class App;
}

namespace upsweep::app {

using Run = std::function<Outcome<void>()>;

void add_scan(CLI::App& app, Run& run);
void add_reduce(CLI::App& app, Run& run);
void add_compact(CLI::App& app, Run& run);
void add_partition(CLI::App& app, Run& run);
void add_devices(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_plan(CLI::App& app, Run& run);
void add_wgsl(CLI::App& app, Run& run);
void add_selftest(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_tune(CLI::App& app, Run& run);
void add_demo(CLI::App& app, Run& run);

}  // namespace upsweep::app
