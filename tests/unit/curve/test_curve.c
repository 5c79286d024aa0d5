/// test_curve.c: curves along known paths: shapes, lengths and radii by formula; stops, helices and refusals.
#include "halls.h"

static double distance(vn_dvec3 a, vn_dvec3 b) {
    return judge_length(judge_sub(a, b));
}

/// Least distance of the curve to a place, by fine steps.
static double nearest(const vn_curve* curve, vn_dvec3 place) {
    double best = HUGE_VAL, length = info_of(curve).length;
    for (int i = 0; i <= 200000; ++i) {
        vn_curve_place p;
        vn_curve_at(curve, length * i / 200000, &p);
        best = fmin(best, distance(p.position, place));
    }

    return best;
}

// ----------------------------------------------------------------------------------------------- arguments

static void test_names(void** state) {
    (void)state;
    vn_curve_kind kind;
    for (int i = 0; i < VN_CURVE_KIND_COUNT; ++i) {
        assert_true(vn_curve_kind_from_name(vn_curve_kind_name((vn_curve_kind)i), &kind));
        assert_int_equal(kind, i);
    }

    assert_null(vn_curve_kind_name(VN_CURVE_KIND_COUNT));
    assert_false(vn_curve_kind_from_name("bezier", &kind));
}

/// Refused with this status, and a text.
static void refuse(const vn_space* space, const vn_curve_def* def, vn_status want) {
    const vn_point points[] = {at(1, 1, 1), at(5, 1, 1)};
    vn_detail detail = {0};
    vn_curve* curve = (vn_curve*)&detail;
    assert_int_equal(vn_curve_make(space, points, 2, def, &curve, &detail), want);
    assert_null(curve);
    assert_int_equal(detail.status, want);
    assert_true(strlen(detail.text) > 10);
    assert_int_equal(vn_curve_make(space, points, 2, def, &curve, NULL), want);
}

static void test_bad_defs(void** state) {
    (void)state;
    vn_space* space = open_hall(8, 8, 8);
    const vn_curve_def good = vn_default_curve_def();
    vn_curve_def def = good;
    double* fields[] = {&def.max_speed,       &def.max_acceleration, &def.max_turn_rate,
                        &def.max_climb_rate,  &def.max_slope,        &def.step,
                        &def.min_turn_radius, &def.turn_radius};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        def = good;
        *fields[i] = NAN;
        refuse(space, &def, VN_BAD_ARGUMENT);
        def = good;
        *fields[i] = -1;
        refuse(space, &def, VN_BAD_ARGUMENT);
        def = good;
        *fields[i] = HUGE_VAL;
        if (i < 2 || i > 4)
            refuse(space, &def, VN_BAD_ARGUMENT);
    }

    def = good;
    def.cookie = 0;
    refuse(space, &def, VN_BAD_DEF);
    def = good;
    def.kind = VN_CURVE_KIND_COUNT;
    refuse(space, &def, VN_BAD_ARGUMENT);
    def = good;
    def.up = (vn_vec3){0, 0, 0};
    refuse(space, &def, VN_BAD_ARGUMENT);
    def = good;
    def.allocator.alloc = NULL;
    refuse(space, &def, VN_BAD_ARGUMENT);
    vn_space_destroy(space);
}

static void test_bad_points(void** state) {
    (void)state;
    vn_space* space = pillar_hall();
    const vn_point inside[] = {at(1, 1, 1), at(1, 1, 2), at(10, 1, 10)};
    const vn_point outside[] = {at(1, 1, 1), at(1, 9, 1)};
    vn_curve_def def = vn_default_curve_def();
    vn_detail detail = {0};
    vn_curve* curve;
    assert_int_equal(vn_curve_make(space, NULL, 0, &def, &curve, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_curve_make(space, inside, 3, &def, &curve, &detail), VN_BLOCKED);
    assert_int_equal(detail.index, 2);
    assert_int_equal(vn_curve_make(space, outside, 2, &def, &curve, &detail), VN_OUTSIDE);
    assert_int_equal(detail.index, 1);
    vn_space_destroy(space);
}

// -------------------------------------------------------------------------------------------------- shapes

static void test_no_length(void** state) {
    (void)state;
    vn_space* space = open_hall(4, 4, 4);
    const vn_point points[] = {at(1, 2, 1), at(1, 2, 1), at(1, 2, 1)};
    for (uint32_t count = 1; count <= 3; ++count) {
        vn_curve_def def = vn_default_curve_def();
        vn_curve* curve = make_curve(space, points, count, &def);
        vn_trajectory* trajectory = make_trajectory(curve, 0, 0);
        vn_trajectory_state m;
        vn_trajectory_sample(trajectory, 1, &m);
        assert_true(info_of(curve).length == 0);
        assert_true(vn_trajectory_duration(trajectory) == 0);
        assert_true(m.position.y == 2);
        assert_true(m.speed == 0);
        vn_trajectory_destroy(trajectory);
        vn_curve_destroy(curve);
    }

    vn_space_destroy(space);
}

static void test_straight_line(void** state) {
    (void)state;
    vn_space* space = open_hall(16, 4, 4);
    const vn_point points[] = {at(1, 1, 1), at(4, 1, 1), at(4, 1, 1), at(13, 1, 1)};
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        vn_curve_def def = vn_default_curve_def();
        def.kind = (vn_curve_kind)kind;
        vn_curve* curve = make_curve(space, points, 4, &def);
        vn_curve_info info = info_of(curve);
        vn_curve_place p;
        vn_curve_at(curve, 5, &p);

        assert_int_equal(info.kind, kind);
        assert_true(fabs(info.length - 12) < 1e-12);
        assert_true(info.least_turn_radius == HUGE_VAL);
        assert_int_equal(info.corners + info.stops, 0);
        assert_true(distance(p.position, (vn_dvec3){6, 1, 1}) < 1e-12);
        assert_true(distance(p.direction, (vn_dvec3){1, 0, 0}) < 1e-12);
        vn_curve_destroy(curve);
    }

    vn_space_destroy(space);
}

/// A right angle in the open, both lines 10 m.
static vn_curve* right_angle(const vn_space* space, vn_curve_def* def) {
    const vn_point points[] = {at(2, 2, 2), at(12, 2, 2), at(12, 2, 12)};
    return make_curve(space, points, 3, def);
}

static void test_turn(void** state) {
    (void)state;
    vn_space* space = open_hall(20, 4, 20);
    vn_curve_def def = vn_default_curve_def();
    def.max_speed = 4;
    def.max_acceleration = 8; // 2 m at full speed
    vn_curve* curve = right_angle(space, &def);
    vn_curve_info info = info_of(curve);
    vn_curve_place p;

    assert_true(fabs(info.length - (8 + 8 + acos(-1) * 2 / 2)) < 1e-12);
    assert_true(fabs(info.least_turn_radius - 2) < 1e-12);
    assert_int_equal(info.corners, 1);
    assert_int_equal(info.tightened, 0);
    vn_curve_at(curve, info.length / 2, &p); // the middle of the arc around (10, 2, 4)
    assert_true(distance(p.position, (vn_dvec3){10 + sqrt(2), 2, 4 - sqrt(2)}) < 1e-12);
    assert_true(distance(p.direction, (vn_dvec3){sqrt(0.5), 0, sqrt(0.5)}) < 1e-12);
    assert_true(distance(p.curvature, (vn_dvec3){-sqrt(0.5) / 2, 0, sqrt(0.5) / 2}) < 1e-12);
    vn_curve_destroy(curve);

    // The turn rate asks for more: 4 / 0.5 = 8 m.
    def.max_turn_rate = 0.5;
    curve = right_angle(space, &def);
    assert_true(fabs(info_of(curve).least_turn_radius - 8) < 1e-12);
    vn_curve_destroy(curve);
    def.turn_radius = 3;
    curve = right_angle(space, &def);
    assert_true(fabs(info_of(curve).least_turn_radius - 3) < 1e-12);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

/// The lines of 10 m are the first and the last: the corner takes all of both.
static void test_chaikin(void** state) {
    (void)state;
    vn_space* space = open_hall(20, 4, 20);
    vn_curve_def def = vn_default_curve_def();
    def.kind = VN_CURVE_CHAIKIN;
    vn_curve* curve = right_angle(space, &def);
    vn_curve_info info = info_of(curve);
    vn_curve_place p;
    vn_curve_at(curve, info.length / 2, &p); // (a + 2 bend + b) / 4
    assert_true(distance(p.position, (vn_dvec3){9.5, 2, 4.5}) < 1e-9);

    // Length of a parabola with two equal legs at a right angle; least radius at its vertex, 10 / sqrt(2).
    double want = 10 + 5 * sqrt(2) * log(1 + sqrt(2));
    assert_true(fabs(info.length - want) < 1e-9);
    assert_true(info.least_turn_radius <= 10 / sqrt(2));
    assert_true(info.least_turn_radius > 0.93 * 10 / sqrt(2));
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

static void test_spline(void** state) {
    (void)state;
    vn_space* space = open_hall(20, 4, 20);
    vn_curve_def def = vn_default_curve_def();
    def.kind = VN_CURVE_SPLINE;
    vn_curve* curve = right_angle(space, &def);
    vn_curve_place p;
    vn_curve_at(curve, info_of(curve).length / 2, &p); // through the bend, in the direction of the chord
    assert_true(distance(p.position, (vn_dvec3){12, 2, 2}) < 1e-9);
    assert_true(distance(p.direction, (vn_dvec3){sqrt(0.5), 0, sqrt(0.5)}) < 1e-9);
    assert_int_equal(info_of(curve).stops, 0);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

// ------------------------------------------------------------------------------------------------- walls

/// Around a pillar, touching two of its edges: every kind rounds them without a stop.
static void test_pillar(void** state) {
    (void)state;
    vn_space* space = pillar_hall();
    const vn_point points[] = {at(2, 2, 10), at(8, 2, 8), at(12, 2, 8), at(18, 2, 10)};
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        vn_curve_def def = vn_default_curve_def();
        def.kind = (vn_curve_kind)kind;
        def.max_turn_rate = 2;
        vn_curve_info info = judge_path(space, points, 4, &def);
        assert_int_equal(info.stops, 0);
        assert_int_equal(info.corners, 2);
        assert_true(info.least_turn_radius > 0.2);
        assert_true(info.length < 17.5);
    }

    // The arcs have the full radius of 5 m: the bends swing out for it.
    vn_curve_def def = vn_default_curve_def();
    assert_true(fabs(judge_path(space, points, 4, &def).least_turn_radius - 5) < 1e-9);
    vn_space_destroy(space);
}

/// A tunnel one voxel wide: tight arcs, none of the wanted radius.
static void test_tunnel(void** state) {
    (void)state;
    vn_space* space = tunnel();
    const vn_point points[] = {at(0.5, 0.5, 0.5), at(5, 0.5, 1), at(5.5, 0.5, 5.5)};
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        vn_curve_def def = vn_default_curve_def();
        def.kind = (vn_curve_kind)kind;
        vn_curve_info info = judge_path(space, points, 3, &def);
        assert_int_equal(info.stops, 0);
        assert_true(info.corners >= 1);
        assert_true(info.least_turn_radius < 5);
        assert_true(info.tightened >= 1 || kind != VN_CURVE_TURN);

        def.min_turn_radius = 4; // does not fit: a stop, or a refusal
        info = judge_path(space, points, 3, &def);
        assert_true(info.stops >= 1);
        def.allow_stops = false;
        vn_detail detail = {0};
        vn_curve* curve;
        assert_int_equal(vn_curve_make(space, points, 3, &def, &curve, &detail), VN_NOT_FOUND);
        assert_int_equal(detail.index, 1);
        assert_non_null(strstr(detail.text, "stops"));
    }

    vn_space_destroy(space);
}

/// There and back: nothing can be rounded.
static void test_reversal(void** state) {
    (void)state;
    vn_space* space = open_hall(12, 4, 4);
    const vn_point points[] = {at(1, 1, 1), at(9, 1, 1), at(3, 1, 1)};
    vn_curve_def def = vn_default_curve_def();
    def.max_turn_rate = 2;
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        def.kind = (vn_curve_kind)kind;
        assert_int_equal(judge_path(space, points, 3, &def).stops, 1);
    }

    vn_curve* curve = make_curve(space, points, 3, &def);
    vn_curve_stop stop;
    uint32_t count;
    assert_int_equal(vn_curve_get_stops(curve, NULL, 0, &count), VN_CAPACITY);
    assert_int_equal(count, 1);
    assert_int_equal(vn_curve_get_stops(curve, &stop, 1, &count), VN_OK);
    assert_true(distance(stop.position, (vn_dvec3){9, 1, 1}) < 1e-12);
    assert_true(fabs(stop.metres - 8) < 1e-12);
    assert_true(fabs(stop.angle - acos(-1)) < 1e-12);
    vn_curve_destroy(curve);
    vn_space_destroy(space);
}

/// Around the end of a wall one voxel thick: two bends instead of one hairpin.
static void test_hairpin(void** state) {
    (void)state;
    vn_voxel dims = {20, 4, 20}, low = {0, 0, 10}, high = {10, 4, 11};
    vnt_voxels voxels = vnt_voxels_make(dims);
    block(&voxels, low, high, true);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point points[] = {at(2, 2, 9.5), at(10, 2, 10), at(10, 2, 11), at(2, 2, 11.5)};
    vn_curve_def def = vn_default_curve_def();
    vn_curve_info info = judge_path(space, points, 4, &def);
    assert_int_equal(info.stops, 0);
    assert_true(info.least_turn_radius > 0.4);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Straight paths that pass half a step of the lattice beside an edge of the pillar, or touch it: rounded to
/// the lattice, samples of the same lines would cut it.
static void test_grazing(void** state) {
    (void)state;
    vn_space* space = pillar_hall();
    for (int32_t i = 1; i < 160; ++i) {
        const vn_point edge = at(8, 2, 12), step = {4000, 0, 23 * i};
        const vn_point points[] = {{edge.x - step.x, edge.y, edge.z - step.z},
                                   {edge.x + step.x, edge.y, edge.z + step.z + (i % 4 != 0)}};
        assert_true(vn_space_check_path(space, points, 2, NULL));
        vn_curve_def def = vn_default_curve_def();
        def.kind = (vn_curve_kind)(i % VN_CURVE_KIND_COUNT);
        def.max_speed = 1 + 0.02 * i;
        vn_curve_info info = judge_path(space, points, 2, &def);
        assert_true(info.corners >= 1);
        assert_int_equal(info.stops, 0);
        assert_true(info.margin > 0);
    }

    vn_space_destroy(space);
}

/// A straight path that touches thirty corners.
static void test_slalom(void** state) {
    (void)state;
    vn_space* space = slalom(30);
    const vn_point points[] = {at(0.5, 0.5, 0.5), at(29.5, 0.5, 29.5)};
    assert_true(vn_space_check_path(space, points, 2, NULL));
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        vn_curve_def def = vn_default_curve_def();
        def.kind = (vn_curve_kind)kind;
        def.max_turn_rate = 3;
        vn_curve_info info = judge_path(space, points, 2, &def);
        assert_true(info.corners >= 2);
        assert_true(info.length < 1.5 * 29 * sqrt(2));
    }

    // A margin of half a voxel: there is no way, and it says so.
    vn_curve_def def = vn_default_curve_def();
    vn_detail detail = {0};
    vn_curve* curve;
    def.step = 1;
    assert_int_equal(vn_curve_make(space, points, 2, &def, &curve, &detail), VN_NOT_FOUND);
    assert_int_equal(detail.index, 0);
    assert_non_null(strstr(detail.text, "wall"));
    vn_space_destroy(space);
}

/// Ends in the middle of walls, on edges and in corners.
static void test_touching_ends(void** state) {
    (void)state;
    vn_space* space = pillar_hall();
    const vn_point ends[] = {at(8, 2, 10), at(8, 2, 8), at(12, 2, 9.5), at(12, 0, 12), at(10, 4, 12)};
    const vn_point far = at(2, 2, 2);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
        for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
            const vn_point corner = i == 2 || i == 3 ? at(12.5, 2, 7.5) : at(7.5, 2, 12.5);
            const vn_point points[] = {ends[i], corner, far}, back[] = {far, corner, ends[i]};
            vn_curve_def def = vn_default_curve_def();
            def.kind = (vn_curve_kind)kind;
            def.max_slope = i % 2 ? 0.5 : HUGE_VAL;
            assert_true(judge_path(space, points, 3, &def).stops >= 1);
            assert_true(judge_path(space, back, 3, &def).stops >= 1);
        }

    vn_space_destroy(space);
}

// -------------------------------------------------------------------------------------------------- climbs

static void test_helix(void** state) {
    (void)state;
    vn_space* wide = shaft(5);
    const vn_point points[] = {at(1, 0.5, 4.5), at(4.5, 0.5, 4.5), at(4.5, 15.5, 4.5), at(8, 15.5, 4.5)};
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        vn_curve_def def = vn_default_curve_def();
        def.kind = (vn_curve_kind)kind;
        def.max_slope = 0.5;
        vn_curve_info info = judge_path(wide, points, 4, &def);
        assert_int_equal(info.helices, 1);
        assert_true(info.length > 15 * sqrt(1 + 1 / 0.25));
        assert_true(info.steepest_slope <= 0.5 * (1 + 1e-9));
        assert_true(info.steepest_slope > 0.3);
    }

    vn_space* narrow = shaft(1);
    vn_curve_def def = vn_default_curve_def();
    vn_detail detail = {0};
    vn_curve* curve;
    assert_int_equal(judge_path(narrow, points, 4, &def).helices, 0); // without a limit: straight up
    def.max_slope = 0.02;
    assert_int_equal(vn_curve_make(narrow, points, 4, &def, &curve, &detail), VN_NOT_FOUND);
    assert_int_equal(detail.index, 1);
    assert_non_null(strstr(detail.text, "max_slope"));
    def.max_slope = 0;
    assert_int_equal(vn_curve_make(wide, points, 4, &def, &curve, &detail), VN_NOT_FOUND);
    assert_int_equal(judge_path(wide, points, 2, &def).stops, 0); // a level part
    vn_space_destroy(wide);
    vn_space_destroy(narrow);
}

/// The same world on its side: up is +Z there.
static void test_up(void** state) {
    (void)state;
    vn_space* space = open_hall(16, 16, 16);
    const vn_point points[] = {at(8, 8, 1), at(8, 8, 15)};
    vn_curve_def def = vn_default_curve_def();
    def.max_slope = 1;
    assert_int_equal(judge_path(space, points, 2, &def).helices, 0);
    def.up = (vn_vec3){0, 0, -2};
    assert_int_equal(judge_path(space, points, 2, &def).helices, 1);
    vn_space_destroy(space);
}

// ----------------------------------------------------------------------------------------------- positions

static void test_positions(void** state) {
    (void)state;
    vn_space* space = pillar_hall();
    const vn_point points[] = {at(2, 2, 10), at(8, 2, 8), at(12, 2, 8), at(18, 2, 10)};
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind) {
        vn_curve_def def = vn_default_curve_def();
        def.kind = (vn_curve_kind)kind;
        vn_curve* curve = make_curve(space, points, 4, &def);
        static vn_dvec3 positions[4096];
        static vn_point rounded[4096];
        uint32_t count, again;
        assert_int_equal(vn_curve_get_positions(curve, NULL, 0, &count), VN_CAPACITY);
        assert_int_equal(vn_curve_get_positions(curve, positions, 4096, &again), VN_OK);
        assert_int_equal(count, again);
        assert_int_equal(vn_curve_get_positions(curve, positions, count - 1, &again), VN_CAPACITY);
        assert_int_equal(vn_curve_get_positions(curve, positions, count, &again), VN_OK);

        assert_int_equal(vn_space_points_from_world(space, positions, count, rounded), VN_OK);
        assert_true(vn_space_check_path(space, rounded, count, NULL));
        for (uint32_t i = 0; i < count; i += count / 5)
            assert_true(nearest(curve, positions[i]) < 1e-3);
        vn_curve_destroy(curve);
    }

    vn_space_destroy(space);
}

static void test_memory_report(void** state) {
    (void)state;
    vn_space* space = open_hall(20, 4, 20);
    vnt_memory memory = vnt_memory_make();
    vn_curve_def def = vn_default_curve_def();
    vn_memory report;
    def.allocator = vnt_memory_allocator(&memory);
    vn_curve* curve = right_angle(space, &def);
    vn_curve_get_memory(curve, &report);
    assert_int_equal(report.total, memory.live_bytes);
    vn_curve_destroy(curve);
    vn_curve_destroy(NULL);
    assert_int_equal(memory.live_bytes, 0);
    vn_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_bad_defs),
                                       cmocka_unit_test(test_bad_points),
                                       cmocka_unit_test(test_no_length),
                                       cmocka_unit_test(test_straight_line),
                                       cmocka_unit_test(test_turn),
                                       cmocka_unit_test(test_chaikin),
                                       cmocka_unit_test(test_spline),
                                       cmocka_unit_test(test_pillar),
                                       cmocka_unit_test(test_tunnel),
                                       cmocka_unit_test(test_reversal),
                                       cmocka_unit_test(test_hairpin),
                                       cmocka_unit_test(test_touching_ends),
                                       cmocka_unit_test(test_helix),
                                       cmocka_unit_test(test_up),
                                       cmocka_unit_test(test_positions),
                                       cmocka_unit_test(test_memory_report),
                                       cmocka_unit_test(test_slalom),
                                       cmocka_unit_test(test_grazing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
