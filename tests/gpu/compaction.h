// Compactions in tests, against loops on the CPU.
#pragma once

#include "tests/gpu/selection.h"
#include "upsweep/compact/compact.h"

namespace upsweep::testing {

/// Odd elements and their indices, by small workgroups.
CompactDesc small_compaction(std::uint64_t count);

/// Flags as bits, with set bits behind the count.
Numbers bits_of(const Numbers& flags);

/// Runs a compaction of elements of one word and compares everything. With `caps`: planned with these in the device's place.
void expect_compacted_so(const Launcher& launcher, CompactDesc desc, const Numbers& x, const Numbers& flags,
                         std::optional<std::uint32_t> gpu_count = {}, const DeviceCaps* caps = nullptr);

}  // namespace upsweep::testing
