// upsweep reduce_tiles T=f32 op=last_non_zero block=256 rows=2 vec=4 inclusive block_scan=subgroup subgroups=native:8..32 dialect=naga immediates src:read partials:read_write
const BLOCK = 256u;
const ROWS = 2u;
const VEC = 4u;
const TILE = 2048u;
const INCLUSIVE = true;
const SUBGROUP_SIZE = 8u;
const SUBGROUP_STEPS = 5u;
const PARTS = 32u;
alias T = f32;
alias E = u32;
alias S = u32;
alias Seed = u32;
fn neutral() -> E { return u32(0u); }
fn join(a: E, b: E) -> E { return select(a, b, (b & u32(0x7fffffffu)) != u32()); }
fn lift_seed(s: Seed) -> E { let bits = s; return bits; }
fn lower_seed(e: E) -> Seed { let bits = e; return bits; }
fn lift(s: S, at: u32) -> E { let bits = s; return bits; }
fn lower(e: E) -> S { let bits = e; return bits; }
fn shuffle(value: E, by: u32, t: Thread) -> E { return subgroupShuffle(value, by); }
fn shuffle_up(value: E, by: u32, t: Thread) -> E { return subgroupShuffleUp(value, by); }
@group(0) @binding(0) var<storage, read> src: array<V>;
@group(0) @binding(1) var<storage, read_write> partials: array<E>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
var<immediate> params: Params;
// reduce_tiles - each workgroup reduces a contiguous range of tiles: partials[g] becomes the total of group g's range, neutral if it is empty.
// reads   src, initial with SEED        writes   partials, or with RESULT and one workgroup result[0], the seed and the total combined
// The ranges are those of scan_tiles in a grid of the same size.
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
    var scanned = value;
{
        let before = shuffle_up(scanned, 1u << 0u, t);
        if (t.lane >= (1u << 0u)) { scanned = join(before, scanned); }
}
{
        let before = shuffle_up(scanned, 1u << 1u, t);
        if (t.lane >= (1u << 1u)) { scanned = join(before, scanned); }
}
{
        let before = shuffle_up(scanned, 1u << 2u, t);
        if (t.lane >= (1u << 2u)) { scanned = join(before, scanned); }
}
{
        let before = shuffle_up(scanned, 1u << 3u, t);
        if (t.lane >= (1u << 3u)) { scanned = join(before, scanned); }
}
{
        let before = shuffle_up(scanned, 1u << 4u, t);
        if (t.lane >= (1u << 4u)) { scanned = join(before, scanned); }
}
    return scanned;
}

// What comes before `value`, from its inclusive scan.
fn subgroup_exclusive(inclusive: E, value: E, t: Thread) -> E {
    let before = shuffle_up(inclusive, 1u, t);
    if (t.lane == 0u) { return neutral(); }
    return before;
}

fn subgroup_last(inclusive: E, t: Thread) -> E { return shuffle(inclusive, subgroup_width(t) - 1u, t); }

fn subgroup_total(value: E, t: Thread) -> E {
    return subgroup_last(subgroup_inclusive(value, t), t);
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
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
        total = join(total, tile_scan(t));
        workgroupBarrier();
    }
    return total;
}

@compute @workgroup_size(BLOCK)
fn reduce_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    var total = range_total(tiles_of(g, count), count, t);
    if (i.index == 0u) { partials[group_index(g)] = total; }
}
