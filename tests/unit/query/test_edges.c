/// Values at the edge of what is allowed, and what is left after a call: flat boxes, ends on the rim of
/// limits, a portal with room for one lattice point, a weight of 1, results of fields, searches that end
/// before their first expansion.
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
} scene;

static scene make_scene(vnt_voxels voxels) {
    vn_jobs serial = vn_serial_jobs();
    vn_query_def def = vn_default_query_def();
    scene s = {.voxels = voxels, .space = vnt_voxels_cells(&voxels, &serial)};
    def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create(s.space, &def, &s.query, NULL), VN_OK);
    return s;
}

static void free_scene(scene* s) {
    vn_query_destroy(s->query);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// 8 x 8 x 8, with a wall at x = 4 that is open from y = 4 on.
static scene make_walled(void) {
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
    for (int32_t z = 0; z < 8; ++z)
        for (int32_t y = 0; y < 4; ++y)
            vnt_voxels_block(&voxels, 4, y, z);

    return make_scene(voxels);
}

static vn_path_request request_of(vn_point start, vn_point goal) {
    vn_path_request request = vn_default_path_request();
    request.start = start;
    request.goal = goal;
    request.check = true;
    return request;
}

static const vn_point low_end = {1024, 1024, 1024}, high_end = {7 * 1024, 1024, 1024};

// ------------------------------------------------------------------------------------------------- boxes

/// A box may be flat along any axis: as a goal, as limits, as a zone.
static void boxes_may_be_flat(void** state) {
    (void)state;
    scene s = make_scene(vnt_voxels_make((vn_voxel){8, 8, 8}));
    for (int axis = 0; axis < 3; ++axis) {
        vn_box box = {{0.5f, 0.5f, 0.5f}, {7.5f, 7.5f, 7.5f}};
        float* max[3] = {&box.max.x, &box.max.y, &box.max.z};
        vn_path_result result;
        vn_path_request request = request_of((vn_point){512, 512, 512}, (vn_point){512, 512, 512});
        *max[axis] = 0.5f;
        request.goal.x = axis == 0 ? 512 : 7 * 1024 + 512;
        request.goal.y = axis == 0 ? 7 * 1024 + 512 : 512;

        request.has_limits = true;
        request.limits = box;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        assert_true(fabs(result.length - 7) < 1e-9);

        request.has_limits = false;
        request.goal_kind = VN_GOAL_BOX;
        request.goal_box = box;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        assert_true(result.length == 0);

        const vn_zone zone = {.box = box, .factor = 2};
        request.goal_kind = VN_GOAL_POINT;
        request.zones = &zone;
        request.zone_count = 1;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    }

    free_scene(&s);
}

/// Limits are closed: ends on each of their six faces are inside, a step farther out they are not.
static void limits_are_closed(void** state) {
    (void)state;
    scene s = make_scene(vnt_voxels_make((vn_voxel){8, 8, 8}));
    for (int i = 0; i < 12; ++i) {
        const int axis = i % 3, by = i < 6 ? 0 : 1;
        const bool upper = i / 3 % 2;
        int32_t at[3] = {4096, 4096, 4096};
        at[axis] = upper ? 6 * 1024 + by : 2 * 1024 - by;
        vn_path_result result;
        vn_path_request request = request_of((vn_point){4000, 4000, 4000}, (vn_point){at[0], at[1], at[2]});
        request.has_limits = true;
        request.limits = (vn_box){{2, 2, 2}, {6, 6, 6}};
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), by ? VN_OUTSIDE : VN_OK);
        assert_int_equal(result.end, by ? VN_END_GOAL : VN_END_NONE);

        request.goal = request.start;
        request.start = (vn_point){at[0], at[1], at[2]};
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), by ? VN_OUTSIDE : VN_OK);
        assert_int_equal(result.end, by ? VN_END_START : VN_END_NONE);
    }

    free_scene(&s);
}

/// Limits that leave one row of lattice points inside the opening of the wall let the path through; those
/// that end on its rim do not. From below, and from above with the wall turned upside down.
static void one_row_is_enough(void** state) {
    (void)state;
    for (int i = 0; i < 4; ++i) {
        const bool above = i & 1, is_open = i & 2;
        vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
        for (int32_t z = 0; z < 8; ++z)
            for (int32_t y = 0; y < 4; ++y)
                vnt_voxels_block(&voxels, 4, above ? 4 + y : y, z);

        scene s = make_scene(voxels);
        const int32_t row = 4 * 1024 + (is_open ? above ? -1 : 1 : 0);
        vn_path_result result;
        vn_path_request request = request_of((vn_point){1024, row, 1024}, (vn_point){7 * 1024, row, 1024});
        request.has_limits = true;
        request.limits = (vn_box){{0, 0, 0}, {8, 8, 8}};
        *(above ? &request.limits.min.y : &request.limits.max.y) = (float)row / 1024;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), is_open ? VN_OK : VN_NO_PATH);
        free_scene(&s);
    }
}

// ------------------------------------------------------------------------------------------------ numbers

/// A weight of 1 is a weight, not the default of the quality.
static void a_weight_of_one_counts(void** state) {
    (void)state;
    scene s = make_walled();
    vn_path_result result;
    vn_path_request request = request_of(low_end, high_end);
    request.quality = VN_QUALITY_FAST;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    assert_true(result.weight == 1.25);
    request.weight = 1;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    assert_true(result.weight == 1);
    free_scene(&s);
}

/// Lookups in a field leave no path of theirs, and report the field's own effort.
static void what_a_field_leaves(void** state) {
    (void)state;
    scene s = make_walled();
    vn_field_request request = vn_default_field_request();
    vn_path_result result;
    uint64_t cells = 0, random = 1;
    uint32_t count;
    double cost, drawn;
    vn_point out;
    request.source = low_end;
    assert_int_equal(vn_query_build_field(s.query, &request, &cells, NULL), VN_OK);
    assert_true(cells > 1);
    assert_int_equal(vn_query_field_path(s.query, high_end, &result), VN_OK);
    vn_query_points(s.query, &count);
    assert_int_equal(count, result.point_count);
    assert_int_equal(result.expanded, cells);
    assert_int_equal(result.turns, count - 2);
    assert_memory_equal(&result.goal, &high_end, sizeof high_end);

    assert_int_equal(vn_query_field_costs(s.query, &high_end, 1, &cost), VN_OK);
    assert_true(cost == result.cost);
    assert_true(cost > 6);
    vn_query_points(s.query, &count);
    assert_int_equal(count, 0);

    assert_int_equal(vn_query_field_path(s.query, high_end, &result), VN_OK);
    assert_int_equal(vn_query_field_random(s.query, &random, &out, &drawn), VN_OK);
    vn_query_points(s.query, &count);
    assert_int_equal(count, 0);
    assert_int_equal(vn_query_field_path(s.query, (vn_point){4 * 1024 + 512, 1024, 1024}, &result),
                     VN_NO_PATH);
    assert_true(result.cost == 0);
    assert_int_equal(result.point_count, 0);
    free_scene(&s);
}

/// A space of one cell has a field with random points too.
static void a_field_of_one_cell(void** state) {
    (void)state;
    scene s = make_scene(vnt_voxels_make((vn_voxel){4, 4, 4}));
    vn_field_request request = vn_default_field_request();
    uint64_t cells = 0, random = 3;
    vn_point out;
    request.source = (vn_point){1024, 1024, 1024};
    assert_int_equal(vn_query_build_field(s.query, &request, &cells, NULL), VN_OK);
    assert_int_equal(cells, 1);
    for (int i = 0; i < 50; ++i) {
        double cost;
        assert_int_equal(vn_query_field_random(s.query, &random, &out, &cost), VN_OK);
        const double x = out.x - 1024, y = out.y - 1024, z = out.z - 1024;
        assert_true(fabs(cost - sqrt(x * x + y * y + z * z) / 1024) < 1e-9);
    }

    free_scene(&s);
}

// ------------------------------------------------------------------------------------------------- nothing

/// A partial path of the search before is not that of one that was cancelled before its first expansion.
static void cancelled_at_once(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){16, 8, 8});
    for (int32_t i = 0; i < 64; ++i)
        vnt_voxels_block(&voxels, 8, i % 8, i / 8);

    vnt_voxels_block(&voxels, 3, 3, 3);
    scene s = make_scene(voxels);
    vn_path_result result;
    uint32_t count;
    for (int i = 0; i < 4; ++i) {
        vn_path_request request = request_of(low_end, (vn_point){14 * 1024, 1024, 1024});
        request.allow_partial = true;
        request.jitter = i & 1 ? 0.5f : 0; // both searches
        request.quality = i & 2 ? VN_QUALITY_BEST : VN_QUALITY_STANDARD;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_PARTIAL);
        assert_true(result.point_count > 1);

        assert_int_equal(vn_query_begin(s.query, &request, NULL), VN_OK);
        vn_status status = vn_query_finish(s.query, &result);
        vn_query_points(s.query, &count);
        assert_int_equal(count, result.point_count);
        assert_int_equal(result.expanded, 0);
        assert_int_equal(result.reason, VN_CANCELLED);
        if (i & 1) {
            // This search begins with the cell of the start: the path leads to its point nearest to the goal.
            assert_int_equal(status, VN_PARTIAL);
        } else {
            assert_int_equal(status, VN_CANCELLED);
            assert_int_equal(count, 0);
        }
    }

    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_may_be_flat),   cmocka_unit_test(limits_are_closed),
        cmocka_unit_test(one_row_is_enough),   cmocka_unit_test(a_weight_of_one_counts),
        cmocka_unit_test(what_a_field_leaves), cmocka_unit_test(a_field_of_one_cell),
        cmocka_unit_test(cancelled_at_once),
    };

    return cmocka_run_group_tests_name("query/edges", tests, NULL, NULL);
}
