// What contexts and jobs hold. Private to upsweep/record/.
#pragma once

#include "upsweep/record/context.h"
#include "upsweep/record/handles.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace upsweep {

struct Pipeline {
    ComputePipelineHandle pipeline;
    BindGroupLayoutHandle layout;
};

struct Context::State {
    InstanceHandle instance;
    DeviceHandle device;
    DeviceCaps caps;
    std::map<std::string, std::shared_ptr<const Pipeline>> pipelines;  // By KernelSpec::key().
    std::optional<SubgroupProbe> probe;
    bool lost = false;

    [[nodiscard]] Result<void> check_alive();
    /// The pipeline of a spec, compiled if it is new. A failure is not kept.
    Result<std::shared_ptr<const Pipeline>> pipeline(const KernelSpec& spec, const std::string& label);
    Result<BufferHandle> buffer(const char* label, std::uint64_t size, WGPUBufferUsage usage,
                                const void* content);
};

struct Job::State {
    struct Dispatch {
        std::shared_ptr<const Pipeline> pipeline;
        BindGroupHandle group;
        Step step;
    };
    std::shared_ptr<Context::State> context;
    std::string label;
    std::uint64_t max_count = 0;
    bool count_on_gpu = false;
    bool immediates = false;
    std::vector<Dispatch> dispatches;
    BufferHandle scratch, initial, constants, params;  // Those that the job made itself.
};

}  // namespace upsweep
