#include "tests/gpu/compaction.h"

#include <gtest/gtest.h>

namespace upsweep::testing {

CompactDesc small_compaction(std::uint64_t count) {
    CompactDesc desc;
    desc.keep = "fn keep(x: T, i: u32) -> bool { return (x & 1u) != 0u; }";
    desc.indices = true;
    desc.count = count;
    desc.geometry = {32, 4, 5};
    return desc;
}

Numbers bits_of(const Numbers& flags) {
    Numbers bits(flags.size() / 32 + 1, 0xFFFFFFFF);
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (flags[i] == 0) bits[i / 32] &= ~(1U << (i % 32));
    }
    return bits;
}

void expect_compacted_so(const Launcher& launcher, CompactDesc desc, const Numbers& x, const Numbers& flags,
                         std::optional<std::uint32_t> gpu_count, const DeviceCaps* caps) {
    adapt(launcher, desc);
    const Gpu& device = device_of(launcher);
    const auto plan = plan_compact(desc, caps != nullptr ? *caps : device.caps());
    ASSERT_TRUE(plan) << plan.error().message;
    const std::uint64_t count = gpu_count ? std::min<std::uint64_t>(*gpu_count, desc.count) : desc.count;
    Numbers elements, indices;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (desc.condition == ConditionKind::predicate ? (x[i] & 1U) == 0 : flags[i] == 0) continue;
        elements.push_back(x[i]);
        indices.push_back(i);
    }
    const auto true_count = static_cast<std::uint32_t>(elements.size());
    const std::uint64_t room = desc.capacity != 0 ? std::min(desc.capacity, desc.count) : desc.count;
    elements.resize(std::min<std::size_t>(elements.size(), room));
    indices.resize(elements.size());
    const auto written = static_cast<std::uint32_t>(elements.size());
    elements.resize((desc.elements ? plan->output_bytes / 4 : 0) + 64, poison);
    indices.resize(plan->indices_bytes / 4 + 64, poison);
    if (!desc.elements) elements.assign(elements.size(), poison);
    if (!desc.indices) indices.assign(indices.size(), poison);

    const SelectionOutcome out = run_selection(
        device, *plan, x, desc.condition == ConditionKind::bit_mask ? bits_of(flags) : flags, gpu_count);
    const std::string what =
        launcher.name + ", " + std::to_string(desc.count) + " elements, " + plan->strategy;
    EXPECT_EQ(out.elements, elements) << what;
    EXPECT_EQ(out.indices, indices) << what;
    EXPECT_EQ(out.total[0], true_count) << what;
    if (desc.capacity != 0) {
        EXPECT_EQ(out.total[1], written);
        EXPECT_EQ(out.total[2], true_count > room ? 1U : 0U);
    } else {
        EXPECT_EQ(out.total[1], poison);
    }
}

}  // namespace upsweep::testing
