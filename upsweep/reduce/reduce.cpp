#include "upsweep/reduce/reduce.h"

#include "upsweep/core/names.h"
#include "upsweep/core/plan_builder.h"
#include "upsweep/core/plan_tuned.h"
#include "upsweep/core/tile_state.h"
#include "upsweep/reduce/reduce_tuning.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace upsweep {

namespace {

constexpr std::array<const char*, 4> strategy_names{"automatic", "single_block", "two_pass", "last_arrival"};

struct ReduceMethod {
    ReduceStrategy strategy = ReduceStrategy::two_pass;
    BlockGeometry geometry;
};

class ReducePlanner {
  public:
    ReducePlanner(const BuilderRequest& request, const DeviceCaps& caps, const OperatorCode& code,
                  const ReduceMethod& method, Withhold withhold)
        : caps_(caps),
          total_type_(code.compute_type),
          geometry_(method.geometry),
          strategy_(method.strategy),
          withhold_(withhold),
          result_bytes_(code.seed_type.stride),
          build_(request, caps, code, method.geometry) {}

    Result<Plan> plan(const BuilderRequest& request) {
        build_.plan.output_bytes = result_bytes_;
        build_.plan.in_place_allowed = false;
        if (request.count == 0) plan_nothing();
        const bool arrives = strategy_ == ReduceStrategy::last_arrival;
        if (auto ok = arrives ? check_arrivals(request) : Result<void>{}; !ok)
            return tl::unexpected(ok.error());
        // The last workgroup may come to reduce all tiles.
        auto ok =
            build_.for_each_chunk(arrives ? build_.most_that_look_back() : 0, [&] { return plan_chunk(); });
        if (!ok) return tl::unexpected(ok.error());
        return build_.finish(std::string(to_string(strategy_)) + ", " + to_string(geometry_.block_scan),
                             geometry_.subgroups == SubgroupMode::native);
    }

  private:
    [[nodiscard]] Result<void> check_arrivals(const BuilderRequest& request) const {
        if (!fits_tile_state(total_type_)) {
            return fail(
                ErrorCode::unsupported,
                "The strategy last_arrival hands on totals of up to " +
                    std::to_string(most_tile_state_words * 2) + " bytes, and one of " + request.type.name +
                    " has more (with a word for its presence where the operator has no identity); use "
                    "two_pass.");
        }
        if (!build_.takes_too_many_chunks()) return {};
        return fail(ErrorCode::limit_exceeded, "The strategy last_arrival takes more than " +
                                                   std::to_string(PlanBuilder::most_chunks) +
                                                   " dispatches for " + std::to_string(request.count) +
                                                   " elements on a software adapter; use two_pass.");
    }

    // Nothing to read, and still a result to write.
    void plan_nothing() {
        KernelSpec spec = PlanBuilder::without_block_scan(build_.element_spec("reduce_nothing"));
        spec.block = spec.rows = spec.vec = 1;
        Step& step = build_.add_step(std::move(spec), Grid{});
        bind_result(step);
        if (build_.plan.initial.empty()) return;
        PlanBuilder::flag(step, "SEED");
        PlanBuilder::bind(step, "initial", "array<Seed>", Access::read,
                          {Slot::initial, 0, round_up(build_.plan.initial.size(), 4)});
    }

    Result<void> plan_chunk() {
        const Region input = build_.elements(Slot::input);
        build_.plan.bytes_moved += input.size;
        if (strategy_ == ReduceStrategy::single_block) {
            finish_in(add_reduce(build_.element_spec("reduce_tiles"), input, build_.element_array(), Grid{}));
            return {};
        }
        auto grid = build_.fixed_grid();
        if (!grid) return tl::unexpected(grid.error());
        if (strategy_ == ReduceStrategy::last_arrival) return plan_last_arrival(input, *grid);
        const auto groups = static_cast<std::uint32_t>(grid->groups());
        const Region partials = build_.partials(0, groups);
        Step& reduce = add_reduce(build_.element_spec("reduce_tiles"), input, build_.element_array(), *grid);
        PlanBuilder::bind(reduce, "partials", "array<E>", Access::read_write, partials);

        Step& spine =
            add_reduce(build_.partials_spec("reduce_tiles", geometry_.rows), partials, "array<S>", Grid{});
        spine.label = "upsweep.reduce.spine";
        PlanBuilder::fix_count(spine, groups);
        finish_in(spine);
        return {};
    }

    Result<void> plan_last_arrival(const Region& input, const Grid& grid) {
        if (const std::uint64_t bytes = tile_states_bytes(total_type_, grid.groups());
            bytes > caps_.max_storage_binding_size) {
            return fail(ErrorCode::limit_exceeded,
                        "The totals of " + std::to_string(grid.groups()) + " workgroups need a binding of " +
                            std::to_string(bytes) + " bytes of scratch, and the limit of this device is " +
                            std::to_string(caps_.max_storage_binding_size) +
                            "; use fewer groups or two_pass.");
        }
        auto step = build_.add_states_step(build_.element_spec("reduce_last_arrival"), withhold_, grid,
                                           grid.groups());
        if (!step) return tl::unexpected(step.error());
        PlanBuilder::bind(**step, "src", build_.element_array(), Access::read, input);
        build_.bind_count(**step);
        finish_in(**step);
        return {};
    }

    Step& add_reduce(KernelSpec spec, const Region& from, const char* type, const Grid& grid) {
        Step& step = build_.add_step(std::move(spec), grid);
        PlanBuilder::bind(step, "src", type, Access::read, from);
        if (!step.spec.partials) build_.bind_count(step);
        return step;
    }

    // The step that has the total: it goes to the next chunk, or is the result.
    void finish_in(Step& step) {
        build_.bind_seed(step);
        if (!build_.chunk().has_carry) {
            bind_result(step);
            return;
        }
        PlanBuilder::flag(step, "RESULT");
        Region carry = build_.chunk().carry;
        PlanBuilder::bind(step, "result", "array<Seed>", Access::read_write, carry);
    }

    void bind_result(Step& step) const {
        PlanBuilder::flag(step, "RESULT");
        PlanBuilder::bind(step, "result", "array<Seed>", Access::read_write,
                          {Slot::output, 0, round_up(result_bytes_, 4)});
    }

    const DeviceCaps& caps_;
    ElementType total_type_;
    BlockGeometry geometry_;
    ReduceStrategy strategy_;
    Withhold withhold_;
    std::uint64_t result_bytes_;
    PlanBuilder build_;
};

// A single block has the tile that `automatic` gives it. `op`: the one in force, which arg_min and arg_max have of their own.
Result<ReduceMethod> choose_method(const ReduceDesc& desc, const DeviceCaps& caps, const Operator& op,
                                   const OperatorCode& code) {
    using enum ReduceStrategy;
    const bool open = desc.strategy == automatic;
    BlockRequest block{desc.block_scan, desc.geometry, desc.emulated_subgroup_size};
    const bool prefers_arrival = reduce_in_one_dispatch(caps, code.compute_type.stride, op.commutative());
    block.looks_back = desc.strategy == last_arrival || (desc.strategy != two_pass && prefers_arrival);
    auto geometry = block_geometry(
        block, code, caps, block.looks_back ? last_arrival_policy(caps) : reduce_policy(caps, desc.count));
    // Each invocation knows the total, with the same bits only where all subgroups are alike.
    const bool one_total = geometry && (!code.rounds || geometry->has_equal_subgroups());
    if (desc.strategy == last_arrival && geometry && !one_total) {
        return fail(ErrorCode::unsupported,
                    "The strategy last_arrival needs whole subgroups for totals that round, and a workgroup "
                    "of " +
                        std::to_string(geometry->block) + " invocations holds none of " +
                        std::to_string(geometry->subgroup_max) + "; use a larger block or two_pass.");
    }
    const bool fits =
        one_total && tile_states_bytes(code.compute_type, geometry->groups) <= caps.max_storage_binding_size;
    if (open && block.looks_back && !fits) {
        block.looks_back = false;
        geometry = block_geometry(block, code, caps, reduce_policy(caps, desc.count));
    }
    if (!geometry) return tl::unexpected(geometry.error());
    if (!open) return ReduceMethod{desc.strategy, *geometry};
    if (desc.count <= geometry->tile()) return ReduceMethod{single_block, *geometry};
    return ReduceMethod{block.looks_back ? last_arrival : two_pass, *geometry};
}

Result<Plan> plan_with(const ReduceDesc& desc, const DeviceCaps& caps, const Operator& op,
                       const OperatorCode& code) {
    const BuilderRequest request{.algorithm = "reduce",
                                 .type = desc.type,
                                 .op = op,
                                 .count = desc.count,
                                 .count_on_gpu = desc.count_on_gpu,
                                 .initial = desc.initial,
                                 .unroll = desc.unroll,
                                 .seed_bytes = code.seed_type.stride,
                                 .flags = {"RESULT"}};
    if (auto ok = check_request(request, caps); !ok) return tl::unexpected(ok.error());
    auto method = choose_method(desc, caps, op, code);
    if (!method) return tl::unexpected(method.error());
    return ReducePlanner(request, caps, code, *method, desc.withhold).plan(request);
}

}  // namespace

const char* to_string(ReduceStrategy strategy) {
    return name_of(strategy, strategy_names);
}

Result<ReduceStrategy> parse_reduce_strategy(std::string_view name) {
    return value_named<ReduceStrategy>(name, strategy_names, "a strategy of a reduction");
}

Result<Plan> plan_reduce(const ReduceDesc& desc, const DeviceCaps& caps) {
    const bool with_index = desc.form != ReduceForm::value;
    const Operator op = with_index ? Operator::arg(desc.form == ReduceForm::arg_max) : desc.op;
    if (with_index && !desc.initial.empty()) {
        return fail(ErrorCode::unsupported,
                    std::string(op.name()) +
                        " takes no initial value, since that has no index; combine it with the result.");
    }
    if (with_index && desc.count > 0xFFFFFFFFU) {
        return fail(ErrorCode::limit_exceeded, std::string(op.name()) + " gives the index as a u32, and " +
                                                   std::to_string(desc.count) +
                                                   " elements have larger ones; the limit is 4294967295.");
    }
    auto code = operator_code(op, desc.type);
    if (!code) return tl::unexpected(code.error());
    return plan_tuned(
        Primitive::reduce, element_class(code->compute_type.stride, code->vectorizable), desc, caps,
        [](ReduceDesc& tuned, const std::string& name) {
            return take_strategy(tuned, name, parse_reduce_strategy);
        },
        [&](const ReduceDesc& chosen, const DeviceCaps& on) { return plan_with(chosen, on, op, *code); });
}

Result<void> reduce_serial_cpu(const ReduceDesc& desc, std::span<const std::byte> input,
                               std::span<std::byte> output) {
    const std::size_t stride = desc.type.stride;
    if (desc.form != ReduceForm::value)
        return fail(ErrorCode::unsupported, "The serial reduction on the CPU knows values only.");
    if (input.size() < desc.count * stride || output.size() < stride) {
        return fail(ErrorCode::invalid_argument,
                    "The reduction of " + std::to_string(desc.count) + " elements needs " +
                        std::to_string(desc.count * stride) + " bytes of input and " +
                        std::to_string(stride) + " of output, not " + std::to_string(input.size()) + " and " +
                        std::to_string(output.size()) + ".");
    }
    auto combine = desc.op.cpu(desc.type);
    if (!combine) return tl::unexpected(combine.error());
    std::vector<std::byte> total = desc.initial;
    bool have = !total.empty();
    total.resize(stride);
    desc.op.cpu_normalize(desc.type, total.data());
    if (!have && desc.op.has_identity()) {
        auto identity = desc.op.cpu_identity(desc.type);
        if (!identity) return tl::unexpected(identity.error());
        total = std::move(*identity);
        have = true;
    }
    std::vector<std::byte> next(stride);
    for (std::uint64_t i = 0; i < desc.count; ++i) {
        std::memcpy(next.data(), input.data() + i * stride, stride);
        desc.op.cpu_normalize(desc.type, next.data());
        if (have)
            (*combine)(total.data(), next.data(), total.data());
        else
            total = next;
        have = true;
    }
    std::memcpy(output.data(), total.data(), stride);
    return {};
}

}  // namespace upsweep
