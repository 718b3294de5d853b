// subgroup_probe - runs what the kernels use of subgroups and compares with what it must give. A driver may offer the feature and not keep it.
// writes   found: [0] the faults as bits, [1] the largest subgroup, [2] the complement of the smallest
@group(0) @binding(0) var<storage, read_write> found: array<atomic<u32>, 3>;
var<workgroup> wg_values: array<u32, 256>;

@compute @workgroup_size(256)
fn subgroup_probe(@builtin(local_invocation_index) index: u32, @builtin(subgroup_invocation_id) lane: u32) {
    let size = subgroupAdd(1u);
    let rank = subgroupInclusiveAdd(1u) - 1u;
    let value = index * 7u + 3u;
    var faults = 0u;
    if (rank != lane) { faults |= 1u; }                                   // Lanes with gaps.
    let first = subgroupBroadcastFirst(value);
    let shuffled_first = subgroupShuffle(value, 0u);
    if (first != shuffled_first) { faults |= 2u; }
    wg_values[index] = value;
    workgroupBarrier();
    let last = subgroupShuffle(index, size - 1u);
    if (subgroupShuffle(value, size - 1u) != wg_values[min(last, 255u)]) { faults |= 4u; }
    for (var distance = 1u; distance < 128u; distance <<= 1u) {
        let other = subgroupShuffleUp(index, distance);
        let moved = subgroupShuffleUp(value, distance);
        let sum = subgroupShuffle(rank, max(lane, distance) - distance);
        if (lane >= distance && moved != wg_values[min(other, 255u)]) { faults |= 8u; }
        if (lane >= distance && sum != lane - distance) { faults |= 16u; }
    }
    var total = 0u;
    for (var other = 0u; other < 128u; other++) {
        let part = subgroupShuffle(value, min(other, size - 1u));
        if (other <= lane && other < size) { total += part; }
    }
    if (subgroupInclusiveAdd(value) != total) { faults |= 32u; }
    let ballot = countOneBits(subgroupBallot(true));
    if (ballot.x + ballot.y + ballot.z + ballot.w != size) { faults |= 128u; }
    if (size < 4u || size > 128u) { faults |= 64u; }
    atomicOr(&found[0], faults);
    atomicMax(&found[1], size);
    atomicMax(&found[2], ~size);
}
