// What goes wrong is an error with a sentence, and a normal scan works on the same device afterwards.
#include "tests/gpu/launcher.h"
#include "tests/gpu/operators.h"

#include <gtest/gtest.h>

namespace upsweep::testing {
namespace {

void expect_healthy() {
    const std::vector<std::uint32_t> x{3, 1, 7, 0};
    const auto y = gpu().scan<std::uint32_t>(x);
    ASSERT_TRUE(y) << y.error().message;
    EXPECT_EQ(*y, (std::vector<std::uint32_t>{0, 3, 4, 11}));
}

template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const std::string& part, int line) {
    SCOPED_TRACE("line " + std::to_string(line));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code) << result.error().message;
    EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
    expect_healthy();
}
#define EXPECT_ERROR(result, code, part) expect_error(result, ErrorCode::code, part, __LINE__)

Result<void> scan_with(const std::string& wgsl, const std::string& identity = "0u") {
    auto op = Operator::custom({.name = "my_op", .wgsl = wgsl, .identity = identity, .commutative = false});
    if (!op) return tl::unexpected(op.error());
    ScanDesc desc;
    desc.op = *op;
    desc.count = 3;
    std::vector<std::uint32_t> x{1, 2, 3};
    return gpu().scan(desc, std::as_bytes(std::span(x)), std::as_writable_bytes(std::span(x)));
}

// C44: the message leads to the line in the user's own text.
TEST(Errors, OperatorWithATypo) {
    EXPECT_ERROR(scan_with("// adds\nfn combine(a: T, b: T) -> T {\n    return a + bb;\n}\n"), compile_failed,
                 "operator 'my_op', line 3");
    EXPECT_ERROR(scan_with("fn combine(a: T, b: T) -> T {\n    return a +;\n}\n"), compile_failed,
                 "operator 'my_op', line 2");
}

TEST(Errors, OperatorOfTheWrongType) {
    EXPECT_ERROR(scan_with("// wrong\nfn combine(a: T, b: T) -> f32 { return 1.0; }"), compile_failed,
                 "operator 'my_op', line 2");
    EXPECT_ERROR(scan_with("fn combine(a: T, b: T) -> T {\n    return f32(a);\n}"), compile_failed,
                 "operator 'my_op', line ");
    EXPECT_ERROR(scan_with("fn combine(a: T) -> T { return a; }"), compile_failed,
                 "operator 'my_op', line 1");
}

TEST(Errors, OperatorThatIsNotWgsl) {
    EXPECT_ERROR(scan_with("not wgsl"), invalid_argument, "there is no function 'combine'");
    EXPECT_ERROR(scan_with("fn combine(a: T, b: T) -> T { return combine(a, b); }"), compile_failed, "my_op");
    EXPECT_ERROR(scan_with("fn combine(a: T, b: T) -> T { return a; }\n}\nfn other() {"), invalid_argument,
                 "line 2");
    EXPECT_ERROR(
        scan_with("fn combine(a: T, b: T) -> T { return a; }\nfn load_tile(x: u32) -> u32 { return x; }"),
        invalid_argument, "load_tile");
    EXPECT_ERROR(scan_with("fn combine(a: T, b: T) -> T { return a; /* }"), invalid_argument, "comment");
    EXPECT_ERROR(
        scan_with("@compute @workgroup_size(1) fn main() {}\nfn combine(a: T, b: T) -> T { return a; }"),
        invalid_argument, "@compute");
    EXPECT_ERROR(scan_with("fn combine(a: T, b: T) -> T { return a + b; }", "0u; }"), invalid_argument,
                 "identity");
    EXPECT_ERROR(scan_with("fn combine(a: T, b: T) -> T { return a + b; }", "1.5f"), compile_failed,
                 "identity of operator 'my_op'");
}

TEST(Errors, HelpersAndLongOperatorsAreFine) {
    std::string text =
        "fn half(x: u32) -> u32 { return x / 2u; }\nfn combine(a: T, b: T) -> T {\n    var sum = a + b;\n";
    for (int i = 0; i < 300; ++i)
        text += "    sum = sum + half(" + std::to_string(i) + "u) - " + std::to_string(i / 2) + "u;\n";
    text += "    return sum;\n}\n";
    const auto ok = scan_with(text);
    EXPECT_TRUE(ok) << ok.error().message;
}

TEST(Errors, ExclusiveWithoutIdentity) {
    ScanDesc desc;
    desc.type = mat_type();
    desc.op = mat_product_without_identity();
    desc.count = 3;
    const auto refused = plan_scan(desc, gpu().caps());
    EXPECT_ERROR(refused, invalid_argument, "'mat_mul'");
}

Result<Job> bind_eight(Slice input, Slice output, Slice scratch = {},
                       Strategy strategy = Strategy::reduce_then_scan) {
    ScanDesc desc;
    desc.count = 8;
    desc.strategy = strategy;
    auto plan = plan_scan(desc, gpu().caps());
    if (!plan) return tl::unexpected(plan.error());
    return gpu().context().bind(*plan, {.input = input, .output = output, .scratch = scratch});
}

// C06, C37, C38, C39: slices that cannot be.
TEST(Errors, BadSlices) {
    auto first = gpu().buffer(4096);
    auto second = gpu().buffer(4096);
    ASSERT_TRUE(first && second);
    const WGPUBuffer a = first->get();
    const WGPUBuffer b = second->get();
    EXPECT_ERROR(bind_eight({nullptr}, {b}), bad_slice, "The input slice has no buffer");
    EXPECT_ERROR(bind_eight({a, 4}, {b}), bad_slice, "offset 4");
    EXPECT_ERROR(bind_eight({a}, {b, 2776 + 2}), bad_slice, "offset 2778");
    EXPECT_ERROR(bind_eight({a, 0, 31}, {b}), bad_slice, "has 31 bytes, and this plan needs 32 bytes");
    EXPECT_ERROR(bind_eight({a}, {b, 0, 16}), bad_slice, "The output slice has 16 bytes");
    EXPECT_ERROR(bind_eight({a, 4096 + 256}, {b}), bad_slice, "begins at offset 4352");
    EXPECT_ERROR(bind_eight({a, 0, 5000}, {b}), bad_slice, "ends behind its buffer");
    EXPECT_ERROR(bind_eight({a, 0, 512}, {b}, {b, 0, 512}), bad_slice,
                 "The output and the scratch slice overlap");
    EXPECT_ERROR(bind_eight({a}, {b}, {second->get(), 256, 3}), bad_slice, "The scratch slice has 3 bytes");

    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.size = 64;
    desc.usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
    const BufferHandle plain(wgpuDeviceCreateBuffer(gpu().device(), &desc));
    EXPECT_ERROR(bind_eight({a}, {plain.get()}), bad_slice, "without the usage Storage");
}

TEST(Errors, OverlapThatIsNotInPlace) {
    auto buffer = gpu().buffer(8192);
    ASSERT_TRUE(buffer);
    ScanDesc desc;
    desc.count = 512;
    auto plan = plan_scan(desc, gpu().caps());
    ASSERT_TRUE(plan);
    const auto refused = gpu().context().bind(
        *plan, {.input = {buffer->get(), 0, 2048}, .output = {buffer->get(), 256, 2048}});
    EXPECT_ERROR(refused, bad_slice, "must be the same slice or lie apart");
}

// C07: an empty problem needs no buffers.
TEST(Errors, NothingToDoIsNoError) {
    for (const Strategy strategy : {Strategy::automatic, Strategy::single_block, Strategy::multi_level,
                                    Strategy::reduce_then_scan, Strategy::serial}) {
        ScanDesc desc;
        desc.strategy = strategy;
        auto plan = plan_scan(desc, gpu().caps());
        ASSERT_TRUE(plan);
        auto job = gpu().context().bind(*plan, {});
        ASSERT_TRUE(job) << job.error().message;
        const auto ok = gpu().submit([&](WGPUCommandEncoder encoder) { return job->record(encoder); });
        EXPECT_TRUE(ok) << ok.error().message;
    }
}

// C05: what the device cannot hold is said before anything is recorded.
TEST(Errors, TooLargeForTheDevice) {
    ScanDesc desc;
    desc.count = gpu().caps().max_buffer_size / 4 + 1;
    EXPECT_ERROR(plan_scan(desc, gpu().caps()), limit_exceeded, std::to_string(gpu().caps().max_buffer_size));
    desc.count = 0x100000000;
    desc.count_on_gpu = true;
    EXPECT_ERROR(plan_scan(desc, gpu().caps()), limit_exceeded, "4294967295");
}

TEST(Errors, OtherCountWithoutImmediates) {
    const Gpu& device = gpu_without_immediates();
    ScanDesc desc;
    desc.count = 100;
    auto plan = plan_scan(desc, device.caps());
    auto buffer = device.buffer(400);
    ASSERT_TRUE(plan && buffer);
    auto job = device.context().bind(*plan, {.input = {buffer->get()}, .output = {buffer->get()}});
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_ERROR(
        device.submit([&](WGPUCommandEncoder encoder) { return job->record(encoder, {.count = 50}); }),
        unsupported, "immediates");
}

}  // namespace
}  // namespace upsweep::testing
