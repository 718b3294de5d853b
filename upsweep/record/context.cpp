#include "upsweep/record/context.h"

#include "upsweep/record/device.h"
#include "upsweep/record/probe.h"
#include "upsweep/record/state.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace upsweep {

Context::Context(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<Context> Context::create(const ContextDesc& desc) {
    if (desc.device == nullptr)
        return fail(ErrorCode::invalid_argument,
                    "A context needs a device, and ContextDesc::device is null.");
    auto state = std::make_shared<State>();
    state->device = DeviceHandle::share(desc.device);
    state->instance = InstanceHandle::share(desc.instance);
    state->caps = caps_of(desc.device, desc.adapter);
    state->caps.tuning = desc.tuning;
    if (!desc.use_subgroups) state->caps.subgroups = false;
    if (!desc.use_immediates) state->caps.immediates = false;
    if (auto ok = state->check_alive(); !ok) return tl::unexpected(ok.error());
    if (state->caps.subgroups && desc.instance != nullptr && desc.probe_subgroups) {
        auto probe = probe_subgroups(desc.device, desc.instance);
        if (!probe) return tl::unexpected(probe.error());
        state->caps.subgroups = probe->sound;
        // What was seen counts where it goes beyond what was reported.
        if (probe->smallest < state->caps.subgroup_min_size)
            state->caps.subgroup_min_size = std::bit_floor(probe->smallest);
        if (state->caps.subgroup_max_size != 0)
            state->caps.subgroup_max_size = std::max(state->caps.subgroup_max_size, probe->largest);
        state->probe = std::move(*probe);
    } else if (is_wgpu_native()) {
        state->caps.subgroups = false;
    }
    return Context(std::move(state));
}

const DeviceCaps& Context::caps() const {
    return state_->caps;
}

void Context::use_tuning(std::shared_ptr<const Tuning> tuning) {
    state_->caps.tuning = std::move(tuning);
}

const std::optional<SubgroupProbe>& Context::subgroup_probe() const {
    return state_->probe;
}

std::size_t Context::pipeline_count() const {
    return state_->pipelines.size();
}

void Context::mark_lost() {
    state_->lost = true;
}

Result<void> Context::compile(const Plan& plan) {
    if (auto ok = state_->check_alive(); !ok) return ok;
    for (Step step : plan.steps) {
        // Regions of one slot lie in one buffer, so that bind() will make all of them writable where one is.
        std::vector<BindingDecl>& decls = step.spec.bindings;
        for (std::size_t w = 0; w < decls.size(); ++w) {
            for (std::size_t r = 0; r < decls.size() && decls[w].access == Access::read_write; ++r) {
                if (step.regions[r].slot == step.regions[w].slot) decls[r].access = Access::read_write;
            }
        }
        if (auto pipeline = state_->pipeline(step.spec, step.label); !pipeline)
            return tl::unexpected(pipeline.error());
    }
    return {};
}

Result<void> Context::State::check_alive() {
    if (!lost) lost = is_lost(device.get(), instance.get());
    if (lost) return fail(ErrorCode::device_lost, "The device is lost; make a new device and a new context.");
    return {};
}

Result<BufferHandle> Context::State::buffer(const char* label, std::uint64_t size, WGPUBufferUsage usage,
                                            const void* content) {
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.label = view(label);
    desc.size = (size + 3) / 4 * 4;
    desc.usage = usage;
    desc.mappedAtCreation = content != nullptr ? 1U : 0U;
    BufferHandle made;
    auto ok = in_error_scope(device.get(), instance.get(),
                             [&] { made = BufferHandle(wgpuDeviceCreateBuffer(device.get(), &desc)); });
    if (!ok) {
        if (ok.error().code == ErrorCode::device_lost) lost = true;
        return fail(ok.error().code, "A buffer of " + std::to_string(desc.size) + " bytes for " + label +
                                         " could not be made: " + ok.error().message);
    }
    if (content != nullptr) {
        void* mapped = made ? wgpuBufferGetMappedRange(made.get(), 0, desc.size) : nullptr;
        if (mapped == nullptr)
            return fail(ErrorCode::device_error,
                        std::string("The buffer for ") + label + " could not be mapped.");
        std::memcpy(mapped, content, size);
        wgpuBufferUnmap(made.get());
    }
    return made;
}

Result<std::shared_ptr<const Pipeline>> Context::State::pipeline(const KernelSpec& spec,
                                                                 const std::string& label) {
    std::string key = spec.key();
    if (const auto found = pipelines.find(key); found != pipelines.end()) return found->second;
    auto module = expand(spec);
    if (!module) return tl::unexpected(module.error());

    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = view(module->wgsl);
    WGPUShaderModuleDescriptor shader_desc = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    shader_desc.nextInChain = &source.chain;
    shader_desc.label = view(label);

    std::vector<WGPUBindGroupLayoutEntry> entries;
    for (const BindingDecl& binding : spec.bindings) {
        WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
        entry.binding = static_cast<std::uint32_t>(entries.size());
        entry.visibility = WGPUShaderStage_Compute;
        entry.buffer.type = binding.access == Access::read ? WGPUBufferBindingType_ReadOnlyStorage
                                                           : WGPUBufferBindingType_Storage;
        entries.push_back(entry);
    }
    if (!spec.immediates) {
        WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
        entry.binding = static_cast<std::uint32_t>(entries.size());
        entry.visibility = WGPUShaderStage_Compute;
        entry.buffer.type = WGPUBufferBindingType_Uniform;
        entry.buffer.minBindingSize = sizeof(Params);
        entries.push_back(entry);
    }
    WGPUBindGroupLayoutDescriptor group_desc = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    group_desc.label = view(label);
    group_desc.entryCount = entries.size();
    group_desc.entries = entries.data();

    auto made = std::make_shared<Pipeline>();
    auto ok = in_error_scope(device.get(), instance.get(), [&] {
        const ShaderModuleHandle shader(wgpuDeviceCreateShaderModule(device.get(), &shader_desc));
        made->layout = BindGroupLayoutHandle(wgpuDeviceCreateBindGroupLayout(device.get(), &group_desc));
        const WGPUBindGroupLayout group_layout = made->layout.get();
        WGPUPipelineLayoutDescriptor layout_desc = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
        layout_desc.label = view(label);
        layout_desc.bindGroupLayoutCount = 1;
        layout_desc.bindGroupLayouts = &group_layout;
        layout_desc.immediateSize = spec.immediates ? sizeof(Params) : 0;
        const PipelineLayoutHandle layout(wgpuDeviceCreatePipelineLayout(device.get(), &layout_desc));
        WGPUComputePipelineDescriptor desc = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
        desc.label = view(label);
        desc.layout = layout.get();
        desc.compute.module = shader.get();
        desc.compute.entryPoint = view(module->entry_point);
        // A shader that failed is not used further: wgpu-native would panic over it.
        if (shader)
            made->pipeline = ComputePipelineHandle(wgpuDeviceCreateComputePipeline(device.get(), &desc));
    });
    if (!ok) {
        if (ok.error().code == ErrorCode::device_lost) {
            lost = true;
            return tl::unexpected(ok.error());
        }
        return fail(ErrorCode::compile_failed, module->explain(ok.error().message));
    }
    if (auto alive = check_alive(); !alive) return tl::unexpected(alive.error());
    pipelines.emplace(std::move(key), made);
    return std::shared_ptr<const Pipeline>(made);
}

}  // namespace upsweep
