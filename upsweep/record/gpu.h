// Gpu: a device of one's own and data on the host, for scripts, tests and the command line. A program with a
// device of its own uses Context instead.
#pragma once

#include "upsweep/record/context.h"
#include "upsweep/record/handles.h"
#include "upsweep/scan/scan.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <webgpu/webgpu.h>

namespace upsweep {

struct GpuOptions {
    /// Empty: a hardware GPU if there is one, else a software adapter. "lavapipe" or "swiftshader": that
    /// software adapter (on Linux, by setting VK_ICD_FILENAMES in this process). Else: an adapter whose name
    /// contains this text.
    std::string adapter = {};
    bool subgroups = true;   ///< Request and use subgroups.
    bool immediates = true;  ///< Request and use immediates.
    bool default_limits =
        false;  ///< Request only what every WebGPU device has, not all that this one offers.
    std::shared_ptr<const Tuning> tuning = {};  ///< As in ContextDesc.
};

class Gpu {
  public:
    /// Opens an adapter and a device on it. Errors: unsupported (no such adapter; the message says what was
    /// found), device_error.
    static Result<Gpu> open(const GpuOptions& options = {});

    [[nodiscard]] Context& context() const;
    [[nodiscard]] const DeviceCaps& caps() const;
    [[nodiscard]] WGPUInstance instance() const;
    [[nodiscard]] WGPUDevice device() const;
    [[nodiscard]] WGPUQueue queue() const;
    [[nodiscard]] const std::string& adapter_name() const;  ///< "llvmpipe (LLVM 15.0.6, 256 bits)".
    [[nodiscard]] static const char* provider();            ///< "wgpu-native" or "dawn".

    /// A storage buffer of `size` bytes, zero, that can be copied from and to.
    Result<BufferHandle> buffer(std::uint64_t size, WGPUBufferUsage more = WGPUBufferUsage_None) const;
    /// Writes to a buffer from the next submission on.
    Result<void> write(WGPUBuffer buffer, std::uint64_t offset, std::span<const std::byte> data) const;
    /// Waits for all that was submitted and reads from a buffer. Errors: device_lost, within bounded time.
    Result<void> read(WGPUBuffer buffer, std::uint64_t offset, std::span<std::byte> data) const;
    /// Records with `record` and submits. Errors of the recording and of the device are returned.
    Result<void> submit(const std::function<Result<void>(WGPUCommandEncoder)>& record) const;
    /// Submits the job once and gives the seconds that the GPU spent in its pass; an error without the
    /// feature timestamp-query.
    Result<double> time(const Job& job) const;

    /// Scans host data: `output` may be `input`. See plan_scan().
    Result<void> scan(const ScanDesc& desc, std::span<const std::byte> input,
                      std::span<std::byte> output) const;

    /// The same for a span of numbers; type and count come from it.
    ///
    ///     std::vector<std::uint32_t> x{3, 1, 7, 0, 4, 1, 6, 3};
    ///     auto y = gpu->scan<std::uint32_t>(x);                                  // [0 3 4 11 11 15 16 22]
    template <class T>
    Result<std::vector<T>> scan(std::span<const T> input, ScanDesc desc = {}) const {
        desc.type = type_of<T>();
        desc.count = input.size();
        std::vector<T> output(input.size());
        auto ok = scan(desc, std::as_bytes(input), std::as_writable_bytes(std::span(output)));
        if (!ok) return tl::unexpected(ok.error());
        return output;
    }

    struct State;

  private:
    template <class T>
    static const ElementType& type_of() {
        if constexpr (std::is_same_v<T, std::int32_t>)
            return types::i32;
        else if constexpr (std::is_same_v<T, float>)
            return types::f32;
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            return types::u64;
        else if constexpr (std::is_same_v<T, std::int64_t>)
            return types::i64;
        else {
            static_assert(std::is_same_v<T, std::uint32_t>, "give the bytes and a ScanDesc for this type");
            return types::u32;
        }
    }
    explicit Gpu(std::shared_ptr<State> state) : state_(std::move(state)) {}
    std::shared_ptr<State> state_;
};

}  // namespace upsweep
