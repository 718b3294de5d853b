/* the later one */
const eps = 1e-5f;
fn helper(a: T) -> T { return a; }
fn combine(a: T, b: T) -> T {
    if (a > b) { return helper(a); }
    return b;  // or not
}
