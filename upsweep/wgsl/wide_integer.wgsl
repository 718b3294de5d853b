// 64-bit integers as (low word, high word).

fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// The 64-bit product of two words, from their 16-bit halves.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let cross = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let middle = (a & 0xffffu) * (b >> 16u) + (cross & 0xffffu);
    return vec2<u32>((low & 0xffffu) | (middle << 16u), (a >> 16u) * (b >> 16u) + (cross >> 16u) + (middle >> 16u));
}

fn wide_multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return wide_product(a.x, b.x) + vec2<u32>(0u, a.x * b.y + a.y * b.x);
}

fn wide_less(a: vec2<u32>, b: vec2<u32>) -> bool { return a.y < b.y || (a.y == b.y && a.x < b.x); }

fn wide_less_signed(a: vec2<u32>, b: vec2<u32>) -> bool {
    return wide_less(a ^ vec2<u32>(0u, 0x80000000u), b ^ vec2<u32>(0u, 0x80000000u));
}
