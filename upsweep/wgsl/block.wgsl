// The block scan of the spec. Each gives:
//   struct Thread, fn thread(i: Invocation) -> Thread      who an invocation is
//   fn row_position(k, t) -> u32                           where in the tile its row k lies
//   var<private> prior: array<E, ROWS>, tile_before: E         set by tile_scan
//   fn tile_scan(t) -> E
//       in:  row, a tile
//       out: each row inclusive within itself; join(tile_before, prior[k]) is what precedes row k in the tile; the tile's total
//   fn tile_scan_rows(t) -> E
//       the same with each row scanned as the kernel's kind of scan wants it within the invocation's part of the tile; `prior` is not set, and
//       join(tile_before, ...) is still to come
// Workgroup memory may be used again after one more workgroupBarrier().
#if SUBGROUP_SCAN
#if BALLOT
#import block_ballot
#else
#import block_subgroup
#endif
#else
#import block_shared
#endif
