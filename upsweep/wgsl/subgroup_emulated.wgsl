// Subgroups of SUBGROUP_SIZE invocations that are made of workgroup memory and barriers: every size on every device, for tests.
#import thread

struct Thread {
    index: u32,
    lane: u32,
    subgroup: u32,
}

var<workgroup> wg_lanes: array<E, BLOCK>;

fn thread(i: Invocation) -> Thread {
    return Thread(i.index, i.index % SUBGROUP_SIZE, i.index / SUBGROUP_SIZE);
}

fn invocations_before(t: Thread) -> u32 { return t.subgroup * SUBGROUP_SIZE; }
fn subgroup_width(t: Thread) -> u32 { return SUBGROUP_SIZE; }
fn subgroup_count(t: Thread) -> u32 { return BLOCK / SUBGROUP_SIZE; }

fn shuffle(value: E, lane: u32, t: Thread) -> E {
    workgroupBarrier();
    wg_lanes[t.index] = value;
    workgroupBarrier();
    return wg_lanes[invocations_before(t) + lane];
}

fn shuffle_up(value: E, distance: u32, t: Thread) -> E { return shuffle(value, t.lane - min(t.lane, distance), t); }
