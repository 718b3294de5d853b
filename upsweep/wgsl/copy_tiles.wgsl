// copy_tiles - the roof: a tile read and written, nothing else.
#import count
#import tile_store

@compute @workgroup_size(BLOCK)
fn copy_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let tile = group_index(g);
    if (tile >= divide_up(count, TILE)) { return; }
    load_tile(tile, count, t);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        store_row(tile, row_position(k, t), count, row[k]);
    }
}
