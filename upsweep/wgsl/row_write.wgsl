// Writing a row, or the first `valid` elements of one: what lies behind the count is the user's and stays as it is.
#if VEC4
#if VECTOR_IO
fn write_row(at: u32, r: Row) { dst[at] = lower_row(r); }
fn write_part(at: u32, valid: u32, r: Row) { dst[at] = select(dst[at], lower_row(r), among(valid)); }
#else
fn write_row(at: u32, r: Row) { write_part(at, 4u, r); }
fn write_part(at: u32, valid: u32, r: Row) {
    let v = lower_row(r);
    dst[at * 4u] = v.x;
    if (valid > 1u) { dst[at * 4u + 1u] = v.y; }
    if (valid > 2u) { dst[at * 4u + 2u] = v.z; }
    if (valid > 3u) { dst[at * 4u + 3u] = v.w; }
}
#endif
#else
fn write_row(at: u32, r: Row) { dst[at] = lower(r); }
fn write_part(at: u32, valid: u32, r: Row) { write_row(at, r); }
#endif
