// Whether a device's subgroups do what the kernels ask of them.
#pragma once

#include "upsweep/core/result.h"

#include <cstdint>
#include <string>

#include <webgpu/webgpu.h>

namespace upsweep {

struct SubgroupProbe {
    bool sound = false;          ///< Every operation gave what it must.
    std::uint32_t smallest = 0;  ///< Active lanes seen.
    std::uint32_t largest = 0;
    std::string fault;  ///< What was wrong, for people.
};

/// Submits one small dispatch and waits for it. The device must have been made with subgroups.
Result<SubgroupProbe> probe_subgroups(WGPUDevice device, WGPUInstance instance);

}  // namespace upsweep
