// How large a tile is and how it is scanned: from the request, the operator and the device. Private to the library.
#pragma once

#include "upsweep/core/caps.h"
#include "upsweep/core/geometry.h"
#include "upsweep/core/kernel_spec.h"
#include "upsweep/core/operator_code.h"

#include <optional>

namespace upsweep {

/// What an algorithm's tuning table holds for a device.
struct BlockPolicy {
    std::uint32_t
        block;  ///< Invocations; halved where the device or the workgroup memory does not hold them.
    std::uint32_t vector_rows;  ///< Rows of four elements in a subgroup block scan.
    std::uint32_t scalar_rows;  ///< Rows of one element, fewer for large ones.
    std::uint32_t groups;       ///< Workgroups of a fixed grid.
};

/// The part of a request that decides the geometry.
struct BlockRequest {
    BlockScan block_scan = BlockScan::automatic;
    Geometry geometry;
    std::uint32_t emulated_subgroup_size = 0;
    bool looks_back = false;   ///< Tiles hand their sums on within a dispatch,
    bool leaves_rest = false;  ///< by the kernels of lookback_then_rest.
    /// Bytes that an invocation holds of a row until it is written; by default those of the sums.
    std::optional<std::uint32_t> held_bytes = {};

    /// Whether blocks are to be scanned by the device's own subgroups, where it has them.
    [[nodiscard]] bool allows_subgroups() const {
        return emulated_subgroup_size == 0 &&
               (block_scan == BlockScan::automatic || block_scan == BlockScan::subgroup);
    }
};

struct BlockGeometry {
    BlockScan block_scan = BlockScan::blelloch;
    SubgroupMode subgroups = SubgroupMode::none;
    std::uint32_t subgroup_min = 4;
    std::uint32_t subgroup_max = 128;
    std::uint32_t block = 256;
    std::uint32_t rows = 4;
    std::uint32_t vec = 1;
    std::uint32_t groups = 1;       ///< Workgroups of a fixed grid.
    std::uint32_t shared_rows = 0;  ///< Of the rows that are held, so many are in workgroup memory.
    bool looks_back = false;
    bool leaves_rest = false;

    [[nodiscard]] std::uint32_t tile() const { return block * rows * vec; }
    /// Whether the subgroups of a workgroup have one size, and so group a sum in one way.
    [[nodiscard]] bool has_equal_subgroups() const {
        return subgroups != SubgroupMode::native || block % subgroup_max == 0;
    }
};

/// Errors: unsupported (no subgroups), invalid_argument (a geometry that is not possible), limit_exceeded
/// (workgroup memory).
Result<BlockGeometry> block_geometry(const BlockRequest& request, const OperatorCode& code,
                                     const DeviceCaps& caps, const BlockPolicy& policy);

/// Invocations that load the states of earlier tiles where there are no native subgroups.
constexpr std::uint32_t look_back_window = 32;

/// Bytes of workgroup memory that a block scan, and a look-back, take for `rows` rows of elements of `stride` bytes.
std::uint64_t workgroup_bytes(const BlockGeometry& geometry, std::uint32_t rows, std::uint32_t stride);

}  // namespace upsweep
