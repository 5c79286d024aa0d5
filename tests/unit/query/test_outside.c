/// The point that no space contains: every public call that takes a point refuses it as outside.
#include "cmocka_all.h"
#include "shapes.h"

#include "volnav/classic.h"
#include "volnav/draw.h"
#include "volnav/nav.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>

/// A box in the middle of 16 m, voxels of 1 m, far from the origin of coordinates.
typedef struct place {
    vn_world* world;
    vn_layers* layers;
    const vn_space* space;
    vn_query* query;
    vn_point inside, nowhere;
} place;

static vn_world* make_world(void) {
    vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    def.origin = (vn_dvec3){1e5, -3e4, 2e6};
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    const vn_shape box = vnt_box_shape(vnt_vec(6, 6, 6), vnt_vec(10, 10, 10));
    assert_int_equal(vn_world_add(world, &box, NULL, NULL), VN_OK);
    return world;
}

static vn_space_def bake_def(void) {
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {16, 16, 16}};
    return def;
}

static place make_place(void) {
    place p = {.world = make_world(), .nowhere = vn_point_outside()};
    const vn_space_def def = bake_def();
    const vn_layer_def radius = {0, 0};
    vn_query_def query_def = vn_default_query_def();
    query_def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_layers_bake(p.world, &def, &radius, 1, &p.layers, NULL), VN_OK);
    p.space = vn_layers_space(p.layers, 0);
    assert_int_equal(vn_query_create_layers(p.layers, &query_def, &p.query, NULL), VN_OK);
    p.inside = vn_voxel_center((vn_voxel){2, 2, 2});
    return p;
}

static void free_place(place* p) {
    vn_query_destroy(p->query);
    vn_layers_destroy(p->layers);
    vn_world_destroy(p->world);
}

static void conversions_leave_it(void** state) {
    (void)state;
    place p = make_place();
    const double bad[] = {-0.01, 16.01, -1e30, 1e30, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double at[3] = {8, 3, 3};
            at[axis] = bad[i];
            vn_point point = p.inside;
            const vn_vec3 local = {(float)at[0], (float)at[1], (float)at[2]};
            const vn_dvec3 world = {1e5 + at[0], -3e4 + at[1], 2e6 + at[2]};
            assert_int_equal(vn_space_point_from_local(p.space, local, &point), VN_OUTSIDE);
            assert_memory_equal(&point, &p.nowhere, sizeof point);
            point = p.inside;
            assert_int_equal(vn_space_point_from_world(p.space, world, &point), VN_OUTSIDE);
            assert_memory_equal(&point, &p.nowhere, sizeof point);
        }

    const vn_dvec3 two[2] = {{1e5 + 99, 0, 0}, vn_space_point_to_world(p.space, p.inside)};
    vn_point points[2];
    assert_int_equal(vn_space_points_from_world(p.space, two, 2, points), VN_OUTSIDE);
    assert_memory_equal(&points[0], &p.nowhere, sizeof points[0]);
    assert_memory_equal(&points[1], &p.inside, sizeof points[1]);
    free_place(&p);
}

static void probes_refuse_it(void** state) {
    (void)state;
    place p = make_place();
    const vn_space* s = p.space;
    vn_wall wall;
    vn_point drawn;
    uint64_t random = 1;
    assert_false(vn_space_voxel_free(s, vn_space_voxel_at(s, p.nowhere)));
    assert_false(vn_space_point_free(s, p.nowhere));
    assert_false(vn_space_point_unknown(s, p.nowhere));
    assert_false(vn_space_visible(s, p.inside, p.nowhere));
    assert_false(vn_space_visible(s, p.nowhere, p.inside));
    assert_false(vn_space_visible(s, p.nowhere, p.nowhere));
    assert_false(vn_space_reachable(s, p.inside, p.nowhere));
    assert_false(vn_space_reachable(s, p.nowhere, p.nowhere));
    assert_int_equal(vn_space_nearest_wall(s, p.nowhere, INFINITY, &wall), VN_OUTSIDE);
    assert_int_equal(vn_space_random_reachable(s, p.nowhere, &random, &drawn), VN_OUTSIDE);
    for (int i = 0; i < 2; ++i) {
        assert_false(vn_space_sweep_free(s, p.inside, p.nowhere, 0.5f * (float)i));
        assert_false(vn_space_sweep_free(s, p.nowhere, p.inside, 0.5f * (float)i));
    }

    free_place(&p);
}

/// Towards the low corner of everything the box is in the way, but a direction to nowhere means nothing.
static void rays_refuse_it(void** state) {
    (void)state;
    place p = make_place();
    const vn_point behind = vn_voxel_center((vn_voxel){12, 12, 12});
    for (int i = 0; i < 2; ++i) {
        const float radius = 0.25f * (float)i;
        vn_hit hit;
        assert_true(vn_space_sweep(p.space, p.world, behind, p.nowhere, radius, &hit));
        assert_true(hit.leaves_space && !hit.starts_blocked && hit.fraction == 0);
        assert_int_equal(hit.obstacle.index1, 0);
        const vn_dvec3 at = vn_space_point_to_world(p.space, behind);
        assert_memory_equal(&hit.position, &at, sizeof at);
        assert_true(vn_space_sweep(p.space, p.world, p.nowhere, behind, radius, &hit));
        assert_true(hit.leaves_space && hit.starts_blocked && hit.fraction == 0);
    }

    vn_hit hit;
    assert_true(vn_space_raycast(p.space, p.world, behind, p.nowhere, &hit));
    assert_true(hit.leaves_space && !hit.starts_blocked);
    const vn_draw none = {0};
    assert_int_equal(vn_hit_draw(p.space, p.nowhere, &hit, &none), 0);
    free_place(&p);
}

static void checkers_refuse_it(void** state) {
    (void)state;
    place p = make_place();
    const vn_point paths[4][3] = {{p.nowhere, p.inside, p.inside},
                                  {p.inside, p.nowhere, p.inside},
                                  {p.inside, p.inside, p.nowhere},
                                  {p.nowhere, p.nowhere, p.nowhere}};
    const uint32_t segments[4] = {0, 0, 1, 0};
    for (int i = 0; i < 4; ++i) {
        vn_check_result in_space, in_world;
        assert_false(vn_space_check_path(p.space, paths[i], 3, &in_space));
        assert_false(vn_world_check_path(p.world, p.space, paths[i], 3, 0, &in_world));
        assert_int_equal(in_space.fault, VN_CHECK_OUTSIDE);
        assert_int_equal(in_world.fault, VN_CHECK_OUTSIDE);
        assert_int_equal(in_space.segment, segments[i]);
        assert_int_equal(in_world.segment, segments[i]);
    }

    assert_false(vn_space_check_path(p.space, &p.nowhere, 1, NULL));
    assert_false(vn_world_check_path(p.world, p.space, &p.nowhere, 1, 0, NULL));
    free_place(&p);
}

static void expect_outside(place* p, const vn_path_request* request, vn_path_end end) {
    vn_path_result result;
    assert_int_equal(vn_query_find_path(p->query, request, &result, NULL), VN_OUTSIDE);
    assert_int_equal(result.end, end);
    assert_false(result.has_nearest);
    assert_int_equal(result.point_count, 0);
}

static void requests_refuse_it(void** state) {
    (void)state;
    place p = make_place();
    for (int i = 0; i < 4; ++i) {
        vn_path_request r = vn_default_path_request();
        r.algo = i & 1 ? VN_ALGO_ASTAR : VN_ALGO_CELLS;
        r.snap_distance = i & 2 ? INFINITY : 0; // nothing is near it, however far it may be moved
        r.start = p.inside;
        r.goal = p.nowhere;
        expect_outside(&p, &r, VN_END_GOAL);
        r.start = p.nowhere;
        expect_outside(&p, &r, VN_END_START);
        r.goal = p.inside;
        expect_outside(&p, &r, VN_END_START);
    }

    vn_path_request r = vn_default_path_request();
    r.start = p.inside;
    r.goal = p.nowhere;
    r.goal_distance = 1e9;
    r.goal_kind = VN_GOAL_SPHERE;
    expect_outside(&p, &r, VN_END_GOAL);
    r.goal_kind = VN_GOAL_SIGHT;
    expect_outside(&p, &r, VN_END_GOAL);

    vn_passage passage;
    assert_int_equal(vn_query_find_passage(p.query, p.inside, p.nowhere, 0, 1, 0, &passage, NULL),
                     VN_OUTSIDE);
    assert_int_equal(vn_query_find_passage(p.query, p.nowhere, p.inside, 0, 1, 0, &passage, NULL),
                     VN_OUTSIDE);
    free_place(&p);
}

static void fields_refuse_it(void** state) {
    (void)state;
    place p = make_place();
    vn_field_request request = vn_default_field_request();
    vn_path_result result;
    double cost = 0;
    request.source = p.nowhere;
    assert_int_equal(vn_query_build_field(p.query, &request, NULL, NULL), VN_OUTSIDE);
    request.source = p.inside;
    assert_int_equal(vn_query_build_field(p.query, &request, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_costs(p.query, &p.nowhere, 1, &cost), VN_OK);
    assert_true(isinf(cost));
    assert_int_equal(vn_query_field_path(p.query, p.nowhere, &result), VN_OUTSIDE);
    assert_int_equal(vn_query_field_path(p.query, p.inside, &result), VN_OK);
    free_place(&p);
}

static void classics_refuse_it(void** state) {
    (void)state;
    place p = make_place();
    for (int kind = 0; kind < (int)VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_def def = vn_default_classic_def();
        const vn_classic_query_def query_def = vn_default_classic_query_def();
        vn_classic* classic = NULL;
        vn_classic_query* query = NULL;
        def.kind = (vn_classic_kind)kind;
        assert_int_equal(vn_classic_build(p.space, &def, &classic, NULL), VN_OK);
        assert_int_equal(vn_classic_query_create(classic, &query_def, &query, NULL), VN_OK);

        vn_voxel low, high;
        double distance;
        assert_int_equal(vn_classic_nearest_box(classic, p.nowhere, &low, &high, &distance), VN_OUTSIDE);

        vn_classic_request r = vn_default_classic_request();
        vn_classic_result result;
        r.snap_distance = INFINITY;
        r.start = p.inside;
        r.goal = p.nowhere;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, NULL), VN_OUTSIDE);
        r.start = p.nowhere;
        r.goal = p.inside;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, NULL), VN_OUTSIDE);
        vn_classic_query_destroy(query);
        vn_classic_destroy(classic);
    }

    free_place(&p);
}

static void navs_refuse_it(void** state) {
    (void)state;
    vn_world* world = make_world();
    vn_nav_def def = vn_default_nav_def();
    vn_nav* nav = NULL;
    def.space = bake_def();
    assert_int_equal(vn_nav_create(world, &def, &nav, NULL), VN_OK);

    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    vn_nav_result result;
    request.path.start = vn_voxel_center((vn_voxel){2, 2, 2});
    request.path.goal = vn_point_outside();
    request.path.snap_distance = INFINITY;
    assert_int_equal(vn_nav_submit(nav, &request, &id, NULL), VN_OK);

    // A watch either refuses the path, or reports it as blocked.
    const vn_point path[2] = {request.path.start, vn_point_outside()};
    vn_watch_id watch = 0;
    const vn_watch_def watch_def = vn_default_watch_def();
    bool refused = vn_nav_watch_points(nav, path, 2, &watch_def, &watch, NULL) != VN_OK;
    bool answered = false;
    for (int i = 0; i < 20 && !(answered && refused); ++i) {
        vn_nav_event event;
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        while (vn_nav_next_event(nav, &event))
            refused = refused || (event.kind == VN_EVENT_PATH_BLOCKED && event.watch == watch);
        answered = answered || vn_nav_next_result(nav, &result);
    }

    assert_true(refused);
    assert_true(answered);
    assert_int_equal(result.result.status, VN_OUTSIDE);
    assert_int_equal(result.result.end, VN_END_GOAL);
    vn_nav_destroy(nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_leave_it), cmocka_unit_test(probes_refuse_it),
        cmocka_unit_test(rays_refuse_it),       cmocka_unit_test(checkers_refuse_it),
        cmocka_unit_test(requests_refuse_it),   cmocka_unit_test(fields_refuse_it),
        cmocka_unit_test(classics_refuse_it),   cmocka_unit_test(navs_refuse_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
