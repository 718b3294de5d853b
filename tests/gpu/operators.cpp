#include "tests/gpu/operators.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace upsweep::testing {

namespace {

template <std::size_t words>
using Words = std::array<std::uint32_t, words>;

// A CPU function of two arrays of words as one of bytes.
template <std::size_t words, class F>
CpuCombine on_words(F f) {
    return [f](const std::byte* a, const std::byte* b, std::byte* out) {
        Words<words> x, y;
        std::memcpy(x.data(), a, sizeof x);
        std::memcpy(y.data(), b, sizeof y);
        const Words<words> z = f(x, y);
        std::memcpy(out, z.data(), sizeof z);
    };
}

template <std::size_t words>
std::vector<std::byte> bytes_of(const Words<words>& values) {
    std::vector<std::byte> bytes(sizeof values);
    std::memcpy(bytes.data(), values.data(), sizeof values);
    return bytes;
}

CustomOperator mat_parts() {
    return {.name = "mat_mul",
            .wgsl =
                "fn combine(x: Mat, y: Mat) -> Mat {\n"
                "    return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * "
                "y.b + x.d * y.d);\n"
                "}\n",
            .identity = "Mat(1u, 0u, 0u, 1u)",
            .commutative = false,
            .cpu = on_words<4>([](const Words<4>& x, const Words<4>& y) {
                return Words<4>{x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3],
                                x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3]};
            }),
            .cpu_identity = bytes_of<4>({1, 0, 0, 1})};
}

}  // namespace

const ElementType& mat_type() {
    static const ElementType type =
        *ElementType::structure("Mat", "struct Mat { a: u32, b: u32, c: u32, d: u32 }");
    return type;
}

Operator mat_product() {
    return *Operator::custom(mat_parts());
}

Operator mat_product_without_identity() {
    CustomOperator parts = mat_parts();
    parts.identity.clear();
    parts.cpu_identity.clear();
    return *Operator::custom(parts);
}

const ElementType& affine_type() {
    static const ElementType type = *ElementType::parse("vec2<u32>");
    return type;
}

Operator affine_composition() {
    return *Operator::custom({.name = "affine",
                              .wgsl = "// First x, then y.\nfn combine(x: T, y: T) -> T {\n    return T(x.x "
                                      "* y.x, x.y * y.x + y.y);\n}\n",
                              .identity = "T(1u, 0u)",
                              .commutative = false,
                              .cpu = on_words<2>([](const Words<2>& x, const Words<2>& y) {
                                  return Words<2>{x[0] * y[0], x[1] * y[0] + y[1]};
                              }),
                              .cpu_identity = bytes_of<2>({1, 0})});
}

Operator leftmost() {
    return *Operator::custom({.name = "leftmost",
                              .wgsl = "fn combine(a: T, b: T) -> T { return a; }",
                              .identity = "",
                              .commutative = false,
                              .cpu = on_words<1>([](const Words<1>& a, const Words<1>&) { return a; })});
}

const ElementType& range_type() {
    static const ElementType type = *ElementType::structure("Range", "struct Range { low: f32, high: f32 }");
    return type;
}

Operator range_union() {
    return *Operator::custom(
        {.name = "range_union",
         .wgsl = "fn lower_of(a: f32, b: f32) -> f32 { return min(a, b); }\n"
                 "fn combine(a: Range, b: Range) -> Range { return Range(lower_of(a.low, b.low), max(a.high, "
                 "b.high)); }\n",
         .identity = "",
         .commutative = true,
         .cpu = [](const std::byte* a, const std::byte* b, std::byte* out) {
             std::array<float, 2> x, y;
             std::memcpy(x.data(), a, 8);
             std::memcpy(y.data(), b, 8);
             const std::array<float, 2> z{std::min(x[0], y[0]), std::max(x[1], y[1])};
             std::memcpy(out, z.data(), 8);
         }});
}

const ElementType& particle_type() {
    static const ElementType type =
        *ElementType::structure("Particle",
                                "struct Tag { name: u32, count: u32 }\nstruct Particle { position: "
                                "vec3<u32>, tag: Tag, colour: array<vec2<u32>, 4>, age: u32 }");
    return type;
}

Operator particle_merge() {
    // 16 words: position 0-2, tag 3-4, colour 6-13, age 14; 5 and 15 are padding.
    return *Operator::custom({.name = "particle_merge",
                              .wgsl = "fn combine(a: Particle, b: Particle) -> Particle {\n"
                                      "    var merged = b;\n"
                                      "    merged.position = a.position + b.position;\n"
                                      "    merged.tag.count = a.tag.count + b.tag.count;\n"
                                      "    merged.colour[3] = a.colour[3] + b.colour[3];\n"
                                      "    return merged;\n"
                                      "}\n",
                              .identity = "",
                              .commutative = false,
                              .cpu = on_words<16>([](const Words<16>& a, const Words<16>& b) {
                                  Words<16> merged = b;
                                  for (const std::size_t sum : {0U, 1U, 2U, 4U, 12U, 13U})
                                      merged[sum] = a[sum] + b[sum];
                                  return merged;
                              })});
}

}  // namespace upsweep::testing
