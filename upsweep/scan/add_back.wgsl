// add_back - the second half of a scan over levels: every tile but the first gets partials[tile - 1], the inclusive scan of the tiles' totals, on its
// left; the first one gets the initial value with SEED.
// reads   partials, initial with SEED        writes   dst, in place
#import count
#import tile_store

@compute @workgroup_size(BLOCK)
fn add_back(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let tile = group_index(g);
    if (tile >= divide_up(count, TILE)) { return; }
    var before = neutral();
#if SEED
    if (tile == 0u) { before = lift_seed(initial[0]); }
#else
    if (tile == 0u) { return; }
#endif
    if (tile > 0u) { before = partials[tile - 1u]; }
    load_tile(tile, count, t);
#if OPTIONAL
    // An exclusive scan of one tile has nothing in its first place, and a buffer cannot hold that.
    if (!INCLUSIVE && row_position(0u, t) == 0u) { first_row_is_neutral(); }
#endif
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        store_row(tile, row_position(k, t), count, seeded_inclusive(before, row[k]));
    }
}

#if OPTIONAL
fn first_row_is_neutral() {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        if (k == 0u) { row[k] = neutral_row(); }
    }
}
#endif
