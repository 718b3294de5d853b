#include "app/tune/choose.h"

#include <algorithm>

namespace upsweep::app {

namespace {

// Medians of the same kernel differ by about as much from run to run.
constexpr double measurable = 1.03;
constexpr double most_step = 2;

// The last log2 of the left one of two ranges, whose points are at `low` and `high`.
std::uint32_t border(const Method& left, std::uint32_t low, const Method& right, std::uint32_t high,
                     const SecondsAt& seconds_at) {
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        const auto of_left = seconds_at(left, middle);
        const auto of_right = seconds_at(right, middle);
        const bool left_wins = of_left && (!of_right || *of_left <= *of_right);
        (left_wins ? low : high) = middle;
        if (!of_left || !of_right) continue;
        if (std::max(*of_left, *of_right) <= most_step * std::min(*of_left, *of_right))
            return left_wins ? middle : middle - 1;
    }
    return low;
}

TunedChoice choice_of(const Method& method, Primitive primitive, const ElementClass& elements) {
    TunedChoice choice;
    choice.primitive = primitive;
    choice.elements = elements;
    choice.strategy = method.strategy;
    choice.block_scan = method.block_scan;
    choice.geometry = method.geometry;
    return choice;
}

}  // namespace

std::optional<Timed> fastest(const std::vector<Timed>& timed) {
    const auto by_time = [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; };
    const auto best = std::min_element(timed.begin(), timed.end(), by_time);
    if (best == timed.end()) return std::nullopt;
    const auto automatic =
        std::find_if(timed.begin(), timed.end(), [](const Timed& each) { return each.method == Method{}; });
    if (automatic != timed.end() && automatic->seconds <= best->seconds * measurable) return *automatic;
    return *best;
}

std::vector<TunedChoice> choices_for(Primitive primitive, const ElementClass& elements,
                                     const std::vector<TunePoint>& points, const SecondsAt& seconds_at,
                                     const PossibleAt& possible_at) {
    std::vector<TunedChoice> choices;
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const TunePoint& point = points[i];
        const Method& method = point.chosen.method;
        if (i > 0 && method == points[i - 1].chosen.method) {
            choices.back().last_log2 = point.log2;
        } else {
            choices.push_back(choice_of(method, primitive, elements));
            choices.back().first_log2 = first;
            choices.back().last_log2 = point.log2;
        }
        TunedChoice& choice = choices.back();
        choice.measured_count = std::uint64_t{1} << point.log2;
        choice.measured_seconds = point.chosen.seconds;
        if (i + 1 == points.size()) {
            choice.last_log2 = 63;
        } else if (const TunePoint& next = points[i + 1]; next.chosen.method != method) {
            choice.last_log2 = border(method, point.log2, next.chosen.method, next.log2, seconds_at);
            const std::uint64_t last_count = (std::uint64_t{2} << choice.last_log2) - 1;
            first = possible_at(method, last_count) ? choice.last_log2 + 1 : choice.last_log2;
        }
    }
    return choices;
}

}  // namespace upsweep::app
