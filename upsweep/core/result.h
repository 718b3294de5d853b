// The library's errors: values, never exceptions, never printed, never an abort.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace upsweep {

/// What kind of thing went wrong; the message says which one, with the given value, the limit and the remedy.
enum class ErrorCode {
    invalid_argument,  ///< The request contradicts itself or names something that does not exist.
    unsupported,       ///< The device, the type or the operator cannot do what was asked.
    limit_exceeded,    ///< A count, size or binding is larger than the device or the format holds.
    bad_slice,  ///< A buffer slice is too small, misaligned, of the wrong usage, or clashes with another.
    compile_failed,  ///< A WebGPU implementation rejected a kernel; the message leads to the user's own line.
    device_lost,     ///< The device is gone; nothing it was asked to compute has a result.
    device_error,    ///< The device reported a validation, memory or internal error.
};

/// An error: a code for programs and one whole sentence for people.
struct Error {
    ErrorCode code;
    std::string message;
};

/// The name of an error code, for instance "limit_exceeded".
const char* to_string(ErrorCode code);

/// A value or an error. `if (auto plan = plan_scan(desc, caps)) use(*plan); else
/// report(plan.error().message);`
template <class T>
using Result = tl::expected<T, Error>;

/// The error side of a Result, for `return fail(ErrorCode::unsupported, "...")`.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace upsweep
