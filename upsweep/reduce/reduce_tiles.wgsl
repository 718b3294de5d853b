// reduce_tiles - each workgroup reduces a contiguous range of tiles: partials[g] becomes the total of group g's range, neutral if it is empty.
// reads   src, initial with SEED        writes   partials, or with RESULT and one workgroup result[0], the seed and the total combined
// The ranges are those of scan_tiles in a grid of the same size.
#import count
#import tile_load

@compute @workgroup_size(BLOCK)
fn reduce_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let group = group_index(g);
    let range = tiles_of(g, count);

    var total = neutral();
#if COMMUTATIVE
    // Each invocation reduces its own rows of all tiles; one block scan at the end puts them together.
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            total = join(total, row_total(row[k]));
        }
    }
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = neutral_row();
        if (k == 0u) { row[k] = row_of(total); }
    }
    total = tile_scan(t);
#else
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
        total = join(total, tile_scan(t));
        workgroupBarrier();
    }
#endif
#if RESULT
#if SEED
    total = join(lift_seed(initial[0]), total);
#endif
    if (i.index == 0u) { result[0] = lower_seed(total); }
#else
    if (i.index == 0u) { partials[group] = total; }
#endif
}
