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

// What comes before `value`, from its inclusive scan.
fn subgroup_exclusive(inclusive: E, value: E, t: Thread) -> E {
#if UNDO
    return undo(inclusive, value);
#else
    let before = shuffle_up(inclusive, 1u, t);
    if (t.lane == 0u) { return neutral(); }
    return before;
#endif
}

fn subgroup_last(inclusive: E, t: Thread) -> E { return shuffle(inclusive, subgroup_width(t) - 1u, t); }

fn subgroup_total(value: E, t: Thread) -> E {
#if SUBGROUP_BUILTIN
    return subgroup_total_builtin(value);
#else
    return subgroup_last(subgroup_inclusive(value, t), t);
#endif
}
