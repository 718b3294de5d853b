// The scans of the selftest: every strategy, block scan, operator and type.
#include "app/commands/request.h"
#include "app/commands/selftest_cases.h"
#include "app/commands/selftest_input.h"
#include "app/commands/selftest_slots.h"
#include "upsweep/core/operator_code.h"

#include <fmt/format.h>

namespace upsweep::app {

namespace {

struct ScanCase {
    std::string name;
    ScanDesc desc;                         // Without its count.
    std::vector<std::uint64_t> counts;     // It is run with each of them.
    bool in_place = false;                 // Input and output are one slice.
    bool one_buffer = false;               // All slices lie in one buffer, at offsets that are not 0.
    std::uint64_t most_binding_bytes = 0;  // Not 0: as if a binding held no more, so that it goes in chunks.
};

// Small workgroups make many tiles of few elements.
void make_small(ScanDesc& desc) {
    desc.geometry.block = 64;
    desc.geometry.groups = 5;
}

void add_strategies(std::vector<ScanCase>& cases, const DeviceCaps& caps) {
    for (const Strategy strategy : {Strategy::single_block, Strategy::multi_level, Strategy::reduce_then_scan,
                                    Strategy::lookback, Strategy::lookback_then_rest}) {
        for (const BlockScan block_scan : selftest_block_scans(caps)) {
            if (strategy == Strategy::lookback_then_rest && block_scan != BlockScan::subgroup) continue;
            for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive}) {
                ScanCase test;
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
        ScanCase test;
        test.name = fmt::format("serial, {}", to_string(kind));
        test.desc.strategy = Strategy::serial;
        test.desc.kind = kind;
        test.counts = {0, 1, 2, 1000, 70000};
        cases.push_back(std::move(test));
    }
    ScanCase test;
    test.name = "automatic, as it is used";
    test.counts = {1, 1000, 300000};
    cases.push_back(std::move(test));
}

void add_operators(std::vector<ScanCase>& cases, const DeviceCaps& caps) {
    std::size_t number = 0;
    for (const ElementType& type : selftest_types(caps)) {
        for (const std::string& name : Operator::names()) {
            ScanCase test;
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

void add_custom_operators(std::vector<ScanCase>& cases) {
    for (const Strategy strategy : {Strategy::multi_level, Strategy::reduce_then_scan}) {
        for (const bool with_identity : {true, false}) {
            ScanCase test;
            test.name = fmt::format("product of matrices {} identity, {}", with_identity ? "with" : "without",
                                    to_string(strategy));
            test.desc.type = selftest_matrix();
            test.desc.op = selftest_matrix_product(with_identity);
            test.desc.kind = with_identity ? ScanKind::exclusive : ScanKind::inclusive;
            test.desc.strategy = strategy;
            make_small(test.desc);
            test.counts = {1, 63, 3000};
            cases.push_back(std::move(test));
        }
    }
}

void add_layouts(std::vector<ScanCase>& cases) {
    for (const Strategy strategy : {Strategy::multi_level, Strategy::reduce_then_scan}) {
        ScanCase base;
        base.desc.strategy = strategy;
        make_small(base.desc);
        base.desc.initial = selftest_input(types::u32, Operator::plus(), 1);
        base.counts = {1, 1025, 5001};
        const auto add = [&](const char* what, auto change) {
            ScanCase test = base;
            test.name = fmt::format("{}, {}", what, to_string(strategy));
            change(test);
            cases.push_back(std::move(test));
        };
        add("with an initial value", [](ScanCase&) {});
        add("in place", [](ScanCase& test) { test.in_place = true; });
        add("slices of one buffer", [](ScanCase& test) { test.one_buffer = true; });
        add("count on the GPU", [](ScanCase& test) { test.desc.count_on_gpu = true; });
        add("chunks beyond the limit of a binding", [](ScanCase& test) { test.most_binding_bytes = 8192; });
    }
}

Result<void> run_scan_case(const ScanCase& test, const Gpu& gpu, std::uint64_t count) {
    ScanDesc desc = test.desc;
    desc.count = count;
    std::vector<std::byte> input = selftest_input(desc.type, desc.op, count + spare_count);
    std::vector<std::byte> expected(input.size());
    if (auto ok = scan_serial_cpu(desc, input, expected); !ok) return ok;
    SelftestSlots slots;
    slots.in_place = test.in_place;
    slots.one_buffer = test.one_buffer;
    if (desc.count_on_gpu) {
        desc.count = count + spare_count;
        slots.set_count(count);
    }
    DeviceCaps caps = gpu.caps();
    if (test.most_binding_bytes != 0) caps.max_storage_binding_size = test.most_binding_bytes;
    auto plan = plan_scan(desc, caps);
    if (!plan) return tl::unexpected(plan.error());
    input.resize(desc.count * desc.type.stride);
    std::vector<std::byte> output(input.size(), poison);
    if (test.in_place) output = input;
    output.resize(output.size() + tail_bytes, poison);
    slots.contents[Slot::output] = output;
    if (!test.in_place) slots.contents[Slot::input] = std::move(input);
    slots.poison_for(*plan);
    if (auto ok = slots.run(gpu, *plan); !ok) return ok;
    return slots.check(Slot::output, desc.type, count, expected, output);
}

}  // namespace

void add_scan_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps) {
    std::vector<ScanCase> cases;
    add_strategies(cases, caps);
    add_layouts(cases);
    add_custom_operators(cases);
    add_operators(cases, caps);
    for (const ScanCase& test : cases) {
        all.push_back({test.name, test.counts, [test](const Gpu& gpu, std::uint64_t count) {
                           return run_scan_case(test, gpu, count);
                       }});
    }
}

}  // namespace upsweep::app
