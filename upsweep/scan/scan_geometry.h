// How large a tile is and how it is scanned: from the request, the operator and the device.
#pragma once

#include "upsweep/core/operators.h"
#include "upsweep/scan/scan.h"

namespace upsweep {

struct BlockGeometry {
    BlockScan block_scan = BlockScan::blelloch;
    SubgroupMode subgroups = SubgroupMode::none;
    std::uint32_t subgroup_min = 4;
    std::uint32_t subgroup_max = 128;
    std::uint32_t block = 256;
    std::uint32_t rows = 4;
    std::uint32_t vec = 1;
    std::uint32_t spine_rows = 4;  ///< Rows of the scan of the totals, which are not vectors.
    std::uint32_t groups = 1;      ///< Workgroups of reduce_then_scan.

    [[nodiscard]] std::uint32_t tile() const { return block * rows * vec; }
};

Result<BlockGeometry> block_geometry(const ScanDesc& desc, const OperatorCode& code, const DeviceCaps& caps);

/// Bytes of workgroup memory that a block scan takes for `rows` rows of elements of `stride` bytes.
std::uint64_t workgroup_bytes(const BlockGeometry& geometry, std::uint32_t rows, std::uint32_t stride);

}  // namespace upsweep
