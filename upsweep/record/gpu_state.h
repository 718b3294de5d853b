// What a Gpu holds. Private to upsweep/record/.
#pragma once

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
    bool lost = false;
    std::string lost_message;

    [[nodiscard]] Result<void> check_alive() {
        if (!lost) return {};
        if (context) context->mark_lost();
        return fail(ErrorCode::device_lost, "The device is lost: " + lost_message);
    }
};

}  // namespace upsweep
