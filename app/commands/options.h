// The options that several commands share, as they were typed.
#pragma once

#include "app/commands/outcome.h"
#include "upsweep/core/primitive.h"

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace upsweep::app {

/// Where to run.
struct DeviceOptions {
    std::string adapter = "auto";
    std::string provider = {};  ///< Empty: this program's own.
    bool no_subgroups = false;
    bool no_immediates = false;
    bool no_profile = false;
    std::string profile =
        {};  ///< Empty: the one that `upsweep tune` has kept for the device, if there is one.
};
/// `with_profile`: also whether to use the device's profile.
void add_device_options(CLI::App& command, DeviceOptions& options, bool with_profile = true);

/// What a request is for decides which of the options below there are; a wrong name is wrong usage.
Outcome<Primitive> requested_primitive(std::string_view name);

/// What to compute and how: everything of a request but its count.
struct RequestOptions {
    std::string type = {};  ///< Empty: what the file says, else u32.
    std::string struct_file = {};
    std::string op = {};  ///< Empty: plus.
    std::string op_file = {};
    std::string identity = {};
    bool commutative = false;
    bool inclusive = false;
    bool deterministic = false;
    bool exclusive = false;
    std::string initial = {};
    std::string where = {};
    bool indices = false;
    std::string strategy = {};  ///< Empty: automatic.
    std::string block_scan = "automatic";
    unsigned block = 0;
    unsigned rows = 0;
    unsigned groups = 0;
};

/// Adds the options that one of the primitives has.
void add_request_options(CLI::App& command, RequestOptions& options, std::span<const Primitive> primitives);

/// For a command that takes the options of several primitives: one that was given and that `primitive` has
/// not is wrong usage.
Outcome<void> refuse_other_options(const RequestOptions& options, Primitive primitive);

/// Groups of the help text.
inline constexpr const char* device_group = "Device";

}  // namespace upsweep::app
