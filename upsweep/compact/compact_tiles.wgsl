// compact_tiles - each workgroup moves what the condition holds for in a contiguous range of tiles to where it belongs.
// reads   src with ITEMS, flags with a condition in a buffer, partials with PREFIX, constants with CAPACITY or ARGUMENTS
// writes  dst with ELEMENTS, indices with INDICES, totals, arguments with ARGUMENTS
// The sums are of u32 (or pairs of them, with three parts): how many elements of each part come before.
#import count
#import block
#import row_1
#import place
#import publish

var<private> row: array<Row, ROWS>;
#if ITEMS
var<private> item: array<S, ROWS>;
#endif

@compute @workgroup_size(BLOCK)
fn compact_tiles(g: Group, i: Invocation) {
    let t = thread(i);
    let count = element_count(i);
    let group = group_index(g);
    let range = tiles_of(g, count);

    var carry = neutral();
    var totals_of_all = neutral();
#if PREFIX
    if (group > 0u) { carry = partials[group - 1u]; }
    totals_of_all = partials[group_count(g) - 1u];
#endif
    for (var tile = range.first; tile < range.last; tile++) {
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            let at = tile * TILE + row_position(k, t);
            row[k] = neutral();
            if (at < count) {
#if ITEMS
                item[k] = src[at];
                row[k] = lift(item[k], at);
#else
                row[k] = lift(S(), at);
#endif
            }
        }
        let total = tile_scan(t);
        let before = join(carry, tile_before);
#if !PREFIX
        totals_of_all = total;  // There is one tile.
#endif
        #unroll
        for (var k = 0u; k < ROWS; k++) {
            let at = tile * TILE + row_position(k, t);
            let place = place_of(row[k], join(before, prior[k]), at, totals_of_all, count);
            if (has_place(row[k], place, at, count)) {
#if ELEMENTS
                dst[place] = item[k];
#endif
#if INDICES
                indices[place] = params.base + at;
#endif
            }
        }
        carry = join(carry, total);
        workgroupBarrier();  // The block scan's memory is free again.
    }
    if (group == 0u && i.index == 0u) { publish_total(totals_of_all); }
}
