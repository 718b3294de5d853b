#include "app/formats/format.h"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

bool has_ending(std::string_view path, std::string_view ending) {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    return path.size() >= ending.size() && std::equal(path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                                                      path.end(), ending.begin(), same);
}

}  // namespace

Format detect_format(std::string_view path) {
    if (path == "-" || has_ending(path, ".txt")) return Format::text;
    if (has_ending(path, ".npy")) return Format::npy;
    if (has_ending(path, ".csv") || has_ending(path, ".tsv")) return Format::csv;
    return Format::raw;
}

char csv_delimiter(std::string_view path) {
    return has_ending(path, ".tsv") ? '\t' : ',';
}

const char* to_string(Format format) {
    switch (format) {
        case Format::npy:
            return "npy";
        case Format::raw:
            return "raw";
        case Format::text:
            return "text";
        case Format::csv:
            return "csv";
    }
    return "";
}

std::string quoted(std::string_view text, std::size_t limit) {
    std::string out = "'";
    for (const char c : text.substr(0, limit)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    out += text.size() > limit ? "...'" : "'";
    return out;
}

std::string display_name(std::string_view path, const char* dash) {
    constexpr std::size_t longest_path = 4096;
    return path == "-" ? dash : quoted(path, longest_path);
}

}  // namespace upsweep::app
