#include "app/commands/options.h"

#include "upsweep/core/operators.h"

#include <CLI/CLI.hpp>

namespace upsweep::app {

namespace {

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

}  // namespace

void add_device_options(CLI::App& command, DeviceOptions& options) {
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
}

void add_request_options(CLI::App& command, RequestOptions& options) {
    constexpr const char* what = "What to compute";
    const auto text = [&](const char* name, std::string& value, const std::string& help, const char* type) {
        command.add_option(name, value, help)->type_name(type)->group(what);
    };
    const auto flag = [&](const char* name, bool& value, const char* help) {
        command.add_flag(name, value, help)->group(what);
    };
    text("-t,--type", options.type,
         "u32, i32, f32, f16, u64, i64, or vec2, vec3, vec4 of the first four\n"
         "(vec3<f32> or vec3f), or the struct of --struct",
         "TYPE");
    text("--struct", options.struct_file, "WGSL with the struct that --type names, and what it needs",
         "FILE");
    text("--op", options.op, "By default plus:\n" + operator_names(), "NAME");
    text("--op-file", options.op_file, "WGSL with fn combine(a: T, b: T) -> T, an associative operator",
         "FILE");
    text("--identity", options.identity,
         "For --op-file: a WGSL expression e with combine(e, x) = combine(x, e) = x", "EXPR");
    flag("--commutative", options.commutative,
         "For --op-file: combine(a, b) = combine(b, a); some kernels are faster then");
    flag("--inclusive", options.inclusive, "Each result takes its own element in");
    flag("--exclusive", options.exclusive,
         "Each result is that of the elements before its own (the default)");
    text("--init", options.initial,
         "What stands before the first element, by default the identity;\n1,2,3 for a vector or a struct",
         "VALUE");

    constexpr const char* how = "How to compute it";
    command
        .add_option("--strategy", options.strategy,
                    "automatic (the default), single_block, multi_level, reduce_then_scan or serial")
        ->type_name("NAME")
        ->group(how);
    command
        .add_option("--block-scan", options.block_scan,
                    "automatic (the default), hillis_steele, blelloch, blelloch_padded or subgroup")
        ->type_name("NAME")
        ->group(how);
    command.add_option("--block", options.block, "Invocations of a workgroup, by default as fits the device")
        ->type_name("N")
        ->group(how);
    command.add_option("--rows", options.rows, "Rows that an invocation holds")->type_name("N")->group(how);
    command.add_option("--groups", options.groups, "Workgroups of reduce_then_scan")
        ->type_name("N")
        ->group(how);
}

}  // namespace upsweep::app
