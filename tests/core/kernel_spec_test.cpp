// KernelSpec and Module: the key decides the text, and a compiler's message is led back to its source.
#include "tests/core/requests.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

// The kernel of a plan with most of what there is: a user's type and operator, subgroups, chunks.
KernelSpec spec_of(const TypeAndOperator& pair, std::size_t step = 0,
                   BlockScan block_scan = BlockScan::subgroup) {
    const Request request = request_of(pair, Strategy::reduce_then_scan, block_scan, 1U | 4U | 8U | 16U);
    return plan_scan(request.desc, request.caps)->steps.at(step).spec;
}

Module module_of(const KernelSpec& spec) {
    auto module = expand(spec);
    EXPECT_TRUE(module.has_value()) << module.error().message;
    return module.value_or(Module{});
}

std::uint32_t count_lines(const std::string& text) {
    return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

// The number of the first line that holds `text`.
std::uint32_t line_with(const std::string& wgsl, const std::string& text) {
    const std::size_t at = wgsl.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    return at == std::string::npos ? 0 : count_lines(wgsl.substr(0, at)) + 1;
}

Module three_lines() {
    return {
        "a\nb\nc\n", "main", {{"prelude", 1}, {"operator 'my_op'", 2}, {"upsweep/scan/scan_tiles.wgsl", 31}}};
}

TEST(Explain, LeadsDawnsMessageToTheSource) {
    EXPECT_EQ(three_lines().explain(":3:9 error: unresolved value 'x'"),
              "upsweep/scan/scan_tiles.wgsl, line 31: :3:9 error: unresolved value 'x'");
    EXPECT_EQ(
        three_lines().explain("Error while parsing WGSL: :2:1 error: expected ';'\n - While validating"),
        "operator 'my_op', line 2: Error while parsing WGSL: :2:1 error: expected ';'\n - While validating");
}

TEST(Explain, LeadsNagasMessageToTheSource) {
    const std::string message =
        "Shader 'upsweep.scan.scan_tiles' parsing error: no definition in scope for identifier: `x`\n"
        "  ┌─ wgsl:2:5\n  │\n2 │     x\n  │     ^ unknown identifier\n";
    EXPECT_EQ(three_lines().explain(message), "operator 'my_op', line 2: " + message);
}

TEST(Explain, LeavesAMessageWithoutAPlaceAsItIs) {
    for (const char* message : {"", "out of memory", "error: no place", ":", "::", ":1", ":1:", ":1:x",
                                ":x:1", ":0:1 error", ":4:1 error", "1:2", ":99999999999999999999:1 error",
                                ":4294967297:1 error", ": 1:1 error", ":-1:1 error"}) {
        EXPECT_EQ(three_lines().explain(message), message);
    }
}

TEST(Explain, TakesTheFirstPlaceThatIsALineOfTheModule) {
    EXPECT_EQ(three_lines().explain("at 12:30:59: shader:1:7: bad").substr(0, 15), "prelude, line 1");
    EXPECT_EQ(three_lines().explain(":2:3 error\n:3:1 note").substr(0, 16), "operator 'my_op'");
    EXPECT_EQ(three_lines().explain(":3:12").substr(0, 7), "upsweep");
}

TEST(Explain, FindsTheKernelsOwnLine) {
    KernelSpec spec = spec_of({types::u32, Operator::plus()}, 2);
    const Module module = module_of(spec);
    const std::uint32_t line = line_with(module.wgsl, "let total = tile_scan_rows(t);");
    const std::string told = module.explain(":" + std::to_string(line) + ":5 error: x");
    EXPECT_TRUE(told.starts_with("upsweep/scan/scan_tiles.wgsl, line ")) << told;
}

TEST(Explain, FindsTheUsersOperatorTypeAndIdentity) {
    const Module module = module_of(spec_of({matrix_type(), matrix_product(true)}));
    const auto told = [&](const std::string& text) {
        return module.explain(":" + std::to_string(line_with(module.wgsl, text)) + ":1 error");
    };
    EXPECT_EQ(told("return Mat(x.a * y.a").substr(0, 35), "operator 'matrix_product', line 2: ");
    EXPECT_EQ(told("x.c * y.b + x.d * y.d").substr(0, 35), "operator 'matrix_product', line 3: ");
    EXPECT_EQ(told("Mat(1u, 0u, 0u, 1u)").substr(0, 47), "identity of operator 'matrix_product', line 1: ");
    EXPECT_EQ(told("struct Mat").substr(0, 20), "type 'Mat', line 1: ");
}

TEST(Explain, AWrongSignatureIsTheFaultOfTheFunctionsLine) {
    const Operator op = *Operator::custom(
        {.name = "odd", .wgsl = "fn helper() {}\n\nfn combine(a: T) -> T { return a; }", .identity = "0u"});
    const Module module = module_of(spec_of({types::u32, op}));
    const std::uint32_t line = line_with(module.wgsl, "return combine(a, b); }");
    EXPECT_EQ(module.explain(":" + std::to_string(line) + ":1 e"),
              "operator 'odd', line 3: :" + std::to_string(line) + ":1 e");
}

// An identity may be written over several lines, and what stands behind it must still be found.
TEST(Explain, KeepsItsPlaceBehindAnIdentityOfSeveralLines) {
    const Operator op = *Operator::custom({.name = "long",
                                           .wgsl = "fn combine(a: Mat, b: Mat) -> Mat { return b; }",
                                           .identity = "Mat(1u, 0u,\n0u,\n1u)"});
    const Module module = module_of(spec_of({matrix_type(), op}));
    EXPECT_EQ(count_lines(module.wgsl), module.lines.size());
    const std::uint32_t line = line_with(module.wgsl, "fn group_index(");
    const std::string told = module.explain(":" + std::to_string(line) + ":1 e");
    EXPECT_TRUE(told.starts_with("upsweep/wgsl/thread.wgsl, line 16")) << told;
}

// The name stands in the comment of the first line; a line break in it would end that comment.
TEST(KernelSpec, AnOperatorsNameCannotEndTheFirstLine) {
    auto op = Operator::custom({.name = "bad\nconst BLOCK = 1u; //",
                                .wgsl = "fn combine(a: T, b: T) -> T { return b; }",
                                .identity = "0u"});
    if (!op) return;  // Refused: just as well.
    const Module module = module_of(spec_of({types::u32, *op}));
    EXPECT_EQ(count_lines(module.wgsl), module.lines.size());
    EXPECT_EQ(module.wgsl.find("\nconst BLOCK = 1u;"), std::string::npos);
}

TEST(KernelSpec, PrintsEverythingInOneLine) {
    KernelSpec spec;
    spec.kernel = "scan_tiles";
    spec.flags = {{"SEED", true}, {"CARRY", false}};
    spec.bindings = {{"src", "array<V>", Access::read}, {"dst", "array<V>", Access::read_write}};
    EXPECT_EQ(spec.to_string(),
              "upsweep scan_tiles T=u32 op=plus block=256 rows=4 vec=1 inclusive block_scan=blelloch "
              "subgroups=none dialect=standard SEED src:read dst:read_write");
    spec.subgroups = SubgroupMode::native;
    spec.inclusive = false;
    spec.dialect = Dialect::naga;
    spec.partials = spec.immediates = spec.in_place = true;
    spec.unroll = spec.vector_io = false;
    EXPECT_EQ(
        spec.to_string(),
        "upsweep scan_tiles T=u32 op=plus block=256 rows=4 vec=1 exclusive block_scan=blelloch "
        "subgroups=native:4..128 dialect=naga partials immediates loops scalar_io in_place SEED src:read "
        "dst:read_write");
    EXPECT_EQ(spec.tile(), 1024U);
}

// A field that alters the text but not the key would hand out the wrong pipeline.
TEST(KernelSpec, EqualKeysMakeEqualModules) {
    using Change = std::function<void(KernelSpec&)>;
    const std::vector<Change> changes{
        [](KernelSpec& s) { s.kernel = "add_back"; },
        [](KernelSpec& s) { s.partials = !s.partials; },
        [](KernelSpec& s) { s.block *= 2; },
        [](KernelSpec& s) { s.rows *= 2; },
        [](KernelSpec& s) { s.vec = s.vec == 4 ? 1 : 4; },
        [](KernelSpec& s) { s.inclusive = !s.inclusive; },
        [](KernelSpec& s) { s.block_scan = BlockScan::hillis_steele; },
        [](KernelSpec& s) { s.subgroups = SubgroupMode::native; },
        [](KernelSpec& s) { s.subgroups = SubgroupMode::emulated; },
        [](KernelSpec& s) { s.subgroup_min *= 2; },
        [](KernelSpec& s) { s.subgroup_max *= 2; },
        [](KernelSpec& s) { s.dialect = s.dialect == Dialect::naga ? Dialect::standard : Dialect::naga; },
        [](KernelSpec& s) { s.immediates = !s.immediates; },
        [](KernelSpec& s) { s.unroll = !s.unroll; },
        [](KernelSpec& s) { s.vector_io = !s.vector_io; },
        [](KernelSpec& s) { s.in_place = !s.in_place; },
        [](KernelSpec& s) { s.flags["SEED"] = !s.flags["SEED"]; },
        [](KernelSpec& s) { s.flags["CARRY"] = !s.flags["CARRY"]; },
        [](KernelSpec& s) { s.bindings[0].type = "array<u32>"; },
        [](KernelSpec& s) { s.bindings[0].name = "other"; },
        [](KernelSpec& s) { s.bindings[1].access = Access::read; },
        [](KernelSpec& s) { s.bindings.pop_back(); },
        [](KernelSpec& s) { s.type = *ElementType::structure("Mat", "struct Mat { a: vec4<u32> }"); },
        [](KernelSpec& s) { s.type = types::i32; },
        [](KernelSpec& s) { s.op = matrix_product(true); },
        [](KernelSpec& s) { s.op = matrix_product(false); },
        [](KernelSpec& s) { s.op = take_right(); },
        [](KernelSpec& s) { s.op = Operator::max(); },
    };
    for (const TypeAndOperator& pair : {TypeAndOperator{types::u32, Operator::plus()},
                                        TypeAndOperator{matrix_type(), matrix_product(true)}}) {
        for (const BlockScan block_scan : {BlockScan::subgroup, BlockScan::blelloch}) {
            for (const SubgroupMode mode : {SubgroupMode::native, SubgroupMode::emulated}) {
                KernelSpec spec = spec_of(pair, 0, block_scan);
                if (block_scan == BlockScan::subgroup) spec.subgroups = mode;
                const auto module = expand(spec);
                ASSERT_TRUE(module.has_value());
                for (std::size_t c = 0; c < changes.size(); ++c) {
                    KernelSpec changed = spec;
                    changes[c](changed);
                    if (changed == spec || changed.key() != spec.key()) continue;
                    const auto other = expand(changed);
                    ASSERT_TRUE(other.has_value());
                    EXPECT_TRUE(module->wgsl == other->wgsl) << "change " << c << " of " << spec.to_string();
                }
            }
        }
    }
}

TEST(KernelSpec, TheKeyKeepsTheUsersTextsApart) {
    const auto key_of = [](const std::string& wgsl, const std::string& identity) {
        KernelSpec spec;
        spec.op = *Operator::custom({.name = "op", .wgsl = wgsl, .identity = identity});
        return spec.key();
    };
    const std::string combine = "fn combine(a: T, b: T) -> T { return a; }";
    EXPECT_NE(key_of(combine, "1u"), key_of(combine, "2u"));
    EXPECT_NE(key_of(combine, "1u"), key_of(combine, ""));
    EXPECT_NE(key_of(combine + "|1u", "2u"), key_of(combine, "1u|2u"));
}

TEST(KernelSpec, BlockScansHaveNames) {
    for (const char* name : {"automatic", "hillis_steele", "blelloch", "blelloch_padded", "subgroup"})
        EXPECT_STREQ(to_string(*parse_block_scan(name)), name);
    for (const char* name : {"", "Blelloch", "subgroups", "blelloch "}) {
        const auto scan = parse_block_scan(name);
        ASSERT_FALSE(scan.has_value()) << name;
        EXPECT_EQ(scan.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(scan.error().message, "'" + std::string(name) +
                                            "' is not a block scan; it must be automatic, hillis_steele, "
                                            "blelloch, blelloch_padded or subgroup.");
    }
}

}  // namespace
}  // namespace upsweep::test
