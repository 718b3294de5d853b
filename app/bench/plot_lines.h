// The lines of a plot: which there are, and what they look like.
#pragma once

#include "app/bench/results.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::app {

enum class Marker : std::uint8_t { none, disc, square, diamond };

/// What a line looks like. One look has one meaning in the whole picture.
struct Look {
    std::string name;         ///< For the legend.
    std::string_view colour;  ///< Of Okabe and Ito's palette, which colour-blind readers can tell apart.
    std::string_view dash = {};
    Marker marker = Marker::none;
    std::string_view band =
        {};  ///< The colour of a broad stroke below: other lines may cover the line itself.
};

/// GB/s at log2 of a count, from left to right.
struct Line {
    std::size_t look = 0;
    std::vector<std::pair<double, double>> points;
};

struct Panel {
    std::string benchmark;
    std::vector<Line> lines;  ///< In the order in which they are drawn.
};

struct Plot {
    std::vector<Look> looks;
    std::vector<Panel> panels;
};

/// Only measurements with a time; no line is empty.
Plot plot_of(const Results& results);

}  // namespace upsweep::app
