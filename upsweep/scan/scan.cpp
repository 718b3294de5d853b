#include "upsweep/scan/scan.h"

#include "upsweep/scan/scan_geometry.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace upsweep {

namespace {

constexpr std::array<const char*, 5> strategy_names{"automatic", "single_block", "multi_level",
                                                    "reduce_then_scan", "serial"};

// Elements of one dispatch of the serial kernel: short enough for a watchdog, and lavapipe leaves a loop
// after 65535 turns.
constexpr std::uint64_t serial_chunk = 1U << 15U;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}
std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return divide_up(value, multiple) * multiple;
}

// Lays out the scratch buffer: regions one behind the other at offsets that can be bound.
class Scratch {
  public:
    explicit Scratch(std::uint64_t alignment) : alignment_(alignment) {}
    Region take(std::uint64_t bytes) {
        const Region region{Slot::scratch, used_, round_up(bytes, 4)};
        used_ = round_up(used_ + region.size, alignment_);
        return region;
    }
    [[nodiscard]] std::uint64_t bytes() const { return used_; }

  private:
    std::uint64_t alignment_;
    std::uint64_t used_ = 0;
};

class Planner {
  public:
    Planner(const ScanDesc& desc, const DeviceCaps& caps, OperatorCode code, BlockGeometry geometry,
            Strategy strategy)
        : desc_(desc),
          caps_(caps),
          code_(std::move(code)),
          geometry_(geometry),
          strategy_(strategy),
          scratch_(std::max(256U, caps.min_storage_offset_alignment)) {}

    Result<Plan> plan() {
        const ElementType& type = desc_.type;
        plan_.algorithm = "scan";
        plan_.strategy =
            std::string(to_string(strategy_)) +
            (strategy_ == Strategy::serial ? "" : std::string(", ") + to_string(geometry_.block_scan));
        plan_.type = type;
        plan_.max_count = desc_.count;
        plan_.input_bytes = plan_.output_bytes = desc_.count * type.stride;
        plan_.count_bytes = desc_.count_on_gpu ? 4 : 0;
        plan_.initial = desc_.initial;
        plan_.initial.resize(desc_.initial.empty() ? 0 : type.stride);
        plan_.needs_f16 = type.needs_f16();
        plan_.needs_subgroups = geometry_.subgroups == SubgroupMode::native && strategy_ != Strategy::serial;
        if (desc_.count == 0) return plan_;

        const std::uint64_t chunk = chunk_elements();
        const std::uint64_t chunks = divide_up(desc_.count, chunk);
        std::array<Region, 2> carries{};
        if (chunks > 1) {
            for (Region& region : carries) region = scratch_.take(type.stride);
        }
        const Region initial{Slot::initial, 0, round_up(type.stride, 4)};
        for (std::uint64_t c = 0; c < chunks; ++c) {
            chunk_ = {};
            chunk_.base = c * chunk;
            chunk_.count = std::min(chunk, desc_.count - chunk_.base);
            chunk_.has_seed = c > 0 || !desc_.initial.empty();
            chunk_.seed = c > 0 ? carries.at((c - 1) % 2) : initial;
            chunk_.has_carry = c + 1 < chunks;
            chunk_.carry = carries.at(c % 2);
            if (auto ok = plan_chunk(); !ok) return tl::unexpected(ok.error());
        }
        plan_.scratch_bytes = scratch_.bytes();
        return plan_;
    }

  private:
    struct Chunk {
        std::uint64_t base = 0, count = 0;
        bool has_seed = false, has_carry = false;
        Region seed, carry;
    };

    // As many elements as one binding holds, so that the next chunk begins at an offset that can be bound.
    [[nodiscard]] std::uint64_t chunk_elements() const {
        const std::uint64_t stride = desc_.type.stride;
        const std::uint64_t fits =
            std::min<std::uint64_t>(caps_.max_storage_binding_size, 0xFFFFFFFCU) / stride;
        if (strategy_ != Strategy::serial && desc_.count <= fits &&
            round_up(desc_.count * stride, 16) <= caps_.max_storage_binding_size) {
            return desc_.count;
        }
        const std::uint64_t step =
            std::lcm<std::uint64_t>(caps_.min_storage_offset_alignment, stride * 4) / stride;
        const std::uint64_t wanted = strategy_ == Strategy::serial ? std::min(serial_chunk, fits) : fits;
        return std::max(wanted / step, std::uint64_t{1}) * step;
    }

    Result<void> plan_chunk() {
        switch (strategy_) {
            case Strategy::serial:
                return plan_serial();
            case Strategy::multi_level:
                return plan_multi_level();
            case Strategy::reduce_then_scan:
                return plan_reduce_then_scan();
            case Strategy::single_block:
            case Strategy::automatic:
                break;
        }
        Step& step = add_scan(element_spec("scan_tiles"), input(), output(), Grid{});
        end_with_seed_and_carry(step);
        plan_.bytes_moved += 2 * chunk_.count * desc_.type.stride;
        return {};
    }

    Result<void> plan_serial() {
        KernelSpec spec = element_spec("scan_serial");
        spec.block_scan = BlockScan::blelloch;
        spec.subgroups = SubgroupMode::none;
        spec.block = spec.rows = spec.vec = 1;
        Step& step = add_scan(spec, input(), output(), Grid{});
        end_with_seed_and_carry(step);
        plan_.bytes_moved += 2 * chunk_.count * desc_.type.stride;
        return {};
    }

    Result<void> plan_reduce_then_scan() {
        const std::uint64_t tiles = divide_up(chunk_.count, geometry_.tile());
        const auto groups = static_cast<std::uint32_t>(std::min<std::uint64_t>(tiles, geometry_.groups));
        auto grid = fold_grid(groups, caps_.max_workgroups_per_dimension);
        if (!grid) return tl::unexpected(grid.error());
        const auto actual = static_cast<std::uint32_t>(grid->groups());
        const Region partials = partials_region(0, actual);

        Step& reduce = add_step(element_spec("reduce_tiles"), *grid);
        bind(reduce, "src", elements(), Access::read, input());
        bind(reduce, "partials", "array<E>", Access::read_write, partials);
        bind_count(reduce);

        KernelSpec spine = partials_spec("scan_tiles", geometry_.spine_rows);
        Step& scan_partials = add_scan(spine, partials, partials, Grid{});
        scan_partials.label = "upsweep.scan.spine";
        scan_partials.counts_elements = false;
        scan_partials.params = {actual, 0, actual, 0};
        end_with_seed_and_carry(scan_partials);

        Step& scan = add_scan(element_spec("scan_tiles"), input(), output(), *grid);
        flag(scan, "PREFIX");
        bind(scan, "partials", "array<E>", Access::read, partials);
        bind_seed(scan);
        plan_.bytes_moved += 3 * chunk_.count * desc_.type.stride;
        return {};
    }

    Result<void> plan_multi_level() {
        // counts[l]: the elements of level l; level 0 is the data, level l > 0 the totals of the tiles of
        // level l - 1.
        std::vector<std::uint64_t> counts{chunk_.count};
        while (counts.back() > geometry_.tile()) counts.push_back(divide_up(counts.back(), geometry_.tile()));
        const std::size_t top = counts.size() - 1;
        std::vector<Region> level(counts.size());
        std::vector<Grid> grids(counts.size());
        for (std::size_t l = 0; l <= top; ++l) {
            if (l > 0) level[l] = partials_region(l, counts[l]);
            auto grid = fold_grid(divide_up(counts[l], geometry_.tile()), caps_.max_workgroups_per_dimension);
            if (!grid) return tl::unexpected(grid.error());
            grids[l] = *grid;
        }
        const auto spec = [&](const char* kernel, std::size_t l) {
            return l == 0 ? element_spec(kernel) : partials_spec(kernel, geometry_.rows * geometry_.vec);
        };
        for (std::size_t l = 0; l <= top; ++l) {
            Step& step = l == 0 ? add_scan(spec("scan_tiles", 0), input(), output(), grids[0])
                                : add_scan(spec("scan_tiles", l), level[l], level[l], grids[l]);
            step.params.level = static_cast<std::uint32_t>(l);
            if (l > 0) bind_count(step);
            if (l == top) {
                end_with_seed_and_carry(step);
            } else {
                flag(step, "TOTALS");
                bind(step, "partials", "array<E>", Access::read_write, level[l + 1]);
            }
        }
        for (std::size_t l = top; l-- > 0;) {
            Step& step = add_step(spec("add_back", l), grids[l]);
            step.spec.in_place = true;
            step.params.level = static_cast<std::uint32_t>(l);
            bind(step, "dst", l == 0 ? elements() : "array<S>", Access::read_write,
                 l == 0 ? output() : level[l]);
            bind(step, "partials", "array<E>", Access::read, level[l + 1]);
            bind_count(step);
            bind_seed(step);
        }
        plan_.bytes_moved += (top == 0 ? 2 : 4) * chunk_.count * desc_.type.stride;
        return {};
    }

    // ---- pieces ----

    [[nodiscard]] Region input() const {
        return {Slot::input, chunk_.base * desc_.type.stride, chunk_.count * desc_.type.stride};
    }
    [[nodiscard]] Region output() const {
        return {Slot::output, chunk_.base * desc_.type.stride, chunk_.count * desc_.type.stride};
    }
    [[nodiscard]] const char* elements() const { return geometry_.vec == 4 ? "array<V>" : "array<S>"; }

    // Chunks run one after the other and use the same memory for their partials; the first chunk is the
    // largest.
    Region partials_region(std::size_t index, std::uint64_t count) {
        while (partials_.size() <= index) partials_.push_back({});
        const std::uint64_t bytes = count * code_.compute_type.stride;
        if (partials_[index].size < bytes) partials_[index] = scratch_.take(bytes);
        Region region = partials_[index];
        region.size = round_up(bytes, 4);
        return region;
    }

    [[nodiscard]] KernelSpec element_spec(const char* kernel) const {
        KernelSpec spec;
        spec.kernel = kernel;
        spec.type = desc_.type;
        spec.op = desc_.op;
        spec.block = geometry_.block;
        spec.rows = geometry_.rows;
        spec.vec = geometry_.vec;
        spec.inclusive = desc_.kind == ScanKind::inclusive;
        spec.block_scan = geometry_.block_scan;
        spec.subgroups = geometry_.subgroups;
        spec.subgroup_min = geometry_.subgroup_min;
        spec.subgroup_max = geometry_.subgroup_max;
        spec.dialect = caps_.dialect;
        spec.immediates = caps_.immediates;
        spec.unroll = desc_.unroll;
        for (const char* name : {"PREFIX", "SEED", "TOTALS", "CARRY", "COUNT_BUFFER"})
            spec.flags[name] = false;
        return spec;
    }

    [[nodiscard]] KernelSpec partials_spec(const char* kernel, std::uint32_t rows) const {
        KernelSpec spec = element_spec(kernel);
        spec.partials = true;
        spec.rows = rows;
        spec.vec = 1;
        spec.inclusive = true;
        return spec;
    }

    Step& add_step(KernelSpec spec, const Grid& grid) {
        Step step;
        step.label = "upsweep.scan." + spec.kernel;
        step.spec = std::move(spec);
        step.grid = grid;
        step.base = chunk_.base;
        const auto limit = static_cast<std::uint32_t>(chunk_.count);
        step.params = {limit, static_cast<std::uint32_t>(chunk_.base), limit, 0};
        plan_.steps.push_back(std::move(step));
        return plan_.steps.back();
    }

    // The same region twice is a scan in place.
    Step& add_scan(KernelSpec spec, const Region& in, const Region& out, const Grid& grid) {
        Step& step = add_step(std::move(spec), grid);
        const char* type = step.spec.vec == 4 ? "array<V>" : "array<S>";
        step.spec.in_place = in == out;
        if (!step.spec.in_place) bind(step, "src", type, Access::read, in);
        bind(step, "dst", type, Access::read_write, out);
        if (!step.spec.partials) bind_count(step);
        return step;
    }

    static void flag(Step& step, const char* name) { step.spec.flags[name] = true; }

    static void bind(Step& step, const char* name, const char* type, Access access, const Region& region) {
        step.spec.bindings.push_back({name, type, access});
        step.regions.push_back(region);
    }

    void bind_count(Step& step) const {
        if (!desc_.count_on_gpu) return;
        flag(step, "COUNT_BUFFER");
        bind(step, "gpu_count", "array<u32>", Access::read, {Slot::count, 0, 4});
    }

    void bind_seed(Step& step) const {
        if (!chunk_.has_seed) return;
        flag(step, "SEED");
        bind(step, "initial", "array<Seed>", Access::read, chunk_.seed);
    }

    void end_with_seed_and_carry(Step& step) const {
        bind_seed(step);
        if (!chunk_.has_carry) return;
        flag(step, "CARRY");
        bind(step, "carry_out", "array<Seed>", Access::read_write, chunk_.carry);
    }

    const ScanDesc& desc_;
    const DeviceCaps& caps_;
    OperatorCode code_;
    BlockGeometry geometry_;
    Strategy strategy_;
    Scratch scratch_;
    Plan plan_;
    Chunk chunk_;
    std::vector<Region> partials_;
};

Result<void> check(const ScanDesc& desc, const DeviceCaps& caps) {
    const ElementType& type = desc.type;
    if (desc.kind == ScanKind::exclusive && !desc.op.has_identity() && desc.initial.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "An exclusive scan begins with the identity, and the operator '" + desc.op.name() +
                        "' has none; give it one, give an initial value, or scan inclusively.");
    }
    if (!desc.initial.empty() && desc.initial.size() != type.size && desc.initial.size() != type.stride) {
        return fail(ErrorCode::invalid_argument,
                    "The initial value has " + std::to_string(desc.initial.size()) +
                        " bytes, and an element of " + type.name + " has " + std::to_string(type.size) + ".");
    }
    if (type.needs_f16() && !caps.shader_f16) {
        return fail(ErrorCode::unsupported, "The type " + type.name +
                                                " needs the feature shader-f16, which this device was made "
                                                "without; request it with the device, or use f32.");
    }
    if (desc.count_on_gpu && desc.count > 0xFFFFFFFFU) {
        return fail(ErrorCode::limit_exceeded, "A count on the GPU is a u32, and at most " +
                                                   std::to_string(desc.count) +
                                                   " elements were asked for; the limit is 4294967295.");
    }
    const std::uint64_t most = caps.max_buffer_size / type.stride;
    if (desc.count > most) {
        return fail(ErrorCode::limit_exceeded,
                    std::to_string(desc.count) + " elements of " + type.name + " (" +
                        std::to_string(type.stride) +
                        " bytes each) do not fit in one buffer of this device: maxBufferSize is " +
                        std::to_string(caps.max_buffer_size) + " bytes, which holds " + std::to_string(most) +
                        "; request a higher limit with the device, or scan in parts and pass each total on "
                        "as the initial value.");
    }
    if (type.stride > caps.max_storage_binding_size) {
        return fail(ErrorCode::limit_exceeded,
                    "One element of " + type.name + " is larger than a storage binding of this device.");
    }
    return {};
}

}  // namespace

const char* to_string(Strategy strategy) {
    return strategy_names.at(static_cast<std::size_t>(strategy));
}

Result<Strategy> parse_strategy(std::string_view name) {
    for (std::size_t i = 0; i < strategy_names.size(); ++i) {
        if (name == strategy_names.at(i)) return static_cast<Strategy>(i);
    }
    return fail(ErrorCode::invalid_argument,
                "'" + std::string(name) +
                    "' is not a strategy; it must be automatic, single_block, multi_level, "
                    "reduce_then_scan or serial.");
}

Result<Plan> plan_scan(const ScanDesc& desc, const DeviceCaps& caps) {
    auto code = operator_code(desc.op, desc.type);
    if (!code) return tl::unexpected(code.error());
    if (auto ok = check(desc, caps); !ok) return tl::unexpected(ok.error());
    auto geometry = block_geometry(desc, *code, caps);
    if (!geometry) return tl::unexpected(geometry.error());
    Strategy strategy = desc.strategy;
    if (strategy == Strategy::automatic) {
        strategy = desc.count <= geometry->tile() ? Strategy::single_block : Strategy::reduce_then_scan;
    }
    if (strategy == Strategy::single_block && desc.count > geometry->tile()) {
        return fail(ErrorCode::limit_exceeded,
                    "The strategy single_block takes at most one tile, " + std::to_string(geometry->tile()) +
                        " elements of " + desc.type.name + " here, not " + std::to_string(desc.count) +
                        "; use reduce_then_scan, multi_level or automatic.");
    }
    return Planner(desc, caps, std::move(*code), *geometry, strategy).plan();
}

}  // namespace upsweep
