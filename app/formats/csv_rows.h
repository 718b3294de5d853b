// The rows of a CSV file by RFC 4180; any delimiter, bare line feeds and rows of any length are fine too.
#pragma once

#include "app/formats/input.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::app {

class CsvRows {
  public:
    /// Longer rows are errors; most often they come from a quote that is never closed.
    static constexpr std::size_t max_row_bytes = 1 << 20;

    CsvRows(Input& input, char delimiter) : input_(input), delimiter_(delimiter) {}

    /// Goes to the next row that is not blank; false at the end.
    Result<bool> next();

    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    /// Without the quotes around it, and without blanks at its ends.
    [[nodiscard]] std::string_view cell(std::size_t index) const;
    /// The line, from 1, in which the row begins.
    [[nodiscard]] std::uint64_t line() const { return line_; }

  private:
    Result<bool> read_cell();
    Result<void> read_quoted();
    Result<void> append(int c);
    [[nodiscard]] Result<void> check_length() const;
    [[nodiscard]] tl::unexpected<Error> error(const char* what) const;

    Input& input_;
    char delimiter_;
    std::string text_;               // The cells of the row, one after another.
    std::vector<std::size_t> ends_;  // Where each of them ends.
    std::uint64_t line_ = 1;
    std::uint64_t next_line_ = 1;
};

}  // namespace upsweep::app
