/// After a request that is refused the query has no points and no connections of the one before, whatever the
/// call; and none while a search runs.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>

typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vn_query* query;
    vn_path_request request; ///< through a wall, by a connection
    vn_connection connection;
} scene;

static scene* make_scene(void) {
    static scene s;
    vn_jobs serial = vn_serial_jobs();
    vn_query_def def = vn_default_query_def();
    s.voxels = vnt_voxels_make((vn_voxel){20, 9, 9});
    for (int32_t i = 0; i < 81; ++i)
        vnt_voxels_block(&s.voxels, 10, i % 9, i / 9);

    s.space = vnt_voxels_cells(&s.voxels, &serial);
    def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create(s.space, &def, &s.query, NULL), VN_OK);
    s.connection = (vn_connection){.from = {9.5f, 4.5f, 4.5f}, .to = {11.5f, 4.5f, 4.5f}, .cost = 1};
    s.request = vn_default_path_request();
    s.request.start = vn_voxel_center((vn_voxel){1, 1, 1});
    s.request.goal = vn_voxel_center((vn_voxel){18, 7, 7});
    s.request.connections = &s.connection;
    s.request.connection_count = 1;

    return &s;
}

static void free_scene(scene* s) {
    vn_query_destroy(s->query);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

static uint32_t points_of(const scene* s) {
    uint32_t points, connections;
    vn_query_points(s->query, &points);
    vn_query_connections(s->query, &connections);
    return points + connections;
}

static void find_one(scene* s) {
    vn_path_result result;
    uint32_t connections;
    assert_int_equal(vn_query_find_path(s->query, &s->request, &result, NULL), VN_OK);
    vn_query_connections(s->query, &connections);
    assert_true(connections == 1);
    assert_true(points_of(s) > 3);
}

static bool visit(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)low;
    (void)high;
    (void)in_corridor;
    ++*(uint32_t*)user;
    return true;
}

static void assert_nothing_left(const scene* s) {
    uint32_t boxes = 0;
    assert_int_equal(points_of(s), 0);
    vn_query_visit_expanded(s->query, visit, &boxes);
    assert_int_equal(boxes, 0);
}

/// Requests that are wrong in one way each.
static vn_path_request wrong_request(const scene* s, int which) {
    vn_path_request r = s->request;
    switch (which) {
    case 0: r.cookie = 1; break;
    case 1: r.weight = NAN; break;
    case 2: r.radius = 3; break;
    case 3: r.connection_count = VN_MAX_CONNECTIONS + 1; break;
    case 4: r.algo = VN_ALGO_COUNT; break;
    case 5: r.algo = VN_ALGO_ASTAR; break; // which has no connections
    case 6: r.jitter = 2; break;
    default: r.snap_distance = -1; break;
    }
    return r;
}

#define WRONG 8

static void test_paths(void** state) {
    (void)state;
    scene* s = make_scene();
    for (int which = 0; which < WRONG; ++which)
        for (int sliced = 0; sliced < 2; ++sliced) {
            vn_path_request wrong = wrong_request(s, which);
            vn_path_result result;
            find_one(s);
            vn_status status = sliced ? vn_query_begin(s->query, &wrong, NULL)
                                      : vn_query_find_path(s->query, &wrong, &result, NULL);
            assert_true(status != VN_OK);
            assert_nothing_left(s);
            assert_int_equal(vn_query_step(s->query, 1), VN_BAD_ORDER);
            assert_int_equal(vn_query_finish(s->query, &result), VN_BAD_ORDER);
            assert_nothing_left(s);
        }

    free_scene(s);
}

/// Wrong order: what runs goes on, and shows nothing until it ends.
static void test_while_one_runs(void** state) {
    (void)state;
    scene* s = make_scene();
    vn_path_result result;
    vn_field_request field = vn_default_field_request();
    field.source = s->request.start;
    s->request.quality = VN_QUALITY_BEST;
    find_one(s);

    assert_int_equal(vn_query_begin(s->query, &s->request, NULL), VN_OK);
    do {
        assert_int_equal(points_of(s), 0);
        assert_int_equal(vn_query_begin(s->query, &s->request, NULL), VN_BAD_ORDER);
        assert_int_equal(vn_query_build_field(s->query, &field, NULL, NULL), VN_BAD_ORDER);
        assert_int_equal(points_of(s), 0);
    } while (vn_query_step(s->query, 1) == VN_RUNNING);

    assert_int_equal(points_of(s), 0);
    assert_int_equal(vn_query_finish(s->query, &result), VN_OK);
    assert_true(points_of(s) > 0);
    free_scene(s);
}

/// A field that is refused, and requests to a field that is not there.
static void test_fields(void** state) {
    (void)state;
    scene* s = make_scene();
    vn_point target = s->request.start;
    vn_path_result result;
    uint64_t random = 1;

    double cost;
    for (int which = 0; which < 7; ++which) {
        vn_field_request field = vn_default_field_request();
        vn_status status = VN_OK;
        find_one(s);
        field.source = which == 0 ? vn_voxel_center((vn_voxel){10, 4, 4}) : s->request.start;
        field.max_cost = which == 1 ? -1 : 0;
        field.radius = which == 2 ? 5 : 0;

        field.cookie = which == 3 ? 0 : field.cookie;
        if (which < 4)
            status = vn_query_build_field(s->query, &field, NULL, NULL);
        else if (which == 4)
            status = vn_query_field_costs(s->query, &target, 1, &cost);
        else if (which == 5)
            status = vn_query_field_path(s->query, target, &result);
        else
            status = vn_query_field_random(s->query, &random, &target, &cost);

        assert_true(status != VN_OK);
        if (which < 4)
            assert_int_equal(points_of(s), 0);
        else { // a call in the wrong order changes nothing
            assert_true(status == VN_BAD_ORDER);
            assert_true(points_of(s) > 0);
        }
    }

    free_scene(s);
}

/// A passage is a request beside the path: as its header says, the points stay, refused or not.
static void test_passages(void** state) {
    (void)state;
    scene* s = make_scene();
    vn_passage passage;
    find_one(s);
    uint32_t before = points_of(s);
    assert_int_equal(
        vn_query_find_passage(s->query, s->request.start, s->request.goal, 0, -1, 0, &passage, NULL),
        VN_BAD_ARGUMENT);
    assert_int_equal(points_of(s), before);
    assert_int_equal(
        vn_query_find_passage(s->query, s->request.start, s->request.goal, 0, 1, 0, &passage, NULL),
        VN_NO_PATH);
    assert_int_equal(points_of(s), before);
    free_scene(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_while_one_runs),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_passages),
    };

    return cmocka_run_group_tests_name("query/refused", tests, NULL, NULL);
}
