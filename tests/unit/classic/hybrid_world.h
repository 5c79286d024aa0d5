/// tests/unit/classic/hybrid_world.h: hybrid graphs by brute force: kinds of nodes, neighbours and open edges, voxel by voxel.
#ifndef HYBRID_WORLD_H
#define HYBRID_WORLD_H

#include "base/alloc.h"
#include "classic/hybrid_view.h"
#include "cmocka_all.h"
#include "space/space.h"
#include "support.h"
#include "voxels.h"
#include <stdlib.h>
#include <string.h>

/// Static obstacles, where moving ones can be, and what is blocked now.
typedef struct hybrid_world {
    vnt_voxels fixed, area, now;
    vn_space *fixed_space, *now_space;
} hybrid_world;

static inline vn_voxel world_dims(const hybrid_world* w) {
    return w->fixed.dims;
}

static inline uint32_t world_size(const hybrid_world* w) {
    return (uint32_t)(w->fixed.dims.x * w->fixed.dims.y * w->fixed.dims.z);
}

static inline bool in_area(const hybrid_world* w, vn_voxel v) {
    return !vnt_voxels_are_free(&w->area, v.x, v.y, v.z);
}

static inline bool fixed_free(const hybrid_world* w, vn_voxel v) {
    return vnt_voxels_are_free(&w->fixed, v.x, v.y, v.z);
}

static inline vn_voxel moved(vn_voxel v, const int32_t d[3], int32_t times) {
    return (vn_voxel){v.x + times * d[0], v.y + times * d[1], v.z + times * d[2]};
}

// ------------------------------------------------------------------------------------------- kinds of nodes

typedef enum expected_kind { UNUSED, STATIC, NEIGHBOUR, DYNAMIC } expected_kind;

static inline bool is_dynamic(const hybrid_world* w, vn_voxel v) {
    const bool inside = v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < world_dims(w).x && v.y < world_dims(w).y &&
                        v.z < world_dims(w).z;
    return inside && in_area(w, v) && fixed_free(w, v);
}

/// Is the box that the step spans free but for the voxel at its end, which is blocked?
static inline bool turns_around(const hybrid_world* w, vn_voxel v, const int32_t d[3]) {
    int32_t moving = 0;
    for (int i = 0; i < 8; ++i) {
        const int32_t part[3] = {i & 1 ? d[0] : 0, i & 2 ? d[1] : 0, i & 4 ? d[2] : 0};
        const bool is_end = part[0] == d[0] && part[1] == d[1] && part[2] == d[2];
        if (fixed_free(w, moved(v, part, 1)) == is_end)
            return false;
    }
    for (int i = 0; i < 3; ++i)
        moving += d[i] != 0;
    return moving >= 2;
}

static inline expected_kind kind_at(const hybrid_world* w, vn_voxel v) {
    if (!fixed_free(w, v))
        return UNUSED;
    if (is_dynamic(w, v))
        return DYNAMIC;
    bool turns = false, beside = false;
    for (int i = 0; i < 27; ++i) {
        const int32_t d[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        beside |= i != 13 && is_dynamic(w, moved(v, d, 1));
        turns |= i != 13 && turns_around(w, v, d);
    }

    return beside ? NEIGHBOUR : turns ? STATIC : UNUSED;
}

// ------------------------------------------------------------------------------------------------- stepping

/// Along d[level] until something used or blocked; `*steps` counts the steps.
static inline bool step_along(const hybrid_world* w, vn_voxel v, int32_t d[3][3], int count, int level,
                              int* steps, vn_voxel* out) {
    for (*steps = 0;;) {
        v = moved(v, d[level], 1);
        ++*steps;
        if (!fixed_free(w, v))
            return false;
        if (level + 1 == count) {
            if (kind_at(w, v) != UNUSED) {
                *out = v;
                return true;
            }
            continue;
        }

        int inner;
        if (step_along(w, v, d, count, level + 1, &inner, out))
            return true;
        // The first step in the next direction was blocked.
        if (inner == 1 && !fixed_free(w, moved(v, d[level + 1], 1)))
            return false;
    }
}

static inline bool expected_neighbour(const hybrid_world* w, vn_voxel v, const int32_t direction[3],
                                      vn_voxel* out) {
    int32_t d[3][3] = {{0}};
    int count = 0, steps;
    for (int axis = 0; axis < 3; ++axis) {
        if (direction[axis] == 0)
            continue;
        d[count][axis] = direction[axis];
        if (!fixed_free(w, moved(v, d[count], 1)))
            return false;
        ++count;
    }

    return step_along(w, v, d, count, 0, &steps, out);
}

// ---------------------------------------------------------------------------------------------------- lines

/// Does the segment between the centres of a and b touch the closed cube of v? By separating axes, in half
/// voxels, exactly.
static inline bool line_touches(vn_voxel a, vn_voxel b, vn_voxel v) {
    // In the frame of the cube's centre: the cube is [-1, 1] on each axis.
    const int64_t p[3] = {2 * (a.x - v.x), 2 * (a.y - v.y), 2 * (a.z - v.z)};
    const int64_t q[3] = {2 * (b.x - v.x), 2 * (b.y - v.y), 2 * (b.z - v.z)};
    const int64_t d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    for (int i = 0; i < 3; ++i)
        if ((p[i] > 1 && q[i] > 1) || (p[i] < -1 && q[i] < -1))
            return false;
    for (int i = 0; i < 3; ++i) {
        const int u = (i + 1) % 3, k = (i + 2) % 3;
        const int64_t cross = p[u] * d[k] - p[k] * d[u];
        if (llabs(cross) > llabs(d[u]) + llabs(d[k]))
            return false;
    }

    return true;
}

/// Are all voxels free that the line touches?
static inline bool line_is_free(const vnt_voxels* voxels, vn_voxel a, vn_voxel b) {
    const int32_t low[3] = {(a.x < b.x ? a.x : b.x) - 1, (a.y < b.y ? a.y : b.y) - 1,
                            (a.z < b.z ? a.z : b.z) - 1};
    const int32_t high[3] = {(a.x > b.x ? a.x : b.x) + 1, (a.y > b.y ? a.y : b.y) + 1,
                             (a.z > b.z ? a.z : b.z) + 1};
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x)
                if (line_touches(a, b, (vn_voxel){x, y, z}) && !vnt_voxels_are_free(voxels, x, y, z))
                    return false;
    return true;
}

/// Is there an edge in this direction from a node, now? Then `*out` is where it leads.
static inline bool expected_edge(const hybrid_world* w, vn_voxel v, expected_kind kind,
                                 const int32_t direction[3], vn_voxel* out) {
    if (kind == DYNAMIC) {
        *out = moved(v, direction, 1);
        if (!fixed_free(w, *out))
            return false;
    } else if (!expected_neighbour(w, v, direction, out) || !line_is_free(&w->fixed, v, *out)) {
        return false;
    }

    return line_is_free(&w->now, v, *out);
}

// --------------------------------------------------------------------------------------------------- worlds

/// Adds what moves, at random, to the static obstacles: mostly inside the area.
static inline void world_shake(hybrid_world* w, vni_rng* rng) {
    const uint32_t size = world_size(w);
    memcpy(w->now.blocked, w->fixed.blocked, size);
    const bool leaves = vni_rng_below(rng, 4) == 0;
    for (uint32_t i = 0; i < size; ++i)
        if (vni_rng_below(rng, 3) == 0 && (w->area.blocked[i] || (leaves && vni_rng_below(rng, 60) == 0)))
            w->now.blocked[i] = 1;
    if (w->now_space != NULL)
        vn_space_destroy(w->now_space);
    w->now_space = vnt_voxels_space(&w->now);
}

static inline hybrid_world world_random(vni_rng* rng, int32_t limit) {
    hybrid_world w = {0};
    const vn_voxel dims = vnt_random_dims(rng, limit);
    w.fixed = vnt_voxels_random(rng, dims);
    w.area = vnt_voxels_make(dims);
    w.now = vnt_voxels_make(dims);
    const uint32_t boxes = vni_rng_below(rng, 4);
    for (uint32_t i = 0; i < boxes; ++i) {
        const vn_voxel low = {(int32_t)vni_rng_below(rng, (uint32_t)dims.x),
                              (int32_t)vni_rng_below(rng, (uint32_t)dims.y),
                              (int32_t)vni_rng_below(rng, (uint32_t)dims.z)};
        for (int32_t z = low.z; z < low.z + 3 && z < dims.z; ++z)
            for (int32_t y = low.y; y < low.y + 3 && y < dims.y; ++y)
                for (int32_t x = low.x; x < low.x + 3 && x < dims.x; ++x)
                    vnt_voxels_block(&w.area, x, y, z);
    }

    w.fixed_space = vnt_voxels_space(&w.fixed);
    world_shake(&w, rng);
    return w;
}

static inline void world_free(hybrid_world* w) {
    vn_space_destroy(w->fixed_space);
    vn_space_destroy(w->now_space);
    vnt_voxels_free(&w->fixed);
    vnt_voxels_free(&w->area);
    vnt_voxels_free(&w->now);
}

static inline vni_area world_area(const hybrid_world* w, const vn_allocator* allocator) {
    vni_area area;
    assert_int_equal(vni_area_make(allocator, &w->fixed_space->occupancy, &area, NULL), VN_OK);
    const vn_voxel dims = world_dims(w);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x)
                if (in_area(w, (vn_voxel){x, y, z}))
                    vni_area_add_box(&area, (vn_voxel){x, y, z}, (vn_voxel){x + 1, y + 1, z + 1});
    return area;
}

static inline vni_hybrid world_hybrid(const hybrid_world* w) {
    const vn_allocator allocator = vn_default_allocator();
    vni_area area = world_area(w, &allocator);
    vni_hybrid hybrid;
    assert_int_equal(
        vni_hybrid_make(&allocator, &w->fixed_space->occupancy, &area, NULL, NULL, &hybrid, NULL), VN_OK);
    vni_area_free(&area);
    return hybrid;
}

#endif
