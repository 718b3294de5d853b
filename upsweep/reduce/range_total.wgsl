// The total of a range of tiles.
#import count
#import tile_load

// The total of one value an invocation, in the order of the block.
fn block_total(value: E, t: Thread) -> E {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = neutral_row();
        if (k == 0u) { row[k] = row_of(value); }
    }
    return tile_scan(t);
}

// Called by the whole workgroup; neutral for a range without tiles.
fn range_total(range: TileRange, count: u32, t: Thread) -> E {
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
    total = block_total(total, t);
#else
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
        total = join(total, tile_scan(t));
        workgroupBarrier();
    }
#endif
    return total;
}
