/// Searches of classics in slices: any slicing gives what one call gives; calls in the wrong order are
/// refused and change nothing; a cancelled search says so, and ARA* keeps the path that it has.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/classic.h"

#include <string.h>

#define MOST 4096

typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vn_classic* classic;
    vn_classic_query* query;
} scene;

static scene make_scene(vnt_voxels voxels, vn_classic_kind kind) {
    scene s = {.voxels = voxels, .space = vnt_voxels_space(&voxels)};
    vn_classic_def def = vn_default_classic_def();
    vn_classic_query_def query = vn_default_classic_query_def();
    def.kind = kind;
    assert_int_equal(vn_classic_build(s.space, &def, &s.classic, NULL), VN_OK);
    assert_int_equal(vn_classic_query_create(s.classic, &query, &s.query, NULL), VN_OK);
    return s;
}

static void free_scene(scene* s) {
    vn_classic_query_destroy(s->query);
    vn_classic_destroy(s->classic);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

static bool count_passes(void* user, const vn_classic_pass* pass) {
    uint32_t* count = user;
    assert_int_equal(pass->number, *count);
    return ++*count < 3 + 2 * (uint32_t)(pass->cost > 12);
}

/// Ends on faces and corners too, which several pairs of voxels share.
static bool random_end(vni_rng* rng, const vnt_voxels* voxels, vn_point* out) {
    vn_voxel v;
    if (!vnt_random_free_voxel(rng, voxels, &v))
        return false;
    *out = vn_voxel_center(v);
    if (vni_rng_range(rng, 0, 2) == 0)
        *out = (vn_point){v.x * VN_LATTICE, v.y * VN_LATTICE, v.z * VN_LATTICE};
    return true;
}

static vn_classic_request random_request(vni_rng* rng, uint32_t k, const vn_zone* zone) {
    vn_classic_request r = vn_default_classic_request();
    r.algo = (vn_classic_algo)(k % VN_CLASSIC_ALGO_COUNT);
    r.graph = (vn_classic_graph)vni_rng_range(rng, 0, VN_GRAPH_COUNT - 1);
    r.neighbours = vni_rng_range(rng, 0, 1) ? 6 : 26;
    r.neighbours = r.algo == VN_CLASSIC_JPS ? 26 : r.neighbours;
    r.refine = vni_rng_range(rng, 0, 1) ? VN_REFINE_PRUNE : VN_REFINE_NONE;
    r.ara_first = 5;
    r.ara_step = 1.5;
    r.budget = vni_rng_range(rng, 0, 3) == 0 ? (uint64_t)vni_rng_range(rng, 1, 60) : 0;
    if (vni_rng_range(rng, 0, 2) == 0 && r.refine == VN_REFINE_NONE && r.algo != VN_CLASSIC_JPS &&
        r.algo != VN_CLASSIC_JPS6) {
        r.zones = zone;
        r.zone_count = 1;
        r.zone_mode = (vn_zone_mode)vni_rng_range(rng, 0, 1);
    }
    return r;
}

/// How many steps of ARA* began after a pass.
static uint32_t check_slices(scene* s, vn_classic_request r, vni_rng* rng) {
    static vn_point points[MOST];
    vn_classic_result whole, sliced;
    uint32_t passes = 0, again = 0, count, found;
    r.on_pass = count_passes;
    r.on_pass_user = &passes;
    vn_status status = vn_classic_query_find_path(s->query, &r, &whole, NULL), step;
    const vn_point* path = vn_classic_query_points(s->query, &count);
    assert_true(count <= MOST);
    memcpy(points, path, count * sizeof *points);

    r.on_pass_user = &again;
    assert_int_equal(vn_classic_query_begin(s->query, &r, NULL), VN_OK);
    uint32_t between = 0;
    uint64_t sum = 0;
    do {
        uint64_t size = (uint64_t)vni_rng_range(rng, 1, 9);
        step = vn_classic_query_step(s->query, size);
        vn_classic_query_points(s->query, &found);
        assert_int_equal(found, 0); // there is no path before the end, but for ARA*'s passes
        sum += size;
        between += step == VN_RUNNING && again > 0;
    } while (step == VN_RUNNING);

    assert_true(sum >= whole.path.expanded);
    assert_int_equal(vn_classic_query_step(s->query, 5), step); // it stays ended
    assert_int_equal(vn_classic_query_finish(s->query, &sliced, NULL), status);
    assert_memory_equal(&whole, &sliced, sizeof whole);
    assert_int_equal(passes, again);
    path = vn_classic_query_points(s->query, &found);
    assert_int_equal(found, count);
    assert_memory_equal(points, path, count * sizeof *points);
    return between;
}

static void test_any_slices(void** state) {
    (void)state;
    const vn_zone zone = {.kind = VN_ZONE_SPHERE, .factor = 3, .center = {5, 5, 5}, .radius = 4};
    vni_rng rng = vni_rng_make(vnt_seed("slices", 96));
    uint32_t runs = 0, between = 0;
    for (uint32_t i = 0; i < vnt_scale(90, 2000); ++i) {
        scene s = make_scene(vnt_voxels_random(&rng, vnt_random_dims(&rng, 20)),
                             (vn_classic_kind)(i % VN_CLASSIC_KIND_COUNT));
        for (uint32_t k = 0; k < 2 * VN_CLASSIC_ALGO_COUNT; ++k) {
            vn_classic_request r = random_request(&rng, k, &zone);
            if (!random_end(&rng, &s.voxels, &r.start) || !random_end(&rng, &s.voxels, &r.goal))
                break;
            if (vn_classic_supports(s.classic, &r, NULL) != VN_OK)
                continue;
            between += check_slices(&s, r, &rng);
            ++runs;
        }
        free_scene(&s);
    }

    print_message("%u runs, %u steps after passes\n", runs, between);
    assert_true(runs > 500);
    assert_true(between > 20);
}

static void test_order_and_cancel(void** state) {
    (void)state;
    const vn_voxel dims = {20, 20, 20};
    scene s = make_scene(vnt_voxels_make(dims), VN_CLASSIC_GRID);
    vn_classic_request r = vn_default_classic_request();
    vn_classic_result result;
    vn_classic_target target;
    uint32_t count;
    r.start = vn_voxel_center((vn_voxel){1, 2, 3});
    r.goal = vn_voxel_center((vn_voxel){18, 9, 5});
    r.algo = VN_CLASSIC_DIJKSTRA;

    // Nothing has begun.
    assert_int_equal(vn_classic_query_step(s.query, 1), VN_BAD_ORDER);
    assert_int_equal(vn_classic_query_cancel(s.query), VN_BAD_ORDER);
    assert_int_equal(vn_classic_query_finish(s.query, &result, NULL), VN_BAD_ORDER);
    assert_int_equal(result.path.status, VN_BAD_ORDER);

    // A search runs: others are refused, and it goes on.
    assert_int_equal(vn_classic_query_begin(s.query, &r, NULL), VN_OK);
    assert_int_equal(vn_classic_query_step(s.query, 10), VN_RUNNING);
    assert_int_equal(vn_classic_query_begin(s.query, &r, NULL), VN_BAD_ORDER);
    assert_int_equal(vn_classic_query_find_path(s.query, &r, &result, NULL), VN_BAD_ORDER);
    assert_int_equal(
        vn_classic_query_find_many(s.query, &r, &r.goal, 1, VN_SHARING_EXACT, &target, NULL, NULL),
        VN_BAD_ORDER);
    assert_int_equal(vn_classic_query_step(s.query, UINT64_MAX), VN_OK);
    assert_int_equal(vn_classic_query_cancel(s.query), VN_OK); // too late
    assert_int_equal(vn_classic_query_finish(s.query, &result, NULL), VN_OK);
    assert_int_equal(vn_classic_query_finish(s.query, &result, NULL), VN_BAD_ORDER);
    assert_true(vn_classic_query_points(s.query, &count) != NULL && count >= 2);

    // Cancelled, and finished while it runs: the same.
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vn_classic_query_begin(s.query, &r, NULL), VN_OK);
        assert_int_equal(vn_classic_query_step(s.query, 25), VN_RUNNING);
        if (i == 0)
            assert_int_equal(vn_classic_query_cancel(s.query), VN_CANCELLED);
        assert_int_equal(vn_classic_query_finish(s.query, &result, NULL), VN_CANCELLED);
        assert_int_equal(result.path.reason, VN_CANCELLED);
        assert_int_equal(result.path.expanded, 25);
        vn_classic_query_points(s.query, &count);
        assert_int_equal(count, 0);
    }

    // A blocked end shows at the first step; a refused request leaves the query idle.
    r.goal = (vn_point){-5, 0, 0};
    assert_int_equal(vn_classic_query_begin(s.query, &r, NULL), VN_OK);
    assert_int_equal(vn_classic_query_step(s.query, 1), VN_OUTSIDE);
    assert_int_equal(vn_classic_query_finish(s.query, &result, NULL), VN_OUTSIDE);
    r.neighbours = 7;
    assert_int_equal(vn_classic_query_begin(s.query, &r, NULL), VN_UNSUPPORTED);
    assert_int_equal(vn_classic_query_step(s.query, 1), VN_BAD_ORDER);
    free_scene(&s);
}

static bool note_pass(void* user, const vn_classic_pass* pass) {
    *(uint32_t*)user = pass->number + 1;
    return true;
}

/// ARA*, cancelled after its first pass, has a path.
static void test_cancel_ara(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(12);
    const vn_voxel dims = {24, 24, 24};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (uint32_t i = 0; i < 3500; ++i)
        vnt_voxels_block(&voxels, vni_rng_range(&rng, 1, 22), vni_rng_range(&rng, 1, 22),
                         vni_rng_range(&rng, 1, 22));
    scene s = make_scene(voxels, VN_CLASSIC_GRID);
    vn_classic_request r = vn_default_classic_request();
    vn_classic_result whole, cut;
    uint32_t passes = 0, count;
    r.algo = VN_CLASSIC_ARA;
    r.start = vn_voxel_center((vn_voxel){0, 0, 0});
    r.goal = vn_voxel_center((vn_voxel){23, 23, 23});
    assert_int_equal(vn_classic_query_find_path(s.query, &r, &whole, NULL), VN_OK);
    assert_true(whole.passes > 1);

    r.on_pass = note_pass;
    r.on_pass_user = &passes;
    assert_int_equal(vn_classic_query_begin(s.query, &r, NULL), VN_OK);
    while (passes == 0)
        assert_int_equal(vn_classic_query_step(s.query, 1), VN_RUNNING);
    assert_true(passes < whole.passes);
    assert_int_equal(vn_classic_query_cancel(s.query), VN_OK);
    assert_int_equal(vn_classic_query_finish(s.query, &cut, NULL), VN_OK);
    assert_int_equal(cut.path.reason, VN_CANCELLED);
    assert_true(cut.path.expanded < whole.path.expanded);
    assert_true(cut.search_cost >= whole.search_cost);
    assert_true(vn_classic_query_points(s.query, &count) != NULL && count >= 2);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_slices),
                                       cmocka_unit_test(test_order_and_cancel),
                                       cmocka_unit_test(test_cancel_ara)};
    return cmocka_run_group_tests_name("classic/slices", tests, NULL, NULL);
}
