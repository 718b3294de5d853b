#include "upsweep/compact/compact.h"

#include "upsweep/compact/compact_tuning.h"
#include "upsweep/core/plan_builder.h"

#include <algorithm>

namespace upsweep {

namespace {

// What compaction and partition have in common, once a request has been read.
struct Selection {
    std::string algorithm;
    ElementType type;
    Operator op = Operator::plus();  // In the pass that writes: the condition on an element and its index.
    Operator count_op = Operator::plus();  // In the pass that counts.
    ElementType count_type;                // What that pass reads.
    Slot count_source = Slot::input;
    bool counts_indices = false;  // That pass reads no elements: the condition lies in a buffer of its own.
    ConditionKind condition = ConditionKind::predicate;
    std::uint64_t count = 0;
    bool count_on_gpu = false;
    std::uint32_t first_index = 0;
    bool elements = true, indices = false, partition = false, three_way = false;
    std::uint64_t capacity = 0;  // 0: enough.
    ArgumentsDesc arguments;
    BlockRequest block;
    bool unroll = true;
};

std::vector<std::uint32_t> constants_of(const Selection& s) {
    const ArgumentsDesc& a = s.arguments;
    std::vector<std::uint32_t> all{
        static_cast<std::uint32_t>(s.capacity != 0 ? std::min(s.capacity, s.count) : s.count),
        static_cast<std::uint32_t>(a.kind)};
    switch (a.kind) {
        case ArgumentsKind::none: break;
        case ArgumentsKind::dispatch: all.push_back(a.group_size); break;
        case ArgumentsKind::draw_vertices:
            all.insert(all.end(), {0, a.other_count, a.first, a.first_instance});
            break;
        case ArgumentsKind::draw_instances:
            all.insert(all.end(), {a.other_count, 0, a.first, a.first_instance});
            break;
        case ArgumentsKind::draw_indexed_indices:
            all.insert(all.end(), {0, a.other_count, a.first, static_cast<std::uint32_t>(a.base_vertex),
                                   a.first_instance});
            break;
        case ArgumentsKind::draw_indexed_instances:
            all.insert(all.end(), {a.other_count, 0, a.first, static_cast<std::uint32_t>(a.base_vertex),
                                   a.first_instance});
            break;
    }
    return all;
}

std::uint64_t arguments_bytes(ArgumentsKind kind) {
    if (kind == ArgumentsKind::none) return 0;
    if (kind == ArgumentsKind::dispatch) return 12;
    return kind == ArgumentsKind::draw_vertices || kind == ArgumentsKind::draw_instances ? 16 : 20;
}

std::uint64_t flags_bytes(const Selection& s) {
    if (s.condition == ConditionKind::predicate) return 0;
    return s.condition == ConditionKind::flags ? s.count * 4 : divide_up(s.count, 32) * 4;
}

BuilderRequest request_of(const Selection& s, const ElementType& type, const Operator& op) {
    return {.algorithm = s.algorithm,
            .type = type,
            .op = op,
            .count = s.count,
            .count_on_gpu = s.count_on_gpu,
            .initial = {},
            .unroll = s.unroll,
            .seed_bytes = 0,
            .flags = {"PREFIX", "TOTALS", "RESULT", "ITEMS", "ELEMENTS", "INDICES", "PARTITION", "THREE_WAY",
                      "CAPACITY", "ARGUMENTS"}};
}

// Every buffer is bound whole.
Result<void> check_bindings(const Selection& s, const DeviceCaps& caps) {
    const std::uint64_t largest =
        std::max({s.count * s.type.stride, flags_bytes(s), s.indices ? s.count * 4 : 0});
    if (s.count > 0xFFFFFFFFU ||
        round_up(largest, 16) > std::min<std::uint64_t>(caps.max_storage_binding_size, 0xFFFFFFFCU)) {
        return fail(ErrorCode::limit_exceeded,
                    (s.partition ? "A partition of " : "A compaction of ") + std::to_string(s.count) +
                        " elements of " + s.type.name + " needs a binding of " + std::to_string(largest) +
                        " bytes, and the limit of this device, maxStorageBufferBindingSize, is " +
                        std::to_string(caps.max_storage_binding_size) +
                        "; request a higher limit with the device, or go through the data in parts.");
    }
    if (s.count > 0xFFFFFFFFU - s.first_index) {
        return fail(ErrorCode::limit_exceeded, "Indices are u32, and those of " + std::to_string(s.count) +
                                                   " elements from " + std::to_string(s.first_index) +
                                                   " on go beyond it; the limit is 4294967295.");
    }
    if (s.count_on_gpu && s.first_index != 0) {
        return fail(ErrorCode::invalid_argument,
                    "The count lies on the GPU, and then the first index is 0, not " +
                        std::to_string(s.first_index) + "; give the count, or leave first_index out.");
    }
    if (s.arguments.kind == ArgumentsKind::dispatch && s.arguments.group_size == 0) {
        return fail(ErrorCode::invalid_argument,
                    "A dispatch needs a workgroup size of at least 1, and ArgumentsDesc::group_size is 0.");
    }
    return {};
}

Step& add_write_step(PlanBuilder& build, const Selection& s, const Grid& grid) {
    Step& step = build.add_step(build.element_spec("compact_tiles"), grid);
    step.label = "upsweep." + s.algorithm + ".write";
    step.params.base = s.first_index;
    const bool needs_items = s.elements || s.condition == ConditionKind::predicate;
    const auto flag_if = [&](const char* name, bool value) {
        if (value) PlanBuilder::flag(step, name);
    };
    step.spec.flags["BALLOT"] = true;
    flag_if("ITEMS", needs_items);
    flag_if("ELEMENTS", s.elements);
    flag_if("INDICES", s.indices);
    flag_if("PARTITION", s.partition);
    flag_if("THREE_WAY", s.three_way);
    flag_if("CAPACITY", s.capacity != 0);
    flag_if("ARGUMENTS", s.arguments.kind != ArgumentsKind::none);
    const auto bind = [&](bool used, const char* name, const char* type, Access access, Slot slot,
                          std::uint64_t bytes) {
        if (used) PlanBuilder::bind(step, name, type, access, {slot, 0, bytes});
    };
    const Plan& plan = build.plan;
    bind(needs_items, "src", "array<S>", Access::read, Slot::input, s.count * s.type.stride);
    bind(plan.flags_bytes != 0, "flags", "array<u32>", Access::read, Slot::flags, plan.flags_bytes);
    bind(s.elements, "dst", "array<S>", Access::read_write, Slot::output, plan.output_bytes);
    bind(s.indices, "indices", "array<u32>", Access::read_write, Slot::indices, plan.indices_bytes);
    bind(true, "totals", "array<u32>", Access::read_write, Slot::total, plan.total_bytes);
    bind(plan.arguments_bytes != 0, "arguments", "array<u32>", Access::read_write, Slot::arguments,
         plan.arguments_bytes);
    bind(!plan.constants.empty(), "constants", "array<u32>", Access::read, Slot::constants,
         plan.constants.size() * 4);
    build.bind_count(step);
    return step;
}

Result<Plan> plan_selection(const Selection& s, const DeviceCaps& caps) {
    const BuilderRequest request = request_of(s, s.type, s.op);
    if (auto ok = check_request(request, caps); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_bindings(s, caps); !ok) return tl::unexpected(ok.error());
    auto code = operator_code(s.op, s.type);
    if (!code) return tl::unexpected(code.error());
    OperatorCode scalar = *code;
    scalar.vectorizable = false;
    auto geometry = block_geometry(s.block, scalar, caps, compact_policy(caps, s.type.stride));
    if (!geometry) return tl::unexpected(geometry.error());

    PlanBuilder build(request, caps, scalar, *geometry);
    Plan& plan = build.plan;
    const bool items = s.elements || s.condition == ConditionKind::predicate;
    const std::uint64_t room = s.capacity != 0 ? std::min(s.capacity, s.count) : s.count;
    if (!items) plan.input_bytes = 0;
    plan.output_bytes = s.elements ? room * s.type.stride : 0;
    plan.indices_bytes = s.indices ? room * 4 : 0;
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
    const bool one_tile = s.count <= geometry->tile();
    if (s.count == 0) {
        Step& step = build.add_step(sum_spec("compact_nothing", 1), Grid{});
        step.spec.block_scan = BlockScan::blelloch;
        step.spec.subgroups = SubgroupMode::none;
        for (const auto& [name, value] : {std::pair{"THREE_WAY", s.three_way},
                                          {"CAPACITY", s.capacity != 0},
                                          {"ARGUMENTS", plan.arguments_bytes != 0}}) {
            step.spec.flags[name] = value;
        }
        PlanBuilder::bind(step, "totals", "array<u32>", Access::read_write,
                          {Slot::total, 0, plan.total_bytes});
        if (plan.arguments_bytes != 0)
            PlanBuilder::bind(step, "arguments", "array<u32>", Access::read_write,
                              {Slot::arguments, 0, plan.arguments_bytes});
        if (!plan.constants.empty())
            PlanBuilder::bind(step, "constants", "array<u32>", Access::read,
                              {Slot::constants, 0, plan.constants.size() * 4});
    }
    auto ok = build.for_each_chunk(0, [&]() -> Result<void> {
        if (one_tile) {
            plan.bytes_moved -= counted;
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

        KernelSpec spine_spec = sum_spec("scan_tiles", geometry->rows);
        spine_spec.in_place = true;
        Step& spine = build.add_step(std::move(spine_spec), Grid{});
        spine.label = "upsweep." + s.algorithm + ".spine";
        PlanBuilder::fix_count(spine, groups);
        PlanBuilder::bind(spine, "dst", "array<S>", Access::read_write, partials);

        Step& write = add_write_step(build, s, *grid);
        PlanBuilder::flag(write, "PREFIX");
        PlanBuilder::bind(write, "partials", "array<E>", Access::read, partials);
        return {};
    });
    if (!ok) return tl::unexpected(ok.error());
    return build.finish(
        std::string(one_tile ? "single_block, " : "reduce_then_scan, ") + to_string(geometry->block_scan),
        geometry->subgroups == SubgroupMode::native);
}

constexpr const char* keep_flag = "fn keep(x: T, i: u32) -> bool { return flags[i - params.base] != 0u; }";
constexpr const char* keep_flag_itself = "fn keep(x: T, i: u32) -> bool { return x != 0u; }";
constexpr const char* keep_bit =
    "fn keep(x: T, i: u32) -> bool { let at = i - params.base; return ((flags[at / 32u] >> (at % 32u)) & 1u) "
    "!= 0u; }";

}  // namespace

Result<Plan> plan_compact(const CompactDesc& desc, const DeviceCaps& caps) {
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

Result<Plan> plan_partition(const PartitionDesc& desc, const DeviceCaps& caps) {
    Selection s;
    s.algorithm = "partition";
    s.type = s.count_type = desc.type;
    s.count = desc.count;
    s.count_on_gpu = desc.count_on_gpu;
    s.first_index = desc.first_index;
    s.partition = true;
    s.three_way = desc.three_way;
    s.arguments = desc.arguments;
    s.block = {desc.block_scan, desc.geometry, desc.emulated_subgroup_size};
    s.unroll = desc.unroll;
    auto op = desc.three_way ? Operator::parting("part", desc.condition)
                             : Operator::selection("predicate", desc.condition);
    if (!op) return tl::unexpected(op.error());
    s.op = s.count_op = *op;
    return plan_selection(s, caps);
}

}  // namespace upsweep
