// Reading arrays from files, a chunk at a time.
#pragma once

#include "app/formats/format.h"
#include "upsweep/core/result.h"
#include "upsweep/core/types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace upsweep::app {

class ByteSource;
class Decoder;

struct ReadOptions {
    std::optional<ElementType> type;  ///< --type. Raw files need it; for text and CSV the default is u32.
    std::string column;               ///< --column: a name or a number from 0, for CSV; empty is the first.
    std::optional<Format> format;     ///< If the ending of the path does not tell it.
};

/// Gives the elements of a file or of standard input in the stride of WGSL, with zeroed padding.
///
/// - raw: the bytes of a buffer as they are; a vec3 takes its whole stride.
/// - npy: one dimension gives scalars; the shapes (n, 2), (n, 3) and (n, 4) give vectors, packed in the file.
///   u4, i4, f4, f2, u8 and i8 are taken as they are; bool, u1 and u2 become u32, i1 and i2 become i32, f8
///   becomes f32. A --type converts whole numbers to any type and floats to floats. A number that the type
///   cannot hold is an error; floats, and whole numbers as floats, are rounded to nearest. Big-endian items
///   are swapped. With a struct as --type, structured and opaque ('|V16') items of its size are taken byte by
///   byte. What follows the array is ignored.
/// - text: numbers between blanks, line ends or single commas; a vector or a struct takes several in turn.
/// - CSV: one column by RFC 4180, and for a vector or a struct the columns after it too. The first row is a
///   header if the column is given by name, or if its cell is not a number. Blank lines are skipped.
///
/// An npy file has a header, so an empty one is an error; any other empty file has no elements.
class ArrayReader {
  public:
    /// '-' is standard input: text, or npy if it begins so.
    static Result<ArrayReader> open(const std::string& path, const ReadOptions& options);
    /// From any source. `path` is for messages, and for a CSV its ending gives the delimiter.
    static Result<ArrayReader> from_source(std::unique_ptr<ByteSource> source, Format format,
                                           const std::string& path, const ReadOptions& options);

    ArrayReader(ArrayReader&&) noexcept;
    ArrayReader& operator=(ArrayReader&&) noexcept;
    ~ArrayReader();

    [[nodiscard]] const ElementType& type() const;
    /// The number of elements, where the file says it before it is read: npy, and raw unless from a pipe.
    [[nodiscard]] std::optional<std::uint64_t> count() const;

    /// Fills `out` with as many whole elements as fit into it and are left; returns their bytes, 0 at the
    /// end. `out` must hold one element at least. After an error there is nothing more to read.
    Result<std::size_t> read(std::span<std::byte> out);

  private:
    explicit ArrayReader(std::unique_ptr<Decoder> decoder);

    std::unique_ptr<Decoder> decoder_;
};

}  // namespace upsweep::app
