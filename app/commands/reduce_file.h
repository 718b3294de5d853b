// A file reduced to one value, chunk by chunk.
#pragma once

#include "app/commands/file_run.h"
#include "upsweep/reduce/reduce.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace upsweep::app {

/// The smallest or the largest of all elements that it is shown, in the order of Operator::min() and max(), and
/// the index of the first one of its kind.
class ArgSearch {
  public:
    /// `combine`: the operator's function on the CPU.
    ArgSearch(CpuCombine combine, std::size_t stride) : combine_(std::move(combine)), scratch_(stride) {}

    void show(ConstBytes element, std::uint64_t index);

    [[nodiscard]] const std::vector<std::byte>& value() const { return value_; }  ///< Empty: none yet.
    [[nodiscard]] std::uint64_t index() const { return index_; }

  private:
    CpuCombine combine_;
    std::vector<std::byte> value_, scratch_;
    std::uint64_t index_ = 0;
};

struct ReduceReport {
    RunReport run;
    std::vector<std::byte> value;
    std::optional<std::uint64_t> index;  ///< Of arg_min and arg_max.
};

/// Reduces all that `reader` gives; each chunk begins with the result of those before it. Nothing at all gives
/// the initial value, else the identity; without one of them, and for arg_min and arg_max, that is a failure.
Outcome<ReduceReport> reduce_file(ArrayReader& reader, const ReduceDesc& desc, const Gpu& gpu,
                                  const RunSettings& settings);

}  // namespace upsweep::app
