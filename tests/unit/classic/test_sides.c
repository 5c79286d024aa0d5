/// Ends on faces, edges and corners of voxels: every space and every search finds a path exactly if the
/// cells do, from all sides of the ends; and searches that promise the least cost agree about it.
#include "classic_scene.h"

#include "space/space.h"
#include "volnav/query.h"

/// A world as two spaces, with and without cells, and all that searches them.
typedef struct scene {
    vnt_voxels voxels;
    vn_space *cells, *plain;
    vn_query *by_cells, *by_grid;
    vn_classic* classics[2 * VN_CLASSIC_KIND_COUNT]; ///< with cells, without
    vn_classic_query* queries[2 * VN_CLASSIC_KIND_COUNT];
} scene;

static vn_query* make_query(const vn_space* space, vn_query_scratch scratch) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.scratch = scratch;
    def.max_points = 4096;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    return query;
}

static scene make_scene(vnt_voxels voxels) {
    scene s = {.voxels = voxels};
    vn_jobs serial = vn_serial_jobs();
    s.cells = vnt_voxels_cells(&voxels, &serial);
    s.plain = vnt_voxels_space(&voxels);
    s.by_cells = make_query(s.cells, VN_SCRATCH_ALL);

    s.by_grid = make_query(s.plain, VN_SCRATCH_GRID);
    for (int i = 0; i < 2 * VN_CLASSIC_KIND_COUNT; ++i) {
        vn_classic_def def = vn_default_classic_def();
        vn_classic_query_def query = vn_default_classic_query_def();
        def.kind = (vn_classic_kind)(i % VN_CLASSIC_KIND_COUNT);
        query.max_points = 4096;
        const vn_space* space = i < VN_CLASSIC_KIND_COUNT ? s.cells : s.plain;
        assert_int_equal(vn_classic_build(space, &def, &s.classics[i], NULL), VN_OK);
        assert_int_equal(vn_classic_query_create(s.classics[i], &query, &s.queries[i], NULL), VN_OK);
    }

    return s;
}

static void free_scene(scene* s) {
    for (int i = 0; i < 2 * VN_CLASSIC_KIND_COUNT; ++i) {
        vn_classic_query_destroy(s->queries[i]);
        vn_classic_destroy(s->classics[i]);
    }

    vn_query_destroy(s->by_cells);
    vn_query_destroy(s->by_grid);
    vn_space_destroy(s->cells);
    vn_space_destroy(s->plain);
    vnt_voxels_free(&s->voxels);
}

static void check_points(const scene* s, const vn_point* points, uint32_t count, vn_point start,
                         vn_point goal) {
    assert_true(count > 0);
    assert_memory_equal(&points[0], &start, sizeof start);
    assert_memory_equal(&points[count - 1], &goal, sizeof goal);
    assert_true(vn_space_check_path(s->cells, points, count, NULL));
}

/// One search of the core. Returns its cost.
static double find(const scene* s, vn_query* query, vn_algo algo, vn_point start, vn_point goal,
                   bool joined) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    uint32_t count;
    request.algo = algo;
    request.start = start;
    request.goal = goal;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), joined ? VN_OK : VN_NO_PATH);

    const vn_point* points = vn_query_points(query, &count);
    if (joined)
        check_points(s, points, count, start, goal);
    else
        assert_int_equal(count, 0);

    return result.cost;
}

static double find_classic(const scene* s, int which, vn_classic_algo algo, vn_classic_graph graph,
                           vn_point start, vn_point goal, bool joined) {
    vn_classic_request request = vn_default_classic_request();
    vn_classic_result result;
    uint32_t count;
    request.algo = algo;
    request.graph = graph;
    request.start = start;
    request.goal = goal;

    if (vn_classic_supports(s->classics[which], &request, NULL) != VN_OK)
        return -1;
    assert_int_equal(vn_classic_query_find_path(s->queries[which], &request, &result, NULL),
                     joined ? VN_OK : VN_NO_PATH);

    const vn_point* points = vn_classic_query_points(s->queries[which], &count);
    if (joined)
        check_points(s, points, count, start, goal);

    return result.search_cost;
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

static void check_ends(const scene* s, vn_point start, vn_point goal) {
    bool joined = vn_space_reachable(s->cells, start, goal);
    find(s, s->by_cells, VN_ALGO_CELLS, start, goal, joined);
    double least = find(s, s->by_grid, VN_ALGO_DIJKSTRA, start, goal, joined);
    double others[] = {find(s, s->by_grid, VN_ALGO_ASTAR, start, goal, joined),
                       find(s, s->by_cells, VN_ALGO_ASTAR, start, goal, joined)};

    for (int i = 0; joined && i < 2; ++i)
        assert_true(is_near(others[i], least));

    for (int i = 0; i < 2 * VN_CLASSIC_KIND_COUNT; ++i)
        for (size_t k = 0; k < VNT_ALGO_COUNT; ++k) {
            bool is_grid = i % VN_CLASSIC_KIND_COUNT == VN_CLASSIC_GRID;
            bool is_best = vnt_algos[k] == VN_CLASSIC_ASTAR || vnt_algos[k] == VN_CLASSIC_DIJKSTRA ||
                           vnt_algos[k] == VN_CLASSIC_JPS;
            double cost = find_classic(s, i, vnt_algos[k], VN_GRAPH_CENTRES, start, goal, joined);

            find_classic(s, i, vnt_algos[k], VN_GRAPH_TRANSITIONS, start, goal, joined);
            if (joined && is_grid && is_best && cost >= 0)
                assert_true(is_near(cost, least));
        }
}

/// Many targets, as each of them alone.
static void check_many(const scene* s, vn_point start, const vn_point* goals, uint32_t count) {
    for (int i = 0; i < 2 * VN_CLASSIC_KIND_COUNT; ++i) {
        vn_classic_request request = vn_default_classic_request();
        vn_classic_target targets[8];
        assert_true(count <= 8);
        request.algo = VN_CLASSIC_DIJKSTRA;
        request.start = start;
        vn_classic_query_find_many(s->queries[i], &request, goals, count, VN_SHARING_NEW_KEYS, targets, NULL,
                                   NULL);
        uint32_t point_count;

        const vn_point* points = vn_classic_query_points(s->queries[i], &point_count);
        for (uint32_t k = 0; k < count; ++k) {
            bool joined = vn_space_reachable(s->cells, start, goals[k]);
            assert_int_equal(targets[k].status, joined ? VN_OK : VN_NO_PATH);
            if (joined)
                check_points(s, points + targets[k].first_point, targets[k].point_count, start, goals[k]);
        }
    }
}

/// A free point whose coordinates are mostly whole voxels.
static bool random_end(vni_rng* rng, const scene* s, vn_point* out) {
    for (int i = 0; i < 100; ++i) {
        *out = vnt_random_point(rng, s->voxels.dims, vni_rng_below(rng, 3) ? VN_LATTICE : VN_LATTICE / 2);
        if (vn_space_point_free(s->cells, *out))
            return true;
    }
    return false;
}

/// Does the point touch more than one region?
static bool is_shared(const scene* s, vn_point p) {
    vn_voxel around[8];
    vn_point first;
    uint32_t count = vni_voxels_around(p, around), found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        vn_point center = vn_voxel_center(around[i]);
        if (!vn_space_voxel_free(s->cells, around[i]))
            continue;
        if (found++ == 0)
            first = center;
        else if (!vn_space_reachable(s->cells, first, center))
            return true;
    }

    return false;
}

static void test_random(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("sides", 1113));
    uint32_t shared = 0, joined = 0;
    for (uint32_t i = 0; i < vnt_scale(150, 5000); ++i) {
        vnt_voxels voxels = vnt_voxels_make(vnt_random_dims(&rng, 7));
        uint32_t percent = 25 + vni_rng_below(&rng, 40);
        for (int32_t k = 0; k < voxels.dims.x * voxels.dims.y * voxels.dims.z; ++k)
            voxels.blocked[k] = vni_rng_below(&rng, 100) < percent;

        scene s = make_scene(voxels);
        for (int k = 0; k < 6; ++k) {
            vn_point start, goals[2];
            if (!random_end(&rng, &s, &start) || !random_end(&rng, &s, &goals[0]) ||
                !random_end(&rng, &s, &goals[1]))
                break;

            check_ends(&s, start, goals[0]);
            check_many(&s, start, goals, 2);
            shared += is_shared(&s, start) || is_shared(&s, goals[0]);
            joined += vn_space_reachable(s.cells, start, goals[0]);
        }

        free_scene(&s);
    }

    assert_true(shared > vnt_scale(40, 1500));
    assert_true(joined > vnt_scale(100, 3000));
}

/// Two rooms that meet at a corner, and a start in that corner: both can be reached, and what is budgeted or
/// partial stays so.
static void test_corner(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){4, 4, 4});
    for (int32_t i = 0; i < 64; ++i)
        voxels.blocked[i] =
            !((i % 4 < 2 && i / 4 % 4 < 2 && i / 16 < 2) || (i % 4 > 1 && i / 4 % 4 > 1 && i / 16 > 1));

    voxels.blocked[3] = 0; // a third room of one voxel, which touches neither
    scene s = make_scene(voxels);
    const vn_point corner = {2 * VN_LATTICE, 2 * VN_LATTICE, 2 * VN_LATTICE};
    const vn_point rooms[2] = {vn_voxel_center((vn_voxel){0, 0, 0}), vn_voxel_center((vn_voxel){3, 3, 3})};
    for (int i = 0; i < 2; ++i) {
        check_ends(&s, corner, rooms[i]);
        check_ends(&s, rooms[i], corner);
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.algo = VN_ALGO_ASTAR;
        request.start = corner;
        request.goal = rooms[i];
        assert_int_equal(vn_query_find_path(s.by_grid, &request, &result, NULL), VN_OK);
        request.budget = result.expanded; // enough, side by side
        assert_int_equal(vn_query_find_path(s.by_grid, &request, &result, NULL), VN_OK);
        assert_int_equal(result.expanded, request.budget);
        --request.budget;
        assert_int_equal(vn_query_find_path(s.by_grid, &request, &result, NULL), VN_BUDGET_SPENT);
        assert_int_equal(result.expanded, request.budget);
    }

    check_many(&s, corner, rooms, 2);

    // Nothing leads here: as near to it as the first side of the start comes, with and without cells.
    vn_path_request request = vn_default_path_request();
    vn_path_result results[2];
    vn_query* queries[2] = {s.by_cells, s.by_grid};
    request.algo = VN_ALGO_ASTAR;
    request.allow_partial = true;
    request.start = corner;

    request.goal = vn_voxel_center((vn_voxel){3, 0, 0});
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vn_query_find_path(queries[i], &request, &results[i], NULL), VN_PARTIAL);
        assert_int_equal(results[i].reason, VN_NO_PATH);
    }

    assert_true(results[0].length == results[1].length);
    assert_true(results[0].length > 0);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_corner)};
    return cmocka_run_group_tests_name("classic/sides", tests, NULL, NULL);
}
