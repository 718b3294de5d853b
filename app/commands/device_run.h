// Plans on a device with data of the host, one chunk after the other, and what can be said about them.
#pragma once

#include "app/commands/stream.h"
#include "upsweep/record/gpu.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace upsweep::app {

class DeviceRun {
  public:
    /// `timed`: the GPU's time is taken, if the device has timestamps. The device must outlive this.
    DeviceRun(const Gpu& gpu, bool timed) : gpu_(gpu), timed_(timed && gpu.caps().timestamp_query) {}

    /// Runs a plan on `input`, in place where the plan allows it. What it wrote stays on the device until the
    /// next run; the buffers are kept from chunk to chunk.
    Result<void> run(const Plan& plan, ConstBytes input);
    /// Reads from the beginning of a slot that the last plan wrote.
    Result<void> read(Slot slot, Bytes out) const;

    /// Plans a scan, runs it and reads its results: a ScanFunction.
    Result<void> scan(const ScanDesc& desc, ConstBytes input, Bytes output);

    [[nodiscard]] const DeviceCaps& caps() const { return gpu_.caps(); }
    [[nodiscard]] const std::string& strategy() const { return strategy_; }  ///< Of the first chunk.
    [[nodiscard]] std::uint64_t dispatches() const { return dispatches_; }
    [[nodiscard]] std::optional<double> gpu_seconds() const {
        return timed_ && dispatches_ > 0 ? std::optional(gpu_seconds_) : std::nullopt;
    }
    /// No result so far has gone through more roundings than this; see rounding_depth().
    [[nodiscard]] std::uint64_t depth() const { return depth_; }

  private:
    struct Kept {
        BufferHandle buffer;
        std::uint64_t bytes = 0;
    };
    Result<Slice> slice(Slot slot, std::uint64_t bytes);

    const Gpu& gpu_;
    bool timed_;
    std::map<Slot, Kept> kept_;
    bool in_place_ = false;
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
