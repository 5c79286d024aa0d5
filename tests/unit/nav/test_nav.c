/// nav: every call and every status, without workers, so that the outcome of each tick is known.
#include "scene.h"

static vn_status create_with(vn_nav_def def, vn_detail* detail) {
    scene s;
    vn_world* world = scene_world(&s, 1, NULL);
    assert_non_null(world);
    vn_nav* nav = NULL;

    vn_status status = vn_nav_create(world, &def, &nav, detail);
    if (status == VN_OK) {
        vn_nav_destroy(nav);
    } else {
        assert_null(nav);
        vn_world_destroy(world);
    }

    return status;
}

#define BAD(change, expected)                                                                                \
    do {                                                                                                     \
        vn_nav_def def = scene_def();                                                                        \
        vn_detail detail = {.status = VN_OK};                                                                \
        change;                                                                                              \
        assert_int_equal(create_with(def, &detail), expected);                                               \
        assert_int_equal(detail.status, expected);                                                           \
        assert_true(detail.text[0] != 0);                                                                    \
    } while (0)

static void test_defs(void** state) {
    (void)state;
    BAD(def.cookie = 0, VN_BAD_DEF);
    BAD(def.allocator.alloc = NULL, VN_BAD_ARGUMENT);
    BAD(def.workers = 65, VN_UNSUPPORTED);
    BAD(def.slots = 65, VN_UNSUPPORTED);
    BAD(def.update_share = 0, VN_BAD_ARGUMENT);
    BAD(def.update_share = 100, VN_BAD_ARGUMENT);
    BAD(def.mode = (vn_nav_mode)2, VN_BAD_ARGUMENT);
    BAD(def.policy = (vn_update_policy)3, VN_BAD_ARGUMENT);
    BAD(def.latency = 0, VN_BAD_ARGUMENT);
    BAD(def.policy = VN_UPDATE_EVERY_N; def.update_interval = 0, VN_BAD_ARGUMENT);
    BAD(def.space.cells = false, VN_UNSUPPORTED);
    BAD(def.space.resolution = 0, VN_BAD_ARGUMENT);
    BAD(def.layer_count = 0, VN_BAD_ARGUMENT);
    BAD(def.layer_count = 2, VN_BAD_ARGUMENT); // twice the same
    BAD(def.layers[0].radius = -1, VN_BAD_ARGUMENT);
    BAD(def.max_requests = 0, VN_BAD_ARGUMENT);
    BAD(def.max_points = 1, VN_BAD_ARGUMENT);
    BAD(def.max_watches = 1u << 20, VN_BAD_ARGUMENT);
    vn_nav_def def = scene_def();
    def.max_watches = 0;
    assert_int_equal(create_with(def, NULL), VN_OK);
    vn_nav_destroy(NULL);
}

static void tick(scene* s) {
    assert_int_equal(vn_nav_tick(s->nav, NULL), VN_OK);
}

static uint64_t version_of(const scene* s) {
    vn_nav_stats stats;
    vn_nav_get_stats(s->nav, &stats);
    return stats.version;
}

static bool is_free(scene* s, int32_t x, int32_t y, int32_t z) {
    uint64_t version;
    const vn_space* space = vn_nav_pin(s->nav, 0, 0, &version);
    assert_non_null(space);
    bool is = vn_space_voxel_free(space, (vn_voxel){x, y, z});
    assert_int_equal(vn_nav_unpin(s->nav, version), VN_OK);
    return is;
}

/// Moves all obstacles out of the space.
static void clear(scene* s) {
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i) {
        vn_transform away = scene_at(-100, -100, -100);
        assert_int_equal(vn_nav_move(s->nav, s->movers[i], &away, NULL), VN_OK);
    }
    tick(s);
}

static void test_changes(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 2, &def);
    clear(&s);
    uint64_t version = version_of(&s);
    assert_true(is_free(&s, 10, 10, 10));

    vn_shape box = vnt_box_shape(vnt_vec(8, 8, 8), vnt_vec(12, 12, 12));
    vn_obstacle_id fixed, mover, hull, second;
    assert_int_equal(vn_nav_add(s.nav, &box, 0, &fixed, NULL), VN_OK);
    assert_true(vn_nav_has(s.nav, fixed));
    assert_true(is_free(&s, 10, 10, 10));
    tick(&s);
    assert_true(!is_free(&s, 10, 10, 10));
    assert_true(version_of(&s) == version + 1);

    vn_shape small = vnt_box_shape(vnt_vec(-2, -2, -2), vnt_vec(2, 2, 2)), tetra = vnt_hull_shape();
    vn_transform transform = scene_at(30, 10, 10), there = scene_at(30, 50, 10);
    assert_int_equal(vn_nav_add_moving(s.nav, &small, &transform, 0, &mover, NULL), VN_OK);
    assert_int_equal(vn_nav_add_moving(s.nav, &tetra, &there, 0, &hull, NULL), VN_OK);
    assert_int_equal(vn_nav_move(s.nav, mover, &there, NULL), VN_OK); // in the same round as it was added
    tick(&s);
    assert_true(is_free(&s, 30, 10, 10));
    assert_true(!is_free(&s, 30, 50, 10));

    assert_int_equal(vn_nav_remove(s.nav, fixed), VN_OK);
    assert_int_equal(vn_nav_remove(s.nav, fixed), VN_STALE_ID);
    assert_int_equal(vn_nav_set_flags(s.nav, fixed, 1), VN_STALE_ID);
    assert_int_equal(vn_nav_move(s.nav, fixed, &there, NULL), VN_STALE_ID);
    assert_int_equal(vn_nav_add(s.nav, &box, 0, &second, NULL), VN_OK); // takes the slot again
    assert_true(second.index1 == fixed.index1);
    assert_true(second.generation != fixed.generation);
    assert_int_equal(vn_nav_remove(s.nav, second), VN_OK); // comes and goes
    assert_int_equal(vn_nav_remove(s.nav, s.wall), VN_OK); // one of the first world

    tick(&s);
    assert_true(is_free(&s, 10, 10, 10));
    assert_true(!vn_nav_has(s.nav, fixed));
    assert_true(!vn_nav_has(s.nav, s.wall));
    vn_nav_destroy(s.nav);
}

/// Shapes are copied: the caller may free its arrays before an update reads them.
static void test_shapes_are_copied(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 12, &def);
    clear(&s);
    vn_vec3* corners = malloc(8 * sizeof *corners);
    vn_voxel* voxels = malloc(sizeof *voxels);
    vn_voxel_box* boxes = malloc(sizeof *boxes);
    assert_true(corners);
    assert_true(voxels);
    assert_true(boxes);

    vn_shape box = vnt_box_mesh(vnt_vec(30, 30, 10), vnt_vec(34, 34, 14), true, corners);
    assert_int_equal(vn_nav_add(s.nav, &box, 0, NULL, NULL), VN_OK);
    vnt_octahedron(vnt_vec(10, 50, 10), vnt_vec(4, 4, 4), corners);
    vn_shape hull = vnt_hull_of(corners, 6, vnt_octahedron_faces, 8);
    assert_int_equal(vn_nav_add(s.nav, &hull, 0, NULL, NULL), VN_OK);

    voxels[0] = (vn_voxel){1, 1, 1};
    boxes[0] = (vn_voxel_box){{3, 3, 3}, {5, 5, 5}};
    vn_shape set = vnt_voxels_shape((vn_voxel){8, 8, 8}, 1, voxels, 1);
    set.as.voxels.boxes = boxes;
    set.as.voxels.box_count = 1;
    assert_int_equal(vn_nav_add(s.nav, &set, 0, NULL, NULL), VN_OK);

    memset(corners, 0, 8 * sizeof *corners);
    free(corners);
    free(voxels);
    free(boxes);
    tick(&s);
    assert_true(!is_free(&s, 32, 32, 12));
    assert_true(!is_free(&s, 10, 50, 10));
    assert_true(is_free(&s, 10, 40, 10));
    assert_true(!is_free(&s, 1, 1, 1));
    assert_true(!is_free(&s, 4, 4, 4));
    assert_true(is_free(&s, 2, 2, 2));
    vn_nav_destroy(s.nav);
}

static void test_refused_changes(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 3, &def);
    vn_detail detail;
    vn_transform transform = vn_transform_identity();
    assert_int_equal(vn_nav_move(s.nav, s.wall, &transform, &detail), VN_UNSUPPORTED);

    transform.scale = 0;
    assert_int_equal(vn_nav_move(s.nav, s.movers[0], &transform, &detail), VN_BAD_DATA);
    transform = scene_at((float)NAN, 0, 0);
    assert_int_equal(vn_nav_move(s.nav, s.movers[0], &transform, &detail), VN_BAD_DATA);

    transform = scene_at(999999, 0, 0); // a ball may extend beyond the limit, a box may not
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &transform, &detail), VN_BAD_DATA);
    transform = scene_at(1000001, 0, 0);
    assert_int_equal(vn_nav_move(s.nav, s.movers[0], &transform, &detail), VN_BAD_DATA);

    vn_shape bad = vnt_box_shape(vnt_vec(1, 0, 0), vnt_vec(0, 0, 0));
    transform = vn_transform_identity();
    assert_int_equal(vn_nav_add(s.nav, &bad, 0, NULL, &detail), VN_BAD_DATA);
    assert_int_equal(vn_nav_add_moving(s.nav, &bad, &transform, 0, NULL, &detail), VN_BAD_DATA);

    vn_voxel voxels[2] = {{0, 0, 0}, {1, 0, 0}};
    vn_shape set = vnt_voxels_shape((vn_voxel){2, 1, 1}, 1, voxels, 2);
    vn_obstacle_id id;
    assert_int_equal(vn_nav_add_moving(s.nav, &set, &transform, 0, &id, NULL), VN_OK);

    transform.rotation = (vn_quat){0, 0, 0.3826834f, 0.9238795f};
    assert_int_equal(vn_nav_move(s.nav, id, &transform, &detail), VN_UNSUPPORTED);
    transform.rotation = (vn_quat){0, 0, 0.70710678f, 0.70710678f};
    assert_int_equal(vn_nav_move(s.nav, id, &transform, &detail), VN_OK);

    vn_nav_stats stats;
    vn_nav_get_stats(s.nav, &stats);
    assert_int_equal(stats.pending_changes, 2);

    tick(&s);
    vn_nav_destroy(s.nav);
}

static void test_flags_and_layers(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.layer_count = 3;
    def.layers[0] = (vn_layer_def){2, 0};
    def.layers[1] = (vn_layer_def){0, 0};
    def.layers[2] = (vn_layer_def){0, 4};
    def.static_layers = 1; // the widest
    scene_start(&s, 4, &def);
    clear(&s);
    uint64_t first, version;
    const vn_space* wide = vn_nav_pin(s.nav, 1, 0, &first);
    assert_non_null(wide);

    vn_shape door = vnt_box_shape(vnt_vec(48, 24, 16), vnt_vec(50, 40, 32));
    vn_obstacle_id id;
    assert_int_equal(vn_nav_add(s.nav, &door, 4, &id, NULL), VN_OK);

    tick(&s);
    const vn_voxel middle = {49, 30, 20};
    const vn_space* narrow = vn_nav_pin(s.nav, 0, 0, &version);
    assert_false(vn_space_voxel_free(narrow, middle));
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);

    const vn_space* keyed = vn_nav_pin(s.nav, 0, 4, &version);
    assert_true(vn_space_voxel_free(keyed, middle));
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
    assert_ptr_equal(vn_nav_pin(s.nav, 2, 0, &version), wide); // a static layer
    assert_true(version > first);
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_STALE_ID);
    assert_int_equal(vn_nav_unpin(s.nav, first), VN_OK);
    assert_int_equal(vn_nav_unpin(s.nav, 1000), VN_STALE_ID);
    assert_null(vn_nav_pin(s.nav, 3, 0, &version));
    assert_int_equal(vn_nav_set_flags(s.nav, id, 0), VN_OK);

    tick(&s);
    keyed = vn_nav_pin(s.nav, 0, 4, &version);
    assert_false(vn_space_voxel_free(keyed, middle));
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
    vn_nav_destroy(s.nav);
}

static vn_request_id submit(scene* s, const vn_nav_request* request) {
    vn_request_id request_id;
    assert_int_equal(vn_nav_submit(s->nav, request, &request_id, NULL), VN_OK);
    return request_id;
}

static void test_requests(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.max_requests = 4;
    scene_start(&s, 5, &def);
    vn_nav_request request = scene_request(&s.rng);
    vn_request_id request_ids[4], more;

    vn_detail detail;
    for (uint32_t i = 0; i < 4; ++i) {
        request.user = 100 + i;
        request.priority = (int32_t)(i % 2);
        request_ids[i] = submit(&s, &request);
    }

    assert_int_equal(vn_nav_submit(s.nav, &request, &more, &detail), VN_CAPACITY);
    assert_int_equal(vn_nav_cancel(s.nav, request_ids[2]), VN_OK);
    vn_nav_result result;
    assert_false(vn_nav_next_result(s.nav, &result));
    tick(&s);

    const uint32_t order[4] = {1, 3, 0, 2}; // priority, then age
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(vn_nav_next_result(s.nav, &result));
        assert_true(result.id == request_ids[order[i]]);
        assert_true(result.user == 100 + order[i]);
        assert_true(result.begin_tick == 1);
        assert_true(result.end_tick == 1);
        assert_int_equal(result.result.status, order[i] == 2 ? VN_CANCELLED : VN_OK);
        scene_check(&result);
    }

    assert_false(vn_nav_next_result(s.nav, &result));
    assert_int_equal(vn_nav_cancel(s.nav, request_ids[0]), VN_STALE_ID);
    assert_int_equal(vn_nav_cancel(s.nav, 12345), VN_STALE_ID);
    assert_int_equal(vn_nav_submit(s.nav, &request, &more, NULL), VN_CAPACITY); // not released yet

    vn_nav_release_result(s.nav, request_ids[0]);
    vn_nav_release_result(s.nav, request_ids[0]);
    more = submit(&s, &request);
    assert_true(more != request_ids[0]);

    vn_nav_release_result(s.nav, more); // no effect yet
    tick(&s);
    vn_nav_release_result(s.nav, more); // nor now
    assert_true(vn_nav_next_result(s.nav, &result));
    assert_true(result.id == more);
    vn_nav_destroy(s.nav);
}

static void never_called(void* user, const vn_search_event* event) {
    (void)user;
    (void)event;
    fail();
}

static void test_refused_requests(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 6, &def);
    vn_request_id request_id;
    vn_detail detail;
    vn_nav_request request = scene_request(&s.rng);
    request.path.cookie = 0;
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, &detail), VN_BAD_DEF);
    assert_non_null(strstr(detail.text, "vn_default_nav_request"));

    request = scene_request(&s.rng);
    request.path.radius = 1;
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, &detail), VN_UNSUPPORTED);

    request = scene_request(&s.rng);
    request.path.algo = VN_ALGO_ASTAR;
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "vn_nav_pin"));

    request = scene_request(&s.rng);
    request.path.observe = never_called;
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "observe"));

    request = scene_request(&s.rng);
    request.path.weight = 0.5;
    assert_int_equal(vn_nav_submit(s.nav, &request, &request_id, &detail), VN_BAD_ARGUMENT);
    vn_nav_destroy(s.nav);
}

static uint64_t count_up(void* user) {
    return ++*(uint64_t*)user;
}

/// Times of the stages of updates, by a clock that counts its calls.
static void test_stages(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    vn_nav_stats stats;
    uint64_t ticks = 0, sum = 0;
    def.clock = count_up;
    def.clock_user = &ticks;
    def.measure_stages = true;
    scene_start(&s, 3, &def);

    vn_nav_get_stats(s.nav, &stats);
    for (uint32_t i = 0; i < VN_STAGE_COUNT; ++i)
        assert_true(stats.stage_ns[i] == 0);

    scene_move_some(&s, 3);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    vn_nav_get_stats(s.nav, &stats);
    for (uint32_t i = 0; i < VN_STAGE_COUNT; ++i) {
        assert_non_null(vn_update_stage_name((vn_update_stage)i));
        assert_true(stats.stage_ns[i] > 0);
        sum += stats.stage_ns[i];
    }

    assert_true(sum < stats.total_update_ns);
    assert_null(vn_update_stage_name(VN_STAGE_COUNT));
    vn_nav_destroy(s.nav);
}

/// What the host can read back of an obstacle.
static void test_transforms_and_velocities(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 3, &def);
    vn_vec3 velocity;
    vn_transform transform, there = scene_at(11, 12, 13);
    assert_int_equal(vn_nav_get_velocity(s.nav, s.movers[0], &velocity), VN_OK);
    assert_true(velocity.x == 0);
    assert_true(velocity.y == 0);
    assert_true(velocity.z == 0);
    assert_int_equal(vn_nav_set_velocity(s.nav, s.movers[0], vnt_vec(1, 2, 3)), VN_OK);
    assert_int_equal(vn_nav_get_velocity(s.nav, s.movers[0], &velocity), VN_OK);
    assert_true(velocity.x == 1);
    assert_true(velocity.y == 2);
    assert_true(velocity.z == 3);
    assert_int_equal(vn_nav_move(s.nav, s.movers[0], &there, NULL), VN_OK);
    assert_int_equal(vn_nav_get_transform(s.nav, s.movers[0], &transform), VN_OK);
    assert_memory_equal(&transform, &there, sizeof transform);
    assert_int_equal(vn_nav_set_velocity(s.nav, s.movers[0], vnt_vec(NAN, 0, 0)), VN_BAD_ARGUMENT);
    assert_int_equal(vn_nav_set_velocity(s.nav, s.wall, vnt_vec(1, 0, 0)), VN_UNSUPPORTED);
    assert_int_equal(vn_nav_get_transform(s.nav, s.wall, &transform), VN_UNSUPPORTED);
    assert_int_equal(vn_nav_remove(s.nav, s.movers[0]), VN_OK);
    assert_int_equal(vn_nav_get_velocity(s.nav, s.movers[0], &velocity), VN_STALE_ID);
    vn_nav_destroy(s.nav);
}

/// Zones and connections are copied: the caller may free its arrays.
static void test_copies(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 7, &def);
    clear(&s);
    vn_nav_request request = vn_default_nav_request();
    request.path.start = scene_point(5, 5, 5);
    request.path.goal = scene_point(90, 60, 40);
    vn_connection* link = calloc(1, sizeof *link);
    assert_non_null(link);

    link->from = vnt_vec(5, 5, 6);
    link->to = vnt_vec(90, 60, 41);
    request.path.connections = link;
    request.path.connection_count = 1;
    submit(&s, &request);
    free(link);
    tick(&s);
    vn_nav_result result;
    assert_true(vn_nav_next_result(s.nav, &result));
    assert_int_equal(result.result.status, VN_OK);
    assert_int_equal(result.result.connections_used, 1);
    assert_true(result.connection_count == 1);
    assert_true(result.connections[0].connection == 0);
    assert_true(!result.connections[0].reversed);
    assert_true(result.connections[0].point + 1 < result.point_count);
    vn_nav_destroy(s.nav);
}

static void test_too_many_points(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.max_points = 2;
    scene_start(&s, 8, &def);
    clear(&s);
    vn_nav_request request = vn_default_nav_request();
    request.path.start = scene_point(5, 5, 5);
    request.path.goal = scene_point(90, 5, 5);
    submit(&s, &request);
    tick(&s);
    vn_nav_result result;
    assert_true(vn_nav_next_result(s.nav, &result));
    assert_int_equal(result.result.status, VN_CAPACITY);
    assert_int_equal(result.point_count, 0);
    vn_nav_destroy(s.nav);
}

static void test_budget_and_deadline(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.budget = 2;
    scene_start(&s, 9, &def);
    vn_nav_request request = scene_request(&s.rng);
    request.path.weight = 1;
    vn_request_id patient = submit(&s, &request);
    request.deadline = 1;
    vn_request_id hasty = submit(&s, &request);
    vn_nav_result result;
    vn_nav_stats stats;

    uint32_t ticks = 0;
    do {
        tick(&s);
        vn_nav_get_stats(s.nav, &stats);
        assert_true(ticks > 0 || (stats.running == 1 && stats.waiting == 1));
        assert_true(++ticks < 1000);
    } while (!vn_nav_next_result(s.nav, &result));

    assert_true(ticks > 3);
    assert_true(result.id == patient);
    assert_true(result.result.status == VN_OK);
    assert_true(result.result.expanded <= 2 * (uint64_t)ticks);
    scene_check(&result);
    while (!vn_nav_next_result(s.nav, &result))
        tick(&s);

    assert_true(result.id == hasty);
    assert_true(result.result.status == VN_CANCELLED);
    scene_check(&result);
    request.deadline = 0;
    vn_request_id running = submit(&s, &request);
    tick(&s);
    assert_int_equal(vn_nav_cancel(s.nav, running), VN_OK); // in the middle

    tick(&s);
    assert_true(vn_nav_next_result(s.nav, &result));
    assert_true(result.id == running);
    assert_true(result.result.status == VN_CANCELLED);

    submit(&s, &request);
    tick(&s);
    vn_nav_destroy(s.nav); // in the middle too
}

/// With a budget an update takes several ticks, and ends as it would in one; requests go on meanwhile.
static void test_budget_of_updates(void** state) {
    (void)state;
    uint64_t hashes[2], ticks[2] = {0, 0};
    for (uint32_t i = 0; i < 2; ++i) {
        scene s;
        vn_nav_def def = scene_def();
        def.budget = i == 0 ? 0 : 40;
        scene_start(&s, 12, &def);
        scene_move_some(&s, SCENE_MOVERS);
        const vn_nav_request request = scene_request(&s.rng);
        const vn_request_id id = submit(&s, &request);

        vn_nav_stats stats;
        vn_nav_result result;
        uint64_t version, found_in = 0;
        do {
            tick(&s);
            ++ticks[i];
            vn_nav_get_stats(s.nav, &stats);
            assert_true(ticks[i] < 1000);
            if (vn_nav_next_result(s.nav, &result)) {
                assert_true(result.id == id);
                scene_check(&result);
                found_in = result.version;
            }
        } while (stats.version_lag > 0 || found_in == 0);

        assert_true(stats.version == 2);
        assert_true(found_in == (i == 0 ? 2 : 1)); // without a budget the update comes first
        hashes[i] = vn_space_content_hash(vn_nav_pin(s.nav, 0, 0, &version));
        vn_nav_destroy(s.nav);
    }

    assert_true(ticks[0] == 1);
    assert_true(ticks[1] > 5);
    assert_true(hashes[0] == hashes[1]);
}

/// Slots: the tick does no work, vn_nav_work does; a slot that there is not does none.
static void test_slots(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.slots = 2;
    scene_start(&s, 13, &def);
    scene_move_some(&s, 5);
    const vn_nav_request request = scene_request(&s.rng);
    submit(&s, &request);
    vn_nav_result result;
    vn_nav_stats stats;
    for (uint32_t i = 0; i < 5; ++i) {
        tick(&s);
        assert_false(vn_nav_work(s.nav, 2));
        assert_false(vn_nav_next_result(s.nav, &result));
    }

    vn_nav_get_stats(s.nav, &stats);
    assert_true(stats.version == 1 && stats.waiting == 1);
    while (vn_nav_work(s.nav, 1)) {
    }

    assert_false(vn_nav_work(s.nav, 0));
    tick(&s);
    assert_true(vn_nav_next_result(s.nav, &result));
    scene_check(&result);
    vn_nav_get_stats(s.nav, &stats);
    assert_true(stats.version == 2 && stats.version_lag == 0);
    vn_nav_destroy(s.nav);
}

/// A request that a slot has begun goes on in another one, if the first is not called again.
static void test_slot_left(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.slots = 2;
    scene_start(&s, 14, &def);
    vn_nav_request request = scene_request(&s.rng);
    request.path.start = scene_point(1, 1, 1); // around everything: several slices
    request.path.goal = scene_point(94, 62, 46);
    request.path.weight = 1;
    for (uint32_t i = 0; i < 40; ++i)
        submit(&s, &request);

    vn_nav_result result;
    uint32_t finished = 0;
    for (uint32_t i = 0; i < 200 && finished < 40; ++i) {
        tick(&s);
        (void)vn_nav_work(s.nav, 0); // takes one each time it has none, and leaves it after a slice
        while (i > 60 && vn_nav_work(s.nav, 1)) {
        }

        while (vn_nav_next_result(s.nav, &result)) {
            scene_check(&result);
            vn_nav_release_result(s.nav, result.id);
            ++finished;
        }
    }

    assert_int_equal(finished, 40);
    vn_nav_destroy(s.nav);
}

/// A request waits for a bounded amount of work, however large the updates are, and updates do not starve
/// either.
static void test_shares(void** state) {
    (void)state;
    static const uint32_t shares[2] = {20, 80};
    uint64_t versions[2];
    for (uint32_t i = 0; i < 2; ++i) {
        scene s;
        vn_nav_def def = scene_def();
        def.budget = 300;
        def.update_share = shares[i];
        scene_start(&s, 15, &def);
        uint64_t longest = 0, finished = 0;
        for (uint32_t k = 0; k < 300; ++k) {
            const vn_nav_request request = scene_request(&s.rng);
            vn_nav_result result;
            scene_move_some(&s, SCENE_MOVERS);
            submit(&s, &request);
            tick(&s);
            while (vn_nav_next_result(s.nav, &result)) {
                scene_check(&result);
                longest = result.end_tick - result.begin_tick > longest ? result.end_tick - result.begin_tick
                                                                        : longest;
                ++finished;
                vn_nav_release_result(s.nav, result.id);
            }
        }

        vn_nav_stats stats;
        vn_nav_get_stats(s.nav, &stats);
        versions[i] = stats.version;
        assert_true(finished >= 290);
        assert_true(longest <= 6);
        assert_true(stats.version > 10);
        vn_nav_destroy(s.nav);
    }

    assert_true(versions[1] >= versions[0]);
}

/// A version that is never unpinned costs memory, not progress.
static void test_old_versions(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 10, &def);
    uint64_t first;
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &first);

    uint64_t hash = vn_space_content_hash(space);
    for (uint32_t i = 0; i < 50; ++i) {
        scene_move_some(&s, 3);
        tick(&s);
    }

    vn_nav_stats stats;
    vn_nav_get_stats(s.nav, &stats);
    assert_true(stats.version >= 40);
    assert_true(stats.versions == 2);
    assert_true(stats.updates == 50);
    assert_true(vn_space_content_hash(space) == hash);
    assert_int_equal(vn_space_validate(space, NULL), VN_OK);
    vn_nav_destroy(s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defs),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_shapes_are_copied),
        cmocka_unit_test(test_refused_changes),
        cmocka_unit_test(test_flags_and_layers),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_refused_requests),
        cmocka_unit_test(test_transforms_and_velocities),
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_too_many_points),
        cmocka_unit_test(test_budget_and_deadline),
        cmocka_unit_test(test_budget_of_updates),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_slot_left),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_old_versions),
    };

    return cmocka_run_group_tests_name("nav/nav", tests, NULL, NULL);
}
