/// nav: a result that came from a worker is recorded, read again, and replayed bit for bit.
#include "scene.h"

#include "tests/unit/store/files.h"
#include "volnav/store.h"

#include <stdio.h>

typedef struct counts {
    uint32_t paths, failures, refused;
} counts;

/// Zones of the world, which every request has besides its own; some need a flag.
static void add_zones(vn_world* world, vni_rng* rng) {
    for (uint32_t i = 0; i < 8; ++i) {
        vn_zone_def def = vn_default_zone_def();
        def.shape = i % 3 == 0   ? vnt_sphere_shape(vnt_vec(0, 0, 0), 9)
                    : i % 3 == 1 ? vnt_box_shape(vnt_vec(-6, -8, -9), vnt_vec(6, 9, 8))
                                 : vnt_hull_shape();
        def.transform = scene_transform(rng);
        def.transform.scale = i % 3 == 2 ? 8 : 1;
        def.factor = 0.5f + (float)vni_rng_below(rng, 8);
        def.flags = i % 4;
        assert_int_equal(vn_world_add_zone(world, &def, NULL, NULL), VN_OK);
    }
}

static vn_nav_request make_request(vni_rng* rng, vn_zone* zone, vn_connection* connection) {
    vn_nav_request request = scene_request(rng);
    vn_path_request* path = &request.path;
    path->snap_distance = vni_rng_below(rng, 3) ? 20 : 0;
    path->radius = (float)vni_rng_below(rng, 3);
    path->zone_flags = vni_rng_below(rng, 4);
    path->quality = (vn_quality)vni_rng_below(rng, 3);
    path->budget = vni_rng_below(rng, 5) ? 0 : 30;
    *zone = (vn_zone){.kind = VN_ZONE_SPHERE, .center = {50, 30, 20}, .radius = 12, .factor = 7};
    *connection = (vn_connection){.from = {10, 10, 10}, .to = {80, 50, 40}, .cost = 1};
    if (vni_rng_below(rng, 2)) {
        path->zones = zone;
        path->zone_count = 1;
    }

    if (vni_rng_below(rng, 3) == 0) {
        path->connections = connection;
        path->connection_count = 1;
    }

    return request;
}

/// The record has what the host saw, and its replay is the same.
static void check_record(const vnt_file* file, const vn_nav_result* result) {
    const vn_load_def def = vn_default_load_def();
    vn_record* record;
    vn_replay replay;
    uint32_t count;
    assert_int_equal(vn_record_read(file->data, file->size, &def, &record, NULL), VN_OK);
    const vn_point* points = vn_record_points(record, &count);
    assert_int_equal(count, result->point_count);
    if (count > 0)
        assert_memory_equal(points, result->points, count * sizeof *points);

    assert_int_equal(vn_record_replay(record, NULL, &replay, NULL), VN_OK);
    if (!replay.same)
        fprintf(stderr, "%s\n", replay.text);
    assert_true(replay.same);
    vn_record_destroy(record);
}

static void record_results(vn_nav* nav, counts* out) {
    vn_nav_result result;
    while (vn_nav_next_result(nav, &result)) {
        const vn_store_def def = vn_default_store_def();
        vnt_file file = vnt_file_make();
        const vn_sink sink = vnt_file_sink(&file);
        const vn_status status = vn_nav_write_record(nav, result.id, &def, NULL, &sink, NULL);
        if (result.result.status == VN_CANCELLED || result.result.status == VN_CAPACITY) {
            assert_int_equal(status, VN_UNSUPPORTED);
            ++out->refused;
        } else {
            assert_int_equal(status, VN_OK);
            check_record(&file, &result);
            ++*(result.result.status == VN_OK ? &out->paths : &out->failures);
        }

        vn_nav_release_result(nav, result.id);
        vnt_file_free(&file);
        file = vnt_file_make();
        assert_int_equal(vn_nav_write_record(nav, result.id, &def, NULL, &sink, NULL), VN_STALE_ID);
        assert_true(file.size == 0);
    }
}

static void run(uint64_t seed, uint32_t workers, counts* out) {
    scene s;
    vn_nav_def def = scene_def();
    def.mode = seed % 2 ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME;
    def.workers = workers;
    def.layer_count = 2;
    def.layers[1].radius = 1;
    vn_world* world = scene_world(&s, seed, NULL);
    add_zones(world, &s.rng);
    assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
    for (uint32_t i = 0; i < 30; ++i) {
        vn_zone zone;
        vn_connection connection;
        vn_request_id id;
        scene_move_some(&s, 6);
        const vn_nav_request request = make_request(&s.rng, &zone, &connection);
        const vn_status status = vn_nav_submit(s.nav, &request, &id, NULL);
        assert_true(status == VN_OK || (request.path.radius == 2 && status == VN_UNSUPPORTED));
        if (status == VN_OK && i % 9 == 8)
            assert_int_equal(vn_nav_cancel(s.nav, id), VN_OK);

        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        record_results(s.nav, out);
    }

    vn_nav_destroy(s.nav);
}

static void test_replays(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav records", 1);
    counts all = {0};
    for (uint32_t i = 0; i < vnt_scale(6, 100); ++i)
        run(seed + i, scene_has_threads() ? i % 3 : 0, &all);

    printf("%u paths, %u failures, %u refused\n", all.paths, all.failures, all.refused);
    assert_true(all.paths > 0 && all.failures > 0 && all.refused > 0);
}

/// A path of more points than the nav keeps is not recorded: the search found it, and its replay would.
static void test_too_long(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.max_points = 2;
    scene_start(&s, 1, &def);
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    request.path.start = scene_point(40, 5, 5);
    request.path.goal = scene_point(60, 5, 5);
    request.path.snap_distance = 20;
    assert_int_equal(vn_nav_submit(s.nav, &request, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);

    counts all = {0};
    record_results(s.nav, &all);
    assert_int_equal(all.refused, 1);
    vn_nav_destroy(s.nav);
}

/// More zones than a request can have; and every allocation fails in turn.
static void test_limits(void** state) {
    (void)state;
    scene s;
    const vn_nav_def def = scene_def();
    vn_world* world = scene_world(&s, 1, NULL);
    vn_zone own[VN_MAX_ZONES];
    vn_zone_def zone_def = vn_default_zone_def();
    zone_def.shape = vnt_sphere_shape(vnt_vec(5, 5, 5), 3);
    zone_def.factor = 2;
    zone_def.flags = 1;
    assert_int_equal(vn_world_add_zone(world, &zone_def, NULL, NULL), VN_OK);
    assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
    for (uint32_t i = 0; i < VN_MAX_ZONES; ++i)
        own[i] = (vn_zone){.kind = VN_ZONE_SPHERE, .center = {(float)i, 3, 3}, .radius = 2, .factor = 3};

    for (uint32_t flags = 0; flags < 2; ++flags) {
        vn_nav_request request = scene_request(&s.rng);
        vn_request_id id;
        vn_nav_result result;
        request.path.zones = own;
        request.path.zone_count = VN_MAX_ZONES;
        request.path.zone_flags = flags;
        assert_int_equal(vn_nav_submit(s.nav, &request, &id, NULL), VN_OK);
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        assert_true(vn_nav_next_result(s.nav, &result));

        vn_status status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status == VN_OUT_OF_MEMORY; ++k) {
            vnt_memory memory = vnt_memory_make();
            const vn_allocator allocator = vnt_memory_allocator(&memory);
            const vn_store_def store = vn_default_store_def();
            vnt_file file = vnt_file_make();
            const vn_sink sink = vnt_file_sink(&file);
            memory.fail_at = k;
            status = vn_nav_write_record(s.nav, id, &store, &allocator, &sink, NULL);
            assert_true((status == VN_OUT_OF_MEMORY) == memory.failed);
            assert_true(memory.live_blocks == 0 && !memory.mismatch);
            vnt_file_free(&file);
        }

        // zones whose flag the request does not have need no space
        assert_int_equal(status, flags == 0 ? VN_OK : VN_CAPACITY);
        vn_nav_release_result(s.nav, id);
    }

    vn_nav_destroy(s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replays),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_limits),
    };

    return cmocka_run_group_tests_name("nav/records", tests, NULL, NULL);
}
