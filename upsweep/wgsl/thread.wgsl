// Where an invocation stands in its grid. What is uniform in a workgroup and what is not live in two structs, so that the uniformity analysis
// of a compiler can tell them apart.
struct Group {
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
}

struct Invocation {
    @builtin(local_invocation_index) index: u32,
#if NATIVE_SUBGROUPS
    @builtin(subgroup_invocation_id) lane: u32,
#endif
}

// The grid may be folded over y and z when it is longer than a dimension can be.
fn group_index(g: Group) -> u32 { return g.id.x + g.grid.x * (g.id.y + g.grid.y * g.id.z); }
fn group_count(g: Group) -> u32 { return g.grid.x * g.grid.y * g.grid.z; }

fn divide_up(a: u32, b: u32) -> u32 { return a / b + select(0u, 1u, a % b != 0u); }
