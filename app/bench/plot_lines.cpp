#include "app/bench/plot_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace upsweep::app {

namespace {

constexpr std::array<std::string_view, 6> colours{"#0072b2", "#d55e00", "#009e73",
                                                  "#b0568c", "#56b4e9", "#e69f00"};
constexpr std::array<std::string_view, 2> bands{"#f0e442", "#c9ced4"};

std::size_t place_of(std::vector<std::string>& names, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    const auto place = static_cast<std::size_t>(at - names.begin());
    if (at == names.end()) names.push_back(name);
    return place;
}

// The colour is the strategy, dash and marker are the provider.
class Looks {
  public:
    explicit Looks(const Results& results) {
        for (const Measurement& row : results.rows) {
            if (row.us > 0) place_of(providers_, row.provider);
        }
    }

    std::size_t of(const Measurement& row) {
        const std::size_t provider = place_of(providers_, row.provider);
        Look look;
        look.name = row.strategy.empty() ? "upsweep" : row.strategy;
        const bool is_automatic = row.strategy == "automatic";
        // What automatic comes to is one of the others and so lies on its line.
        look.colour =
            is_automatic ? "#6b5900" : colours[place_of(strategies_, row.strategy) % colours.size()];
        if (is_automatic) look.band = bands[provider % bands.size()];
        if (providers_.size() > 1) look.name += ", " + row.provider;
        look.dash = provider % 2 == 1 ? "7 4" : "";
        look.marker = provider % 2 == 1 ? Marker::square : Marker::disc;
        return place(std::move(look));
    }
    std::size_t of_copy() { return place({.name = "copy kernel", .colour = "#7d868f", .dash = "2 4"}); }
    std::size_t of_rival(const std::string& name) {
        return place({.name = name, .colour = "#14181c", .marker = Marker::diamond});
    }

    std::vector<Look> all = {};

  private:
    std::size_t place(Look look) {
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const Look& other) { return other.name == look.name; });
        const auto at = static_cast<std::size_t>(same - all.begin());
        if (same == all.end()) all.push_back(std::move(look));
        return at;
    }

    std::vector<std::string> providers_, strategies_;
};

// A panel while its lines grow; a point that is there twice keeps the higher value.
struct Growing {
    std::string benchmark;
    std::map<double, double> copy, rival;
    std::map<std::size_t, std::map<double, double>> methods;
};

void put(std::map<double, double>& line, double x, double y) {
    if (!std::isfinite(y) || y <= 0) return;
    double& value = line[x];
    value = std::max(value, y);
}

void add_line(Panel& panel, std::size_t look, const std::map<double, double>& points) {
    if (!points.empty()) panel.lines.push_back({look, {points.begin(), points.end()}});
}

}  // namespace

Plot plot_of(const Results& results) {
    Looks looks(results);
    std::vector<Growing> all;
    for (const Measurement& row : results.rows) {
        if (row.us <= 0 || row.count == 0) continue;
        auto at = std::find_if(all.begin(), all.end(),
                               [&](const Growing& one) { return one.benchmark == row.benchmark; });
        if (at == all.end()) at = all.insert(all.end(), Growing{row.benchmark, {}, {}, {}});
        const double x = std::log2(static_cast<double>(row.count));
        put(at->methods[looks.of(row)], x, row.gb_per_s);
        put(at->copy, x, row.gb_per_s / row.of_copy);
        // The rival moves the same bytes in its time.
        put(at->rival, x, row.gb_per_s * row.us / row.rival_us);
    }
    Plot plot;
    for (const Growing& one : all) {
        Panel panel{one.benchmark, {}};
        if (!one.copy.empty()) add_line(panel, looks.of_copy(), one.copy);
        if (!one.rival.empty()) add_line(panel, looks.of_rival(results.rival), one.rival);
        for (const auto& [look, points] : one.methods) add_line(panel, look, points);
        // Bands lie below all lines.
        std::stable_partition(panel.lines.begin(), panel.lines.end(),
                              [&](const Line& line) { return !looks.all[line.look].band.empty(); });
        if (!panel.lines.empty()) plot.panels.push_back(std::move(panel));
    }
    plot.looks = std::move(looks.all);
    return plot;
}

}  // namespace upsweep::app
