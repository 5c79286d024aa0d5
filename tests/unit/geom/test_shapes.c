/// tests/unit/geom/test_shapes.c: bounds, rotations as axes, Morton codes.
#include "cmocka_all.h"
#include "geom/morton.h"
#include "support.h"
#include "tests/unit/geom/oracle.h"

static void assert_vec(vni_vec v, double x, double y, double z) {
    assert_true(v.x == x);
    assert_true(v.y == y);
    assert_true(v.z == z);
}

static void quarter_turns_are_exact(void** state) {
    (void)state;
    vni_vec axis[3];
    vni_quat_axes((vn_quat){0, 0, 0, 1}, axis);
    assert_vec(axis[0], 1, 0, 0);
    assert_vec(axis[1], 0, 1, 0);
    assert_vec(axis[2], 0, 0, 1);
    const float s = 0.70710678f;
    vni_quat_axes((vn_quat){0, 0, s, s}, axis); // a quarter around z: x to y
    assert_vec(axis[0], 0, 1, 0);
    assert_vec(axis[1], -1, 0, 0);
    assert_vec(axis[2], 0, 0, 1);
    vni_quat_axes((vn_quat){s, 0, 0, s}, axis); // around x: y to z
    assert_vec(axis[0], 1, 0, 0);
    assert_vec(axis[1], 0, 0, 1);
    assert_vec(axis[2], 0, -1, 0);
    vni_quat_axes((vn_quat){0, s, 0, s}, axis); // around y: z to x
    assert_vec(axis[2], 1, 0, 0);
    assert_vec(axis[0], 0, 0, -1);
    vni_quat_axes((vn_quat){0.5f, 0.5f, 0.5f, 0.5f}, axis); // a third around the diagonal: x to y to z
    assert_vec(axis[0], 0, 1, 0);
    assert_vec(axis[1], 0, 0, 1);
    assert_vec(axis[2], 1, 0, 0);
}

static void axes_are_orthonormal(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("axes", 1));
    for (uint32_t i = 0; i < 10000; ++i) {
        vni_vec axis[3];
        vni_quat_axes(vnt_random_quat(&rng), axis);
        for (int k = 0; k < 3; ++k) {
            assert_true(vni_abs(vni_length2(axis[k]) - 1) < 1e-14);
            const vni_vec next = vni_cross(axis[k], axis[(k + 1) % 3]);
            assert_true(vni_length(vni_sub(next, axis[(k + 2) % 3])) < 1e-14);
        }
    }
}

static void bounds_hold_corners(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("bounds", 2));
    for (uint32_t i = 0; i < 10000; ++i) {
        vni_obb obb = {.center = vnt_random_vec(&rng, 9),
                       .half = {vnt_between(&rng, 0, 3), vnt_between(&rng, 0, 3), 1}};
        vni_quat_axes(vnt_random_quat(&rng), obb.axis);
        const vni_aabb bounds = vni_obb_bounds(&obb);

        vni_aabb seen = {vni_v(1e9, 1e9, 1e9), vni_v(-1e9, -1e9, -1e9)};
        for (int corner = 0; corner < 8; ++corner) {
            vni_vec p = obb.center;
            for (int k = 0; k < 3; ++k)
                p = vni_add_scaled(p, obb.axis[k], corner >> k & 1 ? obb.half[k] : -obb.half[k]);
            seen.min = vni_min(seen.min, p);
            seen.max = vni_max(seen.max, p);
        }

        assert_true(vni_length(vni_sub(seen.min, bounds.min)) < 1e-13);
        assert_true(vni_length(vni_sub(seen.max, bounds.max)) < 1e-13);
    }

    const vni_triangle t = {vni_v(1, 5, -2), vni_v(0, 6, 3), vni_v(4, 4, 0)};
    const vni_aabb bounds = vni_triangle_bounds(&t);
    assert_vec(bounds.min, 0, 4, -2);
    assert_vec(bounds.max, 4, 6, 3);
}

static uint64_t slow_morton(uint32_t x, uint32_t y, uint32_t z) {
    uint64_t code = 0;
    for (int i = 0; i < 21; ++i)
        code |= (uint64_t)(x >> i & 1) << (3 * i) | (uint64_t)(y >> i & 1) << (3 * i + 1) |
                (uint64_t)(z >> i & 1) << (3 * i + 2);
    return code;
}

static void morton_goes_there_and_back(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("morton", 3));
    const uint32_t limit = 1u << 21;
    for (uint32_t i = 0; i < 100000; ++i) {
        const uint32_t x = i == 0 ? limit - 1 : vni_rng_below(&rng, limit);
        const uint32_t y = i == 1 ? limit - 1 : vni_rng_below(&rng, limit);
        const uint32_t z = i == 2 ? limit - 1 : vni_rng_below(&rng, limit);
        const uint64_t code = vni_morton_encode(x, y, z);
        assert_int_equal(code, slow_morton(x, y, z));
        uint32_t u = 0, v = 0, w = 0;
        vni_morton_decode(code, &u, &v, &w);
        assert_true(u == x);
        assert_true(v == y);
        assert_true(w == z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(axes_are_orthonormal),
        cmocka_unit_test(bounds_hold_corners),
        cmocka_unit_test(morton_goes_there_and_back),
    };

    return cmocka_run_group_tests_name("geom/shapes", tests, NULL, NULL);
}
