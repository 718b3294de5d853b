#include "app/bench/plot.h"

#include "app/bench/plot_lines.h"
#include "app/formats/svg_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// All lengths are in pixels.
constexpr double margin = 24, panel_width = 620, panel_height = 400;
constexpr double left = 70, right = 22, top = 46, bottom = 56;  // Around the axes of a panel.
constexpr std::string_view strong = "#20262c", soft = "#4a535c", faint = "#dfe3e7";

struct Ticks {
    double step = 1, end = 1;  // From 0 to `end`.
};

// Steps of 1, 2 or 5 times a power of ten, four to ten of them.
Ticks ticks_up_to(double most) {
    const double rough = most / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {2.0, 5.0, 10.0}) {
        if (step < rough) step = power * factor;
    }
    return {step, std::ceil(most / step) * step};
}

std::string superscript(int number) {
    constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char c : std::to_string(number)) text += digits[c - '0'];
    return text;
}

class Picture {
  public:
    Picture(const Results& results, Plot plot) : results_(results), plot_(std::move(plot)) {}

    std::string draw() {
        const std::size_t columns = plot_.panels.size() > 1 ? 2 : 1;
        width_ = 2 * margin + static_cast<double>(columns) * panel_width;
        double y = head();
        y = legend(y) + 12;
        for (std::size_t i = 0; i < plot_.panels.size(); ++i)
            panel(plot_.panels[i], margin + static_cast<double>(i % columns) * panel_width,
                  y + static_cast<double>(i / columns) * panel_height);
        const std::size_t rows = (plot_.panels.size() + columns - 1) / columns;
        const double height = y + static_cast<double>(rows) * panel_height + margin / 2;
        return fmt::format(
                   "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
                   "viewBox='0 0 {0:.0f} {1:.0f}' font-family='sans-serif' role='img'>\n"
                   "<title>GB/s over n</title>\n<rect width='{0:.0f}' height='{1:.0f}' fill='#ffffff'/>\n",
                   width_, height) +
               body_ + "</svg>\n";
    }

  private:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(body_), format, std::forward<Args>(args)...);
        body_ += '\n';
    }
    void text(double x, double y, double size, std::string_view colour, std::string_view anchor,
              std::string_view content, bool is_bold = false) {
        put("<text x='{:.1f}' y='{:.1f}' font-size='{}' fill='{}' text-anchor='{}'{}>{}</text>", x, y, size,
            colour, anchor, is_bold ? " font-weight='bold'" : "", escaped(content));
    }

    // The title and where it was measured; gives how far down it reaches.
    double head() {
        double y = margin + 18;
        text(margin, y, 21, strong, "start", "GB/s that must move, over n", true);
        for (const std::string& comment : results_.comments) {
            y += 20;
            // What does not fit is in the CSV file.
            const auto fits = static_cast<std::size_t>((width_ - 2 * margin) / text_width("x", 13));
            text(margin, y, 13, soft, "start",
                 comment.size() <= fits ? comment : comment.substr(0, fits - 3) + "...");
        }
        return y + 12;
    }

    double legend(double y) {
        constexpr double sample = 40, gap = 28, line_height = 24;
        double x = margin;
        y += line_height / 2;
        for (const Look& look : plot_.looks) {
            const double width = sample + 8 + text_width(look.name, 14) + gap;
            if (x > margin && x + width > width_ - margin + gap) {
                x = margin;
                y += line_height;
            }
            stroke(look, fmt::format("M{:.1f} {:.1f}h{:.1f}", x, y, sample));
            marker(look, x + sample / 2, y);
            text(x + sample + 8, y + 5, 14, strong, "start", look.name);
            x += width;
        }
        return y + line_height / 2;
    }

    void stroke(const Look& look, const std::string& path) {
        if (!look.band.empty())
            put("<path d='{}' fill='none' stroke='{}' stroke-width='10' stroke-opacity='0.75' "
                "stroke-linecap='round' stroke-linejoin='round'/>",
                path, look.band);
        put("<path d='{}' fill='none' stroke='{}' stroke-width='{}' stroke-linejoin='round'{}/>", path,
            look.colour, look.marker == Marker::none ? "2.5" : "2",
            look.dash.empty() ? "" : fmt::format(" stroke-dasharray='{}'", look.dash));
    }
    void marker(const Look& look, double x, double y) {
        switch (look.marker) {
            case Marker::none: break;
            case Marker::disc:
                put("<circle cx='{:.1f}' cy='{:.1f}' r='3.5' fill='{}'/>", x, y, look.colour);
                break;
            case Marker::square:
                put("<rect x='{:.1f}' y='{:.1f}' width='7' height='7' fill='#ffffff' stroke='{}' "
                    "stroke-width='2'/>",
                    x - 3.5, y - 3.5, look.colour);
                break;
            case Marker::diamond:
                put("<path d='M{:.1f} {:.1f}l5 5l-5 5l-5 -5z' fill='{}'/>", x, y - 5, look.colour);
                break;
        }
    }

    void panel(const Panel& panel, double x0, double y0) {
        double least = 64, most = 0, highest = 0;
        for (const Line& line : panel.lines) {
            least = std::min(least, line.points.front().first);
            most = std::max(most, line.points.back().first);
            for (const auto& [x, y] : line.points) highest = std::max(highest, y);
        }
        least = std::floor(least);
        most = std::max(std::ceil(most), least + 1);
        const Ticks ticks = ticks_up_to(highest);
        const double width = panel_width - left - right, height = panel_height - top - bottom;
        const double base = y0 + top + height;
        const auto to_x = [&](double log2) { return x0 + left + (log2 - least) / (most - least) * width; };
        const auto to_y = [&](double value) { return base - value / ticks.end * height; };

        text(x0 + left, y0 + 22, 15, strong, "start", panel.benchmark, true);
        text(x0 + left - 8, y0 + top - 14, 13, soft, "end", "GB/s");
        const int lines = static_cast<int>(std::lround(ticks.end / ticks.step));
        for (int i = 0; i <= lines; ++i) {
            const double value = ticks.step * i;
            put("<path d='M{:.1f} {:.1f}h{:.1f}' stroke='{}'/>", x0 + left, to_y(value), width, faint);
            text(x0 + left - 8, to_y(value) + 4.5, 13, soft, "end", fmt::format("{:.10g}", value));
        }
        const int each = most - least > 8 ? 2 : 1;
        for (int log2 = static_cast<int>(least); log2 <= static_cast<int>(most); log2 += each) {
            put("<path d='M{:.1f} {:.1f}v5' stroke='{}'/>", to_x(log2), base, soft);
            text(to_x(log2), base + 22, 14, soft, "middle", "2" + superscript(log2));
        }
        put("<path d='M{:.1f} {:.1f}h{:.1f}' stroke='{}' stroke-width='1.5'/>", x0 + left, base, width, soft);
        text(x0 + left + width / 2, base + 42, 13, soft, "middle", "n, elements");
        for (const Line& line : panel.lines) {
            const Look& look = plot_.looks[line.look];
            std::string path;
            for (const auto& [x, y] : line.points)
                path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", to_x(x), to_y(y));
            stroke(look, path);
            for (const auto& [x, y] : line.points) marker(look, to_x(x), to_y(y));
        }
    }

    const Results& results_;
    Plot plot_;
    double width_ = 0;
    std::string body_;
};

}  // namespace

Result<std::string> plot_svg(const Results& results) {
    Plot plot = plot_of(results);
    if (plot.panels.empty())
        return fail(ErrorCode::invalid_argument, "There is nothing to plot: no measurement has a time.");
    return Picture(results, std::move(plot)).draw();
}

}  // namespace upsweep::app
