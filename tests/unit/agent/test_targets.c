/// agent: targets that are set in every frame, faster than answers come, and targets of agents that something
/// moving has reached.
#include "cmocka_all.h"
#include "volnav/crowd.h"

#include <math.h>
#include <string.h>

enum { HZ = 60, MOVES = 1 };
static const float radius = 0.4f;

/// A room of 16 x 6 x 12 m with a pillar, 2 m thick, in its middle, and a ball that moves.
typedef struct scene {
    vn_nav* nav;
    vn_crowd* crowd;
    vn_obstacle_id ball;
} scene;

static void begin(scene* s) {
    const vn_shape pillar = {.kind = VN_SHAPE_BOX, .as.box = {{7, 0, 5}, {9, 6, 7}}};
    const vn_shape ball = {.kind = VN_SHAPE_SPHERE, .as.sphere = {.radius = 1}};
    const vn_transform at = vn_transform_at(14, 3, 2);
    const vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    vn_crowd_def crowd = vn_default_crowd_def();
    vn_world* world;
    def.mode = VN_NAV_LOCKSTEP;
    def.space.resolution = 0.25f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){16, 6, 12};
    def.layers[0].radius = def.layers[1].radius = radius;
    def.layers[1].open_flags = MOVES;
    def.layer_count = 2;
    crowd.mover_flags = MOVES;

    memset(s, 0, sizeof *s);
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &pillar, NULL, NULL), VN_OK);
    assert_int_equal(vn_world_add_moving(world, &ball, &at, &s->ball, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, s->ball, MOVES), VN_OK);
    assert_int_equal(vn_nav_create(world, &def, &s->nav, NULL), VN_OK);
    assert_int_equal(vn_crowd_create(s->nav, &crowd, &s->crowd, NULL), VN_OK);
}

static void end(scene* s) {
    vn_crowd_destroy(s->crowd);
    vn_nav_destroy(s->nav);
}

static vn_agent_id add_agent(scene* s, double x, double y, double z) {
    vn_agent_def def = vn_default_agent_def();
    vn_agent_id id;
    def.radius = radius;
    def.position = (vn_dvec3){x, y, z};
    assert_int_equal(vn_crowd_add_agent(s->crowd, &def, &id, NULL), VN_OK);
    return id;
}

static vn_agent_info step(scene* s, vn_agent_id id) {
    vn_agent_info info;
    assert_int_equal(vn_crowd_update(s->crowd, 1.0 / HZ, NULL), VN_OK);
    assert_int_equal(vn_crowd_get_agent(s->crowd, id, &info), VN_OK);
    return info;
}

/// The same box, and one that moves, in every frame.
static void test_box_every_frame(void** state) {
    (void)state;
    scene s;
    vn_agent_info info = {.state = VN_AGENT_IDLE};
    begin(&s);
    const vn_agent_id a = add_agent(&s, 2, 3, 6);
    for (int i = 0; i < 8 * HZ && info.state != VN_AGENT_ARRIVED; ++i) {
        assert_int_equal(vn_crowd_go_into(s.crowd, a, (vn_dvec3){12, 1, 5}, (vn_dvec3){15, 5, 8}), VN_OK);
        info = step(&s, a);
    }
    assert_int_equal(info.state, VN_AGENT_ARRIVED);

    for (int i = 0; i < 8 * HZ; ++i) {
        const double x = 1 + i * 0.002;
        assert_int_equal(vn_crowd_go_into(s.crowd, a, (vn_dvec3){x, 1, 5}, (vn_dvec3){x + 1, 5, 8}), VN_OK);
        info = step(&s, a);
    }
    assert_true(info.position.x < 3.2);
    end(&s);
}

static void test_leader_every_frame(void** state) {
    (void)state;
    scene s;
    vn_agent_info info = {.state = VN_AGENT_IDLE};
    begin(&s);
    const vn_agent_id a = add_agent(&s, 2, 3, 6), leader = add_agent(&s, 14, 3, 6);
    for (int i = 0; i < 8 * HZ && info.state != VN_AGENT_ARRIVED; ++i) {
        assert_int_equal(vn_crowd_follow_agent(s.crowd, a, leader, 1.5 + i % 2 * 0.1), VN_OK);
        info = step(&s, a);
    }
    assert_int_equal(info.state, VN_AGENT_ARRIVED);
    info.state = VN_AGENT_IDLE;
    for (int i = 0; i < 8 * HZ && info.state != VN_AGENT_ARRIVED; ++i) {
        assert_int_equal(vn_crowd_follow_obstacle(s.crowd, a, s.ball, 2.5), VN_OK);
        info = step(&s, a);
    }
    assert_int_equal(info.state, VN_AGENT_ARRIVED);
    end(&s);
}

/// An agent that a ball has reached may begin its path elsewhere; its target stays where it is, also when the
/// ball has gone.
static void test_blocked_target_among_movers(void** state) {
    (void)state;
    scene s;
    vn_agent_info info;
    begin(&s);
    const vn_agent_id a = add_agent(&s, 4, 3, 6);
    assert_int_equal(vn_crowd_get_agent(s.crowd, a, &info), VN_OK);
    for (int i = 0; i < 6 * HZ; ++i) {
        const vn_transform there = vn_transform_at(info.position.x, info.position.y, info.position.z),
                           away = vn_transform_at(14, 3, 2);
        assert_int_equal(vn_nav_move(s.nav, s.ball, i < 12 ? &there : &away, NULL), VN_OK);
        if (i == 6) // in the pillar
            assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){8, 3, 6}, 0), VN_OK);
        info = step(&s, a);
        assert_int_not_equal(info.state, VN_AGENT_ARRIVED);
        assert_int_not_equal(info.state, VN_AGENT_MOVING);
    }
    assert_int_equal(info.state, VN_AGENT_NO_PATH);
    assert_int_equal(info.status, VN_GOAL_BLOCKED);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_box_every_frame),
                                       cmocka_unit_test(test_leader_every_frame),
                                       cmocka_unit_test(test_blocked_target_among_movers)};
    return cmocka_run_group_tests_name("agent/targets", tests, NULL, NULL);
}
