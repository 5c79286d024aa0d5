/// tests/unit/run/test_worlds.c: agents from goal to goal in the worlds of Albertini 2022 and Massonnat 2023
/// and in a wreck, and the judge of walls that are no boxes.
#include "fly.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/swarm.h"

/// The n-th variant of a scene; false after the last.
static bool choose(const char* scene, int n, char* out, size_t size) {
    uint32_t index;
    assert_true(vn_run_scene_find(scene, &index));
    const char* at = vn_run_scene_variants(index);
    for (; n > 0 && at != NULL; --n)
        at = strchr(at, ' ') != NULL ? strchr(at, ' ') + 1 : NULL;
    if (at != NULL)
        snprintf(out, size, "%.*s", (int)strcspn(at, " "), at);
    return at != NULL;
}

static vn_run_def def_of(const char* scene, const char* variant, double seconds) {
    vn_run_def def = vn_default_run_def();
    def.scene = scene;
    def.variant = variant;
    def.limit = seconds;
    return def;
}

/// Nothing is touched in any variant, and agents get on. Returns how many there are.
static int fly_all(const char* scene, double seconds, uint32_t movers) {
    char variant[32];
    int count = 0;
    for (; choose(scene, count, variant, sizeof variant); ++count) {
        const vn_run_def def = def_of(scene, variant, seconds);
        const vn_run_result r = fly(&def);
        print_message("%s %s: %u goals, clearance %.3f, agents %.3f, walls %.3f m\n", scene, variant, r.goals,
                      r.clearance, r.agent_clearance, r.wall_clearance);
        assert_int_equal(r.end, VN_RUN_ARRIVED);
        assert_int_equal(r.collisions, 0);
        assert_int_equal(r.wall_hits, 0);
        assert_int_equal(r.agent_hits, 0);
        assert_true(r.agent_clearance > 0);
        assert_true(r.wall_clearance > 0);
        assert_int_equal(r.clearance<HUGE_VAL, movers> 0);
        assert_true(r.calls >= r.agents);
        assert_true(r.length > 0.2 * seconds * (scene[0] == 'a' ? 24 : 1) * r.agents);
    }
    return count;
}

static void test_albertini(void** state) {
    (void)state;
    assert_int_equal(fly_all("albertini", vnt_scale(3, 60), 0), 5);
}

static void test_massonnat(void** state) {
    (void)state;
    assert_int_equal(fly_all("massonnat", vnt_scale(3, 30), 8), 6);
}

static void test_debris(void** state) {
    (void)state;
    assert_int_equal(fly_all("debris", vnt_scale(5, 60), 16), 1);
}

/// Agents that reach a goal get another one.
static void test_goals(void** state) {
    (void)state;
    const vn_run_def def = def_of("massonnat", "industrial", 8);
    assert_true(fly(&def).goals > 5);
}

static void test_same_again(void** state) {
    (void)state;
    const char* const names[] = {"albertini", "massonnat", "debris"};
    for (int i = 0; i < 3; ++i) {
        vn_run_def def = def_of(names[i], NULL, 1);
        const uint64_t first = fly(&def).hash;
        assert_true(fly(&def).hash == first);
        def.seed = 2;
        assert_true(fly(&def).hash != first);
    }
}

/// Albertini's agents have random speeds, half and half again of the mean.
static void test_speeds(void** state) {
    (void)state;
    vn_run_def def = def_of("albertini", "sparse", 3);
    vn_run_view view;
    vn_run* run = NULL;
    double slowest = HUGE_VAL, fastest = 0;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
    while (vn_run_step(run, NULL) == VN_RUNNING)
        continue;
    vn_run_get_view(run, &view);
    assert_int_equal(view.agent_count, 30);
    for (uint32_t i = 0; i < view.agent_count; ++i) {
        const vn_dvec3 v = view.agents[i].velocity;
        const double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        fastest = speed > fastest ? speed : fastest;
        slowest = speed < slowest ? speed : slowest;
    }
    assert_true(fastest > 50);
    assert_true(fastest < 72.1);
    assert_true(slowest < 40);
    vn_run_destroy(run);
}

/// An agent that is made to fly through the wall of the world "wall" hits it once; beside it, it does not.
static void test_judge(void** state) {
    (void)state;
    vn_run_def def = def_of("albertini", "wall", 3);
    vn_run* run = NULL;
    vn_run_view view;
    def.agents = 1;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
    vn_run_get_view(run, &view);
    assert_non_null(view.world);
    assert_true(view.bounds.max.x == 1024);

    vni_swarm* swarm = run->self;
    swarm->agents[0].at = (vn_dvec3){100, 500, 500};
    swarm->agents[0].to = (vn_dvec3){420, 500, 500};
    vni_swarm_judge(swarm);
    assert_int_equal(run->result.wall_hits, 0);
    assert_true(fabs(run->result.wall_clearance - (432 - 420 - 5)) < 0.05);
    swarm->agents[0].to = (vn_dvec3){900, 500, 500};
    vni_swarm_judge(swarm);
    vni_swarm_judge(swarm);
    assert_int_equal(run->result.wall_hits, 1);
    assert_true(run->result.wall_clearance <= -5 + 1e-6);
    vn_run_destroy(run);
}

/// A map of voxels in place of the wreck: two halls of 20 m with a hole of 6 m between them.
static void test_map(void** state) {
    (void)state;
    static vn_voxel voxels[20 * 20 + 2];
    uint64_t count = 0;
    for (int i = 0; i < 20 * 20; ++i)
        if (i % 20 < 7 || i % 20 >= 13 || i / 20 < 7 || i / 20 >= 13)
            voxels[count++] = (vn_voxel){20, i % 20, i / 20};
    voxels[count++] = (vn_voxel){0, 0, 0};
    voxels[count++] = (vn_voxel){40, 19, 19};
    const vn_shape shape = {
        .kind = VN_SHAPE_VOXELS,
        .as.voxels = {.size = 1, .dims = {41, 20, 20}, .voxels = voxels, .voxel_count = count}};
    vn_run_def def = def_of("debris", NULL, 6);
    def.map = &shape;
    def.agents = 12;
    def.obstacles = 2;
    const vn_run_result r = fly(&def);
    assert_int_equal(r.collisions + r.wall_hits + r.agent_hits, 0);
    assert_true(r.goals > 5);
    assert_true(r.wall_clearance < 20);
    assert_true(fly(&def).hash == r.hash);

    vn_run* run = NULL;
    def.record = true;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_UNSUPPORTED);
    def.record = false;
    def.scene = "reef";
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_UNSUPPORTED);
    assert_null(run);
}

/// A step beyond the bounds is a hit too.
static void test_judge_outside(void** state) {
    (void)state;
    vn_run_def def = def_of("massonnat", "zigzag", 3);
    vn_run* run = NULL;
    def.agents = 1;
    def.obstacles = 0;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
    vni_swarm* swarm = run->self;
    swarm->agents[0].to = (vn_dvec3){10, 25, 10};
    vni_swarm_judge(swarm);
    assert_int_equal(run->result.wall_hits, 1);
    vn_run_destroy(run);
}

static void test_refusals(void** state) {
    (void)state;
    vn_run* run = NULL;
    vn_run_def def = def_of("albertini", "cave", 1);
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_NOT_FOUND);
    def = def_of("albertini", NULL, 1);
    def.obstacles = 1;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_UNSUPPORTED);
    def = def_of("massonnat", NULL, 1);
    def.obstacles = 33;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_TOO_LARGE);
    assert_null(run);
}

static void test_no_memory(void** state) {
    (void)state;
    vn_run_def def = def_of("massonnat", "zigzag", 1);
    def.agents = 1;
    def.obstacles = 1;
    make_without_memory(def, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_albertini), cmocka_unit_test(test_massonnat),     cmocka_unit_test(test_debris),
        cmocka_unit_test(test_goals),     cmocka_unit_test(test_same_again),    cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_judge),     cmocka_unit_test(test_judge_outside), cmocka_unit_test(test_map),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
