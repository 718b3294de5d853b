// Measuring GPU time: a warm clock, the median of timed runs, and a kernel that only copies as the roof.
#pragma once

#include "upsweep/record/gpu.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

namespace upsweep::app {

/// How long to look.
struct Effort {
    int runs = 21;  ///< Of which the median is taken.
    /// Fewer runs, but at least three, once they have taken so long: software adapters are slow.
    double seconds = 1;
};

/// Times jobs on one device, which must outlive this. Its buffers are kept from job to job and grow as
/// needed.
class Measure {
  public:
    explicit Measure(const Gpu& gpu) : gpu_(gpu) {}

    /// A buffer of at least `bytes` with random words, the same in every process.
    Result<WGPUBuffer> input(std::uint64_t bytes);
    /// A buffer of at least `bytes` for results, which holds whatever the last job left there.
    Result<WGPUBuffer> output(std::uint64_t bytes);

    /// What the input of a job is.
    enum class Data : std::uint8_t {
        words,     ///< Random words, those of input().
        bits,      ///< Words that are 0 or 1, half of each: small sizes, say.
        in_place,  ///< What the last job left in output(), where the results go, too.
    };
    /// Binds a plan whose count is known: every slot that it uses gets a kept buffer. Half of the flags, or of
    /// the bits of a mask, are set.
    Result<Job> bind(const Plan& plan, Data data = Data::words);

    /// The median of the GPU's seconds, taken after the clock has been warmed up: that takes half a second of work
    /// if the device has been idle, else little. Errors: those of Gpu::time().
    Result<double> median_seconds(const Job& job, Effort effort = {});

    /// The same for a kernel that reads `bytes` and writes as many: what no kernel that moves 2 * bytes can beat. A
    /// multiple of 4, at least 4. Measured once for each size; beyond the limit of one binding in proportion to the
    /// largest.
    Result<double> copy_seconds(std::uint64_t bytes, Effort effort = {});

    [[nodiscard]] const Gpu& gpu() const { return gpu_; }

  private:
    enum Role : std::uint8_t { in, bits, out, indices, total, arguments, roles };
    Result<WGPUBuffer> kept(Role role, std::uint64_t bytes);
    Result<void> fill(WGPUBuffer buffer, std::uint64_t bytes, std::uint32_t mask) const;
    Result<Job> copy_job(std::uint64_t bytes);
    Result<void> warm_up(const Job& job);

    const Gpu& gpu_;
    std::array<BufferHandle, roles> kept_;
    std::map<std::uint64_t, double> copies_;
    std::chrono::steady_clock::time_point last_;  // When the device was last seen at work.
};

}  // namespace upsweep::app
