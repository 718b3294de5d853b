#include "app/commands/selftest_cases.h"

#include "app/commands/request.h"
#include "upsweep/core/operator_code.h"

#include <array>
#include <cstring>
#include <span>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// Small workgroups make many tiles of few elements.
void make_small(ScanDesc& desc) {
    desc.geometry.block = 64;
    desc.geometry.groups = 5;
}

Operator matrix_product(bool with_identity) {
    using Mat = std::array<std::uint32_t, 4>;
    CustomOperator parts;
    parts.name = "mat_mul";
    parts.wgsl =
        "fn combine(x: Mat, y: Mat) -> Mat {\n"
        "    return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,\n"
        "               x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d);\n"
        "}\n";
    parts.cpu = [](const std::byte* a, const std::byte* b, std::byte* out) {
        Mat x, y;
        std::memcpy(x.data(), a, sizeof x);
        std::memcpy(y.data(), b, sizeof y);
        const Mat z{x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
                    x[2] * y[1] + x[3] * y[3]};
        std::memcpy(out, z.data(), sizeof z);
    };
    if (with_identity) {
        const Mat one{1, 0, 0, 1};
        parts.identity = "Mat(1u, 0u, 0u, 1u)";
        const auto bytes = std::as_bytes(std::span(one));
        parts.cpu_identity.assign(bytes.begin(), bytes.end());
    }
    return Operator::custom(std::move(parts)).value();
}

ElementType matrix_type() {
    return ElementType::structure("Mat", "struct Mat { a: u32, b: u32, c: u32, d: u32 }").value();
}

std::vector<ElementType> all_types() {
    std::vector<ElementType> all;
    for (const Scalar scalar :
         {Scalar::u32, Scalar::i32, Scalar::f32, Scalar::f16, Scalar::u64, Scalar::i64}) {
        for (std::uint32_t width = 1; width <= 4; ++width) {
            if (auto type = ElementType::vector(scalar, width)) all.push_back(std::move(*type));
        }
    }
    return all;
}

std::vector<BlockScan> block_scans(const DeviceCaps& caps) {
    std::vector<BlockScan> all{BlockScan::hillis_steele, BlockScan::blelloch, BlockScan::blelloch_padded};
    if (caps.subgroups) all.push_back(BlockScan::subgroup);
    return all;
}

void add_strategies(std::vector<SelftestCase>& cases, const DeviceCaps& caps) {
    for (const Strategy strategy :
         {Strategy::single_block, Strategy::multi_level, Strategy::reduce_then_scan}) {
        for (const BlockScan block_scan : block_scans(caps)) {
            for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive}) {
                SelftestCase test;
                test.name =
                    fmt::format("{}, {}, {}", to_string(strategy), to_string(block_scan), to_string(kind));
                test.desc.strategy = strategy;
                test.desc.block_scan = block_scan;
                test.desc.kind = kind;
                make_small(test.desc);
                // Around whole vectors, subgroups, workgroups and tiles (256, 512 or 1024 elements here).
                test.counts = {0, 1, 2, 3, 5, 31, 33, 63, 64, 65, 255, 256};
                if (strategy != Strategy::single_block)
                    test.counts.insert(test.counts.end(), {257, 511, 513, 1023, 1024, 1025, 5000, 100003});
                cases.push_back(std::move(test));
            }
        }
    }
    for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive}) {
        SelftestCase test;
        test.name = fmt::format("serial, {}", to_string(kind));
        test.desc.strategy = Strategy::serial;
        test.desc.kind = kind;
        test.counts = {0, 1, 2, 1000, 70000};
        cases.push_back(std::move(test));
    }
    SelftestCase test;
    test.name = "automatic, as it is used";
    test.counts = {1, 1000, 300000};
    cases.push_back(std::move(test));
}

void add_operators(std::vector<SelftestCase>& cases, const DeviceCaps& caps) {
    std::size_t number = 0;
    for (const ElementType& type : all_types()) {
        if (type.needs_f16() && !caps.shader_f16) continue;
        for (const std::string& name : Operator::names()) {
            SelftestCase test;
            test.desc.type = type;
            test.desc.op = Operator::parse(name).value();
            if (!operator_code(test.desc.op, type)) continue;
            // Each kernel takes time to compile, so only some of the vectors go through all three dispatches.
            const bool large = type.width == 1 || type.width == 3;
            test.desc.strategy = large ? Strategy::reduce_then_scan : Strategy::single_block;
            test.counts = {7, large ? 2501U : 255U};
            test.desc.kind = ++number % 2 == 0 ? ScanKind::exclusive : ScanKind::inclusive;
            make_small(test.desc);
            test.name = fmt::format("{} of {}, {}", name, type.name, to_string(test.desc.kind));
            cases.push_back(std::move(test));
        }
    }
}

void add_custom_operators(std::vector<SelftestCase>& cases) {
    for (const Strategy strategy : {Strategy::multi_level, Strategy::reduce_then_scan}) {
        for (const bool with_identity : {true, false}) {
            SelftestCase test;
            test.name = fmt::format("product of matrices {} identity, {}", with_identity ? "with" : "without",
                                    to_string(strategy));
            test.desc.type = matrix_type();
            test.desc.op = matrix_product(with_identity);
            test.desc.kind = with_identity ? ScanKind::exclusive : ScanKind::inclusive;
            test.desc.strategy = strategy;
            make_small(test.desc);
            test.counts = {1, 63, 3000};
            cases.push_back(std::move(test));
        }
    }
}

void add_layouts(std::vector<SelftestCase>& cases) {
    for (const Strategy strategy : {Strategy::multi_level, Strategy::reduce_then_scan}) {
        SelftestCase base;
        base.desc.strategy = strategy;
        make_small(base.desc);
        base.desc.initial = selftest_input(types::u32, Operator::plus(), 1);
        base.counts = {1, 1025, 5001};
        const auto add = [&](const char* what, auto change) {
            SelftestCase test = base;
            test.name = fmt::format("{}, {}", what, to_string(strategy));
            change(test);
            cases.push_back(std::move(test));
        };
        add("with an initial value", [](SelftestCase&) {});
        add("in place", [](SelftestCase& test) { test.in_place = true; });
        add("slices of one buffer", [](SelftestCase& test) { test.one_buffer = true; });
        add("count on the GPU", [](SelftestCase& test) { test.desc.count_on_gpu = true; });
        add("chunks beyond the limit of a binding",
            [](SelftestCase& test) { test.most_binding_bytes = 8192; });
    }
}

}  // namespace

std::vector<SelftestCase> selftest_cases(const DeviceCaps& caps, std::vector<std::string>& skipped) {
    if (!caps.shader_f16) skipped.emplace_back("f16: the device was made without shader-f16");
    if (!caps.subgroups)
        skipped.emplace_back("the block scan subgroup: the device has no subgroups that are sound");
    std::vector<SelftestCase> cases;
    add_strategies(cases, caps);
    add_layouts(cases);
    add_custom_operators(cases);
    add_operators(cases, caps);
    return cases;
}

}  // namespace upsweep::app
