#include "app/commands/element.h"

#include "app/formats/format.h"
#include "app/formats/number.h"
#include "app/formats/slots.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

bool is_float(Scalar scalar) {
    return scalar == Scalar::f32 || scalar == Scalar::f16;
}

// By way of the shortest text, so that a 0.1 stays 0.1 and does not become the double next to it.
nlohmann::ordered_json number_json(Scalar scalar, const std::byte* in) {
    fmt::memory_buffer buffer;
    append_number(buffer, scalar, in);
    const std::string text = fmt::to_string(buffer);
    if (!is_float(scalar)) return nlohmann::ordered_json::parse(text);
    const double value = std::strtod(text.c_str(), nullptr);
    if (!std::isfinite(value)) return text;
    return value;
}

}  // namespace

Result<std::vector<std::byte>> parse_element(std::string_view text, const ElementType& type) {
    auto slots = slots_of(type);
    if (!slots) return tl::unexpected(slots.error());
    std::vector<std::byte> element(type.stride);
    std::size_t used = 0;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        std::string_view token = rest.substr(0, comma);
        while (token.starts_with(' ')) token.remove_prefix(1);
        while (token.ends_with(' ')) token.remove_suffix(1);
        if (used < slots->size()) {
            const Slot& slot = (*slots)[used];
            if (!parse_number(token, slot.scalar, element.data() + slot.offset)) {
                return fail(ErrorCode::invalid_argument,
                            fmt::format("{} in {} is not of the type {} ({}).", app::quoted(token),
                                        app::quoted(text), to_string(slot.scalar), range_of(slot.scalar)));
            }
        }
        ++used;
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (used == slots->size()) return element;
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} has {} numbers, and one {} has {}; separate them by commas.",
                            app::quoted(text), used, type.name, slots->size()));
}

std::string element_text(const ElementType& type, std::span<const std::byte> element) {
    const auto slots = slots_of(type);
    if (!slots) return "(an element without numbers)";
    fmt::memory_buffer text;
    for (const Slot& slot : *slots) {
        if (text.size() > 0) text.push_back(',');
        append_number(text, slot.scalar, element.data() + slot.offset);
    }
    return fmt::to_string(text);
}

nlohmann::ordered_json element_json(const ElementType& type, std::span<const std::byte> element) {
    const auto slots = slots_of(type);
    if (!slots) return nullptr;
    nlohmann::ordered_json json;
    for (const Slot& slot : *slots) {
        auto number = number_json(slot.scalar, element.data() + slot.offset);
        if (type.is_struct())
            json[slot.name] = std::move(number);
        else if (type.width == 1)
            json = std::move(number);
        else
            json.push_back(std::move(number));
    }
    return json;
}

std::string json_text(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace upsweep::app
