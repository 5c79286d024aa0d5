/// tests/unit/live/live_scene.h: small random worlds that change, as a dynamic layer.
#ifndef VNT_LIVE_SCENE_H
#define VNT_LIVE_SCENE_H

#include "cmocka_all.h"
#include "graph_copy.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "dynamic/dynamic.h"
#include "volnav/space.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { LIVE_MOVERS = 8, LIVE_WALLS = 6 };

typedef struct live_scene {
    vn_world* world;
    vni_dynamic* dynamic;
    vn_voxel dims;
    vn_obstacle_id movers[LIVE_MOVERS], walls[LIVE_WALLS];
} live_scene;

static inline vn_vec3 live_spot(vni_rng* rng, vn_voxel dims) {
    return vnt_vec((float)vni_rng_range(rng, -2, dims.x), (float)vni_rng_range(rng, -2, dims.y),
                   (float)vni_rng_range(rng, -2, dims.z));
}

static inline vn_obstacle_id live_wall(vn_world* world, vni_rng* rng, vn_voxel dims) {
    vn_vec3 low = live_spot(rng, dims), high = low;
    high.x += (float)vni_rng_range(rng, 1, 9);
    high.y += (float)vni_rng_range(rng, 1, 9);
    high.z += (float)vni_rng_range(rng, 1, 3);
    const vn_shape shape = vnt_box_shape(low, high);
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    return id;
}

/// Up to `limit` voxels a side; sometimes longer along x, over several blocks.
static inline live_scene live_scene_make(vni_rng* rng, int32_t limit, const vn_allocator* allocator) {
    live_scene s = {0};
    s.dims =
        (vn_voxel){vni_rng_range(rng, 3, limit), vni_rng_range(rng, 3, limit), vni_rng_range(rng, 3, limit)};
    if (vni_rng_below(rng, 4) == 0)
        s.dims.x += 60;

    vn_world_def world_def = vn_default_world_def();
    assert_int_equal(vn_world_create(&world_def, &s.world), VN_OK);
    for (int i = 0; i < LIVE_WALLS; ++i)
        s.walls[i] = live_wall(s.world, rng, s.dims);

    for (int i = 0; i < LIVE_MOVERS; ++i) {
        const vn_shape shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec((float)vni_rng_range(rng, 1, 5),
                                                                       (float)vni_rng_range(rng, 1, 5),
                                                                       (float)vni_rng_range(rng, 1, 5)));
        vn_transform at = vn_transform_identity();
        at.position = live_spot(rng, s.dims);
        assert_int_equal(vn_world_add_moving(s.world, &shape, &at, &s.movers[i], NULL), VN_OK);
    }

    vni_dynamic_def def = {.allocator = allocator != NULL ? *allocator : vn_default_allocator(),
                           .jobs = vn_serial_jobs(),
                           .space = vn_default_space_def()};
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {(float)s.dims.x, (float)s.dims.y, (float)s.dims.z}};
    vni_world_forget_changes(s.world);
    assert_int_equal(vni_dynamic_make(s.world, &def, &s.dynamic, NULL), VN_OK);
    return s;
}

static inline void live_scene_free(live_scene* s) {
    vni_dynamic_free(s->dynamic);
    vn_world_destroy(s->world);
}

/// Moves a few obstacles, or replaces a wall.
static inline void live_scene_change(live_scene* s, vni_rng* rng) {
    const uint32_t what = vni_rng_below(rng, 8), which = vni_rng_below(rng, LIVE_WALLS);
    if (what == 0) {
        assert_int_equal(vn_world_remove(s->world, s->walls[which]), VN_OK);
        s->walls[which] = live_wall(s->world, rng, s->dims);
    }

    const uint32_t moves = what == 1 ? LIVE_MOVERS : 1 + vni_rng_below(rng, 2);
    for (uint32_t i = 0; i < moves; ++i) {
        vn_transform at = vn_transform_identity();
        const vn_obstacle_id id = s->movers[vni_rng_below(rng, LIVE_MOVERS)];
        assert_int_equal(vn_world_get_transform(s->world, id, &at), VN_OK);
        if (vni_rng_below(rng, 2))
            at.position = live_spot(rng, s->dims);
        else
            at.position.x += vni_rng_below(rng, 2) ? 1.0f : -1.0f;
        assert_int_equal(vn_world_move(s->world, id, &at, NULL), VN_OK);
    }
}

/// Brings the layer up to date with the world.
static inline void live_scene_update(live_scene* s) {
    uint32_t count;
    const vni_change* changes = vni_world_changes(s->world, &count);
    assert_int_equal(vni_dynamic_update(s->dynamic, s->world, changes, count, NULL), VN_OK);
    vni_world_forget_changes(s->world);
}

#endif
