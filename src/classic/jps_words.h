/// classic/jps_words.h: words of 4 x 4 x 4 bits, numbered as a brick's voxels, moved by one along an axis.
#ifndef VNI_CLASSIC_JPS_WORDS_H
#define VNI_CLASSIC_JPS_WORDS_H

#include "base/assert.h"

#include <stdint.h>

/// By axis: bits of the row through bit 0, of the plane through it, and of the lower three planes.
static const uint64_t vni_jps_row_bits[3] = {0xfu, 0x1111u, 0x0001000100010001u};
static const uint64_t vni_jps_first_plane[3] = {0x1111111111111111u, 0x000f000f000f000fu, 0xffffu};
static const uint64_t vni_jps_lower_planes[3] = {0x7777777777777777u, 0x0fff0fff0fff0fffu,
                                                 0x0000ffffffffffffu};

/// At each place the bit of the place one lower on the axis; 0 at the first plane.
static inline uint64_t vni_jps_raise(int axis, uint64_t word) {
    return (word & vni_jps_lower_planes[axis]) << (1u << (2 * axis));
}

/// At each place the bit of the place one higher; 0 at the last plane.
static inline uint64_t vni_jps_lower(int axis, uint64_t word) {
    return word >> (1u << (2 * axis)) & vni_jps_lower_planes[axis];
}

/// The last plane, where the first one is; and the other way round.
static inline uint64_t vni_jps_last_to_first(int axis, uint64_t word) {
    return word >> (3u << (2 * axis)) & vni_jps_first_plane[axis];
}
static inline uint64_t vni_jps_first_to_last(int axis, uint64_t word) {
    return (word & vni_jps_first_plane[axis]) << (3u << (2 * axis));
}

/// Bits of the plane through coordinate `at` (its two low bits count).
static inline uint64_t vni_jps_plane(int axis, int32_t at) {
    VNI_ASSERT(axis >= 0 && axis < 3);
    return vni_jps_first_plane[axis] << ((uint32_t)(at & 3) << (2 * axis));
}

#endif
