#include "upsweep/profile/profile_json.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include <nlohmann/json.hpp>

namespace upsweep {

namespace {

using Json = nlohmann::ordered_json;

// Of the form below; a file with another one is refused.
constexpr std::uint32_t form = 1;
constexpr const char* form_name = "upsweep_profile";
// Far more than there are primitives, classes and ranges.
constexpr std::size_t most_choices = 10000;

// Visits every member under its name: the one list for both directions.
template <class Key, class Visit>
void for_each_member_of_key(Key& key, Visit visit) {
    visit("adapter", key.adapter);
    visit("driver", key.driver);
    visit("provider", key.provider);
    visit("library", key.library);
    visit("subgroups", key.subgroups);
}
template <class Choice, class Visit>
void for_each_member_of_choice(Choice& choice, Visit visit) {
    visit("primitive", choice.primitive);
    visit("element_bytes", choice.elements.bytes);
    visit("vectors", choice.elements.vectors);
    visit("first_log2", choice.first_log2);
    visit("last_log2", choice.last_log2);
    visit("strategy", choice.strategy);
    visit("block_scan", choice.block_scan);
    visit("block", choice.geometry.block);
    visit("rows", choice.geometry.rows);
    visit("groups", choice.geometry.groups);
    visit("measured_count", choice.measured_count);
    visit("measured_seconds", choice.measured_seconds);
}

template <class T>
Json value_of(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return to_string(value);
    else
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
bool set(double& out, const Json& json) {
    if (json.is_number()) out = json.get<double>();
    return json.is_number() && std::isfinite(out) && out >= 0;
}
template <class T>
requires std::is_integral_v<T>
bool set(T& out, const Json& json) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max()) return false;
    out = json.get<T>();
    return true;
}
template <class Enum>
bool set_by_name(Enum& out, const Json& json, Result<Enum> (*parse)(std::string_view)) {
    if (!json.is_string()) return false;
    const auto value = parse(json.get<std::string>());
    if (value) out = *value;
    return value.has_value();
}
bool set(Primitive& out, const Json& json) {
    return set_by_name(out, json, parse_primitive);
}
bool set(BlockScan& out, const Json& json) {
    return set_by_name(out, json, parse_block_scan);
}

template <class Out>
auto reader(Out& wrong, const Json& json) {
    return [&wrong, &json](const char* name, auto& member) {
        if (!wrong.empty()) return;
        if (!json.contains(name))
            wrong = "'" + std::string(name) + "' is missing";
        else if (!set(member, json[name]))
            wrong =
                "'" + std::string(name) + "' is " + json[name].dump().substr(0, 100) + ", which it cannot be";
    };
}

std::string bad_choice(const Json& json, TunedChoice& choice) {
    if (!json.is_object()) return "it is not an object";
    std::string wrong;
    for_each_member_of_choice(choice, reader(wrong, json));
    if (wrong.empty() && choice.first_log2 > choice.last_log2)
        wrong = "the first count is above the last one";
    return wrong;
}

}  // namespace

std::string profile_text(const ProfileKey& key, const Tuning& tuning) {
    Json document{{form_name, form}};
    Json& key_json = document["key"];
    for_each_member_of_key(key, [&](const char* name, const auto& value) { key_json[name] = value; });
    Json& choices = document["choices"] = Json::array();
    for (const TunedChoice& choice : tuning.choices) {
        Json& json = choices.emplace_back();
        for_each_member_of_choice(choice,
                                  [&](const char* name, const auto& value) { json[name] = value_of(value); });
    }
    // A driver may call itself what it likes; bytes that are not UTF-8 are replaced.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

tl::expected<ProfileContent, std::string> parse_profile(std::string_view text) {
    const auto bad = [](std::string why) { return tl::unexpected<std::string>(std::move(why)); };
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) return bad("it is not JSON");
    if (!document.is_object() || !document.contains(form_name)) return bad("it is no profile of Upsweep");
    std::uint32_t version = 0;
    if (!set(version, document[form_name]) || version != form) {
        return bad("its form is " + document[form_name].dump().substr(0, 100) +
                   ", and this version reads form " + std::to_string(form));
    }
    ProfileContent content;
    if (!document.contains("key") || !document["key"].is_object()) return bad("it has no key");
    std::string wrong;
    for_each_member_of_key(content.key, reader(wrong, document["key"]));
    if (!wrong.empty()) return bad("in its key " + wrong);
    if (!document.contains("choices") || !document["choices"].is_array() ||
        document["choices"].size() > most_choices)
        return bad("it has no list of choices");
    for (const Json& json : document["choices"]) {
        TunedChoice& choice = content.tuning.choices.emplace_back();
        wrong = bad_choice(json, choice);
        if (!wrong.empty())
            return bad("in choice " + std::to_string(content.tuning.choices.size()) + " " + wrong);
    }
    return content;
}

}  // namespace upsweep
