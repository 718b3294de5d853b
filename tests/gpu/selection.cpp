#include "tests/gpu/selection.h"

#include <gtest/gtest.h>

namespace upsweep::testing {

BufferHandle uploaded(const Gpu& device, const Numbers& words, WGPUBufferUsage more) {
    auto buffer = device.buffer(words.size() * 4, more);
    EXPECT_TRUE(buffer);
    EXPECT_TRUE(device.write(buffer->get(), 0, std::as_bytes(std::span(words))));
    return std::move(*buffer);
}

SelectionOutcome run_selection(const Gpu& device, const Plan& plan, const Numbers& input,
                               const Numbers& flags, std::optional<std::uint32_t> gpu_count) {
    SCOPED_TRACE(to_string(plan));
    const std::size_t words = plan.type.stride / 4;
    SelectionOutcome out;
    out.elements.assign(plan.output_bytes / 4 + 64 * words, poison);
    out.indices.assign(plan.indices_bytes / 4 + 64, poison);
    out.total.assign(8, poison);
    out.arguments.assign(8, poison);
    const BufferHandle x = uploaded(device, input), f = uploaded(device, flags),
                       elements = uploaded(device, out.elements), indices = uploaded(device, out.indices),
                       total = uploaded(device, out.total),
                       arguments = uploaded(device, out.arguments, WGPUBufferUsage_Indirect),
                       count = uploaded(device, {gpu_count.value_or(0)}),
                       scratch = uploaded(device, Numbers(plan.scratch_bytes / 4 + 1, 0xFFFFFFFF));
    auto job = device.context().bind(plan, {.input = {x.get()},
                                            .output = {elements.get()},
                                            .count = {count.get()},
                                            .flags = {f.get()},
                                            .indices = {indices.get()},
                                            .total = {total.get()},
                                            .arguments = {arguments.get()},
                                            .scratch = {scratch.get()}});
    EXPECT_TRUE(job) << job.error().message;
    if (!job) return out;
    const auto ok = device.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
    EXPECT_TRUE(ok) << ok.error().message;
    for (const auto& [buffer, words_of] : {std::pair{elements.get(), &out.elements},
                                           {indices.get(), &out.indices},
                                           {total.get(), &out.total},
                                           {arguments.get(), &out.arguments}}) {
        EXPECT_TRUE(device.read(buffer, 0, std::as_writable_bytes(std::span(*words_of))));
    }
    return out;
}

const Gpu& device_of(const Launcher& launcher) {
    return launcher.immediates ? gpu() : gpu_without_immediates();
}

std::vector<Launcher> gpu_launchers() {
    auto all = launchers();
    std::erase_if(all, [](const Launcher& launcher) { return launcher.on_cpu; });
    return all;
}

Shape shape_of_whole_tiles(const Plan& plan) {
    if (!plan.strategy.starts_with("lookback_then_rest")) return {};
    const Step& step = plan.steps.at(1);
    return {step.spec.block, step.spec.rows, static_cast<std::uint32_t>(step.grid.groups())};
}

DeviceCaps large_device(AdapterKind kind) {
    DeviceCaps caps = DeviceCaps::minimum();
    caps.kind = kind;
    caps.subgroups = true;
    caps.max_buffer_size = caps.max_storage_binding_size = 1ULL << 32U;
    caps.max_invocations_per_workgroup = caps.max_workgroup_size_x = 1024;
    return caps;
}

}  // namespace upsweep::testing
