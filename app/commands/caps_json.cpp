#include "app/commands/caps_json.h"

#include "app/formats/format.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> kind_names{"unknown", "discrete", "integrated", "cpu"};
constexpr std::array<const char*, 2> dialect_names{"standard", "naga"};

// Visits every member under its name: the one list for both directions.
template <class Caps, class Visit>
void for_each_member(Caps& caps, Visit visit) {
    visit("adapter", caps.adapter);
    visit("driver", caps.driver);
    visit("kind", caps.kind);
    visit("dialect", caps.dialect);
    visit("max_buffer_size", caps.max_buffer_size);
    visit("max_storage_binding_size", caps.max_storage_binding_size);
    visit("min_storage_offset_alignment", caps.min_storage_offset_alignment);
    visit("max_storage_buffers_per_stage", caps.max_storage_buffers_per_stage);
    visit("max_workgroup_storage", caps.max_workgroup_storage);
    visit("max_invocations_per_workgroup", caps.max_invocations_per_workgroup);
    visit("max_workgroup_size_x", caps.max_workgroup_size_x);
    visit("max_workgroups_per_dimension", caps.max_workgroups_per_dimension);
    visit("immediates", caps.immediates);
    visit("shader_f16", caps.shader_f16);
    visit("timestamp_query", caps.timestamp_query);
    visit("subgroups", caps.subgroups);
    visit("subgroup_min_size", caps.subgroup_min_size);
    visit("subgroup_max_size", caps.subgroup_max_size);
}

Json value_of(const std::string& value) {
    return value;
}
Json value_of(AdapterKind kind) {
    return to_string(kind);
}
Json value_of(Dialect dialect) {
    return dialect_names.at(static_cast<std::size_t>(dialect));
}
template <class T>
requires std::is_arithmetic_v<T> Json value_of(T value) {
    return value;
}

bool set(std::string& out, const Json& json) {
    if (json.is_string()) out = json.get<std::string>();
    return json.is_string();
}
bool set(bool& out, const Json& json) {
    if (json.is_boolean()) out = json.get<bool>();
    return json.is_boolean();
}
template <class T>
requires std::is_integral_v<T>
bool set(T& out, const Json& json) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max()) return false;
    out = json.get<T>();
    return true;
}
template <class Enum, std::size_t size>
bool set_by_name(Enum& out, const Json& json, const std::array<const char*, size>& names) {
    for (std::size_t i = 0; i < size; ++i) {
        if (!json.is_string() || json.get<std::string>() != names.at(i)) continue;
        out = static_cast<Enum>(i);
        return true;
    }
    return false;
}
bool set(AdapterKind& out, const Json& json) {
    return set_by_name(out, json, kind_names);
}
bool set(Dialect& out, const Json& json) {
    return set_by_name(out, json, dialect_names);
}

// The caps in what `devices` prints, if there is exactly one device in it.
const Json* caps_in(const Json& document) {
    const Json* found = nullptr;
    if (!document.is_object() || !document.contains("providers")) return &document;
    for (const Json& provider : document["providers"]) {
        if (!provider.is_object() || !provider.contains("adapters")) continue;
        for (const Json& adapter : provider["adapters"]) {
            if (!adapter.is_object() || !adapter.contains("caps")) continue;
            if (found != nullptr) return nullptr;
            found = &adapter["caps"];
        }
    }
    return found;
}

}  // namespace

const char* to_string(AdapterKind kind) {
    return kind_names.at(static_cast<std::size_t>(kind));
}

nlohmann::ordered_json caps_json(const DeviceCaps& caps) {
    Json json;
    for_each_member(caps, [&](const char* name, const auto& value) { json[name] = value_of(value); });
    return json;
}

Outcome<DeviceCaps> caps_from_json(std::string_view text) {
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) return failed("The capabilities are not JSON.");
    const Json* json = caps_in(document);
    if (json == nullptr || !json->is_object()) {
        return failed(
            "The capabilities must be one JSON object, or what 'upsweep devices --json' prints about one "
            "device: choose it with --provider and --adapter.");
    }
    DeviceCaps caps;
    std::size_t known = 0;
    std::string wrong;
    for_each_member(caps, [&](const char* name, auto& member) {
        if (!json->contains(name)) return;
        ++known;
        if (!set(member, (*json)[name]) && wrong.empty()) wrong = name;
    });
    if (!wrong.empty())
        return failed(fmt::format("The capability '{}' has the value {}, which it cannot have.", wrong,
                                  app::quoted((*json)[wrong].dump())));
    if (known == json->size()) return caps;
    const Json names = caps_json(DeviceCaps{});
    for (const auto& item : json->items()) {
        if (!names.contains(item.key()))
            return failed(fmt::format("There is no capability {}.", app::quoted(item.key())));
    }
    return caps;
}

}  // namespace upsweep::app
