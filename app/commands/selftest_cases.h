// What `upsweep selftest` runs: requests that between them use every kernel, type and operator.
#pragma once

#include "upsweep/record/gpu.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace upsweep::app {

/// A request that is run on the device and on the CPU and compared, bit for bit: the data are such that floats
/// are not rounded.
struct SelftestCase {
    std::string name;
    std::vector<std::uint64_t> counts;  ///< It is run with each of them.
    /// The error says what was wrong.
    std::function<Result<void>(const Gpu& gpu, std::uint64_t count)> run;
};

/// The cases for a device. What it has not (f16, subgroups) is left out and named in `skipped`.
std::vector<SelftestCase> selftest_cases(const DeviceCaps& caps, std::vector<std::string>& skipped);

/// Those of each primitive.
void add_scan_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps);
void add_reduce_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps);
void add_select_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps);
void add_allocate_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps);

Result<void> run_selftest_case(const SelftestCase& test, const Gpu& gpu);

}  // namespace upsweep::app
