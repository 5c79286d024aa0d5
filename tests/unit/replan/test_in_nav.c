/// Planners as requests of a nav: they live on from request to request, on the nav's threads; in lockstep the
/// results are the same for any number of workers and slots. Refusals; cancelling.
#include "base/hash.h"
#include "replan_world.h"

enum { FRAMES = 40, PLANNERS = 3 };

typedef struct setup {
    replan_world world;
    vn_nav_graph* graphs[PLANNERS];
    vn_graph_source sources[PLANNERS];
    vn_planner planners[PLANNERS];
    vn_graph_query* query;
} setup;

static void make(setup* s, uint64_t seed, vn_nav_mode mode, uint32_t workers, uint32_t slots) {
    static const vn_replan_algo algos[PLANNERS] = {VN_REPLAN_MT, VN_REPLAN_DSTAR_LITE, VN_REPLAN_AD};
    static const vn_nav_graph_kind kinds[PLANNERS] = {VN_NAV_GRID26, VN_NAV_CELLS_PORTAL, VN_NAV_GRID6};
    world_make_as(&s->world, seed, mode, workers, slots, NULL);
    for (uint32_t i = 0; i < PLANNERS; ++i) {
        vn_nav_graph_def graph_def = vn_default_nav_graph_def();
        vn_replan_def def = vn_default_replan_def();
        graph_def.kind = kinds[i];
        def.algo = algos[i];
        assert_int_equal(vn_nav_graph_create(s->world.nav, &graph_def, &s->graphs[i], NULL), VN_OK);
        s->sources[i] = vn_nav_graph_source(s->graphs[i]);
        assert_int_equal(vn_replan_create(&s->sources[i], &def, &s->planners[i], NULL), VN_OK);
    }
    s->query = world_query();
}

static void destroy(setup* s) {
    for (uint32_t i = 0; i < PLANNERS; ++i) {
        s->planners[i].free(s->planners[i].self);
        vn_nav_graph_destroy(s->graphs[i]);
    }
    vn_graph_query_destroy(s->query);
    world_free(&s->world);
}

/// Right in its version, and as cheap as a search from scratch: the planner's graph is still there.
static void check_result(setup* s, uint32_t planner, const vn_nav_result* result) {
    uint64_t expanded = 0;
    assert_int_equal(vn_nav_graph_version(s->graphs[planner]), result->version);
    const bool free_ends = vn_space_point_free(result->space, result->result.start) &&
                           vn_space_point_free(result->space, result->result.goal);
    if (!free_ends) {
        assert_true(result->result.status == VN_START_BLOCKED || result->result.status == VN_GOAL_BLOCKED);
        assert_int_equal(result->point_count, 0);
        return;
    }

    const double least = world_least(s->query, vn_nav_graph_get(s->graphs[planner]), &expanded);
    assert_int_equal(result->result.status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
    if (least == HUGE_VAL)
        return;
    assert_true(fabs(result->result.cost - least) < 1e-6 * (1 + least));
    assert_true(vn_space_check_path(result->space, result->points, result->point_count, NULL));
    assert_true(result->result.length > 0 || result->point_count == 1);
}

static uint64_t hash_result(uint64_t hash, const vn_nav_result* result) {
    hash = vni_hash_bytes(&result->version, sizeof result->version, hash);
    hash = vni_hash_bytes(&result->user, sizeof result->user, hash);
    hash = vni_hash_bytes(&result->result.status, sizeof result->result.status, hash);
    hash = vni_hash_bytes(&result->result.expanded, sizeof result->result.expanded, hash);
    return vni_hash_bytes(result->points, result->point_count * sizeof *result->points, hash);
}

static void submit_all(setup* s, bool* busy) {
    uint64_t version;
    const vn_space* space = vn_nav_pin(s->world.nav, 0, 0, &version);
    for (uint32_t i = 0; i < PLANNERS; ++i) {
        vn_nav_request request = vn_default_nav_request();
        vn_request_id id;
        request.path.start = world_point(&s->world, space);
        request.path.goal = world_point(&s->world, space);
        request.path.radius = 0;
        request.planner = &s->planners[i];
        request.user = i;
        if (!busy[i])
            assert_int_equal(vn_nav_submit(s->world.nav, &request, &id, NULL), VN_OK);
        busy[i] = true;
    }
    assert_int_equal(vn_nav_unpin(s->world.nav, version), VN_OK);
}

/// What one run has under way, and what it got.
typedef struct outcome {
    bool busy[PLANNERS];
    uint64_t hash;
    uint32_t results;
} outcome;

static void tick_and_collect(setup* s, uint32_t slots, outcome* o) {
    vn_nav_result result;
    assert_int_equal(vn_nav_tick(s->world.nav, NULL), VN_OK);
    for (uint32_t i = 0; i < slots; ++i)
        (void)vn_nav_work(s->world.nav, i);
    while (vn_nav_next_result(s->world.nav, &result)) {
        check_result(s, (uint32_t)result.user, &result);
        o->hash = hash_result(o->hash, &result);
        o->busy[result.user] = false;
        ++o->results;
        vn_nav_release_result(s->world.nav, result.id);
    }
}

/// Moves boxes, submits, ticks, collects, until all planners are free again.
static outcome play(setup* s, uint32_t slots) {
    outcome o = {0};
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        world_move_some(&s->world);
        submit_all(s, o.busy);
        tick_and_collect(s, slots, &o);
    }
    while (o.busy[0] || o.busy[1] || o.busy[2])
        tick_and_collect(s, slots, &o);
    return o;
}

static void test_same_for_all_workers(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/in_nav", 5);
    for (uint32_t k = 0; k < vnt_scale(3, 30); ++k) {
        uint64_t hashes[4];
        static const uint32_t workers[4] = {0, 1, 3, 0}, slots[4] = {0, 0, 1, 1};
        for (uint32_t i = 0; i < 4; ++i) {
            setup s;
            make(&s, seed + k, VN_NAV_LOCKSTEP, workers[i], slots[i]);
            const outcome o = play(&s, slots[i]);
            hashes[i] = o.hash;
            assert_true(o.results > FRAMES / 2);
            destroy(&s);
        }
        assert_true(hashes[1] == hashes[0]);
        assert_true(hashes[2] == hashes[0]);
        assert_true(hashes[3] == hashes[0]);
    }
}

/// Results come when they come; each is right in its version.
static void test_realtime(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/in_nav realtime", 9);
    for (uint32_t k = 0; k < vnt_scale(4, 40); ++k) {
        setup s;
        make(&s, seed + k, VN_NAV_REALTIME, k % 3, 0);
        assert_true(play(&s, 0).results > 0);
        destroy(&s);
    }
}

static vn_status submit_with(setup* s, const vn_planner* planner, double snap, vn_request_id* id,
                             vn_detail* detail) {
    vn_nav_request request = vn_default_nav_request();
    request.path.start = request.path.goal = vn_voxel_center((vn_voxel){0, 0, 0});
    request.path.radius = 0;
    request.path.snap_distance = snap;
    request.planner = planner;
    return vn_nav_submit(s->world.nav, &request, id, detail);
}

static void test_refusals(void** state) {
    (void)state;
    setup s;
    vn_detail detail;
    vn_request_id id;
    make(&s, 3, VN_NAV_LOCKSTEP, 0, 0);
    vn_planner broken = s.planners[0];
    broken.step = NULL;
    assert_int_equal(submit_with(&s, &broken, 0, &id, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(submit_with(&s, &s.planners[0], 2, &id, &detail), VN_UNSUPPORTED);
    assert_int_equal(submit_with(&s, &s.planners[0], 0, &id, &detail), VN_OK);
    assert_int_equal(submit_with(&s, &s.planners[0], 0, &id, &detail), VN_BAD_ORDER);
    assert_int_equal(submit_with(&s, &s.planners[1], 0, &id, &detail), VN_OK);

    // a request that is cancelled gives its planner back
    assert_int_equal(vn_nav_cancel(s.world.nav, id), VN_OK);
    vn_nav_result result;
    for (uint32_t i = 0; i < 6; ++i)
        assert_int_equal(vn_nav_tick(s.world.nav, NULL), VN_OK);
    while (vn_nav_next_result(s.world.nav, &result))
        vn_nav_release_result(s.world.nav, result.id);
    assert_int_equal(submit_with(&s, &s.planners[1], 0, &id, &detail), VN_OK);
    for (uint32_t i = 0; i < 6; ++i)
        assert_int_equal(vn_nav_tick(s.world.nav, NULL), VN_OK);
    destroy(&s);
}

// ---------- planners that are wrong

static vn_planner honest; ///< whose path the two below spoil

static vn_status late_path(void* self, vn_plan* out) {
    const vn_status status = honest.path(self, out);
    --out->version;
    return status;
}

static vn_status wild_path(void* self, vn_plan* out) {
    static const vn_point beyond[2] = {{-1, 0, 0}, {-5, 0, 0}};
    const vn_status status = honest.path(self, out);
    out->points = beyond;
    out->point_count = 2;
    return status;
}

static vn_status status_of(vn_status (*path)(void* self, vn_plan* out), bool check) {
    setup s;
    vn_request_id id;
    vn_nav_result result;
    make(&s, 3, VN_NAV_LOCKSTEP, 0, 0);
    vn_nav_request request = vn_default_nav_request();
    uint64_t version;
    const vn_space* space = vn_nav_pin(s.world.nav, 0, 0, &version);
    do
        request.path.start = request.path.goal = world_point(&s.world, space);
    while (!vn_space_point_free(space, request.path.start));
    assert_int_equal(vn_nav_unpin(s.world.nav, version), VN_OK);

    honest = s.planners[0];
    vn_planner planner = honest;
    planner.path = path;
    request.path.radius = 0;
    request.path.check = check;
    request.planner = &planner;
    assert_int_equal(vn_nav_submit(s.world.nav, &request, &id, NULL), VN_OK);
    for (uint32_t i = 0; i < 6; ++i)
        assert_int_equal(vn_nav_tick(s.world.nav, NULL), VN_OK);
    assert_true(vn_nav_next_result(s.world.nav, &result));
    const vn_status status = result.result.status;
    assert_int_equal(status == VN_OK, result.point_count > 0);
    vn_nav_release_result(s.world.nav, result.id);
    destroy(&s);
    return status;
}

/// A path of another version, and one that is not free, are no results.
static void test_wrong_planners(void** state) {
    (void)state;
    setup s;
    make(&s, 3, VN_NAV_LOCKSTEP, 0, 0);
    honest = s.planners[0];
    vn_status (*path)(void*, vn_plan*) = honest.path;
    destroy(&s);
    assert_int_equal(status_of(path, true), VN_OK);
    assert_int_equal(status_of(late_path, false), VN_STALE);
    assert_int_equal(status_of(wild_path, true), VN_BAD_DATA);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_for_all_workers),
                                       cmocka_unit_test(test_realtime), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_wrong_planners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
