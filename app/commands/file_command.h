// What the commands on a file share: their options, what they open, and what they tell.
#pragma once

#include "app/commands/file_run.h"
#include "app/commands/options.h"
#include "app/commands/outcome.h"
#include "app/commands/sink.h"
#include "app/formats/format.h"
#include "app/formats/reader.h"
#include "upsweep/record/gpu.h"

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace upsweep::app {

struct FileOptions {
    std::string input;
    std::string output;  ///< Empty: text on standard output, unless there is JSON.
    std::string column;
    std::string input_format, output_format;
    std::string chunk = "256M";
    bool time = false, verify = false, json = false, quiet = false;
    RequestOptions request;
    DeviceOptions device;
};

/// How the help text of a command speaks.
struct FileWords {
    Primitive primitive = Primitive::scan;
    bool has_output = true;  ///< False: the result is one line on standard output.
    const char* verify = "";
    std::string examples = {};
};
void add_file_options(CLI::App& command, FileOptions& options, const FileWords& words);

/// The options that need no data, checked, and the program of --provider in place of this one.
struct FileSettings {
    std::optional<ElementType> type;
    std::optional<Format> input_format, output_format;
    RunSettings run;
};
Outcome<FileSettings> check_file_options(const FileOptions& options);

Outcome<ArrayReader> open_input(const FileOptions& options, const FileSettings& settings);

/// Nothing if there is JSON in place of the results.
Outcome<std::optional<ResultSink>> open_output(const FileOptions& options, const FileSettings& settings,
                                               const ElementType& type, std::optional<std::uint64_t> count);

/// The time and the check, for people on standard error. `against`: what the results were compared with.
void tell_run(const FileOptions& options, const Gpu& gpu, const RunReport& report, const ElementType& type,
              const char* against);

/// An object that begins with where the data come from and go to, and how many they are.
nlohmann::ordered_json file_json(const FileOptions& options, const RunReport& report);

/// The object of --json as far as a command has filled it, completed with what every run tells.
Outcome<void> print_run(nlohmann::ordered_json json, const FileOptions& options, const Gpu& gpu,
                        const RunReport& report);

/// Of an element, or null if there is none.
nlohmann::ordered_json json_of(const ElementType& type, ConstBytes element);

}  // namespace upsweep::app
