// The table of built-in operators: their names, which types they refuse, and when two operators are equal.
#include "tests/core/requests.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

const std::vector<std::string> names{"plus",   "multiplies", "min",         "max",        "bit_and",
                                     "bit_or", "bit_xor",    "logical_and", "logical_or", "last_non_zero"};
const std::vector<std::string> integers_only{"bit_and", "bit_or", "bit_xor", "logical_and", "logical_or"};

TEST(OperatorTable, HoldsTheDocumentedNames) {
    EXPECT_EQ(Operator::names(), names);
    for (const std::string& name : names) {
        const auto op = Operator::parse(name);
        ASSERT_TRUE(op.has_value()) << name;
        EXPECT_EQ(op->name(), name);
        EXPECT_FALSE(op->is_custom());
        EXPECT_TRUE(op->has_identity());
    }
    EXPECT_EQ(Operator::plus(), *Operator::parse("plus"));
    EXPECT_EQ(Operator::multiplies(), *Operator::parse("multiplies"));
    EXPECT_EQ(Operator::min(), *Operator::parse("min"));
    EXPECT_EQ(Operator::max(), *Operator::parse("max"));
    EXPECT_EQ(Operator::bit_and(), *Operator::parse("bit_and"));
    EXPECT_EQ(Operator::bit_or(), *Operator::parse("bit_or"));
    EXPECT_EQ(Operator::bit_xor(), *Operator::parse("bit_xor"));
    EXPECT_EQ(Operator::logical_and(), *Operator::parse("logical_and"));
    EXPECT_EQ(Operator::logical_or(), *Operator::parse("logical_or"));
    EXPECT_EQ(Operator::last_non_zero(), *Operator::parse("last_non_zero"));
}

TEST(OperatorTable, RefusesOtherNames) {
    for (const char* name : {"", "sum", "Plus", "plus ", "max\n", "custom", "bit_and,bit_or"}) {
        const auto op = Operator::parse(name);
        ASSERT_FALSE(op.has_value()) << name;
        EXPECT_EQ(op.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(
            op.error().message,
            "'" + std::string(name) +
                "' is not an operator; it must be one of plus, multiplies, min, max, bit_and, bit_or, "
                "bit_xor, logical_and, logical_or, last_non_zero, or a custom operator with its own WGSL.");
    }
}

// Exactly these pairs go together, for the WGSL as for the CPU.
TEST(OperatorTable, EveryPairGoesTogetherOrIsRefusedInAWholeSentence) {
    for (const ElementType& type : builtin_types()) {
        const bool is_float = type.scalar == Scalar::f32 || type.scalar == Scalar::f16;
        for (const std::string& name : names) {
            const Operator op = *Operator::parse(name);
            const bool refused = is_float && std::find(integers_only.begin(), integers_only.end(), name) !=
                                                 integers_only.end();
            const auto code = operator_code(op, type);
            EXPECT_EQ(code.has_value(), !refused) << name << " " << type.name;
            EXPECT_EQ(op.cpu(type).has_value(), !refused) << name << " " << type.name;
            EXPECT_EQ(op.cpu_identity(type).has_value(), !refused) << name << " " << type.name;
            if (code) continue;
            const std::string sentence = "The operator '" + name + "' works on integers, not on " +
                                         type.name + "; use u32 or i32, or a custom operator.";
            EXPECT_EQ(code.error().code, ErrorCode::unsupported);
            EXPECT_EQ(code.error().message, sentence);
            EXPECT_EQ(op.cpu(type).error().message, sentence);
            EXPECT_EQ(op.cpu_identity(type).error().message, sentence);
        }
    }
}

TEST(OperatorTable, NoBuiltInOperatorWorksOnAStruct) {
    for (const std::string& name : names) {
        const auto code = operator_code(*Operator::parse(name), matrix_type());
        ASSERT_FALSE(code.has_value()) << name;
        EXPECT_EQ(code.error().code, ErrorCode::unsupported);
        EXPECT_EQ(code.error().message,
                  "The operator '" + name +
                      "' works on numbers, and 'Mat' is a struct; give a custom operator "
                      "for it.");
    }
}

TEST(OperatorTable, ACustomOperatorGoesWithEveryType) {
    for (const ElementType& type : builtin_types()) {
        const auto code = operator_code(take_right(), type);
        ASSERT_TRUE(code.has_value()) << type.name;
        EXPECT_TRUE(code->optional);
        EXPECT_FALSE(code->vectorizable);
        EXPECT_GE(code->compute_type.stride, type.size + 4) << type.name;
    }
}

// What the kernels hold for an element has the size that the planner counts with.
TEST(OperatorTable, TheComputedFormHasADefiniteSize) {
    for (const TypeAndOperator& pair : all_pairs()) {
        const auto code = operator_code(pair.second, pair.first);
        ASSERT_TRUE(code.has_value());
        EXPECT_GE(code->compute_type.size, 2U);
        EXPECT_GE(code->compute_type.stride, code->compute_type.size);
        EXPECT_EQ(code->compute_type.is_struct(), !code->compute_type.members.empty());
        // Four elements travel as one vector only where an element is a scalar by itself.
        if (!code->vectorizable) continue;
        EXPECT_LE(code->compute_type.stride, 4U) << pair.first.name;
        EXPECT_EQ(pair.first.width, 1U) << pair.first.name;
    }
}

TEST(OperatorTable, OperatorsAreEqualIfTheyExpandToTheSame) {
    CustomOperator parts{.name = "op", .wgsl = "fn combine(a: T, b: T) -> T { return a; }", .identity = "0u"};
    const Operator op = *Operator::custom(parts);
    EXPECT_EQ(op, *Operator::custom(parts));
    CustomOperator with_cpu = parts;
    with_cpu.cpu = [](const std::byte*, const std::byte*, std::byte*) {};
    EXPECT_EQ(op, *Operator::custom(with_cpu));
    for (const auto& change : std::vector<void (*)(CustomOperator&)>{
             [](CustomOperator& c) { c.name = "other"; }, [](CustomOperator& c) { c.wgsl += " "; },
             [](CustomOperator& c) { c.identity = "1u"; }, [](CustomOperator& c) { c.commutative = true; }}) {
        CustomOperator changed = parts;
        change(changed);
        EXPECT_FALSE(op == *Operator::custom(changed));
    }
    EXPECT_FALSE(Operator::plus() == Operator::max());
    EXPECT_FALSE(Operator::plus() == op);
}

TEST(OperatorTable, LogicalOperatorsMakeTruthValuesOfElements) {
    const auto normalized = [](const Operator& op, const ElementType& type,
                               std::vector<std::uint32_t> words) {
        op.cpu_normalize(type, reinterpret_cast<std::byte*>(words.data()));
        return words;
    };
    using Words = std::vector<std::uint32_t>;
    for (const Operator& op : {Operator::logical_and(), Operator::logical_or()}) {
        EXPECT_EQ(normalized(op, types::u32, {256}), Words{1});
        EXPECT_EQ(normalized(op, types::i32, {0xFFFFFFFF}), Words{1});
        EXPECT_EQ(normalized(op, types::u32, {0}), Words{0});
        EXPECT_EQ(normalized(op, types::u64, {0, 7}), (Words{1, 0}));
        EXPECT_EQ(normalized(op, type_of("vec3<u32>"), {2, 0, 3, 99}), (Words{1, 0, 1, 99}));
    }
    EXPECT_EQ(normalized(Operator::plus(), types::u32, {256}), Words{256});
    EXPECT_EQ(normalized(take_right(), types::u32, {256}), Words{256});
}

}  // namespace
}  // namespace upsweep::test
