// Draws a trace as an SVG picture: one row of cells per step, time going down, an arc for every read.
#include "app/explain/svg_geometry.h"
#include "app/explain/trace.h"
#include "app/formats/svg_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include <fmt/format.h>

namespace upsweep::app {
namespace {

/// The colours of a phase: hues of Okabe and Ito's palette, which colour-blind readers can tell apart. Those
/// for text are darker, so that it has enough contrast.
struct Ink {
    std::string_view line, text, fill, band;
};
Ink ink_of(Phase phase) {
    switch (phase) {
        case Phase::input: return {"#3d4650", "#3d4650", "#3d4650", "#fdfdfb"};
        case Phase::up: return {"#0072b2", "#00517f", "#d3e8f6", "#f0f7fc"};
        case Phase::identity: return {"#9c4f86", "#7d3a6a", "#f3dcec", "#fbf3f8"};
        case Phase::down: return {"#d55e00", "#9c4300", "#fde3cd", "#fef6ee"};
        case Phase::conversion: return {"#00795a", "#005c44", "#d2eee5", "#f0faf6"};
    }
    return {};
}
constexpr std::string_view white = "#ffffff", padding_dash = " stroke-dasharray='4 3'";
constexpr std::string_view paper = "#fdfdfb", frame = "#ccd1d6", strong = "#20262c", soft = "#626b74",
                           faint = "#cdd2d8";

std::string_view title_of(TracedScan algorithm) {
    switch (algorithm) {
        case TracedScan::hillis_steele: return "Hillis-Steele scan";
        case TracedScan::blelloch: return "Blelloch scan";
        case TracedScan::blelloch_padded: return "Blelloch scan in banked memory";
        case TracedScan::subgroup: return "Scan in subgroups";
        case TracedScan::reduce_then_scan: return "Reduce, then scan";
        case TracedScan::multi_level: return "Scan on several levels";
    }
    return {};
}

class Picture {
  public:
    explicit Picture(const Trace& trace) : trace_(trace), at_(trace) {}

    std::string draw() {
        bands();
        for (std::size_t s = 1; s < trace_.steps.size(); ++s) {
            kept_cells(s);
            arcs(s);
        }
        for (std::size_t s = 0; s < trace_.steps.size(); ++s) {
            cells(s);
            labels(s);
        }
        for (std::size_t s = 1; s < trace_.steps.size(); ++s) signs(s);
        const double bottom = caption();
        return head(bottom) + body_ + "</svg>\n";
    }

  private:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(body_), format, std::forward<Args>(args)...);
        body_ += '\n';
    }
    void text(double x, double y, double size, std::string_view colour, std::string_view anchor,
              std::string_view content, bool is_bold = false) {
        put("<text x='{:.1f}' y='{:.1f}' font-size='{:.1f}' fill='{}' text-anchor='{}'{}>{}</text>", x, y,
            size, colour, anchor, is_bold ? " font-weight='bold'" : "", escaped(content));
    }

    void line(double x0, double y0, double x1, double y1, std::string_view colour, double width) {
        put("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='{}' stroke-width='{}'/>", x0, y0, x1, y1, colour,
            width);
    }
    void copy_line(const std::string& path, Phase phase) {
        put("<path d='{}' fill='none' stroke='{}' stroke-width='{}' stroke-dasharray='6 4' "
            "marker-end='url(#tip-{})'/>",
            path, ink_of(phase).line, at_.stroke, name_of(phase));
    }

    [[nodiscard]] double count_x() const { return at_.cells_right + 62; }
    [[nodiscard]] double card_width() const {
        double entries = 0;
        for (const Entry& entry : legend()) entries += entry.width();
        const double texts = std::max({entries, text_width(serial_text(), 14), text_width(facts(), 14)});
        return std::max({count_x() + 14, Geometry::margin + texts, 460.0}) + Geometry::margin;
    }
    [[nodiscard]] std::string facts() const {
        std::string facts = fmt::format("{}, n = {}, operator +, identity 0", name_of(trace_.form), trace_.n);
        if (trace_.block < trace_.width)
            facts +=
                fmt::format(", {} of {}", trace_.algorithm == TracedScan::subgroup ? "subgroups" : "blocks",
                            trace_.block);
        if (trace_.width > trace_.n) facts += fmt::format(", padded to {}", trace_.width);
        return facts;
    }
    [[nodiscard]] std::string caption_text() const {
        return fmt::format("Work: {} operations. Depth: {} steps.", trace_.operations, trace_.depth);
    }
    [[nodiscard]] std::string serial_text() const {
        return fmt::format("A serial loop: {} operations, one after the other.", trace_.serial_operations);
    }

    static std::vector<bool> written_cells(const Step& step) {
        std::vector<bool> is_written(step.values.size());
        for (const Arc& arc : step.arcs) is_written[arc.to] = true;
        return is_written;
    }
    /// The last row before `step` with this stride: the array that `step` goes on with, if it does.
    [[nodiscard]] std::optional<std::size_t> row_before(std::size_t step, std::size_t stride) const {
        while (step-- > 0)
            if (trace_.steps[step].stride == stride) return step;
        return std::nullopt;
    }
    /// True if the row that the arc reads was overwritten in between: a straight line would cross its cells.
    [[nodiscard]] bool is_old(std::size_t step, const Arc& arc) const {
        return row_before(step, trace_.steps[arc.step].stride) != arc.step;
    }

    [[nodiscard]] std::string head(double height) const {
        std::string tips;
        for (Phase phase : {Phase::up, Phase::identity, Phase::down, Phase::conversion})
            tips += fmt::format(
                "<marker id='tip-{}' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='8' markerHeight='8' "
                "markerUnits='userSpaceOnUse' orient='auto'><path d='M0 0.5L8 4L0 7.5z' "
                "fill='{}'/></marker>\n",
                name_of(phase), ink_of(phase).line);
        return fmt::format(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} "
            "{1:.0f}' font-family='sans-serif' role='img'>\n<title>{2}</title>\n<desc>{3}</desc>\n"
            "<defs>\n{4}</defs>\n<rect x='0.5' y='0.5' width='{5:.0f}' height='{6:.0f}' rx='12' fill='{7}' "
            "stroke='{8}'/>\n",
            card_width(), height, escaped(title_of(trace_.algorithm)), escaped(caption_text()), tips,
            card_width() - 1, height - 1, paper, frame);
    }

    /// The title, and a tinted band behind every run of steps of one phase.
    void bands() {
        text(Geometry::margin, 38, 22, strong, "start", title_of(trace_.algorithm), true);
        text(Geometry::margin, 60, 14, soft, "start", facts());

        for (std::size_t first = 1; first < trace_.steps.size();) {
            std::size_t end = first + 1;
            const Phase phase = trace_.steps[first].phase;
            while (end < trace_.steps.size() && trace_.steps[end].phase == phase) ++end;
            const double y = at_.row_bottom(first - 1) + 9, height = at_.row_bottom(end - 1) + 9 - y;
            put("<rect x='{0:.1f}' y='{1:.1f}' width='{2:.1f}' height='{3:.1f}' fill='{4}'/>",
                Geometry::margin, y, card_width() - 2 * Geometry::margin, height, ink_of(phase).band);
            put("<rect x='{0:.1f}' y='{1:.1f}' width='4' height='{2:.1f}' fill='{3}'/>", Geometry::margin, y,
                height, ink_of(phase).line);
            first = end;
        }
    }

    /// Cells that this step leaves alone: a faint line down from the row before.
    void kept_cells(std::size_t s) {
        const Step& step = trace_.steps[s];
        const auto before = row_before(s, step.stride);
        if (!before) return;
        const std::vector<bool> is_written = written_cells(step);
        for (std::size_t i = 0; i < step.values.size(); ++i)
            if (!is_written[i])
                line(at_.x(s, i), at_.row_bottom(*before), at_.x(s, i), at_.row_top(s), faint, 1.5);
    }

    [[nodiscard]] double sign_y(std::size_t s) const { return at_.row_top(s) - 13; }

    void arcs(std::size_t s) {
        const Step& step = trace_.steps[s];
        const Ink ink = ink_of(step.phase);
        for (const Arc& arc : step.arcs) {
            const double x0 = at_.x(arc.step, arc.from), y0 = at_.row_bottom(arc.step), x1 = at_.x(s, arc.to);
            if (arc.kind == ArcKind::combine) {
                if (is_old(s, arc)) continue;  // The sign shows the value instead.
                // An operand that waited for other rows comes down its column; only the end of that is news.
                const double start = x0 == x1 && arc.step + 1 < s ? at_.row_bottom(s - 1) + 9 : y0;
                if (start > y0) line(x0, y0, x0, start, faint, 1.5);
                line(x0, start, x1, sign_y(s), ink.line, at_.stroke);
            } else if (arc.kind == ArcKind::zero) {
                put("<path d='M{:.1f} {:.1f}v-9m-7 0h14' fill='none' stroke='{}' stroke-width='2'/>", x1,
                    at_.row_top(s), ink.line);
            } else if (is_old(s, arc)) {
                const double lane = at_.lane_after(arc.step, arc.from), edge = x0 + at_.cell_width / 2,
                             middle = y0 - at_.cell_height / 2, turn = at_.row_top(s) - 36,
                             y1 = at_.row_top(s) - 2;
                copy_line(
                    fmt::format("M{0:.1f} {1:.1f}Q{2:.1f} {1:.1f} {2:.1f} {3:.1f}V{4:.1f}C{2:.1f} {5:.1f} "
                                "{6:.1f} {4:.1f} {6:.1f} {7:.1f}",
                                edge, middle, lane, middle + 12, turn, turn + 24, x1, y1),
                    step.phase);
            } else {
                copy_line(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x0, y0, x1, at_.row_top(s) - 2),
                          step.phase);
            }
        }
    }

    /// The operator where two operands meet, above the cell that takes the sum.
    void signs(std::size_t s) {
        const Step& step = trace_.steps[s];
        const Ink ink = ink_of(step.phase);
        for (std::size_t a = 0; a < step.arcs.size(); ++a) {
            if (step.arcs[a].kind != ArcKind::combine) continue;
            const Arc& right = step.arcs[++a];
            const double x = at_.x(s, right.to), y = sign_y(s);
            std::string sign = "+";
            if (is_old(s, right)) sign += std::to_string(trace_.steps[right.step].values[right.from]);
            const double half = sign == "+" ? 8 : 5 + 4.2 * static_cast<double>(sign.size());
            put("<path d='M{:.1f} {:.1f}V{:.1f}' stroke='{}' stroke-width='2'/>", x, y, at_.row_top(s),
                ink.line);
            put("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='16' rx='8' fill='{}'/>", x - half, y - 8,
                2 * half, ink.line);
            if (sign == "+") {
                put("<path d='M{:.1f} {:.1f}h8m-4 -4v8' stroke='#ffffff' stroke-width='2'/>", x - 4, y);
            } else {
                text(x, y + 4.3, 12, white, "middle", sign, true);
            }
        }
    }

    struct Look {
        std::string_view fill, stroke, text;
        bool is_bold;
    };
    /// Input and result are solid, what a step writes is tinted, the rest stays in the background.
    [[nodiscard]] Look look_of(std::size_t s, std::size_t cell, bool is_written) const {
        const Ink ink = ink_of(trace_.steps[s].phase);
        const bool is_end = s == 0 || s + 1 == trace_.steps.size();
        if (trace_.is_padding(trace_.steps[s], cell))
            return {white, is_written ? ink.line : faint, soft, false};
        if (is_end) return {ink.text, ink.text, white, true};
        if (is_written) return {ink.fill, ink.line, ink.text, true};
        return {white, faint, soft, false};
    }

    void cells(std::size_t s) {
        const Step& step = trace_.steps[s];
        const std::vector<bool> is_written = written_cells(step);
        const double y = at_.row_top(s), baseline = y + 17 + 0.36 * at_.value_size;
        for (std::size_t i = 0; i < step.values.size(); ++i) {
            const Look look = look_of(s, i, is_written[i]);
            put("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='6' fill='{}' stroke='{}' "
                "stroke-width='2'{}/>",
                at_.x(s, i) - at_.cell_width / 2, y, at_.cell_width, at_.cell_height, look.fill, look.stroke,
                trace_.is_padding(step, i) ? padding_dash : "");
            text(at_.x(s, i), baseline, at_.value_size, look.text, "middle", std::to_string(step.values[i]),
                 look.is_bold);
        }
        if (!step.banks) return;
        for (const BankUse::Touch touch : step.banks->touched)
            text(at_.x(s, touch.cell), y + at_.cell_height - 6, 10,
                 look_of(s, touch.cell, is_written[touch.cell]).text, "middle",
                 fmt::format("b{}", touch.bank));
    }

    void labels(std::size_t s) {
        const Step& step = trace_.steps[s];
        const double x = Geometry::margin + 18, y = at_.row_top(s) + at_.cell_height / 2 + 5;
        const std::string_view colour = ink_of(step.phase).text;
        text(x, step.banks ? y - 6 : y, Geometry::name_size, colour, "start", step.name, s == 0);
        if (step.banks)
            text(x, y + 10, 11, soft, "start",
                 fmt::format("conflicts {}, padded {}", step.banks->conflicts_plain,
                             step.banks->conflicts_padded));
        if (step.operations > 0) text(count_x(), y, 14, colour, "end", std::to_string(step.operations));
        if (s > 0) return;
        text(count_x(), y, 12, soft, "end", "work");
        for (std::size_t i = 0; i < step.values.size(); ++i)
            text(at_.x(s, i), at_.row_top(s) - 8, 11, soft, "middle", std::to_string(i));
    }

    /// One entry of the legend: a small cell, or a dashed line where there is no fill.
    struct Entry {
        std::string_view stroke, fill, dash, name;
        [[nodiscard]] double width() const { return 27 + text_width(name, 13) + 18; }
    };
    [[nodiscard]] std::vector<Entry> legend() const {
        constexpr std::array<std::pair<Phase, std::string_view>, 4> phases = {
            {{Phase::up, "sums grow"},
             {Phase::identity, "set to identity"},
             {Phase::down, "prefixes spread"},
             {Phase::conversion, "conversion"}}};
        std::vector<Entry> entries;
        for (const auto& [phase, name] : phases)
            if (any_step([p = phase](const Step& step) { return step.phase == p; }))
                entries.push_back({ink_of(phase).line, ink_of(phase).fill, "", name});
        if (any_step([](const Step& step) { return copies(step); }))
            entries.push_back({soft, "", " stroke-dasharray='6 4'", "copy"});
        if (trace_.width > trace_.n) entries.push_back({faint, white, padding_dash, "padding"});
        if (trace_.algorithm == TracedScan::blelloch_padded)
            entries.push_back({paper, paper, "", "b: memory bank"});
        return entries;
    }
    template <class Predicate>
    [[nodiscard]] bool any_step(Predicate predicate) const {
        return std::any_of(trace_.steps.begin(), trace_.steps.end(), predicate);
    }
    static bool copies(const Step& step) {
        return std::any_of(step.arcs.begin(), step.arcs.end(),
                           [](const Arc& arc) { return arc.kind == ArcKind::copy; });
    }

    /// The legend and the counts; returns the height of the picture.
    double caption() {
        double x = Geometry::margin;
        const double y = at_.rows_bottom + 40;
        for (const Entry& entry : legend()) {
            if (entry.fill.empty()) {
                put("<path d='M{:.1f} {:.1f}h20' stroke='{}' stroke-width='2'{}/>", x, y - 4.5, entry.stroke,
                    entry.dash);
            } else {
                put("<rect x='{:.1f}' y='{:.1f}' width='18' height='14' rx='4' fill='{}' stroke='{}' "
                    "stroke-width='2'{}/>",
                    x + 1, y - 11.5, entry.fill, entry.stroke, entry.dash);
            }
            text(x + 27, y, 13, soft, "start", entry.name);
            x += entry.width();
        }
        text(Geometry::margin, y + 30, 15, strong, "start", caption_text(), true);
        text(Geometry::margin, y + 52, 14, soft, "start", serial_text());
        return y + 74;
    }

    const Trace& trace_;
    Geometry at_;
    std::string body_;
};

}  // namespace

Result<std::string> trace_svg(const Trace& trace) {
    if (trace.width > max_svg_n)
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("n = {} makes rows of {} cells, but a picture holds at most {}; give an n of "
                                "at most {}, or take the table.",
                                trace.n, trace.width, max_svg_n, max_svg_n));
    return Picture(trace).draw();
}

}  // namespace upsweep::app
