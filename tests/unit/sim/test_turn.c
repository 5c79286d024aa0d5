/// tests/unit/sim/test_turn.c: our sine and cosine against those of the platform; wrapping; rails against a
/// walk in small steps.
#include "cmocka_all.h"
#include "sim/rail.h"
#include "sim/turn.h"
#include "support.h"
#include <math.h>

static double draw(uint64_t* random, double low, double high) {
    return low + (high - low) * (double)(vn_random_next(random) >> 11) / 9007199254740992.0;
}

static void test_turn(void** state) {
    (void)state;
    uint64_t random = vnt_seed("turn", 5);
    double worst = 0;
    for (uint32_t i = 0; i < vnt_scale(100000, 10000000); ++i) {
        const double turns = i < 4096 ? (double)i / 512 - 4 : draw(&random, -8, 8);
        double c, s;
        vni_turn(turns, &c, &s);
        worst = fmax(worst, fmax(fabs(c - cos(VNI_TAU * turns)), fabs(s - sin(VNI_TAU * turns))));
        assert_true(fabs(c * c + s * s - 1) < 1e-15);
    }

    print_message("worst %g\n", worst);
    assert_true(worst < 1e-14); // the platform rounds 2 pi times the turns
}

static void test_quarters(void** state) {
    (void)state;
    static const double expected[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int i = -400; i < 400; ++i) {
        double c, s;
        vni_turn(0.25 * i, &c, &s);
        assert_true(c == expected[(i + 400) % 4][0]);
        assert_true(s == expected[(i + 400) % 4][1]);
    }
}

static void test_wrap(void** state) {
    (void)state;
    uint64_t random = vnt_seed("wrap", 6);
    for (uint32_t i = 0; i < vnt_scale(100000, 10000000); ++i) {
        const double period = draw(&random, 1e-9, 100),
                     value = draw(&random, -1e7, 1e7) * draw(&random, 0, 1e6);
        const double rest = vni_wrap(value, period);
        assert_true(rest >= 0);
        assert_true(rest < period);
    }

    assert_true(vni_wrap(7.5, 2) == 1.5);
    assert_true(vni_wrap(-0.5, 2) == 1.5);
    assert_true(vni_wrap(4, 2) == 0);
    assert_true(vni_wrap(1e300, 1e-300) == 0);
}

/// Every metre along the rail is a metre through space, the tour is closed, and directions have length 1.
static void test_rail(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    const vn_dvec3 a = {1, 2, 3}, b = {5, 2, 0}, c = {5, 9, 0};
    vni_rail rail;
    assert_int_equal(vni_rail_create(&rail, &allocator, 5), VN_OK);
    vni_rail_straight(&rail, a, b);
    vni_rail_straight(&rail, b, b); // adds nothing
    vni_rail_straight(&rail, b, c);
    vni_rail_circle(&rail, (vn_dvec3){3, 9, 0}, 2, 3);
    vni_rail_straight(&rail, c, a);
    assert_int_equal(rail.count, 4);
    assert_true(fabs(rail.length - (5 + 7 + 6 * 2 * VNI_TAU / 2 + sqrt(16 + 49 + 9))) < 1e-12);

    vn_dvec3 last, direction;
    double sum = 0;
    const int steps = 100000;
    vni_rail_at(&rail, 0, &last, &direction);
    assert_true(last.x == 1);
    assert_true(direction.x == 0.8);
    for (int i = 1; i <= steps; ++i) {
        vn_dvec3 p;
        vni_rail_at(&rail, rail.length * i / steps, &p, &direction);
        const double dx = p.x - last.x, dy = p.y - last.y, dz = p.z - last.z;
        sum += sqrt(dx * dx + dy * dy + dz * dz);
        assert_true(sqrt(dx * dx + dy * dy + dz * dz) < 1.0001 * rail.length / steps);
        assert_true(fabs(direction.x * direction.x + direction.y * direction.y + direction.z * direction.z -
                         1) < 1e-12);
        last = p;
    }

    assert_true(fabs(sum - rail.length) < 1e-3);
    assert_true(fabs(last.x - 1) < 1e-9); // all the way round
    vni_rail_free(&rail, &allocator);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turn), cmocka_unit_test(test_quarters),
                                       cmocka_unit_test(test_wrap), cmocka_unit_test(test_rail)};
    return cmocka_run_group_tests_name("sim/turn", tests, NULL, NULL);
}
