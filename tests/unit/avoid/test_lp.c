/// tests/unit/avoid/test_lp.c: the linear programme against sampled velocities.
#include "avoid/lp.h"
#include "base/rng.h"
#include "cmocka_all.h"
#include "support.h"

enum { SAMPLES = 4000 };

static double real(vni_rng* rng, double low, double high) {
    return low + (high - low) * vni_rng_real(rng);
}

static vni_vec in_ball(vni_rng* rng, double radius) {
    for (;;) {
        double x = real(rng, -1, 1), y = real(rng, -1, 1), z = real(rng, -1, 1);
        if (x * x + y * y + z * z <= 1)
            return vni_v(radius * x, radius * y, radius * z);
    }
}

static vni_vec unit(vni_rng* rng) {
    for (;;) {
        vni_vec v = in_ball(rng, 1);
        if (vni_length2(v) > 0.01)
            return vni_scale(v, 1 / vni_length(v));
    }
}

/// Hard planes allow 0; the others lie anywhere near the ball. Some are parallel to earlier ones.
static vni_programme random_programme(vni_rng* rng) {
    vni_programme lp = {.speed = real(rng, 0.5, 3)};
    lp.hard = vni_rng_below(rng, 7);
    uint32_t count = lp.hard + vni_rng_below(rng, 12);
    for (uint32_t i = 0; i < count; ++i) {
        vni_vec normal = unit(rng);
        if (i > 0 && vni_rng_below(rng, 8) == 0)
            normal = vni_scale(lp.planes[i - 1].normal, vni_rng_below(rng, 2) > 0 ? 1 : -1);
        double high = i < lp.hard ? 0 : 0.6;
        vni_add_plane(&lp, normal, real(rng, -1, high) * lp.speed);
    }

    return lp;
}

static double worst(const vni_programme* lp, uint32_t from, uint32_t to, vni_vec v) {
    double most = 0;
    for (uint32_t i = from; i < to; ++i) {
        double violation = lp->planes[i].offset - vni_dot(lp->planes[i].normal, v);
        most = violation > most ? violation : most;
    }

    return most;
}

static void check_one(vni_rng* rng, uint32_t* feasible) {
    vni_programme lp = random_programme(rng);
    vni_vec wish = in_ball(rng, 1.5 * lp.speed), v;
    bool ok = vni_programme_solve(&lp, wish, &v);
    double mine = worst(&lp, lp.hard, lp.count, v), distance = vni_length(vni_sub(v, wish));
    *feasible += ok;
    assert_true(vni_length(v) <= lp.speed * (1 + 1e-9));
    assert_true(worst(&lp, 0, lp.hard, v) < 1e-6);
    if (ok)
        assert_true(mine < 1e-6);

    // no sample is better: nearer among the allowed, or less wrong where none is
    for (int i = 0; i < SAMPLES; ++i) {
        vni_vec s = i % 2 ? in_ball(rng, lp.speed) : vni_add(v, in_ball(rng, 0.05 * lp.speed));
        if (vni_length(s) > lp.speed || worst(&lp, 0, lp.hard, s) > 0)
            continue;
        double violation = worst(&lp, lp.hard, lp.count, s);
        if (ok && violation == 0)
            assert_true(vni_length(vni_sub(s, wish)) >= distance - 1e-6);
        if (!ok)
            assert_true(violation >= mine - 1e-6);
    }
}

static void test_against_samples(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("lp", 1));
    uint32_t feasible = 0, count = vnt_scale(400, 20000);
    for (uint32_t i = 0; i < count; ++i)
        check_one(&rng, &feasible);
    assert_true(feasible > count / 10);
    assert_true(feasible < count * 9 / 10);
}

static void test_without_planes(void** state) {
    (void)state;
    vni_programme lp = {.speed = 2};
    vni_vec v;
    assert_true(vni_programme_solve(&lp, vni_v(0, 3, 4), &v));
    assert_true(vni_length(vni_sub(v, vni_v(0, 1.2, 1.6))) < 1e-12);
    assert_true(vni_programme_solve(&lp, vni_v(0, 1, 0), &v));
    assert_true(v.y == 1);
}

/// Two walls face each other and a neighbour pushes: the velocity stays between the walls.
static void test_hard_planes_stay(void** state) {
    (void)state;
    vni_programme lp = {.speed = 1};
    vni_vec v;
    vni_add_plane(&lp, vni_v(1, 0, 0), -0.1);
    vni_add_plane(&lp, vni_v(-1, 0, 0), -0.1);
    lp.hard = 2;
    vni_add_plane(&lp, vni_v(1, 0, 0), 0.8);
    assert_false(vni_programme_solve(&lp, vni_v(0, 0, 0), &v));
    assert_true(vni_abs(v.x - 0.1) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_without_planes),
                                       cmocka_unit_test(test_hard_planes_stay),
                                       cmocka_unit_test(test_against_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
