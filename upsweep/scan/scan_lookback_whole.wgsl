// scan_lookback_whole - a scan of the whole tiles; scan_rest follows.
// reads   src (or dst, in place), initial with SEED        writes   dst, states
//   SEED    the whole scan begins with initial[0]
#import count
#import tile_load
#import row_write
#import lookback_whole

alias Held = Row;
#import held_rows

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
    let first = tile * TILE_ROWS + row_position(0u, t);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = read_row(first + k * subgroup_width(t));
    }
}

fn sum_loaded(tile: u32, t: Thread) -> E { return part_scan_rows(t); }

fn hold_loaded(t: Thread) {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        if (is_shared(k)) { hold_shared(k, row[k], t); } else { held[k] = row[k]; }
    }
}

fn write_held(tile: u32, count: u32, before: E, t: Thread) {
    let first = tile * TILE_ROWS + row_position(0u, t);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        var own = held[k];
        if (is_shared(k)) { own = held_shared(k, t); }
        write_row(first + k * subgroup_width(t), seeded_inclusive(before, own));
    }
}
