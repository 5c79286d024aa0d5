/// Equal costs compare equal: A* and ARA* on the grid break ties on the lower bound, so that with nothing in
/// the way they expand the nodes of one shortest path and no others; and what a result says of a cost is the
/// true length of its steps, the same for every search.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/classic.h"
#include "volnav/volnav.h"

#include <math.h>
#include <stdlib.h>

typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vn_query* query;
    vn_classic* classic;
    vn_classic_query* classic_query;
} scene;

static scene make_scene(vnt_voxels voxels) {
    scene s = {.voxels = voxels, .space = vnt_voxels_space(&voxels)};
    vn_query_def def = vn_default_query_def();
    vn_classic_def classic = vn_default_classic_def();
    vn_classic_query_def query = vn_default_classic_query_def();
    def.scratch = VN_SCRATCH_GRID;
    assert_int_equal(vn_query_create(s.space, &def, &s.query, NULL), VN_OK);
    assert_int_equal(vn_classic_build(s.space, &classic, &s.classic, NULL), VN_OK);
    assert_int_equal(vn_classic_query_create(s.classic, &query, &s.classic_query, NULL), VN_OK);
    return s;
}

static void free_scene(scene* s) {
    vn_classic_query_destroy(s->classic_query);
    vn_classic_destroy(s->classic);
    vn_query_destroy(s->query);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

static vn_path_result find(scene* s, vn_algo algo, uint32_t neighbours, vn_voxel from, vn_voxel to) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = vn_voxel_center(from);
    request.goal = vn_voxel_center(to);
    request.algo = algo;
    request.neighbours = neighbours;
    (void)vn_query_find_path(s->query, &request, &result, NULL);
    return result;
}

static vn_classic_result find_classic(scene* s, vn_classic_algo algo, uint32_t neighbours, vn_voxel from,
                                      vn_voxel to) {
    vn_classic_request request = vn_default_classic_request();
    vn_classic_result result;
    request.start = vn_voxel_center(from);
    request.goal = vn_voxel_center(to);
    request.algo = algo;
    request.neighbours = neighbours;
    (void)vn_classic_query_find_path(s->classic_query, &request, &result, NULL);
    return result;
}

static void test_open_space(void** state) {
    (void)state;
    const vn_voxel dims = {90, 70, 50};
    vni_rng rng = vni_rng_make(vnt_seed("ties", 81));
    scene s = make_scene(vnt_voxels_make(dims));
    for (uint32_t i = 0; i < vnt_scale(200, 5000); ++i) {
        vn_voxel a, b;
        assert_true(vnt_random_free_voxel(&rng, &s.voxels, &a));
        assert_true(vnt_random_free_voxel(&rng, &s.voxels, &b));

        int32_t d[3] = {abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)};
        int32_t most = d[0] > d[1] ? d[0] : d[1], sum = d[0] + d[1] + d[2];
        most = most > d[2] ? most : d[2];
        assert_int_equal(find(&s, VN_ALGO_ASTAR, 26, a, b).expanded, most + 1);
        assert_int_equal(find(&s, VN_ALGO_ASTAR, 6, a, b).expanded, sum + 1);
        assert_int_equal(find_classic(&s, VN_CLASSIC_ASTAR, 26, a, b).path.expanded, most + 1);
        assert_int_equal(find_classic(&s, VN_CLASSIC_ARA, 26, a, b).passes,
                         1); // the first is proven the best
    }

    free_scene(&s);
}

/// Costs of all searches that promise the least, as results give them: equal to the last bit, and true.
static void check_costs(scene* s, uint32_t neighbours, vn_voxel a, vn_voxel b, uint32_t* found) {
    vn_path_result dijkstra = find(s, VN_ALGO_DIJKSTRA, neighbours, a, b);
    vn_path_result astar = find(s, VN_ALGO_ASTAR, neighbours, a, b);
    assert_int_equal(astar.status, dijkstra.status);
    if (astar.status != VN_OK)
        return;

    assert_true(astar.cost == dijkstra.cost);
    assert_true(fabs(astar.cost - astar.length) <= 1e-14 * (1 + astar.length) * 16);
    static const vn_classic_algo algos[] = {VN_CLASSIC_ASTAR, VN_CLASSIC_DIJKSTRA, VN_CLASSIC_ARA,
                                            VN_CLASSIC_JPS, VN_CLASSIC_JPS6};
    for (size_t i = 0; i < sizeof algos / sizeof *algos; ++i) {
        if ((algos[i] == VN_CLASSIC_JPS && neighbours == 6) ||
            (algos[i] == VN_CLASSIC_JPS6 && neighbours == 26))
            continue;
        vn_classic_result result = find_classic(s, algos[i], neighbours, a, b);
        assert_int_equal(result.path.status, VN_OK);
        assert_true(result.search_cost == astar.cost);
        assert_true(fabs(result.search_cost - result.path.length) <= 1e-14 * (1 + astar.cost) * 16);
    }

    ++*found;
}

static void test_costs(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("costs of ties", 82));
    uint32_t found = 0;
    for (uint32_t i = 0; i < vnt_scale(150, 3000); ++i) {
        scene s = make_scene(vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 10 ? 16 : 40)));
        vn_voxel a, b;
        for (uint32_t k = 0; k < 4 && vnt_random_free_voxel(&rng, &s.voxels, &a); ++k)
            if (vnt_random_free_voxel(&rng, &s.voxels, &b))
                check_costs(&s, k % 2 ? 6 : 26, a, b, &found);
        free_scene(&s);
    }

    print_message("%u paths\n", found);
    assert_true(found > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_open_space), cmocka_unit_test(test_costs)};
    return cmocka_run_group_tests_name("search/ties", tests, NULL, NULL);
}
