/// tests/unit/nav/watch_scene.h: the scene without its movers, for tests that put them on watched paths.
#ifndef VNT_NAV_WATCH_SCENE_H
#define VNT_NAV_WATCH_SCENE_H

#include "scene.h"

static inline void tick(scene* s) {
    assert_int_equal(vn_nav_tick(s->nav, NULL), VN_OK);
}

static inline vn_nav_stats stats_of(const scene* s) {
    vn_nav_stats stats;
    vn_nav_get_stats(s->nav, &stats);
    return stats;
}

static inline void move(scene* s, uint32_t mover, float x, float y, float z) {
    vn_transform transform = scene_at(x, y, z);
    assert_int_equal(vn_nav_move(s->nav, s->movers[mover], &transform, NULL), VN_OK);
}

/// Moves all movers far away and waits for the version that shows it.
static inline void watch_empty(scene* s) {
    vn_nav_event event;
    vn_request_id request_id;
    vn_nav_result result;
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i)
        move(s, i, -200, -200, -200);

    vn_nav_request request = scene_request(&s->rng); // the last moment would wait without it
    assert_int_equal(vn_nav_submit(s->nav, &request, &request_id, NULL), VN_OK);
    for (uint32_t i = 0; i < 20; ++i)
        tick(s);

    assert_true(vn_nav_next_result(s->nav, &result));
    vn_nav_release_result(s->nav, request_id);
    while (vn_nav_next_event(s->nav, &event))
        assert_int_equal(event.kind, VN_EVENT_VERSION);

    assert_true(stats_of(s).version_lag == 0);
}

/// A null def: that of the scene.
static inline void watch_start(scene* s, const vn_nav_def* def) {
    const vn_nav_def standard = scene_def();
    scene_start(s, 1, def != NULL ? def : &standard);
    watch_empty(s);
}

#endif
