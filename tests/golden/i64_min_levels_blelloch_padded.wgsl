// upsweep scan_tiles T=i64 op=min block=256 rows=2 vec=1 exclusive block_scan=blelloch_padded subgroups=none dialect=standard TOTALS src:read dst:read_write partials:read_write
const BLOCK = 256u;
const ROWS = 2u;
const VEC = 1u;
const TILE = 512u;
const INCLUSIVE = false;
alias T = vec2<u32>;
alias E = vec2<u32>;
alias S = vec2<u32>;
alias Seed = vec2<u32>;
fn neutral() -> E { return vec2<u32>(0xffffffffu, 0x7fffffffu); }
fn join(a: E, b: E) -> E { return select(a, b, wide_less_signed(b, a)); }
fn lift_seed(s: Seed) -> E { return s; }
fn lower_seed(e: E) -> Seed { return e; }
fn lift(s: S, at: u32) -> E { return s; }
fn lower(e: E) -> S { return e; }
@group(0) @binding(0) var<storage, read> src: array<S>;
@group(0) @binding(1) var<storage, read_write> dst: array<S>;
@group(0) @binding(2) var<storage, read_write> partials: array<E>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
@group(0) @binding(3) var<uniform> params: Params;
// 64-bit integers as (low word, high word).

fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// The 64-bit product of two words, from their 16-bit halves.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let cross = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let middle = (a & 0xffffu) * (b >> 16u) + (cross & 0xffffu);
    return vec2<u32>((low & 0xffffu) | (middle << 16u), (a >> 16u) * (b >> 16u) + (cross >> 16u) + (middle >> 16u));
}

fn wide_multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return wide_product(a.x, b.x) + vec2<u32>(0u, a.x * b.y + a.y * b.x);
}

fn wide_less(a: vec2<u32>, b: vec2<u32>) -> bool { return a.y < b.y || (a.y == b.y && a.x < b.x); }

fn wide_less_signed(a: vec2<u32>, b: vec2<u32>) -> bool {
    return wide_less(a ^ vec2<u32>(0u, 0x80000000u), b ^ vec2<u32>(0u, 0x80000000u));
}
// scan_tiles - each workgroup scans a contiguous range of tiles, one after the other, carrying the total along.
// reads   src (or dst, in place), partials with PREFIX, initial with SEED        writes   dst, partials with TOTALS, carry_out with CARRY
// The range: the tiles divided by the workgroups, rounded up. With a workgroup for each tile that is one tile; with one workgroup, all.
//   PREFIX  the range of group g > 0 begins with partials[g - 1], the inclusive scan of the ranges' totals
//   SEED    the whole scan begins with initial[0]; partials already hold it
//   TOTALS  the total of group g's range goes to partials[g]
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
const SLOT_WORDS = SLOTS + SLOTS / 32u;
fn slot(at: u32) -> u32 { return at + at / 32u; }
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
// A row of one element: types that are structs or vectors themselves, and operators without an identity.
alias V = S;
alias Row = E;

fn neutral_row() -> Row { return neutral(); }
fn row_of(e: E) -> Row { return e; }
fn row_inclusive(r: Row) -> Row { return r; }
fn row_last(r: Row) -> E { return r; }
fn row_total(r: Row) -> E { return r; }
fn seeded_inclusive(seed: E, r: Row) -> Row { return join(seed, r); }
fn seeded_exclusive(seed: E, r: Row) -> Row { return seed; }
fn seeded_row(seed: E, r: Row) -> Row {
    if (INCLUSIVE) { return seeded_inclusive(seed, r); }
    return seeded_exclusive(seed, r);
}
// Reading a row. With VECTOR_IO four elements travel as one vector, and the binding must reach to a multiple of four elements.
alias Stored = S;

fn fetch(at: u32) -> Stored { return src[at]; }

// first_of: the first `valid` elements of a row, and nothing behind them.
fn read_row(at: u32) -> Row { return lift(fetch(at), at); }
fn first_of(r: Row, valid: u32) -> Row {
    if (valid == 0u) { return neutral_row(); }
    return r;
}

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
fn write_row(at: u32, r: Row) { dst[at] = lower(r); }
fn write_part(at: u32, valid: u32, r: Row) { write_row(at, r); }

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

fn range_start(group: u32) -> E {
    return neutral();
}

@compute @workgroup_size(BLOCK)
fn scan_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let group = group_index(g);
    let range = tiles_of(g, count);

    var carry = range_start(group);
    for (var tile = range.first; tile < range.last; tile++) {
        load_tile(tile, count, t);
        let total = tile_scan_rows(t);
        let seed = join(carry, tile_before);
{
            store_row(tile, row_position(0u, t), count, seeded_inclusive(seed, row_0));
}
{
            store_row(tile, row_position(1u, t), count, seeded_inclusive(seed, row_1));
}
        carry = join(carry, total);
        workgroupBarrier();  // The block scan's memory is free again.
    }
    if (i.index == 0u && range.first < range.last) { partials[group] = carry; }
}
