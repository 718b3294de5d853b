// What `scan` and `demo` share: a file through the device, with a check, a clock and a progress line.
#pragma once

#include "app/commands/outcome.h"
#include "app/commands/stream.h"
#include "app/formats/reader.h"
#include "upsweep/record/gpu.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::app {

struct ScanSettings {
    std::uint64_t chunk_bytes = std::uint64_t{256} << 20U;
    bool time = false;      ///< Take the GPU's time.
    bool verify = false;    ///< Compare with a serial scan; a difference is a failure.
    bool progress = false;  ///< Show how far it is, if there are several chunks.
    bool total = false;     ///< Give the total, also of an exclusive scan.
};

struct ScanReport {
    StreamSummary summary;
    std::vector<std::byte> total;  ///< Of all elements and the initial value; empty if it is not known.
    std::string strategy;          ///< As planned: "reduce_then_scan, subgroup". Empty without elements.
    std::uint64_t dispatches = 0;
    std::optional<double> gpu_seconds;
    double seconds = 0;                ///< From the first element read to the last result taken.
    std::uint64_t not_comparable = 0;  ///< Numbers that the check had to leave out.
};

/// Takes results in order; `last`: it is sure that no more follow.
using TakeResults = std::function<Outcome<void>(ConstBytes results, bool last)>;

/// Scans all that `reader` gives. A signal to end is a failure.
Outcome<ScanReport> scan_file(ArrayReader& reader, const ScanDesc& desc, const Gpu& gpu,
                              const ScanSettings& settings, const TakeResults& take);

/// "verified against the serial scan", and what was left out.
std::string verified_text(const ScanReport& report, const ElementType& type);

}  // namespace upsweep::app
