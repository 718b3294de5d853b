#include "upsweep/record/probe.h"

#include "upsweep/core/wgsl_sources.h"
#include "upsweep/record/device.h"
#include "upsweep/record/handles.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace upsweep {

namespace {

constexpr std::array<const char*, 8> faults{
    "the lanes of a subgroup have gaps",           "subgroupBroadcastFirst is wrong",
    "subgroupShuffle of the last lane is wrong",   "subgroupShuffleUp is wrong",
    "subgroupShuffle of an earlier lane is wrong", "subgroupInclusiveAdd is wrong",
    "the size of a subgroup is not from 4 to 128", "subgroupBallot is wrong"};

std::string probe_text() {
    std::string text = is_wgpu_native() ? "" : "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n";
    for (const WgslSource& source : embedded_wgsl()) {
        if (source.name == "subgroup_probe") text += source.text;
    }
    return text;
}

BufferHandle make_buffer(WGPUDevice device, WGPUBufferUsage usage) {
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.label = view("upsweep.probe");
    desc.size = 12;
    desc.usage = usage;
    return BufferHandle(wgpuDeviceCreateBuffer(device, &desc));
}

void submit_probe(WGPUDevice device, WGPUBuffer found, WGPUBuffer staging) {
    const std::string text = probe_text();
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = view(text);
    WGPUShaderModuleDescriptor shader_desc = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    shader_desc.nextInChain = &source.chain;
    const ShaderModuleHandle shader(wgpuDeviceCreateShaderModule(device, &shader_desc));
    WGPUComputePipelineDescriptor desc = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    desc.label = view("upsweep.probe");
    desc.compute.module = shader.get();
    desc.compute.entryPoint = view("subgroup_probe");
    const ComputePipelineHandle pipeline(wgpuDeviceCreateComputePipeline(device, &desc));
    const BindGroupLayoutHandle layout(wgpuComputePipelineGetBindGroupLayout(pipeline.get(), 0));
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = found;
    entry.size = 12;
    WGPUBindGroupDescriptor group_desc = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    group_desc.layout = layout.get();
    group_desc.entryCount = 1;
    group_desc.entries = &entry;
    const BindGroupHandle group(wgpuDeviceCreateBindGroup(device, &group_desc));
    const EncoderHandle encoder(wgpuDeviceCreateCommandEncoder(device, nullptr));
    {
        const PassHandle pass(wgpuCommandEncoderBeginComputePass(encoder.get(), nullptr));
        wgpuComputePassEncoderSetPipeline(pass.get(), pipeline.get());
        wgpuComputePassEncoderSetBindGroup(pass.get(), 0, group.get(), 0, nullptr);
        wgpuComputePassEncoderDispatchWorkgroups(pass.get(), 4, 1, 1);
        wgpuComputePassEncoderEnd(pass.get());
    }
    wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), found, 0, staging, 0, 12);
    const CommandBufferHandle commands(wgpuCommandEncoderFinish(encoder.get(), nullptr));
    const WGPUCommandBuffer raw = commands.get();
    const QueueHandle queue(wgpuDeviceGetQueue(device));
    wgpuQueueSubmit(queue.get(), 1, &raw);
}

}  // namespace

Result<SubgroupProbe> probe_subgroups(WGPUDevice device, WGPUInstance instance) {
    const BufferHandle found = make_buffer(device, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc);
    const BufferHandle staging = make_buffer(device, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    auto ok = in_error_scope(device, instance, [&] { submit_probe(device, found.get(), staging.get()); });
    if (!ok) return tl::unexpected(ok.error());
    const Shared<bool> done;
    WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowProcessEvents;
    info.userdata1 = done.give();
    info.callback = [](WGPUMapAsyncStatus, WGPUStringView, void* user, void*) {
        *Shared<bool>::take(user) = true;
    };
    wgpuBufferMapAsync(staging.get(), WGPUMapMode_Read, 0, 12, info);
    if (!wait_until(instance, *done.value, 60))
        return fail(ErrorCode::device_lost, "The device did not finish a small dispatch within 60 seconds.");
    std::array<std::uint32_t, 3> words{};
    const void* mapped = wgpuBufferGetConstMappedRange(staging.get(), 0, 12);
    if (mapped == nullptr)
        return fail(ErrorCode::device_lost, "The result of a small dispatch could not be read back.");
    std::memcpy(words.data(), mapped, sizeof words);

    SubgroupProbe probe;
    probe.largest = words[1];
    probe.smallest = ~words[2];
    probe.sound = words[0] == 0 && probe.largest != 0;
    for (std::size_t bit = 0; bit < faults.size(); ++bit) {
        if ((words[0] >> bit & 1U) != 0)
            probe.fault += (probe.fault.empty() ? "" : ", ") + std::string(faults.at(bit));
    }
    return probe;
}

}  // namespace upsweep
