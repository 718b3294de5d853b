// Requests that cannot be: each is refused with a code and a whole sentence that holds what was given, the
// limit and a way out.
#include "tests/core/plan_check.h"
#include "tests/core/random_requests.h"

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

ScanDesc ordinary() {
    ScanDesc desc;
    desc.count = 1000;
    desc.block_scan = BlockScan::blelloch;
    return desc;
}

void expect_refused(const ScanDesc& desc, const DeviceCaps& caps, ErrorCode code,
                    const std::string& sentence) {
    const auto plan = plan_scan(desc, caps);
    ASSERT_FALSE(plan.has_value()) << sentence;
    EXPECT_EQ(plan.error().code, code) << plan.error().message;
    EXPECT_EQ(plan.error().message, sentence);
}

TEST(PlanErrors, TheOperatorMustGoWithTheType) {
    ScanDesc desc = ordinary();
    desc.type = types::f32;
    desc.op = Operator::bit_or();
    expect_refused(
        desc, {}, ErrorCode::unsupported,
        "The operator 'bit_or' works on integers, not on f32; use u32 or i32, or a custom operator.");
    desc.type = matrix_type();
    expect_refused(
        desc, {}, ErrorCode::unsupported,
        "The operator 'bit_or' works on numbers, and 'Mat' is a struct; give a custom operator for it.");
}

// C56: a clear refusal where an identity is needed.
TEST(PlanErrors, AnExclusiveScanNeedsSomethingToBeginWith) {
    ScanDesc desc = ordinary();
    desc.op = take_right();
    expect_refused(
        desc, {}, ErrorCode::invalid_argument,
        "An exclusive scan begins with the identity, and the operator 'take_right' has none; give it "
        "one, give an initial value, or scan inclusively.");
    desc.kind = ScanKind::inclusive;
    EXPECT_TRUE(plan_scan(desc, {}).has_value());
    desc.kind = ScanKind::exclusive;
    desc.initial.resize(4);
    EXPECT_TRUE(plan_scan(desc, {}).has_value());
}

TEST(PlanErrors, MultiLevelUnrollsTotalsOneByOne) {
    ScanDesc desc = ordinary();
    desc.strategy = Strategy::multi_level;
    desc.geometry = {.block = 8, .rows = 32};
    desc.block_scan = BlockScan::hillis_steele;
    expect_refused(
        desc, {}, ErrorCode::invalid_argument,
        "The strategy multi_level scans totals one by one, and with 32 rows an invocation has 128 of them, "
        "more than the 64 that are unrolled; use fewer rows, or set unroll to false.");
    desc.unroll = false;
    EXPECT_TRUE(plan_scan(desc, {}));
    desc.unroll = true;
    desc.geometry.rows = 16;
    EXPECT_TRUE(plan_scan(desc, {}));
}

TEST(PlanErrors, TheInitialValueIsOneElement) {
    ScanDesc desc = ordinary();
    for (const std::size_t bytes : {1U, 3U, 5U, 8U}) {
        desc.initial.resize(bytes);
        expect_refused(
            desc, {}, ErrorCode::invalid_argument,
            "The initial value has " + std::to_string(bytes) + " bytes, and an element of u32 has 4.");
    }
    desc.type = type_of("vec3<f32>");
    desc.initial.resize(13);
    expect_refused(desc, {}, ErrorCode::invalid_argument,
                   "The initial value has 13 bytes, and an element of vec3<f32> has 12.");
}

TEST(PlanErrors, HalfPrecisionNeedsItsFeature) {
    ScanDesc desc = ordinary();
    desc.type = type_of("vec2<f16>");
    expect_refused(
        desc, {}, ErrorCode::unsupported,
        "The type vec2<f16> needs the feature shader-f16, which this device was made without; request "
        "it with the device, or use f32.");
    desc.type = *ElementType::structure("Pair", "struct Pair { a: u32, b: f16 }");
    desc.op = take_right();
    desc.kind = ScanKind::inclusive;
    expect_refused(
        desc, {}, ErrorCode::unsupported,
        "The type Pair needs the feature shader-f16, which this device was made without; request it "
        "with the device, or use f32.");
}

TEST(PlanErrors, ACountOnTheGpuIsOneWord) {
    ScanDesc desc = ordinary();
    desc.count_on_gpu = true;
    desc.count = 0xFFFFFFFFU;
    EXPECT_TRUE(plan_scan(desc, boundless_device()).has_value());
    desc.count = 4294967296;
    expect_refused(
        desc, boundless_device(), ErrorCode::limit_exceeded,
        "A count on the GPU is a u32, and at most 4294967296 elements were asked for; the limit is "
        "4294967295.");
}

// C04 and C05: a size that a device does not hold is refused in numbers, and none wraps.
TEST(PlanErrors, TheDataFitIntoABuffer) {
    ScanDesc desc = ordinary();
    const auto sentence = [](const std::string& given, const std::string& type, int stride,
                             const char* most) {
        return given + " elements of " + type + " (" + std::to_string(stride) +
               " bytes each) do not fit in one buffer of this device: maxBufferSize is 268435456 bytes, "
               "which "
               "holds " +
               most;
    };
    const auto begins = [&](const std::string& expected) {
        const auto plan = plan_scan(desc, {});
        ASSERT_FALSE(plan.has_value()) << expected;
        EXPECT_EQ(plan.error().code, ErrorCode::limit_exceeded);
        EXPECT_EQ(plan.error().message.substr(0, expected.size()), expected);
        EXPECT_NE(plan.error().message.find("; request a higher limit with the device, or "),
                  std::string::npos);
    };
    desc.count = 67108864;
    EXPECT_TRUE(plan_scan(desc, {}).has_value());
    desc.count = 67108865;
    begins(sentence("67108865", "u32", 4, "67108864"));
    desc.count = std::uint64_t{1} << 62U;
    begins(sentence("4611686018427387904", "u32", 4, "67108864"));
    desc.count = ~std::uint64_t{0};
    begins(sentence("18446744073709551615", "u32", 4, "67108864"));
    desc.type = type_of("vec3<u32>");
    desc.count = 16777217;
    begins(sentence("16777217", "vec3<u32>", 16, "16777216"));
}

TEST(PlanErrors, AnElementFitsIntoABinding) {
    ScanDesc desc = ordinary();
    desc.type = struct_of_words(1000);
    desc.op = take_right();
    desc.kind = ScanKind::inclusive;
    DeviceCaps caps;
    caps.max_storage_binding_size = 3996;
    const auto plan = plan_scan(desc, caps);
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().code, ErrorCode::limit_exceeded);
    EXPECT_NE(plan.error().message.find("4000"), std::string::npos) << plan.error().message;
    EXPECT_NE(plan.error().message.find("3996"), std::string::npos) << plan.error().message;
}

TEST(PlanErrors, ASingleBlockHoldsOneTile) {
    ScanDesc desc = ordinary();
    desc.strategy = Strategy::single_block;
    desc.count = 2048;
    EXPECT_TRUE(plan_scan(desc, {}).has_value());
    desc.count = 2049;
    expect_refused(
        desc, {}, ErrorCode::limit_exceeded,
        "The strategy single_block takes at most one tile, 2048 elements of u32 here, not 2049; use "
        "reduce_then_scan, multi_level or automatic.");
}

TEST(PlanErrors, TheGridFitsIntoThreeDimensions) {
    ScanDesc desc = ordinary();
    desc.strategy = Strategy::multi_level;
    desc.count = 2048 * 9;
    DeviceCaps caps;
    caps.max_workgroups_per_dimension = 2;
    expect_refused(
        desc, caps, ErrorCode::limit_exceeded,
        "The request needs 9 workgroups, and the device takes 2 in each of three dimensions, and 4294967295 "
        "in all; use a strategy with a fixed grid, or less data.");
}

TEST(PlanErrors, SubgroupsNeedTheirFeature) {
    ScanDesc desc = ordinary();
    desc.block_scan = BlockScan::subgroup;
    expect_refused(
        desc, {}, ErrorCode::unsupported,
        "The block scan 'subgroup' needs subgroups, which this device was made without; request the "
        "feature with the device, or use blelloch or hillis_steele.");
    for (const std::uint32_t size : {1U, 2U, 3U, 12U, 256U, 4294967295U}) {
        desc.emulated_subgroup_size = size;
        expect_refused(
            desc, {}, ErrorCode::invalid_argument,
            "Emulated subgroups have 4, 8, 16, 32, 64 or 128 invocations, not " + std::to_string(size) + ".");
    }
    for (const std::uint32_t size : {4U, 8U, 16U, 32U, 64U, 128U}) {
        desc.emulated_subgroup_size = size;
        EXPECT_TRUE(plan_scan(desc, {}).has_value()) << size;
    }
}

TEST(PlanErrors, AWorkgroupIsAPowerOfTwoWithinTheLimit) {
    ScanDesc desc = ordinary();
    for (const std::uint32_t block : {3U, 100U, 512U, 1024U, 2147483648U}) {
        desc.geometry.block = block;
        expect_refused(desc, {}, ErrorCode::invalid_argument,
                       "A workgroup of " + std::to_string(block) +
                           " invocations is not possible; it must be a power of two of at most 256.");
    }
    DeviceCaps caps;
    caps.max_invocations_per_workgroup = 1024;
    caps.max_workgroup_size_x = 128;
    desc.geometry.block = 256;
    expect_refused(
        desc, caps, ErrorCode::invalid_argument,
        "A workgroup of 256 invocations is not possible; it must be a power of two of at most 128.");
}

// A forced workgroup that holds no whole subgroup is refused, and not silently made larger.
TEST(PlanErrors, AForcedWorkgroupHoldsWholeEmulatedSubgroups) {
    ScanDesc desc = ordinary();
    desc.block_scan = BlockScan::subgroup;
    desc.emulated_subgroup_size = 128;
    desc.geometry.block = 64;
    expect_refused(desc, {}, ErrorCode::invalid_argument,
                   "A workgroup of 64 invocations holds no emulated subgroup of 128.");
}

// Nor may the wish for subgroups of 128 exceed the device.
TEST(PlanErrors, EmulatedSubgroupsFitIntoAWorkgroupOfTheDevice) {
    ScanDesc desc = ordinary();
    desc.block_scan = BlockScan::subgroup;
    desc.emulated_subgroup_size = 128;
    DeviceCaps caps;
    caps.max_invocations_per_workgroup = 64;
    const auto plan = plan_scan(desc, caps);
    EXPECT_TRUE(!plan || fault_in(*plan, desc, caps).empty()) << fault_in(*plan, desc, caps);
}

TEST(PlanErrors, RowsFitTheBlockScan) {
    const auto sentence = [](std::uint32_t rows, const char* name) {
        return std::to_string(rows) + " rows an invocation are not possible with the block scan " + name +
               "; it takes 1 to 32, and blelloch 2, 4, 8, 16 or 32.";
    };
    for (const BlockScan block_scan : {BlockScan::blelloch, BlockScan::blelloch_padded}) {
        ScanDesc desc = ordinary();
        desc.block_scan = block_scan;
        for (const std::uint32_t rows : {1U, 3U, 12U, 33U, 64U}) {
            desc.geometry.rows = rows;
            expect_refused(desc, {}, ErrorCode::invalid_argument, sentence(rows, to_string(block_scan)));
        }
    }
    ScanDesc desc = ordinary();
    desc.block_scan = BlockScan::hillis_steele;
    desc.geometry.rows = 33;
    expect_refused(desc, {}, ErrorCode::invalid_argument, sentence(33, "hillis_steele"));
}

TEST(PlanErrors, TheBlockScanFitsIntoWorkgroupMemory) {
    ScanDesc desc = ordinary();
    desc.block_scan = BlockScan::hillis_steele;
    desc.geometry.block = 256;
    desc.geometry.rows = 8;
    const auto plan = plan_scan(desc, {});
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().code, ErrorCode::limit_exceeded);
    const std::string& text = plan.error().message;
    EXPECT_TRUE(text.starts_with("The block scan hillis_steele needs ")) << text;
    for (const char* part :
         {"for 256 invocations", "elements of 4 bytes", "the device has 16384", "; use smaller"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_GT(std::stoul(text.substr(35)), 16384U) << text;
}

// A sentence that sends the reader to the strategy that is already in use is no way out.
TEST(PlanErrors, TheRemedyIsAnotherThanWhatWasAskedFor) {
    ScanDesc desc = ordinary();
    desc.count = 30000000;
    desc.strategy = Strategy::reduce_then_scan;
    DeviceCaps caps;
    caps.max_workgroups_per_dimension = 2;
    const auto plan = plan_scan(desc, caps);
    EXPECT_TRUE(plan || plan.error().message.find("such as reduce_then_scan") == std::string::npos)
        << plan.error().message;
}

}  // namespace
}  // namespace upsweep::test
