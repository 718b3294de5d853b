// Compaction: only what is kept has a place.
fn place_of(own: E, before: E, at: u32, all: E) -> u32 { return before; }
#if CAPACITY
fn has_place(own: E, place: u32) -> bool { return own != 0u && place < constants[0]; }
#else
fn has_place(own: E, place: u32) -> bool { return own != 0u; }
#endif
