// The first dispatch of lookback_then_rest: the whole tiles. What happens seldom has no place here, for registers decide how many rows an invocation can
// hold: left to the rest (lookback_rest) are a tile that is not whole, and each whose workgroup waits in vain for what comes before it. A tile is finished
// once its inclusive sum has been published and its results written, or it is as it was.
// Workgroups draw tiles by ticket, so that a tile waits only for tiles that running workgroups have. A workgroup has two at once, one summed and waiting
// for what comes before it (held), one on its way from memory (loaded). It publishes the sum of the second without waiting for what it looks back for,
// so that its successors seldom wait.
// The kernel gives, each called by the whole workgroup:
//   fn load_next(tile, t)                    the whole tile is on its way
//   fn sum_loaded(tile, t) -> E              scans this subgroup's part of it and gives the part's sum
//   fn hold_loaded(t)                        makes room for the next to be loaded
//   fn write_held(tile, count, before, t)    `before`: all that comes before this subgroup's part
#import lookback_window

// Of the tile that is held and the one that is loaded; of a third, since an invocation may still read what was held while others go on to the next.
const SIDES = 3u;
var<workgroup> wg_tile_parts: array<E, SIDES * PARTS>;  // The parts' sums, then what comes before each in the tile.
var<workgroup> wg_tile_totals: array<E, SIDES>;

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

fn look_back_over_whole_tiles(count: u32, seed: E, g: Group, i: Invocation, t: Thread) {
    let tiles = count / TILE;
    var tile = first_whole_tile(i);
    var held_tile = NO_TILE;
    var side = 0u;  // Of the tile that is loaded.
    var held_side = 0u;
    // The subgroups 0 and 1, where there are two, take turns: one scans and publishes the loaded tile, the other one looks back for the held one. So each
    // publishes both sums of a tile, and stores of one invocation to one word keep their order.
    let second = min(1u, subgroup_count(t) - 1u);
    var publisher = 0u;
    if (tile < tiles) { load_next(tile, t); }
    clean_other_half(g, i);
    loop {
        if (tile >= tiles && held_tile == NO_TILE) { break; }
        if (tile < tiles) {
            draw(i);
            let part = sum_loaded(tile, t);
            if (t.lane == 0u) { wg_tile_parts[side * PARTS + t.subgroup] = part; }
        }
        workgroupBarrier();
        if (t.subgroup == publisher && tile < tiles) {
            let total = scan_tile_parts(side * PARTS, t);
            if (t.lane == 0u) { wg_tile_totals[side] = total; }
            if (!withheld(tile)) { publish(tile, state_of(tile, total, seed), t); }
        }
        if (t.subgroup == second - publisher) {
            if (held_tile == NO_TILE || withheld(held_tile)) {
                if (t.lane == 0u) { wg_turn.missing = held_tile; }
            } else {
                look_back(held_tile, seed, wg_tile_totals[held_side], t);
            }
        }
        let turn = workgroupUniformLoad(&wg_turn);
        if (held_tile != NO_TILE && turn.missing == NO_TILE) {
            write_held(held_tile, count, join(wg_prefix, wg_tile_parts[held_side * PARTS + t.subgroup]), t);
            if (i.index == 0u) { atomicAdd(&states[4], 1u); }
        }
        if (tile < tiles) {
            hold_loaded(t);
            held_tile = tile;
            tile = turn.ticket & TICKETS;
        } else {
            held_tile = NO_TILE;
        }
        publisher = second - publisher;
        held_side = side;
        side = (side + 1u) % SIDES;
        if (tile < tiles) { load_next(tile, t); }
    }
}
