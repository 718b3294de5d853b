// How many elements this dispatch has: of the whole count the part from params.base on, at most params.limit; at level l of a
// scan over many levels, the number of tiles that the level below has.
#import thread

#if COUNT_BUFFER
var<workgroup> wg_count: u32;
#endif

fn element_count(i: Invocation) -> u32 {
#if COUNT_BUFFER
    if (i.index == 0u) { wg_count = gpu_count[0]; }
    let total = workgroupUniformLoad(&wg_count);
    var count = min(total - min(total, params.base), params.limit);
#else
    var count = params.count;
#endif
    for (var level = 0u; level < params.level; level++) { count = divide_up(count, TILE); }
    return count;
}

// The tiles [first, last) of a workgroup: all tiles divided by the workgroups, rounded up.
struct TileRange {
    first: u32,
    last: u32,
}

fn tiles_of(g: Group, count: u32) -> TileRange {
    let tiles = divide_up(count, TILE);
    let share = divide_up(tiles, group_count(g));
    let first = min(group_index(g), tiles) * share;  // share is 1 where there are more groups than tiles; no product passes 2^32.
    return TileRange(first, min(first + share, tiles));
}
