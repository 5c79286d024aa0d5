/// geom/morton.h: Morton codes (Morton 1966) of three 21-bit coordinates.
///
/// Bits are interleaved, ... z1 y1 x1 z0 y0 x0: bit i of x is bit 3 i of the code, of y 3 i + 1, of z 3 i
/// + 2. Codes order the cells of an octree by levels: all cells of a cube of 2^k are consecutive.
#ifndef VNI_GEOM_MORTON_H
#define VNI_GEOM_MORTON_H

#include <stdint.h>

/// Moves bit i to bit 3 i: each step splits the groups in halves and doubles the gaps.
///
///     x                                     ... fedc ba98 7654 3210
///     groups of 8                  fedcba98 ................ 76543210
///     of 4             fedc ........ ba98 ........ 7654 ........ 3210       and so on, down to single bits
static inline uint64_t vni_morton_spread(uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

/// The inverse: moves bit 3 i to bit i, dropping all others.
static inline uint32_t vni_morton_gather(uint64_t x) {
    x &= 0x1249249249249249u;
    x = (x | x >> 2) & 0x10c30c30c30c30c3u;
    x = (x | x >> 4) & 0x100f00f00f00f00fu;
    x = (x | x >> 8) & 0x001f0000ff0000ffu;
    x = (x | x >> 16) & 0x001f00000000ffffu;
    return (uint32_t)((x | x >> 32) & 0x1fffff);
}

static inline uint64_t vni_morton_encode(uint32_t x, uint32_t y, uint32_t z) {
    return vni_morton_spread(x) | vni_morton_spread(y) << 1 | vni_morton_spread(z) << 2;
}

static inline void vni_morton_decode(uint64_t code, uint32_t* x, uint32_t* y, uint32_t* z) {
    *x = vni_morton_gather(code);
    *y = vni_morton_gather(code >> 1);
    *z = vni_morton_gather(code >> 2);
}

#endif
