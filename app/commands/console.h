// The program's streams: results on standard output, all else on standard error.
#pragma once

#include "app/commands/outcome.h"

#include <string>
#include <string_view>

namespace upsweep::app {

/// Writes to standard output at once. A closed pipe is a failure with nothing to say.
Outcome<void> print(std::string_view text);

/// Writes a whole file, or with '-' to standard output.
Outcome<void> write_file(const std::string& path, std::string_view text);

/// A line on standard error, for people.
void note(std::string_view line);

/// The failure for an error of writing to `path`; without a message if that is a pipe that nobody reads.
Failure write_failure(std::string_view path, const Error& error);

/// A standard stream that the program was started without would be the next file that is opened; after this
/// it is one that fails. Call it before anything else.
void hold_streams();

/// SIGINT and SIGTERM no longer end the program but are remembered, so that files that are not whole are
/// removed on the way out; a second one ends it as ever. A closed pipe becomes an error of write().
void take_signals();
/// The signal that asks the program to end, or 0.
int asked_to_end();

}  // namespace upsweep::app
