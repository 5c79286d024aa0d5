/// voxelise/voxelise_set.c: stamps voxel sets. On the frame's grid, bricks are copied (radius 0) or dilated
/// as runs along x; on any other grid, each voxel is a box.
#include "voxelise/stamp.h"

#include "base/bits.h"
#include "geom/morton.h"
#include <string.h>

#define LEAST_SLACK 1e-9
#define FARTHEST    0x1p40 /* voxels: a set farther away than this does not count as aligned */

/// Where the set lies in voxel units: its voxel (i, j, k) spans offset + i * ratio to offset + (i + 1) *
/// ratio.
typedef struct set_pose {
    const vni_voxels* set;
    const vni_window* window;
    const vni_reach* reach;
    uint64_t* rows;
    double radius, ratio;
    double offset[3];
    int64_t shift[3]; ///< offset, when aligned
    bool aligned;
} set_pose;

typedef void visit_brick(const set_pose* pose, uint32_t bx, uint32_t by, uint32_t bz, uint64_t bits);

/// How far off the grid, in voxels, an aligned set may appear: twice the rounding error of its corner in
/// metres.
static double alignment_slack(float low, double size) {
    return LEAST_SLACK + vni_abs((double)low) / size * 0x1p-51;
}

static set_pose pose_of(const vni_voxels* set, const vni_frame* frame) {
    VNI_ASSERT(frame->size > 0);

    set_pose pose = {
        .set = set, .ratio = (double)set->size / frame->size, .aligned = (double)set->size == frame->size};
    vni_vec low = vni_to_frame(frame, vni_v_from(set->low));
    const float metres[3] = {set->low.x, set->low.y, set->low.z};

    double offset[3] = {low.x, low.y, low.z}, nearest[3];
    for (int i = 0; i < 3; ++i) {
        nearest[i] = floor(offset[i] + 0.5);
        bool is_near = vni_abs(nearest[i]) < FARTHEST;
        pose.shift[i] = is_near ? (int64_t)nearest[i] : 0;
        if (!is_near || vni_abs(offset[i] - nearest[i]) > alignment_slack(metres[i], frame->size))
            pose.aligned = false;
    }

    // An aligned set is put exactly on the grid, on all axes or on none.
    memcpy(pose.offset, pose.aligned ? nearest : offset, sizeof offset);
    return pose;
}

// ----------------------------------------------------------------------------- finding the bricks of a range

/// Bricks [first, last) of the set, all in one cube of 2^level bricks.
typedef struct node {
    uint32_t first, last, level;
} node;

/// First brick of [first, last) with a key of at least `key`.
static uint32_t lower_bound(const vni_voxel_brick* bricks, uint32_t first, uint32_t last, uint64_t key) {
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (bricks[middle].key < key)
            first = middle + 1;
        else
            last = middle;
    }

    return first;
}

static bool cube_meets(uint64_t key, uint32_t level, const uint32_t low[3], const uint32_t high[3]) {
    uint32_t at[3];
    vni_morton_decode(key >> 3 * level << 3 * level, &at[0], &at[1], &at[2]);
    uint32_t edge = (uint32_t)1 << level;
    for (int i = 0; i < 3; ++i)
        if (at[i] > high[i] || at[i] + edge <= low[i])
            return false;

    return true;
}

/// Visits the bricks with coordinates [low, high] in Morton order. The sorted keys are an implicit octree: a
/// node is a range of keys with a common prefix. O(hits + log n) for a compact range.
static void visit_bricks(const set_pose* pose, const uint32_t low[3], const uint32_t high[3],
                         visit_brick* visit) {
    const vni_voxel_brick* bricks = pose->set->bricks;
    node stack[8 * 21];
    uint32_t depth = 0;
    if (pose->set->brick_count > 0)
        stack[depth++] = (node){0, pose->set->brick_count, 20};

    while (depth > 0) {
        node n = stack[--depth];
        if (!cube_meets(bricks[n.first].key, n.level, low, high))
            continue;

        if (n.level == 0) {
            uint32_t at[3];
            vni_morton_decode(bricks[n.first].key, &at[0], &at[1], &at[2]);
            visit(pose, at[0], at[1], at[2], bricks[n.first].bits);
            continue;
        }

        // From the last child to the first, so that the first is popped next. A child's range begins at the
        // first key with the prefix of its last one.
        uint32_t child = n.level - 1, last = n.last;
        while (last > n.first) {
            uint64_t start = bricks[last - 1].key >> 3 * child << 3 * child;
            uint32_t first = lower_bound(bricks, n.first, last, start);
            VNI_ASSERT(depth < 8 * 21);
            stack[depth++] = (node){first, last, child};
            last = first;
        }
    }
}

/// The set's bricks that reach into the window; false if none can.
static bool brick_range(const set_pose* pose, uint32_t low[3], uint32_t high[3]) {
    const int32_t dims[3] = {pose->set->dims.x, pose->set->dims.y, pose->set->dims.z};
    VNI_ASSERT(dims[0] > 0 && dims[1] > 0 && dims[2] > 0 && pose->ratio > 0);

    double grow = pose->radius + 1 + 1e-6;
    for (int i = 0; i < 3; ++i) {
        double first = floor((pose->window->low[i] - grow - pose->offset[i]) / pose->ratio);
        double last = floor((pose->window->high[i] + grow - pose->offset[i]) / pose->ratio);
        if (last < 0 || first >= dims[i])
            return false;
        low[i] = first > 0 ? (uint32_t)first >> 2 : 0;
        high[i] = (last < dims[i] ? (uint32_t)last : (uint32_t)dims[i] - 1) >> 2;
    }

    return true;
}

// ------------------------------------------------------------------------------------- aligned, radius 0

/// A brick shifted up by `by` (0 to 3) voxels along an axis: the part that stays in the brick (`over` 0), or
/// the part that falls into the next one (1). below[axis][by]: voxels with coordinate < 4 - by, which stay.
static uint64_t moved(uint64_t bits, uint32_t by, uint32_t axis, uint32_t over) {
    static const uint64_t below[3][4] = {
        {~(uint64_t)0, 0x7777777777777777u, 0x3333333333333333u, 0x1111111111111111u},
        {~(uint64_t)0, 0x0fff0fff0fff0fffu, 0x00ff00ff00ff00ffu, 0x000f000f000f000fu},
        {~(uint64_t)0, 0x0000ffffffffffffu, 0x00000000ffffffffu, 0x000000000000ffffu},
    };
    static const uint32_t stride[3] = {1, 4, 16};
    VNI_ASSERT(by < 4 && axis < 3);

    if (over)
        return by == 0 ? 0 : (bits & ~below[axis][by]) >> stride[axis] * (4 - by);
    return (bits & below[axis][by]) << stride[axis] * by;
}

/// Position of a brick of the set relative to the window's block; false if it is out of reach.
static bool relative(const set_pose* pose, const uint32_t brick[3], int32_t reach, int32_t out[3]) {
    for (int i = 0; i < 3; ++i) {
        int64_t at = 4 * (int64_t)brick[i] + pose->shift[i] - (pose->window->low[i] & -VNI_BLOCK_SIZE);
        if (at < -3 - reach || at > VNI_BLOCK_SIZE - 1 + reach)
            return false;
        out[i] = (int32_t)at;
    }

    return true;
}

/// Copies a brick. Where the set's bricks straddle ours, its voxels go to up to eight of them.
static void copy_brick(const set_pose* pose, uint32_t bx, uint32_t by, uint32_t bz, uint64_t bits) {
    int32_t at[3];
    if (!relative(pose, (uint32_t[]){bx, by, bz}, 0, at))
        return;

    // Part by part: bit i of `part` selects the brick itself or the next one along axis i. + 4 keeps the
    // division from truncating towards zero.
    for (uint32_t part = 0; part < 8; ++part) {
        uint64_t piece = bits;
        int32_t brick[3];
        bool within = true;
        for (uint32_t i = 0; i < 3; ++i) {
            uint32_t up = part >> i & 1;
            brick[i] = (at[i] + 4) / 4 - 1 + (int32_t)up;
            within = within && brick[i] >= 0 && brick[i] < VNI_BLOCK_SIZE / 4;
            piece = moved(piece, (uint32_t)(at[i] + 4) & 3, i, up);
        }

        if (piece && within)
            pose->window->dense[vni_dense_index(4 * brick[0], 4 * brick[1], 4 * brick[2])] |= piece;
    }
}

// ------------------------------------------------------------------------------------- aligned, radius > 0

/// Largest d with max(d - 1, 0)^2 + gap2 < radius2, or -1: cubes at offset d are d - 1 apart. The sums are
/// integers, so the comparison is exact.
static int32_t reach_along(double gap2, double radius2) {
    if (!(gap2 < radius2))
        return -1;
    int32_t d = 1;
    while ((double)d * d + gap2 < radius2)
        ++d;
    return d;
}

void vni_reach_make(double radius, vni_reach* out) {
    VNI_ASSERT(radius >= 0);

    memset(out, 0, sizeof *out);
    out->count = radius > VNI_MAX_REACH ? VNI_MAX_REACH + 1 : (int32_t)-floor(-radius);
    if (out->count > VNI_MAX_REACH)
        return;

    for (int32_t y = 0; y <= out->count; ++y)
        for (int32_t z = 0; z <= out->count; ++z) {
            double gap_y = y > 1 ? y - 1 : 0, gap_z = z > 1 ? z - 1 : 0;
            out->width[y][z] = (int8_t)reach_along(gap_y * gap_y + gap_z * gap_z, radius * radius);
        }
}

/// Bits [low, high] of 64, cut to 0 .. 63.
static uint64_t run_bits(int32_t low, int32_t high) {
    VNI_ASSERT(low <= high);
    low = low < 0 ? 0 : low;
    high = high > 63 ? 63 : high;
    return low > high ? 0 : ~(uint64_t)0 >> (63 - high + low) << low;
}

/// Offset of `at` from the `count` voxels from `first` on; 0 within them.
static int32_t beyond(int32_t at, int32_t first, int32_t count) {
    return at < first ? first - at : at >= first + count ? at - (first + count - 1) : 0;
}

/// Dilates a box of voxels, at[i] to at[i] + size[i] - 1 relative to the window, into the rows around it.
static void dilate_box(const set_pose* pose, const int32_t at[3], const int32_t size[3]) {
    int32_t reach = pose->reach->count;
    VNI_ASSERT(size[0] > 0 && size[1] > 0 && size[2] > 0 && reach <= VNI_MAX_REACH);

    int32_t first_y = at[1] - reach, last_y = at[1] + size[1] - 1 + reach;
    int32_t first_z = at[2] - reach, last_z = at[2] + size[2] - 1 + reach;
    for (int32_t z = first_z > 0 ? first_z : 0; z <= last_z && z < 64; ++z)
        for (int32_t y = first_y > 0 ? first_y : 0; y <= last_y && y < 64; ++y) {
            int32_t width = pose->reach->width[beyond(y, at[1], size[1])][beyond(z, at[2], size[2])];
            if (width >= 0)
                pose->rows[y + 64 * z] |= run_bits(at[0] - width, at[0] + size[0] - 1 + width);
        }
}

/// Dilates a full brick at once, any other by its runs along x.
static void dilate_brick(const set_pose* pose, uint32_t bx, uint32_t by, uint32_t bz, uint64_t bits) {
    int32_t at[3];
    if (!relative(pose, (uint32_t[]){bx, by, bz}, pose->reach->count, at))
        return;

    if (bits == ~(uint64_t)0) {
        dilate_box(pose, at, (int32_t[]){4, 4, 4});
        return;
    }

    for (int32_t row = 0; row < 16; ++row) {
        uint32_t nibble = (uint32_t)(bits >> 4 * row) & 15;
        while (nibble) {
            int32_t low = (int32_t)vni_lowest_bit(nibble), high = low;
            while (nibble >> (high + 1) & 1)
                ++high;
            dilate_box(pose, (int32_t[]){at[0] + low, at[1] + (row & 3), at[2] + (row >> 2)},
                       (int32_t[]){high - low + 1, 1, 1});
            nibble &= ~(uint32_t)0 << (high + 1);
        }
    }
}

/// Merges rows along x, index y + 64 z, into bricks: four bits of a row are four voxels of a brick.
static void merge_rows(const uint64_t* rows, uint64_t* dense) {
    for (int32_t z = 0; z < 64; ++z)
        for (int32_t y = 0; y < 64; ++y)
            for (int32_t x = 0; rows[y + 64 * z] >> x != 0; x += 4) {
                uint64_t nibble = rows[y + 64 * z] >> x & 15;
                dense[vni_dense_index(x, y, z)] |= nibble << vni_bit_of(0, y, z);
                if (x == 60)
                    break;
            }
}

// --------------------------------------------------------------------------------------- on another grid

/// Stamps a cube of `edge` voxels of the set as a box.
static void stamp_cube(const set_pose* pose, const double at[3], double edge) {
    const double* offset = pose->offset;
    double ratio = pose->ratio;
    vni_aabb box = {vni_v(offset[0] + at[0] * ratio, offset[1] + at[1] * ratio, offset[2] + at[2] * ratio),
                    vni_v(offset[0] + (at[0] + edge) * ratio, offset[1] + (at[1] + edge) * ratio,
                          offset[2] + (at[2] + edge) * ratio)};
    vni_stamp stamp = vni_stamp_of_box(&box, false);
    vni_stamp_shape(&stamp, pose->radius, pose->window);
}

/// A full brick is one box: shared faces of its voxels are computed identically, so the result is the same as
/// voxel by voxel.
static void stamp_voxels(const set_pose* pose, uint32_t bx, uint32_t by, uint32_t bz, uint64_t bits) {
    if (bits == ~(uint64_t)0) {
        stamp_cube(pose, (double[]){4.0 * bx, 4.0 * by, 4.0 * bz}, 4);
        return;
    }

    for (; bits; bits &= bits - 1) {
        uint32_t bit = vni_lowest_bit(bits);
        double at[3] = {4.0 * bx + (bit & 3), 4.0 * by + (bit >> 2 & 3), 4.0 * bz + (bit >> 4)};
        stamp_cube(pose, at, 1);
    }
}

void vni_stamp_set(const vni_voxels* set, const vni_frame* frame, double radius, const vni_reach* reach,
                   const vni_window* window, uint64_t* rows) {
    VNI_ASSERT(radius >= 0 && set->size > 0);

    set_pose pose = pose_of(set, frame);
    pose.window = window;
    pose.reach = reach;
    pose.rows = rows;
    pose.radius = radius;
    uint32_t low[3], high[3];

    if (!brick_range(&pose, low, high))
        return;
    if (!pose.aligned || reach->count > VNI_MAX_REACH) {
        visit_bricks(&pose, low, high, stamp_voxels);
    } else if (radius == 0) {
        visit_bricks(&pose, low, high, copy_brick);
    } else {
        memset(rows, 0, VNI_BLOCK_BRICKS * sizeof *rows);
        visit_bricks(&pose, low, high, dilate_brick);
        merge_rows(rows, window->dense);
    }
}
