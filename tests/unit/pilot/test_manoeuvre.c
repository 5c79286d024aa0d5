/// tests/unit/pilot/test_manoeuvre.c: manoeuvres flown in thought, against the same flown in many small steps
/// by code that knows nothing of them.
#include "cmocka_all.h"
#include "pilot/pilot_inside.h"
#include "spaces.h"
#include "support.h"

#include "base/rng.h"

#include <string.h>

static double draw(vni_rng* rng, double low, double high) {
    return low + (high - low) * vni_rng_real(rng);
}

static vni_vec draw_vec(vni_rng* rng, double size) {
    const double x = draw(rng, -size, size), y = draw(rng, -size, size), z = draw(rng, -size, size);
    return vni_v(x, y, z);
}

static vni_seen draw_seen(vni_rng* rng, double reach) {
    vni_seen s = {.radius = 0.5, .reach = reach};
    s.at = draw_vec(rng, 5);
    s.velocity = draw_vec(rng, 2);
    s.growth = vni_rng_below(rng, 2) == 0 ? 0 : draw(rng, 0, 3);
    return s;
}

static double gap_at(const vni_seen* s, vni_vec place, double time) {
    return vni_length(vni_sub(vni_add_scaled(s->at, s->velocity, time), place)) - s->reach - s->growth * time;
}

/// The time is that at which the gap closes: open before, closed then.
static void test_time_to_meet(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("pilot/manoeuvre/meet", 5));
    uint32_t meetings = 0;
    for (uint32_t i = 0; i < vnt_scale(20000, 1000000); ++i) {
        const vni_seen s = draw_seen(&rng, draw(&rng, 0.1, 2));
        const vni_vec from = draw_vec(&rng, 1), velocity = draw_vec(&rng, 3);
        const double after = draw(&rng, 0, 1), within = draw(&rng, 0, 4);
        const double t = vni_time_to_meet(&s, from, velocity, after, within);
        double first = HUGE_VAL;
        for (int k = 0; k <= 400 && first == HUGE_VAL; ++k) {
            const double at = within * k / 400;
            if (gap_at(&s, vni_add_scaled(from, velocity, at), after + at) < -1e-9)
                first = at;
        }

        if (t == HUGE_VAL) {
            assert_true(first == HUGE_VAL);
            continue;
        }

        ++meetings;
        assert_true(t >= 0);
        assert_true(t <= within);
        assert_true(t <= first + 1e-9);
        if (t > 0)
            assert_true(vni_abs(gap_at(&s, vni_add_scaled(from, velocity, t), after + t)) < 1e-6);
        if (first < HUGE_VAL)
            assert_true(t >= first - within / 400 - 1e-9);
    }

    assert_true(meetings > 1000);
}

/// A pilot in thought only: a free cube of 64 metres with a wall across.
static vn_pilot make_pilot(const vn_space* space, vni_seen* seen) {
    vn_pilot pilot = {.def = vn_default_pilot_def(), .space = space, .seen = seen};
    return pilot;
}

/// Flies a plan by its words, a hundredth of a step at a time.
typedef struct naive {
    vni_vec at, velocity;
    double time, met; ///< seconds until the first meeting
    bool in_wall;
    vni_vec first, low, high; ///< velocity, and the box of all places
} naive;

static void naive_step(const vn_pilot* pilot, naive* n, vni_vec target) {
    const double dt = pilot->def.step, most = pilot->def.acceleration * dt;
    const vni_vec change = vni_sub(target, n->velocity);
    const double size = vni_length(change);
    n->velocity = size <= most ? target : vni_add_scaled(n->velocity, change, most / size);
    if (n->time == 0)
        n->first = n->velocity;
    for (int k = 1; k <= 100; ++k) {
        const vni_vec place = vni_add_scaled(n->at, n->velocity, dt * k / 100);
        const double time = n->time + dt * k / 100;
        for (uint32_t i = 0; i < pilot->seen_count && time <= pilot->def.horizon; ++i)
            if (gap_at(&pilot->seen[i], place, time) < 0 && n->met == HUGE_VAL)
                n->met = time;
        // The wall is the slab 40 to 44 metres along x; the bounds end at 0 and 64.
        n->in_wall = n->in_wall || (place.x > 40.01 && place.x < 43.99) || place.x < -0.01;
    }

    n->at = vni_add_scaled(n->at, n->velocity, dt);
    n->low = vni_min(n->low, n->at);
    n->high = vni_max(n->high, n->at);
    n->time += dt;
}

static naive naive_fly(const vn_pilot* pilot, const vni_manoeuvre* plan) {
    naive n = {.at = pilot->at, .velocity = pilot->velocity, .met = HUGE_VAL};
    n.low = n.high = pilot->at;
    for (uint32_t i = 0; i < plan->count; ++i)
        for (uint32_t k = 0; k < plan->steps[i]; ++k)
            naive_step(pilot, &n, plan->velocity[i]);
    while (n.time < pilot->def.horizon || vni_length(n.velocity) > 0)
        naive_step(pilot, &n, vni_v(0, 0, 0));

    return n;
}

static vni_manoeuvre draw_plan(vni_rng* rng) {
    vni_manoeuvre plan = {.count = vni_rng_below(rng, 4)};
    for (uint32_t i = 0; i < plan.count; ++i) {
        plan.velocity[i] = draw_vec(rng, 3);
        plan.steps[i] = 1 + vni_rng_below(rng, 10);
    }

    return plan;
}

static void compare(const vn_pilot* pilot, const vni_manoeuvre* plan, uint32_t* met, uint32_t* walls) {
    const vni_outcome o = vni_manoeuvre_try(pilot, plan);
    const naive n = naive_fly(pilot, plan);
    if (n.in_wall)
        assert_false(o.walls);
    if (!o.walls) {
        ++*walls;
        return;
    }

    assert_true(vni_length(vni_sub(o.first, n.first)) < 1e-12);
    if (n.met < HUGE_VAL) {
        ++*met;
        assert_true(o.seen <= n.met + 1e-9);
        assert_true(o.seen >= n.met - 0.0011);
    } else if (o.seen < pilot->def.horizon - 0.0011) {
        // A graze between two looks of the naive flight: the gap is that of one look at most.
        vn_pilot larger = *pilot;
        vni_seen seen[8];
        memcpy(seen, pilot->seen, pilot->seen_count * sizeof *seen);
        for (uint32_t i = 0; i < pilot->seen_count; ++i)
            seen[i].reach += 0.01;
        larger.seen = seen;
        assert_true(naive_fly(&larger, plan).met < HUGE_VAL);
    }
}

static void test_try(void** state) {
    (void)state;
    uint8_t* blocked = calloc(16 * 16 * 16, 1);
    assert_non_null(blocked);
    for (int i = 0; i < 16 * 16; ++i)
        blocked[10 + 16 * i] = 1;
    vn_space space = vnt_space_make(16, 16, 16, 4, blocked);
    vni_rng rng = vni_rng_make(vnt_seed("pilot/manoeuvre/try", 6));
    uint32_t met = 0, walls = 0;
    for (uint32_t i = 0; i < vnt_scale(1500, 50000); ++i) {
        vni_seen seen[8];
        vn_pilot pilot = make_pilot(&space, seen);
        pilot.at = vni_add(vni_v(38, 32, 32), draw_vec(&rng, 1.9));
        pilot.velocity = draw_vec(&rng, 2);
        pilot.seen_count = vni_rng_below(&rng, 4);
        for (uint32_t k = 0; k < pilot.seen_count; ++k) {
            seen[k] = draw_seen(&rng, 1.3);
            seen[k].at = vni_add(seen[k].at, pilot.at);
            const double now = vni_length(vni_sub(seen[k].at, pilot.at));
            seen[k].reach = now < 1.3 ? 0.99 * now : 1.3;
        }

        const vni_manoeuvre plan = draw_plan(&rng);
        compare(&pilot, &plan, &met, &walls);
    }

    assert_true(met > 100);
    assert_true(walls > 100);
    vni_occupancy_free(&space.occupancy);
    free(blocked);
}

/// What is left of a plan after its first step is the same flight.
static void test_advance(void** state) {
    (void)state;
    vn_space space = vnt_space_make(16, 16, 16, 4, NULL);
    vni_rng rng = vni_rng_make(vnt_seed("pilot/manoeuvre/advance", 7));
    for (uint32_t i = 0; i < 200; ++i) {
        vn_pilot pilot = make_pilot(&space, NULL);
        pilot.at = vni_v(32, 32, 32);
        vni_manoeuvre plan = draw_plan(&rng);
        const naive whole = naive_fly(&pilot, &plan);
        for (int k = 0; k < 12; ++k) {
            const vni_outcome o = vni_manoeuvre_try(&pilot, &plan);
            assert_true(o.walls);
            pilot.velocity = o.first;
            pilot.at = vni_add_scaled(pilot.at, pilot.velocity, pilot.def.step);
            vni_manoeuvre_advance(&plan);
        }

        assert_true(vni_length(vni_sub(naive_fly(&pilot, &plan).at, whole.at)) < 1e-9);
    }

    vni_occupancy_free(&space.occupancy);
}

/// Braking ends where the steps say.
static void test_rest(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("pilot/manoeuvre/rest", 8));
    vn_pilot pilot = make_pilot(NULL, NULL);
    const vni_manoeuvre none = {.count = 0};
    for (uint32_t i = 0; i < 1000; ++i) {
        pilot.velocity = i % 10 == 0 ? vni_v(0.4 * (i % 9), 0, 0) : draw_vec(&rng, 4);
        const vni_vec end = vni_rest_place(&pilot, pilot.at, pilot.velocity);
        assert_true(vni_length(vni_sub(end, naive_fly(&pilot, &none).at)) < 1e-9);
    }
}

/// Unseen obstacles: a ship that cannot stop within sight is not safe, unless they are ignored.
static void test_unseen(void** state) {
    (void)state;
    vn_space space = vnt_space_make(16, 16, 16, 4, NULL);
    vn_pilot pilot = make_pilot(&space, NULL);
    pilot.at = vni_v(8, 32, 32);
    for (double speed = 0.5; speed < 8; speed += 0.5) {
        const vni_manoeuvre plan = vni_manoeuvre_of(vni_v(speed, 0, 0), 1);
        pilot.velocity = vni_v(speed, 0, 0);
        const vni_outcome o = vni_manoeuvre_try(&pilot, &plan);
        const vni_vec rest = vni_rest_place(&pilot, vni_v(8 + 0.1 * speed, 32, 32), pilot.velocity);
        const double seconds = 0.1 + speed / pilot.def.acceleration;
        const double sure = rest.x - 8 + pilot.def.radius + pilot.def.obstacle_speed * seconds;
        if (sure < pilot.def.radar)
            assert_true(vni_outcome_is_safe(&pilot, &o));
        if (rest.x - 8 + pilot.def.radius > pilot.def.radar) {
            assert_false(vni_outcome_is_safe(&pilot, &o));
            pilot.def.ignore_unseen = true;
            assert_true(vni_outcome_is_safe(&pilot, &o));
            pilot.def.ignore_unseen = false;
        }
    }

    vni_occupancy_free(&space.occupancy);
}

/// One obstacle: the velocity proposed does not meet it, and is the preferred one if that does not.
static void test_propose(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("pilot/manoeuvre/propose", 9));
    uint32_t turned = 0;
    for (uint32_t i = 0; i < vnt_scale(5000, 200000); ++i) {
        vni_seen seen = draw_seen(&rng, 1.3);
        vn_pilot pilot = make_pilot(NULL, &seen);
        seen.growth = 0;
        pilot.seen_count = 1;
        pilot.def.max_speed = 1e6;
        pilot.velocity = draw_vec(&rng, 2);
        const vni_vec preferred = draw_vec(&rng, 2), v = vni_pilot_propose(&pilot, preferred);
        if (vni_length(seen.at) <= seen.reach)
            continue;

        // At the preferred velocity already, and not on a way to meet: on as before.
        vn_pilot settled = pilot;
        settled.velocity = preferred;
        if (vni_time_to_meet(&seen, pilot.at, preferred, 0, pilot.def.horizon) == HUGE_VAL)
            assert_true(vni_length(vni_sub(vni_pilot_propose(&settled, preferred), preferred)) < 1e-9);

        // To the rounding of a tangent: a little smaller, it is not met.
        seen.reach *= 1 - 1e-6;
        assert_true(vni_time_to_meet(&seen, pilot.at, v, 0, pilot.def.horizon) >= pilot.def.horizon - 1e-5);
        turned += vni_length(vni_sub(v, preferred)) > 1e-9;
    }

    assert_true(turned > 500);
}

/// Balls from all sides of a cube of 16 metres: what the tree promises is true, and it never has to leave.
static void test_escape(void** state) {
    (void)state;
    enum { BALLS = 8 };
    vn_space space = vnt_space_make(4, 4, 4, 4, NULL);
    vni_rng rng = vni_rng_make(vnt_seed("pilot/manoeuvre/escape", 10));
    struct vni_escape_node* scratch = malloc(vni_pilot_escape_bytes());
    assert_non_null(scratch);
    uint32_t whole = 0, part = 0;
    for (uint32_t i = 0; i < vnt_scale(150, 5000); ++i) {
        vni_seen seen[BALLS];
        vn_pilot pilot = make_pilot(&space, seen);
        pilot.escape = scratch;
        pilot.at = vni_v(8, 8, 2);
        pilot.velocity = draw_vec(&rng, 1);
        pilot.seen_count = BALLS;
        for (int k = 0; k < BALLS; ++k) {
            seen[k] = draw_seen(&rng, 1.3);
            const vni_vec away = draw_vec(&rng, 1);
            const double length = vni_length(away) + 1e-6;
            seen[k].growth = 0;
            seen[k].at = vni_add_scaled(pilot.at, away, draw(&rng, 2, 5) / length);
            seen[k].velocity = vni_scale(away, -draw(&rng, 1, 5) / length);
        }

        vni_manoeuvre plan = {.count = 0};
        double seconds = 0;
        const bool is_whole = vni_pilot_escape(&pilot, &plan, &seconds);
        assert_true(is_whole == (seconds >= pilot.def.horizon));
        whole += is_whole;
        part += !is_whole;
        if (seconds == 0)
            continue;

        // The pieces of the plan end with the time that was promised.
        const naive n = naive_fly(&pilot, &plan);
        assert_true(n.met > seconds - 1e-9);
        assert_true(n.low.x > -0.01);
        assert_true(n.low.y > -0.01);
        assert_true(n.low.z > -0.01);
        assert_true(n.high.x < 16.01);
        assert_true(n.high.y < 16.01);
        assert_true(n.high.z < 16.01);
        assert_true(vni_manoeuvre_try(&pilot, &plan).seen >= seconds - 1e-9);
    }

    assert_true(whole > 20);
    assert_true(part > 5);
    free(scratch);
    vni_occupancy_free(&space.occupancy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_to_meet), cmocka_unit_test(test_try),    cmocka_unit_test(test_advance),
        cmocka_unit_test(test_rest),         cmocka_unit_test(test_unseen), cmocka_unit_test(test_propose),
        cmocka_unit_test(test_escape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
