#include "upsweep/core/wgsl_lexer.h"

#include <algorithm>
#include <cctype>

namespace upsweep {

namespace {

bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

std::string at_line(std::string_view where, std::uint32_t line) {
    return std::string(where) + ", line " + std::to_string(line) + ": ";
}

}  // namespace

bool Token::is_word() const {
    return !text.empty() && is_word_char(text[0]) && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
}

Result<std::vector<Token>> lex_wgsl(std::string_view text, std::string_view where) {
    // WGSL ends a line, and with it a comment, at more than '\n'; what it takes for code must not pass as a comment here.
    for (const std::string_view line_break : {"\r", "\v", "\f", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
        for (std::size_t at = text.find(line_break); at != std::string_view::npos;
             at = text.find(line_break, at + 1)) {
            if (text.substr(at, 2) == "\r\n") continue;
            const auto before = static_cast<std::uint32_t>(
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
            return fail(
                ErrorCode::invalid_argument,
                at_line(where, before + 1) + "the line ends in a break other than a newline; write '\\n'.");
        }
    }
    std::vector<Token> tokens;
    std::uint32_t line = 1;
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        const std::string_view rest = text.substr(i);
        if (c == '\n') {
            ++line;
            ++i;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            ++i;
        } else if (rest.starts_with("//")) {
            while (i < text.size() && text[i] != '\n') ++i;
        } else if (rest.starts_with("/*")) {
            const std::uint32_t opened = line;
            int depth = 0;
            do {
                if (i + 1 >= text.size()) {
                    return fail(ErrorCode::invalid_argument,
                                at_line(where, opened) +
                                    "the comment that begins here has no end; close it with */.");
                }
                if (text.substr(i, 2) == "/*") {
                    ++depth;
                    i += 2;
                } else if (text.substr(i, 2) == "*/") {
                    --depth;
                    i += 2;
                } else {
                    if (text[i] == '\n') ++line;
                    ++i;
                }
            } while (depth > 0);
        } else if (is_word_char(c)) {
            const std::size_t first = i;
            const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
            while (i < text.size() && (is_word_char(text[i]) || (number && text[i] == '.'))) ++i;
            tokens.push_back({text.substr(first, i - first), line, first});
        } else if (std::string_view("(){}[]<>;:,.@=+-*/%&|^!~").find(c) != std::string_view::npos) {
            tokens.push_back({text.substr(i, 1), line, i});
            ++i;
        } else {
            const bool printable = std::isprint(static_cast<unsigned char>(c)) != 0;
            return fail(ErrorCode::invalid_argument,
                        at_line(where, line) +
                            (printable ? "the character '" + std::string(1, c) + "'"
                                       : "the byte " + std::to_string(static_cast<unsigned char>(c))) +
                            " is not part of WGSL; remove it.");
        }
    }
    return tokens;
}

}  // namespace upsweep
