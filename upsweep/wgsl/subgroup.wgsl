// Native subgroups. No size is assumed, nor that subgroups are full, nor which invocations share one: subgroups number themselves as they arrive at
// a workgroup counter, and an invocation's place in the tile follows from that number. Assumed is only that the active lanes of a subgroup are
// 0, 1, 2, ... without a gap.
#import thread

struct Thread {
    lane: u32,
    size: u32,       // Active lanes of this subgroup.
    first: u32,      // Invocations in the subgroups before this one.
    subgroup: u32,   // Its number.
    subgroups: u32,  // In this workgroup.
}

var<workgroup> wg_arrivals: atomic<u32>;  // Low half: invocations, high half: subgroups.

fn thread(i: Invocation) -> Thread {
    // Not left to the implicit zero: wgpu-native 29 does not give it on lavapipe and SwiftShader.
    if (i.index == 0u) { atomicStore(&wg_arrivals, 0u); }
    workgroupBarrier();
    let size = subgroupAdd(1u);
    var ticket = 0u;
    if (i.lane == 0u) { ticket = atomicAdd(&wg_arrivals, 0x10000u + size); }
    ticket = subgroupBroadcastFirst(ticket);
    workgroupBarrier();
    return Thread(i.lane, size, ticket & 0xffffu, ticket >> 16u, atomicLoad(&wg_arrivals) >> 16u);
}

fn subgroup_width(t: Thread) -> u32 { return t.size; }
fn subgroup_count(t: Thread) -> u32 { return t.subgroups; }
