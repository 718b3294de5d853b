// From the options of a request to a description of it.
#pragma once

#include "app/commands/options.h"
#include "app/commands/outcome.h"
#include "upsweep/compact/compact.h"
#include "upsweep/reduce/reduce.h"
#include "upsweep/scan/scan.h"

#include <optional>
#include <string>

namespace upsweep::app {

/// The element type of --type and --struct, if one is given.
Outcome<std::optional<ElementType>> requested_type(const RequestOptions& options);

/// The part of a request that needs no type, and with it every name that is checked: call it before anything
/// is read.
Outcome<ScanDesc> requested_scan_method(const RequestOptions& options);
Outcome<ReduceDesc> requested_reduce_method(const RequestOptions& options);

/// The whole request for elements of `type`, with the count 0, from the method. What can be seen without a
/// device is checked.
Outcome<ScanDesc> requested_scan(ScanDesc method, const RequestOptions& options, const ElementType& type);
Outcome<ReduceDesc> requested_reduce(ReduceDesc method, const RequestOptions& options,
                                     const ElementType& type);

/// A compaction without its type and count: nothing in it is checked against the type before the device's
/// compiler sees it.
Outcome<CompactDesc> requested_compact(const RequestOptions& options);
/// The partition by the same condition.
PartitionDesc partition_by(const CompactDesc& compact);
/// An error of planning or compiling a condition, with its place told as that of --where.
Error error_of_condition(Error error);

/// A whole file of WGSL or JSON, at most a megabyte.
Outcome<std::string> read_text_file(const std::string& path);

const char* to_string(ScanKind kind);
/// "plus", "mat_mul.wgsl", "arg_min".
std::string operator_name(const ReduceDesc& desc);

}  // namespace upsweep::app
