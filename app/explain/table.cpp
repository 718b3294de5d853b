// Prints a trace as a table for a terminal and as JSON for programs.
#include "app/explain/trace.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace upsweep::app {
namespace {

constexpr std::size_t most_columns = 32;   // A row with more of them is shortened...
constexpr std::size_t kept_at_an_end = 8;  // ...to so many at either end.

std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

/// Which input positions get a column, and how wide the columns are.
class Layout {
  public:
    explicit Layout(const Trace& trace) : trace_(trace) {
        for (const Step& step : trace.steps) name_width_ = std::max(name_width_, step.name.size());
        value_width_ = fmt::formatted_size("{}", trace.width - 1);
        for (const Step& step : trace.steps)
            for (std::size_t i = 0; i < step.values.size(); ++i)
                if (is_shown(column_of(step, i)))
                    value_width_ = std::max(value_width_, fmt::formatted_size("{}", step.values[i]));
    }

    /// A line of the table; `text(column)` is the content and is right-aligned.
    template <class Text>
    [[nodiscard]] std::string line(std::string_view name, Text text, std::string_view after) const {
        std::string line = fmt::format("{:<{}}  ", name, name_width_);
        for (std::size_t column = 0; column < trace_.width; ++column) {
            if (column == trace_.n) line += " |";
            if (is_shown(column)) {
                line += text(column);
            } else if (is_shown(column - 1)) {
                line += "  ...";
            }
        }
        return trimmed(line + fmt::format("  {:>9}", after));
    }
    [[nodiscard]] std::string aligned(std::string_view text) const {
        return fmt::format(" {:>{}}", text, value_width_);
    }

    /// A cell that stands for many elements, a block total for instance, is under the last of them.
    static std::size_t column_of(const Step& step, std::size_t cell) { return (cell + 1) * step.stride - 1; }

  private:
    [[nodiscard]] bool is_shown(std::size_t column) const {
        return trace_.width <= most_columns || column < kept_at_an_end ||
               column >= trace_.width - kept_at_an_end;
    }

    const Trace& trace_;
    std::size_t name_width_ = 4;
    std::size_t value_width_ = 1;
};

std::string step_line(const Trace& trace, const Layout& layout, const Step& step, bool ansi) {
    std::vector<bool> is_changed(step.values.size());
    for (const Arc& arc : step.arcs) is_changed[arc.to] = true;
    const auto text = [&](std::size_t column) {
        if ((column + 1) % step.stride != 0) return layout.aligned("");
        const std::size_t cell = column / step.stride;
        std::string value = layout.aligned(std::to_string(step.values[cell]));
        if (!ansi) return value;
        if (trace.is_padding(step, cell)) return "\x1b[2m" + value + "\x1b[0m";
        return is_changed[cell] ? "\x1b[1m" + value + "\x1b[0m" : value;
    };
    return layout.line(step.name, text, step.operations > 0 ? std::to_string(step.operations) : "");
}

std::string bank_line(const Layout& layout, const BankUse& use) {
    const auto text = [&](std::size_t column) {
        const auto found =
            std::lower_bound(use.touched.begin(), use.touched.end(), column,
                             [](BankUse::Touch touch, std::size_t cell) { return touch.cell < cell; });
        const bool is_touched = found != use.touched.end() && found->cell == column;
        return layout.aligned(is_touched ? std::to_string(found->bank) : ".");
    };
    return layout.line("  bank", text, "");
}

std::string conflict_lines(const Trace& trace) {
    std::string text = "\nbank conflicts (extra passes, 32 banks)     plain   padded\n";
    std::uint64_t plain = 0, padded = 0;
    for (const Step& step : trace.steps) {
        if (!step.banks) continue;
        text += fmt::format("  {:<38}{:>9}{:>9}\n", step.name, step.banks->conflicts_plain,
                            step.banks->conflicts_padded);
        plain += step.banks->conflicts_plain;
        padded += step.banks->conflicts_padded;
    }
    text += fmt::format("  {:<38}{:>9}{:>9}\n", "all steps", plain, padded);
    if (plain == 0)
        text += "  32 banks hold so few cells without a conflict; from n = 33 on there are some.\n";
    return text;
}

nlohmann::ordered_json step_json(const Step& step) {
    nlohmann::ordered_json json;
    json["name"] = step.name;
    json["phase"] = name_of(step.phase);
    json["stride"] = step.stride;
    json["values"] = step.values;
    json["operations"] = step.operations;
    json["arcs"] = nlohmann::ordered_json::array();
    for (const Arc& arc : step.arcs)
        json["arcs"].push_back(
            {{"step", arc.step}, {"from", arc.from}, {"to", arc.to}, {"kind", name_of(arc.kind)}});
    if (step.banks) {
        auto& banks = json["banks"];
        banks["conflicts_plain"] = step.banks->conflicts_plain;
        banks["conflicts_padded"] = step.banks->conflicts_padded;
        banks["touched"] = nlohmann::ordered_json::array();
        for (const BankUse::Touch touch : step.banks->touched)
            banks["touched"].push_back({{"cell", touch.cell}, {"bank", touch.bank}});
    }
    return json;
}

}  // namespace

std::string trace_table(const Trace& trace, bool ansi) {
    const Layout layout(trace);
    std::string text = fmt::format("{}, {}, n = {}", name_of(trace.algorithm), name_of(trace.form), trace.n);
    if (trace.block < trace.width) text += fmt::format(", blocks of {}", trace.block);
    if (trace.width > trace.n)
        text += fmt::format(", padded to {} with the identity (right of the bar)", trace.width);
    text += "\n\n";

    const auto index = [&](std::size_t column) { return layout.aligned(std::to_string(column)); };
    text += layout.line("step", index, "combines");
    for (const Step& step : trace.steps) {
        text += step_line(trace, layout, step, ansi);
        if (step.banks) text += bank_line(layout, *step.banks);
    }
    if (trace.algorithm == TracedScan::blelloch_padded) text += conflict_lines(trace);
    text += fmt::format("\n{} operations in {} steps. A serial loop: {} operations, one after the other.\n",
                        trace.operations, trace.depth, trace.serial_operations);
    return text;
}

Result<std::string> trace_json(const Trace& trace) {
    if (trace.width > max_json_n)
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("n = {} makes rows of {} cells, but JSON holds at most {}; give an n of at "
                                "most {}, or take the table.",
                                trace.n, trace.width, max_json_n, max_json_n));
    nlohmann::ordered_json json;
    json["algorithm"] = name_of(trace.algorithm);
    json["form"] = name_of(trace.form);
    json["n"] = trace.n;
    json["width"] = trace.width;
    json["block"] = trace.block;
    json["input"] = trace.input;
    json["result"] = trace.result;
    json["operations"] = trace.operations;
    json["depth"] = trace.depth;
    json["serial_operations"] = trace.serial_operations;
    json["steps"] = nlohmann::ordered_json::array();
    for (const Step& step : trace.steps) json["steps"].push_back(step_json(step));
    return json.dump() + "\n";
}

}  // namespace upsweep::app
