#include "bench/harness.h"

#include "app/measure/measure.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace upsweep::bench {

namespace {

std::string adapter;

app::Measure& measure() {
    static app::Measure one(gpu());
    return one;
}

}  // namespace

Gpu& gpu() {
    static Gpu opened = [] {
        auto result = Gpu::open({.adapter = adapter});
        if (!result) {
            std::fprintf(stderr, "%s\n", result.error().message.c_str());
            std::exit(1);
        }
        return *result;
    }();
    return opened;
}

WGPUBuffer input(std::uint64_t bytes) {
    return measure().input(bytes).value_or(nullptr);
}

WGPUBuffer output(std::uint64_t bytes) {
    return measure().output(bytes).value_or(nullptr);
}

void report(benchmark::State& state, const Result<Job>& job, std::uint64_t bytes) {
    if (!job) {
        state.SkipWithError(job.error().message.c_str());
        return;
    }
    double seconds = 0;
    for (auto _ : state) {
        auto median = measure().median_seconds(*job);
        if (!median) {
            state.SkipWithError(median.error().message.c_str());
            return;
        }
        seconds = *median;
        state.SetIterationTime(seconds);
    }
    state.counters["GB/s"] = static_cast<double>(bytes) / seconds * 1e-9;
    const double copy = measure().copy_seconds(bytes / 2).value_or(0);
    if (copy > 0) state.counters["of_copy"] = copy / seconds;
}

}  // namespace upsweep::bench

int main(int argc, char** argv) {
    std::vector<char*> rest;
    constexpr const char* option = "--adapter=";
    for (int i = 0; i < argc; ++i) {
        if (std::strncmp(argv[i], option, std::strlen(option)) == 0)
            upsweep::bench::adapter = argv[i] + std::strlen(option);
        else
            rest.push_back(argv[i]);
    }
    int count = static_cast<int>(rest.size());
    benchmark::Initialize(&count, rest.data());
    if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
    const upsweep::Gpu& gpu = upsweep::bench::gpu();
    benchmark::AddCustomContext("adapter", gpu.adapter_name());
    benchmark::AddCustomContext("provider", upsweep::Gpu::provider());
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
