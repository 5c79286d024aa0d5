/// Sensed sets, unknown space, bodies and obstacles that come and go, in one nav with a history and graphs:
/// every version is the bake of a world that was told the same, and the one before with its changes applied;
/// also where memory runs out in between.
#include "changes_check.h"

#include "volnav/layers.h"

enum { SIDE_X = 26, SIDE_Y = 14, SIDE_Z = 10, MOVERS = 3, KINDS = VN_NAV_GRAPH_KINDS };

/// A nav, and a world that is told the same.
typedef struct pair {
    vn_nav_def def;
    vn_nav* nav;
    vn_world* world;
    vni_rng rng;
    vn_obstacle_id sets[2]; ///< occupied, unknown
    vn_obstacle_id movers[MOVERS], box;
    uint32_t next_set; ///< the set that is replaced next
} pair;

static vn_shape set_shape(void) {
    static const vn_voxel_box some = {{2, 2, 2}, {9, 7, 5}};
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.size = 1;
    shape.as.voxels.dims = (vn_voxel){SIDE_X, SIDE_Y, SIDE_Z};
    shape.as.voxels.boxes = &some;
    shape.as.voxels.box_count = 1;
    shape.as.voxels.sensed = true;
    return shape;
}

static vn_transform place(vni_rng* rng) {
    return scene_at((float)vni_rng_range(rng, 0, SIDE_X), (float)vni_rng_range(rng, 0, SIDE_Y),
                    (float)vni_rng_range(rng, 0, SIDE_Z));
}

static vn_world* make_world(pair* p, const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    def.allocator = *allocator;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    const vn_shape set = set_shape(), cube = vnt_box_shape(vnt_vec(-2, -2, -2), vnt_vec(2, 2, 2));
    for (int i = 0; i < 2; ++i)
        assert_int_equal(vn_world_add(world, &set, &p->sets[i], NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, p->sets[1], VN_FLAG_UNKNOWN), VN_OK);
    for (int i = 0; i < MOVERS; ++i) {
        const vn_transform at = scene_at((float)(6 * i + 4), 7, 5);
        assert_int_equal(vn_world_add_moving(world, &cube, &at, &p->movers[i], NULL), VN_OK);
        if (i > 0)
            assert_int_equal(vn_world_set_flags(world, p->movers[i], VN_FLAG_BODY), VN_OK);
    }
    return world;
}

static pair make_pair(uint64_t seed, const vn_allocator* allocator, uint32_t workers, vn_nav_mode mode) {
    pair p = {.def = vn_default_nav_def(), .rng = vni_rng_make(seed)};
    const vn_allocator plain = vn_default_allocator();
    p.world = make_world(&p, &plain);
    p.def.allocator = *allocator;
    p.def.workers = VOLNAV_THREADS ? workers : 0;
    p.def.mode = mode;
    p.def.space.has_bounds = true;
    p.def.space.bounds = (vn_box){{0, 0, 0}, {SIDE_X, SIDE_Y, SIDE_Z}};
    p.def.space.unknown = (vn_unknown_policy)(seed % 3 == 0 ? VN_UNKNOWN_BLOCKED : VN_UNKNOWN_REFUSED);
    p.def.layer_count = 2;
    p.def.layers[1].radius = 1;
    p.def.layers[1].open_flags = 1;
    p.def.history = 6;
    p.def.graphs = (1u << KINDS) - 1;
    p.def.max_requests = 1;
    p.def.max_watches = 1;
    assert_int_equal(vn_nav_create(make_world(&p, allocator), &p.def, &p.nav, NULL), VN_OK);
    return p;
}

/// Both are told; memory may run out for the nav, and then the world is not told.
static void sense(pair* p) {
    vn_voxel voxels[200];
    uint8_t states[200];
    vn_sense_batch batch = {.occupied = p->sets[0], .voxels = voxels, .states = states};
    const uint32_t with = vni_rng_below(&p->rng, 4);
    if (with > 0)
        batch.unknown = p->sets[1];
    const vn_voxel low = {vni_rng_range(&p->rng, 0, SIDE_X), vni_rng_range(&p->rng, 0, SIDE_Y),
                          vni_rng_range(&p->rng, 0, SIDE_Z)};
    const uint32_t state = vni_rng_below(&p->rng, 4);
    const int32_t edge = vni_rng_range(&p->rng, 0, 5);
    for (int32_t z = 0; z < edge; ++z)
        for (int32_t y = 0; y < edge; ++y)
            for (int32_t x = 0; x < edge; ++x) {
                voxels[batch.count] = (vn_voxel){low.x + x, low.y + y, low.z + z};
                states[batch.count++] = (uint8_t)(state < 3 ? state : vni_rng_below(&p->rng, 3));
            }
    if (vn_nav_sense(p->nav, &batch, NULL, NULL) == VN_OK)
        assert_int_equal(vn_world_sense(p->world, &batch, NULL, NULL), VN_OK);
}

static void set_flags(pair* p, vn_obstacle_id id, uint32_t flags) {
    if (vn_nav_set_flags(p->nav, id, flags) == VN_OK)
        assert_int_equal(vn_world_set_flags(p->world, id, flags), VN_OK);
}

static void remove_one(pair* p, vn_obstacle_id* id) {
    if (id->index1 == 0 || vn_nav_remove(p->nav, *id) != VN_OK)
        return;
    assert_int_equal(vn_world_remove(p->world, *id), VN_OK);
    *id = (vn_obstacle_id){0, 0};
}

static void add_one(pair* p, const vn_shape* shape, uint32_t flags, vn_obstacle_id* id) {
    vn_obstacle_id other;
    if (id->index1 != 0 || vn_nav_add(p->nav, shape, flags, id, NULL) != VN_OK)
        return;
    assert_int_equal(vn_world_add(p->world, shape, &other, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(p->world, other, flags), VN_OK);
    assert_memory_equal(&other, id, sizeof other);
}

/// A set goes, and comes again as it was first, or the other way round.
static void replace_set(pair* p) {
    const vn_shape shape = set_shape();
    const uint32_t i = p->next_set++ % 2;
    remove_one(p, &p->sets[i]);
    for (int k = 0; k < 2; ++k) // one of them may be left from a call without memory
        add_one(p, &shape, k == 1 ? VN_FLAG_UNKNOWN : 0, &p->sets[k]);
}

static void change(pair* p) {
    const vn_transform at = place(&p->rng);
    const uint32_t i = vni_rng_below(&p->rng, MOVERS);
    const float x = (float)vni_rng_range(&p->rng, 0, SIDE_X - 3);
    const vn_shape box = vnt_box_shape(vnt_vec(x, 3, 0), vnt_vec(x + 2, 9, SIDE_Z));
    static const uint32_t flags[4] = {VN_FLAG_BODY, VN_FLAG_UNKNOWN, 1, 0};
    switch (vni_rng_below(&p->rng, 9)) {
    case 0:
    case 1:
    case 2:
        if (p->sets[0].index1 != 0 && p->sets[1].index1 != 0)
            sense(p);
        break;
    case 3:
    case 4:
        if (vn_nav_move(p->nav, p->movers[i], &at, NULL) == VN_OK)
            assert_int_equal(vn_world_move(p->world, p->movers[i], &at, NULL), VN_OK);
        break;
    case 5: set_flags(p, p->movers[i], flags[vni_rng_below(&p->rng, 4)]); break;
    case 6: replace_set(p); break;
    case 7:
        if (p->sets[0].index1 != 0)
            set_flags(p, p->sets[0], vni_rng_below(&p->rng, 2) ? VN_FLAG_UNKNOWN : 0);
        break;
    default:
        remove_one(p, &p->box);
        if (vni_rng_below(&p->rng, 2))
            add_one(p, &box, vni_rng_below(&p->rng, 2), &p->box);
        break;
    }
}

/// Ticks until all is in a version.
static void settle(vn_nav* nav) {
    vn_nav_stats stats;
    do {
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        vn_nav_get_stats(nav, &stats);
    } while (stats.version_lag > 0 || stats.pending_changes > 0);
}

static void check_bake(pair* p) {
    vn_layers* layers;
    assert_int_equal(
        vn_layers_bake(p->world, &p->def.space, p->def.layers, p->def.layer_count, &layers, NULL), VN_OK);
    for (uint32_t i = 0; i < 2; ++i) {
        uint64_t version;
        const vn_space* now =
            vn_nav_pin(p->nav, (double)p->def.layers[i].radius, p->def.layers[i].open_flags, &version);
        assert_true(vn_space_content_hash(now) == vn_space_content_hash(vn_layers_space(layers, i)));
        assert_int_equal(vn_nav_unpin(p->nav, version), VN_OK);
    }
    vn_layers_destroy(layers);
}

/// Applies the changes of the versions after `*version` to the voxels, and compares.
static void check_changes(const pair* p, uint64_t* version, unsigned char* voxels[2]) {
    vn_nav_stats stats;
    vn_nav_get_stats(p->nav, &stats);
    for (uint64_t v = *version + 1; v <= stats.version; ++v) {
        const vn_changes* changes;
        assert_int_equal(vn_nav_get_changes(p->nav, v, &changes), VN_OK);
        const int32_t dims[3] = {SIDE_X, SIDE_Y, SIDE_Z};
        for (int i = 0; i < 2; ++i)
            apply_bricks(&changes->layers[i], dims, voxels[i]);
        vn_nav_release_changes(p->nav, changes);
    }

    *version = stats.version;
    for (int i = 0; i < 2; ++i) {
        uint64_t pinned;
        const vn_space* now =
            vn_nav_pin(p->nav, (double)p->def.layers[i].radius, p->def.layers[i].open_flags, &pinned);
        unsigned char* expected = copy_voxels(now);
        assert_memory_equal(voxels[i], expected, SIDE_X * SIDE_Y * SIDE_Z);
        free(expected);
        assert_int_equal(vn_nav_unpin(p->nav, pinned), VN_OK);
    }
}

static void check_graph(vn_nav_graph* graph, live_copy* before) {
    const uint64_t from = vn_nav_graph_version(graph);
    assert_int_equal(vn_nav_graph_advance(graph), VN_OK);
    live_copy now = copy_graph(graph);
    replay(graph, from, before);
    live_copy_compare(before, &now);
    live_copy_free(before);
    *before = now;
}

/// Rounds of changes; in each, an allocation of the nav fails if `fails`.
static void follow(uint64_t seed, bool fails, uint32_t workers, vn_nav_mode mode, uint32_t rounds) {
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_shared_allocator(&memory);
    pair p = make_pair(seed, &allocator, workers, mode);
    vn_nav_graph* graphs[2][KINDS];
    live_copy before[2][KINDS];
    unsigned char* voxels[2];
    uint64_t version = 1;
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < KINDS; ++k) {
            vn_nav_graph_def def = vn_default_nav_graph_def();
            def.kind = (vn_nav_graph_kind)k;
            def.radius = p.def.layers[i].radius;
            def.open_flags = p.def.layers[i].open_flags;
            assert_int_equal(vn_nav_graph_create(p.nav, &def, &graphs[i][k], NULL), VN_OK);
            before[i][k] = copy_graph(graphs[i][k]);
        }
        uint64_t pinned;
        voxels[i] = copy_voxels(
            vn_nav_pin(p.nav, (double)p.def.layers[i].radius, p.def.layers[i].open_flags, &pinned));
        assert_int_equal(vn_nav_unpin(p.nav, pinned), VN_OK);
    }

    for (uint32_t round = 0; round < rounds; ++round) {
        if (fails)
            memory.fail_at = memory.calls + vni_rng_below(&p.rng, 40);
        for (uint32_t i = vni_rng_below(&p.rng, 4) + 1; i-- > 0;)
            change(&p);
        if (fails) {
            (void)vn_nav_tick(p.nav, NULL);
            vnt_memory_restore(&memory);
            if (vni_rng_below(&p.rng, 2))
                change(&p);
        }
        settle(p.nav);
        check_bake(&p);
        check_changes(&p, &version, voxels);
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < KINDS; ++k)
                check_graph(graphs[i][k], &before[i][k]);
    }

    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < KINDS; ++k) {
            live_copy_free(&before[i][k]);
            vn_nav_graph_destroy(graphs[i][k]);
        }
        free(voxels[i]);
    }
    vn_world_destroy(p.world);
    vn_nav_destroy(p.nav);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

static void a_version_is_the_bake_and_its_changes(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav joined", 31);
    for (uint32_t i = 0; i < vnt_scale(3, 60); ++i)
        follow(seed + i, false, i % 3, i % 2 ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME, 12);
}

static void also_where_memory_runs_out(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav joined memory", 32);
    for (uint32_t i = 0; i < vnt_scale(3, 60); ++i)
        follow(seed + i, true, 0, VN_NAV_REALTIME, 12);
}

/// A batch that tells nothing, with a set that another batch has told something: nothing is left of it.
static void an_empty_batch_leaves_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_shared_allocator(&memory);
    pair p = make_pair(1, &allocator, 0, VN_NAV_REALTIME);
    const vn_voxel voxel = {1, 1, 1};
    const vn_shape shape = set_shape();
    vn_sense_batch batch = {.occupied = p.sets[0], .unknown = p.sets[1], .voxels = &voxel, .count = 1};
    batch.state = VN_VOXEL_OCCUPIED;
    assert_int_equal(vn_nav_sense(p.nav, &batch, NULL, NULL), VN_OK);
    batch.count = 0;
    assert_int_equal(vn_nav_add(p.nav, &shape, 0, &batch.occupied, NULL), VN_OK);
    assert_int_equal(vn_nav_sense(p.nav, &batch, NULL, NULL), VN_OK);
    settle(p.nav);
    vn_world_destroy(p.world);
    vn_nav_destroy(p.nav);
    assert_int_equal(memory.live_blocks, 0);
}

static uint64_t count_voxels(const vn_shape* shape) {
    uint64_t count = shape->as.voxels.voxel_count;
    for (uint64_t i = 0; i < shape->as.voxels.box_count; ++i) {
        const vn_voxel_box b = shape->as.voxels.boxes[i];
        count += (uint64_t)((b.high.x - b.low.x) * (b.high.y - b.low.y) * (b.high.z - b.low.z));
    }
    return count;
}

/// A sensed set that got other flags is listed as a sensed one, with what it had then.
static void a_sensed_set_is_listed_as_one(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    pair p = make_pair(1, &allocator, 0, VN_NAV_REALTIME);
    const vn_voxel voxel = {1, 1, 1};
    vn_sense_batch batch = {.occupied = p.sets[0], .voxels = &voxel, .count = 1};
    batch.state = VN_VOXEL_OCCUPIED;
    assert_int_equal(vn_nav_sense(p.nav, &batch, NULL, NULL), VN_OK);
    settle(p.nav);
    assert_int_equal(vn_nav_set_flags(p.nav, p.sets[0], 4), VN_OK);
    settle(p.nav);

    vn_nav_stats stats;
    const vn_changes* changes;
    vn_nav_get_stats(p.nav, &stats);
    assert_int_equal(vn_nav_get_changes(p.nav, stats.version, &changes), VN_OK);
    assert_int_equal(changes->obstacle_count, 1);
    assert_true(changes->obstacles[0].shape->as.voxels.sensed);
    assert_int_equal(count_voxels(changes->obstacles[0].shape), 7 * 5 * 3 + 1);
    vn_nav_release_changes(p.nav, changes);
    vn_world_destroy(p.world);
    vn_nav_destroy(p.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_is_the_bake_and_its_changes),
        cmocka_unit_test(also_where_memory_runs_out),
        cmocka_unit_test(an_empty_batch_leaves_nothing),
        cmocka_unit_test(a_sensed_set_is_listed_as_one),
    };
    return cmocka_run_group_tests_name("nav/joined", tests, NULL, NULL);
}
