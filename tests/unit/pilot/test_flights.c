/// tests/unit/pilot/test_flights.c: flights through asteroid fields, judged from outside: group 6 touches
/// nothing where the ship without avoidance does; limits are kept; the same bytes everywhere.
#include "cmocka_all.h"
#include "flight.h"
#include "support.h"

#include <stdio.h>

/// Seeds other than those that the parameters were tuned on (1 to 20) and those of the bench.
enum { FIRST = 500000 };

static vnt_flight fly(const vnt_flight_def* def) {
    vnt_flight flight, nominal;
    assert_true(vnt_fly_field(def, &flight, &nominal));
    assert_true(nominal.arrived || def->limit < 100);
    return flight;
}

static void check_ship(const vnt_flight_def* def, const vnt_flight* f) {
    const vn_pilot_def* p = &def->pilot;
    assert_true(f->arrived);
    assert_int_equal(f->wall_hits, 0);
    assert_true(f->top_speed <= p->max_speed * (1 + 1e-9));
    assert_int_equal(f->stats.steps, f->steps);
    assert_int_equal(f->stats.stopped, f->stopped);
    if (p->group == VN_PILOT_PREDICT) {
        assert_true(f->top_change <= p->acceleration * p->step * (1 + 1e-9));
        assert_int_equal(f->stats.unverified, f->unverified);
    }
    if (p->group < VN_PILOT_RADAR)
        assert_true(f->top_speed <= p->cruise_speed * (1 + 1e-9));
}

/// The field of the thesis: no collision. The control: the same field without avoidance has some.
static void test_no_collision(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("pilot/flights", FIRST);
    const uint32_t runs = vnt_scale(3, 100);
    uint32_t control = 0;
    for (uint32_t i = 0; i < runs; ++i) {
        const vnt_flight_def with = vnt_default_flight(VN_PILOT_PREDICT, seed + i);
        const vnt_flight_def without = vnt_default_flight(VN_PILOT_NONE, seed + i);
        const vnt_flight a = fly(&with), b = fly(&without);
        check_ship(&with, &a);
        check_ship(&without, &b);
        assert_int_equal(a.collisions, 0);
        assert_true(a.clearance > 0);
        assert_true(a.seconds < 1.25 * b.seconds);
        assert_int_equal(b.stats.searches, 1);
        control += b.collisions;
    }

    assert_true(control >= 2 * runs);
}

/// Six times as dense, among 16 % of rock, without known velocities, and with wrong positions.
static void test_harder(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("pilot/flights/harder", FIRST + 1000);
    const uint32_t runs = vnt_scale(1, 15);
    for (uint32_t i = 0; i < 4 * runs; ++i) {
        vnt_flight_def def = vnt_default_flight(VN_PILOT_PREDICT, seed + i);
        def.count = 300;
        def.tile = 40;
        def.layout = i % 4 == 0 ? VN_ROCKS_EVEN : i % 4 == 1 ? VN_ROCKS_MAZE : VN_ROCKS_SPARSE;
        def.without_velocity = i % 4 == 2;
        def.noise = i % 4 == 3 ? 0.1 : 0;
        def.pilot.error = 1.8 * def.noise;
        const vnt_flight f = fly(&def);
        check_ship(&def, &f);
        assert_int_equal(f.collisions, 0);
    }
}

/// Every group arrives, and those that look do better than the one that does not.
static void test_groups(void** state) {
    (void)state;
    const uint32_t runs = vnt_scale(2, 20);
    uint32_t collisions[VN_PILOT_GROUP_COUNT] = {0};
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g)
        for (uint32_t i = 0; i < runs; ++i) {
            vnt_flight_def def = vnt_default_flight((vn_pilot_group)g, FIRST + 2000 + i);
            def.pilot.fragment_each_move = i % 2 == 1;
            const vnt_flight f = fly(&def);
            check_ship(&def, &f);
            collisions[g] += f.collisions;
            assert_true(f.length >= 4 * 60 - 1);
        }

    for (int g = 1; g < VN_PILOT_GROUP_COUNT; ++g)
        assert_true(collisions[g] < collisions[0]);
    for (int g = 1; g < VN_PILOT_PREDICT; ++g)
        assert_true(collisions[VN_PILOT_PREDICT] <= collisions[g]);
}

/// Without asteroids nothing is to be avoided: the straight way, at cruise speed.
static void test_empty(void** state) {
    (void)state;
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        vnt_flight_def def = vnt_default_flight((vn_pilot_group)g, 7);
        vnt_flight f;
        def.count = 0;
        assert_true(vnt_fly(&def, &f));
        check_ship(&def, &f);
        assert_int_equal(f.stats.marked, 0);
        assert_true(f.seconds < 1.05 * f.length / def.pilot.cruise_speed + 2);
        assert_int_equal(f.unverified, g == VN_PILOT_PREDICT ? 0 : f.steps);
        if (g != VN_PILOT_WHOLE && g != VN_PILOT_PREDICT)
            assert_int_equal(f.stats.searches, 1);
    }
}

/// Rocks alone, through narrow windows and around corners that are seen around from one point only.
static void test_corners(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("pilot/flights/corners", 501033); // where it once flew to and fro for ever
    for (uint32_t i = 0; i < vnt_scale(12, 1000); ++i) {
        vnt_flight_def def = vnt_default_flight(VN_PILOT_PREDICT, seed + i);
        vnt_flight f;
        def.count = 0;
        def.layout = i % 2 == 0 ? VN_ROCKS_MAZE : VN_ROCKS_EVEN;
        assert_true(vnt_fly(&def, &f));
        check_ship(&def, &f);
        assert_true(f.unverified <= 2); // along a wall, to a step of the lattice
        assert_true(f.seconds < 1.1 * f.length / def.pilot.cruise_speed);
    }
}

/// Of all positions, the same in every build.
static const uint64_t golden[VN_PILOT_GROUP_COUNT] = {
    0xfdc65cbf341a321fu, 0x89297f6bb5341a01u, 0xa2ee33bbe9456defu, 0xa3233d63b902c8d3u,
    0xf3c529bacad29317u, 0x8237097d871ac1c0u, 0xe58b6eba881423b3u};

static void test_golden(void** state) {
    (void)state;
    int wrong = 0;
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        vnt_flight_def def = vnt_default_flight((vn_pilot_group)g, 42);
        def.count = 300;
        def.tile = 40;
        def.limit = 25;
        const vnt_flight f = fly(&def);
        if (f.hash != golden[g]) {
            printf("group %d: 0x%016llxu\n", g, (unsigned long long)f.hash);
            ++wrong;
        }
    }

    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_collision), cmocka_unit_test(test_harder), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_empty),        cmocka_unit_test(test_golden), cmocka_unit_test(test_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
