// Running compactions and partitions in tests: what a run leaves in all its slices.
#pragma once

#include "tests/gpu/launcher.h"
#include "upsweep/compact/compact.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace upsweep::testing {

using Numbers = std::vector<std::uint32_t>;
constexpr std::uint32_t poison = 0xDEADBEEF;

/// What a run left in its slices, poison and all.
struct SelectionOutcome {
    Numbers elements, indices, total, arguments;
};

BufferHandle uploaded(const Gpu& device, const Numbers& words, WGPUBufferUsage more = WGPUBufferUsage_None);

SelectionOutcome run_selection(const Gpu& device, const Plan& plan, const Numbers& input,
                               const Numbers& flags, std::optional<std::uint32_t> gpu_count);

const Gpu& device_of(const Launcher& launcher);

/// Without the CPU's.
std::vector<Launcher> gpu_launchers();

/// Makes the request the launcher's own.
template <class Desc>
void adapt(const Launcher& launcher, Desc& desc) {
    ScanDesc scan;
    scan.block_scan = desc.block_scan;
    launcher.adapt(scan);
    desc.block_scan = scan.block_scan;
    desc.unroll = scan.unroll;
}

/// Whether that can be done with a rest: on native subgroups.
template <class Desc>
bool can_leave_rest(const Launcher& launcher, Desc desc) {
    adapt(launcher, desc);
    return device_of(launcher).caps().subgroups && desc.emulated_subgroup_size == 0 &&
           (desc.block_scan == BlockScan::automatic || desc.block_scan == BlockScan::subgroup);
}

/// A GPU with subgroups and large buffers, for plans that do not run.
DeviceCaps large_device(AdapterKind kind);

/// Block, rows and workgroups with which a plan looks back over the whole tiles; zeros where it leaves no rest.
using Shape = std::array<std::uint32_t, 3>;
Shape shape_of_whole_tiles(const Plan& plan);

}  // namespace upsweep::testing
