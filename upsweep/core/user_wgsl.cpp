#include "upsweep/core/user_wgsl.h"

#include "upsweep/core/wgsl_lexer.h"
#include "upsweep/core/wgsl_sources.h"

#include <algorithm>
#include <set>
#include <vector>

namespace upsweep {

namespace {

bool declares(std::string_view word) {
    return word == "fn" || word == "struct" || word == "alias" || word == "const" || word == "var" ||
           word == "override";
}

constexpr std::string_view prelude_names =
    "T S E V Row Seed lift lower lift_seed lower_seed join neutral shuffle shuffle_up subgroup_scan_builtin "
    "src dst partials gpu_count initial carry_out params Params flags indices result totals arguments BLOCK "
    "ROWS VEC SHARED_ROWS "
    "TILE INCLUSIVE SUBGROUP_SIZE SUBGROUP_STEPS PARTS OptionalElement IndexedElement Found order_key "
    "order_value "
    "order_start order_before checked_combine checked_keep checked_part constants undo "
    "subgroup_total_builtin "
    "states packed unpacked TileState half_of load_state HALVES WINDOW SPIN_LIMIT PATIENCE "
    // Built-in functions and types that the kernels use; a declaration would take their place.
    "select min max clamp bitcast any all array atomic vec2 vec3 vec4 bool u32 i32 f32 f16 countOneBits "
    "atomicAdd atomicLoad "
    "atomicStore atomicMin atomicMax atomicOr workgroupBarrier workgroupUniformLoad subgroupAdd "
    "subgroupBallot "
    "subgroupBroadcastFirst subgroupInclusiveAdd subgroupInclusiveMul subgroupMul subgroupMax "
    "subgroupShuffle "
    "subgroupShuffleUp atomicExchange atomicCompareExchangeWeak arrayLength firstLeadingBit";

// Every name that the kernels declare at module scope, and those that the prelude adds.
const std::set<std::string>& library_names() {
    static const std::set<std::string> names = [] {
        std::set<std::string> all;
        for (std::string_view rest = prelude_names; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            all.emplace(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        for (const WgslSource& source : embedded_wgsl()) {
            // A kernel line that begins with '#' is the expander's, not WGSL.
            std::string text;
            for (std::size_t at = 0; at < source.text.size();) {
                const std::size_t end = std::min(source.text.find('\n', at), source.text.size());
                std::string_view line = source.text.substr(at, end - at);
                if (const auto first = line.find_first_not_of(' ');
                    first == std::string_view::npos || line[first] != '#') {
                    text += line;
                    text += '\n';
                }
                at = end + 1;
            }
            const auto tokens = lex_wgsl(text, source.path);
            if (!tokens) continue;
            int depth = 0;
            for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
                const std::string_view word = (*tokens)[i].text;
                if (word == "{") ++depth;
                if (word == "}") --depth;
                if (depth != 0 || !declares(word)) continue;
                std::size_t name = i + 1;
                if ((*tokens)[name].text == "<") {  // var<workgroup> name
                    while (name < tokens->size() && (*tokens)[name].text != ">") ++name;
                    ++name;
                }
                if (name < tokens->size()) all.emplace((*tokens)[name].text);
            }
        }
        return all;
    }();
    return names;
}

// row_0, prior_1, item_2: what unrolling makes of the kernels' arrays.
bool is_split_array(std::string_view name) {
    const std::size_t digits = name.find_last_not_of("0123456789");
    if (digits == std::string_view::npos || digits + 1 == name.size()) return false;
    const std::string_view stem = name.substr(0, digits + 1);
    return stem == "row_" || stem == "prior_" || stem == "item_" || stem.starts_with("held_");
}

bool is_library_name(std::string_view name) {
    return is_split_array(name) || library_names().contains(std::string(name));
}

tl::unexpected<Error> error_at(std::string_view where, std::uint32_t line, const std::string& what) {
    return fail(ErrorCode::invalid_argument,
                std::string(where) + ", line " + std::to_string(line) + ": " + what);
}

char closer_of(char opener) {
    return opener == '(' ? ')' : opener == '[' ? ']' : '}';
}

Result<void> check_brackets(const std::vector<Token>& tokens, std::string_view where) {
    std::vector<Token> open;
    for (const Token& token : tokens) {
        const char c = token.text[0];
        if (c == '(' || c == '[' || c == '{') open.push_back(token);
        if (c != ')' && c != ']' && c != '}') continue;
        if (open.empty() || closer_of(open.back().text[0]) != c) {
            return error_at(
                where, token.line,
                "the '" + std::string(1, c) + "' closes nothing that was opened in this text; remove it.");
        }
        open.pop_back();
    }
    if (open.empty()) return {};
    return error_at(where, open.back().line,
                    "the '" + std::string(open.back().text) + "' is never closed; add a '" +
                        closer_of(open.back().text[0]) + "'.");
}

}  // namespace

Result<void> check_user_functions(std::string_view text, std::string_view where, std::string_view required) {
    const auto tokens = lex_wgsl(text, where);
    if (!tokens) return tl::unexpected(tokens.error());
    if (auto ok = check_brackets(*tokens, where); !ok) return ok;
    static const std::set<std::string_view> attributes{"compute", "vertex",         "fragment", "group",
                                                       "binding", "workgroup_size", "id",       "builtin"};
    int depth = 0;
    bool found = false;
    for (std::size_t i = 0; i < tokens->size(); ++i) {
        const Token& token = (*tokens)[i];
        const Token next = i + 1 < tokens->size() ? (*tokens)[i + 1] : Token{};
        if (token.text == "{") ++depth;
        if (token.text == "}") --depth;
        if (token.text == "@" && attributes.contains(next.text)) {
            return error_at(
                where, token.line,
                "'@" + std::string(next.text) + "' has no place here; an operator is plain functions.");
        }
        if (depth != 0) continue;
        if (token.text == "enable" || token.text == "requires" || token.text == "diagnostic") {
            const bool attribute = i > 0 && (*tokens)[i - 1].text == "@";
            if (!attribute)
                return error_at(where, token.line,
                                "the directive '" + std::string(token.text) +
                                    "' has no place here; the library writes what the device needs.");
        }
        if (!declares(token.text)) continue;
        if (token.text == "var" && next.text == "<") {
            const std::string_view space =
                i + 2 < tokens->size() ? (*tokens)[i + 2].text : std::string_view();
            return error_at(where, token.line,
                            "a variable in the address space '" + std::string(space) +
                                "' has no place here; an operator depends on its operands only.");
        }
        if (token.text == "fn" && next.text == required) {
            found = true;
        } else if (is_library_name(next.text)) {
            return error_at(
                where, next.line,
                "the name '" + std::string(next.text) + "' is one of the library's own; choose another.");
        }
    }
    if (found) return {};
    return error_at(where, 1,
                    "there is no function '" + std::string(required) + "'; declare fn " +
                        std::string(required) +
                        (required == "combine" ? "(a: T, b: T) -> T."
                         : required == "keep"  ? "(x: T, i: u32) -> bool."
                                               : "(x: T, i: u32) -> u32."));
}

Result<void> check_user_types(std::string_view text, std::string_view where) {
    const auto tokens = lex_wgsl(text, where);
    if (!tokens) return tl::unexpected(tokens.error());
    int depth = 0;
    for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
        if ((*tokens)[i].text == "{") ++depth;
        if ((*tokens)[i].text == "}") --depth;
        if (depth != 0 || !declares((*tokens)[i].text) || !is_library_name((*tokens)[i + 1].text)) continue;
        return error_at(where, (*tokens)[i + 1].line,
                        "the name '" + std::string((*tokens)[i + 1].text) +
                            "' is one of the library's own; choose another.");
    }
    return {};
}

Result<void> check_user_expression(std::string_view text, std::string_view where) {
    const auto tokens = lex_wgsl(text, where);
    if (!tokens) return tl::unexpected(tokens.error());
    if (tokens->empty()) return error_at(where, 1, "the expression is empty.");
    if (auto ok = check_brackets(*tokens, where); !ok) return ok;
    for (const Token& token : *tokens) {
        if (token.text == ";" || token.text == "{" || token.text == "}" || token.text == "@") {
            return error_at(where, token.line,
                            "'" + std::string(token.text) + "' cannot stand in an expression.");
        }
    }
    if (text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos) {
        return error_at(where, 1, "a comment cannot stand in an expression.");
    }
    return {};
}

std::uint32_t line_of_function(std::string_view text, std::string_view name) {
    const auto tokens = lex_wgsl(text, "");
    for (std::size_t i = 0; tokens && i + 1 < tokens->size(); ++i) {
        if ((*tokens)[i].text == "fn" && (*tokens)[i + 1].text == name) return (*tokens)[i].line;
    }
    return 1;
}

}  // namespace upsweep
