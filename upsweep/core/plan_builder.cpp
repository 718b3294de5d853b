#include "upsweep/core/plan_builder.h"

#include "upsweep/core/tile_state.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace upsweep {

namespace {

// In the order of Withhold, without none.
constexpr std::array<const char*, 3> withhold_flags{"WITHHOLD_FIRST", "WITHHOLD_SECOND", "WITHHOLD_ALL"};

}  // namespace

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return divide_up(value, multiple) * multiple;
}

Result<void> check_request(const BuilderRequest& request, const DeviceCaps& caps) {
    const ElementType& type = request.type;
    const std::size_t initial = request.initial.size();
    if (initial != 0 && initial != type.size && initial != type.stride) {
        return fail(ErrorCode::invalid_argument, "The initial value has " + std::to_string(initial) +
                                                     " bytes, and an element of " + type.name + " has " +
                                                     std::to_string(type.size) + ".");
    }
    if (type.needs_f16() && !caps.shader_f16) {
        return fail(ErrorCode::unsupported, "The type " + type.name +
                                                " needs the feature shader-f16, which this device was made "
                                                "without; request it with the device, or use f32.");
    }
    if (request.count_on_gpu && request.count > 0xFFFFFFFFU) {
        return fail(ErrorCode::limit_exceeded, "A count on the GPU is a u32, and at most " +
                                                   std::to_string(request.count) +
                                                   " elements were asked for; the limit is 4294967295.");
    }
    const std::uint64_t most = caps.max_buffer_size / type.stride;
    if (request.count > most) {
        return fail(ErrorCode::limit_exceeded,
                    std::to_string(request.count) + " elements of " + type.name + " (" +
                        std::to_string(type.stride) +
                        " bytes each) do not fit in one buffer of this device: maxBufferSize is " +
                        std::to_string(caps.max_buffer_size) + " bytes, which holds " + std::to_string(most) +
                        "; request a higher limit with the device, or go through the data in parts and pass "
                        "each total on as the initial value.");
    }
    if (type.stride > caps.max_storage_binding_size) {
        return fail(ErrorCode::limit_exceeded, "One element of " + type.name + " has " +
                                                   std::to_string(type.stride) +
                                                   " bytes, and a storage binding of this device holds " +
                                                   std::to_string(caps.max_storage_binding_size) + ".");
    }
    return {};
}

PlanBuilder::PlanBuilder(const BuilderRequest& request, const DeviceCaps& caps, OperatorCode code,
                         const BlockGeometry& geometry)
    : request_(request),
      caps_(caps),
      code_(std::move(code)),
      geometry_(geometry),
      alignment_(std::max(256U, caps.min_storage_offset_alignment)) {
    const ElementType& type = request.type;
    plan.algorithm = request.algorithm;
    plan.type = type;
    plan.max_count = request.count;
    plan.input_bytes = request.count * type.stride;
    plan.count_bytes = request.count_on_gpu ? 4 : 0;
    plan.initial = request.initial;
    plan.initial.resize(request.initial.empty() ? 0 : type.stride);
    plan.needs_f16 = type.needs_f16();
}

Result<void> PlanBuilder::for_each_chunk(std::uint64_t most,
                                         const std::function<Result<void>()>& plan_chunk) {
    if (request_.count == 0) return {};
    const std::uint64_t stride = request_.type.stride;
    const std::uint64_t length = chunk_elements(most);
    const std::uint64_t chunks = divide_up(request_.count, length);
    if (length * stride > caps_.max_storage_binding_size) {
        return fail(ErrorCode::limit_exceeded,
                    "A part of " + std::to_string(length) + " elements of " + request_.type.name +
                        " that ends at a multiple of minStorageBufferOffsetAlignment needs a binding of " +
                        std::to_string(length * stride) + " bytes, and the limit of this device is " +
                        std::to_string(caps_.max_storage_binding_size) + ".");
    }
    std::array<Region, 2> carries{};
    if (chunks > 1) {
        // A chunk may be a little shorter than the most that one binding holds; its scratch shall not be smaller.
        take((divide_up(chunk_step(), geometry_.tile()) + 8) * code_.compute_type.stride + 8 * alignment_);
        for (Region& region : carries) region = take(request_.seed_bytes != 0 ? request_.seed_bytes : stride);
    }
    const Region initial{Slot::initial, 0, round_up(stride, 4)};
    for (std::uint64_t c = 0; c < chunks; ++c) {
        chunk_ = {};
        chunk_.base = c * length;
        chunk_.count = std::min(length, request_.count - chunk_.base);
        chunk_.has_seed = c > 0 || !request_.initial.empty();
        chunk_.seed = c > 0 ? carries.at((c - 1) % 2) : initial;
        chunk_.has_carry = c + 1 < chunks;
        chunk_.carry = carries.at(c % 2);
        if (auto ok = plan_chunk(); !ok) return ok;
    }
    return {};
}

Result<Grid> PlanBuilder::fixed_grid() const {
    const std::uint64_t side = caps_.max_workgroups_per_dimension;
    const std::uint64_t most =
        side >= 2048 ? geometry_.groups : std::min<std::uint64_t>(geometry_.groups, side * side * side);
    return fold_grid(std::min(chunk_tiles(), most), caps_.max_workgroups_per_dimension);
}

// As many elements as one binding holds, and so that the next chunk begins at an offset that can be bound.
std::uint64_t PlanBuilder::chunk_elements(std::uint64_t most) const {
    const std::uint64_t stride = request_.type.stride;
    const std::uint64_t binding = std::min<std::uint64_t>(caps_.max_storage_binding_size, 0xFFFFFFFCU);
    if (most == 0 && round_up(request_.count * stride, 16) <= binding) return request_.count;
    const std::uint64_t wanted = most == 0 ? binding / stride : std::min(most, binding / stride);
    const std::uint64_t step = chunk_step();
    return std::max(wanted / step, std::uint64_t{1}) * step;
}

// Elements to the next offset at which a chunk can begin.
std::uint64_t PlanBuilder::chunk_step() const {
    const std::uint64_t stride = request_.type.stride;
    return std::lcm<std::uint64_t>(caps_.min_storage_offset_alignment, stride * 4) / stride;
}

Region PlanBuilder::take(std::uint64_t bytes) {
    const Region region{Slot::scratch, scratch_bytes_, round_up(bytes, 4)};
    scratch_bytes_ = round_up(scratch_bytes_ + region.size, alignment_);
    return region;
}

Region PlanBuilder::elements(Slot slot) const {
    return {slot, chunk_.base * request_.type.stride, chunk_.count * request_.type.stride};
}

// The first chunk is the largest, so that later ones fit.
Region PlanBuilder::partials(std::size_t index, std::uint64_t count) {
    while (partials_.size() <= index) partials_.push_back({});
    const std::uint64_t bytes = count * code_.compute_type.stride;
    if (partials_[index].size < bytes) partials_[index] = take(bytes);
    Region region = partials_[index];
    region.size = round_up(bytes, 4);
    return region;
}

KernelSpec PlanBuilder::element_spec(const char* kernel, bool inclusive) const {
    KernelSpec spec;
    spec.kernel = kernel;
    spec.type = request_.type;
    spec.op = request_.op;
    spec.block = geometry_.block;
    spec.rows = geometry_.rows;
    spec.vec = geometry_.vec;
    spec.inclusive = inclusive;
    spec.block_scan = geometry_.block_scan;
    spec.subgroups = geometry_.subgroups;
    spec.subgroup_min = geometry_.subgroup_min;
    spec.subgroup_max = geometry_.subgroup_max;
    spec.dialect = caps_.dialect;
    spec.immediates = caps_.immediates;
    spec.unroll = request_.unroll;
    spec.flags["COUNT_BUFFER"] = spec.flags["SEED"] = spec.flags["CARRY"] = false;
    for (const char* name : request_.flags) spec.flags[name] = false;
    return spec;
}

KernelSpec PlanBuilder::partials_spec(const char* kernel, std::uint32_t rows) const {
    KernelSpec spec = element_spec(kernel);
    spec.partials = true;
    spec.rows = rows;
    spec.vec = 1;
    return spec;
}

KernelSpec PlanBuilder::without_block_scan(KernelSpec spec) {
    spec.block_scan = BlockScan::blelloch;
    spec.subgroups = SubgroupMode::none;
    return spec;
}

Step& PlanBuilder::add_spine(KernelSpec spec, const Region& partials, std::uint32_t groups) {
    spec.in_place = true;
    Step& spine = add_step(std::move(spec), Grid{});
    spine.label = "upsweep." + request_.algorithm + ".spine";
    fix_count(spine, groups);
    bind(spine, "dst", "array<S>", Access::read_write, partials);
    return spine;
}

Step& PlanBuilder::add_step(KernelSpec spec, const Grid& grid) {
    Step step;
    step.label = "upsweep." + request_.algorithm + "." + spec.kernel;
    step.spec = std::move(spec);
    step.grid = grid;
    step.base = chunk_.base;
    const auto limit = static_cast<std::uint32_t>(chunk_.count);
    step.params = {limit, static_cast<std::uint32_t>(chunk_.base), limit, 0};
    plan.steps.push_back(std::move(step));
    return plan.steps.back();
}

void PlanBuilder::bind(Step& step, const char* name, const char* type, Access access, const Region& region) {
    step.spec.bindings.push_back({name, type, access});
    step.regions.push_back(region);
}

void PlanBuilder::bind_count(Step& step) const {
    if (!request_.count_on_gpu) return;
    flag(step, "COUNT_BUFFER");
    bind(step, "gpu_count", "array<u32>", Access::read, {Slot::count, 0, 4});
}

void PlanBuilder::bind_seed(Step& step) const {
    if (!chunk_.has_seed) return;
    flag(step, "SEED");
    bind(step, "initial", "array<Seed>", Access::read, chunk_.seed);
}

void PlanBuilder::bind_carry(Step& step) const {
    if (!chunk_.has_carry) return;
    flag(step, "CARRY");
    bind(step, "carry_out", "array<Seed>", Access::read_write, chunk_.carry);
}

std::uint64_t PlanBuilder::most_that_look_back() const {
    constexpr std::uint64_t most_tiles = 32768 / few_looks;
    return caps_.kind == AdapterKind::cpu ? most_tiles * geometry_.tile() : 0;
}

bool PlanBuilder::takes_too_many_chunks() const {
    const std::uint64_t most = most_that_look_back();
    return most != 0 && divide_up(request_.count, most) > most_chunks;
}

Result<Step*> PlanBuilder::add_lookback_step(KernelSpec spec, Withhold withhold) {
    if (!fits_tile_state(code_.compute_type)) {
        return fail(ErrorCode::unsupported,
                    "A look-back hands on sums of up to " + std::to_string(most_tile_state_words * 2) +
                        " bytes, and one of " + request_.type.name +
                        " has more (with a word for its presence where the operator has no "
                        "identity); use reduce_then_scan.");
    }
    auto grid = fixed_grid();
    if (!grid) return tl::unexpected(grid.error());
    // A ticket is a number of 31 bits, and each workgroup draws one more than it needs.
    if (chunk_tiles() + grid->groups() >= 0x7FFFFFFFU) {
        return fail(ErrorCode::limit_exceeded,
                    "The look-back numbers at most 2147483646 tiles, and the request has " +
                        std::to_string(chunk_tiles()) + "; use larger tiles or reduce_then_scan.");
    }
    return add_states_step(std::move(spec), withhold, *grid, chunk_tiles());
}

// The first chunk is the largest, so that later ones fit.
Result<Step*> PlanBuilder::add_states_step(KernelSpec spec, Withhold withhold, const Grid& grid,
                                           std::uint64_t sums) {
    if (states_.size == 0) {
        states_ = take(tile_states_bytes(code_.compute_type, sums));
        if (states_.size > caps_.max_storage_binding_size) {
            return fail(ErrorCode::limit_exceeded, "The states of the tiles need a binding of " +
                                                       std::to_string(states_.size) +
                                                       " bytes of scratch, and the limit of this device is " +
                                                       std::to_string(caps_.max_storage_binding_size) +
                                                       "; use larger tiles or reduce_then_scan.");
        }
        const std::uint64_t words = states_.size / 4;
        KernelSpec spec_of_clear = without_block_scan(partials_spec("clear_states", 1));
        spec_of_clear.type = types::u32;  // The states' own, whatever they hold.
        spec_of_clear.op = Operator::plus();
        spec_of_clear.block =
            std::min({256U, caps_.max_invocations_per_workgroup, caps_.max_workgroup_size_x});
        Step& clear =
            add_step(spec_of_clear, {.x = static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                         divide_up(words, std::uint64_t{spec_of_clear.block} * 4), grid.x))});
        clear.label = "upsweep." + request_.algorithm + ".clear";
        clear.clears_scratch = true;
        fix_count(clear, static_cast<std::uint32_t>(words));
        bind(clear, "states", "array<atomic<u32>>", Access::read_write, states_);
    }
    spec.shared_rows = geometry_.shared_rows;
    for (std::size_t i = 0; i < withhold_flags.size(); ++i)
        spec.flags[withhold_flags[i]] = static_cast<std::size_t>(withhold) == i + 1;
    spec.flags["FEW_LOOKS"] = caps_.kind == AdapterKind::cpu;
    Step& step = add_step(std::move(spec), grid);
    bind(step, "states", "array<atomic<u32>>", Access::read_write, states_);
    return &step;
}

Result<Step*> PlanBuilder::add_rest_step(KernelSpec spec) {
    if (geometry_.subgroups != SubgroupMode::native) {
        return fail(ErrorCode::unsupported,
                    "The strategy lookback_then_rest needs the block scan subgroup, and subgroups of the "
                    "device; use lookback or reduce_then_scan.");
    }
    for (const char* name : withhold_flags) spec.flags[name] = false;
    Step& step = add_step(std::move(spec), Grid{});
    step.label = "upsweep." + request_.algorithm + ".rest";
    bind(step, "states", "array<atomic<u32>>", Access::read_write, states_);
    return &step;
}

void PlanBuilder::fix_count(Step& step, std::uint32_t count) {
    step.counts_elements = false;
    step.params = {count, 0, count, 0};
}

Result<Plan> PlanBuilder::finish(std::string strategy, bool needs_subgroups) {
    for (const Region& region : partials_) {
        if (region.size <= caps_.max_storage_binding_size) continue;
        return fail(ErrorCode::limit_exceeded, "The totals of the tiles need a binding of " +
                                                   std::to_string(region.size) +
                                                   " bytes of scratch, and the limit of this device is " +
                                                   std::to_string(caps_.max_storage_binding_size) +
                                                   "; use larger tiles or a strategy with a fixed grid.");
    }
    for (const Step& step : plan.steps) {
        if (step.regions.size() <= caps_.max_storage_buffers_per_stage) continue;
        return fail(
            ErrorCode::limit_exceeded,
            "The dispatch " + step.label + " binds " + std::to_string(step.regions.size()) +
                " storage buffers, and the limit of this device, maxStorageBuffersPerShaderStage, is " +
                std::to_string(caps_.max_storage_buffers_per_stage) +
                "; ask for fewer outputs, or request a higher limit with the device.");
    }
    plan.strategy = std::move(strategy);
    plan.scratch_bytes = scratch_bytes_;
    plan.needs_subgroups = needs_subgroups;
    return std::move(plan);
}

}  // namespace upsweep
