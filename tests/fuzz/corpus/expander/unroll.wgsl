#import other
var<private> x: array<u32, TWO>;
#if YES
fn kernel() {
    #unroll
    for (var k = 0u; k < TWO; k++) {
        x[k] = k;  // k
    }
}
#else
#if !NO
#endif
#endif
