#include "upsweep/core/block_geometry.h"

#include "upsweep/core/plan.h"

#include <algorithm>
#include <bit>

namespace upsweep {

namespace {

bool is_blelloch(BlockScan scan) {
    return scan == BlockScan::blelloch || scan == BlockScan::blelloch_padded;
}

Result<void> choose_block_scan(BlockGeometry& geometry, const BlockRequest& request, const DeviceCaps& caps) {
    const std::uint32_t emulated = request.emulated_subgroup_size;
    geometry.block_scan = request.block_scan;
    if (request.block_scan == BlockScan::automatic) {
        geometry.block_scan = caps.subgroups || emulated != 0 ? BlockScan::subgroup : BlockScan::blelloch;
    }
    if (geometry.block_scan != BlockScan::subgroup) return {};
    if (emulated != 0) {
        if (!std::has_single_bit(emulated) || emulated < 4 || emulated > 128) {
            return fail(ErrorCode::invalid_argument,
                        "Emulated subgroups have 4, 8, 16, 32, 64 or 128 invocations, not " +
                            std::to_string(emulated) + ".");
        }
        geometry.subgroups = SubgroupMode::emulated;
        geometry.subgroup_min = geometry.subgroup_max = emulated;
        return {};
    }
    if (!caps.subgroups) {
        return fail(ErrorCode::unsupported,
                    "The block scan 'subgroup' needs subgroups, which this device was made without; request "
                    "the feature with the device, or use blelloch or hillis_steele.");
    }
    geometry.subgroups = SubgroupMode::native;
    geometry.subgroup_min = caps.subgroup_min_size == 0 ? 4 : caps.subgroup_min_size;
    geometry.subgroup_max = caps.subgroup_max_size == 0 ? 128 : caps.subgroup_max_size;
    return {};
}

// Two tiles are on their way in a look-back over whole tiles; of what is more than 36 words of an invocation's registers, as many rows as fit 16 KiB wait
// in workgroup memory. H200, us on Dawn / wgpu-native: inclusive u32 sums of 2^28 in place, 512x6: in registers alone (85 each) 834 / 806, two rows in
// workgroup memory (64 each) 604 / 598; half of 2^28 u32 kept, 512x24: 739 / 701 (91) and with eight 522 / 512 (64), with four 723 / 692 (79).
std::uint32_t shared_rows(const BlockGeometry& geometry, std::uint32_t row_bytes, std::uint64_t room) {
    constexpr std::uint32_t most_words = 36;
    constexpr std::uint64_t most_bytes = 16384;
    if (row_bytes == 0) return 0;
    const std::uint32_t in_registers = most_words / divide_up(row_bytes, 4U);
    const std::uint32_t wanted = 2 * geometry.rows - std::min(2 * geometry.rows, in_registers);
    const std::uint64_t fitting = std::min(room, most_bytes) / (std::uint64_t{geometry.block} * row_bytes);
    return static_cast<std::uint32_t>(
        std::min({std::uint64_t{wanted}, std::uint64_t{geometry.rows}, fitting}));
}

}  // namespace

std::uint64_t workgroup_bytes(const BlockGeometry& geometry, std::uint32_t rows, std::uint32_t stride) {
    const std::uint64_t slots = std::uint64_t{geometry.block} * rows;
    std::uint64_t counters = 32;  // The count and the arrivals, each in 16 bytes.
    if (geometry.looks_back) {
        counters += 32 + 2 * (std::uint64_t{stride} +
                              12);  // The turn, where the states begin, what comes before a tile, its sum.
        // The walk, and its window of flags and sums.
        if (geometry.subgroups != SubgroupMode::native)
            counters += 32 + std::uint64_t{look_back_window} * (4 + stride);
        // The parts of three tiles, and their totals.
        if (geometry.leaves_rest)
            counters +=
                3 * (divide_up(geometry.block, geometry.subgroup_min) + 1) * std::uint64_t{stride} + 32;
    }
    switch (geometry.block_scan) {
        case BlockScan::hillis_steele: return 2 * slots * stride + counters;
        case BlockScan::blelloch: return (slots + 1) * stride + counters;
        case BlockScan::blelloch_padded: return (slots + slots / 32 + 1) * stride + counters;
        case BlockScan::subgroup:
        case BlockScan::automatic: break;
    }
    const std::uint64_t parts = divide_up(geometry.block, geometry.subgroup_min);
    return (parts + (geometry.subgroups == SubgroupMode::emulated ? geometry.block : 0)) * stride + counters;
}

Result<BlockGeometry> block_geometry(const BlockRequest& request, const OperatorCode& code,
                                     const DeviceCaps& caps, const BlockPolicy& policy) {
    BlockGeometry geometry;
    geometry.looks_back = request.looks_back;
    geometry.leaves_rest = request.leaves_rest;
    if (auto ok = choose_block_scan(geometry, request, caps); !ok) return tl::unexpected(ok.error());
    const std::uint32_t limit = std::min(caps.max_invocations_per_workgroup, caps.max_workgroup_size_x);
    const std::uint32_t stride = code.compute_type.stride;
    const bool shared = geometry.block_scan != BlockScan::subgroup;
    geometry.vec = code.vectorizable ? 4 : 1;

    // Subgroups make any number of parts; in workgroup memory a block is a tree.
    const std::uint32_t block = request.geometry.block;
    const bool divides = std::has_single_bit(block) || (!shared && block % 32 == 0);
    if (block != 0 && (block > limit || !divides)) {
        return fail(ErrorCode::invalid_argument,
                    "A workgroup of " + std::to_string(block) +
                        " invocations is not possible; it must be a power of two" +
                        (shared ? "" : " or a multiple of 32") + " of at most " + std::to_string(limit) +
                        ".");
    }
    // A subgroup block scan keeps its rows in registers: about 96 bytes an invocation, of what it holds until that is written; no bound where that is
    // nothing.
    const std::uint32_t held = std::max(1U, request.held_bytes.value_or(stride));
    geometry.rows = geometry.vec == 4 ? policy.vector_rows : std::clamp(96U / held, 1U, policy.scalar_rows);
    if (geometry.block_scan == BlockScan::hillis_steele) geometry.rows = 1;
    if (is_blelloch(geometry.block_scan)) geometry.rows = 2;
    if (request.geometry.rows != 0) geometry.rows = request.geometry.rows;
    if (geometry.rows > 32 ||
        (is_blelloch(geometry.block_scan) && (geometry.rows < 2 || !std::has_single_bit(geometry.rows)))) {
        return fail(
            ErrorCode::invalid_argument,
            std::to_string(geometry.rows) + " rows an invocation are not possible with the block scan " +
                to_string(geometry.block_scan) + "; it takes 1 to 32, and blelloch 2, 4, 8, 16 or 32.");
    }

    geometry.block =
        request.geometry.block != 0 ? request.geometry.block : std::bit_floor(std::min(policy.block, limit));
    if (shared && request.geometry.block == 0)
        geometry.block = std::min(geometry.block, 256U);  // Barriers cost more than a larger tile saves.
    // The levels above the first hold a tile's worth of totals one by one; the block scan's memory must hold
    // that too.
    const std::uint32_t most_rows = geometry.rows * geometry.vec;
    const auto fits = [&] {
        return workgroup_bytes(geometry, shared ? most_rows : geometry.rows, stride) <=
               caps.max_workgroup_storage;
    };
    while (request.geometry.block == 0 && !fits() && geometry.block > 1) geometry.block /= 2;
    if (geometry.subgroups == SubgroupMode::emulated && request.geometry.block == 0) {
        geometry.block = std::max(geometry.block, std::min(geometry.subgroup_min, std::bit_floor(limit)));
    }
    if (!fits()) {
        return fail(
            ErrorCode::limit_exceeded,
            "The block scan " + std::string(to_string(geometry.block_scan)) + " needs " +
                std::to_string(workgroup_bytes(geometry, shared ? most_rows : geometry.rows, stride)) +
                " bytes of workgroup memory for " + std::to_string(geometry.block) +
                " invocations and elements of " + std::to_string(stride) + " bytes, and the device has " +
                std::to_string(caps.max_workgroup_storage) +
                "; use smaller elements, a smaller block, or scan indices and gather.");
    }
    if (geometry.subgroups == SubgroupMode::emulated && geometry.block % geometry.subgroup_min != 0) {
        return fail(ErrorCode::invalid_argument, "A workgroup of " + std::to_string(geometry.block) +
                                                     " invocations holds no emulated subgroup of " +
                                                     std::to_string(geometry.subgroup_min) + ".");
    }
    if (geometry.leaves_rest) {
        const std::uint64_t taken = workgroup_bytes(geometry, geometry.rows, stride);
        geometry.shared_rows = shared_rows(geometry, request.held_bytes.value_or(geometry.vec * stride),
                                           caps.max_workgroup_storage - taken);
    }
    // As many invocations in flight whatever the size of a workgroup.
    geometry.groups = policy.groups * std::max(1U, policy.block / geometry.block);
    if (request.geometry.groups != 0) geometry.groups = request.geometry.groups;
    return geometry;
}

}  // namespace upsweep
