// Scans of host data on a device, one chunk after the other, and what can be said about them.
#pragma once

#include "app/commands/stream.h"
#include "upsweep/record/gpu.h"

#include <cstdint>
#include <optional>
#include <string>

namespace upsweep::app {

class DeviceScan {
  public:
    /// `timed`: the GPU's time is taken, if the device has timestamps. The device must outlive this.
    DeviceScan(const Gpu& gpu, bool timed) : gpu_(gpu), timed_(timed && gpu.caps().timestamp_query) {}

    /// A ScanFunction. The buffer on the device is kept from chunk to chunk.
    Result<void> scan(const ScanDesc& desc, ConstBytes input, Bytes output);

    /// The elements of `stride` bytes that fit in a chunk of `bytes`, and in a buffer of the device.
    [[nodiscard]] std::uint64_t capacity(std::uint64_t bytes, std::uint32_t stride) const;

    [[nodiscard]] const std::string& strategy() const { return strategy_; }  ///< Of the first chunk.
    [[nodiscard]] std::uint64_t dispatches() const { return dispatches_; }
    [[nodiscard]] std::optional<double> gpu_seconds() const {
        return timed_ && dispatches_ > 0 ? std::optional(gpu_seconds_) : std::nullopt;
    }
    /// No result so far has gone through more roundings than this; see rounding_depth().
    [[nodiscard]] std::uint64_t depth() const { return depth_; }

  private:
    const Gpu& gpu_;
    bool timed_;
    BufferHandle data_;
    std::uint64_t data_bytes_ = 0;
    std::string strategy_;
    std::uint64_t dispatches_ = 0;
    double gpu_seconds_ = 0;
    std::uint64_t depth_ = 0;
};

/// How often at most an element is combined with others on its way through a plan: each time a float is
/// rounded. In each dispatch a workgroup passes its tiles one after the other; within a tile an invocation
/// combines its rows, and the invocations are combined along a tree.
std::uint64_t rounding_depth(const Plan& plan);

}  // namespace upsweep::app
