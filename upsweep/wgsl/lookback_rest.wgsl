// The second dispatch of lookback_then_rest, one workgroup: the tile that is not whole, and all that the first dispatch has not finished, one tile after
// the other. It waits for nothing. Then it makes the states ready for the next run.
// The kernel gives, each called by the whole workgroup:
//   fn load_left(tile, count, t)               a tile, whole or not, is on its way
//   fn sum_left(tile, count, t) -> E           scans it, as far as can be without what comes before, and gives its sum
//   fn write_left(tile, count, before, t)      `before`: all that comes before the tile
//   fn finish(sum)                             called by one invocation: the sum of everything
#import tile_states

var<workgroup> wg_tile: u32;

// Where it begins: behind the whole tiles if all of them are finished. Called by one invocation.
fn begin_rest(whole: u32, seed: E) -> u32 {
    wg_states_begin = half_begin(atomicLoad(&states[0]));
    wg_prefix = seed;
    // The last one is passed over then, and its sum taken along.
    return select(0u, max(whole, 1u) - 1u, atomicLoad(&states[4]) == whole);
}

// The first tile from `begin` on that is not finished; wg_prefix is then what comes before it. Called by one invocation.
fn pass_finished(begin: u32, whole: u32) -> u32 {
    var tile = begin;
    while (tile < whole) {
        let state = load_state(word_of(tile, 0u));
        if (state.flag != INCLUSIVE_SUM) { break; }
        wg_prefix = state.value;
        tile++;
    }
    return tile;
}

fn finish_tiles(count: u32, seed: E, i: Invocation, t: Thread) {
    let whole = count / TILE;
    let tiles = divide_up(count, TILE);
    // Seldom another one comes first; so this one is on its way while the states are read.
    var loaded = whole;
    load_left(loaded, count, t);
    if (i.index == 0u) { wg_tile = pass_finished(begin_rest(whole, seed), whole); }
    loop {
        let tile = workgroupUniformLoad(&wg_tile);
        if (tile >= tiles) { break; }
        if (tile != loaded) {
            load_left(tile, count, t);
            loaded = tile;
        }
        let total = sum_left(tile, count, t);
        let before = wg_prefix;
        write_left(tile, count, before, t);
        workgroupBarrier();
        if (i.index == 0u) {
            wg_prefix = join(before, total);
            if (tile < whole) { atomicAdd(&states[3], 1u); }
            wg_tile = pass_finished(tile + 1u, whole);
        }
    }
    if (i.index == 0u) {
        finish(wg_prefix);
        let half = atomicLoad(&states[0]) >> 31u;
        atomicStore(&states[1u + half], whole * HALVES);
        atomicStore(&states[4], 0u);
        atomicStore(&states[0], (1u - half) << 31u);
    }
}
