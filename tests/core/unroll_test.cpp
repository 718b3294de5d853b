// The expander's #unroll: the copies, the split arrays, the same text with loops, and every error.
#include "tests/core/holds.h"
#include "tests/core/template_files.h"

namespace upsweep::test {
namespace {

TemplateValues bounds(std::map<std::string, std::uint32_t> constants, bool unroll = true) {
    TemplateValues values;
    values.constants = std::move(constants);
    values.unroll = unroll;
    return values;
}

const TemplateValues unrolled = bounds({{"ROWS", 2}, {"STEPS", 3}});
const TemplateValues loops = bounds({{"ROWS", 2}, {"STEPS", 3}}, false);

// The lines of a loop over k < ROWS around `body`.
std::string loop_over_rows(const std::string& body) {
    return "#unroll\nfor (var k = 0u; k < ROWS; k++) {\n" + body + "}\n";
}

TEST(Unroll, CopiesTheBodyForEachIndex) {
    EXPECT_EQ(expanded("a\n" + loop_over_rows("    f(k);\n") + "b\n", unrolled),
              "a\n{\n    f(0u);\n}\n{\n    f(1u);\n}\nb\n");
    EXPECT_EQ(expanded(loop_over_rows("f(k);\n"), bounds({{"ROWS", 0}})), "");
}

TEST(Unroll, WithLoopsOnlyTheDirectiveGoes) {
    EXPECT_EQ(expanded("a\n  " + loop_over_rows("    f(k);\n") + "b\n", loops),
              "a\nfor (var k = 0u; k < ROWS; k++) {\n    f(k);\n}\nb\n");
    const std::string arrays = "var<private> x: array<R, ROWS>;\nx[k + 1u] = R();\n";
    EXPECT_EQ(expanded(arrays, loops), arrays);
}

TEST(Unroll, TakesTheLoopWithAnySpacesAndAComment) {
    EXPECT_EQ(expanded("\t#unroll\n  for(var k=0u;k<ROWS;k++){ // rows\r\n  f(k);\n  } // rows\n", unrolled),
              "{\n  f(0u);\n}\n{\n  f(1u);\n}\n");
}

TEST(Unroll, ReplacesWholeWordsOnly) {
    EXPECT_EQ(expanded(loop_over_rows("k kk k2 _k k_ fork k-k k(k) 2k;\n"), bounds({{"ROWS", 1}})),
              "{\n0u kk k2 _k k_ fork 0u-0u 0u(0u) 2k;\n}\n");
}

TEST(Unroll, LeavesMembersAndCommentsAlone) {
    EXPECT_EQ(expanded(loop_over_rows("p.k = k; // k and x[k]\n// only k\n"), bounds({{"ROWS", 1}})),
              "{\np.k = 0u; // k and x[k]\n// only k\n}\n");
}

TEST(Unroll, MapsEachCopyToItsLine) {
    const auto lines = expand_files({{"main", "a\n" + loop_over_rows("f(k);\ng(k);\n") + "b\n"}}, unrolled);
    ASSERT_TRUE(lines.has_value());
    EXPECT_EQ(
        origins(*lines),
        "main.wgsl:1 main.wgsl:3 main.wgsl:4 main.wgsl:5 main.wgsl:6 main.wgsl:3 main.wgsl:4 main.wgsl:5 "
        "main.wgsl:6 main.wgsl:7");
}

TEST(Unroll, NestsInsideAnOrdinaryBlockAndInsideItself) {
    const std::string text =
        "#unroll\nfor (var i = 0u; i < ROWS; i++) {\nif (a) {\n#unroll\nfor (var j = 0u; j < STEPS; j++) {\n"
        "f(i, j);\n}\n}\n}\n";
    EXPECT_EQ(expanded(text, unrolled),
              "{\nif (a) {\n{\nf(0u, 0u);\n}\n{\nf(0u, 1u);\n}\n{\nf(0u, 2u);\n}\n}\n}\n"
              "{\nif (a) {\n{\nf(1u, 0u);\n}\n{\nf(1u, 1u);\n}\n{\nf(1u, 2u);\n}\n}\n}\n");
    EXPECT_EQ(expanded(text, loops),
              "for (var i = 0u; i < ROWS; i++) {\nif (a) {\nfor (var j = 0u; j < STEPS; j++) {\n"
              "f(i, j);\n}\n}\n}\n");
}

TEST(Unroll, CopiesAnOrdinaryLoopInsideWhole) {
    EXPECT_EQ(expanded(loop_over_rows("for (var j = k; j < n; j++) {\nf(j, k);\n}\n"), bounds({{"ROWS", 1}})),
              "{\nfor (var j = 0u; j < n; j++) {\nf(j, 0u);\n}\n}\n");
}

// Every statement of every copy, in the order in which the loops would run.
struct RandomLoops {
    std::string text;
    std::vector<std::uint32_t> bound;
    std::vector<std::string> expected;

    RandomLoops() {
        bound = *rc::gen::container<std::vector<std::uint32_t>>(*rc::gen::inRange(1, 4),
                                                                rc::gen::inRange(1U, 5U));
        for (std::size_t d = 0; d < bound.size(); ++d) {
            const std::string name = "i" + std::to_string(d);
            text += "#unroll\nfor (var " + name + " = 0u; " + name + " < N" + std::to_string(d) + "; " +
                    name + "++) {\n" + statement(d, "before") + "\n";
        }
        for (std::size_t d = bound.size(); d-- > 0;) text += statement(d, "after") + "\n}\n";
        run(0, {});
    }

    // i0 to i<depth>, as names or with the values given.
    static std::string statement(std::size_t depth, const std::string& name,
                                 const std::vector<std::string>& values = {}) {
        std::string call = name + std::to_string(depth) + "(";
        for (std::size_t d = 0; d <= depth; ++d)
            call += (values.empty() ? "i" + std::to_string(d) : values[d]) + ",";
        return call + ");";
    }

    void run(std::size_t depth, std::vector<std::string> values) {
        if (depth == bound.size()) return;
        values.emplace_back();
        for (std::uint32_t i = 0; i < bound[depth]; ++i) {
            values.back() = std::to_string(i) + "u";
            expected.push_back(statement(depth, "before", values));
            run(depth + 1, values);
            expected.push_back(statement(depth, "after", values));
        }
    }
};

TEST(Unroll, RunsEveryStatementOfNestedLoopsInTheirOrder) {
    EXPECT_TRUE(holds([] {
        const RandomLoops nest;
        TemplateValues values;
        for (std::size_t d = 0; d < nest.bound.size(); ++d)
            values.constants["N" + std::to_string(d)] = nest.bound[d];
        const auto lines = expand_files({{"main", nest.text}}, values);
        RC_ASSERT(lines.has_value());
        std::vector<std::string> statements;
        for (const Line& line : *lines) {
            if (line.text != "{" && line.text != "}") statements.push_back(line.text);
        }
        RC_ASSERT(statements == nest.expected);
    }));
}

TEST(Unroll, SplitsPrivateArraysIntoVariables) {
    EXPECT_EQ(expanded("var<private> x: array<R, ROWS>; // rows\nvar<private> y: array<vec2<u32>, ROWS>;\n" +
                           loop_over_rows("x[k] = f(y[k], x[k].k, k);\n"),
                       unrolled),
              "var<private> x_0: R;\nvar<private> x_1: R;\n"
              "var<private> y_0: vec2<u32>;\nvar<private> y_1: vec2<u32>;\n"
              "{\nx_0 = f(y_0, x_0.k, 0u);\n}\n{\nx_1 = f(y_1, x_1.k, 1u);\n}\n");
}

TEST(Unroll, SplitsArraysThatAreDeclaredBehindTheirUse) {
    EXPECT_EQ(
        expanded(loop_over_rows("f(x[k]);\n") + "var<private> x: array<R, ROWS>;\n", bounds({{"ROWS", 1}})),
        "{\nf(x_0);\n}\nvar<private> x_0: R;\n");
}

TEST(Unroll, LeavesOtherVariablesAlone) {
    for (const std::string text : {"var<workgroup> x: array<R, ROWS>;\n", "var<private> x: R;\n",
                                   "    var x: array<R, ROWS>;\n", "// var<private> x: array<R, ROWS>;\n"}) {
        EXPECT_EQ(expanded(text + "f(x[0]);\n", unrolled), text + "f(x[0]);\n");
    }
}

TEST(Unroll, ASplitArrayCannotBeUsedAsAWhole) {
    const std::string array = "var<private> x: array<R, ROWS>;\n";
    const std::string sentence =
        ": 'x' is an array of per-thread variables; outside an unrolled loop over its length it cannot be "
        "used.";
    EXPECT_EQ(expanded(array + "f(x[1]);\n", unrolled), "ERROR main.wgsl, line 2" + sentence);
    EXPECT_EQ(expanded(array + "\nf(&x);\n", unrolled), "ERROR main.wgsl, line 3" + sentence);
    EXPECT_EQ(expanded(array + loop_over_rows("\nx[k + 1u] = x[k];\n"), unrolled),
              "ERROR main.wgsl, line 5" + sentence);
    EXPECT_EQ(expanded(array + loop_over_rows("f(x[0]);\n"), unrolled), "ERROR main.wgsl, line 4" + sentence);
    EXPECT_EQ(expanded(array + "for (var k = 0u; k < ROWS; k++) {\nx[k] = R();\n}\n", unrolled),
              "ERROR main.wgsl, line 3" + sentence);
}

TEST(Unroll, ASplitArrayMayBeNamedInCommentsAndInsideOtherWords) {
    const std::string array = "var<private> x: array<R, ROWS>;\n";
    EXPECT_EQ(expanded(array + "f(xx, x_, tx); // x is gone\n", bounds({{"ROWS", 1}})),
              "var<private> x_0: R;\nf(xx, x_, tx); // x is gone\n");
}

// x_2 does not exist when the array has two elements.
TEST(Unroll, ASplitArrayCannotBeUsedInALongerLoop) {
    const std::string text =
        "var<private> x: array<R, ROWS>;\n#unroll\nfor (var k = 0u; k < STEPS; k++) {\nf(x[k]);\n}\n";
    EXPECT_EQ(expanded(text, unrolled).substr(0, 5), "ERROR") << expanded(text, unrolled);
}

// `s.x[k]` is a member of s that happens to have the array's name.
TEST(Unroll, AMemberWithTheNameOfASplitArrayIsNotSplit) {
    const std::string result =
        expanded("var<private> x: array<R, ROWS>;\n" + loop_over_rows("f(s.x[k]);\n"), bounds({{"ROWS", 1}}));
    EXPECT_EQ(result.find("s.x_0"), std::string::npos) << result;
}

TEST(Unroll, TheErrorsOfTheLoop) {
    const std::string form = "#unroll stands above a line of the form for (var k = 0u; k < BOUND; k++) {";
    for (const char* line :
         {"while (true) {", "for (var k = 1u; k < ROWS; k++) {", "for (var k = 0u; k <= ROWS; k++) {",
          "for (var k = 0u; k < ROWS; k += 2u) {", "for (var k = 0u; j < ROWS; k++) {",
          "for (var k = 0u; k < ROWS * 2u; k++) {", "for (var k = 0u; k < 4u; k++) {",
          "for (var k: u32 = 0u; k < ROWS; k++) {", "for (var k = 0u; k < ROWS; j++) {",
          "for (let k = 0u; k < ROWS; k++) {", "for (var k = 0u; k < ROWS; k++) { f(k); }", ""}) {
        for (const TemplateValues& values : {unrolled, loops}) {
            EXPECT_EQ(expanded("\n#unroll\n" + std::string(line) + "\n}\n", values),
                      "ERROR main.wgsl, line 2: " + form)
                << line;
        }
    }
    EXPECT_EQ(expanded("#unroll\n", unrolled), "ERROR main.wgsl, line 1: " + form);
    EXPECT_EQ(expanded("#unroll\n#unroll\nfor (var k = 0u; k < ROWS; k++) {\n}\n", unrolled),
              "ERROR main.wgsl, line 1: " + form);
    EXPECT_EQ(expanded("#unroll 4\n", unrolled), "ERROR main.wgsl, line 1: #unroll takes nothing behind it.");
}

TEST(Unroll, TheErrorsOfTheBound) {
    EXPECT_EQ(expanded("#unroll\nfor (var k = 0u; k < N; k++) {\n}\n", unrolled),
              "ERROR main.wgsl, line 1: 'N' is not a constant of this kernel.");
    EXPECT_EQ(expanded("\nvar<private> x: array<R, N>;\n", unrolled),
              "ERROR main.wgsl, line 2: 'N' is not a constant of this kernel.");
    EXPECT_EQ(expanded(loop_over_rows(""), bounds({{"ROWS", 65}})),
              "ERROR main.wgsl, line 1: the bound 'ROWS' is 65; at most 64 copies are made.");
    EXPECT_EQ(expanded("var<private> x: array<R, ROWS>;\n", bounds({{"ROWS", 4000000000}})),
              "ERROR main.wgsl, line 1: the bound 'ROWS' is 4000000000; at most 64 copies are made.");
    EXPECT_EQ(expanded(loop_over_rows("k\n"), bounds({{"ROWS", 64}})).find("ERROR"), std::string::npos);
}

TEST(Unroll, TheErrorsOfTheBody) {
    for (const TemplateValues& values : {unrolled, loops}) {
        for (const char* word : {"break", "continue"}) {
            EXPECT_EQ(expanded(loop_over_rows("a\nif (b) { " + std::string(word) + "; }\n"), values),
                      "ERROR main.wgsl, line 4: break and continue have no place in an unrolled loop.");
        }
        const std::string end = ": the loop must end in a line of its own that holds only '}'.";
        EXPECT_EQ(expanded("#unroll\nfor (var k = 0u; k < ROWS; k++) {\na\n", values),
                  "ERROR main.wgsl, line 2" + end);
        EXPECT_EQ(expanded("#unroll\nfor (var k = 0u; k < ROWS; k++) {\nf(k); }\n", values),
                  "ERROR main.wgsl, line 2" + end);
        EXPECT_EQ(expanded("#unroll\nfor (var k = 0u; k < ROWS; k++) {\n} f();\n", values),
                  "ERROR main.wgsl, line 2" + end);
        EXPECT_EQ(expanded("if (a) {\n#unroll\nfor (var k = 0u; k < ROWS; k++) {\n} }\n", values),
                  "ERROR main.wgsl, line 3" + end);
    }
}

TEST(Unroll, BreakMayStandInCommentsAndInLongerWords) {
    EXPECT_EQ(expanded(loop_over_rows("breaks(); // break\n"), bounds({{"ROWS", 1}})),
              "{\nbreaks(); // break\n}\n");
}

TEST(Unroll, TheInnerLoopNeedsAVariableOfItsOwn) {
    const std::string text = loop_over_rows("#unroll\nfor (var k = 0u; k < STEPS; k++) {\n}\n");
    EXPECT_EQ(expanded(text, unrolled),
              "ERROR main.wgsl, line 3: #unroll stands above a line of the form for (var k = 0u; k < BOUND; "
              "k++) {");
}

}  // namespace
}  // namespace upsweep::test
