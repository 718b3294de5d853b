// What an atomic counter saves, and what it loses. The same numbers are compacted in three ways:
//
//     stable      plan_compact(): what is kept stays in its order
//     per value   every invocation that keeps its number takes a place from one atomic counter
//     per group   a workgroup counts its own first, and takes places for all of them at once
//
// All of them keep the same numbers, and the program checks that. But a counter hands out its places in the
// order in which invocations come by, and that may be another one on every GPU and in every run. Where order
// means something (particles that are blended, a list that is searched, a result that has to come out
// the same again), it is lost.
//
// The numbers are 0, 1, 2 ..., so each is also its place in the input. The picture paints it as a colour:
// what is in order is a smooth gradient.
//
// The times compare the three with each other. They are those of a GPU that idles between the runs, which is
// slow; what the library can do is for its benchmarks to say.
#include "examples/shared/render.h"
#include "upsweep/compact/compact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>

// wgpu-native counts timestamps in ticks of this many nanoseconds; Dawn has no such function, it counts
// nanoseconds.
extern "C" __attribute__((weak)) float wgpuQueueGetTimestampPeriod(WGPUQueue queue);

namespace {

using namespace examples;
using Numbers = std::vector<std::uint32_t>;

// Which numbers are kept: about half of them, without a pattern. The same text is a part of every kernel.
constexpr const char* is_kept_wgsl = R"(
fn is_kept(x: u32) -> bool {
    var h = (x ^ (x >> 16u)) * 0x7feb352du;
    h = (h ^ (h >> 15u)) * 0x846ca68bu;
    return (h >> 31u) != 0u;
}
)";
bool is_kept(std::uint32_t x) {
    std::uint32_t h = (x ^ (x >> 16U)) * 0x7feb352dU;
    h = (h ^ (h >> 15U)) * 0x846ca68bU;
    return (h >> 31U) != 0U;
}

constexpr const char* atomics_wgsl = R"(
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;

@compute @workgroup_size(256)
fn per_value(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&input) { return; }
    let x = input[id.x];
    if is_kept(x) { output[atomicAdd(&total, 1u)] = x; }
}

var<workgroup> group_total: atomic<u32>;
var<workgroup> group_first: u32;

@compute @workgroup_size(256)
fn per_group(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    // wgpu-native does not see to it that workgroup memory begins as zero.
    if local == 0u { atomicStore(&group_total, 0u); }
    workgroupBarrier();
    var x = 0u;
    var kept = false;
    if id.x < arrayLength(&input) {
        x = input[id.x];
        kept = is_kept(x);
    }
    var place = 0u;
    if kept { place = atomicAdd(&group_total, 1u); }
    workgroupBarrier();
    if local == 0u { group_first = atomicAdd(&total, atomicLoad(&group_total)); }
    workgroupBarrier();
    if kept { output[group_first + place] = x; }
}
)";

// A way to compact, ready to be recorded.
using Record = std::function<Result<void>(WGPUComputePassEncoder)>;

struct Measured {
    double microseconds = 0;  // Of the GPU, the median of all runs; 0 without timestamps.
    Numbers worst;            // The result with the most neighbours out of order.
    double out_of_order = 0;  // The share of neighbours there of which the left is the larger one.
    double misplaced = 0;     // The share of numbers there that are not where the order puts them.
    std::size_t results = 0;  // Different ones in all runs.
};

double falls(const Numbers& kept) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < kept.size(); ++i) count += kept[i] < kept[i - 1] ? 1 : 0;
    return static_cast<double>(count);
}

class Bench {
  public:
    Bench(const upsweep::Gpu& gpu, std::uint32_t runs) : gpu_(gpu), runs_(runs) {
        if (!gpu.caps().timestamp_query) return;
        WGPUQuerySetDescriptor desc = WGPU_QUERY_SET_DESCRIPTOR_INIT;
        desc.type = WGPUQueryType_Timestamp;
        desc.count = 2;
        queries_ = upsweep::QuerySetHandle(wgpuDeviceCreateQuerySet(gpu.device(), &desc));
        ticks_ = must(gpu.buffer(16, WGPUBufferUsage_QueryResolve));
    }

    // Runs `record` a few times and compares what it leaves with `expected`, which is in order.
    [[nodiscard]] Measured measure(const Record& record, WGPUBuffer output, WGPUBuffer total,
                                   const Numbers& expected) const {
        Measured measured;
        std::vector<double> times;
        std::set<Numbers> results;
        for (std::uint32_t run = 0; run < runs_; ++run) {
            times.push_back(run_once(record, total));
            const std::uint32_t count = must(read_buffer<std::uint32_t>(gpu_, total, 1))[0];
            if (count != expected.size()) throw std::runtime_error("The count of a compaction is wrong.");
            Numbers kept = must(read_buffer<std::uint32_t>(gpu_, output, count));
            if (measured.worst.empty() || falls(kept) > falls(measured.worst)) measured.worst = kept;
            results.insert(std::move(kept));
        }
        for (Numbers kept : results) {
            std::sort(kept.begin(), kept.end());
            if (kept != expected) throw std::runtime_error("A compaction kept the wrong numbers.");
        }
        std::sort(times.begin(), times.end());
        measured.microseconds = times[times.size() / 2];
        measured.out_of_order = falls(measured.worst) / static_cast<double>(expected.size() - 1);
        std::size_t misplaced = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            misplaced += measured.worst[i] != expected[i] ? 1 : 0;
        measured.misplaced = static_cast<double>(misplaced) / static_cast<double>(expected.size());
        measured.results = results.size();
        return measured;
    }

  private:
    // GPU microseconds of one pass. The counter is cleared before it, which only the atomic kernels need.
    double run_once(const Record& record, WGPUBuffer total) const {
        must(gpu_.submit([&](WGPUCommandEncoder encoder) -> Result<void> {
            wgpuCommandEncoderClearBuffer(encoder, total, 0, 4);
            WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
            writes.querySet = queries_.get();
            writes.beginningOfPassWriteIndex = 0;
            writes.endOfPassWriteIndex = 1;
            WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
            desc.timestampWrites = queries_ ? &writes : nullptr;
            const PassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, &desc));
            if (auto ok = record(pass.get()); !ok) return ok;
            wgpuComputePassEncoderEnd(pass.get());
            if (queries_) wgpuCommandEncoderResolveQuerySet(encoder, queries_.get(), 0, 2, ticks_.get(), 0);
            return {};
        }));
        if (!queries_) return 0;
        const auto ticks = must(read_buffer<std::uint64_t>(gpu_, ticks_.get(), 2));
        const double period =
            &wgpuQueueGetTimestampPeriod != nullptr ? wgpuQueueGetTimestampPeriod(gpu_.queue()) : 1.0;
        return static_cast<double>(ticks[1] - ticks[0]) * period * 1e-3;
    }

    const upsweep::Gpu& gpu_;
    std::uint32_t runs_;
    upsweep::QuerySetHandle queries_;
    BufferHandle ticks_;
};

constexpr std::array<const char*, 3> ways{"stable", "per value", "per group"};
constexpr std::uint32_t painted = 1U << 18U;  // The count that the picture shows.

std::array<Measured, 3> compact_all(const upsweep::Gpu& gpu, const Bench& bench, std::uint32_t count) {
    Numbers numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    const BufferHandle input = must(gpu.buffer(bytes_of(numbers).size()));
    const BufferHandle output = must(gpu.buffer(bytes_of(numbers).size()));
    const BufferHandle total = must(gpu.buffer(4));
    must(gpu.write(input.get(), 0, bytes_of(numbers)));

    const upsweep::Plan plan = must(upsweep::plan_compact(
        {.keep = std::string(is_kept_wgsl) + "fn keep(x: T, i: u32) -> bool { return is_kept(x); }",
         .count = count},
        gpu.caps()));
    const upsweep::Job job = must(
        gpu.context().bind(plan, {.input = {input.get()}, .output = {output.get()}, .total = {total.get()}}));
    std::erase_if(numbers, [](std::uint32_t x) { return !is_kept(x); });
    std::array<Measured, 3> measured;
    measured[0] = bench.measure([&](WGPUComputePassEncoder pass) { return job.record(pass); }, output.get(),
                                total.get(), numbers);

    const auto shader = must(make_shader(gpu, std::string(is_kept_wgsl) + atomics_wgsl));
    std::size_t next = 1;
    for (const char* entry : {"per_value", "per_group"}) {
        const auto pipeline = must(make_compute_pipeline(gpu, shader.get(), entry));
        const auto group = must(
            make_bind_group(gpu, pipeline.get(), {{0, input.get()}, {1, output.get()}, {2, total.get()}}));
        const Record record = [&](WGPUComputePassEncoder pass) -> Result<void> {
            wgpuComputePassEncoderSetPipeline(pass, pipeline.get());
            wgpuComputePassEncoderSetBindGroup(pass, 0, group.get(), 0, nullptr);
            wgpuComputePassEncoderDispatchWorkgroups(pass, (count + 255) / 256, 1, 1);
            return {};
        };
        measured[next++] = bench.measure(record, output.get(), total.get(), numbers);
    }

    if (measured[0].results != 1 || measured[0].misplaced != 0)
        throw std::runtime_error("The stable compaction lost the order.");
    return measured;
}

// Blue, green, yellow, red: from 0 to 1.
void paint(std::uint8_t* pixel, double x) {
    constexpr std::array<std::array<double, 3>, 5> stops{
        {{40, 50, 160}, {30, 150, 180}, {120, 200, 90}, {250, 200, 50}, {210, 50, 40}}};
    const double at = std::clamp(x, 0.0, 0.999) * 4;
    const auto i = static_cast<std::size_t>(at);
    for (std::size_t part = 0; part < 3; ++part)
        pixel[part] =
            static_cast<std::uint8_t>(std::lerp(stops[i][part], stops[i + 1][part], at - std::floor(at)));
}

// A strip of cells for each way, filled column by column with an even choice of what was kept.
Picture paint_strips(const std::array<Measured, 3>& measured, std::uint32_t count) {
    constexpr std::uint32_t cell = 6, columns = 160, rows = 24, gap = 12;
    constexpr std::size_t cells = std::size_t{columns} * rows;
    Picture picture(columns * cell, ways.size() * (rows * cell + gap) + gap);
    for (std::uint32_t way = 0; way < ways.size(); ++way) {
        const Numbers& kept = measured[way].worst;
        for (std::uint32_t y = 0; y < rows * cell; ++y) {
            for (std::uint32_t x = 0; x < picture.width; ++x) {
                const std::size_t at = std::size_t{x / cell} * rows + y / cell;
                const std::uint32_t number = kept[at * kept.size() / cells];
                paint(picture.pixel(x, gap + way * (rows * cell + gap) + y),
                      static_cast<double>(number) / count);
            }
        }
    }
    return picture;
}

int run(const Options& options) {
    const upsweep::Gpu gpu = must(upsweep::Gpu::open({.adapter = options.adapter}));
    const Bench bench(gpu, options.frames);
    std::printf("%s (%s), %u runs each: the median time, and the run that is most out of order\n\n",
                gpu.adapter_name().c_str(), upsweep::Gpu::provider(), options.frames);
    std::printf("      n  way           GPU us  neighbours out of order  misplaced  different results\n");
    // A GPU that is a CPU takes seconds for what comes after these.
    std::vector<std::uint32_t> counts{1U << 12U, 1U << 16U, painted};
    if (gpu.caps().kind != upsweep::AdapterKind::cpu) counts.insert(counts.end(), {1U << 20U, 1U << 22U});
    for (const std::uint32_t count : counts) {
        const auto measured = compact_all(gpu, bench, count);
        for (std::size_t way = 0; way < ways.size(); ++way) {
            const Measured& m = measured[way];
            std::printf("%7u  %-9s %10.1f  %21.3f %%  %7.1f %%  %17zu\n", count, ways[way], m.microseconds,
                        100 * m.out_of_order, 100 * m.misplaced, m.results);
        }
        if (count == painted) must(write_png(paint_strips(measured, count), options.out));
    }
    std::printf("\nwrote %s: %s, %s, %s of %u numbers\n", options.out.c_str(), ways[0], ways[1], ways[2],
                painted);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return run_main(argc, argv, {.adapter = {}, .out = "stream_compaction_vs_atomics.png", .frames = 9}, run);
}
