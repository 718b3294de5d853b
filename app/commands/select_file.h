// The elements of a file that a condition holds for, chunk by chunk: compaction and partition.
#pragma once

#include "app/commands/file_run.h"
#include "upsweep/compact/compact.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace upsweep::app {

struct SelectReport {
    RunReport run;
    std::uint64_t kept = 0;  ///< Elements that the condition holds for.
};

/// What results are: elements, or indices in their place.
const ElementType& result_type(const CompactDesc& desc);

/// Takes what a chunk came to: first `kept_bytes` of elements (or indices) that are kept, then, of a partition,
/// the others. `last`: it is sure that no more follow.
using TakeSelection = std::function<Outcome<void>(ConstBytes results, std::uint64_t kept_bytes, bool last)>;

/// Goes through all that `reader` gives; `i` in the condition and indices go on from chunk to chunk. With
/// `partition` the others come too. An error in the condition is led to its place in it.
Outcome<SelectReport> select_file(ArrayReader& reader, const CompactDesc& desc, bool partition,
                                  const Gpu& gpu, const RunSettings& settings, const TakeSelection& take);

/// What a chunk comes to.
struct Selection {
    std::vector<std::byte> results;  ///< Elements or indices: those that are kept, then the others.
    std::uint64_t kept = 0;
};

/// What a selection is compared with: the elements with a flag that is not 0 (or their indices), and with
/// `partition` the others behind them. Nothing but a loop.
Selection select_serial(ConstBytes elements, std::span<const std::uint32_t> flags, const CompactDesc& desc,
                        bool partition);

}  // namespace upsweep::app
