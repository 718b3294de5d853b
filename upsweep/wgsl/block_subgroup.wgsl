// Block scan on subgroups of any size, equal or not. Each subgroup owns a contiguous part of the tile, scanned in registers; row k of it is as
// wide as the subgroup.
#import subgroup_parts

// As tile_scan, within this subgroup's part of the tile; gives the part's total.
fn part_scan(t: Thread) -> E {
    var run = neutral();
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = row_inclusive(row[k]);
        let inclusive = subgroup_inclusive(row_last(row[k]), t);
        prior[k] = join(run, subgroup_exclusive(inclusive, row_last(row[k]), t));
        run = join(run, subgroup_last(inclusive, t));
    }
    return run;
}

fn tile_scan(t: Thread) -> E { return parts_scan(part_scan(t), t); }

// As tile_scan_rows, likewise.
fn part_scan_rows(t: Thread) -> E {
    var run = neutral();
    #unroll
    for (var k = 0u; k < ROWS; k++) {
#if VEC4
        row[k] = row_inclusive(row[k]);
        let own = row_last(row[k]);
        let inclusive = subgroup_inclusive(own, t);
        row[k] = seeded_row(join(run, subgroup_exclusive(inclusive, own, t)), row[k]);
        run = join(run, subgroup_last(inclusive, t));
#else
        let inclusive = subgroup_inclusive(row[k], t);
        if (INCLUSIVE) {
            row[k] = join(run, inclusive);
            run = subgroup_last(row[k], t);
        } else {
            row[k] = join(run, subgroup_exclusive(inclusive, row[k], t));
            run = join(run, subgroup_last(inclusive, t));
        }
#endif
    }
    return run;
}

fn tile_scan_rows(t: Thread) -> E { return parts_scan(part_scan_rows(t), t); }
