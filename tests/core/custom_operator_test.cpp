// Operators of a user's own: what is refused before a compiler sees it, and on which line.
#include "tests/core/requests.h"
#include "upsweep/compact/compact.h"
#include "upsweep/core/user_wgsl.h"
#include "upsweep/core/wgsl_lexer.h"
#include "upsweep/reduce/reduce.h"

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

const std::string combine = "fn combine(a: T, b: T) -> T { return a; }";

// The sentence with which the text is refused, without its "operator 'op', "; empty if it is taken.
std::string refusal(const std::string& wgsl, const std::string& identity = "") {
    const auto op = Operator::custom({.name = "op", .wgsl = wgsl, .identity = identity});
    if (op) return "";
    EXPECT_EQ(op.error().code, ErrorCode::invalid_argument);
    const std::string& message = op.error().message;
    for (const std::string head : {"operator 'op', ", "The identity of operator 'op', "}) {
        if (message.starts_with(head)) return message.substr(head.size());
    }
    ADD_FAILURE() << message << " does not name the operator";
    return message;
}

TEST(CustomOperator, TakesFunctionsAndWhatTheyNeed) {
    for (const std::string& wgsl : std::vector<std::string>{
             combine, "// a comment }\n" + combine, combine + "/* { /* nested } */ */",
             "const limit: u32 = 7u;\nalias W = vec2<u32>;\nstruct Pair { low: u32, high: u32, }\n"
             "fn helper(x: T) -> T { if (x == T()) { return x; } return x; }\n" +
                 combine,
             "fn combine(a: T, b: T) -> T {\n    var x = array<u32, 4>(); x[0] = a[1]; return f(x); }",
             "@must_use fn helper() -> u32 { return 1u; }\n" + combine,
             "@diagnostic(off, derivative_uniformity) fn helper() {}\n" + combine,
             // The kernels' names are free inside functions.
             "fn combine(dst: T, count: T) -> T { let src = dst; var row = count; return src; }",
             "const_assert 1 < 2;\n" + combine, combine + "\r\n", "\t" + combine + ";;"}) {
        EXPECT_EQ(refusal(wgsl), "") << wgsl;
    }
    const Operator op =
        *Operator::custom({.name = "op", .wgsl = combine, .identity = "0u", .commutative = true});
    EXPECT_TRUE(op.is_custom() && op.has_identity() && op.commutative());
    EXPECT_EQ(op.name(), "op");
    EXPECT_EQ(op.wgsl(), combine);
    EXPECT_EQ(op.identity(), "0u");
    EXPECT_FALSE(Operator::custom({.name = "op", .wgsl = combine})->has_identity());
}

TEST(CustomOperator, NeedsAFunctionCombine) {
    const std::string sentence =
        "line 1: there is no function 'combine'; declare fn combine(a: T, b: T) -> T.";
    for (const std::string wgsl :
         {"", "  \n", "fn combined(a: T, b: T) -> T { return a; }", "// fn combine() {}",
          "const combine = 1u;", "fn f() { fn combine() {} }", "struct combine { a: u32 }"}) {
        EXPECT_EQ(refusal(wgsl), sentence) << wgsl;
    }
}

TEST(CustomOperator, CannotBreakOutOfItsBraces) {
    EXPECT_EQ(refusal("fn combine(a: T, b: T) -> T {\n return a; }\n}\nfn f() {"),
              "line 3: the '}' closes nothing that was opened in this text; remove it.");
    EXPECT_EQ(refusal("} " + combine + " fn f() {"),
              "line 1: the '}' closes nothing that was opened in this text; remove it.");
    EXPECT_EQ(refusal(combine + "\nfn f(\n}"),
              "line 3: the '}' closes nothing that was opened in this text; remove it.");
    EXPECT_EQ(refusal(combine + "\n)"),
              "line 2: the ')' closes nothing that was opened in this text; remove it.");
    EXPECT_EQ(refusal(combine + "]"),
              "line 1: the ']' closes nothing that was opened in this text; remove it.");
    EXPECT_EQ(refusal("\nfn combine(a: T, b: T) -> T { return a;"),
              "line 2: the '{' is never closed; add a '}'.");
    EXPECT_EQ(refusal(combine + "\n\nconst x = ("), "line 3: the '(' is never closed; add a ')'.");
    EXPECT_EQ(refusal(combine + "const x = y["), "line 1: the '[' is never closed; add a ']'.");
    EXPECT_EQ(refusal("fn combine(a: T, b: T) -> T { // }"), "line 1: the '{' is never closed; add a '}'.");
}

TEST(CustomOperator, CannotSwallowTheKernelInAComment) {
    const std::string end = ": the comment that begins here has no end; close it with */.";
    EXPECT_EQ(refusal(combine + "\n/* open"), "line 2" + end);
    EXPECT_EQ(refusal(combine + "\n/* /* */\n\n"), "line 2" + end);
    EXPECT_EQ(refusal("/*/ " + combine), "line 1" + end);
    EXPECT_EQ(refusal(combine + "/*"), "line 1" + end);
    EXPECT_EQ(refusal(combine + "/* *"), "line 1" + end);
    EXPECT_EQ(refusal(combine, "0u /*"), "line 1" + end);
}

// WGSL ends a comment at each of its line breaks, of which '\n' is one: what follows the others is code.
TEST(CustomOperator, CannotHideCodeBehindAnotherLineBreak) {
    for (const std::string line_break : {"\r", "\v", "\f", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
        const std::string wgsl =
            "fn combine(a: T, b: T) -> T { return a; // " + line_break + " } fn f() { return;\n}";
        EXPECT_NE(refusal(wgsl), "") << "the byte " << static_cast<int>(line_break.back());
    }
}

TEST(CustomOperator, HasNoDirectives) {
    const auto sentence = [](int line, const std::string& word) {
        return "line " + std::to_string(line) + ": the directive '" + word +
               "' has no place here; the library writes what the device needs.";
    };
    EXPECT_EQ(refusal("enable f16;\n" + combine), sentence(1, "enable"));
    EXPECT_EQ(refusal(combine + "\n\nrequires x;"), sentence(3, "requires"));
    EXPECT_EQ(refusal("// a\ndiagnostic(off, y);\n" + combine), sentence(2, "diagnostic"));
    EXPECT_EQ(refusal(combine + "\n#import thread"),
              "line 2: the character '#' is not part of WGSL; remove it.");
    EXPECT_EQ(refusal(combine + "\n${T}"), "line 2: the character '$' is not part of WGSL; remove it.");
    EXPECT_EQ(refusal(combine + "\x01"), "line 1: the byte 1 is not part of WGSL; remove it.");
    EXPECT_EQ(refusal("\n\"" + combine), "line 2: the character '\"' is not part of WGSL; remove it.");
    EXPECT_EQ(refusal(combine + std::string("\n\0", 2)),
              "line 2: the byte 0 is not part of WGSL; remove it.");
}

TEST(CustomOperator, HasNoEntryPointsAndNoBindings) {
    for (const std::string name :
         {"compute", "vertex", "fragment", "group", "binding", "workgroup_size", "id", "builtin"}) {
        for (const std::string at : {"@", "@ ", "@/**/"}) {
            EXPECT_EQ(refusal(combine + "\n" + at + name + " fn f() {}"),
                      "line 2: '@" + name + "' has no place here; an operator is plain functions.");
        }
    }
    for (const std::string space : {"private", "workgroup", "storage", "uniform"}) {
        EXPECT_EQ(refusal("\n\nvar<" + space + "> x: u32;\n" + combine),
                  "line 3: a variable in the address space '" + space +
                      "' has no place here; an operator depends on its operands only.");
    }
}

TEST(CustomOperator, CannotDeclareTheLibrarysNames) {
    const auto sentence = [](int line, const std::string& name) {
        return "line " + std::to_string(line) + ": the name '" + name +
               "' is one of the library's own; choose another.";
    };
    EXPECT_EQ(refusal("fn join(a: T) {}\n" + combine), sentence(1, "join"));
    EXPECT_EQ(refusal(combine + "\nstruct\nThread { a: u32 }"), sentence(3, "Thread"));
    EXPECT_EQ(refusal(combine + "\n\nconst BLOCK = 1u;"), sentence(3, "BLOCK"));
    EXPECT_EQ(refusal(combine + "\nalias Row = u32;"), sentence(2, "Row"));
    EXPECT_EQ(refusal(combine + "\nfn wide_add() {}"), sentence(2, "wide_add"));
    EXPECT_EQ(refusal(combine + "\nfn scan_tiles() {}"), sentence(2, "scan_tiles"));
    EXPECT_EQ(refusal(combine + "\nfn checked_combine() {}"), sentence(2, "checked_combine"));
}

// Kernels of reductions and compactions by each strategy.
void for_each_other_kernel(const std::function<void(const KernelSpec&)>& visit) {
    DeviceCaps caps = capable_device();
    const auto take = [&](const Result<Plan>& plan) {
        if (!plan) return;  // Not every block scan goes with every strategy.
        for (const Step& step : plan->steps) visit(step.spec);
    };
    for (const BlockScan block_scan : block_scans) {
        for (const ReduceStrategy strategy : {ReduceStrategy::two_pass, ReduceStrategy::last_arrival})
            take(plan_reduce({.count = 1U << 20U, .strategy = strategy, .block_scan = block_scan}, caps));
        for (const CompactStrategy strategy : {CompactStrategy::reduce_then_scan, CompactStrategy::lookback,
                                               CompactStrategy::lookback_then_rest}) {
            CompactDesc desc;
            desc.keep = "fn keep(x: T, i: u32) -> bool { return true; }";
            desc.count = 1U << 20U;
            desc.strategy = strategy;
            desc.block_scan = block_scan;
            take(plan_compact(desc, caps));
        }
    }
}

// All names that modules declare at module scope, whatever the request.
std::set<std::string> names_in_modules(bool declared) {
    std::set<std::string> all_declared;
    std::set<std::string> all_called;
    std::set<std::string> seen;
    const auto look = [&](const KernelSpec& spec) {
        // The text depends on little of the spec; a user's own text is not the library's.
        std::string kind = spec.kernel + to_string(spec.block_scan) +
                           std::to_string(static_cast<int>(spec.subgroups)) + std::to_string(spec.vec) +
                           std::to_string(static_cast<int>(spec.vector_io)) + spec.op.name();
        for (const auto& [name, value] : spec.flags) kind += value ? name : "";
        if (spec.type.is_struct() || !seen.insert(kind).second) return;
        const auto module = expand(spec);
        if (!module) {
            ADD_FAILURE() << module.error().message;
            return;
        }
        const auto tokens = lex_wgsl(module->wgsl, "module");
        int depth = 0;
        for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
            const std::string_view word = (*tokens)[i].text;
            if (word == "{" || word == "(") ++depth;
            if (word == "}" || word == ")") --depth;
            const bool member = i > 0 && (*tokens)[i - 1].text == ".";
            const bool attribute = i > 0 && (*tokens)[i - 1].text == "@";
            if ((*tokens)[i].is_word() && (*tokens)[i + 1].text == "(" && !member && !attribute && depth > 0)
                all_called.emplace(word);
            if (depth != 0 ||
                (word != "fn" && word != "struct" && word != "alias" && word != "const" && word != "var"))
                continue;
            std::size_t at = i + 1;
            if ((*tokens)[at].text == "<") {
                while ((*tokens)[at].text != ">") ++at;
                ++at;
            }
            all_declared.emplace((*tokens)[at].text);
        }
    };
    for_each_kernel(look);
    for_each_other_kernel(look);
    if (declared) return all_declared;
    for (const std::string& name : all_declared) all_called.erase(name);
    for (const char* keyword : {"if", "for", "while", "return", "switch"}) all_called.erase(keyword);
    return all_called;
}

// Those that an operator may declare all the same.
std::string taken_among(const std::set<std::string>& names) {
    std::string taken;
    for (const std::string& name : names) {
        if (name == "combine" || name == "keep") continue;  // The user's own.
        if (refusal(combine + "\nfn " + name + "() {}").empty()) taken += " " + name;
    }
    return taken;
}

TEST(CustomOperator, CannotDeclareAnyNameThatAModuleDeclares) {
    const std::set<std::string> names = names_in_modules(true);
    EXPECT_GT(names.size(), 60U);
    EXPECT_EQ(taken_among(names), "");
}

// WGSL lets a module declare `fn select`, and then the kernels' own calls of select() mean that one.
TEST(CustomOperator, CannotReplaceABuiltInFunctionThatTheKernelsCall) {
    const std::set<std::string> names = names_in_modules(false);
    EXPECT_TRUE(names.contains("select") && names.contains("min") && names.contains("workgroupBarrier"));
    EXPECT_EQ(taken_among(names), "");
}

TEST(CustomOperator, AnIdentityIsOneExpression) {
    for (const char* identity : {"0u", "Mat(1u, 0u, 0u, 1u)", "vec2<u32>(0u, 0u)", "-1.0e-3", "f(a[0], (1u))",
                                 " 0u ", "T()", "a.b", "1u << 3u"})
        EXPECT_EQ(refusal(combine, identity), "") << identity;
    EXPECT_EQ(refusal(combine, "0u; }"),
              "line 1: the '}' closes nothing that was opened in this text; remove it.");
    EXPECT_EQ(refusal(combine, "0u;"), "line 1: ';' cannot stand in an expression.");
    EXPECT_EQ(refusal(combine, "0u\n;"), "line 2: ';' cannot stand in an expression.");
    EXPECT_EQ(refusal(combine, "{ }"), "line 1: '{' cannot stand in an expression.");
    EXPECT_EQ(refusal(combine, "@compute"), "line 1: '@' cannot stand in an expression.");
    EXPECT_EQ(refusal(combine, "f(0u"), "line 1: the '(' is never closed; add a ')'.");
    EXPECT_EQ(refusal(combine, "0u) + (1u"),
              "line 1: the ')' closes nothing that was opened in this text; remove it.");
    EXPECT_EQ(refusal(combine, "0u // zero"), "line 1: a comment cannot stand in an expression.");
    EXPECT_EQ(refusal(combine, "/* zero */ 0u"), "line 1: a comment cannot stand in an expression.");
    EXPECT_EQ(refusal(combine, " \n "), "line 1: the expression is empty.");
    EXPECT_EQ(refusal(combine, "// nothing"), "line 1: the expression is empty.");
    EXPECT_EQ(refusal(combine, "\n\"zero\""), "line 2: the character '\"' is not part of WGSL; remove it.");
}

TEST(CustomOperator, TheTextIsCheckedBeforeTheIdentity) {
    const auto op = Operator::custom({.name = "op", .wgsl = "}", .identity = ";"});
    EXPECT_TRUE(op.error().message.starts_with("operator 'op', line 1: ")) << op.error().message;
    const auto identity = Operator::custom({.name = "op", .wgsl = combine, .identity = ";"});
    EXPECT_TRUE(identity.error().message.starts_with("The identity of operator 'op', line 1: "));
}

TEST(CustomOperator, WorksOnTheCpuIfItCameWithThat) {
    const Operator without = *Operator::custom({.name = "op", .wgsl = combine, .identity = "0u"});
    EXPECT_EQ(without.cpu(types::u32).error().code, ErrorCode::unsupported);
    EXPECT_EQ(without.cpu(types::u32).error().message,
              "The operator 'op' was given without its CPU function; set CustomOperator::cpu.");
    EXPECT_EQ(
        without.cpu_identity(types::u64).error().message,
        "The identity of operator 'op' is not known on the CPU; set CustomOperator::cpu_identity to the 8 "
        "bytes of one element.");
    bool called = false;
    const Operator with =
        *Operator::custom({.name = "op",
                           .wgsl = combine,
                           .identity = "0u",
                           .cpu = [&](const std::byte*, const std::byte*, std::byte*) { called = true; },
                           .cpu_identity = std::vector<std::byte>(4)});
    (*with.cpu(types::u32))(nullptr, nullptr, nullptr);
    EXPECT_TRUE(called);
    EXPECT_EQ(with.cpu_identity(types::u32)->size(), 4U);
    EXPECT_FALSE(with.cpu_identity(types::u64).has_value()) << "four bytes are not an element of eight";
    EXPECT_FALSE(take_right().cpu_identity(types::u32).has_value());
}

TEST(UserWgsl, FindsTheLineOfAFunction) {
    EXPECT_EQ(line_of_function("fn f() {}\n// fn g\n/*\nfn g */ fn\ng() {}", "g"), 4U);
    EXPECT_EQ(line_of_function("fn f() {}", "f"), 1U);
    EXPECT_EQ(line_of_function("\nfn f() {}", "gone"), 1U);
    EXPECT_EQ(line_of_function("/* open", "f"), 1U);
}

}  // namespace
}  // namespace upsweep::test
