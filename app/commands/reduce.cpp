// upsweep reduce: a file in, one value out.
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/element.h"
#include "app/commands/file_command.h"
#include "app/commands/reduce_file.h"
#include "app/commands/request.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr const char* examples = R"(Examples:
  seq 1000000 | upsweep reduce - --type u64
  upsweep reduce depths.npy --op max
  upsweep reduce losses.csv --column loss --type f32 --op arg_min
  upsweep reduce matrices.npy --struct mat.wgsl --type Mat --op-file multiply.wgsl --identity 'Mat(1,0,0,1)'
  upsweep reduce large.npy --verify --time --json

The result is a line on standard output; the numbers of a vector or a struct are separated by commas. arg_min and
arg_max print the value and, after a comma, its index from 0; of equals it is the first.

Data that are larger than a chunk go through the device chunk by chunk, in order: what one chunk comes to is the
initial value of the next. An empty input gives the initial value, else the identity.

--verify compares floating-point sums and products with double precision, within what rounding can explain;
all else is compared bit for bit. An operator of --op-file is compared with its serial scan on the device, its
floats to a part in 1000.)";

constexpr const char* against = "the serial reduction";

Outcome<void> run_reduce(const FileOptions& options) {
    auto settings = check_file_options(options);
    if (!settings) return tl::unexpected(settings.error());
    auto method = requested_reduce_method(options.request);
    if (!method) return tl::unexpected(method.error());
    auto reader = open_input(options, *settings);
    if (!reader) return tl::unexpected(reader.error());
    const ElementType& type = reader->type();
    auto desc = requested_reduce(std::move(*method), options.request, type);
    if (!desc) return tl::unexpected(desc.error());
    auto gpu = open_gpu(options.device);
    if (!gpu) return tl::unexpected(gpu.error());
    auto report = reduce_file(*reader, *desc, *gpu, settings->run);
    if (!report) return tl::unexpected(report.error());
    tell_run(options, *gpu, report->run, type, against);
    if (!options.json) {
        const std::string index = report->index ? fmt::format(",{}", *report->index) : "";
        return print(element_text(type, report->value) + index + "\n");
    }
    nlohmann::ordered_json json = file_json(options, report->run);
    json["type"] = type.name;
    json["operator"] = operator_name(*desc);
    json["value"] = json_of(type, report->value);
    if (report->index) json["index"] = *report->index;
    return print_run(std::move(json), options, *gpu, report->run);
}

}  // namespace

void add_reduce(CLI::App& app, Run& run) {
    auto options = std::make_shared<FileOptions>();
    CLI::App* command = app.add_subcommand("reduce", "Reduce a file: all elements combined to one value");
    add_file_options(*command, *options,
                     {.primitive = Primitive::reduce,
                      .has_output = false,
                      .verify = "Compare with a serial reduction; a difference exits with 1",
                      .examples = examples});
    command->callback([options, &run] { run = [options] { return run_reduce(*options); }; });
}

}  // namespace upsweep::app
