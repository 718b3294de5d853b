// What must hold of every plan of a scan, whatever the request and the device.
#pragma once

#include "tests/core/requests.h"
#include "tests/core/workgroup_memory.h"
#include "upsweep/core/tile_state.h"

#include <algorithm>
#include <map>
#include <string>

namespace upsweep::test {

class PlanCheck {
  public:
    PlanCheck(const Plan& plan, const ScanDesc& desc, const DeviceCaps& caps)
        : plan_(plan), desc_(desc), caps_(caps), code_(*operator_code(desc.op, desc.type)) {}

    /// What is wrong first, or nothing.
    std::string fault() {
        sizes();
        for (const Step& step : plan_.steps) {
            step_ = &step;
            regions();
            overlaps();
            kernel();
            grid();
            partials();
            states();
        }
        step_ = nullptr;
        chunks();
        scratch_regions();
        return fault_;
    }

  private:
    void require(bool holds, const std::string& what) {
        if (holds || !fault_.empty()) return;
        fault_ = what + " in " + describe(desc_) + (step_ != nullptr ? "\n" + step_->label : "") + "\n" +
                 (plan_.steps.size() < 20 ? to_string(plan_) : "");
    }

    void sizes() {
        const auto exact = static_cast<unsigned __int128>(desc_.count) * desc_.type.stride;
        require(plan_.input_bytes == exact && plan_.output_bytes == exact, "the data's size is wrong");
        require(plan_.max_count == desc_.count, "the count is another one");
        require(plan_.count_bytes == (desc_.count_on_gpu ? 4 : 0), "the count's size is wrong");
        require(plan_.steps.empty() == (desc_.count == 0), "steps for nothing, or none for something");
        require(plan_.scratch_bytes % 4 == 0, "the scratch is no whole number of words");
    }

    [[nodiscard]] std::uint64_t slot_bytes(Slot slot) const {
        if (slot == Slot::input) return plan_.input_bytes;
        if (slot == Slot::output) return plan_.output_bytes;
        if (slot == Slot::count) return plan_.count_bytes;
        if (slot == Slot::scratch) return plan_.scratch_bytes;
        return (plan_.initial.size() + 3) / 4 * 4;
    }

    void regions() {
        require(step_->regions.size() == step_->spec.bindings.size(), "regions and bindings do not match");
        require(step_->regions.size() <= caps_.max_storage_buffers_per_stage, "too many storage buffers");
        for (std::size_t i = 0; i < step_->regions.size() && fault_.empty(); ++i) {
            const Region& region = step_->regions[i];
            const std::string name = step_->spec.bindings[i].name;
            const std::uint64_t slot = slot_bytes(region.slot);
            require(region.size > 0, name + " is empty");
            require(region.offset <= slot && region.size <= slot - region.offset, name + " leaves its slot");
            require(region.offset % caps_.min_storage_offset_alignment == 0, name + " is not aligned");
            // The recorder binds vectors whole.
            const std::uint64_t whole =
                step_->spec.bindings[i].type == "array<V>" ? std::uint64_t{desc_.type.stride} * 4 : 4;
            require((region.size + whole - 1) / whole * whole <= caps_.max_storage_binding_size,
                    name + " is larger than a binding");
        }
    }

    void overlaps() {
        const auto& regions = step_->regions;
        for (std::size_t a = 0; a < regions.size(); ++a) {
            if (step_->spec.bindings[a].access == Access::read) continue;
            for (std::size_t b = 0; b < regions.size(); ++b) {
                const bool meet = a != b && regions[a].slot == regions[b].slot &&
                                  regions[a].offset < regions[b].offset + regions[b].size &&
                                  regions[b].offset < regions[a].offset + regions[a].size;
                require(!meet, step_->spec.bindings[a].name + " is written and overlaps " +
                                   step_->spec.bindings[b].name);
            }
        }
    }

    void kernel() {
        const KernelSpec& spec = step_->spec;
        require(spec.block >= 1 && spec.block <= caps_.max_invocations_per_workgroup &&
                    spec.block <= caps_.max_workgroup_size_x,
                "a workgroup of " + std::to_string(spec.block));
        require(spec.dialect == caps_.dialect && spec.immediates == caps_.immediates,
                "another device's kernel");
        require(spec.subgroups != SubgroupMode::native || (caps_.subgroups && plan_.needs_subgroups),
                "subgroups that the plan does not ask for");
        require(!desc_.type.needs_f16() || plan_.needs_f16, "f16 that the plan does not ask for");
        // Memory depends on these alone; expanding the same kernel again and again would take minutes.
        static std::map<std::string, std::uint64_t> known;
        const std::string key = spec.key();
        if (!known.contains(key)) known[key] = workgroup_memory(spec);
        require(known[key] <= caps_.max_workgroup_storage,
                std::to_string(known[key]) + " bytes of workgroup memory, and the device has " +
                    std::to_string(caps_.max_workgroup_storage));
    }

    [[nodiscard]] bool has(const char* flag) const { return step_->spec.flags.at(flag); }

    // The elements of the step's level: the data, or the totals of the tiles of the level below.
    [[nodiscard]] std::uint64_t level_count() const {
        std::uint64_t count = step_->params.count;
        for (std::uint32_t l = 0; l < step_->params.level; ++l) count = divide_up(count, step_->spec.tile());
        return count;
    }

    void grid() {
        const Grid& grid = step_->grid;
        for (const std::uint32_t side : {grid.x, grid.y, grid.z})
            require(side >= 1 && side <= caps_.max_workgroups_per_dimension,
                    "a side of the grid is too long");
        require(grid.groups() <= 0xFFFFFFFFU, "the index of a workgroup wraps");
        // These kernels have a workgroup for each tile; the others loop.
        if (step_->spec.kernel == "add_back" || has("TOTALS"))
            require(grid.groups() >= divide_up(level_count(), step_->spec.tile()), "too few workgroups");
        if (has("PREFIX")) require(grid == reduce_grid_, "the ranges are not those that were reduced");
        if (step_->spec.kernel == "reduce_tiles") reduce_grid_ = grid;
    }

    void states() {
        const auto& bindings = step_->spec.bindings;
        for (std::size_t i = 0; i < bindings.size(); ++i) {
            if (bindings[i].name != "states" || step_->clears_scratch) continue;
            const std::uint64_t tiles = divide_up(level_count(), step_->spec.tile());
            require(step_->regions[i].size / 4 >=
                        tile_states_header + 2 * tiles * tile_state_words(code_.compute_type),
                    "the states of the tiles have too little room");
        }
    }

    void partials() {
        const std::uint64_t stride = code_.compute_type.stride;
        const auto& bindings = step_->spec.bindings;
        for (std::size_t i = 0; i < bindings.size(); ++i) {
            const std::uint64_t holds = step_->regions[i].size / stride;
            if (bindings[i].name == "partials") {
                const std::uint64_t tiles = divide_up(level_count(), step_->spec.tile());
                const bool ranges = step_->spec.kernel == "reduce_tiles" || has("PREFIX");
                require(holds >= (ranges ? step_->grid.groups() : tiles), "the totals have too little room");
            }
            if (bindings[i].name == "dst" && step_->spec.partials)
                require(holds >= level_count(), "the partial results are more than their region");
        }
    }

    // The data of the steps that write the output, in order; the seeds and carries between them.
    void chunks() {
        std::uint64_t next = 0;
        const Region* carry = nullptr;
        for (const Step& step : plan_.steps) {
            const Region* seed = nullptr;
            for (std::size_t i = 0; i < step.regions.size(); ++i) {
                const Region& region = step.regions[i];
                const std::string& name = step.spec.bindings[i].name;
                if (name == "initial") seed = &region;
                if (region.slot != Slot::input && region.slot != Slot::output) continue;
                require(region.offset == step.base * desc_.type.stride, "a chunk begins elsewhere");
                require(region.size == std::uint64_t{step.params.count} * desc_.type.stride,
                        "a chunk has another size");
                require(step.params.limit == step.params.count, "the limit is not the chunk");
                require(!desc_.count_on_gpu || step.params.base == step.base, "the base is not the chunk's");
                require(step.counts_elements, "a step on elements has a fixed count");
                // Of two kernels that write one output together, one counts.
                if (region.slot != Slot::output || step.spec.kernel == "add_back" ||
                    step.spec.kernel == "scan_rest")
                    continue;
                require(region.offset == next, "the chunks leave a gap or overlap");
                next = region.offset + region.size;
            }
            if (seed != nullptr && carry == nullptr)
                require(seed->slot == Slot::initial && !desc_.initial.empty(), "a seed from nowhere");
            if (seed != nullptr && step.base > 0)
                require(carry != nullptr && *seed == *carry,
                        "a chunk does not begin with the last one's total");
            for (std::size_t i = 0; i < step.regions.size(); ++i) {
                if (step.spec.bindings[i].name == "carry_out") next_carry_ = &step.regions[i];
            }
            const bool ends = &step == &plan_.steps.back() || (&step)[1].base != step.base;
            if (ends) carry = std::exchange(next_carry_, nullptr);
            if (ends && &step != &plan_.steps.back()) require(carry != nullptr, "a chunk hands nothing on");
        }
        require(next == plan_.output_bytes, "the chunks do not cover the data");
    }

    // Two regions of the scratch are the same place or lie apart.
    void scratch_regions() {
        std::map<std::uint64_t, std::uint64_t> sizes;
        for (const Step& step : plan_.steps) {
            for (const Region& region : step.regions) {
                if (region.slot == Slot::scratch)
                    sizes[region.offset] = std::max(sizes[region.offset], region.size);
            }
        }
        std::uint64_t end = 0;
        for (const auto& [offset, size] : sizes) {
            require(offset >= end, "two regions of the scratch overlap");
            end = offset + size;
        }
    }

    static std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

    const Plan& plan_;
    const ScanDesc& desc_;
    const DeviceCaps& caps_;
    OperatorCode code_;
    const Step* step_ = nullptr;
    Grid reduce_grid_;
    const Region* next_carry_ = nullptr;
    std::string fault_;
};

inline std::string fault_in(const Plan& plan, const ScanDesc& desc, const DeviceCaps& caps) {
    return PlanCheck(plan, desc, caps).fault();
}

}  // namespace upsweep::test
