/// Steering in random worlds: every step of every flight is free by the exact checker, limits are never
/// exceeded, and the agent arrives without overshoot.
#include "follow_worlds.h"

static const double frame = 1.0 / 60, pi = 3.14159265358979323846;

static vn_steering_def random_limits(vni_rng* rng) {
    vn_steering_def def = vn_default_steering_def();
    def.speed = 0.5 + 7 * vni_rng_real(rng);
    def.acceleration = 1 + 14 * vni_rng_real(rng);
    def.turn_rate = vni_rng_below(rng, 4) == 0 ? INFINITY : 0.5 + 6 * vni_rng_real(rng);
    return def;
}

static vn_corridor* make_corridor(bool keep_corners) {
    vn_corridor_def def = vn_default_corridor_def();
    vn_corridor* corridor;
    def.max_points = 4096;
    def.keep_corners = keep_corners;
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_OK);
    return corridor;
}

/// One step within the limits?
static void check_limits(const vn_steering_def* def, const follow_world* w, const vn_agent_motion* a,
                         const vn_agent_motion* b) {
    const double speed = follow_size(b->velocity);
    assert_false(b->held);
    assert_true(speed <= def->speed * (1 + 1e-9));
    assert_true(follow_size(follow_minus(b->velocity, a->velocity)) <=
                def->acceleration * frame * (1 + 1e-9));
    assert_true(follow_angle(a->forward, b->forward) <= def->turn_rate * frame * (1 + 1e-6));
    assert_true(follow_size(follow_minus(b->position, a->position)) <= speed * frame + 5 * w->step);
    assert_true(fabs(follow_size(b->forward) - 1) < 1e-9);
    if (speed > 0) {
        assert_true(follow_angle(b->velocity, b->forward) < 1e-6);
        assert_true(fabs(b->velocity.y / speed) <= (def->climb < pi / 2 ? sin(def->climb) : 1) + 1e-9);
    }
}

/// The quaternion turns +Z to forward, and +Y to where it does not point down.
static void check_orientation(const vn_agent_motion* m) {
    const double x = (double)m->orientation.x, y = (double)m->orientation.y, z = (double)m->orientation.z,
                 q = (double)m->orientation.w;
    const vn_dvec3 forward = {2 * (x * z + q * y), 2 * (y * z - q * x), 1 - 2 * (x * x + y * y)};
    assert_true(follow_size(follow_minus(forward, m->forward)) < 1e-5);
    assert_true(1 - 2 * (x * x + z * z) > -1e-3);
}

/// Flies until the agent arrives or `most` steps are over.
static void fly(const vn_steering_def* def, follow_world* w, vn_corridor* corridor, vn_agent_motion* motion,
                follow_trace* trace, uint32_t most) {
    bool was_there = false;
    const double there = def->climb < pi / 2 ? def->arrival / 2 : def->arrival;
    vn_corridor_info info;
    vn_corridor_get_info(corridor, &info);
    follow_trace_begin(trace, w, motion->position);
    for (uint32_t steps = 0; motion->state != VN_FOLLOW_ARRIVED && steps < most; ++steps) {
        const vn_agent_motion before = *motion;
        assert_int_equal(vn_steering_step(def, corridor, w->space, frame, motion), VN_OK);
        check_limits(def, w, &before, motion);
        check_orientation(motion);
        follow_trace_add(trace, w, motion->position);

        // once it is there, it stays there
        const double distance = follow_size(follow_minus(motion->position, info.target));
        assert_false(was_there && distance > def->arrival + 5 * w->step);
        was_there = was_there || (distance <= there &&
                                  vn_space_visible_positions(w->space, motion->position, info.target));
    }

    follow_trace_check(trace, w);
}

// --------------------------------------------------------------------------------------------------- flights

typedef struct totals {
    uint32_t flights, arrived;
    double sum, worst;
} totals;

static void fly_in_world(vni_rng* rng, double climb, uint32_t most, totals* t) {
    static follow_trace trace;
    follow_world w = follow_world_make(rng);
    vn_corridor* corridor = make_corridor(vni_rng_below(rng, 4) == 0);
    vn_steering_def def = random_limits(rng);
    vn_path_request request;
    vn_path_result result;
    def.climb = climb;
    if (follow_route(rng, &w, &request, &result)) {
        uint32_t count;
        const vn_point* points = vn_query_points(w.query, &count);
        assert_int_equal(vn_corridor_set(corridor, w.space, points, count), VN_OK);
        vn_agent_motion motion = vn_agent_motion_at(&def, result.start_position, (vn_dvec3){1, 0, 0});
        fly(&def, &w, corridor, &motion, &trace, most);
        const double ratio = trace.travelled / result.length;
        ++t->flights;
        t->arrived += motion.state == VN_FOLLOW_ARRIVED;
        t->sum += ratio;
        t->worst = ratio > t->worst ? ratio : t->worst;
    }

    vn_corridor_destroy(corridor);
    follow_world_free(&w);
}

static void test_flights_are_free_within_limits_and_arrive(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("flights", 1601));
    const uint32_t worlds = vnt_scale(100, 1000);
    totals t = {0};
    for (uint32_t i = 0; i < worlds; ++i)
        fly_in_world(&rng, pi / 2, 19000, &t);

    print_message("%u flights, %u arrive; flown: %.4f times the path, at most %.4f\n", t.flights, t.arrived,
                  t.sum / t.flights, t.worst);
    assert_true(t.flights > worlds / 2);
    assert_int_equal(t.arrived, t.flights);
    assert_true(t.worst <= 1.02);
}

/// A path may be too steep for the agent: then it zigzags. Arrival is not promised, limits and free space
/// are.
static void test_climb_is_never_exceeded(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("climb", 1602));
    const uint32_t worlds = vnt_scale(40, 1000);
    totals t = {0};
    for (uint32_t i = 0; i < worlds; ++i)
        fly_in_world(&rng, 0.2 + 0.8 * vni_rng_real(&rng), 4000, &t);

    print_message("%u flights with a climb of 0.2 to 1, %u arrive in 67 s\n", t.flights, t.arrived);
    assert_true(t.arrived > t.flights / 2);
}

// ------------------------------------------------------------------------------------------- small questions

/// All free, 8 voxels of a metre along each axis.
static follow_world open_world(void) {
    follow_world w = {0};
    const vn_jobs jobs = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
    w.space = vnt_voxels_cells(&voxels, &jobs);
    vnt_voxels_free(&voxels);
    w.step = 1.0 / VN_LATTICE;
    return w;
}

static void test_states(void** state) {
    (void)state;
    follow_world w = open_world();
    vn_corridor* corridor = make_corridor(false);
    const vn_steering_def def = vn_default_steering_def();
    const vn_point path[2] = {{1024, 1024, 1024}, {5 * 1024, 1024, 1024}};
    vn_agent_motion motion = vn_agent_motion_at(&def, (vn_dvec3){1, 1, 1}, (vn_dvec3){0, 0, -2});
    assert_int_equal(vn_steering_step(&def, corridor, w.space, frame, &motion), VN_OK);
    assert_int_equal(motion.state, VN_FOLLOW_IDLE);
    assert_true(fabs(motion.forward.z + 1) < 1e-12); // kept while standing

    // it turns on the spot before it flies
    assert_int_equal(vn_corridor_set(corridor, w.space, path, 2), VN_OK);
    assert_int_equal(vn_steering_step(&def, corridor, w.space, frame, &motion), VN_OK);
    assert_int_equal(motion.state, VN_FOLLOW_MOVING);
    assert_true(follow_size(motion.velocity) == 0);
    assert_true(motion.forward.x > 0);

    for (int i = 0; i < 600 && motion.state != VN_FOLLOW_ARRIVED; ++i)
        assert_int_equal(vn_steering_step(&def, corridor, w.space, frame, &motion), VN_OK);
    assert_int_equal(motion.state, VN_FOLLOW_ARRIVED);
    assert_true(fabs(motion.position.x - 5) <= def.arrival);
    assert_string_equal(vn_follow_state_name(VN_FOLLOW_OFF_PATH), "off-path");
    assert_null(vn_follow_state_name((vn_follow_state)9));
    vn_corridor_destroy(corridor);
    vn_space_destroy(w.space);
}

/// A wall comes up across the path: the agent stops before it and waits.
static void test_waits_before_a_wall(void** state) {
    (void)state;
    follow_world w = open_world();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
    for (int i = 0; i < 64; ++i)
        vnt_voxels_block(&voxels, 4, i % 8, i / 8);
    vn_space* walled = vnt_voxels_space(&voxels);
    vn_corridor* corridor = make_corridor(false);
    const vn_steering_def def = vn_default_steering_def();
    const vn_point path[2] = {{1024, 1500, 1500}, {7 * 1024, 1500, 1500}};
    vn_agent_motion motion =
        vn_agent_motion_at(&def, vn_space_point_to_world(w.space, path[0]), (vn_dvec3){1, 0, 0});
    assert_int_equal(vn_corridor_set(corridor, w.space, path, 2), VN_OK);
    for (int i = 0; i < 30; ++i)
        assert_int_equal(vn_steering_step(&def, corridor, w.space, frame, &motion), VN_OK);
    for (int i = 0; i < 300; ++i) {
        assert_int_equal(vn_steering_step(&def, corridor, walled, frame, &motion), VN_OK);
        assert_true(motion.position.x <= 4 + w.step / 2);
    }

    assert_int_equal(motion.state, VN_FOLLOW_WAITING);
    assert_true(motion.position.x > 3.9);

    // pushed behind the wall's back it sees its path; put where nothing of it is visible, it does not
    motion.position = (vn_dvec3){6, 1, 1};
    assert_int_equal(vn_steering_step(&def, corridor, walled, frame, &motion), VN_OK);
    assert_int_equal(motion.state, VN_FOLLOW_MOVING);
    motion.position = (vn_dvec3){3.5, 1, 1};
    assert_int_equal(vn_steering_step(&def, corridor, walled, frame, &motion), VN_OK);
    assert_int_equal(motion.state, VN_FOLLOW_OFF_PATH);
    vn_corridor_destroy(corridor);
    vnt_voxels_free(&voxels);
    vn_space_destroy(walled);
    vn_space_destroy(w.space);
}

static void test_bad_arguments(void** state) {
    (void)state;
    follow_world w = open_world();
    vn_corridor* corridor = make_corridor(false);
    vn_steering_def def = vn_default_steering_def(), none = {0};
    vn_agent_motion motion = vn_agent_motion_at(&def, (vn_dvec3){1, 1, 1}, (vn_dvec3){0, 0, 0});
    assert_true(motion.forward.z == 1);
    assert_int_equal(vn_steering_step(&none, corridor, w.space, frame, &motion), VN_BAD_DEF);
    assert_int_equal(vn_steering_step(&def, corridor, w.space, 0, &motion), VN_BAD_ARGUMENT);
    assert_int_equal(vn_steering_step(&def, corridor, w.space, NAN, &motion), VN_BAD_ARGUMENT);
    assert_int_equal(vn_steering_move(&def, w.space, frame, (vn_dvec3){NAN, 0, 0}, &motion), VN_BAD_ARGUMENT);
    def.speed = -1;
    assert_int_equal(vn_steering_step(&def, corridor, w.space, frame, &motion), VN_BAD_ARGUMENT);
    def = vn_default_steering_def();
    def.up = (vn_vec3){0, 2, 0};
    assert_int_equal(vn_steering_step(&def, corridor, w.space, frame, &motion), VN_BAD_ARGUMENT);
    def = vn_default_steering_def();
    motion.position.x = 9;
    assert_int_equal(vn_steering_step(&def, corridor, w.space, frame, &motion), VN_OUTSIDE);
    assert_int_equal(vn_steering_move(&def, w.space, frame, (vn_dvec3){1, 0, 0}, &motion), VN_OUTSIDE);
    assert_true(motion.position.x == 9);
    vn_corridor_destroy(corridor);
    vn_space_destroy(w.space);
}

/// Any velocity that a host asks for is brought within the limits, and never leads into a wall.
static void test_any_velocity_is_safe(void** state) {
    (void)state;
    static follow_trace trace;
    vni_rng rng = vni_rng_make(vnt_seed("velocities", 1603));
    for (uint32_t i = 0; i < vnt_scale(40, 1000); ++i) {
        follow_world w = follow_world_make(&rng);
        vn_steering_def def = random_limits(&rng);
        vn_path_request request;
        vn_path_result result;
        def.climb = vni_rng_below(&rng, 2) == 0 ? 2 : 0.1 + vni_rng_real(&rng);
        if (follow_route(&rng, &w, &request, &result)) {
            vn_agent_motion motion = vn_agent_motion_at(&def, result.start_position, (vn_dvec3){0, 0, 1});
            vn_vec3 wish = {0, 0, 0};
            follow_trace_begin(&trace, &w, motion.position);
            for (uint32_t step = 0; step < 400; ++step) {
                const vn_agent_motion before = motion;
                if (step % 20 == 0)
                    wish = follow_random_vec(&rng, -8, 8);
                const vn_dvec3 velocity = {(double)wish.x, (double)wish.y, (double)wish.z};
                assert_int_equal(vn_steering_move(&def, w.space, frame, velocity, &motion), VN_OK);
                check_limits(&def, &w, &before, &motion);
                follow_trace_add(&trace, &w, motion.position);
            }

            follow_trace_check(&trace, &w);
        }

        follow_world_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flights_are_free_within_limits_and_arrive),
        cmocka_unit_test(test_climb_is_never_exceeded),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_waits_before_a_wall),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_any_velocity_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
