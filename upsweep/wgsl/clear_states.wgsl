// clear_states - makes the tile states of a look-back ready in scratch memory that may hold anything.
// writes  states
#import thread

@compute @workgroup_size(BLOCK)
fn clear_states(g: Group, i: Invocation) {
    for (var at = group_index(g) * BLOCK + i.index; at < arrayLength(&states); at += group_count(g) * BLOCK) { atomicStore(&states[at], 0u); }
}
