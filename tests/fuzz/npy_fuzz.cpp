// Any bytes as an npy file: no crash, no large allocation, and never more elements than the file has bytes
// for.
#include "app/formats/input.h"
#include "app/formats/reader.h"

#include <cstdlib>
#include <vector>

namespace {

using upsweep::ElementType;
using upsweep::app::ArrayReader;
using upsweep::app::Format;
using upsweep::app::ReadOptions;

ElementType opaque_struct(std::uint32_t bytes) {
    ElementType type;
    type.width = 0;
    type.name = "Fuzzed";
    type.size = type.stride = bytes;
    return type;
}

void read_to_the_end(std::string_view file, const ReadOptions& options, bool sized) {
    auto reader =
        ArrayReader::from_source(upsweep::app::memory_source(file, sized), Format::npy, "fuzz.npy", options);
    if (!reader) return;
    const std::size_t stride = reader->type().stride;
    std::vector<std::byte> out(7 * stride + 1);
    std::uint64_t elements = 0;
    for (;;) {
        const auto got = reader->read(out);
        if (!got) return;
        if (*got == 0) break;
        if (*got % stride != 0) std::abort();
        elements += *got / stride;
        if (elements > file.size()) std::abort();
    }
    if (elements != reader->count()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<ReadOptions> options = [] {
        std::vector<ReadOptions> all(1);
        for (const char* name : {"u32", "i64", "f16", "vec3<f32>"}) {
            all.push_back({.type = *ElementType::parse(name), .column = "", .format = {}});
        }
        for (const std::uint32_t bytes : {16U, 32U}) {
            all.push_back({.type = opaque_struct(bytes), .column = "", .format = {}});
        }
        return all;
    }();
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    for (const ReadOptions& option : options) {
        read_to_the_end(file, option, true);
        read_to_the_end(file, option, false);
    }
    return 0;
}
