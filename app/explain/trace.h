// `upsweep explain`: run a parallel scan step by step on the CPU, keep every step, and show it.
#pragma once

#include "upsweep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::app {

/// The algorithms that can be explained.
enum class TracedScan : std::uint8_t {
    hillis_steele,     ///< log2(n) steps, n log2(n) work; inclusive by nature.
    blelloch,          ///< 2 log2(n) steps, 2n work; exclusive by nature.
    blelloch_padded,   ///< Blelloch, with the memory banks that every step touches.
    subgroup,          ///< Hillis-Steele inside subgroups, then over their totals; inclusive by nature.
    reduce_then_scan,  ///< Reduce the blocks, scan the totals, scan the blocks from there; inclusive by
                       ///< nature.
    multi_level,       ///< Blelloch per block, the same over the totals, and so on; exclusive by nature.
};

/// The name as on the command line, for instance "hillis_steele".
std::string_view name_of(TracedScan algorithm);
/// All names, in the order of the enumeration.
std::vector<std::string> traced_scan_names();
Result<TracedScan> parse_traced_scan(std::string_view name);

enum class TracedForm : std::uint8_t { inclusive, exclusive };
std::string_view name_of(TracedForm form);

inline constexpr std::size_t max_traced_n = 65'536;  ///< What runs, and what the (shortened) table shows.
inline constexpr std::size_t max_json_n = 4'096;     ///< JSON names every arc.
inline constexpr std::size_t max_svg_n = 256;        ///< A wider picture cannot be read.
inline constexpr std::int64_t max_traced_value = 1'000'000'000;  ///< So that no sum overflows.

struct TraceRequest {
    TracedScan algorithm = TracedScan::blelloch;
    std::optional<std::size_t> n;      ///< Default: as many as `values`, or 8.
    std::vector<std::int64_t> values;  ///< Default: 3 1 7 0 4 1 6 3, repeated.
    std::optional<TracedForm> form;    ///< Default: what the algorithm yields without a further step.
    std::size_t subgroup_size = 4;     ///< A power of two from 2 to 128; `subgroup` only.
    std::size_t block = 4;  ///< A power of two from 2 to 1024; `reduce_then_scan` and `multi_level` only.
};

/// What an arc carries into its cell.
enum class ArcKind : std::uint8_t {
    combine,  ///< An operand of a sum; of the two arcs into one cell the left operand comes first.
    copy,     ///< The value itself.
    zero,     ///< Nothing: the cell is set to the identity. `from` is the cell that loses its value.
};
std::string_view name_of(ArcKind kind);

/// One read: cell `from` of the row of `step`, always an earlier step, goes into cell `to` of this step's
/// row.
struct Arc {
    std::uint32_t step;
    std::uint32_t from;
    std::uint32_t to;
    ArcKind kind;
};

/// The role of a step; it decides the colour.
enum class Phase : std::uint8_t {
    input,       ///< The padded input; nothing has run.
    up,          ///< Sums grow: scan steps of Hillis-Steele, up-sweeps, reductions, totals.
    identity,    ///< The roots are set to the identity.
    down,        ///< Prefixes spread: down-sweeps, block offsets, the scan that starts from them.
    conversion,  ///< From exclusive to inclusive or back.
};
std::string_view name_of(Phase phase);

/// Workgroup memory of 32 banks as one step sees it. A conflict is one extra pass: 32 invocations access
/// memory together, and an access that meets one bank k times takes k passes instead of one.
struct BankUse {
    struct Touch {
        std::uint32_t cell;
        std::uint32_t bank;  ///< (i + i/32) mod 32: with padding.
    };
    std::vector<Touch> touched;
    std::uint64_t conflicts_plain = 0;   ///< Cell i at address i.
    std::uint64_t conflicts_padded = 0;  ///< Cell i at address i + i/32.
};

/// One row: the array that this step wrote, as it is afterwards.
struct Step {
    std::string name;
    Phase phase = Phase::input;
    std::size_t stride = 1;  ///< Input elements per cell: 1 in the data, the block size in the block totals.
    std::vector<std::int64_t> values;
    std::vector<Arc> arcs;  ///< Cells without an arc keep the value of the last row with the same stride.
    std::uint64_t operations = 0;  ///< Combines, counted as they ran.
    std::optional<BankUse> banks;  ///< Of `blelloch_padded` only.
};

/// A scan that has run. steps[0] is the input, padded with the identity to `width` cells.
struct Trace {
    TracedScan algorithm = TracedScan::blelloch;
    TracedForm form = TracedForm::exclusive;
    std::size_t n = 0;
    std::size_t width = 0;  ///< The next power of two.
    std::size_t block = 0;  ///< Block or subgroup size; `width` where the algorithm knows only one block.
    std::vector<std::int64_t> input;
    std::vector<Step> steps;
    std::vector<std::int64_t> result;     ///< The first n cells of the last row.
    std::uint64_t operations = 0;         ///< The work: combines of all steps, padding included.
    std::uint64_t depth = 0;              ///< Steps that combined; each waits for the one before.
    std::uint64_t serial_operations = 0;  ///< Combines of a plain loop over the n values.

    /// True for a cell that covers nothing but padding.
    [[nodiscard]] bool is_padding(const Step& step, std::size_t cell) const {
        return cell * step.stride >= n;
    }
};

/// Runs the algorithm; the counts are taken while it runs.
Result<Trace> trace_scan(const TraceRequest& request);

/// One row per step for a terminal. Long rows are shortened. `ansi` adds bold changes and dim padding.
std::string trace_table(const Trace& trace, bool ansi = false);
/// The whole trace for programs. Up to max_json_n cells.
Result<std::string> trace_json(const Trace& trace);
/// The picture: rows of cells, time going down, an arc for every read. Up to max_svg_n cells.
Result<std::string> trace_svg(const Trace& trace);

}  // namespace upsweep::app
