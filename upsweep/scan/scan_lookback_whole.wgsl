// scan_lookback_whole - a scan of the whole tiles; scan_rest follows.
// reads   src (or dst, in place), initial with SEED        writes   dst, states
//   SEED    the whole scan begins with initial[0]
#import count
#import tile_load
#import row_write
#import lookback_whole

var<private> held: array<Row, ROWS>;

@compute @workgroup_size(BLOCK)
fn scan_lookback_whole(g: Group, i: Invocation) {
    let t = thread(i);
    var seed = neutral();
#if SEED
    seed = lift_seed(initial[0]);
#endif
    look_back_over_whole_tiles(element_count(i), seed, g, i, t);
}

fn load_next(tile: u32, t: Thread) {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = read_row(tile * TILE_ROWS + row_position(k, t));
    }
}

fn load_nothing() {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = neutral_row();
    }
}

#if EXCLUSIVE_VECTORS
// The last element of a row is not needed any more once the row is scanned; so there is a register for what precedes the row.
fn sum_loaded(tile: u32, t: Thread) -> E { return part_scan(t); }

fn hold_loaded() {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        held[k] = seeded_row(prior[k], row[k]);
    }
}
#else
fn sum_loaded(tile: u32, t: Thread) -> E { return part_scan_rows(t); }

fn hold_loaded() {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        held[k] = row[k];
    }
}
#endif

fn write_held(tile: u32, count: u32, before: E, t: Thread) {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        write_row(tile * TILE_ROWS + row_position(k, t), seeded_inclusive(before, held[k]));
    }
}
