// A tile from the buffer into registers. An invocation holds ROWS rows of it in `row`; the block scan decides which (row_position).
#import block
#if VEC4
#import row_4
#else
#import row_1
#endif
#import row_read

var<private> row: array<Row, ROWS>;

const TILE_ROWS = BLOCK * ROWS;

fn is_whole(tile: u32, count: u32) -> bool { return count / VEC >= (tile + 1u) * TILE_ROWS; }

// After it: `row` holds the tile's elements, and nothing (neutral) for what lies behind the count.
fn load_tile(tile: u32, count: u32, t: Thread) {
    let first = tile * TILE_ROWS;
    if (is_whole(tile, count)) {
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            row[k] = read_row(first + row_position(k, t));
        }
    } else {
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            let at = first + row_position(k, t);
            let before = at * VEC;
            row[k] = neutral_row();
            if (before + VEC <= count) {
                row[k] = read_row(at);
            } else if (before < count) {
                row[k] = read_part(at, count - before);
            }
        }
    }
}
