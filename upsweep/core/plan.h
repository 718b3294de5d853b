// Plan: what a primitive does, as plain data. It prints, compares, and runs without a GPU; a recorder replays
// it.
#pragma once

#include "upsweep/core/kernel_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace upsweep {

/// The buffers of a plan. The caller gives a slice for each but those that are made when the plan is bound.
enum class Slot : std::uint8_t {
    input,
    output,
    count,
    scratch,
    initial,    ///< The initial value; made when the plan is bound.
    flags,      ///< A flag for each element, as u32 or as a bit.
    indices,    ///< Indices of elements, u32.
    total,      ///< How many elements there are in the output.
    arguments,  ///< Arguments of an indirect dispatch or draw.
    constants,  ///< Numbers of the request; made when the plan is bound.
};
const char* to_string(Slot slot);

/// A part of a slot that a dispatch binds; `size` bytes hold its data. An element slot may be bound up to 12
/// bytes further, to a whole vector.
struct Region {
    Slot slot = Slot::input;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool operator==(const Region&) const = default;
};

struct Grid {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t groups() const { return std::uint64_t{x} * y * z; }
    bool operator==(const Grid&) const = default;
};

/// The parameters of a dispatch, as the kernels read them (`struct Params` in WGSL).
struct Params {
    std::uint32_t count = 0;  ///< Elements of this dispatch.
    std::uint32_t base = 0;   ///< Elements before this dispatch's part.
    std::uint32_t limit = 0;  ///< With a count on the GPU: elements of this part at most.
    std::uint32_t level = 0;  ///< How often the count is divided by the tile, rounding up.
    bool operator==(const Params&) const = default;
};
static_assert(sizeof(Params) == 16);

/// One dispatch.
struct Step {
    std::string label;  ///< "upsweep.scan.reduce_tiles".
    KernelSpec spec;
    std::vector<Region> regions;  ///< One for each binding of the spec.
    Grid grid;
    Params params;
    std::uint64_t base = 0;       ///< First element of its part of the data.
    bool counts_elements = true;  ///< params.count follows the count of the elements; false: it is fixed.
    bool clears_scratch =
        false;  ///< Needed only where the scratch is the caller's, which may hold anything; a job's own is zero when it is made, and
                ///< each run leaves it ready for the next.
    bool operator==(const Step&) const = default;
};

/// All dispatches of one request, in order, and what they need.
struct Plan {
    std::string algorithm;  ///< "scan".
    std::string strategy;   ///< What `automatic` came to: "reduce_then_scan, subgroup".
    std::vector<Step> steps;
    ElementType type;
    std::uint64_t max_count = 0;    ///< Elements at most.
    std::uint64_t input_bytes = 0;  ///< The least size of each slice, at max_count. 0: the slot is not used.
    std::uint64_t output_bytes = 0;
    std::uint64_t count_bytes = 0;  ///< 4 if the count is read on the GPU.
    std::uint64_t scratch_bytes = 0;
    std::uint64_t flags_bytes = 0;
    std::uint64_t indices_bytes = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t arguments_bytes = 0;
    std::uint64_t bytes_moved = 0;         ///< Read and written in buffers, about.
    std::vector<std::byte> initial;        ///< The initial value, one element; empty without one.
    std::vector<std::uint32_t> constants;  ///< Of the request, for the kernels.
    bool in_place_allowed = true;          ///< Input and output may be the same slice.
    bool needs_subgroups = false;
    bool needs_f16 = false;
    bool tuned = false;  ///< A choice of DeviceCaps::tuning decided the strategy and the geometry.

    bool operator==(const Plan&) const = default;
    [[nodiscard]] bool count_on_gpu() const { return count_bytes != 0; }
};

/// A line for the plan and a line for each dispatch.
std::string to_string(const Plan& plan);

/// The step's parameters for `count` elements in all.
Params params_for(const Step& step, std::uint64_t count);

/// a / b, rounded up.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

/// `groups` workgroups in as few dimensions as the device's limit allows. The grid may have more; kernels ask
/// for their index.
Result<Grid> fold_grid(std::uint64_t groups, std::uint32_t max_per_dimension);

/// How the caller's slices lie: in one buffer, with or without room behind the last element. The kernels
/// differ by it.
struct BufferLayout {
    bool vector_io = true;  ///< The bindings of elements reach to a whole vector.
    bool in_place = false;  ///< Input and output are the same slice.
};
Step step_for(const Step& step, const BufferLayout& layout);

}  // namespace upsweep
