#include "app/commands/tune_report.h"

#include "app/commands/quantity.h"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Json = nlohmann::ordered_json;

// How the time with the profile compares with the best time that was measured for the count: 1 is as good.
double of_best(const TuneRow& row) {
    return row.best_seconds / row.chosen_seconds;
}

double worst(const TuneReport& report) {
    double least = 1;
    for (const TunedCase& of : report.cases) {
        for (const TuneRow& row : of.rows) least = std::min(least, of_best(row));
    }
    return least;
}

std::string range_text(const TunedChoice& choice) {
    if (choice.last_log2 >= 63) return fmt::format("from 2^{}", choice.first_log2);
    return fmt::format("2^{} to 2^{}", choice.first_log2, choice.last_log2 + 1);
}

std::string choice_text(const TunedChoice& choice) {
    const Geometry& g = choice.geometry;
    std::string text = choice.strategy;
    if (choice.block_scan != BlockScan::automatic) text += fmt::format(", {}", to_string(choice.block_scan));
    if (g.block != 0) text += fmt::format(", {}x{}", g.block, g.rows);
    if (g.groups != 0) text += fmt::format(" in {}", g.groups);
    return text;
}

std::string row_text(const TuneRow& row) {
    std::string text =
        fmt::format("  2^{:<3} {:<52} {:>9}", row.log2, row.chosen, seconds_text(row.chosen_seconds));
    if (row.automatic_seconds == 0) return text + "   the library's own choice is not possible or wrong\n";
    if (row.chosen == row.automatic) return text + "   as without a profile\n";
    return text + fmt::format("   {:4.2f} times as fast as {} ({})\n",
                              row.automatic_seconds / row.chosen_seconds, row.automatic,
                              seconds_text(row.automatic_seconds));
}

}  // namespace

std::string report_text(const TuneReport& report, const TunedDevice& device) {
    std::string text =
        fmt::format("{} by {}; the strategy, the block scan, invocations x rows in workgroups\n",
                    device.key.adapter, device.key.provider);
    for (const TunedCase& of : report.cases) {
        text += of.name + "\n";
        for (const TuneRow& row : of.rows) text += row_text(row);
        if (!of.left_out.empty()) text += fmt::format("  {}\n", of.left_out);
        for (const TunedChoice& choice : of.choices)
            text += fmt::format("  {:<16} {}\n", range_text(choice), choice_text(choice));
    }
    for (const Problem& problem : report.problems)
        text += fmt::format("{} {}: {}\n", problem.wrong ? "WRONG" : "Left out", problem.where, problem.what);
    text += fmt::format("With the profile 'automatic' has at least {:.2f} of the best speed measured.\n",
                        worst(report));
    return text + (device.file.empty() ? "Nothing was kept.\n" : fmt::format("Kept in {}\n", device.file));
}

nlohmann::ordered_json report_json(const TuneReport& report, const TunedDevice& device) {
    Json json{{"adapter", device.key.adapter},
              {"driver", device.key.driver},
              {"provider", device.key.provider},
              {"upsweep", device.key.library},
              {"profile", device.file.empty() ? Json() : Json(device.file)},
              {"of_best", worst(report)}};
    Json& cases = json["cases"] = Json::array();
    for (const TunedCase& of : report.cases) {
        Json rows = Json::array();
        for (const TuneRow& row : of.rows) {
            rows.push_back(
                {{"count", std::uint64_t{1} << row.log2},
                 {"chosen", row.chosen},
                 {"seconds", row.chosen_seconds},
                 {"automatic", row.automatic},
                 {"automatic_seconds", row.automatic_seconds == 0 ? Json() : Json(row.automatic_seconds)},
                 {"best_seconds", row.best_seconds},
                 {"tried", row.tried}});
        }
        Json choices = Json::array();
        for (const TunedChoice& choice : of.choices)
            choices.push_back({{"first_log2", choice.first_log2},
                               {"last_log2", choice.last_log2},
                               {"choice", choice_text(choice)}});
        cases.push_back({{"name", of.name},
                         {"rows", std::move(rows)},
                         {"choices", std::move(choices)},
                         {"left_out", of.left_out.empty() ? Json() : Json(of.left_out)}});
    }
    Json& problems = json["problems"] = Json::array();
    for (const Problem& problem : report.problems)
        problems.push_back({{"where", problem.where}, {"what", problem.what}, {"wrong", problem.wrong}});
    return json;
}

}  // namespace upsweep::app
