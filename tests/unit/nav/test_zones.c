/// nav: zones that move: what results cost in the version that they name, versions that differ in costs
/// alone; lockstep, memory, threads.
#include "zones.h"

/// A result costs what the zones of its version say, and no more than the straight path if that is free.
static void check_result(const scene* s, const vn_nav_result* a, const vn_path_request* request) {
    scene_check(a);
    if (a->result.status != VN_OK)
        return;

    const double cost = cost_in(s->nav, a->version, request, a->points, a->point_count);
    assert_true(fabs(cost - a->result.cost) <= 1e-6 * (1 + cost));
    if (vn_space_visible(a->space, a->result.start, a->result.goal)) {
        const vn_point ends[2] = {a->result.start, a->result.goal};
        assert_true(a->result.cost <= 1.01 * cost_in(s->nav, a->version, request, ends, 2) + 0.01);
    }
}

// ------------------------------------------------------------------------------------------------- results

/// With zones in the request, of all kinds, in arrays that are gone before it runs.
static vn_request_id submit_with_zones(const scene* s, vn_nav_request* request, vn_zone keep[2],
                                       vn_plane planes[2]) {
    vn_plane* own = malloc(2 * sizeof *own);
    vn_zone* zones = malloc(2 * sizeof *zones);
    assert_true(own);
    assert_true(zones);

    own[0] = planes[0] = (vn_plane){{0, 1, 0}, 20};
    own[1] = planes[1] = (vn_plane){{0, -1, 0}, -4};
    zones[0] = (vn_zone){.kind = VN_ZONE_HULL, .planes = own, .plane_count = 2, .factor = 3};
    zones[1] = (vn_zone){.kind = VN_ZONE_SPHERE, .center = {60, 30, 20}, .radius = 12, .factor = 2};
    memcpy(keep, zones, 2 * sizeof *zones);
    keep[0].planes = planes;
    request->path.zones = zones;
    request->path.zone_count = 2;
    vn_request_id request_id;
    assert_int_equal(vn_nav_submit(s->nav, request, &request_id, NULL), VN_OK);

    free(zones);
    free(own);
    request->path.zones = keep;

    return request_id;
}

static void test_results(void** state) {
    (void)state;
    zone_scene z;
    vn_nav_def def = scene_def();
    start(&z, vnt_seed("nav zones", 61), &def);

    double plain = 0, dear = 0;
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vn_nav_request request = scene_request(&z.s.rng);
        vn_nav_result result;
        vn_request_id request_id;
        vn_zone keep[2];
        vn_plane planes[2];
        request.path.zone_flags = vni_rng_below(&z.s.rng, 2) ? 4 : 0;
        move_zones(&z, vni_rng_below(&z.s.rng, 3));

        scene_move_some(&z.s, vni_rng_below(&z.s.rng, 2));
        if (i % 2)
            request_id = submit_with_zones(&z.s, &request, keep, planes);
        else
            assert_int_equal(vn_nav_submit(z.s.nav, &request, &request_id, NULL), VN_OK);

        tick(&z.s);
        assert_true(vn_nav_next_result(z.s.nav, &result));
        assert_true(result.id == request_id);
        check_result(&z.s, &result, &request.path);
        plain += result.result.length;
        dear += result.result.cost;
        vn_nav_release_result(z.s.nav, request_id);
    }

    assert_true(dear > 1.05 * plain);
    vn_nav_destroy(z.s.nav);
}

static void test_bad_calls(void** state) {
    (void)state;
    zone_scene z;
    vn_nav_def def = scene_def();
    start(&z, 1, &def);
    vn_nav* nav = z.s.nav;
    vn_zone_def zone = zone_def(0, 2), bad = zone;
    vn_zone_id id, null = {0, 0};
    vn_transform transform = vn_transform_identity();
    vn_detail detail = {0};
    bad.factor = -1;
    assert_int_equal(vn_nav_add_zone(nav, &bad, &id, &detail), VN_BAD_DATA);
    assert_true(detail.text[0] != 0);
    assert_int_equal(vn_nav_add_zone(nav, &zone, &id, NULL), VN_OK);

    transform.scale = NAN;
    assert_int_equal(vn_nav_move_zone(nav, id, &transform, &detail), VN_BAD_DATA);
    assert_int_equal(vn_nav_remove_zone(nav, id), VN_OK);
    assert_int_equal(vn_nav_remove_zone(nav, id), VN_STALE_ID);

    transform = vn_transform_identity();
    assert_int_equal(vn_nav_move_zone(nav, id, &transform, &detail), VN_STALE_ID);
    assert_false(vn_nav_has_zone(nav, id));
    assert_false(vn_nav_has_zone(nav, null));
    assert_true(vn_nav_has_zone(nav, z.zones[3]));
    assert_true(stats_of(&z.s).pending_changes == 0);

    const vn_zone* zones;
    const vn_box* boxes;
    uint32_t count;
    assert_int_equal(vn_nav_get_zones(nav, 77, &zones, &count), VN_STALE_ID);
    assert_int_equal(vn_nav_get_cost_changes(nav, 77, &boxes, &count), VN_STALE_ID);
    assert_int_equal(vn_nav_watch_costs(nav, 12345, 0, 0), VN_STALE_ID);

    vn_nav_request request = scene_request(&z.s.rng);
    vn_request_id request_id;
    bad = zone;
    const vn_zone no_zone = {.kind = VN_ZONE_HULL, .factor = 2};
    request.path.zones = &no_zone;
    request.path.zone_count = 1;
    assert_int_equal(vn_nav_submit(nav, &request, &request_id, &detail), VN_BAD_ARGUMENT);
    vn_nav_destroy(nav);
}

// ------------------------------------------------------------------------------------------------ versions

static bool same_box(const vn_box* a, float x0, float y0, float z0, float x1, float y1, float z1) {
    return a->min.x == x0 && a->min.y == y0 && a->min.z == z0 && a->max.x == x1 && a->max.y == y1 &&
           a->max.z == z1;
}

/// Adds a zone: the next version has the same space as the one that is held, and says where its costs differ.
static vn_zone_id check_added(scene* s, const vn_zone_def* zone, uint64_t* held, uint64_t* number) {
    vn_zone_id id;
    const vn_zone* zones;
    const vn_box* boxes;
    uint32_t count;
    const vn_space* space = vn_nav_pin(s->nav, 0, 0, held);
    assert_int_equal(vn_nav_get_zones(s->nav, *held, &zones, &count), VN_OK);
    assert_true(count == 0);
    assert_true(zones == NULL);
    assert_int_equal(vn_nav_add_zone(s->nav, zone, &id, NULL), VN_OK);
    assert_true(stats_of(s).pending_changes == 1);
    assert_true(vn_nav_has_zone(s->nav, id));

    tick(s);
    assert_true(stats_of(s).version == *held + 1);
    assert_true(stats_of(s).updates == 1);
    assert_true(stats_of(s).version_lag == 0);
    assert_true(vn_nav_pin(s->nav, 0, 0, number) == space);
    assert_true(*number == *held + 1);
    assert_int_equal(vn_nav_get_cost_changes(s->nav, *number, &boxes, &count), VN_OK);
    assert_true(count == 1);
    assert_true(same_box(boxes, 14, 14, 14, 26, 26, 26));
    assert_int_equal(vn_nav_get_zones(s->nav, *held, &zones, &count), VN_OK); // the old version is the same
    assert_int_equal(count, 0);
    return id;
}

/// Moves the zone there and back, which makes no version, and then to x = 50, which makes the one after
/// `number`.
static void check_moved(scene* s, vn_zone_id id, const vn_zone_def* zone, uint64_t number) {
    vn_transform transform = zone->transform, other = zone->transform;
    const vn_box* boxes;
    uint32_t count;
    other.position.x = 50;
    assert_int_equal(vn_nav_move_zone(s->nav, id, &other, NULL), VN_OK);
    assert_int_equal(vn_nav_move_zone(s->nav, id, &transform, NULL), VN_OK); // there and back
    assert_true(stats_of(s).pending_changes == 0);

    tick(s);
    assert_true(stats_of(s).version == number);
    assert_true(stats_of(s).updates == 1);
    assert_int_equal(vn_nav_move_zone(s->nav, id, &other, NULL), VN_OK);

    tick(s);
    assert_int_equal(vn_nav_get_cost_changes(s->nav, number + 1, &boxes, &count), VN_OK);
    assert_true(count == 2);
    assert_true(same_box(boxes, 14, 14, 14, 26, 26, 26));
    assert_true(same_box(boxes + 1, 44, 14, 14, 56, 26, 26));
}

/// A version that differs in costs has the same spaces, and says where they differ.
static void test_versions(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 2, &def);
    vn_zone_def zone = zone_def(0, 2);
    uint64_t held, number;
    const vn_zone* zones;
    const vn_box* boxes;
    uint32_t count;
    zone.transform.position = vnt_vec(20, 20, 20);
    vn_zone_id id = check_added(&s, &zone, &held, &number);
    check_moved(&s, id, &zone, number);

    scene_move_some(&s, 3); // the next one has other spaces, and the same zones
    tick(&s);
    assert_int_equal(vn_nav_get_zones(s.nav, number + 2, &zones, &count), VN_OK);
    assert_true(count == 1);
    assert_true(zones->box.min.x == 44);
    assert_int_equal(vn_nav_get_cost_changes(s.nav, number + 2, &boxes, &count), VN_OK);
    assert_int_equal(count, 0);
    assert_int_equal(vn_nav_remove_zone(s.nav, id), VN_OK);
    assert_int_equal(vn_nav_add_zone(s.nav, &zone, &id, NULL), VN_OK); // in the same slot

    tick(&s);
    assert_int_equal(vn_nav_get_cost_changes(s.nav, number + 3, &boxes, &count), VN_OK);
    assert_true(count == 2);
    assert_true(boxes[0].min.x == 44);
    assert_true(boxes[1].min.x == 14);
    assert_int_equal(vn_nav_unpin(s.nav, held), VN_OK);
    assert_int_equal(vn_nav_get_zones(s.nav, held, &zones, &count), VN_STALE_ID);
    vn_nav_destroy(s.nav);
}

static void ticks(scene* s, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        tick(s);
}

/// Moves a zone far from the watched path, which makes no version, and then onto it.
static vn_zone_id check_moves_at_the_last_moment(scene* s, vn_zone_def* zone) {
    vn_zone_id id;
    assert_int_equal(vn_nav_add_zone(s->nav, zone, &id, NULL), VN_OK);
    for (uint32_t i = 0; i < 8; ++i) {
        vn_transform transform = zone->transform;
        transform.position.y += (float)i;
        assert_int_equal(vn_nav_move_zone(s->nav, id, &transform, NULL), VN_OK);
        tick(s);
    }

    assert_true(stats_of(s).updates == 0);
    assert_true(stats_of(s).version == 1);
    assert_true(stats_of(s).version_lag >= 7);
    zone->transform.position = vnt_vec(30, 5, 5); // onto the path
    assert_int_equal(vn_nav_move_zone(s->nav, id, &zone->transform, NULL), VN_OK);
    ticks(s, 3);

    assert_true(stats_of(s).updates == 1);
    assert_true(stats_of(s).version == 2);
    return id;
}

/// Last moment: a zone far from every path costs nothing until a request comes; one that moves there and back
/// keeps no request waiting.
static void test_last_moment(void** state) {
    (void)state;
    for (uint32_t lockstep = 0; lockstep < 2; ++lockstep) {
        scene s;
        vn_nav_def def = scene_def();
        def.policy = VN_UPDATE_LAST_MOMENT;
        def.mode = lockstep ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME;
        scene_start(&s, 3, &def);
        const vn_point path[2] = {scene_point(2, 2, 2), scene_point(40, 2, 2)};
        vn_zone_def zone = zone_def(1, 2);
        vn_watch_id watch;
        vn_request_id request_id;
        vn_nav_result result;
        zone.transform.position = vnt_vec(30, 40, 30);

        assert_int_equal(scene_watch(s.nav, path, 2, &watch), VN_OK);
        ticks(&s, 4);
        vn_zone_id id = check_moves_at_the_last_moment(&s, &zone);
        vn_transform away = zone.transform;
        away.position.y = 50;
        vn_nav_request request = scene_request(&s.rng);
        scene_move_some(&s, 1); // an update that is under way in lockstep
        assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);
        tick(&s);
        assert_int_equal(vn_nav_move_zone(s.nav, id, &away, NULL), VN_OK);

        assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);
        if (lockstep)
            tick(&s);

        assert_int_equal(vn_nav_move_zone(s.nav, id, &zone.transform, NULL), VN_OK);
        ticks(&s, 8);
        for (uint32_t i = 0; i < 2; ++i) {
            assert_true(vn_nav_next_result(s.nav, &result));
            vn_nav_release_result(s.nav, result.id);
        }

        vn_nav_destroy(s.nav);
    }
}

// ------------------------------------------------------------------------------------------------ lockstep

static void mix(uint64_t* hash, const void* data, size_t size) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i)
        *hash = (*hash ^ bytes[i]) * 0x100000001b3u;
}

static void mix_frame(zone_scene* z, uint64_t* hash) {
    vn_nav_result a;
    vn_nav_event e;
    while (vn_nav_next_result(z->s.nav, &a)) {
        vn_watch_id watch;
        mix(hash, &a.version, sizeof a.version);
        mix(hash, &a.result.cost, sizeof a.result.cost);
        if (a.point_count > 0)
            mix(hash, a.points, a.point_count * sizeof *a.points);

        if (a.result.status == VN_OK && scene_watch_result(z->s.nav, &a, &watch) == VN_OK)
            assert_int_equal(vn_nav_watch_costs(z->s.nav, watch, 4, a.version), VN_OK);

        vn_nav_release_result(z->s.nav, a.id);
    }

    while (vn_nav_next_event(z->s.nav, &e)) {
        const uint64_t words[] = {(uint64_t)e.kind, e.version, e.watch, e.segment};
        mix(hash, words, sizeof words);
        mix(hash, &e.cost_change, sizeof e.cost_change);
    }
}

static uint64_t run_lockstep(uint32_t workers, vn_update_policy policy) {
    zone_scene z;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = workers;
    def.policy = policy;
    def.max_watches = 20;
    start(&z, 78, &def);

    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vn_request_id request_id;
        move_zones(&z, vni_rng_below(&z.s.rng, 3));
        scene_move_some(&z.s, vni_rng_below(&z.s.rng, 3));
        if (i % 10 == 5) {
            vn_zone_def zone = zone_def(i, 2);
            assert_int_equal(vn_nav_remove_zone(z.s.nav, z.zones[i / 10 % MOVERS]), VN_OK);
            assert_int_equal(vn_nav_add_zone(z.s.nav, &zone, &z.zones[i / 10 % MOVERS], NULL), VN_OK);
        }

        for (uint32_t k = 0; k < 2; ++k) {
            vn_nav_request request = scene_request(&z.s.rng);
            request.path.zone_flags = 4 * k;
            assert_int_equal(vn_nav_submit(z.s.nav, &request, &request_id, NULL), VN_OK);
        }

        tick(&z.s);
        mix_frame(&z, &hash);
    }

    vn_nav_destroy(z.s.nav);
    return hash;
}

static void test_lockstep(void** state) {
    (void)state;
    const vn_update_policy policies[2] = {VN_UPDATE_ALWAYS, VN_UPDATE_LAST_MOMENT};
    for (uint32_t i = 0; i < 2; ++i) {
        const uint64_t none = run_lockstep(0, policies[i]);
        assert_true(none == run_lockstep(0, policies[i]));
        if (scene_has_threads()) {
            assert_true(none == run_lockstep(1, policies[i]));
            assert_true(none == run_lockstep(3, policies[i]));
        }
    }
}

// -------------------------------------------------------------------------------------------------- memory

static void test_out_of_memory(void** state) {
    (void)state;
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        scene s;
        vnt_memory memory = vnt_memory_make();
        vn_nav_def def = scene_small_def(&memory);
        vn_world* world = scene_world(&s, 2, &def.allocator);
        assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
        vn_zone_def zone = zone_def(2, 2);
        vn_zone_id id = {0, 0};
        memory.fail_at = memory.calls + k;
        vn_status added = vn_nav_add_zone(s.nav, &zone, &id, NULL);
        assert_true(stats_of(&s).pending_changes == (added == VN_OK));
        vn_status ticked = vn_nav_tick(s.nav, NULL);
        assert_true(added == VN_OK || added == VN_OUT_OF_MEMORY);
        assert_true(ticked == VN_OK || ticked == VN_OUT_OF_MEMORY);
        done = !memory.failed;
        assert_true(done == (added == VN_OK && ticked == VN_OK));
        memory.fail_at = UINT64_MAX;
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK); // allocations succeed again
        assert_true(stats_of(&s).version_lag == 0);
        assert_true(stats_of(&s).pending_changes == 0);
        const vn_zone* zones;
        uint32_t count;
        assert_int_equal(vn_nav_get_zones(s.nav, stats_of(&s).version, &zones, &count), VN_OK);
        assert_int_equal(count, added == VN_OK);
        vn_nav_destroy(s.nav);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }
}

/// Moving zones, a request and a watch: neither the host's calls nor the ticks allocate.
static void test_steady_state(void** state) {
    (void)state;
    zone_scene z;
    vnt_memory memory = vnt_memory_make();
    vn_nav_def def = scene_small_def(&memory);

    vn_world* world = scene_world(&z.s, 3, &def.allocator);
    for (uint32_t i = 0; i < MOVERS; ++i) {
        vn_zone_def zone = zone_def(i, 2);
        assert_int_equal(vn_world_add_zone(world, &zone, &z.zones[i], NULL), VN_OK);
    }

    assert_int_equal(vn_nav_create(world, &def, &z.s.nav, NULL), VN_OK);
    uint64_t calls = 0;
    vn_watch_id watch = 0;
    for (uint32_t i = 0; i < 60; ++i) {
        vn_nav_request request = scene_request(&z.s.rng);
        vn_nav_event event;
        vn_nav_result result;
        vn_request_id request_id;
        const uint64_t before = memory.calls;
        move_zones(&z, 4);
        assert_int_equal(vn_nav_submit(z.s.nav, &request, &request_id, NULL), VN_OK);

        tick(&z.s);
        while (vn_nav_next_event(z.s.nav, &event)) {
        }

        assert_true(vn_nav_next_result(z.s.nav, &result));
        (void)vn_nav_unwatch(z.s.nav, watch);
        if (result.point_count > 0) {
            assert_int_equal(scene_watch_result(z.s.nav, &result, &watch), VN_OK);
            assert_int_equal(vn_nav_watch_costs(z.s.nav, watch, 4, result.version), VN_OK);
        }

        vn_nav_release_result(z.s.nav, request_id);
        if (i >= 10)
            calls += memory.calls - before;
    }

    assert_true(calls == 0);
    assert_true(stats_of(&z.s).version > 50);
    vn_nav_destroy(z.s.nav);
    assert_true(memory.live_blocks == 0);
    assert_true(!memory.mismatch);
}

// ------------------------------------------------------------------------------------------------- threads

/// Everything at once on four workers; every result costs what its own version says.
static void test_threads(void** state) {
    (void)state;
    if (!scene_has_threads())
        skip();

    zone_scene z;
    vn_nav_def def = scene_def();
    def.workers = 4;
    def.max_requests = 64;
    start(&z, vnt_seed("nav zone threads", 63), &def);
    uint32_t submitted = 0, finished = 0, reported = 0;

    const uint32_t frames = vnt_scale(120, 4000);
    for (uint32_t i = 0; i < frames || finished < submitted || reported == 0; ++i) {
        vn_nav_result result;
        vn_nav_event event;
        vn_request_id request_id;
        if (i < frames || reported == 0) {
            move_zones(&z, 1 + vni_rng_below(&z.s.rng, 2));
            scene_move_some(&z.s, vni_rng_below(&z.s.rng, 2));
            for (uint32_t k = 0; k < 3; ++k) {
                vn_nav_request request = scene_request(&z.s.rng);
                submitted += vn_nav_submit(z.s.nav, &request, &request_id, NULL) == VN_OK;
            }

            if (i % 16 == 7) {
                const uint32_t n = vni_rng_below(&z.s.rng, MOVERS);
                vn_zone_def zone = zone_def(n, 4);
                assert_int_equal(vn_nav_remove_zone(z.s.nav, z.zones[n]), VN_OK);
                assert_int_equal(vn_nav_add_zone(z.s.nav, &zone, &z.zones[n], NULL), VN_OK);
            }
        }

        tick(&z.s);
        while (vn_nav_next_result(z.s.nav, &result)) {
            const vn_path_request plain = vn_default_path_request();
            vn_watch_id watch;
            check_result(&z.s, &result, &plain);
            if (result.point_count > 0 && scene_watch_result(z.s.nav, &result, &watch) == VN_OK)
                assert_int_equal(vn_nav_watch_costs(z.s.nav, watch, 0, result.version), VN_OK);

            vn_nav_release_result(z.s.nav, result.id);
            ++finished;
        }

        while (vn_nav_next_event(z.s.nav, &event))
            if (event.kind == VN_EVENT_COSTS_CHANGED) {
                ++reported;
                (void)vn_nav_unwatch(z.s.nav, event.watch);
            }
    }

    assert_int_equal(finished, submitted);
    vn_nav_destroy(z.s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),      cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_versions),     cmocka_unit_test(test_last_moment),
        cmocka_unit_test(test_lockstep),     cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_steady_state), cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests_name("nav/zones", tests, NULL, NULL);
}
