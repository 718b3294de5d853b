// Look-back in one dispatch that waits for nobody for good: the recomputation of what a stalled workgroup owes, Smith, Levien and Owens, "Decoupled
// fallback", SPAA 2025, doi 10.1145/3694906.3743326.
#import tile_states

const RELOADED = 0xfffffffeu;  // No tile either.
var<workgroup> wg_held_total: E;  // The sum of the tile that is held.

// One invocation draws for its workgroup. Where every tile has a workgroup of its own, each draws once; otherwise until it gets no tile. So the last
// ticket of a run is known, and whoever draws it is the only one left who uses the words before the halves.
fn draw(tiles: u32, groups: u32) -> u32 {
    let ticket = atomicAdd(&states[0], 1u);
    if ((ticket & TICKETS) == select(0u, tiles, tiles > groups) + groups - 1u) {
        let half = ticket >> 31u;
        atomicStore(&states[1u + half], tiles * HALVES);
        atomicStore(&states[0], (1u - half) << 31u);
    }
    return ticket;
}

fn first_tile(tiles: u32, groups: u32, i: Invocation) -> u32 {
    if (i.index == 0u) {
        let ticket = draw(tiles, groups);
        wg_states_begin = half_begin(ticket);
        wg_turn.ticket = ticket;
    }
    return min(workgroupUniformLoad(&wg_turn).ticket & TICKETS, tiles);
}

// The tile after `tile` comes in wg_turn.ticket.
fn draw_next(tile: u32, tiles: u32, groups: u32, i: Invocation) {
    if (i.index != 0u || tile >= tiles) { return; }
    if (tiles > groups) { wg_turn.ticket = draw(tiles, groups); } else { wg_turn.ticket = NO_TILE; }
}

// A word of another workgroup's tile, written if it is still 0. False if the owner has written its inclusive sum there. In place the owner
// overwrites the tile after all words of that have arrived; so where one has not, what was summed here was still whole.
fn write_if_missing(at: u32, word: u32) -> bool {
    loop {
        let was = atomicCompareExchangeWeak(&states[at], 0u, word);
        if (was.exchanged || was.old_value != 0u) { return (was.old_value & FLAGS) != INCLUSIVE_SUM; }
    }
    return false;
}

// In place a withheld tile does publish its inclusive sum, before it is overwritten. Others do not look at it before they have recomputed it, even while
// it is being overwritten.
fn hidden(tile: u32, recomputed: u32) -> bool {
#if IN_PLACE
    return withheld(tile) && tile != recomputed;
#else
    return false;
#endif
}

// Both kinds of look-back give, called by the whole workgroup:
//   fn publish(tile, state, t)               what a tile of this workgroup's has
//   fn publish_recomputed(tile, state, t)    what one of another workgroup's has, which look_back missed
//   fn look_back(tile, seed, again, state, t)
//       wg_prefix: what comes before `tile`, and wg_turn.missing: NO_TILE; or that is a tile which must be recomputed and published before
//       the same call is made `again`, with the state of it. For NO_TILE nothing is looked for.
#if NATIVE_SUBGROUPS
#import lookback_subgroup
#else
#import lookback_block
#endif
