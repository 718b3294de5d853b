// The scan on a device: strategies, block scans, types, operators and sizes against the serial CPU scan.
#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"
#include "upsweep/core/operator_code.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

constexpr BlockScan block_scans[] = {BlockScan::hillis_steele, BlockScan::blelloch,
                                     BlockScan::blelloch_padded, BlockScan::subgroup};
constexpr Strategy many_block_strategies[] = {Strategy::multi_level, Strategy::reduce_then_scan,
                                              Strategy::lookback};

// Small blocks: many tiles and levels with few elements.
ScanDesc small_blocks(Strategy strategy, BlockScan block_scan) {
    ScanDesc desc;
    desc.strategy = strategy;
    desc.block_scan = block_scan;
    desc.geometry.block = 32;
    desc.geometry.groups = 5;
    return desc;
}

std::uint64_t tile_of(const ScanDesc& desc) {
    ScanDesc large = desc;
    large.count = 1;
    if (desc.block_scan == BlockScan::subgroup && !gpu().caps().subgroups) large.emulated_subgroup_size = 32;
    const auto plan = plan_scan(large, gpu().caps());
    EXPECT_TRUE(plan) << plan.error().message;
    return plan ? plan->steps.front().spec.tile() : 1;
}

TEST(Scan, DocumentedExample) {
    const std::vector<std::uint32_t> x{3, 1, 7, 0, 4, 1, 6, 3};
    const auto exclusive = gpu().scan<std::uint32_t>(x);
    ASSERT_TRUE(exclusive) << exclusive.error().message;
    EXPECT_EQ(*exclusive, (std::vector<std::uint32_t>{0, 3, 4, 11, 11, 15, 16, 22}));
    const auto inclusive = gpu().scan<std::uint32_t>(x, {.kind = ScanKind::inclusive});
    ASSERT_TRUE(inclusive) << inclusive.error().message;
    EXPECT_EQ(*inclusive, (std::vector<std::uint32_t>{3, 4, 11, 11, 15, 16, 22, 25}));
}

// C03, C13, C25: every strategy and block scan at sizes around every edge, by every launcher.
TEST(Scan, SizesAroundEveryEdge) {
    for (const Strategy strategy : many_block_strategies) {
        for (const BlockScan block_scan : block_scans) {
            const ScanDesc desc = small_blocks(strategy, block_scan);
            const std::uint64_t tile = tile_of(desc);
            for (const Launcher& launcher : launchers()) {
                for (const std::uint64_t count :
                     {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                      std::uint64_t{5}, tile - 1, tile, tile + 1, tile + 3, 5 * tile - 1, 5 * tile + 1,
                      11 * tile + 7, tile * tile / 2 + 1}) {
                    ScanDesc sized = desc;
                    sized.count = std::min<std::uint64_t>(count, 40000);
                    expect_scan(launcher, sized);
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }
}

TEST(Scan, SingleBlock) {
    for (const BlockScan block_scan : block_scans) {
        ScanDesc desc = small_blocks(Strategy::single_block, block_scan);
        const std::uint64_t tile = tile_of(desc);
        for (const Launcher& launcher : launchers()) {
            for (const std::uint64_t count :
                 {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, tile - 1, tile}) {
                desc.count = count;
                expect_scan(launcher, desc);
            }
        }
        desc.count = tile + 1;
        if (block_scan == BlockScan::subgroup) desc.emulated_subgroup_size = 32;
        const auto refused = plan_scan(desc, gpu().caps());
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
    }
}

TEST(Scan, SerialIsTheReference) {
    ScanDesc desc;
    desc.strategy = Strategy::serial;
    for (const std::uint64_t count : {0, 1, 5, 65536, 65537, 140001}) {
        desc.count = count;
        expect_scan(default_launcher(), desc);
    }
    desc.type = mat_type();
    desc.op = mat_product_without_identity();
    desc.kind = ScanKind::inclusive;
    desc.count = 70001;  // Two chunks that hand the product on.
    expect_scan(default_launcher(), desc);
}

// C13: operators that are associative and nothing more, in each kind, with and without an identity.
TEST(Scan, NonCommutativeOperators) {
    struct Case {
        ElementType type;
        Operator op;
    };
    const Case cases[] = {{mat_type(), mat_product()},
                          {mat_type(), mat_product_without_identity()},
                          {affine_type(), affine_composition()},
                          {types::u32, leftmost()},
                          {types::u32, Operator::last_non_zero()}};
    for (const auto& [type, op] : cases) {
        for (const Strategy strategy : {Strategy::single_block, Strategy::multi_level,
                                        Strategy::reduce_then_scan, Strategy::lookback}) {
            for (const BlockScan block_scan : block_scans) {
                for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
                    ScanDesc desc = small_blocks(strategy, block_scan);
                    desc.type = type;
                    desc.op = op;
                    desc.kind = kind;
                    if (!op.has_identity()) desc.initial = random_elements(type, 1, 99);
                    const std::uint64_t tile = tile_of(desc);
                    for (const std::uint64_t count : {tile - 1, 2 * tile + 1, 40 * tile + 5}) {
                        desc.count = strategy == Strategy::single_block ? std::min(count, tile) : count;
                        expect_scan(default_launcher(), desc);
                        if (kind == ScanKind::inclusive) expect_scan(launchers().back(), desc);
                        if (::testing::Test::HasFailure()) return;
                    }
                }
            }
        }
    }
}

// C25, C26: subgroups of every size, made of workgroup memory.
TEST(Scan, EverySubgroupSize) {
    for (const std::uint32_t size : {4U, 8U, 16U, 32U, 64U, 128U}) {
        for (const bool product : {false, true}) {
            ScanDesc desc = small_blocks(Strategy::multi_level, BlockScan::subgroup);
            desc.geometry.block = 128;
            desc.emulated_subgroup_size = size;
            if (product) {
                desc.type = mat_type();
                desc.op = mat_product_without_identity();
                desc.kind = ScanKind::inclusive;
                desc.geometry.rows = 2;
            }
            for (const Strategy strategy :
                 {product ? Strategy::reduce_then_scan : Strategy::multi_level, Strategy::lookback}) {
                desc.strategy = strategy;
                for (const std::uint64_t count : {1, 129, 5003}) {
                    desc.count = count;
                    expect_scan(default_launcher(), desc);
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }
}

class TypesAndOperators : public ::testing::TestWithParam<const char*> {};

TEST_P(TypesAndOperators, MatchTheSerialScan) {
    const ElementType type = *ElementType::parse(GetParam());
    if (type.needs_f16() && !gpu().caps().shader_f16) {
        ScanDesc desc;
        desc.type = type;
        desc.count = 5;
        const auto refused = plan_scan(desc, gpu().caps());
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
        return;
    }
    for (const std::string& name : Operator::names()) {
        const Operator op = *Operator::parse(name);
        if (!operator_code(op, type)) continue;
        for (const Strategy strategy :
             {Strategy::automatic, Strategy::multi_level, Strategy::reduce_then_scan, Strategy::lookback,
              Strategy::lookback_then_rest}) {
            if (strategy == Strategy::lookback_then_rest && !gpu().caps().subgroups) continue;
            ScanDesc desc;
            desc.type = type;
            desc.op = op;
            desc.strategy = strategy;
            desc.kind = strategy == Strategy::multi_level || strategy == Strategy::lookback_then_rest
                            ? ScanKind::inclusive
                            : ScanKind::exclusive;
            if (strategy != Strategy::automatic) desc.geometry.block = 64;
            // Whole subgroups, whatever their size.
            if (strategy == Strategy::lookback) desc.geometry.block = 128;
            // Sums and products of halves stay exact only while they are small.
            const bool rounds =
                type.scalar == Scalar::f16 || (type.scalar == Scalar::f32 && name == "multiplies");
            desc.count = strategy == Strategy::automatic ? 101 : 3001;
            auto input = random_elements(type, desc.count, 5);
            if (rounds) {
                // Only a few elements differ from the identity.
                auto identity = *op.cpu_identity(type);
                for (std::uint64_t at = 0; at < desc.count; ++at) {
                    if (at % 97 != 0)
                        std::copy(identity.begin(), identity.end(),
                                  input.begin() + static_cast<std::ptrdiff_t>(at * type.stride));
                }
            }
            expect_scan_of(input, default_launcher(), desc);
            if (desc.strategy == Strategy::reduce_then_scan) expect_scan_of(input, launchers().back(), desc);
            if (::testing::Test::HasFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scan, TypesAndOperators,
                         ::testing::Values("u32", "i32", "f32", "f16", "u64", "i64", "vec2<u32>", "vec3<i32>",
                                           "vec4<f32>", "vec3<f32>", "vec2<f16>"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase_if(name, [](char c) { return c == '<' || c == '>'; });
                             return name;
                         });

// C56: structs of the user's, small and large, aligned and padded.
TEST(Scan, UserStructs) {
    for (const Strategy strategy : many_block_strategies) {
        ScanDesc desc = small_blocks(strategy, BlockScan::automatic);
        if (strategy == Strategy::lookback)
            desc.geometry.block = 128;  // Whole subgroups, whatever their size.
        desc.kind = ScanKind::inclusive;
        desc.count = 1003;
        desc.type = range_type();
        desc.op = range_union();
        for (const Launcher& launcher : launchers()) expect_scan(launcher, desc);
        desc.type = particle_type();
        desc.op = particle_merge();
        if (strategy == Strategy::lookback) {
            const auto refused = plan_scan(desc, gpu().caps());
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
            continue;
        }
        for (const Launcher& launcher : launchers()) expect_scan(launcher, desc);
    }
}

TEST(Scan, InitialValue) {
    for (const Strategy strategy : {Strategy::single_block, Strategy::multi_level, Strategy::reduce_then_scan,
                                    Strategy::lookback, Strategy::serial}) {
        for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
            for (const Launcher& launcher : launchers()) {
                ScanDesc desc = small_blocks(strategy, BlockScan::automatic);
                desc.kind = kind;
                desc.initial = to_bytes<std::uint32_t>({1000});
                desc.count = strategy == Strategy::single_block ? 31 : 2777;
                expect_scan(launcher, desc);
                desc.op = Operator::logical_or();  // 1000 is a true value like any other.
                expect_scan(launcher, desc);
                desc.op = Operator::min();
                expect_scan(launcher, desc);
            }
        }
    }
}

// C18: sums wrap, and a total of zero is a total like any other.
TEST(Scan, IntegersWrap) {
    const std::vector<std::uint32_t> x{0xFFFFFFFF, 1, 2};
    const auto y = gpu().scan<std::uint32_t>(x, {.kind = ScanKind::inclusive});
    ASSERT_TRUE(y);
    EXPECT_EQ(*y, (std::vector<std::uint32_t>{0xFFFFFFFF, 0, 2}));
    const std::vector<std::int32_t> z{0x7FFFFFFF, 1};
    const auto w = gpu().scan<std::int32_t>(z, {.kind = ScanKind::inclusive});
    ASSERT_TRUE(w);
    EXPECT_EQ(*w, (std::vector<std::int32_t>{0x7FFFFFFF, -0x7FFFFFFF - 1}));
    for (const Strategy strategy : many_block_strategies) {
        ScanDesc desc = small_blocks(strategy, BlockScan::automatic);
        const std::uint64_t tile = tile_of(desc);
        desc.count = 2 * tile + 3;
        std::vector<std::uint32_t> zeros(desc.count, 1);
        zeros[tile - 1] = static_cast<std::uint32_t>(0) - static_cast<std::uint32_t>(tile - 1);
        zeros[2 * tile - 1] = static_cast<std::uint32_t>(0) - static_cast<std::uint32_t>(tile - 1);
        expect_scan_of(to_bytes(zeros), default_launcher(), desc);
    }
    // C56: the carry between the words of a pair.
    const std::vector<std::uint64_t> pairs{0xFFFFFFFF, 1, 0xFFFFFFFF};
    const auto sums = gpu().scan<std::uint64_t>(pairs, {.kind = ScanKind::inclusive});
    ASSERT_TRUE(sums);
    EXPECT_EQ(*sums, (std::vector<std::uint64_t>{0xFFFFFFFF, 0x100000000, 0x1FFFFFFFF}));
}

// C33: a race shows in counts that end short.
TEST(Scan, HalfAMillionOnesManyTimes) {
    ScanDesc desc;
    desc.kind = ScanKind::inclusive;
    desc.count = 524288;
    const std::vector<std::uint32_t> ones(desc.count, 1);
    auto data = gpu().buffer(desc.count * 4);
    auto out = gpu().buffer(desc.count * 4);
    ASSERT_TRUE(data && out);
    ASSERT_TRUE(gpu().write(data->get(), 0, std::as_bytes(std::span(ones))));
    for (const Strategy strategy : many_block_strategies) {
        desc.strategy = strategy;
        const auto plan = plan_scan(desc, gpu().caps());
        ASSERT_TRUE(plan);
        auto job = gpu().context().bind(*plan, {.input = {data->get()}, .output = {out->get()}});
        ASSERT_TRUE(job) << job.error().message;
        for (int repetition = 0; repetition < 10; ++repetition) {
            ASSERT_TRUE(gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); }));
            std::vector<std::uint32_t> sums(desc.count);
            ASSERT_TRUE(gpu().read(out->get(), 0, std::as_writable_bytes(std::span(sums))));
            for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], i + 1);
        }
    }
}

}  // namespace
}  // namespace upsweep::testing
