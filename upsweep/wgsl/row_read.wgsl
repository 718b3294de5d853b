// Reading a row. With VECTOR_IO four elements travel as one vector, and the binding must reach to a multiple of four elements.
#if VECTOR_IO
alias Stored = V;
#else
alias Stored = S;
#endif

#if INDEX_ONLY
// The index alone decides.
fn fetch(at: u32) -> Stored { return Stored(); }
#else
#if IN_PLACE
fn fetch(at: u32) -> Stored { return dst[at]; }
#else
fn fetch(at: u32) -> Stored { return src[at]; }
#endif
#endif

#if VEC4
#if VECTOR_IO
fn read_row(at: u32) -> Row { return lift_row(fetch(at), at * 4u); }
#else
fn read_row(at: u32) -> Row {
    return lift_row(V(fetch(at * 4u), fetch(at * 4u + 1u), fetch(at * 4u + 2u), fetch(at * 4u + 3u)), at * 4u);
}
#endif
// A row whose first `valid` elements exist; nothing behind them.
fn read_part(at: u32, valid: u32) -> Row { return select(neutral_row(), read_row(at), among(valid)); }
#else
fn read_row(at: u32) -> Row { return lift(fetch(at), at); }
fn read_part(at: u32, valid: u32) -> Row { return read_row(at); }
#endif
