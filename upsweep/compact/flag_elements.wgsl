// flag_elements - the condition of each element as a number, an invocation for each.
// reads   src                      writes   flags
#import thread

@compute @workgroup_size(BLOCK)
fn flag_elements(g: Group, i: Invocation) {
    let at = group_index(g) * BLOCK + i.index;
    if (at < params.count) { flags[at] = lift(src[at], at); }
}
