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
