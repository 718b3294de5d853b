// KernelSpec: everything that decides a kernel's text. It prints as the module's first line and it is the
// pipeline's key.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/operators.h"
#include "upsweep/core/types.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace upsweep {

/// How one workgroup scans one tile.
enum class BlockScan : std::uint8_t {
    automatic,        ///< subgroup where the device has subgroups, else blelloch.
    hillis_steele,    ///< n log n operations, one barrier a step, two buffers (Hillis and Steele, 1986).
    blelloch,         ///< 2n operations, twice the steps, two rows an invocation (Blelloch, 1990).
    blelloch_padded,  ///< The same with one unused word in 32, against bank conflicts (Harris, Sengupta and
                      ///< Owens, 2007).
    subgroup,         ///< Within subgroups by shuffles or built-ins, then over the subgroups' totals.
};
const char* to_string(BlockScan scan);
Result<BlockScan> parse_block_scan(std::string_view name);

enum class SubgroupMode : std::uint8_t {
    none,
    native,    ///< The device's own, of any size from min to max.
    emulated,  ///< Workgroup memory and barriers in subgroups of `min` invocations: for tests of every size
               ///< on any device.
};

enum class Access : std::uint8_t { read, read_write };

/// One storage buffer of a kernel: its place in the vector is its binding number.
struct BindingDecl {
    std::string name;  ///< In WGSL.
    std::string type;  ///< In WGSL, for instance "array<V>".
    Access access = Access::read;
    bool operator==(const BindingDecl&) const = default;
};

struct KernelSpec {
    std::string kernel;  ///< The file and the entry point: "scan_tiles".
    ElementType type;
    Operator op = Operator::plus();
    bool partials =
        false;  ///< The elements are partial results as the kernels hold them, not the user's elements.
    std::uint32_t block = 256;
    std::uint32_t rows = 4;         ///< Rows of `vec` elements that an invocation holds.
    std::uint32_t vec = 1;          ///< 4 or 1.
    std::uint32_t shared_rows = 0;  ///< Rows that wait in workgroup memory, where rows wait.
    bool inclusive = true;
    BlockScan block_scan = BlockScan::blelloch;
    SubgroupMode subgroups = SubgroupMode::none;
    std::uint32_t subgroup_min = 4;
    std::uint32_t subgroup_max = 128;
    Dialect dialect = Dialect::standard;
    bool immediates = false;
    bool unroll = true;     ///< False: `#unroll` is ignored. The kernel computes the same.
    bool vector_io = true;  ///< Whole vectors of four travel between buffer and kernel (with vec = 4).
    bool in_place = false;  ///< There is no `src`; the kernel reads `dst`.
    std::map<std::string, bool> flags;  ///< The kernel's own flags for `#if`.
    std::vector<BindingDecl> bindings;

    bool operator==(const KernelSpec&) const = default;

    /// Elements of one tile.
    [[nodiscard]] std::uint32_t tile() const { return block * rows * vec; }
    /// Everything above in one line, without the texts of a user's type and operator: the first line of the
    /// module.
    [[nodiscard]] std::string to_string() const;
    /// Everything above, texts included: equal keys make equal modules.
    [[nodiscard]] std::string key() const;
};

/// Where a line of an expanded module came from.
struct SourceLine {
    std::string file;  ///< "upsweep/scan/scan_tiles.wgsl", "operator 'my_op'", "prelude".
    std::uint32_t line = 0;
};

/// A kernel ready for a WebGPU implementation.
struct Module {
    std::string wgsl;
    std::string entry_point;
    std::vector<SourceLine> lines;  ///< One for each line of `wgsl`.

    /// `message` of a WGSL compiler led back to the source: with the place of the first ":LINE:COLUMN" in it
    /// before it, if there is one.
    [[nodiscard]] std::string explain(const std::string& message) const;
};

/// The WGSL of a kernel: the prelude, then the kernel file with its imports. The same spec gives the same
/// bytes.
Result<Module> expand(const KernelSpec& spec);

}  // namespace upsweep
