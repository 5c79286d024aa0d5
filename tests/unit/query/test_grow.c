/// Queries that are too small: what they say they need is enough, growing loses nothing, and may fail.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <stdlib.h>
#include <string.h>

/// Rooms of one voxel, joined by a random tree: a path through many cells.
static vnt_voxels make_maze(vni_rng* rng, int32_t rooms) {
    const int32_t size = 2 * rooms + 1;
    vnt_voxels maze = vnt_voxels_make((vn_voxel){size, size, size});
    memset(maze.blocked, 1, (size_t)(size * size * size));
    const int32_t count = rooms * rooms * rooms;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t room[3] = {i % rooms, i / rooms % rooms, i / rooms / rooms};
        int32_t at[3] = {2 * room[0] + 1, 2 * room[1] + 1, 2 * room[2] + 1};
        maze.blocked[at[0] + size * (at[1] + size * at[2])] = 0;

        // A door to one of the lower rooms: the doors are a tree.
        const int first = (int)vni_rng_below(rng, 3);
        for (int k = 0; k < 3; ++k) {
            const int axis = (first + k) % 3;
            if (room[axis] == 0)
                continue;
            --at[axis];
            maze.blocked[at[0] + size * (at[1] + size * at[2])] = 0;
            break;
        }
    }

    return maze;
}

static vn_query* make_query(const vn_space* space, uint32_t max_points, uint32_t max_nodes) {
    vn_query_def def = vn_default_query_def();
    vn_query* query = NULL;
    def.scratch = VN_SCRATCH_ALL;
    def.max_points = max_points;
    def.max_nodes = max_nodes;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    return query;
}

/// Grows until the search no longer asks for more. Returns how often.
static int find_growing(vn_query* query, const vn_path_request* request, vn_path_result* result) {
    int rounds = 0;
    while (vn_query_find_path(query, request, result, NULL) == VN_CAPACITY) {
        assert_true(result->needed_points > 0 || result->needed_nodes > 0);
        assert_int_equal(vn_query_grow(query, result->needed_points, result->needed_nodes, NULL), VN_OK);
        assert_true(++rounds < 40);
    }

    assert_int_equal(result->needed_points, 0);
    assert_int_equal(result->needed_nodes, 0);
    return rounds;
}

static void assert_same_path(const vn_query* a, const vn_query* b) {
    uint32_t count_a, count_b;
    const vn_point *points_a = vn_query_points(a, &count_a), *points_b = vn_query_points(b, &count_b);
    assert_int_equal(count_a, count_b);
    assert_memory_equal(points_a, points_b, count_a * sizeof *points_a);
}

static vn_path_request request_of(vni_rng* rng, const vnt_voxels* voxels, int number) {
    static const vn_algo algos[] = {VN_ALGO_CELLS, VN_ALGO_CELLS, VN_ALGO_ASTAR, VN_ALGO_DIJKSTRA};
    vn_path_request request = vn_default_path_request();
    vn_voxel from, to;
    assert_true(vnt_random_free_voxel(rng, voxels, &from));
    assert_true(vnt_random_free_voxel(rng, voxels, &to));
    request.start = vn_voxel_center(from);
    request.goal = vn_voxel_center(to);
    request.algo = algos[number % 4];
    request.quality = (vn_quality)(number % 3);
    if (number % 4 == 1)
        request.jitter = 0.5f; // the search with terms
    return request;
}

static void what_is_needed_is_enough(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("grow", 17));
    int grown = 0;
    for (uint32_t world = 0; world < vnt_scale(12, 200); ++world) {
        vnt_voxels maze = make_maze(&rng, 6);
        const vn_jobs jobs = vn_serial_jobs();
        vn_space* space = vnt_voxels_cells(&maze, &jobs);
        vn_query* large = make_query(space, 0, 0);
        for (int i = 0; i < 12; ++i) {
            vn_query* small = make_query(space, 2, 64);
            const vn_path_request request = request_of(&rng, &maze, i);
            vn_path_result result, expected;
            vn_query_find_path(large, &request, &expected, NULL);
            const int rounds = find_growing(small, &request, &result);
            // One round for points; the nodes of a grid search are found out by doubling.
            assert_true(request.algo != VN_ALGO_CELLS || rounds <= 1);
            assert_int_equal(result.status, expected.status);
            assert_same_path(small, large);
            grown += rounds;
            vn_query_destroy(small);
        }

        vn_query_destroy(large);
        vn_space_destroy(space);
        vnt_voxels_free(&maze);
    }

    assert_true(grown > 50);
}

/// A lift splits the path into legs, each with one point more than cells: along the first column to the
/// lift, and from its upper end through one door. A field keeps its costs.
static void legs_and_fields_grow_too(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("grow legs", 18));
    vnt_voxels maze = make_maze(&rng, 5);
    const vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&maze, &jobs);
    const vn_connection lift = {.from = {1.5f, 1.5f, 1.5f}, .to = {9.5f, 9.5f, 9.5f}, .cost = 0.1f};
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center((vn_voxel){1, 1, 5});
    request.goal = vn_voxel_center(vnt_voxels_are_free(&maze, 8, 9, 9)   ? (vn_voxel){7, 9, 9}
                                   : vnt_voxels_are_free(&maze, 9, 8, 9) ? (vn_voxel){9, 7, 9}
                                                                         : (vn_voxel){9, 9, 7});
    request.connections = &lift;
    request.connection_count = 1;

    for (uint32_t points = 2; points < 12; ++points) {
        vn_query* query = make_query(space, points, 64);
        vn_path_result result;
        assert_true(find_growing(query, &request, &result) <= 1);
        assert_int_equal(result.status, VN_OK);
        assert_int_equal(result.connections_used, 1);
        vn_query_destroy(query);
    }

    vn_query* query = make_query(space, 3, 64);
    vn_field_request field = vn_default_field_request();
    vn_path_result result;
    field.source = request.start;
    assert_int_equal(vn_query_build_field(query, &field, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_path(query, request.goal, &result), VN_CAPACITY);
    assert_int_equal(vn_query_grow(query, result.needed_points, 0, NULL), VN_OK);
    assert_int_equal(vn_query_field_path(query, request.goal, &result), VN_OK);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&maze);
}

static void growing_keeps_the_last_path(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("grow keeps", 19));
    vnt_voxels maze = make_maze(&rng, 4);
    const vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&maze, &jobs);
    vn_query *query = make_query(space, 0, 0), *other = make_query(space, 0, 0);
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail;
    request.start = vn_voxel_center((vn_voxel){1, 1, 1});
    request.goal = vn_voxel_center((vn_voxel){7, 7, 7});

    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_int_equal(vn_query_find_path(other, &request, &result, NULL), VN_OK);
    assert_int_equal(vn_query_grow(query, 200000, 0, NULL), VN_OK);
    assert_same_path(query, other);
    assert_int_equal(vn_query_grow(query, 10, 10, NULL), VN_OK); // smaller: no change
    assert_same_path(query, other);

    assert_int_equal(vn_query_begin(query, &request, NULL), VN_OK);
    assert_int_equal(vn_query_grow(query, 300000, 0, &detail), VN_BAD_ORDER);
    assert_int_equal(vn_query_finish(query, &result), VN_CANCELLED);
    vn_query_destroy(query);
    vn_query_destroy(other);
    vn_space_destroy(space);
    vnt_voxels_free(&maze);
}

/// Every allocation of a growth fails once: nothing has changed, and nothing leaks.
static void growing_may_run_out_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("grow memory", 20));
    vnt_voxels maze = make_maze(&rng, 4);
    const vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&maze, &jobs);
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center((vn_voxel){1, 1, 1});
    request.goal = vn_voxel_center((vn_voxel){7, 7, 7});

    uint64_t failures = 0;
    for (bool grown = false; !grown; failures += !grown) {
        vnt_memory memory = vnt_memory_make();
        vn_query_def def = vn_default_query_def();
        vn_query* query = NULL;
        vn_path_result result;
        def.allocator = vnt_memory_allocator(&memory);
        def.scratch = VN_SCRATCH_ALL;
        def.max_points = 3;
        def.max_nodes = 64;
        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
        const uint64_t before = memory.live_bytes;
        memory.fail_at = memory.calls + failures;

        const vn_status status = vn_query_grow(query, 1000, 1000, NULL);
        grown = status == VN_OK;
        assert_true(grown || status == VN_OUT_OF_MEMORY);
        assert_true(grown ? memory.live_bytes > before : memory.live_bytes == before);
        vn_query_find_path(query, &request, &result, NULL);
        assert_int_equal(result.status, grown ? VN_OK : VN_CAPACITY);
        vn_query_destroy(query);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    assert_true(failures >= 9);
    vn_space_destroy(space);
    vnt_voxels_free(&maze);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_needed_is_enough),
        cmocka_unit_test(legs_and_fields_grow_too),
        cmocka_unit_test(growing_keeps_the_last_path),
        cmocka_unit_test(growing_may_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
