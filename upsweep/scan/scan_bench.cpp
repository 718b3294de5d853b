// Axes: strategy x block scan x count, and operators and types at a few counts.
#include "bench/harness.h"

namespace upsweep::bench {

namespace {

void run(benchmark::State& state, ScanDesc desc, bool in_place = false) {
    desc.count = static_cast<std::uint64_t>(1) << static_cast<unsigned>(state.range(0));
    if (state.range(0) < 0) return;
    auto plan = plan_scan(desc, gpu().caps());
    if (!plan) {
        state.SkipWithError(plan.error().message.c_str());
        return;
    }
    const std::uint64_t bytes = desc.count * desc.type.stride;
    auto job = gpu().context().bind(*plan, {.input = {input(bytes)}, .output = {in_place ? input(bytes) : output(bytes)}});
    report(state, job, 2 * bytes);
}

Operator matrices() {
    return *Operator::custom(
        {.name = "mat_mul",
         .wgsl =
             "fn combine(x: Mat, y: Mat) -> Mat { return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, "
             "x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d); }",
         .identity = "Mat(1u, 0u, 0u, 1u)",
         .commutative = false});
}

void add(const std::string& name, const ScanDesc& desc, int first, int last, int step) {
    auto* bench = benchmark::RegisterBenchmark(("scan/" + name).c_str(),
                                               [desc](benchmark::State& state) { run(state, desc); });
    for (int n = first; n <= last; n += step) bench->Arg(n);
    bench->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
}

const bool registered = [] {
    for (const Strategy strategy : {Strategy::lookback, Strategy::reduce_then_scan, Strategy::multi_level}) {
        for (const BlockScan block_scan : {BlockScan::subgroup, BlockScan::blelloch,
                                           BlockScan::blelloch_padded, BlockScan::hillis_steele}) {
            ScanDesc desc;
            desc.strategy = strategy;
            desc.block_scan = block_scan;
            add(std::string("u32_plus_exclusive/") + to_string(strategy) + "/" + to_string(block_scan), desc,
                12, 28, 2);
        }
    }
    ScanDesc looped;
    looped.unroll = false;
    add("u32_plus_exclusive/loops", looped, 24, 28, 2);
    ScanDesc max;
    max.op = Operator::max();
    max.kind = ScanKind::inclusive;
    add("u32_max_inclusive", max, 16, 28, 4);
    max.type = types::f32;
    add("f32_max_inclusive", max, 16, 28, 4);
    ScanDesc in_place;
    in_place.kind = ScanKind::inclusive;
    auto* bench = benchmark::RegisterBenchmark("scan/u32_plus_inclusive_in_place",
                                               [in_place](benchmark::State& state) { run(state, in_place, true); });
    for (int n = 16; n <= 28; n += 2) bench->Arg(n);
    bench->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
    ScanDesc wide;
    wide.type = types::u64;
    add("u64_plus_exclusive", wide, 15, 27, 4);
    ScanDesc mat;
    mat.type = *ElementType::structure("Mat", "struct Mat { a: u32, b: u32, c: u32, d: u32 }");
    mat.op = matrices();
    mat.kind = ScanKind::inclusive;
    add("mat2x2_inclusive", mat, 14, 26, 2);
    mat.strategy = Strategy::reduce_then_scan;
    add("mat2x2_inclusive/reduce_then_scan", mat, 14, 26, 4);
    // Shapes of a look-back: two workgroups of `block` invocations for each multiprocessor of an H200, or more of small ones.
    for (const std::uint32_t block : {128U, 256U, 320U, 384U, 448U, 512U}) {
        for (std::uint32_t rows = 2; rows <= 20; ++rows) {
            ScanDesc desc;
            desc.strategy = Strategy::lookback;
            desc.geometry = {block, rows, block == 128 ? 528U : 264U};
            const std::string shape = std::to_string(block) + "x" + std::to_string(rows) + ":" + std::to_string(desc.geometry.groups);
            add("lookback/" + shape, desc, 20, 28, 2);
            desc.type = mat.type;
            desc.op = mat.op;
            add("lookback_mat2x2/" + shape, desc, 18, 26, 4);
        }
    }
    // Geometry, for the tuning table: 512x4:264 is 512 invocations of 4 rows in 264 workgroups.
    for (const std::uint32_t block : {256U, 512U, 1024U}) {
        for (const std::uint32_t rows : {2U, 4U, 6U, 8U}) {
            for (const std::uint32_t per_unit : {1U, 2U, 4U}) {
                ScanDesc desc;
                desc.strategy = Strategy::reduce_then_scan;
                desc.geometry = {block, rows, 132 * per_unit * (1024 / block)};
                add("geometry/" + std::to_string(block) + "x" + std::to_string(rows) + ":" +
                        std::to_string(desc.geometry.groups),
                    desc, 20, 28, 4);
            }
        }
    }
    return true;
}();

}  // namespace

}  // namespace upsweep::bench
