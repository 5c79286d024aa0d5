/// classic/jps_words.h: words of 4 x 4 x 4 bits, numbered as a brick's voxels, moved by one along an axis.
///
/// Bit x + 4 y + 16 z is voxel (x, y, z), so a step along axis a is a shift by 4^a = 1 << 2a:
///
///      z = 0              z = 1                 x: shift by 1
///   y  12 13 14 15     28 29 30 31              y: shift by 4
///   ^   8  9 10 11     24 25 26 27   ...        z: shift by 16
///   |   4  5  6  7     20 21 22 23
///   |   0  1  2  3     16 17 18 19
///   +-----> x
///
/// A shift carries the last plane of the axis into its neighbours' first one (bit 3 would become bit 4, which
/// is the next row), so it is masked: lower_planes are the bits that may move up without leaving the brick.
#ifndef VNI_CLASSIC_JPS_WORDS_H
#define VNI_CLASSIC_JPS_WORDS_H

#include "base/assert.h"

#include <stdint.h>

/// By axis: bits of the row through bit 0, of the plane through it, and of the lower three planes.
static const uint64_t vni_jps_row_bits[3] = {0xfu, 0x1111u, 0x0001000100010001u};
static const uint64_t vni_jps_first_plane[3] = {0x1111111111111111u, 0x000f000f000f000fu, 0xffffu};
static const uint64_t vni_jps_lower_planes[3] = {0x7777777777777777u, 0x0fff0fff0fff0fffu,
                                                 0x0000ffffffffffffu};

/// Each bit gets the value of the one below it on the axis; the first plane becomes 0.
static inline uint64_t vni_jps_raise(int axis, uint64_t word) {
    return (word & vni_jps_lower_planes[axis]) << (1u << (2 * axis));
}

/// Each bit gets the value of the one above it; the last plane becomes 0.
static inline uint64_t vni_jps_lower(int axis, uint64_t word) {
    return word >> (1u << (2 * axis)) & vni_jps_lower_planes[axis];
}

/// The last plane moved to the first, and the first to the last: what crosses into the next brick.
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
