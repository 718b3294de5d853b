// The allocations of the selftest.
#include "app/commands/selftest_cases.h"
#include "app/commands/selftest_input.h"
#include "app/commands/selftest_slots.h"
#include "app/formats/bytes.h"
#include "upsweep/allocate/allocate.h"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

// A multiplier makes the sum pass 2^32, where nothing may wrap.
struct AllocateCase {
    AllocateDesc desc;  // Without its count.
    std::uint32_t scale = 1;
    bool in_place = false;
};

Result<void> run_allocate(const AllocateCase& test, const Gpu& gpu, std::uint64_t count) {
    AllocateDesc desc = test.desc;
    desc.count = desc.count_on_gpu ? count + spare_count : count;
    std::vector<std::byte> sizes(desc.count * 4), offsets(desc.count * 4), totals(8);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < desc.count; ++i) {
        const auto size = static_cast<std::uint32_t>(i * 7919 % 23) * test.scale;
        store(sizes.data() + i * 4, size);
        if (i >= count) continue;
        const bool fits = sum + size <= desc.capacity;
        store(offsets.data() + i * 4, fits ? static_cast<std::uint32_t>(sum) : not_allocated);
        sum += size;
    }
    store(totals.data(), static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xFFFFFFFF)));
    store(totals.data() + 4, std::uint32_t{sum > desc.capacity ? 1U : 0U});
    auto plan = plan_allocate(desc, gpu.caps());
    if (!plan) return tl::unexpected(plan.error());
    SelftestSlots slots;
    slots.in_place = test.in_place;
    if (desc.count_on_gpu) slots.set_count(count);
    std::vector<std::byte> output = test.in_place ? sizes : std::vector<std::byte>(sizes.size(), poison);
    output.resize(output.size() + tail_bytes, poison);
    slots.contents[Slot::output] = output;
    if (!test.in_place) slots.contents[Slot::input] = std::move(sizes);
    slots.poison_for(*plan);
    auto ok = slots.run(gpu, *plan);
    if (ok) ok = slots.check(Slot::output, types::u32, count, offsets, output);
    if (ok) ok = slots.check(Slot::total, types::u32, 2, totals);
    return ok;
}

void add(std::vector<SelftestCase>& all, std::string name, const AllocateCase& test) {
    all.push_back({std::move(name), {0, 1, 255, 257, 3001}, [test](const Gpu& gpu, std::uint64_t count) {
                       return run_allocate(test, gpu, count);
                   }});
}

}  // namespace

void add_allocate_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps) {
    AllocateCase base;
    base.desc.capacity = 5000;
    base.desc.geometry = {.block = 64, .groups = 5};
    for (const BlockScan block_scan : selftest_block_scans(caps)) {
        AllocateCase test = base;
        test.desc.block_scan = block_scan;
        add(all, fmt::format("allocate, {}", to_string(block_scan)), test);
    }
    AllocateCase test = base;
    test.scale = 0x08000000;
    test.desc.capacity = not_allocated - 1;
    add(all, "allocate, sums beyond 32 bits", test);
    test = base;
    test.in_place = true;
    add(all, "allocate, in place", test);
    test = base;
    test.desc.count_on_gpu = true;
    add(all, "allocate, count on the GPU", test);
}

}  // namespace upsweep::app
