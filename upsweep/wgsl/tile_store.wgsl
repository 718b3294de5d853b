// A tile from registers into the buffer.
#import tile_load
#import row_write

// Writes one row of the tile where it belongs, as far as the count goes.
fn store_row(tile: u32, position: u32, count: u32, r: Row) {
    let at = tile * TILE_ROWS + position;
    let before = at * VEC;
    if (before + VEC <= count) {
        write_row(at, r);
    } else if (before < count) {
        write_part(at, count - before, r);
    }
}
