/// tests/unit/classic/tree_world.h: random voxels with an octree over them.
#ifndef VNT_TREE_WORLD_H
#define VNT_TREE_WORLD_H

#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "classic/octree.h"
#include "space/space.h"

#include <string.h>

typedef struct tree_world {
    vnt_voxels voxels;
    vn_space* space;
    vni_octree_def def;
    vni_octree tree;
} tree_world;

static const vni_octree_def whole_def = {VNI_ROOT_CUBE, 0, UINT32_MAX};

/// Takes over the voxels.
static inline tree_world world_make(vnt_voxels voxels, vni_octree_def def) {
    tree_world w = {.voxels = voxels, .def = def};
    const vn_allocator allocator = vn_default_allocator();
    w.space = vnt_voxels_space(&voxels);
    assert_int_equal(vni_octree_make(&allocator, &w.space->occupancy, &def, &w.tree, NULL), VN_OK);
    return w;
}

static inline void world_free(tree_world* w) {
    vni_octree_free(&w->tree);
    vn_space_destroy(w->space);
    vnt_voxels_free(&w->voxels);
}

/// A random world with random roots and, half of the time, random limits of depth.
static inline tree_world world_random(vni_rng* rng, int32_t limit) {
    vni_octree_def def = {vni_rng_below(rng, 2) ? VNI_ROOT_GCD : VNI_ROOT_CUBE, 0, UINT32_MAX};
    tree_world w = world_make(vnt_voxels_random(rng, vnt_random_dims(rng, limit)), def);
    if (vni_rng_below(rng, 2))
        return w;

    def.min_depth = vni_rng_below(rng, w.tree.levels + 1);
    def.max_depth = vni_rng_below(rng, 3) ? def.min_depth + vni_rng_below(rng, 4) : UINT32_MAX;
    vni_octree_free(&w.tree);
    const vn_allocator allocator = vn_default_allocator();
    assert_int_equal(vni_octree_make(&allocator, &w.space->occupancy, &def, &w.tree, NULL), VN_OK);
    w.def = def;

    return w;
}

/// Do two boxes share a part of a face of the lower one's high side along this axis?
static inline bool touches_above(const vni_box* lower, const vni_box* upper, int axis) {
    for (int i = 0; i < 3; ++i) {
        if (i == axis ? lower->high[i] != upper->low[i]
                      : lower->low[i] >= upper->high[i] || upper->low[i] >= lower->high[i])
            return false;
    }
    return true;
}

#endif
