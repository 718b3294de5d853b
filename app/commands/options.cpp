#include "app/commands/options.h"

#include "app/formats/format.h"
#include "upsweep/core/operators.h"

#include <algorithm>
#include <array>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace upsweep::app {

namespace {

using P = Primitive;

// The names with their commas, in lines that fit beside the options.
std::string operator_names() {
    constexpr std::size_t widest = 70;
    std::string names;
    std::size_t width = 0;
    for (const std::string& name : Operator::names()) {
        if (width > 0) names += ",";
        names += width + name.size() > widest ? "\n" : width > 0 ? " " : "";
        width = width + name.size() > widest ? name.size() : width + name.size() + 2;
        names += name;
    }
    return names;
}

// An option of a request that not every primitive has.
struct Restricted {
    const char* name;
    std::array<bool, 4> has;  // In the order of Primitive.
    bool (*is_given)(const RequestOptions&);
};
constexpr std::array<bool, 4> of_scan{true, false, false, false}, of_operators{true, true, false, false},
    of_conditions{false, false, true, true}, of_compact{false, false, true, false};
constexpr Restricted restricted[] = {
    {"--op", of_operators, [](const RequestOptions& o) { return !o.op.empty(); }},
    {"--op-file", of_operators, [](const RequestOptions& o) { return !o.op_file.empty(); }},
    {"--identity", of_operators, [](const RequestOptions& o) { return !o.identity.empty(); }},
    {"--commutative", of_operators, [](const RequestOptions& o) { return o.commutative; }},
    {"--init", of_operators, [](const RequestOptions& o) { return !o.initial.empty(); }},
    {"--inclusive", of_scan, [](const RequestOptions& o) { return o.inclusive; }},
    {"--exclusive", of_scan, [](const RequestOptions& o) { return o.exclusive; }},
    {"--deterministic", of_scan, [](const RequestOptions& o) { return o.deterministic; }},
    {"--where", of_conditions, [](const RequestOptions& o) { return !o.where.empty(); }},
    {"--indices", of_compact, [](const RequestOptions& o) { return o.indices; }},
};

bool has(Primitive primitive, std::string_view name) {
    for (const Restricted& option : restricted) {
        if (name == option.name) return option.has[static_cast<std::size_t>(primitive)];
    }
    return true;
}

}  // namespace

Outcome<Primitive> requested_primitive(std::string_view name) {
    auto primitive = parse_primitive(name);
    if (!primitive) return wrong_usage(primitive.error().message);
    return *primitive;
}

void add_device_options(CLI::App& command, DeviceOptions& options, bool with_profile) {
    command
        .add_option("--adapter", options.adapter,
                    "auto (a GPU if there is one, else a software adapter), lavapipe,\n"
                    "swiftshader, or a part of an adapter's name")
        ->type_name("NAME")
        ->group(device_group);
    command.add_option("--provider", options.provider, "The WebGPU library: wgpu-native or dawn")
        ->type_name("NAME")
        ->group(device_group);
    command.add_flag("--no-subgroups", options.no_subgroups, "Do without subgroups")->group(device_group);
    command
        .add_flag("--no-immediates", options.no_immediates,
                  "Give kernels their parameters in a uniform buffer")
        ->group(device_group);
    if (!with_profile) return;
    auto* no_profile = command.add_flag("--no-profile", options.no_profile,
                                        "Do not use what 'upsweep tune' has measured on the device");
    no_profile->group(device_group);
    command
        .add_option("--profile", options.profile,
                    "Use the measurements in this file; it must be the device's own")
        ->type_name("FILE")
        ->group(device_group)
        ->excludes(no_profile);
}

void add_request_options(CLI::App& command, RequestOptions& options, std::span<const Primitive> primitives) {
    const char* group = "What to compute";
    const auto wanted = [&](std::string_view name) {
        return std::any_of(primitives.begin(), primitives.end(), [&](P p) { return has(p, name); });
    };
    const auto is_for = [&](P p) {
        return std::find(primitives.begin(), primitives.end(), p) != primitives.end();
    };
    const auto value = [&](const char* name, auto& variable, const std::string& help, const char* type) {
        if (wanted(name)) command.add_option(name, variable, help)->type_name(type)->group(group);
    };
    const auto flag = [&](const char* name, bool& variable, const char* help) {
        if (wanted(name)) command.add_flag(name, variable, help)->group(group);
    };
    value("-t,--type", options.type,
          "u32, i32, f32, f16, u64, i64, or vec2, vec3, vec4 of the first four\n"
          "(vec3<f32> or vec3f), or the struct of --struct",
          "TYPE");
    value("--struct", options.struct_file, "WGSL with the struct that --type names, and what it needs",
          "FILE");
    value("--op", options.op,
          "By default plus:\n" + operator_names() +
              (is_for(P::reduce) ? ";\narg_min, arg_max (reduce): the value and its first index" : ""),
          "NAME");
    value("--op-file", options.op_file, "WGSL with fn combine(a: T, b: T) -> T, an associative operator",
          "FILE");
    value("--identity", options.identity,
          "For --op-file: a WGSL expression e with combine(e, x) = combine(x, e) = x", "EXPR");
    flag("--commutative", options.commutative,
         "For --op-file: combine(a, b) = combine(b, a); some kernels are faster then");
    flag("--inclusive", options.inclusive, "Each result takes its own element in");
    flag("--exclusive", options.exclusive,
         "Each result is that of the elements before its own (the default)");
    value("--init", options.initial,
          "What stands before the first element, by default the identity;\n1,2,3 for a vector or a struct",
          "VALUE");
    value("--where", options.where,
          "The condition: a WGSL expression in x, the element, and i, its index (u32)", "EXPR");
    flag("--indices", options.indices, "Give the indices of the elements, as u32, in place of the elements");

    group = "How to compute it";
    std::string names = "automatic (the default)";
    const auto of_primitive = [&](bool wanted_here, const char* what, const char* strategies) {
        if (!wanted_here) return;
        names += primitives.size() > 1 ? std::string(";\n") + what + ": " : ", ";
        names += strategies;
    };
    of_primitive(is_for(P::scan), "scan",
                 "single_block, multi_level, reduce_then_scan,\nlookback, lookback_then_rest or serial");
    of_primitive(is_for(P::reduce), "reduce", "single_block, two_pass or last_arrival");
    of_primitive(is_for(P::compact) || is_for(P::partition), "compact and partition",
                 "single_block,\nreduce_then_scan, lookback or lookback_then_rest");
    value("--strategy", options.strategy, names, "NAME");
    flag("--deterministic", options.deterministic, "The same bits from run to run, floats too");
    value("--block-scan", options.block_scan,
          "automatic (the default), hillis_steele, blelloch, blelloch_padded or subgroup", "NAME");
    value("--block", options.block, "Invocations of a workgroup, by default as fits the device", "N");
    value("--rows", options.rows, "Rows that an invocation holds", "N");
    value("--groups", options.groups, "Workgroups of a grid of fixed size", "N");
}

Outcome<void> refuse_other_options(const RequestOptions& options, Primitive primitive) {
    for (const Restricted& option : restricted) {
        if (!option.is_given(options) || has(primitive, option.name)) continue;
        std::string owners;
        for (const Primitive owner : all_primitives) {
            if (has(owner, option.name))
                owners += (owners.empty() ? "" : " or ") + std::string(to_string(owner));
        }
        return wrong_usage(
            fmt::format("{} belongs to {}, not to {}.", option.name, owners, to_string(primitive)));
    }
    return {};
}

}  // namespace upsweep::app
