/// tests/unit/path/test_check_from.c: the checker from a place inside the first segment. Segments of 2^n
/// equal steps can be divided exactly: a check from there must say what a check of the divided path says.
#include "base/rng.h"
#include "path/check.h"
#include "spaces.h"
#include "support.h"

#include <math.h>

enum { SIDE = 6, PARTS = 64 };

static int32_t coordinate(vni_rng* rng) {
    const int32_t kinds[] = {
        vni_rng_range(rng, 0, SIDE) * VN_LATTICE, vni_rng_range(rng, 0, SIDE * 2) * VN_LATTICE / 2,
        vni_rng_range(rng, -VN_LATTICE, (SIDE + 1) * VN_LATTICE), vni_rng_range(rng, -3, 3) * (1 << 28)};
    const uint32_t kind = vni_rng_below(rng, 16);
    return kinds[kind == 15 ? 3 : kind % 3];
}

/// Towards `end`, so that the segment has PARTS equal steps.
static int32_t stretched(int32_t start, int32_t end) {
    return start + (end - start) / PARTS * PARTS;
}

static void compare(const vn_space* space, const vn_point points[3], uint32_t count, uint32_t part,
                    uint32_t found[2]) {
    const vn_point a = points[0], b = points[1];
    vn_point rest[3] = {
        {a.x + (b.x - a.x) / PARTS * (int32_t)part, a.y + (b.y - a.y) / PARTS * (int32_t)part,
         a.z + (b.z - a.z) / PARTS * (int32_t)part},
        b,
        points[2],
    };
    vn_check_result is, must;
    const double skip = (double)part / PARTS;
    const bool free = vni_check_path_from(space, NULL, points, count, skip, &is);
    assert_int_equal(free, vn_space_check_path(space, rest, count, &must));
    assert_int_equal(is.fault, must.fault);
    assert_int_equal(is.segment, must.segment);
    ++found[free];
    if (free)
        return;

    const double at = must.segment > 0 ? must.fraction : skip + (1 - skip) * must.fraction;
    assert_true(is.fraction >= (is.segment == 0 ? skip : 0));
    assert_true(fabs(is.fraction - at) <= 1e-12);
    assert_memory_equal(&is.voxel, &must.voxel, sizeof is.voxel);
}

static void as_if_divided(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("check from", 3));
    uint32_t found[2] = {0, 0};
    for (uint32_t round = 0; round < vnt_scale(200, 20000); ++round) {
        uint8_t map[SIDE * SIDE * SIDE];
        const uint32_t dense = 2 + vni_rng_below(&rng, 20);
        for (uint32_t i = 0; i < sizeof map; ++i)
            map[i] = vni_rng_below(&rng, dense) == 0;

        vn_space space = vnt_space_make(SIDE, SIDE, SIDE, 1.0f, map);
        for (uint32_t i = 0; i < 40; ++i) {
            vn_point p[3];
            for (uint32_t k = 0; k < 3; ++k)
                p[k] = (vn_point){coordinate(&rng), coordinate(&rng), coordinate(&rng)};
            p[1] =
                (vn_point){stretched(p[0].x, p[1].x), stretched(p[0].y, p[1].y), stretched(p[0].z, p[1].z)};
            compare(&space, p, 2 + vni_rng_below(&rng, 2), vni_rng_below(&rng, PARTS), found);
        }

        vnt_space_free(&space);
    }

    assert_true(found[0] > 100);
    assert_true(found[1] > 100);
}

/// From the face between a blocked voxel and the outside, outwards: the place itself touches the voxel, so
/// the path is blocked there, as one that begins there is; a little farther on it is only outside.
static void from_the_rim(void** state) {
    (void)state;
    const uint8_t map[1] = {1};
    vn_space space = vnt_space_make(1, 1, 1, 1.0f, map);
    const int32_t step = VN_LATTICE, middle = VN_LATTICE / 2;
    const vn_point paths[4][2] = {{{-2 * step, middle, middle}, {2 * step, middle, middle}},
                                  {{2 * step, middle, middle}, {-2 * step, middle, middle}},
                                  {{-step, middle, middle}, {3 * step, middle, middle}},
                                  {{middle, 3 * step, middle}, {middle, -step, middle}}};
    const double skips[4] = {0.75, 0.5, 0.5, 0.75};
    for (int i = 0; i < 4; ++i) {
        vn_check_result result;
        assert_false(vni_check_path_from(&space, NULL, paths[i], 2, skips[i], &result));
        assert_int_equal(result.fault, VN_CHECK_BLOCKED);
        assert_true(result.fraction == skips[i]);
        assert_int_equal(result.voxel.x, 0);
        assert_int_equal(result.voxel.y, 0);
        assert_false(vni_check_path_from(&space, NULL, paths[i], 2, skips[i] + 0x1p-20, &result));
        assert_int_equal(result.fault, VN_CHECK_OUTSIDE);
    }

    vnt_space_free(&space);
}

/// From the ends of the lattice into the space and out of it, with the largest numbers.
static void from_far_away(void** state) {
    (void)state;
    const uint8_t map[8] = {0};
    vn_space space = vnt_space_make(2, 2, 2, 1.0f, map);
    const vn_point across[2] = {{INT32_MIN, 1000, 1000}, {INT32_MAX, 1001, 1001}};
    vn_check_result result;
    const double length = (double)INT32_MAX - INT32_MIN;
    assert_false(vni_check_path_from(&space, NULL, across, 2, 2147483648.0 / length, &result));
    assert_int_equal(result.fault, VN_CHECK_OUTSIDE);
    assert_true(fabs(result.fraction * length - (2147483648.0 + 2 * VN_LATTICE)) <= 0.01);
    assert_false(vni_check_path_from(&space, NULL, across, 2, 0.25, &result));
    assert_true(result.fraction == 0.25);
    vnt_space_free(&space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_if_divided),
        cmocka_unit_test(from_the_rim),
        cmocka_unit_test(from_far_away),
    };
    return cmocka_run_group_tests_name("path/check_from", tests, NULL, NULL);
}
