// Where the bytes of a file come from: a file, standard input or memory, with a small buffer in front.
#pragma once

#include "upsweep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::app {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    /// Up to out.size() bytes, at least one unless the end is reached.
    virtual Result<std::size_t> read(std::span<std::byte> out) = 0;
    /// All the bytes that read() will give, if that is known before.
    [[nodiscard]] virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
};

/// A file, or standard input for '-'. A regular file knows its size, also one that standard input comes from.
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);

/// A copy of the bytes, for tests; without `sized` it behaves like a pipe.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes, bool sized = true);

/// Buffered reading, byte by byte for the text formats and in blocks for the binary ones.
class Input {
  public:
    static constexpr int end = -1;

    /// `path` is for messages only.
    Input(std::unique_ptr<ByteSource> source, std::string_view path);

    /// For use in a message: the path in quotes, or "standard input".
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Of the whole source, also after some of it is read.
    [[nodiscard]] std::optional<std::uint64_t> size() const { return source_->size(); }

    /// The next byte or `end`. A read that fails looks like the end: whoever meets the end asks status().
    int get() { return at_ < buffer_.size() || fill() ? static_cast<unsigned char>(buffer_[at_++]) : end; }
    int peek() { return at_ < buffer_.size() || fill() ? static_cast<unsigned char>(buffer_[at_]) : end; }
    /// The error of a read that failed.
    [[nodiscard]] Result<void> status() const;

    /// True if the bytes that come next are `prefix`; takes none of them.
    bool starts_with(std::string_view prefix);
    /// Passes over the mark that some editors put in front of UTF-8 text.
    void skip_byte_order_mark();

    /// Fills `out` unless the data end before: the result is less than out.size() only at the end.
    Result<std::size_t> read(std::span<std::byte> out);

  private:
    bool fill();

    std::unique_ptr<ByteSource> source_;
    std::string name_;
    std::string buffer_;
    std::size_t at_ = 0;
    std::optional<Error> error_;
};

}  // namespace upsweep::app
