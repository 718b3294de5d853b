#include "app/commands/file_command.h"

#include "app/commands/console.h"
#include "app/commands/element.h"
#include "app/commands/provider.h"
#include "app/commands/quantity.h"
#include "app/commands/request.h"

#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

Outcome<std::optional<Format>> parse_format(const std::string& name) {
    if (name.empty()) return std::nullopt;
    for (const Format format : {Format::npy, Format::raw, Format::text, Format::csv}) {
        if (name == to_string(format)) return format;
    }
    return wrong_usage(
        fmt::format("{} is not a format; it must be npy, raw, text or csv.", app::quoted(name)));
}

double gigabytes_per_second(const RunReport& report) {
    const double seconds = report.gpu_seconds.value_or(0);
    return seconds > 0 ? 1e-9 * static_cast<double>(report.data_bytes) / seconds : 0;
}

}  // namespace

void add_file_options(CLI::App& command, FileOptions& options, const FileWords& words) {
    command.add_option("FILE", options.input, "The elements: npy, raw, text or CSV; - is standard input")
        ->required()
        ->type_name("");
    if (words.has_output) {
        command
            .add_option(
                "-o,--output", options.output,
                "Where the results go, in the format of its ending;\nby default text to standard output")
            ->type_name("OUT");
    }
    command.add_option("--column", options.column, "A CSV column, by name or by number from 0")
        ->type_name("NAME|N");
    command.add_option("--input-format", options.input_format, "npy, raw, text or csv, whatever the ending")
        ->type_name("FORMAT");
    if (words.has_output) {
        command
            .add_option("--output-format", options.output_format,
                        "npy, raw, text or csv, whatever the ending")
            ->type_name("FORMAT");
    }
    command.add_option("--chunk", options.chunk, "Bytes that go through the device at a time (256M)")
        ->type_name("BYTES");
    command.add_flag("--verify", options.verify, words.verify);
    command.add_flag("--time", options.time, "Tell the GPU's time and GB/s on standard error");
    command.add_flag("--json", options.json,
                     words.has_output ? "Print an object about the run in place of the results\n(which go to "
                                        "OUT if -o is given)"
                                      : "Print an object with the result and about the run");
    command.add_flag("-q,--quiet", options.quiet, "Nothing on standard error but errors");
    add_request_options(command, options.request, std::span(&words.primitive, 1));
    add_device_options(command, options.device);
    command.footer(words.examples);
}

Outcome<FileSettings> check_file_options(const FileOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return tl::unexpected(ok.error());
    if (options.json && options.output == "-")
        return wrong_usage("Standard output takes the results or the JSON: give --json or -o -, not both.");
    FileSettings settings;
    auto input_format = parse_format(options.input_format);
    if (!input_format) return tl::unexpected(input_format.error());
    settings.input_format = *input_format;
    auto output_format = parse_format(options.output_format);
    if (!output_format) return tl::unexpected(output_format.error());
    settings.output_format = *output_format;
    auto chunk = parse_bytes(options.chunk);
    if (!chunk || *chunk == 0)
        return wrong_usage("--chunk: " +
                           (chunk ? "a chunk of no bytes holds nothing." : chunk.error().message));
    settings.run = {
        .chunk_bytes = *chunk, .time = options.time, .verify = options.verify, .progress = !options.quiet};
    auto type = requested_type(options.request);
    if (!type) return tl::unexpected(type.error());
    settings.type = std::move(*type);
    return settings;
}

Outcome<ArrayReader> open_input(const FileOptions& options, const FileSettings& settings) {
    auto reader = ArrayReader::open(options.input, {settings.type, options.column, settings.input_format});
    if (!reader) return tl::unexpected(reader.error());
    return std::move(*reader);
}

Outcome<std::optional<ResultSink>> open_output(const FileOptions& options, const FileSettings& settings,
                                               const ElementType& type, std::optional<std::uint64_t> count) {
    if (options.json && options.output.empty()) return std::nullopt;
    const std::string path = options.output.empty() ? "-" : options.output;
    auto opened = ResultSink::open(path, settings.output_format.value_or(detect_format(path)), type, count);
    if (!opened) return tl::unexpected(opened.error());
    return std::optional(std::move(*opened));
}

void tell_run(const FileOptions& options, const Gpu& gpu, const RunReport& report, const ElementType& type,
              const char* against) {
    if (options.quiet || options.json) return;
    if (options.time && report.gpu_seconds) {
        note(fmt::format("GPU time {} ({:.2f} GB/s read and written), {} in all",
                         seconds_text(*report.gpu_seconds), gigabytes_per_second(report),
                         seconds_text(report.seconds)));
    } else if (options.time) {
        note(fmt::format("GPU time unknown ({}), {} in all",
                         gpu.caps().timestamp_query ? "nothing ran there" : "the device has no timestamps",
                         seconds_text(report.seconds)));
    }
    if (options.verify) note(verified_text(report, type, against));
}

Json file_json(const FileOptions& options, const RunReport& report) {
    Json json;
    json["input"] = options.input;
    json["output"] = options.output.empty() ? Json() : Json(options.output);
    json["count"] = report.count;
    return json;
}

Outcome<void> print_run(Json json, const FileOptions& options, const Gpu& gpu, const RunReport& report) {
    const std::size_t comma = report.strategy.find(", ");
    json["strategy"] = report.strategy.empty() ? Json() : Json(report.strategy.substr(0, comma));
    json["block_scan"] = comma == std::string::npos ? Json() : Json(report.strategy.substr(comma + 2));
    json["chunks"] = report.chunks;
    json["dispatches"] = report.dispatches;
    json["adapter"] = gpu.adapter_name();
    json["provider"] = Gpu::provider();
    json["seconds"] = report.seconds;
    json["gpu_seconds"] = report.gpu_seconds ? Json(*report.gpu_seconds) : Json();
    json["gpu_gigabytes_per_second"] = report.gpu_seconds ? Json(gigabytes_per_second(report)) : Json();
    json["verified"] = options.verify ? Json(true) : Json();
    if (options.verify) json["not_comparable"] = report.not_comparable;
    return print(json_text(json));
}

Json json_of(const ElementType& type, ConstBytes element) {
    return element.empty() ? Json() : element_json(type, element);
}

}  // namespace upsweep::app
