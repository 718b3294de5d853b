// Data of any length in chunks, and a scan of them: the total of each is the initial value of the next.
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

/// Fills a span with whole elements unless the data end; gives their bytes, 0 at the end.
using ReadElements = std::function<Result<std::size_t>(Bytes)>;

/// Takes data chunk by chunk.
class ChunkReader {
  public:
    /// Elements of `stride` bytes, at most `capacity` at a time.
    ChunkReader(ReadElements read, std::uint64_t stride, std::uint64_t capacity)
        : read_(std::move(read)), stride_(stride), capacity_(capacity) {}

    /// The next chunk, which begins with the last `held` elements of the one before; empty if there is nothing
    /// more. It stays until the next call. A chunk that is not full is the last one: with a capacity above
    /// the count there is only one.
    Result<ConstBytes> next(std::uint64_t held = 0);
    /// The chunk was full, so that another one may follow.
    [[nodiscard]] bool more() const { return more_; }

  private:
    ReadElements read_;
    std::uint64_t stride_, capacity_;
    std::vector<std::byte> buffer_;
    std::uint64_t have_ = 0;
    bool more_ = true;
};

/// Scans the desc.count elements of `input` into `output`.
using ScanFunction = std::function<Result<void>(const ScanDesc& desc, ConstBytes input, Bytes output)>;

struct StreamEnds {
    ReadElements read;
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
/// an exclusive chunk comes again as the first of the next one, which begins with the last result.
Outcome<StreamSummary> scan_stream(ScanDesc desc, std::uint64_t capacity, const StreamEnds& ends);

}  // namespace upsweep::app
