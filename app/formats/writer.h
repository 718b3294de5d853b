// Writing arrays to files, a chunk at a time.
#pragma once

#include "app/formats/format.h"
#include "upsweep/core/result.h"
#include "upsweep/core/types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace upsweep::app {

/// Takes elements in the stride of WGSL and writes what ArrayReader reads back.
///
/// - raw: the same bytes.
/// - npy: version 1.0, with the data aligned to 64 bytes. A vector becomes a row of the shape (count, width),
///   without the padding of a vec3. A struct of plain scalars and vectors becomes a structured dtype with its
///   padding named as such, any other struct '|V<stride>'.
/// - text: one element in a line, its numbers separated by commas. Floats are as short as reading back the
///   same value allows; of a NaN only the sign is kept.
/// - CSV: the same under a header, "value" or the names of the components or members. If the path ends in
///   .tsv, tabs separate the cells.
///
/// A file gets its name in finish(). Until then, and if that is never reached, one that had the name stays as
/// it was. If the program ignores SIGPIPE, the end of a pipe is an error like any other.
class ArrayWriter {
  public:
    /// '-' is standard output; `count` elements must follow.
    static Result<ArrayWriter> create(const std::string& path, Format format, const ElementType& type,
                                      std::uint64_t count);

    ArrayWriter(ArrayWriter&&) noexcept;
    ArrayWriter& operator=(ArrayWriter&&) noexcept;
    ~ArrayWriter();

    /// Whole elements. Large pieces are best, but any will do.
    Result<void> write(std::span<const std::byte> elements);
    /// An error if not all the elements were written. Needed for '-' too, to empty the buffer.
    Result<void> finish();

  private:
    struct State;
    explicit ArrayWriter(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace upsweep::app
