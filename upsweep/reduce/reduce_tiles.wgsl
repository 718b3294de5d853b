// reduce_tiles - each workgroup reduces a contiguous range of tiles: partials[g] becomes the total of group g's range, neutral if it is empty.
// reads   src, initial with SEED        writes   partials, or with RESULT and one workgroup result[0], the seed and the total combined
// The ranges are those of scan_tiles in a grid of the same size.
#import range_total

@compute @workgroup_size(BLOCK)
fn reduce_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    var total = range_total(tiles_of(g, count), count, t);
#if RESULT
#if SEED
    total = join(lift_seed(initial[0]), total);
#endif
    if (i.index == 0u) { result[0] = lower_seed(total); }
#else
    if (i.index == 0u) { partials[group_index(g)] = total; }
#endif
}
