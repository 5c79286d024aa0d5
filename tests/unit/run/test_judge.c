/// tests/unit/run/test_judge.c: least distances within a step, against dense sampling.
#include "cmocka_all.h"

#include <math.h>

#include "run/run_inside.h"
#include "sim/turn.h"
#include "support.h"

/// A box that flies straight and turns about an axis meanwhile.
typedef struct motion {
    vn_dvec3 from, to;
    double first, turns; ///< angle at the begin, and what it turns by
    int axis;
} motion;

static double real(uint64_t* random, double low, double high) {
    return low + (high - low) * ((double)(vn_random_next(random) >> 11) / 9007199254740992.0);
}

static vn_dvec3 place(uint64_t* random, double size) {
    const double x = real(random, -size, size), y = real(random, -size, size), z = real(random, -size, size);
    return (vn_dvec3){x, y, z};
}

static vn_transform at(const void* user, double s) {
    const motion* m = user;
    double c, sine;
    vni_turn(0.5 * (m->first + s * m->turns), &c, &sine);
    const float v = (float)sine;
    const vn_dvec3 p = vni_sum(m->from, vni_scaled(vni_difference(m->to, m->from), s));
    return (vn_transform){
        vni_rounded(p), {m->axis == 0 ? v : 0, m->axis == 1 ? v : 0, m->axis == 2 ? v : 0, (float)c}, 1};
}

/// Distance of a point from the box: its coordinates along the edges by rows of the rotation's matrix.
static double distance(const motion* m, const vn_box* box, vn_dvec3 point, double s) {
    const vn_dvec3 d = vni_difference(point, vni_sum(m->from, vni_scaled(vni_difference(m->to, m->from), s)));
    double c, sine;
    vni_turn(m->first + s * m->turns, &c, &sine);
    const double v[3] = {d.x, d.y, d.z};
    const int a = (m->axis + 1) % 3, b = (m->axis + 2) % 3;
    double own[3] = {d.x, d.y, d.z};
    own[a] = c * v[a] + sine * v[b];
    own[b] = c * v[b] - sine * v[a];

    const double half[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const double out = fabs(own[i]) - half[i];
        sum += out > 0 ? out * out : 0;
    }
    return sqrt(sum);
}

static double sampled(const motion* m, const vn_box* box, vn_dvec3 p, vn_dvec3 q, uint32_t count) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i <= count; ++i) {
        const double s = (double)i / count;
        const double d = distance(m, box, vni_sum(p, vni_scaled(vni_difference(q, p), s)), s);
        least = d < least ? d : least;
    }
    return least;
}

static motion draw_motion(uint64_t* random) {
    motion m;
    m.from = place(random, 4);
    m.to = vni_sum(m.from, place(random, 1));
    m.first = real(random, 0, 1);
    m.turns = vn_random_next(random) % 3 == 0 ? 0 : real(random, -0.2, 0.2);
    m.axis = (int)(vn_random_next(random) % 3);
    return m;
}

/// Never above what samples find; below by no more than what happens between two of them.
static void test_moving_box(void** state) {
    (void)state;
    uint64_t random = vnt_seed("judge/moving_box", 17);
    const uint32_t rounds = vnt_scale(100, 20000), samples = 2000;
    for (uint32_t i = 0; i < rounds; ++i) {
        const motion m = draw_motion(&random);
        const double wide = real(&random, 0.1, 3), deep = real(&random, 0.1, 3);
        const vn_vec3 half = {(float)wide, 0.5f, (float)deep};
        const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {{-half.x, -half.y, -half.z}, half}};
        const vn_dvec3 p = place(&random, 6), q = vni_sum(p, place(&random, 1));
        const double round = vni_length(vni_exact(half));
        const double reach =
            vni_length(vni_difference(m.to, m.from)) + VNI_TAU * fabs(m.turns) * round + 5e-5;
        const vni_judge_mover mover = {&shape, at, &m, reach};
        const double expected = sampled(&m, &shape.as.box, p, q, samples);
        const double found = vni_judge_mover_distance(p, q, &mover, HUGE_VAL);
        const double between = (reach + vni_length(vni_difference(q, p))) / samples;
        assert_true(found <= expected + 1e-5);
        assert_true(found >= expected - between - 1e-5);

        // Below what is of interest it is the same; otherwise it is not below that.
        const double limit = real(&random, 0, 4), some = vni_judge_mover_distance(p, q, &mover, limit);
        if (found < limit - 1e-5)
            assert_true(fabs(some - found) <= 2e-6);
        else
            assert_true(some >= limit - 2e-5);
    }
}

static double now_calls;

static vn_transform counted(const void* user, double s) {
    now_calls += 1;
    return at(user, s);
}

/// A box that comes straight at a point all through the step: the work stays small.
static void test_approach(void** state) {
    (void)state;
    const motion m = {.from = {10, 0, 0}, .to = {2, 0, 0}, .axis = 2};
    const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {{-1, -1, -1}, {1, 1, 1}}};
    const vni_judge_mover mover = {&shape, counted, &m, 8.001};
    const vn_dvec3 p = {0, 0, 0};
    now_calls = 0;
    assert_true(fabs(vni_judge_mover_distance(p, p, &mover, HUGE_VAL) - 1) < 1e-5);
    assert_true(now_calls < 2000);
}

static void test_segments(void** state) {
    (void)state;
    uint64_t random = vnt_seed("judge/segments", 18);
    for (uint32_t i = 0; i < 200; ++i) {
        const vn_box box = {{-1, -0.5f, -2}, {1, 0.5f, 2}};
        const motion still = {.axis = 2};
        const vn_dvec3 p = place(&random, 4), q = place(&random, 4), a = place(&random, 4),
                       b = place(&random, 4);
        const double expected = sampled(&still, &box, p, q, 2000), length = vni_length(vni_difference(q, p));
        const double found = vni_judge_box(p, q, &box);
        assert_true(found <= expected + 1e-9 && found >= expected - length / 2000);

        double least = HUGE_VAL;
        for (int k = 0; k <= 2000; ++k) {
            const double s = k / 2000.0;
            const vn_dvec3 x = vni_sum(p, vni_scaled(vni_difference(q, p), s));
            const vn_dvec3 y = vni_sum(a, vni_scaled(vni_difference(b, a), s));
            const double d = vni_length(vni_difference(x, y));
            least = d < least ? d : least;
        }
        const double points = vni_judge_points(p, q, a, b);
        assert_true(points <= least + 1e-9 && points >= least - 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moving_box), cmocka_unit_test(test_approach),
                                       cmocka_unit_test(test_segments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
