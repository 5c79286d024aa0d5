/// tests/unit/avoid/test_scenes.c: crowds that must all arrive, without a wall touched and with bodies that
/// hardly overlap: ring, sphere, corridors, door, station; small here, whole with VN_TEST_LONG.
#include "cmocka_all.h"
#include "crowd.h"
#include "support.h"

/// Deepest overlap that is tolerated, as a share of the radii's sum.
#define TOLERANCE 0.15

static void expect(vnt_crowd* crowd, float dt, double seconds) {
    vnt_crowd_report report = vnt_crowd_run(crowd, dt, seconds);
    print_message("%u agents, dt %.4f: last after %.1f s, overlap %.3f, held %.1f s\n", crowd->count,
                  (double)dt, report.last, report.overlap, report.longest_held);
    assert_int_equal(report.wall_faults, 0);
    assert_int_equal(report.arrived, crowd->count);
    assert_true(report.overlap < TOLERANCE);
    assert_true(report.speed_excess < 1e-6);
    vnt_crowd_free(crowd);
}

static void test_ring(void** state) {
    (void)state;
    vnt_crowd small = vnt_ring(16, 8), whole = vnt_ring(64, 16);
    expect(&small, 1.0f / 60, 60);
    expect(&whole, 1.0f / 60, 60);
}

static void test_sphere(void** state) {
    (void)state;
    vnt_crowd crowd = vnt_sphere(vnt_scale(100, 1000), 10);
    expect(&crowd, 1.0f / 60, 120);
}

static void test_corridor(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("corridor", 7);
    for (uint32_t i = 0; i < vnt_scale(2, 4); ++i) {
        vnt_crowd crowd = vnt_corridor(vnt_scale(20, 100), 4, i & 2, seed);
        expect(&crowd, i & 1 ? 1.0f / 30 : 1.0f / 60, 200);
    }
}

/// Four wide and one agent high. Without lanes a hundred from each end block each other for ever.
static void test_flat_corridor(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("flat corridor", 7);
    for (uint32_t i = 0; i < vnt_scale(2, 4); ++i) {
        vnt_crowd crowd = vnt_corridor(100, 1, i & 2, seed);
        expect(&crowd, i & 1 ? 1.0f / 30 : 1.0f / 60, 200);
    }
}

/// The strait is found in the space. Equal and mixed agents, both lengths of a step, another seed for each.
static void test_door(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("door", 3);
    vn_avoid_strait straits[4];
    for (uint32_t i = 0; i < vnt_scale(4, 12); ++i) {
        uint32_t count;
        vnt_crowd crowd = vnt_door(vnt_scale(30, 200), i & 1, seed + i);
        assert_int_equal(vn_avoid_find_straits(crowd.space, 0.375f, straits, 4, &count), VN_OK);
        assert_int_equal(count, 1);
        assert_int_equal(vn_avoid_add_strait(crowd.avoid, &straits[0], NULL), VN_OK);
        expect(&crowd, i & 2 ? 1.0f / 30 : 1.0f / 60, 800);
    }
}

static void test_station(void** state) {
    (void)state;
    vnt_crowd crowd = vnt_station(vnt_scale(100, 1000), true, vnt_seed("station", 5));
    expect(&crowd, 1.0f / 60, 150);
}

/// Without the strait the two crowds block each other in the door: what it is for.
static void test_door_needs_its_strait(void** state) {
    (void)state;
    vnt_crowd crowd = vnt_door(15, false, 3);
    vnt_crowd_report report = vnt_crowd_run(&crowd, 1.0f / 30, 100);
    assert_true(report.arrived < crowd.count);
    assert_int_equal(report.wall_faults, 0);
    vnt_crowd_free(&crowd);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ring),
                                       cmocka_unit_test(test_sphere),
                                       cmocka_unit_test(test_corridor),
                                       cmocka_unit_test(test_flat_corridor),
                                       cmocka_unit_test(test_door),
                                       cmocka_unit_test(test_station),
                                       cmocka_unit_test(test_door_needs_its_strait)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
