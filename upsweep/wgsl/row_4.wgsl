// A row of four consecutive elements, held as a vector.
alias V = vec4<S>;
alias Row = vec4<E>;

fn neutral_row() -> Row { return Row(neutral(), neutral(), neutral(), neutral()); }
fn row_of(e: E) -> Row { return Row(e, neutral(), neutral(), neutral()); }
fn row_inclusive(r: Row) -> Row {
    let y = join(r.x, r.y);
    let z = join(y, r.z);
    return Row(r.x, y, z, join(z, r.w));
}
fn row_last(r: Row) -> E { return r.w; }
fn row_total(r: Row) -> E { return join(join(r.x, r.y), join(r.z, r.w)); }
// r is already inclusive within itself.
fn seeded_inclusive(seed: E, r: Row) -> Row { return Row(join(seed, r.x), join(seed, r.y), join(seed, r.z), join(seed, r.w)); }
fn seeded_exclusive(seed: E, r: Row) -> Row { return Row(seed, join(seed, r.x), join(seed, r.y), join(seed, r.z)); }
fn seeded_row(seed: E, r: Row) -> Row {
    if (INCLUSIVE) { return seeded_inclusive(seed, r); }
    return seeded_exclusive(seed, r);
}

// `at` is the index of the first of them.
fn lift_row(v: V, at: u32) -> Row {
    return Row(lift(v.x, at), lift(v.y, at + 1u), lift(v.z, at + 2u), lift(v.w, at + 3u));
}
fn lower_row(r: Row) -> V { return V(lower(r.x), lower(r.y), lower(r.z), lower(r.w)); }
// The places of a row that are among its first `valid` ones.
fn among(valid: u32) -> vec4<bool> { return vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(valid); }
