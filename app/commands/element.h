// One element: from an option's text, for people and as JSON.
#pragma once

#include "upsweep/core/result.h"
#include "upsweep/core/types.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace upsweep::app {

/// "5", or "1,2,3" for a vector and for a struct, in the order of its members. Gives type.stride bytes.
Result<std::vector<std::byte>> parse_element(std::string_view text, const ElementType& type);

/// The same way round: the numbers of an element separated by commas.
std::string element_text(const ElementType& type, std::span<const std::byte> element);

/// A number, for a vector an array of numbers, for a struct an object with the members' paths as names.
/// Floats that JSON has no number for are the strings "nan", "inf" and "-inf".
nlohmann::ordered_json element_json(const ElementType& type, std::span<const std::byte> element);

/// A document for standard output. What is not UTF-8 in its strings is replaced, since JSON has no such
/// bytes.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace upsweep::app
