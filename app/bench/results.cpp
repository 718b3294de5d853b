#include "app/bench/results.h"

#include "app/formats/csv_rows.h"
#include "app/formats/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

// "CUB" of "CUB 3.0.1".
std::string rival_name(const Results& results) {
    return results.rival.substr(0, results.rival.find(' '));
}

std::string full_name(const Measurement& row) {
    return row.benchmark + (row.strategy.empty() ? "" : "/" + row.strategy);
}

bool is_same_work(const Measurement& a, const Measurement& b) {
    return a.benchmark == b.benchmark && a.count == b.count;
}

bool is_faster(const Measurement& a, const Measurement& b) {
    return a.us > 0 && (b.us == 0 || a.us < b.us);
}

// Enough digits that a count comes back as it was.
std::string log2_text(std::uint64_t count) {
    return fmt::format("{:.14g}", std::log2(static_cast<double>(count)));
}

std::string number_or_nothing(double value, int digits) {
    return value > 0 ? fmt::format("{:.{}g}", value, digits) : "";
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string cell = "\"";
    for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' ? ' ' : c);
    return cell + "\"";
}

// The columns that are read; the place of each in the file is found by its name.
enum Column : std::size_t { benchmark, provider, log2_count, us, gb_per_s, of_copy, note, columns };
constexpr std::array<std::string_view, columns> names{"benchmark", "provider", "log2_count", "us",
                                                      "GB/s",      "of_copy",  "note"};

struct Reader {
    const Input& input;
    const CsvRows& rows;
    std::array<std::optional<std::size_t>, columns> places = {};

    [[nodiscard]] std::string text(Column column) const {
        const auto place = places.at(column);
        return place && *place < rows.size() ? std::string(rows.cell(*place)) : "";
    }
    [[nodiscard]] tl::unexpected<Error> error(const std::string& what) const {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("Line {} of {} {}.", rows.line(), input.name(), what));
    }
    [[nodiscard]] Result<double> number(Column column) const {
        const std::string cell = text(column);
        if (cell.empty()) return 0.0;
        char* end = nullptr;
        const double value = std::strtod(cell.c_str(), &end);
        if (end == cell.c_str() + cell.size() && std::isfinite(value) && value >= 0) return value;
        return error(
            fmt::format("has {} as its {}, which is no such number", app::quoted(cell), names.at(column)));
    }
    Result<void> read_names() {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto* const name = std::find(names.begin(), names.end(), rows.cell(i));
            if (name != names.end()) places.at(static_cast<std::size_t>(name - names.begin())) = i;
        }
        for (const Column needed : {benchmark, log2_count, us}) {
            if (!places.at(needed))
                return error(
                    fmt::format("should name the columns, and {} is not among them", names.at(needed)));
        }
        return {};
    }
    [[nodiscard]] Result<Measurement> read_row() const {
        Measurement row;
        row.benchmark = text(benchmark);
        // What is computed has two parts, the primitive and the form; how it is done follows.
        const std::size_t form = row.benchmark.find('/');
        const std::size_t method =
            form == std::string::npos ? std::string::npos : row.benchmark.find('/', form + 1);
        if (method != std::string::npos) {
            row.strategy = row.benchmark.substr(method + 1);
            row.benchmark.resize(method);
        }
        row.provider = text(provider);
        row.note = text(note);
        auto log2 = number(log2_count);
        if (!log2) return tl::unexpected(log2.error());
        if (*log2 >= 63) return error("has a count of 2^63 or more");
        row.count = static_cast<std::uint64_t>(std::llround(std::exp2(*log2)));
        for (const auto& [column, value] :
             {std::pair{us, &row.us}, {gb_per_s, &row.gb_per_s}, {of_copy, &row.of_copy}}) {
            auto read = number(column);
            if (!read) return tl::unexpected(read.error());
            *value = *read;
        }
        return row;
    }
};

}  // namespace

std::string count_text(std::uint64_t count) {
    return std::has_single_bit(count) && count >= 1024 ? fmt::format("2^{}", std::countr_zero(count))
                                                       : std::to_string(count);
}

std::string table_head(const Results& results) {
    const std::string name = rival_name(results);
    return fmt::format("{:<52} {:>8} {:>10} {:>8} {:>8}{}\n", "benchmark", "n", "us", "GB/s", "of copy",
                       name.empty() ? "" : fmt::format(" {:>7}", "x " + name));
}

std::string table_row(const Results& results, const Measurement& row) {
    std::string line = fmt::format("{:<52} {:>8} ", full_name(row), count_text(row.count));
    if (row.us == 0) return line + "         -  " + row.note + "\n";
    line += fmt::format("{:>10.2f} {:>8.4g} {:>8}", row.us, row.gb_per_s,
                        row.of_copy > 0 ? fmt::format("{:.3f}", row.of_copy) : "");
    if (!results.rival.empty())
        line += fmt::format(" {:>7}", row.ratio() > 0 ? fmt::format("{:.3f}", row.ratio()) : "");
    return line + (row.note.empty() ? "" : "  " + row.note) + "\n";
}

std::string to_csv(const Results& results) {
    std::string name = rival_name(results);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (name.empty()) name = "rival";
    std::string text;
    for (const std::string& comment : results.comments) text += "# " + comment + "\n";
    text += fmt::format("benchmark,provider,log2_count,us,GB/s,of_copy,{0}_us,ratio_to_{0},note\n", name);
    for (const Measurement& row : results.rows) {
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{}\n", full_name(row), row.provider, log2_text(row.count),
                        number_or_nothing(row.us, 6), number_or_nothing(row.gb_per_s, 6),
                        number_or_nothing(row.of_copy, 4), number_or_nothing(row.rival_us, 6),
                        number_or_nothing(row.ratio(), 4), csv_cell(row.note));
    }
    return text;
}

Json to_json(const Results& results) {
    Json rows = Json::array();
    const auto known = [](double value) { return value > 0 ? Json(value) : Json(); };
    for (const Measurement& row : results.rows) {
        rows.push_back({{"benchmark", row.benchmark},
                        {"strategy", row.strategy},
                        {"provider", row.provider},
                        {"count", row.count},
                        {"us", known(row.us)},
                        {"gb_per_s", known(row.gb_per_s)},
                        {"of_copy", known(row.of_copy)},
                        {"rival_us", known(row.rival_us)},
                        {"ratio_to_rival", known(row.ratio())},
                        {"note", row.note}});
    }
    return {{"comments", results.comments},
            {"rival", results.rival.empty() ? Json() : Json(results.rival)},
            {"results", std::move(rows)}};
}

Result<Results> read_results(Input& input) {
    Results results;
    CsvRows rows(input, ',');
    Reader reader{input, rows};
    bool has_names = false;
    for (;;) {
        auto more = rows.next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        if (rows.cell(0).starts_with('#')) {
            std::string comment(rows.cell(0).substr(rows.cell(0).starts_with("# ") ? 2 : 1));
            for (std::size_t i = 1; i < rows.size(); ++i) comment += ", " + std::string(rows.cell(i));
            results.comments.push_back(std::move(comment));
            continue;
        }
        if (!has_names) {
            if (auto ok = reader.read_names(); !ok) return tl::unexpected(ok.error());
            has_names = true;
            continue;
        }
        auto row = reader.read_row();
        if (!row) return tl::unexpected(row.error());
        results.rows.push_back(std::move(*row));
    }
    if (!has_names)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} has no line that names the columns.", input.name()));
    return results;
}

void merge(Results& results, const Results& more) {
    for (const std::string& comment : more.comments) {
        if (std::find(results.comments.begin(), results.comments.end(), comment) == results.comments.end())
            results.comments.push_back(comment);
    }
    for (const Measurement& row : more.rows) {
        const auto same =
            std::find_if(results.rows.begin(), results.rows.end(), [&](const Measurement& other) {
                return is_same_work(row, other) && row.strategy == other.strategy &&
                       row.provider == other.provider;
            });
        if (same == results.rows.end())
            results.rows.push_back(row);
        else if (is_faster(row, *same))
            *same = row;
    }
}

void set_rival(Results& results, const Results& rival) {
    if (rival.rows.empty()) return;
    if (results.rival.empty()) results.rival = rival.comments.empty() ? "rival" : rival.comments.front();
    for (Measurement& row : results.rows) {
        for (const Measurement& other : rival.rows) {
            if (is_same_work(row, other) && other.us > 0 && (row.rival_us == 0 || other.us < row.rival_us))
                row.rival_us = other.us;
        }
    }
}

}  // namespace upsweep::app
