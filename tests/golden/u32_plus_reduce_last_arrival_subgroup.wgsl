// upsweep reduce_last_arrival T=u32 op=plus block=256 rows=2 vec=4 inclusive block_scan=subgroup subgroups=native:32..32 dialect=standard RESULT states:read_write src:read result:read_write
enable subgroups;
diagnostic(off, subgroup_uniformity);
const BLOCK = 256u;
const ROWS = 2u;
const VEC = 4u;
const TILE = 2048u;
const INCLUSIVE = true;
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
@group(0) @binding(1) var<storage, read> src: array<V>;
@group(0) @binding(2) var<storage, read_write> result: array<Seed>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
@group(0) @binding(3) var<uniform> params: Params;
const HALVES = 2u;
const WINDOW = 32u;
const SPIN_LIMIT = 64u;
const PATIENCE = 1024u;
struct TileState { flag: u32, value: E }
fn half_of(e: E, h: u32) -> u32 { var word = e; return select(word & 0xffffu, word >> 16u, h % 2u == 1u); }
fn load_state(at: u32) -> TileState { let h0 = atomicLoad(&states[at + 0u]); let h1 = atomicLoad(&states[at + 1u]); let flag = h0 & FLAGS; let agree = (h1 & FLAGS) == flag; var e: E; e = (h0 & 0xffffu) | (h1 << 16u); return TileState(select(MISSING, flag, agree), e); }
// reduce_last_arrival - the whole reduction in one dispatch: each workgroup reduces a contiguous range of tiles and publishes the total, and the one that
// arrives last combines all totals in their order: result[0] becomes the seed and the total combined.
// reads   src, initial with SEED        writes   result, states
// The states are those of tile_states, one for each workgroup in place of a tile, and an arrival in place of a ticket.
// Nobody waits for a workgroup that has not arrived. One that has, has published; but atomics are relaxed, so a total may still be on its way. What is
// not there after PATIENCE looks is computed again, in the same lines, so that it has the very bits of its owner's.
// The ranges are those of reduce_tiles in a grid of the same size.
// Workgroup memory: 48 bytes beside the block scan's. Barriers: 3 beside it, and in the last workgroup 3 and a block scan.
// The total of a range of tiles.
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

// The total of one value an invocation, in the order of the block.
fn block_total(value: E, t: Thread) -> E {
{
        row_0 = neutral_row();
        if (0u == 0u) { row_0 = row_of(value); }
}
{
        row_1 = neutral_row();
        if (1u == 0u) { row_1 = row_of(value); }
}
    return tile_scan(t);
}

// Called by the whole workgroup; neutral for a range without tiles.
fn range_total(range: TileRange, count: u32, t: Thread) -> E {
    var total = neutral();
    // Each invocation reduces its own rows of all tiles; one block scan at the end puts them together.
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
{
            total = join(total, row_total(row_0));
}
{
            total = join(total, row_total(row_1));
}
    }
    total = block_total(total, t);
    return total;
}
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

var<workgroup> wg_missing: atomic<u32>;  // The first workgroup whose total is missing, or NO_TILE.

// The invocation's place in the order of the block.
fn place(t: Thread) -> u32 { return invocations_before(t) + t.lane; }

// The range of any workgroup.
fn range_of(group: u32, g: Group, count: u32) -> TileRange { return tiles_of(Group(vec3<u32>(group, 0u, 0u), g.grid), count); }

// Cleans a part of the half that the run before has used, too. `ticket`: any of this run's.
fn publish(group: u32, groups: u32, total: E, ticket: u32, i: Invocation) {
    let own = half_begin(ticket);
    let other = half_begin(~ticket);
    let words = (arrayLength(&states) - STATES_BEGIN) / 2u;
    for (var h = i.index; h < HALVES; h += BLOCK) {
        if (!withheld(group)) { atomicStore(&states[own + group * HALVES + h], half_of(total, h) | AGGREGATE); }
        // The run before may have had more workgroups than this one: chunks share the states.
        for (var at = group * HALVES + h; at < words; at += groups * HALVES) { atomicStore(&states[other + at], 0u); }
    }
}

// Whether all others have arrived. Then nobody else uses states[0] any more, which is made ready for the next run. Called by one invocation.
fn arrive(groups: u32) -> bool {
    let arrival = atomicAdd(&states[0], 1u);
    if ((arrival & TICKETS) != groups - 1u) { return false; }
    wg_states_begin = half_begin(arrival);
    atomicStore(&wg_missing, NO_TILE);
    atomicStore(&states[0], ~(arrival | TICKETS));
    return true;
}

// What the workgroup has published, if it comes in time.
fn awaited_state(group: u32) -> TileState {
    var state = load_state(word_of(group, 0u));
    for (var looks = 1u; looks < PATIENCE && state.flag == MISSING; looks++) { state = load_state(word_of(group, 0u)); }
    return state;
}

// The first workgroup that an invocation misses; NO_TILE: none does.
fn first_missing(misses: bool, group: u32, i: Invocation) -> u32 {
    if (misses) { atomicMin(&wg_missing, group); }
    workgroupBarrier();
    if (i.index == 0u) { wg_turn.missing = atomicExchange(&wg_missing, NO_TILE); }
    return workgroupUniformLoad(&wg_turn).missing;
}

@compute @workgroup_size(BLOCK)
fn reduce_last_arrival(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let groups = group_count(g);
    var ticket = 0u;
    if (i.index < HALVES) { ticket = atomicLoad(&states[0]); }  // Its half stays until this workgroup has arrived.

    var group = group_index(g);  // Whose range is reduced: its own, then each one whose total is missing.
    var arrived = false;
    let share = divide_up(groups, BLOCK);
    var next = min(place(t) * share, groups);  // Of the last workgroup's totals an invocation combines those from here
    let end = min(next + share, groups);       // to here,
    var sum = neutral();                       // with this on their left.
    loop {
        let total = range_total(range_of(group, g, count), count, t);
        if (!arrived) {
            publish(group, groups, total, ticket, i);
            workgroupBarrier();
            if (i.index == 0u) { wg_turn.ticket = select(0u, 1u, arrive(groups)); }
            arrived = workgroupUniformLoad(&wg_turn).ticket == 1u;
            if (!arrived) { break; }
        } else {
            if (i.index == 0u) { atomicAdd(&states[3], 1u); }
            if (next == group && next < end) {
                sum = join(sum, total);
                next++;
            }
        }
        // All have published.
        while (next < end) {
            let state = awaited_state(next);
            if (state.flag == MISSING) { break; }
            sum = join(sum, state.value);
            next++;
        }
        group = first_missing(next < end, next, i);
        if (group == NO_TILE) { break; }
    }
    // All totals have been combined, each by one invocation.
    if (!arrived) { return; }
    sum = block_total(sum, t);
    if (i.index != 0u) { return; }
    result[0] = lower_seed(sum);
}
