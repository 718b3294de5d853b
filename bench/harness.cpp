#include "bench/harness.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace upsweep::bench {

namespace {

std::string adapter;

BufferHandle& kept(BufferHandle& buffer, std::uint64_t bytes) {
    if (!buffer || wgpuBufferGetSize(buffer.get()) < bytes) {
        buffer = {};
        auto made = gpu().buffer(bytes);
        if (made) buffer = std::move(*made);
    }
    return buffer;
}

// The copy is a plan of one step with a kernel of its own, so that it is timed just as the primitives are.
Result<Job> copy_job(std::uint64_t bytes) {
    const DeviceCaps& caps = gpu().caps();
    Plan plan;
    plan.algorithm = "copy";
    plan.max_count = bytes / 4;
    plan.input_bytes = plan.output_bytes = bytes;
    Step step;
    step.label = "upsweep.copy_tiles";
    step.spec.kernel = "copy_tiles";
    step.spec.block = 256;
    step.spec.rows = 4;
    step.spec.vec = 4;
    step.spec.dialect = caps.dialect;
    step.spec.immediates = caps.immediates;
    step.spec.flags["COUNT_BUFFER"] = false;
    step.spec.bindings = {{"src", "array<V>", Access::read}, {"dst", "array<V>", Access::read_write}};
    step.regions = {{Slot::input, 0, bytes}, {Slot::output, 0, bytes}};
    step.params.count = step.params.limit = static_cast<std::uint32_t>(bytes / 4);
    auto grid =
        fold_grid((bytes / 4 + step.spec.tile() - 1) / step.spec.tile(), caps.max_workgroups_per_dimension);
    if (!grid) return tl::unexpected(grid.error());
    step.grid = *grid;
    plan.steps = {step};
    return gpu().context().bind(plan, {.input = {input(bytes)}, .output = {output(bytes)}});
}

// An idle GPU is clocked down and takes a while to climb back.
void warm_up(const Job& job) {
    static auto last = std::chrono::steady_clock::time_point{};
    const auto now = std::chrono::steady_clock::now();
    const double idle = std::chrono::duration<double>(now - last).count();
    const double wanted = gpu().caps().kind == AdapterKind::cpu ? 0.0 : idle > 0.05 ? 0.3 : 0.02;
    const auto end = now + std::chrono::duration<double>(wanted);
    while (std::chrono::steady_clock::now() < end) {
        (void)gpu().submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            for (int i = 0; i < 20; ++i) {
                if (auto ok = job.record(encoder); !ok) return ok;
            }
            return {};
        });
        (void)gpu().time(job);
    }
    last = std::chrono::steady_clock::now();
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
    static BufferHandle buffer;
    const WGPUBuffer before = buffer.get();
    if (kept(buffer, bytes) && buffer.get() != before) {
        std::vector<std::uint32_t> words(std::min<std::uint64_t>(bytes / 4 + 4, 1U << 22U));
        std::mt19937 random(7);
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
        const auto all = std::as_bytes(std::span(words));
        for (std::uint64_t at = 0; at < bytes; at += all.size()) {
            (void)gpu().write(buffer.get(), at, all.first(std::min<std::uint64_t>(all.size(), bytes - at)));
        }
    }
    return buffer.get();
}

WGPUBuffer output(std::uint64_t bytes) {
    static BufferHandle buffer;
    return kept(buffer, bytes).get();
}

Result<double> median_seconds(const Job& job, int runs) {
    warm_up(job);
    std::vector<double> all;
    for (int i = 0; i < runs; ++i) {
        auto seconds = gpu().time(job);
        if (!seconds) return seconds;
        all.push_back(*seconds);
    }
    std::nth_element(all.begin(), all.begin() + runs / 2, all.end());
    return all[static_cast<std::size_t>(runs / 2)];
}

double copy_seconds(std::uint64_t bytes) {
    static std::map<std::uint64_t, double> known;
    const auto [entry, fresh] = known.try_emplace(bytes, 0);
    if (fresh) {
        auto job = copy_job(bytes);
        if (job) entry->second = median_seconds(*job).value_or(0);
    }
    return entry->second;
}

void report(benchmark::State& state, const Result<Job>& job, std::uint64_t bytes) {
    if (!job) {
        state.SkipWithError(job.error().message.c_str());
        return;
    }
    double seconds = 0;
    for (auto _ : state) {
        auto median = median_seconds(*job);
        if (!median) {
            state.SkipWithError(median.error().message.c_str());
            return;
        }
        seconds = *median;
        state.SetIterationTime(seconds);
    }
    state.counters["GB/s"] = static_cast<double>(bytes) / seconds * 1e-9;
    const double copy = copy_seconds(bytes / 2);
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
