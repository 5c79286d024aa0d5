/// nav: cancelled requests: every tick ends, every request has one result, and that result is empty.
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#endif

#include "scene.h"

/// A tick that waits forever must not hang the whole test run.
static void limit_time(unsigned seconds) {
#ifdef _WIN32
    (void)seconds;
#else
    alarm(seconds);
#endif
}

static vn_nav_def small_def(vn_nav_mode mode, uint32_t workers, uint32_t latency) {
    vn_nav_def def = vn_default_nav_def();
    def.mode = mode;
    def.workers = workers;
    def.latency = latency;
    def.max_requests = 8;
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {64, 8, 8}};

    return def;
}

static vn_nav* start(const vn_nav_def* def) {
    const vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_nav* nav;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_nav_create(world, def, &nav, NULL), VN_OK);
    return nav;
}

static void assert_is_empty(const vn_nav_result* result) {
    assert_int_equal(result->result.status, VN_CANCELLED);
    assert_int_equal(result->result.reason, VN_CANCELLED);
    assert_int_equal(result->result.point_count, 0);
    assert_int_equal(result->result.connections_used, 0);
    assert_true(result->version == 0);
    assert_true(result->space == NULL);
    assert_true(result->point_count == 0);
    assert_true(result->connection_count == 0);
}

static vn_request_id submit(vn_nav* nav) {
    static const vn_connection link = {{2, 2, 2}, {60, 2, 2}, 1, true, 7};
    vn_nav_request request = vn_default_nav_request();
    request.path.start = scene_point(1, 2, 2);
    request.path.goal = scene_point(61, 2, 2);
    request.path.connections = &link;
    request.path.connection_count = 1;
    vn_request_id request_id = 0;
    assert_int_equal(vn_nav_submit(nav, &request, &request_id, NULL), VN_OK);

    return request_id;
}

/// Collects all results; returns the number of those that were cancelled.
static uint32_t collect(vn_nav* nav) {
    uint32_t cancelled = 0;
    vn_nav_result result;
    while (vn_nav_next_result(nav, &result)) {
        if (result.result.status == VN_CANCELLED)
            assert_is_empty(&result);
        cancelled += result.result.status == VN_CANCELLED;
        vn_nav_release_result(nav, result.id);
    }

    return cancelled;
}

/// Up to three requests, cancelled before or after the tick that begins them: further ticks end and deliver
/// their results.
static void cancel_round(vn_nav* nav, uint32_t number) {
    vn_request_id request_ids[3];
    const uint32_t count = 1 + number % 3;
    uint32_t expected = 0, cancelled = 0;
    for (uint32_t i = 0; i < count; ++i)
        request_ids[i] = submit(nav);

    if (number % 2 == 1)
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);

    for (uint32_t i = 0; i < count; ++i) // realtime: it may have finished already
        expected += vn_nav_cancel(nav, request_ids[i]) == VN_OK;

    cancelled += collect(nav);
    do {
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        cancelled += collect(nav);
    } while (cancelled < expected);

    assert_int_equal(cancelled, expected);
}

static void cancel_rounds(vn_nav_mode mode, uint32_t workers, uint32_t rounds) {
    const vn_nav_def def = small_def(mode, workers, 1);
    vn_nav* nav = start(&def);
    for (uint32_t i = 0; i < rounds; ++i)
        cancel_round(nav, i);

    assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    assert_int_equal(collect(nav), 0);
    vn_nav_destroy(nav);
}

static void test_every_tick_ends(void** state) {
    (void)state;
    limit_time(vnt_scale(600, 1800));
    const uint32_t most = scene_has_threads() ? 3 : 0;
    for (uint32_t workers = 0; workers <= most; ++workers) {
        cancel_rounds(VN_NAV_LOCKSTEP, workers, vnt_scale(300, 20000));
        cancel_rounds(VN_NAV_REALTIME, workers, vnt_scale(300, 20000));
    }

    limit_time(0);
}

/// A path found in the first tick and due three ticks later, cancelled in between: nothing of it is left.
static void test_result_is_empty(void** state) {
    (void)state;
    const vn_nav_def def = small_def(VN_NAV_LOCKSTEP, 0, 3);
    vn_nav* nav = start(&def);
    const vn_request_id wanted = submit(nav), unwanted = submit(nav);
    assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);

    assert_int_equal(vn_nav_cancel(nav, unwanted), VN_OK);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);

    vn_nav_result result;
    assert_true(vn_nav_next_result(nav, &result));
    assert_true(result.id == wanted);
    assert_true(result.result.status == VN_OK);
    assert_true(result.point_count > 0);
    assert_true(result.connection_count == 1);
    assert_true(vn_nav_next_result(nav, &result));
    assert_true(result.id == unwanted);
    assert_is_empty(&result);
    assert_false(vn_nav_next_result(nav, &result));
    vn_nav_destroy(nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tick_ends),
        cmocka_unit_test(test_result_is_empty),
    };
    return cmocka_run_group_tests_name("nav/cancel", tests, NULL, NULL);
}
