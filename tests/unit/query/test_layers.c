/// One query object for agents of several sizes: which layer serves a request, and why a layer has no path.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <float.h>
#include <math.h>

/// A hall of 16 x 8 x 8 m, cut at x = 8 by a wall with a gap of 1 x 1 m, which a door may close; an unseen
/// corner.
typedef struct hall {
    vn_world* world;
    vn_layers* layers;
    vn_query* query;
} hall;

enum { DOOR = 1 };

static void add(vn_world* world, float x0, float y0, float z0, float x1, float y1, float z1, uint32_t flags) {
    vn_obstacle_id id;
    vn_shape box = vnt_box_shape(vnt_vec(x0, y0, z0), vnt_vec(x1, y1, z1));
    assert_int_equal(vn_world_add(world, &box, &id, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, id, flags), VN_OK);
}

static vn_world* hall_world(bool door) {
    vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    add(world, 7.75f, 0, 0, 8.25f, 3.5f, 8, 0);
    add(world, 7.75f, 4.5f, 0, 8.25f, 8, 8, 0);
    add(world, 7.75f, 3.5f, 0, 8.25f, 4.5f, 3.5f, 0);

    add(world, 7.75f, 3.5f, 4.5f, 8.25f, 4.5f, 8, 0);
    if (door)
        add(world, 7.75f, 3.5f, 3.5f, 8.25f, 4.5f, 4.5f, DOOR);

    add(world, 14, 6, 6, 16, 8, 8, VN_FLAG_UNKNOWN);
    return world;
}

static hall hall_make(bool door, const vn_layer_def* layers, uint32_t count, vn_query_scratch scratch) {
    hall h = {hall_world(door), NULL, NULL};
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.125f;
    def.unknown = VN_UNKNOWN_REFUSED;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {16, 8, 8}};
    assert_int_equal(vn_layers_bake(h.world, &def, layers, count, &h.layers, NULL), VN_OK);
    vn_query_def query_def = vn_default_query_def();
    query_def.scratch = scratch;
    assert_int_equal(vn_query_create_layers(h.layers, &query_def, &h.query, NULL), VN_OK);

    return h;
}

static void hall_free(hall* h) {
    vn_query_destroy(h->query);
    vn_layers_destroy(h->layers);
    vn_world_destroy(h->world);
}

static vn_path_request request_of(const hall* h, vn_vec3 from, vn_vec3 to, float radius) {
    vn_path_request request = vn_default_path_request();
    const vn_space* any = vn_layers_space(h->layers, 0);
    assert_int_equal(vn_space_point_from_local(any, from, &request.start), VN_OK);
    assert_int_equal(vn_space_point_from_local(any, to, &request.goal), VN_OK);
    request.radius = radius;
    request.check = true;

    return request;
}

static const vn_layer_def three_radii[3] = {{1, 0}, {0, 0}, {0.25f, 0}};

static void the_smallest_layer_that_fits_answers(void** state) {
    (void)state;
    hall h = hall_make(false, three_radii, 3, VN_SCRATCH_ALL);
    const float radii[4] = {0, 0.1f, 0.25f, 0.25f}, got[4] = {0, 0.25f, 0.25f, 0.25f};
    for (int i = 0; i < 4; ++i) {
        vn_path_request request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(12, 2, 2), radii[i]);
        request.algo = i == 3 ? VN_ALGO_ASTAR : VN_ALGO_CELLS; // the grid changes its layer too
        vn_path_result result;
        assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_OK);
        assert_true(result.layer_radius == got[i]);
        assert_true(result.passing_radius < 0);
        uint32_t count;
        const vn_point* points = vn_query_points(h.query, &count);
        const vn_space* layer = vn_layers_find(h.layers, (double)radii[i], 0);
        assert_true(vn_world_check_path(h.world, layer, points, count, (double)got[i], NULL));
    }

    hall_free(&h);
}

static void too_narrow_names_the_layer_that_passes(void** state) {
    (void)state;
    hall h = hall_make(false, three_radii, 3, VN_SCRATCH_ALL);
    vn_path_request request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(12, 2, 2), 0.7f);
    vn_path_result result;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_TOO_NARROW);
    assert_true(result.layer_radius == 1);
    assert_true(result.passing_radius == 0.25f);
    assert_true(result.point_count == 0);
    request.allow_partial = true;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_PARTIAL);
    assert_int_equal(result.reason, VN_TOO_NARROW);
    assert_true(result.passing_radius == 0.25f);
    assert_true(result.point_count > 1);
    request.algo = VN_ALGO_ASTAR;
    request.allow_partial = false;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_TOO_NARROW);
    hall_free(&h);
}

static void no_layer_fits(void** state) {
    (void)state;
    hall h = hall_make(false, three_radii, 3, VN_SCRATCH_DEFAULT);
    vn_path_request request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(12, 2, 2), 1.5f);
    vn_path_result result;
    vn_detail detail;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "1.5"));
    request.radius = -2;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, &detail), VN_BAD_ARGUMENT);
    hall_free(&h);
}

/// Several radii: none is taken silently. One: it is the agent's.
static void a_radius_must_be_given(void** state) {
    (void)state;
    hall h = hall_make(false, three_radii, 3, VN_SCRATCH_DEFAULT);
    vn_path_request request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(12, 4, 4), 0);
    vn_field_request field = vn_default_field_request();
    vn_path_result result;
    vn_detail detail;
    request.radius = vn_default_path_request().radius;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, &detail), VN_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, "set the agent's radius: there are layers for "));
    field.source = request.start;
    assert_int_equal(vn_query_build_field(h.query, &field, NULL, &detail), VN_BAD_ARGUMENT);

    vn_query* single;
    const vn_query_def def = vn_default_query_def();
    assert_int_equal(vn_query_create(vn_layers_space(h.layers, 2), &def, &single, NULL), VN_OK);
    assert_int_equal(vn_query_begin(single, &request, &detail), VN_OK);
    vn_query_finish(single, &result);
    assert_true(result.layer_radius == 1);
    vn_query_destroy(single);
    hall_free(&h);
}

/// Whatever radius a bake takes is one that an agent may have.
static void any_radius_of_a_space_will_do(void** state) {
    (void)state;
    const float radii[3] = {1e6f, 1.5e6f, FLT_MAX};
    vn_world_def world_def = vn_default_world_def();
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (int i = 0; i < 3; ++i) {
        vn_space_def def = vn_default_space_def();
        def.has_bounds = true;
        def.bounds = (vn_box){{0, 0, 0}, {4, 4, 4}};
        def.radius = radii[i];
        vn_space* space = NULL;
        assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
        vn_query_def query_def = vn_default_query_def();
        vn_query* query = NULL;
        assert_int_equal(vn_query_create(space, &query_def, &query, NULL), VN_OK);

        vn_path_request request = vn_default_path_request();
        request.start = (vn_point){VN_LATTICE, VN_LATTICE, VN_LATTICE};
        request.goal = (vn_point){3 * VN_LATTICE, 2 * VN_LATTICE, VN_LATTICE};
        vn_path_result result;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(result.layer_radius == radii[i]);
        request.radius = radii[i];
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        request.radius = INFINITY;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_BAD_ARGUMENT);
        vn_query_destroy(query);
        vn_space_destroy(space);
    }

    vn_world_destroy(world);
}

/// Beside the wall: free for a point, too close for the others.
static void a_blocked_end_names_the_layer_where_it_is_free(void** state) {
    (void)state;
    hall h = hall_make(false, three_radii, 3, VN_SCRATCH_DEFAULT);
    vn_path_request request = request_of(&h, vnt_vec(7, 2, 2), vnt_vec(2, 4, 4), 1);
    vn_path_result result;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_START_BLOCKED);
    assert_int_equal(result.end, VN_END_START);
    assert_true(result.has_nearest);
    assert_true(result.nearest_distance > 0.2);
    assert_true(result.nearest_distance < 0.5);
    assert_true(result.passing_radius == 0.25f);
    request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(8, 2, 2), 1);
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_GOAL_BLOCKED);
    assert_int_equal(result.end, VN_END_GOAL);
    assert_true(result.passing_radius < 0); // inside the wall itself
    request.snap_distance = 2;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_OK);
    assert_int_equal(result.end, VN_END_NONE);
    hall_free(&h);
}

static void unseen_space_is_refused(void** state) {
    (void)state;
    hall h = hall_make(false, three_radii, 3, VN_SCRATCH_DEFAULT);
    vn_path_request request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(15, 7, 7), 0);
    vn_path_result result;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_UNKNOWN_SPACE);
    assert_int_equal(result.end, VN_END_GOAL);
    assert_true(result.has_nearest);
    assert_true(result.nearest_distance >= 1);
    request.start.x = -5;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_OUTSIDE);
    assert_int_equal(result.end, VN_END_START);
    hall_free(&h);
}

static void doors_open_for_those_who_may_pass(void** state) {
    (void)state;
    const vn_layer_def layers[3] = {{0, 0}, {0, DOOR}, {0.25f, 0}};
    hall h = hall_make(true, layers, 3, VN_SCRATCH_DEFAULT);
    vn_path_request request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(12, 2, 2), 0);
    vn_path_result result;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_NO_PATH);
    request.open_flags = DOOR | 4;
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_OK);
    request.radius = 0.2f; // the only layer that is wide enough has its door closed; a narrower one would do
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_TOO_NARROW);
    assert_true(result.passing_radius == 0);
    request.open_flags = 0; // the narrower one opens a door that is not for this agent
    assert_int_equal(vn_query_find_path(h.query, &request, &result, NULL), VN_NO_PATH);
    hall_free(&h);
}

static void one_space_takes_agents_up_to_its_radius(void** state) {
    (void)state;
    hall h = hall_make(false, three_radii, 3, VN_SCRATCH_DEFAULT);
    vn_query_def def = vn_default_query_def();
    vn_query* query = NULL;
    assert_int_equal(vn_query_create(vn_layers_space(h.layers, 1), &def, &query, NULL), VN_OK);
    vn_path_request request = request_of(&h, vnt_vec(2, 4, 4), vnt_vec(12, 2, 2), 0.25f);
    vn_path_result result;
    vn_detail detail;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    request.radius = 0.3f;
    assert_int_equal(vn_query_find_path(query, &request, &result, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "0.25"));
    vn_query_destroy(query);
    hall_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_layer_that_fits_answers),
        cmocka_unit_test(too_narrow_names_the_layer_that_passes),
        cmocka_unit_test(no_layer_fits),
        cmocka_unit_test(a_radius_must_be_given),
        cmocka_unit_test(any_radius_of_a_space_will_do),
        cmocka_unit_test(a_blocked_end_names_the_layer_where_it_is_free),
        cmocka_unit_test(unseen_space_is_refused),
        cmocka_unit_test(doors_open_for_those_who_may_pass),
        cmocka_unit_test(one_space_takes_agents_up_to_its_radius),
    };

    return cmocka_run_group_tests_name("query/layers", tests, NULL, NULL);
}
