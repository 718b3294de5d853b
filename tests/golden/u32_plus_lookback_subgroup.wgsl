// upsweep scan_lookback T=u32 op=plus block=256 rows=4 vec=4 exclusive block_scan=subgroup subgroups=native:8..32 dialect=standard states:read_write src:read dst:read_write
enable subgroups;
diagnostic(off, subgroup_uniformity);
const BLOCK = 256u;
const ROWS = 4u;
const VEC = 4u;
const TILE = 4096u;
const INCLUSIVE = false;
const SUBGROUP_SIZE = 8u;
const SUBGROUP_STEPS = 5u;
const PARTS = 32u;
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
fn shuffle(value: E, by: u32, t: Thread) -> E { return subgroupShuffle(value, by); }
fn shuffle_up(value: E, by: u32, t: Thread) -> E { return subgroupShuffleUp(value, by); }
fn subgroup_scan_builtin(e: E) -> E { return subgroupInclusiveAdd(e); }
fn subgroup_total_builtin(e: E) -> E { return subgroupAdd(e); }
@group(0) @binding(0) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> src: array<V>;
@group(0) @binding(2) var<storage, read_write> dst: array<V>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
@group(0) @binding(3) var<uniform> params: Params;
const HALVES = 2u;
const WINDOW = 32u;
const SPIN_LIMIT = 64u;
const PATIENCE = 1024u;
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
    @builtin(subgroup_invocation_id) lane: u32,
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
// Block scan on subgroups of any size, equal or not. Each subgroup owns a contiguous part of the tile, scanned in registers; row k of it is as
// wide as the subgroup.
// The second half of a block scan on subgroups: all of them scan the subgroups' totals side by side, so that one barrier is enough.
// Workgroup memory: PARTS elements.
// Native subgroups. Not assumed is which invocations share one: subgroups number themselves as they arrive at a workgroup counter, and an invocation's
// place in the tile follows from that number. With FULL_SUBGROUPS the device has one subgroup size, of which the workgroup is a multiple; otherwise no
// size is assumed, nor that subgroups are full, only that the active lanes of a subgroup are 0, 1, 2, ... without a gap.

var<workgroup> wg_arrivals: atomic<u32>;

struct Thread {
    lane: u32,
    size: u32,       // Active lanes of this subgroup.
    first: u32,      // Invocations in the subgroups before this one.
    subgroup: u32,   // Its number.
    subgroups: u32,  // In this workgroup.
}

fn thread(i: Invocation) -> Thread {
    if (i.index == 0u) { atomicStore(&wg_arrivals, 0u); }
    workgroupBarrier();
    let size = subgroupAdd(1u);
    var ticket = 0u;
    if (i.lane == 0u) { ticket = atomicAdd(&wg_arrivals, 0x10000u + size); }  // Low half: invocations, high half: subgroups.
    ticket = subgroupBroadcastFirst(ticket);
    workgroupBarrier();
    return Thread(i.lane, size, ticket & 0xffffu, ticket >> 16u, atomicLoad(&wg_arrivals) >> 16u);
}

fn subgroup_width(t: Thread) -> u32 { return t.size; }
fn subgroup_count(t: Thread) -> u32 { return t.subgroups; }
fn invocations_before(t: Thread) -> u32 { return t.first; }

// The last lane that it holds for, plus one; 0: it holds for none.
fn lanes_through_last(holds: bool, t: Thread) -> u32 {
    return firstLeadingBit(subgroupBallot(holds).x) + 1u;
}
// Scans within a subgroup. `shuffle` and `shuffle_up` of E are the prelude's (native) or emulated.

fn subgroup_inclusive(value: E, t: Thread) -> E {
    return subgroup_scan_builtin(value);
}

// What comes before `value`, from its inclusive scan.
fn subgroup_exclusive(inclusive: E, value: E, t: Thread) -> E {
    return undo(inclusive, value);
}

fn subgroup_last(inclusive: E, t: Thread) -> E { return shuffle(inclusive, subgroup_width(t) - 1u, t); }

fn subgroup_total(value: E, t: Thread) -> E {
    return subgroup_total_builtin(value);
}

var<private> prior_0: E;
var<private> prior_1: E;
var<private> prior_2: E;
var<private> prior_3: E;
var<private> tile_before: E;
var<workgroup> wg_parts: array<E, PARTS>;

fn row_position(k: u32, t: Thread) -> u32 { return invocations_before(t) * ROWS + t.lane + k * subgroup_width(t); }

// `run` is the total of this subgroup's part; sets tile_before to what precedes the part and gives the tile's total.
fn parts_scan(run: E, t: Thread) -> E {
    if (t.lane == 0u) { wg_parts[t.subgroup] = run; }
    workgroupBarrier();
    var total = neutral();
    tile_before = neutral();
    for (var first = 0u; first < subgroup_count(t); first += subgroup_width(t)) {
        var part = neutral();
        if (first + t.lane < subgroup_count(t)) { part = wg_parts[first + t.lane]; }
        let inclusive = subgroup_inclusive(part, t);
        let before = join(total, subgroup_exclusive(inclusive, part, t));
        let own = shuffle(before, min(t.subgroup - min(first, t.subgroup), subgroup_width(t) - 1u), t);
        if (t.subgroup >= first && t.subgroup - first < subgroup_width(t)) { tile_before = own; }
        total = join(total, subgroup_last(inclusive, t));
    }
    return total;
}

// As tile_scan, within this subgroup's part of the tile; gives the part's total.
fn part_scan(t: Thread) -> E {
    var run = neutral();
{
        row_0 = row_inclusive(row_0);
        let inclusive = subgroup_inclusive(row_last(row_0), t);
        prior_0 = join(run, subgroup_exclusive(inclusive, row_last(row_0), t));
        run = join(run, subgroup_last(inclusive, t));
}
{
        row_1 = row_inclusive(row_1);
        let inclusive = subgroup_inclusive(row_last(row_1), t);
        prior_1 = join(run, subgroup_exclusive(inclusive, row_last(row_1), t));
        run = join(run, subgroup_last(inclusive, t));
}
{
        row_2 = row_inclusive(row_2);
        let inclusive = subgroup_inclusive(row_last(row_2), t);
        prior_2 = join(run, subgroup_exclusive(inclusive, row_last(row_2), t));
        run = join(run, subgroup_last(inclusive, t));
}
{
        row_3 = row_inclusive(row_3);
        let inclusive = subgroup_inclusive(row_last(row_3), t);
        prior_3 = join(run, subgroup_exclusive(inclusive, row_last(row_3), t));
        run = join(run, subgroup_last(inclusive, t));
}
    return run;
}

fn tile_scan(t: Thread) -> E { return parts_scan(part_scan(t), t); }

// As tile_scan_rows, likewise.
fn part_scan_rows(t: Thread) -> E {
    var run = neutral();
{
        row_0 = row_inclusive(row_0);
        let own = row_last(row_0);
        let inclusive = subgroup_inclusive(own, t);
        row_0 = seeded_row(join(run, subgroup_exclusive(inclusive, own, t)), row_0);
        run = join(run, subgroup_last(inclusive, t));
}
{
        row_1 = row_inclusive(row_1);
        let own = row_last(row_1);
        let inclusive = subgroup_inclusive(own, t);
        row_1 = seeded_row(join(run, subgroup_exclusive(inclusive, own, t)), row_1);
        run = join(run, subgroup_last(inclusive, t));
}
{
        row_2 = row_inclusive(row_2);
        let own = row_last(row_2);
        let inclusive = subgroup_inclusive(own, t);
        row_2 = seeded_row(join(run, subgroup_exclusive(inclusive, own, t)), row_2);
        run = join(run, subgroup_last(inclusive, t));
}
{
        row_3 = row_inclusive(row_3);
        let own = row_last(row_3);
        let inclusive = subgroup_inclusive(own, t);
        row_3 = seeded_row(join(run, subgroup_exclusive(inclusive, own, t)), row_3);
        run = join(run, subgroup_last(inclusive, t));
}
    return run;
}

fn tile_scan_rows(t: Thread) -> E { return parts_scan(part_scan_rows(t), t); }
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

fn fetch(at: u32) -> Stored { return src[at]; }

// first_of: the first `valid` elements of a row, and nothing behind them.
fn read_row(at: u32) -> Row { return lift_row(fetch(at), at * 4u); }
fn first_of(r: Row, valid: u32) -> Row { return select(neutral_row(), r, among(valid)); }

// A row whose first `valid` elements exist.
fn read_part(at: u32, valid: u32) -> Row { return first_of(read_row(at), valid); }

var<private> row_0: Row;
var<private> row_1: Row;
var<private> row_2: Row;
var<private> row_3: Row;

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
{
            row_2 = read_row(first + row_position(2u, t));
}
{
            row_3 = read_row(first + row_position(3u, t));
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
{
            let at = first + row_position(2u, t);
            let before = at * VEC;
            row_2 = neutral_row();
            if (before + VEC <= count) {
                row_2 = read_row(at);
            } else if (before < count) {
                row_2 = read_part(at, count - before);
            }
}
{
            let at = first + row_position(3u, t);
            let before = at * VEC;
            row_3 = neutral_row();
            if (before + VEC <= count) {
                row_3 = read_row(at);
            } else if (before < count) {
                row_3 = read_part(at, count - before);
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

fn withheld(tile: u32) -> bool { return false; }

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
    return false;
}

// Both kinds of look-back give, called by the whole workgroup:
//   fn publish(tile, state, t)               what a tile of this workgroup's has
//   fn publish_recomputed(tile, state, t)    what one of another workgroup's has, which look_back missed
//   fn look_back(tile, seed, again, state, t)
//       wg_prefix: what comes before `tile`, and wg_turn.missing: NO_TILE; or that is a tile which must be recomputed and published before
//       the same call is made `again`, with the state of it. For NO_TILE nothing is looked for.
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
    recomputed_whole = true;
}

// In place it waits until all words have arrived.
fn publish_inclusive(tile: u32, sum: E, t: Thread) {
    if (tile == 0u || withheld(tile)) { return; }
    for (var h = t.lane; h < HALVES; h += subgroup_width(t)) { atomicStore(&states[word_of(tile, h)], half_of(sum, h) | INCLUSIVE_SUM); }
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
var<private> held_2: Row;
var<private> held_3: Row;

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
{
        row_2 = seeded_inclusive(tile_before, row_2);
}
{
        row_3 = seeded_inclusive(tile_before, row_3);
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
{
        held_2 = row_2;
}
{
        held_3 = row_3;
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
{
            write_row(tile * TILE_ROWS + row_position(2u, t), seeded_inclusive(before, held_2));
}
{
            write_row(tile * TILE_ROWS + row_position(3u, t), seeded_inclusive(before, held_3));
}
    } else {
{
            store_row(tile, row_position(0u, t), count, seeded_inclusive(before, held_0));
}
{
            store_row(tile, row_position(1u, t), count, seeded_inclusive(before, held_1));
}
{
            store_row(tile, row_position(2u, t), count, seeded_inclusive(before, held_2));
}
{
            store_row(tile, row_position(3u, t), count, seeded_inclusive(before, held_3));
}
    }
}

fn finish(sum: E) {
}
