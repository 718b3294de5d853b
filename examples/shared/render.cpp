#include "examples/shared/render.h"

#include "upsweep/record/device.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <string_view>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace examples {

using upsweep::ErrorCode;
using upsweep::fail;
using upsweep::Gpu;
using upsweep::view;

namespace {

// What `make` makes, or the device's error.
template <class Handle, class Make>
Result<Handle> made(const Gpu& gpu, Make make) {
    Handle handle;
    auto ok = upsweep::in_error_scope(gpu.device(), gpu.instance(), [&] { handle = Handle(make()); });
    if (!ok) return tl::unexpected(ok.error());
    return handle;
}

template <class T>
concept BindGroupSource = std::is_same_v<T, WGPUComputePipeline> || std::is_same_v<T, WGPURenderPipeline>;

WGPUBindGroupLayout layout_of(WGPUComputePipeline pipeline) {
    return wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
}
WGPUBindGroupLayout layout_of(WGPURenderPipeline pipeline) {
    return wgpuRenderPipelineGetBindGroupLayout(pipeline, 0);
}

template <BindGroupSource Pipeline>
Result<BindGroupHandle> bind_group_for(const Gpu& gpu, Pipeline pipeline,
                                       std::initializer_list<Binding> bindings) {
    std::vector<WGPUBindGroupEntry> entries;
    for (const Binding& binding : bindings) {
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entry.binding = binding.number;
        entry.buffer = binding.buffer;
        entry.textureView = binding.texture;
        entries.push_back(entry);
    }
    return made<BindGroupHandle>(gpu, [&] {
        const upsweep::BindGroupLayoutHandle layout(layout_of(pipeline));
        WGPUBindGroupDescriptor desc = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        desc.layout = layout.get();
        desc.entryCount = entries.size();
        desc.entries = entries.data();
        return wgpuDeviceCreateBindGroup(gpu.device(), &desc);
    });
}

}  // namespace

int run_main(int argc, char** argv, Options options, int (*run)(const Options&)) {
    for (int i = 1; i < argc; i += 2) {
        const std::string_view name = argv[i];
        const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
        bool good = !value.empty();
        if (name == "--adapter") {
            options.adapter = value;
        } else if (name == "--out") {
            options.out = value;
        } else if (name == "--frames") {
            const auto [end, error] =
                std::from_chars(value.data(), value.data() + value.size(), options.frames);
            good = error == std::errc() && end == value.data() + value.size() && options.frames > 0;
        } else {
            good = false;
        }
        if (!good) {
            std::fprintf(stderr, "usage: %s [--adapter NAME] [--out FILE.png] [--frames N]\n", argv[0]);
            return 2;
        }
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
    }
    return 1;
}

Result<void> write_png(const Picture& picture, const std::string& file) {
    const auto width = static_cast<int>(picture.width);
    const auto height = static_cast<int>(picture.height);
    if (stbi_write_png(file.c_str(), width, height, 4, picture.rgba.data(), width * 4) == 0)
        return fail(ErrorCode::invalid_argument, "The picture could not be written to " + file + ".");
    return {};
}

Result<Target> make_target(const Gpu& gpu, WGPUTextureFormat format, std::uint32_t width,
                           std::uint32_t height, WGPUTextureUsage more) {
    WGPUTextureDescriptor desc = WGPU_TEXTURE_DESCRIPTOR_INIT;
    desc.usage = WGPUTextureUsage_RenderAttachment | more;
    desc.size = {width, height, 1};
    desc.format = format;
    Target target{{}, {}, format, width, height};
    auto texture = made<TextureHandle>(gpu, [&] { return wgpuDeviceCreateTexture(gpu.device(), &desc); });
    if (!texture) return tl::unexpected(texture.error());
    target.texture = std::move(*texture);
    auto whole =
        made<TextureViewHandle>(gpu, [&] { return wgpuTextureCreateView(target.texture.get(), nullptr); });
    if (!whole) return tl::unexpected(whole.error());
    target.view = std::move(*whole);
    return target;
}

Result<Picture> read_target(const Gpu& gpu, const Target& target) {
    // A copy's rows begin at multiples of 256 bytes.
    const std::uint32_t row = (target.width * 4 + 255) / 256 * 256;
    auto buffer = gpu.buffer(std::uint64_t{row} * target.height);
    if (!buffer) return tl::unexpected(buffer.error());
    auto copied = gpu.submit([&](WGPUCommandEncoder encoder) -> Result<void> {
        WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
        from.texture = target.texture.get();
        WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
        to.buffer = buffer->get();
        to.layout.offset = 0;
        to.layout.bytesPerRow = row;
        to.layout.rowsPerImage = target.height;
        const WGPUExtent3D size{target.width, target.height, 1};
        wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
        return {};
    });
    if (!copied) return tl::unexpected(copied.error());
    auto padded = read_buffer<std::uint8_t>(gpu, buffer->get(), std::size_t{row} * target.height);
    if (!padded) return tl::unexpected(padded.error());
    Picture picture(target.width, target.height);
    for (std::uint32_t y = 0; y < target.height; ++y)
        std::memcpy(picture.pixel(0, y), padded->data() + std::size_t{y} * row,
                    std::size_t{4} * target.width);
    return picture;
}

Result<ShaderModuleHandle> make_shader(const Gpu& gpu, const std::string& wgsl) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = view(wgsl);
    WGPUShaderModuleDescriptor desc = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    desc.nextInChain = &source.chain;
    return made<ShaderModuleHandle>(gpu, [&] { return wgpuDeviceCreateShaderModule(gpu.device(), &desc); });
}

Result<ComputePipelineHandle> make_compute_pipeline(const Gpu& gpu, WGPUShaderModule shader,
                                                    const char* entry) {
    WGPUComputePipelineDescriptor desc = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    desc.label = view(entry);
    desc.compute.module = shader;
    desc.compute.entryPoint = view(entry);
    return made<ComputePipelineHandle>(gpu,
                                       [&] { return wgpuDeviceCreateComputePipeline(gpu.device(), &desc); });
}

Result<RenderPipelineHandle> make_render_pipeline(const Gpu& gpu, const RenderPipelineDesc& wanted) {
    WGPUColorTargetState colour = WGPU_COLOR_TARGET_STATE_INIT;
    colour.format = wanted.colour;
    colour.blend = wanted.blend;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = wanted.shader;
    fragment.entryPoint = view(wanted.fragment);
    fragment.targetCount = 1;
    fragment.targets = &colour;
    WGPUDepthStencilState depth = WGPU_DEPTH_STENCIL_STATE_INIT;
    depth.format = wanted.depth;
    depth.depthWriteEnabled = WGPUOptionalBool_True;
    depth.depthCompare = WGPUCompareFunction_LessEqual;
    WGPURenderPipelineDescriptor desc = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    desc.label = view(wanted.vertex);
    desc.vertex.module = wanted.shader;
    desc.vertex.entryPoint = view(wanted.vertex);
    desc.primitive.topology = wanted.topology;
    desc.primitive.cullMode = wanted.cull;
    desc.fragment = &fragment;
    if (wanted.depth != WGPUTextureFormat_Undefined) desc.depthStencil = &depth;
    return made<RenderPipelineHandle>(gpu,
                                      [&] { return wgpuDeviceCreateRenderPipeline(gpu.device(), &desc); });
}

Result<BindGroupHandle> make_bind_group(const Gpu& gpu, WGPUComputePipeline pipeline,
                                        std::initializer_list<Binding> bindings) {
    return bind_group_for(gpu, pipeline, bindings);
}
Result<BindGroupHandle> make_bind_group(const Gpu& gpu, WGPURenderPipeline pipeline,
                                        std::initializer_list<Binding> bindings) {
    return bind_group_for(gpu, pipeline, bindings);
}

RenderPassHandle begin_render_pass(WGPUCommandEncoder encoder, const Target& colour, WGPUColor clear,
                                   const Target* depth) {
    WGPURenderPassColorAttachment attachment = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    attachment.view = colour.view.get();
    attachment.loadOp = WGPULoadOp_Clear;
    attachment.storeOp = WGPUStoreOp_Store;
    attachment.clearValue = clear;
    WGPURenderPassDepthStencilAttachment depth_attachment = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    WGPURenderPassDescriptor desc = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    desc.colorAttachmentCount = 1;
    desc.colorAttachments = &attachment;
    if (depth != nullptr) {
        depth_attachment.view = depth->view.get();
        depth_attachment.depthLoadOp = WGPULoadOp_Clear;
        depth_attachment.depthStoreOp = WGPUStoreOp_Discard;
        depth_attachment.depthClearValue = 1.0F;
        desc.depthStencilAttachment = &depth_attachment;
    }
    return RenderPassHandle(wgpuCommandEncoderBeginRenderPass(encoder, &desc));
}

}  // namespace examples
