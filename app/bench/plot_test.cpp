// The picture: well-formed, and every series is in it.
#include "app/bench/plot.h"

#include "app/bench/plot_lines.h"
#include "app/formats/balanced_tags.h"

#include <gtest/gtest.h>

namespace upsweep::app {
namespace {

Results some_results() {
    Results results;
    results.comments = {"A <card> & its driver"};
    results.rival = "CUB 3.0.1";
    for (const char* provider : {"dawn", "wgpu-native"}) {
        for (const char* strategy : {"automatic", "lookback"}) {
            for (const int log2 : {10, 20, 28}) {
                Measurement row;
                row.benchmark = "scan/u32_plus_exclusive";
                row.strategy = strategy;
                row.provider = provider;
                row.count = std::uint64_t{1} << static_cast<unsigned>(log2);
                row.us = 10;
                row.gb_per_s = 100.0 * log2;
                row.of_copy = 0.5;
                row.rival_us = log2 == 10 ? 0 : 8;
                results.rows.push_back(row);
            }
        }
    }
    results.rows.push_back(
        {.benchmark = "reduce/u32_plus", .strategy = "two_pass", .count = 8, .note = "no"});
    return results;
}

TEST(BenchPlot, LinesAreThoseOfTheResults) {
    const Plot plot = plot_of(some_results());
    ASSERT_EQ(plot.panels.size(), 1U);  // Nothing was measured of the other.
    const auto line_of = [&](const std::string& name) {
        for (const Line& line : plot.panels[0].lines)
            if (plot.looks[line.look].name == name) return line.points;
        return std::vector<std::pair<double, double>>{};
    };
    using Points = std::vector<std::pair<double, double>>;
    EXPECT_EQ(line_of("lookback, dawn"), (Points{{10, 1000}, {20, 2000}, {28, 2800}}));
    EXPECT_EQ(line_of("copy kernel"), (Points{{10, 2000}, {20, 4000}, {28, 5600}}));
    EXPECT_EQ(line_of("CUB 3.0.1"), (Points{{20, 2500}, {28, 3500}}));
    EXPECT_EQ(plot.looks.size(), 6U);
}

TEST(BenchPlot, SvgIsWellFormedAndShowsEverySeries) {
    const auto svg = plot_svg(some_results());
    ASSERT_TRUE(svg.has_value());
    EXPECT_TRUE(has_balanced_tags(*svg));
    EXPECT_EQ(svg->find("nan"), std::string::npos);
    for (const char* text : {"automatic, dawn", "lookback, dawn", "automatic, wgpu-native",
                             "lookback, wgpu-native", "copy kernel", "CUB 3.0.1", "scan/u32_plus_exclusive",
                             "GB/s", "n, elements", "2²⁸", "6000", "A &lt;card&gt; &amp; its driver"})
        EXPECT_NE(svg->find(">" + std::string(text) + "<"), std::string::npos) << text;
}

TEST(BenchPlot, NothingMeasuredIsNoPicture) {
    EXPECT_FALSE(plot_svg({}).has_value());
}

}  // namespace
}  // namespace upsweep::app
