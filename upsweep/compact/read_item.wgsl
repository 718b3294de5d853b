// The element that a condition is about.
#if ITEMS
fn read_item(at: u32) -> S { return src[at]; }
#else
fn read_item(at: u32) -> S { return S(); }  // The index alone decides.
#endif
