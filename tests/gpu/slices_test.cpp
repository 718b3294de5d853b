// How slices may lie and counts may come: in place, at offsets, in one buffer, from the GPU, beyond the
// limits of a binding and of a grid.
#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

// Those that a launcher can do.
std::vector<Strategy> strategies_of(const Launcher& launcher) {
    std::vector<Strategy> all{Strategy::multi_level, Strategy::reduce_then_scan, Strategy::lookback,
                              Strategy::serial};
    ScanDesc desc;
    launcher.adapt(desc);
    if (!launcher.on_cpu && gpu().caps().subgroups && desc.emulated_subgroup_size == 0 &&
        desc.block_scan == BlockScan::automatic)
        all.push_back(Strategy::lookback_then_rest);
    return all;
}

ScanDesc small(Strategy strategy, std::uint64_t count) {
    ScanDesc desc;
    desc.strategy = strategy;
    desc.geometry.block = 32;
    desc.geometry.groups = 5;
    desc.count = count;
    return desc;
}

// C38: in place, several tiles, both kinds.
TEST(Slices, InPlace) {
    for (const Launcher& launcher : launchers()) {
        for (const Strategy strategy : strategies_of(launcher)) {
            for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive}) {
                for (const std::uint64_t count : {1, 255, 256, 2051}) {
                    ScanDesc desc = small(strategy, count);
                    desc.kind = kind;
                    expect_scan(launcher, desc, {.in_place = true});
                    desc.type = mat_type();
                    desc.op = mat_product();
                    expect_scan(launcher, desc, {.in_place = true});
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }
}

// C06, C37: slices of one buffer at offsets that are not 0, with a host count and a count in the same buffer.
TEST(Slices, OneBuffer) {
    for (const Launcher& launcher : launchers()) {
        for (const Strategy strategy : strategies_of(launcher)) {
            if (launcher.on_cpu) continue;
            for (const std::uint64_t count : {1, 63, 65, 257, 1000}) {
                for (const bool in_place : {false, true}) {
                    ScanDesc desc = small(strategy, count);
                    expect_scan(launcher, desc, {.in_place = in_place, .one_buffer = true});
                    desc.count_on_gpu = true;
                    expect_scan(launcher, desc,
                                {.in_place = in_place,
                                 .one_buffer = true,
                                 .gpu_count = static_cast<std::uint32_t>(count)});
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }
}

// A count of 4k + r in a buffer that ends there: the last elements are not reached by whole vectors.
TEST(Slices, TightBuffers) {
    for (const Launcher& launcher : launchers()) {
        for (const Strategy strategy : strategies_of(launcher)) {
            for (const std::uint64_t count : {1, 2, 3, 4, 5, 6, 7, 509, 1022, 2047}) {
                for (const bool in_place : {false, true}) {
                    expect_scan(launcher, small(strategy, count), {.in_place = in_place, .tight = true});
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }
}

TEST(Slices, HalfFloatsOfOddCount) {
    if (!gpu().caps().shader_f16) return;  // TypesAndOperators sees that the request is refused.
    for (const std::uint64_t count : {1, 3, 5, 1023}) {
        ScanDesc desc = small(Strategy::reduce_then_scan, count);
        desc.type = types::f16;
        desc.op = Operator::max();
        expect_scan(default_launcher(), desc);
        expect_scan(default_launcher(), desc, {.tight = true});
        expect_scan(default_launcher(), desc, {.in_place = true, .one_buffer = true});
    }
}

// C54: a count that only the GPU knows; above the maximum it is clamped.
TEST(Slices, CountOnTheGpu) {
    for (const Launcher& launcher : launchers()) {
        for (const Strategy strategy : strategies_of(launcher)) {
            for (const std::uint32_t count : {0U, 1U, 127U, 128U, 129U, 1500U, 2000U, 2001U, 0xFFFFFFFFU}) {
                ScanDesc desc = small(strategy, 2000);
                desc.count_on_gpu = true;
                desc.initial = to_bytes<std::uint32_t>({7});
                expect_scan(launcher, desc, {.gpu_count = count});
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(Slices, AnotherCountWhenRecorded) {
    if (!gpu().caps().immediates)
        GTEST_FAIL() << "both providers have immediates; this device was made without";
    for (const Strategy strategy : strategies_of(default_launcher())) {
        for (const std::uint64_t count : {0, 1, 128, 1999, 2000})
            expect_scan(default_launcher(), small(strategy, 2000), {.other_count = count});
    }
}

// C01: a grid folded over three dimensions, by a limit of 2 and of 3 in each.
TEST(Slices, FoldedGrid) {
    for (const std::uint32_t limit : {2U, 3U}) {
        DeviceCaps caps = gpu().caps();
        caps.max_workgroups_per_dimension = limit;
        for (const Launcher& launcher : launchers()) {
            DeviceCaps own = launcher.immediates ? caps : gpu_without_immediates().caps();
            own.max_workgroups_per_dimension = limit;
            ScanDesc desc = small(Strategy::multi_level, limit == 2 ? 1025 : 3333);
            if (limit == 3) desc.geometry.block = 16;
            if (desc.block_scan == BlockScan::automatic) desc.block_scan = BlockScan::blelloch;
            expect_scan(launcher, desc, {.caps = &own});
            desc.strategy = Strategy::reduce_then_scan;
            expect_scan(launcher, desc, {.caps = &own});
        }
    }
}

// C05: data beyond the limit of one binding, in chunks that hand their total on.
TEST(Slices, ChunksBeyondTheBindingLimit) {
    for (const Launcher& launcher : launchers()) {
        for (const Strategy strategy : strategies_of(launcher)) {
            DeviceCaps caps = (launcher.immediates ? gpu() : gpu_without_immediates()).caps();
            caps.max_storage_binding_size = 4096;
            caps.min_storage_offset_alignment = std::max(256U, caps.min_storage_offset_alignment);
            for (const std::uint64_t count : {1024, 1025, 3001, 4096}) {
                ScanDesc desc = small(strategy, count);
                desc.initial = to_bytes<std::uint32_t>({5});
                expect_scan(launcher, desc, {.caps = &caps});
                expect_scan(launcher, desc, {.in_place = true, .caps = &caps});
                desc.count_on_gpu = true;
                for (const std::uint32_t actual : {0U, 1000U, 1024U, 1025U, 9999U})
                    expect_scan(launcher, desc, {.gpu_count = actual, .caps = &caps});
                desc.count_on_gpu = false;
                desc.type = mat_type();
                desc.op = mat_product_without_identity();
                desc.kind = ScanKind::inclusive;
                desc.initial.clear();
                expect_scan(launcher, desc, {.caps = &caps});
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

}  // namespace
}  // namespace upsweep::testing
