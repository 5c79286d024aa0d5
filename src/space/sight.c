/// space/sight.c: line of sight: the leaping walk, and the walk by pieces for segments that lie in a lattice
/// plane.
#include "space/sight.h"
#include "geom/lattice.h"

// Voxels around a point, as bits of a byte: bit dx + 2 dy + 4 dz is the voxel (dx, dy, dz) above the low one.

/// The voxels of the box [low, high] that exist and are free.
static uint32_t free_around(const vni_occupancy* occupancy, const int32_t low[3], const int32_t high[3]) {
    VNI_ASSERT((uint32_t)(high[0] - low[0]) <= 1 && (uint32_t)(high[1] - low[1]) <= 1);
    VNI_ASSERT((uint32_t)(high[2] - low[2]) <= 1);
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
    VNI_ASSERT(free <= 0xff && (reached & ~free) == 0);
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
/// one voxel. Axes along which it runs down are mirrored in the block grid, which maps aligned cubes to
/// aligned cubes: here everything runs up.
typedef struct ray {
    const vni_occupancy* occupancy;
    int64_t start[3], length[3];
    int32_t voxel[3];
    int32_t mirror[3]; ///< 0, or -1 for a mirrored axis
    int32_t origin[3]; ///< 0, or the last voxel of the block grid
} ray;

static bool is_inside(const vni_occupancy* occupancy, const int32_t p[3]) {
    for (int i = 0; i < 3; ++i)
        if (p[i] < 0 || p[i] > occupancy->dims[i] * VN_LATTICE)
            return false;
    return true;
}

/// The voxel's true coordinate.
static inline int32_t true_voxel(const ray* r, int axis, int32_t voxel) {
    return r->origin[axis] + ((voxel ^ r->mirror[axis]) - r->mirror[axis]);
}

/// log2 of the size of the largest aligned free cube around the voxel, of 64, 16, 4 and 1; -1 if the voxel is
/// blocked.
static inline int free_level(const vni_occupancy* occupancy, int32_t x, int32_t y, int32_t z) {
    const vni_block* block = vni_occupancy_block(occupancy, x, y, z);
    if (!block)
        return 6;
    uint32_t chunk = vni_chunk_of(x, y, z), brick = vni_brick_of(x, y, z);
    uint64_t some = block->some[chunk];
    if (!some)
        return 4;
    if (!(some >> brick & 1))
        return 2;
    return vni_block_brick(block, chunk, brick) >> vni_bit_of(x, y, z) & 1 ? -1 : 0;
}

/// Distance along an axis from the start to the plane where the free cube of this level around the voxel
/// ends.
static inline int64_t travel_to_exit(const ray* r, int axis, int level) {
    return ((int64_t)(((r->voxel[axis] >> level) + 1) << level) << VN_LATTICE_SHIFT) - r->start[axis];
}

/// Several planes are crossed at one point: is the voxel that we leave face-connected with the one that we
/// enter, around that point? `other` is per axis the second voxel that touches the point, or the first again.
static bool passes_point(const ray* r, const int32_t from[3], const int32_t to[3], const int32_t other[3]) {
    int32_t low[3], high[3], true_from[3], true_to[3];
    for (int i = 0; i < 3; ++i) {
        int32_t a = true_voxel(r, i, other[i]);
        true_from[i] = true_voxel(r, i, from[i]);
        true_to[i] = true_voxel(r, i, to[i]);
        low[i] = a < true_to[i] ? a : true_to[i];
        high[i] = a < true_to[i] ? true_to[i] : a;
    }
    uint32_t free = free_around(r->occupancy, low, high);
    uint32_t reached = spread(1u << shift_of(low, true_from) & free, free);
    return reached >> shift_of(low, true_to) & 1;
}

/// Leaves the free cube through an edge or a corner of it: the axes whose exits tie with that of `first` are
/// crossed together. False if there is no way through.
static bool leap_tied(ray* r, int level, int first, const int64_t travel[3]) {
    int32_t from[3], to[3], other[3];
    for (int i = 0; i < 3; ++i) {
        int64_t product = travel[first] * r->length[i], whole = product / r->length[first];
        int64_t at = r->start[i] + whole;
        bool crossed = r->length[i] && travel[i] * r->length[first] == product;
        bool on_plane = r->length[i] && whole * r->length[first] == product && (at & (VN_LATTICE - 1)) == 0;
        to[i] = crossed ? ((r->voxel[i] >> level) + 1) << level : (int32_t)(at >> VN_LATTICE_SHIFT);
        from[i] = to[i] - crossed;
        other[i] = to[i] - on_plane; // a plane inside the free cube counts too
    }
    for (int i = 0; i < 3; ++i)
        r->voxel[i] = to[i];
    return passes_point(r, from, to, other);
}

/// Where the axis is when `first` leaves through its plane; inside the cube, so that the lower levels need
/// not ask.
static inline int32_t voxel_after(const ray* r, int axis, int first, int64_t travel) {
    return (int32_t)((r->start[axis] + travel * r->length[axis] / r->length[first]) >> VN_LATTICE_SHIFT);
}

/// Leaves the free cube of this level. False if the segment may not pass where it leaves; `*done` if it ends
/// inside.
static inline bool leap(ray* r, int level, bool* done) {
    const int64_t travel[3] = {travel_to_exit(r, 0, level), travel_to_exit(r, 1, level),
                               travel_to_exit(r, 2, level)};
    const int64_t* length = r->length;
    // Which plane comes first: travel / length, compared without dividing. An axis that stands still never
    // does.
    int64_t x_y = travel[0] * length[1] - travel[1] * length[0];
    int64_t x_z = travel[0] * length[2] - travel[2] * length[0];
    int64_t y_z = travel[1] * length[2] - travel[2] * length[1];
    int first = x_y <= 0 && x_z <= 0 ? 0 : y_z <= 0 ? 1 : 2;
    *done = travel[first] >= length[first]; // a plane through the end belongs to the end
    if (*done)
        return true;
    if (first == 0 ? !x_y || !x_z : first == 1 && !y_z)
        return leap_tied(r, level, first, travel);
    if (level > 0) {
        int second = first == 0 ? 1 : 0, third = first == 2 ? 1 : 2;
        r->voxel[second] = voxel_after(r, second, first, travel[first]);
        r->voxel[third] = voxel_after(r, third, first, travel[first]);
    }
    r->voxel[first] = ((r->voxel[first] >> level) + 1) << level;
    return true;
}

bool vni_sight(const vni_occupancy* occupancy, vn_point a, vn_point b) {
    const int32_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    if (!is_inside(occupancy, from) || !is_inside(occupancy, to))
        return false;
    ray r;
    r.occupancy = occupancy;
    for (int i = 0; i < 3; ++i) {
        int32_t difference = to[i] - from[i], last = occupancy->blocks[i] * VNI_BLOCK_SIZE - 1;
        if (difference == 0 && (from[i] & (VN_LATTICE - 1)) == 0)
            return vni_sight_by_pieces(occupancy, a, b);
        r.mirror[i] = -(difference < 0);
        r.origin[i] = difference < 0 ? last : 0;
        r.length[i] = difference < 0 ? -(int64_t)difference : difference;
        r.start[i] = difference < 0 ? ((int64_t)last + 1) * VN_LATTICE - from[i] : from[i];
        r.voxel[i] = (int32_t)(r.start[i] >> VN_LATTICE_SHIFT);
    }
    for (bool done = false; !done;) {
        int level = free_level(occupancy, true_voxel(&r, 0, r.voxel[0]), true_voxel(&r, 1, r.voxel[1]),
                               true_voxel(&r, 2, r.voxel[2]));
        if (level < 0 || !leap(&r, level, &done))
            return false;
    }
    return true;
}
