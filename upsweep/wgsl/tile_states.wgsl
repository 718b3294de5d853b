// How the tiles of a dispatch hand their sums on. Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016.
//
// states: [0] the next ticket, and in bit 31 which half of the states this run uses; [1], [2] how many words of half 0 and 1 are in use; [3] how
// many tiles were computed again or late, ever; [4] how many are finished, where a rest follows; [5] to [7] nothing, so that a state of 2, 4 or 8 words
// stays within 32 bytes; then the two halves. A tile's state is HALVES words, each 16 bits of a sum with a flag: atomics are relaxed, so value and flag
// must share a word. A word goes from 0 to the tile's aggregate (its own sum) to its inclusive sum (with all that comes before it), never back; a state
// counts when its words agree.
// A run leaves its own half used and the other one clean, and the ticket ready for the next run: nobody has to prepare anything.
// A reduction has a workgroup in place of a tile and an arrival in place of a ticket; there, [1], [2] and [4] are not used, and no sum becomes inclusive.
#import thread

const STATES_BEGIN = 8u;
const FLAGS = 0xc0000000u;
const MISSING = 0u;
const AGGREGATE = 0x40000000u;
const INCLUSIVE_SUM = 0x80000000u;
const NO_TILE = 0xffffffffu;
const TICKETS = 0x7fffffffu;

// What a workgroup goes by in a turn.
struct Turn {
    missing: u32,  // The tile whose aggregate does not come, or NO_TILE.
    ticket: u32,   // The next tile.
}
var<workgroup> wg_turn: Turn;
var<workgroup> wg_prefix: E;  // What comes before the tile that was looked back for.
var<workgroup> wg_states_begin: u32;  // This run's half.

// `ticket`: any of this run's.
fn half_begin(ticket: u32) -> u32 { return STATES_BEGIN + (ticket >> 31u) * ((arrayLength(&states) - STATES_BEGIN) / 2u); }

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
