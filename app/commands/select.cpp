// upsweep compact and upsweep partition: a file in, the elements that a condition holds for out.
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/file_command.h"
#include "app/commands/request.h"
#include "app/commands/select_file.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr const char* compact_examples = R"(Examples:
  seq 10 | upsweep compact - --where 'x % 3u == 0u'
  upsweep compact depths.npy --where 'x > 0.5' -o near.npy
  upsweep compact depths.npy --where 'x > 0.5' --indices -o near_indices.npy
  upsweep compact samples.bin --type vec4f --where 'dot(x, x) < 1.0 && i % 2u == 0u' -o inside.bin
  upsweep compact particles.bin --struct particle.wgsl --type Particle --where 'x.age < 10u' -o young.bin
  upsweep compact large.npy --where 'x != 0u' --verify --time --json
)";

constexpr const char* partition_examples = R"(Examples:
  seq 10 | upsweep partition - --where 'x % 3u == 0u'
  upsweep partition depths.npy --where 'x > 0.5' -o near_first.npy
  upsweep partition large.npy --where 'x != 0u' --verify --time --json
)";

constexpr const char* compact_notes = R"(
The elements for which the condition holds come out in their order; --json tells how many they are, as "kept".)";

constexpr const char* partition_notes = R"(
The elements for which the condition holds come first, then the others, both in their order. How many the first
are is told on standard error, and with --json as "kept". Of data that are larger than a chunk the others wait in
a temporary file until all of the first part is written.)";

constexpr const char* notes = R"(

The condition is an expression in WGSL: x is the element (x.name a member of a struct, x.x a component of a
vector, a u64 or i64 a vec2<u32> with the low word first), i its index from 0, a u32 that goes on from chunk to
chunk; so there may be at most 4294967295 elements.

--verify: the condition is WGSL, so that no CPU can tell what it comes to. A kernel of its own, an invocation for
each element, computes flags on the device; from these a loop on the CPU selects again, and all results and
their number are compared, bit for bit. A condition that the device gets wrong in both kernels goes unseen.)";

constexpr const char* against = "the serial selection by flags of the device";

Outcome<void> run_select(const FileOptions& options, bool partition) {
    auto settings = check_file_options(options);
    if (!settings) return tl::unexpected(settings.error());
    auto desc = requested_compact(options.request);
    if (!desc) return tl::unexpected(desc.error());
    auto reader = open_input(options, *settings);
    if (!reader) return tl::unexpected(reader.error());
    desc->type = reader->type();
    auto gpu = open_gpu(options.device);
    if (!gpu) return tl::unexpected(gpu.error());
    const ElementType& result = result_type(*desc);
    auto sink = open_output(options, *settings, result, partition ? reader->count() : std::nullopt);
    if (!sink) return tl::unexpected(sink.error());

    // Of a partition in several chunks: what comes behind all that is kept.
    Spool others;
    const auto take = [&](ConstBytes results, std::uint64_t kept_bytes, bool last) -> Outcome<void> {
        if (!*sink) return {};
        if (last && others.empty()) return (*sink)->write(results, true);
        if (auto ok = (*sink)->write(results.first(kept_bytes), false); !ok) return ok;
        return others.write(results.subspan(kept_bytes));
    };
    auto report = select_file(*reader, *desc, partition, *gpu, settings->run, take);
    if (!report) return tl::unexpected(report.error());
    if (*sink) {
        auto ok =
            others.replay(result.stride, [&](ConstBytes piece) { return (*sink)->write(piece, false); });
        if (ok) ok = (*sink)->finish();
        if (!ok) return ok;
    }
    if (partition && !options.quiet && !options.json)
        note(fmt::format("The first part has {} of {} elements.", report->kept, report->run.count));
    tell_run(options, *gpu, report->run, desc->type, against);
    if (!options.json) return {};
    nlohmann::ordered_json json = file_json(options, report->run);
    json["type"] = desc->type.name;
    json["where"] = options.request.where;
    json["kept"] = report->kept;
    return print_run(std::move(json), options, *gpu, report->run);
}

void add_select(CLI::App& app, Run& run, Primitive primitive, const char* what, const std::string& help) {
    auto options = std::make_shared<FileOptions>();
    CLI::App* command = app.add_subcommand(to_string(primitive), what);
    add_file_options(*command, *options,
                     {.primitive = primitive,
                      .verify = "Compare with a serial selection (see below); a difference exits with 1",
                      .examples = help});
    command->callback([options, &run, primitive] {
        run = [options, primitive] { return run_select(*options, primitive == Primitive::partition); };
    });
}

}  // namespace

void add_compact(CLI::App& app, Run& run) {
    add_select(app, run, Primitive::compact, "Compact a file: the elements that a condition holds for",
               std::string(compact_examples) + compact_notes + notes);
}

void add_partition(CLI::App& app, Run& run) {
    add_select(app, run, Primitive::partition,
               "Partition a file: first the elements that a condition holds for, then the others",
               std::string(partition_examples) + partition_notes + notes);
}

}  // namespace upsweep::app
