// std::bit_cast for the C++ library of Debian 12's emscripten (3.1.6), which lacks it. Emscripten.cmake has the
// compiler include this before every source.
#pragma once

#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
