// upsweep scan_lookback T=u32 op=plus block=256 rows=2 vec=4 exclusive block_scan=blelloch subgroups=none dialect=naga immediates in_place WITHHOLD_SECOND states:read_write dst:read_write
const BLOCK = 256u;
const ROWS = 2u;
const VEC = 4u;
const TILE = 2048u;
const INCLUSIVE = false;
alias T = u32;
alias E = u32;
alias S = u32;
alias Seed = u32;
fn neutral() -> E { return u32(0u); }
fn join(a: E, b: E) -> E { return a + b; }
fn undo(a: E, b: E) -> E { return a - b; }
fn lift_seed(s: Seed) -> E { return s; }
fn lower_seed(e: E) -> Seed { return e; }
fn lift(s: S, at: u32) -> E { return s; }
fn lower(e: E) -> S { return e; }
@group(0) @binding(0) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> dst: array<V>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
var<immediate> params: Params;
const HALVES = 2u;
const WINDOW = 32u;
const SPIN_LIMIT = 4u;
const PATIENCE = 8u;
struct TileState { flag: u32, value: E }
fn half_of(e: E, h: u32) -> u32 { var word = e; return select(word & 0xffffu, word >> 16u, h % 2u == 1u); }
fn load_state(at: u32) -> TileState { let h0 = atomicLoad(&states[at + 0u]); let h1 = atomicLoad(&states[at + 1u]); let flag = h0 & FLAGS; let agree = (h1 & FLAGS) == flag; var e: E; e = (h0 & 0xffffu) | (h1 << 16u); return TileState(select(MISSING, flag, agree), e); }
// scan_lookback - a scan in one dispatch.
// reads   src (or dst, in place), initial with SEED        writes   dst, states, carry_out with CARRY
//   SEED    the whole scan begins with initial[0]
//   CARRY   what would come next goes to carry_out[0]
// How many elements this dispatch has: of the whole count the part from params.base on, at most params.limit; at level l of a
// scan over many levels, the number of tiles that the level below has.
// Where an invocation stands in its grid. What is uniform in a workgroup and what is not live in two structs, so that the uniformity analysis
// of a compiler can tell them apart.
struct Group {
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
}

struct Invocation {
    @builtin(local_invocation_index) index: u32,
}

// The grid may be folded over y and z when it is longer than a dimension can be.
fn group_index(g: Group) -> u32 { return g.id.x + g.grid.x * (g.id.y + g.grid.y * g.id.z); }
fn group_count(g: Group) -> u32 { return g.grid.x * g.grid.y * g.grid.z; }

fn divide_up(a: u32, b: u32) -> u32 { return a / b + select(0u, 1u, a % b != 0u); }


fn element_count(i: Invocation) -> u32 {
    var count = params.count;
    for (var level = 0u; level < params.level; level++) { count = divide_up(count, TILE); }
    return count;
}

// The tiles [first, last) of a workgroup: all tiles divided by the workgroups, rounded up.
struct TileRange {
    first: u32,
    last: u32,
}

fn tiles_of(g: Group, count: u32) -> TileRange {
    let tiles = divide_up(count, TILE);
    let share = divide_up(tiles, group_count(g));
    let first = min(group_index(g), tiles) * share;  // share is 1 where there are more groups than tiles; no product passes 2^32.
    return TileRange(first, min(first + share, tiles));
}
// A tile from registers into the buffer.
// A tile from the buffer into registers. An invocation holds ROWS rows of it in `row`; the block scan decides which (row_position).
// The block scan of the spec. Each gives:
//   struct Thread, fn thread(i: Invocation) -> Thread      who an invocation is
//   fn row_position(k, t) -> u32                           where in the tile its row k lies
//   var<private> prior: array<E, ROWS>, tile_before: E         set by tile_scan
//   fn tile_scan(t) -> E
//       in:  row, a tile
//       out: each row inclusive within itself; join(tile_before, prior[k]) is what precedes row k in the tile; the tile's total
//   fn tile_scan_rows(t) -> E
//       the same with each row scanned as the kernel's kind of scan wants it within the invocation's part of the tile; `prior` is not set, and
//       join(tile_before, ...) is still to come
// Workgroup memory may be used again after one more workgroupBarrier().
// Block scans in workgroup memory: the rows' totals lie there in the order of the tile, SLOTS of them, and are scanned in place.
// Blelloch, "Prefix sums and their applications", 1990: the up-sweep builds the tree of totals in place, the down-sweep hands each node what
// lies to its left. With two rows an invocation, each one has a pair at every level at most. SLOTS must be a power of two.
// Workgroup memory: SLOTS elements, and one more for each 32 with PADDED, against bank conflicts (Harris, Sengupta and Owens, GPU Gems 3, 2007).
// Barriers: 2 log2(SLOTS) + 2.
const SLOTS = BLOCK * ROWS;
const SLOT_WORDS = SLOTS;
fn slot(at: u32) -> u32 { return at; }
var<workgroup> wg_slots: array<E, SLOT_WORDS>;
var<workgroup> wg_total: E;

fn slot_put(at: u32, value: E) { wg_slots[slot(at)] = value; }
fn slot_exclusive(at: u32) -> E { return wg_slots[slot(at)]; }

fn slots_scan(index: u32) -> E {
    var offset = 1u;
    for (var pairs = SLOTS / 2u; pairs > 0u; pairs >>= 1u) {
        workgroupBarrier();
        for (var p = index; p < pairs; p += BLOCK) {
            let left = slot(offset * (2u * p + 1u) - 1u);
            let right = slot(offset * (2u * p + 2u) - 1u);
            wg_slots[right] = join(wg_slots[left], wg_slots[right]);
        }
        offset <<= 1u;
    }
    workgroupBarrier();
    if (index == 0u) {
        wg_total = wg_slots[slot(SLOTS - 1u)];
        wg_slots[slot(SLOTS - 1u)] = neutral();
    }
    for (var pairs = 1u; pairs < SLOTS; pairs <<= 1u) {
        offset >>= 1u;
        workgroupBarrier();
        for (var p = index; p < pairs; p += BLOCK) {
            let left = slot(offset * (2u * p + 1u) - 1u);
            let right = slot(offset * (2u * p + 2u) - 1u);
            let below = wg_slots[left];
            wg_slots[left] = wg_slots[right];
            wg_slots[right] = join(wg_slots[right], below);
        }
    }
    workgroupBarrier();
    return wg_total;
}

struct Thread {
    index: u32,
}

fn thread(i: Invocation) -> Thread { return Thread(i.index); }
fn row_position(k: u32, t: Thread) -> u32 { return k * BLOCK + t.index; }

var<private> prior_0: E;
var<private> prior_1: E;
var<private> tile_before: E;

fn tile_scan(t: Thread) -> E {
{
        row_0 = row_inclusive(row_0);
        slot_put(row_position(0u, t), row_last(row_0));
}
{
        row_1 = row_inclusive(row_1);
        slot_put(row_position(1u, t), row_last(row_1));
}
    let total = slots_scan(t.index);
{
        prior_0 = slot_exclusive(row_position(0u, t));
}
{
        prior_1 = slot_exclusive(row_position(1u, t));
}
    tile_before = neutral();
    return total;
}

fn tile_scan_rows(t: Thread) -> E {
    let total = tile_scan(t);
{
        row_0 = seeded_row(prior_0, row_0);
}
{
        row_1 = seeded_row(prior_1, row_1);
}
    return total;
}
// A row of four consecutive elements, held as a vector.
alias V = vec4<S>;
alias Row = vec4<E>;

fn neutral_row() -> Row { return Row(neutral(), neutral(), neutral(), neutral()); }
fn row_of(e: E) -> Row { return Row(e, neutral(), neutral(), neutral()); }
fn row_inclusive(r: Row) -> Row {
    let y = join(r.x, r.y);
    let z = join(y, r.z);
    return Row(r.x, y, z, join(z, r.w));
}
fn row_last(r: Row) -> E { return r.w; }
fn row_total(r: Row) -> E { return join(join(r.x, r.y), join(r.z, r.w)); }
// r is already inclusive within itself.
fn seeded_inclusive(seed: E, r: Row) -> Row { return Row(join(seed, r.x), join(seed, r.y), join(seed, r.z), join(seed, r.w)); }
fn seeded_exclusive(seed: E, r: Row) -> Row { return Row(seed, join(seed, r.x), join(seed, r.y), join(seed, r.z)); }
fn seeded_row(seed: E, r: Row) -> Row {
    if (INCLUSIVE) { return seeded_inclusive(seed, r); }
    return seeded_exclusive(seed, r);
}

// `at` is the index of the first of them.
fn lift_row(v: V, at: u32) -> Row {
    return Row(lift(v.x, at), lift(v.y, at + 1u), lift(v.z, at + 2u), lift(v.w, at + 3u));
}
fn lower_row(r: Row) -> V { return V(lower(r.x), lower(r.y), lower(r.z), lower(r.w)); }
// The places of a row that are among its first `valid` ones.
fn among(valid: u32) -> vec4<bool> { return vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(valid); }
// Reading a row. With VECTOR_IO four elements travel as one vector, and the binding must reach to a multiple of four elements.
alias Stored = V;

fn fetch(at: u32) -> Stored { return dst[at]; }

// first_of: the first `valid` elements of a row, and nothing behind them.
fn read_row(at: u32) -> Row { return lift_row(fetch(at), at * 4u); }
fn first_of(r: Row, valid: u32) -> Row { return select(neutral_row(), r, among(valid)); }

// A row whose first `valid` elements exist.
fn read_part(at: u32, valid: u32) -> Row { return first_of(read_row(at), valid); }

var<private> row_0: Row;
var<private> row_1: Row;

const TILE_ROWS = BLOCK * ROWS;

fn is_whole(tile: u32, count: u32) -> bool { return count / VEC >= (tile + 1u) * TILE_ROWS; }

// After it: `row` holds the tile's elements, and nothing (neutral) for what lies behind the count.
fn load_tile(tile: u32, count: u32, t: Thread) {
    let first = tile * TILE_ROWS;
    if (is_whole(tile, count)) {
{
            row_0 = read_row(first + row_position(0u, t));
}
{
            row_1 = read_row(first + row_position(1u, t));
}
    } else {
{
            let at = first + row_position(0u, t);
            let before = at * VEC;
            row_0 = neutral_row();
            if (before + VEC <= count) {
                row_0 = read_row(at);
            } else if (before < count) {
                row_0 = read_part(at, count - before);
            }
}
{
            let at = first + row_position(1u, t);
            let before = at * VEC;
            row_1 = neutral_row();
            if (before + VEC <= count) {
                row_1 = read_row(at);
            } else if (before < count) {
                row_1 = read_part(at, count - before);
            }
}
    }
}
// Writing a row, or the first `valid` elements of one: what lies behind the count is the user's and stays as it is.
fn write_row(at: u32, r: Row) { dst[at] = lower_row(r); }
fn write_part(at: u32, valid: u32, r: Row) { dst[at] = select(dst[at], lower_row(r), among(valid)); }

// Writes one row of the tile where it belongs, as far as the count goes.
fn store_row(tile: u32, position: u32, count: u32, r: Row) {
    let at = tile * TILE_ROWS + position;
    let before = at * VEC;
    if (before + VEC <= count) {
        write_row(at, r);
    } else if (before < count) {
        write_part(at, count - before, r);
    }
}
// The loop of a kernel whose tiles look back. Workgroups draw tiles by ticket, so that a tile waits only for tiles that running workgroups have.
// Pipelined: a workgroup has two tiles at once, one summed and waiting for what comes before it (held), one on its way from memory (loaded). It publishes
// the sum of the second before it looks back for the first, so that its successors seldom wait.
// The kernel gives, each called by the whole workgroup:
//   fn load_next(tile, count, t)             the tile is on its way; nothing comes for one that is not there
//   fn sum_loaded(tile, count, t) -> E       scans it, as far as can be without what comes before, and gives its sum
//   fn hold_loaded()                         makes room for the next to be loaded
//   fn write_held(tile, count, before, t)
//   fn finish(sum)                           called by one invocation of all: the sum of everything
// Look-back in one dispatch that waits for nobody for good: the recomputation of what a stalled workgroup owes, Smith, Levien and Owens, "Decoupled
// fallback", SPAA 2025, doi 10.1145/3694906.3743326.
// How the tiles of a dispatch hand their sums on. Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016.
//
// states: [0] the next ticket, and in bit 31 which half of the states this run uses; [1], [2] how many words of half 0 and 1 are in use; [3] how
// many tiles were computed again or late, ever; [4] how many are finished, where a rest follows; [5] to [7] nothing, so that a state of 2, 4 or 8 words
// stays within 32 bytes; then the two halves. A tile's state is HALVES words, each 16 bits of a sum with a flag: atomics are relaxed, so value and flag
// must share a word. A word goes from 0 to the tile's aggregate (its own sum) to its inclusive sum (with all that comes before it), never back; a state
// counts when its words agree.
// A run leaves its own half used and the other one clean, and the ticket ready for the next run: nobody has to prepare anything.
// A reduction has a workgroup in place of a tile and an arrival in place of a ticket; there, [1], [2] and [4] are not used, and no sum becomes inclusive.

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

fn withheld(tile: u32) -> bool { return tile % 2u == 1u; }

fn word_of(tile: u32, h: u32) -> u32 { return wg_states_begin + tile * HALVES + h; }

// What a tile publishes when it has been summed: tile 0 its inclusive sum at once.
fn state_of(tile: u32, total: E, seed: E) -> TileState {
    if (tile == 0u) { return TileState(INCLUSIVE_SUM, join(seed, total)); }
    return TileState(AGGREGATE, total);
}

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
    return withheld(tile) && tile != recomputed;
}

// Both kinds of look-back give, called by the whole workgroup:
//   fn publish(tile, state, t)               what a tile of this workgroup's has
//   fn publish_recomputed(tile, state, t)    what one of another workgroup's has, which look_back missed
//   fn look_back(tile, seed, again, state, t)
//       wg_prefix: what comes before `tile`, and wg_turn.missing: NO_TILE; or that is a tile which must be recomputed and published before
//       the same call is made `again`, with the state of it. For NO_TILE nothing is looked for.
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
    for (var h = t.index; h < HALVES; h += BLOCK) {
        let was = atomicExchange(&states[word_of(tile, h)], half_of(sum, h) | INCLUSIVE_SUM);
        // What an exchange gives back is never all ones, and must be there to be known.
        if (was == NO_TILE) { wg_turn.ticket = NO_TILE; }
    }
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
        whole = atomicLoad(&wg_recomputed_whole) == 1u;
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

fn look_back_over_tiles(count: u32, seed: E, g: Group, i: Invocation, t: Thread) {
    let tiles = divide_up(count, TILE);
    let groups = group_count(g);
    var tile = first_tile(tiles, groups, i);
    var held_tile = NO_TILE;
    var missing = NO_TILE;  // Being recomputed: it is the one that is loaded, for now. RELOADED: it has been, and `tile` is loaded again.
    load_next(tile, count, t);
    clean_other_half(g, i);
    loop {
        if (tile >= tiles && held_tile == NO_TILE) { break; }
        if (missing == NO_TILE) { draw_next(tile, tiles, groups, i); }
        // One place for both, so that a recomputed sum has the very bits of its owner's.
        let loaded = select(tile, missing, missing < RELOADED);
        var total = neutral();
        if (loaded < tiles) {
            total = sum_loaded(loaded, count, t);
        } else {
            workgroupBarrier();  // wg_prefix has been read.
        }
        let state = state_of(loaded, total, seed);
        if (missing < RELOADED) {
            publish_recomputed(missing, state, t);
        } else if (tile < tiles) {
            publish(tile, state, t);
        }
        look_back(held_tile, seed, missing < RELOADED, state, t);
        let turn = workgroupUniformLoad(&wg_turn);

        if (turn.missing != NO_TILE) {
            missing = turn.missing;
            load_next(missing, count, t);
            continue;
        }
        if (held_tile != NO_TILE) {
            write_held(held_tile, count, wg_prefix, t);
            if (i.index == 0u && held_tile == tiles - 1u) { finish(join(wg_prefix, wg_held_total)); }
        }
        if (missing < RELOADED) {
            missing = RELOADED;
            held_tile = NO_TILE;
        } else {
            hold_loaded();
            held_tile = select(NO_TILE, tile, tile < tiles);
            if (i.index == 0u) { wg_held_total = total; }
            if (tile < tiles) { tile = min(turn.ticket & TICKETS, tiles); }
            missing = NO_TILE;
        }
        load_next(tile, count, t);
    }
    if (tiles == 0u && i.index == 0u && group_index(g) == 0u) { finish(seed); }
}

var<private> held_0: Row;
var<private> held_1: Row;

@compute @workgroup_size(BLOCK)
fn scan_lookback(g: Group, i: Invocation) {
    let t = thread(i);
    var seed = neutral();
    look_back_over_tiles(element_count(i), seed, g, i, t);
}

fn load_next(tile: u32, count: u32, t: Thread) { load_tile(tile, count, t); }

fn sum_loaded(tile: u32, count: u32, t: Thread) -> E {
    let total = tile_scan_rows(t);
    // All that the tile itself adds is in `row` then, and nothing else to be carried along.
{
        row_0 = seeded_inclusive(tile_before, row_0);
}
{
        row_1 = seeded_inclusive(tile_before, row_1);
}
    return total;
}

fn hold_loaded() {
{
        held_0 = row_0;
}
{
        held_1 = row_1;
}
}

fn write_held(tile: u32, count: u32, before: E, t: Thread) {
    if (is_whole(tile, count)) {
{
            write_row(tile * TILE_ROWS + row_position(0u, t), seeded_inclusive(before, held_0));
}
{
            write_row(tile * TILE_ROWS + row_position(1u, t), seeded_inclusive(before, held_1));
}
    } else {
{
            store_row(tile, row_position(0u, t), count, seeded_inclusive(before, held_0));
}
{
            store_row(tile, row_position(1u, t), count, seeded_inclusive(before, held_1));
}
    }
}

fn finish(sum: E) {
}
