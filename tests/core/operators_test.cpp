// The laws of the built-in operators, on their CPU twins: identity, associativity, commutativity, and what
// each computes on every type that it goes with.
#include "tests/core/element_bytes.h"
#include "tests/core/holds.h"
#include "tests/core/requests.h"
#include "upsweep/core/operator_cpu.h"

#include <cmath>

namespace upsweep::test {
namespace {

bool is_float(const ElementType& type) {
    return type.scalar == Scalar::f32 || type.scalar == Scalar::f16;
}

// Rounding makes these differ by the order of evaluation, so their laws hold for the numbers only in part.
bool rounds(const TypeAndOperator& pair) {
    return is_float(pair.first) && (pair.second.name() == "plus" || pair.second.name() == "multiplies");
}

Bytes combined(const TypeAndOperator& pair, const Bytes& a, const Bytes& b) {
    Bytes out(pair.first.stride);
    (*pair.second.cpu(pair.first))(a.data(), b.data(), out.data());
    out.resize(pair.first.size);
    return out;
}

// The data of an element, as the operator takes it: without padding, logical values as 1 and 0.
Bytes taken(const TypeAndOperator& pair, Bytes element) {
    pair.second.cpu_normalize(pair.first, element.data());
    element.resize(pair.first.size);
    return element;
}

// An f32 or f16 component as a number that sorts by the total order of IEEE 754: the sign-magnitude integer.
std::int64_t rank(const ElementType& type, const Bytes& element, std::uint32_t component) {
    const std::uint32_t size = size_of(type.scalar);
    std::uint32_t bits = 0;
    std::memcpy(&bits, element.data() + component * size, size);
    const std::uint32_t sign = 1U << (size * 8 - 1);
    const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
}

std::string title(const TypeAndOperator& pair) {
    return pair.first.name + " " + pair.second.name();
}

TEST(Operators, CombineAssociativelyOnEveryTypeWithoutRounding) {
    for (const TypeAndOperator& pair : builtin_pairs()) {
        if (rounds(pair)) continue;
        EXPECT_TRUE(holds([&] {
            const Bytes a = *arbitrary_element(pair.first);
            const Bytes b = *arbitrary_element(pair.first);
            const Bytes c = *arbitrary_element(pair.first);
            RC_ASSERT(combined(pair, combined(pair, a, b), c) == combined(pair, a, combined(pair, b, c)));
        })) << title(pair);
    }
}

// min begins at +inf and max at -inf: a component that lies beyond them, one kind of NaN, is lost to them.
bool beyond_identity(const TypeAndOperator& pair, const Bytes& element, const Bytes& identity) {
    for (std::uint32_t c = 0; is_float(pair.first) && c < pair.first.width; ++c) {
        const std::int64_t x = rank(pair.first, element, c);
        const std::int64_t e = rank(pair.first, identity, c);
        if (pair.second.name() == "min" ? x > e : x < e) return true;
    }
    return false;
}

TEST(Operators, TheIdentityChangesNoBitOnEitherSide) {
    for (const TypeAndOperator& pair : builtin_pairs()) {
        const auto identity = pair.second.cpu_identity(pair.first);
        ASSERT_TRUE(identity.has_value()) << title(pair);
        ASSERT_EQ(identity->size(), pair.first.stride) << title(pair);
        if (is_float(pair.first) && pair.second.name() != "min" && pair.second.name() != "max") continue;
        EXPECT_TRUE(holds([&] {
            const Bytes x = *rc::gen::suchThat(arbitrary_element(pair.first), [&](const Bytes& e) {
                return !beyond_identity(pair, e, *identity);
            });
            RC_ASSERT(combined(pair, *identity, x) == taken(pair, x));
            RC_ASSERT(combined(pair, x, *identity) == taken(pair, x));
        })) << title(pair);
    }
}

// The other operators on floats: x + 0 is x but for the sign of zero and the bits of a NaN.
TEST(Operators, TheIdentityOfFloatsKeepsTheirValues) {
    const auto value = [](const ElementType& type, const Bytes& element, std::uint32_t c) {
        return type.scalar == Scalar::f16 ? half_to_float(values_of<std::uint16_t>(element)[c])
                                          : values_of<float>(element)[c];
    };
    for (const TypeAndOperator& pair : builtin_pairs()) {
        if (!is_float(pair.first) || pair.second.name() == "min" || pair.second.name() == "max") continue;
        const Bytes identity = *pair.second.cpu_identity(pair.first);
        EXPECT_TRUE(holds([&] {
            const Bytes x = *arbitrary_element(pair.first);
            for (const Bytes& y : {combined(pair, identity, x), combined(pair, x, identity)}) {
                for (std::uint32_t c = 0; c < pair.first.width; ++c) {
                    const float before = value(pair.first, x, c);
                    const float after = value(pair.first, y, c);
                    RC_ASSERT(before == after || (std::isnan(before) && std::isnan(after)));
                }
            }
        })) << title(pair);
    }
}

TEST(Operators, CommuteWhereTheySaySo) {
    for (const TypeAndOperator& pair : builtin_pairs()) {
        if (rounds(pair) || !pair.second.commutative()) continue;
        EXPECT_TRUE(holds([&] {
            const Bytes a = *arbitrary_element(pair.first);
            const Bytes b = *arbitrary_element(pair.first);
            RC_ASSERT(combined(pair, a, b) == combined(pair, b, a));
        })) << title(pair);
    }
    EXPECT_FALSE(Operator::last_non_zero().commutative());
    EXPECT_TRUE(Operator::plus().commutative());
}

TEST(Operators, MinAndMaxOfFloatsFollowTheTotalOrderAndKeepEveryBit) {
    for (const TypeAndOperator& pair : builtin_pairs()) {
        const bool min = pair.second.name() == "min";
        if (!is_float(pair.first) || (!min && pair.second.name() != "max")) continue;
        const std::uint32_t size = size_of(pair.first.scalar);
        EXPECT_TRUE(holds([&] {
            const Bytes a = *arbitrary_element(pair.first);
            const Bytes b = *arbitrary_element(pair.first);
            const Bytes out = combined(pair, a, b);
            for (std::uint32_t c = 0; c < pair.first.width; ++c) {
                const bool first = (rank(pair.first, a, c) < rank(pair.first, b, c)) == min;
                RC_ASSERT(std::memcmp(out.data() + c * size, (first ? a : b).data() + c * size, size) == 0);
            }
        })) << title(pair);
    }
}

TEST(Operators, VectorsAreCombinedComponentByComponent) {
    for (const TypeAndOperator& pair : builtin_pairs()) {
        if (pair.first.width == 1) continue;
        const TypeAndOperator one{*ElementType::vector(pair.first.scalar, 1), pair.second};
        const std::uint32_t size = size_of(pair.first.scalar);
        EXPECT_TRUE(holds(
            [&] {
                const Bytes a = *arbitrary_element(pair.first);
                const Bytes b = *arbitrary_element(pair.first);
                const Bytes out = combined(pair, a, b);
                for (std::uint32_t at = 0; at < pair.first.size; at += size) {
                    const Bytes x(a.begin() + at, a.begin() + at + size);
                    const Bytes y(b.begin() + at, b.begin() + at + size);
                    RC_ASSERT(combined(one, x, y) == Bytes(out.begin() + at, out.begin() + at + size));
                }
            },
            30))
            << title(pair);
    }
}

TEST(Operators, TheResultMayLieInEitherOperandAndPaddingIsLeftAlone) {
    for (const TypeAndOperator& pair : builtin_pairs()) {
        const auto combine = *pair.second.cpu(pair.first);
        EXPECT_TRUE(holds(
            [&] {
                const Bytes a = *arbitrary_element(pair.first);
                const Bytes b = *arbitrary_element(pair.first);
                Bytes expected = combined(pair, a, b);
                Bytes in_a = a;
                Bytes in_b = b;
                combine(in_a.data(), b.data(), in_a.data());
                combine(a.data(), in_b.data(), in_b.data());
                expected.insert(expected.end(), a.begin() + pair.first.size, a.end());
                RC_ASSERT(in_a == expected);
                std::copy(b.begin() + pair.first.size, b.end(), expected.begin() + pair.first.size);
                RC_ASSERT(in_b == expected);
            },
            30))
            << title(pair);
    }
}

// ---- what each computes, by numbers ----

template <class Number>
Number applied(const char* name, Number a, Number b) {
    const char* type = std::is_same_v<Number, float> ? "f32"
                       : sizeof(Number) == 8         ? (std::is_signed_v<Number> ? "i64" : "u64")
                                                     : (std::is_signed_v<Number> ? "i32" : "u32");
    const TypeAndOperator pair{type_of(type), *Operator::parse(name)};
    return values_of<Number>(combined(pair, bytes_of({a}), bytes_of({b})))[0];
}

template <class Number>
class Integers : public ::testing::Test {};
using IntegerTypes = ::testing::Types<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, AreCombinedModuloTheirSize) {
    using N = TypeParam;
    using U = std::make_unsigned_t<N>;
    EXPECT_TRUE(holds([] {
        const N a = static_cast<N>(*arbitrary_word<U>());
        const N b = static_cast<N>(*arbitrary_word<U>());
        // In 128 bits nothing wraps, so this is arithmetic by another way.
        const auto wide = [](N x) { return static_cast<unsigned __int128>(static_cast<__int128>(x)); };
        RC_ASSERT(applied<N>("plus", a, b) == static_cast<N>(wide(a) + wide(b)));
        RC_ASSERT(applied<N>("multiplies", a, b) == static_cast<N>(wide(a) * wide(b)));
        RC_ASSERT(applied<N>("min", a, b) == std::min(a, b));
        RC_ASSERT(applied<N>("max", a, b) == std::max(a, b));
        RC_ASSERT(applied<N>("bit_and", a, b) == (a & b));
        RC_ASSERT(applied<N>("bit_or", a, b) == (a | b));
        RC_ASSERT(applied<N>("bit_xor", a, b) == (a ^ b));
        RC_ASSERT(applied<N>("logical_and", a, b) == N{a != 0 && b != 0});
        RC_ASSERT(applied<N>("logical_or", a, b) == N{a != 0 || b != 0});
        RC_ASSERT(applied<N>("last_non_zero", a, b) == (b != 0 ? b : a));
    }));
}

TYPED_TEST(Integers, HaveTheIdentitiesOfTheTable) {
    using N = TypeParam;
    using Limits = std::numeric_limits<N>;
    const char* type =
        sizeof(N) == 8 ? (std::is_signed_v<N> ? "i64" : "u64") : (std::is_signed_v<N> ? "i32" : "u32");
    const auto identity = [&](const char* name) {
        return values_of<N>(*Operator::parse(name)->cpu_identity(type_of(type)))[0];
    };
    EXPECT_EQ(identity("plus"), N{0});
    EXPECT_EQ(identity("multiplies"), N{1});
    EXPECT_EQ(identity("min"), Limits::max());
    EXPECT_EQ(identity("max"), Limits::min());
    EXPECT_EQ(identity("bit_and"), static_cast<N>(~N{0}));
    EXPECT_EQ(identity("bit_or"), N{0});
    EXPECT_EQ(identity("bit_xor"), N{0});
    EXPECT_EQ(identity("logical_and"), N{1});
    EXPECT_EQ(identity("logical_or"), N{0});
    EXPECT_EQ(identity("last_non_zero"), N{0});
}

TEST(WideIntegers, CarryFromTheLowWordWhichComesFirst) {
    const auto words = [](std::uint32_t low, std::uint32_t high) { return bytes_of({low, high}); };
    const TypeAndOperator plus{types::u64, Operator::plus()};
    const TypeAndOperator product{types::i64, Operator::multiplies()};
    const TypeAndOperator min{types::i64, Operator::min()};
    EXPECT_EQ(combined(plus, words(0xFFFFFFFF, 0), words(1, 0)), words(0, 1));
    EXPECT_EQ(combined(plus, words(0xFFFFFFFF, 0xFFFFFFFF), words(1, 0)), words(0, 0));
    EXPECT_EQ(combined(plus, words(0x80000000, 7), words(0x80000000, 8)), words(0, 16));
    EXPECT_EQ(combined(product, words(0xFFFFFFFF, 0xFFFFFFFF), words(5, 0)), words(0xFFFFFFFB, 0xFFFFFFFF));
    EXPECT_EQ(combined(product, words(0x10000, 0), words(0x10000, 0)), words(0, 1));
    EXPECT_EQ(combined(min, words(0, 0x80000000), words(5, 0)), words(0, 0x80000000));
    EXPECT_EQ(combined(min, words(1, 3), words(2, 3)), words(1, 3));
}

TEST(FloatOrder, RunsFromMinusNanToNan) {
    const std::uint32_t ascending[] = {0xFFFFFFFF, 0xFFC00000, 0xFF800001, 0xFF800000, 0xFF7FFFFF,
                                       0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x3F800000,
                                       0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF};
    const TypeAndOperator min{types::f32, Operator::min()};
    const TypeAndOperator max{types::f32, Operator::max()};
    for (const std::uint32_t& a : ascending) {
        for (const std::uint32_t& b : ascending) {
            EXPECT_EQ(combined(min, bytes_of({a}), bytes_of({b})), bytes_of({&a < &b ? a : b}));
            EXPECT_EQ(combined(max, bytes_of({a}), bytes_of({b})), bytes_of({&a < &b ? b : a}));
        }
    }
    EXPECT_EQ(*Operator::min().cpu_identity(types::f32), bytes_of({0x7F800000U}));
    EXPECT_EQ(*Operator::max().cpu_identity(types::f32), bytes_of({0xFF800000U}));
    EXPECT_EQ(*Operator::min().cpu_identity(types::f16), bytes_of({std::uint16_t{0x7C00}}));
    EXPECT_EQ(*Operator::max().cpu_identity(types::f16), bytes_of({std::uint16_t{0xFC00}}));
}

TEST(FloatZero, IsZeroWithEitherSignAndNanIsNot) {
    const TypeAndOperator last{types::f32, Operator::last_non_zero()};
    const Bytes one = bytes_of({1.0F});
    for (const std::uint32_t zero : {0U, 0x80000000U}) EXPECT_EQ(combined(last, one, bytes_of({zero})), one);
    for (const std::uint32_t other : {1U, 0x80000001U, 0x7FC00001U, 0xFF800000U})
        EXPECT_EQ(combined(last, one, bytes_of({other})), bytes_of({other}));
}

}  // namespace
}  // namespace upsweep::test
