// Runs the scans and records every step.
#include "app/explain/trace.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace upsweep::app {
namespace {

constexpr std::array<std::string_view, 6> scan_names = {
    "hillis_steele", "blelloch", "blelloch_padded", "subgroup", "reduce_then_scan", "multi_level"};
constexpr std::size_t bank_count = 32;
constexpr std::size_t lockstep_width = 32;  // Invocations that access memory at the same time.

/// The operator of every scan here: it adds, and counts that it did. All the counts come from it.
struct CountingSum {
    std::uint64_t& count;
    std::int64_t operator()(std::int64_t left, std::int64_t right) const {
        ++count;
        return left + right;
    }
};

struct Cell {
    std::size_t step;
    std::size_t index;
};

/// Writes steps into a trace. Every read names the row it reads, always a finished one, so that the cells of
/// a step can run in any order, as on a GPU.
class Recorder {
  public:
    explicit Recorder(std::vector<Step>& steps) : steps_(steps) {}

    [[nodiscard]] const Step& at(std::size_t row) const { return steps_[row]; }
    [[nodiscard]] std::size_t size(std::size_t row) const { return steps_[row].values.size(); }

    /// Opens a step that goes on with the array of `row`; returns the new row.
    std::size_t go_on(std::size_t row, std::string name, Phase phase) {
        std::vector<std::int64_t> values = steps_[row].values;
        return open(std::move(name), phase, steps_[row].stride, std::move(values));
    }
    /// Opens a step that writes a new array with one cell for `group` cells of `row`.
    std::size_t shrink(std::size_t row, std::size_t group, std::string name, Phase phase) {
        std::vector<std::int64_t> values(size(row) / group);
        return open(std::move(name), phase, steps_[row].stride * group, std::move(values));
    }
    void combine(Cell left, Cell right, std::size_t to) {
        Step& step = steps_.back();
        step.values[to] = CountingSum{step.operations}(value(left), value(right));
        arc(left, to, ArcKind::combine);
        arc(right, to, ArcKind::combine);
    }
    void copy(Cell from, std::size_t to) {
        steps_.back().values[to] = value(from);
        arc(from, to, ArcKind::copy);
    }
    void zero(Cell old) {
        steps_.back().values[old.index] = 0;
        arc(old, old.index, ArcKind::zero);
    }

  private:
    std::size_t open(std::string name, Phase phase, std::size_t stride, std::vector<std::int64_t> values) {
        steps_.push_back({std::move(name), phase, stride, std::move(values), {}, 0, std::nullopt});
        return steps_.size() - 1;
    }
    [[nodiscard]] std::int64_t value(Cell cell) const { return steps_[cell.step].values[cell.index]; }
    void arc(Cell from, std::size_t to, ArcKind kind) {
        steps_.back().arcs.push_back({static_cast<std::uint32_t>(from.step),
                                      static_cast<std::uint32_t>(from.index), static_cast<std::uint32_t>(to),
                                      kind});
    }

    std::vector<Step>& steps_;
};

// The building blocks. Each takes the row to start from and returns the row it ended with. All work on many
// blocks at once; block sizes and row sizes are powers of two.

/// Inclusive scan of every block.
std::size_t hillis_steele(Recorder& record, std::size_t row, std::size_t block, const std::string& prefix,
                          Phase phase = Phase::up) {
    for (std::size_t d = 1; d < block; d *= 2) {
        const std::size_t next = record.go_on(row, fmt::format("{}d={}", prefix, d), phase);
        for (std::size_t i = 0; i < record.size(row); ++i)
            if (i % block >= d) record.combine({row, i - d}, {row, i}, i);
        row = next;
    }
    return row;
}

/// The two children that invocation `i` handles at one level of Blelloch's tree.
struct Pair {
    Pair(std::size_t i, std::size_t offset)
        : left(offset * (2 * i + 1) - 1), right(offset * (2 * i + 2) - 1) {}
    std::size_t left, right;
};

std::size_t up_sweep(Recorder& record, std::size_t row, std::size_t block, const std::string& prefix) {
    for (std::size_t offset = 1; offset < block; offset *= 2) {
        const std::size_t next =
            record.go_on(row, fmt::format("{}up-sweep offset {}", prefix, offset), Phase::up);
        for (std::size_t i = 0; i < record.size(row) / (2 * offset); ++i) {
            const Pair pair(i, offset);
            record.combine({row, pair.left}, {row, pair.right}, pair.right);
        }
        row = next;
    }
    return row;
}

std::size_t down_sweep(Recorder& record, std::size_t row, std::size_t block, const std::string& prefix) {
    const std::size_t cleared = record.go_on(row, prefix + "set identity", Phase::identity);
    for (std::size_t i = block - 1; i < record.size(row); i += block) record.zero({row, i});
    row = cleared;
    for (std::size_t offset = block / 2; offset > 0; offset /= 2) {
        const std::size_t next =
            record.go_on(row, fmt::format("{}down-sweep offset {}", prefix, offset), Phase::down);
        for (std::size_t i = 0; i < record.size(row) / (2 * offset); ++i) {
            const Pair pair(i, offset);
            record.copy({row, pair.right}, pair.left);
            // The parent's prefix lies left of the left child's sum, and so it is the left operand.
            record.combine({row, pair.right}, {row, pair.left}, pair.right);
        }
        row = next;
    }
    return row;
}

/// The last cell of every block, in an array of their own.
std::size_t totals(Recorder& record, std::size_t row, std::size_t block, const std::string& name) {
    const std::size_t next = record.shrink(row, block, name, Phase::up);
    for (std::size_t k = 0; k < record.size(next); ++k) record.copy({row, block * k + block - 1}, k);
    return next;
}

// The algorithms: from the input, row 0, to the row with the scan in the form that comes by itself.

void subgroup(Recorder& record, std::size_t size) {
    const std::size_t local = hillis_steele(record, 0, size, "subgroups ");
    if (record.size(local) == size) return;
    std::size_t sums = totals(record, local, size, "subgroup totals");
    sums = hillis_steele(record, sums, record.size(sums), "totals ");
    record.go_on(local, "add back", Phase::down);
    for (std::size_t i = size; i < record.size(local); ++i)
        record.combine({sums, i / size - 1}, {local, i}, i);
}

void reduce_then_scan(Recorder& record, std::size_t block) {
    const std::size_t width = record.size(0);
    std::size_t sums = 0;
    for (std::size_t group = 2; group <= block && block < width; group *= 2) {
        const std::size_t next =
            record.shrink(sums, 2, fmt::format("reduce to sums of {}", group), Phase::up);
        for (std::size_t k = 0; k < record.size(next); ++k)
            record.combine({sums, 2 * k}, {sums, 2 * k + 1}, k);
        sums = next;
    }
    std::size_t row = 0;
    if (block < width) {
        sums = hillis_steele(record, sums, record.size(sums), "block totals ");
        row = record.go_on(0, "add to block starts", Phase::down);
        for (std::size_t k = 1; k < width / block; ++k)
            record.combine({sums, k - 1}, {0, k * block}, k * block);
    }
    hillis_steele(record, row, block, "blocks ", Phase::down);
}

void multi_level(Recorder& record, const Trace& trace, std::size_t block) {
    std::vector<std::size_t> levels;  // The scanned row of every level.
    for (std::size_t row = 0;;) {
        const std::string prefix = levels.empty() ? "" : fmt::format("level {} ", levels.size());
        const std::size_t size = std::min(block, record.size(row));
        const std::size_t summed = up_sweep(record, row, size, prefix);
        levels.push_back(down_sweep(record, summed, size, prefix));
        if (record.size(row) == size) break;
        // A kernel saves the totals just before it sets the identity; the row comes here, where it is used.
        row = totals(record, summed, size, fmt::format("level {} totals", levels.size()));
    }
    for (std::size_t k = levels.size() - 1; k-- > 0;) {
        const std::string prefix = k == 0 ? "" : fmt::format("level {} ", k);
        const std::size_t next = record.go_on(levels[k], prefix + "add back", Phase::down);
        for (std::size_t i = 0; i < record.size(next) && !trace.is_padding(record.at(next), i); ++i)
            record.combine({levels[k + 1], i / block}, {levels[k], i}, i);
        levels[k] = next;
    }
}

void to_inclusive(Recorder& record, std::size_t row, std::size_t n) {
    record.go_on(row, "add the input", Phase::conversion);
    for (std::size_t i = 0; i < n; ++i) record.combine({row, i}, {0, i}, i);
}

void to_exclusive(Recorder& record, std::size_t row, std::size_t n) {
    record.go_on(row, "shift right", Phase::conversion);
    record.zero({row, 0});
    for (std::size_t i = 1; i < n; ++i) record.copy({row, i - 1}, i);
}

/// The passes that one access of every invocation takes beyond the ideal. `cells[i]` is what invocation i
/// accesses.
std::uint64_t conflicts(const std::vector<std::uint32_t>& cells, bool padded) {
    std::uint64_t extra = 0;
    for (std::size_t first = 0; first < cells.size(); first += lockstep_width) {
        std::array<std::uint64_t, bank_count> hits{};
        for (std::size_t i = first; i < std::min(first + lockstep_width, cells.size()); ++i)
            ++hits[(cells[i] + (padded ? cells[i] / bank_count : 0)) % bank_count];
        extra += *std::max_element(hits.begin(), hits.end()) - 1;
    }
    return extra;
}

/// Replays the accesses of a recorded Blelloch step. Every invocation reads its two cells; an up-sweep then
/// writes the right one, a down-sweep both. An arc per operand leads from each of them.
BankUse use_banks(const Step& step) {
    BankUse use;
    std::vector<std::uint32_t> left, right;
    for (const Arc& arc : step.arcs) {
        if (arc.kind == ArcKind::copy) continue;  // The same two cells as the combine of that invocation.
        (arc.from == arc.to ? right : left).push_back(arc.from);
        use.touched.push_back(
            {arc.from, static_cast<std::uint32_t>((arc.from + arc.from / bank_count) % bank_count)});
    }
    std::sort(use.touched.begin(), use.touched.end(), [](auto a, auto b) { return a.cell < b.cell; });
    if (step.phase == Phase::identity) return use;  // One invocation, one access.
    for (bool padded : {false, true}) {
        const std::uint64_t on_left = conflicts(left, padded), on_right = conflicts(right, padded);
        const std::uint64_t sum = 2 * on_right + (step.phase == Phase::down ? 2 : 1) * on_left;
        (padded ? use.conflicts_padded : use.conflicts_plain) = sum;
    }
    return use;
}

bool is_exclusive_by_nature(TracedScan algorithm) {
    return algorithm == TracedScan::blelloch || algorithm == TracedScan::blelloch_padded ||
           algorithm == TracedScan::multi_level;
}

bool is_power_of_two_within(std::size_t size, std::size_t first, std::size_t last) {
    return std::has_single_bit(size) && size >= first && size <= last;
}

/// The values to scan, or why the request makes no sense.
Result<std::vector<std::int64_t>> input_of(const TraceRequest& request) {
    const std::size_t n = request.n.value_or(request.values.empty() ? 8 : request.values.size());
    if (n == 0 || n > max_traced_n)
        return fail(n == 0 ? ErrorCode::invalid_argument : ErrorCode::limit_exceeded,
                    fmt::format("n is {}, but explain runs 1 to {} elements; give an n in that range.", n,
                                max_traced_n));
    if (!request.values.empty() && request.values.size() != n)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("n is {}, but {} values are given; give n values, or leave n out.", n,
                                request.values.size()));
    for (std::int64_t value : request.values)
        if (value > max_traced_value || value < -max_traced_value)
            return fail(ErrorCode::limit_exceeded,
                        fmt::format("The value {} is outside -{} to {}; give smaller values.", value,
                                    max_traced_value, max_traced_value));
    if (request.algorithm == TracedScan::subgroup && !is_power_of_two_within(request.subgroup_size, 2, 128))
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("The subgroup size is {}, but it must be a power of two from 2 to 128; give for "
                        "instance 4 or 32.",
                        request.subgroup_size));
    const bool has_blocks =
        request.algorithm == TracedScan::reduce_then_scan || request.algorithm == TracedScan::multi_level;
    if (has_blocks && !is_power_of_two_within(request.block, 2, 1024))
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("The block is {}, but it must be a power of two from 2 to 1024; give for instance "
                        "4 or 256.",
                        request.block));
    if (!request.values.empty()) return request.values;
    constexpr std::array<std::int64_t, 8> pattern = {3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<std::int64_t> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = pattern[i % pattern.size()];
    return values;
}

std::uint64_t count_serial_operations(const std::vector<std::int64_t>& input) {
    std::uint64_t count = 0;
    std::int64_t prefix = input.front();
    for (std::size_t i = 1; i < input.size(); ++i) prefix = CountingSum{count}(prefix, input[i]);
    return count;
}

}  // namespace

std::string_view name_of(TracedScan algorithm) {
    return scan_names[static_cast<std::size_t>(algorithm)];
}

std::string_view name_of(TracedForm form) {
    return form == TracedForm::inclusive ? "inclusive" : "exclusive";
}

std::string_view name_of(ArcKind kind) {
    constexpr std::array<std::string_view, 3> names = {"combine", "copy", "zero"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Phase phase) {
    constexpr std::array<std::string_view, 5> names = {"input", "up", "identity", "down", "conversion"};
    return names[static_cast<std::size_t>(phase)];
}

std::vector<std::string> traced_scan_names() {
    return {scan_names.begin(), scan_names.end()};
}

Result<TracedScan> parse_traced_scan(std::string_view name) {
    const auto* const found = std::find(scan_names.begin(), scan_names.end(), name);
    if (found == scan_names.end())
        return fail(ErrorCode::invalid_argument,
                    fmt::format("There is no algorithm \"{}\" to explain; give one of {}.", name,
                                fmt::join(scan_names, ", ")));
    return static_cast<TracedScan>(found - scan_names.begin());
}

Result<Trace> trace_scan(const TraceRequest& request) {
    auto input = input_of(request);
    if (!input) return tl::unexpected(input.error());

    Trace trace;
    trace.algorithm = request.algorithm;
    trace.n = input->size();
    trace.width = std::bit_ceil(trace.n);
    trace.block = trace.width;
    trace.input = std::move(*input);
    std::vector<std::int64_t> padded = trace.input;
    padded.resize(trace.width, 0);
    trace.steps.push_back({"input", Phase::input, 1, std::move(padded), {}, 0, std::nullopt});

    Recorder record(trace.steps);
    switch (request.algorithm) {
        case TracedScan::hillis_steele: hillis_steele(record, 0, trace.width, ""); break;
        case TracedScan::blelloch:
        case TracedScan::blelloch_padded:
            down_sweep(record, up_sweep(record, 0, trace.width, ""), trace.width, "");
            break;
        case TracedScan::subgroup:
            trace.block = std::min(request.subgroup_size, trace.width);
            subgroup(record, trace.block);
            break;
        case TracedScan::reduce_then_scan:
            trace.block = std::min(request.block, trace.width);
            reduce_then_scan(record, trace.block);
            break;
        case TracedScan::multi_level:
            trace.block = std::min(request.block, trace.width);
            multi_level(record, trace, trace.block);
            break;
    }
    if (request.algorithm == TracedScan::blelloch_padded)
        for (Step& step : trace.steps)
            if (step.phase != Phase::input) step.banks = use_banks(step);

    const bool is_exclusive = is_exclusive_by_nature(request.algorithm);
    trace.form = request.form.value_or(is_exclusive ? TracedForm::exclusive : TracedForm::inclusive);
    const std::size_t last = trace.steps.size() - 1;
    if (is_exclusive && trace.form == TracedForm::inclusive) to_inclusive(record, last, trace.n);
    if (!is_exclusive && trace.form == TracedForm::exclusive) to_exclusive(record, last, trace.n);

    trace.result.assign(trace.steps.back().values.begin(),
                        trace.steps.back().values.begin() + static_cast<std::ptrdiff_t>(trace.n));
    for (const Step& step : trace.steps) {
        trace.operations += step.operations;
        if (step.operations > 0) ++trace.depth;
    }
    trace.serial_operations = count_serial_operations(trace.input);
    return trace;
}

}  // namespace upsweep::app
