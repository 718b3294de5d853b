// upsweep scan_tiles T=f16 op=max block=256 rows=1 vec=4 exclusive block_scan=hillis_steele subgroups=none dialect=standard in_place PREFIX dst:read_write partials:read
enable f16;
const BLOCK = 256u;
const ROWS = 1u;
const VEC = 4u;
const TILE = 1024u;
const INCLUSIVE = false;
alias T = f16;
alias E = u32;
alias S = f16;
alias Seed = f16;
fn neutral() -> E { return u32(0x007fffffu); }
fn join(a: E, b: E) -> E { return max(a, b); }
fn lift_seed(s: Seed) -> E { let bits = bitcast<u32>(f32(s)); return bits ^ (bitcast<u32>(bitcast<i32>(bits) >> u32(31u)) | u32(0x80000000u)); }
fn lower_seed(e: E) -> Seed { let bits = e ^ (bitcast<u32>(bitcast<i32>(~e) >> u32(31u)) | u32(0x80000000u)); return f16(bitcast<f32>(bits)); }
fn lift(s: S, at: u32) -> E { let bits = bitcast<u32>(f32(s)); return bits ^ (bitcast<u32>(bitcast<i32>(bits) >> u32(31u)) | u32(0x80000000u)); }
fn lower(e: E) -> S { let bits = e ^ (bitcast<u32>(bitcast<i32>(~e) >> u32(31u)) | u32(0x80000000u)); return f16(bitcast<f32>(bits)); }
@group(0) @binding(0) var<storage, read_write> dst: array<V>;
@group(0) @binding(1) var<storage, read> partials: array<E>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
@group(0) @binding(2) var<uniform> params: Params;
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
// Hillis and Steele, "Data parallel algorithms", CACM 1986: after the step with distance d every slot holds its last 2d slots. Two buffers, so
// that one barrier a step is enough. Workgroup memory: 2 * SLOTS elements. Barriers: log2(SLOTS) + 1.
const SLOTS = BLOCK * ROWS;
var<workgroup> wg_slots: array<E, 2u * SLOTS>;
var<private> slots_at: u32;  // The half that holds the result: 0 or SLOTS.

fn slot_put(at: u32, value: E) { wg_slots[at] = value; }

fn slots_scan(index: u32) -> E {
    var newest = 0u;
    for (var d = 1u; d < SLOTS; d <<= 1u) {
        workgroupBarrier();
        let spare = SLOTS - newest;
        for (var at = index; at < SLOTS; at += BLOCK) {
            var value = wg_slots[newest + at];
            if (at >= d) { value = join(wg_slots[newest + at - d], value); }
            wg_slots[spare + at] = value;
        }
        newest = spare;
    }
    workgroupBarrier();
    slots_at = newest;
    return wg_slots[newest + SLOTS - 1u];
}

fn slot_exclusive(at: u32) -> E {
    if (at == 0u) { return neutral(); }
    return wg_slots[slots_at + at - 1u];
}

struct Thread {
    index: u32,
}

fn thread(i: Invocation) -> Thread { return Thread(i.index); }
fn row_position(k: u32, t: Thread) -> u32 { return k * BLOCK + t.index; }

var<private> prior_0: E;
var<private> tile_before: E;

fn tile_scan(t: Thread) -> E {
{
        row_0 = row_inclusive(row_0);
        slot_put(row_position(0u, t), row_last(row_0));
}
    let total = slots_scan(t.index);
{
        prior_0 = slot_exclusive(row_position(0u, t));
}
    tile_before = neutral();
    return total;
}

fn tile_scan_rows(t: Thread) -> E {
    let total = tile_scan(t);
{
        row_0 = seeded_row(prior_0, row_0);
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

const TILE_ROWS = BLOCK * ROWS;

fn is_whole(tile: u32, count: u32) -> bool { return count / VEC >= (tile + 1u) * TILE_ROWS; }

// After it: `row` holds the tile's elements, and nothing (neutral) for what lies behind the count.
fn load_tile(tile: u32, count: u32, t: Thread) {
    let first = tile * TILE_ROWS;
    if (is_whole(tile, count)) {
{
            row_0 = read_row(first + row_position(0u, t));
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

fn range_start(group: u32) -> E {
    if (group > 0u) { return partials[group - 1u]; }
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
        carry = join(carry, total);
        workgroupBarrier();  // The block scan's memory is free again.
    }
}
