/// Observers: every expansion and every line of sight of every search is told once, in order; the counts are
/// those of the result, the result is that of a search without an observer, and slices change nothing.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "base/hash.h"
#include "space/space.h"
#include "volnav/classic.h"
#include "volnav/volnav.h"

#include <math.h>
#include <string.h>

typedef struct tally {
    const vn_space* space;
    vn_point start;
    uint64_t expanded, sights, from_goal;
    double last_key;
    bool falls; ///< some key was below the one before
    uint64_t hash;
} tally;

static uint64_t mix_point(uint64_t hash, vn_point p) {
    return vni_hash_mix(hash ^ (uint64_t)(uint32_t)p.x << 32 ^ (uint64_t)(uint32_t)p.y << 16 ^ (uint32_t)p.z);
}

static void listen(void* user, const vn_search_event* event) {
    tally* t = user;
    t->hash = mix_point(mix_point(t->hash ^ (uint64_t)event->kind << 60 ^ event->node, event->point),
                        event->parent);
    if (event->kind == VN_SEARCH_SIGHT) {
        ++t->sights;
        assert_int_equal(event->visible, vn_space_visible(t->space, event->point, event->parent));
        return;
    }

    assert_int_equal(event->kind, VN_SEARCH_EXPAND);
    assert_true(event->g >= 0);
    assert_true(event->h >= 0);
    if (t->expanded == 0 && !event->from_goal) { // the start has no parent and costs nothing
        assert_true(event->g == 0);
        assert_memory_equal(&event->point, &event->parent, sizeof event->point);
    }

    t->falls |= t->expanded > 0 && event->key < t->last_key;
    t->last_key = event->key;
    t->from_goal += event->from_goal;
    ++t->expanded;
}

/// A random point of a free voxel.
static bool random_end(vni_rng* rng, const vnt_voxels* voxels, vn_point* out) {
    vn_voxel v;
    if (!vnt_random_free_voxel(rng, voxels, &v))
        return false;
    *out = vn_voxel_center(v);
    out->x += vni_rng_range(rng, -400, 400);
    return true;
}

// ---------------------------------------------------------------------------------------------------- core

static vn_path_result run_core(vn_query* query, vn_path_request request, uint64_t slice, tally* t) {
    vn_path_result result;
    request.observe = t != NULL ? listen : NULL;
    request.observe_user = t;
    assert_int_equal(vn_query_begin(query, &request, NULL), VN_OK);
    while (vn_query_step(query, slice) == VN_RUNNING) {
    }
    (void)vn_query_finish(query, &result);
    return result;
}

static void check_core(const vn_space* space, vn_query* query, const vn_path_request* request, tally* sum) {
    tally whole = {.space = space, .start = request->start}, sliced = whole;
    vn_path_result plain = run_core(query, *request, UINT64_MAX, NULL);
    vn_path_result seen = run_core(query, *request, UINT64_MAX, &whole);
    vn_path_result parts = run_core(query, *request, 3, &sliced);
    assert_memory_equal(&plain, &seen, sizeof plain);
    assert_memory_equal(&plain, &parts, sizeof plain);
    assert_int_equal(whole.expanded, plain.expanded);
    assert_true(whole.hash == sliced.hash);
    if (request->algo == VN_ALGO_ASTAR && request->heuristic == VN_HEURISTIC_DEFAULT)
        assert_false(whole.falls); // a consistent bound: exactly, since costs are

    sum->expanded += whole.expanded;
    sum->from_goal += whole.from_goal;
}

static void test_core(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("observe core", 91));
    vn_jobs serial = vn_serial_jobs();
    tally grid = {0}, cells = {0};
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 30));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        def.scratch = VN_SCRATCH_ALL;
        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);

        vn_path_request request = vn_default_path_request();
        for (uint32_t k = 0;
             k < 12 && random_end(&rng, &voxels, &request.start) && random_end(&rng, &voxels, &request.goal);
             ++k) {
            request.algo = (vn_algo)(k % VN_ALGO_COUNT);
            request.quality = (vn_quality)(k % VN_QUALITY_COUNT);
            request.jitter = request.algo == VN_ALGO_CELLS && k % 2 ? 0.2f : 0; // the search with terms
            request.budget = k % 5 == 4 ? 20 : 0;
            request.allow_partial = k % 3 == 0;
            check_core(space, query, &request, request.algo == VN_ALGO_CELLS ? &cells : &grid);
        }

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%llu voxels, %llu cells, %llu from goals\n", (unsigned long long)grid.expanded,
                  (unsigned long long)cells.expanded, (unsigned long long)cells.from_goal);
    assert_true(grid.expanded > 1000);
    assert_int_equal(grid.from_goal, 0);
    assert_true(cells.from_goal > 50);
    assert_true(cells.expanded > cells.from_goal + 50);
}

// ------------------------------------------------------------------------------------------------- classics

static vn_classic_request random_request(vni_rng* rng, uint32_t k) {
    vn_classic_request request = vn_default_classic_request();
    request.algo = (vn_classic_algo)(k % VN_CLASSIC_ALGO_COUNT);
    request.graph = (vn_classic_graph)vni_rng_range(rng, 0, VN_GRAPH_COUNT - 1);
    request.refine = (vn_refine)vni_rng_range(rng, 0, VN_REFINE_COUNT - 1);
    request.every_sight = vni_rng_range(rng, 0, 3) == 0;
    request.budget = vni_rng_range(rng, 0, 7) == 0 ? 15 : 0;
    return request;
}

static void check_classic(const vn_space* space, vn_classic_query* query, vn_classic_request request,
                          tally* sum) {
    tally t = {.space = space, .start = request.start};
    vn_classic_result plain, seen;
    vn_status status = vn_classic_query_find_path(query, &request, &plain, NULL);
    if (status == VN_UNSUPPORTED)
        return;

    request.observe = listen;
    request.observe_user = &t;
    assert_int_equal(vn_classic_query_find_path(query, &request, &seen, NULL), status);
    assert_memory_equal(&plain, &seen, sizeof plain);
    assert_int_equal(t.expanded, seen.path.expanded);
    assert_int_equal(t.sights, seen.sight_checks);
    sum->expanded += t.expanded;
    sum->sights += t.sights;
}

static void check_many(const vn_space* space, vn_classic_query* query, vn_classic_request request,
                       const vn_point targets[3], tally* sum) {
    tally t = {.space = space, .start = request.start};
    vn_classic_target out[3];
    vn_classic_result total;
    request.observe = listen;
    request.observe_user = &t;
    if (vn_classic_query_find_many(query, &request, targets, 3, VN_SHARING_NEW_KEYS, out, &total, NULL) ==
        VN_UNSUPPORTED)
        return;

    assert_int_equal(t.expanded, total.path.expanded);
    assert_int_equal(t.sights, total.sight_checks);
    sum->expanded += t.expanded;
    sum->sights += t.sights;
}

static void test_classics(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("observe classics", 92));
    tally sums[VN_CLASSIC_ALGO_COUNT] = {{0}}, many = {0};
    for (uint32_t i = 0; i < vnt_scale(90, 1000); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 16));
        vn_space* space = vnt_voxels_space(&voxels);
        vn_classic_def def = vn_default_classic_def();
        vn_classic_query_def query_def = vn_default_classic_query_def();
        vn_classic* classic;
        vn_classic_query* query;
        def.kind = (vn_classic_kind)(i % VN_CLASSIC_KIND_COUNT);
        assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
        assert_int_equal(vn_classic_query_create(classic, &query_def, &query, NULL), VN_OK);

        vn_point ends[4];
        for (uint32_t k = 0; k < 2 * VN_CLASSIC_ALGO_COUNT; ++k) {
            vn_classic_request request = random_request(&rng, k);
            bool found = true;
            for (int e = 0; e < 4; ++e)
                found = found && random_end(&rng, &voxels, &ends[e]);
            if (!found)
                break;

            request.start = ends[0];
            request.goal = ends[1];
            check_classic(space, query, request, &sums[request.algo]);
            check_many(space, query, request, ends + 1, &many);
        }

        vn_classic_query_destroy(query);
        vn_classic_destroy(classic);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    for (int a = 0; a < (int)VN_CLASSIC_ALGO_COUNT; ++a)
        assert_true(sums[a].expanded > 50 || a == VN_CLASSIC_THETA_FAST); // not for classics
    assert_true(sums[VN_CLASSIC_ASTAR].sights > 20);                      // of the refinement
    assert_true(sums[VN_CLASSIC_THETA].sights > 100);
    assert_true(sums[VN_CLASSIC_LAZY_THETA].sights > 100);
    assert_true(many.expanded > 500);
    assert_true(many.sights > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_core), cmocka_unit_test(test_classics)};
    return cmocka_run_group_tests_name("classic/observe", tests, NULL, NULL);
}
