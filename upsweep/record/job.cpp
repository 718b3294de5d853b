#include "upsweep/record/job.h"

#include "upsweep/record/state.h"

namespace upsweep {

Job::Job(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<void> Job::record(WGPUComputePassEncoder pass, const RecordOptions& options) const {
    if (state_->context->lost)
        return fail(ErrorCode::device_lost, "The device is lost; make a new device and a new context.");
    const std::uint64_t count = options.count.value_or(state_->max_count);
    if (options.count) {
        if (state_->count_on_gpu)
            return fail(ErrorCode::invalid_argument,
                        "The count of this job lies in a GPU buffer; write it there instead of giving one to "
                        "record().");
        if (count > state_->max_count) {
            return fail(ErrorCode::limit_exceeded, "The job was planned for at most " +
                                                       std::to_string(state_->max_count) + " elements, and " +
                                                       std::to_string(count) +
                                                       " were asked for; plan for the largest count.");
        }
        if (count != state_->max_count && !state_->immediates) {
            return fail(ErrorCode::unsupported,
                        "Another count than the plan's needs immediates, which this device was made without; "
                        "request them with the device, "
                        "put the count into a GPU buffer, or bind a job for each count.");
        }
    }
    for (const State::Dispatch& dispatch : state_->dispatches) {
        wgpuComputePassEncoderSetPipeline(pass, dispatch.pipeline->pipeline.get());
        wgpuComputePassEncoderSetBindGroup(pass, 0, dispatch.group.get(), 0, nullptr);
        if (state_->immediates) {
            const Params params = params_for(dispatch.step, count);
            wgpuComputePassEncoderSetImmediates(pass, 0, &params, sizeof params);
        }
        const Grid& grid = dispatch.step.grid;
        wgpuComputePassEncoderDispatchWorkgroups(pass, grid.x, grid.y, grid.z);
    }
    return {};
}

Result<void> Job::record(WGPUCommandEncoder encoder, const RecordOptions& options) const {
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.label = view(state_->label);
    const PassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, &desc));
    auto ok = record(pass.get(), options);
    wgpuComputePassEncoderEnd(pass.get());
    return ok;
}

}  // namespace upsweep
