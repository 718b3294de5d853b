// Looking back by one subgroup, for as long as there is patience.
#import tile_states

fn publish(tile: u32, state: TileState, t: Thread) {
    for (var h = t.lane; h < HALVES; h += subgroup_width(t)) { atomicStore(&states[word_of(tile, h)], half_of(state.value, h) | state.flag); }
}

// By one subgroup, which looks at as many tiles at once as it has lanes.
fn look_back(tile: u32, seed: E, total: E, t: Thread) {
    let width = subgroup_width(t);
    var end = tile;       // The tiles before this one are still to be combined,
    var sum = neutral();  // with this on their right.
    if (tile == 0u) { sum = seed; }
    for (var looks = 0u; end > 0u && looks < PATIENCE; looks++) {
        // Lanes in the order of the tiles, the last lane at the nearest one. Before tile 0 there is nothing.
        var state = TileState(INCLUSIVE_SUM, neutral());
        if (end + t.lane >= width) { state = load_state(word_of(end + t.lane - width, 0u)); }
        // The last lane without an aggregate is where the window begins: with its inclusive sum, or behind it where it has none yet.
        let behind_inclusive = lanes_through_last(state.flag == INCLUSIVE_SUM, t);
        let behind_missing = lanes_through_last(state.flag == MISSING, t);
        let done = behind_inclusive > behind_missing;
        let begin = select(behind_missing, behind_inclusive - 1u, done);
        if (t.lane < begin) { state.value = neutral(); }
        sum = join(subgroup_total(state.value, t), sum);
        end = select(end - (width - begin), 0u, done);
    }
    if (end == 0u) { publish(tile, TileState(INCLUSIVE_SUM, join(sum, total)), t); }
    if (t.lane == 0u) {
        wg_prefix = sum;
        wg_turn.missing = end - 1u;  // Or NO_TILE.
    }
}
