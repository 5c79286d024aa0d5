/// tests/unit/nav/changes_scene.h: a nav with a history and all graphs, and random changes.
#ifndef VNT_CHANGES_SCENE_H
#define VNT_CHANGES_SCENE_H

#include "scene.h"

enum { KINDS = VN_NAV_GRAPH_KINDS, HISTORY = 6 };

static inline vn_nav_def changes_def(uint32_t workers, vn_nav_mode mode) {
    vn_nav_def def = scene_def();
    def.space.bounds = (vn_box){{0, 0, 0}, {70, 40, 24}};
    def.workers = workers;
    def.mode = mode;
    def.history = HISTORY;
    def.graphs = (1u << KINDS) - 1;
    def.max_requests = 4;
    def.max_watches = 4;
    return def;
}

/// A few movers go somewhere near; sometimes a zone, sometimes a static inline obstacle.
static inline void change(scene* s, vn_zone_id* zone) {
    for (uint32_t i = 0; i < 3; ++i) {
        const vn_transform at =
            scene_at((float)vni_rng_range(&s->rng, 0, 70), (float)vni_rng_range(&s->rng, 0, 40),
                     (float)vni_rng_range(&s->rng, 0, 24));
        assert_int_equal(vn_nav_move(s->nav, s->movers[vni_rng_below(&s->rng, SCENE_MOVERS)], &at, NULL),
                         VN_OK);
    }

    if (vni_rng_below(&s->rng, 4) == 0) {
        vn_zone_def def = vn_default_zone_def();
        def.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 5);
        def.factor = 3;
        def.transform = scene_transform(&s->rng);
        if (zone->index1 != 0)
            assert_int_equal(vn_nav_move_zone(s->nav, *zone, &def.transform, NULL), VN_OK);
        else
            assert_int_equal(vn_nav_add_zone(s->nav, &def, zone, NULL), VN_OK);
    }
}

/// Ticks until there is a newer version.
static inline void next_version(scene* s, uint64_t before) {
    vn_nav_stats stats;
    do {
        assert_int_equal(vn_nav_tick(s->nav, NULL), VN_OK);
        vn_nav_get_stats(s->nav, &stats);
    } while (stats.version == before);
}

#endif
