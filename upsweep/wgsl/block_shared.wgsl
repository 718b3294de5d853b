// Block scans in workgroup memory: the rows' totals lie there in the order of the tile, SLOTS of them, and are scanned in place.
#import thread
#if HILLIS_STEELE
#import hillis_steele
#else
#import blelloch
#endif

struct Thread {
    index: u32,
}

fn thread(i: Invocation) -> Thread { return Thread(i.index); }
fn row_position(k: u32, t: Thread) -> u32 { return k * BLOCK + t.index; }

var<private> prior: array<E, ROWS>;
var<private> tile_before: E;

fn tile_scan(t: Thread) -> E {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = row_inclusive(row[k]);
        slot_put(row_position(k, t), row_last(row[k]));
    }
    let total = slots_scan(t.index);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        prior[k] = slot_exclusive(row_position(k, t));
    }
    tile_before = neutral();
    return total;
}

fn tile_scan_rows(t: Thread) -> E {
    let total = tile_scan(t);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        row[k] = seeded_row(prior[k], row[k]);
    }
    return total;
}
