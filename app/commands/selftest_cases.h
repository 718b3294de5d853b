// What `upsweep selftest` runs: requests that between them use every kernel, type and operator.
#pragma once

#include "upsweep/record/gpu.h"

#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::app {

struct SelftestCase {
    std::string name;
    ScanDesc desc;                      ///< Without its count.
    std::vector<std::uint64_t> counts;  ///< It is run with each of them.
    bool in_place = false;              ///< Input and output are one slice.
    bool one_buffer = false;            ///< All slices lie in one buffer, at offsets that are not 0.
    std::uint64_t most_binding_bytes =
        0;  ///< Not 0: as if a binding held no more, so that it goes in chunks.
};

/// The cases for a device. What it has not (f16, subgroups) is left out and named in `skipped`.
std::vector<SelftestCase> selftest_cases(const DeviceCaps& caps, std::vector<std::string>& skipped);

/// Runs a case and compares with the serial scan on the CPU, bit for bit: the data are such that floats are
/// not rounded. The error says what was wrong.
Result<void> run_selftest_case(const SelftestCase& test, const Gpu& gpu);

/// Input for `count` elements: telling for the operator, and without rounding for floats.
std::vector<std::byte> selftest_input(const ElementType& type, const Operator& op, std::uint64_t count);

}  // namespace upsweep::app
