#include "app/commands/element.h"

#include "app/formats/bytes.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

ElementType type_of(const char* name) {
    return ElementType::parse(name).value();
}

ElementType pair_type() {
    return ElementType::structure("Pair", "struct Pair { at: vec3<f32>, id: u32 }").value();
}

TEST(Element, ParsesScalars) {
    EXPECT_EQ(load<std::uint32_t>(parse_element("4294967295", types::u32)->data()), 4294967295U);
    EXPECT_EQ(load<std::int32_t>(parse_element("-5", types::i32)->data()), -5);
    EXPECT_EQ(load<float>(parse_element(" 0.5 ", types::f32)->data()), 0.5F);
    EXPECT_EQ(load<std::uint64_t>(parse_element("18446744073709551615", types::u64)->data()),
              ~std::uint64_t{0});
    EXPECT_EQ(parse_element("1", types::f16)->size(), 2U);
}

TEST(Element, ParsesVectorsAndStructs) {
    const auto vector = parse_element("1,2, 3", type_of("vec3<u32>"));
    ASSERT_TRUE(vector);
    EXPECT_EQ(vector->size(), 16U);
    EXPECT_EQ(load<std::uint32_t>(vector->data() + 8), 3U);
    EXPECT_EQ(load<std::uint32_t>(vector->data() + 12), 0U);
    const auto pair = parse_element("1.5,-2,inf,7", pair_type());
    ASSERT_TRUE(pair);
    EXPECT_EQ(load<std::uint32_t>(pair->data() + 12), 7U);
    EXPECT_EQ(element_text(pair_type(), *pair), "1.5,-2,inf,7");
}

TEST(Element, Refuses) {
    for (const char* text : {"", "x", "-1", "4294967296", "1.5", "1,2", "1,", ",1"})
        EXPECT_FALSE(parse_element(text, types::u32)) << text;
    EXPECT_EQ(parse_element("1,2", type_of("vec3<u32>")).error().message,
              "'1,2' has 2 numbers, and one vec3<u32> has 3; separate them by commas.");
    EXPECT_FALSE(parse_element("1,2,3,4", type_of("vec3<u32>")));
}

TEST(Element, Json) {
    EXPECT_EQ(element_json(types::u64, *parse_element("18446744073709551615", types::u64)).dump(),
              "18446744073709551615");
    EXPECT_EQ(element_json(types::f32, *parse_element("0.1", types::f32)).dump(), "0.1");
    EXPECT_EQ(element_json(types::f32, *parse_element("-inf", types::f32)).dump(), "\"-inf\"");
    EXPECT_EQ(element_json(type_of("vec2<i32>"), *parse_element("-1,2", type_of("vec2<i32>"))).dump(),
              "[-1,2]");
    EXPECT_EQ(element_json(pair_type(), *parse_element("1,2,nan,4", pair_type())).dump(),
              R"({"at.x":1.0,"at.y":2.0,"at.z":"nan","id":4})");
    EXPECT_EQ(json_text("caf\xe9"), "\"caf\xef\xbf\xbd\"\n");
}

}  // namespace
}  // namespace upsweep::app
