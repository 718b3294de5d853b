const N = 3u;
alias Row = vec3<f32>;
struct Inner { @size(16) a: u32, b: vec2h }
struct Mat { rows: array<Row, N>, @align(16) in: array<Inner, 2>, m: mat2x3f, }
