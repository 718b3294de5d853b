// Vectors and matrices of a camera: what the examples need and no more. Matrices go by columns, as in WGSL;
// clip space is WebGPU's, with z from 0 to 1.
#pragma once

#include <array>
#include <cmath>

namespace examples {

using Vec3 = std::array<float, 3>;
using Vec4 = std::array<float, 4>;
using Mat4 = std::array<Vec4, 4>;

inline Vec3 add(Vec3 a, Vec3 b, float scale = 1) {
    return {a[0] + b[0] * scale, a[1] + b[1] * scale, a[2] + b[2] * scale};
}
inline float dot(Vec3 a, Vec3 b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec3 unit(Vec3 a) {
    const float length = std::sqrt(dot(a, a));
    return {a[0] / length, a[1] / length, a[2] / length};
}

inline Mat4 product(const Mat4& a, const Mat4& b) {
    Mat4 out{};
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            for (int k = 0; k < 4; ++k) out[column][row] += a[k][row] * b[column][k];
        }
    }
    return out;
}

/// Looks from `eye` at `target`; in view space the camera looks along -z.
inline Mat4 look_at(Vec3 eye, Vec3 target, Vec3 up) {
    const Vec3 z = unit(add(eye, target, -1));
    const Vec3 x = unit(cross(up, z));
    const Vec3 y = cross(z, x);
    return {{{x[0], y[0], z[0], 0},
             {x[1], y[1], z[1], 0},
             {x[2], y[2], z[2], 0},
             {-dot(x, eye), -dot(y, eye), -dot(z, eye), 1}}};
}

/// `angle` is the vertical field of view in radians.
inline Mat4 perspective(float angle, float aspect, float near, float far) {
    const float scale = 1 / std::tan(angle / 2);
    return {{{scale / aspect, 0, 0, 0},
             {0, scale, 0, 0},
             {0, 0, far / (near - far), -1},
             {0, 0, near * far / (near - far), 0}}};
}

/// Shows `width` by `height` units of view space around its axis.
inline Mat4 orthographic(float width, float height, float near, float far) {
    return {{{2 / width, 0, 0, 0},
             {0, 2 / height, 0, 0},
             {0, 0, 1 / (near - far), 0},
             {0, 0, near / (near - far), 1}}};
}

}  // namespace examples
