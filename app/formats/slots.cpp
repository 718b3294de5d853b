#include "app/formats/slots.h"

#include <utility>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

void append(std::vector<Slot>& slots, const Member& member) {
    constexpr std::string_view components = "xyzw";
    const std::string name = member.path.starts_with('.') ? member.path.substr(1) : member.path;
    for (std::uint32_t c = 0; c < member.width; ++c) {
        std::string column = name;
        if (member.width > 1) {
            if (!name.empty()) column += '.';
            column += components.at(c);
        }
        slots.push_back({member.scalar, member.offset + c * size_of(member.scalar), std::move(column)});
    }
}

}  // namespace

Result<std::vector<Slot>> slots_of(const ElementType& type) {
    std::vector<Slot> slots;
    for (const Member& member : type.members) append(slots, member);
    if (!type.is_struct()) append(slots, {type.width == 1 ? "value" : "", type.scalar, type.width, 0});
    if (slots.empty()) {
        return fail(ErrorCode::unsupported,
                    fmt::format("The struct {} has no members that are numbers, so it cannot be read "
                                "or written as text or CSV: use an npy or a raw file.",
                                type.name));
    }
    return slots;
}

}  // namespace upsweep::app
