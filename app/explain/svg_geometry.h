// Where everything in the picture of a trace is. All lengths are in pixels.
#pragma once

#include "app/explain/trace.h"
#include "app/formats/svg_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace upsweep::app {

class Geometry {
  public:
    explicit Geometry(const Trace& trace) : trace_(trace) {
        std::size_t digits = 2;
        double names = 0;
        for (const Step& step : trace.steps) {
            names = std::max(names, text_width(step.name, name_size));
            for (std::int64_t value : step.values)
                digits = std::max(digits, fmt::formatted_size("{}", value));
        }
        const bool is_wide = trace.width > 16;
        value_size = is_wide ? 14 : 16;
        stroke = is_wide ? 1.4 : 2;
        const double needed = 12 + 0.7 * value_size * static_cast<double>(digits);
        cell_width = std::max(is_wide ? 34.0 : 46.0, needed);
        cell_height = trace.algorithm == TracedScan::blelloch_padded ? 44 : 34;
        pitch_ = cell_width + (is_wide ? 8 : 12);
        block_gap_ = trace.block < trace.width ? 14 : 0;
        first_x_ = margin + 18 + names + 22 + cell_width / 2;
        cells_right = column_x(trace.width - 1) + cell_width / 2;

        double y = top + 26;
        for (const Step& step : trace.steps) {
            if (step.phase != Phase::input) y += gap_above(step);
            tops_.push_back(y);
            y += cell_height;
        }
        rows_bottom = y;
    }

    static constexpr double margin = 20, top = 84, name_size = 14;
    double value_size = 0, stroke = 0, cell_width = 0, cell_height = 0;
    double cells_right = 0, rows_bottom = 0;

    [[nodiscard]] double row_top(std::size_t step) const { return tops_[step]; }
    [[nodiscard]] double row_bottom(std::size_t step) const { return tops_[step] + cell_height; }
    /// The middle of a cell: the middle of the elements that it covers. With block sizes that are powers of
    /// two, the middle of many is always between two columns, so lines down the columns never cross a total.
    [[nodiscard]] double x(std::size_t step, std::size_t cell) const {
        const std::size_t stride = trace_.steps[step].stride;
        return (column_x(cell * stride) + column_x((cell + 1) * stride - 1)) / 2;
    }
    /// The lane to the right of a data cell, for lines that pass rows of cells.
    [[nodiscard]] double lane_after(std::size_t step, std::size_t cell) const {
        const bool is_block_end = ((cell + 1) * trace_.steps[step].stride) % trace_.block == 0;
        return x(step, cell) + (pitch_ + (is_block_end ? block_gap_ : 0)) / 2;
    }

  private:
    [[nodiscard]] double column_x(std::size_t column) const {
        const std::size_t gaps = column / trace_.block;
        return first_x_ + static_cast<double>(column) * pitch_ + static_cast<double>(gaps) * block_gap_;
    }
    /// The farther a step reaches, the more room it gets: flat lines are hard to tell apart.
    [[nodiscard]] double gap_above(const Step& step) const {
        if (step.phase == Phase::identity) return 26;
        double reach = 0;  // In columns.
        for (const Arc& arc : step.arcs) {
            const double from =
                (static_cast<double>(arc.from) + 0.5) * static_cast<double>(trace_.steps[arc.step].stride);
            const double to = (static_cast<double>(arc.to) + 0.5) * static_cast<double>(step.stride);
            reach = std::max(reach, std::abs(from - to));
        }
        return 44 + 5 * reach;
    }

    const Trace& trace_;
    double pitch_ = 0, block_gap_ = 0, first_x_ = 0;
    std::vector<double> tops_;
};

}  // namespace upsweep::app
