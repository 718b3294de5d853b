// Blelloch, "Prefix sums and their applications", 1990: the up-sweep builds the tree of totals in place, the down-sweep hands each node what
// lies to its left. With two rows an invocation, each one has a pair at every level at most. SLOTS must be a power of two.
// Workgroup memory: SLOTS elements, and one more for each 32 with PADDED, against bank conflicts (Harris, Sengupta and Owens, GPU Gems 3, 2007).
// Barriers: 2 log2(SLOTS) + 2.
const SLOTS = BLOCK * ROWS;
#if PADDED
const SLOT_WORDS = SLOTS + SLOTS / 32u;
fn slot(at: u32) -> u32 { return at + at / 32u; }
#else
const SLOT_WORDS = SLOTS;
fn slot(at: u32) -> u32 { return at; }
#endif
var<workgroup> wg_slots: array<E, SLOT_WORDS>;
var<workgroup> wg_total: E;

fn slot_put(at: u32, value: E) { wg_slots[slot(at)] = value; }
fn slot_exclusive(at: u32) -> E { return wg_slots[slot(at)]; }

fn slots_scan(index: u32) -> E {
    var offset = 1u;
    for (var pairs = SLOTS / 2u; pairs > 0u; pairs >>= 1u) {
        workgroupBarrier();
        for (var p = index; p < pairs; p += BLOCK) {
            let left = slot(offset * (2u * p + 1u) - 1u);
            let right = slot(offset * (2u * p + 2u) - 1u);
            wg_slots[right] = join(wg_slots[left], wg_slots[right]);
        }
        offset <<= 1u;
    }
    workgroupBarrier();
    if (index == 0u) {
        wg_total = wg_slots[slot(SLOTS - 1u)];
        wg_slots[slot(SLOTS - 1u)] = neutral();
    }
    for (var pairs = 1u; pairs < SLOTS; pairs <<= 1u) {
        offset >>= 1u;
        workgroupBarrier();
        for (var p = index; p < pairs; p += BLOCK) {
            let left = slot(offset * (2u * p + 1u) - 1u);
            let right = slot(offset * (2u * p + 2u) - 1u);
            let below = wg_slots[left];
            wg_slots[left] = wg_slots[right];
            wg_slots[right] = join(wg_slots[right], below);
        }
    }
    workgroupBarrier();
    return wg_total;
}
