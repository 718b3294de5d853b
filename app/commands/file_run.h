// A file on its way through a device: chunks, a check beside it, a clock, a progress line, an ear for signals.
#pragma once

#include "app/commands/device_run.h"
#include "app/commands/outcome.h"
#include "app/commands/progress.h"
#include "app/commands/stream.h"
#include "app/commands/verify.h"
#include "app/formats/reader.h"
#include "upsweep/record/gpu.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace upsweep::app {

struct RunSettings {
    std::uint64_t chunk_bytes = std::uint64_t{256} << 20U;
    bool time = false;      ///< Take the GPU's time.
    bool verify = false;    ///< Compare with a serial result; a difference is a failure.
    bool progress = false;  ///< Show how far it is, if there are several chunks.
};

/// What can be said of every run.
struct RunReport {
    std::uint64_t count = 0;  ///< Elements that went through.
    std::uint64_t chunks = 0;
    std::uint64_t data_bytes = 0;  ///< Of elements and results: what must be read and written at least.
    std::string strategy;          ///< As planned: "reduce_then_scan, subgroup". Empty if nothing ran.
    std::uint64_t dispatches = 0;
    std::optional<double> gpu_seconds;
    double seconds = 0;                ///< From the first element read to the last result taken.
    std::uint64_t not_comparable = 0;  ///< Numbers that the check had to leave out.
};

class FileRun {
  public:
    /// `binding_stride`: not 0 if each chunk must fit in one binding, as so many bytes for each element.
    FileRun(ArrayReader& reader, const Gpu& gpu, const RunSettings& settings,
            std::uint32_t binding_stride = 0);

    /// Elements of a chunk. There is one more than the file has elements where that is known, so that the only
    /// chunk is seen to be the last.
    [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
    /// Reads from the file. A signal to end is an error.
    [[nodiscard]] ReadElements reading();
    /// Runs the request; what it did is in the report.
    [[nodiscard]] DeviceRun& device() { return device_; }
    /// Runs what a check needs; of that nothing is reported.
    [[nodiscard]] DeviceRun& checking() { return checking_; }
    /// The check of a scan; see make_verifier().
    [[nodiscard]] std::unique_ptr<Verifier> verifier_of(const ScanDesc& desc);

    /// Tells that `elements` bytes are done, which came to `results` bytes.
    void count(std::uint64_t elements, std::uint64_t results);
    /// What was counted, and what the device tells. A signal to end is a failure.
    Outcome<RunReport> finish(std::uint64_t not_comparable);

  private:
    ArrayReader& reader_;
    DeviceRun device_, checking_;
    std::uint64_t capacity_;
    Progress progress_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    RunReport report_;
};

/// "verified against the serial scan", and what was left out.
std::string verified_text(const RunReport& report, const ElementType& type, const char* against);

}  // namespace upsweep::app
