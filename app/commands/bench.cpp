// upsweep bench: how fast is it here, beside a copy and beside a rival?
#include "app/bench/cases.h"
#include "app/bench/plot.h"
#include "app/bench/results.h"
#include "app/bench/runner.h"
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/element.h"
#include "app/commands/options.h"
#include "app/commands/provider.h"
#include "app/commands/quantity.h"
#include "app/formats/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <iterator>
#include <memory>
#include <optional>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr const char* notes = R"(Examples:
  upsweep bench
  upsweep bench --primitive scan --type u32 --sizes 2^20..2^28 --svg scan.svg
  upsweep bench --primitive scan --strategy lookback --block-scan subgroup,blelloch --provider dawn --csv scan.csv
  upsweep bench --primitive compact --type u32 --rival cub.csv --repetitions 3
  upsweep bench --merge first.csv --merge second.csv --rival cub.csv --csv best.csv --svg best.svg

A line for each point: the median of the GPU's time; GB/s of the bytes that must move (scan, partition and allocate
2n elements, reduce n, compact n and the kept half); the speed as a part of that of a kernel that copies as many
bytes; and how many times as fast as the rival. What stands behind is what the strategy came to, or why there is no
time. bench/rivals/run.sh measures CUB and this in turn.)";

struct BenchOptions {
    std::vector<std::string> primitives, types, strategies, block_scans, geometries, sizes;
    std::vector<std::string> rivals, merged, comments;
    int repetitions = 1;
    std::string csv, json, svg;
    bool quiet = false;
    DeviceOptions device;
};

Outcome<void> add_sizes(const std::string& text, std::vector<std::uint64_t>& sizes) {
    const auto count_of = [&](const std::string& part) -> Outcome<std::uint64_t> {
        auto count = parse_count(part);
        if (!count) return wrong_usage("--sizes: " + count.error().message);
        if (*count == 0) return wrong_usage("--sizes: no elements take no time; give counts from 1 on.");
        return *count;
    };
    const std::size_t dots = text.find("..");
    auto first = count_of(text.substr(0, dots));
    if (!first) return tl::unexpected(first.error());
    auto last = dots == std::string::npos ? first : count_of(text.substr(dots + 2));
    if (!last) return tl::unexpected(last.error());
    if (*last < *first) return wrong_usage(fmt::format("--sizes: {} goes downwards.", app::quoted(text)));
    for (std::uint64_t count = *first;; count *= 4) {
        sizes.push_back(count);
        if (count > *last / 4) return {};
    }
}

// 512x4 or 512x4:264: invocations of a workgroup, rows and, if given, workgroups.
std::optional<Geometry> parse_geometry(std::string_view text) {
    std::array<std::uint32_t, 3> numbers{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i == 2 && at == end) break;
        if (i > 0) {
            if (at == end || *at != (i == 1 ? 'x' : ':')) return std::nullopt;
            ++at;
        }
        const auto [behind, status] = std::from_chars(at, end, numbers.at(i));
        if (status != std::errc() || numbers.at(i) == 0) return std::nullopt;
        at = behind;
    }
    if (at != end) return std::nullopt;
    return Geometry{numbers[0], numbers[1], numbers[2]};
}

Outcome<BenchSettings> settings_of(const BenchOptions& options) {
    BenchSettings settings;
    settings.strategies = options.strategies;
    settings.repetitions = options.repetitions;
    if (options.repetitions < 1) return wrong_usage("--repetitions must be 1 or more.");
    if (!options.block_scans.empty()) settings.block_scans.clear();
    for (const std::string& name : options.block_scans) {
        auto block_scan = parse_block_scan(name);
        if (!block_scan) return wrong_usage(block_scan.error().message);
        settings.block_scans.push_back(*block_scan);
    }
    if (!options.geometries.empty()) settings.geometries.clear();
    for (const std::string& text : options.geometries) {
        const auto geometry = parse_geometry(text);
        if (!geometry)
            return wrong_usage(fmt::format(
                "--geometry: {} is not a geometry; write it as 512x4, or with the workgroups 512x4:264.",
                app::quoted(text)));
        settings.geometries.push_back(*geometry);
    }
    for (const std::string& text : options.sizes) {
        if (auto ok = add_sizes(text, settings.sizes); !ok) return tl::unexpected(ok.error());
    }
    return settings;
}

Outcome<std::vector<BenchCase>> cases_of(const BenchOptions& options) {
    std::vector<std::string> primitives = options.primitives, types = options.types;
    if (primitives.empty() || primitives == std::vector<std::string>{"all"})
        primitives.assign(std::begin(bench_primitives), std::end(bench_primitives));
    if (types.empty()) types.assign(std::begin(bench_types), std::end(bench_types));
    auto cases = bench_cases(primitives, types);
    if (!cases) return cases;
    for (const std::string& name : options.strategies) {
        if (std::none_of(cases->begin(), cases->end(),
                         [&](const BenchCase& one) { return one.has_strategy(name); }))
            return wrong_usage(
                fmt::format("No primitive that is asked for has a strategy {}.", app::quoted(name)));
    }
    return cases;
}

Outcome<Results> read_file(const std::string& path) {
    auto source = open_source(path);
    if (!source) return tl::unexpected(source.error());
    Input input(std::move(*source), path);
    auto results = read_results(input);
    if (!results) return tl::unexpected(results.error());
    return std::move(*results);
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

// What is sensible on this device for what was not asked for; says it, too.
void choose_defaults(BenchSettings& settings, const Gpu& gpu, bool quiet) {
    const bool is_slow = gpu.caps().kind == AdapterKind::cpu;
    if (is_slow) settings.effort.seconds = 0.25;
    if (!settings.sizes.empty()) return;
    (void)add_sizes(is_slow ? "2^10..2^20" : "2^10..2^28", settings.sizes);
    settings.most_input_bytes = std::uint64_t{1} << 30U;
    if (quiet) return;
    note(fmt::format("Sizes from {} to {}{}; --sizes chooses others.", count_text(settings.sizes.front()),
                     count_text(settings.sizes.back()),
                     is_slow ? ", since this adapter is software, whose times say nothing about a GPU"
                             : " with at most 1 GiB of input"));
}

// Prints rows as they come, unless files of the results are on standard output.
class Table {
  public:
    Table(const BenchOptions& options, const Results& rival) {
        set_rival(head_, rival);
        for (const std::string* path : {&options.csv, &options.json, &options.svg}) {
            if (*path == "-") is_silent_ = true;
        }
    }

    Outcome<void> begin() const { return is_silent_ ? Outcome<void>{} : print(table_head(head_)); }
    Outcome<void> add(const Measurement& row) {
        // Why a method is not possible is told once; the files have it for each count.
        if (is_silent_ || (row.us == 0 && !impossible_.insert(row.benchmark + "/" + row.strategy).second))
            return {};
        return print(table_row(head_, row));
    }

  private:
    bool is_silent_ = false;
    Results head_;
    std::set<std::string> impossible_;
};

Outcome<Results> measured(const BenchOptions& options, const Results& rival) {
    auto settings = settings_of(options);
    if (!settings) return tl::unexpected(settings.error());
    auto cases = cases_of(options);
    if (!cases) return tl::unexpected(cases.error());
    auto gpu = open_gpu(options.device);
    if (!gpu) return tl::unexpected(gpu.error());
    if (!gpu->caps().timestamp_query)
        return failed(
            "The device has no timestamps (the feature timestamp-query), so nothing can be measured.");
    choose_defaults(*settings, *gpu, options.quiet);
    Table table(options, rival);
    if (auto ok = table.begin(); !ok) return tl::unexpected(ok.error());
    auto results = run_benchmarks(*gpu, *cases, *settings, rival,
                                  [&](const Measurement& row) { return table.add(row); });
    if (!results) return results;
    set_rival(*results, rival);
    results->comments.push_back(fmt::format("{} by {}, upsweep {}, {}", gpu->adapter_name(), Gpu::provider(),
                                            UPSWEEP_VERSION, today()));
    return results;
}

Outcome<Results> merged(const BenchOptions& options, const Results& rival) {
    Results results;
    for (const std::string& path : options.merged) {
        auto more = read_file(path);
        if (!more) return more;
        merge(results, *more);
    }
    set_rival(results, rival);
    Table table(options, rival);
    if (auto ok = table.begin(); !ok) return tl::unexpected(ok.error());
    for (const Measurement& row : results.rows) {
        if (auto ok = table.add(row); !ok) return tl::unexpected(ok.error());
    }
    return results;
}

Outcome<void> run_bench(const BenchOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return ok;
    Results rival;
    for (const std::string& path : options.rivals) {
        auto more = read_file(path);
        if (!more) return tl::unexpected(more.error());
        merge(rival, *more);
    }
    auto results = options.merged.empty() ? measured(options, rival) : merged(options, rival);
    if (!results) return tl::unexpected(results.error());
    for (std::size_t i = 0; i < options.comments.size(); ++i)
        results->comments.insert(results->comments.begin() + static_cast<std::ptrdiff_t>(i),
                                 options.comments[i]);
    if (!options.csv.empty()) {
        if (auto ok = write_file(options.csv, to_csv(*results)); !ok) return ok;
    }
    if (!options.json.empty()) {
        if (auto ok = write_file(options.json, json_text(to_json(*results))); !ok) return ok;
    }
    if (!options.svg.empty()) {
        auto picture = plot_svg(*results);
        if (!picture) return tl::unexpected(picture.error());
        if (auto ok = write_file(options.svg, *picture); !ok) return ok;
    }
    if (std::none_of(results->rows.begin(), results->rows.end(),
                     [](const Measurement& row) { return row.us > 0; }))
        return failed("Nothing could be measured.");
    return {};
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command =
        app.add_subcommand("bench", "Measure GPU times, GB/s and the share of a copy's speed");
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
        command->add_option(name, values, help)->delimiter(',')->type_name("LIST");
    };
    const auto files = [&](const char* name, std::vector<std::string>& values, const char* help) {
        command->add_option(name, values, help)
            ->type_name("FILE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    };
    const auto file = [&](const char* name, std::string& path, const char* help) {
        command->add_option(name, path, help)->type_name("FILE");
    };
    list("--primitive", options->primitives,
         "scan, reduce, compact, partition, allocate or all (the default)");
    list("-t,--type", options->types, "Types of the library or mat2x2; by default u32,f32,u64,mat2x2");
    list("--strategy", options->strategies,
         "By default automatic and all that take any count quickly;\nsingle_block and serial if you ask for "
         "them");
    list("--block-scan", options->block_scans,
         "automatic (the default), hillis_steele, blelloch, blelloch_padded, subgroup");
    list("--geometry", options->geometries,
         "512x4 or 512x4:264: invocations of a workgroup, rows, and workgroups;\nby default as fits the "
         "device");
    list("--sizes", options->sizes,
         "Counts; 2^10..2^28 is each fourth power of two between them. By default\n"
         "that, or 2^10..2^20 on a software adapter");
    command
        ->add_option("--repetitions", options->repetitions,
                     "Measure everything so often, in random order, and keep the fastest (1)")
        ->type_name("N");
    files("--rival", options->rivals, "CSV with a rival's times: benchmark, log2_count, us; may be repeated");
    files("--merge", options->merged,
          "Measure nothing, but take the results in this CSV file; of several files\nthe faster results");
    file("--csv", options->csv, "Write the results as CSV; - is standard output, in place of the table");
    file("--json", options->json, "Write the results as JSON");
    file("--svg", options->svg, "Draw GB/s over n");
    command->add_option("--comment", options->comments, "A line for the head of the results; may be repeated")
        ->type_name("TEXT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command->add_flag("-q,--quiet", options->quiet, "Nothing on standard error but errors");
    add_device_options(*command, options->device);
    command->footer(notes);
    command->callback([options, &run] { run = [options] { return run_bench(*options); }; });
}

}  // namespace upsweep::app
