// Native subgroups. Not assumed is which invocations share one: subgroups number themselves as they arrive at a workgroup counter, and an invocation's
// place in the tile follows from that number. With FULL_SUBGROUPS the device has one subgroup size, of which the workgroup is a multiple; otherwise no
// size is assumed, nor that subgroups are full, only that the active lanes of a subgroup are 0, 1, 2, ... without a gap.
#import thread

var<workgroup> wg_arrivals: atomic<u32>;

#if FULL_SUBGROUPS
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
#else
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
#endif

// The last lane that it holds for, plus one; 0: it holds for none.
fn lanes_through_last(holds: bool, t: Thread) -> u32 {
#if SMALL_SUBGROUPS
    return firstLeadingBit(subgroupBallot(holds).x) + 1u;
#else
    return subgroupMax(select(0u, t.lane + 1u, holds));
#endif
}
