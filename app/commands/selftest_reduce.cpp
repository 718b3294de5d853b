// The reductions of the selftest.
#include "app/commands/reduce_file.h"
#include "app/commands/selftest_cases.h"
#include "app/commands/selftest_input.h"
#include "app/commands/selftest_slots.h"
#include "upsweep/core/operator_code.h"
#include "upsweep/reduce/reduce.h"

#include <cstring>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

struct ReduceCase {
    std::string name;
    ReduceDesc desc;  // Without its count.
    std::vector<std::uint64_t> counts = {1, 255, 2501};
    std::uint64_t most_binding_bytes = 0;  // Not 0: as if a binding held no more.
    std::string data = {};                 // The operator whose telling input it gets; empty: its own.
};

ReduceCase small_case(std::string name, ReduceStrategy strategy = ReduceStrategy::two_pass) {
    ReduceCase test;
    test.name = std::move(name);
    test.desc.strategy = strategy;
    test.desc.geometry = {.block = 64, .groups = 5};
    return test;
}

void add_strategies(std::vector<ReduceCase>& cases, const DeviceCaps& caps) {
    for (const ReduceStrategy strategy :
         {ReduceStrategy::single_block, ReduceStrategy::two_pass, ReduceStrategy::last_arrival}) {
        for (const BlockScan block_scan : selftest_block_scans(caps)) {
            ReduceCase test = small_case(
                fmt::format("reduce, {}, {}", to_string(strategy), to_string(block_scan)), strategy);
            test.desc.block_scan = block_scan;
            test.counts = {0, 1, 2, 3, 5, 63, 64, 65, 255, 257, 1023, 1025, 5000};
            cases.push_back(std::move(test));
        }
    }
}

// An operator for each type, in turn, so that each of them has one.
void add_operators(std::vector<ReduceCase>& cases, const DeviceCaps& caps) {
    const std::vector<std::string> names = Operator::names();
    std::size_t next = 0;
    for (const ElementType& type : selftest_types(caps)) {
        if (type.width == 2 || type.width == 4) continue;  // A kernel for each takes time to compile.
        while (!operator_code(*Operator::parse(names[next % names.size()]), type)) ++next;
        const std::string& name = names[next++ % names.size()];
        ReduceCase test = small_case(fmt::format("reduce, {} of {}", name, type.name));
        test.desc.type = type;
        test.desc.op = *Operator::parse(name);
        cases.push_back(std::move(test));
    }
    for (const bool with_identity : {true, false}) {
        ReduceCase test = small_case(
            fmt::format("reduce, product of matrices {} identity", with_identity ? "with" : "without"));
        test.desc.type = selftest_matrix();
        test.desc.op = selftest_matrix_product(with_identity);
        cases.push_back(std::move(test));
    }
}

void add_forms(std::vector<ReduceCase>& cases) {
    for (const ElementType& type : {types::u32, types::f32, types::i64}) {
        for (const ReduceForm form : {ReduceForm::arg_min, ReduceForm::arg_max}) {
            ReduceCase test = small_case(fmt::format(
                "reduce, {} of {}", form == ReduceForm::arg_min ? "arg_min" : "arg_max", type.name));
            test.desc.type = type;
            test.desc.form = form;
            test.data = type.scalar == Scalar::u32 ? "logical_or" : "min";  // With and without many equals.
            cases.push_back(std::move(test));
        }
    }
}

void add_layouts(std::vector<ReduceCase>& cases) {
    ReduceCase seeded = small_case("reduce, with an initial value");
    seeded.desc.initial = selftest_input(types::u32, Operator::plus(), 1);
    seeded.counts = {0, 1, 1025};
    cases.push_back(std::move(seeded));
    ReduceCase counted = small_case("reduce, count on the GPU");
    counted.desc.count_on_gpu = true;
    counted.counts = {0, 1, 1025};
    cases.push_back(std::move(counted));
    ReduceCase cut = small_case("reduce, chunks beyond the limit of a binding");
    cut.most_binding_bytes = 8192;
    cut.counts = {5001};
    cases.push_back(std::move(cut));
}

// What arg_min and arg_max give; it has padding behind a 64-bit value.
ElementType found_type(const ElementType& value) {
    return *ElementType::structure("Pair", "struct Pair { value: " + value.wgsl() + ", index: u32 }");
}

// The result as the device writes it.
Result<std::vector<std::byte>> expected_of(const ReduceDesc& desc, ConstBytes input, std::uint64_t bytes) {
    std::vector<std::byte> expected(bytes);
    if (desc.form == ReduceForm::value) {
        auto ok = reduce_serial_cpu(desc, input, expected);
        if (!ok) return tl::unexpected(ok.error());
        return expected;
    }
    const Operator order = desc.form == ReduceForm::arg_max ? Operator::max() : Operator::min();
    const std::size_t stride = desc.type.stride;
    ArgSearch search(order.cpu(desc.type).value(), stride);
    for (std::uint64_t i = 0; i < desc.count; ++i) search.show(input.subspan(i * stride, stride), i);
    const auto index = static_cast<std::uint32_t>(search.index());
    std::copy(search.value().begin(), search.value().end(), expected.begin());
    std::memcpy(expected.data() + stride, &index, sizeof index);
    return expected;
}

Result<void> run_reduce_case(const ReduceCase& test, const Gpu& gpu, std::uint64_t count) {
    ReduceDesc desc = test.desc;
    desc.count = count;
    const Operator data = test.data.empty() ? desc.op : *Operator::parse(test.data);
    std::vector<std::byte> input = selftest_input(desc.type, data, count + spare_count);
    SelftestSlots slots;
    ReduceDesc planned = desc;
    if (desc.count_on_gpu) {
        planned.count = count + spare_count;
        slots.set_count(count);
    }
    DeviceCaps caps = gpu.caps();
    if (test.most_binding_bytes != 0) caps.max_storage_binding_size = test.most_binding_bytes;
    auto plan = plan_reduce(planned, caps);
    if (!plan) return tl::unexpected(plan.error());
    auto expected = expected_of(desc, input, plan->output_bytes);
    if (!expected) return tl::unexpected(expected.error());
    input.resize(planned.count * desc.type.stride);
    slots.contents[Slot::input] = std::move(input);
    slots.poison_for(*plan);
    if (auto ok = slots.run(gpu, *plan); !ok) return ok;
    if (desc.form == ReduceForm::value) return slots.check(Slot::output, desc.type, 1, *expected);
    return slots.check(Slot::output, found_type(desc.type), 1, *expected);
}

}  // namespace

void add_reduce_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps) {
    std::vector<ReduceCase> cases;
    add_strategies(cases, caps);
    add_operators(cases, caps);
    add_forms(cases);
    add_layouts(cases);
    for (const ReduceCase& test : cases) {
        all.push_back({test.name, test.counts, [test](const Gpu& gpu, std::uint64_t count) {
                           return run_reduce_case(test, gpu, count);
                       }});
    }
}

}  // namespace upsweep::app
