// What a Gpu holds. Private to upsweep/record/.
#pragma once

#include "upsweep/record/device.h"
#include "upsweep/record/gpu.h"

#include <optional>

namespace upsweep {

struct Gpu::State {
    InstanceHandle instance;
    AdapterHandle adapter;
    DeviceHandle device;
    QueueHandle queue;
    std::optional<Context> context;
    std::string adapter_name;
    /// What the device's lost callback tells. Jobs and contexts may keep the device longer than the Gpu.
    struct Loss {
        bool happened = false;
        std::string message;
    };
    Shared<Loss> loss;

    [[nodiscard]] Result<void> check_alive() {
        if (!loss.value->happened) return {};
        if (context) context->mark_lost();
        return fail(ErrorCode::device_lost, "The device is lost: " + loss.value->message);
    }
};

}  // namespace upsweep
