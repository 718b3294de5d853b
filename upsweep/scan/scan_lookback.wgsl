// scan_lookback - a scan in one dispatch.
// reads   src (or dst, in place), initial with SEED        writes   dst, states, carry_out with CARRY
//   SEED    the whole scan begins with initial[0]
//   CARRY   what would come next goes to carry_out[0]
#import count
#import tile_store
#import lookback_loop

var<private> held: array<Row, ROWS>;

@compute @workgroup_size(BLOCK)
fn scan_lookback(g: Group, i: Invocation) {
    let t = thread(i);
    var seed = neutral();
#if SEED
    seed = lift_seed(initial[0]);
#endif
    look_back_over_tiles(element_count(i), seed, g, i, t);
}

fn load_next(tile: u32, count: u32, t: Thread) { load_tile(tile, count, t); }

fn sum_loaded(tile: u32, count: u32, t: Thread) -> E {
    let total = tile_scan_rows(t);
    // All that the tile itself adds is in `row` then, and nothing else to be carried along.
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = seeded_inclusive(tile_before, row[k]);
    }
    return total;
}

fn hold_loaded() {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        held[k] = row[k];
    }
}

fn write_held(tile: u32, count: u32, before: E, t: Thread) {
    if (is_whole(tile, count)) {
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            write_row(tile * TILE_ROWS + row_position(k, t), seeded_inclusive(before, held[k]));
        }
    } else {
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            store_row(tile, row_position(k, t), count, seeded_inclusive(before, held[k]));
        }
    }
}

fn finish(sum: E) {
#if CARRY
    carry_out[0] = lower_seed(sum);
#endif
}
