// compact_rest - what compact_lookback_whole leaves; one workgroup.
// reads   src with ITEMS, flags with a condition in a buffer, constants with CAPACITY or ARGUMENTS
// writes  dst with ELEMENTS, indices with INDICES, totals, states, arguments with ARGUMENTS
#import count
#import block
#import row_1
#import place
#import read_item
#import publish
#import lookback_rest

var<private> row: array<Row, ROWS>;
var<private> item: array<S, ROWS>;

@compute @workgroup_size(BLOCK)
fn compact_rest(g: Group, i: Invocation) {
    let t = thread(i);
    finish_tiles(element_count(i), neutral(), i, t);
}

// All elements at once: one behind the count comes as the last one.
fn load_left(tile: u32, count: u32, t: Thread) {
    let last = max(count, 1u) - 1u;
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        item[k] = read_item(min(tile * TILE + row_position(k, t), last));
    }
}

fn sum_left(tile: u32, count: u32, t: Thread) -> E {
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let at = tile * TILE + row_position(k, t);
        row[k] = neutral();
        if (at < count) { row[k] = lift(item[k], at); }
    }
    return tile_scan(t);
}

fn write_left(tile: u32, count: u32, before: E, t: Thread) {
    let run = join(before, tile_before);
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let at = tile * TILE + row_position(k, t);
        let place = place_of(row[k], join(run, prior[k]), at, neutral(), count);
        if (has_place(row[k], place, at, count)) {
#if ELEMENTS
            dst[place] = item[k];
#endif
#if INDICES
            indices[place] = params.base + at;
#endif
        }
    }
}

fn finish(sum: E) { publish_total(sum); }
