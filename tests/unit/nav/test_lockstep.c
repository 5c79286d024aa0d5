/// nav in lockstep: the same calls give the same bytes, with 0, 1 and 3 workers.
#include "scene.h"

typedef struct record {
    uint64_t hash;
    uint64_t results, paths, blocked, versions;
} record;

static void mix(record* r, const void* data, size_t size) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i)
        r->hash = (r->hash ^ bytes[i]) * 0x100000001b3u;
}

static void mix_result(record* r, const vn_nav_result* a, uint32_t latency) {
    const uint64_t words[] = {a->id,
                              a->user,
                              a->version,
                              a->begin_tick,
                              a->end_tick,
                              a->result.expanded,
                              (uint64_t)a->result.status,
                              a->point_count};
    mix(r, words, sizeof words);

    mix(r, &a->result.length, sizeof a->result.length);
    if (a->point_count > 0)
        mix(r, a->points, a->point_count * sizeof *a->points);

    assert_true(a->end_tick == a->begin_tick + latency);
    ++r->results;
    r->paths += a->result.status == VN_OK;
}

static void mix_event(record* r, const vn_nav_event* e) {
    const uint64_t words[] = {(uint64_t)e->kind, e->version, e->watch, e->segment};
    mix(r, words, sizeof words);
    mix(r, &e->point, sizeof e->point);
    r->blocked += e->kind == VN_EVENT_PATH_BLOCKED;
    r->versions += e->kind == VN_EVENT_VERSION;
}

/// Adds a box, or removes the last one.
static void come_and_go(scene* s, vn_obstacle_id* guest) {
    if (vn_nav_has(s->nav, *guest)) {
        assert_int_equal(vn_nav_remove(s->nav, *guest), VN_OK);
        return;
    }

    float x = (float)vni_rng_range(&s->rng, 0, 90), y = (float)vni_rng_range(&s->rng, 0, 60);
    vn_shape box = vnt_box_shape(vnt_vec(x, y, 4), vnt_vec(x + 5, y + 5, 30));
    assert_int_equal(vn_nav_add(s->nav, &box, 0, guest, NULL), VN_OK);
}

static void frame(scene* s, record* r, uint32_t number, uint32_t latency) {
    vn_request_id request_id = 0;
    static vn_obstacle_id guest;
    if (number == 0)
        guest = (vn_obstacle_id){0, 0};

    scene_move_some(s, vni_rng_below(&s->rng, 4));
    if (vni_rng_below(&s->rng, 6) == 0)
        come_and_go(s, &guest);

    for (uint32_t i = 0; i < 3; ++i) {
        vn_nav_request request = scene_request(&s->rng);
        request.priority = vni_rng_range(&s->rng, -1, 1);
        request.user = vni_rng_next(&s->rng);
        assert_int_equal(vn_nav_submit(s->nav, &request, &request_id, NULL), VN_OK);
    }

    if (vni_rng_below(&s->rng, 4) == 0)
        assert_int_equal(vn_nav_cancel(s->nav, request_id), VN_OK);

    assert_int_equal(vn_nav_tick(s->nav, NULL), VN_OK);
    vn_nav_result result;
    while (vn_nav_next_result(s->nav, &result)) {
        vn_watch_id watch;
        scene_check(&result);
        mix_result(r, &result, latency);
        if (result.result.status == VN_OK && vni_rng_below(&s->rng, 2) == 0 &&
            scene_watch_result(s->nav, &result, &watch) == VN_OK && vni_rng_below(&s->rng, 2) == 0)
            assert_int_equal(vn_nav_watch_advance(s->nav, watch, 1), VN_OK);

        vn_nav_release_result(s->nav, result.id);
    }

    vn_nav_event event;
    while (vn_nav_next_event(s->nav, &event))
        mix_event(r, &event);
}

static record run(uint32_t workers, uint32_t latency, vn_update_policy policy, uint32_t ticks) {
    scene s;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = workers;
    def.latency = latency;
    def.policy = policy;
    def.max_requests = 64;
    def.max_watches = 20;
    scene_start(&s, 77, &def);

    record r = {0xcbf29ce484222325u, 0, 0, 0, 0};
    for (uint32_t i = 0; i < ticks; ++i)
        frame(&s, &r, i, latency);

    vn_nav_destroy(s.nav);
    return r;
}

static void compare(uint32_t latency, vn_update_policy policy) {
    uint32_t ticks = vnt_scale(120, 2000);
    record none = run(0, latency, policy, ticks);
    assert_true(none.paths > ticks);
    assert_true(none.blocked > 3);
    assert_true(none.versions > 10);
    const uint32_t workers[2] = {1, 3};
    for (uint32_t i = 0; i < 2 && scene_has_threads(); ++i) {
        record some = run(workers[i], latency, policy, ticks);
        assert_true(some.hash == none.hash);
        assert_true(some.results == none.results);
        assert_true(some.blocked == none.blocked);
    }
}

static void test_always(void** state) {
    (void)state;
    compare(1, VN_UPDATE_ALWAYS);
    compare(3, VN_UPDATE_ALWAYS);
}

static void test_every(void** state) {
    (void)state;
    compare(2, VN_UPDATE_EVERY_N);
}

static void test_last_moment(void** state) {
    (void)state;
    compare(2, VN_UPDATE_LAST_MOMENT);
}

/// Changes handed over at a tick are visible exactly `latency` ticks later.
static void test_latency(void** state) {
    (void)state;
    for (uint32_t latency = 1; latency <= 4; ++latency) {
        scene s;
        vn_nav_def def = scene_def();
        def.mode = VN_NAV_LOCKSTEP;
        def.latency = latency;
        scene_start(&s, 5, &def);
        vn_shape box = vnt_box_shape(vnt_vec(30, 1, 1), vnt_vec(36, 7, 7));

        assert_int_equal(vn_nav_add(s.nav, &box, 0, NULL, NULL), VN_OK);
        for (uint32_t i = 0; i <= latency; ++i) {
            assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
            vn_nav_stats stats;
            vn_nav_get_stats(s.nav, &stats);
            assert_int_equal(stats.version, i == latency ? 2 : 1);
            assert_int_equal(stats.version_lag, i == latency ? 0 : i + 1);
        }

        vn_nav_destroy(s.nav);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_always),
        cmocka_unit_test(test_every),
        cmocka_unit_test(test_last_moment),
        cmocka_unit_test(test_latency),
    };

    return cmocka_run_group_tests_name("nav/lockstep", tests, NULL, NULL);
}
