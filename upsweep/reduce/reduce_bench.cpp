// Axes: operator and form x count; geometry for the tuning table.
#include "bench/harness.h"
#include "upsweep/reduce/reduce.h"

namespace upsweep::bench {

namespace {

void run(benchmark::State& state, ReduceDesc desc) {
    desc.count = std::uint64_t{1} << static_cast<unsigned>(state.range(0));
    auto plan = plan_reduce(desc, gpu().caps());
    if (!plan) {
        state.SkipWithError(plan.error().message.c_str());
        return;
    }
    const std::uint64_t bytes = desc.count * desc.type.stride;
    auto job = gpu().context().bind(*plan, {.input = {input(bytes)}, .output = {output(bytes)}});
    report(state, job, bytes);
}

void add(const std::string& name, const ReduceDesc& desc, int first, int last, int step) {
    auto* bench = benchmark::RegisterBenchmark(("reduce/" + name).c_str(),
                                               [desc](benchmark::State& state) { run(state, desc); });
    for (int n = first; n <= last; n += step) bench->Arg(n);
    bench->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
}

const bool registered = [] {
    add("u32_plus", {}, 12, 28, 2);
    ReduceDesc desc;
    desc.type = types::f32;
    desc.op = Operator::max();
    add("f32_max", desc, 16, 28, 4);
    desc.form = ReduceForm::arg_max;
    add("f32_arg_max", desc, 16, 28, 4);
    for (const std::uint32_t block : {256U, 512U, 1024U}) {
        for (const std::uint32_t rows : {2U, 4U, 8U}) {
            for (const std::uint32_t per_unit : {2U, 4U, 8U}) {
                ReduceDesc shaped;
                shaped.strategy = ReduceStrategy::two_pass;
                shaped.geometry = {block, rows, 132 * per_unit * (1024 / block) / 2};
                add("geometry/" + std::to_string(block) + "x" + std::to_string(rows) + ":" +
                        std::to_string(shaped.geometry.groups),
                    shaped, 20, 28, 4);
            }
        }
    }
    return true;
}();

}  // namespace

}  // namespace upsweep::bench
