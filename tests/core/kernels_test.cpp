// The kernel files and the modules that they become: what can be said of them without a WGSL compiler.
#include "tests/core/requests.h"
#include "upsweep/core/wgsl_lexer.h"
#include "upsweep/core/wgsl_sources.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_set>

#include <gtest/gtest.h>

namespace upsweep::test {
namespace {

TEST(KernelFiles, AreOrdinaryWgslWithoutMacros) {
    ASSERT_FALSE(embedded_wgsl().empty());
    for (const WgslSource& source : embedded_wgsl()) {
        EXPECT_EQ(source.text.find("${"), std::string_view::npos) << source.path;
        EXPECT_EQ(source.text.find("{{"), std::string_view::npos) << source.path;
        EXPECT_EQ(source.text.find("/*"), std::string_view::npos)
            << source.path << ": the expander knows // only";
    }
}

TEST(KernelFiles, AreEmbeddedByteForByteUnderUniqueNamesInTheOrderOfTheirPaths) {
    std::set<std::string_view> names;
    std::string_view previous;
    for (const WgslSource& source : embedded_wgsl()) {
        std::ifstream file(std::string(UPSWEEP_SOURCE_DIR) + "/" + std::string(source.path),
                           std::ios::binary);
        ASSERT_TRUE(file.good()) << source.path;
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_EQ(source.text, text.str()) << source.path;
        EXPECT_TRUE(names.insert(source.name).second) << source.name;
        EXPECT_TRUE(source.path.ends_with("/" + std::string(source.name) + ".wgsl")) << source.path;
        EXPECT_LT(previous, source.path);
        previous = source.path;
    }
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

// The lines of the kernel files, by path.
const std::map<std::string, std::vector<std::string>>& file_lines() {
    static const std::map<std::string, std::vector<std::string>> all = [] {
        std::map<std::string, std::vector<std::string>> lines;
        for (const WgslSource& source : embedded_wgsl())
            lines[std::string(source.path)] = lines_of(std::string(source.text));
        return lines;
    }();
    return all;
}

// Everything that is asked of one module; returns what is wrong, or nothing.
class ModuleCheck {
  public:
    explicit ModuleCheck(const KernelSpec& spec) : spec_(spec) {}

    std::string run() {
        auto module = expand(spec_);
        if (!module) return "does not expand: " + module.error().message;
        module_ = std::move(*module);
        const auto tokens = lex_wgsl(module_.wgsl, "module");
        if (!tokens) return tokens.error().message;
        tokens_ = *tokens;
        for (auto check : {&ModuleCheck::form, &ModuleCheck::brackets, &ModuleCheck::portable,
                           &ModuleCheck::line_map, &ModuleCheck::declared}) {
            if (std::string wrong = (this->*check)(); !wrong.empty()) return wrong;
        }
        return {};
    }

  private:
    std::string form() {
        if (!module_.wgsl.starts_with("// " + spec_.to_string() + "\n"))
            return "does not begin with its spec";
        if (module_.entry_point != spec_.kernel) return "the entry point is " + module_.entry_point;
        if (module_.wgsl.find("fn " + module_.entry_point + "(") == std::string::npos)
            return "no entry point";
        for (const std::string& line : lines_of(module_.wgsl)) {
            const auto first = line.find_first_not_of(" \t");
            if (first != std::string::npos && line[first] == '#') return "a directive is left: " + line;
            if (!line.empty() && line.back() == '\r') return "a carriage return is left: " + line;
        }
        return {};
    }

    std::string brackets() {
        std::string open;
        for (const Token& token : tokens_) {
            const char c = token.text[0];
            if (c == '(' || c == '[' || c == '{') open += c;
            if (c != ')' && c != ']' && c != '}') continue;
            const char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (open.empty() || open.back() != opener)
                return "unbalanced at line " + std::to_string(token.line);
            open.pop_back();
        }
        return open.empty() ? "" : "something is never closed: " + open;
    }

    // What some WebGPU implementation does not take: Safari's workgroup arrays over override constants,
    // naga's pointer parameters and its unknown directive.
    std::string portable() {
        for (const Token& token : tokens_) {
            if (token.text == "override" || token.text == "ptr") return std::string(token.text) + " is used";
            if (token.text == "requires") return "'requires' is used";
        }
        const bool directive = module_.wgsl.find("enable subgroups;") != std::string::npos;
        const bool wanted = spec_.subgroups == SubgroupMode::native && spec_.dialect == Dialect::standard;
        if (directive != wanted) return "enable subgroups is wrong for the dialect";
        const bool half = module_.wgsl.find("enable f16;") != std::string::npos;
        if (half != spec_.type.needs_f16()) return "enable f16 is wrong for the type";
        return {};
    }

    std::string line_map() {
        const std::vector<std::string> lines = lines_of(module_.wgsl);
        if (lines.size() != module_.lines.size())
            return std::to_string(lines.size()) + " lines, and the map has " +
                   std::to_string(module_.lines.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const SourceLine& from = module_.lines[i];
            const auto source = file_lines().find(from.file);
            if (source == file_lines().end()) continue;  // The prelude, or the user's.
            const std::vector<std::string>& original = source->second;
            if (from.line < 1 || from.line > original.size()) return from.file + " has no such line";
            // Unrolled lines differ from theirs by an index.
            if (!spec_.unroll && original[from.line - 1] != lines[i])
                return "'" + lines[i] + "' is not line " + std::to_string(from.line) + " of " + from.file;
        }
        return {};
    }

    static const std::unordered_set<std::string_view>& wgsl_words() {
        static const std::unordered_set<std::string_view> words{
            // the language
            "alias", "array", "atomic", "bool", "compute", "const", "diagnostic", "else", "enable", "false",
            "fn", "for", "if", "let", "off", "private", "read", "read_write", "return", "storage", "struct",
            "true", "uniform", "var", "while", "workgroup", "workgroup_size", "immediate", "u32", "i32",
            "f32", "f16", "vec2", "vec3", "vec4", "group", "binding", "builtin", "subgroups", "loop", "break",
            "continue", "subgroup_uniformity",
            // what it has built in
            "local_invocation_index", "num_workgroups", "subgroup_invocation_id", "workgroup_id", "any",
            "atomicAdd", "atomicLoad", "atomicStore", "atomicExchange", "atomicCompareExchangeWeak",
            "arrayLength", "bitcast", "firstLeadingBit", "subgroupBallot", "subgroupMax", "subgroupMul",
            "max", "min", "select", "subgroupAdd", "subgroupBroadcastFirst", "subgroupInclusiveAdd",
            "subgroupInclusiveMul", "subgroupShuffle", "subgroupShuffleUp", "workgroupBarrier",
            "workgroupUniformLoad"};
        return words;
    }

    // Every name is declared somewhere in the module, and at module scope once.
    std::string declared() {
        std::unordered_set<std::string_view> names;
        std::unordered_set<std::string_view> module_names;
        int depth = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const std::string_view word = tokens_[i].text;
            if (word == "{" || word == "(") ++depth;
            if (word == "}" || word == ")") --depth;
            // A parameter, a member or a variable with its type.
            if (i + 1 < tokens_.size() && tokens_[i + 1].text == ":") names.insert(word);
            if (word != "fn" && word != "struct" && word != "alias" && word != "const" && word != "let" &&
                word != "var")
                continue;
            std::size_t at = i + 1;
            if (tokens_[at].text == "<") {
                while (tokens_[at].text != ">") ++at;
                ++at;
            }
            names.insert(tokens_[at].text);
            if (depth == 0 && !module_names.insert(tokens_[at].text).second)
                return "'" + std::string(tokens_[at].text) + "' is declared twice";
        }
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const std::string_view word = tokens_[i].text;
            const bool member = i > 0 && tokens_[i - 1].text == ".";
            if (!tokens_[i].is_word() || member || names.contains(word) || wgsl_words().contains(word))
                continue;
            return "'" + std::string(word) + "' at line " + std::to_string(tokens_[i].line) +
                   " is declared nowhere";
        }
        return {};
    }

    const KernelSpec& spec_;
    Module module_;
    std::vector<Token> tokens_;
};

TEST(Kernels, ExpandToWholeModulesForEverythingThatThePlannerMakes) {
    std::map<std::string, int> modules;
    int failures = 0;
    for_each_kernel([&](const KernelSpec& spec) {
        ++modules[spec.kernel];
        const std::string wrong = ModuleCheck(spec).run();
        if (wrong.empty() || ++failures > 10) return;
        ADD_FAILURE() << spec.to_string() << "\n" << wrong;
    });
    for (const char* kernel : {"scan_tiles", "reduce_tiles", "add_back", "scan_serial", "scan_lookback"})
        EXPECT_GT(modules[kernel], 50) << kernel;
}

TEST(Kernels, TheSameSpecGivesTheSameBytes) {
    int turn = 0;
    for_each_kernel([&](const KernelSpec& spec) {
        if (++turn % 50 != 0) return;
        const KernelSpec copy = spec;
        const auto first = expand(spec);
        const auto second = expand(copy);
        ASSERT_TRUE(first.has_value() && second.has_value());
        EXPECT_TRUE(first->wgsl == second->wgsl) << spec.to_string();
    });
}

// The flags of the kernels' own #if lines, each in both of its values.
TEST(Kernels, ThePlannerMakesEveryFlagBothWays) {
    std::map<std::string, std::set<bool>> values;
    std::map<std::string, std::set<bool>> fields;
    for_each_kernel([&](const KernelSpec& spec) {
        for (const auto& [name, value] : spec.flags) values[name].insert(value);
        fields["in_place"].insert(spec.in_place);
        fields["vector_io"].insert(spec.vector_io);
        fields["partials"].insert(spec.partials);
        fields["unroll"].insert(spec.unroll);
        fields["immediates"].insert(spec.immediates);
        fields["inclusive"].insert(spec.inclusive);
    });
    for (const char* name : {"PREFIX", "SEED", "TOTALS", "CARRY", "COUNT_BUFFER"})
        EXPECT_EQ(values[name].size(), 2U) << name;
    for (const auto& [name, seen] : fields) EXPECT_EQ(seen.size(), 2U) << name;
}

// In a kernel over partial results S is the type of those, and a seed is still an element of the user's.
TEST(Kernels, TheSeedIsLiftedAsTheTypeThatItHas) {
    int seen = 0;
    for_each_kernel([&](const KernelSpec& spec) {
        if (!spec.partials) return;
        const auto module = expand(spec);
        ASSERT_TRUE(module.has_value());
        for (const std::string& line : lines_of(module->wgsl)) {
            if (!line.starts_with("fn lift_seed(") && !line.starts_with("fn lower_seed(")) continue;
            const auto tokens = lex_wgsl(line, "line");
            const bool names_s = std::any_of(tokens->begin(), tokens->end(),
                                             [](const Token& token) { return token.text == "S"; });
            if (names_s && ++seen <= 3) ADD_FAILURE() << spec.to_string() << "\n" << line;
        }
    });
}

TEST(Kernels, AnUnknownKernelIsAnError) {
    KernelSpec spec;
    spec.kernel = "nothing";
    const auto module = expand(spec);
    ASSERT_FALSE(module.has_value());
    EXPECT_EQ(module.error().message, "request, line 1: there is no file 'nothing.wgsl' to import.");
}

TEST(Kernels, AFlagThatTheKernelAsksForMustBeInTheSpec) {
    KernelSpec spec;
    spec.kernel = "scan_tiles";
    spec.block_scan = BlockScan::blelloch;
    const auto module = expand(spec);
    ASSERT_FALSE(module.has_value());
    EXPECT_EQ(module.error().message,
              "upsweep/wgsl/count.wgsl, line 5: 'COUNT_BUFFER' is not a flag of this kernel.");
}

}  // namespace
}  // namespace upsweep::test
