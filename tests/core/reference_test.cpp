// scan_serial_cpu, the reference that all other scans are held against: documented examples, and the
// definition.
#include "tests/core/element_bytes.h"
#include "tests/core/holds.h"
#include "tests/core/requests.h"

#include <numeric>

namespace upsweep::test {
namespace {

ScanDesc request(const char* type, const Operator& op, ScanKind kind, std::uint64_t count,
                 Bytes initial = {}) {
    ScanDesc desc;
    desc.type = type_of(type);
    desc.op = op;
    desc.kind = kind;
    desc.count = count;
    desc.initial = std::move(initial);
    return desc;
}

template <class Number>
std::vector<Number> scanned(const char* type, const char* op, ScanKind kind, const std::vector<Number>& input,
                            std::vector<Number> initial = {}) {
    const auto begin = std::as_bytes(std::span(initial));
    const Bytes start(begin.begin(), begin.end());
    std::vector<Number> output(input.size());
    const std::uint64_t count = input.size() * sizeof(Number) / type_of(type).stride;
    const auto ok =
        scan_serial_cpu(request(type, *Operator::parse(op), kind, count, start),
                        std::as_bytes(std::span(input)), std::as_writable_bytes(std::span(output)));
    EXPECT_TRUE(ok.has_value()) << ok.error().message;
    return output;
}

constexpr ScanKind inclusive = ScanKind::inclusive;
constexpr ScanKind exclusive = ScanKind::exclusive;
using Words = std::vector<std::uint32_t>;
using Ints = std::vector<std::int32_t>;
using Longs = std::vector<std::uint64_t>;
using Floats = std::vector<float>;

TEST(Reference, TheDocumentedExample) {
    const Words x{3, 1, 7, 0, 4, 1, 6, 3};
    EXPECT_EQ(scanned("u32", "plus", inclusive, x), (Words{3, 4, 11, 11, 15, 16, 22, 25}));
    EXPECT_EQ(scanned("u32", "plus", exclusive, x), (Words{0, 3, 4, 11, 11, 15, 16, 22}));
}

TEST(Reference, EveryOperator) {
    const Words x{6, 3, 0, 5};
    EXPECT_EQ(scanned("u32", "multiplies", inclusive, x), (Words{6, 18, 0, 0}));
    EXPECT_EQ(scanned("u32", "multiplies", exclusive, x), (Words{1, 6, 18, 0}));
    EXPECT_EQ(scanned("u32", "min", exclusive, x), (Words{0xFFFFFFFF, 6, 3, 0}));
    EXPECT_EQ(scanned("u32", "max", exclusive, x), (Words{0, 6, 6, 6}));
    EXPECT_EQ(scanned("u32", "bit_and", exclusive, x), (Words{0xFFFFFFFF, 6, 2, 0}));
    EXPECT_EQ(scanned("u32", "bit_or", inclusive, x), (Words{6, 7, 7, 7}));
    EXPECT_EQ(scanned("u32", "bit_xor", inclusive, x), (Words{6, 5, 5, 0}));
    EXPECT_EQ(scanned("u32", "logical_and", exclusive, x), (Words{1, 1, 1, 0}));
    EXPECT_EQ(scanned("u32", "logical_or", inclusive, Words{0, 256, 0}), (Words{0, 1, 1}));
    EXPECT_EQ(scanned("u32", "last_non_zero", inclusive, Words{0, 7, 0, 9, 0}), (Words{0, 7, 7, 9, 9}));
    EXPECT_EQ(scanned("u32", "last_non_zero", exclusive, Words{0, 7, 0, 9, 0}), (Words{0, 0, 7, 7, 9}));
    EXPECT_EQ(scanned("i32", "min", exclusive, Ints{5, -1}), (Ints{2147483647, 5}));
    EXPECT_EQ(scanned("i32", "max", exclusive, Ints{-5, -9}), (Ints{-2147483647 - 1, -5}));
}

TEST(Reference, TheInitialValueStandsBeforeTheFirstElement) {
    const Words x{1, 2, 3};
    EXPECT_EQ(scanned("u32", "plus", inclusive, x, {10}), (Words{11, 13, 16}));
    EXPECT_EQ(scanned("u32", "plus", exclusive, x, {10}), (Words{10, 11, 13}));
    EXPECT_EQ(scanned("u32", "last_non_zero", exclusive, Words{0, 4}, {9}), (Words{9, 9}));
    EXPECT_EQ(scanned("u32", "min", exclusive, x, {2}), (Words{2, 1, 1}));
    // A logical operator takes it as it takes an element.
    EXPECT_EQ(scanned("u32", "logical_or", exclusive, Words{0, 0}, {256}), (Words{1, 1}));
    EXPECT_EQ(scanned("u32", "logical_and", inclusive, Words{2, 3}, {4}), (Words{1, 1}));
}

// C18: integers wrap, and never saturate.
TEST(Reference, IntegersWrap) {
    EXPECT_EQ(scanned("u32", "plus", inclusive, Words{0xFFFFFFFF, 1, 2}), (Words{0xFFFFFFFF, 0, 2}));
    EXPECT_EQ(scanned("i32", "plus", inclusive, Ints{2147483647, 1}), (Ints{2147483647, -2147483647 - 1}));
    EXPECT_EQ(scanned("u32", "multiplies", inclusive, Words{0x10000, 0x10000, 3}), (Words{0x10000, 0, 0}));
    EXPECT_EQ(scanned("i32", "multiplies", inclusive, Ints{0x10000, 0x8000}),
              (Ints{0x10000, -2147483647 - 1}));
}

// C56: 64-bit sums by pairs of words.
TEST(Reference, WideIntegersCarry) {
    EXPECT_EQ(scanned("u64", "plus", inclusive, Longs{0xFFFFFFFF, 1, 0xFFFFFFFF}),
              (Longs{0xFFFFFFFF, 0x100000000, 0x1FFFFFFFF}));
    EXPECT_EQ(scanned("u64", "plus", inclusive, Words{0xFFFFFFFF, 0, 1, 0, 0xFFFFFFFF, 0}),
              (Words{0xFFFFFFFF, 0, 0, 1, 0xFFFFFFFF, 1}));
    EXPECT_EQ(scanned("u64", "plus", inclusive, Longs{~0ULL, 1}), (Longs{~0ULL, 0}));
    EXPECT_EQ(scanned("i64", "min", exclusive, std::vector<std::int64_t>{5, -1}),
              (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), 5}));
}

// C17: infinities are numbers like others, and a total order has no unordered NaN.
TEST(Reference, FloatsKeepInfinityAndNan) {
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(scanned("f32", "max", inclusive, Floats{-inf, -inf, 3}), (Floats{-inf, -inf, 3}));
    EXPECT_EQ(scanned("f32", "min", inclusive, Floats{inf, inf}), (Floats{inf, inf}));
    EXPECT_EQ(scanned("f32", "min", exclusive, Floats{inf, 1}), (Floats{inf, inf}));
    // As bits: 1, a NaN with a payload, 2.
    EXPECT_EQ(scanned("f32", "max", inclusive, Words{0x3F800000, 0x7FC00002, 0x40000000}),
              (Words{0x3F800000, 0x7FC00002, 0x7FC00002}));
    EXPECT_EQ(scanned("f32", "max", inclusive, Words{0x80000000, 0, 0x80000000}), (Words{0x80000000, 0, 0}));
    // min begins at +inf, and a NaN behind that in the order is lost to it.
    EXPECT_EQ(scanned("f32", "min", inclusive, Words{0x7FC00001, 0x3F800000}),
              (Words{0x7F800000, 0x3F800000}));
    EXPECT_EQ(scanned("f32", "last_non_zero", inclusive, Words{0x7FC00001, 0x80000000}),
              (Words{0x7FC00001, 0x7FC00001}));
}

TEST(Reference, VectorsAreScannedByComponentAndPaddingIsNobodys) {
    EXPECT_EQ(scanned("vec2<u32>", "plus", inclusive, Words{1, 10, 2, 20}), (Words{1, 10, 3, 30}));
    const Words three = scanned("vec3<u32>", "max", exclusive, Words{5, 1, 9, 77, 0, 0, 0, 77});
    EXPECT_EQ(Words(three.begin(), three.begin() + 3), (Words{0, 0, 0}));
    EXPECT_EQ(Words(three.begin() + 4, three.begin() + 7), (Words{5, 1, 9}));
}

TEST(Reference, NothingIsReadOrWrittenBehindTheCount) {
    const Words input{1, 2, 3, 4};
    Words output{7, 7, 7, 7};
    for (const std::uint64_t count : {0U, 1U, 3U}) {
        ASSERT_TRUE(scan_serial_cpu(request("u32", Operator::plus(), inclusive, count),
                                    std::as_bytes(std::span(input)),
                                    std::as_writable_bytes(std::span(output))));
        EXPECT_EQ(output[count], 7U) << count;
    }
    EXPECT_EQ(output, (Words{1, 3, 6, 7}));
    EXPECT_TRUE(scan_serial_cpu(request("u32", Operator::plus(), exclusive, 0), {}, {}).has_value());
}

TEST(Reference, WorksInPlace) {
    for (const ScanKind kind : {inclusive, exclusive}) {
        EXPECT_TRUE(holds([&] {
            const auto input = *rc::gen::container<Words>(arbitrary_word<std::uint32_t>());
            Words apart(input.size());
            Words same = input;
            const ScanDesc desc = request("u32", Operator::last_non_zero(), kind, input.size());
            RC_ASSERT(scan_serial_cpu(desc, std::as_bytes(std::span(input)),
                                      std::as_writable_bytes(std::span(apart)))
                          .has_value());
            RC_ASSERT(
                scan_serial_cpu(desc, std::as_bytes(std::span(same)), std::as_writable_bytes(std::span(same)))
                    .has_value());
            RC_ASSERT(apart == same);
        }));
    }
}

TEST(Reference, IsTheSumOfTheStandardLibrary) {
    EXPECT_TRUE(holds([] {
        const auto x = *rc::gen::container<Longs>(arbitrary_word<std::uint64_t>());
        const auto start = *arbitrary_word<std::uint64_t>();
        Longs expected(x.size());
        std::exclusive_scan(x.begin(), x.end(), expected.begin(), start);
        RC_ASSERT(scanned("u64", "plus", exclusive, x, {start}) == expected);
        std::inclusive_scan(x.begin(), x.end(), expected.begin(), std::plus<>(), start);
        RC_ASSERT(scanned("u64", "plus", inclusive, x, {start}) == expected);
    }));
}

// ---- custom operators: the left operand is the earlier element ----

Operator left_digits(bool with_identity) {
    return *Operator::custom({.name = "append",
                              .wgsl = "fn combine(a: T, b: T) -> T { return a * 10u + b; }",
                              .identity = with_identity ? "0u" : "",
                              .cpu =
                                  [](const std::byte* a, const std::byte* b, std::byte* out) {
                                      std::uint32_t x, y;
                                      std::memcpy(&x, a, 4);
                                      std::memcpy(&y, b, 4);
                                      x = x * 10 + y;
                                      std::memcpy(out, &x, 4);
                                  },
                              .cpu_identity = with_identity ? Bytes(4) : Bytes()});
}

Result<Words> appended(bool with_identity, ScanKind kind, Bytes initial, const Words& input) {
    Words output(input.size());
    auto ok =
        scan_serial_cpu(request("u32", left_digits(with_identity), kind, input.size(), std::move(initial)),
                        std::as_bytes(std::span(input)), std::as_writable_bytes(std::span(output)));
    if (!ok) return tl::unexpected(ok.error());
    return output;
}

TEST(Reference, KeepsTheOrderOfTheOperands) {
    EXPECT_EQ(*appended(true, inclusive, {}, {1, 2, 3}), (Words{1, 12, 123}));
    EXPECT_EQ(*appended(true, exclusive, {}, {1, 2, 3}), (Words{0, 1, 12}));
    EXPECT_EQ(*appended(false, inclusive, {}, {1, 2, 3}), (Words{1, 12, 123}));
    EXPECT_EQ(*appended(false, inclusive, bytes_of({9U}), {1, 2, 3}), (Words{91, 912, 9123}));
    EXPECT_EQ(*appended(false, exclusive, bytes_of({9U}), {1, 2, 3}), (Words{9, 91, 912}));
}

// C56: plan_scan refuses this, and so must the reference; there is nothing to write in the first place.
TEST(Reference, AnExclusiveScanNeedsAnIdentityOrAnInitialValue) {
    const auto result = appended(false, exclusive, {}, {1, 2, 3});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
}

TEST(Reference, AnInitialValueIsOneElement) {
    const auto result = appended(true, exclusive, Bytes(3), {1, 2, 3});
    EXPECT_FALSE(result.has_value()) << "three bytes are not an element of four";
}

TEST(Reference, RefusesBuffersThatAreTooSmall) {
    const Words input{1, 2, 3};
    Words output(2);
    const auto ok =
        scan_serial_cpu(request("u32", Operator::plus(), inclusive, 3), std::as_bytes(std::span(input)),
                        std::as_writable_bytes(std::span(output)));
    ASSERT_FALSE(ok.has_value());
    EXPECT_EQ(ok.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(ok.error().message, "The scan of 3 elements needs 12 bytes of input and output, not 12 and 8.");
    Words enough(4);
    EXPECT_FALSE(scan_serial_cpu(request("u32", Operator::plus(), inclusive, 4),
                                 std::as_bytes(std::span(input)), std::as_writable_bytes(std::span(enough)))
                     .has_value());
}

// C04: 2^62 elements of four bytes are not zero bytes.
TEST(Reference, ACountWhoseBytesDoNotFitIn64BitsIsRefused) {
    const Words input{1, 2, 3};
    Words output(3);
    for (const std::uint64_t count : {std::uint64_t{1} << 62U, (std::uint64_t{1} << 62U) + 3}) {
        EXPECT_FALSE(scan_serial_cpu(request("u32", Operator::plus(), inclusive, count),
                                     std::as_bytes(std::span(input)),
                                     std::as_writable_bytes(std::span(output)))
                         .has_value())
            << count;
    }
}

TEST(Reference, RefusesWhatHasNoFunctionOnTheCpu) {
    const Words input{1};
    Words output(1);
    const auto run = [&](const char* type, const Operator& op) {
        auto ok = scan_serial_cpu(request(type, op, inclusive, 1), std::as_bytes(std::span(input)),
                                  std::as_writable_bytes(std::span(output)));
        return ok ? std::string() : ok.error().message;
    };
    EXPECT_EQ(run("u32", take_right()),
              "The operator 'take_right' was given without its CPU function; set CustomOperator::cpu.");
    EXPECT_EQ(run("f32", Operator::bit_xor()),
              "The operator 'bit_xor' works on integers, not on f32; use u32 or i32, or a custom operator.");
}

}  // namespace
}  // namespace upsweep::test
