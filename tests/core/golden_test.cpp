// Golden WGSL: whole modules, byte for byte, so that a change of a kernel or of the expander shows in review
// as the text that a device gets. After a wanted change:
//
//     UPSWEEP_UPDATE_GOLDEN=1 ./upsweep_plan_tests --gtest_filter='Golden*'
#include "tests/core/requests.h"
#include "upsweep/reduce/reduce.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

const std::filesystem::path directory = std::filesystem::path(UPSWEEP_SOURCE_DIR) / "tests" / "golden";

// Step `step` of the plan, as it is bound with the given layout.
KernelSpec kernel_of(const ScanDesc& desc, const DeviceCaps& caps, std::size_t step = 0,
                     const BufferLayout& layout = {}) {
    const auto plan = plan_scan(desc, caps);
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    if (!plan || step >= plan->steps.size()) return {};
    return step_for(plan->steps[step], layout).spec;
}

ScanDesc scan(const char* type, const Operator& op, ScanKind kind, Strategy strategy, BlockScan block_scan,
              std::uint64_t count) {
    ScanDesc desc;
    desc.type = type_of(type);
    desc.op = op;
    desc.kind = kind;
    desc.strategy = strategy;
    desc.block_scan = block_scan;
    desc.count = count;
    return desc;
}

// A file for each: every kernel, block scan and form of element, both ways to subgroups and both dialects.
std::map<std::string, KernelSpec> golden_specs() {
    using enum ScanKind;
    using BlockScan::blelloch, BlockScan::blelloch_padded, BlockScan::hillis_steele, BlockScan::subgroup;
    using Strategy::lookback, Strategy::multi_level, Strategy::reduce_then_scan, Strategy::serial,
        Strategy::single_block;
    const DeviceCaps standard = capable_device();
    DeviceCaps naga = standard;
    naga.dialect = Dialect::naga;
    naga.immediates = true;
    std::map<std::string, KernelSpec> all;

    const ScanDesc sum = scan("u32", Operator::plus(), exclusive, reduce_then_scan, subgroup, 1000000);
    all["u32_plus_reduce_subgroup"] = kernel_of(sum, standard, 0);
    all["u32_plus_spine_subgroup_naga"] = kernel_of(sum, naga, 1);
    all["u32_plus_scan_subgroup"] = kernel_of(sum, standard, 2);

    ScanDesc single_pass = sum;
    single_pass.strategy = lookback;
    all["u32_plus_clear_states"] = kernel_of(single_pass, standard, 0);
    all["u32_plus_lookback_subgroup"] = kernel_of(single_pass, standard, 1);
    ScanDesc with_rest = sum;
    with_rest.strategy = Strategy::lookback_then_rest;
    DeviceCaps one_size = standard;
    one_size.subgroup_min_size = one_size.subgroup_max_size = 32;
    all["u32_plus_lookback_whole_subgroup"] = kernel_of(with_rest, one_size, 1);
    with_rest.geometry.rows = 5;  // One of them waits in workgroup memory.
    all["u32_plus_lookback_whole_shared_rows"] = kernel_of(with_rest, one_size, 1, {true, true});
    with_rest.geometry.rows = 0;
    all["u32_plus_rest_subgroup"] = kernel_of(with_rest, standard, 2);
    single_pass.withhold = Withhold::every_second;
    single_pass.block_scan = blelloch;
    all["u32_plus_lookback_blelloch_in_place_withheld"] = kernel_of(single_pass, naga, 1, {true, true});

    ScanDesc looped = sum;
    looped.unroll = false;
    looped.block_scan = blelloch;
    all["u32_plus_scan_blelloch_loops"] = kernel_of(looped, standard, 2);

    all["f32_min_single_blelloch_scalar_io"] = kernel_of(
        scan("f32", Operator::min(), inclusive, single_block, blelloch, 1000), standard, 0, {false, false});
    all["f16_max_scan_hillis_steele_in_place"] =
        kernel_of(scan("f16", Operator::max(), exclusive, reduce_then_scan, hillis_steele, 100000), standard,
                  2, {true, true});
    all["i64_min_levels_blelloch_padded"] =
        kernel_of(scan("i64", Operator::min(), exclusive, multi_level, blelloch_padded, 100000), standard, 0);
    all["u64_multiplies_add_back"] =
        kernel_of(scan("u64", Operator::multiplies(), inclusive, multi_level, blelloch, 100000), standard, 2);
    all["f32_last_non_zero_reduce_subgroup_naga"] = kernel_of(
        scan("f32", Operator::last_non_zero(), inclusive, reduce_then_scan, subgroup, 100000), naga, 0);
    all["u32_bit_xor_single_subgroup"] =
        kernel_of(scan("u32", Operator::bit_xor(), exclusive, single_block, subgroup, 1000), standard);

    ScanDesc seeded = scan("i32", Operator::logical_or(), exclusive, single_block, hillis_steele, 1000);
    seeded.initial.resize(4);
    all["i32_logical_or_single_seeded"] = kernel_of(seeded, standard);

    ScanDesc emulated = scan("vec3<f32>", Operator::plus(), inclusive, reduce_then_scan, subgroup, 100000);
    emulated.emulated_subgroup_size = 8;
    emulated.count_on_gpu = true;
    all["vec3f_plus_scan_emulated_gpu_count"] = kernel_of(emulated, standard, 2);

    ScanDesc product = scan("u32", matrix_product(true), inclusive, reduce_then_scan, subgroup, 100000);
    product.type = matrix_type();
    all["mat_product_reduce_subgroup"] = kernel_of(product, standard, 0);

    product.op = matrix_product(false);
    product.strategy = multi_level;
    product.initial.resize(16);
    product.kind = exclusive;
    all["mat_product_no_identity_add_back"] = kernel_of(product, naga, 2);

    const auto arrivals = plan_reduce(
        {.count = 1000000, .strategy = ReduceStrategy::last_arrival, .block_scan = subgroup}, one_size);
    all["u32_plus_reduce_last_arrival_subgroup"] = arrivals->steps.back().spec;

    DeviceCaps small = standard;
    small.max_storage_binding_size = 65536;
    all["u32_plus_serial_chunk"] =
        kernel_of(scan("u32", Operator::plus(), inclusive, serial, blelloch, 100000), small, 1);
    all["u32_plus_spine_chunk"] =
        kernel_of(scan("u32", Operator::plus(), inclusive, reduce_then_scan, blelloch, 100000), small, 4);
    return all;
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The first line in which two texts differ, for a message that can be read.
std::string first_difference(const std::string& expected, const std::string& actual) {
    std::istringstream a(expected), b(actual);
    for (int number = 1;; ++number) {
        std::string x, y;
        const bool more_a = static_cast<bool>(std::getline(a, x));
        const bool more_b = static_cast<bool>(std::getline(b, y));
        if (!more_a && !more_b) return "they differ in the last line's end";
        if (more_a != more_b || x != y)
            return "line " + std::to_string(number) + "\n  golden: " + x + "\n  now:    " + y;
    }
}

bool updating() {
    const char* update = std::getenv("UPSWEEP_UPDATE_GOLDEN");
    return update != nullptr && *update != '\0' && std::string(update) != "0";
}

TEST(GoldenWgsl, IsWhatTheSpecsExpandTo) {
    std::filesystem::create_directories(directory);
    for (const auto& [name, spec] : golden_specs()) {
        const auto module = expand(spec);
        ASSERT_TRUE(module.has_value()) << name << ": " << module.error().message;
        const std::filesystem::path path = directory / (name + ".wgsl");
        if (updating()) std::ofstream(path, std::ios::binary) << module->wgsl;
        const std::string golden = read(path);
        EXPECT_TRUE(golden == module->wgsl) << path << ": " << first_difference(golden, module->wgsl)
                                            << "\nIf that is wanted: UPSWEEP_UPDATE_GOLDEN=1 with "
                                               "--gtest_filter='Golden*' writes the files anew.";
    }
}

TEST(GoldenWgsl, HasNoFileThatNothingMakes) {
    const auto specs = golden_specs();
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        EXPECT_TRUE(specs.contains(entry.path().stem().string()) && entry.path().extension() == ".wgsl")
            << entry.path() << " belongs to no spec; remove it.";
    }
}

}  // namespace
}  // namespace upsweep::test
