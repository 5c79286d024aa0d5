/// nav: watches with a horizon: when a path is told to be blocked, and free again.
#include "watch_scene.h"

/// Away from the path.
static void remove_from_path(scene* s, uint32_t mover) {
    move(s, mover, -200, -200, -200);
}

static bool next_path_event(scene* s, vn_nav_event* event) {
    while (vn_nav_next_event(s->nav, event))
        if (event->kind != VN_EVENT_VERSION)
            return true;
    return false;
}

static void expect_none(scene* s) {
    vn_nav_event event;
    assert_false(next_path_event(s, &event));
}

/// The scene begins at (0, 0, 0), with voxels of 1 m.
static void assert_position(vn_dvec3 position, double x, double y, double z) {
    assert_true(fabs(position.x - x) <= 1e-9 && fabs(position.y - y) <= 1e-9 && fabs(position.z - z) <= 1e-9);
}

static vn_nav_event expect(scene* s, vn_nav_event_kind kind) {
    vn_nav_event event;
    assert_true(next_path_event(s, &event));
    assert_int_equal(event.kind, kind);
    assert_position(event.position, event.point.x / 1024.0, event.point.y / 1024.0, event.point.z / 1024.0);
    return event;
}

/// Along x, 35 metres; then along y, 30. Boxes on it are 6 metres wide.
static const vn_point path[3] = {
    {5 * 1024, 10 * 1024, 10 * 1024}, {40 * 1024, 10 * 1024, 10 * 1024}, {40 * 1024, 40 * 1024, 10 * 1024}};

static vn_watch_id watch_path(scene* s, double horizon) {
    vn_watch_def def = vn_default_watch_def();
    vn_watch_id watch;
    def.horizon = horizon;
    def.user = 77;
    assert_int_equal(vn_nav_watch_points(s->nav, path, 3, &def, &watch, NULL), VN_OK);
    tick(s);
    return watch;
}

static void advance_to(scene* s, vn_watch_id watch, double metres) {
    assert_int_equal(vn_nav_watch_advance_to(s->nav, watch, metres), VN_OK);
}

/// A block that enters the horizon as the agent advances is told at once, without a tick.
static void test_enters(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    const vn_watch_id watch = watch_path(&s, 10);
    move(&s, 1, 30, 10, 10); // from 22 to 28 metres
    for (uint32_t i = 0; i < 3; ++i)
        tick(&s);

    expect_none(&s);
    advance_to(&s, watch, 11.75);
    expect_none(&s);
    advance_to(&s, watch, 12.5);
    vn_nav_event event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_true(event.watch == watch && event.user == 77);
    assert_int_equal(event.segment, 0);
    assert_int_equal(event.point.x, 27 * 1024);
    assert_true(fabs(event.distance - 9.5) <= 1e-9);

    for (uint32_t i = 0; i < 3; ++i) { // told once
        tick(&s);
        expect_none(&s);
    }

    advance_to(&s, watch, 3); // back: it is beyond the horizon
    event = expect(&s, VN_EVENT_PATH_FREE);
    assert_true(event.watch == watch && event.user == 77);
    assert_int_equal(vn_nav_watch_set_horizon(s.nav, watch, 0), VN_OK);
    (void)expect(&s, VN_EVENT_PATH_BLOCKED);

    vn_watch_info info;
    assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
    assert_true(info.known && info.blocked && info.user == 77);
    assert_true(fabs(info.length - 65) <= 1e-9);
    assert_true(fabs(info.progress - 3) <= 1e-9);
    assert_true(fabs(info.distance - 19) <= 1e-9);
    assert_position(info.agent_position, 8, 10, 10);
    assert_position(info.position, 27, 10, 10);

    remove_from_path(&s, 1);
    tick(&s);
    event = expect(&s, VN_EVENT_PATH_FREE);
    expect_none(&s);
    vn_nav_destroy(s.nav);
}

/// Blocked far ahead, cleared, blocked nearer; then both at once.
static void test_far_then_near(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    const vn_watch_id watch = watch_path(&s, 20);
    move(&s, 1, 40, 30, 10); // from 52 metres on
    tick(&s);
    expect_none(&s);
    remove_from_path(&s, 1);
    tick(&s);
    expect_none(&s);
    move(&s, 3, 20, 10, 10); // 12 metres
    tick(&s);
    vn_nav_event event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_true(fabs(event.distance - 12) <= 1e-9);

    move(&s, 1, 40, 30, 10);
    remove_from_path(&s, 3);
    tick(&s);
    (void)expect(&s, VN_EVENT_PATH_FREE);
    advance_to(&s, watch, 40); // past where the near one was
    event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_int_equal(event.segment, 1);
    assert_true(fabs(event.distance - 12) <= 1e-9);

    // Nearer still, while it is told to be blocked: no event, but the watch knows.
    move(&s, 3, 40, 25, 10);
    tick(&s);
    expect_none(&s);
    vn_watch_info info;
    assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
    assert_true(fabs(info.distance - 7) <= 1e-9);
    vn_nav_destroy(s.nav);
}

static void test_seconds(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    vn_watch_def seconds = vn_default_watch_def(), both = seconds;
    vn_watch_id first, second;
    seconds.horizon_seconds = 2;
    assert_int_equal(vn_nav_watch_points(s.nav, path, 3, &seconds, &first, NULL), VN_BAD_ARGUMENT);
    seconds.speed = 4;
    both = seconds;
    both.horizon = 15;
    assert_int_equal(vn_nav_watch_points(s.nav, path, 3, &seconds, &first, NULL), VN_OK);
    assert_int_equal(vn_nav_watch_points(s.nav, path, 3, &both, &second, NULL), VN_OK);
    move(&s, 1, 20, 10, 10); // 12 metres
    tick(&s);
    vn_nav_event event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_true(event.watch == second);
    expect_none(&s);
    advance_to(&s, first, 4.25);
    event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_true(event.watch == first);
    assert_int_equal(vn_nav_watch_points(s.nav, path, 0, &both, &first, NULL), VN_BAD_ARGUMENT);
    vn_nav_destroy(s.nav);
}

/// Of two boxes on one segment, the one behind the agent neither counts nor hides the one ahead. An agent
/// inside a box is blocked where it is.
static void test_behind_on_the_segment(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    const vn_watch_id watch = watch_path(&s, 0);
    move(&s, 1, 12, 10, 10); // 4 to 10 metres
    move(&s, 3, 30, 10, 10); // 22 to 28
    tick(&s);
    vn_nav_event event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_true(fabs(event.distance - 4) <= 1e-9);

    advance_to(&s, watch, 11); // past the first
    vn_watch_info info;
    expect_none(&s); // still blocked
    assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
    assert_true(info.known && info.blocked);
    assert_true(fabs(info.distance - 11) <= 1e-9);

    advance_to(&s, watch, 25);
    assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
    assert_true(info.known && info.blocked && info.distance == 0);
    tick(&s);
    tick(&s);
    expect_none(&s);

    advance_to(&s, watch, 29);
    (void)expect(&s, VN_EVENT_PATH_FREE);
    assert_int_equal(vn_nav_watch_advance(s.nav, watch, 2), VN_OK); // the end
    tick(&s);
    expect_none(&s);
    vn_nav_destroy(s.nav);
}

/// An update is under way while the agent advances past what it finds, or turns back before it.
static void test_in_flight(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 3;
    watch_start(&s, &def);
    const vn_watch_id watch = watch_path(&s, 10);
    for (uint32_t i = 0; i < 8; ++i)
        tick(&s);

    move(&s, 1, 12, 10, 10); // 4 to 10 metres
    move(&s, 3, 30, 10, 10); // 22 to 28
    tick(&s);
    advance_to(&s, watch, 11);
    for (uint32_t i = 0; i < 8; ++i) {
        tick(&s);
        expect_none(&s);
    }

    advance_to(&s, watch, 12.5);
    (void)expect(&s, VN_EVENT_PATH_BLOCKED);
    advance_to(&s, watch, 0); // not checked since 11
    expect_none(&s);          // still blocked, by the first one
    vn_watch_info info;
    assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
    assert_true(fabs(info.distance - 4) <= 1e-9);
    vn_nav_destroy(s.nav);
}

/// An agent that moves on inside a box in every frame is told that it is blocked, although it is past every
/// place that an update finds.
static void test_moving_inside(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    watch_start(&s, &def);
    const vn_watch_id watch = watch_path(&s, 10);
    for (uint32_t i = 0; i < 8; ++i)
        tick(&s);

    double at = 10;
    advance_to(&s, watch, at);
    move(&s, 1, 17, 10, 10); // 9 to 15 metres: onto the agent
    uint32_t told = 0;
    for (uint32_t i = 0; i < 40; ++i) {
        vn_nav_event event;
        move(&s, 3, 60, (float)(20 + i % 20), 40); // there is always an update
        tick(&s);
        advance_to(&s, watch, at += 0.1);
        while (next_path_event(&s, &event)) {
            assert_int_equal(event.kind, VN_EVENT_PATH_BLOCKED);
            assert_true(event.distance == 0);
            ++told;
        }
    }

    assert_int_equal(told, 1);
    advance_to(&s, watch, 15.5);
    (void)expect(&s, VN_EVENT_PATH_FREE);
    vn_nav_destroy(s.nav);
}

/// Past a block and back into it, all while one update is out.
static void test_past_and_back(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 3;
    watch_start(&s, &def);
    const vn_watch_id watch = watch_path(&s, 10);
    move(&s, 1, 12, 10, 10); // 4 to 10 metres
    for (uint32_t i = 0; i < 8; ++i)
        tick(&s);

    (void)expect(&s, VN_EVENT_PATH_BLOCKED);
    move(&s, 3, 60, 20, 40);
    tick(&s);
    advance_to(&s, watch, 11);
    (void)expect(&s, VN_EVENT_PATH_FREE);
    for (uint32_t i = 0; i < 8; ++i)
        tick(&s);

    expect_none(&s);
    advance_to(&s, watch, 2);
    const vn_nav_event event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_true(fabs(event.distance - 2) <= 1e-9);
    vn_nav_destroy(s.nav);
}

/// The nearest place on the path ahead.
static void test_near(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    const vn_watch_id watch = watch_path(&s, 0);
    const struct {
        vn_point point;
        double progress;
    } steps[] = {{{15 * 1024, 12 * 1024, 9 * 1024}, 10},
                 {{8 * 1024, 10 * 1024, 10 * 1024}, 10}, // behind
                 {{60 * 1024, 10 * 1024, 10 * 1024}, 35},
                 {{40 * 1024, 20 * 1024, 10 * 1024}, 45},
                 {{INT32_MAX, INT32_MAX, INT32_MAX}, 65}};
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        vn_watch_info info;
        assert_int_equal(vn_nav_watch_advance_near(s.nav, watch, steps[i].point), VN_OK);
        assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
        assert_true(fabs(info.progress - steps[i].progress) <= 1e-9);
    }

    vn_nav_destroy(s.nav);
}

static void test_near_position(void** state) {
    (void)state;
    scene s;
    vn_watch_info info;
    watch_start(&s, NULL);
    const vn_watch_id watch = watch_path(&s, 0);
    assert_int_equal(vn_nav_watch_advance_near_position(s.nav, watch, (vn_dvec3){15.25, 12, 9}), VN_OK);
    assert_int_equal(vn_nav_watch_advance_near_position(s.nav, watch, (vn_dvec3){1e9, 12, 9}), VN_OUTSIDE);
    assert_int_equal(vn_nav_watch_advance_near_position(s.nav, watch, (vn_dvec3){NAN, 12, 9}), VN_OUTSIDE);
    assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
    assert_true(info.progress == 10.25);
    assert_position(info.agent_position, 15.25, 10, 10);
    assert_int_equal(vn_nav_unwatch(s.nav, watch), VN_OK);
    assert_int_equal(vn_nav_watch_advance_near_position(s.nav, watch, (vn_dvec3){1, 1, 1}), VN_STALE_ID);
    vn_nav_destroy(s.nav);
}

/// A path with a lift: the legs are watched, the step between them is not.
static void test_connection(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    const vn_connection lift = {{10, 10, 4}, {90, 10, 4}, 0, false, 1};
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    vn_nav_result result;
    request.path.start = scene_point(4, 10, 4);
    request.path.goal = scene_point(92, 10, 4);
    request.path.connections = &lift;
    request.path.connection_count = 1;
    assert_int_equal(vn_nav_submit(s.nav, &request, &id, NULL), VN_OK);
    tick(&s);
    assert_true(vn_nav_next_result(s.nav, &result));
    assert_int_equal(result.connection_count, 1);

    vn_watch_def watch_def = vn_default_watch_def();
    vn_watch_id watch;
    vn_watch_info info;
    assert_int_equal(vn_nav_watch(s.nav, &result, &watch_def, &watch, NULL), VN_OK);
    vn_nav_release_result(s.nav, id);
    assert_int_equal(vn_nav_watch(s.nav, &result, &watch_def, &watch, NULL), VN_STALE_ID);
    tick(&s);
    assert_int_equal(vn_nav_get_watch(s.nav, watch, &info), VN_OK);
    assert_true(fabs(info.length - result.result.length) <= 1e-3);
    expect_none(&s); // the wall between the two ends does not count

    move(&s, 1, 30, 10, 4); // on the straight line between the ends
    tick(&s);
    expect_none(&s);
    move(&s, 1, 93, 10, 4);
    tick(&s);
    const vn_nav_event event = expect(&s, VN_EVENT_PATH_BLOCKED);
    assert_true(event.segment >= 2);
    assert_true(event.distance > 5);
    vn_nav_destroy(s.nav);
}

/// Costs of a watched result count from its version, with its flags.
static void test_result_costs(void** state) {
    (void)state;
    scene s;
    watch_start(&s, NULL);
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    vn_nav_result result;
    request.path.start = scene_point(5, 10, 10);
    request.path.goal = scene_point(35, 10, 10);
    request.path.zone_flags = 2;
    assert_int_equal(vn_nav_submit(s.nav, &request, &id, NULL), VN_OK);
    tick(&s);
    assert_true(vn_nav_next_result(s.nav, &result));

    vn_zone_def zone = vn_default_zone_def();
    zone.shape = vnt_box_shape(vnt_vec(10, 0, 0), vnt_vec(20, 20, 20));
    zone.factor = 3;
    zone.flags = 2;
    assert_int_equal(vn_nav_add_zone(s.nav, &zone, NULL, NULL), VN_OK);
    tick(&s); // newer than the result

    vn_watch_def watch_def = vn_default_watch_def();
    vn_watch_id watch;
    watch_def.user = 5;
    assert_int_equal(vn_nav_watch(s.nav, &result, &watch_def, &watch, NULL), VN_OK);
    vn_nav_release_result(s.nav, id);
    tick(&s);
    const vn_nav_event event = expect(&s, VN_EVENT_COSTS_CHANGED);
    assert_true(fabs(event.cost_change - 20) <= 1e-6);
    assert_true(event.user == 5);
    vn_nav_destroy(s.nav);
}

static void drain(scene* s) {
    vn_nav_event event;
    while (next_path_event(s, &event)) {
    }
}

/// Both agents turn back. What lies behind an agent does not cause an update: a request does.
static void turn_back(scene* always, scene* moment, const vn_watch_id watches[2]) {
    vn_nav_request request = scene_request(&moment->rng);
    vn_request_id id;
    vn_nav_result result;
    advance_to(always, watches[0], 0);
    advance_to(moment, watches[1], 0);
    assert_int_equal(vn_nav_submit(moment->nav, &request, &id, NULL), VN_OK);
    tick(always);
    tick(moment);
    assert_true(vn_nav_next_result(moment->nav, &result));
    vn_nav_release_result(moment->nav, id);
    drain(always);
    drain(moment);
}

/// Last moment: blocked and free again are told at the same ticks as with VN_UPDATE_ALWAYS.
static void test_last_moment(void** state) {
    (void)state;
    scene always, moment;
    vn_nav_def def = scene_def();
    watch_start(&always, &def);
    def.policy = VN_UPDATE_LAST_MOMENT;
    watch_start(&moment, &def);
    vni_rng rng = vni_rng_make(vnt_seed("nav horizon last moment", 9));
    const vn_watch_id watches[2] = {watch_path(&always, 20), watch_path(&moment, 20)};
    turn_back(&always, &moment, watches);

    uint32_t events = 0, moves = vnt_scale(2000, 50000);
    double at = 0;
    for (uint32_t i = 0; i < moves; ++i) {
        vn_nav_event event, other;
        const uint32_t mover = vni_rng_below(&rng, 3);
        const float x = (float)vni_rng_range(&rng, 5, 60), y = (float)vni_rng_range(&rng, 5, 40);
        move(&always, mover, x, y, 10);
        move(&moment, mover, x, y, 10);
        at += 2 * vni_rng_real(&rng);
        if (at > 65) {
            at = 0;
            turn_back(&always, &moment, watches);
        }

        advance_to(&always, watches[0], at);
        advance_to(&moment, watches[1], at);
        tick(&always);
        tick(&moment);
        const bool told = next_path_event(&always, &event);
        assert_int_equal(next_path_event(&moment, &other), told);
        if (!told)
            continue;
        assert_int_equal(event.kind, other.kind);
        assert_int_equal(event.segment, other.segment);
        assert_true(fabs(event.distance - other.distance) <= 1e-9);
        ++events;
    }

    assert_true(events > moves / 50);
    vn_nav_stats stats[2];
    vn_nav_get_stats(always.nav, &stats[0]);
    vn_nav_get_stats(moment.nav, &stats[1]);
    assert_true(stats[1].updates < stats[0].updates);
    vn_nav_destroy(always.nav);
    vn_nav_destroy(moment.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enters),        cmocka_unit_test(test_far_then_near),
        cmocka_unit_test(test_seconds),       cmocka_unit_test(test_behind_on_the_segment),
        cmocka_unit_test(test_in_flight),     cmocka_unit_test(test_moving_inside),
        cmocka_unit_test(test_past_and_back), cmocka_unit_test(test_near),
        cmocka_unit_test(test_near_position), cmocka_unit_test(test_connection),
        cmocka_unit_test(test_result_costs),  cmocka_unit_test(test_last_moment),
    };

    return cmocka_run_group_tests_name("nav/horizon_watches", tests, NULL, NULL);
}
