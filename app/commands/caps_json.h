// DeviceCaps as JSON: what `devices` prints and `plan --caps FILE` reads.
#pragma once

#include "app/commands/outcome.h"
#include "upsweep/core/caps.h"

#include <string_view>

#include <nlohmann/json.hpp>

namespace upsweep::app {

nlohmann::ordered_json caps_json(const DeviceCaps& caps);

/// The object, or a document that `devices --json --adapter NAME` printed. What is left out has the value
/// that every device has; a name that is not known is an error, and so is a value of another type.
Outcome<DeviceCaps> caps_from_json(std::string_view text);

const char* to_string(AdapterKind kind);

}  // namespace upsweep::app
