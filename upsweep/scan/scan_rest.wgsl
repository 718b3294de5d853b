// scan_rest - what scan_lookback_whole leaves; one workgroup.
// reads   src (or dst, in place), initial with SEED        writes   dst, states, carry_out with CARRY
#import count
#import tile_store
#import lookback_rest

@compute @workgroup_size(BLOCK)
fn scan_rest(g: Group, i: Invocation) {
    let t = thread(i);
    var seed = neutral();
#if SEED
    seed = lift_seed(initial[0]);
#endif
    finish_tiles(element_count(i), seed, i, t);
}

// All rows at once: one that lies behind the count comes as the last one.
fn load_left(tile: u32, count: u32, t: Thread) {
    let last = (max(count, 1u) - 1u) / VEC;
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = read_row(min(tile * TILE_ROWS + row_position(k, t), last));
    }
}

fn sum_left(tile: u32, count: u32, t: Thread) -> E {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let before = (tile * TILE_ROWS + row_position(k, t)) * VEC;
        row[k] = first_of(row[k], count - min(before, count));
    }
    return tile_scan_rows(t);
}

fn write_left(tile: u32, count: u32, before: E, t: Thread) {
    let seed = join(before, tile_before);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        store_row(tile, row_position(k, t), count, seeded_inclusive(seed, row[k]));
    }
}

fn finish(sum: E) {
#if CARRY
    carry_out[0] = lower_seed(sum);
#endif
}
