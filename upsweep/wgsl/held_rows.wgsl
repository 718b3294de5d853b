// Where the rows of a tile wait for what comes before them: in registers, which decide how large a tile can be, and the last SHARED_ROWS of them in
// workgroup memory. The kernel says what waits, by `alias Held`.
var<private> held: array<Held, ROWS>;

#if SHARED_ROWS
var<workgroup> wg_held: array<Held, SHARED_ROWS * BLOCK>;

fn shared_place(k: u32, t: Thread) -> u32 { return (k + SHARED_ROWS - ROWS) * BLOCK + invocations_before(t) + t.lane; }
fn is_shared(k: u32) -> bool { return k >= ROWS - SHARED_ROWS; }
fn hold_shared(k: u32, h: Held, t: Thread) { wg_held[shared_place(k, t)] = h; }
fn held_shared(k: u32, t: Thread) -> Held { return wg_held[shared_place(k, t)]; }
#else
fn is_shared(k: u32) -> bool { return false; }
fn hold_shared(k: u32, h: Held, t: Thread) {}
fn held_shared(k: u32, t: Thread) -> Held { return Held(); }
#endif
