// What every benchmark shares: one device, and what app/measure gives for it.
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

/// Runs `job` as the benchmark's one iteration and reports GB/s for `bytes` read and written, and the share
/// of the copy kernel's speed.
void report(benchmark::State& state, const Result<Job>& job, std::uint64_t bytes);

}  // namespace upsweep::bench
