#include "upsweep/core/result.h"

namespace upsweep {

const char* to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_argument: return "invalid_argument";
        case ErrorCode::unsupported: return "unsupported";
        case ErrorCode::limit_exceeded: return "limit_exceeded";
        case ErrorCode::bad_slice: return "bad_slice";
        case ErrorCode::compile_failed: return "compile_failed";
        case ErrorCode::device_lost: return "device_lost";
        case ErrorCode::device_error: return "device_error";
    }
    return "unknown";
}

}  // namespace upsweep
