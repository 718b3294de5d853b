// Element types: the built-in ones by name, and what is said of those that do not exist.
#include "upsweep/core/types.h"

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

TEST(Types, ParseEveryName) {
    const struct {
        const char* name;
        const char* canonical;
        Scalar scalar;
        std::uint32_t width, size, stride;
    } all[] = {
        {"u32", "u32", Scalar::u32, 1, 4, 4},
        {"i32", "i32", Scalar::i32, 1, 4, 4},
        {"f32", "f32", Scalar::f32, 1, 4, 4},
        {"f16", "f16", Scalar::f16, 1, 2, 2},
        {"u64", "u64", Scalar::u64, 1, 8, 8},
        {"i64", "i64", Scalar::i64, 1, 8, 8},
        {"vec2<u32>", "vec2<u32>", Scalar::u32, 2, 8, 8},
        {"vec2u", "vec2<u32>", Scalar::u32, 2, 8, 8},
        {"vec3<i32>", "vec3<i32>", Scalar::i32, 3, 12, 16},
        {"vec3i", "vec3<i32>", Scalar::i32, 3, 12, 16},
        {"vec4<f32>", "vec4<f32>", Scalar::f32, 4, 16, 16},
        {"vec4f", "vec4<f32>", Scalar::f32, 4, 16, 16},
        {"vec2<f16>", "vec2<f16>", Scalar::f16, 2, 4, 4},
        {"vec3h", "vec3<f16>", Scalar::f16, 3, 6, 8},
        {"vec4h", "vec4<f16>", Scalar::f16, 4, 8, 8},
    };
    for (const auto& row : all) {
        const auto type = ElementType::parse(row.name);
        ASSERT_TRUE(type.has_value()) << row.name;
        EXPECT_EQ(type->name, row.canonical);
        EXPECT_EQ(type->scalar, row.scalar) << row.name;
        EXPECT_EQ(type->width, row.width) << row.name;
        EXPECT_EQ(type->size, row.size) << row.name;
        EXPECT_EQ(type->stride, row.stride) << row.name;
        EXPECT_EQ(type->needs_f16(), row.scalar == Scalar::f16) << row.name;
        EXPECT_EQ(type->is_wide_integer(), row.scalar == Scalar::u64 || row.scalar == Scalar::i64)
            << row.name;
        EXPECT_FALSE(type->is_struct()) << row.name;
        EXPECT_EQ(*ElementType::parse(type->name), *type) << row.name;
        EXPECT_EQ(*ElementType::vector(row.scalar, row.width), *type) << row.name;
        EXPECT_EQ(type->declaration, "");
        EXPECT_TRUE(type->members.empty());
    }
}

TEST(Types, TheShorthandsAreTheParsedTypes) {
    EXPECT_EQ(types::u32, *ElementType::parse("u32"));
    EXPECT_EQ(types::i32, *ElementType::parse("i32"));
    EXPECT_EQ(types::f32, *ElementType::parse("f32"));
    EXPECT_EQ(types::f16, *ElementType::parse("f16"));
    EXPECT_EQ(types::u64, *ElementType::parse("u64"));
    EXPECT_EQ(types::i64, *ElementType::parse("i64"));
    EXPECT_EQ(ElementType{}, types::u32);
}

TEST(Types, RefuseNamesThatAreNone) {
    for (const char* name : {"", "u8", "bool", "f64", "U32", "vec1<u32>", "vec5<u32>", "vec2<u64>",
                             "vec2<bool>", "vec4", "vec4<f32", "vec4<f32>>", "vec3d", "vec4ff", "mat2x2<f32>",
                             "u32 ", " u32", "array<u32, 4>", "vec2< u32>"}) {
        const auto type = ElementType::parse(name);
        ASSERT_FALSE(type.has_value()) << name;
        EXPECT_EQ(type.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(
            type.error().message,
            "'" + std::string(name) +
                "' is not an element type; it must be one of u32, i32, f32, f16, u64, i64 or vec2, vec3, "
                "vec4 of the first four, such as vec4<f32> or vec4f.");
    }
}

TEST(Types, VectorsHaveTwoToFourComponents) {
    for (const std::uint32_t width : {0U, 5U, 4294967295U}) {
        const auto type = ElementType::vector(Scalar::u32, width);
        ASSERT_FALSE(type.has_value());
        EXPECT_EQ(type.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(type.error().message,
                  "A vector has 2, 3 or 4 components, not " + std::to_string(width) + ".");
    }
    for (const Scalar scalar : {Scalar::u64, Scalar::i64}) {
        for (const std::uint32_t width : {2U, 3U, 4U}) {
            const auto type = ElementType::vector(scalar, width);
            ASSERT_FALSE(type.has_value());
            EXPECT_EQ(type.error().message, std::string("There are no vectors of ") + to_string(scalar) +
                                                "; describe the pair of words in a struct of your own.");
        }
    }
}

TEST(Types, ScalarsHaveNamesAndSizes) {
    const std::pair<const char*, std::uint32_t> all[] = {{"u32", 4}, {"i32", 4}, {"f32", 4},
                                                         {"f16", 2}, {"u64", 8}, {"i64", 8}};
    for (std::size_t s = 0; s < 6; ++s) {
        EXPECT_STREQ(to_string(static_cast<Scalar>(s)), all[s].first);
        EXPECT_EQ(size_of(static_cast<Scalar>(s)), all[s].second);
    }
}

TEST(Errors, HaveNames) {
    const std::pair<ErrorCode, const char*> all[] = {
        {ErrorCode::invalid_argument, "invalid_argument"}, {ErrorCode::unsupported, "unsupported"},
        {ErrorCode::limit_exceeded, "limit_exceeded"},     {ErrorCode::bad_slice, "bad_slice"},
        {ErrorCode::compile_failed, "compile_failed"},     {ErrorCode::device_lost, "device_lost"},
        {ErrorCode::device_error, "device_error"}};
    for (const auto& [code, name] : all) EXPECT_STREQ(to_string(code), name);
}

}  // namespace
}  // namespace upsweep::test
