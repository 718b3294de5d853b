#include "upsweep/compact/selection.h"

namespace upsweep {

std::vector<std::uint32_t> constants_of(const Selection& s) {
    const ArgumentsDesc& a = s.arguments;
    std::vector<std::uint32_t> all{static_cast<std::uint32_t>(s.room()), static_cast<std::uint32_t>(a.kind)};
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
                      "REVERSED", "CAPACITY", "ARGUMENTS", "HELD_ITEMS"}};
}

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

}  // namespace upsweep
