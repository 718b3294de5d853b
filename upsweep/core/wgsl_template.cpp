#include "upsweep/core/wgsl_template.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace upsweep {

namespace {

constexpr std::size_t max_lines = 100000;

tl::unexpected<Error> error_at(const SourceLine& from, const std::string& what) {
    return fail(ErrorCode::invalid_argument, from.file + ", line " + std::to_string(from.line) + ": " + what);
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_word_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name(std::string_view text) {
    return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
           std::all_of(text.begin(), text.end(), is_word_char);
}

std::string_view without_comment(std::string_view text) {
    return text.substr(0, text.find("//"));
}

// ---- #import and #if ----

class Includer {
  public:
    Includer(std::span<const WgslSource> sources, const TemplateValues& values)
        : sources_(sources), values_(values) {}

    Result<void> include(std::string_view name, const SourceLine& asked_by) {
        const auto source = std::find_if(sources_.begin(), sources_.end(),
                                         [&](const WgslSource& s) { return s.name == name; });
        if (source == sources_.end())
            return error_at(asked_by, "there is no file '" + std::string(name) + ".wgsl' to import.");
        if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
            return error_at(asked_by,
                            "'" + std::string(name) + "' imports itself, directly or through another file.");
        }
        if (!done_.insert(std::string(name)).second) return {};
        open_.emplace_back(name);
        auto ok = lines_of(*source);
        open_.pop_back();
        return ok;
    }

    std::vector<Line> lines;

  private:
    struct Branch {
        SourceLine opened;
        bool taken = false;
        bool live = false;  // This side is the one in force, and so is all around it.
        bool around = false;
        bool has_else = false;
    };

    Result<void> lines_of(const WgslSource& source) {
        std::vector<Branch> branches;
        std::uint32_t number = 0;
        for (std::size_t at = 0; at < source.text.size();) {
            const std::size_t end = std::min(source.text.find('\n', at), source.text.size());
            const std::string_view text = source.text.substr(at, end - at);
            at = end + 1;
            const SourceLine from{std::string(source.path), ++number};
            const bool live = branches.empty() || branches.back().live;
            const std::string_view word = trimmed(text);
            if (!word.starts_with('#')) {
                if (live) lines.push_back({std::string(text), from});
                continue;
            }
            if (auto ok = directive(word, from, live, branches); !ok) return ok;
        }
        if (!branches.empty()) return error_at(branches.back().opened, "this #if has no #endif.");
        return {};
    }

    Result<void> directive(std::string_view text, const SourceLine& from, bool live,
                           std::vector<Branch>& branches) {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string_view name = text.substr(0, space);
        std::string_view argument = trimmed(text.substr(space));
        if (name == "#if") {
            const bool negated = argument.starts_with('!');
            if (negated) argument.remove_prefix(1);
            const auto flag = values_.flags.find(std::string(argument));
            if (flag == values_.flags.end())
                return error_at(from, "'" + std::string(argument) + "' is not a flag of this kernel.");
            const bool holds = flag->second != negated;
            branches.push_back({from, holds, live && holds, live, false});
            return {};
        }
        if (name == "#else" || name == "#endif") {
            if (!argument.empty()) return error_at(from, std::string(name) + " takes nothing behind it.");
            if (branches.empty()) return error_at(from, std::string(name) + " without an #if before it.");
            Branch& branch = branches.back();
            if (name == "#endif") {
                branches.pop_back();
                return {};
            }
            if (branch.has_else) return error_at(from, "a second #else for the same #if.");
            branch.has_else = true;
            branch.live = branch.around && !branch.taken;
            return {};
        }
        if (name == "#import") {
            if (!is_name(argument))
                return error_at(from, "'" + std::string(argument) + "' is not a file's name.");
            return live ? include(argument, from) : Result<void>{};
        }
        if (name == "#unroll") {
            if (!argument.empty()) return error_at(from, "#unroll takes nothing behind it.");
            if (live) lines.push_back({"#unroll", from});
            return {};
        }
        return error_at(from, "'" + std::string(name) +
                                  "' is not a directive; there are #import, #if, #else, #endif and #unroll.");
    }

    std::span<const WgslSource> sources_;
    const TemplateValues& values_;
    std::set<std::string> done_;
    std::vector<std::string> open_;
};

// ---- #unroll ----

struct Loop {
    std::string variable;
    std::string bound;
};

// Exactly `for (var k = 0u; k < BOUND; k++) {`, whatever the spaces.
bool parse_loop(std::string_view text, Loop& loop) {
    std::string packed;
    for (const char c : without_comment(text)) {
        if (c != ' ' && c != '\t' && c != '\r') packed += c;
    }
    const std::string_view head = "for(var";
    if (!packed.starts_with(head)) return false;
    const std::size_t equals = packed.find("=0u;");
    if (equals == std::string::npos) return false;
    loop.variable = packed.substr(head.size(), equals - head.size());
    const std::string test = loop.variable + "<";
    const std::size_t tested = equals + 4;
    if (packed.compare(tested, test.size(), test) != 0) return false;
    const std::size_t bound = tested + test.size();
    const std::size_t semicolon = packed.find(';', bound);
    if (semicolon == std::string::npos) return false;
    loop.bound = packed.substr(bound, semicolon - bound);
    return is_name(loop.variable) && is_name(loop.bound) &&
           packed.substr(semicolon) == ";" + loop.variable + "++){";
}

// The text with the whole word `word` replaced, not behind a '.'; the array names in `arrays`, indexed by the
// word, become variables.
std::string with_index(const std::string& text, const std::string& word, std::uint32_t index,
                       const std::map<std::string, std::uint32_t>& arrays) {
    const std::string number = std::to_string(index);
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 2, "//") == 0) return out + text.substr(i);
        if (!is_word_char(text[i])) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && is_word_char(text[end])) ++end;
        const std::string name = text.substr(i, end - i);
        const std::string indexed = "[" + word + "]";
        const bool member = i > 0 && text[i - 1] == '.';
        if (!member && arrays.contains(name) && text.compare(end, indexed.size(), indexed) == 0) {
            out += name + "_" + number;
            end += indexed.size();
        } else {
            out += name == word && !member ? number + "u" : name;
        }
        i = end;
    }
    return out;
}

bool has_word(const std::string& text, const std::string& word) {
    const std::string code(without_comment(text));
    for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
        const bool begins = at == 0 || !is_word_char(code[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end == code.size() || !is_word_char(code[end]))) return true;
    }
    return false;
}

class Unroller {
  public:
    Unroller(std::vector<Line> in, const TemplateValues& values) : in_(std::move(in)), values_(values) {}

    Result<std::vector<Line>> run() {
        if (values_.unroll) {
            if (auto ok = split_arrays(); !ok) return tl::unexpected(ok.error());
        }
        if (auto ok = range(0, in_.size()); !ok) return tl::unexpected(ok.error());
        for (const Line& line : out_) {
            for (const auto& [array, length] : arrays_) {
                if (has_word(line.text, array)) {
                    return error_at(line.from, "'" + array +
                                                   "' is an array of per-thread variables; outside an "
                                                   "unrolled loop over its length it cannot be used.");
                }
            }
        }
        return std::move(out_);
    }

  private:
    // `var<private> x: array<R, BOUND>;` -> the variables x_0 ...
    Result<void> split_arrays() {
        std::vector<Line> lines;
        for (const Line& line : in_) {
            const std::string text(trimmed(without_comment(line.text)));
            constexpr std::string_view head = "var<private> ";
            const std::size_t colon = text.find(": array<");
            const std::size_t comma = text.rfind(", ");
            if (!text.starts_with(head) || colon == std::string::npos || comma == std::string::npos ||
                !text.ends_with(">;")) {
                lines.push_back(line);
                continue;
            }
            const std::string name = text.substr(head.size(), colon - head.size());
            const std::string of = text.substr(colon + 8, comma - colon - 8);
            auto bound = bound_of(text.substr(comma + 2, text.size() - comma - 4), line.from);
            if (!bound) return tl::unexpected(bound.error());
            for (std::uint32_t k = 0; k < *bound; ++k) {
                lines.push_back(
                    {"var<private> " + name + "_" + std::to_string(k) + ": " + of + ";", line.from});
            }
            arrays_[name] = *bound;
        }
        in_ = std::move(lines);
        return {};
    }

    Result<std::uint32_t> bound_of(const std::string& name, const SourceLine& from) const {
        const auto bound = values_.constants.find(name);
        if (bound == values_.constants.end())
            return error_at(from, "'" + name + "' is not a constant of this kernel.");
        if (bound->second > max_unroll) {
            return error_at(from, "the bound '" + name + "' is " + std::to_string(bound->second) +
                                      "; at most " + std::to_string(max_unroll) + " copies are made.");
        }
        return bound->second;
    }

    Result<void> range(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            if (out_.size() > max_lines)
                return error_at(in_[i].from,
                                "the unrolled loops make more than " + std::to_string(max_lines) + " lines.");
            if (in_[i].text != "#unroll") {
                out_.push_back(in_[i]);
                continue;
            }
            auto end = loop(i, last);
            if (!end) return tl::unexpected(end.error());
            i = *end;
        }
        return {};
    }

    // Expands the loop behind the directive in line `at`; gives the line of its closing brace.
    Result<std::size_t> loop(std::size_t at, std::size_t last) {
        Loop loop;
        if (at + 1 >= last || !parse_loop(in_[at + 1].text, loop)) {
            return error_at(in_[at].from,
                            "#unroll stands above a line of the form for (var k = 0u; k < BOUND; k++) {");
        }
        auto bound = bound_of(loop.bound, in_[at].from);
        if (!bound) return tl::unexpected(bound.error());
        const std::size_t body = at + 2;
        std::size_t end = body;
        for (int depth = 1; end < last; ++end) {
            const std::string_view code = without_comment(in_[end].text);
            depth += static_cast<int>(std::count(code.begin(), code.end(), '{') -
                                      std::count(code.begin(), code.end(), '}'));
            if (depth == 0) break;
            if (has_word(in_[end].text, "break") || has_word(in_[end].text, "continue")) {
                return error_at(in_[end].from, "break and continue have no place in an unrolled loop.");
            }
        }
        if (end >= last || trimmed(without_comment(in_[end].text)) != "}") {
            return error_at(in_[at + 1].from, "the loop must end in a line of its own that holds only '}'.");
        }
        if (!values_.unroll) {
            out_.push_back(in_[at + 1]);
            if (auto ok = range(body, end); !ok) return tl::unexpected(ok.error());
            out_.push_back(in_[end]);
            return end;
        }
        for (std::size_t l = body; l < end; ++l) {
            for (const auto& [array, length] : arrays_) {
                if (*bound > length &&
                    in_[l].text.find(array + "[" + loop.variable + "]") != std::string::npos) {
                    return error_at(in_[l].from, "the loop has " + std::to_string(*bound) + " turns, and '" +
                                                     array + "' has the length " + std::to_string(length) +
                                                     ".");
                }
            }
        }
        const std::vector<Line> original(in_.begin() + static_cast<std::ptrdiff_t>(body),
                                         in_.begin() + static_cast<std::ptrdiff_t>(end));
        for (std::uint32_t k = 0; k < *bound; ++k) {
            out_.push_back({"{", in_[at + 1].from});
            for (std::size_t l = 0; l < original.size(); ++l)
                in_[body + l].text = with_index(original[l].text, loop.variable, k, arrays_);
            if (auto ok = range(body, end); !ok) return tl::unexpected(ok.error());
            out_.push_back({"}", in_[end].from});
        }
        std::copy(original.begin(), original.end(), in_.begin() + static_cast<std::ptrdiff_t>(body));
        return end;
    }

    std::vector<Line> in_;
    std::vector<Line> out_;
    const TemplateValues& values_;
    std::map<std::string, std::uint32_t> arrays_;  // Name and length.
};

}  // namespace

Result<std::vector<Line>> expand_template(std::string_view name, std::span<const WgslSource> sources,
                                          const TemplateValues& values) {
    Includer includer(sources, values);
    if (auto ok = includer.include(name, {"request", 1}); !ok) return tl::unexpected(ok.error());
    return Unroller(std::move(includer.lines), values).run();
}

}  // namespace upsweep
