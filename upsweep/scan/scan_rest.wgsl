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

fn sum_tile(tile: u32, count: u32, t: Thread) -> E {
    load_tile(tile, count, t);
    return tile_scan_rows(t);
}

fn write_tile(tile: u32, count: u32, before: E, t: Thread) {
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
