#include "app/formats/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

bool has_ending(std::string_view path, std::string_view ending) {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    return path.size() >= ending.size() && std::equal(path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                                                      path.end(), ending.begin(), same);
}

/// The length of the UTF-8 character at the front, or 0 if it is none or a control character.
std::size_t printable_bytes(std::string_view text) {
    constexpr std::array<std::uint32_t, 5> smallest{0, 0x20, 0xa0, 0x800, 0x10000};
    const auto lead = static_cast<unsigned char>(text.front());
    const auto ones = static_cast<std::size_t>(std::countl_one(lead));
    const std::size_t length = ones == 0 ? 1 : ones;
    if (ones == 1 || length > 4 || length > text.size()) return 0;
    std::uint32_t code = lead & (0xffU >> (ones + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte & 0x3fU);
    }
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return code < smallest.at(length) || code == 0x7f || code > 0x10ffff || is_surrogate ? 0 : length;
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
        case Format::npy: return "npy";
        case Format::raw: return "raw";
        case Format::text: return "text";
        case Format::csv: return "csv";
    }
    return "";
}

std::string quoted(std::string_view text, std::size_t limit) {
    std::string out = "'";
    std::size_t at = 0;
    while (at < text.size() && at < limit) {
        if (const std::size_t length = printable_bytes(text.substr(at)); length > 0) {
            out += text.substr(at, length);
            at += length;
        } else {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at++]));
        }
    }
    return out + (at < text.size() ? "...'" : "'");
}

std::string display_name(std::string_view path, const char* dash) {
    constexpr std::size_t longest_path = 4096;
    return path == "-" ? dash : quoted(path, longest_path);
}

}  // namespace upsweep::app
