// Tuning: the strategies and shapes that measured best on one device.
#pragma once

#include "upsweep/core/geometry.h"
#include "upsweep/core/kernel_spec.h"
#include "upsweep/core/primitive.h"

#include <cstdint>
#include <string>
#include <vector>

namespace upsweep {

/// The elements of a request as far as shapes depend on them: how many bytes of registers one takes, and how
/// invocations load it.
struct ElementClass {
    std::uint32_t bytes =
        4;  ///< Of the form that kernels compute with, rounded up to a power of two, at least 4.
    bool vectors = false;  ///< Rows are vectors of four; else single elements.
    bool operator==(const ElementClass&) const = default;
};

/// The class of elements of `stride` bytes.
ElementClass element_class(std::uint32_t stride, bool vectors);

/// What to plan for one primitive, one class of elements and a range of counts.
struct TunedChoice {
    Primitive primitive = Primitive::scan;
    ElementClass elements = {};
    /// Counts from 2^first_log2 up to but not including 2^(last_log2 + 1). A count of 0 is taken as 1.
    std::uint32_t first_log2 = 0;
    std::uint32_t last_log2 = 63;
    std::string strategy = "automatic";  ///< By its name: "lookback".
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry = {};  ///< What is 0 here is left to the library's own table.
    /// The measurement it came from: the count and the seconds of GPU time. Planning does not look at it.
    std::uint64_t measured_count = 0;
    double measured_seconds = 0;

    bool operator==(const TunedChoice&) const = default;
    [[nodiscard]] bool is_for(Primitive wanted, const ElementClass& of, std::uint64_t count) const;
};

/// What a device was measured to be best at: DeviceCaps::tuning. `automatic` looks here first.
///
/// A choice **applies** to a request of its primitive, class and count that leaves the geometry to the library
/// and asks for no other strategy or block scan than the choice has. The first one that applies, and with which
/// the request can be planned on the device, is taken; if there is none, the library's own tables decide as
/// they do without a tuning. So an explicit request always wins, and a choice that a device cannot run
/// (too large for its limits, no subgroups, a count above the one tile of single_block) is passed over.
///
/// plan_scan(), plan_reduce(), plan_compact() and plan_partition() look for their own choices, partitions with
/// others_reversed for none; plan_allocate() takes the geometry of a scan by reduce_then_scan, whose kernels
/// it shares. Emulated subgroups are never tuned.
///
/// The results of integers do not depend on a tuning; floats may round differently, as with any other geometry.
///
///     auto tuning = std::make_shared<upsweep::Tuning>();
///     tuning->choices.push_back({.elements = {.bytes = 4, .vectors = true},
///                                .first_log2 = 16,
///                                .strategy = "multi_level",
///                                .geometry = {.block = 128}});
///     upsweep::DeviceCaps caps;
///     caps.tuning = tuning;
///     auto plan = upsweep::plan_scan({.count = 100000}, caps);            // plan->strategy: multi_level, blelloch
///
/// `upsweep tune` measures one, and upsweep/profile/ keeps it in a file.
struct Tuning {
    std::vector<TunedChoice> choices;

    bool operator==(const Tuning&) const = default;
};

}  // namespace upsweep
