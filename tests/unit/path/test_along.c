/// path/along: length of a polyline of positions, and positions along it.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "volnav/path.h"

#include <math.h>

static double distance(vn_dvec3 a, vn_dvec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void assert_at(vn_dvec3 got, double x, double y, double z) {
    assert_true(got.x == x);
    assert_true(got.y == y);
    assert_true(got.z == z);
}

static void test_corners_and_ends(void** state) {
    const vn_dvec3 p[] = {{1, 2, 3}, {5, 2, 3}, {5, 2, 3}, {5, 5, 3}}; // one corner twice
    (void)state;
    assert_true(vn_positions_length(p, 4) == 7);
    assert_true(vn_positions_length(p, 1) == 0);
    assert_true(vn_positions_length(NULL, 0) == 0);

    assert_at(vn_positions_along(p, 4, 0), 1, 2, 3);
    assert_at(vn_positions_along(p, 4, 3), 4, 2, 3);
    assert_at(vn_positions_along(p, 4, 4), 5, 2, 3);
    assert_at(vn_positions_along(p, 4, 5.5), 5, 3.5, 3);
    assert_at(vn_positions_along(p, 4, 7), 5, 5, 3);

    assert_at(vn_positions_along(p, 4, -1), 1, 2, 3);
    assert_at(vn_positions_along(p, 4, 8), 5, 5, 3);
    assert_at(vn_positions_along(p, 4, (double)INFINITY), 5, 5, 3);
    assert_at(vn_positions_along(p, 4, (double)NAN), 1, 2, 3);
    assert_at(vn_positions_along(p, 1, 2), 1, 2, 3);
}

/// Far from the origin: what lies before the position is as long as was asked for.
static void test_random(void** state) {
    vni_rng rng = vni_rng_make(vnt_seed("path/along", 7));
    (void)state;
    for (int round = 0; round < 2000; ++round) {
        vn_dvec3 p[9];
        const uint32_t count = 2 + vni_rng_below(&rng, 8);
        for (uint32_t i = 0; i < count; ++i) {
            p[i] = (vn_dvec3){1e6 + vni_rng_range(&rng, -50, 50), vni_rng_range(&rng, -50, 50),
                              -1e6 + vni_rng_range(&rng, -50, 50)};
        }

        const double length = vn_positions_length(p, count), metres = vni_rng_real(&rng) * length;
        const vn_dvec3 at = vn_positions_along(p, count, metres);
        double before = 0, best = INFINITY; // over the legs that the position lies on
        for (uint32_t i = 1; i < count; ++i) {
            const double leg = distance(p[i - 1], p[i]), part = distance(p[i - 1], at);
            if (fabs(part + distance(at, p[i]) - leg) < 1e-6) {
                best = fmin(best, fabs(before + part - metres));
            }

            before += leg;
        }

        assert_true(fabs(before - length) < 1e-9);
        assert_true(best < 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corners_and_ends),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests_name("path/along", tests, NULL, NULL);
}
