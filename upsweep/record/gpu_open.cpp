#include "upsweep/record/device.h"
#include "upsweep/record/gpu_state.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace upsweep {

namespace {

struct SoftwareAdapter {
    const char* name;
    const char* icd;
};

// Where Debian puts them.
#if defined(__aarch64__)
constexpr std::array<SoftwareAdapter, 2> software{
    {{"lavapipe", "/usr/share/vulkan/icd.d/lvp_icd.aarch64.json"},
     {"swiftshader", "/usr/lib/chromium/vk_swiftshader_icd.json"}}};
#else
constexpr std::array<SoftwareAdapter, 2> software{
    {{"lavapipe", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"},
     {"swiftshader", "/usr/lib/chromium/vk_swiftshader_icd.json"}}};
#endif

// Dawn's own chained struct that turns toggles off; timestamps are rounded to 100 us without it.
struct DawnToggles {
    WGPUChainedStruct chain{nullptr, static_cast<WGPUSType>(0x0005000A)};
    std::size_t enabled_count = 0;
    const char* const* enabled = nullptr;
    std::size_t disabled_count = 1;
    const char* const* disabled = nullptr;
};
constexpr const char* quantization = "timestamp_quantization";

Result<void> choose_icd(const SoftwareAdapter& adapter) {
    // SwiftShader may lie elsewhere, for instance beside a bundle; UPSWEEP_SWIFTSHADER_ICD names its file
    // then.
    const char* elsewhere =
        std::string(adapter.name) == "swiftshader" ? std::getenv("UPSWEEP_SWIFTSHADER_ICD") : nullptr;
    const char* icd = elsewhere != nullptr ? elsewhere : adapter.icd;
    if (!std::filesystem::exists(icd)) {
        return fail(ErrorCode::unsupported,
                    std::string("The software adapter ") + adapter.name + " is not installed: there is no " +
                        icd + "; on Debian the package " +
                        (adapter.name[0] == 'l' ? "mesa-vulkan-drivers" : "chromium-common") + " has it.");
    }
    setenv("VK_ICD_FILENAMES", icd, 1);
    setenv("VK_DRIVER_FILES", icd, 1);
    return {};
}

AdapterHandle request(WGPUInstance instance, WGPUPowerPreference power, bool fallback,
                      WGPUChainedStruct* chain) {
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.nextInChain = chain;
    options.featureLevel = WGPUFeatureLevel_Core;
    options.powerPreference = power;
    options.forceFallbackAdapter = fallback ? 1U : 0U;
    struct Answer {
        bool done = false;
        WGPUAdapter adapter = nullptr;
    };
    const Shared<Answer> answer;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowProcessEvents;
    info.userdata1 = answer.give();
    info.callback = [](WGPURequestAdapterStatus, WGPUAdapter adapter, WGPUStringView, void* user, void*) {
        const auto out = Shared<Answer>::take(user);
        out->adapter = adapter;
        out->done = true;
    };
    wgpuInstanceRequestAdapter(instance, &options, info);
    wait_until(instance, answer.value->done, 60);
    return AdapterHandle(answer.value->adapter);
}

std::string name_of(WGPUAdapter adapter) {
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    if (wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success) return "unknown";
    std::string name = text_of(info.device);
    wgpuAdapterInfoFreeMembers(info);
    return name;
}

// The adapter, by name if one is given.
Result<void> find_adapter(Gpu::State& state, const std::string& wanted, WGPUChainedStruct* chain) {
    WGPUInstanceDescriptor desc = WGPU_INSTANCE_DESCRIPTOR_INIT;
    state.instance = InstanceHandle(wgpuCreateInstance(&desc));
    if (!state.instance)
        return fail(ErrorCode::device_error, "The WebGPU library could not make an instance.");
    std::set<std::string> seen;
    for (const auto& [power, fallback] : {std::pair{WGPUPowerPreference_HighPerformance, false},
                                          {WGPUPowerPreference_LowPower, false},
                                          {WGPUPowerPreference_Undefined, true}}) {
        AdapterHandle adapter = request(state.instance.get(), power, fallback, chain);
        if (!adapter) continue;
        std::string name = name_of(adapter.get());
        if (wanted.empty() || name.find(wanted) != std::string::npos) {
            state.adapter = std::move(adapter);
            state.adapter_name = std::move(name);
            return {};
        }
        seen.insert(std::move(name));
    }
    std::string all;
    for (const std::string& name : seen) all += (all.empty() ? "" : ", ") + name;
    return fail(ErrorCode::unsupported, std::string("No adapter") +
                                            (wanted.empty() ? "" : " with '" + wanted + "' in its name") +
                                            " was found by " + Gpu::provider() +
                                            (all.empty() ? "; install a Vulkan driver, or the software "
                                                           "adapter lavapipe (Debian: mesa-vulkan-drivers)."
                                                         : "; there is: " + all + "."));
}

std::vector<WGPUFeatureName> features_of(WGPUAdapter adapter, const GpuOptions& options) {
    std::vector<WGPUFeatureName> wanted{WGPUFeatureName_TimestampQuery, WGPUFeatureName_ShaderF16};
    if (is_wgpu_native()) {
        if (options.immediates) wanted.push_back(static_cast<WGPUFeatureName>(0x00030001));
        if (options.subgroups) {
            wanted.push_back(static_cast<WGPUFeatureName>(0x00030021));  // Subgroup
            wanted.push_back(static_cast<WGPUFeatureName>(0x00030023));  // SubgroupBarrier
        }
    } else if (options.subgroups) {
        wanted.push_back(WGPUFeatureName_Subgroups);
    }
    std::erase_if(wanted,
                  [&](WGPUFeatureName feature) { return wgpuAdapterHasFeature(adapter, feature) == 0U; });
    return wanted;
}

Result<void> make_device(Gpu::State& state, const GpuOptions& options, WGPUChainedStruct* chain) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    wgpuAdapterGetLimits(state.adapter.get(), &limits);
    limits.nextInChain = nullptr;
    const std::vector<WGPUFeatureName> features = features_of(state.adapter.get(), options);
    WGPUDeviceDescriptor desc = WGPU_DEVICE_DESCRIPTOR_INIT;
    desc.nextInChain = chain;
    desc.label = view("upsweep");
    desc.requiredFeatureCount = features.size();
    desc.requiredFeatures = features.data();
    desc.requiredLimits = options.default_limits ? nullptr : &limits;
    desc.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowProcessEvents;
    // It stays behind, a few bytes for each device: jobs may keep the device longer than the Gpu, and no library says how often it calls.
    desc.deviceLostCallbackInfo.userdata1 = state.loss.give();
    desc.deviceLostCallbackInfo.callback = [](WGPUDevice const*, WGPUDeviceLostReason reason,
                                              WGPUStringView message, void* user, void*) {
        Gpu::State::Loss& loss = **static_cast<std::shared_ptr<Gpu::State::Loss>*>(user);
        loss.happened = reason != WGPUDeviceLostReason_CallbackCancelled;
        loss.message = text_of(message);
    };
    // Errors are taken by scopes; without a callback wgpu-native would end the process over one that is not.
    desc.uncapturedErrorCallbackInfo.callback = [](WGPUDevice const*, WGPUErrorType, WGPUStringView, void*,
                                                   void*) {};
    struct Answer {
        bool done = false;
        WGPUDevice device = nullptr;
        std::string message;
    };
    const Shared<Answer> answer;
    WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowProcessEvents;
    info.userdata1 = answer.give();
    info.callback = [](WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView message, void* user,
                       void*) {
        const auto out = Shared<Answer>::take(user);
        out->device = device;
        out->message = text_of(message);
        out->done = true;
    };
    wgpuAdapterRequestDevice(state.adapter.get(), &desc, info);
    wait_until(state.instance.get(), answer.value->done, 60);
    if (answer.value->device == nullptr)
        return fail(ErrorCode::device_error,
                    "The adapter " + state.adapter_name + " gave no device: " + answer.value->message);
    state.device = DeviceHandle(answer.value->device);
    state.queue = QueueHandle(wgpuDeviceGetQueue(answer.value->device));
    return {};
}

}  // namespace

const char* Gpu::provider() {
    return is_wgpu_native() ? "wgpu-native" : "dawn";
}

Result<Gpu> Gpu::open(const GpuOptions& options) {
    // The state is where callbacks of the device point to; it outlives the device.
    auto state = std::make_shared<State>();
    DawnToggles toggles;
    toggles.disabled = &quantization;
    WGPUChainedStruct* chain = is_wgpu_native() ? nullptr : &toggles.chain;

    std::string wanted = options.adapter;
    for (const SoftwareAdapter& adapter : software) {
        if (wanted != adapter.name) continue;
        if (auto ok = choose_icd(adapter); !ok) return tl::unexpected(ok.error());
        wanted.clear();
    }
    auto found = find_adapter(*state, wanted, chain);
    if (!found && options.adapter.empty() && std::getenv("VK_ICD_FILENAMES") == nullptr) {
        // The loader does not find SwiftShader by itself.
        for (const SoftwareAdapter& adapter : software) {
            if (found || !choose_icd(adapter)) continue;
            found = find_adapter(*state, "", chain);
        }
    }
    if (!found) return tl::unexpected(found.error());
    if (auto ok = make_device(*state, options, chain); !ok) return tl::unexpected(ok.error());
    auto context = Context::create({.device = state->device.get(),
                                    .instance = state->instance.get(),
                                    .adapter = state->adapter.get(),
                                    .use_subgroups = options.subgroups,
                                    .use_immediates = options.immediates,
                                    .tuning = options.tuning});
    if (!context) return tl::unexpected(context.error());
    state->context = std::move(*context);
    return Gpu(std::move(state));
}

Context& Gpu::context() const {
    return *state_->context;
}
const DeviceCaps& Gpu::caps() const {
    return state_->context->caps();
}
WGPUInstance Gpu::instance() const {
    return state_->instance.get();
}
WGPUDevice Gpu::device() const {
    return state_->device.get();
}
WGPUQueue Gpu::queue() const {
    return state_->queue.get();
}
const std::string& Gpu::adapter_name() const {
    return state_->adapter_name;
}

}  // namespace upsweep
