#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
/// Steering in random worlds: every step of every flight is free by the exact checker, limits are never
/// exceeded, and the agent arrives without overshoot.
#include "follow_worlds.h"

static const double frame = 1.0 / 60;

static vn_steering_def random_limits(vni_rng* rng) {
    vn_steering_def def = vn_default_steering_def();
    def.speed = 0.5 + 7 * vni_rng_real(rng);
    def.acceleration = 1 + 14 * vni_rng_real(rng);
    def.turn_rate = vni_rng_below(rng, 4) == 0 ? INFINITY : 0.5 + 6 * vni_rng_real(rng);
    return def;
}

/// One step within the limits?
static void check_limits(const vn_steering_def* def, const follow_world* w, const vn_motion* a,
                         const vn_motion* b) {
    const double speed = follow_size(b->velocity);
    if (b->held) print_message("held speed %g acc %g turn %g p %.9g %.9g %.9g f %g %g %g vf %g %g %g step %g\n", follow_size(a->velocity), def->acceleration, def->turn_rate, a->position.x/w->step, a->position.y/w->step, a->position.z/w->step, a->forward.x, a->forward.y, a->forward.z, a->velocity.x*frame/w->step, a->velocity.y*frame/w->step, a->velocity.z*frame/w->step, w->step);
    assert_true(speed <= def->speed * (1 + 1e-9));
    assert_true(follow_size(follow_minus(b->velocity, a->velocity)) <=
                def->acceleration * frame * (1 + 1e-9));
    assert_true(follow_angle(a->forward, b->forward) <= def->turn_rate * frame * (1 + 1e-6));
    assert_true(follow_size(follow_minus(b->position, a->position)) <= speed * frame + 2 * w->step);
    assert_true(fabs(follow_size(b->forward) - 1) < 1e-9);
    if (speed > 0) {
        const double rise = b->velocity.y / speed;
        assert_true(follow_angle(b->velocity, b->forward) < 1e-6);
        assert_true(fabs(rise) <= sin(def->climb) + 1e-9);
    }
}

/// The quaternion turns +Z to forward, and its +Y never points down.
static void check_orientation(const vn_motion* m) {
    const double x = (double)m->orientation.x, y = (double)m->orientation.y, z = (double)m->orientation.z,
                 q = (double)m->orientation.w;
    const vn_dvec3 forward = {2 * (x * z + q * y), 2 * (y * z - q * x), 1 - 2 * (x * x + y * y)};
    assert_true(follow_size(follow_minus(forward, m->forward)) < 1e-5);
    assert_true(1 - 2 * (x * x + z * z) > -1e-3);
}

/// Flies until the agent arrives or `most` steps are over. Returns the steps.
static uint32_t fly(const vn_steering_def* def, follow_world* w, vn_corridor* corridor, vn_motion* motion,
                    follow_trace* trace, uint32_t most) {
    uint32_t steps = 0;
    double least = INFINITY;
    vn_corridor_info info;
    vn_corridor_get_info(corridor, &info);
    follow_trace_add(trace, w, motion->position);
    while (motion->state != VN_FOLLOW_ARRIVED && steps < most) {
        const vn_motion before = *motion;
        assert_int_equal(vn_steering_step(def, corridor, w->space, frame, motion), VN_OK);
        check_limits(def, w, &before, motion);
        check_orientation(motion);
        follow_trace_add(trace, w, motion->position);
        trace->travelled += follow_size(follow_minus(motion->position, before.position));

        // once it is there, it stays there
        const double distance = follow_size(follow_minus(motion->position, info.target));
        if (least <= def->arrival && distance > def->arrival + 2 * w->step) print_message("over %g, speed %g\n", distance, follow_size(motion->velocity));
        least = distance < least && vn_space_visible_positions(w->space, motion->position, info.target) ? distance : least;
        if (getenv("DBG") && getenv("DBGW") ) { vn_corridor_place L; vn_corridor_info in; vn_corridor_get_info(corridor,&in);
          if (vn_corridor_look_ahead(corridor, w->space, 1000, &L)==VN_OK) { vn_point p = follow_point(w, motion->position); print_message("D %u p %d %d %d v %.3f st %d seg %u off %.1f rem %.4f L %d %d %d seg %u\n", steps, p.x,p.y,p.z, follow_size(motion->velocity), motion->state, in.segment, in.offset/w->step, in.remaining, L.point.x,L.point.y,L.point.z,L.segment); } else print_message("D %u lost\n", steps); }
        ++steps;
    }

    return steps;
}

static void test_flights_are_free_within_limits_and_arrive(void** state) {
    (void)state;
    static follow_trace trace;
    vni_rng rng = vni_rng_make(vnt_seed("flights", 1601));
    const uint32_t worlds = vnt_scale(60, 1000);
    uint32_t flights = 0;
    double worst = 0, sum = 0;
    for (uint32_t i = 0; i < worlds; ++i) {
        follow_world w = follow_world_make(&rng);
        vn_corridor_def corridor_def = vn_default_corridor_def();
        vn_corridor* corridor;
        vn_path_request request;
        vn_path_result result;
        corridor_def.max_points = 4096;
        corridor_def.keep_corners = vni_rng_below(&rng, 4) == 0;
        assert_int_equal(vn_corridor_create(&corridor_def, &corridor, NULL), VN_OK);
        if (follow_route(&rng, &w, &request, &result)) {
            const vn_steering_def def = random_limits(&rng);
            uint32_t count;
            const vn_point* points = vn_query_points(w.query, &count);
            assert_int_equal(vn_corridor_set(corridor, w.space, points, count), VN_OK);
            vn_motion motion = vn_motion_at(&def, result.start_position, (vn_dvec3){1, 0, 0});
            trace.count = 0;
            trace.travelled = 0;
            if (getenv("DBG") && (uint32_t)atoi(getenv("DBG")) == i) { setenv("DBGW","1",1); for (uint32_t k=0;k<count;++k) print_message("P%u %d %d %d\n",k,points[k].x,points[k].y,points[k].z);} else unsetenv("DBGW");
            if (getenv("DBGW")) for (int y=5;y<8;++y) for (int k=0;k<4;++k) print_message("P vox %d %d %d free %d\n", 11+k%2, y, 12+k/2, vn_space_voxel_free(w.space,(vn_voxel){11+k%2,y,12+k/2}));
            (void)fly(&def, &w, corridor, &motion, &trace, 19000);
            follow_trace_check(&trace, &w);
            const double ratio = trace.travelled / result.length;
            if (motion.state != VN_FOLLOW_ARRIVED)
                print_message("world %u: %s after %u steps, %g of %g m, speed %g acc %g turn %g\n", i, vn_follow_state_name(motion.state), trace.count,
                              trace.travelled, result.length, def.speed, def.acceleration, def.turn_rate);
            if (motion.state != VN_FOLLOW_ARRIVED) {
                vn_corridor_info info; vn_corridor_place L; uint32_t n; vn_corridor_get_info(corridor, &info);
                const vn_point* P = vn_corridor_points(corridor, &n); vn_point p = follow_point(&w, motion.position);
                vn_dvec3 low = vn_space_point_to_world(w.space, (vn_point){0,0,0});
                print_message("  p %d %d %d (%.4f %.4f %.4f) keep %d seg %u offset %g remaining %g on %d\n", p.x,p.y,p.z,(motion.position.x-low.x)/w.step,(motion.position.y-low.y)/w.step,(motion.position.z-low.z)/w.step, corridor_def.keep_corners, info.segment, info.offset/w.step, info.remaining, info.on_path);
                if (vn_corridor_look_ahead(corridor, w.space, 100, &L) == VN_OK) print_message("  L %d %d %d seg %u ahead %g vis %d\n", L.point.x, L.point.y, L.point.z, L.segment, L.ahead/w.step, vn_space_visible(w.space,p,L.point));
                for (uint32_t k = info.segment; k < n && k < info.segment + 4; ++k) print_message("  P%u %d %d %d vis %d\n", k, P[k].x, P[k].y, P[k].z, vn_space_visible(w.space, p, P[k]));
            }
            if (ratio > 1.02)
                print_message("world %u: ratio %g length %g keep %d speed %g acc %g turn %g points %u\n", i, ratio, result.length, corridor_def.keep_corners, def.speed, def.acceleration, def.turn_rate, count);
            worst = ratio > worst ? ratio : worst;
            sum += ratio;
            ++flights;
        }

        vn_corridor_destroy(corridor);
        follow_world_free(&w);
    }

    print_message("%u flights, travelled %.4f times the path, worst %.4f\n", flights, sum / flights, worst);
    assert_true(flights > worlds / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flights_are_free_within_limits_and_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
