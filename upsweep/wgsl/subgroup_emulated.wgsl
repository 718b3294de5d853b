// Subgroups of SUBGROUP_SIZE invocations that are made of workgroup memory and barriers: every size on every device, for tests.
#import thread

struct Thread {
    index: u32,
    lane: u32,
    size: u32,
    first: u32,
    subgroup: u32,
}

var<workgroup> wg_lanes: array<E, BLOCK>;

fn thread(i: Invocation) -> Thread {
    let subgroup = i.index / SUBGROUP_SIZE;
    return Thread(i.index, i.index % SUBGROUP_SIZE, SUBGROUP_SIZE, subgroup * SUBGROUP_SIZE, subgroup);
}

fn subgroup_width(t: Thread) -> u32 { return SUBGROUP_SIZE; }
fn subgroup_count(t: Thread) -> u32 { return BLOCK / SUBGROUP_SIZE; }

fn shuffle(value: E, lane: u32, t: Thread) -> E {
    workgroupBarrier();
    wg_lanes[t.index] = value;
    workgroupBarrier();
    return wg_lanes[t.first + lane];
}

fn shuffle_up(value: E, distance: u32, t: Thread) -> E { return shuffle(value, t.lane - min(t.lane, distance), t); }
