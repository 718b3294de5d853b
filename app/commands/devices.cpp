// upsweep devices: what there is to run on, and what it can do.
#include "app/commands/caps_json.h"
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/commands/device.h"
#include "app/commands/device_profile.h"
#include "app/commands/element.h"
#include "app/commands/options.h"
#include "app/commands/provider.h"
#include "app/commands/quantity.h"
#include "upsweep/record/device.h"
#include "upsweep/record/handles.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* examples = R"(Examples:
  upsweep devices
  upsweep devices --adapter lavapipe --provider wgpu-native --json > lavapipe.json
  upsweep plan --count 2^20 --caps lavapipe.json

Without --adapter, every adapter that the library gives and the software adapters that are installed are
opened in turn. Without --provider, both libraries are asked.)";

struct DevicesOptions {
    bool json = false;
    DeviceOptions device;
};

std::string adapter_name(WGPUInstance instance, WGPUPowerPreference power, bool fallback) {
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.featureLevel = WGPUFeatureLevel_Core;
    options.powerPreference = power;
    options.forceFallbackAdapter = fallback ? 1U : 0U;
    struct Answer {
        bool done = false;
        std::string name;
    } answer;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowProcessEvents;
    info.userdata1 = &answer;
    info.callback = [](WGPURequestAdapterStatus, WGPUAdapter raw, WGPUStringView, void* user, void*) {
        auto* out = static_cast<Answer*>(user);
        const AdapterHandle adapter(raw);
        WGPUAdapterInfo found = WGPU_ADAPTER_INFO_INIT;
        if (raw != nullptr && wgpuAdapterGetInfo(raw, &found) == WGPUStatus_Success) {
            out->name = text_of(found.device);
            wgpuAdapterInfoFreeMembers(found);
        }
        out->done = true;
    };
    wgpuInstanceRequestAdapter(instance, &options, info);
    wait_until(instance, answer.done, 60);
    return answer.name;
}

// The adapters that the library gives by itself. It has no call that lists them, so they are asked for by
// what they may be.
std::vector<std::string> adapters_found() {
    const QuietDawn quiet;
    WGPUInstanceDescriptor desc = WGPU_INSTANCE_DESCRIPTOR_INIT;
    const InstanceHandle instance(wgpuCreateInstance(&desc));
    std::vector<std::string> names;
    if (!instance) return names;
    for (const auto& [power, fallback] : {std::pair{WGPUPowerPreference_HighPerformance, false},
                                          {WGPUPowerPreference_LowPower, false},
                                          {WGPUPowerPreference_Undefined, true}}) {
        std::string name = adapter_name(instance.get(), power, fallback);
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(std::move(name));
    }
    return names;
}

Json device_json(const DeviceOptions& options) {
    const auto gpu = open_gpu(options);
    Json json;
    json["option"] = options.adapter;
    if (!gpu) {
        json["error"] = gpu.error().message;
        return json;
    }
    json["adapter"] = gpu->adapter_name();
    json["caps"] = caps_json(gpu->caps());
    json["subgroup_probe"] = nullptr;
    if (const auto& probe = gpu->context().subgroup_probe()) {
        json["subgroup_probe"] = {{"sound", probe->sound},
                                  {"smallest", probe->smallest},
                                  {"largest", probe->largest},
                                  {"fault", probe->fault}};
    }
    json["profile"] = nullptr;
    if (gpu->caps().tuning != nullptr) {
        json["profile"] = {{"file", profile_path(*gpu, options).value_or("").string()},
                           {"choices", gpu->caps().tuning->choices.size()}};
    }
    return json;
}

// What this program's own library has to offer.
Json own_provider(const DeviceOptions& given) {
    Json adapters = Json::array();
    make_runtime_directory();
    std::vector<std::string> wanted{given.adapter};
    if (given.adapter == "auto") {
        wanted = adapters_found();
        // The loader does not find each of them by itself. They come last, since they are chosen by a
        // variable of the environment that stays set.
        wanted.insert(wanted.end(), {"lavapipe", "swiftshader"});
    }
    for (const std::string& option : wanted) {
        DeviceOptions options = given;
        options.adapter = option;
        Json json = device_json(options);
        const auto same = std::find_if(adapters.begin(), adapters.end(), [&](const Json& other) {
            return json.contains("adapter") && other.value("adapter", "") == json["adapter"];
        });
        if (same == adapters.end())
            adapters.push_back(std::move(json));
        else
            (*same)["option"] = option;  // The shorter name for it.
    }
    return {{"provider", Gpu::provider()}, {"adapters", std::move(adapters)}};
}

Json other_provider(const std::string& provider, const DeviceOptions& given) {
    std::vector<std::string> arguments{"devices", "--json",    "--provider",
                                       provider,  "--adapter", given.adapter};
    if (given.no_subgroups) arguments.emplace_back("--no-subgroups");
    if (given.no_immediates) arguments.emplace_back("--no-immediates");
    if (given.no_profile) arguments.emplace_back("--no-profile");
    if (!given.profile.empty()) arguments.insert(arguments.end(), {"--profile", given.profile});
    auto output = output_of_provider(provider, arguments);
    if (output) {
        Json json = Json::parse(*output, nullptr, false);
        if (!json.is_discarded() && json.contains("providers") && !json["providers"].empty())
            return json["providers"][0];
        return {{"provider", provider}, {"error", "Its program printed something else than devices."}};
    }
    return {{"provider", provider}, {"error", output.error().message}};
}

std::string features_text(const Json& caps) {
    std::string text;
    for (const auto& [name, label] : {std::pair{"shader_f16", "f16"},
                                      {"timestamp_query", "timestamps"},
                                      {"immediates", "immediates"},
                                      {"subgroups", "subgroups"}})
        if (caps[name]) text += (text.empty() ? "" : ", ") + std::string(label);
    return text.empty() ? "none" : text;
}

std::string subgroups_text(const Json& adapter) {
    const Json& caps = adapter["caps"];
    std::string text;
    if (caps["subgroup_max_size"] != 0)
        text = fmt::format("{} to {} lanes by the driver; ", caps["subgroup_min_size"].dump(),
                           caps["subgroup_max_size"].dump());
    const Json& probe = adapter["subgroup_probe"];
    if (probe.is_null()) return text + "not probed, since the device was made without them";
    if (!probe["sound"]) return text + "probed and not used: " + probe["fault"].get<std::string>();
    return text + fmt::format("probed and sound, {} to {} lanes seen", probe["smallest"].dump(),
                              probe["largest"].dump());
}

std::string adapter_text(const Json& adapter) {
    if (adapter.contains("error"))
        return fmt::format("  {}: {}\n", adapter["option"].get<std::string>(),
                           adapter["error"].get<std::string>());
    const Json& caps = adapter["caps"];
    const auto bytes = [&](const char* name) { return bytes_text(caps[name].get<std::uint64_t>()); };
    std::string text = fmt::format("  {} ({}), --adapter {}\n", adapter["adapter"].get<std::string>(),
                                   caps["kind"].get<std::string>(), adapter["option"].dump());
    text += fmt::format("    buffers     {}, bindings {} at multiples of {} bytes, {} in a stage\n",
                        bytes("max_buffer_size"), bytes("max_storage_binding_size"),
                        caps["min_storage_offset_alignment"].dump(),
                        caps["max_storage_buffers_per_stage"].dump());
    text += fmt::format("    workgroups  {} invocations ({} in x), {} of memory, {} groups in a dimension\n",
                        caps["max_invocations_per_workgroup"].dump(), caps["max_workgroup_size_x"].dump(),
                        bytes("max_workgroup_storage"), caps["max_workgroups_per_dimension"].dump());
    text += fmt::format("    features    {}\n", features_text(caps));
    const auto driver = caps["driver"].get<std::string>();
    text += fmt::format("    driver      {}\n", driver.empty() ? "not told by the library" : driver);
    text += fmt::format("    subgroups   {}\n", subgroups_text(adapter));
    const Json& profile = adapter["profile"];
    if (profile.is_null()) return text + "    profile     none; 'upsweep tune' measures what is fastest\n";
    return text + fmt::format("    profile     {} choices in {}\n", profile["choices"].dump(),
                              profile["file"].get<std::string>());
}

std::string devices_text(const Json& document) {
    std::string text;
    for (const Json& provider : document["providers"]) {
        text += provider["provider"].get<std::string>() + "\n";
        if (provider.contains("error")) text += "  " + provider["error"].get<std::string>() + "\n";
        for (const Json& adapter : provider.value("adapters", Json::array())) text += adapter_text(adapter);
    }
    return text;
}

Outcome<void> run_devices(const DevicesOptions& options) {
    if (auto ok = use_provider(options.device.provider); !ok) return ok;
    Json document;
    document["upsweep"] = UPSWEEP_VERSION;
    document["providers"] = Json::array();
    for (const char* provider : provider_names) {
        if (std::string_view(provider) == Gpu::provider())
            document["providers"].push_back(own_provider(options.device));
        else if (options.device.provider.empty())
            document["providers"].push_back(other_provider(provider, options.device));
    }
    if (auto ok = print(options.json ? json_text(document) : devices_text(document)); !ok) return ok;
    for (const Json& provider : document["providers"]) {
        for (const Json& adapter : provider.value("adapters", Json::array()))
            if (adapter.contains("caps")) return {};
    }
    return failed("There is no device to run on.");
}

}  // namespace

void add_devices(CLI::App& app, Run& run) {
    auto options = std::make_shared<DevicesOptions>();
    CLI::App* command = app.add_subcommand("devices", "List providers, adapters and what they can do");
    command->add_flag("--json", options->json, "Print JSON");
    add_device_options(*command, options->device);
    command->footer(examples);
    command->callback([options, &run] { run = [options] { return run_devices(*options); }; });
}

}  // namespace upsweep::app
