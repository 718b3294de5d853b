// Scans within a subgroup. `shuffle` and `shuffle_up` of E are the prelude's (native) or emulated.

fn subgroup_inclusive(value: E, t: Thread) -> E {
#if SUBGROUP_BUILTIN
    return subgroup_scan_builtin(value);
#else
    var scanned = value;
    #unroll
    for (var step = 0u; step < SUBGROUP_STEPS; step++) {
        let before = shuffle_up(scanned, 1u << step, t);
        if (t.lane >= (1u << step)) { scanned = join(before, scanned); }
    }
    return scanned;
#endif
}

// An inclusive scan made exclusive.
fn subgroup_shifted(inclusive: E, t: Thread) -> E {
    let before = shuffle_up(inclusive, 1u, t);
    if (t.lane == 0u) { return neutral(); }
    return before;
}

fn subgroup_last(inclusive: E, t: Thread) -> E { return shuffle(inclusive, t.size - 1u, t); }
