// The first dispatch of lookback_then_rest: the whole tiles. What happens seldom has no place here, for registers decide how many rows an invocation can
// hold: left to the rest (lookback_rest) are a tile that is not whole, and each whose workgroup waits in vain for what comes before it. A tile is finished
// once its inclusive sum has been published and its results written, or it is as it was.
// Workgroups draw tiles by ticket, so that a tile waits only for tiles that running workgroups have. A workgroup has two at once, one summed and waiting
// for what comes before it (held), one on its way from memory (loaded). It publishes the sum of the second before it looks back for the first, so that
// its successors seldom wait.
// The kernel gives, each called by the whole workgroup:
//   fn load_next(tile, t)                    the whole tile is on its way
//   fn load_nothing()                        nothing is, to be summed all the same
//   fn sum_loaded(tile, t) -> E              scans this subgroup's part of it and gives the part's sum
//   fn hold_loaded()                         makes room for the next to be loaded
//   fn write_held(tile, count, before, t)    `before`: all that comes before this subgroup's part
#import tile_states

// Two of each, for the tile that is held and the one that is loaded.
var<workgroup> wg_tile_parts: array<E, 2u * PARTS>;  // The parts' sums, then what comes before each in the tile.
var<workgroup> wg_tile_totals: array<E, 2>;

fn draw(i: Invocation) {
    if (i.index == 0u) { wg_turn.ticket = atomicAdd(&states[0], 1u); }
}

fn first_whole_tile(i: Invocation) -> u32 {
    draw(i);
    let ticket = workgroupUniformLoad(&wg_turn).ticket;
    if (i.index == 0u) { wg_states_begin = half_begin(ticket); }
    workgroupBarrier();
    return ticket & TICKETS;
}

// By one subgroup: the tile's sum; its parts are those from `begin` on.
fn scan_tile_parts(begin: u32, t: Thread) -> E {
#if FEW_PARTS
    var part = neutral();
    if (t.lane < PARTS) { part = wg_tile_parts[begin + t.lane]; }
    let inclusive = subgroup_inclusive(part, t);
    let before = subgroup_exclusive(inclusive, part, t);
    if (t.lane < PARTS) { wg_tile_parts[begin + t.lane] = before; }
    return subgroup_last(inclusive, t);
#else
    var total = neutral();
    for (var first = 0u; first < subgroup_count(t); first += subgroup_width(t)) {
        let at = first + t.lane;
        var part = neutral();
        if (at < subgroup_count(t)) { part = wg_tile_parts[begin + at]; }
        let inclusive = subgroup_inclusive(part, t);
        let before = join(total, subgroup_exclusive(inclusive, part, t));
        if (at < subgroup_count(t)) { wg_tile_parts[begin + at] = before; }
        total = join(total, subgroup_last(inclusive, t));
    }
    return total;
#endif
}

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

fn look_back_over_whole_tiles(count: u32, seed: E, g: Group, i: Invocation, t: Thread) {
    let tiles = count / TILE;
    var tile = first_whole_tile(i);
    var held_tile = NO_TILE;
    var side = 0u;  // Of the tile that is loaded.
    if (tile < tiles) { load_next(tile, t); } else { load_nothing(); }
    clean_other_half(g, i);
    loop {
        if (tile >= tiles && held_tile == NO_TILE) { break; }
        if (tile < tiles) { draw(i); }
        let part = sum_loaded(tile, t);
        if (t.lane == 0u) { wg_tile_parts[side * PARTS + t.subgroup] = part; }
        workgroupBarrier();
        if (t.subgroup == 0u) {
            let total = scan_tile_parts(side * PARTS, t);
            if (t.lane == 0u) { wg_tile_totals[side] = total; }
            if (tile < tiles && !withheld(tile)) { publish(tile, state_of(tile, total, seed), t); }
            if (held_tile == NO_TILE || withheld(held_tile)) {
                if (t.lane == 0u) { wg_turn.missing = held_tile; }
            } else {
                look_back(held_tile, seed, wg_tile_totals[1u - side], t);
            }
        }
        let turn = workgroupUniformLoad(&wg_turn);
        side = 1u - side;
        if (held_tile != NO_TILE && turn.missing == NO_TILE) {
            // All lanes read what lane 0 writes in the next turn. There is no barrier between; but it goes into the stores here, which come first in each
            // invocation, and the next turn begins with operations of the whole subgroup.
            write_held(held_tile, count, join(wg_prefix, wg_tile_parts[side * PARTS + t.subgroup]), t);
            if (i.index == 0u) { atomicAdd(&states[4], 1u); }
        }
        hold_loaded();
        held_tile = select(NO_TILE, tile, tile < tiles);
        if (tile < tiles) { tile = turn.ticket & TICKETS; }
        if (tile < tiles) { load_next(tile, t); } else { load_nothing(); }
    }
}
