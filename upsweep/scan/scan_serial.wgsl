// scan_serial - one invocation, one element after the other: the reference for operators that only exist in WGSL.
// reads   src (or dst, in place), initial with SEED        writes   dst, carry_out with CARRY
#import count
#import row_1
#import row_read
#import row_write

@compute @workgroup_size(1)
fn scan_serial(g: Group, i: Invocation) {
    let count = element_count(i);
    var carry = neutral();
#if SEED
    carry = join(carry, lift_seed(initial[0]));
#endif
    for (var at = 0u; at < count; at++) {
        let value = read_row(at);
        let next = join(carry, value);
        if (INCLUSIVE) { write_row(at, next); } else { write_row(at, carry); }
        carry = next;
    }
#if CARRY
    carry_out[0] = lower_seed(carry);
#endif
}
