/// The nearest blocked voxel of points and boxes, and the nearest wall, against brute force over all voxels.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "geom/shapes.h"
#include "probe/nearest.h"
#include "space/space.h"

#include <math.h>

static bool nearest_by_brute_force(const vnt_voxels* voxels, const vni_aabb* box, vn_voxel* out,
                                   double* best) {
    bool found = false;
    double best2 = HUGE_VAL;
    for (int32_t z = 0; z < voxels->dims.z; ++z)
        for (int32_t y = 0; y < voxels->dims.y; ++y)
            for (int32_t x = 0; x < voxels->dims.x; ++x) {
                vni_aabb cube = vni_aabb_of_voxel(x, y, z);
                double d = vni_aabb_box_distance2(box, &cube);
                if (!vnt_voxels_are_free(voxels, x, y, z) && d < best2) {
                    best2 = d;
                    *out = (vn_voxel){x, y, z};
                    found = true;
                }
            }

    *best = sqrt(best2);
    return found;
}

static double random_coordinate(vni_rng* rng, int32_t dim) {
    double at = (vni_rng_real(rng) * 1.4 - 0.2) * dim;
    return vni_rng_below(rng, 2) ? at : floor(at * 2) / 2; // half of them on planes and centres: ties
}

/// A point, a box between two points, or a box of whole voxels.
static vni_aabb random_box(vni_rng* rng, vn_voxel dims, uint32_t kind) {
    vni_vec a =
        vni_v(random_coordinate(rng, dims.x), random_coordinate(rng, dims.y), random_coordinate(rng, dims.z));
    vni_vec b =
        vni_v(random_coordinate(rng, dims.x), random_coordinate(rng, dims.y), random_coordinate(rng, dims.z));
    if (kind == 0)
        b = a;

    if (kind == 1)
        b = vni_add(a, vni_v(vni_rng_below(rng, 4), vni_rng_below(rng, 4), vni_rng_below(rng, 4)));

    return (vni_aabb){vni_min(a, b), vni_max(a, b)};
}

static void check_nearest(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space) {
    for (uint32_t i = 0; i < 12; ++i) {
        vni_aabb box = random_box(rng, voxels->dims, i % 3);
        vn_voxel want = {0, 0, 0}, got;
        double distance, least;
        bool found = nearest_by_brute_force(voxels, &box, &want, &least);
        assert_int_equal(vni_nearest_blocked(&space->occupancy, box.min, box.max, HUGE_VAL, &got, &distance),
                         found);

        if (!found)
            continue;
        assert_memory_equal(&got, &want, sizeof got);
        assert_true(distance == least);
        assert_true(vni_nearest_blocked(&space->occupancy, box.min, box.max, least * 1.01, &got, &distance));

        assert_memory_equal(&got, &want, sizeof got);
        if (least > 0)
            assert_false(
                vni_nearest_blocked(&space->occupancy, box.min, box.max, least * 0.99, &got, &distance));
    }
}

static void check_wall(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space) {
    for (uint32_t i = 0; i < 6; ++i) {
        vn_point point = vnt_random_point(rng, voxels->dims, i % 2 ? 1 : 512);
        if (i == 5)
            point.x -= 3 * VN_LATTICE;

        vni_vec at = vni_v(point.x / 1024.0, point.y / 1024.0, point.z / 1024.0);
        vni_aabb box = {at, at};
        vn_voxel want = {0, 0, 0};
        double least;
        vn_wall wall;
        bool found = nearest_by_brute_force(voxels, &box, &want, &least);
        assert_int_equal(vn_space_nearest_wall(space, point, HUGE_VAL, &wall), found ? VN_OK : VN_NOT_FOUND);

        if (!found)
            continue;
        vni_vec nearest = vni_v(wall.nearest.x, wall.nearest.y, wall.nearest.z);
        vni_vec normal = vni_v_from(wall.normal), off = vni_sub(at, nearest);
        vni_aabb cube = vni_aabb_of_voxel(want.x, want.y, want.z);
        assert_memory_equal(&wall.voxel, &want, sizeof want);
        assert_true(wall.distance == least);
        assert_true(fabs(vni_length(off) - least) < 1e-12);
        assert_true(vni_point_box_distance2(nearest, &cube) == 0);
        assert_true(vni_length(vni_sub(vni_scale(normal, least), off)) < 1e-5);
        assert_true(fabs(vni_length(normal) - (least > 0)) < 1e-6);
        assert_int_equal(vn_space_nearest_wall(space, point, wall.distance, &wall),
                         VN_OK); // no more than: still

        if (least > 0)
            assert_int_equal(vn_space_nearest_wall(space, point, nextafter(least, 0), &wall), VN_NOT_FOUND);
    }
}

typedef void check_world(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space);

static void for_random_worlds(const char* name, uint64_t fallback, uint32_t worlds, check_world* check) {
    vni_rng rng = vni_rng_make(vnt_seed(name, fallback));
    for (uint32_t i = 0; i < worlds; ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 8 == 0 ? 80 : 12));
        if (i % 16 == 8) // few voxels blocked: far searches
            for (int32_t k = 0; k < voxels.dims.x * voxels.dims.y * voxels.dims.z; ++k)
                voxels.blocked[k] = k == 5;

        vn_space* space = vnt_voxels_space(&voxels);
        check(&rng, &voxels, space);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

static void test_nearest_blocked(void** state) {
    (void)state;
    for_random_worlds("nearest blocked", 71, vnt_scale(150, 3000), check_nearest);
}

static void test_walls(void** state) {
    (void)state;
    for_random_worlds("walls", 72, vnt_scale(150, 3000), check_wall);
}

/// Rings of blocks around boxes of all sizes, in a space of many blocks with few voxels.
static void test_many_blocks(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("nearest in many blocks", 73));
    for (uint32_t world = 0; world < vnt_scale(40, 1000); ++world) {
        vn_voxel dims = {vni_rng_range(&rng, 1, 700), vni_rng_range(&rng, 1, 300),
                         vni_rng_range(&rng, 1, 10)};
        vnt_voxels voxels = vnt_voxels_make(dims);
        vn_voxel some[3];
        for (int i = 0; i < 3; ++i) {
            some[i] = (vn_voxel){vni_rng_range(&rng, 0, dims.x - 1), vni_rng_range(&rng, 0, dims.y - 1),
                                 vni_rng_range(&rng, 0, dims.z - 1)};
            vnt_voxels_block(&voxels, some[i].x, some[i].y, some[i].z);
        }

        vn_space* space = vnt_voxels_space(&voxels);
        for (uint32_t i = 0; i < 30; ++i) {
            vni_aabb box = random_box(&rng, dims, i % 3);
            double least2 = HUGE_VAL, distance;
            for (int k = 0; k < 3; ++k) {
                vni_aabb cube = vni_aabb_of_voxel(some[k].x, some[k].y, some[k].z);
                double d = vni_aabb_box_distance2(&box, &cube);
                least2 = d < least2 ? d : least2;
            }

            vn_voxel got;
            assert_true(vni_nearest_blocked(&space->occupancy, box.min, box.max, HUGE_VAL, &got, &distance));
            assert_true(distance == sqrt(least2));
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

static void test_wall_by_name(void** state) {
    (void)state;
    const vn_voxel dims = {10, 4, 4};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* empty = vnt_voxels_space(&voxels);
    vnt_voxels_block(&voxels, 6, 1, 1);
    vn_space* space = vnt_voxels_space(&voxels);
    space->resolution = 0.5f;
    space->origin = (vn_dvec3){100, 0, 0};
    space->low = (vn_dvec3){-1, -2, -3};
    const vn_point point = {2048, 1536, 1536}, inside = {6500, 1500, 1500}, skin = {6144, 1500, 1500};
    vn_wall wall;
    assert_int_equal(vn_space_nearest_wall(space, point, 10, &wall), VN_OK);
    assert_true(wall.distance == 2);
    assert_true(wall.nearest.x == 102);
    assert_true(wall.nearest.y == -1.25);
    assert_true(wall.nearest.z == -2.25);
    assert_true(wall.normal.x == -1);
    assert_true(wall.normal.y == 0);
    assert_true(wall.normal.z == 0);
    assert_true(wall.voxel.x == 6);
    assert_int_equal(vn_space_nearest_wall(space, point, 2, &wall), VN_OK);
    assert_int_equal(vn_space_nearest_wall(space, point, 1.999, &wall), VN_NOT_FOUND);
    assert_int_equal(vn_space_nearest_wall(space, inside, 0, &wall), VN_OK);
    assert_true(wall.distance == 0);
    assert_true(wall.normal.x == 0);
    assert_true(wall.nearest.x == 99 + 6500 / 2048.0);
    assert_int_equal(vn_space_nearest_wall(space, skin, 0, &wall), VN_OK);
    assert_true(wall.distance == 0);
    assert_int_equal(vn_space_nearest_wall(space, point, (double)NAN, &wall), VN_BAD_ARGUMENT);
    assert_int_equal(vn_space_nearest_wall(space, point, -1, &wall), VN_BAD_ARGUMENT);
    assert_int_equal(vn_space_nearest_wall(empty, point, HUGE_VAL, &wall),
                     VN_NOT_FOUND); // bounds are no wall
    vn_space_destroy(space);
    vn_space_destroy(empty);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_blocked),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_wall_by_name),
    };

    return cmocka_run_group_tests_name("space/wall", tests, NULL, NULL);
}
