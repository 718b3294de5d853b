// A row of one element: types that are structs or vectors themselves, and operators without an identity.
alias V = S;
alias Row = E;

fn neutral_row() -> Row { return neutral(); }
fn row_of(e: E) -> Row { return e; }
fn row_inclusive(r: Row) -> Row { return r; }
fn row_last(r: Row) -> E { return r; }
fn row_total(r: Row) -> E { return r; }
fn seeded_inclusive(seed: E, r: Row) -> Row { return join(seed, r); }
fn seeded_exclusive(seed: E, r: Row) -> Row { return seed; }
fn seeded_row(seed: E, r: Row) -> Row {
    if (INCLUSIVE) { return seeded_inclusive(seed, r); }
    return seeded_exclusive(seed, r);
}
