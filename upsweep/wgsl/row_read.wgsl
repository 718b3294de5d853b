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

// first_of: the first `valid` elements of a row, and nothing behind them.
#if VEC4
#if VECTOR_IO
fn read_row(at: u32) -> Row { return lift_row(fetch(at), at * 4u); }
#else
fn read_row(at: u32) -> Row {
    return lift_row(V(fetch(at * 4u), fetch(at * 4u + 1u), fetch(at * 4u + 2u), fetch(at * 4u + 3u)), at * 4u);
}
#endif
fn first_of(r: Row, valid: u32) -> Row { return select(neutral_row(), r, among(valid)); }
#else
fn read_row(at: u32) -> Row { return lift(fetch(at), at); }
fn first_of(r: Row, valid: u32) -> Row {
    if (valid == 0u) { return neutral_row(); }
    return r;
}
#endif

// A row whose first `valid` elements exist.
fn read_part(at: u32, valid: u32) -> Row { return first_of(read_row(at), valid); }
