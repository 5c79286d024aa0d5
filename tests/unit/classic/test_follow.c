/// Classics that follow a changing space: boxes and portals against all pairs, names that stay, changes by
/// node, searches against one that has just been built, statuses, failing memory.
#include "live_world.h"

#include "classic/classic_inside.h"
#include "volnav/path.h"

typedef struct scene {
    live_world world;
    vn_classic_kind kind;
    vn_space* first; ///< the space of the beginning, for a second classic
    vn_classic* classic;
    uint64_t version;
    vn_brick_change bricks[512];
    vn_layer_changes changes;
} scene;

static vn_classic_def def_of(vn_classic_kind kind) {
    vn_classic_def def = vn_default_classic_def();
    def.kind = kind;
    def.follows = true;
    return def;
}

static scene scene_make(live_world world, vn_classic_kind kind) {
    scene s = {.world = world, .kind = kind, .version = 1};
    s.first = vnt_voxels_space(&world.all);
    const vn_classic_def def = def_of(kind);
    assert_int_equal(vn_classic_build(world.space, &def, &s.classic, NULL), VN_OK);
    assert_int_equal(vn_classic_version(s.classic), 1);
    return s;
}

static void scene_free(scene* s) {
    vn_classic_destroy(s->classic);
    vn_space_destroy(s->first);
    live_free(&s->world);
}

/// The bricks in which two spaces differ, voxel by voxel of the table of bricks.
static void find_bricks(scene* s, const vn_space* before, const vn_space* after) {
    uint32_t count = 0;
    const vn_voxel d = s->world.fixed.dims;
    for (int32_t z = 0; z < d.z; z += 4)
        for (int32_t y = 0; y < d.y; y += 4)
            for (int32_t x = 0; x < d.x; x += 4) {
                const uint64_t a = vni_occupancy_brick(&before->occupancy, x, y, z);
                const uint64_t b = vni_occupancy_brick(&after->occupancy, x, y, z);
                if (a != b)
                    s->bricks[count++] = (vn_brick_change){{x, y, z}, a, b};
            }

    s->changes = (vn_layer_changes){.bricks = s->bricks, .brick_count = count};
}

static vn_status scene_follow(scene* s, bool knows) {
    find_bricks(s, s->world.before, s->world.space);
    return vn_classic_follow(s->classic, s->world.space, ++s->version, knows ? &s->changes : NULL, NULL);
}

// ----------------------------------------------------------------------------------------------- snapshots

/// Boxes and portals by slot, as they are in a version.
typedef struct snapshot {
    vni_live_box* boxes;
    vni_live_portal* portals;
    uint32_t box_limit, portal_limit;
} snapshot;

static snapshot snapshot_take(const scene* s) {
    const vni_slot_version* version = vni_live_boxes_pin(s->classic->follow.boxes);
    snapshot n = {.box_limit = version->arrays[VNI_LIVE_BOXES].limit,
                  .portal_limit = version->arrays[VNI_LIVE_PORTALS].limit};
    n.boxes = calloc((size_t)n.box_limit + 1, sizeof *n.boxes);
    n.portals = calloc((size_t)n.portal_limit + 1, sizeof *n.portals);
    assert_non_null(n.boxes);
    assert_non_null(n.portals);
    for (uint32_t i = 0; i < n.box_limit; ++i)
        if (vni_live_has_box(version, i))
            n.boxes[i] = *vni_live_box_at(version, i);
    for (uint32_t i = 0; i < n.portal_limit; ++i)
        if (vni_live_has_portal(version, i))
            n.portals[i] = *vni_live_portal_at(version, i);
    vni_live_boxes_unpin(s->classic->follow.boxes, version);
    return n;
}

static void snapshot_free(snapshot* n) {
    free(n->boxes);
    free(n->portals);
}

/// Free slots are zero.
static bool exists(const vni_live_box* box) {
    return box->box.high[0] > 0;
}

static bool collect(void* user, vn_voxel low, vn_voxel high) {
    const vni_box box = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    set_add((box_set*)user, &box);
    return true;
}

/// The boxes of the graph are those of the decomposition, and its portals those of all pairs.
static void check_graph(const scene* s, const snapshot* now) {
    box_set boxes = {0}, graph = {0};
    vn_classic_visit_boxes(s->classic, (vn_voxel){0, 0, 0}, s->world.fixed.dims, collect, &boxes);
    for (uint32_t i = 0; i < now->box_limit; ++i)
        if (exists(&now->boxes[i]))
            set_add(&graph, &now->boxes[i].box);
    assert_same_sets(&boxes, &graph);

    uint32_t pairs = 0, portals = 0;
    for (uint32_t i = 0; i < boxes.count; ++i)
        for (uint32_t k = 0; k < boxes.count; ++k) {
            vni_face face;
            pairs += vni_box_face(&boxes.at[i], &boxes.at[k], &face);
        }

    for (uint32_t i = 0; i < now->portal_limit; ++i) {
        const vni_live_portal* portal = &now->portals[i];
        vni_face face;
        if (portal->boxes[0] == portal->boxes[1])
            continue;
        assert_true(
            vni_box_face(&now->boxes[portal->boxes[0]].box, &now->boxes[portal->boxes[1]].box, &face));
        const vn_point middle = vni_box_middle(face.low, face.high);
        assert_memory_equal(&middle, &portal->point, sizeof middle);
        ++portals;
    }

    assert_int_equal(pairs, portals);
    vn_classic_info info;
    vn_classic_get_info(s->classic, &info);
    assert_int_equal(info.cells, boxes.count);
    assert_int_equal(info.portals, portals);
    set_free(&boxes);
    set_free(&graph);
}

static bool had_box(const snapshot* n, uint32_t slot) {
    return slot < n->box_limit && exists(&n->boxes[slot]);
}

static bool lists(const uint32_t* ids, uint32_t count, uint32_t slot) {
    for (uint32_t i = 0; i < count; ++i)
        if (ids[i] == slot + VN_FIRST_NODE)
            return true;
    return false;
}

/// A box that was there before has its slot still; the lists of the version say which came and went.
static void check_names(const scene* s, const snapshot* before, const snapshot* now) {
    vn_held_changes c;
    assert_int_equal(vn_classic_hold_changes(s->classic, VN_GRAPH_CENTRES, s->version, &c, NULL), VN_OK);
    uint32_t came = 0, went = 0;
    for (uint32_t i = 0; i < before->box_limit; ++i) {
        if (!had_box(before, i))
            continue;
        uint32_t same = VNI_NO_SLOT;
        for (uint32_t k = 0; k < now->box_limit; ++k)
            if (had_box(now, k) && compare_boxes(&now->boxes[k].box, &before->boxes[i].box) == 0)
                same = k;
        assert_true(same == VNI_NO_SLOT || same == i);
        went += same == VNI_NO_SLOT;
        assert_int_equal(same == VNI_NO_SLOT, lists(c.nodes.went, c.nodes.went_count, i));
    }

    for (uint32_t k = 0; k < now->box_limit; ++k) {
        const bool is_new =
            had_box(now, k) &&
            (!had_box(before, k) || compare_boxes(&now->boxes[k].box, &before->boxes[k].box) != 0);
        came += is_new;
        assert_int_equal(is_new, lists(c.nodes.came, c.nodes.came_count, k));
    }

    assert_int_equal(c.nodes.went_count, went);
    assert_int_equal(c.nodes.came_count, came);
    assert_int_equal(c.nodes.version, s->version);
    vn_classic_release_changes(s->classic, &c);
}

static void follow_and_check(scene* s, vni_rng* rng) {
    snapshot before = snapshot_take(s);
    live_step(&s->world, rng);
    assert_int_equal(scene_follow(s, vni_rng_below(rng, 4) != 0), VN_OK);
    snapshot now = snapshot_take(s);
    check_graph(s, &now);
    check_names(s, &before, &now);
    snapshot_free(&before);
    snapshot_free(&now);
}

static void test_graphs_follow(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("follow graphs", 91));
    for (uint32_t i = vnt_scale(24, 300); i > 0; --i) {
        scene s =
            scene_make(live_random(&rng, i % 4 ? 10 : 16), i % 2 ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED);
        for (uint32_t k = vnt_scale(6, 20); k > 0; --k)
            follow_and_check(&s, &rng);
        scene_free(&s);
    }
}

// -------------------------------------------------------------------------------------------------- searches

/// The same scene, built just now: the first space, and one step to the present.
static vn_classic* build_fresh(const scene* s) {
    vn_classic* fresh;
    const vn_classic_def def = def_of(s->kind);
    assert_int_equal(vn_classic_build(s->first, &def, &fresh, NULL), VN_OK);
    assert_int_equal(vn_classic_follow(fresh, s->world.space, 2, NULL, NULL), VN_OK);
    return fresh;
}

static void compare_searches(const vn_classic_request* request, vn_classic_query* a, vn_classic_query* b) {
    vn_classic_result one, two;
    const vn_status status = vn_classic_query_find_path(a, request, &one, NULL);
    assert_int_equal(vn_classic_query_find_path(b, request, &two, NULL), status);
    if (status != VN_OK)
        return;

    assert_true(one.path.checked);
    uint32_t count, other;
    const vn_point* points = vn_classic_query_points(a, &count);
    const vn_point* others = vn_classic_query_points(b, &other);
    assert_true(one.search_cost == two.search_cost);
    assert_int_equal(one.path.expanded, two.path.expanded);
    assert_int_equal(count, other);
    assert_memory_equal(points, others, count * sizeof *points);
}

static void search_both(const scene* s, vni_rng* rng) {
    static const vn_classic_algo algos[] = {VN_CLASSIC_ASTAR, VN_CLASSIC_DIJKSTRA, VN_CLASSIC_GREEDY,
                                            VN_CLASSIC_ARA,   VN_CLASSIC_THETA,    VN_CLASSIC_LAZY_THETA};
    vn_classic* fresh = build_fresh(s);
    vn_classic_query *a, *b;
    const vn_classic_query_def def = vn_default_classic_query_def();
    assert_int_equal(vn_classic_query_create(s->classic, &def, &a, NULL), VN_OK);
    assert_int_equal(vn_classic_query_create(fresh, &def, &b, NULL), VN_OK);
    for (uint32_t i = 0; i < 24; ++i) {
        vn_classic_request request = vn_default_classic_request();
        request.algo = algos[i % 6];
        request.graph = i % 12 < 6 ? VN_GRAPH_TRANSITIONS : VN_GRAPH_CENTRES;
        request.refine = vni_is_theta(request.algo) || i % 2 ? VN_REFINE_NONE : VN_REFINE_FUNNEL;
        request.start = vnt_random_point(rng, s->world.fixed.dims, 256);
        request.goal = vnt_random_point(rng, s->world.fixed.dims, 256);
        request.snap_distance = 3;
        request.check = true;
        compare_searches(&request, a, b);
    }

    vn_classic_query_destroy(a);
    vn_classic_query_destroy(b);
    vn_classic_destroy(fresh);
}

/// Slots depend on history, results do not.
static void test_searches_are_those_of_a_fresh_build(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("follow searches", 92));
    for (uint32_t i = vnt_scale(24, 300); i > 0; --i) {
        scene s = scene_make(live_random(&rng, 20), i % 2 ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED);
        for (uint32_t k = 0; k < 8; ++k) {
            live_step(&s.world, &rng);
            assert_int_equal(scene_follow(&s, true), VN_OK);
        }

        search_both(&s, &rng);
        scene_free(&s);
    }
}

// -------------------------------------------------------------------------------------------------- statuses

static void test_statuses(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("follow statuses", 93));
    scene s = scene_make(live_make(vnt_voxels_make((vn_voxel){9, 8, 7})), VN_CLASSIC_OCTREE);
    vn_held_changes c;
    assert_int_equal(vn_classic_hold_changes(s.classic, VN_GRAPH_CENTRES, 1, &c, NULL), VN_BAD_ARGUMENT);
    vn_classic_view* view;
    assert_int_equal(vn_classic_view_create(s.classic, VN_GRAPH_TRANSITIONS, &view, NULL), VN_OK);
    assert_int_equal(vn_classic_view_set_end(view, VN_START_NODE, (vn_point){512, 512, 512}), VN_OK);
    assert_int_equal(vn_classic_view_set_end(view, VN_GOAL_NODE, vn_point_outside()), VN_OUTSIDE);

    for (uint32_t i = 0; i < 70; ++i) {
        live_step(&s.world, &rng);
        assert_int_equal(scene_follow(&s, true), VN_OK);
    }

    assert_int_equal(vn_classic_view_set_end(view, VN_START_NODE, (vn_point){512, 512, 512}), VN_STALE);
    assert_true(vn_classic_view_graph(view)->node_limit >= VN_FIRST_NODE);
    vn_classic_view_destroy(view);
    assert_int_equal(vn_classic_hold_changes(s.classic, VN_GRAPH_CENTRES, 5, &c, NULL), VN_STALE);
    assert_int_equal(vn_classic_hold_changes(s.classic, VN_GRAPH_CENTRES, 72, &c, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(vn_classic_follow(s.classic, s.world.space, 71, NULL, NULL), VN_BAD_ARGUMENT);
    vnt_voxels other = vnt_voxels_make((vn_voxel){9, 8, 6});
    vn_space* small = vnt_voxels_space(&other);
    assert_int_equal(vn_classic_follow(s.classic, small, 72, NULL, NULL), VN_BAD_ARGUMENT);

    vn_classic_def def = def_of(VN_CLASSIC_GRID);
    vn_classic* none;
    assert_int_equal(vn_classic_build(small, &def, &none, NULL), VN_UNSUPPORTED);
    def = def_of(VN_CLASSIC_OCTREE);
    def.max_depth = 2;
    assert_int_equal(vn_classic_build(small, &def, &none, NULL), VN_UNSUPPORTED);
    def.follows = false;
    assert_int_equal(vn_classic_build(small, &def, &none, NULL), VN_OK);
    assert_int_equal(vn_classic_follow(none, small, 2, NULL, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(vn_classic_view_create(none, VN_GRAPH_CENTRES, &view, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(vn_classic_version(none), 0);
    vn_classic_destroy(none);
    vn_space_destroy(small);
    vnt_voxels_free(&other);
    scene_free(&s);
}

/// Each allocation fails once; after a failure the next call makes up for it, with whatever it is given.
static void test_failing_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("follow memory", 94));
    for (uint32_t i = vnt_scale(6, 40); i > 0; --i) {
        vnt_memory memory = vnt_memory_make();
        scene s = {.world = live_random(&rng, 10), .kind = i % 2 ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED};
        vn_classic_def def = def_of(s.kind);
        def.allocator = vnt_memory_allocator(&memory);
        vn_status status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status != VN_OK; ++k) {
            memory.fail_at = memory.calls + k;
            memory.failed = false;
            status = vn_classic_build(s.world.space, &def, &s.classic, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_true(status == VN_OK || memory.live_blocks == 0);
        }

        s.version = 1;
        for (uint32_t step = 0; step < 4; ++step) {
            live_step(&s.world, &rng);
            status = VN_OUT_OF_MEMORY;
            for (uint64_t k = 0; status != VN_OK; ++k) {
                memory.fail_at = memory.calls + k;
                memory.failed = false;
                status = scene_follow(&s, true);
                assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            }

            snapshot now = snapshot_take(&s);
            check_graph(&s, &now);
            snapshot_free(&now);
        }

        vn_classic_destroy(s.classic);
        live_free(&s.world);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs_follow),
        cmocka_unit_test(test_searches_are_those_of_a_fresh_build),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
