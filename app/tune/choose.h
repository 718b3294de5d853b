// From measurements at a few counts to choices for all counts.
#pragma once

#include "app/tune/method.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace upsweep::app {

struct Timed {
    Method method;
    double seconds = 0;
};

/// What was measured at the count 2^log2.
struct TunePoint {
    std::uint32_t log2 = 0;
    Timed chosen;                     ///< Of the methods that gave right results.
    std::optional<double> automatic;  ///< Seconds without a tuning.
};

/// The method to take of those measured last: the fastest, but what the library does by itself if that is not
/// measurably slower. Nothing if there is none.
std::optional<Timed> fastest(const std::vector<Timed>& timed);

/// Seconds of a method at the count 2^log2; nothing where it is not possible.
using SecondsAt = std::function<std::optional<double>(const Method&, std::uint32_t log2)>;
/// Whether a method is possible for a count.
using PossibleAt = std::function<bool(const Method&, std::uint64_t count)>;

/// Choices for all counts, from points in ascending order. Equal neighbours share a range. Between two others the
/// border is where they take about the same time: it is moved until, next to it, one takes at most twice as long
/// as the other. A method that ends within the last power of two of its range (single_block does, at its tile) is
/// followed there by the next range's.
std::vector<TunedChoice> choices_for(Primitive primitive, const ElementClass& elements,
                                     const std::vector<TunePoint>& points, const SecondsAt& seconds_at,
                                     const PossibleAt& possible_at);

}  // namespace upsweep::app
