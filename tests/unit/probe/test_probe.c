/// Boxes, swept balls, nearest free points, regions, coordinates and runs, each against brute force over all
/// voxels.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "geom/shapes.h"
#include "probe/nearest.h"
#include "probe/sight.h"
#include "space/space.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef void check_world(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space);

static void for_random_worlds(const char* name, uint64_t fallback, uint32_t worlds, int32_t limit,
                              check_world* check) {
    vni_rng rng = vni_rng_make(vnt_seed(name, fallback));
    for (uint32_t i = 0; i < worlds; ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 4 == 0 ? 80 : limit));
        vn_space* space = vnt_voxels_space(&voxels);
        check(&rng, &voxels, space);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// ------------------------------------------------------------------------------------------------ boxes

static bool box_by_brute_force(const vnt_voxels* voxels, vn_voxel low, vn_voxel high) {
    for (int32_t z = low.z; z < high.z; ++z)
        for (int32_t y = low.y; y < high.y; ++y)
            for (int32_t x = low.x; x < high.x; ++x)
                if (!vnt_voxels_are_free(voxels, x, y, z))
                    return false;
    return true;
}

static void check_boxes(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space) {
    for (uint32_t i = 0; i < 200; ++i) {
        vn_voxel low, high;
        low.x = vni_rng_range(rng, -2, voxels->dims.x);
        low.y = vni_rng_range(rng, -2, voxels->dims.y);
        low.z = vni_rng_range(rng, -2, voxels->dims.z);
        int32_t most = i % 3 == 0 ? 40 : 5;
        high.x = low.x + vni_rng_range(rng, 0, most);
        high.y = low.y + vni_rng_range(rng, 0, most);
        high.z = low.z + vni_rng_range(rng, 0, most);
        assert_int_equal(vn_space_box_free(space, low, high), box_by_brute_force(voxels, low, high));
    }
}

static void test_boxes(void** state) {
    (void)state;
    for_random_worlds("boxes", 41, vnt_scale(60, 1000), 14, check_boxes);
}

// ------------------------------------------------------------------------------------------------ sweeps

static double least_distance(const vnt_voxels* voxels, vni_vec a, vni_vec b) {
    double least = HUGE_VAL;
    for (int32_t z = 0; z < voxels->dims.z; ++z)
        for (int32_t y = 0; y < voxels->dims.y; ++y)
            for (int32_t x = 0; x < voxels->dims.x; ++x)
                if (!vnt_voxels_are_free(voxels, x, y, z)) {
                    vni_aabb cube = vni_aabb_of_voxel(x, y, z);
                    double d = vni_segment_box_distance2(a, b, &cube);
                    least = d < least ? d : least;
                }

    return sqrt(least);
}

static void check_sweeps(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space) {
    for (uint32_t i = 0; i < 10; ++i) {
        vn_point p = vnt_random_point(rng, voxels->dims, i % 2 ? 1 : 512),
                 q = vnt_random_point(rng, voxels->dims, i % 2 ? 1 : 512);
        vni_vec a = vni_v(p.x / 1024.0, p.y / 1024.0, p.z / 1024.0),
                b = vni_v(q.x / 1024.0, q.y / 1024.0, q.z / 1024.0);
        double least = least_distance(voxels, a, b);
        float radius = (float)(vni_rng_real(rng) * 3 + 0.01);

        assert_int_equal(vn_space_sweep_free(space, p, q, radius), least >= (double)radius);
        if (least > 0.01 && least < 100) { // just below and just above what fits
            assert_true(vn_space_sweep_free(space, p, q, (float)(least * 0.999)));
            assert_false(vn_space_sweep_free(space, p, q, (float)(least * 1.001)));
        }
    }
}

static void test_sweeps(void** state) {
    (void)state;
    for_random_worlds("sweeps", 42, vnt_scale(60, 1000), 12, check_sweeps);
}

static void test_sweep_of_nothing_is_sight(void** state) {
    (void)state;
    const vn_voxel dims = {3, 1, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 1, 0, 0);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point a = {512, 512, 512}, b = {2560, 512, 512}, c = {100, 100, 100}, outside = {-1, 0, 0};
    assert_false(vn_space_sweep_free(space, a, b, 0));
    assert_true(vn_space_sweep_free(space, a, c, 0));
    assert_true(vn_space_sweep_free(space, a, c, 0.5f)); // touching is allowed
    assert_false(vn_space_sweep_free(space, a, c, 0.51f));
    assert_false(vn_space_sweep_free(space, a, c, -1));
    assert_false(vn_space_sweep_free(space, a, outside, 0.1f));
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ----------------------------------------------------------------------------------------------- nearest

static bool nearest_by_brute_force(const vnt_voxels* voxels, vni_vec at, vn_voxel* out, double* best2) {
    bool found = false;
    *best2 = HUGE_VAL;
    for (int32_t z = 0; z < voxels->dims.z; ++z)
        for (int32_t y = 0; y < voxels->dims.y; ++y)
            for (int32_t x = 0; x < voxels->dims.x; ++x) {
                vni_aabb cube = vni_aabb_of_voxel(x, y, z);
                double d = vni_point_box_distance2(at, &cube);
                if (vnt_voxels_are_free(voxels, x, y, z) && d < *best2) {
                    *best2 = d;
                    *out = (vn_voxel){x, y, z};
                    found = true;
                }
            }

    return found;
}

static double random_coordinate(vni_rng* rng, int32_t dim) {
    double at = (vni_rng_real(rng) * 1.4 - 0.2) * dim;
    return vni_rng_below(rng, 2) ? at : floor(at * 2) / 2; // half of them on planes and centres: ties
}

static void check_nearest(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space) {
    for (uint32_t i = 0; i < 10; ++i) {
        vni_vec at = vni_v(random_coordinate(rng, voxels->dims.x), random_coordinate(rng, voxels->dims.y),
                           random_coordinate(rng, voxels->dims.z));
        vn_voxel want, got;
        double want2, distance;
        bool found = nearest_by_brute_force(voxels, at, &want, &want2);
        assert_int_equal(vni_nearest_free(&space->occupancy, at, HUGE_VAL, &got, &distance), found);

        if (!found)
            continue;
        assert_memory_equal(&got, &want, sizeof got);
        assert_true(distance == sqrt(want2));
        if (distance > 0)
            assert_false(vni_nearest_free(&space->occupancy, at, distance * 0.99, &got, &distance));

        vn_point point;
        vn_dvec3 position = {at.x, at.y, at.z};
        assert_int_equal(vn_space_nearest_free(space, position, HUGE_VAL, &point, &distance), VN_OK);
        assert_true(vn_space_point_free(space, point));
        vn_dvec3 back = vn_space_point_to_world(space, point);
        double off = vni_length(vni_sub(vni_v(back.x, back.y, back.z), at));
        assert_true(fabs(off - distance) <= 2.0 / VN_LATTICE);
    }
}

static void test_nearest(void** state) {
    (void)state;
    for_random_worlds("nearest", 43, vnt_scale(100, 2000), 12, check_nearest);
}

static void test_nearest_refuses_nonsense(void** state) {
    (void)state;
    const vn_voxel dims = {2, 2, 2};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    vn_point point;
    double distance;
    const vn_dvec3 nowhere = {NAN, 0, 0}, far_away = {1e9, 0, 0};
    assert_int_equal(vn_space_nearest_free(space, nowhere, 1, &point, &distance), VN_BAD_ARGUMENT);
    assert_int_equal(vn_space_nearest_free(space, far_away, NAN, &point, &distance), VN_BAD_ARGUMENT);
    assert_int_equal(vn_space_nearest_free(space, far_away, 10, &point, &distance), VN_NOT_FOUND);
    assert_int_equal(vn_space_nearest_free(space, far_away, HUGE_VAL, &point, &distance), VN_OK);
    assert_int_equal(point.x, 2048);
    const vn_dvec3 farthest = {-DBL_MAX, 0, 0}; // the distance is not finite: in no finite reach
    assert_int_equal(vn_space_nearest_free(space, farthest, DBL_MAX, &point, &distance), VN_NOT_FOUND);
    assert_int_equal(vn_space_nearest_free(space, farthest, HUGE_VAL, &point, &distance), VN_OK);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// -------------------------------------------------------------------------------------- coordinates, runs

static void test_coordinates(void** state) {
    (void)state;
    const vn_voxel dims = {10, 20, 30};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    space->resolution = 0.25f;
    space->origin = (vn_dvec3){5e6, 0, -7e6};
    space->low = (vn_dvec3){-1, 2, 3};
    vn_point point;
    const vn_dvec3 low = {5e6 - 1, 2, 3 - 7e6}, high = {5e6 + 1.5, 7, 10.5 - 7e6},
                   out = {5e6 + 1.51, 7, 3 - 7e6}, nan = {NAN, 2, 3 - 7e6};
    assert_int_equal(vn_space_point_from_world(space, low, &point), VN_OK);
    assert_true(point.x == 0);
    assert_true(point.y == 0);
    assert_true(point.z == 0);
    assert_int_equal(vn_space_point_from_world(space, high, &point), VN_OK);
    assert_true(point.x == 10240);
    assert_true(point.y == 20480);
    assert_true(point.z == 30720);
    vn_dvec3 back = vn_space_point_to_world(space, point);
    assert_true(back.x == high.x);
    assert_true(back.y == high.y);
    assert_true(back.z == high.z);
    vn_voxel last = vn_space_voxel_at(space, point);
    assert_true(last.x == 9);
    assert_true(last.y == 19);
    assert_true(last.z == 29);
    assert_int_equal(vn_space_point_from_world(space, out, &point), VN_OUTSIDE);
    assert_int_equal(vn_space_point_from_world(space, nan, &point), VN_OUTSIDE);
    const vn_vec3 local = {-0.75f, 2.25f, 3};
    assert_int_equal(vn_space_point_from_local(space, local, &point), VN_OK);
    assert_true(point.x == 1024);
    assert_true(point.y == 1024);
    assert_true(point.z == 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_points_on_faces(void** state) {
    (void)state;
    const vn_voxel dims = {2, 2, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 1, 0, 0);
    vnt_voxels_block(&voxels, 1, 1, 0);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point face = {1024, 512, 512}, inside = {1025, 512, 512}, far_face = {2048, 512, 512},
                   outside = {-1, 512, 512};
    vn_voxel voxel;
    assert_true(vn_space_point_free(space, face));
    assert_false(vn_space_point_free(space, inside));
    assert_false(vn_space_point_free(space, far_face));
    assert_false(vn_space_point_free(space, outside));
    assert_true(vni_space_free_voxel_at(space, face, &voxel));
    assert_int_equal(voxel.x, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ----------------------------------------------------------------------------------------------- reachable

/// Labels of the regions of face-connected free voxels, from 1; 0 where it is blocked.
static uint32_t* label_regions(const vnt_voxels* voxels) {
    vn_voxel d = voxels->dims;
    size_t count = (size_t)d.x * (size_t)d.y * (size_t)d.z;
    uint32_t* labels = calloc(count, sizeof *labels);
    assert_non_null(labels);
    for (size_t i = 0; i < count; ++i)
        labels[i] = voxels->blocked[i] ? 0 : (uint32_t)i + 1;

    const size_t stride[3] = {1, (size_t)d.x, (size_t)d.x * (size_t)d.y};
    const size_t dims[3] = {(size_t)d.x, (size_t)d.y, (size_t)d.z};
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; ++i)
            for (int axis = 0; axis < 3; ++axis) {
                size_t next = i + stride[axis];
                if (i / stride[axis] % dims[axis] + 1 == dims[axis] || !labels[i] || !labels[next] ||
                    labels[i] == labels[next])
                    continue;
                labels[i] = labels[next] = labels[i] < labels[next] ? labels[i] : labels[next];
                changed = true;
            }
    }

    return labels;
}

/// The labels around a point, one for each of the eight voxels just beside it; 0 where nothing is free.
static void labels_around(const vnt_voxels* voxels, const uint32_t* labels, vn_point p, uint32_t out[8]) {
    for (int i = 0; i < 8; ++i) {
        int32_t x = (2 * p.x + (i & 1 ? 1 : -1)) >> 11, y = (2 * p.y + (i & 2 ? 1 : -1)) >> 11,
                z = (2 * p.z + (i & 4 ? 1 : -1)) >> 11;
        bool is_free = vnt_voxels_are_free(voxels, x, y, z);
        out[i] = is_free ? labels[x + voxels->dims.x * (y + voxels->dims.y * z)] : 0;
    }
}

static bool reachable_by_brute_force(const vnt_voxels* voxels, const uint32_t* labels, vn_point a,
                                     vn_point b) {
    uint32_t of_a[8], of_b[8];
    labels_around(voxels, labels, a, of_a);
    labels_around(voxels, labels, b, of_b);
    for (int i = 0; i < 64; ++i)
        if (of_a[i / 8] && of_a[i / 8] == of_b[i % 8])
            return true;

    return false;
}

/// Points inside voxels, on faces, edges and corners, and outside.
static vn_point any_point(vni_rng* rng, vn_voxel dims) {
    vn_point p = vnt_random_point(rng, dims, vni_rng_below(rng, 2) ? 512 : 1);
    if (vni_rng_below(rng, 20) == 0)
        p.y = -1;
    return p;
}

static void test_reachable(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("reachable", 45));
    vn_jobs jobs = vn_serial_jobs();
    uint32_t yes = 0, no = 0;
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 8 == 0 ? 70 : 8));
        vn_space* space = vnt_voxels_cells(&voxels, &jobs);
        uint32_t* labels = label_regions(&voxels);
        for (uint32_t k = 0; k < 100; ++k) {
            vn_point a = any_point(&rng, voxels.dims), b = any_point(&rng, voxels.dims);
            bool expected = reachable_by_brute_force(&voxels, labels, a, b);
            assert_int_equal(vn_space_reachable(space, a, b), expected);
            assert_int_equal(vn_space_reachable(space, b, a), expected);
            assert_int_equal(vn_space_reachable(space, a, a), vn_space_point_free(space, a));
            yes += expected;
            no += !expected;
        }

        free(labels);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    assert_true(yes > 100);
    assert_true(no > 100);
}

static void test_reachable_needs_cells(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){2, 2, 2});
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point a = {512, 512, 512};
    assert_true(vn_space_point_free(space, a));
    assert_false(vn_space_reachable(space, a, a));
    assert_false(vn_space_point_unknown(space, a));
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

typedef struct run_check {
    const vnt_voxels* voxels;
    uint64_t blocked;
    vn_voxel last;
} run_check;

static bool check_run(void* user, vn_voxel first, int32_t length) {
    run_check* check = user;
    assert_true(length > 0);
    for (int32_t i = 0; i < length; ++i)
        assert_false(vnt_voxels_are_free(check->voxels, first.x + i, first.y, first.z));

    assert_true(first.x == 0 || vnt_voxels_are_free(check->voxels, first.x - 1, first.y, first.z));
    check->blocked += (uint64_t)length;
    check->last = first;
    return true;
}

static bool stop_at_once(void* user, vn_voxel first, int32_t length) {
    (void)first;
    (void)length;
    ++*(int*)user;
    return false;
}

static void check_runs(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space) {
    (void)rng;
    const vn_voxel low = {-5, -5, -5}, high = {1000, 1000, 1000};
    run_check check = {voxels, 0, {0, 0, 0}};
    vn_space_visit_blocked(space, low, high, check_run, &check);
    assert_int_equal(check.blocked, space->occupancy.blocked_voxels);
    int calls = 0;
    vn_space_visit_blocked(space, low, high, stop_at_once, &calls);
    assert_int_equal(calls, check.blocked > 0);
}

static void test_runs(void** state) {
    (void)state;
    for_random_worlds("runs", 44, vnt_scale(40, 400), 20, check_runs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),       cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_nearest),     cmocka_unit_test(test_sweep_of_nothing_is_sight),
        cmocka_unit_test(test_runs),        cmocka_unit_test(test_nearest_refuses_nonsense),
        cmocka_unit_test(test_coordinates), cmocka_unit_test(test_points_on_faces),
        cmocka_unit_test(test_reachable),   cmocka_unit_test(test_reachable_needs_cells),
    };

    return cmocka_run_group_tests_name("probe/probe", tests, NULL, NULL);
}
