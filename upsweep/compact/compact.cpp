#include "upsweep/compact/compact.h"

#include "upsweep/compact/compact_tuning.h"
#include "upsweep/compact/selection.h"
#include "upsweep/core/names.h"
#include "upsweep/core/plan_tuned.h"

#include <array>

namespace upsweep {

namespace {

constexpr std::array<const char*, 5> strategy_names{"automatic", "single_block", "reduce_then_scan",
                                                    "lookback", "lookback_then_rest"};

bool is_lookback(CompactStrategy strategy) {
    return strategy == CompactStrategy::lookback || strategy == CompactStrategy::lookback_then_rest;
}

// What publish.wgsl writes to and takes.
void bind_totals(const Plan& plan, Step& step) {
    PlanBuilder::bind(step, "totals", "array<u32>", Access::read_write, {Slot::total, 0, plan.total_bytes});
    if (plan.arguments_bytes != 0) {
        PlanBuilder::bind(step, "arguments", "array<u32>", Access::read_write,
                          {Slot::arguments, 0, plan.arguments_bytes});
    }
    if (!plan.constants.empty()) {
        PlanBuilder::bind(step, "constants", "array<u32>", Access::read,
                          {Slot::constants, 0, plan.constants.size() * 4});
    }
}

// A step that moves what is selected: what both kernels that do it bind.
void bind_selection(PlanBuilder& build, const Selection& s, Step& step) {
    step.params.base = s.first_index;
    const auto flag_if = [&](const char* name, bool value) {
        if (value) PlanBuilder::flag(step, name);
    };
    step.spec.flags["BALLOT"] = true;
    flag_if("ITEMS", s.reads_elements());
    flag_if("ELEMENTS", s.elements);
    flag_if("INDICES", s.indices);
    flag_if("PARTITION", s.partition);
    flag_if("THREE_WAY", s.three_way);
    flag_if("REVERSED", s.reversed);
    flag_if("CAPACITY", s.capacity != 0);
    flag_if("ARGUMENTS", s.arguments.kind != ArgumentsKind::none);
    const auto bind = [&](bool used, const char* name, const char* type, Access access, Slot slot,
                          std::uint64_t bytes) {
        if (used) PlanBuilder::bind(step, name, type, access, {slot, 0, bytes});
    };
    const Plan& plan = build.plan;
    bind(s.reads_elements(), "src", "array<S>", Access::read, Slot::input, s.count * s.type.stride);
    bind(plan.flags_bytes != 0, "flags", "array<u32>", Access::read, Slot::flags, plan.flags_bytes);
    bind(s.elements, "dst", "array<S>", Access::read_write, Slot::output, plan.output_bytes);
    bind(s.indices, "indices", "array<u32>", Access::read_write, Slot::indices, plan.indices_bytes);
    bind_totals(plan, step);
    build.bind_count(step);
}

Step& add_write_step(PlanBuilder& build, const Selection& s, const Grid& grid) {
    Step& step = build.add_step(build.element_spec("compact_tiles"), grid);
    step.label = "upsweep." + s.algorithm + ".write";
    bind_selection(build, s, step);
    return step;
}

bool holds_elements(const Selection& s) {
    return s.elements && s.type.stride <= most_held_bytes;
}

Result<void> plan_lookback(PlanBuilder& build, const Selection& s, bool leaves_rest) {
    if (const std::uint64_t most = build.most_that_look_back(); most != 0 && s.count > most) {
        return fail(ErrorCode::limit_exceeded,
                    "A look-back over " + std::to_string(s.count) +
                        " elements takes more turns of a loop than software adapters may "
                        "have; the limit here is " +
                        std::to_string(most) + " elements, or use reduce_then_scan.");
    }
    auto step = build.add_lookback_step(
        build.element_spec(leaves_rest ? "compact_lookback_whole" : "compact_lookback"), s.withhold);
    if (!step) return tl::unexpected(step.error());
    (*step)->spec.flags["HELD_ITEMS"] = s.reads_elements() && s.type.stride <= most_held_bytes;
    bind_selection(build, s, **step);
    if (!leaves_rest) return {};
    step = build.add_rest_step(build.element_spec("compact_rest"));
    if (!step) return tl::unexpected(step.error());
    bind_selection(build, s, **step);
    return {};
}

// A single pass knows how many are kept only at its end, which is too late for a stable place of the others.
bool can_look_back(const Selection& s) {
    return !s.partition || (s.reversed && !s.three_way);
}

bool may_look_back(const Selection& s, const DeviceCaps& caps) {
    return can_look_back(s) && s.block.allows_subgroups() && compact_looks_back(caps, s.type.stride);
}

CompactStrategy preferred(const Selection& s, const DeviceCaps& caps) {
    if (!may_look_back(s, caps)) return CompactStrategy::reduce_then_scan;
    return compact_leaves_rest(caps, s.type.stride, s.count) ? CompactStrategy::lookback_then_rest
                                                             : CompactStrategy::lookback;
}

Result<CompactStrategy> choose_strategy(const Selection& s, std::uint32_t tile, const DeviceCaps& caps) {
    if (s.strategy == CompactStrategy::automatic) {
        if (s.count <= tile) return CompactStrategy::single_block;
        return preferred(s, caps);
    }
    if (s.strategy == CompactStrategy::single_block && s.count > tile) {
        return fail(ErrorCode::limit_exceeded, "The strategy single_block takes at most one tile, " +
                                                   std::to_string(tile) + " elements of " + s.type.name +
                                                   " here, not " + std::to_string(s.count) +
                                                   "; use reduce_then_scan, lookback or automatic.");
    }
    if (is_lookback(s.strategy) && !can_look_back(s)) {
        return fail(ErrorCode::unsupported,
                    "A partition whose parts are all stable has to know how many elements are kept before it "
                    "moves the first of "
                    "the others, which a single pass cannot; use reduce_then_scan, or let the others come in "
                    "reverse.");
    }
    return s.strategy;
}

Result<Plan> plan_selection(const Selection& s, const DeviceCaps& caps) {
    const BuilderRequest request = request_of(s, s.type, s.op);
    if (auto ok = check_request(request, caps); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_bindings(s, caps); !ok) return tl::unexpected(ok.error());
    auto code = operator_code(s.op, s.type);
    if (!code) return tl::unexpected(code.error());
    OperatorCode scalar = *code;
    scalar.vectorizable = false;
    const CompactStrategy likely = s.strategy == CompactStrategy::automatic ? preferred(s, caps) : s.strategy;
    BlockRequest block = s.block;
    block.looks_back = is_lookback(likely);
    block.leaves_rest = likely == CompactStrategy::lookback_then_rest;
    block.held_bytes = holds_elements(s) ? s.type.stride : 0;
    const BlockPolicy policy = block.leaves_rest
                                   ? compact_whole_policy(caps, s.type.stride, s.count, holds_elements(s))
                                   : compact_policy(caps, s.type.stride, block.looks_back);
    auto geometry = block_geometry(block, scalar, caps, policy);
    if (!geometry) return tl::unexpected(geometry.error());
    auto strategy = choose_strategy(s, geometry->tile(), caps);
    if (!strategy) return tl::unexpected(strategy.error());

    PlanBuilder build(request, caps, scalar, *geometry);
    Plan& plan = build.plan;
    if (!s.reads_elements()) plan.input_bytes = 0;
    plan.output_bytes = s.elements ? s.room() * s.type.stride : 0;
    plan.indices_bytes = s.indices ? s.room() * 4 : 0;
    plan.flags_bytes = flags_bytes(s);
    plan.total_bytes = s.capacity != 0 ? 12 : s.three_way ? 8 : 4;
    plan.arguments_bytes = arguments_bytes(s.arguments.kind);
    if (s.capacity != 0 || s.arguments.kind != ArgumentsKind::none) plan.constants = constants_of(s);
    plan.in_place_allowed = false;
    // The pass that counts reads the condition alone.
    const std::uint64_t counted =
        s.condition == ConditionKind::predicate ? plan.input_bytes : plan.flags_bytes;
    plan.bytes_moved = plan.input_bytes + plan.flags_bytes + counted + plan.output_bytes + plan.indices_bytes;

    // A kernel on the counts alone is a plain sum and knows nothing of the condition.
    const auto sum_spec = [&](const char* kernel, std::uint32_t rows) {
        KernelSpec spec = build.partials_spec(kernel, rows);
        spec.type = code->compute_type;
        spec.op = Operator::plus();
        return spec;
    };
    if (s.count == 0) {
        Step& step = build.add_step(PlanBuilder::without_block_scan(sum_spec("compact_nothing", 1)), Grid{});
        for (const auto& [name, value] : {std::pair{"THREE_WAY", s.three_way},
                                          {"CAPACITY", s.capacity != 0},
                                          {"ARGUMENTS", plan.arguments_bytes != 0}}) {
            step.spec.flags[name] = value;
        }
        bind_totals(plan, step);
    }
    auto ok = build.for_each_chunk(0, [&]() -> Result<void> {
        if (*strategy != CompactStrategy::reduce_then_scan) plan.bytes_moved -= counted;
        if (is_lookback(*strategy))
            return plan_lookback(build, s, *strategy == CompactStrategy::lookback_then_rest);
        if (*strategy == CompactStrategy::single_block) {
            add_write_step(build, s, Grid{});
            return {};
        }
        auto grid = build.fixed_grid();
        if (!grid) return tl::unexpected(grid.error());
        const auto groups = static_cast<std::uint32_t>(grid->groups());
        const Region partials = build.partials(0, groups);

        // The pass that counts has the tiles of the pass that writes, so that their ranges agree.
        KernelSpec count_spec = build.element_spec("reduce_tiles");
        count_spec.type = s.count_type;
        count_spec.op = s.count_op;
        auto count_code = operator_code(s.count_op, s.count_type);
        if (!count_code) return tl::unexpected(count_code.error());
        if (count_code->vectorizable && geometry->rows % 4 == 0 && !s.counts_indices) {
            count_spec.vec = 4;
            count_spec.rows = geometry->rows / 4;
        }
        if (geometry->block_scan == BlockScan::blelloch ||
            geometry->block_scan == BlockScan::blelloch_padded) {
            count_spec.vec = 1;
            count_spec.rows = geometry->rows;
        }
        Step& count = build.add_step(std::move(count_spec), *grid);
        count.label = "upsweep." + s.algorithm + ".count";
        count.params.base = s.first_index;
        count.spec.flags["INDEX_ONLY"] = s.counts_indices;
        if (s.counts_indices)
            PlanBuilder::bind(count, "flags", "array<u32>", Access::read, {Slot::flags, 0, plan.flags_bytes});
        else {
            const std::uint64_t bytes =
                s.count_source == Slot::flags ? plan.flags_bytes : s.count * s.type.stride;
            PlanBuilder::bind(count, "src", count.spec.vec == 4 ? "array<V>" : "array<S>", Access::read,
                              {s.count_source, 0, bytes});
        }
        PlanBuilder::bind(count, "partials", "array<E>", Access::read_write, partials);
        build.bind_count(count);

        build.add_spine(sum_spec("scan_tiles", geometry->rows), partials, groups);

        Step& write = add_write_step(build, s, *grid);
        PlanBuilder::flag(write, "PREFIX");
        PlanBuilder::bind(write, "partials", "array<E>", Access::read, partials);
        return {};
    });
    if (!ok) return tl::unexpected(ok.error());
    return build.finish(std::string(to_string(*strategy)) + ", " + to_string(geometry->block_scan),
                        geometry->subgroups == SubgroupMode::native);
}

constexpr const char* keep_flag = "fn keep(x: T, i: u32) -> bool { return flags[i - params.base] != 0u; }";
constexpr const char* keep_flag_itself = "fn keep(x: T, i: u32) -> bool { return x != 0u; }";
constexpr const char* keep_bit =
    "fn keep(x: T, i: u32) -> bool { let at = i - params.base; return ((flags[at / 32u] >> (at % 32u)) & 1u) "
    "!= 0u; }";

Result<Plan> plan_compact_with(const CompactDesc& desc, const DeviceCaps& caps) {
    if (!desc.elements && !desc.indices && desc.arguments.kind == ArgumentsKind::none && desc.capacity != 0) {
        return fail(
            ErrorCode::invalid_argument,
            "A capacity is given, and neither elements nor indices are asked for that it could bound.");
    }
    Selection s;
    s.algorithm = "compact";
    s.type = s.count_type = desc.type;
    s.condition = desc.condition;
    s.count = desc.count;
    s.count_on_gpu = desc.count_on_gpu;
    s.first_index = desc.first_index;
    s.elements = desc.elements;
    s.indices = desc.indices;
    s.capacity = desc.capacity;
    s.arguments = desc.arguments;
    s.block = {desc.block_scan, desc.geometry, desc.emulated_subgroup_size};
    s.strategy = desc.strategy;
    s.withhold = desc.withhold;
    s.unroll = desc.unroll;
    if (desc.condition != ConditionKind::predicate && !desc.keep.empty()) {
        return fail(ErrorCode::invalid_argument,
                    "A predicate is given, and the condition comes from flags; leave one of both out.");
    }
    if (desc.condition == ConditionKind::predicate) {
        auto op = Operator::selection("predicate", desc.keep);
        if (!op) return tl::unexpected(op.error());
        s.op = s.count_op = *op;
    } else if (desc.condition == ConditionKind::flags) {
        s.op = Operator::library_selection("flags", keep_flag);
        s.count_op = Operator::library_selection("flags", keep_flag_itself);
        s.count_type = types::u32;
        s.count_source = Slot::flags;
    } else {
        s.op = s.count_op = Operator::library_selection("bit_mask", keep_bit);
        s.count_type = types::u32;
        s.counts_indices = true;
    }
    return plan_selection(s, caps);
}

Result<Plan> plan_partition_with(const PartitionDesc& desc, const DeviceCaps& caps) {
    if (desc.three_way && desc.others_reversed) {
        return fail(ErrorCode::unsupported, "Of three parts every one is stable; leave others_reversed out.");
    }
    Selection s;
    s.algorithm = "partition";
    s.type = s.count_type = desc.type;
    s.count = desc.count;
    s.count_on_gpu = desc.count_on_gpu;
    s.first_index = desc.first_index;
    s.partition = true;
    s.three_way = desc.three_way;
    s.reversed = desc.others_reversed;
    s.strategy = desc.strategy;
    s.withhold = desc.withhold;
    s.arguments = desc.arguments;
    s.block = {desc.block_scan, desc.geometry, desc.emulated_subgroup_size};
    s.unroll = desc.unroll;
    auto op = desc.three_way ? Operator::parting("part", desc.condition)
                             : Operator::selection("predicate", desc.condition);
    if (!op) return tl::unexpected(op.error());
    s.op = s.count_op = *op;
    return plan_selection(s, caps);
}

template <class Desc>
bool take_compact_strategy(Desc& desc, const std::string& name) {
    return take_strategy(desc, name, parse_compact_strategy);
}

}  // namespace

const char* to_string(CompactStrategy strategy) {
    return name_of(strategy, strategy_names);
}

Result<CompactStrategy> parse_compact_strategy(std::string_view name) {
    return value_named<CompactStrategy>(name, strategy_names, "a strategy of a compaction");
}

Result<Plan> plan_compact(const CompactDesc& desc, const DeviceCaps& caps) {
    return plan_tuned(Primitive::compact, element_class(desc.type.stride, false), desc, caps,
                      take_compact_strategy<CompactDesc>, plan_compact_with);
}

Result<Plan> plan_partition(const PartitionDesc& desc, const DeviceCaps& caps) {
    // What is best where every part is stable says nothing of one pass that need not be.
    if (desc.others_reversed) return plan_partition_with(desc, caps);
    return plan_tuned(Primitive::partition, element_class(desc.type.stride, false), desc, caps,
                      take_compact_strategy<PartitionDesc>, plan_partition_with);
}

}  // namespace upsweep
