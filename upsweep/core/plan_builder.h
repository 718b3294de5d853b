// PlanBuilder: what all planners share. It cuts the data into chunks, lays out scratch, and makes steps with
// their bindings. Private to the library.
#pragma once

#include "upsweep/core/block_geometry.h"
#include "upsweep/core/plan.h"
#include "upsweep/core/withhold.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace upsweep {

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple);

/// What every request has.
struct BuilderRequest {
    std::string algorithm;  ///< "scan": labels begin with "upsweep.scan."
    ElementType type;
    Operator op = Operator::plus();
    std::uint64_t count = 0;
    bool count_on_gpu = false;
    std::vector<std::byte> initial;
    bool unroll = true;
    std::uint64_t seed_bytes = 0;    ///< Of what chunks hand on; 0: of an element.
    std::vector<const char*> flags;  ///< Of the algorithm's kernels; all false until flag() sets them.
};

/// Checks that every planner makes: the type on the device, the size of the initial value, the count.
Result<void> check_request(const BuilderRequest& request, const DeviceCaps& caps);

class PlanBuilder {
  public:
    PlanBuilder(const BuilderRequest& request, const DeviceCaps& caps, OperatorCode code,
                const BlockGeometry& geometry);

    /// A part of the data that one binding holds. Chunks hand a value of the type on, from carry to seed.
    struct Chunk {
        std::uint64_t base = 0, count = 0;
        bool has_seed = false, has_carry = false;
        Region seed, carry;
    };

    /// Calls `plan_chunk` for each chunk, at most `most` elements long (0: as long as a binding allows).
    Result<void> for_each_chunk(std::uint64_t most, const std::function<Result<void>()>& plan_chunk);
    [[nodiscard]] const Chunk& chunk() const { return chunk_; }
    /// A workgroup for each of the chunk's tiles, but no more than the policy and the device's limits allow.
    [[nodiscard]] Result<Grid> fixed_grid() const;
    [[nodiscard]] std::uint64_t chunk_tiles() const { return divide_up(chunk_.count, geometry_.tile()); }

    /// The chunk's part of a slot that holds elements.
    [[nodiscard]] Region elements(Slot slot) const;
    [[nodiscard]] const char* element_array() const { return geometry_.vec == 4 ? "array<V>" : "array<S>"; }
    /// Scratch for `count` partial results; chunks, which run one after the other, share it.
    Region partials(std::size_t index, std::uint64_t count);

    [[nodiscard]] KernelSpec element_spec(const char* kernel, bool inclusive = true) const;
    /// The spec of a kernel that has no block scan: one name for all makes one pipeline.
    static KernelSpec without_block_scan(KernelSpec spec);
    /// A kernel on partial results.
    [[nodiscard]] KernelSpec partials_spec(const char* kernel, std::uint32_t rows) const;

    Step& add_step(KernelSpec spec, const Grid& grid);
    static void flag(Step& step, const char* name) { step.spec.flags.at(name) = true; }
    static void bind(Step& step, const char* name, const char* type, Access access, const Region& region);
    /// One workgroup scans the totals of `groups` workgroups in place.
    Step& add_spine(KernelSpec spec, const Region& partials, std::uint32_t groups);
    void bind_count(Step& step) const;
    void bind_seed(Step& step) const;
    void bind_carry(Step& step) const;
    /// Elements that look back in one dispatch at most; 0: no limit. lavapipe leaves the loops of an invocation after 65535 turns of all
    /// of them together, and one workgroup may come to have nearly all tiles.
    [[nodiscard]] std::uint64_t most_that_look_back() const;
    /// Whether that cuts the elements into more than most_chunks.
    [[nodiscard]] bool takes_too_many_chunks() const;
    static constexpr std::uint64_t most_chunks = 64;
    /// A step on a fixed grid in which tiles look back: its sums travel through states in scratch.
    Result<Step*> add_lookback_step(KernelSpec spec, Withhold withhold);
    /// A step whose sums travel through states in scratch, one for each of `sums` tiles or workgroups.
    Result<Step*> add_states_step(KernelSpec spec, Withhold withhold, const Grid& grid, std::uint64_t sums);
    /// One workgroup, which does what a look-back over the whole tiles before it has left.
    Result<Step*> add_rest_step(KernelSpec spec);
    /// A step whose count is fixed, whatever the count of the elements.
    static void fix_count(Step& step, std::uint32_t count);

    /// The plan so far, with the scratch that was taken.
    Result<Plan> finish(std::string strategy, bool needs_subgroups);

    Plan plan;

  private:
    [[nodiscard]] std::uint64_t chunk_elements(std::uint64_t most) const;
    [[nodiscard]] std::uint64_t chunk_step() const;
    Region take(std::uint64_t bytes);

    const BuilderRequest& request_;
    const DeviceCaps& caps_;
    OperatorCode code_;
    BlockGeometry geometry_;
    Chunk chunk_;
    std::vector<Region> partials_;
    Region states_;  ///< Of the tiles in a look-back; all chunks use it one after the other.
    std::uint64_t alignment_;
    std::uint64_t scratch_bytes_ = 0;
};

}  // namespace upsweep
