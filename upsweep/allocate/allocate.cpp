#include "upsweep/allocate/allocate.h"

#include "upsweep/core/plan_builder.h"
#include "upsweep/core/plan_tuned.h"
#include "upsweep/scan/scan_tuning.h"

#include <algorithm>

namespace upsweep {

namespace {

// Adds and stops at 2^32 - 1: associative and commutative, as sums of sizes are.
Operator saturating_plus() {
    return *Operator::custom({.name = "saturating_plus",
                              .wgsl = "fn combine(a: T, b: T) -> T { return a + min(b, 0xffffffffu - a); }",
                              .identity = "0u",
                              .commutative = true});
}

Result<Plan> plan_with(const AllocateDesc& desc, const DeviceCaps& caps) {
    if (desc.capacity == not_allocated) {
        return fail(ErrorCode::invalid_argument,
                    "The capacity is 4294967295, which marks an item that does not fit; the largest capacity "
                    "is 4294967294.");
    }
    const BuilderRequest request{.algorithm = "allocate",
                                 .type = types::u32,
                                 .op = saturating_plus(),
                                 .count = desc.count,
                                 .count_on_gpu = desc.count_on_gpu,
                                 .initial = {},
                                 .unroll = desc.unroll,
                                 .seed_bytes = 0,
                                 .flags = {"PREFIX", "TOTALS", "RESULT"}};
    if (auto ok = check_request(request, caps); !ok) return tl::unexpected(ok.error());
    if (desc.count > 0xFFFFFFFFU ||
        round_up(desc.count * 4, 16) > std::min<std::uint64_t>(caps.max_storage_binding_size, 0xFFFFFFFCU)) {
        return fail(ErrorCode::limit_exceeded,
                    "An allocation for " + std::to_string(desc.count) + " items needs a binding of " +
                        std::to_string(desc.count * 4) +
                        " bytes, and the limit of this device, maxStorageBufferBindingSize, is " +
                        std::to_string(caps.max_storage_binding_size) +
                        "; request a higher limit with the device.");
    }
    const OperatorCode code = *operator_code(request.op, request.type);
    auto geometry = block_geometry({desc.block_scan, desc.geometry, desc.emulated_subgroup_size}, code, caps,
                                   scan_policy(caps));
    if (!geometry) return tl::unexpected(geometry.error());
    PlanBuilder build(request, caps, code, *geometry);
    Plan& plan = build.plan;
    plan.output_bytes = plan.input_bytes;
    plan.total_bytes = 8;
    plan.constants = {desc.capacity};

    const bool one_tile = desc.count <= geometry->tile();
    const Region input{Slot::input, 0, plan.input_bytes};
    const auto groups = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(divide_up(desc.count, geometry->tile()), 1, geometry->groups));
    auto grid = fold_grid(groups, caps.max_workgroups_per_dimension);
    if (!grid) return tl::unexpected(grid.error());
    const auto actual = static_cast<std::uint32_t>(grid->groups());
    Region partials;
    if (desc.count == 0) {
        Step& nothing =
            build.add_step(PlanBuilder::without_block_scan(build.element_spec("allocate_nothing")), Grid{});
        PlanBuilder::bind(nothing, "totals", "array<u32>", Access::read_write, {Slot::total, 0, 8});
        return build.finish("single_block", false);
    }
    auto ok = build.for_each_chunk(0, [&]() -> Result<void> {
        if (!one_tile) {
            partials = build.partials(0, actual);
            Step& reduce = build.add_step(build.element_spec("reduce_tiles"), *grid);
            PlanBuilder::bind(reduce, "src", build.element_array(), Access::read, input);
            PlanBuilder::bind(reduce, "partials", "array<E>", Access::read_write, partials);
            build.bind_count(reduce);
            build.add_spine(build.partials_spec("scan_tiles", geometry->rows), partials, actual);
        }
        Step& write = build.add_step(build.element_spec("allocate_tiles", false), one_tile ? Grid{} : *grid);
        PlanBuilder::bind(write, "src", build.element_array(), Access::read, input);
        PlanBuilder::bind(write, "dst", build.element_array(), Access::read_write,
                          {Slot::output, 0, plan.output_bytes});
        PlanBuilder::bind(write, "totals", "array<u32>", Access::read_write, {Slot::total, 0, 8});
        PlanBuilder::bind(write, "constants", "array<u32>", Access::read, {Slot::constants, 0, 4});
        build.bind_count(write);
        if (!one_tile) {
            PlanBuilder::flag(write, "PREFIX");
            PlanBuilder::bind(write, "partials", "array<E>", Access::read, partials);
        }
        plan.bytes_moved = (one_tile ? 2 : 3) * plan.input_bytes;
        return {};
    });
    if (!ok) return tl::unexpected(ok.error());
    return build.finish(
        std::string(one_tile ? "single_block, " : "reduce_then_scan, ") + to_string(geometry->block_scan),
        geometry->subgroups == SubgroupMode::native);
}

}  // namespace

Result<Plan> plan_allocate(const AllocateDesc& desc, const DeviceCaps& caps) {
    // Its kernels are those of a scan of u32 that reads twice.
    return plan_tuned(
        Primitive::scan, element_class(types::u32.stride, true), desc, caps,
        [](AllocateDesc&, const std::string& name) { return name == "reduce_then_scan"; }, plan_with);
}

}  // namespace upsweep
