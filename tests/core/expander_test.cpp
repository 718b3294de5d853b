// The expander's #import and #if: what they leave, the line map, and every error with its file and line.
#include "tests/core/holds.h"
#include "tests/core/template_files.h"

namespace upsweep::test {
namespace {

using Files = std::map<std::string, std::string>;

TemplateValues flags(std::map<std::string, bool> values) {
    TemplateValues all;
    all.flags = std::move(values);
    return all;
}

TEST(Expander, PassesOrdinaryLinesOnAsTheyAre) {
    const std::string text = "// ${no} macro\n\n  let a = b; // # not a directive\r\n\tfn f() {}\n";
    EXPECT_EQ(expanded(text), text);
    EXPECT_EQ(expanded("no newline at the end"), "no newline at the end\n");
    EXPECT_EQ(expanded(""), "");
}

TEST(Expander, ImportsAFileInPlaceAndOnce) {
    const Files files{{"main", "before\n#import a\nbetween\n#import b\n  #import a\nafter\n"},
                      {"a", "text of a\n"},
                      {"b", "#import a\ntext of b\n"}};
    EXPECT_EQ(expanded(files), "before\ntext of a\nbetween\ntext of b\nafter\n");
}

TEST(Expander, MapsEveryLineToItsFile) {
    const auto lines =
        expand_files({{"main", "one\n#import a\n#if F\nnot this\n#else\nsix\n#endif\neight"}, {"a", "\nA2"}},
                     flags({{"F", false}}));
    ASSERT_TRUE(lines.has_value());
    EXPECT_EQ(origins(*lines), "main.wgsl:1 a.wgsl:1 a.wgsl:2 main.wgsl:6 main.wgsl:8");
}

TEST(Expander, ChoosesByFlag) {
    const std::string text = "#if A\na\n#else\nnot a\n#endif\n#if !A\nno a\n#endif\n";
    EXPECT_EQ(expanded(text, flags({{"A", true}})), "a\n");
    EXPECT_EQ(expanded(text, flags({{"A", false}})), "not a\nno a\n");
}

TEST(Expander, DirectivesMayBeIndentedAndEndInCarriageReturns) {
    EXPECT_EQ(expanded("  #if A\r\na\r\n\t#else\r\nb\r\n #endif\r\n", flags({{"A", false}})), "b\r\n");
}

TEST(Expander, ImportsOnlyInLiveBranches) {
    const Files files{
        {"main", "#if A\n#import a\n#else\n#import b\n#endif\n#import b\n"}, {"a", "a\n"}, {"b", "b\n"}};
    EXPECT_EQ(expanded(files, flags({{"A", true}})), "a\nb\n");
    EXPECT_EQ(expanded(files, flags({{"A", false}})), "b\n");
}

TEST(Expander, FilesThatImportEachOtherInDeadBranchesAreNoCycle) {
    const Files files{{"main", "#import a\nmain\n"}, {"a", "#if A\n#import main\n#endif\na\n"}};
    EXPECT_EQ(expanded(files, flags({{"A", false}})), "a\nmain\n");
    EXPECT_EQ(expanded(files, flags({{"A", true}})),
              "ERROR a.wgsl, line 2: 'main' imports itself, directly or through another file.");
}

TEST(Expander, TheErrorsOfImports) {
    EXPECT_EQ(expanded("\n#import nothing\n"),
              "ERROR main.wgsl, line 2: there is no file 'nothing.wgsl' to import.");
    EXPECT_EQ(expanded(Files{{"other", ""}}),
              "ERROR request, line 1: there is no file 'main.wgsl' to import.");
    EXPECT_EQ(expanded("#import main\n"),
              "ERROR main.wgsl, line 1: 'main' imports itself, directly or through another file.");
    EXPECT_EQ(expanded(Files{{"main", "#import a\n"}, {"a", "\n\n#import b\n"}, {"b", "x\n#import a\n"}}),
              "ERROR b.wgsl, line 2: 'a' imports itself, directly or through another file.");
    EXPECT_EQ(expanded(Files{{"main", "#import a\n"}, {"a", "\n#import gone\n"}}),
              "ERROR a.wgsl, line 2: there is no file 'gone.wgsl' to import.");
    EXPECT_EQ(expanded("#import two words\n"), "ERROR main.wgsl, line 1: 'two words' is not a file's name.");
    EXPECT_EQ(expanded("#import\n"), "ERROR main.wgsl, line 1: '' is not a file's name.");
    EXPECT_EQ(expanded("#import \"main\"\n"), "ERROR main.wgsl, line 1: '\"main\"' is not a file's name.");
    EXPECT_EQ(expanded("#import 1a\n"), "ERROR main.wgsl, line 1: '1a' is not a file's name.");
}

TEST(Expander, TheErrorsOfConditions) {
    const TemplateValues values = flags({{"A", true}});
    EXPECT_EQ(expanded("\n#if B\n#endif\n", values),
              "ERROR main.wgsl, line 2: 'B' is not a flag of this kernel.");
    EXPECT_EQ(expanded("#if !B\n#endif\n", values),
              "ERROR main.wgsl, line 1: 'B' is not a flag of this kernel.");
    EXPECT_EQ(expanded("#if\n#endif\n", values), "ERROR main.wgsl, line 1: '' is not a flag of this kernel.");
    EXPECT_EQ(expanded("#if A && A\n#endif\n", values),
              "ERROR main.wgsl, line 1: 'A && A' is not a flag of this kernel.");
    EXPECT_EQ(expanded("x\n#if A\n#if A\n#endif\n", values),
              "ERROR main.wgsl, line 2: this #if has no #endif.");
    EXPECT_EQ(expanded("\n\n#endif\n", values), "ERROR main.wgsl, line 3: #endif without an #if before it.");
    EXPECT_EQ(expanded("#else\n", values), "ERROR main.wgsl, line 1: #else without an #if before it.");
    EXPECT_EQ(expanded("#if A\n#else\n#else\n#endif\n", values),
              "ERROR main.wgsl, line 3: a second #else for the same #if.");
    EXPECT_EQ(expanded("#if A\n#endif A\n", values),
              "ERROR main.wgsl, line 2: #endif takes nothing behind it.");
    EXPECT_EQ(expanded("#if A\n#else if\n#endif\n", values),
              "ERROR main.wgsl, line 2: #else takes nothing behind it.");
}

// A condition that no request reaches today must not be able to hide a mistake.
TEST(Expander, ConditionsInDeadBranchesAreCheckedToo) {
    const TemplateValues values = flags({{"A", false}});
    EXPECT_EQ(expanded("#if A\n#if TYPO\n#endif\n#endif\n", values),
              "ERROR main.wgsl, line 2: 'TYPO' is not a flag of this kernel.");
    EXPECT_EQ(expanded("#if A\n#pragma\n#endif\n", values),
              "ERROR main.wgsl, line 2: '#pragma' is not a directive; there are #import, #if, #else, #endif "
              "and #unroll.");
    EXPECT_EQ(expanded("#if A\n#unroll 4\n#endif\n", values),
              "ERROR main.wgsl, line 2: #unroll takes nothing behind it.");
}

TEST(Expander, AnIfEndsInTheFileWhereItBegan) {
    EXPECT_EQ(expanded(Files{{"main", "#import a\n#endif\n"}, {"a", "\n#if A\n"}}, flags({{"A", true}})),
              "ERROR a.wgsl, line 2: this #if has no #endif.");
    EXPECT_EQ(
        expanded(Files{{"main", "#if A\n#import a\n#endif\n"}, {"a", "#endif\n"}}, flags({{"A", true}})),
        "ERROR a.wgsl, line 1: #endif without an #if before it.");
}

TEST(Expander, UnknownDirectivesAreErrors) {
    for (const char* name :
         {"#define", "#ifdef", "#elif", "#include", "#", "#unrolled", "#IF", "#import\ta"}) {
        EXPECT_EQ(expanded("\n" + std::string(name) + " A\n"),
                  "ERROR main.wgsl, line 2: '" + std::string(name) +
                      "' is not a directive; there are #import, #if, #else, #endif and #unroll.");
    }
}

TEST(Expander, EveryErrorIsAnInvalidArgument) {
    const auto lines = expand_files({{"main", "#import nothing\n"}});
    ASSERT_FALSE(lines.has_value());
    EXPECT_EQ(lines.error().code, ErrorCode::invalid_argument);
}

// Writes a random nest of conditions and, beside it, the lines that are left of it by the flags' values.
struct Nest {
    const std::vector<bool>& values;
    int depth = 0;
    int number = 0;
    std::string text, left;

    void lines(bool live) {
        for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
            const std::string line = "line " + std::to_string(++number) + "\n";
            text += line;
            if (live) left += line;
            if (depth < 4 && *rc::gen::arbitrary<bool>()) condition(live);
        }
    }

    void condition(bool live) {
        const auto flag = *rc::gen::inRange<std::size_t>(0, values.size());
        const bool negated = *rc::gen::arbitrary<bool>();
        const bool holds = values[flag] != negated;
        ++depth;
        text += std::string("#if ") + (negated ? "!" : "") + "F" + std::to_string(flag) + "\n";
        lines(live && holds);
        if (*rc::gen::arbitrary<bool>()) {
            text += "#else\n";
            lines(live && !holds);
        }
        text += "#endif\n";
        --depth;
    }
};

TEST(Expander, NestedConditionsLeaveExactlyTheLiveLines) {
    EXPECT_TRUE(holds([] {
        const auto values = *rc::gen::container<std::vector<bool>>(3, rc::gen::arbitrary<bool>());
        TemplateValues given;
        for (std::size_t f = 0; f < values.size(); ++f) given.flags["F" + std::to_string(f)] = values[f];
        Nest nest{values, 0, 0, {}, {}};
        for (int i = 0; i < 3; ++i) {
            nest.condition(true);
            nest.lines(true);
        }
        RC_ASSERT(expanded(nest.text, given) == nest.left);
    }));
}

}  // namespace
}  // namespace upsweep::test
