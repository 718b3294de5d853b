// WGSL cut into words: enough to find declarations, braces and struct members; the WebGPU library is the real
// parser.
#pragma once

#include "upsweep/core/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace upsweep {

struct Token {
    std::string_view
        text;  ///< An identifier, a number, or one punctuation character; it views the lexed text.
    std::uint32_t line = 1;  ///< From 1.
    std::size_t offset = 0;  ///< Of its first character in the lexed text.

    [[nodiscard]] bool is_word() const;
};

/// The tokens of `text` without comments (`//` and nested `/* */`). A comment that does not end, or a
/// character that WGSL does not know, is an error whose message begins with `where`, for instance "operator
/// 'my_op'".
Result<std::vector<Token>> lex_wgsl(std::string_view text, std::string_view where);

}  // namespace upsweep
