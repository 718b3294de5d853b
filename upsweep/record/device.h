// What is asked of a device itself: its capabilities, whether it is lost, and errors as values.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <webgpu/webgpu.h>

namespace upsweep {

/// True if the WebGPU library in this process is wgpu-native.
bool is_wgpu_native();

/// Limits and features of a device, as planning needs them. Nothing is submitted. `adapter` may be null;
/// wgpu-native cannot tell a device's adapter, so its name, kind and subgroup sizes stay unknown there
/// without it.
DeviceCaps caps_of(WGPUDevice device, WGPUAdapter adapter);

/// Runs `work` inside error scopes; an error of the device becomes the result. `instance` may be null where
/// the library reports scopes at once, as Dawn and wgpu-native do.
Result<void> in_error_scope(WGPUDevice device, WGPUInstance instance, const std::function<void()>& work);

/// An answer that a callback writes and a waiting function reads. Both hold it, since the callback may come after the wait was given up.
template <class T>
struct Shared {
    std::shared_ptr<T> value = std::make_shared<T>();
    /// For a callback's userdata; the callback takes it back with take().
    [[nodiscard]] void* give() const { return new std::shared_ptr<T>(value); }
    static std::shared_ptr<T> take(void* userdata) {
        const std::unique_ptr<std::shared_ptr<T>> owned(static_cast<std::shared_ptr<T>*>(userdata));
        return *owned;
    }
};

/// Calls `wgpuInstanceProcessEvents` until `done`, at most `seconds` long. False if it never was.
bool wait_until(WGPUInstance instance, const bool& done, double seconds);

/// Whether the device is known to be lost. Dawn is asked; with wgpu-native only an error of a later call
/// tells.
bool is_lost(WGPUDevice device, WGPUInstance instance);

}  // namespace upsweep
