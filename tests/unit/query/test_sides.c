/// Ends that lie between regions which do not touch otherwise, searched on a grid without cells: every pair
/// of sides is tried until one is connected, and partial paths are those of a space that knows the pairs.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <string.h>

/// Two tunnels along x that meet at an edge only: (0 to 3, 3, 1) and (4 to 7, 4, 1). Beside the first one
/// lies a single voxel that meets it at a corner only, and far from both another one that meets nothing.
static vnt_voxels make_tunnels(void) {
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 4});
    memset(voxels.blocked, 1, 8 * 8 * 4);
    for (int32_t x = 0; x < 4; ++x)
        voxels.blocked[x + 8 * (3 + 8 * 1)] = voxels.blocked[7 - x + 8 * (4 + 8 * 1)] = 0;

    voxels.blocked[4 + 8 * (2 + 8 * 2)] = voxels.blocked[7 + 8 * (1 + 8 * 3)] = 0;
    return voxels;
}

typedef struct scene {
    vnt_voxels voxels;
    vn_space *plain, *cells;
    vn_query *on_plain, *on_cells;
} scene;

static scene make_scene(void) {
    vn_jobs serial = vn_serial_jobs();
    scene s = {.voxels = make_tunnels()};
    s.plain = vnt_voxels_space(&s.voxels);
    s.cells = vnt_voxels_cells(&s.voxels, &serial);
    vn_query_def def = vn_default_query_def();
    assert_int_equal(vn_query_create(s.plain, &def, &s.on_plain, NULL), VN_OK);
    def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create(s.cells, &def, &s.on_cells, NULL), VN_OK);
    return s;
}

static void free_scene(scene* s) {
    vn_query_destroy(s->on_plain);
    vn_query_destroy(s->on_cells);
    vn_space_destroy(s->plain);
    vn_space_destroy(s->cells);
    vnt_voxels_free(&s->voxels);
}

static const vn_point edge = {4 * VN_LATTICE, 4 * VN_LATTICE, VN_LATTICE + 512};
static const vn_point corner = {4 * VN_LATTICE, 3 * VN_LATTICE, 2 * VN_LATTICE};

static vn_path_request request_of(vn_point start, vn_point goal, vn_algo algo) {
    vn_path_request request = vn_default_path_request();
    request.start = start;
    request.goal = goal;
    request.algo = algo;
    request.check = true;
    return request;
}

/// Both searches have the same path. `sides`: searches before that one, for other sides, count as well.
static void check_same(const scene* s, const vn_path_request* request, vn_status want) {
    vn_path_result a, b;
    uint32_t a_count, b_count;
    assert_int_equal(vn_query_find_path(s->on_plain, request, &a, NULL), want);
    assert_int_equal(vn_query_find_path(s->on_cells, request, &b, NULL), want);
    assert_int_equal(a.reason, b.reason);
    assert_true(a.length == b.length);
    assert_true(a.cost == b.cost);
    assert_true(a.expanded >= b.expanded);
    assert_true(a.touched >= b.touched);

    const vn_point* a_points = vn_query_points(s->on_plain, &a_count);
    const vn_point* b_points = vn_query_points(s->on_cells, &b_count);
    assert_int_equal(a_count, b_count);
    assert_memory_equal(a_points, b_points, a_count * sizeof *a_points);
}

/// From the edge to the end of each tunnel, and back.
static void every_side_is_tried(void** state) {
    (void)state;
    scene s = make_scene();
    const vn_point ends[2] = {vn_voxel_center((vn_voxel){0, 3, 1}), vn_voxel_center((vn_voxel){7, 4, 1})};
    for (int algo = VN_ALGO_ASTAR; algo < VN_ALGO_COUNT; ++algo)
        for (int i = 0; i < 2; ++i) {
            vn_path_request there = request_of(edge, ends[i], (vn_algo)algo);
            vn_path_request back = request_of(ends[i], edge, (vn_algo)algo);
            check_same(&s, &there, VN_OK);
            check_same(&s, &back, VN_OK);
        }

    free_scene(&s);
}

/// From the corner, which the first tunnel and the single voxel share, to the edge and to the voxel.
static void both_ends_have_sides(void** state) {
    (void)state;
    scene s = make_scene();
    for (int algo = VN_ALGO_ASTAR; algo < VN_ALGO_COUNT; ++algo) {
        vn_path_request request = request_of(corner, edge, (vn_algo)algo);
        check_same(&s, &request, VN_OK);
        request = request_of(edge, corner, (vn_algo)algo);
        check_same(&s, &request, VN_OK);
        request = request_of(vn_voxel_center((vn_voxel){4, 2, 2}), corner, (vn_algo)algo);
        check_same(&s, &request, VN_OK);
        request = request_of(corner, vn_voxel_center((vn_voxel){4, 2, 2}), (vn_algo)algo);
        check_same(&s, &request, VN_OK);
    }

    free_scene(&s);
}

/// No pair is connected: no path, or a partial one from the first side, which is the one that the cells take.
static void no_pair_is_connected(void** state) {
    (void)state;
    scene s = make_scene();
    const vn_point voxel = vn_voxel_center((vn_voxel){4, 2, 2}), first = vn_voxel_center((vn_voxel){0, 3, 1});
    const vn_point lone = vn_voxel_center((vn_voxel){7, 1, 3}); // the second tunnel ends towards it
    const vn_point pairs[5][2] = {{edge, voxel},
                                  {voxel, edge},
                                  {first, vn_voxel_center((vn_voxel){7, 4, 1})},
                                  {edge, lone},
                                  {corner, lone}};
    for (int algo = VN_ALGO_ASTAR; algo < VN_ALGO_COUNT; ++algo)
        for (int i = 0; i < 10; ++i) {
            vn_path_request request = request_of(pairs[i / 2][0], pairs[i / 2][1], (vn_algo)algo);
            request.allow_partial = i % 2;
            check_same(&s, &request, request.allow_partial ? VN_PARTIAL : VN_NO_PATH);
        }

    free_scene(&s);
}

/// One of the tunnels is searched in vain first, which counts as well, once: the same request costs the same
/// again.
static void counts_begin_anew(void** state) {
    (void)state;
    scene s = make_scene();
    const vn_point ends[2] = {vn_voxel_center((vn_voxel){0, 3, 1}), vn_voxel_center((vn_voxel){7, 4, 1})};
    uint64_t expanded = 0;
    for (int i = 0; i < 2; ++i) {
        vn_path_request request = request_of(edge, ends[i], VN_ALGO_DIJKSTRA);
        vn_path_result first, again;
        assert_int_equal(vn_query_find_path(s.on_plain, &request, &first, NULL), VN_OK);
        assert_int_equal(vn_query_find_path(s.on_plain, &request, &again, NULL), VN_OK);
        assert_int_equal(again.expanded, first.expanded);
        assert_int_equal(again.touched, first.touched);
        assert_true(first.touched >= first.expanded);
        expanded += first.expanded;
    }

    assert_int_equal(expanded, 4 + 8); // four voxels of the first side, and four of each
    free_scene(&s);
}

/// The widest path too: each pair of sides in turn, as cells would choose.
static void passages_try_every_pair(void** state) {
    (void)state;
    scene s = make_scene();
    const vn_point points[5] = {edge, corner, vn_voxel_center((vn_voxel){0, 3, 1}),
                                vn_voxel_center((vn_voxel){7, 4, 1}), vn_voxel_center((vn_voxel){4, 2, 2})};
    uint32_t found = 0;
    for (int i = 0; i < 25; ++i) {
        const vn_point start = points[i / 5], goal = points[i % 5];
        vn_passage a, b;
        vn_status status = vn_query_find_passage(s.on_cells, start, goal, 0, 2, 0, &b, NULL);
        assert_int_equal(vn_query_find_passage(s.on_plain, start, goal, 0, 2, 0, &a, NULL), status);
        assert_true(a.radius == b.radius);
        assert_int_equal(a.limited, b.limited);
        found += status == VN_OK;
    }

    assert_int_equal(found, 25 - 2 * 5); // five pairs have no region in common
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_side_is_tried),     cmocka_unit_test(both_ends_have_sides),
        cmocka_unit_test(no_pair_is_connected),    cmocka_unit_test(counts_begin_anew),
        cmocka_unit_test(passages_try_every_pair),
    };

    return cmocka_run_group_tests_name("query/sides", tests, NULL, NULL);
}
