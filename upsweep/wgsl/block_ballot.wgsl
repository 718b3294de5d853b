// Block scan of ones and zeros on subgroups: a ballot tells each lane how many ones there are below it, without a scan.
#import subgroup_parts

#if SMALL_SUBGROUPS
fn ones_below(ballot: vec4<u32>, lane: u32) -> u32 { return countOneBits(ballot.x & ((1u << lane) - 1u)); }
fn ones_in(ballot: vec4<u32>) -> u32 { return countOneBits(ballot.x); }
#else
// Subgroups of up to 128 lanes: a word for each 32.
fn ones_below(ballot: vec4<u32>, lane: u32) -> u32 {
    let words = vec4<u32>(lane / 32u);
    let part = vec4<u32>((1u << (lane % 32u)) - 1u);
    let index = vec4<u32>(0u, 1u, 2u, 3u);
    let mask = select(select(vec4<u32>(0u), part, index == words), vec4<u32>(0xffffffffu), index < words);
    return ones_in(ballot & mask);
}
fn ones_in(ballot: vec4<u32>) -> u32 {
    let counts = countOneBits(ballot);
    return counts.x + counts.y + counts.z + counts.w;
}
#endif

fn tile_scan(t: Thread) -> E {
    var run = 0u;
    #unroll
    for (var k = 0u; k < ROWS; k++) {
        let ballot = subgroupBallot(row[k] != 0u);
        prior[k] = run + ones_below(ballot, t.lane);
        run += ones_in(ballot);
    }
    return parts_scan(run, t);
}
