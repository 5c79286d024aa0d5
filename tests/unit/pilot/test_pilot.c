/// tests/unit/pilot/test_pilot.c: the autopilot's contract: what is refused, what it says when there is no
/// way, new goals, spaces and places, memory, and that the order of sightings makes no difference.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/pilot.h"
#include "volnav/query.h"

#include <math.h>
#include <string.h>

/// A hall of 20 x 10 x 20 nodes of 2 metres; a wall at x = 20 with a door, which may be shut.
static vn_space* make_hall(bool wall, bool shut, bool cells) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_space* space;
    vn_space_def def = vn_default_space_def();
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    vn_shape low = {.kind = VN_SHAPE_BOX, .as.box = {{21, 1, 1}, {21.5f, 19, 29}}};
    vn_shape high = {.kind = VN_SHAPE_BOX, .as.box = {{21, 1, 35}, {21.5f, 19, 39}}};
    vn_shape door = {.kind = VN_SHAPE_BOX, .as.box = {{21, 1, 29}, {21.5f, 19, 35}}};
    if (wall) {
        assert_int_equal(vn_world_add(world, &low, NULL, NULL), VN_OK);
        assert_int_equal(vn_world_add(world, &high, NULL, NULL), VN_OK);
    }
    if (shut)
        assert_int_equal(vn_world_add(world, &door, NULL, NULL), VN_OK);
    def.resolution = 2;
    def.radius = 0.5f;
    def.cells = cells;
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){40, 20, 40};
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);
    return space;
}

static vn_pilot_def def_in(const vn_space* space, vn_pilot_group group) {
    vn_pilot_def def = vn_default_pilot_def();
    def.group = group;
    def.space = space;
    def.radius = 0.5;
    def.position = (vn_dvec3){5, 5, 5};
    def.goal = (vn_dvec3){35, 15, 5.5};
    return def;
}

static vn_pilot* make_pilot(const vn_pilot_def* def) {
    vn_pilot* pilot;
    vn_detail detail = {0};
    assert_int_equal(vn_pilot_create(def, &pilot, &detail), VN_OK);
    return pilot;
}

/// Steps until the phase is no longer flying; at most so many.
static vn_pilot_state fly(vn_pilot* pilot, int most) {
    vn_pilot_state s;
    for (int i = 0; i < most; ++i) {
        assert_int_equal(vn_pilot_step(pilot, NULL, 0, &s), VN_OK);
        if (s.phase == VN_PILOT_ARRIVED || s.phase == VN_PILOT_LOST)
            return s;
    }

    vn_pilot_get_state(pilot, &s);
    return s;
}

static double apart(vn_dvec3 a, vn_dvec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void test_names(void** state) {
    (void)state;
    for (int i = 0; i < VN_PILOT_GROUP_COUNT; ++i) {
        vn_pilot_group group = VN_PILOT_GROUP_COUNT;
        assert_true(vn_pilot_group_from_name(vn_pilot_group_name((vn_pilot_group)i), &group));
        assert_int_equal(group, i);
    }

    vn_pilot_group group;
    assert_null(vn_pilot_group_name(VN_PILOT_GROUP_COUNT));
    assert_false(vn_pilot_group_from_name("manual", &group));
}

static void expect_refused(const vn_pilot_def* def, vn_status status) {
    vn_pilot* pilot = (vn_pilot*)1;
    vn_detail detail = {0};
    assert_int_equal(vn_pilot_create(def, &pilot, &detail), status);
    assert_null(pilot);
    assert_int_equal(detail.status, status);
    assert_true(strlen(detail.text) > 0);
}

static void test_refused(void** state) {
    (void)state;
    vn_space* space = make_hall(true, false, true);
    const vn_pilot_def good = def_in(space, VN_PILOT_PREDICT);
    vn_pilot_def d = {0};
    expect_refused(&d, VN_BAD_DEF);

#define REFUSED(field, value, status)                                                                        \
    d = good;                                                                                                \
    d.field = (value);                                                                                       \
    expect_refused(&d, (status))
    REFUSED(group, VN_PILOT_GROUP_COUNT, VN_BAD_ARGUMENT);
    REFUSED(space, NULL, VN_BAD_ARGUMENT);
    REFUSED(radius, 0, VN_BAD_ARGUMENT);
    REFUSED(radius, 0.51, VN_BAD_ARGUMENT);
    REFUSED(cruise_speed, NAN, VN_BAD_ARGUMENT);
    REFUSED(max_speed, 2.9, VN_BAD_ARGUMENT);
    REFUSED(acceleration, 0, VN_BAD_ARGUMENT);
    REFUSED(acceleration, 1e-4, VN_BAD_ARGUMENT);
    REFUSED(step, 0, VN_BAD_ARGUMENT);
    REFUSED(step, 1.1, VN_BAD_ARGUMENT);
    REFUSED(radar, -1, VN_BAD_ARGUMENT);
    REFUSED(arrival, 0, VN_BAD_ARGUMENT);
    REFUSED(look_ahead, 0, VN_BAD_ARGUMENT);
    REFUSED(reset_seconds, -1, VN_BAD_ARGUMENT);
    REFUSED(horizon, 6.5, VN_BAD_ARGUMENT);
    REFUSED(margin, -0.1, VN_BAD_ARGUMENT);
    REFUSED(error, -0.1, VN_BAD_ARGUMENT);
    REFUSED(error_rate, INFINITY, VN_BAD_ARGUMENT);
    REFUSED(obstacle_speed, -1, VN_BAD_ARGUMENT);
    REFUSED(max_sightings, 0, VN_BAD_ARGUMENT);
    REFUSED(max_path, 1, VN_BAD_ARGUMENT);
    REFUSED(allocator.alloc, NULL, VN_BAD_ARGUMENT);
    REFUSED(position.x, 21, VN_START_BLOCKED);
    REFUSED(position.x, -1, VN_OUTSIDE);
    REFUSED(goal.x, 21, VN_GOAL_BLOCKED);
    REFUSED(goal.y, NAN, VN_OUTSIDE);
#undef REFUSED
    vn_space_destroy(space);
}

/// All groups fly through the door and stop at the goal.
static void test_arrives(void** state) {
    (void)state;
    for (int cells = 0; cells < 2; ++cells) {
        vn_space* space = make_hall(true, false, cells == 1);
        for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
            const vn_pilot_def def = def_in(space, (vn_pilot_group)g);
            vn_pilot* pilot = make_pilot(&def);
            const vn_pilot_state s = fly(pilot, 1000);
            assert_int_equal(s.phase, VN_PILOT_ARRIVED);
            assert_int_equal(s.reason, VN_OK);
            assert_true(apart(s.position, def.goal) <= def.arrival);

            // It stays there.
            for (int i = 0; i < 30; ++i)
                assert_int_equal(vn_pilot_step(pilot, NULL, 0, NULL), VN_OK);
            vn_pilot_state later;
            vn_pilot_get_state(pilot, &later);
            assert_int_equal(later.phase, VN_PILOT_ARRIVED);
            assert_true(apart(later.position, def.goal) <= def.arrival);
            vn_pilot_destroy(pilot);
        }

        vn_space_destroy(space);
    }
}

static void test_new_goal(void** state) {
    (void)state;
    vn_space* space = make_hall(true, false, true);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        const vn_pilot_def def = def_in(space, (vn_pilot_group)g);
        vn_pilot* pilot = make_pilot(&def);
        fly(pilot, 40);
        assert_int_equal(vn_pilot_set_goal(pilot, (vn_dvec3){21, 5, 5}), VN_GOAL_BLOCKED);
        assert_int_equal(vn_pilot_set_goal(pilot, (vn_dvec3){50, 5, 5}), VN_OUTSIDE);
        assert_int_equal(vn_pilot_set_goal(pilot, (vn_dvec3){3, 3, 37}), VN_OK);
        vn_pilot_state s = fly(pilot, 1000);
        assert_int_equal(s.phase, VN_PILOT_ARRIVED);
        assert_true(apart(s.position, (vn_dvec3){3, 3, 37}) <= def.arrival);

        // From the goal to another one.
        assert_int_equal(vn_pilot_set_goal(pilot, def.goal), VN_OK);
        s = fly(pilot, 1000);
        assert_int_equal(s.phase, VN_PILOT_ARRIVED);
        assert_true(apart(s.position, def.goal) <= def.arrival);
        vn_pilot_destroy(pilot);
    }

    vn_space_destroy(space);
}

/// The door is shut on the way: lost, and why. It opens again: on to the goal.
static void test_new_space(void** state) {
    (void)state;
    vn_space *open = make_hall(true, false, true), *shut = make_hall(true, true, true);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        const vn_pilot_def def = def_in(open, (vn_pilot_group)g);
        vn_pilot* pilot = make_pilot(&def);
        fly(pilot, 40);
        assert_int_equal(vn_pilot_set_space(pilot, shut, NULL), VN_OK);
        vn_pilot_state s;
        vn_pilot_get_state(pilot, &s);
        assert_false(s.verified); // by the old walls only
        for (int i = 0; i < 20; ++i) {
            assert_int_equal(vn_pilot_step(pilot, NULL, 0, &s), VN_OK);
            assert_int_equal(s.phase, VN_PILOT_LOST);
            assert_int_equal(s.reason, VN_NO_PATH);
        }

        assert_int_equal(vn_pilot_set_space(pilot, open, NULL), VN_OK);
        assert_int_equal(fly(pilot, 1000).phase, VN_PILOT_ARRIVED);
        vn_pilot_destroy(pilot);
    }

    vn_space_destroy(open);
    vn_space_destroy(shut);
}

/// A wall comes up around the ship, and around the goal.
static void test_in_a_wall(void** state) {
    (void)state;
    vn_space *without = make_hall(false, false, true), *with = make_hall(true, false, true);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        vn_pilot_def def = def_in(without, (vn_pilot_group)g);
        def.position = (vn_dvec3){21, 5, 7};
        vn_pilot* pilot = make_pilot(&def);
        assert_int_equal(vn_pilot_step(pilot, NULL, 0, NULL), VN_OK);
        assert_int_equal(vn_pilot_set_space(pilot, with, NULL), VN_OK);
        vn_pilot_state s;
        assert_int_equal(vn_pilot_step(pilot, NULL, 0, &s), VN_OK);
        assert_false(s.verified);
        assert_int_equal(fly(pilot, 1000).phase, VN_PILOT_ARRIVED);
        vn_pilot_destroy(pilot);

        def.position = (vn_dvec3){5, 5, 5};
        def.goal = (vn_dvec3){21, 5, 7};
        pilot = make_pilot(&def);
        assert_int_equal(vn_pilot_set_space(pilot, with, NULL), VN_OK);
        s = fly(pilot, 10);
        assert_int_equal(s.phase, VN_PILOT_LOST);
        assert_int_equal(s.reason, VN_GOAL_BLOCKED);
        vn_pilot_destroy(pilot);
    }

    vn_space_destroy(without);
    vn_space_destroy(with);
}

/// The host's physics put the ship elsewhere.
static void test_body(void** state) {
    (void)state;
    vn_space* space = make_hall(true, false, true);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        const vn_pilot_def def = def_in(space, (vn_pilot_group)g);
        vn_pilot* pilot = make_pilot(&def);
        fly(pilot, 40);
        assert_int_equal(vn_pilot_set_body(pilot, (vn_dvec3){NAN, 5, 5}, (vn_dvec3){0, 0, 0}),
                         VN_BAD_ARGUMENT);
        assert_int_equal(vn_pilot_set_body(pilot, (vn_dvec3){4.1, 9.3, 36.2}, (vn_dvec3){1, 0, -1}), VN_OK);
        vn_pilot_state s;
        vn_pilot_get_state(pilot, &s);
        assert_true(apart(s.position, (vn_dvec3){4.1, 9.3, 36.2}) < 1e-9);
        assert_int_equal(fly(pilot, 1000).phase, VN_PILOT_ARRIVED);
        vn_pilot_destroy(pilot);
    }

    vn_space_destroy(space);
}

/// An obstacle that fills the door for good: group 6 stays before it, and never touches it.
static void test_blocked_door(void** state) {
    (void)state;
    vn_space* space = make_hall(true, false, true);
    const vn_pilot_def def = def_in(space, VN_PILOT_PREDICT);
    vn_pilot* pilot = make_pilot(&def);
    const vn_sighting plug = {.id = 1, .position = {21, 10, 32}, .radius = 11, .has_velocity = true};
    for (int i = 0; i < 600; ++i) {
        vn_pilot_state s;
        assert_int_equal(vn_pilot_step(pilot, &plug, 1, &s), VN_OK);
        assert_true(apart(s.position, plug.position) >= plug.radius + def.radius);
        assert_true(s.position.x < 21);
        assert_true(s.verified);
    }

    vn_pilot_destroy(pilot);
    vn_space_destroy(space);
}

static void make_sightings(uint64_t* random, vn_sighting* out, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        double x[7];
        for (int k = 0; k < 7; ++k)
            x[k] = (double)(vn_random_next(random) >> 11) * 0x1p-53;
        out[i] = (vn_sighting){.id = vn_random_next(random), .radius = 0.2 + x[6]};
        out[i].position = (vn_dvec3){40 * x[0], 20 * x[1], 40 * x[2]};
        out[i].has_velocity = i % 2 == 0;
        out[i].velocity = (vn_dvec3){2 * x[3] - 1, 2 * x[4] - 1, 2 * x[5] - 1};
    }
}

/// Two pilots, the same sightings in two orders: the same bytes.
static void test_order(void** state) {
    (void)state;
    enum { SIGHTINGS = 60 };
    vn_space* space = make_hall(true, false, true);
    uint64_t random = vnt_seed("pilot/order", 11);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        const vn_pilot_def def = def_in(space, (vn_pilot_group)g);
        vn_pilot *a = make_pilot(&def), *b = make_pilot(&def);
        vn_sighting sightings[SIGHTINGS], turned[SIGHTINGS];
        make_sightings(&random, sightings, SIGHTINGS);
        for (int i = 0; i < 200; ++i) {
            vn_pilot_state x, y;
            for (int k = 0; k < SIGHTINGS; ++k) {
                sightings[k].position.x += 0.1 * sightings[k].velocity.x;
                sightings[k].position.z += 0.1 * sightings[k].velocity.z;
            }
            for (int k = 0; k < SIGHTINGS; ++k)
                turned[k] = sightings[(k + 17 * i) % SIGHTINGS];
            assert_int_equal(vn_pilot_step(a, sightings, SIGHTINGS, &x), VN_OK);
            assert_int_equal(vn_pilot_step(b, turned, SIGHTINGS, &y), VN_OK);
            assert_memory_equal(&x, &y, sizeof x);
        }

        vn_pilot_destroy(a);
        vn_pilot_destroy(b);
    }

    vn_space_destroy(space);
}

/// What the groups of the thesis do about one obstacle that stands still, on or beside the straight way.
static vn_pilot_stats fly_past(const vn_space* space, vn_pilot_group group, double off, double* top_speed) {
    vn_pilot_def def = def_in(space, group);
    def.goal = (vn_dvec3){35, 5, 5};
    vn_pilot* pilot = make_pilot(&def);
    const vn_sighting c = {.id = 7, .position = {25, 5 + off, 5}, .radius = 0.5, .has_velocity = true};
    vn_pilot_state s = {.phase = VN_PILOT_FLYING};
    double least = HUGE_VAL;
    *top_speed = 0;
    for (int i = 0; i < 1000 && s.phase != VN_PILOT_ARRIVED; ++i) {
        assert_int_equal(vn_pilot_step(pilot, &c, 1, &s), VN_OK);
        *top_speed = fmax(*top_speed, apart(s.velocity, (vn_dvec3){0, 0, 0}));
        least = fmin(least, apart(s.position, c.position));
    }

    assert_int_equal(s.phase, VN_PILOT_ARRIVED);
    assert_true(group == VN_PILOT_NONE ? least < 1 : least >= 1);
    vn_pilot_stats stats;
    vn_pilot_get_stats(pilot, &stats);
    vn_pilot_destroy(pilot);
    return stats;
}

static void test_rules(void** state) {
    (void)state;
    vn_space* space = make_hall(false, false, true);
    double speed;
    vn_pilot_stats s = fly_past(space, VN_PILOT_NONE, 0, &speed);
    assert_int_equal(s.searches, 1);
    assert_int_equal(s.marked, 0);

    // At each of 15 nodes; at the first one after the start; and once it is five nodes ahead.
    s = fly_past(space, VN_PILOT_WHOLE, 0, &speed);
    assert_true(s.searches >= 15);
    s = fly_past(space, VN_PILOT_LOOKUP, 0, &speed);
    assert_int_equal(s.searches, 2);
    assert_int_equal(s.repairs, 0);
    s = fly_past(space, VN_PILOT_FRAGMENT, 0, &speed);
    assert_int_equal(s.searches, 1);
    assert_int_equal(s.repairs, 1);
    assert_int_equal(s.marked, 1);

    // Beside the way: seen by those that look at neighbours, and no reason to turn.
    s = fly_past(space, VN_PILOT_FRAGMENT, 2, &speed);
    assert_int_equal(s.marked, 0);
    s = fly_past(space, VN_PILOT_EXTENDED, 2, &speed);
    assert_true(s.marked > 1); // again after each reset
    assert_int_equal(s.repairs, 0);
    assert_true(speed <= 3 * (1 + 1e-9));
    s = fly_past(space, VN_PILOT_RADAR, 2, &speed);
    assert_true(speed > 4);
    s = fly_past(space, VN_PILOT_RADAR, 14, &speed);
    assert_true(speed <= 3 * (1 + 1e-9));
    s = fly_past(space, VN_PILOT_PREDICT, 0, &speed);
    assert_int_equal(s.unverified, 0);
    vn_space_destroy(space);
}

/// Group 3 looks five nodes ahead, no farther.
static void test_look_ahead(void** state) {
    (void)state;
    vn_space* space = make_hall(false, false, true);
    const vn_sighting c = {.id = 7, .position = {25, 5, 5}, .radius = 0.5, .has_velocity = true};
    for (uint32_t ahead = 5; ahead <= 15; ahead += 10) {
        vn_pilot_def def = def_in(space, VN_PILOT_FRAGMENT);
        def.goal = (vn_dvec3){35, 5, 5};
        def.look_ahead = ahead;
        vn_pilot* pilot = make_pilot(&def);
        vn_pilot_stats stats;
        for (int i = 0; i < 20; ++i) // two nodes far; the obstacle is at the tenth
            assert_int_equal(vn_pilot_step(pilot, &c, 1, NULL), VN_OK);
        vn_pilot_get_stats(pilot, &stats);
        assert_int_equal(stats.repairs, ahead == 5 ? 0 : 1);
        vn_pilot_destroy(pilot);
    }

    vn_space_destroy(space);
}

/// Inside the margin of an obstacle: not stuck there.
static void test_inside_margin(void** state) {
    (void)state;
    vn_space* space = make_hall(false, false, true);
    const vn_pilot_def def = def_in(space, VN_PILOT_PREDICT);
    vn_pilot* pilot = make_pilot(&def);
    const vn_sighting c = {.id = 7, .position = {5, 5, 6.02}, .radius = 0.5, .has_velocity = true};
    vn_pilot_state s = {.phase = VN_PILOT_FLYING};
    for (int i = 0; i < 300 && s.phase != VN_PILOT_ARRIVED; ++i) {
        assert_int_equal(vn_pilot_step(pilot, &c, 1, &s), VN_OK);
        assert_true(s.verified);
        assert_true(apart(s.position, c.position) >= 1.01);
    }

    assert_int_equal(s.phase, VN_PILOT_ARRIVED);
    vn_pilot_destroy(pilot);
    vn_space_destroy(space);
}

/// An obstacle of unknown velocity, seen for the first time, may go anywhere: more distance than from one
/// that is known to stand.
static void test_unknown_velocity(void** state) {
    (void)state;
    vn_space* space = make_hall(false, false, true);
    double far[2];
    for (int known = 0; known < 2; ++known) {
        vn_pilot_def def = def_in(space, VN_PILOT_PREDICT);
        def.position = (vn_dvec3){11, 9, 11};
        def.goal = (vn_dvec3){35, 9, 11};
        vn_pilot* pilot = make_pilot(&def);
        vn_sighting c = {.position = {13.5, 9, 11.2}, .radius = 0.5, .has_velocity = known == 1};
        vn_pilot_state s;
        for (uint64_t i = 0; i < 10; ++i) {
            c.id = i; // always a new one
            assert_int_equal(vn_pilot_step(pilot, &c, 1, &s), VN_OK);
        }
        far[known] = apart(s.position, c.position);
        vn_pilot_destroy(pilot);
    }

    assert_true(far[0] > far[1] + 0.5);
    vn_space_destroy(space);
}

/// Obstacles of any size that stand exactly in the way, alone or side by side: around them.
static void test_bypass(void** state) {
    (void)state;
    vn_space* space = make_hall(false, false, true);
    for (int i = 0; i < 8; ++i) {
        vn_pilot_def def = def_in(space, VN_PILOT_PREDICT);
        def.position = (vn_dvec3){5, 9, 20};
        def.goal = (vn_dvec3){35, 9, 20};
        vn_pilot* pilot = make_pilot(&def);
        vn_sighting c[2] = {
            {.id = 1, .position = {20, 9, 20}, .radius = 0.5 + 0.75 * i, .has_velocity = i % 2 == 0},
            {.id = 2, .position = {20, 9, 20.5 + 0.5 * i}, .radius = 0.5 + 0.5 * i}};
        vn_pilot_state s = {.phase = VN_PILOT_FLYING};
        for (int k = 0; k < 1500 && s.phase != VN_PILOT_ARRIVED; ++k) {
            assert_int_equal(vn_pilot_step(pilot, c, i < 4 ? 1 : 2, &s), VN_OK);
            for (int j = 0; j < (i < 4 ? 1 : 2); ++j)
                assert_true(apart(s.position, c[j].position) >= c[j].radius + def.radius);
        }

        assert_int_equal(s.phase, VN_PILOT_ARRIVED);
        vn_pilot_destroy(pilot);
    }

    vn_space_destroy(space);
}

static void test_bad_sightings(void** state) {
    (void)state;
    vn_space* space = make_hall(true, false, true);
    vn_pilot_def def = def_in(space, VN_PILOT_PREDICT);
    def.max_sightings = 2;
    vn_pilot* pilot = make_pilot(&def);
    vn_sighting c[3] = {{.id = 1, .radius = 1}, {.id = 2, .radius = 1}, {.id = 3, .radius = 1}};
    vn_pilot_stats stats;
    assert_int_equal(vn_pilot_step(pilot, c, 3, NULL), VN_CAPACITY);
    c[0].radius = -1;
    assert_int_equal(vn_pilot_step(pilot, c, 1, NULL), VN_BAD_ARGUMENT);
    c[0].radius = NAN;
    assert_int_equal(vn_pilot_step(pilot, c, 1, NULL), VN_BAD_ARGUMENT);
    c[0].radius = 1;
    c[0].position.y = INFINITY;
    assert_int_equal(vn_pilot_step(pilot, c, 1, NULL), VN_BAD_ARGUMENT);
    c[0].position.y = 0;
    c[0].velocity.x = NAN;
    c[0].has_velocity = true;
    assert_int_equal(vn_pilot_step(pilot, c, 1, NULL), VN_BAD_ARGUMENT);
    vn_pilot_get_stats(pilot, &stats);
    assert_int_equal(stats.steps, 0);

    // A velocity that is not given is not read.
    c[0].has_velocity = false;
    assert_int_equal(vn_pilot_step(pilot, c, 1, NULL), VN_OK);
    vn_pilot_destroy(pilot);
    vn_space_destroy(space);
}

/// A path longer than max_path is a reason, not a crash.
static void test_capacity(void** state) {
    (void)state;
    vn_space* space = make_hall(true, false, true);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        vn_pilot_def def = def_in(space, (vn_pilot_group)g);
        def.max_path = 2;
        vn_pilot* pilot = make_pilot(&def);
        const vn_pilot_state s = fly(pilot, 20);
        assert_int_equal(s.phase, VN_PILOT_LOST);
        assert_int_equal(s.reason, VN_CAPACITY);
        vn_pilot_destroy(pilot);
    }

    vn_space_destroy(space);
}

/// Nothing is allocated while it flies, and the report says what it holds.
static void test_no_allocation(void** state) {
    (void)state;
    vn_space* space = make_hall(true, false, true);
    uint64_t random = 3;
    vn_sighting sightings[40];
    make_sightings(&random, sightings, 40);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
        vnt_memory memory = vnt_memory_make();
        vn_pilot_def def = def_in(space, (vn_pilot_group)g);
        def.allocator = vnt_memory_allocator(&memory);
        vn_pilot* pilot = make_pilot(&def);
        vn_memory report;
        const uint64_t calls = memory.calls;
        vn_pilot_get_memory(pilot, &report);
        assert_int_equal(report.total, memory.live_bytes);
        for (int i = 0; i < 400; ++i)
            assert_int_equal(vn_pilot_step(pilot, sightings, 40, NULL), VN_OK);
        assert_int_equal(vn_pilot_set_goal(pilot, (vn_dvec3){3, 3, 37}), VN_OK);
        for (int i = 0; i < 100; ++i)
            assert_int_equal(vn_pilot_step(pilot, NULL, 0, NULL), VN_OK);
        assert_int_equal(memory.calls, calls);
        vn_pilot_destroy(pilot);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    vn_space_destroy(space);
}

static void test_out_of_memory(void** state) {
    (void)state;
    vn_space *open = make_hall(true, false, true), *grid = make_hall(true, false, false);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g)
        for (uint64_t k = 0;; ++k) {
            vnt_memory memory = vnt_memory_make();
            memory.fail_at = k;
            vn_pilot_def def = def_in(open, (vn_pilot_group)g);
            def.allocator = vnt_memory_allocator(&memory);
            vn_pilot* pilot;
            vn_status status = vn_pilot_create(&def, &pilot, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            if (status != VN_OK) {
                assert_int_equal(memory.live_blocks, 0);
                continue;
            }

            // A space that cannot be taken leaves the old one.
            const uint64_t blocks = memory.live_blocks;
            status = vn_pilot_set_space(pilot, grid, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            if (status != VN_OK)
                assert_int_equal(memory.live_blocks, blocks);
            assert_int_equal(fly(pilot, 1000).phase, VN_PILOT_ARRIVED);
            vn_pilot_destroy(pilot);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
            if (!memory.failed)
                break;
        }

    vn_space_destroy(open);
    vn_space_destroy(grid);
}

/// Is a point within the cube around a centre?
static bool is_within(vn_dvec3 a, vn_dvec3 b, double half) {
    return fabs(a.x - b.x) <= half && fabs(a.y - b.y) <= half && fabs(a.z - b.z) <= half;
}

/// The path begins at the ship, ends at the goal, and what is looked at lies on it.
static void check_ahead(vn_pilot_group group, uint32_t looked_at, double width) {
    enum { MOST = 64 };
    vn_space* space = make_hall(true, false, true);
    const vn_pilot_def def = def_in(space, group);
    vn_pilot* pilot = make_pilot(&def);
    vn_pilot_state s;
    vn_dvec3 path[MOST], lookup[MOST];
    double edge = 0;
    assert_int_equal(vn_pilot_get_path(pilot, path, MOST), 0);
    assert_int_equal(vn_pilot_get_lookup(pilot, lookup, MOST, &edge), 0);
    for (int i = 0; i < 12; ++i)
        assert_int_equal(vn_pilot_step(pilot, NULL, 0, &s), VN_OK);

    const uint32_t count = vn_pilot_get_path(pilot, path, MOST);
    assert_in_range(count, 2, MOST);
    assert_true(is_within(path[0], s.position, 1e-9));
    assert_true(is_within(path[count - 1], def.goal, 1e-6));
    const uint32_t looked = vn_pilot_get_lookup(pilot, lookup, MOST, &edge);
    assert_int_equal(looked, looked_at == UINT32_MAX ? count - 2 : looked_at);
    for (uint32_t i = 0; i + 1 < looked; ++i)
        assert_true(is_within(lookup[i], path[i + 1], 1e-9));
    assert_true(looked == 0 || edge == width);

    vn_dvec3 one = {0, 0, 0}; // no more is written than was asked for
    assert_int_equal(vn_pilot_get_path(pilot, &one, 1), count);
    assert_true(is_within(one, s.position, 1e-9));
    vn_pilot_destroy(pilot);
    vn_space_destroy(space);
}

static void test_ahead(void** state) {
    (void)state;
    check_ahead(VN_PILOT_NONE, 0, 0);
    check_ahead(VN_PILOT_WHOLE, 0, 0);
    check_ahead(VN_PILOT_LOOKUP, UINT32_MAX, 2);
    check_ahead(VN_PILOT_FRAGMENT, 5, 2);
    check_ahead(VN_PILOT_EXTENDED, 5, 6);
    check_ahead(VN_PILOT_RADAR, 5, 6);
    check_ahead(VN_PILOT_PREDICT, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ahead),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_arrives),
        cmocka_unit_test(test_new_goal),      cmocka_unit_test(test_new_space),
        cmocka_unit_test(test_in_a_wall),     cmocka_unit_test(test_body),
        cmocka_unit_test(test_blocked_door),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_bad_sightings), cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_no_allocation), cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_rules),         cmocka_unit_test(test_unknown_velocity),
        cmocka_unit_test(test_bypass),        cmocka_unit_test(test_look_ahead),
        cmocka_unit_test(test_inside_margin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
