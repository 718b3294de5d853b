// The names of an enumeration, in the order of its values. Private to the library.
#pragma once

#include "upsweep/core/result.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace upsweep {

template <class Enum, std::size_t size>
const char* name_of(Enum value, const std::array<const char*, size>& names) {
    return names.at(static_cast<std::size_t>(value));
}

/// The value with the name, or an error that says what a name may be: `what` is "a strategy".
template <class Enum, std::size_t size>
Result<Enum> value_named(std::string_view name, const std::array<const char*, size>& names,
                         const std::string& what) {
    std::string all;
    for (std::size_t i = 0; i < size; ++i) {
        if (name == names.at(i)) return static_cast<Enum>(i);
        if (i > 0) all += i + 1 < size ? ", " : " or ";
        all += names.at(i);
    }
    return fail(ErrorCode::invalid_argument,
                "'" + std::string(name) + "' is not " + what + "; it must be " + all + ".");
}

}  // namespace upsweep
