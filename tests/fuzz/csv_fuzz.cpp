// Any bytes as CSV, TSV and text: no crash, and what was read is read again after it was printed.
#include "app/formats/input.h"
#include "app/formats/number.h"
#include "app/formats/reader.h"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using upsweep::ElementType;
using upsweep::Scalar;
using upsweep::app::ArrayReader;
using upsweep::app::Format;
using upsweep::app::ReadOptions;

bool is_nan(Scalar scalar, const std::byte* element) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, element, scalar == Scalar::f16 ? 2 : 4);
    if (scalar == Scalar::f16) return (bits & 0x7fff) > 0x7c00;
    return scalar == Scalar::f32 && (bits & 0x7fffffff) > 0x7f800000;
}

void check_number(Scalar scalar, const std::byte* element) {
    fmt::memory_buffer text;
    upsweep::app::append_number(text, scalar, element);
    std::byte back[8] = {};
    if (!upsweep::app::parse_number({text.data(), text.size()}, scalar, back)) std::abort();
    if (!is_nan(scalar, element) && std::memcmp(back, element, upsweep::size_of(scalar)) != 0) std::abort();
}

void read_to_the_end(std::string_view file, Format format, const char* path, const ReadOptions& options) {
    auto reader = ArrayReader::from_source(upsweep::app::memory_source(file), format, path, options);
    if (!reader) return;
    const ElementType& type = reader->type();
    std::vector<std::byte> out(5 * type.stride + 1);
    std::uint64_t elements = 0;
    for (;;) {
        const auto got = reader->read(out);
        if (!got || *got == 0) return;
        if (*got % type.stride != 0) std::abort();
        elements += *got / type.stride;
        if (elements > file.size()) std::abort();
        for (std::size_t at = 0; at < *got; at += type.stride) {
            for (std::size_t i = 0; i < type.width; ++i) {
                check_number(type.scalar, out.data() + at + i * upsweep::size_of(type.scalar));
            }
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<ReadOptions> options = [] {
        std::vector<ReadOptions> all;
        for (const char* name : {"u32", "i64", "f32", "f16", "vec3<i32>"}) {
            for (const char* column : {"", "1", "x"}) {
                all.push_back({.type = *ElementType::parse(name), .column = column, .format = {}});
            }
        }
        return all;
    }();
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    for (const ReadOptions& option : options) {
        read_to_the_end(file, Format::csv, "fuzz.csv", option);
        if (option.column.empty()) read_to_the_end(file, Format::csv, "fuzz.tsv", option);
        if (option.column.empty()) read_to_the_end(file, Format::text, "fuzz.txt", option);
    }
    return 0;
}
