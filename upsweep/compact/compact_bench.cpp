// Axes: form x count, on random words of which half are kept; geometry for the tuning table.
#include "bench/harness.h"
#include "upsweep/compact/compact.h"

#include <functional>

namespace upsweep::bench {

namespace {

constexpr const char* odd = "fn keep(x: T, i: u32) -> bool { return (x & 1u) != 0u; }";

BufferHandle& small_buffer() {
    static BufferHandle buffer = std::move(*gpu().buffer(64));
    return buffer;
}

void run(benchmark::State& state, const Result<Plan>& plan, std::uint64_t count, std::uint64_t bytes) {
    if (!plan) {
        state.SkipWithError(plan.error().message.c_str());
        return;
    }
    const std::uint64_t words = count * 4;
    auto job = gpu().context().bind(*plan, {.input = {input(words)},
                                            .output = {output(words)},
                                            .flags = {input(words)},
                                            .indices = {output(words)},
                                            .total = {small_buffer().get()}});
    report(state, job, bytes);
}

std::uint64_t count_of(const benchmark::State& state) {
    return std::uint64_t{1} << static_cast<unsigned>(state.range(0));
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& body, int first, int last,
         int step) {
    auto* bench = benchmark::RegisterBenchmark(name.c_str(), body);
    for (int n = first; n <= last; n += step) bench->Arg(n);
    bench->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
}

void add_compact(const std::string& name, const CompactDesc& desc, double words, int first, int last,
                 int step) {
    add(
        "compact/" + name,
        [desc, words](benchmark::State& state) {
            CompactDesc sized = desc;
            sized.count = count_of(state);
            run(state, plan_compact(sized, gpu().caps()), sized.count,
                static_cast<std::uint64_t>(words * 4 * static_cast<double>(sized.count)));
        },
        first, last, step);
}

const bool registered = [] {
    CompactDesc desc;
    desc.keep = odd;
    add_compact("u32_predicate_half", desc, 1.5, 12, 28, 2);
    CompactDesc indices = desc;
    indices.elements = false;
    indices.indices = true;
    add_compact("u32_predicate_half_indices", indices, 1.5, 16, 28, 4);
    CompactDesc flags;
    flags.condition = ConditionKind::flags;
    flags.indices = true;
    flags.elements = false;
    add_compact("flags_to_indices", flags, 1.5, 16, 28, 4);
    add(
        "partition/u32_half",
        [](benchmark::State& state) {
            PartitionDesc partition;
            partition.condition = odd;
            partition.count = count_of(state);
            run(state, plan_partition(partition, gpu().caps()), partition.count, partition.count * 8);
        },
        16, 28, 2);
    CompactDesc portable = desc;
    portable.strategy = CompactStrategy::reduce_then_scan;
    add_compact("u32_predicate_half/reduce_then_scan", portable, 1.5, 16, 28, 4);
    add(
        "partition/u32_half_others_reversed",
        [](benchmark::State& state) {
            PartitionDesc partition;
            partition.condition = odd;
            partition.others_reversed = true;
            partition.count = count_of(state);
            run(state, plan_partition(partition, gpu().caps()), partition.count, partition.count * 8);
        },
        16, 28, 2);
    for (const std::uint32_t block : {128U, 256U, 384U, 512U}) {
        for (std::uint32_t rows = 8; rows <= 32; rows += 4) {
            CompactDesc shaped = desc;
            shaped.strategy = CompactStrategy::lookback;
            shaped.geometry = {block, rows, block == 128 ? 528U : 264U};
            add_compact("lookback/" + std::to_string(block) + "x" + std::to_string(rows) + ":" +
                            std::to_string(shaped.geometry.groups),
                        shaped, 1.5, 20, 28, 2);
        }
    }
    for (const std::uint32_t block : {256U, 512U, 1024U}) {
        for (const std::uint32_t rows : {4U, 8U, 12U, 16U}) {
            for (const std::uint32_t per_unit : {1U, 2U}) {
                CompactDesc shaped = desc;
                shaped.strategy = CompactStrategy::reduce_then_scan;
                shaped.geometry = {block, rows, 132 * per_unit * (1024 / block)};
                add_compact("geometry/" + std::to_string(block) + "x" + std::to_string(rows) + ":" +
                                std::to_string(shaped.geometry.groups),
                            shaped, 1.5, 20, 28, 4);
            }
        }
    }
    return true;
}();

}  // namespace

}  // namespace upsweep::bench
