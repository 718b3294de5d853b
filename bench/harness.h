// What every benchmark shares: one device, a warm clock, the median of timed runs, and the copy kernel as the
// roof.
#pragma once

#include "upsweep/record/gpu.h"

#include <string>

#include <benchmark/benchmark.h>

namespace upsweep::bench {

/// The device of this process; the program ends with a message if there is none. `--adapter=NAME` chooses it.
Gpu& gpu();

/// A buffer of at least `bytes` with random words, and one for results; kept from benchmark to benchmark.
WGPUBuffer input(std::uint64_t bytes);
WGPUBuffer output(std::uint64_t bytes);

/// Median GPU seconds of `job`, measured after the clock has been warmed up.
Result<double> median_seconds(const Job& job, int runs = 21);

/// Median GPU seconds of a kernel that copies `bytes`: what no kernel that reads and writes as much can beat.
double copy_seconds(std::uint64_t bytes);

/// Runs `job` as the benchmark's one iteration and reports GB/s for `bytes` read and written, and the share
/// of the copy kernel's speed.
void report(benchmark::State& state, const Result<Job>& job, std::uint64_t bytes);

}  // namespace upsweep::bench
