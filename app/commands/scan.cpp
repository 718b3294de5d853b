// upsweep scan: a file in, its scan out.
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/element.h"
#include "app/commands/options.h"
#include "app/commands/provider.h"
#include "app/commands/quantity.h"
#include "app/commands/request.h"
#include "app/commands/scan_file.h"
#include "app/commands/sink.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

struct ScanOptions {
    std::string input;
    std::string output;  ///< Empty: text on standard output, unless there is JSON.
    std::string column;
    std::string input_format, output_format;
    std::string chunk = "256M";
    bool time = false, verify = false, json = false, quiet = false;
    RequestOptions request;
    DeviceOptions device;
};

Outcome<std::optional<Format>> parse_format(const std::string& name) {
    if (name.empty()) return std::nullopt;
    for (const Format format : {Format::npy, Format::raw, Format::text, Format::csv}) {
        if (name == to_string(format)) return format;
    }
    return wrong_usage(
        fmt::format("{} is not a format; it must be npy, raw, text or csv.", app::quoted(name)));
}

// Read and written bytes: what a scan that touches everything once would move.
double gigabytes_per_second(const ScanReport& report, const ElementType& type, double seconds) {
    return seconds > 0 ? 2e-9 * static_cast<double>(report.summary.count) * type.stride / seconds : 0;
}

nlohmann::ordered_json report_json(const ScanOptions& options, const ScanDesc& desc, const Gpu& gpu,
                                   const ScanReport& report) {
    const auto value = [&](const std::vector<std::byte>& element) -> nlohmann::ordered_json {
        if (element.empty()) return nullptr;
        return element_json(desc.type, element);
    };
    nlohmann::ordered_json json;
    json["input"] = options.input;
    json["output"] =
        options.output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.output);
    json["count"] = report.summary.count;
    json["type"] = desc.type.name;
    json["operator"] = desc.op.name();
    json["kind"] = to_string(desc.kind);
    json["first"] = value(report.summary.first);
    json["last"] = value(report.summary.last);
    json["total"] = value(report.total);
    const std::size_t comma = report.strategy.find(", ");
    json["strategy"] = report.strategy.empty() ? to_string(desc.strategy) : report.strategy.substr(0, comma);
    json["block_scan"] = comma == std::string::npos
                             ? nlohmann::ordered_json()
                             : nlohmann::ordered_json(report.strategy.substr(comma + 2));
    json["chunks"] = report.summary.chunks;
    json["dispatches"] = report.dispatches;
    json["adapter"] = gpu.adapter_name();
    json["provider"] = Gpu::provider();
    json["seconds"] = report.seconds;
    json["gpu_seconds"] = nullptr;
    json["gpu_gigabytes_per_second"] = nullptr;
    if (report.gpu_seconds) {
        json["gpu_seconds"] = *report.gpu_seconds;
        json["gpu_gigabytes_per_second"] = gigabytes_per_second(report, desc.type, *report.gpu_seconds);
    }
    json["verified"] = options.verify ? nlohmann::ordered_json(true) : nlohmann::ordered_json();
    if (options.verify) json["not_comparable"] = report.not_comparable;
    return json;
}

void tell(const ScanOptions& options, const ScanDesc& desc, const Gpu& gpu, const ScanReport& report) {
    if (options.quiet || options.json) return;
    if (options.time && report.gpu_seconds) {
        note(fmt::format(
            "GPU time {} ({:.2f} GB/s read and written), {} in all", seconds_text(*report.gpu_seconds),
            gigabytes_per_second(report, desc.type, *report.gpu_seconds), seconds_text(report.seconds)));
    } else if (options.time) {
        note(fmt::format("GPU time unknown ({}), {} in all",
                         gpu.caps().timestamp_query ? "nothing ran there" : "the device has no timestamps",
                         seconds_text(report.seconds)));
    }
    if (options.verify) note(verified_text(report, desc.type));
}

Outcome<void> run_scan(const ScanOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return ok;
    if (options.json && options.output == "-")
        return wrong_usage("Standard output takes the results or the JSON: give --json or -o -, not both.");
    auto input_format = parse_format(options.input_format);
    if (!input_format) return tl::unexpected(input_format.error());
    auto output_format = parse_format(options.output_format);
    if (!output_format) return tl::unexpected(output_format.error());
    auto chunk = parse_bytes(options.chunk);
    if (!chunk || *chunk == 0)
        return wrong_usage("--chunk: " +
                           (chunk ? "a chunk of no bytes holds nothing." : chunk.error().message));
    auto type = requested_type(options.request);
    if (!type) return tl::unexpected(type.error());
    auto method = requested_method(options.request);
    if (!method) return tl::unexpected(method.error());
    auto reader = ArrayReader::open(options.input, {*type, options.column, *input_format});
    if (!reader) return tl::unexpected(reader.error());
    auto desc = requested_scan(std::move(*method), options.request, reader->type());
    if (!desc) return tl::unexpected(desc.error());
    auto gpu = open_gpu(options.device);
    if (!gpu) return tl::unexpected(gpu.error());

    std::optional<ResultSink> sink;
    if (!options.json || !options.output.empty()) {
        const std::string path = options.output.empty() ? "-" : options.output;
        auto opened = ResultSink::open(path, output_format->value_or(detect_format(path)), reader->type(),
                                       reader->count());
        if (!opened) return tl::unexpected(opened.error());
        sink = std::move(*opened);
    }
    ScanSettings settings;
    settings.chunk_bytes = *chunk;
    settings.time = options.time;
    settings.verify = options.verify;
    settings.progress = !options.quiet;
    settings.total = options.json;
    auto report = scan_file(*reader, *desc, *gpu, settings, [&](ConstBytes results, bool last) {
        return sink ? sink->write(results, last) : Outcome<void>();
    });
    if (!report) return tl::unexpected(report.error());
    if (sink) {
        if (auto ok = sink->finish(); !ok) return ok;
    }
    tell(options, *desc, *gpu, *report);
    if (!options.json) return {};
    return print(json_text(report_json(options, *desc, *gpu, *report)));
}

}  // namespace

void add_scan(CLI::App& app, Run& run) {
    auto options = std::make_shared<ScanOptions>();
    CLI::App* command = app.add_subcommand("scan", "Scan a file: every prefix combined");
    command->add_option("FILE", options->input, "The elements: npy, raw, text or CSV; - is standard input")
        ->required()
        ->type_name("");
    command
        ->add_option("-o,--output", options->output,
                     "Where the results go, in the format of its ending;\nby default text to standard output")
        ->type_name("OUT");
    command->add_option("--column", options->column, "A CSV column, by name or by number from 0")
        ->type_name("NAME|N");
    command->add_option("--input-format", options->input_format, "npy, raw, text or csv, whatever the ending")
        ->type_name("FORMAT");
    command
        ->add_option("--output-format", options->output_format, "npy, raw, text or csv, whatever the ending")
        ->type_name("FORMAT");
    command->add_option("--chunk", options->chunk, "Bytes that go through the device at a time (256M)")
        ->type_name("BYTES");
    command->add_flag("--verify", options->verify, "Compare with a serial scan; a difference exits with 1");
    command->add_flag("--time", options->time, "Tell the GPU's time and GB/s on standard error");
    command->add_flag(
        "--json", options->json,
        "Print an object about the run in place of the results\n(which go to OUT if -o is given)");
    command->add_flag("-q,--quiet", options->quiet, "Nothing on standard error but errors");
    add_request_options(*command, options->request);
    add_device_options(*command, options->device);
    command->footer(examples);
    command->callback([options, &run] { run = [options] { return run_scan(*options); }; });
}

}  // namespace upsweep::app
