// Which file format a path stands for, and the few words that every format's messages share.
#pragma once

#include <string>
#include <string_view>

namespace upsweep::app {

enum class Format { npy, raw, text, csv };

/// By the ending of the path, in any case: .npy, .csv or .tsv, .txt; all else is raw. '-' is text.
Format detect_format(std::string_view path);

/// What separates the cells of a CSV file: a tab if the path ends in .tsv, else a comma.
char csv_delimiter(std::string_view path);

/// The name for people: "npy", "raw", "text", "csv".
const char* to_string(Format format);

/// Text from outside for a message: in single quotes, cut after about `limit` bytes. Control characters and
/// what is not UTF-8 are escaped, so that neither a terminal nor a JSON writer stumbles over them.
std::string quoted(std::string_view text, std::size_t limit = 40);

/// What a message calls the path: "standard input" or "standard output" for '-', else the path in quotes.
std::string display_name(std::string_view path, const char* dash);

}  // namespace upsweep::app
