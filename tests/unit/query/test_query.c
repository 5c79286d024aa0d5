/// Searches against a relaxation that knows nothing of heaps; every status; slices; no allocation; out of
/// memory.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------ oracle

static bool may_step(const vnt_voxels* voxels, const int32_t v[3], const int32_t d[3]) {
    for (int i = 0; i < 8; ++i)
        if (!vnt_voxels_are_free(voxels, v[0] + (i & 1 ? d[0] : 0), v[1] + (i & 2 ? d[1] : 0),
                                 v[2] + (i & 4 ? d[2] : 0)))
            return false;
    return true;
}

/// Costs from `start` to every voxel by relaxing all steps until nothing changes; infinity where there is no
/// path.
static double* costs_from(const vnt_voxels* voxels, vn_voxel start, uint32_t neighbours) {
    const int32_t X = voxels->dims.x, Y = voxels->dims.y, Z = voxels->dims.z;
    double* cost = malloc((size_t)(X * Y * Z) * sizeof *cost);
    for (int32_t i = 0; i < X * Y * Z; ++i)
        cost[i] = HUGE_VAL;

    cost[start.x + X * (start.y + Y * start.z)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t at = 0; at < X * Y * Z; ++at) {
            const int32_t v[3] = {at % X, at / X % Y, at / X / Y};
            for (int32_t i = 0; i < 27; ++i) {
                const int32_t d[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1},
                              axes = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                if (axes == 0 || (neighbours == 6 && axes > 1) || cost[at] == HUGE_VAL ||
                    !may_step(voxels, v, d))
                    continue;

                int32_t to = at + d[0] + X * (d[1] + Y * d[2]);
                if (cost[at] + sqrt(axes) < cost[to] - 1e-9) {
                    cost[to] = cost[at] + sqrt(axes);
                    changed = true;
                }
            }
        }
    }

    return cost;
}

// ------------------------------------------------------------------------------------------------ random
// worlds

/// Bound and validity of one result, whatever the algorithm.
static void check_result(const vn_space* space, vn_query* query, const vn_path_request* request,
                         double least) {
    vn_path_result result;
    vn_status status = vn_query_find_path(query, request, &result, NULL);
    assert_int_equal(status, least == HUGE_VAL ? VN_NO_PATH : VN_OK);
    assert_int_equal(status, result.status);
    if (status != VN_OK)
        return;

    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    assert_int_equal(count, result.point_count);
    assert_memory_equal(&points[0], &request->start, sizeof points[0]);
    assert_memory_equal(&points[count - 1], &request->goal, sizeof points[0]);
    assert_true(vn_space_check_path(space, points, count, NULL));
    assert_true(fabs(result.length - result.cost) <= 1e-9 * (1 + result.cost));

    assert_true(result.cost >= least - 1e-9);
    if (result.bound > 0)
        assert_true(result.cost <= least * result.bound + 1e-9);

    assert_true(result.touched >= result.expanded);
}

static void check_world(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space, vn_query* query) {
    vn_voxel start, goal;
    if (!vnt_random_free_voxel(rng, voxels, &start))
        return;

    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center(start);
    request.neighbours = vni_rng_below(rng, 3) == 0 ? 6 : 26;
    double* costs = costs_from(voxels, start, request.neighbours);
    for (uint32_t i = 0; i < 6 && vnt_random_free_voxel(rng, voxels, &goal); ++i) {
        double least = costs[goal.x + voxels->dims.x * (goal.y + voxels->dims.y * goal.z)];
        request.goal = vn_voxel_center(goal);
        for (int algo = VN_ALGO_ASTAR; algo <= VN_ALGO_ASTAR_LIST; ++algo)
            for (int heuristic = 0; heuristic < VN_HEURISTIC_COUNT; ++heuristic) {
                request.algo = (vn_algo)algo;
                request.heuristic = (vn_heuristic)heuristic;
                request.weight = i % 2 ? 1 : 1.5;
                check_result(space, query, &request, least);
            }
    }

    free(costs);
}

static void test_searches_against_oracle(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("searches", 71));
    for (uint32_t i = 0; i < vnt_scale(80, 1500); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 11));
        vn_space* space = vnt_voxels_space(&voxels);
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
        check_world(&rng, &voxels, space, query);
        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// --------------------------------------------------------------------------------------------- a small fixed
// world

/// Two rooms of 8 x 8 x 8 with a wall between them at x = 8 that has a window at (8, 4, 4) when `open`.
typedef struct rooms {
    vnt_voxels voxels;
    vn_space* space;
    vn_query* query;
    vn_path_request request;
} rooms;

static rooms make_rooms(bool open, uint32_t max_nodes, uint32_t max_points) {
    const vn_voxel dims = {17, 8, 8}, start = {1, 1, 1}, goal = {15, 6, 6};
    rooms r;
    r.voxels = vnt_voxels_make(dims);
    for (int32_t z = 0; z < 8; ++z)
        for (int32_t y = 0; y < 8; ++y)
            if (!open || y != 4 || z != 4)
                vnt_voxels_block(&r.voxels, 8, y, z);

    r.space = vnt_voxels_space(&r.voxels);
    vn_query_def def = vn_default_query_def();
    def.max_nodes = max_nodes;
    def.max_points = max_points;
    assert_int_equal(vn_query_create(r.space, &def, &r.query, NULL), VN_OK);
    r.request = vn_default_path_request();
    r.request.algo = VN_ALGO_ASTAR;
    r.request.start = vn_voxel_center(start);
    r.request.goal = vn_voxel_center(goal);

    return r;
}

static void free_rooms(rooms* r) {
    vn_query_destroy(r->query);
    vn_space_destroy(r->space);
    vnt_voxels_free(&r->voxels);
}

static void test_statuses(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    vn_path_result result;
    const vn_voxel in_wall = {8, 0, 0};

    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_OK);
    double whole = result.length;

    vn_path_request request = r.request;
    request.start = vn_voxel_center(in_wall);
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_START_BLOCKED);
    assert_true(result.has_nearest);
    assert_true(result.nearest_distance == 0.5);
    assert_int_equal(result.point_count, 0);

    request = r.request;
    request.goal = vn_voxel_center(in_wall);
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_GOAL_BLOCKED);
    request.snap_distance = 0.4;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_GOAL_BLOCKED);
    request.snap_distance = 0.5;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_OK);
    assert_int_equal(result.goal.x, 8 * 1024); // the near face of the wall

    request = r.request;
    request.goal.x = 17 * 1024 + 1;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_OUTSIDE);
    assert_true(result.has_nearest);
    request.snap_distance = 1;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_OK);

    request = r.request;
    request.budget = 5;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_BUDGET_SPENT);
    assert_int_equal(result.expanded, 5);
    request.allow_partial = true;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_PARTIAL);
    assert_int_equal(result.reason, VN_BUDGET_SPENT);
    assert_true(result.point_count >= 2);
    assert_true(result.length < whole);
    assert_true(result.bound == 0);

    request = r.request;
    request.goal = request.start;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, NULL), VN_OK);
    assert_true(result.length == 0);
    assert_true(result.point_count == 1);
    free_rooms(&r);
}

static void test_no_path_and_nearest(void** state) {
    (void)state;
    rooms r = make_rooms(false, 0, 0);
    vn_path_result result;
    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_NO_PATH);

    assert_int_equal(result.expanded, 8 * 8 * 8); // the whole room, nothing else
    for (int algo = VN_ALGO_ASTAR; algo <= VN_ALGO_ASTAR_LIST; ++algo) {
        r.request.algo = (vn_algo)algo;
        r.request.allow_partial = true;
        assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_PARTIAL);
        assert_int_equal(result.reason, VN_NO_PATH);
        uint32_t count;
        const vn_point* points = vn_query_points(r.query, &count);
        const vn_voxel nearest = {7, 6, 6};
        vn_point want = vn_voxel_center(nearest);
        assert_memory_equal(&points[count - 1], &want, sizeof want);
        assert_true(vn_space_check_path(r.space, points, count, NULL));
    }

    free_rooms(&r);
}

static void test_capacity(void** state) {
    (void)state;
    rooms r = make_rooms(true, 128, 0);
    vn_path_result result;
    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_CAPACITY);
    r.request.allow_partial = true;
    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_PARTIAL);
    assert_int_equal(result.reason, VN_CAPACITY);
    free_rooms(&r);
    r = make_rooms(true, 0, 2);
    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_CAPACITY);
    free_rooms(&r);
}

static void test_ends_anywhere_in_a_voxel(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    vni_rng rng = vni_rng_make(vnt_seed("ends", 72));
    for (uint32_t i = 0; i < 300; ++i) {
        vn_path_result result;
        r.request.start = vnt_random_point(&rng, r.voxels.dims, i % 2 ? 1 : 512);
        r.request.goal = vnt_random_point(&rng, r.voxels.dims, i % 3 ? 1 : 1024);
        vn_status status = vn_query_find_path(r.query, &r.request, &result, NULL);
        if (!vn_space_point_free(r.space, r.request.start))
            assert_int_equal(status, VN_START_BLOCKED);
        else if (!vn_space_point_free(r.space, r.request.goal))
            assert_int_equal(status, VN_GOAL_BLOCKED);
        else
            assert_int_equal(status, VN_OK);

        if (status != VN_OK)
            continue;
        uint32_t count;
        const vn_point* points = vn_query_points(r.query, &count);
        assert_true(vn_space_check_path(r.space, points, count, NULL));
        assert_memory_equal(&points[0], &r.request.start, sizeof points[0]);
        assert_memory_equal(&points[count - 1], &r.request.goal, sizeof points[0]);
        assert_true(fabs(result.cost - result.length) < 1e-9 * (1 + result.length));
    }

    free_rooms(&r);
}

static void test_order_of_calls(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    vn_path_result result, sliced;
    vn_detail detail;
    assert_int_equal(vn_query_step(r.query, 1), VN_BAD_ORDER);
    assert_int_equal(vn_query_finish(r.query, &result), VN_BAD_ORDER);
    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_OK);

    assert_int_equal(vn_query_begin(r.query, &r.request, NULL), VN_OK);
    assert_int_equal(vn_query_begin(r.query, &r.request, &detail), VN_BAD_ORDER);
    uint64_t slices = 0;
    while (vn_query_step(r.query, 7) == VN_RUNNING)
        ++slices;

    assert_int_equal(vn_query_step(r.query, 7), VN_OK);
    assert_int_equal(vn_query_finish(r.query, &sliced), VN_OK);
    assert_int_equal(slices, (result.expanded - 1) / 7);
    assert_memory_equal(&sliced, &result, sizeof result);

    assert_int_equal(vn_query_begin(r.query, &r.request, NULL), VN_OK);
    assert_int_equal(vn_query_step(r.query, 3), VN_RUNNING);
    assert_int_equal(vn_query_finish(r.query, &result), VN_CANCELLED);
    assert_int_equal(vn_query_finish(r.query, &result), VN_BAD_ORDER);
    free_rooms(&r);
}

static void test_bad_requests(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    vn_path_result result;
    vn_detail detail;
    vn_path_request request;
    memset(&request, 0, sizeof request);
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_BAD_DEF);
    request = r.request;
    request.neighbours = 18;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "18"));
    request = r.request;
    request.algo = (vn_algo)99;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
    request = r.request;
    request.heuristic = (vn_heuristic)99;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
    request = r.request;
    request.algo = VN_ALGO_CELLS;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "without cells"));
    request = r.request;
    request.quality = (vn_quality)9;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
    request = r.request;
    request.refine = VN_REFINE_TAUT;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
    request = r.request;
    request.weight = 0.5;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_BAD_ARGUMENT);
    request.weight = NAN;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_BAD_ARGUMENT);
    request = r.request;
    request.snap_distance = -1;
    assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, &detail), VN_OK); // nothing was spoilt
    vn_query_def def;
    memset(&def, 0, sizeof def);
    vn_query* query;
    assert_int_equal(vn_query_create(r.space, &def, &query, &detail), VN_BAD_DEF);
    def = vn_default_query_def();
    def.scratch = VN_SCRATCH_CELLS;
    assert_int_equal(vn_query_create(r.space, &def, &query, &detail), VN_UNSUPPORTED);
    def.scratch = (vn_query_scratch)4;
    assert_int_equal(vn_query_create(r.space, &def, &query, &detail), VN_BAD_ARGUMENT);
    free_rooms(&r);
}

static void test_classics_are_elsewhere(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    vn_path_result result;
    vn_detail detail;
    vn_algo algo;
    assert_false(vn_algo_from_name("jps", &algo));
    for (int i = VN_REFINE_SMOOTH; i < VN_REFINE_COUNT; ++i) {
        vn_path_request request = r.request;
        request.refine = (vn_refine)i;
        assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
        assert_non_null(strstr(detail.text, "volnav_classic"));
    }

    for (int i = VN_ALGO_COUNT; i < VN_ALGO_COUNT + 5; ++i) {
        vn_path_request request = r.request;
        request.algo = (vn_algo)i;
        assert_int_equal(vn_query_find_path(r.query, &request, &result, &detail), VN_UNSUPPORTED);
        assert_non_null(strstr(detail.text, "volnav/classic.h"));
    }

    free_rooms(&r);
}

static void test_names(void** state) {
    (void)state;
    vn_algo algo;
    vn_heuristic heuristic;
    vn_quality quality;

    vn_refine refine;
    for (int i = 0; i < VN_QUALITY_COUNT; ++i) {
        assert_true(vn_quality_from_name(vn_quality_name((vn_quality)i), &quality));
        assert_true(quality == (vn_quality)i);
    }

    for (int i = 0; i < VN_REFINE_COUNT; ++i) {
        assert_true(vn_refine_from_name(vn_refine_name((vn_refine)i), &refine));
        assert_true(refine == (vn_refine)i);
    }

    for (int i = 0; i < VN_ALGO_COUNT; ++i) {
        assert_true(vn_algo_from_name(vn_algo_name((vn_algo)i), &algo));
        assert_int_equal(algo, i);
    }

    for (int i = 0; i < VN_HEURISTIC_COUNT; ++i) {
        assert_true(vn_heuristic_from_name(vn_heuristic_name((vn_heuristic)i), &heuristic));
        assert_int_equal(heuristic, i);
    }

    assert_false(vn_algo_from_name("a-star", &algo));
    assert_false(vn_heuristic_from_name("", &heuristic));
    assert_null(vn_algo_name(VN_ALGO_COUNT));
}

// ---------------------------------------------------------------------------------------------- memory

static bool count_voxel(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    assert_true(high.x == low.x + 1);
    assert_true(high.y == low.y + 1);
    assert_true(high.z == low.z + 1);
    assert_true(!in_corridor);
    ++*(uint64_t*)user;
    return true;
}

static void test_footprint(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    vn_path_result result;
    uint64_t visited = 0;
    vn_query_visit_expanded(r.query, count_voxel, &visited);
    assert_int_equal(visited, 0);
    assert_int_equal(vn_query_find_path(r.query, &r.request, &result, NULL), VN_OK);
    vn_query_visit_expanded(r.query, count_voxel, &visited);
    assert_int_equal(visited, result.expanded);
    free_rooms(&r);
}

static void test_no_allocation_in_a_query(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    vnt_memory memory = vnt_memory_make();
    vn_query_def def = vn_default_query_def();
    def.allocator = vnt_memory_allocator(&memory);
    vn_query* query;
    assert_int_equal(vn_query_create(r.space, &def, &query, NULL), VN_OK);
    uint64_t calls = memory.calls;
    vn_memory report;
    vn_query_get_memory(query, &report);

    assert_int_equal(report.total, memory.live_bytes);
    for (int algo = VN_ALGO_ASTAR; algo <= VN_ALGO_ASTAR_LIST; ++algo) {
        vn_path_result result;
        r.request.algo = (vn_algo)algo;
        assert_int_equal(vn_query_find_path(query, &r.request, &result, NULL), VN_OK);
    }

    assert_int_equal(memory.calls, calls);
    vn_query_destroy(query);
    assert_int_equal(memory.live_blocks, 0);
    free_rooms(&r);
}

static void test_out_of_memory(void** state) {
    (void)state;
    rooms r = make_rooms(true, 0, 0);
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_query_def def = vn_default_query_def();
        def.allocator = vnt_memory_allocator(&memory);
        vn_query* query;
        vn_status status = vn_query_create(r.space, &def, &query, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        vn_query_destroy(query);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);

        if (!memory.failed)
            break;
    }

    free_rooms(&r);
}

/// Two tunnels that meet at an edge only.
static vnt_voxels make_tunnels(void) {
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 4});
    for (int32_t i = 0; i < 8 * 8 * 4; ++i)
        voxels.blocked[i] = 1;

    for (int32_t x = 0; x < 4; ++x)
        voxels.blocked[x + 8 * (3 + 8 * 1)] = voxels.blocked[7 - x + 8 * (4 + 8 * 1)] = 0;

    return voxels;
}

/// A field, searches for regions and by connections, and passages all lead from `edge` to `end`.
static void check_other_searches(vn_query* query, vn_point edge, vn_point end) {
    const vn_connection connection = {.from = {7.5f, 4.5f, 1.5f}, .to = {0.5f, 3.5f, 1.5f}};
    vn_field_request field = vn_default_field_request();
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_passage passage;
    double cost;
    field.source = edge;
    assert_int_equal(vn_query_build_field(query, &field, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_costs(query, &end, 1, &cost), VN_OK);
    assert_true(cost > 3);
    assert_true(cost < 6);

    request.start = edge;
    request.goal = end;
    request.goal_kind = VN_GOAL_SPHERE;
    request.check = true;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);

    request.goal_kind = VN_GOAL_POINT;
    request.connections = &connection;
    request.connection_count = 1;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_int_equal(vn_query_find_passage(query, edge, end, 0, 1, 0, &passage, NULL), VN_OK);
}

/// A point on the edge between two tunnels belongs to both, and reaches both.
static void a_point_between_two_regions_reaches_both(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = make_tunnels();
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_ALL;
    vn_query* query;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    const vn_point edge = {4 * VN_LATTICE, 4 * VN_LATTICE, VN_LATTICE + 512};

    const vn_voxel ends[2] = {{0, 3, 1}, {7, 4, 1}};
    for (int i = 0; i < 8; ++i) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = i & 1 ? edge : vn_voxel_center(ends[i >> 1 & 1]);
        request.goal = i & 1 ? vn_voxel_center(ends[i >> 1 & 1]) : edge;
        request.algo = i & 4 ? VN_ALGO_ASTAR : VN_ALGO_CELLS;
        request.check = true;
        assert_true(vn_space_reachable(space, request.start, request.goal));
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(result.checked);
    }

    assert_false(vn_space_reachable(space, vn_voxel_center(ends[0]), vn_voxel_center(ends[1])));
    for (int i = 0; i < 2; ++i)
        check_other_searches(query, edge, vn_voxel_center(ends[i]));

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_searches_against_oracle),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_no_path_and_nearest),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_ends_anywhere_in_a_voxel),
        cmocka_unit_test(test_order_of_calls),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_classics_are_elsewhere),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_footprint),
        cmocka_unit_test(test_no_allocation_in_a_query),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(a_point_between_two_regions_reaches_both),
    };

    return cmocka_run_group_tests_name("query/query", tests, NULL, NULL);
}
