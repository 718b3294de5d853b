// upsweep scan: a file in, its scan out.
#include "app/commands/commands.h"
#include "app/commands/device.h"
#include "app/commands/file_command.h"
#include "app/commands/request.h"
#include "app/commands/scan_file.h"

#include <memory>

#include <CLI/CLI.hpp>

namespace upsweep::app {

namespace {

constexpr const char* examples = R"(Examples:
  seq 1000000 | upsweep scan - --inclusive | tail -1
  upsweep scan depths.npy -o offsets.npy
  upsweep scan sales.csv --column amount --type f32 --inclusive -o running.csv
  upsweep scan samples.bin --type vec4f --op max --inclusive -o peaks.bin
  upsweep scan matrices.npy --struct mat.wgsl --type Mat --op-file multiply.wgsl --identity 'Mat(1,0,0,1)'
  upsweep scan large.npy --verify --time --json

The endings .npy, .txt, .csv and .tsv tell the format; all else is raw binary, in the layout of a WGSL buffer.
Data that are larger than a chunk go through the device chunk by chunk. Where the input does not tell its count
(text, CSV and pipes), results of more than one chunk wait in a temporary file until it is known.

--verify compares floating-point sums and products with double precision, within what rounding can explain;
all else is compared bit for bit. An operator of --op-file is compared with its serial scan on the device, its
floats to a part in 1000.)";

constexpr const char* against = "the serial scan";

Outcome<void> run_scan(const FileOptions& options) {
    auto settings = check_file_options(options);
    if (!settings) return tl::unexpected(settings.error());
    auto method = requested_scan_method(options.request);
    if (!method) return tl::unexpected(method.error());
    auto reader = open_input(options, *settings);
    if (!reader) return tl::unexpected(reader.error());
    const ElementType& type = reader->type();
    auto desc = requested_scan(std::move(*method), options.request, type);
    if (!desc) return tl::unexpected(desc.error());
    auto gpu = open_gpu(options.device);
    if (!gpu) return tl::unexpected(gpu.error());
    auto sink = open_output(options, *settings, type, reader->count());
    if (!sink) return tl::unexpected(sink.error());

    const auto take = [&](ConstBytes results, bool last) {
        return *sink ? (*sink)->write(results, last) : Outcome<void>();
    };
    auto report = scan_file(*reader, *desc, *gpu, settings->run, options.json, take);
    if (!report) return tl::unexpected(report.error());
    if (*sink) {
        if (auto ok = (*sink)->finish(); !ok) return ok;
    }
    tell_run(options, *gpu, report->run, type, against);
    if (!options.json) return {};
    nlohmann::ordered_json json = file_json(options, report->run);
    json["type"] = type.name;
    json["operator"] = desc->op.name();
    json["kind"] = to_string(desc->kind);
    json["first"] = json_of(type, report->summary.first);
    json["last"] = json_of(type, report->summary.last);
    json["total"] = json_of(type, report->total);
    return print_run(std::move(json), options, *gpu, report->run);
}

}  // namespace

void add_scan(CLI::App& app, Run& run) {
    auto options = std::make_shared<FileOptions>();
    CLI::App* command = app.add_subcommand("scan", "Scan a file: every prefix combined");
    add_file_options(*command, *options,
                     {.primitive = Primitive::scan,
                      .verify = "Compare with a serial scan; a difference exits with 1",
                      .examples = examples});
    command->callback([options, &run] { run = [options] { return run_scan(*options); }; });
}

}  // namespace upsweep::app
