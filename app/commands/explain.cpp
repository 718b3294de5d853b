// upsweep explain: a parallel scan step by step, as a table, a picture or JSON.
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/quantity.h"
#include "app/explain/trace.h"

#include <cstdlib>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace upsweep::app {

namespace {

constexpr const char* examples = R"(Examples:
  upsweep explain
  upsweep explain --algorithm hillis_steele --n 16
  upsweep explain --algorithm blelloch --values 3,1,7,0,4,1,6,3 --inclusive
  upsweep explain --algorithm blelloch_padded --n 64 --svg banks.svg
  upsweep explain --algorithm reduce_then_scan --n 16 --block 4 --json

No device is needed: the algorithms run on the CPU, and every step is kept.)";

struct ExplainOptions {
    std::string algorithm = "blelloch";
    std::string n;
    std::vector<std::int64_t> values;
    bool inclusive = false, exclusive = false, json = false;
    std::size_t block = 4, subgroup_size = 4;
    std::string svg;
};

bool in_colours() {
    const char* plain = std::getenv("NO_COLOR");
    return ::isatty(STDOUT_FILENO) == 1 && (plain == nullptr || *plain == '\0');
}

Outcome<void> run_explain(const ExplainOptions& options) {
    TraceRequest request;
    auto algorithm = parse_traced_scan(options.algorithm);
    if (!algorithm) return wrong_usage(algorithm.error().message);
    request.algorithm = *algorithm;
    if (options.inclusive && options.exclusive)
        return wrong_usage("A scan is inclusive or exclusive: give one of the two.");
    if (!options.n.empty()) {
        auto n = parse_count(options.n);
        if (!n) return wrong_usage("--n: " + n.error().message);
        request.n = *n;
    }
    request.values = options.values;
    if (options.inclusive) request.form = TracedForm::inclusive;
    if (options.exclusive) request.form = TracedForm::exclusive;
    request.block = options.block;
    request.subgroup_size = options.subgroup_size;
    auto trace = trace_scan(request);
    if (!trace) return tl::unexpected(trace.error());
    if (!options.svg.empty()) {
        auto picture = trace_svg(*trace);
        if (!picture) return tl::unexpected(picture.error());
        if (auto ok = write_file(options.svg, *picture); !ok) return ok;
        // With the picture on standard output there is no place for the table.
        if (options.svg == "-") return {};
    }
    if (!options.json) return print(trace_table(*trace, in_colours()));
    auto json = trace_json(*trace);
    if (!json) return tl::unexpected(json.error());
    return print(*json);
}

std::string algorithm_names() {
    std::string names;
    for (const std::string& name : traced_scan_names()) names += (names.empty() ? "" : ", ") + name;
    return names;
}

}  // namespace

void add_explain(CLI::App& app, Run& run) {
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* command = app.add_subcommand("explain", "Show a scan algorithm step by step");
    command->add_option("-a,--algorithm", options->algorithm, algorithm_names() + " (blelloch)")
        ->type_name("NAME");
    command->add_option("-n,--n", options->n, fmt::format("How many values: 1 to {} (8)", max_traced_n))
        ->type_name("N");
    command->add_option("--values", options->values, "The values, by default 3,1,7,0,4,1,6,3 again and again")
        ->delimiter(',')
        ->type_name("LIST");
    command->add_flag("--inclusive", options->inclusive,
                      "The inclusive form; by default what the algorithm gives");
    command->add_flag("--exclusive", options->exclusive, "The exclusive form");
    command
        ->add_option("--block", options->block,
                     "Block of reduce_then_scan and multi_level: a power of two from 2 to 1024 (4)")
        ->type_name("N");
    command
        ->add_option("--subgroup-size", options->subgroup_size,
                     "Invocations of a subgroup: a power of two from 2 to 128 (4)")
        ->type_name("N");
    command
        ->add_option("--svg", options->svg,
                     "Also draw a picture; - is standard output, in place of the table")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print JSON in place of the table");
    command->footer(examples);
    command->callback([options, &run] { run = [options] { return run_explain(*options); }; });
}

}  // namespace upsweep::app
