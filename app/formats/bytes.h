// Values in a sequence of bytes, at any alignment.
#pragma once

#include <cstddef>
#include <cstring>

namespace upsweep::app {

template <class T>
T load(const std::byte* in) {
    T value;
    std::memcpy(&value, in, sizeof(value));
    return value;
}

template <class T>
void store(std::byte* out, T value) {
    std::memcpy(out, &value, sizeof(value));
}

}  // namespace upsweep::app
