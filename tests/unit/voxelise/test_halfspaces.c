/// tests/unit/voxelise/test_halfspaces.c: nearest points of polytopes given by half-spaces, against distances
/// that are known otherwise.
#include "base/rng.h"
#include "cmocka_all.h"
#include "geom/shapes.h"
#include "support.h"
#include "voxelise/halfspaces.h"

#define TOLERANCE 1e-11

static double real(vni_rng* rng, double most) {
    return (2 * vni_rng_real(rng) - 1) * most;
}

static vni_vec random_vec(vni_rng* rng, double most) {
    return vni_v(real(rng, most), real(rng, most), real(rng, most));
}

static vni_vec unit_vec(vni_rng* rng) {
    for (;;) {
        vni_vec v = random_vec(rng, 1);
        double length = vni_length(v);
        if (length > 0.1 && length < 1)
            return vni_scale(v, 1 / length);
    }
}

static uint32_t box_halfspaces(const vni_obb* obb, vni_halfspace* out) {
    for (int i = 0; i < 3; ++i) {
        double mid = vni_dot(obb->axis[i], obb->center);
        out[2 * i] = (vni_halfspace){obb->axis[i], mid + obb->half[i]};
        out[2 * i + 1] = (vni_halfspace){vni_scale(obb->axis[i], -1), obb->half[i] - mid};
    }
    return 6;
}

/// Boxes: faces, edges and corners are nearest; more half-spaces that hold the box change nothing.
static void boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("halfspaces/boxes", 51));
    for (uint32_t round = 0; round < vnt_scale(20000, 1000000); ++round) {
        vni_obb obb = {.center = random_vec(&rng, 50)};
        vn_quat q = {(float)real(&rng, 1), (float)real(&rng, 1), (float)real(&rng, 1), 1};
        vni_quat_axes(q, obb.axis);
        for (int i = 0; i < 3; ++i)
            obb.half[i] = 0.5 + vni_rng_real(&rng) * 5;

        vni_halfspace planes[40];
        uint32_t count = box_halfspaces(&obb, planes);
        for (; count < 30; ++count) {
            vni_vec a = unit_vec(&rng);
            double reach = vni_dot(a, obb.center);
            for (int i = 0; i < 3; ++i)
                reach += obb.half[i] * vni_abs(vni_dot(a, obb.axis[i]));
            planes[count] = (vni_halfspace){a, reach};
        }

        vni_vec point = vni_add(obb.center, random_vec(&rng, 15)), nearest;
        double distance, limit = vni_rng_real(&rng) * 20;
        vni_aabb dot = {point, point};
        double expected = sqrt(vni_obb_box_distance2(&obb, &dot));
        assert_true(vni_halfspaces_nearest(planes, count, point, limit, TOLERANCE, &nearest, &distance));
        assert_true(vni_abs(vni_length(vni_sub(point, nearest)) - distance) < 1e-12);

        assert_true(distance <= expected + 1e-9);
        if (distance <= limit)
            assert_true(distance >= expected - 1e-9);
        else
            assert_true(expected > limit - 1e-9);
    }
}

/// Any polytope: the nearest point is in it, and no point of it lies beyond the plane through it.
static void polytopes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("halfspaces/polytopes", 52));
    uint32_t failed = 0, rounds = vnt_scale(10000, 500000);
    for (uint32_t round = 0; round < rounds; ++round) {
        vni_halfspace planes[VNI_HALFSPACES];
        uint32_t count = 1 + vni_rng_below(&rng, round % 10 == 0 ? VNI_HALFSPACES : 40);
        for (uint32_t i = 0; i < count; ++i)
            planes[i] = (vni_halfspace){unit_vec(&rng), 0.5 + vni_rng_real(&rng)};

        vni_vec point = random_vec(&rng, 6), nearest;
        double distance;
        if (!vni_halfspaces_nearest(planes, count, point, 100, TOLERANCE, &nearest, &distance)) {
            ++failed;
            continue;
        }

        vni_vec away = vni_sub(point, nearest);
        for (uint32_t i = 0; i < count; ++i)
            assert_true(vni_dot(planes[i].a, nearest) <= planes[i].bound + TOLERANCE);

        for (uint32_t sample = 0; sample < 50; ++sample) { // a point of the polytope, as far out as it goes
            vni_vec direction = unit_vec(&rng);
            double far = 20;
            for (uint32_t i = 0; i < count; ++i) {
                double along = vni_dot(planes[i].a, direction);
                if (along > 0 && planes[i].bound < far * along)
                    far = planes[i].bound / along;
            }
            assert_true(vni_dot(away, vni_sub(vni_scale(direction, far), nearest)) <= 1e-8);
        }
    }

    assert_true(failed < rounds / 200);
}

static void inside_is_distance_zero(void** state) {
    (void)state;
    vni_halfspace plane = {{1, 0, 0}, 2};
    vni_vec nearest;
    double distance;
    assert_true(vni_halfspaces_nearest(&plane, 1, vni_v(2, 5, 5), 1, 0, &nearest, &distance));
    assert_true(distance == 0);
    assert_true(nearest.x == 2);
    assert_true(nearest.y == 5);
    assert_true(vni_halfspaces_nearest(&plane, 1, vni_v(4, 5, 5), 3, 0, &nearest, &distance));
    assert_true(distance == 2);
    assert_true(nearest.x == 2);
    assert_true(nearest.y == 5);
    assert_true(nearest.z == 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(polytopes),
        cmocka_unit_test(inside_is_distance_zero),
    };
    return cmocka_run_group_tests_name("space/halfspaces", tests, NULL, NULL);
}
