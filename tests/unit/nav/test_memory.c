/// nav: every allocation may fail, and in steady state there is none.
#include "scene.h"

#include <stdio.h>

static void test_create(void** state) {
    (void)state;
    for (uint64_t k = 0;; ++k) {
        scene s;
        vnt_memory memory = vnt_memory_make();
        vn_nav_def def = scene_small_def(&memory);
        vn_world* world = scene_world(&s, 1, NULL);
        vn_nav* nav;
        memory.fail_at = k;

        vn_status status = vn_nav_create(world, &def, &nav, NULL);
        if (status == VN_OK) {
            assert_false(memory.failed);
            vn_nav_destroy(nav);
            assert_true(memory.live_blocks == 0);
            assert_true(!memory.mismatch);
            break;
        }

        assert_int_equal(status, VN_OUT_OF_MEMORY);
        assert_true(memory.failed);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
        vn_world_destroy(world);
    }
}

/// One frame with calls of every kind; allocations may fail in it.
static void frame(scene* s, vn_status* worst) {
    vn_status status[6];
    vn_request_id request_id = 0;
    vn_obstacle_id id = {0, 0};
    vn_nav_request request = scene_request(&s->rng);
    vn_shape box = vnt_box_shape(vnt_vec(1, 1, 1), vnt_vec(9, 9, 9)), tetra = vnt_hull_shape();
    vn_transform transform = scene_transform(&s->rng);
    status[0] = vn_nav_add(s->nav, &tetra, 2, NULL, NULL);
    status[1] = vn_nav_add_moving(s->nav, &box, &transform, 0, &id, NULL);
    status[2] = vn_nav_move(s->nav, s->movers[0], &transform, NULL);
    status[3] = status[1] == VN_OK ? vn_nav_remove(s->nav, id) : VN_OK;
    status[4] = vn_nav_submit(s->nav, &request, &request_id, NULL);

    status[5] = vn_nav_tick(s->nav, NULL);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_true(status[i] == VN_OK || status[i] == VN_OUT_OF_MEMORY);
        *worst = status[i] != VN_OK ? status[i] : *worst;
    }
}

/// Collects one result and returns its status.
static vn_status result_status(scene* s) {
    vn_nav_result result;
    if (!vn_nav_next_result(s->nav, &result))
        return VN_RUNNING;
    scene_check(&result);
    vn_nav_release_result(s->nav, result.id);
    return result.result.status;
}

static void test_frames(void** state) {
    (void)state;
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        scene s;
        vnt_memory memory = vnt_memory_make();
        vn_nav_def def = scene_small_def(&memory);
        vn_world* world = scene_world(&s, 2, &def.allocator);
        assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
        vn_status worst = VN_OK;
        memory.fail_at = memory.calls + k;
        frame(&s, &worst);
        vn_status result = result_status(&s);
        assert_true(result == VN_OK || result == VN_OUT_OF_MEMORY || result == VN_RUNNING);
        done = !memory.failed;
        assert_true(done == (worst == VN_OK && result == VN_OK));
        memory.fail_at = UINT64_MAX;
        vn_nav_stats stats;
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK); // allocations succeed again
        vn_nav_get_stats(s.nav, &stats);
        assert_true(stats.version_lag == 0);
        assert_true(stats.pending_changes == 0);
        uint64_t version;

        const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
        if (done)
            assert_true(version > 1);

        assert_int_equal(vn_space_validate(space, NULL), VN_OK);
        vn_nav_destroy(s.nav);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }
}

/// Last moment: a request sees what was changed before it, so it waits for a failed update.
static void test_request_waits_for_failed_update(void** state) {
    (void)state;
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        scene s;
        vnt_memory memory = vnt_memory_make();
        vn_nav_def def = scene_small_def(&memory);
        def.policy = VN_UPDATE_LAST_MOMENT;
        vn_world* world = scene_world(&s, 4, &def.allocator);
        assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
        const vn_shape box = vnt_box_shape(vnt_vec(1, 1, 1), vnt_vec(9, 9, 9));
        const vn_nav_request request = scene_request(&s.rng);
        vn_request_id request_id;
        assert_int_equal(vn_nav_add(s.nav, &box, 0, NULL, NULL), VN_OK);
        assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);

        memory.fail_at = memory.calls + k;
        (void)vn_nav_tick(s.nav, NULL);
        done = !memory.failed;
        memory.fail_at = UINT64_MAX;
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        vn_nav_result result;
        assert_true(vn_nav_next_result(s.nav, &result));
        assert_true(result.id == request_id);
        assert_true(result.version == 2);
        assert_true(!vn_space_voxel_free(result.space, (vn_voxel){5, 5, 5}));
        vn_nav_destroy(s.nav);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }
}

/// An allocator with a limit.
typedef struct limited {
    vnt_memory memory;
    uint64_t most; ///< bytes
} limited;

static void* limited_alloc(void* user, size_t size) {
    limited* l = user;
    const vn_allocator inner = vnt_memory_allocator(&l->memory);
    return l->memory.live_bytes + size > l->most ? NULL : inner.alloc(inner.user, size);
}

static void* limited_resize(void* user, void* block, size_t old_size, size_t new_size) {
    limited* l = user;
    const vn_allocator inner = vnt_memory_allocator(&l->memory);
    if (new_size > old_size && l->memory.live_bytes + (new_size - old_size) > l->most)
        return NULL;
    return inner.resize(inner.user, block, old_size, new_size);
}

static void limited_release(void* user, void* block, size_t size) {
    limited* l = user;
    const vn_allocator inner = vnt_memory_allocator(&l->memory);
    inner.release(inner.user, block, size);
}

/// An obstacle that needs more memory than the limit can be removed again, and updates then succeed; also
/// with zones that change meanwhile.
static void test_too_much_is_taken_back(void** state) {
    (void)state;
    enum { SIZE = 40 };
    static vn_voxel board[SIZE * SIZE * SIZE / 2];
    uint32_t count = 0;
    for (int32_t i = 0; i < SIZE * SIZE * SIZE; ++i) {
        const vn_voxel v = {i % SIZE, i / SIZE % SIZE, i / SIZE / SIZE};
        if ((v.x + v.y + v.z) % 2 == 0)
            board[count++] = v;
    }

    scene s;
    limited l = {vnt_memory_make(), UINT64_MAX};
    vn_nav_def def = scene_small_def(&l.memory);
    def.allocator = (vn_allocator){limited_alloc, limited_resize, limited_release, &l};
    vn_world* world = scene_world(&s, 5, &def.allocator);
    assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);

    const vn_shape shape = vnt_voxels_shape((vn_voxel){SIZE, SIZE, SIZE}, 1, board, count);
    const vn_transform transform = vn_transform_identity(), elsewhere = scene_at(20, 20, 20);
    vn_zone_def zone_def = vn_default_zone_def();
    zone_def.shape = vnt_sphere_shape(vnt_vec(4, 4, 4), 2);
    vn_obstacle_id id;
    vn_zone_id zone;
    assert_int_equal(vn_nav_add_moving(s.nav, &shape, &transform, 0, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_add_zone(s.nav, &zone_def, &zone, NULL), VN_OK);

    l.most = l.memory.live_bytes + 100000;
    for (uint32_t i = 0; i < 5; ++i)
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OUT_OF_MEMORY);

    assert_int_equal(vn_nav_move_zone(s.nav, zone, &elsewhere, NULL), VN_OK);
    assert_int_equal(vn_nav_remove(s.nav, id), VN_OK);
    vn_nav_stats stats;
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);

    vn_nav_get_stats(s.nav, &stats);
    assert_true(stats.version == 2);
    assert_true(stats.version_lag == 0);
    assert_true(stats.pending_changes == 0);
    const vn_box* boxes;
    assert_int_equal(vn_nav_get_cost_changes(s.nav, 2, &boxes, &count), VN_OK);
    assert_true(count == 1);
    assert_true(boxes[0].min.x == 22); // version 1 had none

    vn_nav_destroy(s.nav);
    assert_true(l.memory.live_blocks == 0);
    assert_true(!l.memory.mismatch);
}

/// With nothing pinned, the memory of a nav stays within 3 times that of its space, and does not grow,
/// however many cells each update replaces; measured after every piece of work. Requests and watches have
/// arrays of a fixed size, which are small here, and each worker that runs requests has a query, which is not
/// counted.
static void test_bounded(void** state) {
    (void)state;
    enum { HULLS = 150, UPDATES = 120 };
    vnt_memory memory = vnt_memory_make();
    vn_nav_def def = vn_default_nav_def();
    def.allocator = vnt_memory_allocator(&memory);
    def.max_requests = def.max_watches = 1;
    def.max_points = 64;
    def.slots = 1;
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {256, 256, 128}};

    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_nav* nav;
    vn_obstacle_id ids[HULLS];
    vn_transform at[HULLS];
    vni_rng rng = vni_rng_make(vnt_seed("nav bounded memory", 41));
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (uint32_t i = 0; i < HULLS; ++i) {
        const vn_shape shape = vnt_hull_shape();
        at[i] = scene_at((float)vni_rng_range(&rng, 8, 248), (float)vni_rng_range(&rng, 8, 248),
                         (float)vni_rng_range(&rng, 8, 120));
        at[i].scale = 6;
        assert_int_equal(vn_world_add_moving(world, &shape, &at[i], &ids[i], NULL), VN_OK);
    }

    assert_int_equal(vn_nav_create(world, &def, &nav, NULL), VN_OK);
    const uint64_t first = memory.live_bytes;
    uint64_t most = 0, half = 0;
    for (uint32_t k = 0; k < UPDATES; ++k) {
        for (uint32_t i = 0; i < HULLS; ++i) {
            const float angle = 0.05f * (float)(k + i);
            at[i].rotation = (vn_quat){0, sinf(angle), 0, cosf(angle)};
            assert_int_equal(vn_nav_move(nav, ids[i], &at[i], NULL), VN_OK);
        }

        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        do
            most = memory.live_bytes > most ? memory.live_bytes : most;
        while (vn_nav_work(nav, 0));
        half = k < UPDATES / 2 ? most : half;
    }

    uint64_t version;
    vn_memory space;
    vn_space_get_memory(vn_nav_pin(nav, 0, 0, &version), &space);
    assert_true(version > UPDATES / 2);
    fprintf(stderr, "space %llu bytes, nav at first %llu, after half the updates %llu, at most %llu\n",
            (unsigned long long)space.total, (unsigned long long)first, (unsigned long long)half,
            (unsigned long long)most);
    assert_true(most <= 3 * (uint64_t)space.total);
    assert_true(most <= half + half / 4);
    vn_nav_destroy(nav);
    assert_true(memory.live_blocks == 0);
}

/// Moving obstacles, requests and watches: after a while the host's calls allocate nothing, and
/// by ticks only what versions need.
static void test_steady_state(void** state) {
    (void)state;
    scene s;
    vnt_memory memory = vnt_memory_make();
    vn_nav_def def = scene_small_def(&memory);
    vn_world* world = scene_world(&s, 3, NULL);
    assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
    uint64_t by_host = 0, by_idle_ticks = 0, events = 0;

    vn_watch_id watch = 0;
    for (uint32_t i = 0; i < 100; ++i) {
        uint64_t before = memory.calls;
        vn_nav_request request = scene_request(&s.rng);
        vn_request_id request_id;
        scene_move_some(&s, 10);
        assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);
        uint64_t calls = memory.calls - before;
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        before = memory.calls;
        vn_nav_result result;
        assert_true(vn_nav_next_result(s.nav, &result));

        vn_nav_event event;
        while (vn_nav_next_event(s.nav, &event))
            events += event.kind != VN_EVENT_VERSION;

        (void)vn_nav_unwatch(s.nav, watch);
        if (result.point_count > 0) {
            const vn_watch_def watch_def = vn_default_watch_def();
            assert_int_equal(vn_nav_watch(s.nav, &result, &watch_def, &watch, NULL), VN_OK);
            assert_int_equal(vn_nav_watch_set_horizon(s.nav, watch, 30), VN_OK);
            assert_int_equal(vn_nav_watch_advance_to(s.nav, watch, 5), VN_OK);
        }

        vn_nav_release_result(s.nav, result.id);
        calls += memory.calls - before;
        assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);
        before = memory.calls;
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK); // a request, but no change
        (void)vn_nav_watch_advance(s.nav, watch, 0);
        by_idle_ticks += i >= 10 ? memory.calls - before : 0;
        assert_true(vn_nav_next_result(s.nav, &result));
        vn_nav_release_result(s.nav, result.id);
        by_host += i >= 10 ? calls : 0;
    }

    assert_int_equal(by_host, 0);
    assert_int_equal(by_idle_ticks, 0);
    assert_true(events > 0);
    vn_nav_destroy(s.nav);
    assert_true(memory.live_blocks == 0);
    assert_true(!memory.mismatch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_request_waits_for_failed_update),
        cmocka_unit_test(test_too_much_is_taken_back),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_steady_state),
    };

    return cmocka_run_group_tests_name("nav/memory", tests, NULL, NULL);
}
