// reduce_nothing - the result of an empty input.
// reads   initial with SEED        writes   result
@compute @workgroup_size(1)
fn reduce_nothing() {
#if SEED
    result[0] = lower_seed(lift_seed(initial[0]));
#else
    result[0] = lower_seed(neutral());
#endif
}
