/// nav: events of watched paths when zones change: where, by how much, and for which watch.
#include "zones.h"

static bool next_cost_event(scene* s, vn_nav_event* event) {
    while (vn_nav_next_event(s->nav, event))
        if (event->kind == VN_EVENT_COSTS_CHANGED)
            return true;
    return false;
}

/// Along x, then along y.
static const vn_point path[3] = {
    {4 * 1024, 4 * 1024, 40 * 1024}, {40 * 1024, 4 * 1024, 40 * 1024}, {40 * 1024, 44 * 1024, 40 * 1024}};

typedef struct watched_scene {
    scene s;
    vn_zone_id zone;
    vn_watch_id watch;
} watched_scene;

/// No obstacles; a zone of 12 metres, factor 3, far from the path; the path is watched.
static void start_watched(watched_scene* w, const vn_nav_def* def, uint32_t flags) {
    scene_start(&w->s, 4, def);
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i) {
        vn_transform far_away = scene_at(-200, -200, -200);
        assert_int_equal(vn_nav_move(w->s.nav, w->s.movers[i], &far_away, NULL), VN_OK);
    }

    vn_zone_def zone = zone_def(0, 3);
    zone.flags = flags;
    zone.transform.position = vnt_vec(80, 50, 10);
    assert_int_equal(vn_nav_add_zone(w->s.nav, &zone, &w->zone, NULL), VN_OK);
    for (uint32_t i = 0; i < 6; ++i)
        tick(&w->s);

    assert_int_equal(scene_watch(w->s.nav, path, 3, &w->watch), VN_OK);
    tick(&w->s);
    vn_nav_event event;
    assert_false(next_cost_event(&w->s, &event));
}

static void move_zone(watched_scene* w, float x, float y, float z) {
    vn_transform transform = scene_at(x, y, z);
    assert_int_equal(vn_nav_move_zone(w->s.nav, w->zone, &transform, NULL), VN_OK);
}

static void test_events(void** state) {
    (void)state;
    watched_scene w;
    vn_nav_def def = scene_def();
    vn_nav_event event;
    start_watched(&w, &def, 0);
    move_zone(&w, 20, 20, 30); // beside the path
    tick(&w.s);
    assert_false(next_cost_event(&w.s, &event));

    move_zone(&w, 20, 4, 40); // on it: x from 14 to 26
    tick(&w.s);
    assert_true(vn_nav_next_event(w.s.nav, &event));
    assert_true(event.kind == VN_EVENT_VERSION);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(event.watch == w.watch);
    assert_true(event.segment == 0);
    assert_true(event.version == stats_of(&w.s).version);
    assert_true(fabs(event.cost_change - 24) < 1e-9);
    assert_true(event.point.x == path[0].x);
    assert_true(event.point.y == path[0].y);
    assert_false(next_cost_event(&w.s, &event));

    move_zone(&w, 40, 30, 40); // farther along: as much on the second leg as there was on the first
    tick(&w.s);
    assert_false(next_cost_event(&w.s, &event));

    move_zone(&w, 40, 4, 40); // the corner: 6 metres on either leg
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 1), VN_OK);
    tick(&w.s);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(event.segment == 1);
    assert_true(fabs(event.cost_change + 12) < 1e-9); // of what lies ahead

    move_zone(&w, 20, 4, 40); // the agent is past that
    tick(&w.s);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(fabs(event.cost_change + 12) < 1e-9);
    assert_true(event.segment == 1);

    move_zone(&w, 30, 4, 40);
    tick(&w.s);
    assert_false(next_cost_event(&w.s, &event));
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 0), VN_OK); // still watched
    assert_int_equal(vn_nav_remove_zone(w.s.nav, w.zone), VN_OK);

    tick(&w.s);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(fabs(event.cost_change + 24) < 1e-9);
    vn_nav_destroy(w.s.nav);
}

/// Changes that are not read add up or cancel out; they end with the watch.
static void test_unread_events(void** state) {
    (void)state;
    watched_scene w;
    vn_nav_def def = scene_def();
    vn_nav_event event;
    start_watched(&w, &def, 0);
    move_zone(&w, 20, 4, 40);
    tick(&w.s);
    move_zone(&w, 80, 50, 10);
    tick(&w.s);
    assert_false(next_cost_event(&w.s, &event));

    move_zone(&w, 4, 4, 40); // 6 metres
    tick(&w.s);
    move_zone(&w, 20, 4, 40); // 12
    tick(&w.s);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(fabs(event.cost_change - 24) < 1e-9);
    assert_true(event.version == stats_of(&w.s).version);

    move_zone(&w, 80, 50, 10);
    tick(&w.s);
    assert_int_equal(vn_nav_unwatch(w.s.nav, w.watch), VN_OK);
    assert_false(next_cost_event(&w.s, &event));
    vn_nav_destroy(w.s.nav);
}

/// What the agent has passed before it reads is not told, unless it turns back first.
static void test_passed_events(void** state) {
    (void)state;
    watched_scene w;
    vn_nav_def def = scene_def();
    vn_nav_event event;
    start_watched(&w, &def, 0);
    move_zone(&w, 20, 4, 40); // on the first leg
    tick(&w.s);
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 1), VN_OK);
    assert_false(next_cost_event(&w.s, &event));
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 0), VN_OK); // dropped for good
    assert_false(next_cost_event(&w.s, &event));

    move_zone(&w, 80, 50, 10);
    tick(&w.s);
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 2), VN_OK); // the end
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 0), VN_OK);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(event.segment == 0);

    move_zone(&w, 40, 30, 40); // on the second leg; then on both, and neither is read
    tick(&w.s);
    move_zone(&w, 40, 4, 40);
    tick(&w.s);
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 1), VN_OK);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(event.segment == 1);
    vn_nav_destroy(w.s.nav);
}

/// Unread changes: the first segment of any of them is told, and a step by a connection never is.
static void test_events_beside_steps(void** state) {
    (void)state;
    const vn_point points[4] = {path[0], path[1], {40 * 1024, 8 * 1024, 40 * 1024}, path[2]};
    const vn_connection_use use = {.point = 1};
    watched_scene w;
    vn_nav_def def = scene_def();
    vn_watch_def watch = vn_default_watch_def();
    vn_nav_event event;
    start_watched(&w, &def, 0);
    assert_int_equal(vn_nav_unwatch(w.s.nav, w.watch), VN_OK);
    watch.connections = &use;
    watch.connection_count = 1;
    assert_int_equal(vn_nav_watch_points(w.s.nav, points, 4, &watch, &w.watch, NULL), VN_OK);
    tick(&w.s);

    move_zone(&w, 40, 4, 40); // on all three; the agent then stands where the step begins
    tick(&w.s);
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 1), VN_OK);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(event.segment == 2);
    assert_true(event.point.y == points[2].y);

    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 0), VN_OK);
    move_zone(&w, 20, 4, 40); // away from the last leg, on to the first
    tick(&w.s);
    vn_zone_def far_end = zone_def(1, 2);
    far_end.transform.position = vnt_vec(40, 38, 40); // on the last leg alone
    assert_int_equal(vn_nav_add_zone(w.s.nav, &far_end, &w.zone, NULL), VN_OK);
    tick(&w.s);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(event.segment == 0);

    move_zone(&w, 80, 50, 10);
    tick(&w.s);
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 3), VN_OK); // the end: past all
    assert_false(next_cost_event(&w.s, &event));
    vn_nav_destroy(w.s.nav);
}

/// Zones with flags are reported to watches with these flags; costs count from the version of the path.
static void test_watch_costs(void** state) {
    (void)state;
    watched_scene w;
    vn_nav_def def = scene_def();
    vn_nav_event event;
    start_watched(&w, &def, 2);
    move_zone(&w, 20, 4, 40);
    tick(&w.s);
    assert_false(next_cost_event(&w.s, &event));
    assert_int_equal(vn_nav_watch_costs(w.s.nav, w.watch, 6, 0), VN_OK);

    tick(&w.s);
    assert_false(next_cost_event(&w.s, &event)); // nothing has changed since
    uint64_t held, version = stats_of(&w.s).version;
    assert_non_null(vn_nav_pin(w.s.nav, 0, 0, &held));

    move_zone(&w, 4, 4, 40);
    tick(&w.s);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(fabs(event.cost_change + 12) < 1e-9);

    vn_zone_def elsewhere = zone_def(1, 2);
    elsewhere.transform.position = vnt_vec(80, 10, 10);
    assert_int_equal(vn_nav_add_zone(w.s.nav, &elsewhere, NULL, NULL), VN_OK); // in a separate version

    tick(&w.s);
    assert_false(next_cost_event(&w.s, &event));
    vn_watch_id other;
    assert_int_equal(scene_watch(w.s.nav, path, 3, &other), VN_OK);
    assert_int_equal(vn_nav_watch_costs(w.s.nav, other, 2, held), VN_OK); // a path of an older version

    tick(&w.s);
    assert_true(next_cost_event(&w.s, &event));
    assert_true(event.watch == other);
    assert_true(fabs(event.cost_change + 12) < 1e-9);
    assert_false(next_cost_event(&w.s, &event));
    assert_int_equal(vn_nav_unpin(w.s.nav, held), VN_OK);
    assert_int_equal(vn_nav_watch_costs(w.s.nav, other, 2, version), VN_STALE_ID);

    tick(&w.s);
    assert_int_equal(stats_of(&w.s).versions, 1); // no watch holds an old one
    vn_nav_destroy(w.s.nav);
}

/// A watch that begins while an update is under way; and an agent that advances meanwhile.
static void test_watch_meanwhile(void** state) {
    (void)state;
    watched_scene w;
    vn_nav_def def = scene_def();
    vn_nav_event event;
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 3;

    start_watched(&w, &def, 0);
    for (uint32_t i = 0; i < 8; ++i)
        tick(&w.s);

    move_zone(&w, 20, 4, 40);
    tick(&w.s);
    vn_watch_id late;
    assert_int_equal(scene_watch(w.s.nav, path, 3, &late), VN_OK);
    assert_int_equal(vn_nav_watch_advance(w.s.nav, w.watch, 1), VN_OK);

    uint32_t reported = 0;
    for (uint32_t i = 0; i < 10; ++i) {
        tick(&w.s);
        while (next_cost_event(&w.s, &event)) {
            assert_true(event.watch == late);
            assert_true(fabs(event.cost_change - 24) < 1e-9);
            ++reported;
        }
    }

    assert_int_equal(reported, 1);
    vn_watch_id gone;
    move_zone(&w, 30, 4, 40);
    tick(&w.s);
    assert_int_equal(scene_watch(w.s.nav, path, 3, &gone), VN_OK);
    assert_int_equal(vn_nav_unwatch(w.s.nav, gone), VN_OK);

    assert_int_equal(vn_nav_unwatch(w.s.nav, late), VN_OK); // while the update checks it
    for (uint32_t i = 0; i < 10; ++i)
        tick(&w.s);

    assert_false(next_cost_event(&w.s, &event));
    assert_int_equal(stats_of(&w.s).versions, 1);
    vn_nav_destroy(w.s.nav);
}

/// Random zones on random paths: the reported changes add up to the change of the cost.
static void test_events_add_up(void** state) {
    (void)state;
    zone_scene z;
    vn_nav_def def = scene_def();
    start(&z, vnt_seed("nav zone events", 62), &def);
    vn_path_request request = vn_default_path_request();
    vn_watch_id watches[8];
    vn_point paths[8][3];
    double reported[8] = {0}, first[8];
    uint32_t events = 0;

    request.zone_flags = 4;
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i) {
        vn_transform far_away = scene_at(-200, -200, -200);
        assert_int_equal(vn_nav_move(z.s.nav, z.s.movers[i], &far_away, NULL), VN_OK);
    }

    tick(&z.s);
    for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            paths[i][k] = scene_point(vni_rng_range(&z.s.rng, 0, 19), vni_rng_range(&z.s.rng, 0, 63),
                                      vni_rng_range(&z.s.rng, 0, 47));
        assert_int_equal(scene_watch(z.s.nav, paths[i], 3, &watches[i]), VN_OK);
        assert_int_equal(vn_nav_watch_costs(z.s.nav, watches[i], 4, 0), VN_OK);
        first[i] = cost_in(z.s.nav, stats_of(&z.s).version, &request, paths[i], 3);
    }

    for (uint32_t round = 0; round < 60; ++round) {
        move_zones(&z, 1 + vni_rng_below(&z.s.rng, 3));
        tick(&z.s);
        vn_nav_event event;
        while (round % 3 == 2 && next_cost_event(&z.s, &event)) {
            uint32_t i = 0;
            while (watches[i] != event.watch)
                ++i;
            reported[i] += event.cost_change;
            ++events;
        }
    }

    for (uint32_t i = 0; i < 8; ++i)
        assert_true(fabs(first[i] + reported[i] -
                         cost_in(z.s.nav, stats_of(&z.s).version, &request, paths[i], 3)) < 1e-6);

    assert_true(events > 30);
    vn_nav_destroy(z.s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),        cmocka_unit_test(test_unread_events),
        cmocka_unit_test(test_passed_events), cmocka_unit_test(test_events_beside_steps),
        cmocka_unit_test(test_watch_costs),   cmocka_unit_test(test_watch_meanwhile),
        cmocka_unit_test(test_events_add_up),
    };
    return cmocka_run_group_tests_name("nav/zone_watches", tests, NULL, NULL);
}
