// upsweep clear_states T=u32 op=plus block=256 rows=1 vec=1 inclusive block_scan=blelloch subgroups=none dialect=standard partials states:read_write
const BLOCK = 256u;
const ROWS = 1u;
const VEC = 1u;
const TILE = 256u;
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
fn lift(e: E, at: u32) -> E { return e; }
fn lower(e: E) -> E { return e; }
@group(0) @binding(0) var<storage, read_write> states: array<atomic<u32>>;
struct Params { count: u32, base: u32, limit: u32, level: u32 }
@group(0) @binding(1) var<uniform> params: Params;
// clear_states - makes the tile states of a look-back ready in scratch memory that may hold anything.
// writes  states
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

@compute @workgroup_size(BLOCK)
fn clear_states(g: Group, i: Invocation) {
    for (var at = group_index(g) * BLOCK + i.index; at < arrayLength(&states); at += group_count(g) * BLOCK) { atomicStore(&states[at], 0u); }
}
