// allocate_tiles - scan_tiles with a bound: an item whose end lies behind the capacity gets the mark 2^32 - 1 for its offset.
// reads   src (or dst, in place), partials with PREFIX, constants: [0] the capacity        writes   dst, totals
// The operator adds and stops at 2^32 - 1, so that a sum that would wrap lies behind every capacity.
#import count
#import tile_store

fn bounded(offsets: Row, ends: Row) -> Row { return select(Row(0xffffffffu), offsets, ends <= Row(constants[0])); }

@compute @workgroup_size(BLOCK)
fn allocate_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let group = group_index(g);
    let range = tiles_of(g, count);

    var carry = neutral();
#if PREFIX
    if (group > 0u) { carry = partials[group - 1u]; }
#endif
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
        let total = tile_scan(t);
        let seed = join(carry, tile_before);
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            let before = join(seed, prior[k]);
            store_row(tile, row_position(k, t), count, bounded(seeded_exclusive(before, row[k]), seeded_inclusive(before, row[k])));
        }
        carry = join(carry, total);
        workgroupBarrier();  // The block scan's memory is free again.
    }
    // The last group's carry is the sum of all.
    if (i.index == 0u && group == group_count(g) - 1u) {
#if PREFIX
        carry = partials[group];
#endif
        totals[0] = carry;
        totals[1] = select(0u, 1u, carry > constants[0]);
    }
}
