#include "upsweep/compact/flags.h"

#include "upsweep/core/plan_builder.h"

#include <algorithm>

namespace upsweep {

Result<Plan> plan_flags(const FlagsDesc& desc, const DeviceCaps& caps) {
    auto op = Operator::selection("predicate", desc.keep);
    if (!op) return tl::unexpected(op.error());
    const BuilderRequest request{
        .algorithm = "flags", .type = desc.type, .op = *op, .count = desc.count, .initial = {}, .flags = {}};
    if (auto ok = check_request(request, caps); !ok) return tl::unexpected(ok.error());
    const std::uint64_t largest = desc.count * std::max(desc.type.stride, 4U);
    if (desc.count > 0xFFFFFFFFU - desc.first_index ||
        round_up(largest, 16) > std::min<std::uint64_t>(caps.max_storage_binding_size, 0xFFFFFFFCU)) {
        return fail(ErrorCode::limit_exceeded,
                    "Flags of " + std::to_string(desc.count) + " elements of " + desc.type.name + " from " +
                        std::to_string(desc.first_index) + " on need a binding of " +
                        std::to_string(largest) + " bytes and indices of 32 bits, and the limit of this " +
                        "device, maxStorageBufferBindingSize, is " +
                        std::to_string(caps.max_storage_binding_size) + "; go through the data in parts.");
    }
    auto code = operator_code(*op, desc.type);
    if (!code) return tl::unexpected(code.error());
    BlockGeometry geometry;
    geometry.block = std::min({256U, caps.max_invocations_per_workgroup, caps.max_workgroup_size_x});
    geometry.rows = 1;
    PlanBuilder build(request, caps, *code, geometry);
    build.plan.output_bytes = desc.count * 4;
    build.plan.in_place_allowed = false;
    build.plan.bytes_moved = build.plan.input_bytes + build.plan.output_bytes;
    if (desc.count == 0) return build.finish("one_each", false);
    auto ok = build.for_each_chunk(0, [&]() -> Result<void> {
        auto grid = fold_grid(build.chunk_tiles(), caps.max_workgroups_per_dimension);
        if (!grid) return tl::unexpected(grid.error());
        Step& step = build.add_step(build.element_spec("flag_elements"), *grid);
        step.params.base = desc.first_index;
        PlanBuilder::bind(step, "src", "array<S>", Access::read, build.elements(Slot::input));
        PlanBuilder::bind(step, "flags", "array<u32>", Access::read_write,
                          {Slot::output, 0, build.plan.output_bytes});
        return {};
    });
    if (!ok) return tl::unexpected(ok.error());
    return build.finish("one_each", false);
}

}  // namespace upsweep
