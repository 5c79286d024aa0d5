/// tests/unit/avoid/test_walls.c: agents in random voxel worlds, with random wishes, never leave free space:
/// every step, and the whole way as one polyline, passes the checker. Spaces that change under them.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/avoid.h"
#include "volnav/path.h"
#include "voxels.h"

#include <stdlib.h>

enum { AGENTS = 12, STEPS = 150 };

typedef struct way {
    vn_avoid_agent_id id;
    vn_point points[STEPS + 1];
    uint32_t count;
} way;

static vn_vec3 random_wish(vni_rng* rng) {
    float v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = (float)(4 * vni_rng_real(rng) - 2);
    return (vn_vec3){v[0], v[1], v[2]};
}

static bool add(vn_avoid* avoid, vni_rng* rng, const vnt_voxels* voxels, const vn_space* space, way* w) {
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    vn_voxel v;
    if (!vnt_random_free_voxel(rng, voxels, &v))
        return false;
    // anywhere in the voxel, its faces and corners too
    def.position.x = v.x + (double)vni_rng_below(rng, 5) / 4;
    def.position.y = v.y + (double)vni_rng_below(rng, 5) / 4;
    def.position.z = v.z + (double)vni_rng_below(rng, 5) / 4;
    def.space = space;
    def.max_speed = (float)(0.5 + 4 * vni_rng_real(rng));
    assert_int_equal(vn_avoid_add_agent(avoid, &def, &w->id, NULL), VN_OK);
    assert_int_equal(vn_space_point_from_world(space, def.position, &w->points[0]), VN_OK);
    w->count = 1;
    return true;
}

static void follow(const vn_avoid* avoid, const vn_space* space, way* w) {
    vn_avoid_state state;
    assert_int_equal(vn_avoid_get_agent(avoid, w->id, &state), VN_OK);
    assert_true(state.walled);
    assert_int_equal(vn_space_point_from_world(space, state.position, &w->points[w->count]), VN_OK);
    assert_true(vn_space_check_path(space, &w->points[w->count - 1], 2, NULL));
    ++w->count;
}

static void check_world(vni_rng* rng, way* ways) {
    vnt_voxels voxels = vnt_voxels_random(rng, vnt_random_dims(rng, 14));
    vn_space* space = vnt_voxels_space(&voxels);
    vn_avoid_def def = vn_default_avoid_def();
    vn_avoid* avoid;
    uint32_t count = 0;
    def.mode = (vn_avoid_mode)vni_rng_below(rng, 3);
    def.max_agents = AGENTS;
    assert_int_equal(vn_avoid_create(&def, &avoid, NULL), VN_OK);
    while (count < AGENTS && add(avoid, rng, &voxels, space, &ways[count]))
        ++count;

    const float dt = (float)(0.005 + 0.1 * vni_rng_real(rng));
    for (int step = 0; step < STEPS; ++step) {
        for (uint32_t i = 0; i < count; ++i)
            if (vni_rng_below(rng, 10) == 0)
                assert_int_equal(vn_avoid_set_preferred(avoid, ways[i].id, random_wish(rng)), VN_OK);
        assert_int_equal(vn_avoid_step(avoid, dt), VN_OK);
        for (uint32_t i = 0; i < count; ++i)
            follow(avoid, space, &ways[i]);
    }

    for (uint32_t i = 0; i < count; ++i)
        assert_true(vn_space_check_path(space, ways[i].points, ways[i].count, NULL));
    vn_avoid_destroy(avoid);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_random_worlds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("walls", 1));
    way* ways = malloc(AGENTS * sizeof *ways);
    assert_non_null(ways);
    for (uint32_t i = 0; i < vnt_scale(60, 3000); ++i)
        check_world(&rng, ways);
    free(ways);
}

/// A wall appears where an agent stands: it stops, and goes on when it is free again.
static void test_spaces_change(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 4, 4});
    vn_space* before = vnt_voxels_space(&voxels);
    vnt_voxels_block(&voxels, 2, 1, 1);
    vn_space* after = vnt_voxels_space(&voxels);
    vn_avoid_def def = vn_default_avoid_def();
    vn_avoid_agent_def agent = vn_default_avoid_agent_def();
    vn_avoid_state s;
    vn_avoid* avoid;
    vn_avoid_agent_id id;
    assert_int_equal(vn_avoid_create(&def, &avoid, NULL), VN_OK);
    agent.position = (vn_dvec3){2.5, 1.5, 1.5};
    agent.space = after;
    assert_int_equal(vn_avoid_add_agent(avoid, &agent, &id, NULL), VN_BLOCKED);
    agent.space = before;
    assert_int_equal(vn_avoid_add_agent(avoid, &agent, &id, NULL), VN_OK);
    assert_int_equal(vn_avoid_set_preferred(avoid, id, (vn_vec3){1, 0, 0}), VN_OK);
    assert_int_equal(vn_avoid_set_space(avoid, id, after), VN_BLOCKED);
    assert_int_equal(vn_avoid_step(avoid, 0.1f), VN_OK);
    assert_int_equal(vn_avoid_get_agent(avoid, id, &s), VN_OK);
    assert_true(s.position.x == 2.5);
    assert_false(s.walled);

    assert_int_equal(vn_avoid_set_state(avoid, id, (vn_dvec3){9, 1, 1}, (vn_vec3){0, 0, 0}), VN_OUTSIDE);
    assert_int_equal(vn_avoid_set_space(avoid, id, before), VN_OK);
    for (int i = 0; i < 100; ++i)
        assert_int_equal(vn_avoid_step(avoid, 0.1f), VN_OK);
    assert_int_equal(vn_avoid_get_agent(avoid, id, &s), VN_OK);
    assert_true(s.position.x > 7.9);
    assert_true(s.position.x < 8);
    assert_int_equal(vn_avoid_set_space(avoid, id, NULL), VN_OK);
    assert_int_equal(vn_avoid_step(avoid, 0.1f), VN_OK);
    assert_int_equal(vn_avoid_get_agent(avoid, id, &s), VN_OK);
    assert_true(s.position.x > 8);
    vn_avoid_destroy(avoid);
    vn_space_destroy(before);
    vn_space_destroy(after);
    vnt_voxels_free(&voxels);
}

/// Two agents in a tube too narrow to pass in, that come to see each other at full speed, 0.7 m between them:
/// the least of the distances of their middles.
static double least_in_tube(const float speeds[2], bool second_is_added_first) {
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){40, 1, 1});
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_avoid_def def = vn_default_avoid_def();
    vn_avoid* avoid;
    vn_avoid_agent_id ids[2];
    assert_int_equal(vn_avoid_create(&def, &avoid, NULL), VN_OK);
    for (int turn = 0; turn < 2; ++turn) {
        const int i = second_is_added_first ? 1 - turn : turn;
        vn_avoid_agent_def agent = vn_default_avoid_agent_def();
        agent.radius = 0.9f;
        agent.max_speed = 3;
        agent.position = (vn_dvec3){i == 0 ? 20 : 22.5, 0.5, 0.5};
        agent.space = space;
        assert_int_equal(vn_avoid_add_agent(avoid, &agent, &ids[i], NULL), VN_OK);
        const vn_vec3 velocity = {speeds[i], 0, 0};
        assert_int_equal(vn_avoid_set_preferred(avoid, ids[i], velocity), VN_OK);
        assert_int_equal(vn_avoid_set_state(avoid, ids[i], agent.position, velocity), VN_OK);
    }

    double least = 40;
    for (int step = 0; step < 300; ++step) {
        vn_avoid_state now[2];
        assert_int_equal(vn_avoid_step(avoid, 1.0f / 60), VN_OK);
        for (int i = 0; i < 2; ++i)
            assert_int_equal(vn_avoid_get_agent(avoid, ids[i], &now[i]), VN_OK);
        const double apart = now[1].position.x - now[0].position.x;
        least = apart < least ? apart : least;
    }

    vn_avoid_destroy(avoid);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
    return least;
}

/// None is overtaken, none is run into, whoever comes first in the list.
static void test_tube(void** state) {
    (void)state;
    const float speeds[][2] = {{3, 0.5f}, {3, 0}, {3, -3}, {0, -3}, {0.5f, -2}};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; ++i)
        for (int first = 0; first < 2; ++first) {
            const double least = least_in_tube(speeds[i], first);
            print_message("%.1f behind %.1f: %.3f m apart\n", (double)speeds[i][0], (double)speeds[i][1],
                          least);
            assert_true(least > 0.98 * 1.8);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_worlds),
                                       cmocka_unit_test(test_spaces_change), cmocka_unit_test(test_tube)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
