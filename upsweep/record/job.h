// Job: a plan bound to buffers, ready to be recorded any number of times.
#pragma once

#include "upsweep/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>

#include <webgpu/webgpu.h>

namespace upsweep {

/// A part of a buffer. The offset must be a multiple of the device's minStorageBufferOffsetAlignment (256 on
/// many).
struct Slice {
    WGPUBuffer buffer = nullptr;
    std::uint64_t offset = 0;
    std::uint64_t size = WGPU_WHOLE_SIZE;  ///< Bytes; WGPU_WHOLE_SIZE: to the end of the buffer.
};

/// The slices of a plan. Those that it does not use may be left out, and so may all of them when its count is
/// 0. Each buffer needs the usage Storage. Slices may share a buffer if they do not overlap; input and output
/// may also be one and the same.
struct Slices {
    Slice input = {};
    Slice output = {};
    Slice count = {};    ///< One u32, with count_on_gpu.
    Slice flags = {};    ///< A flag for each element.
    Slice indices = {};  ///< Indices of elements.
    Slice total = {};    ///< How many elements there are in the output.
    Slice arguments =
        {};  ///< Arguments of an indirect dispatch or draw; that needs the usage Indirect as well.
    Slice scratch = {};  ///< plan.scratch_bytes; without a buffer the job makes its own.
};

struct RecordOptions {
    /// Another count than the plan's, at most that. It needs immediates; without them bind a count on the
    /// GPU, or one job for each count.
    std::optional<std::uint64_t> count = std::nullopt;
};

/// Records a plan's dispatches. It keeps alive what it needs, and an encoder keeps alive what was recorded: a
/// job may go before the submit.
class Job {
  public:
    /// Into an encoder, in a compute pass of its own. Nothing is submitted, waited for, allocated or mapped.
    Result<void> record(WGPUCommandEncoder encoder, const RecordOptions& options = {}) const;

    /// Into the caller's open compute pass. The pipeline, bind group 0 and the first 16 bytes of immediates that were set there are replaced.
    Result<void> record(WGPUComputePassEncoder pass, const RecordOptions& options = {}) const;

    struct State;
    explicit Job(std::shared_ptr<const State> state);

  private:
    std::shared_ptr<const State> state_;
};

}  // namespace upsweep
