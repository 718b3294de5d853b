#include "upsweep/record/device.h"

#include "upsweep/record/handles.h"

#include <chrono>
#include <thread>
#include <vector>

// Exported by wgpu-native only; elsewhere the weak symbol is null.
extern "C" __attribute__((weak)) uint32_t wgpuGetVersion();

namespace upsweep {

namespace {

// Native features of wgpu-native; the numbers are part of its binary interface.
constexpr auto native_immediates = static_cast<WGPUFeatureName>(0x00030001);
constexpr auto native_subgroup = static_cast<WGPUFeatureName>(0x00030021);

constexpr std::uint32_t nvidia = 0x10DE;
constexpr std::uint32_t params_bytes = 16;

AdapterKind kind_of(WGPUAdapterType type) {
    switch (type) {
        case WGPUAdapterType_DiscreteGPU: return AdapterKind::discrete;
        case WGPUAdapterType_IntegratedGPU: return AdapterKind::integrated;
        case WGPUAdapterType_CPU: return AdapterKind::cpu;
        default: return AdapterKind::unknown;
    }
}

bool names_loss(const std::string& message) {
    return message.find("evice is lost") != std::string::npos ||
           message.find("evice lost") != std::string::npos ||
           message.find("evice was lost") != std::string::npos ||
           message.find("evice was destroyed") != std::string::npos;
}

struct ScopeAnswer {
    bool done = false;
    bool failed = false;
    std::string message;
};

}  // namespace

bool is_wgpu_native() {
    return &wgpuGetVersion != nullptr;
}

DeviceCaps caps_of(WGPUDevice device, WGPUAdapter adapter) {
    DeviceCaps caps;
    WGPULimits limits = WGPU_LIMITS_INIT;
    if (wgpuDeviceGetLimits(device, &limits) == WGPUStatus_Success) {
        caps.max_buffer_size = limits.maxBufferSize;
        caps.max_storage_binding_size = limits.maxStorageBufferBindingSize;
        caps.min_storage_offset_alignment = limits.minStorageBufferOffsetAlignment;
        caps.max_storage_buffers_per_stage = limits.maxStorageBuffersPerShaderStage;
        caps.max_workgroup_storage = limits.maxComputeWorkgroupStorageSize;
        caps.max_invocations_per_workgroup = limits.maxComputeInvocationsPerWorkgroup;
        caps.max_workgroup_size_x = limits.maxComputeWorkgroupSizeX;
        caps.max_workgroups_per_dimension = limits.maxComputeWorkgroupsPerDimension;
    }
    const bool native = is_wgpu_native();
    caps.dialect = native ? Dialect::naga : Dialect::standard;
    const bool room =
        limits.maxImmediateSize != WGPU_LIMIT_U32_UNDEFINED && limits.maxImmediateSize >= params_bytes;
    caps.immediates = room && (!native || wgpuDeviceHasFeature(device, native_immediates) != 0U);
    caps.shader_f16 = wgpuDeviceHasFeature(device, WGPUFeatureName_ShaderF16) != 0U;
    caps.timestamp_query = wgpuDeviceHasFeature(device, WGPUFeatureName_TimestampQuery) != 0U;
    caps.subgroups = wgpuDeviceHasFeature(device, native ? native_subgroup : WGPUFeatureName_Subgroups) != 0U;

    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    WGPUStatus known = WGPUStatus_Error;
    if (adapter != nullptr)
        known = wgpuAdapterGetInfo(adapter, &info);
    else if (!native)
        known = wgpuDeviceGetAdapterInfo(device, &info);
    if (known == WGPUStatus_Success) {
        caps.kind = kind_of(info.adapterType);
        caps.adapter = text_of(info.device);
        caps.driver = text_of(info.description);
        if (caps.subgroups) {
            caps.subgroup_min_size = info.subgroupMinSize;
            caps.subgroup_max_size = info.subgroupMaxSize;
            // wgpu-native does not tell; every NVIDIA GPU has 32 lanes.
            if (info.subgroupMinSize == 0 && info.vendorID == nvidia)
                caps.subgroup_min_size = caps.subgroup_max_size = 32;
        }
        wgpuAdapterInfoFreeMembers(info);
    }
    return caps;
}

bool wait_until(WGPUInstance instance, const bool& done, double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (int turn = 0; !done; ++turn) {
        if (instance != nullptr) wgpuInstanceProcessEvents(instance);
        if (done) break;
        if (std::chrono::steady_clock::now() > end) return false;
        if (turn > 100) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return true;
}

Result<void> in_error_scope(WGPUDevice device, WGPUInstance instance, const std::function<void()>& work) {
    std::vector<WGPUErrorFilter> filters{WGPUErrorFilter_OutOfMemory, WGPUErrorFilter_Validation};
    if (!is_wgpu_native())
        filters.push_back(WGPUErrorFilter_Internal);  // It aborts over the internal filter.
    for (const WGPUErrorFilter filter : filters) wgpuDevicePushErrorScope(device, filter);
    work();
    std::vector<Shared<ScopeAnswer>> answers(filters.size());
    for (const Shared<ScopeAnswer>& answer : answers) {  // The innermost scope first.
        WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
        info.mode =
            instance != nullptr ? WGPUCallbackMode_AllowProcessEvents : WGPUCallbackMode_AllowSpontaneous;
        info.userdata1 = answer.give();
        info.callback = [](WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                           void* user, void*) {
            const auto out = Shared<ScopeAnswer>::take(user);
            out->failed = status != WGPUPopErrorScopeStatus_Success || type != WGPUErrorType_NoError;
            out->message = text_of(message);
            out->done = true;
        };
        wgpuDevicePopErrorScope(device, info);
    }
    for (const Shared<ScopeAnswer>& answer : answers) {
        if (!wait_until(instance, answer.value->done, 30))
            return fail(ErrorCode::device_lost, "The device gave no answer within 30 seconds.");
    }
    for (const Shared<ScopeAnswer>& answer : answers) {
        if (!answer.value->failed) continue;
        return fail(names_loss(answer.value->message) ? ErrorCode::device_lost : ErrorCode::device_error,
                    answer.value->message);
    }
    return {};
}

bool is_lost(WGPUDevice device, WGPUInstance instance) {
    if (is_wgpu_native() || instance == nullptr)
        return false;  // Its future of the loss is not implemented there.
    WGPUFutureWaitInfo wait = WGPU_FUTURE_WAIT_INFO_INIT;
    wait.future = wgpuDeviceGetLostFuture(device);
    return wait.future.id != 0 && wgpuInstanceWaitAny(instance, 1, &wait, 0) == WGPUWaitStatus_Success &&
           wait.completed != 0U;
}

}  // namespace upsweep
