// The tuner: what a device is best at, within a given time.
#pragma once

#include "app/tune/trial.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace upsweep::app {

/// One count of a case, for the report.
struct TuneRow {
    std::uint32_t log2 = 0;
    std::string chosen;     ///< method_text() of what was chosen.
    std::string automatic;  ///< Of what the library does by itself.
    double chosen_seconds = 0, automatic_seconds = 0, best_seconds = 0;
    std::size_t tried = 0;  ///< Methods that were timed.
};

struct TunedCase {
    std::string name;
    std::vector<TuneRow> rows;
    std::vector<TunedChoice> choices;
    std::string left_out;  ///< Why there are no larger counts, or empty.
};

struct TuneReport {
    std::vector<TunedCase> cases;
    std::vector<Problem> problems;
};

/// How far it is, from 0 to 1, and what is measured just now. False: stop.
using TuneProgress = std::function<bool(double part, const std::string& what)>;

/// Measures each case at 2^12, 2^16, 2^20 and 2^24 elements, as far as the buffers and the time allow. Each count has
/// its share of `seconds`: methods are tried until about half of it is over, the likeliest first, later counts
/// beginning with what was best before. The best ones are timed once more, together with what the library does by
/// itself and with other numbers of workgroups, and the fastest of them is chosen. Errors: unsupported without
/// timestamps; device_lost.
Result<TuneReport> tune(const Gpu& gpu, const std::vector<TuneCase>& cases, double seconds,
                        const TuneProgress& progress);

}  // namespace upsweep::app
