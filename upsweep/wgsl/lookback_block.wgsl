// Look-back without native subgroups: WINDOW invocations load as many states, one combines them.

var<private> walk_end: u32;  // The tiles before this one are still to be combined,
var<private> walk_sum: E;    // with this on their right; both of invocation 0.
var<workgroup> wg_flags: array<u32, WINDOW>;
var<workgroup> wg_sums: array<E, WINDOW>;
var<workgroup> wg_walk_end: u32;             // Where the next window ends; 0: there is none.
var<workgroup> wg_recomputed_whole: atomic<u32>;  // Whether what publish_recomputed was called with is right.

fn publish(tile: u32, state: TileState, t: Thread) {
    if (withheld(tile)) { return; }
    for (var h = t.index; h < HALVES; h += BLOCK) { atomicStore(&states[word_of(tile, h)], half_of(state.value, h) | state.flag); }
}

fn publish_recomputed(tile: u32, state: TileState, t: Thread) {
    if (t.index == 0u) {
        atomicAdd(&states[3], 1u);
        atomicStore(&wg_recomputed_whole, 0u);
    }
    workgroupBarrier();
    for (var h = t.index; h < HALVES; h += BLOCK) {
        if (write_if_missing(word_of(tile, h), half_of(state.value, h) | state.flag)) { atomicStore(&wg_recomputed_whole, 1u); }
    }
    workgroupBarrier();
}

// In place it waits until all words have arrived.
fn publish_inclusive(tile: u32, sum: E, t: Thread) {
#if IN_PLACE
    for (var h = t.index; h < HALVES; h += BLOCK) {
        let was = atomicExchange(&states[word_of(tile, h)], half_of(sum, h) | INCLUSIVE_SUM);
        // What an exchange gives back is never all ones, and must be there to be known.
        if (was == NO_TILE) { wg_turn.ticket = NO_TILE; }
    }
#else
    if (tile == 0u || withheld(tile)) { return; }
    for (var h = t.index; h < HALVES; h += BLOCK) { atomicStore(&states[word_of(tile, h)], half_of(sum, h) | INCLUSIVE_SUM); }
#endif
}

// Combines what the window shows, from the nearest tile on; false if that one has no sum yet.
fn combine_window(recomputed: u32) -> bool {
    for (var back = 1u; back <= WINDOW && walk_end > 0u; back++) {
        let flag = wg_flags[WINDOW - back];
        if (flag == MISSING || hidden(walk_end - 1u, recomputed)) { return back > 1u; }
        walk_sum = join(wg_sums[WINDOW - back], walk_sum);
        walk_end = select(walk_end - 1u, 0u, flag == INCLUSIVE_SUM);
    }
    return true;
}

fn look_back(tile: u32, seed: E, again: bool, missed: TileState, t: Thread) {
    var recomputed = NO_TILE;
    if (again) {
        recomputed = wg_turn.missing;
        var whole = true;
#if IN_PLACE
        whole = atomicLoad(&wg_recomputed_whole) == 1u;
#endif
        if (whole) {
            walk_sum = join(missed.value, walk_sum);
            walk_end = recomputed;
        }
    } else {
        walk_end = select(tile, 0u, tile == NO_TILE);
        walk_sum = neutral();
        if (tile == 0u) { walk_sum = seed; }
    }
    if (t.index == 0u) { wg_walk_end = walk_end; }
    var polls = 0u;
    loop {
        let end = workgroupUniformLoad(&wg_walk_end);
        if (end == 0u) { break; }
        if (t.index < WINDOW && end + t.index >= WINDOW) {
            let state = load_state(word_of(end + t.index - WINDOW, 0u));
            wg_flags[t.index] = state.flag;
            wg_sums[t.index] = state.value;
        }
        workgroupBarrier();
        if (t.index == 0u) {
            polls = select(polls + 1u, 0u, combine_window(recomputed));
            wg_walk_end = select(walk_end, 0u, polls == SPIN_LIMIT);
        }
    }
    if (t.index == 0u) {
        wg_prefix = walk_sum;
        wg_turn.missing = walk_end - 1u;  // Or NO_TILE.
    }
    workgroupBarrier();
    if (wg_turn.missing == NO_TILE && tile != NO_TILE) { publish_inclusive(tile, join(wg_prefix, wg_held_total), t); }
}
