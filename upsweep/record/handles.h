// Owning handles of WebGPU objects, and the few conversions that every use of webgpu.h needs.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <webgpu/webgpu.h>

namespace upsweep {

/// Owns one reference to a WebGPU object.
template <class T, void (*add_ref)(T), void (*release)(T)>
class Handle {
  public:
    Handle() = default;
    explicit Handle(T raw) : raw_(raw) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~Handle() {
        if (raw_ != nullptr) release(raw_);
    }

    /// A second reference to an object that somebody else owns.
    static Handle share(T raw) {
        if (raw != nullptr) add_ref(raw);
        return Handle(raw);
    }
    [[nodiscard]] T get() const { return raw_; }
    explicit operator bool() const { return raw_ != nullptr; }

  private:
    T raw_ = nullptr;
};

using InstanceHandle = Handle<WGPUInstance, wgpuInstanceAddRef, wgpuInstanceRelease>;
using AdapterHandle = Handle<WGPUAdapter, wgpuAdapterAddRef, wgpuAdapterRelease>;
using DeviceHandle = Handle<WGPUDevice, wgpuDeviceAddRef, wgpuDeviceRelease>;
using QueueHandle = Handle<WGPUQueue, wgpuQueueAddRef, wgpuQueueRelease>;
using BufferHandle = Handle<WGPUBuffer, wgpuBufferAddRef, wgpuBufferRelease>;
using ShaderModuleHandle = Handle<WGPUShaderModule, wgpuShaderModuleAddRef, wgpuShaderModuleRelease>;
using BindGroupHandle = Handle<WGPUBindGroup, wgpuBindGroupAddRef, wgpuBindGroupRelease>;
using BindGroupLayoutHandle =
    Handle<WGPUBindGroupLayout, wgpuBindGroupLayoutAddRef, wgpuBindGroupLayoutRelease>;
using PipelineLayoutHandle = Handle<WGPUPipelineLayout, wgpuPipelineLayoutAddRef, wgpuPipelineLayoutRelease>;
using ComputePipelineHandle =
    Handle<WGPUComputePipeline, wgpuComputePipelineAddRef, wgpuComputePipelineRelease>;
using EncoderHandle = Handle<WGPUCommandEncoder, wgpuCommandEncoderAddRef, wgpuCommandEncoderRelease>;
using PassHandle =
    Handle<WGPUComputePassEncoder, wgpuComputePassEncoderAddRef, wgpuComputePassEncoderRelease>;
using CommandBufferHandle = Handle<WGPUCommandBuffer, wgpuCommandBufferAddRef, wgpuCommandBufferRelease>;
using QuerySetHandle = Handle<WGPUQuerySet, wgpuQuerySetAddRef, wgpuQuerySetRelease>;

inline WGPUStringView view(std::string_view text) {
    return {text.data(), text.size()};
}
inline std::string text_of(WGPUStringView text) {
    if (text.data == nullptr) return {};
    return text.length == WGPU_STRLEN ? std::string(text.data) : std::string(text.data, text.length);
}

}  // namespace upsweep
