/// space/sight.c: line of sight: the leaping walk, and the walk by pieces for segments that lie in a lattice plane.
#include "space/sight.h"
#include "geom/lattice.h"

// Voxels around a point, as bits of a byte: bit dx + 2 dy + 4 dz is the voxel (dx, dy, dz) above the low one.

/// The voxels of the box [low, high] that exist and are free.
static uint32_t free_around(const vni_occupancy* occupancy, const int32_t low[3], const int32_t high[3]) {
    uint32_t mask = 0;
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x)
                if (vni_occupancy_free_at(occupancy, x, y, z))
                    mask |= 1u << ((x - low[0]) + 2 * (y - low[1]) + 4 * (z - low[2]));
    return mask;
}

/// Everything in `free` that can be reached from `reached` over faces.
static uint32_t spread(uint32_t reached, uint32_t free) {
    for (;;) {
        uint32_t grown = reached;
        grown |= (reached & 0x55u) << 1 | (reached & 0xaau) >> 1;
        grown |= (reached & 0x33u) << 2 | (reached & 0xccu) >> 2;
        grown |= (reached & 0x0fu) << 4 | (reached & 0xf0u) >> 4;
        grown &= free;
        if (grown == reached)
            return reached;
        reached = grown;
    }
}

/// Bit of the box `inner` within the box that begins at `outer`.
static uint32_t shift_of(const int32_t outer[3], const int32_t inner[3]) {
    return (uint32_t)((inner[0] - outer[0]) + 2 * (inner[1] - outer[1]) + 4 * (inner[2] - outer[2]));
}

/// The bits that a box of this extent can have.
static uint32_t bits_of(const vni_lattice_piece* piece) {
    uint32_t bits = 1;
    for (int i = 0; i < 3; ++i)
        if (piece->high[i] > piece->low[i])
            bits |= bits << (1 << i);
    return bits;
}

bool vni_sight_by_pieces(const vni_occupancy* occupancy, vn_point a, vn_point b) {
    vni_lattice_walk walk = vni_lattice_begin(a, b);
    vni_lattice_piece point, stretch;
    vni_lattice_next(&walk, &point);
    uint32_t reached = free_around(occupancy, point.low, point.high);
    while (reached && vni_lattice_next(&walk, &stretch)) {
        reached = reached >> shift_of(point.low, stretch.low) & bits_of(&stretch);
        vni_lattice_next(&walk, &point);
        reached <<= shift_of(point.low, stretch.low);
        reached = spread(reached, free_around(occupancy, point.low, point.high));
    }
    return reached != 0;
}

bool vni_point_is_plain(const vni_occupancy* occupancy, vn_point point) {
    const int32_t at[3] = {point.x, point.y, point.z};
    int32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        high[i] = at[i] >> VN_LATTICE_SHIFT;
        low[i] = high[i] - ((at[i] & (VN_LATTICE - 1)) == 0);
    }
    uint32_t free = free_around(occupancy, low, high);
    return free && spread(free & (0 - free), free) == free;
}

// ------------------------------------------------------------------------------------- the leaping walk

/// A segment in general position: no axis stands still on a lattice plane, so that every stretch lies inside
/// one voxel.
typedef struct leaper {
    const vni_occupancy* occupancy;
    int64_t start[3], length[3];
    int32_t step[3];
    int32_t voxel[3];
} leaper;

static bool is_inside(const vni_occupancy* occupancy, const int32_t p[3]) {
    for (int i = 0; i < 3; ++i)
        if (p[i] < 0 || p[i] > occupancy->dims[i] * VN_LATTICE)
            return false;
    return true;
}

/// log2 of the size of the largest aligned free cube around the voxel, of 64, 16, 4 and 1; -1 if the voxel is
/// blocked.
static inline int free_level(const vni_occupancy* occupancy, const int32_t v[3]) {
    const vni_block* block = vni_occupancy_block(occupancy, v[0], v[1], v[2]);
    if (!block)
        return 6;
    uint32_t chunk = vni_chunk_of(v[0], v[1], v[2]), brick = vni_brick_of(v[0], v[1], v[2]);
    uint64_t some = block->some[chunk];
    if (!some)
        return 4;
    if (!(some >> brick & 1))
        return 2;
    return vni_block_brick(block, chunk, brick) >> vni_bit_of(v[0], v[1], v[2]) & 1 ? -1 : 0;
}

/// Distance along an axis from the start to the plane where the free cube of this level ends.
static inline int64_t travel_to_exit(const leaper* l, int axis, int level) {
    int32_t plane =
        l->step[axis] > 0 ? ((l->voxel[axis] >> level) + 1) << level : l->voxel[axis] >> level << level;
    int64_t travel = (int64_t)plane * VN_LATTICE - l->start[axis];
    return travel < 0 ? -travel : travel;
}

/// The voxel along `axis` when another axis has travelled `travel` of `length`: on a plane between two
/// voxels, the one ahead. `on_plane` tells whether it is one.
static inline int32_t voxel_after(const leaper* l, int axis, int64_t travel, int64_t length, bool* on_plane) {
    int64_t product = travel * l->length[axis], distance = product / length;
    bool whole = distance * length == product;
    if (l->step[axis] >= 0) {
        int64_t at = l->start[axis] + distance;
        *on_plane = whole && l->step[axis] != 0 && (at & (VN_LATTICE - 1)) == 0;
        return (int32_t)(at >> VN_LATTICE_SHIFT);
    }
    int64_t at = l->start[axis] - distance;
    *on_plane = whole && (at & (VN_LATTICE - 1)) == 0;
    return (int32_t)((at - 1) >> VN_LATTICE_SHIFT);
}

/// Several planes are crossed at one point: is the voxel that we leave face-connected with the one that we
/// enter, around that point?
static bool passes_point(const leaper* l, const int32_t from[3], const int32_t to[3],
                         const bool on_plane[3]) {
    int32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        int32_t other = on_plane[i] ? to[i] - l->step[i] : from[i];
        low[i] = other < to[i] ? other : to[i];
        high[i] = other < to[i] ? to[i] : other;
    }
    uint32_t free = free_around(l->occupancy, low, high);
    uint32_t reached = spread(1u << shift_of(low, from) & free, free);
    return reached >> shift_of(low, to) & 1;
}

/// Leaves the free cube of this level. False if the segment may not pass where it leaves; `*done` if it ends
/// inside.
static bool leap(leaper* l, int level, bool* done) {
    int64_t travel[3];
    int first = -1;
    for (int i = 0; i < 3; ++i) {
        if (l->step[i] == 0)
            continue;
        travel[i] = travel_to_exit(l, i, level);
        if (travel[i] < l->length[i] &&
            (first < 0 || travel[i] * l->length[first] < travel[first] * l->length[i]))
            first = i;
    }
    *done = first < 0;
    if (*done)
        return true;
    int32_t from[3], to[3];
    bool on_plane[3] = {false, false, false};
    uint32_t crossed = 0;
    for (int i = 0; i < 3; ++i) {
        if (i == first || (l->step[i] && travel[i] * l->length[first] == travel[first] * l->length[i])) {
            to[i] =
                l->step[i] > 0 ? ((l->voxel[i] >> level) + 1) << level : (l->voxel[i] >> level << level) - 1;
            from[i] = to[i] - l->step[i];
            ++crossed;
        } else {
            to[i] = level && l->step[i] ? voxel_after(l, i, travel[first], l->length[first], &on_plane[i])
                                        : l->voxel[i];
            from[i] = to[i];
        }
    }
    for (int i = 0; i < 3; ++i)
        l->voxel[i] = to[i];
    return crossed == 1 || passes_point(l, from, to, on_plane);
}

bool vni_sight(const vni_occupancy* occupancy, vn_point a, vn_point b) {
    const int32_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    if (!is_inside(occupancy, from) || !is_inside(occupancy, to))
        return false;
    leaper l;
    l.occupancy = occupancy;
    for (int i = 0; i < 3; ++i) {
        int32_t difference = to[i] - from[i];
        bool on_plane = (from[i] & (VN_LATTICE - 1)) == 0;
        if (difference == 0 && on_plane)
            return vni_sight_by_pieces(occupancy, a, b);
        l.start[i] = from[i];
        l.step[i] = (difference > 0) - (difference < 0);
        l.length[i] = difference < 0 ? -difference : difference;
        l.voxel[i] = (from[i] >> VN_LATTICE_SHIFT) - (on_plane && difference < 0);
    }
    for (bool done = false; !done;) {
        int level = free_level(occupancy, l.voxel);
        if (level < 0 || !leap(&l, level, &done))
            return false;
    }
    return true;
}
