// Look-back: how the tiles of one dispatch hand their sums on. Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016;
// the recomputation of what a stalled workgroup owes: Smith, Levien and Owens, "Decoupled fallback", SPAA 2025, doi 10.1145/3694906.3743326.
//
// states: [0] the next ticket, and in bit 31 which half of the states this run uses; [1], [2] how many words of half 0 and 1 are in use; [3] how
// many tiles were recomputed, ever; then the two halves. A tile's state is HALVES words, each 16 bits of a sum with a flag: atomics are relaxed, so
// value and flag must share a word. A word goes from 0 to the tile's aggregate (its own sum) to its inclusive sum (with all that comes before it), never
// back; a state counts when its words agree.
// A run leaves its own half used and the other one clean, and the ticket ready for the next run: nobody has to prepare anything.
#import thread

const STATES_BEGIN = 4u;
const FLAGS = 0xc0000000u;
const MISSING = 0u;
const AGGREGATE = 0x40000000u;
const INCLUSIVE_SUM = 0x80000000u;
const NO_TILE = 0xffffffffu;
const RELOADED = 0xfffffffeu;  // No tile either.
const TICKETS = 0x7fffffffu;

// What a workgroup goes by in a turn.
struct Turn {
    missing: u32,  // The tile whose aggregate does not come and has to be computed here, or NO_TILE.
    ticket: u32,   // The next tile.
}
var<workgroup> wg_turn: Turn;
var<workgroup> wg_prefix: E;  // What comes before the tile that look_back was called for.
var<workgroup> wg_held_total: E;  // The sum of the tile that is held.
var<workgroup> wg_states_begin: u32;  // This run's half.

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
        wg_states_begin = STATES_BEGIN + (ticket >> 31u) * ((arrayLength(&states) - STATES_BEGIN) / 2u);
        wg_turn.ticket = ticket;
    }
    return min(workgroupUniformLoad(&wg_turn).ticket & TICKETS, tiles);
}

// The tile after `tile` comes in wg_turn.ticket.
fn draw_next(tile: u32, tiles: u32, groups: u32, i: Invocation) {
    if (i.index != 0u || tile >= tiles) { return; }
    if (tiles > groups) { wg_turn.ticket = draw(tiles, groups); } else { wg_turn.ticket = NO_TILE; }
}

// Cleans the half that the run before has used, which nobody reads now.
fn clean_other_half(g: Group, i: Invocation) {
    let words = (arrayLength(&states) - STATES_BEGIN) / 2u;
    let half = select(1u, 0u, wg_states_begin == STATES_BEGIN);
    let other = STATES_BEGIN + (1u - half) * words;
    let used = atomicLoad(&states[2u - half]);
    for (var at = group_index(g) * BLOCK + i.index; at < used; at += group_count(g) * BLOCK) { atomicStore(&states[other + at], 0u); }
}

#if WITHHOLD_FIRST
fn withheld(tile: u32) -> bool { return tile == 0u; }
#else
#if WITHHOLD_SECOND
fn withheld(tile: u32) -> bool { return tile % 2u == 1u; }
#else
#if WITHHOLD_ALL
fn withheld(tile: u32) -> bool { return true; }
#else
fn withheld(tile: u32) -> bool { return false; }
#endif
#endif
#endif

fn word_of(tile: u32, h: u32) -> u32 { return wg_states_begin + tile * HALVES + h; }

// What a tile publishes when it has been summed: tile 0 its inclusive sum at once.
fn state_of(tile: u32, total: E, seed: E) -> TileState {
    if (tile == 0u) { return TileState(INCLUSIVE_SUM, join(seed, total)); }
    return TileState(AGGREGATE, total);
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
