// Compaction: only what is kept has a place; nothing behind the count is.
fn place_of(own: E, before: E, at: u32, all: E, count: u32) -> u32 { return before; }
#if CAPACITY
fn has_place(own: E, place: u32, at: u32, count: u32) -> bool { return own != 0u && place < constants[0]; }
#else
fn has_place(own: E, place: u32, at: u32, count: u32) -> bool { return own != 0u; }
#endif
