// upsweep scan_lookback_whole T=u32 op=plus block=256 rows=5 vec=4 shared_rows=1 exclusive block_scan=subgroup subgroups=native:32..32 dialect=standard in_place states:read_write dst:read_write
enable subgroups;
diagnostic(off, subgroup_uniformity);
const BLOCK = 256u;
const ROWS = 5u;
const VEC = 4u;
const TILE = 5120u;
const SHARED_ROWS = 1u;
const INCLUSIVE = false;
const SUBGROUP_SIZE = 32u;
const SUBGROUP_STEPS = 5u;
const PARTS = 8u;
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
@group(0) @binding(1) var<storage, read_write> dst: array<V>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
@group(0) @binding(2) var<uniform> params: Params;
const HALVES = 2u;
const WINDOW = 32u;
const SPIN_LIMIT = 64u;
const PATIENCE = 1024u;
struct TileState { flag: u32, value: E }
fn half_of(e: E, h: u32) -> u32 { var word = e; return select(word & 0xffffu, word >> 16u, h % 2u == 1u); }
fn load_state(at: u32) -> TileState { let h0 = atomicLoad(&states[at + 0u]); let h1 = atomicLoad(&states[at + 1u]); let flag = h0 & FLAGS; let agree = (h1 & FLAGS) == flag; var e: E; e = (h0 & 0xffffu) | (h1 << 16u); return TileState(select(MISSING, flag, agree), e); }
// scan_lookback_whole - a scan of the whole tiles; scan_rest follows.
// reads   src (or dst, in place), initial with SEED        writes   dst, states
//   SEED    the whole scan begins with initial[0]
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
    subgroup: u32,  // The number of the subgroup.
}

fn thread(i: Invocation) -> Thread {
    // Not left to the implicit zero: wgpu-native 29 does not give it on lavapipe and SwiftShader.
    if (i.index == 0u) { atomicStore(&wg_arrivals, 0u); }
    workgroupBarrier();
    var number = 0u;
    if (i.lane == 0u) { number = atomicAdd(&wg_arrivals, 1u); }
    return Thread(i.lane, subgroupBroadcastFirst(number));
}

fn subgroup_width(t: Thread) -> u32 { return SUBGROUP_SIZE; }
fn subgroup_count(t: Thread) -> u32 { return BLOCK / SUBGROUP_SIZE; }
fn invocations_before(t: Thread) -> u32 { return t.subgroup * SUBGROUP_SIZE; }

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
var<private> prior_4: E;
var<private> tile_before: E;
var<workgroup> wg_parts: array<E, PARTS>;

fn row_position(k: u32, t: Thread) -> u32 { return invocations_before(t) * ROWS + t.lane + k * subgroup_width(t); }

// `run` is the total of this subgroup's part; sets tile_before to what precedes the part and gives the tile's total.
fn parts_scan(run: E, t: Thread) -> E {
    if (t.lane == 0u) { wg_parts[t.subgroup] = run; }
    workgroupBarrier();
    var part = neutral();
    if (t.lane < PARTS) { part = wg_parts[t.lane]; }
    let inclusive = subgroup_inclusive(part, t);
    tile_before = shuffle(subgroup_exclusive(inclusive, part, t), t.subgroup, t);
    return subgroup_last(inclusive, t);
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
{
        row_4 = row_inclusive(row_4);
        let inclusive = subgroup_inclusive(row_last(row_4), t);
        prior_4 = join(run, subgroup_exclusive(inclusive, row_last(row_4), t));
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
{
        row_4 = row_inclusive(row_4);
        let own = row_last(row_4);
        let inclusive = subgroup_inclusive(own, t);
        row_4 = seeded_row(join(run, subgroup_exclusive(inclusive, own, t)), row_4);
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

fn fetch(at: u32) -> Stored { return dst[at]; }

// first_of: the first `valid` elements of a row, and nothing behind them.
fn read_row(at: u32) -> Row { return lift_row(fetch(at), at * 4u); }
fn first_of(r: Row, valid: u32) -> Row { return select(neutral_row(), r, among(valid)); }

// A row whose first `valid` elements exist.
fn read_part(at: u32, valid: u32) -> Row { return first_of(read_row(at), valid); }

var<private> row_0: Row;
var<private> row_1: Row;
var<private> row_2: Row;
var<private> row_3: Row;
var<private> row_4: Row;

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
{
            row_4 = read_row(first + row_position(4u, t));
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
{
            let at = first + row_position(4u, t);
            let before = at * VEC;
            row_4 = neutral_row();
            if (before + VEC <= count) {
                row_4 = read_row(at);
            } else if (before < count) {
                row_4 = read_part(at, count - before);
            }
}
    }
}
// Writing a row, or the first `valid` elements of one: what lies behind the count is the user's and stays as it is.
fn write_row(at: u32, r: Row) { dst[at] = lower_row(r); }
fn write_part(at: u32, valid: u32, r: Row) { dst[at] = select(dst[at], lower_row(r), among(valid)); }
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
// Looking back by one subgroup, for as long as there is patience.
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
    var part = neutral();
    if (t.lane < PARTS) { part = wg_tile_parts[begin + t.lane]; }
    let inclusive = subgroup_inclusive(part, t);
    let before = subgroup_exclusive(inclusive, part, t);
    if (t.lane < PARTS) { wg_tile_parts[begin + t.lane] = before; }
    return subgroup_last(inclusive, t);
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

alias Held = Row;
// Where the rows of a tile wait for what comes before them: in registers, which decide how large a tile can be, and the last SHARED_ROWS of them in
// workgroup memory. The kernel says what waits, by `alias Held`.
var<private> held_0: Held;
var<private> held_1: Held;
var<private> held_2: Held;
var<private> held_3: Held;
var<private> held_4: Held;

var<workgroup> wg_held: array<Held, SHARED_ROWS * BLOCK>;

fn shared_place(k: u32, t: Thread) -> u32 { return (k + SHARED_ROWS - ROWS) * BLOCK + invocations_before(t) + t.lane; }
fn is_shared(k: u32) -> bool { return k >= ROWS - SHARED_ROWS; }
fn hold_shared(k: u32, h: Held, t: Thread) { wg_held[shared_place(k, t)] = h; }
fn held_shared(k: u32, t: Thread) -> Held { return wg_held[shared_place(k, t)]; }

@compute @workgroup_size(BLOCK)
fn scan_lookback_whole(g: Group, i: Invocation) {
    let t = thread(i);
    var seed = neutral();
    look_back_over_whole_tiles(element_count(i), seed, g, i, t);
}

fn load_next(tile: u32, t: Thread) {
    let first = tile * TILE_ROWS + row_position(0u, t);
{
        row_0 = read_row(first + 0u * subgroup_width(t));
}
{
        row_1 = read_row(first + 1u * subgroup_width(t));
}
{
        row_2 = read_row(first + 2u * subgroup_width(t));
}
{
        row_3 = read_row(first + 3u * subgroup_width(t));
}
{
        row_4 = read_row(first + 4u * subgroup_width(t));
}
}

fn sum_loaded(tile: u32, t: Thread) -> E { return part_scan_rows(t); }

fn hold_loaded(t: Thread) {
{
        if (is_shared(0u)) { hold_shared(0u, row_0, t); } else { held_0 = row_0; }
}
{
        if (is_shared(1u)) { hold_shared(1u, row_1, t); } else { held_1 = row_1; }
}
{
        if (is_shared(2u)) { hold_shared(2u, row_2, t); } else { held_2 = row_2; }
}
{
        if (is_shared(3u)) { hold_shared(3u, row_3, t); } else { held_3 = row_3; }
}
{
        if (is_shared(4u)) { hold_shared(4u, row_4, t); } else { held_4 = row_4; }
}
}

fn write_held(tile: u32, count: u32, before: E, t: Thread) {
    let first = tile * TILE_ROWS + row_position(0u, t);
{
        var own = held_0;
        if (is_shared(0u)) { own = held_shared(0u, t); }
        write_row(first + 0u * subgroup_width(t), seeded_inclusive(before, own));
}
{
        var own = held_1;
        if (is_shared(1u)) { own = held_shared(1u, t); }
        write_row(first + 1u * subgroup_width(t), seeded_inclusive(before, own));
}
{
        var own = held_2;
        if (is_shared(2u)) { own = held_shared(2u, t); }
        write_row(first + 2u * subgroup_width(t), seeded_inclusive(before, own));
}
{
        var own = held_3;
        if (is_shared(3u)) { own = held_shared(3u, t); }
        write_row(first + 3u * subgroup_width(t), seeded_inclusive(before, own));
}
{
        var own = held_4;
        if (is_shared(4u)) { own = held_shared(4u, t); }
        write_row(first + 4u * subgroup_width(t), seeded_inclusive(before, own));
}
}
