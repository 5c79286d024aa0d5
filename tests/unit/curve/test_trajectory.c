/// test_trajectory.c: times of motions that are known by formula, speeds at both ends, turns on the spot; no
/// allocation while sampling; every failing allocation; the same bytes everywhere.
#include "base/hash.h"
#include "halls.h"

/// All three kinds along a path with a detour, a helix and stops: the digest of their trajectories.
#define GOLDEN 0xe4d6cd3c3c691e51u

static vn_trajectory_state sample(const vn_trajectory* trajectory, double seconds) {
    vn_trajectory_state m;
    vn_trajectory_sample(trajectory, seconds, &m);
    return m;
}

static double speed_of(vn_trajectory_state m) {
    return judge_length(m.velocity);
}

/// A straight line of 12 m along x.
static vn_curve* line(const vn_space* space, const vn_curve_def* def) {
    const vn_point points[] = {at(1, 1, 1), at(13, 1, 1)};
    return make_curve(space, points, 2, def);
}

static void test_rest_to_rest(void** state) {
    (void)state;
    vn_space* space = open_hall(16, 4, 4);
    vn_curve_def def = vn_default_curve_def();
    def.max_speed = 3;
    def.max_acceleration = 2;
    vn_curve* curve = line(space, &def);
    vn_trajectory* trajectory = make_trajectory(curve, 0, 0);
    double duration = vn_trajectory_duration(trajectory); // 12 / 3 + 3 / 2
    assert_true(fabs(duration - 5.5) < 1e-7);
    vn_trajectory_state m = sample(trajectory, 0.75);
    assert_true(fabs(m.metres - 0.5625) < 1e-7);
    assert_true(fabs(m.position.x - 1.5625) < 1e-7);
    assert_true(fabs(m.velocity.x - 1.5) < 1e-7);
    assert_true(fabs(m.acceleration.x - 2) < 1e-7);
    assert_true(fabs(sample(trajectory, 2.75).velocity.x - 3) < 1e-7);
    assert_true(fabs(sample(trajectory, 5).acceleration.x + 2) < 1e-7);

    m = sample(trajectory, duration + 10);
    assert_true(m.position.x == 13);
    assert_true(m.speed == 0);
    assert_true(judge_length(m.acceleration) == 0);
    assert_true(m.direction.x == 1);
    assert_true(sample(trajectory, -1).position.x == 1);
    assert_true(sample(trajectory, NAN).position.x == 1);
    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);

    def.max_speed = 100; // never reached: half the way up, half the way down
    curve = line(space, &def);
    trajectory = make_trajectory(curve, 0, 0);
    assert_true(fabs(vn_trajectory_duration(trajectory) - 2 * sqrt(12 / 2.0)) < 1e-7);
    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

static void test_speeds_at_ends(void** state) {
    (void)state;
    vn_space* space = open_hall(16, 4, 4);
    vn_curve_def def = vn_default_curve_def();
    def.max_speed = 10;
    def.max_acceleration = 2;
    vn_curve* curve = line(space, &def);
    vn_trajectory* trajectory = make_trajectory(curve, 4, 8);
    assert_true(fabs(speed_of(sample(trajectory, 0)) - 4) < 1e-7);
    assert_true(fabs(speed_of(sample(trajectory, vn_trajectory_duration(trajectory))) - 8) < 1e-7);
    vn_trajectory_destroy(trajectory);

    // Braking from v takes v^2 / 4 metres: sqrt(48) is the most on 12 m.
    vn_trajectory_def timing = vn_default_trajectory_def();
    vn_detail detail = {0};
    timing.start_speed = 7;
    assert_int_equal(vn_trajectory_make(curve, &timing, &trajectory, &detail), VN_NOT_FOUND);
    assert_null(trajectory);
    assert_non_null(strstr(detail.text, "at most 6.928"));
    timing.start_speed = 6.9;
    assert_int_equal(vn_trajectory_make(curve, &timing, &trajectory, &detail), VN_OK);
    vn_trajectory_destroy(trajectory);
    timing.start_speed = 0;
    timing.end_speed = 7;
    assert_int_equal(vn_trajectory_make(curve, &timing, &trajectory, &detail), VN_NOT_FOUND);
    assert_non_null(strstr(detail.text, "at most 6.928"));
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

static void test_bad_defs(void** state) {
    (void)state;
    vn_space* space = open_hall(16, 4, 4);
    vn_curve_def def = vn_default_curve_def();
    vn_curve* curve = line(space, &def);
    static const double bad[] = {-1, NAN, 5.01, HUGE_VAL};
    vn_trajectory* trajectory;
    vn_detail detail;
    for (int i = 0; i < 8; ++i) {
        vn_trajectory_def timing = vn_default_trajectory_def();
        *(i % 2 ? &timing.start_speed : &timing.end_speed) = bad[i / 2];
        assert_int_equal(vn_trajectory_make(curve, &timing, &trajectory, &detail), VN_BAD_ARGUMENT);
        assert_null(trajectory);
    }

    vn_trajectory_def timing = vn_default_trajectory_def();
    timing.cookie = 0;
    assert_int_equal(vn_trajectory_make(curve, &timing, &trajectory, NULL), VN_BAD_DEF);
    timing = vn_default_trajectory_def();
    timing.allocator.release = NULL;
    assert_int_equal(vn_trajectory_make(curve, &timing, &trajectory, NULL), VN_BAD_ARGUMENT);
    vn_trajectory_destroy(NULL);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

/// The speed in the middle of an arc of radius 2 is what the tightest limit allows.
static void check_arc(double acceleration, double rate, double want) {
    vn_space* space = open_hall(20, 4, 20);
    const vn_point points[] = {at(2, 2, 2), at(12, 2, 2), at(12, 2, 12)};
    vn_curve_def def = vn_default_curve_def();
    def.max_speed = 6;
    def.max_acceleration = acceleration;
    def.max_turn_rate = rate;
    def.turn_radius = 2;
    vn_curve* curve = make_curve(space, points, 3, &def);
    vn_trajectory* trajectory = make_trajectory(curve, 0, 0);
    vn_trajectory_state m = sample(trajectory, vn_trajectory_duration(trajectory) / 2);
    assert_true(fabs(m.speed - want) < 1e-6);
    assert_true(fabs(judge_length(m.acceleration) - want * want / 2) < 1e-5);
    assert_true(fabs(judge_dot(m.acceleration, m.velocity)) < 1e-5);
    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

static void test_arcs(void** state) {
    (void)state;
    check_arc(8, HUGE_VAL, 4); // sqrt(8 * 2)
    check_arc(8, 1.5, 3);      // 1.5 * 2
    check_arc(2, 1.5, 2);
}

static void test_climb_rate(void** state) {
    (void)state;
    vn_space* space = open_hall(12, 12, 4);
    const vn_point points[] = {at(1, 1, 1), at(9, 7, 1)}; // 6 up on 10
    vn_curve_def def = vn_default_curve_def();
    def.max_climb_rate = 1.2;
    vn_curve* curve = make_curve(space, points, 2, &def);
    vn_trajectory* trajectory = make_trajectory(curve, 0, 0);
    vn_trajectory_state m = sample(trajectory, vn_trajectory_duration(trajectory) / 2);
    assert_true(fabs(m.speed - 2) < 1e-6);
    assert_true(fabs(m.velocity.y - 1.2) < 1e-6);
    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

/// At a stop the agent stands, and turns at its rate.
static void test_turn_on_the_spot(void** state) {
    (void)state;
    vn_space* space = open_hall(12, 4, 12);
    const vn_point points[] = {at(1, 1, 1), at(9, 1, 1), at(9, 1, 9)};
    vn_curve_def def = vn_default_curve_def();
    def.max_speed = 10;
    def.max_turn_rate = 0.5;
    def.min_turn_radius = 100;
    vn_curve* curve = make_curve(space, points, 3, &def);
    vn_trajectory* trajectory = make_trajectory(curve, 0, 0);
    double one_way = 2 * sqrt(8 / 5.0), hold = acos(-1) / 2 / 0.5;
    vn_trajectory_state before = sample(trajectory, one_way + 1e-6),
                        middle = sample(trajectory, one_way + hold / 2);
    vn_trajectory_state after = sample(trajectory, one_way + hold - 1e-6);

    assert_true(fabs(vn_trajectory_duration(trajectory) - 2 * one_way - hold) < 1e-6);
    assert_true(middle.position.x == 9);
    assert_true(middle.position.z == 1);
    assert_true(middle.speed == 0);
    assert_true(judge_length(middle.acceleration) == 0);
    assert_true(fabs(middle.direction.x - sqrt(0.5)) < 1e-6);
    assert_true(fabs(middle.direction.z - sqrt(0.5)) < 1e-6);
    assert_true(judge_angle(before.direction, (vn_dvec3){1, 0, 0}) < 1e-5);
    assert_true(judge_angle(after.direction, (vn_dvec3){0, 0, 1}) < 1e-5);
    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

// ------------------------------------------------------------------------------------------ all at once

/// A path that needs everything: an end at a wall, tight corners, a segment along walls, a climb.
static const vn_point* winding(uint32_t* count) {
    static vn_point points[6];
    points[0] = at(1, 0, 4.5); // on the floor
    points[1] = at(4, 2, 4.5); // below the ceiling, at the edge of the shaft
    points[2] = at(4, 2, 4.5);
    points[3] = at(4.5, 14, 4);
    points[4] = at(6, 15.5, 8);
    points[5] = at(8, 14, 2);
    *count = 6;
    return points;
}

static vn_curve_def winding_def(vn_curve_kind kind) {
    vn_curve_def def = vn_default_curve_def();
    def.kind = kind;
    def.max_turn_rate = 1.5;
    def.max_slope = 1;
    def.max_climb_rate = 2;
    return def;
}

/// Everything made, sampled and destroyed.
static vn_status run_path(const vn_space* space, const vn_point* points, uint32_t count, vn_curve_kind kind,
                          const vn_allocator* allocator, uint64_t* hash) {
    vn_curve_def def = winding_def(kind);
    vn_trajectory_def timing = vn_default_trajectory_def();
    vn_curve* curve = NULL;
    vn_trajectory* trajectory = NULL;
    def.allocator = timing.allocator = *allocator;
    vn_status status = vn_curve_make(space, points, count, &def, &curve, NULL);
    if (status == VN_OK)
        status = vn_trajectory_make(curve, &timing, &trajectory, NULL);

    for (int i = 0; status == VN_OK && i < 1000; ++i) {
        vn_trajectory_state m = sample(trajectory, vn_trajectory_duration(trajectory) * i / 999);
        *hash = vni_hash_bytes(&m, sizeof m, *hash);
    }

    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    return status;
}

static void test_winding(void** state) {
    (void)state;
    vn_space* space = shaft(5);
    uint32_t count;
    const vn_point* points = winding(&count);
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        vn_curve_def def = winding_def((vn_curve_kind)kind);
        vn_curve_info info = judge_path(space, points, count, &def);
        assert_true(info.helices >= 1);
        assert_true(info.stops >= 1);
        assert_true(info.corners > 10);
    }

    vn_space_destroy(space);
}

static void test_golden(void** state) {
    (void)state;
    vn_space *space = shaft(5), *slope = slalom(30);
    const vn_point line[] = {at(0.5, 0.5, 0.5), at(29.5, 0.5, 29.5)};
    vn_allocator allocator = vn_default_allocator();
    uint64_t hash = 1;
    uint32_t count;
    const vn_point* points = winding(&count);
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        assert_int_equal(run_path(space, points, count, (vn_curve_kind)kind, &allocator, &hash), VN_OK);
        assert_int_equal(run_path(slope, line, 2, (vn_curve_kind)kind, &allocator, &hash), VN_OK);
    }

    print_message("digest 0x%016llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN);
    vn_space_destroy(space);
    vn_space_destroy(slope);
}

static void fail_each(const vn_space* space, const vn_point* points, uint32_t count, vn_curve_kind kind) {
    uint64_t k = 0, hash = 0;
    for (bool is_over = false; !is_over; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_status status = run_path(space, points, count, kind, &allocator, &hash);
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(memory.live_bytes, 0);
        assert_false(memory.mismatch);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        is_over = !memory.failed;
    }

    assert_true(k > 10);
}

static void test_every_allocation_fails_once(void** state) {
    (void)state;
    vn_space *space = shaft(5), *slope = slalom(30);
    const vn_point line[] = {at(0.5, 0.5, 0.5), at(29.5, 0.5, 29.5)};
    uint32_t count;
    const vn_point* points = winding(&count);
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        fail_each(space, points, count, (vn_curve_kind)kind);
        fail_each(slope, line, 2, (vn_curve_kind)kind);
    }

    vn_space_destroy(space);
    vn_space_destroy(slope);
}

static void test_sampling_allocates_nothing(void** state) {
    (void)state;
    vn_space* space = shaft(5);
    vnt_memory memory = vnt_memory_make();
    vn_curve_def def = winding_def(VN_CURVE_SPLINE);
    vn_trajectory_def timing = vn_default_trajectory_def();
    vn_trajectory* trajectory;
    vn_memory curve_memory, trajectory_memory;
    uint32_t count;
    const vn_point* points = winding(&count);
    def.allocator = timing.allocator = vnt_memory_allocator(&memory);
    vn_curve* curve = make_curve(space, points, count, &def);
    assert_int_equal(vn_trajectory_make(curve, &timing, &trajectory, NULL), VN_OK);
    vn_curve_get_memory(curve, &curve_memory);
    vn_trajectory_get_memory(trajectory, &trajectory_memory);
    assert_int_equal(curve_memory.total + trajectory_memory.total, memory.live_bytes);

    uint64_t calls = memory.calls;
    for (int i = 0; i < 1000; ++i)
        sample(trajectory, i / 60.0);
    assert_int_equal(memory.calls, calls);
    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest_to_rest),
                                       cmocka_unit_test(test_speeds_at_ends),
                                       cmocka_unit_test(test_bad_defs),
                                       cmocka_unit_test(test_arcs),
                                       cmocka_unit_test(test_climb_rate),
                                       cmocka_unit_test(test_turn_on_the_spot),
                                       cmocka_unit_test(test_winding),
                                       cmocka_unit_test(test_golden),
                                       cmocka_unit_test(test_every_allocation_fails_once),
                                       cmocka_unit_test(test_sampling_allocates_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
