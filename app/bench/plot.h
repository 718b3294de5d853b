// A picture of benchmark results: GB/s over the count.
#pragma once

#include "app/bench/results.h"

#include <string>

namespace upsweep::app {

/// An SVG picture with a panel for each benchmark: a line for each strategy and provider, one for the copy kernel and
/// one for the rival, if their times are known. Errors: nothing in the results has a time.
Result<std::string> plot_svg(const Results& results);

}  // namespace upsweep::app
