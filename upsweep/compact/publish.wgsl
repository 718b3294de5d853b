// What one invocation writes about the total. constants: [0] the capacity, [1] the kind of arguments, [2...] the fields as the user gave them, with
// the count's field empty.
fn publish_total(all: E) {
#if THREE_WAY
    totals[0] = all.x;
    totals[1] = all.y;
    var written = all.x;
#else
    totals[0] = all;
    var written = all;
#endif
#if CAPACITY
    written = min(all, constants[0]);
    totals[1] = written;
    totals[2] = select(0u, 1u, all > constants[0]);
#endif
#if ARGUMENTS
    publish_arguments(written);
#endif
}

#if ARGUMENTS
fn publish_arguments(count: u32) {
    let kind = constants[1];
    if (kind == 1u) {
        // As many workgroups as the count needs, folded over x and y where x cannot hold them.
        let groups = divide_up(count, constants[2]);
        let rows = max(divide_up(groups, 65535u), 1u);
        arguments[0] = divide_up(groups, rows);
        arguments[1] = select(rows, 0u, groups == 0u);
        arguments[2] = select(1u, 0u, groups == 0u);
        return;
    }
    let fields = select(5u, 4u, kind <= 3u);
    for (var field = 0u; field < fields; field++) { arguments[field] = constants[2u + field]; }
    // The count is a vertex or index count (field 0) or an instance count (field 1).
    arguments[select(1u, 0u, kind == 2u || kind == 4u)] = count;
}
#endif
