// From the options of a request to a ScanDesc.
#pragma once

#include "app/commands/options.h"
#include "app/commands/outcome.h"
#include "upsweep/scan/scan.h"

#include <optional>
#include <string>

namespace upsweep::app {

/// The element type of --type and --struct, if one is given.
Outcome<std::optional<ElementType>> requested_type(const RequestOptions& options);

/// The part of a request that needs no type, and with it every name that is checked: call it before anything
/// is read.
Outcome<ScanDesc> requested_method(const RequestOptions& options);

/// The whole request for elements of `type`, with the count 0, from requested_method(). What can be seen
/// without a device is checked.
Outcome<ScanDesc> requested_scan(ScanDesc method, const RequestOptions& options, const ElementType& type);

/// A whole file of WGSL or JSON, at most a megabyte.
Outcome<std::string> read_text_file(const std::string& path);

const char* to_string(ScanKind kind);

}  // namespace upsweep::app
