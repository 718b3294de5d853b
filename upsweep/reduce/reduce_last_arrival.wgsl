// reduce_last_arrival - the whole reduction in one dispatch: each workgroup reduces a contiguous range of tiles and publishes the total, and the one that
// arrives last combines all totals in their order: result[0] becomes the seed and the total combined.
// reads   src, initial with SEED        writes   result, states
// The states are those of tile_states, one for each workgroup in place of a tile, and an arrival in place of a ticket.
// Nobody waits for a workgroup that has not arrived. One that has, has published; but atomics are relaxed, so a total may still be on its way. What is
// not there after PATIENCE looks is computed again, in the same lines, so that it has the very bits of its owner's.
// The ranges are those of reduce_tiles in a grid of the same size.
// Workgroup memory: 48 bytes beside the block scan's. Barriers: 3 beside it, and in the last workgroup 3 and a block scan.
#import range_total
#import tile_states

var<workgroup> wg_missing: atomic<u32>;  // The first workgroup whose total is missing, or NO_TILE.

// The invocation's place in the order of the block.
#if SUBGROUP_SCAN
fn place(t: Thread) -> u32 { return invocations_before(t) + t.lane; }
#else
fn place(t: Thread) -> u32 { return t.index; }
#endif

// The range of any workgroup.
fn range_of(group: u32, g: Group, count: u32) -> TileRange { return tiles_of(Group(vec3<u32>(group, 0u, 0u), g.grid), count); }

// Cleans a part of the half that the run before has used, too. `ticket`: any of this run's.
fn publish(group: u32, groups: u32, total: E, ticket: u32, i: Invocation) {
    let own = half_begin(ticket);
    let other = half_begin(~ticket);
    let words = (arrayLength(&states) - STATES_BEGIN) / 2u;
    for (var h = i.index; h < HALVES; h += BLOCK) {
        if (!withheld(group)) { atomicStore(&states[own + group * HALVES + h], half_of(total, h) | AGGREGATE); }
        // The run before may have had more workgroups than this one: chunks share the states.
        for (var at = group * HALVES + h; at < words; at += groups * HALVES) { atomicStore(&states[other + at], 0u); }
    }
}

// Whether all others have arrived. Then nobody else uses states[0] any more, which is made ready for the next run. Called by one invocation.
fn arrive(groups: u32) -> bool {
    let arrival = atomicAdd(&states[0], 1u);
    if ((arrival & TICKETS) != groups - 1u) { return false; }
    wg_states_begin = half_begin(arrival);
    atomicStore(&wg_missing, NO_TILE);
    atomicStore(&states[0], ~(arrival | TICKETS));
    return true;
}

// What the workgroup has published, if it comes in time.
fn awaited_state(group: u32) -> TileState {
    var state = load_state(word_of(group, 0u));
    for (var looks = 1u; looks < PATIENCE && state.flag == MISSING; looks++) { state = load_state(word_of(group, 0u)); }
    return state;
}

// The first workgroup that an invocation misses; NO_TILE: none does.
fn first_missing(misses: bool, group: u32, i: Invocation) -> u32 {
    if (misses) { atomicMin(&wg_missing, group); }
    workgroupBarrier();
    if (i.index == 0u) { wg_turn.missing = atomicExchange(&wg_missing, NO_TILE); }
    return workgroupUniformLoad(&wg_turn).missing;
}

@compute @workgroup_size(BLOCK)
fn reduce_last_arrival(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let groups = group_count(g);
    var ticket = 0u;
    if (i.index < HALVES) { ticket = atomicLoad(&states[0]); }  // Its half stays until this workgroup has arrived.

    var group = group_index(g);  // Whose range is reduced: its own, then each one whose total is missing.
    var arrived = false;
    let share = divide_up(groups, BLOCK);
    var next = min(place(t) * share, groups);  // Of the last workgroup's totals an invocation combines those from here
    let end = min(next + share, groups);       // to here,
    var sum = neutral();                       // with this on their left.
    loop {
        let total = range_total(range_of(group, g, count), count, t);
        if (!arrived) {
            publish(group, groups, total, ticket, i);
            workgroupBarrier();
            if (i.index == 0u) { wg_turn.ticket = select(0u, 1u, arrive(groups)); }
            arrived = workgroupUniformLoad(&wg_turn).ticket == 1u;
            if (!arrived) { break; }
        } else {
            if (i.index == 0u) { atomicAdd(&states[3], 1u); }
            if (next == group && next < end) {
                sum = join(sum, total);
                next++;
            }
        }
        // All have published.
        while (next < end) {
            let state = awaited_state(next);
            if (state.flag == MISSING) { break; }
            sum = join(sum, state.value);
            next++;
        }
        group = first_missing(next < end, next, i);
        if (group == NO_TILE) { break; }
    }
    // All totals have been combined, each by one invocation.
    if (!arrived) { return; }
    sum = block_total(sum, t);
    if (i.index != 0u) { return; }
#if SEED
    sum = join(lift_seed(initial[0]), sum);
#endif
    result[0] = lower_seed(sum);
}
