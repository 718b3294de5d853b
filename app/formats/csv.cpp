// CSV: one column, or as many neighbouring ones as an element has numbers.
#include "app/formats/csv_rows.h"
#include "app/formats/decoder.h"
#include "app/formats/number.h"
#include "app/formats/slots.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

class CsvDecoder : public Decoder {
  public:
    CsvDecoder(Input input, ElementType type, std::optional<std::uint64_t> count, std::vector<Slot> slots,
               char delimiter)
        : Decoder(std::move(input), std::move(type), count),
          slots_(std::move(slots)),
          rows_(input_, delimiter) {}

    /// Finds the column and passes over the header, if there is one.
    Result<void> start(const std::string& column) {
        auto first = rows_.next();
        if (!first) return tl::unexpected(std::move(first.error()));
        row_waits_ = *first;
        if (!*first) return {};
        const auto [stop, status] = std::from_chars(column.data(), column.data() + column.size(), column_);
        const bool is_number = status == std::errc() && stop == column.data() + column.size();
        if (column.empty() || is_number) {
            if (auto ok = check_width(); !ok) return ok;
            row_waits_ = looks_like_number(rows_.cell(column_));
            return {};
        }
        for (column_ = 0; column_ < rows_.size(); ++column_) {
            if (rows_.cell(column_) != column) continue;
            row_waits_ = false;
            return check_width();
        }
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{} has no column {}: give one of {}, or a number from 0 to {}, with --column.",
                        input_.name(), quoted(column), column_names(), rows_.size() - 1));
    }

    Result<std::size_t> read(std::span<std::byte> out) override {
        std::fill(out.begin(), out.end(), std::byte{0});
        for (std::size_t at = 0; at < out.size(); at += type_.stride) {
            if (!row_waits_) {
                auto found = rows_.next();
                if (!found) return tl::unexpected(std::move(found.error()));
                if (!*found) return at;
            }
            row_waits_ = false;
            if (auto ok = parse_row(out.data() + at); !ok) return tl::unexpected(std::move(ok.error()));
        }
        return out.size();
    }

  private:
    Result<void> parse_row(std::byte* element) {
        if (auto ok = check_width(); !ok) return ok;
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            const std::string_view cell = rows_.cell(column_ + i);
            if (parse_number(cell, slots_[i].scalar, element + slots_[i].offset)) continue;
            const std::string where =
                fmt::format("Line {} of {} has, in column {},", rows_.line(), input_.name(), column_ + i);
            return tl::unexpected(bad_number(where, cell, type_, slots_[i].scalar));
        }
        return {};
    }

    /// The row must reach to the last column that is needed.
    [[nodiscard]] Result<void> check_width() const {
        if (column_ < rows_.size() && slots_.size() <= rows_.size() - column_) return {};
        const std::string wanted = slots_.size() == 1
                                       ? fmt::format("column {} is", column_)
                                       : fmt::format("{} columns from {} on are", slots_.size(), column_);
        return fail(
            ErrorCode::invalid_argument,
            fmt::format(
                "Line {} of {} has {} column(s), numbered from 0, and {} needed for {}: add the missing "
                "cells or choose with --column and --type.",
                rows_.line(), input_.name(), rows_.size(), wanted, type_.name));
    }

    [[nodiscard]] std::string column_names() const {
        constexpr std::size_t most = 20;
        std::string names;
        for (std::size_t i = 0; i < std::min(rows_.size(), most); ++i) {
            names += (i == 0 ? "" : ", ") + quoted(rows_.cell(i));
        }
        return rows_.size() > most ? names + ", ..." : names;
    }

    std::vector<Slot> slots_;
    CsvRows rows_;
    std::size_t column_ = 0;
    bool row_waits_ = false;  ///< The first row was read to look for a header and turned out to be data.
};

}  // namespace

Result<std::unique_ptr<Decoder>> decode_csv(Input input, const ReadOptions& options, char delimiter) {
    ElementType type = options.type.value_or(types::u32);
    auto slots = slots_of(type);
    if (!slots) return tl::unexpected(std::move(slots.error()));
    const auto count = input.size() == std::uint64_t{0} ? input.size() : std::nullopt;
    input.skip_byte_order_mark();
    auto decoder =
        std::make_unique<CsvDecoder>(std::move(input), std::move(type), count, std::move(*slots), delimiter);
    if (auto ok = decoder->start(options.column); !ok) return tl::unexpected(std::move(ok.error()));
    return decoder;
}

}  // namespace upsweep::app
