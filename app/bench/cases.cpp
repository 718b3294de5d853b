#include "app/bench/cases.h"

#include "app/formats/format.h"
#include "upsweep/allocate/allocate.h"
#include "upsweep/compact/compact.h"
#include "upsweep/reduce/reduce.h"
#include "upsweep/scan/scan.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

constexpr const char* matrix_name = "mat2x2";
constexpr const char* matrix_wgsl = "struct Mat { a: u32, b: u32, c: u32, d: u32 }";
constexpr const char* product_wgsl =
    "fn combine(x: Mat, y: Mat) -> Mat { return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, "
    "x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d); }";

// Half of random numbers are odd. Other types are kept by a hash of the index, which costs as little.
constexpr const char* odd = "fn keep(x: T, i: u32) -> bool { return (x & 1u) != 0u; }";
constexpr const char* half =
    "fn keep(x: T, i: u32) -> bool { return ((i * 747796405u + 2891336453u) & 0x10000u) != 0u; }";

template <auto parse>
bool parses(std::string_view name) {
    return parse(name).has_value();
}

// A case from a request that is whole but for its method and count.
template <class Desc, class Name>
BenchCase case_of(std::string name, Desc desc, Result<Name> (*parse)(std::string_view),
                  Result<Plan> (*plan)(const Desc&, const DeviceCaps&)) {
    BenchCase made;
    made.name = std::move(name);
    made.stride = desc.type.stride;
    made.plan = [desc, parse, plan](const BenchMethod& method, std::uint64_t count,
                                    const DeviceCaps& caps) -> Result<Plan> {
        auto strategy = parse(method.strategy);
        if (!strategy) return tl::unexpected(strategy.error());
        Desc whole = desc;
        whole.strategy = *strategy;
        whole.block_scan = method.block_scan;
        whole.geometry = method.geometry;
        whole.count = count;
        return plan(whole, caps);
    };
    return made;
}

struct Maker {
    std::vector<BenchCase> cases = {};

    void add(BenchCase made, double elements_moved, std::vector<std::string> more_strategies,
             Measure::Data data = Measure::Data::words) {
        made.bytes_per_element = elements_moved * static_cast<double>(made.stride);
        made.strategies.insert(made.strategies.end(), more_strategies.begin(), more_strategies.end());
        made.data = data;
        cases.push_back(std::move(made));
    }

    void add_scan(std::string name, const ScanDesc& desc, Measure::Data data = Measure::Data::words) {
        BenchCase made = case_of("scan/" + std::move(name), desc, parse_strategy, plan_scan);
        made.has_strategy = parses<parse_strategy>;
        add(std::move(made), 2, {"lookback", "lookback_then_rest", "reduce_then_scan", "multi_level"}, data);
    }
    void scan(const std::string& type_name, const ElementType& type) {
        ScanDesc desc;
        desc.type = type;
        if (type_name == matrix_name) {
            desc.op = *Operator::custom(
                {.name = "product", .wgsl = product_wgsl, .identity = "Mat(1u, 0u, 0u, 1u)"});
            desc.kind = ScanKind::inclusive;
            return add_scan("mat2x2_inclusive", desc);
        }
        add_scan(type_name + "_plus_exclusive", desc);
        if (type_name != "u32") return;
        desc.kind = ScanKind::inclusive;
        add_scan("u32_plus_inclusive_in_place", desc, Measure::Data::in_place);
    }

    void add_reduce(std::string name, const ReduceDesc& desc) {
        BenchCase made = case_of("reduce/" + std::move(name), desc, parse_reduce_strategy, plan_reduce);
        made.has_strategy = parses<parse_reduce_strategy>;
        add(std::move(made), 1, {"last_arrival", "two_pass"});
    }
    void reduce(const std::string& type_name, const ElementType& type) {
        ReduceDesc desc;
        desc.type = type;
        add_reduce(type_name + "_plus", desc);
        if (type_name != "u32") return;
        desc.form = ReduceForm::arg_max;
        add_reduce("u32_arg_max", desc);
    }

    void add_compact(std::string name, const CompactDesc& desc, double elements_moved) {
        BenchCase made = case_of("compact/" + std::move(name), desc, parse_compact_strategy, plan_compact);
        made.has_strategy = parses<parse_compact_strategy>;
        add(std::move(made), elements_moved, {"lookback", "lookback_then_rest", "reduce_then_scan"});
    }
    void compact(const std::string& type_name, const ElementType& type) {
        CompactDesc desc;
        desc.type = type;
        desc.keep = type_name == "u32" ? odd : half;
        add_compact(type_name + "_predicate_half", desc, 1.5);
        if (type_name != "u32") return;
        desc.elements = false;
        desc.indices = true;
        add_compact("u32_predicate_half_indices", desc, 1.5);
    }

    void add_partition(std::string name, const PartitionDesc& desc) {
        BenchCase made =
            case_of("partition/" + std::move(name), desc, parse_compact_strategy, plan_partition);
        made.has_strategy = parses<parse_compact_strategy>;
        // Where the second part keeps its order, its place is known only when all is counted.
        if (desc.others_reversed)
            return add(std::move(made), 2, {"lookback", "lookback_then_rest", "reduce_then_scan"});
        add(std::move(made), 2, {"reduce_then_scan"});
    }
    void partition(const std::string& type_name, const ElementType& type) {
        PartitionDesc desc;
        desc.type = type;
        desc.condition = type_name == "u32" ? odd : half;
        add_partition(type_name + "_half", desc);
        if (type_name != "u32") return;
        desc.others_reversed = true;
        add_partition("u32_half_others_reversed", desc);
    }

    void allocate() {
        BenchCase made;
        made.name = "allocate/u32_all_fit";
        made.has_strategy = [](std::string_view name) { return name == "automatic"; };
        made.plan = [](const BenchMethod& method, std::uint64_t count, const DeviceCaps& caps) {
            AllocateDesc desc;
            desc.count = count;
            desc.capacity = not_allocated - 1;
            desc.block_scan = method.block_scan;
            desc.geometry = method.geometry;
            return plan_allocate(desc, caps);
        };
        add(std::move(made), 2, {}, Measure::Data::bits);
    }

    void make(std::string_view primitive, const std::string& type_name, const ElementType& type) {
        if (primitive == "scan") return scan(type_name, type);
        // The product is an operator of the scan here, and a sum of structs there is not.
        if (primitive == "reduce" && type_name != matrix_name) return reduce(type_name, type);
        if (primitive == "compact") return compact(type_name, type);
        if (primitive == "partition") return partition(type_name, type);
        if (primitive == "allocate" && type_name == "u32") return allocate();
    }
};

Outcome<ElementType> type_of(const std::string& name) {
    auto type = name == matrix_name ? ElementType::structure("Mat", matrix_wgsl) : ElementType::parse(name);
    if (type) return std::move(*type);
    return wrong_usage(type.error().message + " Or it is mat2x2, a struct of four u32.");
}

}  // namespace

Outcome<std::vector<BenchCase>> bench_cases(const std::vector<std::string>& primitives,
                                            const std::vector<std::string>& types) {
    for (const std::string& name : primitives) {
        if (std::find(std::begin(bench_primitives), std::end(bench_primitives), name) !=
            std::end(bench_primitives))
            continue;
        return wrong_usage(fmt::format(
            "{} is not a primitive; it must be scan, reduce, compact, partition, allocate or all.",
            app::quoted(name)));
    }
    Maker maker;
    for (const char* primitive : bench_primitives) {
        if (std::find(primitives.begin(), primitives.end(), primitive) == primitives.end()) continue;
        for (const std::string& name : types) {
            auto type = type_of(name);
            if (!type) return tl::unexpected(type.error());
            maker.make(primitive, name, *type);
        }
    }
    if (maker.cases.empty()) return wrong_usage("The primitives asked for do not go with any of the types.");
    return std::move(maker.cases);
}

}  // namespace upsweep::app
