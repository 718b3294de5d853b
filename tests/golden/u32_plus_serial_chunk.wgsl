// upsweep scan_serial T=u32 op=plus block=1 rows=1 vec=1 inclusive block_scan=blelloch subgroups=none dialect=standard CARRY SEED src:read dst:read_write initial:read carry_out:read_write
const BLOCK = 1u;
const ROWS = 1u;
const VEC = 1u;
const TILE = 1u;
const INCLUSIVE = true;
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
@group(0) @binding(0) var<storage, read> src: array<S>;
@group(0) @binding(1) var<storage, read_write> dst: array<S>;
@group(0) @binding(2) var<storage, read> initial: array<Seed>;
@group(0) @binding(3) var<storage, read_write> carry_out: array<Seed>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
@group(0) @binding(4) var<uniform> params: Params;
// scan_serial - one invocation, one element after the other: the reference for operators that only exist in WGSL.
// reads   src (or dst, in place), initial with SEED        writes   dst, carry_out with CARRY
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
// Writing a row, or the first `valid` elements of one: what lies behind the count is the user's and stays as it is.
fn write_row(at: u32, r: Row) { dst[at] = lower(r); }
fn write_part(at: u32, valid: u32, r: Row) { write_row(at, r); }

@compute @workgroup_size(1)
fn scan_serial(g: Group, i: Invocation) {
    let count = element_count(i);
    var carry = neutral();
    carry = join(carry, lift_seed(initial[0]));
    for (var at = 0u; at < count; at++) {
        let value = read_row(at);
        let next = join(carry, value);
        if (INCLUSIVE) { write_row(at, next); } else { write_row(at, carry); }
        carry = next;
    }
    carry_out[0] = lower_seed(carry);
}
