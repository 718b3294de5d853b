// Plans by example: how many dispatches, how they are laid out, what they print, and how few pipelines they
// need.
#include "tests/core/plan_check.h"

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

ScanDesc scan_of(std::uint64_t count, Strategy strategy = Strategy::automatic,
                 BlockScan block_scan = BlockScan::blelloch) {
    ScanDesc desc;
    desc.count = count;
    desc.strategy = strategy;
    desc.block_scan = block_scan;
    return desc;
}

Plan planned(const ScanDesc& desc, const DeviceCaps& caps = {}) {
    auto plan = plan_scan(desc, caps);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    if (!plan) return {};
    EXPECT_EQ(fault_in(*plan, desc, caps), "");
    return *plan;
}

std::vector<std::string> labels(const Plan& plan) {
    std::vector<std::string> all;
    for (const Step& step : plan.steps) all.push_back(step.label);
    return all;
}

std::uint64_t tile_of(const ScanDesc& desc, const DeviceCaps& caps = {}) {
    ScanDesc one = desc;
    one.count = 1;
    one.strategy = Strategy::single_block;
    return planned(one, caps).steps.at(0).spec.tile();
}

using Labels = std::vector<std::string>;

// C50: one dispatch up to a tile, three from there on.
TEST(Plan, AutomaticTakesOneDispatchUpToATileAndThreeBeyond) {
    const std::uint64_t tile = tile_of(scan_of(0));
    for (const std::uint64_t count : {std::uint64_t{1}, tile - 1, tile}) {
        EXPECT_EQ(labels(planned(scan_of(count))), Labels{"upsweep.scan.scan_tiles"}) << count;
        EXPECT_EQ(planned(scan_of(count)).scratch_bytes, 0U);
    }
    for (const std::uint64_t count : {tile + 1, std::uint64_t{30000000}}) {
        EXPECT_EQ(labels(planned(scan_of(count))),
                  (Labels{"upsweep.scan.reduce_tiles", "upsweep.scan.spine", "upsweep.scan.scan_tiles"}))
            << count;
    }
}

// C07 and C39: nothing to do is a plan too, and its sizes are defined.
TEST(Plan, ACountOfZeroHasNoDispatchAndNoScratch) {
    for (const Strategy strategy : strategies) {
        for (const bool on_gpu : {false, true}) {
            ScanDesc desc = scan_of(0, strategy);
            desc.count_on_gpu = on_gpu;
            desc.initial.resize(4);
            const Plan plan = planned(desc);
            EXPECT_TRUE(plan.steps.empty());
            EXPECT_EQ(plan.scratch_bytes, 0U);
            EXPECT_EQ(plan.input_bytes, 0U);
            EXPECT_EQ(plan.bytes_moved, 0U);
            EXPECT_EQ(plan.count_on_gpu(), on_gpu);
        }
    }
}

TEST(Plan, MovesAsMuchAsItIsDocumentedTo) {
    const std::uint64_t count = 1000000;
    EXPECT_EQ(planned(scan_of(1000, Strategy::single_block)).bytes_moved, 2 * 4 * 1000U);
    EXPECT_EQ(planned(scan_of(count, Strategy::reduce_then_scan)).bytes_moved, 3 * 4 * count);
    EXPECT_EQ(planned(scan_of(count, Strategy::multi_level)).bytes_moved, 4 * 4 * count);
    EXPECT_EQ(planned(scan_of(1000, Strategy::multi_level)).bytes_moved, 2 * 4 * 1000U);
    EXPECT_EQ(planned(scan_of(count, Strategy::serial)).bytes_moved, 2 * 4 * count);
}

TEST(Plan, MultiLevelScansTotalsOfTotals) {
    ScanDesc desc = scan_of(1, Strategy::multi_level, BlockScan::hillis_steele);
    desc.geometry.block = 4;
    const std::uint64_t tile = tile_of(desc);
    ASSERT_EQ(tile, 16U);
    std::uint64_t most = 1;
    for (std::size_t levels = 1; levels <= 5; ++levels) {
        most *= tile;
        desc.count = most;
        EXPECT_EQ(planned(desc).steps.size(), 2 * levels - 1) << most;
        desc.count = most + 1;
        EXPECT_EQ(planned(desc).steps.size(), 2 * levels + 1) << most + 1;
    }
    desc.count = 3 * tile * tile;
    EXPECT_EQ(labels(planned(desc)),
              (Labels{"upsweep.scan.scan_tiles", "upsweep.scan.scan_tiles", "upsweep.scan.scan_tiles",
                      "upsweep.scan.add_back", "upsweep.scan.add_back"}));
}

TEST(Plan, TheSerialKernelRunsInShortChunks) {
    const Plan plan = planned(scan_of(1000000, Strategy::serial));
    EXPECT_GT(plan.steps.size(), 1U);
    for (const Step& step : plan.steps) {
        EXPECT_EQ(step.grid.groups(), 1U);
        EXPECT_LE(step.params.count, 65536U) << "a watchdog would end a longer loop";
    }
    EXPECT_FALSE(plan.needs_subgroups);
}

TEST(Plan, ChunksHandTheirTotalOn) {
    DeviceCaps caps;
    caps.max_storage_binding_size = 65536;
    for (const Strategy strategy : {Strategy::reduce_then_scan, Strategy::multi_level, Strategy::serial}) {
        for (const bool with_initial : {false, true}) {
            ScanDesc desc = scan_of(16384 * 3 + 1, strategy);
            if (with_initial) desc.initial.resize(4);
            const Plan plan = planned(desc, caps);
            std::set<std::uint64_t> bases;
            for (const Step& step : plan.steps) bases.insert(step.base);
            EXPECT_EQ(bases.size(), 4U) << to_string(strategy);
            EXPECT_EQ(*bases.rbegin(), 16384U * 3);
        }
    }
}

TEST(Plan, KeepsTheInitialValueAsOneElement) {
    ScanDesc desc = scan_of(100);
    desc.type = type_of("vec3<u32>");
    desc.initial.assign(12, std::byte{7});
    const Plan plan = planned(desc);
    ASSERT_EQ(plan.initial.size(), 16U) << "the padding belongs to the element in a buffer";
    EXPECT_EQ(plan.initial[11], std::byte{7});
    EXPECT_EQ(plan.initial[12], std::byte{0});
    desc.initial.assign(16, std::byte{9});
    EXPECT_EQ(planned(desc).initial, desc.initial);
}

TEST(Plan, SaysWhatItNeeds) {
    const DeviceCaps caps = capable_device();
    ScanDesc desc = scan_of(100000, Strategy::automatic, BlockScan::automatic);
    EXPECT_TRUE(planned(desc, caps).needs_subgroups);
    EXPECT_FALSE(planned(desc).needs_subgroups);
    EXPECT_EQ(planned(desc, caps).strategy, "lookback, subgroup");
    EXPECT_EQ(planned(desc).strategy, "reduce_then_scan, blelloch");
    EXPECT_EQ(planned(scan_of(1000, Strategy::serial)).strategy, "serial");
    desc.emulated_subgroup_size = 8;
    EXPECT_FALSE(planned(desc, caps).needs_subgroups);
    EXPECT_EQ(planned(desc, caps).steps.at(0).spec.subgroups, SubgroupMode::emulated);
    EXPECT_FALSE(planned(desc, caps).needs_f16);
    desc.type = types::f16;
    desc.op = Operator::max();
    EXPECT_TRUE(planned(desc, caps).needs_f16);
}

TEST(Plan, Prints) {
    DeviceCaps caps;
    ScanDesc desc = scan_of(1000, Strategy::single_block);
    desc.count_on_gpu = true;
    const Plan plan = planned(desc, caps);
    EXPECT_EQ(
        to_string(plan),
        "scan single_block, blelloch: at most 1000 x u32, 1 dispatch, 0 bytes of scratch, 8000 bytes moved, "
        "count on the GPU\n"
        "  upsweep.scan.scan_tiles 1x1x1 groups, count 1000, src = input[0, 4000), dst = output[0, 4000), "
        "gpu_count = count[0, 4)\n"
        "    // " +
            plan.steps.at(0).spec.to_string() + "\n");
    desc = scan_of(100000, Strategy::multi_level);
    const std::string text = to_string(planned(desc));
    EXPECT_NE(text.find("3 dispatches"), std::string::npos) << text;
    EXPECT_NE(text.find(", level 1"), std::string::npos) << text;
    EXPECT_NE(text.find("= scratch[0, "), std::string::npos) << text;
}

TEST(Plan, StrategiesAndSlotsHaveNames) {
    for (const char* name : {"automatic", "single_block", "multi_level", "reduce_then_scan", "lookback",
                             "lookback_then_rest", "serial"})
        EXPECT_STREQ(to_string(*parse_strategy(name)), name);
    for (const char* name : {"", "Serial", "serial "}) {
        const auto strategy = parse_strategy(name);
        ASSERT_FALSE(strategy.has_value()) << name;
        EXPECT_EQ(strategy.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(strategy.error().message,
                  "'" + std::string(name) +
                      "' is not a strategy; it must be automatic, single_block, "
                      "multi_level, reduce_then_scan, lookback, lookback_then_rest or "
                      "serial.");
    }
    const std::pair<Slot, const char*> slots[] = {{Slot::input, "input"},
                                                  {Slot::output, "output"},
                                                  {Slot::count, "count"},
                                                  {Slot::scratch, "scratch"},
                                                  {Slot::initial, "initial"}};
    for (const auto& [slot, name] : slots) EXPECT_STREQ(to_string(slot), name);
}

// ---- C49: pipelines depend on operator, type and mode, and not on the count ----

std::set<std::string> keys(const ScanDesc& desc, std::uint64_t count, const DeviceCaps& caps) {
    ScanDesc with = desc;
    with.count = count;
    std::set<std::string> all;
    for (const Step& step : planned(with, caps).steps) all.insert(step.spec.key());
    return all;
}

const std::vector<std::uint64_t> counts{4097,    4098,     5000,     65537,     1000000,
                                        1048575, 16777217, 33554431, 100000000, 1073741820};

TEST(Pipelines, AreTheSameForEveryCountAboveATile) {
    const DeviceCaps caps = boundless_device();
    for (const BlockScan block_scan : block_scans) {
        for (const bool on_gpu : {false, true}) {
            ScanDesc desc = scan_of(0, Strategy::automatic, block_scan);
            desc.count_on_gpu = on_gpu;
            // A look-back has larger tiles from 2^23 elements on; its second kernel is the one that clears given scratch.
            const bool looks_back = block_scan == BlockScan::subgroup;
            const std::set<std::string> small = keys(desc, counts.front(), caps);
            const std::set<std::string> large = keys(desc, 100000000, caps);
            EXPECT_EQ(small.size(), looks_back ? 2U : 3U);
            EXPECT_EQ(small == large, !looks_back);
            for (const std::uint64_t count : counts)
                EXPECT_TRUE(keys(desc, count, caps) == (count < (1U << 23U) ? small : large)) << count;
        }
    }
}

TEST(Pipelines, AreTheSameForEveryCountUpToATile) {
    const ScanDesc desc = scan_of(0);
    for (const std::uint64_t count : {2U, 3U, 1000U, 2048U})
        EXPECT_TRUE(keys(desc, count, {}) == keys(desc, 1, {})) << count;
}

// A level more, or a second chunk, brings kernels with other flags; then there are no further ones.
TEST(Pipelines, AreFewOverAllCountsWithLevelsAndChunks) {
    DeviceCaps caps = boundless_device();
    ScanDesc desc = scan_of(0, Strategy::multi_level, BlockScan::subgroup);
    std::set<std::string> all;
    for (const std::uint64_t count : counts) all.merge(keys(desc, count, caps));
    EXPECT_LE(all.size(), 5U) << "one tile size: first, middle and last level, and two ways back";

    caps.max_storage_binding_size = 1U << 20U;
    for (const Strategy strategy : {Strategy::reduce_then_scan, Strategy::multi_level}) {
        desc.strategy = strategy;
        std::set<std::string> few, many;
        for (const std::uint64_t count : {200000U, 500000U, 700000U, 900000U})
            few.merge(keys(desc, count, caps));
        for (std::uint64_t count = 1000; count < 2000000; count += 9973) many.merge(keys(desc, count, caps));
        for (const std::string& key : few) EXPECT_TRUE(many.contains(key));
        EXPECT_LE(many.size(), 14U) << to_string(strategy);
    }
}

}  // namespace
}  // namespace upsweep::test
