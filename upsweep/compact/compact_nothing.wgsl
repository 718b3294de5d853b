// compact_nothing - the total of an empty input.
// reads   constants with CAPACITY or ARGUMENTS        writes   totals, arguments with ARGUMENTS
#import thread
#import publish

@compute @workgroup_size(1)
fn compact_nothing() { publish_total(neutral()); }
