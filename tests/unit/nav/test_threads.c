/// nav with workers: many changes and requests at once, cancelling, and destroying in the middle.
#include "scene.h"

#include "base/threads.h"
#include <time.h>

typedef struct count {
    uint32_t submitted, finished, paths, cancelled, blocked;
} count;

static vn_nav_def def_of(uint32_t workers) {
    vn_nav_def def = scene_def();
    def.workers = workers;
    def.max_requests = 64;
    def.max_watches = 16;
    return def;
}

static void collect(scene* s, count* c) {
    vn_nav_result result;
    vn_nav_event event;
    while (vn_nav_next_result(s->nav, &result)) {
        vn_watch_id watch;
        scene_check(&result);
        ++c->finished;
        c->paths += result.result.status == VN_OK;

        c->cancelled += result.result.status == VN_CANCELLED;
        if (result.result.status == VN_OK)
            (void)scene_watch_result(s->nav, &result, &watch);

        vn_nav_release_result(s->nav, result.id);
    }

    while (vn_nav_next_event(s->nav, &event))
        c->blocked += event.kind == VN_EVENT_PATH_BLOCKED;
}

static void frame(scene* s, count* c) {
    scene_move_some(s, 5);
    for (uint32_t i = 0; i < 8; ++i) {
        vn_nav_request request = scene_request(&s->rng);
        vn_request_id request_id;
        request.priority = vni_rng_range(&s->rng, 0, 3);
        request.deadline = vni_rng_below(&s->rng, 10);
        if (vn_nav_submit(s->nav, &request, &request_id, NULL) != VN_OK)
            break;

        ++c->submitted;
        if (vni_rng_below(&s->rng, 8) == 0)
            assert_int_equal(vn_nav_cancel(s->nav, request_id), VN_OK);
    }

    assert_int_equal(vn_nav_tick(s->nav, NULL), VN_OK);
    collect(s, c);
}

static void stress(vn_update_policy policy) {
    scene s;
    vn_nav_def def = def_of(4);
    def.policy = policy;
    scene_start(&s, vnt_seed("nav threads", 11), &def);
    count c = {0, 0, 0, 0, 0};
    uint64_t held = 0;
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &held);

    uint64_t hash = vn_space_content_hash(space);
    for (uint32_t i = 0; i < vnt_scale(150, 5000); ++i)
        frame(&s, &c);

    for (uint32_t i = 0; i < 1000000 && c.finished < c.submitted; ++i) {
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        collect(&s, &c);
    }

    assert_int_equal(c.finished, c.submitted);
    assert_true(c.paths > 0);
    assert_true(c.cancelled > 0);
    vn_nav_stats stats;
    vn_nav_get_stats(s.nav, &stats);
    while (stats.version == 1) { // on a busy machine the first update may outlast all requests
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        vn_nav_get_stats(s.nav, &stats);
    }

    assert_int_equal(stats.waiting, 0);
    assert_int_equal(stats.running, 0);
    assert_int_equal(stats.finished, 0);
    assert_true(vn_space_content_hash(space) == hash);
    assert_int_equal(vn_nav_unpin(s.nav, held), VN_OK);
    vn_nav_destroy(s.nav);
}

static void test_stress(void** state) {
    (void)state;
    if (!scene_has_threads())
        skip();
    stress(VN_UPDATE_ALWAYS);
    stress(VN_UPDATE_LAST_MOMENT);
}

#if VOLNAV_THREADS
/// A thread of the host that works in a slot until told to stop.
typedef struct job {
    vn_nav* nav;
    uint32_t slot;
    vni_atomic *stop, *pieces;
} job;

static void run_job(void* argument) {
    job* j = argument;
    while (vni_atomic_load(j->stop) == 0)
        (void)vni_atomic_add(j->pieces, vn_nav_work(j->nav, j->slot));
}

/// Until a job has done a piece, for at most a minute.
static void await_piece(const vni_atomic* pieces) {
    const time_t begin = time(NULL);
    while (vni_atomic_load(pieces) == 0 && difftime(time(NULL), begin) < 60) {
    }
}

/// Three threads of the host in place of workers, or beside one; in both modes.
static void run_jobs(vn_nav_mode mode, uint32_t workers) {
    enum { JOBS = 3 };
    scene s;
    job jobs[JOBS];
    vni_thread* threads[JOBS];
    vni_atomic stop = 0, pieces = 0;
    vn_nav_def def = def_of(workers);
    const vn_allocator allocator = vn_default_allocator();
    def.mode = mode;
    def.slots = JOBS;
    scene_start(&s, 17, &def);
    for (uint32_t i = 0; i < JOBS; ++i) {
        jobs[i] = (job){s.nav, i, &stop, &pieces};
        assert_int_equal(vni_thread_start(&allocator, run_job, &jobs[i], &threads[i]), VN_OK);
    }

    count c = {0, 0, 0, 0, 0};
    for (uint32_t i = 0; i < vnt_scale(100, 2000); ++i) {
        frame(&s, &c);

        // Between two ticks no other thread works, unless there is a worker: the jobs get something to do.
        if (i == 0 && workers == 0)
            await_piece(&pieces);
    }

    while (c.finished < c.submitted) {
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        collect(&s, &c);
    }

    vni_atomic_store(&stop, 1);
    for (uint32_t i = 0; i < JOBS; ++i)
        vni_thread_join(&allocator, threads[i]);

    assert_true(c.paths > 0 && c.cancelled > 0);
    assert_true(vni_atomic_load(&pieces) > 0 || workers > 0); // a worker may have been quicker each time
    vn_nav_destroy(s.nav);
}

static void test_jobs_of_the_host(void** state) {
    (void)state;
    run_jobs(VN_NAV_REALTIME, 0);
    run_jobs(VN_NAV_REALTIME, 1);
    run_jobs(VN_NAV_LOCKSTEP, 0);
    run_jobs(VN_NAV_LOCKSTEP, 1);
}
#endif

#if VOLNAV_THREADS
/// A nav in a world of dust, where requests take thousands of expansions.
static vn_nav* dusty_nav(const vn_nav_def* def) {
    enum { SIZE = 48, GRAINS = 9000 };
    static vn_voxel grains[GRAINS];
    vni_rng rng = vni_rng_make(5);
    for (uint32_t i = 0; i < GRAINS; ++i)
        grains[i] = (vn_voxel){vni_rng_range(&rng, 1, SIZE - 2), vni_rng_range(&rng, 1, SIZE - 2),
                               vni_rng_range(&rng, 1, SIZE - 2)};

    const vn_world_def world_def = vn_default_world_def();
    const vn_shape dust = vnt_voxels_shape((vn_voxel){SIZE, SIZE, SIZE}, 1, grains, GRAINS);
    vn_world* world;
    vn_nav* nav;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &dust, NULL, NULL), VN_OK);
    assert_int_equal(vn_nav_create(world, def, &nav, NULL), VN_OK);
    return nav;
}

/// A host that calls a slot once in a while leaves its request half done; the worker beside it goes on with
/// it, so that lockstep does not wait for ever.
static void test_left_beside_a_worker(void** state) {
    (void)state;
    vn_nav_def def = vn_default_nav_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = def.slots = def.latency = 1;
    vn_nav* nav = dusty_nav(&def);
    uint64_t expanded = 0;
    for (uint32_t i = 0; i < 20; ++i) {
        vn_nav_request request = vn_default_nav_request();
        vn_request_id id;
        request.path.start = vn_voxel_center((vn_voxel){0, 0, 0});
        request.path.goal = vn_voxel_center((vn_voxel){47, 47, 47});
        request.path.preferred_clearance = 3;
        for (uint32_t k = 0; k < 3; ++k)
            assert_int_equal(vn_nav_submit(nav, &request, &id, NULL), VN_OK);

        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        (void)vn_nav_work(nav, 0);
        for (vn_nav_result result; vn_nav_next_result(nav, &result); vn_nav_release_result(nav, result.id)) {
            assert_int_equal(result.result.status, VN_OK);
            expanded = result.result.expanded;
        }
    }

    assert_true(expanded > 2048); // more than a piece
    vn_nav_destroy(nav);
}
#endif

/// Whatever is under way when the nav is destroyed, nothing leaks and no thread reads freed memory.
static void test_destroy_in_the_middle(void** state) {
    (void)state;
    if (!scene_has_threads())
        skip();

    for (uint32_t i = 0; i < vnt_scale(20, 400); ++i) {
        scene s;
        count c = {0, 0, 0, 0, 0};
        vn_nav_def def = def_of(1 + i % 3);
        def.mode = i % 2 ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME;
        scene_start(&s, i, &def);

        uint64_t version;
        for (uint32_t k = 0; k < i % 5; ++k)
            frame(&s, &c);

        assert_non_null(vn_nav_pin(s.nav, 0, 0, &version));
        vn_shape tetra = vnt_hull_shape();
        assert_int_equal(vn_nav_add(s.nav, &tetra, 0, NULL, NULL), VN_OK);
        vn_nav_destroy(s.nav);
    }
}

/// After many changes the workers' version equals a fresh bake of the same world.
static void test_same_as_bake(void** state) {
    (void)state;
    if (!scene_has_threads())
        skip();

    scene s, fresh;
    vn_nav_def def = def_of(2);
    vn_transform places[SCENE_MOVERS];
    scene_start(&s, 21, &def);
    for (uint32_t i = 0; i < 40; ++i) {
        scene_move_some(&s, 6);
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    }

    for (uint32_t i = 0; i < SCENE_MOVERS; ++i) {
        places[i] = scene_transform(&s.rng);
        assert_int_equal(vn_nav_move(s.nav, s.movers[i], &places[i], NULL), VN_OK);
    }

    vn_nav_stats stats;
    do {
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        vn_nav_get_stats(s.nav, &stats);
    } while (stats.version_lag > 0);

    vn_world* world = scene_world(&fresh, 21, NULL);
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i)
        assert_int_equal(vn_world_move(world, fresh.movers[i], &places[i], NULL), VN_OK);

    vn_space* baked;
    assert_int_equal(vn_space_bake(world, &def.space, &baked, NULL), VN_OK);
    uint64_t version;
    const vn_space* dynamic = vn_nav_pin(s.nav, 0, 0, &version);
    assert_true(version == stats.version);
    assert_true(vn_space_content_hash(dynamic) == vn_space_content_hash(baked));
    vn_space_destroy(baked);
    vn_world_destroy(world);
    vn_nav_destroy(s.nav);
}

/// Last moment: every result shows the changes made before its request, however busy the workers are.
static void test_last_moment_sees_all(void** state) {
    (void)state;
    if (!scene_has_threads())
        skip();

    scene s;
    vn_nav_def def = def_of(3);
    def.policy = VN_UPDATE_LAST_MOMENT;
    def.max_requests = 200;
    scene_start(&s, 31, &def);

    uint32_t finished = 0, frames = 200;
    for (uint32_t i = 0; finished < frames; ++i) {
        if (i < frames) {
            const float x = (float)(i % 40), z = (float)(i / 40);
            vn_shape box = vnt_box_shape(vnt_vec(x, 0, z), vnt_vec(x + 1, 1, z + 1));
            vn_nav_request request = scene_request(&s.rng);
            vn_request_id request_id;
            request.user = i;
            assert_int_equal(vn_nav_add(s.nav, &box, 0, NULL, NULL), VN_OK);
            assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, NULL), VN_OK);
        }

        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        vn_nav_result result;
        while (vn_nav_next_result(s.nav, &result)) {
            const vn_voxel at = {(int32_t)(result.user % 40), 0, (int32_t)(result.user / 40)};
            assert_false(vn_space_voxel_free(result.space, at));
            vn_nav_release_result(s.nav, result.id);
            ++finished;
        }
    }

    vn_nav_destroy(s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress),
#if VOLNAV_THREADS
        cmocka_unit_test(test_jobs_of_the_host),
        cmocka_unit_test(test_left_beside_a_worker),
#endif
        cmocka_unit_test(test_destroy_in_the_middle),
        cmocka_unit_test(test_same_as_bake),
        cmocka_unit_test(test_last_moment_sees_all),
    };

    return cmocka_run_group_tests_name("nav/threads", tests, NULL, NULL);
}
