/// tests/unit/classic/jps_worlds.h: worlds to search in: open ones, dust, boxes and walls, mazes, corridors.
#ifndef VNT_JPS_WORLDS_H
#define VNT_JPS_WORLDS_H

#include "voxels.h"

#include <string.h>

static inline void vnt_clear(vnt_voxels* v, int32_t x, int32_t y, int32_t z) {
    v->blocked[(size_t)x + (size_t)v->dims.x * ((size_t)y + (size_t)v->dims.y * (size_t)z)] = 0;
}

/// Straight corridors through rock, each beginning where the last one ended.
static inline vnt_voxels vnt_corridors(vni_rng* rng, vn_voxel dims, uint32_t count) {
    vnt_voxels v = vnt_voxels_make(dims);
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    memset(v.blocked, 1, (size_t)dims.x * (size_t)dims.y * (size_t)dims.z);
    int32_t at[3] = {dims.x / 2, dims.y / 2, dims.z / 2};

    vnt_clear(&v, at[0], at[1], at[2]);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t axis = vni_rng_below(rng, 3);
        int32_t to = vni_rng_range(rng, 0, size[axis] - 1), by = to > at[axis] ? 1 : -1;
        while (at[axis] != to) {
            at[axis] += by;
            vnt_clear(&v, at[0], at[1], at[2]);
        }
    }

    return v;
}

/// Rooms on even coordinates; each is joined with one or two earlier ones, and some walls are missing.
static inline vnt_voxels vnt_maze(vni_rng* rng, vn_voxel dims) {
    vnt_voxels v = vnt_voxels_make(dims);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x)
                if (((x | y | z) & 1) && vni_rng_below(rng, 20) != 0)
                    vnt_voxels_block(&v, x, y, z);

    for (int32_t z = 0; z < dims.z; z += 2)
        for (int32_t y = 0; y < dims.y; y += 2)
            for (int32_t x = 0; x < dims.x; x += 2)
                for (uint32_t doors = 1 + vni_rng_below(rng, 2); doors > 0; --doors) {
                    uint32_t axis = vni_rng_below(rng, 3);
                    if (axis == 0 && x > 0)
                        vnt_clear(&v, x - 1, y, z);

                    if (axis == 1 && y > 0)
                        vnt_clear(&v, x, y - 1, z);

                    if (axis == 2 && z > 0)
                        vnt_clear(&v, x, y, z - 1);
                }

    return v;
}

/// One of them, of up to `limit` voxels along each axis.
static inline vnt_voxels vnt_jps_world(vni_rng* rng, int32_t limit) {
    vn_voxel dims = vnt_random_dims(rng, limit);
    switch (vni_rng_below(rng, 5)) {
    case 0: return vnt_corridors(rng, dims, 1 + vni_rng_below(rng, 60));
    case 1: return vnt_maze(rng, dims);
    default: return vnt_voxels_random(rng, dims);
    }
}

#endif
