// The second half of a block scan on subgroups: all of them scan the subgroups' totals side by side, so that one barrier is enough.
// Workgroup memory: PARTS elements.
#if NATIVE_SUBGROUPS
#import subgroup
#else
#import subgroup_emulated
#endif
#import subgroup_scan

var<private> prior: array<E, ROWS>;
var<private> tile_before: E;
var<workgroup> wg_parts: array<E, PARTS>;

fn row_position(k: u32, t: Thread) -> u32 { return invocations_before(t) * ROWS + t.lane + k * subgroup_width(t); }

// `run` is the total of this subgroup's part; sets tile_before to what precedes the part and gives the tile's total.
fn parts_scan(run: E, t: Thread) -> E {
    if (t.lane == 0u) { wg_parts[t.subgroup] = run; }
    workgroupBarrier();
#if FEW_PARTS
    var part = neutral();
    if (t.lane < PARTS) { part = wg_parts[t.lane]; }
    let inclusive = subgroup_inclusive(part, t);
    tile_before = shuffle(subgroup_exclusive(inclusive, part, t), t.subgroup, t);
    return subgroup_last(inclusive, t);
#else
    var total = neutral();
    tile_before = neutral();
    for (var first = 0u; first < subgroup_count(t); first += subgroup_width(t)) {
        var part = neutral();
        if (first + t.lane < subgroup_count(t)) { part = wg_parts[first + t.lane]; }
        let inclusive = subgroup_inclusive(part, t);
        let before = join(total, subgroup_exclusive(inclusive, part, t));
        let own = shuffle(before, min(t.subgroup - min(first, t.subgroup), subgroup_width(t) - 1u), t);
        if (t.subgroup >= first && t.subgroup - first < subgroup_width(t)) { tile_before = own; }
        total = join(total, subgroup_last(inclusive, t));
    }
    return total;
#endif
}
