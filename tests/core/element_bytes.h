// Elements as bytes: to and from C++ values, and random ones that meet the edges of their type often.
#pragma once

#include "upsweep/core/types.h"

#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <rapidcheck.h>

namespace upsweep::test {

using Bytes = std::vector<std::byte>;

template <class Number>
Bytes bytes_of(std::initializer_list<Number> values) {
    Bytes bytes(values.size() * sizeof(Number));
    std::memcpy(bytes.data(), values.begin(), bytes.size());
    return bytes;
}

template <class Number>
std::vector<Number> values_of(std::span<const std::byte> bytes) {
    std::vector<Number> values(bytes.size() / sizeof(Number));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
    return values;
}

/// Random words; every second one is near 0, a power of two or the largest.
template <class Word>
rc::Gen<Word> arbitrary_word() {
    return rc::gen::exec([] {
        const auto any = *rc::gen::resize(1000, rc::gen::arbitrary<Word>());
        if (*rc::gen::arbitrary<bool>()) return any;
        const auto shift = *rc::gen::inRange<unsigned>(0, sizeof(Word) * 8 + 1);
        const Word power = shift == sizeof(Word) * 8 ? Word{0} : static_cast<Word>(Word{1} << shift);
        return static_cast<Word>(power + static_cast<Word>(*rc::gen::inRange(-2, 3)));
    });
}

/// The bits of random floats of 32 or 16 bits: half of them special values, both kinds of NaN among them.
template <class Word>
rc::Gen<Word> arbitrary_float_bits() {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 2);
    return rc::gen::exec([] {
        constexpr unsigned fraction = sizeof(Word) == 4 ? 23 : 10;
        constexpr Word sign = static_cast<Word>(Word{1} << (sizeof(Word) * 8 - 1));
        constexpr Word infinity = static_cast<Word>(sign - (Word{1} << fraction));
        const auto any = *rc::gen::resize(1000, rc::gen::arbitrary<Word>());
        if (*rc::gen::arbitrary<bool>()) return any;
        const auto special = *rc::gen::element<Word>(
            0, 1, infinity, static_cast<Word>(infinity + 1), static_cast<Word>(infinity - 1),
            static_cast<Word>(sign - 1), static_cast<Word>(infinity | (Word{1} << (fraction - 1))),
            static_cast<Word>(Word{1} << fraction), static_cast<Word>((Word{1} << fraction) - 1));
        return static_cast<Word>(*rc::gen::arbitrary<bool>() ? special | sign : special);
    });
}

/// One element of a built-in type; what lies between its size and its stride is random too.
inline rc::Gen<Bytes> arbitrary_element(const ElementType& type) {
    return rc::gen::exec([type] {
        Bytes bytes(type.stride);
        const std::uint32_t size = size_of(type.scalar);
        for (std::uint32_t at = 0; at < type.stride; at += size) {
            if (type.scalar == Scalar::f16) {
                const auto word = *arbitrary_float_bits<std::uint16_t>();
                std::memcpy(bytes.data() + at, &word, size);
            } else if (type.scalar == Scalar::f32) {
                const auto word = *arbitrary_float_bits<std::uint32_t>();
                std::memcpy(bytes.data() + at, &word, size);
            } else if (size == 4) {
                const auto word = *arbitrary_word<std::uint32_t>();
                std::memcpy(bytes.data() + at, &word, size);
            } else {
                const auto word = *arbitrary_word<std::uint64_t>();
                std::memcpy(bytes.data() + at, &word, size);
            }
        }
        return bytes;
    });
}

}  // namespace upsweep::test

namespace rc {
template <>
inline void show(const std::vector<std::byte>& bytes, std::ostream& os) {
    for (const std::byte b : bytes) os << std::to_integer<int>(b) << ' ';
}
}  // namespace rc
