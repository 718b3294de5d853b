// The reduction on a device, against the serial CPU reduction.
#include "upsweep/reduce/reduce.h"

#include "tests/gpu/cpu_run.h"
#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"

#include <limits>

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

constexpr ReduceStrategy strategies[] = {ReduceStrategy::single_block, ReduceStrategy::two_pass,
                                         ReduceStrategy::last_arrival};
constexpr std::byte poison{0xDE};
constexpr std::uint64_t result_offset = 512;

ReduceDesc small(ReduceStrategy strategy, std::uint64_t count) {
    ReduceDesc desc;
    desc.strategy = strategy;
    desc.count = count;
    desc.geometry.block = 32;
    desc.geometry.groups = 5;
    return desc;
}

// Runs a reduction; the result lies at an offset, between canaries.
std::vector<std::byte> reduced(const Gpu& device, const ReduceDesc& desc, const DeviceCaps& caps,
                               const std::vector<std::byte>& input,
                               std::optional<std::uint32_t> gpu_count = {}) {
    auto plan = plan_reduce(desc, caps);
    EXPECT_TRUE(plan) << plan.error().message;
    if (!plan) return {};
    SCOPED_TRACE(to_string(*plan));
    std::vector<std::byte> around(1024, poison);
    auto data = device.buffer(input.size());
    auto result = device.buffer(around.size());
    auto count = device.buffer(4);
    auto scratch = device.buffer(plan->scratch_bytes);
    EXPECT_TRUE(data && result && count && scratch);
    const std::vector<std::byte> ones(plan->scratch_bytes, std::byte{0xFF});
    EXPECT_TRUE(device.write(data->get(), 0, input));
    EXPECT_TRUE(device.write(result->get(), 0, around));
    EXPECT_TRUE(device.write(scratch->get(), 0, ones));
    if (gpu_count) {
        EXPECT_TRUE(device.write(count->get(), 0, std::as_bytes(std::span(&*gpu_count, 1))));
    }
    auto job = device.context().bind(*plan, {.input = {data->get()},
                                             .output = {result->get(), result_offset},
                                             .count = {count->get()},
                                             .scratch = {scratch->get()}});
    EXPECT_TRUE(job) << job.error().message;
    if (!job) return {};
    const auto ok = device.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
    EXPECT_TRUE(ok) << ok.error().message;
    EXPECT_TRUE(device.read(result->get(), 0, around));
    for (std::size_t i = 0; i < around.size(); ++i) {
        const bool inside = i >= result_offset && i < result_offset + (plan->output_bytes + 3) / 4 * 4;
        EXPECT_TRUE(inside || around[i] == poison) << "byte " << i;
    }
    return {around.begin() + result_offset,
            around.begin() + static_cast<std::ptrdiff_t>(result_offset + plan->output_bytes)};
}

void expect_reduced(const Launcher& launcher, ReduceDesc desc, std::optional<std::uint32_t> gpu_count = {},
                    DeviceCaps* own_caps = nullptr) {
    ScanDesc adapted;
    launcher.adapt(adapted);
    desc.block_scan = adapted.block_scan == BlockScan::automatic ? desc.block_scan : adapted.block_scan;
    desc.unroll = adapted.unroll;
    const Gpu& device = launcher.immediates ? gpu() : gpu_without_immediates();
    const DeviceCaps& caps = own_caps != nullptr ? *own_caps : device.caps();
    const auto input = random_elements(desc.type, desc.count, static_cast<std::uint32_t>(desc.count + 3));
    ReduceDesc reference = desc;
    if (gpu_count) reference.count = std::min<std::uint64_t>(*gpu_count, desc.count);
    std::vector<std::byte> expected(desc.type.stride);
    const auto serial = reduce_serial_cpu(reference, input, expected);
    ASSERT_TRUE(serial) << serial.error().message;
    std::vector<std::byte> actual;
    if (launcher.on_cpu) {
        const auto plan = plan_reduce(desc, caps);
        ASSERT_TRUE(plan) << plan.error().message;
        std::vector<std::byte> data = input, scratch(plan->scratch_bytes, std::byte{0xFF}),
                               count(plan->count_bytes);
        actual.resize((desc.type.stride + 3) / 4 * 4);
        if (gpu_count) std::memcpy(count.data(), &*gpu_count, 4);
        const auto ran = run_on_cpu(*plan, {data, actual, count, scratch}, desc.count);
        ASSERT_TRUE(ran) << ran.error().message;
        actual.resize(desc.type.stride);
    } else {
        actual = reduced(device, desc, caps, input, gpu_count);
    }
    expected.resize(desc.type.size);
    actual.resize(desc.type.size);
    EXPECT_EQ(actual, expected) << launcher.name << " " << desc.type.name << " " << desc.op.name() << " of "
                                << reference.count << " by " << to_string(desc.strategy);
}

TEST(Reduce, SizesAroundEveryEdge) {
    for (const ReduceStrategy strategy : strategies) {
        for (const Launcher& launcher : launchers()) {
            for (const std::uint64_t count :
                 {0, 1, 3, 5, 127, 128, 129, 255, 257, 511, 513, 1024, 1025, 5003}) {
                expect_reduced(launcher, small(strategy, count));
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

// C13: ordered for operators that are not commutative, with every block scan.
TEST(Reduce, NonCommutativeOperators) {
    for (const ReduceStrategy strategy : strategies) {
        for (const BlockScan block_scan : {BlockScan::hillis_steele, BlockScan::blelloch,
                                           BlockScan::blelloch_padded, BlockScan::subgroup}) {
            for (const std::uint64_t count : {1, 63, 65, 2003}) {
                ReduceDesc desc = small(strategy, count);
                desc.block_scan = block_scan;
                if (block_scan == BlockScan::subgroup && !gpu().caps().subgroups)
                    desc.emulated_subgroup_size = 16;
                desc.type = mat_type();
                desc.op = mat_product();
                expect_reduced(default_launcher(), desc);
                desc.op = mat_product_without_identity();
                expect_reduced(default_launcher(), desc);
                desc.type = types::u32;
                desc.op = leftmost();
                expect_reduced(default_launcher(), desc);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(Reduce, TypesAndOperators) {
    for (const char* name : {"u32", "i32", "f32", "f16", "u64", "i64", "vec2<f32>", "vec3<u32>"}) {
        const ElementType type = *ElementType::parse(name);
        if (type.needs_f16() && !gpu().caps().shader_f16)
            continue;  // The scan's tests see that it is refused.
        for (const std::string& operator_name : Operator::names()) {
            const Operator op = *Operator::parse(operator_name);
            ReduceDesc desc = small(ReduceStrategy::two_pass,
                                    operator_name == "multiplies" || type.scalar == Scalar::f16 ? 9 : 1999);
            desc.type = type;
            desc.op = op;
            if (!plan_reduce(desc, gpu().caps())) continue;  // Not every operator goes with every type.
            expect_reduced(default_launcher(), desc);
            desc.strategy = ReduceStrategy::last_arrival;
            desc.geometry.block = 128;  // Totals that round need whole subgroups, here of any size.
            expect_reduced(default_launcher(), desc);
        }
    }
}

TEST(Reduce, InitialValueAndGpuCount) {
    for (const ReduceStrategy strategy : strategies) {
        for (const Launcher& launcher : launchers()) {
            ReduceDesc desc = small(strategy, 2000);
            desc.initial = to_bytes<std::uint32_t>({77});
            expect_reduced(launcher, desc);
            desc.count_on_gpu = true;
            for (const std::uint32_t count : {0U, 1U, 1000U, 2000U, 2001U, 0xFFFFFFFFU})
                expect_reduced(launcher, desc, count);
            desc.count = 0;
            desc.count_on_gpu = false;
            expect_reduced(launcher, desc);
        }
    }
}

TEST(Reduce, ChunksBeyondTheBindingLimit) {
    DeviceCaps caps = gpu().caps();
    caps.max_storage_binding_size = 4096;
    for (const ReduceStrategy strategy : {ReduceStrategy::two_pass, ReduceStrategy::last_arrival}) {
        for (const Launcher& launcher : launchers()) {
            if (!launcher.immediates) continue;
            ReduceDesc desc = small(strategy, 5001);
            expect_reduced(launcher, desc, {}, &caps);
            desc.type = mat_type();
            desc.op = mat_product_without_identity();
            expect_reduced(launcher, desc, {}, &caps);
            desc.count_on_gpu = true;
            for (const std::uint32_t count : {1U, 256U, 257U, 4000U})
                expect_reduced(launcher, desc, count, &caps);
        }
    }
}

// C07, C17: empty and infinite input.
TEST(Reduce, IdentityOfNothingAndInfinity) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    ReduceDesc desc = small(ReduceStrategy::two_pass, 0);
    desc.type = types::f32;
    desc.op = Operator::min();
    EXPECT_EQ(from_bytes<float>(reduced(gpu(), desc, gpu().caps(), {}))[0], inf);
    desc.count = 2;
    EXPECT_EQ(from_bytes<float>(reduced(gpu(), desc, gpu().caps(), to_bytes<float>({inf, inf})))[0], inf);
    desc.op = Operator::max();
    EXPECT_EQ(from_bytes<float>(reduced(gpu(), desc, gpu().caps(), to_bytes<float>({-inf, -inf})))[0], -inf);
}

struct Found {
    std::uint32_t value, index;
};

TEST(Reduce, ArgMinAndArgMaxGiveTheFirstIndex) {
    const std::vector<std::uint32_t> x{3, 1, 7, 0, 4, 1, 6, 3, 0, 7};
    for (const ReduceStrategy strategy : strategies) {
        ReduceDesc desc = small(strategy, x.size());
        desc.form = ReduceForm::arg_min;
        auto found = from_bytes<Found>(reduced(gpu(), desc, gpu().caps(), to_bytes(x)))[0];
        EXPECT_EQ(found.value, 0U);
        EXPECT_EQ(found.index, 3U);
        desc.form = ReduceForm::arg_max;
        found = from_bytes<Found>(reduced(gpu(), desc, gpu().caps(), to_bytes(x)))[0];
        EXPECT_EQ(found.value, 7U);
        EXPECT_EQ(found.index, 2U);
        desc.count = 0;
        EXPECT_EQ(from_bytes<Found>(reduced(gpu(), desc, gpu().caps(), {}))[0].index, 0xFFFFFFFFU);
    }
}

template <class T>
void expect_arg(const ElementType& type, bool largest, DeviceCaps caps, ReduceStrategy strategy) {
    const std::uint64_t count = 3777;
    const auto input = random_elements(type, count, largest ? 5 : 6);
    const auto x = from_bytes<T>(input);
    std::size_t best = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (largest ? x[i] > x[best] : x[i] < x[best]) best = i;
    }
    ReduceDesc desc = small(strategy, count);
    desc.type = type;
    desc.form = largest ? ReduceForm::arg_max : ReduceForm::arg_min;
    const auto result = reduced(gpu(), desc, caps, input);
    ASSERT_EQ(result.size(), sizeof(T) == 8 ? 16U : 8U);
    T value;
    std::uint32_t index = 0;
    std::memcpy(&value, result.data(), sizeof value);
    std::memcpy(&index, result.data() + sizeof(T), 4);
    EXPECT_EQ(index, best) << type.name;
    EXPECT_EQ(value, x[best]) << type.name;
}

TEST(Reduce, ArgOfEveryType) {
    DeviceCaps chunks = gpu().caps();
    chunks.max_storage_binding_size = 4096;
    for (const DeviceCaps& caps : {gpu().caps(), chunks}) {
        for (const bool largest : {false, true}) {
            for (const ReduceStrategy strategy : {ReduceStrategy::two_pass, ReduceStrategy::last_arrival}) {
                expect_arg<std::uint32_t>(types::u32, largest, caps, strategy);
                expect_arg<std::int32_t>(types::i32, largest, caps, strategy);
                expect_arg<float>(types::f32, largest, caps, strategy);
                expect_arg<std::uint64_t>(types::u64, largest, caps, strategy);
                expect_arg<std::int64_t>(types::i64, largest, caps, strategy);
            }
        }
    }
    ReduceDesc desc = small(ReduceStrategy::two_pass, 5);
    desc.form = ReduceForm::arg_min;
    desc.type = mat_type();
    const auto refused = plan_reduce(desc, gpu().caps());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace upsweep::testing
