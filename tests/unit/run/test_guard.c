/// tests/unit/run/test_guard.c: what movers of Krafft's scene may reach, against where they come to be; and
/// manoeuvres that stay verified until they end.
#include "cmocka_all.h"

#include "run/guard.h"
#include "run/run_inside.h"
#include "support.h"

static double real(uint64_t* random, double low, double high) {
    return low + (high - low) * ((double)(vn_random_next(random) >> 11) / 9007199254740992.0);
}

static vn_dvec3 place(uint64_t* random) {
    const double x = real(random, 0, 64), y = real(random, 0, 56), z = real(random, 0, 16);
    return (vn_dvec3){x, y, z};
}

static vn_moving_scene* make_scene(uint64_t seed) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_moving_scene* scene;
    def.seed = seed;
    assert_int_equal(vn_moving_scene_create(&def, &scene, NULL), VN_OK);
    return scene;
}

static vn_mover_state state_at(const vn_moving_scene* scene, uint32_t mover, double seconds) {
    vn_mover_state state;
    assert_int_equal(vn_moving_scene_get_state(scene, mover, seconds, NULL, &state), VN_OK);
    return state;
}

/// A mover is never nearer than what it may reach; a rotor is there exactly.
static void test_reach(void** state) {
    (void)state;
    uint64_t random = vnt_seed("guard/reach", 5);
    const uint32_t rounds = vnt_scale(3000, 200000);
    vn_moving_scene* scene = make_scene(3);
    vn_moving_scene_info info;
    vn_moving_scene_get_info(scene, &info);
    for (uint32_t i = 0; i < rounds; ++i) {
        const uint32_t mover = (uint32_t)(vn_random_next(&random) % info.movers);
        const double factor = real(&random, 0.5, 2), then = real(&random, 0, 60), age = real(&random, 0, 0.5),
                     ahead = real(&random, 0, 8);
        const vn_dvec3 p = place(&random);
        vn_mover_info m;
        vn_moving_scene_get_mover(scene, mover, &m);
        const vn_mover_state seen = state_at(scene, mover, then);
        const vni_reach reach = vni_reach_mover(&m, &seen, factor, age);
        const vn_mover_state later = state_at(scene, mover, then + factor * (age + ahead));
        const double depth = vni_judge_depth(p, &m.shape, &later.transform),
                     real_distance = depth > 0 ? depth : 0;
        const double distance = vni_reach_distance(&reach, p, ahead);
        assert_true(distance <= real_distance + 1e-4);
        assert_true(vni_reach_distance_ever(&reach, p) <= distance + 1e-4);
        if (m.kind == VN_MOTION_TURN)
            assert_true(distance >= real_distance - 1e-4);
    }
    vn_moving_scene_destroy(scene);
}

static void look(const vn_moving_scene* scene, double seconds, vn_dvec3 at, vni_guard* g) {
    vn_moving_scene_info info;
    vn_moving_scene_get_info(scene, &info);
    *g = (vni_guard){.low = {0, 0, 0}, .high = {64, 56, 16}, .step = 0.1, .speed = 6, .acceleration = 8};
    for (uint32_t i = 0; i < info.walls; ++i) {
        const vn_box wall = vn_moving_scene_wall(scene, i);
        g->reach[g->count++] = vni_reach_wall(&wall);
    }
    for (uint32_t i = 0; i < info.movers; ++i) {
        vn_mover_info m;
        const vn_mover_state s = state_at(scene, i, seconds - 0.3);
        vn_moving_scene_get_mover(scene, i, &m);
        g->reach[g->count++] = vni_reach_mover(&m, &s, 1, 0.3);
    }
    vni_guard_look(g, at);
}

/// Flies a verified manoeuvre to its end: it stays verified, and the true boxes keep away.
static void fly(const vn_moving_scene* scene, double seconds, vn_dvec3 at, vni_plan* plan) {
    vni_guard g;
    vn_moving_scene_info info;
    vn_moving_scene_get_info(scene, &info);
    while (plan->count > 0) {
        at = vni_sum(at, vni_scaled(plan->velocity[0], 0.1));
        seconds += 0.1;
        vni_plan_advance(plan);
        look(scene, seconds, at, &g);
        assert_true(vni_guard_try(&g, at, plan, 0.45) == HUGE_VAL);
        for (uint32_t i = 0; i < info.movers; ++i) {
            vn_mover_info m;
            const vn_mover_state s = state_at(scene, i, seconds);
            vn_moving_scene_get_mover(scene, i, &m);
            assert_true(vni_judge_depth(at, &m.shape, &s.transform) >= 0.5 - 1e-4);
        }
    }
}

static void test_manoeuvres(void** state) {
    (void)state;
    uint64_t random = vnt_seed("guard/manoeuvres", 6);
    const uint32_t rounds = vnt_scale(2000, 100000);
    vn_moving_scene* scene = make_scene(8);
    uint32_t verified = 0;
    for (uint32_t i = 0; i < rounds; ++i) {
        const double seconds = real(&random, 1, 60);
        const vn_dvec3 at = place(&random), from = vni_scaled(vni_difference(place(&random), at), 0.1),
                       to = vni_scaled(vni_difference(place(&random), at), 0.1);
        const uint32_t steps = 1 + (uint32_t)(vn_random_next(&random) % 30);
        vni_guard g;
        vni_plan plan = {.count = 0};
        look(scene, seconds, at, &g);
        assert_true(vni_guard_hold(&g, &plan, from, to, steps));
        if (vni_guard_try(&g, at, &plan, 0.5) == HUGE_VAL) {
            ++verified;
            fly(scene, seconds, at, &plan);
        }
    }
    assert_true(verified > rounds / 50);
    vn_moving_scene_destroy(scene);
}

/// Braking takes what the acceleration allows, and plans that do not fit are refused.
static void test_plans(void** state) {
    (void)state;
    const vni_guard g = {.low = {-9, -9, -9}, .high = {9, 9, 9}, .step = 0.1, .speed = 6, .acceleration = 8};
    const vn_dvec3 rest = {0, 0, 0}, fast = {6, 0, 0};
    vni_plan plan = {.count = 0};
    assert_true(vni_guard_hold(&g, &plan, rest, fast, 8));
    assert_int_equal(plan.count, 16);
    assert_true(plan.velocity[0].x > 0.8 - 1e-9 && plan.velocity[0].x < 0.8 + 1e-9);
    assert_true(plan.velocity[7].x == 6 && plan.velocity[15].x == 0);
    assert_true(vni_guard_try(&g, rest, &plan, 0.5) == HUGE_VAL);
    assert_true(vni_guard_try(&g, (vn_dvec3){8, 0, 0}, &plan, 0.5) < 1); // out of the bounds
    assert_false(vni_guard_hold(&g, &plan, rest, fast, VNI_PLAN_STEPS));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reach), cmocka_unit_test(test_manoeuvres),
                                       cmocka_unit_test(test_plans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
