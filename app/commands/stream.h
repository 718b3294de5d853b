// A scan of any length in chunks: the total of each is the initial value of the next.
#pragma once

#include "app/commands/outcome.h"
#include "upsweep/scan/scan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace upsweep::app {

using ConstBytes = std::span<const std::byte>;
using Bytes = std::span<std::byte>;

/// Scans the desc.count elements of `input` into `output`.
using ScanFunction = std::function<Result<void>(const ScanDesc& desc, ConstBytes input, Bytes output)>;

struct StreamEnds {
    /// Fills a span with whole elements unless the data end; gives their bytes, 0 at the end.
    std::function<Result<std::size_t>(Bytes)> read;
    ScanFunction scan;
    /// Takes the next elements with their results, in order. `last`: it is sure that no more follow.
    std::function<Outcome<void>(ConstBytes elements, ConstBytes results, bool last)> take;
};

struct StreamSummary {
    std::uint64_t count = 0;
    std::uint64_t chunks = 0;
    std::vector<std::byte> first, last;   ///< The first and the last result; empty without elements.
    std::vector<std::byte> last_element;  ///< What the last result belongs to.
};

/// Scans all that can be read, at most `capacity` elements at a time (but at least one, or two for an
/// exclusive scan). It works for every operator, also for those that only the device knows: an inclusive scan
/// ends with its total, and an exclusive one with that of all elements but the last. So the last element of
/// an exclusive chunk comes again as the first of the next one, which begins with the last result. A chunk
/// that is not full is the last one: with a capacity above the count there is only one.
Outcome<StreamSummary> scan_stream(ScanDesc desc, std::uint64_t capacity, const StreamEnds& ends);

}  // namespace upsweep::app
