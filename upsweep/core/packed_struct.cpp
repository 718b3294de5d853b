#include "upsweep/core/packed_struct.h"

#include <algorithm>

namespace upsweep {

std::optional<PackedStruct> packed_struct(const ElementType& type) {
    const bool words = std::all_of(type.members.begin(), type.members.end(), [](const Member& member) {
        return member.scalar == Scalar::u32 || member.scalar == Scalar::i32 || member.scalar == Scalar::f32;
    });
    if (!type.is_struct() || !words || type.stride % 8 != 0) return std::nullopt;
    const std::uint32_t width = type.stride % 16 == 0 ? 4 : 2;
    const std::uint32_t vectors = type.stride / (4 * width);
    PackedStruct packed;
    packed.storage = "vec" + std::to_string(width) + "<u32>";
    if (vectors > 1) packed.storage = "array<" + packed.storage + ", " + std::to_string(vectors) + ">";
    const auto word_at = [&](std::uint32_t offset) {
        const std::uint32_t word = offset / 4;
        return (vectors > 1 ? "p[" + std::to_string(word / width) + "]." : std::string("p.")) +
               "xyzw"[word % width];
    };
    packed.unpack = "unpacked(p: " + packed.storage + ") -> T { var x: T; ";
    packed.pack = "packed(x: T) -> " + packed.storage + " { var p: " + packed.storage + "; ";
    for (const Member& member : type.members) {
        for (std::uint32_t i = 0; i < member.width; ++i) {
            std::string path = "x" + member.path;
            if (member.width > 1) path = path + "." + "xyzw"[i];
            const std::string word = word_at(member.offset + 4 * i);
            const bool same = member.scalar == Scalar::u32;
            packed.unpack +=
                path + " = " +
                (same ? word : std::string("bitcast<") + to_string(member.scalar) + ">(" + word + ")") + "; ";
            packed.pack += word + " = " + (same ? path : "bitcast<u32>(" + path + ")") + "; ";
        }
    }
    packed.unpack += "return x; }";
    packed.pack += "return p; }";
    return packed;
}

}  // namespace upsweep
