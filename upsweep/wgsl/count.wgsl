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
