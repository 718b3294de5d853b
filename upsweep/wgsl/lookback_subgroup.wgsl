// Look-back by one subgroup, which looks at as many tiles at once as it has lanes.

var<private> recomputed_whole: bool;  // Whether what publish_recomputed was called with is right.

fn publish(tile: u32, state: TileState, t: Thread) {
    if (t.subgroup != 0u || withheld(tile)) { return; }
    for (var h = t.lane; h < HALVES; h += subgroup_width(t)) { atomicStore(&states[word_of(tile, h)], half_of(state.value, h) | state.flag); }
}

fn publish_recomputed(tile: u32, state: TileState, t: Thread) {
    if (t.subgroup != 0u) { return; }
    if (t.lane == 0u) { atomicAdd(&states[3], 1u); }
    var whole = false;
    for (var h = t.lane; h < HALVES; h += subgroup_width(t)) {
        if (write_if_missing(word_of(tile, h), half_of(state.value, h) | state.flag)) { whole = true; }
    }
#if IN_PLACE
    recomputed_whole = subgroupMax(select(0u, 1u, whole)) == 1u;
#else
    recomputed_whole = true;
#endif
}

// In place it waits until all words have arrived.
fn publish_inclusive(tile: u32, sum: E, t: Thread) {
#if IN_PLACE
    var arrived = 0u;
    for (var h = t.lane; h < HALVES; h += subgroup_width(t)) {
        arrived = max(arrived, atomicExchange(&states[word_of(tile, h)], half_of(sum, h) | INCLUSIVE_SUM));
    }
    // What an exchange gives back is never all ones, and must be there to be known.
    if (subgroupMax(arrived) == NO_TILE) { wg_turn.ticket = NO_TILE; }
#else
    if (tile == 0u || withheld(tile)) { return; }
    for (var h = t.lane; h < HALVES; h += subgroup_width(t)) { atomicStore(&states[word_of(tile, h)], half_of(sum, h) | INCLUSIVE_SUM); }
#endif
}

fn look_back(tile: u32, seed: E, again: bool, missed: TileState, t: Thread) {
    if (t.subgroup != 0u) { return; }
    let width = subgroup_width(t);
    var end = select(tile, 0u, tile == NO_TILE);  // The tiles before this one are still to be combined,
    var sum = neutral();                          // with this on their right.
    if (tile == 0u) { sum = seed; }
    var recomputed = NO_TILE;
    if (again) {
        // Lane 0 reads for all, since it also writes them below.
        if (t.lane == 0u) {
            recomputed = wg_turn.missing;
            sum = wg_prefix;
        }
        recomputed = subgroupBroadcastFirst(recomputed);
        sum = shuffle(sum, 0u, t);
        end = recomputed + 1u;
        if (recomputed_whole) {
            sum = join(missed.value, sum);
            end = recomputed;
        }
    }
    for (var polls = 0u; end > 0u && polls < SPIN_LIMIT; polls++) {
        // Lanes in the order of the tiles, the last lane at the nearest one. Before tile 0 there is nothing.
        var state = TileState(INCLUSIVE_SUM, neutral());
        if (end + t.lane >= width) {
            let at = end + t.lane - width;
            state = load_state(word_of(at, 0u));
            if (hidden(at, recomputed)) { state.flag = MISSING; }
        }
        // The last lane without an aggregate is where the window begins: with its inclusive sum, or behind it where it has none yet.
        let behind_inclusive = lanes_through_last(state.flag == INCLUSIVE_SUM, t);
        let behind_missing = lanes_through_last(state.flag == MISSING, t);
        let done = behind_inclusive > behind_missing;
        let begin = select(behind_missing, behind_inclusive - 1u, done);
        if (t.lane < begin) { state.value = neutral(); }
        sum = join(subgroup_total(state.value, t), sum);
        end = select(end - (width - begin), 0u, done);
        if (begin != width) { polls = 0u; }
    }
    if (end == 0u && tile != NO_TILE) { publish_inclusive(tile, join(sum, wg_held_total), t); }
    if (t.lane == 0u) {
        wg_prefix = sum;
        wg_turn.missing = end - 1u;  // Or NO_TILE.
    }
}
