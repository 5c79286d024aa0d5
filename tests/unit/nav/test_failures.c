/// nav: every allocation of a script of changes fails in turn; world, ids, nav and a fresh bake agree
/// afterwards.
///
/// A twin, a plain world, gets each call for which the nav has returned VN_OK, and nothing else. Its ids must
/// be those that the nav gave, and once allocations succeed again, its bake must equal what the nav shows.
#include "scene.h"

#include "nav/nav_inside.h"

#define MOST 24

typedef struct trial {
    vnt_memory memory;
    uint32_t failures; ///< in a row, from the first on
    vn_nav* nav;
    vn_world* twin;
    vn_obstacle_id ids[MOST];
    bool alive[MOST];
    vn_zone_id zones[MOST];
    bool zone_alive[MOST];
    uint32_t submitted, finished;
} trial;

/// Checks the status of a call that may fail only for lack of memory.
static bool worked(trial* t, vn_status status) {
    assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
    if (t->memory.failed && t->failures > 1) { // the next allocations fail, too
        --t->failures;
        t->memory.failed = false;
        t->memory.fail_at = t->memory.calls;
    }

    return status == VN_OK;
}

// ------------------------------------------------------------------------------------- steps of a script

static vn_shape shape_of(uint32_t number) {
    static const vn_voxel voxels[3] = {{0, 0, 0}, {1, 0, 0}, {4, 4, 1}};
    static vn_vec3 corners[8];
    switch (number % 6) {
    case 0: return vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(2, 3, 2));
    case 1: return vnt_sphere_shape(vnt_vec(0, 0, 0), 2);
    case 2: return vnt_hull_shape();
    case 3: return vnt_voxels_shape((vn_voxel){5, 5, 2}, 1, voxels, 3);
    case 4: return vnt_oriented_shape(vnt_vec(0, 0, 0), vnt_vec(1, 1, 2), (vn_quat){0, 0.6f, 0, 0.8f});
    default: return vnt_box_mesh(vnt_vec(9, 9, 9), vnt_vec(13, 13, 13), true, corners);
    }
}

static void add(trial* t, uint32_t at, uint32_t kind, const vn_transform* transform, uint32_t flags) {
    const vn_shape shape = shape_of(kind);
    vn_obstacle_id twin_id;
    if (!worked(t, transform ? vn_nav_add_moving(t->nav, &shape, transform, flags, &t->ids[at], NULL)
                             : vn_nav_add(t->nav, &shape, flags, &t->ids[at], NULL)))
        return;

    assert_int_equal(transform ? vn_world_add_moving(t->twin, &shape, transform, &twin_id, NULL)
                               : vn_world_add(t->twin, &shape, &twin_id, NULL),
                     VN_OK);
    assert_int_equal(vn_world_set_flags(t->twin, twin_id, flags), VN_OK);
    assert_int_equal(t->ids[at].index1, twin_id.index1);
    assert_int_equal(t->ids[at].generation, twin_id.generation);
    t->alive[at] = true;
}

static void move(trial* t, uint32_t at, float x, float y, float z) {
    const vn_transform transform = scene_at(x, y, z);
    if (t->alive[at] && worked(t, vn_nav_move(t->nav, t->ids[at], &transform, NULL)))
        assert_int_equal(vn_world_move(t->twin, t->ids[at], &transform, NULL), VN_OK);
}

static void set_flags(trial* t, uint32_t at, uint32_t flags) {
    if (t->alive[at] && worked(t, vn_nav_set_flags(t->nav, t->ids[at], flags)))
        assert_int_equal(vn_world_set_flags(t->twin, t->ids[at], flags), VN_OK);
}

static void remove_it(trial* t, uint32_t at) {
    if (!t->alive[at] || !worked(t, vn_nav_remove(t->nav, t->ids[at])))
        return;
    assert_int_equal(vn_world_remove(t->twin, t->ids[at]), VN_OK);
    t->alive[at] = false;
}

static void add_zone(trial* t, uint32_t at, uint32_t kind) {
    vn_zone_def def = vn_default_zone_def();
    vn_zone_id twin_id;
    def.shape = shape_of(kind);
    def.factor = 2 + (float)at;
    def.transform = scene_at(4, 4, 4);

    if (!worked(t, vn_nav_add_zone(t->nav, &def, &t->zones[at], NULL)))
        return;
    assert_int_equal(vn_world_add_zone(t->twin, &def, &twin_id, NULL), VN_OK);
    assert_int_equal(t->zones[at].index1, twin_id.index1);
    assert_int_equal(t->zones[at].generation, twin_id.generation);
    t->zone_alive[at] = true;
}

static void move_zone(trial* t, uint32_t at, float x, float y, float z) {
    const vn_transform transform = scene_at(x, y, z);
    if (t->zone_alive[at] && worked(t, vn_nav_move_zone(t->nav, t->zones[at], &transform, NULL)))
        assert_int_equal(vn_world_move_zone(t->twin, t->zones[at], &transform, NULL), VN_OK);
}

static void remove_zone(trial* t, uint32_t at) {
    if (!t->zone_alive[at] || !worked(t, vn_nav_remove_zone(t->nav, t->zones[at])))
        return;
    assert_int_equal(vn_world_remove_zone(t->twin, t->zones[at]), VN_OK);
    t->zone_alive[at] = false;
}

static void submit(trial* t) {
    vn_nav_request request = vn_default_nav_request();
    vn_request_id request_id;
    request.path.start = scene_point(1, 1, 1);
    request.path.goal = scene_point(14, 1, 14);
    request.path.snap_distance = 10;
    t->submitted += worked(t, vn_nav_submit(t->nav, &request, &request_id, NULL));
}

static void collect(trial* t) {
    vn_nav_result result;
    while (vn_nav_next_result(t->nav, &result)) {
        assert_true(result.result.status == VN_OUT_OF_MEMORY || result.result.status == VN_OK);
        scene_check(&result);
        vn_nav_release_result(t->nav, result.id);
        ++t->finished;
    }
}

static void tick(trial* t) {
    (void)worked(t, vn_nav_tick(t->nav, NULL));
    collect(t);
}

/// Slots are used again, obstacles of every kind come, move and go, and zones with them.
static void play(trial* t) {
    const vn_transform here = scene_at(3, 3, 3), there = scene_at(8, 4, 8);
    add(t, 0, 5, NULL, 0);
    add(t, 1, 1, &here, 0);
    add(t, 2, 2, &there, 2);
    add_zone(t, 0, 0);
    tick(t);
    move(t, 1, 6, 6, 6);
    set_flags(t, 0, 2);
    add(t, 3, 3, &there, 0);
    submit(t);
    tick(t);
    remove_it(t, 0);
    add(t, 4, 0, NULL, 0);
    add(t, 5, 4, &here, 0);
    move(t, 3, 1, 8, 8);
    move_zone(t, 0, 9, 9, 9);
    add_zone(t, 1, 2);
    tick(t);
    remove_it(t, 1);
    remove_it(t, 3);
    remove_zone(t, 0);

    tick(t);
    for (uint32_t i = 6; i < 20; ++i) // so many that tables grow
        add(t, i, i % 5, i % 2 ? &here : NULL, i % 3 ? 0 : 2);

    set_flags(t, 2, 0);
    remove_it(t, 4);
    add_zone(t, 2, 1);
    submit(t);

    tick(t);
    for (uint32_t i = 7; i < 20; i += 4)
        move(t, i, (float)(i / 2), 5, (float)(i / 3));

    tick(t);
    tick(t);
}

// ------------------------------------------------------------------------------------------------ comparing

static void assert_same_zones(trial* t, uint64_t version) {
    vn_zone expected[VN_MAX_ZONES];
    const vn_zone* zones;
    uint32_t count, expected_count;
    assert_int_equal(vn_nav_get_zones(t->nav, version, &zones, &count), VN_OK);
    assert_int_equal(vn_world_get_zones(t->twin, expected, VN_MAX_ZONES, &expected_count), VN_OK);

    assert_int_equal(count, expected_count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(zones[i].factor == expected[i].factor);
        assert_true(zones[i].kind == expected[i].kind);
        assert_memory_equal(&zones[i].box, &expected[i].box, sizeof zones[i].box);
        assert_memory_equal(&zones[i].center, &expected[i].center, sizeof zones[i].center);
        assert_int_equal(zones[i].plane_count, expected[i].plane_count);
    }
}

static void assert_same_space(trial* t, const vn_nav_def* def, uint32_t layer) {
    vn_space_def space_def = def->space;
    vn_space* baked;
    uint64_t version;
    space_def.allocator = vn_default_allocator();
    space_def.radius = def->layers[layer].radius;
    space_def.open_flags = def->layers[layer].open_flags;
    assert_int_equal(vn_space_bake(t->twin, &space_def, &baked, NULL), VN_OK);

    const vn_space* shown = vn_nav_pin(t->nav, (double)space_def.radius, space_def.open_flags, &version);
    assert_true(vn_space_content_hash(shown) == vn_space_content_hash(baked));
    assert_int_equal(vn_space_validate(shown, NULL), VN_OK);
    assert_same_zones(t, version);
    assert_int_equal(vn_nav_unpin(t->nav, version), VN_OK);
    vn_space_destroy(baked);
}

static void assert_same_obstacles(const trial* t) {
    for (uint32_t i = 0; i < MOST; ++i) {
        vn_transform transform, expected;
        assert_true(vn_nav_has(t->nav, t->ids[i]) == t->alive[i]);
        assert_true(vn_nav_has_zone(t->nav, t->zones[i]) == t->zone_alive[i]);
        if (!t->alive[i])
            continue;

        const vn_status status = vn_world_get_transform(t->twin, t->ids[i], &expected);
        assert_int_equal(vn_nav_get_transform(t->nav, t->ids[i], &transform), status);
        if (status == VN_OK)
            assert_memory_equal(&transform, &expected, sizeof transform);
    }
}

/// Allocations succeed again: every change that returned VN_OK must show.
static void settle(trial* t) {
    vn_nav_stats stats;
    t->memory.fail_at = UINT64_MAX;
    t->failures = 0;
    submit(t); // the last moment
    for (uint32_t i = 0; i < 12; ++i)
        tick(t);

    vn_nav_get_stats(t->nav, &stats);
    assert_true(stats.pending_changes == 0);
    assert_true(stats.version_lag == 0);
    assert_int_equal(t->finished, t->submitted);
}

static void assert_all_the_same(trial* t, const vn_nav_def* def) {
    assert_true(vn_world_hash(t->nav->fixed.world) == vn_world_hash(t->twin));
    assert_int_equal(vn_world_count(t->nav->fixed.world), vn_world_count(t->twin));
    assert_same_obstacles(t);
    for (uint32_t i = 0; i < def->layer_count; ++i)
        assert_same_space(t, def, i);
}

// --------------------------------------------------------------------------------------------------- trials

static vn_nav_def def_of(vnt_memory* memory, vn_nav_mode mode, vn_update_policy policy) {
    vn_nav_def def = scene_small_def(memory);
    def.mode = mode;
    def.policy = policy;
    def.space.bounds = (vn_box){{0, 0, 0}, {16, 10, 16}};
    def.max_requests = 4;
    def.max_points = 32;
    def.max_watches = 0;
    def.layer_count = 2;
    def.layers[0] = (vn_layer_def){0, 0};
    def.layers[1] = (vn_layer_def){0, 2};

    return def;
}

/// `failures` allocations fail, from number k on. False if there are fewer than k.
static bool run(vn_nav_mode mode, vn_update_policy policy, uint64_t k, uint32_t failures) {
    trial t;
    memset(&t, 0, sizeof t);
    t.memory = vnt_memory_make();
    const vn_nav_def def = def_of(&t.memory, mode, policy);
    vn_world_def twin_def = vn_default_world_def(), world_def = vn_default_world_def();
    vn_world* world;
    world_def.allocator = def.allocator;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_world_create(&twin_def, &t.twin), VN_OK);
    assert_int_equal(vn_nav_create(world, &def, &t.nav, NULL), VN_OK);

    t.failures = failures;
    t.memory.fail_at = t.memory.calls + k;
    play(&t);
    const bool failed = t.memory.failed || t.failures < failures;
    settle(&t);
    assert_all_the_same(&t, &def);

    vn_nav_destroy(t.nav);
    vn_world_destroy(t.twin);
    assert_true(t.memory.live_blocks == 0);
    assert_true(!t.memory.mismatch);
    return failed;
}

/// Every allocation, or every `step`th.
static void run_all(vn_nav_mode mode, vn_update_policy policy, uint32_t failures, uint32_t step) {
    uint64_t k = 0;
    while (run(mode, policy, k, failures))
        k += step;
    assert_true(k > 200); // the script reaches far into the library
}

static void test_one_fails(void** state) {
    (void)state;
    run_all(VN_NAV_REALTIME, VN_UPDATE_ALWAYS, 1, 1);
    run_all(VN_NAV_LOCKSTEP, VN_UPDATE_LAST_MOMENT, 1, vnt_scale(5, 1));
    run_all(VN_NAV_REALTIME, VN_UPDATE_LAST_MOMENT, 1, vnt_scale(11, 1));
    run_all(VN_NAV_LOCKSTEP, VN_UPDATE_EVERY_N, 1, vnt_scale(11, 1));
}

static void test_several_fail(void** state) {
    (void)state;
    run_all(VN_NAV_REALTIME, VN_UPDATE_ALWAYS, 5, vnt_scale(7, 1));
    run_all(VN_NAV_LOCKSTEP, VN_UPDATE_ALWAYS, 3, vnt_scale(11, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_fails),
        cmocka_unit_test(test_several_fail),
    };
    return cmocka_run_group_tests_name("nav/failures", tests, NULL, NULL);
}
