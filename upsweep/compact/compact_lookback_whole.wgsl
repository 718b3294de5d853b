// compact_lookback_whole - what the condition holds for moves to where it belongs, in the whole tiles; compact_rest follows.
// reads   src with ITEMS, flags with a condition in a buffer, constants with CAPACITY
// writes  dst with ELEMENTS, indices with INDICES, states
// The sums are how many elements are kept. With HELD_ITEMS the elements wait for their places; larger ones are read again when they are moved.
#import count
#import block
#import row_1
#import place
#import read_item
#import lookback_whole

#if HELD_ITEMS
alias Held = S;
#import held_rows

var<private> item: array<S, ROWS>;
#endif
var<private> row: array<Row, ROWS>;
var<private> kept: u32;  // A bit for each row: a ballot gives the ranks again.
var<private> held_kept: u32;

@compute @workgroup_size(BLOCK)
fn compact_lookback_whole(g: Group, i: Invocation) {
    let t = thread(i);
    look_back_over_whole_tiles(element_count(i), neutral(), g, i, t);
}

fn load_next(tile: u32, t: Thread) {
#if HELD_ITEMS
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        item[k] = read_item(tile * TILE + row_position(k, t));
    }
#endif
}

fn sum_loaded(tile: u32, t: Thread) -> E {
    kept = 0u;
    var run = 0u;
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let at = tile * TILE + row_position(k, t);
#if HELD_ITEMS
        let own = lift(item[k], at);
#else
        let own = lift(read_item(at), at);
#endif
        run += ones_in(subgroupBallot(own != 0u));
        kept |= own << k;
    }
    return run;
}

fn hold_loaded(t: Thread) {
    held_kept = kept;
#if HELD_ITEMS
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        if (is_shared(k)) { hold_shared(k, item[k], t); } else { held[k] = item[k]; }
    }
#endif
}

fn write_held(tile: u32, count: u32, before: E, t: Thread) {
    var run = before;
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let at = tile * TILE + row_position(k, t);
        let own = (held_kept >> k) & 1u;
        let ballot = subgroupBallot(own != 0u);
        let place = place_of(own, run + ones_below(ballot, t.lane), at, neutral(), count);
        run += ones_in(ballot);
        if (has_place(own, place, at, count)) {
#if ELEMENTS
#if HELD_ITEMS
            var kept_item = held[k];
            if (is_shared(k)) { kept_item = held_shared(k, t); }
            dst[place] = kept_item;
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
