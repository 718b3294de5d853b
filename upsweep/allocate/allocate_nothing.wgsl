// allocate_nothing - the total of no items.
// writes   totals
@compute @workgroup_size(1)
fn allocate_nothing() {
    totals[0] = 0u;
    totals[1] = 0u;
}
