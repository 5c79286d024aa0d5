/// The octree that follows changes against a fresh one after every step: leaves, what went and came, the
/// numbers of leaves that stay, neighbours, nearest leaves, memory, and how little an update looks at.
#include "live_world.h"

#include "classic/live_octree.h"

typedef struct scene {
    live_world world;
    vni_octree_def def;
    vni_live_octree live;
    vni_box_lists lists;
    box_set leaves; ///< kept up to date by the lists alone
} scene;

static vni_octree_def random_def(vni_rng* rng) {
    vni_octree_def def = {vni_rng_below(rng, 2) ? VNI_ROOT_GCD : VNI_ROOT_CUBE, 0, UINT32_MAX};
    if (vni_rng_below(rng, 3) == 0)
        def.max_depth = def.min_depth = vni_rng_below(rng, 3);
    if (vni_rng_below(rng, 2))
        def.max_depth += vni_rng_below(rng, 3);
    return def;
}

static void list_leaves(const vni_live_octree* live, box_set* out) {
    for (uint32_t i = 0; i < live->tree.leaf_count; ++i)
        if (live->tree.codes[i] != 0) {
            const vni_box box = vni_octree_leaf_box(&live->tree, i);
            set_add(out, &box);
        }
}

static scene scene_make(live_world world, vni_octree_def def) {
    scene s = {.world = world, .def = def};
    const vn_allocator allocator = vn_default_allocator();
    vn_status status = vni_live_octree_make(&allocator, &world.space->occupancy, &s.def, &s.live, NULL);
    if (status == VN_BAD_ARGUMENT) { // the space has not so many levels
        s.def = (vni_octree_def){def.root, 0, UINT32_MAX};
        status = vni_live_octree_make(&allocator, &world.space->occupancy, &s.def, &s.live, NULL);
    }

    assert_int_equal(status, VN_OK);
    s.lists = vni_box_lists_make(&allocator);
    list_leaves(&s.live, &s.leaves);
    return s;
}

static void scene_free(scene* s) {
    vni_box_lists_free(&s->lists);
    vni_live_octree_free(&s->live);
    set_free(&s->leaves);
    live_free(&s->world);
}

static vn_status scene_update(scene* s) {
    vni_box_lists_clear(&s->lists);
    return vni_live_octree_update(&s->live, &s->world.space->occupancy, s->world.changes,
                                  s->world.change_count, &s->lists, NULL);
}

// -------------------------------------------------------------------------------------------------- equality

/// Nodes in use below a node; all have a leaf below, but at the ends.
static uint32_t walk_nodes(const vni_octree* tree, uint32_t node, uint32_t* leaves) {
    const vni_octree_node* at = &tree->nodes[node];
    if (!at->children) {
        *leaves += at->leaf != VNI_NO_LEAF;
        return 1;
    }

    assert_int_equal(at->leaf, VNI_NO_LEAF);
    uint32_t nodes = 1;
    const uint32_t before = *leaves;
    for (uint32_t i = 0; i < 8; ++i)
        nodes += walk_nodes(tree, at->children + i, leaves);
    assert_true(*leaves > before);
    return nodes;
}

/// No node is lost: what is not reached from the roots is in the list of free ones.
static void check_nodes(const vni_live_octree* live, uint32_t fresh_nodes) {
    uint32_t nodes = 0, leaves = 0, groups = 0;
    for (uint32_t i = 0; i < (uint32_t)(live->tree.roots[0] * live->tree.roots[1] * live->tree.roots[2]); ++i)
        nodes += walk_nodes(&live->tree, i, &leaves);
    for (uint32_t at = live->free_nodes; at != 0; at = live->tree.nodes[at].children)
        ++groups;
    assert_int_equal(nodes, fresh_nodes);
    assert_int_equal(leaves, vni_live_octree_count(live));
    assert_int_equal(groups, live->free_groups);
    assert_int_equal(nodes + 8 * groups, live->tree.node_count);
}

static void check_equal(const scene* s) {
    const vn_allocator allocator = vn_default_allocator();
    vni_octree fresh;
    assert_int_equal(vni_octree_make(&allocator, &s->world.space->occupancy, &s->def, &fresh, NULL), VN_OK);
    assert_int_equal(vni_live_octree_count(&s->live), fresh.leaf_count);
    box_set expected = {0}, live = {0}, told = {0};
    for (uint32_t i = 0; i < fresh.leaf_count; ++i) {
        const vni_box box = vni_octree_leaf_box(&fresh, i);
        set_add(&expected, &box);
    }

    list_leaves(&s->live, &live);
    assert_same_sets(&expected, &live);
    for (uint32_t i = 0; i < s->leaves.count; ++i)
        set_add(&told, &s->leaves.at[i]);
    assert_same_sets(&expected, &told);

    check_nodes(&s->live, fresh.node_count);
    vni_octree_free(&fresh);
    set_free(&expected);
    set_free(&live);
    set_free(&told);
}

/// Leaves that are in no list have the number they had.
static void check_numbers(const scene* s, const uint64_t* before, uint32_t count) {
    uint32_t same = 0;
    for (uint32_t i = 0; i < count && i < s->live.tree.leaf_count; ++i)
        same += before[i] != 0 && before[i] == s->live.tree.codes[i];
    assert_int_equal(same, vni_live_octree_count(&s->live) - s->lists.came.count);
}

static void step_and_check(scene* s, vni_rng* rng) {
    const uint32_t count = s->live.tree.leaf_count;
    uint64_t* before = malloc(((size_t)count + 1) * sizeof *before);
    assert_non_null(before);
    if (count > 0)
        memcpy(before, s->live.tree.codes, count * sizeof *before);

    live_step(&s->world, rng);
    assert_int_equal(scene_update(s), VN_OK);
    set_apply(&s->leaves, s->lists.went.at, s->lists.went.count, s->lists.came.at, s->lists.came.count);
    check_equal(s);
    check_numbers(s, before, count);
    free(before);
}

static void test_leaves_are_those_of_a_fresh_tree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live octree", 71));
    for (uint32_t i = vnt_scale(60, 600); i > 0; --i) {
        scene s = scene_make(live_random(&rng, 24), random_def(&rng));
        for (uint32_t k = vnt_scale(12, 60); k > 0; --k)
            step_and_check(&s, &rng);
        scene_free(&s);
    }
}

/// Several blocks: cubes above 64, of which the update asks their changed parts only.
static void test_large_worlds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live octree large", 72));
    for (uint32_t i = vnt_scale(3, 20); i > 0; --i) {
        const vn_voxel dims = {vni_rng_range(&rng, 70, 200), vni_rng_range(&rng, 60, 140),
                               vni_rng_range(&rng, 30, 140)};
        scene s = scene_make(live_make(vnt_voxels_make(dims)), random_def(&rng));
        for (uint32_t k = vnt_scale(10, 40); k > 0; --k) {
            const vni_box box = live_random_box(&rng, dims, 100);
            s.world.change_count = 0;
            live_fill(&s.world.fixed, &box, k % 2 == 0);
            live_changed(&s.world, &box);
            live_publish(&s.world);
            assert_int_equal(scene_update(&s), VN_OK);
            set_apply(&s.leaves, s.lists.went.at, s.lists.went.count, s.lists.came.at, s.lists.came.count);
            check_equal(&s);
        }

        scene_free(&s);
    }
}

/// Changes that name voxels which did not change give empty lists.
static void test_nothing_changed(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live octree still", 73));
    for (uint32_t i = vnt_scale(40, 400); i > 0; --i) {
        scene s = scene_make(live_random(&rng, 100), random_def(&rng));
        for (uint32_t k = 0; k < 4; ++k)
            live_changed(&s.world, &(vni_box){{0, 0, 0}, {vni_rng_range(&rng, 1, 100), 100, 100}});
        assert_int_equal(scene_update(&s), VN_OK);
        assert_int_equal(s.lists.went.count, 0);
        assert_int_equal(s.lists.came.count, 0);
        check_equal(&s);
        scene_free(&s);
    }
}

// ------------------------------------------------------------------------------------------------ neighbours

static bool stop_at_once(void* user, const vni_box* box) {
    (void)box;
    ++*(uint32_t*)user;
    return false;
}

static void check_neighbours(const scene* s) {
    for (uint32_t i = 0; i < s->leaves.count; ++i) {
        const vni_box* box = &s->leaves.at[i];
        box_set expected = {0}, found = {0};
        for (uint32_t k = 0; k < s->leaves.count; ++k) {
            vni_face face;
            if (vni_box_face(box, &s->leaves.at[k], &face) || vni_box_face(&s->leaves.at[k], box, &face))
                set_add(&expected, &s->leaves.at[k]);
        }

        assert_true(vni_live_octree_neighbours(&s->live, box, set_visit, &found));
        assert_same_sets(&expected, &found);
        uint32_t calls = 0;
        assert_int_equal(vni_live_octree_neighbours(&s->live, box, stop_at_once, &calls),
                         expected.count == 0);
        assert_int_equal(calls, expected.count > 0);
        set_free(&expected);
        set_free(&found);
    }
}

static void test_neighbours(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live octree neighbours", 74));
    for (uint32_t i = vnt_scale(20, 200); i > 0; --i) {
        scene s = scene_make(live_random(&rng, 12), random_def(&rng));
        for (uint32_t k = 0; k < 4; ++k)
            step_and_check(&s, &rng);
        check_neighbours(&s);
        scene_free(&s);
    }
}

/// Numbers depend on history, the nearest leaf does not.
static void test_nearest_is_that_of_a_fresh_tree(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vni_rng rng = vni_rng_make(vnt_seed("live octree nearest", 75));
    for (uint32_t i = vnt_scale(30, 300); i > 0; --i) {
        scene s = scene_make(live_random(&rng, 20), random_def(&rng));
        for (uint32_t k = 0; k < 5; ++k)
            step_and_check(&s, &rng);

        vni_octree fresh;
        assert_int_equal(vni_octree_make(&allocator, &s.world.space->occupancy, &s.def, &fresh, NULL), VN_OK);
        for (uint32_t k = 0; k < 40; ++k) {
            const vn_point point = vnt_random_point(&rng, s.world.fixed.dims, 512);
            double a = -1, b = -1;
            const uint32_t one = vni_octree_nearest(&s.live.tree, point, &a);
            const uint32_t two = vni_octree_nearest(&fresh, point, &b);
            assert_int_equal(one == VNI_NO_LEAF, two == VNI_NO_LEAF);
            assert_true(a == b);
            if (one == VNI_NO_LEAF)
                continue;
            const vni_box p = vni_octree_leaf_box(&s.live.tree, one), q = vni_octree_leaf_box(&fresh, two);
            assert_memory_equal(&p, &q, sizeof p);
        }

        vni_octree_free(&fresh);
        scene_free(&s);
    }
}

// ------------------------------------------------------------------------------------------- opened, memory

/// The tree of what is free now and was not before: a fresh tree of just that.
static void test_opened_space(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vni_rng rng = vni_rng_make(vnt_seed("opened space", 76));
    for (uint32_t i = vnt_scale(40, 400); i > 0; --i) {
        live_world w = live_random(&rng, 24);
        vnt_voxels opened = vnt_voxels_make(w.fixed.dims);
        vn_space* before = vnt_voxels_space(&w.all);
        const vni_octree_def def = {vni_rng_below(&rng, 2) ? VNI_ROOT_GCD : VNI_ROOT_CUBE, 0, UINT32_MAX};
        vni_live_octree live;
        assert_int_equal(vni_live_octree_make_opened(&allocator, &before->occupancy, &def, &live, NULL),
                         VN_OK);
        assert_int_equal(vni_live_octree_count(&live), 0);
        vni_box_lists lists = vni_box_lists_make(&allocator);
        for (uint32_t k = 0; k < 10; ++k) {
            live_step(&w, &rng);
            assert_int_equal(
                vni_live_octree_update(&live, &w.space->occupancy, w.changes, w.change_count, &lists, NULL),
                VN_OK);
            for (int32_t v = 0; v < (int32_t)live_volume(&opened); ++v) {
                const int32_t x = v % w.all.dims.x, y = v / w.all.dims.x % w.all.dims.y,
                              z = v / w.all.dims.x / w.all.dims.y;
                opened.blocked[v] = w.all.blocked[v] || vni_occupancy_free_at(&before->occupancy, x, y, z);
            }

            vn_space* just_that = vnt_voxels_space(&opened);
            scene s = {.world = w, .def = def, .live = live};
            s.world.space = just_that;
            list_leaves(&live, &s.leaves);
            check_equal(&s);
            set_free(&s.leaves);
            vn_space_destroy(just_that);
        }

        vni_box_lists_free(&lists);
        vni_live_octree_free(&live);
        vn_space_destroy(before);
        vnt_voxels_free(&opened);
        live_free(&w);
    }
}

/// Each allocation fails once: nothing has changed then, and the same update works afterwards.
static void test_failing_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live octree memory", 77));
    for (uint32_t i = vnt_scale(6, 60); i > 0; --i) {
        live_world world = live_random(&rng, 24);
        const vni_octree_def def = {VNI_ROOT_CUBE, 0, UINT32_MAX};
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        scene s = {.world = world, .def = def, .lists = vni_box_lists_make(&allocator)};
        bool made = false;
        for (uint64_t k = 0; !made; ++k) {
            memory.fail_at = memory.calls + k;
            memory.failed = false;
            const vn_status status =
                vni_live_octree_make(&allocator, &s.world.space->occupancy, &def, &s.live, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            made = status == VN_OK;
            assert_true(made || memory.live_blocks == 0);
        }

        list_leaves(&s.live, &s.leaves);
        for (uint32_t step = 0; step < 6; ++step) {
            live_step(&s.world, &rng);
            vn_status status = VN_OUT_OF_MEMORY;
            for (uint64_t k = 0; status != VN_OK; ++k) {
                memory.fail_at = memory.calls + k;
                memory.failed = false;
                status = scene_update(&s);
                assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
                if (status == VN_OK)
                    break;
                assert_int_equal(s.lists.went.count + s.lists.came.count, 0);
                box_set now = {0};
                list_leaves(&s.live, &now);
                assert_same_sets(&s.leaves, &now);
                set_free(&now);
            }

            set_apply(&s.leaves, s.lists.went.at, s.lists.went.count, s.lists.came.at, s.lists.came.count);
            check_equal(&s);
        }

        scene_free(&s);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

/// A box that goes round and round: after the first round nothing is allocated.
static void test_steady_state_allocates_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    const vn_voxel dims = {40, 30, 20};
    scene s = {.world = live_make(vnt_voxels_make(dims)), .def = {VNI_ROOT_CUBE, 0, UINT32_MAX}};
    s.lists = vni_box_lists_make(&allocator);
    assert_int_equal(vni_live_octree_make(&allocator, &s.world.space->occupancy, &s.def, &s.live, NULL),
                     VN_OK);

    uint64_t calls = 0;
    for (int32_t i = 0; i < 96; ++i) {
        const int32_t x = i % 32;
        const vni_box from = s.world.obstacles[0], to = {{x, 5, 7}, {x + 8, 13, 15}};
        s.world.change_count = 0;
        live_changed(&s.world, &from);
        live_changed(&s.world, &to);
        s.world.obstacles[0] = to;
        s.world.exists[0] = true;
        live_publish(&s.world);
        if (i == 64)
            calls = memory.calls;
        assert_int_equal(scene_update(&s), VN_OK);
    }

    assert_int_equal(memory.calls, calls);
    scene_free(&s);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_are_those_of_a_fresh_tree),
        cmocka_unit_test(test_large_worlds),
        cmocka_unit_test(test_nothing_changed),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_nearest_is_that_of_a_fresh_tree),
        cmocka_unit_test(test_opened_space),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_steady_state_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
