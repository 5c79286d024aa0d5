/// voxelise/fill_exact.h: decides exactly on which side of a line a point lies, for coordinates of up to 62
/// bits.
#ifndef VNI_VOXELISE_FILL_EXACT_H
#define VNI_VOXELISE_FILL_EXACT_H

#include "geom/vec.h"

/// 128-bit product from 32-bit halves. No sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) < 2^64.
///
///         a1 a0 * b1 b0 =   a1 b1 << 64  +  (a1 b0 + a0 b1) << 32  +  a0 b0
static inline void vni_multiply_wide(uint64_t a, uint64_t b, uint64_t* high, uint64_t* low) {
    uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (middle & 0xffffffffu);
    *high = a1 * b1 + (middle >> 32) + (other >> 32);
    *low = a * b;
}

static inline int vni_sign(int64_t a) {
    return (a > 0) - (a < 0);
}

static inline uint64_t vni_magnitude(int64_t a) {
    return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

/// Sign of a b - c d by 128-bit products.
static inline int vni_difference_sign_wide(int64_t a, int64_t b, int64_t c, int64_t d) {
    int left = vni_sign(a) * vni_sign(b), right = vni_sign(c) * vni_sign(d);
    if (left != right)
        return left > right ? 1 : -1;

    uint64_t left_high, left_low, right_high, right_low;
    vni_multiply_wide(vni_magnitude(a), vni_magnitude(b), &left_high, &left_low);
    vni_multiply_wide(vni_magnitude(c), vni_magnitude(d), &right_high, &right_low);
    if (left_high != right_high)
        return left_high > right_high ? left : -left;

    return left_low > right_low ? left : left_low < right_low ? -left : 0;
}

/// The same. A filter in doubles decides nearly all cases: four conversions, two products and a difference
/// err by less than 2^-50 of the sum of magnitudes.
static inline int vni_difference_sign(int64_t a, int64_t b, int64_t c, int64_t d) {
    double left = (double)a * (double)b, right = (double)c * (double)d;
    double bound = (vni_abs(left) + vni_abs(right)) * 0x1p-50;
    if (left - right > bound)
        return 1;
    if (right - left > bound)
        return -1;

    return vni_difference_sign_wide(a, b, c, d);
}

#endif
