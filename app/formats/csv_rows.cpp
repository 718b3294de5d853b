#include "app/formats/csv_rows.h"

#include <fmt/format.h>

namespace upsweep::app {

namespace {

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

Result<bool> CsvRows::next() {
    bool blank = true;
    while (blank) {
        text_.clear();
        ends_.clear();
        line_ = next_line_;
        const int first = input_.peek();
        if (first == Input::end) return input_.status().map([] { return false; });
        for (bool more = true; more;) {
            auto cell = read_cell();
            if (!cell) return cell;
            more = *cell;
        }
        blank = first != '"' && size() == 1 && cell(0).empty();
    }
    return true;
}

std::string_view CsvRows::cell(std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : ends_[index - 1];
    return trim(std::string_view(text_).substr(start, ends_[index] - start));
}

// True if another cell follows in the row.
Result<bool> CsvRows::read_cell() {
    const bool is_quoted = input_.peek() == '"';
    if (is_quoted) {
        if (auto ok = read_quoted(); !ok) return tl::unexpected(std::move(ok.error()));
    }
    for (;;) {
        const int c = input_.get();
        if (c == delimiter_ || c == '\n' || c == Input::end) {
            if (c == '\n') ++next_line_;
            if (auto ok = check_length(); !ok) return tl::unexpected(std::move(ok.error()));
            ends_.push_back(text_.size());
            if (c == Input::end) return input_.status().map([] { return false; });
            return c == delimiter_;
        }
        if (is_quoted && c != ' ' && c != '\r')
            return error("has text after a closing quote: double each quote inside");
        if (auto ok = append(c); !ok) return tl::unexpected(std::move(ok.error()));
    }
}

Result<void> CsvRows::read_quoted() {
    input_.get();
    for (;;) {
        const int c = input_.get();
        if (c == Input::end) {
            if (auto status = input_.status(); !status) return status;
            return error("has a quote that is never closed: close it");
        }
        if (c == '"') {
            if (input_.peek() != '"') return {};
            input_.get();
        }
        if (c == '\n') ++next_line_;
        if (auto ok = append(c); !ok) return ok;
    }
}

Result<void> CsvRows::append(int c) {
    text_ += static_cast<char>(c);
    return check_length();
}

Result<void> CsvRows::check_length() const {
    if (text_.size() + ends_.size() > max_row_bytes) {
        return fail(
            ErrorCode::limit_exceeded,
            fmt::format(
                "The row of {} that begins in line {} is longer than the limit of {} bytes: look for a quote "
                "that is never closed.",
                input_.name(), line_, max_row_bytes));
    }
    return {};
}

tl::unexpected<Error> CsvRows::error(const char* what) const {
    return fail(ErrorCode::invalid_argument,
                fmt::format("The row of {} that begins in line {} {}, as RFC 4180 has it.", input_.name(),
                            line_, what));
}

}  // namespace upsweep::app
