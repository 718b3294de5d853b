// Structs of a user's own: size, stride and offsets by the layout rules of the WGSL specification, and the
// errors.
#include "tests/core/holds.h"
#include "upsweep/core/types.h"

#include <algorithm>

namespace upsweep::test {
namespace {

// "size/stride: .a u32@0 .b vec2<f32>@8", or the error's sentence without its head.
std::string layout(const std::string& declaration, const std::string& name = "Item",
                   std::uint32_t stride = 0) {
    const auto type = ElementType::structure(name, declaration, stride);
    if (!type) {
        EXPECT_EQ(type.error().code, ErrorCode::invalid_argument);
        const std::string head = "The declaration of the type '" + name + "'";
        EXPECT_TRUE(type.error().message.starts_with(head)) << type.error().message;
        return type.error().message.substr(std::min(head.size(), type.error().message.size()));
    }
    EXPECT_TRUE(type->is_struct());
    EXPECT_EQ(type->name, name);
    EXPECT_EQ(type->declaration, declaration);
    std::string text = std::to_string(type->size) + "/" + std::to_string(type->stride) + ":";
    for (const Member& member : type->members) {
        text += " " + member.path + " " + ElementType::vector(member.scalar, member.width)->name + "@" +
                std::to_string(member.offset);
    }
    return text;
}

std::string members(const std::string& text) {
    return layout("struct Item { " + text + " }");
}

TEST(StructLayout, ScalarsAndVectors) {
    EXPECT_EQ(members("a: u32"), "4/4: .a u32@0");
    EXPECT_EQ(members("a: u32, b: f32, c: i32,"), "12/12: .a u32@0 .b f32@4 .c i32@8");
    EXPECT_EQ(members("a: u32, b: vec2<f32>"), "16/16: .a u32@0 .b vec2<f32>@8");
    EXPECT_EQ(members("a: vec3<f32>"), "16/16: .a vec3<f32>@0");
    EXPECT_EQ(members("a: vec3f, b: f32"), "16/16: .a vec3<f32>@0 .b f32@12");
    EXPECT_EQ(members("a: f32, b: vec3i"), "32/32: .a f32@0 .b vec3<i32>@16");
    EXPECT_EQ(members("a: vec4<u32>, b: u32"), "32/32: .a vec4<u32>@0 .b u32@16");
    EXPECT_EQ(members("a: vec2u, b: u32, c: vec2u"), "24/24: .a vec2<u32>@0 .b u32@8 .c vec2<u32>@16");
}

TEST(StructLayout, HalfPrecision) {
    EXPECT_EQ(members("a: f16"), "2/2: .a f16@0");
    EXPECT_EQ(members("a: f16, b: f16, c: f16"), "6/6: .a f16@0 .b f16@2 .c f16@4");
    EXPECT_EQ(members("a: f16, b: u32, c: f16"), "12/12: .a f16@0 .b u32@4 .c f16@8");
    EXPECT_EQ(members("a: vec3<f16>, b: f16"), "8/8: .a vec3<f16>@0 .b f16@6");
    EXPECT_EQ(members("a: f16, b: vec2h"), "8/8: .a f16@0 .b vec2<f16>@4");
    EXPECT_TRUE(ElementType::structure("Item", "struct Item { a: u32, b: f16 }")->needs_f16());
    EXPECT_FALSE(ElementType::structure("Item", "struct Item { a: u32 } // f16")->needs_f16());
}

TEST(StructLayout, Matrices) {
    EXPECT_EQ(members("m: mat2x2<f32>"), "16/16: .m[0] vec2<f32>@0 .m[1] vec2<f32>@8");
    EXPECT_EQ(members("m: mat2x3f, a: f32"), "48/48: .m[0] vec3<f32>@0 .m[1] vec3<f32>@16 .a f32@32");
    EXPECT_EQ(members("a: f32, m: mat3x2<f32>"),
              "32/32: .a f32@0 .m[0] vec2<f32>@8 .m[1] vec2<f32>@16 .m[2] vec2<f32>@24");
    EXPECT_EQ(members("m: mat2x4<f16>"), "16/16: .m[0] vec4<f16>@0 .m[1] vec4<f16>@8");
    EXPECT_EQ(members("m: mat4x3h").substr(0, 6), "32/32:");
    EXPECT_EQ(members("m: mat3x3<f32>").substr(0, 6), "48/48:");
}

TEST(StructLayout, Arrays) {
    EXPECT_EQ(members("a: array<u32, 3>"), "12/12: .a[0] u32@0 .a[1] u32@4 .a[2] u32@8");
    EXPECT_EQ(members("a: array<vec3<f32>, 2>, b: f32"),
              "48/48: .a[0] vec3<f32>@0 .a[1] vec3<f32>@16 .b f32@32");
    EXPECT_EQ(members("a: array<array<f16, 2>, 2>"),
              "8/8: .a[0][0] f16@0 .a[0][1] f16@2 .a[1][0] f16@4 .a[1][1] f16@6");
    EXPECT_EQ(members("a: array<mat2x2<f32>, 1>"), "16/16: .a[0][0] vec2<f32>@0 .a[0][1] vec2<f32>@8");
    EXPECT_EQ(members("a: array<u32, 2u,>"), "8/8: .a[0] u32@0 .a[1] u32@4");
    EXPECT_EQ(members("a: array<u32, 2i>"), "8/8: .a[0] u32@0 .a[1] u32@4");
    EXPECT_EQ(layout("const N = 2; const M: u32 = 1u; struct Item { a: array<u32, N>, b: array<u32, M> }"),
              "12/12: .a[0] u32@0 .a[1] u32@4 .b[0] u32@8");
}

TEST(StructLayout, NestedStructsAndAliases) {
    EXPECT_EQ(layout("struct In { a: vec3<f32>, b: u32 } struct Item { x: u32, in: In, y: u32 }"),
              "48/48: .x u32@0 .in.a vec3<f32>@16 .in.b u32@28 .y u32@32");
    // A struct's size is a multiple of its alignment, also inside another one.
    EXPECT_EQ(layout("struct In { a: vec2<f32>, b: u32 } struct Item { in: In, y: u32 }"),
              "24/24: .in.a vec2<f32>@0 .in.b u32@8 .y u32@16");
    EXPECT_EQ(layout("struct In { a: f16 } struct Item { in: array<In, 2>, y: f16 }"),
              "6/6: .in[0].a f16@0 .in[1].a f16@2 .y f16@4");
    EXPECT_EQ(layout("alias W = vec2<u32>; alias Ws = array<W, 2>; ; struct Item { a: Ws };"),
              "16/16: .a[0] vec2<u32>@0 .a[1] vec2<u32>@8");
    EXPECT_EQ(layout("struct Other { a: f16 } struct Item { a: u32 } struct Last { a: Item }"),
              "4/4: .a u32@0");
}

TEST(StructLayout, AlignAndSize) {
    EXPECT_EQ(members("a: u32, @align(16) b: u32"), "32/32: .a u32@0 .b u32@16");
    EXPECT_EQ(members("@size(16) a: u32, b: u32"), "20/20: .a u32@0 .b u32@16");
    EXPECT_EQ(members("@align(8) @size(12) a: u32, b: u32"), "16/16: .a u32@0 .b u32@12");
    EXPECT_EQ(members("@size(8u) @align(32i) a: u32"), "32/32: .a u32@0");
    EXPECT_EQ(members("@align(4) a: vec4<f32>"), "16/16: .a vec4<f32>@0") << "an alignment only grows";
    EXPECT_EQ(layout("const A = 16; struct Item { a: u32, @align(A) b: u32 }"), "32/32: .a u32@0 .b u32@16");
}

TEST(StructLayout, CommentsAndLinesDoNotMatter) {
    EXPECT_EQ(layout("// struct Item { x: f16 }\nstruct /* /* b: f32 */ */ Item\r\n{\n\ta : u32 , // }\n}"),
              "4/4: .a u32@0");
}

TEST(StructLayout, AGivenStrideMustBeTheRightOne) {
    EXPECT_EQ(layout("struct Item { a: vec3<f32> }", "Item", 16), "16/16: .a vec3<f32>@0");
    EXPECT_EQ(
        layout("struct Item { a: vec3<f32> }", "Item", 12),
        " has the stride 16 by the rules of WGSL, but 12 was given; change the members, or pad them with "
        "@size, until both agree.");
}

TEST(StructLayout, TheErrors) {
    EXPECT_EQ(layout("struct R { a: u32 }"), ", line 1: there is no struct 'Item' in the declaration.");
    EXPECT_EQ(layout(""), ", line 1: there is no struct 'Item' in the declaration.");
    EXPECT_EQ(layout("struct Item { }"), ", line 1: the struct 'Item' has no members.");
    EXPECT_EQ(layout("\nstruct Item {\n a: bool }"),
              ", line 3: 'bool' cannot be stored in a buffer; use u32, i32, f32 or f16.");
    EXPECT_EQ(members("a: atomic<u32>"),
              ", line 1: 'atomic' cannot be stored in a buffer; use u32, i32, f32 or f16.");
    EXPECT_EQ(members("a: vec2<bool>"),
              ", line 1: 'bool' cannot be stored in a buffer; use u32, i32, f32 or f16.");
    EXPECT_EQ(members("a: Item"), ", line 1: 'Item' cannot be stored in a buffer; use u32, i32, f32 or f16.");
    EXPECT_EQ(members("a: array<u32>"),
              ", line 1: an array inside an element needs a length, as in array<f32, 4>.");
    for (const std::string length : {"0", "65537", "N", "1.5", "0x4", "99999999999999999999", "-"}) {
        EXPECT_EQ(members("a: array<u32, " + length + ">"),
                  ", line 1: '" + length +
                      "' is not a length from 1 to 65536; write a plain number or a const with one.");
    }
    EXPECT_EQ(members("a: array<u32, 16385>"), ", line 1: the array is larger than 65536 bytes.");
    EXPECT_EQ(members("a: array<u32, 16384>, b: u32"),
              ", line 1: the struct 'Item' is larger than 65536 bytes.");
    EXPECT_EQ(
        members("@builtin(position) a: vec4<f32>"),
        ", line 1: the attribute '@builtin' has no place in a buffer element; only @align and @size do.");
    EXPECT_EQ(members("a u32"), ", line 1: expected ':' before 'u32'.");
    EXPECT_EQ(members("a: u32 b: u32"), ", line 1: expected ',' before 'b'.");
    EXPECT_EQ(members("a: vec2<u32"), ", line 1: expected '>' before '}'.");
    EXPECT_EQ(members("4: u32"), ", line 1: expected a name before '4'.");
    EXPECT_EQ(members("@size 4 a: u32"), ", line 1: expected '(' before '4'.");
    EXPECT_EQ(layout("struct Item {\n a: u32"), ", line 2: expected ',' before ''.");
    EXPECT_EQ(
        layout("fn f() {}"),
        ", line 1: 'fn' cannot stand in a type's declaration; it holds structs, aliases and integer consts.");
    EXPECT_EQ(layout("alias A = u32\nstruct Item { a: A }"), ", line 2: expected ';' before 'struct'.");
    EXPECT_EQ(layout("const N = 2 + 2; struct Item { a: array<u32, N> }"),
              ", line 1: expected ';' before '+'.");
    EXPECT_EQ(layout("struct Item { a: u32 }\n/* open"),
              ", line 2: the comment that begins here has no end; close it with */.");
    EXPECT_EQ(layout("struct Item { a: u32 }\n#"),
              ", line 2: the character '#' is not part of WGSL; remove it.");
}

// The kernels declare these themselves, so such a struct could never compile.
TEST(StructLayout, AStructCannotHaveANameOfTheLibrarys) {
    std::string taken;
    for (const std::string name :
         {"T", "E", "S", "V", "Row", "Seed", "Thread", "Group", "Params", "join", "BLOCK"}) {
        const std::string text = "struct " + name + " { a: u32 }";
        if (ElementType::structure(name, text)) taken += " " + name;
        if (ElementType::structure("Mine", text + " struct Mine { a: " + name + " }"))
            taken += " inner " + name;
        if (ElementType::structure("Mine", "alias " + name + " = u32; struct Mine { a: " + name + " }"))
            taken += " alias " + name;
    }
    EXPECT_EQ(taken, "");
}

TEST(StructLayout, HostileNestingIsRefused) {
    std::string text = "struct Mine { a: ";
    for (int i = 0; i < 200000; ++i) text += "array<";
    const auto type = ElementType::structure("Mine", text);
    ASSERT_FALSE(type.has_value());
    EXPECT_NE(type.error().message.find("nested more than 32 deep"), std::string::npos);
}

// ---- the rules once more, over random structs ----

struct Part {
    std::string text;
    std::uint64_t size, align;
    std::vector<std::uint64_t> offsets;  // Of the scalars and vectors in it.
};

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

Part random_type(int depth) {
    const auto kind = *rc::gen::inRange(0, depth == 0 ? 2 : 3);
    const auto half = *rc::gen::arbitrary<bool>();
    const std::string scalar = half ? "f16" : *rc::gen::element<std::string>("u32", "i32", "f32");
    const std::uint64_t bytes = half ? 2 : 4;
    if (kind == 0) return {scalar, bytes, bytes, {0}};
    if (kind == 1) {
        const auto width = *rc::gen::inRange(2U, 5U);
        return {"vec" + std::to_string(width) + "<" + scalar + ">",
                width * bytes,
                (width == 3 ? 4 : width) * bytes,
                {0}};
    }
    const Part of = random_type(depth - 1);
    const auto length = *rc::gen::inRange(1U, 4U);
    const std::uint64_t stride = round_up(of.size, of.align);
    Part array{"array<" + of.text + ", " + std::to_string(length) + ">", stride * length, of.align, {}};
    for (std::uint64_t i = 0; i < length; ++i) {
        for (const std::uint64_t offset : of.offsets) array.offsets.push_back(i * stride + offset);
    }
    return array;
}

TEST(StructLayout, RandomStructsFollowTheRules) {
    EXPECT_TRUE(holds(
        [] {
            Part all{"struct Item {", 0, 1, {}};
            const auto count = *rc::gen::inRange(1, 7);
            for (int m = 0; m < count; ++m) {
                const Part part = random_type(2);
                const std::uint64_t align =
                    std::max(part.align, std::uint64_t{1} << *rc::gen::inRange(0U, 6U));
                const bool aligned = align > part.align;
                const std::uint64_t size = part.size + *rc::gen::inRange(0U, 3U) * 4;
                all.text += (aligned ? " @align(" + std::to_string(align) + ")" : "") +
                            (size > part.size ? " @size(" + std::to_string(size) + ")" : "") + " m" +
                            std::to_string(m) + ": " + part.text + ",";
                const std::uint64_t begin = round_up(all.size, align);
                for (const std::uint64_t offset : part.offsets) all.offsets.push_back(begin + offset);
                all.size = begin + size;
                all.align = std::max(all.align, align);
            }
            all.text += " }";
            const auto type = ElementType::structure("Item", all.text);
            RC_ASSERT(type.has_value());
            RC_ASSERT(type->stride == round_up(all.size, all.align));
            RC_ASSERT(type->size == type->stride);
            RC_ASSERT(type->members.size() == all.offsets.size());
            for (std::size_t i = 0; i < all.offsets.size(); ++i)
                RC_ASSERT(type->members[i].offset == all.offsets[i]);
        },
        300));
}

}  // namespace
}  // namespace upsweep::test
