// The loop of a kernel whose tiles look back. Workgroups draw tiles by ticket, so that a tile waits only for tiles that running workgroups have.
// Pipelined: a workgroup has two tiles at once, one summed and waiting for what comes before it (held), one on its way from memory (loaded). It publishes
// the sum of the second before it looks back for the first, so that its successors seldom wait.
// The kernel gives, each called by the whole workgroup:
//   fn load_next(tile, count, t)             the tile is on its way; nothing comes for one that is not there
//   fn sum_loaded(tile, count, t) -> E       scans it, as far as can be without what comes before, and gives its sum
//   fn hold_loaded()                         makes room for the next to be loaded
//   fn write_held(tile, count, before, t)
//   fn finish(sum)                           called by one invocation of all: the sum of everything
#import lookback

fn look_back_over_tiles(count: u32, seed: E, g: Group, i: Invocation, t: Thread) {
    let tiles = divide_up(count, TILE);
    let groups = group_count(g);
    var tile = first_tile(tiles, groups, i);
    var held_tile = NO_TILE;
    var missing = NO_TILE;  // Being recomputed: it is the one that is loaded, for now. RELOADED: it has been, and `tile` is loaded again.
    load_next(tile, count, t);
    clean_other_half(g, i);
    loop {
        if (tile >= tiles && held_tile == NO_TILE) { break; }
        if (missing == NO_TILE) { draw_next(tile, tiles, groups, i); }
        // One place for both, so that a recomputed sum has the very bits of its owner's.
        let loaded = select(tile, missing, missing < RELOADED);
        var total = neutral();
        if (loaded < tiles) {
            total = sum_loaded(loaded, count, t);
        } else {
            workgroupBarrier();  // wg_prefix has been read.
        }
        let state = state_of(loaded, total, seed);
        if (missing < RELOADED) {
            publish_recomputed(missing, state, t);
        } else if (tile < tiles) {
            publish(tile, state, t);
        }
        look_back(held_tile, seed, missing < RELOADED, state, t);
        let turn = workgroupUniformLoad(&wg_turn);

        if (turn.missing != NO_TILE) {
            missing = turn.missing;
            load_next(missing, count, t);
            continue;
        }
        if (held_tile != NO_TILE) {
            write_held(held_tile, count, wg_prefix, t);
            if (i.index == 0u && held_tile == tiles - 1u) { finish(join(wg_prefix, wg_held_total)); }
        }
        if (missing < RELOADED) {
            missing = RELOADED;
            held_tile = NO_TILE;
        } else {
            hold_loaded();
            held_tile = select(NO_TILE, tile, tile < tiles);
            if (i.index == 0u) { wg_held_total = total; }
            if (tile < tiles) { tile = min(turn.ticket & TICKETS, tiles); }
            missing = NO_TILE;
        }
        load_next(tile, count, t);
    }
    if (tiles == 0u && i.index == 0u && group_index(g) == 0u) { finish(seed); }
}
