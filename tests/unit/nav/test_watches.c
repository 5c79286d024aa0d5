/// nav: watched paths, and when changes become versions.
#include "watch_scene.h"

/// Along y = 10, z = 10, then up.
static const vn_point path[4] = {
    {5 * 1024, 10 * 1024, 10 * 1024},
    {15 * 1024, 10 * 1024, 10 * 1024},
    {40 * 1024, 10 * 1024, 10 * 1024},
    {40 * 1024, 40 * 1024, 10 * 1024},
};

static bool next_blocked(scene* s, vn_nav_event* event) {
    while (vn_nav_next_event(s->nav, event))
        if (event->kind == VN_EVENT_PATH_BLOCKED)
            return true;
    return false;
}

static void test_blocked(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    vn_watch_id watch, passed;
    vn_nav_event event;
    assert_int_equal(scene_watch(s.nav, path, 4, &watch), VN_OK);
    assert_int_equal(scene_watch(s.nav, path, 4, &passed), VN_OK);
    assert_int_equal(vn_nav_watch_advance(s.nav, passed, 2), VN_OK);

    tick(&s);
    assert_false(vn_nav_next_event(s.nav, &event));
    move(&s, 1, 30, 30, 30); // beside it
    tick(&s);
    assert_true(vn_nav_next_event(s.nav, &event));
    assert_true(event.kind == VN_EVENT_VERSION);
    assert_true(event.version == stats_of(&s).version);
    assert_false(vn_nav_next_event(s.nav, &event));

    move(&s, 1, 30, 10, 10); // on it: x from 27 to 33
    tick(&s);
    assert_true(next_blocked(&s, &event));
    assert_true(event.watch == watch);
    assert_true(event.segment == 1);
    assert_true(event.version == stats_of(&s).version);
    assert_true(event.point.x == 27 * 1024);
    assert_true(event.point.y == 10 * 1024);
    assert_true(event.point.z == 10 * 1024);
    assert_false(next_blocked(&s, &event));
    assert_int_equal(vn_nav_unwatch(s.nav, watch), VN_STALE_ID); // reported once

    move(&s, 3, 40, 30, 10);
    tick(&s);
    assert_true(next_blocked(&s, &event));
    assert_true(event.watch == passed);
    assert_true(event.segment == 2);
    assert_false(next_blocked(&s, &event));
    vn_nav_destroy(s.nav);
}

/// A path that is already blocked when the watch begins; and one that is unwatched again.
static void test_first_look(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    vn_watch_id watch, other;
    vn_nav_event event;
    move(&s, 1, 30, 10, 10);
    tick(&s);
    assert_int_equal(scene_watch(s.nav, path, 4, &watch), VN_OK);
    assert_int_equal(scene_watch(s.nav, path, 4, &other), VN_OK);
    assert_int_equal(vn_nav_unwatch(s.nav, other), VN_OK);

    tick(&s);
    assert_true(next_blocked(&s, &event));
    assert_true(event.watch == watch);
    assert_true(event.segment == 1);
    assert_false(next_blocked(&s, &event));
    vn_nav_destroy(s.nav);
}

/// What became blocked behind the agent is reported when it turns back.
static void test_turned_back(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    vn_watch_id watch;
    vn_nav_event event;
    assert_int_equal(scene_watch(s.nav, path, 4, &watch), VN_OK);

    tick(&s);
    assert_int_equal(vn_nav_watch_advance(s.nav, watch, 2), VN_OK);
    move(&s, 1, 30, 10, 10);
    tick(&s);
    assert_false(next_blocked(&s, &event));

    assert_int_equal(vn_nav_watch_advance(s.nav, watch, 0), VN_OK);
    tick(&s);
    assert_true(next_blocked(&s, &event));
    assert_true(event.watch == watch);
    assert_true(event.segment == 1);
    vn_nav_destroy(s.nav);
}

static void test_watch_statuses(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.max_watches = 2;
    def.max_points = 64;
    watch_start(&s, &def);
    vn_watch_id a, b, c;
    static vn_point many[65];
    assert_int_equal(scene_watch(s.nav, path, 0, &a), VN_BAD_ARGUMENT);
    assert_int_equal(scene_watch(s.nav, many, 65, &a), VN_CAPACITY);
    vn_watch_def wide = vn_default_watch_def();
    wide.radius = 1;
    assert_int_equal(vn_nav_watch_points(s.nav, path, 4, &wide, &a, NULL), VN_UNSUPPORTED);
    assert_int_equal(scene_watch(s.nav, path, 4, &a), VN_OK);
    assert_int_equal(scene_watch(s.nav, path, 1, &b), VN_OK);
    assert_int_equal(scene_watch(s.nav, path, 4, &c), VN_CAPACITY);
    assert_int_equal(vn_nav_watch_advance(s.nav, a, 4), VN_BAD_ARGUMENT);
    assert_int_equal(vn_nav_watch_advance(s.nav, a, 3), VN_OK);
    assert_int_equal(vn_nav_unwatch(s.nav, a), VN_OK);
    assert_int_equal(vn_nav_unwatch(s.nav, a), VN_STALE_ID);
    assert_int_equal(vn_nav_watch_advance(s.nav, a, 0), VN_STALE_ID);
    assert_int_equal(vn_nav_unwatch(s.nav, 0), VN_STALE_ID);
    assert_int_equal(scene_watch(s.nav, path, 4, &c), VN_OK);
    assert_true(c != a);
    vn_nav_destroy(s.nav);
}

/// Events that are not read wait; what is undone before that is no event.
static void test_unread_events(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.max_watches = 2;
    watch_start(&s, &def);
    vn_watch_id watches[2], third;
    vn_nav_event event;
    for (uint32_t i = 0; i < 2; ++i)
        assert_int_equal(scene_watch(s.nav, path, 4, &watches[i]), VN_OK);

    move(&s, 1, 30, 10, 10);
    tick(&s);
    move(&s, 1, 30, 30, 30);
    tick(&s);
    assert_false(next_blocked(&s, &event));

    move(&s, 1, 30, 10, 10);
    tick(&s);
    move(&s, 1, 20, 10, 10);
    for (uint32_t i = 0; i < 5; ++i)
        tick(&s);

    assert_int_equal(scene_watch(s.nav, path, 4, &third), VN_CAPACITY); // a watch ends when its event is read
    for (uint32_t i = 0; i < 2; ++i) {
        assert_true(next_blocked(&s, &event));
        assert_true(event.watch == watches[i]);
        assert_true(event.point.x == 17 * 1024); // as it is now
    }

    assert_int_equal(scene_watch(s.nav, path, 4, &third), VN_OK);
    assert_false(next_blocked(&s, &event));
    vn_nav_destroy(s.nav);
}

static void test_every(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.policy = VN_UPDATE_EVERY_N;
    def.update_interval = 5;
    watch_start(&s, &def);

    uint64_t before = stats_of(&s).updates;
    for (uint32_t i = 0; i < 50; ++i) {
        move(&s, 0, (float)(10 + i % 20), 10, 10);
        tick(&s);
    }

    assert_int_equal(stats_of(&s).updates - before, 10);
    vn_nav_destroy(s.nav);
}

static void test_last_moment(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.policy = VN_UPDATE_LAST_MOMENT;
    watch_start(&s, &def);
    vn_watch_id watch;
    vn_nav_event event;
    uint64_t before = stats_of(&s).updates, version = stats_of(&s).version;

    assert_int_equal(scene_watch(s.nav, path, 4, &watch), VN_OK);
    for (uint32_t i = 0; i < 100; ++i) { // far from the path, there and back
        move(&s, 1, (float)(60 + i % 20), 50, 30);
        tick(&s);
    }

    assert_int_equal(stats_of(&s).updates, before);
    assert_int_equal(stats_of(&s).pending_changes, 1);
    assert_true(stats_of(&s).version_lag >= 99);

    move(&s, 1, -200, -200, -200); // all the way back: nothing is left to do, even with a request
    vn_nav_request request = vn_default_nav_request();
    request.path.start = path[0];
    request.path.goal = path[3];
    vn_request_id request_id;
    vn_nav_result result;
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);

    tick(&s);
    assert_true(vn_nav_next_result(s.nav, &result));
    assert_true(result.version == version);
    vn_nav_release_result(s.nav, request_id);

    move(&s, 1, 60, 50, 30); // a request sees what was changed before it
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);
    tick(&s);
    assert_true(vn_nav_next_result(s.nav, &result));
    assert_true(result.version == version + 1);
    assert_false(next_blocked(&s, &event));

    before = stats_of(&s).updates;
    move(&s, 1, 30, 10, 10); // onto the path
    tick(&s);
    assert_int_equal(stats_of(&s).updates, before + 1);
    assert_true(next_blocked(&s, &event));
    assert_true(event.watch == watch);
    assert_true(event.segment == 1);
    vn_nav_destroy(s.nav);
}

/// Last moment: new flags count where the obstacle ends up, not where it was when they were set.
static void test_flags_count_where_it_is(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.policy = VN_UPDATE_LAST_MOMENT;
    def.layer_count = 2;
    def.layers[1].open_flags = 4;
    watch_start(&s, &def);
    vn_watch_id watch;
    vn_nav_event event;
    vn_nav_request request = vn_default_nav_request();
    vn_request_id request_id;
    vn_watch_def opens = vn_default_watch_def();
    opens.open_flags = 4;
    opens.once = true;
    assert_int_equal(vn_nav_watch_points(s.nav, path, 4, &opens, &watch, NULL), VN_OK);
    assert_int_equal(vn_nav_set_flags(s.nav, s.movers[1], 4), VN_OK); // an open door on the path

    move(&s, 1, 30, 10, 10);
    request.path.open_flags = 4;
    request.path.start = path[0];
    request.path.goal = path[3];
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);

    tick(&s);
    assert_false(next_blocked(&s, &event));

    move(&s, 1, 60, 50, 30);
    assert_int_equal(vn_nav_set_flags(s.nav, s.movers[1], 0), VN_OK); // closed while it is away
    tick(&s);
    assert_int_equal(stats_of(&s).pending_changes, 2);
    move(&s, 1, 30, 10, 10);
    tick(&s);
    assert_int_equal(stats_of(&s).pending_changes, 0);
    assert_true(next_blocked(&s, &event));
    assert_true(event.watch == watch);
    vn_nav_destroy(s.nav);
}

/// Onto the path and back again before a tick: nothing to do. And a wider agent is
/// touched earlier.
static void test_last_moment_touch(void** state) {
    (void)state;
    for (uint32_t wide = 0; wide < 2; ++wide) {
        scene s;
        vn_nav_def def = scene_def();
        def.policy = VN_UPDATE_LAST_MOMENT;
        def.layers[0].radius = wide ? 5 : 0;
        watch_start(&s, &def);
        vn_watch_id watch;
        uint64_t before = stats_of(&s).updates;
        assert_int_equal(scene_watch(s.nav, path, 4, &watch), VN_OK);
        tick(&s);
        move(&s, 1, 30, 10, 10);
        move(&s, 1, -200, -200, -200);
        tick(&s);
        assert_int_equal(stats_of(&s).updates, before);
        move(&s, 0, 25, 18, 10); // a ball of radius 3: its box ends 3 metres beside the path
        tick(&s);
        assert_int_equal(stats_of(&s).updates, before + wide);
        vn_nav_destroy(s.nav);
    }
}

/// Away from the side of the path and back: changes that cancel out cause no update.
static void test_last_moment_cancels(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.policy = VN_UPDATE_LAST_MOMENT;
    watch_start(&s, &def);
    vn_watch_id watch;
    assert_int_equal(scene_watch(s.nav, path, 4, &watch), VN_OK);

    move(&s, 1, 30, 13, 10); // y from 10: it touches the path, and does not block it
    tick(&s);
    uint64_t before = stats_of(&s).updates;
    move(&s, 1, 31, 13, 10);
    move(&s, 1, 30, 13, 10);
    tick(&s);
    assert_int_equal(stats_of(&s).updates, before);

    move(&s, 1, 31, 13, 10);
    tick(&s);
    assert_int_equal(stats_of(&s).updates, before + 1);
    vn_nav_destroy(s.nav);
}

/// A transform near the first legs of the path, turned and scaled at random.
static vn_transform any_transform(vni_rng* rng) {
    vn_transform transform = vn_transform_identity();
    float* q = &transform.rotation.x;
    double length = 0;
    transform.position.x = 5 + 35 * (float)vni_rng_real(rng);
    transform.position.y = 10 + 12 * ((float)vni_rng_real(rng) - 0.5f);
    transform.position.z = 10 + 12 * ((float)vni_rng_real(rng) - 0.5f);

    transform.scale = 0.5f + (float)vni_rng_real(rng);
    for (uint32_t i = 0; i < 4; ++i) {
        q[i] = (float)vni_rng_real(rng) - 0.5f;
        length += (double)q[i] * (double)q[i];
    }

    for (uint32_t i = 0; i < 4; ++i)
        q[i] = length > 0.01 ? (float)((double)q[i] / sqrt(length)) : i == 3 ? 1.0f : 0.0f;

    return transform;
}

/// Waiting for the last moment misses nothing: a blocked path is reported at the same tick as with
/// VN_UPDATE_ALWAYS.
static void test_last_moment_misses_nothing(void** state) {
    (void)state;
    scene always, moment;
    vn_nav_def def = scene_def();
    uint32_t reported = 0, moves = vnt_scale(400, 20000);
    watch_start(&always, &def);
    def.policy = VN_UPDATE_LAST_MOMENT;
    watch_start(&moment, &def);
    vni_rng rng = vni_rng_make(vnt_seed("last moment", 51));

    vn_watch_id watches[2] = {0, 0};
    for (uint32_t i = 0; i < moves; ++i) {
        vn_nav_event events[2];
        uint32_t mover = vni_rng_below(&rng, SCENE_MOVERS);
        vn_transform transform = any_transform(&rng);
        if (!watches[0]) {
            watch_empty(&always);
            watch_empty(&moment);
            assert_int_equal(scene_watch(always.nav, path, 4, &watches[0]), VN_OK);
            assert_int_equal(scene_watch(moment.nav, path, 4, &watches[1]), VN_OK);
        }

        assert_int_equal(vn_nav_move(always.nav, always.movers[mover], &transform, NULL), VN_OK);
        assert_int_equal(vn_nav_move(moment.nav, moment.movers[mover], &transform, NULL), VN_OK);
        tick(&always);
        tick(&moment);
        bool blocked = next_blocked(&always, &events[0]);
        assert_int_equal(next_blocked(&moment, &events[1]), blocked);

        if (!blocked)
            continue;
        assert_int_equal(events[0].segment, events[1].segment);
        assert_memory_equal(&events[0].point, &events[1].point, sizeof events[0].point);
        watches[0] = 0;
        ++reported;
    }

    assert_true(reported > moves / 100);
    assert_true(stats_of(&moment).updates < stats_of(&always).updates);
    vn_nav_destroy(always.nav);
    vn_nav_destroy(moment.nav);
}

/// What the agent has passed while the update was under way is not reported.
static void test_passed_meanwhile(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 3;
    watch_start(&s, &def);
    vn_watch_id watch;
    vn_nav_event event;

    assert_int_equal(scene_watch(s.nav, path, 4, &watch), VN_OK);
    for (uint32_t i = 0; i < 5; ++i)
        tick(&s);

    move(&s, 1, 30, 10, 10);
    tick(&s);
    assert_int_equal(vn_nav_watch_advance(s.nav, watch, 2), VN_OK);
    for (uint32_t i = 0; i < 8; ++i) {
        tick(&s);
        assert_false(next_blocked(&s, &event));
    }

    move(&s, 3, 40, 30, 10);
    for (uint32_t i = 0; i < 4; ++i)
        tick(&s);

    assert_true(next_blocked(&s, &event));
    assert_true(event.watch == watch);
    assert_true(event.segment == 2);
    vn_nav_destroy(s.nav);
}

/// Last moment: obstacles that come and go are not gathered without limit.
static void test_many_changes(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.policy = VN_UPDATE_LAST_MOMENT;
    watch_start(&s, &def);
    uint64_t before = stats_of(&s).updates;

    vn_shape box = vnt_box_shape(vnt_vec(60, 50, 30), vnt_vec(64, 54, 34));
    for (uint32_t i = 0; i < 2000; ++i) {
        vn_obstacle_id id;
        assert_int_equal(vn_nav_add(s.nav, &box, 0, &id, NULL), VN_OK);
        assert_int_equal(vn_nav_remove(s.nav, id), VN_OK);
        tick(&s);
        assert_true(stats_of(&s).pending_changes < 1200);
    }

    assert_true(stats_of(&s).updates - before >= 3);
    assert_true(stats_of(&s).updates - before < 10);
    vn_nav_destroy(s.nav);
}

/// Last moment in lockstep: a request sees what was changed before it.
static void test_last_moment_lockstep(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.policy = VN_UPDATE_LAST_MOMENT;
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 3;
    watch_start(&s, &def);
    uint64_t version = stats_of(&s).version, submitted_at = stats_of(&s).tick + 1;
    vn_nav_request request = vn_default_nav_request();
    request.path.start = path[0];
    request.path.goal = path[3];
    vn_request_id request_id;
    vn_nav_result result;
    move(&s, 1, 30, 10, 10);

    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);
    for (uint32_t i = 0; i < 7; ++i) {
        assert_false(vn_nav_next_result(s.nav, &result));
        tick(&s);
        move(&s, 3, (float)(60 + i), 10, 10); // more and more changes do not keep it waiting
    }

    assert_true(vn_nav_next_result(s.nav, &result));
    assert_true(result.version == version + 1);
    assert_true(result.begin_tick == submitted_at + 3);
    assert_true(result.end_tick == submitted_at + 6);
    vn_nav_destroy(s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocked),
        cmocka_unit_test(test_first_look),
        cmocka_unit_test(test_turned_back),
        cmocka_unit_test(test_watch_statuses),
        cmocka_unit_test(test_unread_events),
        cmocka_unit_test(test_every),
        cmocka_unit_test(test_last_moment),
        cmocka_unit_test(test_flags_count_where_it_is),
        cmocka_unit_test(test_last_moment_lockstep),
        cmocka_unit_test(test_many_changes),
        cmocka_unit_test(test_last_moment_touch),
        cmocka_unit_test(test_last_moment_cancels),
        cmocka_unit_test(test_last_moment_misses_nothing),
        cmocka_unit_test(test_passed_meanwhile),
    };

    return cmocka_run_group_tests_name("nav/watches", tests, NULL, NULL);
}
