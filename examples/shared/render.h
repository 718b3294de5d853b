// What the examples share besides Upsweep: their options, pictures, and the webgpu.h that drawing into a
// texture takes. Every function that makes something returns the device's error instead of letting it end the
// process.
#pragma once

#include "upsweep/record/gpu.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <webgpu/webgpu.h>

namespace examples {

using upsweep::BindGroupHandle;
using upsweep::BufferHandle;
using upsweep::ComputePipelineHandle;
using upsweep::PassHandle;
using upsweep::Result;
using upsweep::ShaderModuleHandle;
using RenderPassHandle =
    upsweep::Handle<WGPURenderPassEncoder, wgpuRenderPassEncoderAddRef, wgpuRenderPassEncoderRelease>;
using RenderPipelineHandle =
    upsweep::Handle<WGPURenderPipeline, wgpuRenderPipelineAddRef, wgpuRenderPipelineRelease>;
using TextureHandle = upsweep::Handle<WGPUTexture, wgpuTextureAddRef, wgpuTextureRelease>;
using TextureViewHandle = upsweep::Handle<WGPUTextureView, wgpuTextureViewAddRef, wgpuTextureViewRelease>;

/// --adapter NAME, --out FILE, --frames N.
struct Options {
    std::string adapter;
    std::string out;
    std::uint32_t frames = 1;
};

/// The value of a result, or its message as an exception: an example that cannot go on says why and ends.
template <class T>
T must(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// The main function of an example: reads the options over `defaults`, calls `run` and prints what it throws.
/// `run` gives the exit status.
int run_main(int argc, char** argv, Options defaults, int (*run)(const Options&));

/// Rows of RGBA bytes, from the top; dark at first.
struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgba;

    Picture() = default;
    Picture(std::uint32_t width, std::uint32_t height)
        : width(width), height(height), rgba(std::size_t{4} * width * height, 18) {
        for (std::size_t alpha = 3; alpha < rgba.size(); alpha += 4) rgba[alpha] = 255;
    }
    [[nodiscard]] std::uint8_t* pixel(std::uint32_t x, std::uint32_t y) {
        return rgba.data() + (std::size_t{y} * width + x) * 4;
    }
};
Result<void> write_png(const Picture& picture, const std::string& file);

/// A texture to draw into.
struct Target {
    TextureHandle texture;
    TextureViewHandle view;
    WGPUTextureFormat format = WGPUTextureFormat_Undefined;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};
/// `more`: usages besides RenderAttachment.
Result<Target> make_target(const upsweep::Gpu& gpu, WGPUTextureFormat format, std::uint32_t width,
                           std::uint32_t height, WGPUTextureUsage more = WGPUTextureUsage_None);
/// Waits for what was submitted and reads a target of the format RGBA8Unorm with the usage CopySrc.
Result<Picture> read_target(const upsweep::Gpu& gpu, const Target& target);

Result<ShaderModuleHandle> make_shader(const upsweep::Gpu& gpu, const std::string& wgsl);

/// The bind group layout follows from what `entry` uses ("auto").
Result<ComputePipelineHandle> make_compute_pipeline(const upsweep::Gpu& gpu, WGPUShaderModule shader,
                                                    const char* entry);

struct RenderPipelineDesc {
    WGPUShaderModule shader = nullptr;
    const char* vertex = "vertex";
    const char* fragment = "fragment";
    WGPUTextureFormat colour = WGPUTextureFormat_RGBA8Unorm;
    WGPUTextureFormat depth = WGPUTextureFormat_Undefined;  ///< Undefined: no depth test.
    const WGPUBlendState* blend = nullptr;
    WGPUPrimitiveTopology topology = WGPUPrimitiveTopology_TriangleList;
    WGPUCullMode cull = WGPUCullMode_None;
};
Result<RenderPipelineHandle> make_render_pipeline(const upsweep::Gpu& gpu, const RenderPipelineDesc& desc);

/// What a bind group gets: a whole buffer or a texture, at a number.
struct Binding {
    std::uint32_t number = 0;
    WGPUBuffer buffer = nullptr;
    WGPUTextureView texture = nullptr;
};
Result<BindGroupHandle> make_bind_group(const upsweep::Gpu& gpu, WGPUComputePipeline pipeline,
                                        std::initializer_list<Binding> bindings);
Result<BindGroupHandle> make_bind_group(const upsweep::Gpu& gpu, WGPURenderPipeline pipeline,
                                        std::initializer_list<Binding> bindings);

/// Begins a pass that clears `colour` to `clear`, and `depth` to 1 if there is one.
RenderPassHandle begin_render_pass(WGPUCommandEncoder encoder, const Target& colour, WGPUColor clear,
                                   const Target* depth = nullptr);

/// The bytes of a struct or of a vector's elements.
template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}
template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

/// `count` elements from the start of a buffer. Waits for what was submitted.
template <class T>
Result<std::vector<T>> read_buffer(const upsweep::Gpu& gpu, WGPUBuffer buffer, std::size_t count) {
    std::vector<T> values(count);
    if (auto ok = gpu.read(buffer, 0, std::as_writable_bytes(std::span(values))); !ok)
        return tl::unexpected(ok.error());
    return values;
}

}  // namespace examples
