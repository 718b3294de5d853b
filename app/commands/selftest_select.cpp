// The compactions and partitions of the selftest.
#include "app/commands/selftest_cases.h"
#include "app/commands/selftest_input.h"
#include "app/commands/selftest_slots.h"
#include "app/formats/bytes.h"
#include "upsweep/compact/compact.h"
#include "upsweep/compact/flags.h"

#include <array>

#include <fmt/format.h>

namespace upsweep::app {

namespace {

using Words = std::vector<std::uint32_t>;

std::vector<std::byte> bytes_of(const Words& words) {
    const auto bytes = std::as_bytes(std::span(words));
    return {bytes.begin(), bytes.end()};
}

// The conditions, in WGSL and here: of the first word of an element and of its index.
constexpr const char* keep_u32 = "fn keep(x: T, i: u32) -> bool { return ((x >> 3u) & 1u) != (i & 1u); }";
constexpr const char* keep_matrix =
    "fn keep(x: T, i: u32) -> bool { return ((x.a >> 3u) & 1u) != (i & 1u); }";
constexpr const char* part_u32 = "fn part(x: T, i: u32) -> u32 { return (x + i) % 3u; }";
bool keeps(std::uint32_t x, std::uint32_t i) {
    return ((x >> 3U) & 1U) != (i & 1U);
}
std::uint32_t part_of(std::uint32_t x, std::uint32_t i) {
    return (x + i) % 3;
}

std::uint32_t first_word(ConstBytes elements, const ElementType& type, std::uint64_t i) {
    return load<std::uint32_t>(elements.data() + i * type.stride);
}

void append(std::vector<std::byte>& out, ConstBytes elements, const ElementType& type, std::uint64_t i) {
    const ConstBytes element = elements.subspan(i * type.stride, type.stride);
    out.insert(out.end(), element.begin(), element.end());
}

// A flag for each element, as a compaction wants it: bits have ones behind the last that must not count.
Words flags_for(const CompactDesc& desc, const Words& kept) {
    Words flags = kept;
    if (desc.condition == ConditionKind::flags) {
        for (std::size_t i = 0; i < flags.size(); ++i) flags[i] *= static_cast<std::uint32_t>(i * 977 + 1);
        return flags;
    }
    flags.assign(kept.size() / 32 + 1, 0xFFFFFFFF);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] == 0) flags[i / 32] &= ~(1U << (i % 32));
    }
    return flags;
}

Result<void> run_compact(CompactDesc desc, const Gpu& gpu, std::uint64_t count) {
    desc.count = desc.count_on_gpu ? count + spare_count : count;
    SelftestSlots slots;
    if (desc.count_on_gpu) slots.set_count(count);
    auto plan = plan_compact(desc, gpu.caps());
    if (!plan) return tl::unexpected(plan.error());
    const auto input = selftest_input(desc.type, Operator::plus(), desc.count);
    Words kept, indices;
    std::vector<std::byte> elements;
    for (std::uint32_t at = 0; at < desc.count; ++at) {
        const std::uint32_t index = desc.first_index + at;
        kept.push_back(keeps(first_word(input, desc.type, at), index) ? 1 : 0);
        if (kept.back() == 0 || at >= count) continue;
        indices.push_back(index);
        append(elements, input, desc.type, at);
    }
    const std::uint64_t room = desc.capacity == 0 ? desc.count : std::min(desc.capacity, desc.count);
    const std::uint64_t written = std::min<std::uint64_t>(indices.size(), room);
    Words totals{static_cast<std::uint32_t>(indices.size())};
    if (desc.capacity != 0)
        totals.insert(totals.end(), {static_cast<std::uint32_t>(written), indices.size() > room ? 1U : 0U});
    slots.contents[Slot::input] = input;
    if (desc.condition != ConditionKind::predicate) {
        kept.resize(desc.count);
        slots.contents[Slot::flags] = bytes_of(flags_for(desc, kept));
    }
    slots.poison_for(*plan);
    auto ok = slots.run(gpu, *plan);
    if (ok) ok = slots.check(Slot::total, types::u32, totals.size(), bytes_of(totals));
    if (ok && plan->output_bytes != 0) ok = slots.check(Slot::output, desc.type, written, elements);
    if (ok && plan->indices_bytes != 0)
        ok = slots.check(Slot::indices, types::u32, written, bytes_of(indices));
    return ok;
}

Result<void> run_partition(PartitionDesc desc, const Gpu& gpu, std::uint64_t count) {
    desc.count = count;
    auto plan = plan_partition(desc, gpu.caps());
    if (!plan) return tl::unexpected(plan.error());
    const auto input = selftest_input(desc.type, Operator::plus(), count);
    Words sizes(3);
    std::vector<std::byte> expected;
    for (std::uint32_t part = 0; part < 3; ++part) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t x = first_word(input, desc.type, i);
            const std::uint32_t own = desc.three_way ? part_of(x, i) : keeps(x, i) ? 0 : 1;
            if (own != part) continue;
            append(expected, input, desc.type, i);
            ++sizes[part];
        }
    }
    sizes.resize(desc.three_way ? 2 : 1);
    SelftestSlots slots;
    slots.contents[Slot::input] = input;
    slots.poison_for(*plan);
    auto ok = slots.run(gpu, *plan);
    if (ok) ok = slots.check(Slot::total, types::u32, sizes.size(), bytes_of(sizes));
    if (ok && count != 0) ok = slots.check(Slot::output, desc.type, count, expected);
    return ok;
}

Result<void> run_flags(FlagsDesc desc, const Gpu& gpu, std::uint64_t count) {
    desc.count = count;
    auto plan = plan_flags(desc, gpu.caps());
    if (!plan) return tl::unexpected(plan.error());
    const auto input = selftest_input(desc.type, Operator::plus(), count);
    Words expected;
    for (std::uint32_t i = 0; i < count; ++i)
        expected.push_back(keeps(first_word(input, desc.type, i), desc.first_index + i) ? 1 : 0);
    SelftestSlots slots;
    slots.contents[Slot::input] = input;
    slots.poison_for(*plan);
    auto ok = slots.run(gpu, *plan);
    return ok ? slots.check(Slot::output, types::u32, count, bytes_of(expected)) : ok;
}

CompactDesc small_compact(ConditionKind condition = ConditionKind::predicate) {
    CompactDesc desc;
    desc.condition = condition;
    if (condition == ConditionKind::predicate) desc.keep = keep_u32;
    desc.indices = true;
    desc.geometry = {.block = 64, .groups = 5};
    return desc;
}

void add_compact(std::vector<SelftestCase>& all, std::string name, CompactDesc desc,
                 std::vector<std::uint64_t> counts) {
    all.push_back({std::move(name), std::move(counts),
                   [desc](const Gpu& gpu, std::uint64_t count) { return run_compact(desc, gpu, count); }});
}

const char* name_of(ConditionKind condition) {
    constexpr std::array<const char*, 3> names{"a predicate", "flags", "a bit mask"};
    return names.at(static_cast<std::size_t>(condition));
}

void add_compactions(std::vector<SelftestCase>& all, const DeviceCaps& caps) {
    for (const ConditionKind condition :
         {ConditionKind::predicate, ConditionKind::flags, ConditionKind::bit_mask}) {
        for (const BlockScan block_scan : selftest_block_scans(caps)) {
            CompactDesc desc = small_compact(condition);
            desc.block_scan = block_scan;
            add_compact(all, fmt::format("compact by {}, {}", name_of(condition), to_string(block_scan)),
                        desc, {0, 1, 31, 33, 255, 257, 511, 513, 2003});
        }
        CompactDesc desc = small_compact(condition);
        desc.elements = false;
        add_compact(all, fmt::format("compact by {}, indices alone", name_of(condition)), desc, {100, 2003});
        desc = small_compact(condition);
        desc.capacity = 300;
        desc.count_on_gpu = true;
        add_compact(all, fmt::format("compact by {}, with a capacity, count on the GPU", name_of(condition)),
                    desc, {0, 100, 2003});
    }
    CompactDesc desc = small_compact();
    desc.strategy = CompactStrategy::lookback;
    add_compact(all, "compact by a predicate, in a single pass", desc, {0, 1, 255, 257, 2003, 20011});
    if (caps.subgroups) {
        desc.strategy = CompactStrategy::lookback_then_rest;
        add_compact(all, "compact by a predicate, whole tiles and a rest", desc,
                    {0, 1, 255, 257, 2003, 20011});
    }
    desc = small_compact();
    desc.indices = false;
    desc.type = selftest_matrix();
    desc.keep = keep_matrix;
    add_compact(all, "compact by a predicate, structs", desc, {1, 63, 700});
    desc = small_compact();
    desc.first_index = 12345;
    add_compact(all, "compact by a predicate, a part of the data", desc, {100, 2003});
}

void add_partitions(std::vector<SelftestCase>& all, const DeviceCaps& caps) {
    for (const bool three_way : {false, true}) {
        for (const BlockScan block_scan : selftest_block_scans(caps)) {
            // The padded scan differs by its memory alone, which compactions have seen.
            if (block_scan == BlockScan::blelloch_padded) continue;
            PartitionDesc desc;
            desc.condition = three_way ? part_u32 : keep_u32;
            desc.three_way = three_way;
            desc.block_scan = block_scan;
            desc.geometry = {.block = 64, .groups = 5};
            all.push_back(
                {fmt::format("partition in {} parts, {}", three_way ? 3 : 2, to_string(block_scan)),
                 {0, 1, 33, 257, 513, 2003},
                 [desc](const Gpu& gpu, std::uint64_t count) { return run_partition(desc, gpu, count); }});
        }
    }
}

}  // namespace

void add_select_cases(std::vector<SelftestCase>& all, const DeviceCaps& caps) {
    add_compactions(all, caps);
    add_partitions(all, caps);
    all.push_back({"flags of a condition", {1, 255, 257, 5000}, [](const Gpu& gpu, std::uint64_t count) {
                       return run_flags({.keep = keep_u32, .first_index = 77}, gpu, count);
                   }});
}

}  // namespace upsweep::app
