// scan_tiles - each workgroup scans a contiguous range of tiles, one after the other, carrying the total along.
// reads   src (or dst, in place), partials with PREFIX, initial with SEED        writes   dst, partials with TOTALS, carry_out with CARRY
// The range: the tiles divided by the workgroups, rounded up. With a workgroup for each tile that is one tile; with one workgroup, all.
//   PREFIX  the range of group g > 0 begins with partials[g - 1], the inclusive scan of the ranges' totals
//   SEED    the whole scan begins with initial[0]; partials already hold it
//   TOTALS  the total of group g's range goes to partials[g]
//   CARRY   what would come next goes to carry_out[0]
#import count
#import tile_store

fn range_start(group: u32) -> E {
#if PREFIX
    if (group > 0u) { return partials[group - 1u]; }
#endif
#if SEED
    if (group == 0u) { return lift_seed(initial[0]); }
#endif
    return neutral();
}

@compute @workgroup_size(BLOCK)
fn scan_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let group = group_index(g);
    let range = tiles_of(g, count);

    var carry = range_start(group);
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
        let total = tile_scan_rows(t);
        let seed = join(carry, tile_before);
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            store_row(tile, row_position(k, t), count, seeded_inclusive(seed, row[k]));
        }
        carry = join(carry, total);
        workgroupBarrier();  // The block scan's memory is free again.
    }
#if TOTALS
    if (i.index == 0u && range.first < range.last) { partials[group] = carry; }
#endif
#if CARRY
    if (i.index == 0u && group == group_count(g) - 1u) { carry_out[0] = lower_seed(carry); }
#endif
}
