// The WebGPU library is linked into a program: another one means another program beside this.
#pragma once

#include "app/commands/outcome.h"

#include <string>
#include <vector>

namespace upsweep::app {

/// The names that --provider takes.
inline constexpr const char* provider_names[] = {"wgpu-native", "dawn"};

/// Nothing if `provider` is empty or this program's own; else runs the program with it in place of this one,
/// and does not come back. Call it before anything is read. Unknown names are wrong usage.
Outcome<void> use_provider(const std::string& provider);

/// Runs the program with another provider and gives what it prints on standard output, whatever its exit
/// code; what it says on standard error is dropped.
Outcome<std::string> output_of_provider(const std::string& provider,
                                        const std::vector<std::string>& arguments);

}  // namespace upsweep::app
