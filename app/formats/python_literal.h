// The small part of Python's syntax that the header of an npy file is written in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::app {

struct Literal {
    enum class Kind { string, integer, word, sequence, dictionary };

    Kind kind = Kind::word;
    std::string text;            ///< What a string holds; an integer's sign and digits; True, False or None.
    std::vector<Literal> items;  ///< Of a tuple or list; a dictionary has its keys and values in turn.

    /// The value of a key of a dictionary, or null.
    [[nodiscard]] const Literal* find(std::string_view key) const;
};

/// Nothing if the text is not one literal, or is nested more than 16 deep. Takes memory in proportion to it.
std::optional<Literal> parse_literal(std::string_view text);

}  // namespace upsweep::app
