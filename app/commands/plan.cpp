// upsweep plan and upsweep wgsl: what a request becomes, for people who run it in another host.
#include "app/commands/caps_json.h"
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/element.h"
#include "app/commands/options.h"
#include "app/commands/provider.h"
#include "app/commands/quantity.h"
#include "app/commands/replay.h"
#include "app/commands/request.h"
#include "app/formats/format.h"
#include "app/formats/output_file.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* plan_notes = R"(Examples:
  upsweep plan --count 2^24
  upsweep plan --count 1e6 --type f32 --op max --inclusive --json > plan.json
  upsweep plan --count 1_000_000 --caps device --adapter lavapipe
  upsweep plan --primitive compact --count 2^20 --where 'x > 2u'
  upsweep devices --adapter lavapipe --provider dawn --json > caps.json && upsweep plan --count 8 --caps caps.json

--caps minimum (the default) plans for what every WebGPU device has, and needs none here.

With --json, another host can run the plan: make a storage buffer for each of "buffers" ("initial" has the bytes
of that name), then in each of "steps" bind the slots, give the 16 bytes of "params" (u32 count, base, limit,
level) as immediates or in a uniform buffer at "params_binding", and dispatch "grid" workgroups of "entry_point"
in "wgsl". A step that has "count_follows" takes min(count - base, limit) as its count for a smaller count. One that has
"clears_scratch" may be left out where the scratch is zero, or was left so by a run before.)";

constexpr const char* wgsl_notes = R"(Examples:
  upsweep wgsl --count 1000 | less
  upsweep wgsl --count 2^24 --type vec4f --op min --strategy multi_level -o kernels
  upsweep wgsl --count 2^24 --caps device --block-scan subgroup
  upsweep wgsl --primitive reduce --count 1e6 --op arg_min

The first line of each kernel says what it was made from. With -o the kernels become files in that folder.)";

struct PlanOptions {
    std::string primitive = "scan";
    std::string count;
    bool count_on_gpu = false, in_place = false, json = false;
    std::string caps = "minimum";
    std::string folder;
    RequestOptions request;
    DeviceOptions device;
};

Outcome<DeviceCaps> requested_caps(const PlanOptions& options) {
    if (options.caps != "device" && !options.device.profile.empty())
        return wrong_usage(
            "--profile goes with --caps device: what was measured on a device holds for it alone.");
    if (options.caps == "minimum") return DeviceCaps::minimum();
    if (options.caps == "device") {
        auto gpu = open_gpu(options.device);
        if (!gpu) return tl::unexpected(gpu.error());
        return gpu->caps();
    }
    auto text = read_text_file(options.caps);
    if (!text) return tl::unexpected(text.error());
    return caps_from_json(*text);
}

// A request that is whole but for the device.
using Planner = std::function<Result<Plan>(const DeviceCaps&)>;

template <class Desc>
Planner planner(Result<Plan> (*plan)(const Desc&, const DeviceCaps&), Desc desc, std::uint64_t count,
                const PlanOptions& options) {
    desc.count = count;
    desc.count_on_gpu = options.count_on_gpu;
    return [plan, desc](const DeviceCaps& caps) { return plan(desc, caps); };
}

Outcome<Planner> requested_planner(const PlanOptions& options, std::uint64_t count) {
    const RequestOptions& request = options.request;
    auto primitive = requested_primitive(options.primitive);
    if (!primitive) return tl::unexpected(primitive.error());
    if (auto ok = refuse_other_options(request, *primitive); !ok) return tl::unexpected(ok.error());
    auto given = requested_type(request);
    if (!given) return tl::unexpected(given.error());
    const ElementType type = given->value_or(types::u32);
    if (*primitive == Primitive::scan) {
        auto method = requested_scan_method(request);
        auto desc = method ? requested_scan(std::move(*method), request, type) : std::move(method);
        if (!desc) return tl::unexpected(desc.error());
        return planner(plan_scan, *desc, count, options);
    }
    if (*primitive == Primitive::reduce) {
        auto method = requested_reduce_method(request);
        auto desc = method ? requested_reduce(std::move(*method), request, type) : std::move(method);
        if (!desc) return tl::unexpected(desc.error());
        return planner(plan_reduce, *desc, count, options);
    }
    auto desc = requested_compact(request);
    if (!desc) return tl::unexpected(desc.error());
    desc->type = type;
    if (*primitive == Primitive::compact) return planner(plan_compact, *desc, count, options);
    return planner(plan_partition, partition_by(*desc), count, options);
}

Outcome<Replay> plan_for(const PlanOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return tl::unexpected(ok.error());
    auto count = parse_count(options.count);
    if (!count) return wrong_usage("--count: " + count.error().message);
    auto planner = requested_planner(options, *count);
    if (!planner) return tl::unexpected(planner.error());
    auto caps = requested_caps(options);
    if (!caps) return tl::unexpected(caps.error());
    auto plan = (*planner)(*caps);
    if (!plan) return tl::unexpected(plan.error());
    if (options.in_place && !plan->in_place_allowed)
        return wrong_usage(fmt::format("--in-place is not possible for {}.", options.primitive));
    return make_replay(*plan, options.in_place);
}

Outcome<void> run_plan(const PlanOptions& options) {
    auto replay = plan_for(options);
    if (!replay) return tl::unexpected(replay.error());
    if (options.json) return print(json_text(replay_json(*replay)));
    Plan plan = replay->plan;
    for (std::size_t s = 0; s < plan.steps.size(); ++s) plan.steps[s] = replay->steps[s].step;
    return print(to_string(plan));
}

Outcome<void> write_kernels(const std::vector<NamedKernel>& kernels, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return failed(
            fmt::format("The folder {} cannot be made ({}).", app::quoted(folder, 4096), error.message()));
    for (const NamedKernel& kernel : kernels) {
        auto file = OutputFile::create((std::filesystem::path(folder) / (kernel.name + ".wgsl")).string());
        if (!file) return tl::unexpected(file.error());
        if (auto ok = (*file)->write(std::as_bytes(std::span(kernel.step->module.wgsl))); !ok)
            return tl::unexpected(ok.error());
        if (auto ok = (*file)->commit(); !ok) return tl::unexpected(ok.error());
    }
    return {};
}

Outcome<void> run_wgsl(const PlanOptions& options) {
    auto replay = plan_for(options);
    if (!replay) return tl::unexpected(replay.error());
    const std::vector<NamedKernel> kernels = distinct_kernels(*replay);
    if (!options.folder.empty()) return write_kernels(kernels, options.folder);
    std::string text;
    Json json = Json::array();
    for (const NamedKernel& kernel : kernels) {
        const Module& module = kernel.step->module;
        if (!text.empty()) text += '\n';
        text += module.wgsl;
        json.push_back({{"name", kernel.name}, {"entry_point", module.entry_point}, {"wgsl", module.wgsl}});
    }
    return print(options.json ? json_text(json) : text);
}

std::shared_ptr<PlanOptions> add_options(CLI::App& command) {
    auto options = std::make_shared<PlanOptions>();
    command
        .add_option("--primitive", options->primitive,
                    "scan (the default), reduce, compact or partition; each has its own of the options below")
        ->type_name("NAME");
    command
        .add_option("-n,--count", options->count,
                    "Elements: 1000000, 1_000_000, 1e6 or 2^20;\nwith --count-on-gpu the most there can be")
        ->required()
        ->type_name("N");
    command.add_flag("--count-on-gpu", options->count_on_gpu, "The kernels read the count from a buffer");
    command.add_flag("--in-place", options->in_place, "Input and output are one buffer");
    command
        .add_option("--caps", options->caps,
                    "The device to plan for: minimum (the default), device, or a file of JSON")
        ->type_name("minimum|device|FILE");
    command.add_flag("--json", options->json, "Print JSON");
    add_request_options(command, options->request, all_primitives);
    add_device_options(command, options->device);
    return options;
}

}  // namespace

void add_plan(CLI::App& app, Run& run) {
    CLI::App* command =
        app.add_subcommand("plan", "Print what a request becomes: dispatches, bindings, grids");
    auto options = add_options(*command);
    command->footer(plan_notes);
    command->callback([options, &run] { run = [options] { return run_plan(*options); }; });
}

void add_wgsl(CLI::App& app, Run& run) {
    CLI::App* command = app.add_subcommand("wgsl", "Print the kernels of a request, expanded");
    auto options = add_options(*command);
    command->add_option("-o,--output", options->folder, "A folder to write the kernels to, a file each")
        ->type_name("DIR");
    command->footer(wgsl_notes);
    command->callback([options, &run] { run = [options] { return run_wgsl(*options); }; });
}

}  // namespace upsweep::app
