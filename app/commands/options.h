// The options that several commands share, as they were typed.
#pragma once

#include <string>

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
};
void add_device_options(CLI::App& command, DeviceOptions& options);

/// What to scan with: everything of a request but its count.
struct RequestOptions {
    std::string type = {};  ///< Empty: what the file says, else u32.
    std::string struct_file = {};
    std::string op = {};  ///< Empty: plus.
    std::string op_file = {};
    std::string identity = {};
    bool commutative = false;
    bool inclusive = false;
    bool exclusive = false;
    std::string initial = {};
    std::string strategy = "automatic";
    std::string block_scan = "automatic";
    unsigned block = 0;
    unsigned rows = 0;
    unsigned groups = 0;
};
void add_request_options(CLI::App& command, RequestOptions& options);

/// Groups of the help text.
inline constexpr const char* device_group = "Device";

}  // namespace upsweep::app
