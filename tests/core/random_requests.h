// Random requests and devices for the properties of plans: odd types, tiny limits, forced geometry.
#pragma once

#include "tests/core/requests.h"

#include <algorithm>
#include <numeric>

#include <rapidcheck.h>

namespace upsweep::test {

inline ElementType struct_of_words(std::uint32_t words) {
    return *ElementType::structure("Words", "struct Words { w: array<u32, " + std::to_string(words) + "> }");
}

inline TypeAndOperator arbitrary_pair() {
    static const std::vector<TypeAndOperator> pairs = [] {
        std::vector<TypeAndOperator> all = all_pairs();
        for (const std::uint32_t words : {3U, 5U, 17U, 64U}) {
            all.emplace_back(struct_of_words(words), take_right());
            all.emplace_back(struct_of_words(words),
                             *Operator::custom({.name = "zero",
                                                .wgsl = "fn combine(a: T, b: T) -> T { return b; }",
                                                .identity = "T()"}));
        }
        all.emplace_back(*ElementType::structure("Halves", "struct Halves { a: f16, b: f16, c: f16 }"),
                         take_right());
        return all;
    }();
    return *rc::gen::elementOf(pairs);
}

inline DeviceCaps arbitrary_device() {
    DeviceCaps caps;
    caps.shader_f16 = true;
    caps.max_buffer_size = std::uint64_t{1} << 45U;
    caps.min_storage_offset_alignment = 1U << *rc::gen::inRange(5U, 13U);
    caps.max_workgroups_per_dimension = *rc::gen::element(1U, 2U, 3U, 4U, 5U, 16U, 65535U);
    caps.max_invocations_per_workgroup = *rc::gen::element(64U, 128U, 256U, 1024U);
    caps.max_workgroup_size_x = *rc::gen::element(64U, 256U, 1024U);
    caps.max_workgroup_storage = *rc::gen::element(8192U, 16384U, 32768U, 49152U);
    caps.subgroups = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) {
        caps.subgroup_min_size = 1U << *rc::gen::inRange(2U, 8U);
        caps.subgroup_max_size = caps.subgroup_min_size << *rc::gen::inRange(0U, 2U);
    }
    caps.immediates = *rc::gen::arbitrary<bool>();
    caps.dialect = *rc::gen::element(Dialect::standard, Dialect::naga);
    caps.kind = *rc::gen::element(AdapterKind::unknown, AdapterKind::cpu);
    return caps;
}

/// Up to 2^40, but in at most about 40 chunks: a plan has steps for each.
inline std::uint64_t arbitrary_count(std::uint64_t most) {
    const std::uint64_t power = std::uint64_t{1} << *rc::gen::inRange(0U, 41U);
    const auto near = static_cast<std::uint64_t>(static_cast<std::int64_t>(power) + *rc::gen::inRange(-3, 4));
    const std::uint64_t any = *rc::gen::inRange<std::uint64_t>(0, power);
    return std::min({*rc::gen::element(near, any, power / 7 * 3), most, std::uint64_t{1} << 40U});
}

inline Request arbitrary_request() {
    Request request;
    DeviceCaps& caps = request.caps;
    ScanDesc& desc = request.desc;
    caps = arbitrary_device();
    std::tie(desc.type, desc.op) = arbitrary_pair();
    desc.kind = *rc::gen::element(ScanKind::inclusive, ScanKind::exclusive);
    if (*rc::gen::arbitrary<bool>() || !desc.op.has_identity()) desc.initial.resize(desc.type.size);
    desc.strategy = *rc::gen::element(Strategy::automatic, Strategy::single_block, Strategy::multi_level,
                                      Strategy::reduce_then_scan, Strategy::lookback,
                                      Strategy::lookback_then_rest, Strategy::serial);
    desc.block_scan = *rc::gen::element(BlockScan::automatic, BlockScan::hillis_steele, BlockScan::blelloch,
                                        BlockScan::blelloch_padded, BlockScan::subgroup);
    desc.unroll = *rc::gen::arbitrary<bool>();
    if (*rc::gen::inRange(0, 3) == 0) desc.emulated_subgroup_size = 1U << *rc::gen::inRange(2U, 6U);
    if (*rc::gen::inRange(0, 3) == 0) desc.geometry.block = 1U << *rc::gen::inRange(2U, 9U);
    if (*rc::gen::inRange(0, 3) == 0) desc.geometry.rows = *rc::gen::element(1U, 2U, 3U, 4U, 8U, 16U);
    if (*rc::gen::inRange(0, 3) == 0) desc.geometry.groups = *rc::gen::inRange(1U, 2000U);
    // The least part of the data that can be bound by itself: a whole number of elements and of alignments.
    const std::uint64_t least =
        std::lcm<std::uint64_t>(caps.min_storage_offset_alignment, desc.type.stride * 4);
    caps.max_storage_binding_size = std::max(
        *rc::gen::element<std::uint64_t>(65536, 1000000, 134217728, 2147483644, 4294967292), 4 * least);
    const std::uint64_t most = caps.max_storage_binding_size / desc.type.stride * 40;
    desc.count = arbitrary_count(desc.strategy == Strategy::serial ? 1000000 : most);
    desc.count_on_gpu = desc.count <= 0xFFFFFFFFU && *rc::gen::arbitrary<bool>();
    return request;
}

}  // namespace upsweep::test

namespace rc {
template <>
inline void show(const upsweep::test::Request& request, std::ostream& os) {
    const upsweep::DeviceCaps& caps = request.caps;
    os << upsweep::test::describe(request.desc) << "; binding " << caps.max_storage_binding_size
       << ", alignment " << caps.min_storage_offset_alignment << ", groups "
       << caps.max_workgroups_per_dimension << ", workgroup " << caps.max_invocations_per_workgroup << "/"
       << caps.max_workgroup_size_x << ", " << caps.max_workgroup_storage << " bytes, subgroups "
       << caps.subgroups << " " << caps.subgroup_min_size << ".." << caps.subgroup_max_size << ", emulated "
       << request.desc.emulated_subgroup_size;
}
}  // namespace rc
