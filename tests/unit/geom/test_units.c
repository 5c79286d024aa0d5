/// Lattice steps, voxels, voxel units and metres: conversions against their definitions.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "geom/units.h"

#define LARGEST_VOXEL (1 << 20)

/// Every step of some voxels, negative ones too: voxel i spans [1024 i, 1024 (i + 1)], planes belong upwards.
static void test_steps_and_voxels(void** state) {
    (void)state;
    const int32_t voxels[] = {-LARGEST_VOXEL, -2, -1, 0, 1, 41, LARGEST_VOXEL - 1};
    for (size_t i = 0; i < sizeof voxels / sizeof voxels[0]; ++i) {
        const int32_t low = vni_voxel_to_steps(voxels[i]);
        assert_int_equal(low, (int64_t)voxels[i] * 1024);
        assert_int_equal(vni_voxel_to_steps64(voxels[i]), low);
        assert_int_equal(vni_half_voxels_to_steps(2 * voxels[i] + 1), low + 512);
        for (int32_t step = 0; step < 1024; ++step) {
            assert_int_equal(vni_step_to_voxel(low + step), voxels[i]);
            assert_int_equal(vni_step_to_voxel64((int64_t)low + step), voxels[i]);
            assert_int_equal(vni_step_in_voxel((int64_t)low + step), step);
            assert_true(vni_step_is_on_plane((int64_t)low + step) == (step == 0));
        }
    }
}

/// Exact in both directions, and the same by float as long as that has the digits.
static void test_points(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("units/points", 1));
    for (int i = 0; i < 10000; ++i) {
        const int32_t range = i % 2 ? 1 << 24 : 1 << 30;
        const vn_point p = {(int32_t)vni_rng_range(&rng, -range, range),
                            (int32_t)vni_rng_range(&rng, -range, range),
                            (int32_t)vni_rng_range(&rng, -range, range)};
        const vni_vec v = vni_point_in_voxels(p);
        double a[3];
        float f[3];
        vni_point_to_voxels(p, a);
        vni_point_to_voxels_f(p, f);
        assert_true(v.x == a[0]);
        assert_true(v.y == a[1]);
        assert_true(v.z == a[2]);
        assert_true(vni_voxels_to_steps(v.x) == p.x);
        assert_true(vni_voxels_to_steps(v.y) == p.y);
        assert_true(vni_voxels_to_steps(v.z) == p.z);
        assert_true(f[0] == (float)a[0]);
        assert_true(f[1] == (float)a[1]);
        assert_true(f[2] == (float)a[2]);
    }
}

/// Each face of the closed box: the last step inside, the first outside.
static void test_within(void** state) {
    (void)state;
    const int32_t dims[3] = {3, 64, LARGEST_VOXEL};
    const vn_point end = vni_voxel_corner((vn_voxel){dims[0], dims[1], dims[2]}), zero = {0, 0, 0};
    assert_true(vni_point_is_within(zero, dims));
    assert_true(vni_point_is_within(end, dims));
    for (int axis = 0; axis < 3; ++axis) {
        vn_point below = zero, above = end;
        *(axis == 0 ? &below.x : axis == 1 ? &below.y : &below.z) -= 1;
        *(axis == 0 ? &above.x : axis == 1 ? &above.y : &above.z) += 1;
        assert_false(vni_point_is_within(below, dims));
        assert_false(vni_point_is_within(above, dims));
    }
}

static void test_frame(void** state) {
    (void)state;
    const vni_frame frame = {{-10, 4, 0.5}, 0.25};
    const vni_vec v = vni_to_frame(&frame, vni_v(-10, 5, 0.25)), low = vni_frame_low(&frame);
    assert_true(v.x == 0);
    assert_true(v.y == 4);
    assert_true(v.z == -1);
    assert_true(low.x == -10);
    assert_true(low.y == 4);
    assert_true(low.z == 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_and_voxels),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_frame),
    };
    return cmocka_run_group_tests_name("geom/units", tests, NULL, NULL);
}
