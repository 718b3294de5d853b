// Runs the cases on Google Benchmark, which shuffles repetitions and reports each as it ends; the times are the
// GPU's.
#pragma once

#include "app/bench/cases.h"
#include "app/bench/results.h"
#include "app/commands/outcome.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace upsweep::app {

struct BenchSettings {
    /// For each case those of them that it has; empty: those that it names itself.
    std::vector<std::string> strategies = {};
    std::vector<BlockScan> block_scans = {BlockScan::automatic};
    std::vector<Geometry> geometries = {Geometry{}};
    std::vector<std::uint64_t> sizes = {};
    std::uint64_t most_input_bytes = UINT64_MAX;  ///< Sizes with more input than this are passed over.
    int repetitions = 1;  ///< More than one: all in random order, and the fastest counts.
    Effort effort = {};
};

/// Gets each measurement as soon as it is the final one; an error ends the run.
using BenchListener = std::function<Outcome<void>(const Measurement&)>;

/// Measures all cases at all sizes by all methods; beside each stands the rival's time, if `rival` has it. A method
/// that the device cannot do gives a row without a time.
Outcome<Results> run_benchmarks(const Gpu& gpu, const std::vector<BenchCase>& cases,
                                const BenchSettings& settings, const Results& rival,
                                const BenchListener& told);

}  // namespace upsweep::app
