// The requests that the tests of plans and kernels go through: types, operators, devices, and their products.
#pragma once

#include "upsweep/core/operator_code.h"
#include "upsweep/scan/scan.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::test {

inline ElementType type_of(std::string_view name) {
    return *ElementType::parse(name);
}

/// Four words: large enough to matter, without padding.
inline ElementType matrix_type() {
    return *ElementType::structure("Mat", "struct Mat { a: u32, b: u32, c: u32, d: u32 }");
}

/// The product of 2x2 matrices modulo 2^32: associative and truly not commutative.
inline Operator matrix_product(bool with_identity) {
    return *Operator::custom({.name = "matrix_product",
                              .wgsl = "fn combine(x: Mat, y: Mat) -> Mat {\n"
                                      "    return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,\n"
                                      "               x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d);\n}",
                              .identity = with_identity ? "Mat(1u, 0u, 0u, 1u)" : ""});
}

inline Operator take_right() {
    return *Operator::custom({.name = "take_right", .wgsl = "fn combine(a: T, b: T) -> T { return b; }"});
}

/// Every built-in type.
inline std::vector<ElementType> builtin_types() {
    std::vector<ElementType> all;
    for (const char* name : {"u32", "i32", "f32", "f16", "u64", "i64"}) {
        all.push_back(type_of(name));
        if (all.back().is_wide_integer()) continue;
        for (const char* width : {"2", "3", "4"})
            all.push_back(type_of("vec" + std::string(width) + "<" + name + ">"));
    }
    return all;
}

using TypeAndOperator = std::pair<ElementType, Operator>;

/// Every built-in type with every built-in operator that goes with it.
inline std::vector<TypeAndOperator> builtin_pairs() {
    std::vector<TypeAndOperator> all;
    for (const ElementType& type : builtin_types()) {
        for (const std::string& name : Operator::names()) {
            const Operator op = *Operator::parse(name);
            if (operator_code(op, type)) all.emplace_back(type, op);
        }
    }
    return all;
}

/// The same, and operators of a user's own with and without an identity.
inline std::vector<TypeAndOperator> all_pairs() {
    std::vector<TypeAndOperator> all = builtin_pairs();
    all.emplace_back(matrix_type(), matrix_product(true));
    all.emplace_back(matrix_type(), matrix_product(false));
    for (const char* name : {"u32", "f16", "u64", "vec3<f32>"}) all.emplace_back(type_of(name), take_right());
    return all;
}

inline const std::vector<Strategy> strategies{Strategy::single_block,       Strategy::multi_level,
                                              Strategy::reduce_then_scan,   Strategy::lookback,
                                              Strategy::lookback_then_rest, Strategy::serial};
inline const std::vector<BlockScan> block_scans{BlockScan::hillis_steele, BlockScan::blelloch,
                                                BlockScan::blelloch_padded, BlockScan::subgroup};

/// What every WebGPU device has, with f16 and subgroups on top.
inline DeviceCaps capable_device() {
    DeviceCaps caps;
    caps.shader_f16 = true;
    caps.subgroups = true;
    caps.subgroup_min_size = 8;
    caps.subgroup_max_size = 32;
    return caps;
}

/// A device without limits worth the name, for plans that nobody allocates.
inline DeviceCaps boundless_device() {
    DeviceCaps caps = capable_device();
    caps.max_buffer_size = std::uint64_t{1} << 45U;
    caps.max_storage_binding_size = 0xFFFFFFFCU;
    return caps;
}

struct Request {
    ScanDesc desc;
    DeviceCaps caps;
};

/// Something for a failing test to print.
inline std::string describe(const ScanDesc& desc) {
    return std::to_string(desc.count) + " x " + desc.type.name + " " + desc.op.name() + " " +
           to_string(desc.strategy) + " " + to_string(desc.block_scan) +
           (desc.kind == ScanKind::inclusive ? " inclusive" : " exclusive") +
           (desc.initial.empty() ? "" : " initial") + (desc.count_on_gpu ? " count_on_gpu" : "") +
           " geometry " + std::to_string(desc.geometry.block) + "/" + std::to_string(desc.geometry.rows) +
           "/" + std::to_string(desc.geometry.groups);
}

/// One of the ways to ask for a scan of `pair`; `variant` from 0 to 63 picks the switches that are not lists.
inline Request request_of(const TypeAndOperator& pair, Strategy strategy, BlockScan block_scan,
                          unsigned variant) {
    Request request;
    ScanDesc& desc = request.desc;
    request.caps = capable_device();
    desc.type = pair.first;
    desc.op = pair.second;
    desc.strategy = strategy;
    desc.block_scan = block_scan;
    desc.kind = (variant & 1U) != 0 ? ScanKind::inclusive : ScanKind::exclusive;
    desc.unroll = (variant & 2U) == 0;
    desc.count_on_gpu = (variant & 4U) != 0;
    const bool must_begin = desc.kind == ScanKind::exclusive && !desc.op.has_identity();
    if ((variant & 8U) != 0 || must_begin) desc.initial.resize(desc.type.stride);
    // Three chunks or one, and enough levels in each.
    if ((variant & 16U) != 0) request.caps.max_storage_binding_size = 33554432;
    desc.count = strategy == Strategy::single_block ? 5 : 100000000 / desc.type.stride;
    if (strategy == Strategy::serial) desc.count = (variant & 16U) != 0 ? 200000 : 5;
    if ((variant & 32U) != 0) {
        request.caps.dialect = Dialect::naga;
        request.caps.immediates = true;
        if (block_scan == BlockScan::subgroup) desc.emulated_subgroup_size = 16;
    }
    return request;
}

/// Calls `visit(spec)` for each different kernel that the planner makes of a wide choice of requests, in each
/// of the forms that the layout of the user's buffers gives it.
inline void for_each_kernel(const std::function<void(const KernelSpec&)>& visit) {
    std::set<std::string> seen;
    unsigned turn = 0;
    const auto take = [&](const Request& request) {
        const auto plan = plan_scan(request.desc, request.caps);
        if (!plan) return;
        for (const Step& step : plan->steps) {
            for (const BufferLayout& layout :
                 {BufferLayout{true, false}, BufferLayout{false, false}, BufferLayout{true, true}}) {
                const KernelSpec spec = step_for(step, layout).spec;
                if (seen.insert(spec.key()).second) visit(spec);
            }
        }
    };
    for (const TypeAndOperator& pair : all_pairs()) {
        // Every switch with these; a few of them, taken in turn, with the others.
        const bool all = (pair.second.name() == "matrix_product" && !pair.second.has_identity()) ||
                         (pair.first.name == "u32" && pair.second.name() == "plus");
        for (const Strategy strategy : strategies) {
            for (const BlockScan block_scan : block_scans) {
                if (strategy == Strategy::serial && block_scan != block_scans.front())
                    continue;  // It has none.
                if (!all) take(request_of(pair, strategy, block_scan, (turn += 11) % 64));
                for (unsigned variant = 0; all && variant < 64; ++variant)
                    take(request_of(pair, strategy, block_scan, variant));
            }
        }
    }
}

}  // namespace upsweep::test
