#include "app/tune/tune_case.h"

#include "app/commands/selftest_input.h"
#include "app/formats/bytes.h"
#include "upsweep/compact/compact.h"
#include "upsweep/core/operator_code.h"
#include "upsweep/reduce/reduce.h"
#include "upsweep/scan/scan.h"

#include <algorithm>
#include <cstring>

namespace upsweep::app {

namespace {

// Sets what a method leaves to choose.
template <class Desc, class Strategy>
Result<void> apply(Desc& desc, const Method& method, Result<Strategy> (*parse)(std::string_view)) {
    auto strategy = parse(method.strategy);
    if (!strategy) return tl::unexpected(strategy.error());
    desc.strategy = *strategy;
    desc.block_scan = method.block_scan;
    desc.geometry = method.geometry;
    return {};
}

template <class Desc, class Strategy>
auto planner(const Desc& request, Result<Strategy> (*parse)(std::string_view),
             Result<Plan> (*plan)(const Desc&, const DeviceCaps&)) {
    return [=](const Method& method, std::uint64_t count, const DeviceCaps& caps) -> Result<Plan> {
        Desc desc = request;
        desc.count = count;
        if (auto ok = apply(desc, method, parse); !ok) return tl::unexpected(ok.error());
        return plan(desc, caps);
    };
}

ElementClass class_of(const Operator& op, const ElementType& type) {
    const auto code = operator_code(op, type);
    return element_class(code->compute_type.stride, code->vectorizable);
}

TuneCase scan_case(const std::string& name, const ElementType& type, const Operator& op, ScanKind kind) {
    ScanDesc desc;
    desc.type = type;
    desc.op = op;
    desc.kind = kind;
    return {name,
            Primitive::scan,
            class_of(op, type),
            type.stride,
            planner(desc, parse_strategy, plan_scan),
            [desc](ConstBytes input, std::uint64_t count) -> Result<TuneResults> {
                ScanDesc sized = desc;
                sized.count = count;
                TuneResults results;
                results.output.resize(input.size());
                auto ok = scan_serial_cpu(sized, input, results.output);
                if (!ok) return tl::unexpected(ok.error());
                return results;
            }};
}

TuneCase reduce_case() {
    const ReduceDesc desc;
    return {"reduce of u32, plus",
            Primitive::reduce,
            class_of(desc.op, desc.type),
            desc.type.stride,
            planner(desc, parse_reduce_strategy, plan_reduce),
            [desc](ConstBytes input, std::uint64_t count) -> Result<TuneResults> {
                ReduceDesc sized = desc;
                sized.count = count;
                TuneResults results;
                results.output.resize(desc.type.stride);
                auto ok = reduce_serial_cpu(sized, input, results.output);
                if (!ok) return tl::unexpected(ok.error());
                return results;
            }};
}

// Of random elements, half are kept: those whose first word is odd.
TuneResults select_odd(ConstBytes input, std::uint64_t count, std::uint32_t stride, bool partition) {
    std::vector<std::byte> kept;
    std::vector<std::byte> others;
    std::uint32_t kept_count = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const ConstBytes element = input.subspan(i * stride, stride);
        const bool odd = (load<std::uint32_t>(element.data()) & 1U) != 0;
        kept_count += odd ? 1 : 0;
        if (odd || partition) {
            auto& part = odd ? kept : others;
            part.insert(part.end(), element.begin(), element.end());
        }
    }
    kept.insert(kept.end(), others.begin(), others.end());
    const auto total = std::as_bytes(std::span(&kept_count, 1));
    return {std::move(kept), {total.begin(), total.end()}};
}

TuneCase compact_case(const std::string& name, const ElementType& type, const char* keep) {
    CompactDesc desc;
    desc.type = type;
    desc.keep = keep;
    return {name,
            Primitive::compact,
            element_class(type.stride, false),
            type.stride,
            planner(desc, parse_compact_strategy, plan_compact),
            [stride = type.stride](ConstBytes input, std::uint64_t count) -> Result<TuneResults> {
                return select_odd(input, count, stride, false);
            }};
}

TuneCase partition_case(const std::string& name, const ElementType& type, const char* keep) {
    PartitionDesc desc;
    desc.type = type;
    desc.condition = keep;
    return {name,
            Primitive::partition,
            element_class(type.stride, false),
            type.stride,
            planner(desc, parse_compact_strategy, plan_partition),
            [stride = type.stride](ConstBytes input, std::uint64_t count) -> Result<TuneResults> {
                return select_odd(input, count, stride, true);
            }};
}

constexpr const char* odd_number = "fn keep(x: T, i: u32) -> bool { return (x & 1u) != 0u; }";
constexpr const char* odd_struct = "fn keep(x: T, i: u32) -> bool { return (x.a & 1u) != 0u; }";

}  // namespace

std::vector<TuneCase> tune_cases(const std::vector<Primitive>& primitives) {
    std::vector<TuneCase> cases;
    for (const Primitive primitive : all_primitives) {
        if (std::find(primitives.begin(), primitives.end(), primitive) == primitives.end()) continue;
        switch (primitive) {
            case Primitive::scan:
                cases.push_back(
                    scan_case("scan of u32, plus", types::u32, Operator::plus(), ScanKind::exclusive));
                cases.push_back(scan_case("scan of 16-byte structs, product of matrices", selftest_matrix(),
                                          selftest_matrix_product(true), ScanKind::inclusive));
                break;
            case Primitive::reduce: cases.push_back(reduce_case()); break;
            case Primitive::compact:
                cases.push_back(compact_case("compact of u32, half kept", types::u32, odd_number));
                cases.push_back(
                    compact_case("compact of 16-byte structs, half kept", selftest_matrix(), odd_struct));
                break;
            case Primitive::partition:
                cases.push_back(partition_case("partition of u32, halves", types::u32, odd_number));
                break;
        }
    }
    return cases;
}

}  // namespace upsweep::app
