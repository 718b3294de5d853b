// What every program with plain webgpu.h has: a device, buffers, and a way to read them. Nothing here is
// Upsweep's.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <webgpu/webgpu.h>

struct OpenDevice {
    WGPUInstance instance = nullptr;
    WGPUAdapter adapter = nullptr;
    WGPUDevice device = nullptr;
    WGPUQueue queue = nullptr;
};

[[noreturn]] inline void give_up(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}

inline OpenDevice open_device() {
    OpenDevice open;
    open.instance = wgpuCreateInstance(nullptr);

    WGPURequestAdapterCallbackInfo on_adapter = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    on_adapter.mode = WGPUCallbackMode_AllowProcessEvents;
    on_adapter.userdata1 = &open;
    on_adapter.callback = [](WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView, void* open,
                             void*) {
        if (status != WGPURequestAdapterStatus_Success) give_up("There is no WebGPU adapter.");
        static_cast<OpenDevice*>(open)->adapter = adapter;
    };
    wgpuInstanceRequestAdapter(open.instance, nullptr, on_adapter);
    while (open.adapter == nullptr) wgpuInstanceProcessEvents(open.instance);

    WGPURequestDeviceCallbackInfo on_device = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    on_device.mode = WGPUCallbackMode_AllowProcessEvents;
    on_device.userdata1 = &open;
    on_device.callback = [](WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView, void* open,
                            void*) {
        if (status != WGPURequestDeviceStatus_Success) give_up("The adapter gave no device.");
        static_cast<OpenDevice*>(open)->device = device;
    };
    wgpuAdapterRequestDevice(open.adapter, nullptr, on_device);
    while (open.device == nullptr) wgpuInstanceProcessEvents(open.instance);

    open.queue = wgpuDeviceGetQueue(open.device);
    return open;
}

inline void close_device(const OpenDevice& open) {
    wgpuQueueRelease(open.queue);
    wgpuDeviceRelease(open.device);
    wgpuAdapterRelease(open.adapter);
    wgpuInstanceRelease(open.instance);
}

inline WGPUBuffer make_buffer(const OpenDevice& open, WGPUBufferUsage usage, std::size_t bytes) {
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.usage = usage;
    desc.size = bytes;
    return wgpuDeviceCreateBuffer(open.device, &desc);
}

/// Reads a buffer with the usage MapRead once the device is done with it.
inline void read_buffer(const OpenDevice& open, WGPUBuffer buffer, void* data, std::size_t bytes) {
    bool mapped = false;
    WGPUBufferMapCallbackInfo on_map = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    on_map.mode = WGPUCallbackMode_AllowProcessEvents;
    on_map.userdata1 = &mapped;
    on_map.callback = [](WGPUMapAsyncStatus status, WGPUStringView, void* mapped, void*) {
        if (status != WGPUMapAsyncStatus_Success) give_up("The buffer could not be mapped.");
        *static_cast<bool*>(mapped) = true;
    };
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, bytes, on_map);
    while (!mapped) wgpuInstanceProcessEvents(open.instance);
    std::memcpy(data, wgpuBufferGetConstMappedRange(buffer, 0, bytes), bytes);
    wgpuBufferUnmap(buffer);
}
