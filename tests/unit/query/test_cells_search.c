/// The cells search against the grid: a path is found exactly when there is one, it is valid by the checker,
/// never shorter than the straight line, and near the best.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"
#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>
#include <string.h>

static double straight(vn_point a, vn_point b) {
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

static vn_query* make_query(const vn_space* space, vn_query_scratch scratch) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.scratch = scratch;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    return query;
}

static void check_path(const vn_space* space, const vn_query* query, const vn_path_request* request,
                       const vn_path_result* result) {
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    assert_int_equal(count, result->point_count);
    assert_true(count >= 1);
    assert_memory_equal(&points[0], &request->start, sizeof points[0]);
    assert_memory_equal(&points[count - 1], &request->goal, sizeof points[0]);
    assert_true(vn_space_check_path(space, points, count, NULL));
    assert_true(result->length >= straight(request->start, request->goal) * (1 - 1e-12));
    assert_int_equal(result->turns, count > 2 ? count - 2 : 0);
}

/// Least cost on the 6-connected grid decides whether there is a path at all; on the 26-connected one what it
/// may cost at most.
static void check_request(const vn_space* space, vn_query* query, vn_path_request request, double* sums) {
    vn_path_result grid6, grid26, result;
    request.algo = VN_ALGO_ASTAR;
    request.neighbours = 6;
    vn_query_find_path(query, &request, &grid6, NULL);
    request.neighbours = 26;
    vn_query_find_path(query, &request, &grid26, NULL);
    assert_int_equal(grid6.status, grid26.status);

    request.algo = VN_ALGO_CELLS;
    for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
        request.quality = (vn_quality)quality;
        request.refine = VN_REFINE_DEFAULT;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), grid6.status);
        if (result.status != VN_OK)
            continue;

        check_path(space, query, &request, &result);
        sums[quality] += result.length;
        double before = result.length;
        for (int refine = VN_REFINE_NONE; refine <= VN_REFINE_TAUT; ++refine) {
            request.refine = (vn_refine)refine;
            assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
            check_path(space, query, &request, &result);
            if (refine == VN_REFINE_NONE && quality != VN_QUALITY_BEST)
                assert_true(before <=
                            result.length * (1 + 1e-9) +
                                0.01); // refining never makes it longer, but for the step from the rim
        }
    }

    if (grid26.status == VN_OK)
        sums[VN_QUALITY_COUNT] += grid26.length;
}

static void test_against_the_grid(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("cells search", 101));
    vn_jobs serial = vn_serial_jobs();
    double sums[VN_QUALITY_COUNT + 1] = {0};
    for (uint32_t world = 0; world < vnt_scale(80, 2000); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, world % 4 == 0 ? 80 : 20));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vn_query* query = make_query(space, VN_SCRATCH_ALL);
        vn_path_request request = vn_default_path_request();

        vn_voxel a, b;
        for (uint32_t i = 0;
             i < 4 && vnt_random_free_voxel(&rng, &voxels, &a) && vnt_random_free_voxel(&rng, &voxels, &b);
             ++i) {
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            check_request(space, query, request, sums);
        }

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("length over grid: standard %.4f fast %.4f best %.4f\n", sums[0] / sums[3],
                  sums[1] / sums[3], sums[2] / sums[3]);
    assert_true(sums[0] < 0.97 * sums[3]);
    assert_true(sums[2] <= sums[0]);
    assert_true(sums[0] <= sums[1] * 1.001);
}

/// Ends anywhere, also on faces, edges and corners of voxels.
static void test_ends_anywhere(void** state) {
    (void)state;
    static const int32_t steps[4] = {1, 128, 512, 1024};
    vni_rng rng = vni_rng_make(vnt_seed("cells ends", 102));
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t world = 0; world < vnt_scale(150, 3000); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 12));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vn_query* query = make_query(space, VN_SCRATCH_DEFAULT);
        vn_path_request request = vn_default_path_request();
        for (uint32_t i = 0; i < 10; ++i) {
            vn_path_result result;
            request.start = vnt_random_point(&rng, voxels.dims, steps[vni_rng_below(&rng, 4)]);
            request.goal =
                i == 0 ? request.start : vnt_random_point(&rng, voxels.dims, steps[vni_rng_below(&rng, 4)]);
            request.quality = (vn_quality)vni_rng_below(&rng, VN_QUALITY_COUNT);

            vn_status status = vn_query_find_path(query, &request, &result, NULL);
            if (!vn_space_point_free(space, request.start))
                assert_int_equal(status, VN_START_BLOCKED);
            else if (!vn_space_point_free(space, request.goal))
                assert_int_equal(status, VN_GOAL_BLOCKED);

            if (status == VN_OK)
                check_path(space, query, &request, &result);
        }

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// --------------------------------------------------------------------------------------------- a fixed world

/// 150 x 40 x 40 with three walls that have a window each, so that a path has to wind; `closed` shuts the
/// last one.
static vnt_voxels winding(bool closed) {
    const vn_voxel dims = {150, 40, 40};
    vnt_voxels v = vnt_voxels_make(dims);
    for (int32_t wall = 0; wall < 3; ++wall)
        for (int32_t z = 0; z < 40; ++z)
            for (int32_t y = 0; y < 40; ++y) {
                int32_t wy = wall == 1 ? 3 : 34, wz = wall == 2 ? 3 : 33;
                bool window = y >= wy && y < wy + 3 && z >= wz && z < wz + 3;
                if (!window || (closed && wall == 2))
                    vnt_voxels_block(&v, 30 + 45 * wall, y, z);
            }

    return v;
}

typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vn_query* query;
} scene;

static scene make_scene(bool closed, vn_query_scratch scratch) {
    vn_jobs serial = vn_serial_jobs();
    scene s = {winding(closed), NULL, NULL};
    s.space = vnt_voxels_cells(&s.voxels, &serial);
    s.query = make_query(s.space, scratch);
    return s;
}

static void free_scene(scene* s) {
    vn_query_destroy(s->query);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

static vn_path_request across(void) {
    const vn_voxel a = {2, 2, 2}, b = {147, 37, 30};
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    return request;
}

static void test_slices_and_budget(void** state) {
    (void)state;
    scene s = make_scene(false, VN_SCRATCH_DEFAULT);
    for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
        vn_path_request request = across();
        vn_path_result whole, sliced;
        request.quality = (vn_quality)quality;
        assert_int_equal(vn_query_find_path(s.query, &request, &whole, NULL), VN_OK);
        check_path(s.space, s.query, &request, &whole);

        assert_int_equal(vn_query_begin(s.query, &request, NULL), VN_OK);
        while (vn_query_step(s.query, 1) == VN_RUNNING) {
        }

        assert_int_equal(vn_query_finish(s.query, &sliced), VN_OK);
        assert_memory_equal(&sliced, &whole, sizeof whole);
    }

    vn_path_request request = across();
    vn_path_result result;
    request.budget = 3;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_BUDGET_SPENT);
    assert_int_equal(result.expanded, 3);
    request.allow_partial = true;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_PARTIAL);
    assert_int_equal(result.reason, VN_BUDGET_SPENT);
    uint32_t count;
    const vn_point* points = vn_query_points(s.query, &count);
    assert_true(vn_space_check_path(s.space, points, count, NULL));
    free_scene(&s);
}

/// Cancelled in the second search of the best quality: the path of the first one is there.
static void test_best_cut_short(void** state) {
    (void)state;
    scene s = make_scene(false, VN_SCRATCH_DEFAULT);
    vn_path_request request = across();
    vn_path_result whole, cut;
    request.quality = VN_QUALITY_BEST;
    assert_int_equal(vn_query_find_path(s.query, &request, &whole, NULL), VN_OK);

    uint64_t found = 0;
    for (uint64_t steps = 1; steps < whole.expanded + 2; ++steps) {
        assert_int_equal(vn_query_begin(s.query, &request, NULL), VN_OK);
        for (uint64_t i = 0; i < steps; ++i)
            vn_query_step(s.query, 1);

        vn_status status = vn_query_finish(s.query, &cut);
        assert_true(status == VN_OK || status == VN_CANCELLED);
        assert_true(status == VN_OK || found == 0); // once there is a path, there stays one
        found += status == VN_OK;
        if (status == VN_OK)
            check_path(s.space, s.query, &request, &cut);
    }

    assert_true(found > 5);
    assert_true(found < whole.expanded);
    free_scene(&s);
}

static void test_unreachable(void** state) {
    (void)state;
    scene s = make_scene(true, VN_SCRATCH_DEFAULT);
    vn_path_request request = across();
    vn_path_result result;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_NO_PATH);
    assert_int_equal(result.expanded, 0); // known from the labels
    request.allow_partial = true;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_PARTIAL);
    assert_int_equal(result.reason, VN_NO_PATH);
    uint32_t count;
    const vn_point* points = vn_query_points(s.query, &count);
    assert_true(count >= 2);
    assert_true(vn_space_check_path(s.space, points, count, NULL));
    assert_true(points[count - 1].x > 75 * VN_LATTICE); // in the room before the closed wall
    free_scene(&s);
}

/// Partial means that there is a path: not so before anything has been expanded.
static void test_cancelled_at_once(void** state) {
    (void)state;
    scene s = make_scene(false, VN_SCRATCH_DEFAULT);
    vn_path_request request = across();
    vn_path_result result;
    uint32_t count;
    request.allow_partial = true;
    assert_int_equal(vn_query_begin(s.query, &request, NULL), VN_OK);
    assert_int_equal(vn_query_finish(s.query, &result), VN_CANCELLED);
    assert_int_equal(result.reason, VN_CANCELLED);
    vn_query_points(s.query, &count);
    assert_int_equal(count, 0);
    free_scene(&s);
}

typedef struct footprint {
    uint32_t boxes, corridor;
} footprint;

static bool count_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    footprint* f = user;
    assert_true(low.x < high.x);
    assert_true(low.y < high.y);
    assert_true(low.z < high.z);
    ++f->boxes;
    f->corridor += in_corridor;
    return true;
}

static void test_footprint(void** state) {
    (void)state;
    scene s = make_scene(false, VN_SCRATCH_DEFAULT);
    vn_path_request request = across();
    vn_path_result result;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    footprint f = {0, 0};
    vn_query_visit_expanded(s.query, count_box, &f);
    assert_true(f.boxes > 5);
    assert_true(f.boxes <= result.expanded + 1);
    assert_true(f.corridor >= 4);
    free_scene(&s);
}

static void test_room_and_memory(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = winding(false);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_path_request request = across();
    vn_path_result result;
    vn_detail detail;
    vn_query* query = make_query(space, VN_SCRATCH_DEFAULT);
    request.algo = VN_ALGO_ASTAR;
    assert_int_equal(vn_query_find_path(query, &request, &result, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "VN_SCRATCH_GRID"));
    vn_query_destroy(query);
    query = make_query(space, VN_SCRATCH_GRID);
    request.algo = VN_ALGO_CELLS;
    assert_int_equal(vn_query_find_path(query, &request, &result, &detail), VN_UNSUPPORTED);

    vn_query_destroy(query);
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_query_def def = vn_default_query_def();
        def.allocator = vnt_memory_allocator(&memory);
        def.scratch = VN_SCRATCH_ALL;
        vn_status status = vn_query_create(space, &def, &query, NULL);

        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status == VN_OK) {
            uint64_t calls = memory.calls;
            vn_memory report;
            vn_query_get_memory(query, &report);
            assert_int_equal(report.total, memory.live_bytes);
            for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
                request.quality = (vn_quality)quality;
                assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
            }

            assert_int_equal(memory.calls, calls); // a query allocates nothing
        }

        vn_query_destroy(query);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Asked to, the query judges the path itself.
static void test_check_on_request(void** state) {
    (void)state;
    scene s = make_scene(false, VN_SCRATCH_ALL);
    vn_path_request request = across();
    vn_path_result result;
    for (int algo = VN_ALGO_CELLS; algo <= VN_ALGO_ASTAR; ++algo) {
        request.algo = (vn_algo)algo;
        request.check = false;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        assert_false(result.checked);
        request.check = true;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        assert_true(result.checked);
    }

    free_scene(&s);
}

static void test_too_many_points(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = winding(false);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_request request = across();
    vn_path_result result;
    def.max_points = 4;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_CAPACITY);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_grid),  cmocka_unit_test(test_ends_anywhere),
        cmocka_unit_test(test_slices_and_budget), cmocka_unit_test(test_best_cut_short),
        cmocka_unit_test(test_unreachable),       cmocka_unit_test(test_cancelled_at_once),
        cmocka_unit_test(test_footprint),         cmocka_unit_test(test_room_and_memory),
        cmocka_unit_test(test_too_many_points),   cmocka_unit_test(test_check_on_request),
    };

    return cmocka_run_group_tests_name("query/cells_search", tests, NULL, NULL);
}
