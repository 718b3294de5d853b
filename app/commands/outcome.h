// What a command ends with: nothing to add, or an exit code and a sentence.
#pragma once

#include "upsweep/core/result.h"

#include <string>
#include <utility>

namespace upsweep::app {

enum class Exit : int {
    success = 0,
    failed = 1,  ///< The files, the device or the request did not allow it, or a check found a difference.
    usage = 2,   ///< The command line is wrong.
};

struct Failure {
    Exit exit = Exit::failed;
    std::string message;  ///< One whole sentence; empty where nobody is left to read it.

    Failure(Exit code, std::string text) : exit(code), message(std::move(text)) {}
    /// An error of the library fails the command; implicit, so that such errors are passed on as they are.
    Failure(Error error) : message(std::move(error.message)) {}
};

template <class T>
using Outcome = tl::expected<T, Failure>;

inline tl::unexpected<Failure> failed(std::string message) {
    return tl::unexpected<Failure>(Failure(Exit::failed, std::move(message)));
}
inline tl::unexpected<Failure> wrong_usage(std::string message) {
    return tl::unexpected<Failure>(Failure(Exit::usage, std::move(message)));
}

}  // namespace upsweep::app
