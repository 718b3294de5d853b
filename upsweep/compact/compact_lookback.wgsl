// compact_lookback - what the condition holds for moves to where it belongs in one dispatch.
// reads   src with ITEMS, flags with a condition in a buffer, constants with CAPACITY or ARGUMENTS
// writes  dst with ELEMENTS, indices with INDICES, totals, states, arguments with ARGUMENTS
// The sums are how many elements are kept. With HELD_ITEMS the elements wait in registers; larger ones are read again when they are moved.
#import count
#import block
#import row_1
#import place
#import read_item
#import publish
#import lookback_loop

#if HELD_ITEMS
var<private> item: array<S, ROWS>;
var<private> held_item: array<S, ROWS>;
#endif
var<private> row: array<Row, ROWS>;
#if BALLOT
var<private> kept: u32;  // A bit for each row: a ballot gives the ranks again.
var<private> held_kept: u32;
#else
var<private> held_row: array<Row, ROWS>;
var<private> held_prior: array<E, ROWS>;
#endif
var<private> held_before: E;

@compute @workgroup_size(BLOCK)
fn compact_lookback(g: Group, i: Invocation) {
    let t = thread(i);
    look_back_over_tiles(element_count(i), neutral(), g, i, t);
}

fn load_next(tile: u32, count: u32, t: Thread) {
#if HELD_ITEMS
    if (count / TILE > tile) {
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            item[k] = src[tile * TILE + row_position(k, t)];
        }
    } else {
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            let at = tile * TILE + row_position(k, t);
            if (at < count) { item[k] = src[at]; }
        }
    }
#endif
}

fn sum_loaded(tile: u32, count: u32, t: Thread) -> E {
#if BALLOT
    kept = 0u;
    var run = 0u;
#endif
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let at = tile * TILE + row_position(k, t);
        var own = neutral();
#if HELD_ITEMS
        if (at < count) { own = lift(item[k], at); }
#else
        if (at < count) { own = lift(read_item(at), at); }
#endif
#if BALLOT
        run += ones_in(subgroupBallot(own != 0u));
        kept |= own << k;
#else
        row[k] = own;
#endif
    }
#if BALLOT
    return parts_scan(run, t);
#else
    return tile_scan(t);
#endif
}

fn hold_loaded() {
    held_before = tile_before;
#if BALLOT
    held_kept = kept;
#endif
    #unroll
    for (var k = 0u; k < ROWS; k++) {
#if !BALLOT
        held_row[k] = row[k];
        held_prior[k] = prior[k];
#endif
#if HELD_ITEMS
        held_item[k] = item[k];
#endif
    }
}

fn write_held(tile: u32, count: u32, before: E, t: Thread) {
    var run = join(before, held_before);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let at = tile * TILE + row_position(k, t);
#if BALLOT
        let own = (held_kept >> k) & 1u;
        let ballot = subgroupBallot(own != 0u);
        let place = place_of(own, run + ones_below(ballot, t.lane), at, neutral(), count);
        run += ones_in(ballot);
#else
        let own = held_row[k];
        let place = place_of(own, join(run, held_prior[k]), at, neutral(), count);
#endif
        if (has_place(own, place, at, count)) {
#if ELEMENTS
#if HELD_ITEMS
            dst[place] = held_item[k];
#else
            dst[place] = src[at];
#endif
#endif
#if INDICES
            indices[place] = params.base + at;
#endif
        }
    }
}

fn finish(sum: E) { publish_total(sum); }
