#include "upsweep/scan/scan.h"

#include "upsweep/core/names.h"
#include "upsweep/core/plan_builder.h"
#include "upsweep/core/plan_tuned.h"
#include "upsweep/core/wgsl_template.h"
#include "upsweep/scan/scan_tuning.h"

#include <algorithm>
#include <array>

namespace upsweep {

namespace {

constexpr std::array<const char*, 7> strategy_names{
    "automatic", "single_block",       "multi_level", "reduce_then_scan",
    "lookback",  "lookback_then_rest", "serial"};

bool is_lookback(Strategy strategy) {
    return strategy == Strategy::lookback || strategy == Strategy::lookback_then_rest;
}

// Elements of one dispatch of the serial kernel: short enough for a watchdog, and lavapipe leaves a loop
// after 65535 turns.
constexpr std::uint64_t serial_chunk = 1U << 15U;

class ScanPlanner {
  public:
    ScanPlanner(const ScanDesc& desc, const BuilderRequest& request, const DeviceCaps& caps,
                OperatorCode code, const BlockGeometry& geometry, Strategy strategy)
        : desc_(desc),
          caps_(caps),
          geometry_(geometry),
          strategy_(strategy),
          build_(request, caps, std::move(code), geometry) {}

    Result<Plan> plan() {
        build_.plan.output_bytes = build_.plan.input_bytes;
        const bool serial = strategy_ == Strategy::serial;
        const bool looks_back = is_lookback(strategy_);
        if (looks_back && build_.takes_too_many_chunks()) {
            return fail(ErrorCode::limit_exceeded,
                        "A look-back over " + std::to_string(desc_.count) + " elements takes more than " +
                            std::to_string(PlanBuilder::most_chunks) +
                            " dispatches on a software adapter; use reduce_then_scan.");
        }
        auto ok = build_.for_each_chunk(serial       ? serial_chunk
                                        : looks_back ? build_.most_that_look_back()
                                                     : 0,
                                        [&] { return plan_chunk(); });
        if (!ok) return tl::unexpected(ok.error());
        const std::string name = to_string(strategy_);
        if (serial) return build_.finish(name, false);
        return build_.finish(name + ", " + to_string(geometry_.block_scan),
                             geometry_.subgroups == SubgroupMode::native);
    }

  private:
    Result<void> plan_chunk() {
        switch (strategy_) {
            case Strategy::multi_level: return plan_multi_level();
            case Strategy::reduce_then_scan: return plan_reduce_then_scan();
            case Strategy::lookback: return plan_lookback();
            case Strategy::lookback_then_rest: return plan_lookback_then_rest();
            case Strategy::serial: return plan_single(serial_spec());
            case Strategy::single_block:
            case Strategy::automatic: break;
        }
        return plan_single(element_spec("scan_tiles"));
    }

    Result<void> plan_single(KernelSpec spec) {
        Step& step = add_scan(std::move(spec), input(), output(), Grid{});
        build_.bind_seed(step);
        build_.bind_carry(step);
        moves(2);
        return {};
    }

    [[nodiscard]] KernelSpec serial_spec() const {
        KernelSpec spec = PlanBuilder::without_block_scan(element_spec("scan_serial"));
        spec.block = spec.rows = spec.vec = 1;
        return spec;
    }

    Result<void> plan_reduce_then_scan() {
        auto grid = build_.fixed_grid();
        if (!grid) return tl::unexpected(grid.error());
        const auto groups = static_cast<std::uint32_t>(grid->groups());
        const Region partials = build_.partials(0, groups);

        Step& reduce = build_.add_step(element_spec("reduce_tiles"), *grid);
        PlanBuilder::bind(reduce, "src", build_.element_array(), Access::read, input());
        PlanBuilder::bind(reduce, "partials", "array<E>", Access::read_write, partials);
        build_.bind_count(reduce);

        Step& spine = build_.add_spine(build_.partials_spec("scan_tiles", geometry_.rows), partials, groups);
        build_.bind_seed(spine);
        build_.bind_carry(spine);

        Step& scan = add_scan(element_spec("scan_tiles"), input(), output(), *grid);
        PlanBuilder::flag(scan, "PREFIX");
        PlanBuilder::bind(scan, "partials", "array<E>", Access::read, partials);
        build_.bind_seed(scan);
        moves(3);
        return {};
    }

    Result<void> plan_lookback() {
        auto step = build_.add_lookback_step(element_spec("scan_lookback"), desc_.withhold);
        if (!step) return tl::unexpected(step.error());
        bind_scan(**step);
        build_.bind_carry(**step);
        moves(2);
        return {};
    }

    Result<void> plan_lookback_then_rest() {
        auto step = build_.add_lookback_step(element_spec("scan_lookback_whole"), desc_.withhold);
        if (!step) return tl::unexpected(step.error());
        bind_scan(**step);
        step = build_.add_rest_step(element_spec("scan_rest"));
        if (!step) return tl::unexpected(step.error());
        bind_scan(**step);
        build_.bind_carry(**step);
        moves(2);
        return {};
    }

    Result<void> plan_multi_level() {
        if (geometry_.tile() < 2) {
            return fail(ErrorCode::limit_exceeded,
                        "The strategy multi_level needs tiles of at least 2 elements, and a tile holds one " +
                            desc_.type.name + " here; use reduce_then_scan.");
        }
        const std::uint32_t totals = geometry_.rows * geometry_.vec;
        if (desc_.unroll && totals > max_unroll) {
            return fail(ErrorCode::invalid_argument,
                        "The strategy multi_level scans totals one by one, and with " +
                            std::to_string(geometry_.rows) + " rows an invocation has " +
                            std::to_string(totals) + " of them, more than the " + std::to_string(max_unroll) +
                            " that are unrolled; use fewer rows, or set unroll to false.");
        }
        // counts[l]: the elements of level l; level 0 is the data, level l > 0 the totals of the tiles below.
        std::vector<std::uint64_t> counts{build_.chunk().count};
        while (counts.back() > geometry_.tile()) counts.push_back(divide_up(counts.back(), geometry_.tile()));
        const std::size_t top = counts.size() - 1;
        std::vector<Region> levels(counts.size());
        std::vector<Grid> grids(counts.size());
        for (std::size_t l = 0; l <= top; ++l) {
            if (l > 0) levels[l] = build_.partials(l, counts[l]);
            auto grid = fold_grid(divide_up(counts[l], geometry_.tile()), caps_.max_workgroups_per_dimension);
            if (!grid) return tl::unexpected(grid.error());
            grids[l] = *grid;
        }
        // Every level has tiles of one size, so that a kernel finds its level's count by dividing.
        const auto spec = [&](const char* kernel, std::size_t l) {
            return l == 0 ? element_spec(kernel) : build_.partials_spec(kernel, totals);
        };
        for (std::size_t l = 0; l <= top; ++l) {
            Step& step = l == 0 ? add_scan(spec("scan_tiles", 0), input(), output(), grids[0])
                                : add_scan(spec("scan_tiles", l), levels[l], levels[l], grids[l]);
            step.params.level = static_cast<std::uint32_t>(l);
            if (l > 0) build_.bind_count(step);
            if (l == top) {
                build_.bind_seed(step);
                build_.bind_carry(step);
            } else {
                PlanBuilder::flag(step, "TOTALS");
                PlanBuilder::bind(step, "partials", "array<E>", Access::read_write, levels[l + 1]);
            }
        }
        for (std::size_t l = top; l-- > 0;) {
            Step& step = build_.add_step(spec("add_back", l), grids[l]);
            step.spec.in_place = true;
            step.params.level = static_cast<std::uint32_t>(l);
            PlanBuilder::bind(step, "dst", l == 0 ? build_.element_array() : "array<S>", Access::read_write,
                              l == 0 ? output() : levels[l]);
            PlanBuilder::bind(step, "partials", "array<E>", Access::read, levels[l + 1]);
            build_.bind_count(step);
            build_.bind_seed(step);
        }
        moves(top == 0 ? 2 : 4);
        return {};
    }

    [[nodiscard]] Region input() const { return build_.elements(Slot::input); }
    [[nodiscard]] Region output() const { return build_.elements(Slot::output); }
    [[nodiscard]] KernelSpec element_spec(const char* kernel) const {
        return build_.element_spec(kernel, desc_.kind == ScanKind::inclusive);
    }
    void moves(std::uint64_t times) {
        build_.plan.bytes_moved += times * build_.chunk().count * desc_.type.stride;
    }

    void bind_scan(Step& step) const {
        PlanBuilder::bind(step, "src", build_.element_array(), Access::read, input());
        PlanBuilder::bind(step, "dst", build_.element_array(), Access::read_write, output());
        build_.bind_count(step);
        build_.bind_seed(step);
    }

    // The same region twice is a scan in place.
    Step& add_scan(KernelSpec spec, const Region& in, const Region& out, const Grid& grid) {
        const char* type = spec.vec == 4 ? "array<V>" : "array<S>";
        spec.in_place = in == out;
        Step& step = build_.add_step(std::move(spec), grid);
        if (!step.spec.in_place) PlanBuilder::bind(step, "src", type, Access::read, in);
        PlanBuilder::bind(step, "dst", type, Access::read_write, out);
        if (!step.spec.partials) build_.bind_count(step);
        return step;
    }

    const ScanDesc& desc_;
    const DeviceCaps& caps_;
    BlockGeometry geometry_;
    Strategy strategy_;
    PlanBuilder build_;
};

Result<Plan> plan_with(const ScanDesc& desc, const DeviceCaps& caps, const OperatorCode& code) {
    const BuilderRequest request{.algorithm = "scan",
                                 .type = desc.type,
                                 .op = desc.op,
                                 .count = desc.count,
                                 .count_on_gpu = desc.count_on_gpu,
                                 .initial = desc.initial,
                                 .unroll = desc.unroll,
                                 .seed_bytes = desc.type.stride,
                                 .flags = {"PREFIX", "TOTALS", "RESULT"}};
    if (auto ok = check_request(request, caps); !ok) return tl::unexpected(ok.error());
    if (is_lookback(desc.strategy) && desc.deterministic && code.rounds) {
        return fail(ErrorCode::invalid_argument,
                    "A look-back groups the operands as their sums come, and '" + desc.op.name() + "' on " +
                        desc.type.name + " rounds; leave deterministic out, or use reduce_then_scan.");
    }
    BlockRequest block{desc.block_scan, desc.geometry, desc.emulated_subgroup_size};
    const bool may_look_back = block.allows_subgroups() && !(desc.deterministic && code.rounds);
    const bool prefers_lookback = may_look_back && scan_looks_back(caps, code.compute_type.stride);
    Strategy strategy = desc.strategy;
    if (strategy == Strategy::automatic) {
        const bool leaves_rest =
            may_look_back && scan_leaves_rest(caps, code.compute_type.stride, desc.count);
        strategy = leaves_rest        ? Strategy::lookback_then_rest
                   : prefers_lookback ? Strategy::lookback
                                      : Strategy::reduce_then_scan;
    }
    // A single block has the tile that `automatic` gives it.
    block.looks_back = is_lookback(strategy) || (strategy == Strategy::single_block && prefers_lookback);
    block.leaves_rest = strategy == Strategy::lookback_then_rest;
    const BlockPolicy policy = block.leaves_rest
                                   ? lookback_whole_policy(caps, code.compute_type.stride, desc.count)
                               : block.looks_back ? lookback_policy(caps, desc.count)
                                                  : scan_policy(caps);
    // One invocation has no block and takes no workgroup memory.
    auto geometry = strategy == Strategy::serial ? Result<BlockGeometry>(BlockGeometry{.block = 1, .rows = 1})
                                                 : block_geometry(block, code, caps, policy);
    if (!geometry) return tl::unexpected(geometry.error());
    // A recomputed sum must have its owner's bits, which floats have only where all subgroups are alike.
    if (strategy == Strategy::lookback && code.rounds && !geometry->has_equal_subgroups()) {
        if (desc.strategy == Strategy::lookback) {
            return fail(ErrorCode::unsupported,
                        "A look-back over sums that round needs whole subgroups, and a workgroup of " +
                            std::to_string(geometry->block) + " invocations holds none of " +
                            std::to_string(geometry->subgroup_max) +
                            "; use a larger block or reduce_then_scan.");
        }
        strategy = Strategy::reduce_then_scan;
        block.looks_back = false;
        geometry = block_geometry(block, code, caps, scan_policy(caps));
        if (!geometry) return tl::unexpected(geometry.error());
    }
    if (desc.strategy == Strategy::automatic && desc.count <= geometry->tile())
        strategy = Strategy::single_block;
    if (strategy == Strategy::single_block && desc.count > geometry->tile()) {
        return fail(ErrorCode::limit_exceeded,
                    "The strategy single_block takes at most one tile, " + std::to_string(geometry->tile()) +
                        " elements of " + desc.type.name + " here, not " + std::to_string(desc.count) +
                        "; use reduce_then_scan, multi_level or automatic.");
    }
    return ScanPlanner(desc, request, caps, code, *geometry, strategy).plan();
}

}  // namespace

const char* to_string(Strategy strategy) {
    return name_of(strategy, strategy_names);
}

Result<Strategy> parse_strategy(std::string_view name) {
    return value_named<Strategy>(name, strategy_names, "a strategy");
}

Result<Plan> plan_scan(const ScanDesc& desc, const DeviceCaps& caps) {
    auto code = operator_code(desc.op, desc.type);
    if (!code) return tl::unexpected(code.error());
    if (desc.kind == ScanKind::exclusive && !desc.op.has_identity() && desc.initial.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "An exclusive scan begins with the identity, and the operator '" + desc.op.name() +
                        "' has none; give it one, give an initial value, or scan inclusively.");
    }
    return plan_tuned(
        Primitive::scan, element_class(code->compute_type.stride, code->vectorizable), desc, caps,
        [](ScanDesc& tuned, const std::string& name) { return take_strategy(tuned, name, parse_strategy); },
        [&](const ScanDesc& chosen, const DeviceCaps& on) { return plan_with(chosen, on, *code); });
}

}  // namespace upsweep
