// Partition: every element has a place; in its part, as many are before it as of its part come before it.
#if THREE_WAY
fn place_of(own: E, before: E, at: u32, all: E, count: u32) -> u32 {
    if (own.x != 0u) { return before.x; }
    if (own.y != 0u) { return all.x + before.y; }
    return all.x + all.y + (at - before.x - before.y);
}
#else
#if REVERSED
fn place_of(own: E, before: E, at: u32, all: E, count: u32) -> u32 { return select(count - 1u - (at - before), before, own != 0u); }
#else
fn place_of(own: E, before: E, at: u32, all: E, count: u32) -> u32 { return select(all + (at - before), before, own != 0u); }
#endif
#endif
fn has_place(own: E, place: u32, at: u32, count: u32) -> bool { return at < count; }
