// What `scan` and `demo` share: the scan of a file.
#pragma once

#include "app/commands/file_run.h"
#include "upsweep/scan/scan.h"

#include <functional>
#include <vector>

namespace upsweep::app {

struct ScanReport {
    RunReport run;
    StreamSummary summary;
    std::vector<std::byte> total;  ///< Of all elements and the initial value; empty if it is not known.
};

/// Takes results in order; `last`: it is sure that no more follow.
using TakeResults = std::function<Outcome<void>(ConstBytes results, bool last)>;

/// Scans all that `reader` gives. `total_wanted`: the total of an exclusive scan too.
Outcome<ScanReport> scan_file(ArrayReader& reader, const ScanDesc& desc, const Gpu& gpu,
                              const RunSettings& settings, bool total_wanted, const TakeResults& take);

}  // namespace upsweep::app
