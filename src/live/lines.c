/// live/lines.c: sight lines against the bricks that changed.
#include "live/lines.h"
#include "base/bits.h"
#include "geom/units.h"

#include <string.h>

/// A closed box in lattice steps.
typedef struct extent {
    int64_t low[3], high[3];
} extent;

static void grow(extent* e, const extent* by) {
    for (int i = 0; i < 3; ++i) {
        e->low[i] = by->low[i] < e->low[i] ? by->low[i] : e->low[i];
        e->high[i] = by->high[i] > e->high[i] ? by->high[i] : e->high[i];
    }
}

/// Does the segment touch the closed box? By separating axes, in integers: twice the middle and the half
/// extents of both, so that all is whole.
static bool touches(const int64_t a[3], const int64_t b[3], const extent* e) {
    int64_t apart[3], half[3], along[3];
    for (int i = 0; i < 3; ++i) {
        apart[i] = a[i] + b[i] - e->low[i] - e->high[i];
        half[i] = e->high[i] - e->low[i];
        along[i] = b[i] > a[i] ? b[i] - a[i] : a[i] - b[i];
        const int64_t distance = apart[i] < 0 ? -apart[i] : apart[i];
        if (distance > half[i] + along[i])
            return false;
    }

    // the cross products of the segment with the axes; a bit less than 2^62 at the most
    for (int i = 0; i < 3; ++i) {
        const int k = (i + 1) % 3, m = (i + 2) % 3;
        int64_t turn = apart[k] * (b[m] - a[m]) - apart[m] * (b[k] - a[k]);
        turn = turn < 0 ? -turn : turn;
        if (turn > half[k] * along[m] + half[m] * along[k])
            return false;
    }

    return true;
}

static extent extent_of(vn_voxel low, int32_t size) {
    const extent e = {{vni_voxel_to_steps64(low.x), vni_voxel_to_steps64(low.y), vni_voxel_to_steps64(low.z)},
                      {vni_voxel_to_steps64(low.x + size), vni_voxel_to_steps64(low.y + size),
                       vni_voxel_to_steps64(low.z + size)}};
    return e;
}

static bool touches_brick(const int64_t a[3], const int64_t b[3], const vn_brick_change* brick) {
    const extent all = extent_of(brick->low, 4);
    if (!touches(a, b, &all))
        return false;

    for (uint64_t left = brick->before ^ brick->after; left != 0; left &= left - 1) {
        const int32_t bit = (int32_t)vni_lowest_bit(left);
        const vn_voxel v = {brick->low.x + (bit & 3), brick->low.y + (bit >> 2 & 3),
                            brick->low.z + (bit >> 4)};
        const extent one = extent_of(v, 1);
        if (touches(a, b, &one))
            return true;
    }

    return false;
}

/// Bricks that lie together, and a box around them.
typedef struct group {
    extent all;
    uint32_t first, end;
} group;

#define MOST_GROUPS 64u

static bool is_same_block(vn_voxel a, vn_voxel b) {
    return a.x >> 6 == b.x >> 6 && a.y >> 6 == b.y >> 6 && a.z >> 6 == b.z >> 6;
}

/// Groups the bricks from `*next` on by block, in which order they come; returns how many groups there are.
static uint32_t group_bricks(const vn_brick_change* bricks, uint32_t count, uint32_t* next, group* groups,
                             extent* all) {
    uint32_t made = 0;
    *all = extent_of(bricks[*next].low, 4);
    for (; *next < count; ++*next) {
        const extent one = extent_of(bricks[*next].low, 4);
        if (made > 0 && is_same_block(bricks[*next - 1].low, bricks[*next].low)) {
            grow(&groups[made - 1].all, &one);
            groups[made - 1].end = *next + 1;
        } else if (made == MOST_GROUPS) {
            break;
        } else {
            groups[made++] = (group){one, *next, *next + 1};
        }
        grow(all, &one);
    }

    return made;
}

static bool touches_group(const int64_t a[3], const int64_t b[3], const vn_brick_change* bricks,
                          const group* g) {
    if (!touches(a, b, &g->all))
        return false;
    for (uint32_t i = g->first; i < g->end; ++i)
        if (touches_brick(a, b, &bricks[i]))
            return true;
    return false;
}

void vni_lines_cross(const vn_brick_change* bricks, uint32_t brick_count, const vni_line* lines,
                     uint32_t line_count, bool* hit) {
    memset(hit, 0, line_count * sizeof *hit);
    for (uint32_t next = 0; next < brick_count;) {
        group groups[MOST_GROUPS];
        extent all;
        const uint32_t count = group_bricks(bricks, brick_count, &next, groups, &all);
        for (uint32_t i = 0; i < line_count; ++i) {
            const int64_t a[3] = {lines[i].a.x, lines[i].a.y, lines[i].a.z};
            const int64_t b[3] = {lines[i].b.x, lines[i].b.y, lines[i].b.z};
            if (hit[i] || !touches(a, b, &all))
                continue;
            for (uint32_t k = 0; k < count && !hit[i]; ++k)
                hit[i] = touches_group(a, b, bricks, &groups[k]);
        }
    }
}
