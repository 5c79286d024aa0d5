/// The octree against its definition by brute force: which leaves there are, in which order and how deep;
/// roots; memory.
#include "tree_world.h"

#include <stdlib.h>

// -------------------------------------------------------------------------------------------------- leaves

/// The leaves that there ought to be, by looking at every voxel of every cube.
typedef struct expected {
    const tree_world* world;
    vni_box* boxes;
    uint32_t count, capacity, deepest;
} expected;

/// The cube's part inside the space.
static vni_box cut_cube(const tree_world* w, const int32_t low[3], int32_t edge) {
    const int32_t dims[3] = {w->voxels.dims.x, w->voxels.dims.y, w->voxels.dims.z};
    vni_box box;
    for (int i = 0; i < 3; ++i) {
        box.low[i] = low[i];
        box.high[i] = low[i] + edge < dims[i] ? low[i] + edge : dims[i];
    }

    return box;
}

static bool is_empty(const vni_box* box) {
    return box->low[0] >= box->high[0] || box->low[1] >= box->high[1] || box->low[2] >= box->high[2];
}

static int64_t free_voxels(const tree_world* w, const vni_box* box) {
    int64_t count = 0;
    for (int32_t z = box->low[2]; z < box->high[2]; ++z)
        for (int32_t y = box->low[1]; y < box->high[1]; ++y)
            for (int32_t x = box->low[0]; x < box->high[0]; ++x)
                count += vnt_voxels_are_free(&w->voxels, x, y, z);
    return count;
}

static int64_t volume(const vni_box* box) {
    return (int64_t)(box->high[0] - box->low[0]) * (box->high[1] - box->low[1]) *
           (box->high[2] - box->low[2]);
}

static void expect_leaf(expected* e, const vni_box* box, uint32_t depth) {
    if (e->count == e->capacity) {
        e->capacity = e->capacity ? 2 * e->capacity : 64;
        e->boxes = realloc(e->boxes, e->capacity * sizeof *e->boxes);
        assert_non_null(e->boxes);
    }

    e->boxes[e->count++] = *box;
    e->deepest = depth > e->deepest ? depth : e->deepest;
}

static void expect_cube(expected* e, const int32_t low[3], int32_t edge, uint32_t depth) {
    const vni_box box = cut_cube(e->world, low, edge);
    if (is_empty(&box))
        return;

    const int64_t free_count = free_voxels(e->world, &box);
    if (free_count == volume(&box) && depth >= e->world->def.min_depth) {
        expect_leaf(e, &box, depth);
    } else if (free_count && depth < e->world->def.max_depth && edge > 1) {
        for (int i = 0; i < 8; ++i) {
            const int32_t corner[3] = {low[0] + (i & 1 ? edge / 2 : 0), low[1] + (i & 2 ? edge / 2 : 0),
                                       low[2] + (i & 4 ? edge / 2 : 0)};
            expect_cube(e, corner, edge / 2, depth + 1);
        }
    }
}

static expected expect_leaves(const tree_world* w) {
    expected e = {.world = w};
    const vni_octree* tree = &w->tree;
    for (int32_t z = 0; z < tree->roots[2]; ++z)
        for (int32_t y = 0; y < tree->roots[1]; ++y)
            for (int32_t x = 0; x < tree->roots[0]; ++x) {
                const int32_t low[3] = {x * tree->root_edge, y * tree->root_edge, z * tree->root_edge};
                expect_cube(&e, low, tree->root_edge, 0);
            }

    return e;
}

/// Every voxel has its leaf or none, and so have those just outside.
static void check_leaf_at(const tree_world* w, const expected* e) {
    const vn_voxel dims = w->voxels.dims;
    const size_t row = (size_t)dims.x + 2, layer = row * ((size_t)dims.y + 2);
    uint32_t* leaf_of = malloc(layer * ((size_t)dims.z + 2) * sizeof *leaf_of);
    assert_non_null(leaf_of);

    memset(leaf_of, 255, layer * ((size_t)dims.z + 2) * sizeof *leaf_of);
    for (uint32_t i = 0; i < e->count; ++i)
        for (int32_t z = e->boxes[i].low[2]; z < e->boxes[i].high[2]; ++z)
            for (int32_t y = e->boxes[i].low[1]; y < e->boxes[i].high[1]; ++y)
                for (int32_t x = e->boxes[i].low[0]; x < e->boxes[i].high[0]; ++x)
                    leaf_of[(size_t)x + 1 + row * ((size_t)y + 1) + layer * ((size_t)z + 1)] = i;

    size_t at = 0;
    for (int32_t z = -1; z <= dims.z; ++z)
        for (int32_t y = -1; y <= dims.y; ++y)
            for (int32_t x = -1; x <= dims.x; ++x) {
                const vn_voxel voxel = {x, y, z};
                assert_int_equal(vni_octree_leaf_at(&w->tree, voxel), leaf_of[at++]);
            }

    free(leaf_of);
}

/// Leaves below a node; nodes are counted, and none may be without a leaf but at the end.
static uint32_t walk_nodes(const vni_octree* tree, uint32_t node, uint32_t* nodes) {
    ++*nodes;
    assert_true(node < tree->node_count);
    const vni_octree_node* at = &tree->nodes[node];
    if (!at->children)
        return at->leaf != VNI_NO_LEAF;

    assert_int_equal(at->leaf, VNI_NO_LEAF);
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < 8; ++i)
        leaves += walk_nodes(tree, at->children + i, nodes);

    assert_true(leaves > 0);
    return leaves;
}

static void check_nodes(const vni_octree* tree) {
    uint32_t leaves = 0, nodes = 0;
    for (uint32_t i = 0; i < (uint32_t)(tree->roots[0] * tree->roots[1] * tree->roots[2]); ++i)
        leaves += walk_nodes(tree, i, &nodes);
    assert_int_equal(leaves, tree->leaf_count);
    assert_int_equal(nodes, tree->node_count);
}

static void check_tree(const tree_world* w) {
    expected e = expect_leaves(w);
    assert_int_equal(w->tree.leaf_count, e.count);
    assert_int_equal(w->tree.deepest, e.deepest);
    for (uint32_t i = 0; i < e.count; ++i) {
        const vni_box box = vni_octree_leaf_box(&w->tree, i);
        assert_memory_equal(&box, &e.boxes[i], sizeof box);
    }

    check_leaf_at(w, &e);
    check_nodes(&w->tree);
    free(e.boxes);
}

static void test_leaves_are_those_of_the_definition(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("octree leaves", 61));
    for (uint32_t i = vnt_scale(150, 3000); i > 0; --i) {
        tree_world w = world_random(&rng, i % 8 ? 20 : 40);
        check_tree(&w);
        world_free(&w);
    }
}

/// Several blocks, of which some are free and some are full.
static void test_leaves_of_large_worlds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("octree large", 62));
    for (uint32_t i = vnt_scale(4, 40); i > 0; --i) {
        const vn_voxel dims = {vni_rng_range(&rng, 100, 200), vni_rng_range(&rng, 60, 140),
                               vni_rng_range(&rng, 60, 140)};
        vnt_voxels voxels = vnt_voxels_make(dims);
        for (int32_t z = 0; z < dims.z; ++z)
            for (int32_t y = 0; y < dims.y; ++y)
                for (int32_t x = 0; x < dims.x; ++x)
                    if ((x >= 64 && x < 130 && i % 2) || (x + 3 * y + 7 * z) % 9973 == 0)
                        vnt_voxels_block(&voxels, x, y, z);

        tree_world w = world_make(voxels, whole_def);
        check_tree(&w);
        world_free(&w);
    }
}

/// A thousand voxels along each side: the work goes with what is there, not with the voxels.
static void test_open_space_is_leapt_over(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    const vn_voxel dims = {1000, 1000, 1000};
    vni_occupancy occupancy;
    assert_int_equal(vni_occupancy_make(&allocator, dims, &occupancy, NULL), VN_OK);
    vni_octree tree;
    assert_int_equal(vni_octree_make(&allocator, &occupancy, &whole_def, &tree, NULL), VN_OK);
    assert_int_equal(tree.leaf_count, 1);
    assert_int_equal(tree.node_count, 1);
    const vni_box all = vni_octree_leaf_box(&tree, 0);
    assert_int_equal(volume(&all), 1000000000);
    vni_octree_free(&tree);

    uint64_t dense[VNI_BLOCK_BRICKS] = {1};
    vni_block* block;
    assert_true(vni_block_pack(&allocator, dense, &block));
    vni_occupancy_set_block(&occupancy, 0, block);
    assert_int_equal(vni_octree_make(&allocator, &occupancy, &whole_def, &tree, NULL), VN_OK);
    assert_int_equal(tree.leaf_count, 70);
    assert_int_equal(tree.node_count, 81);

    int64_t sum = 0;
    for (uint32_t i = 0; i < tree.leaf_count; ++i) {
        const vni_box box = vni_octree_leaf_box(&tree, i);
        sum += volume(&box);
    }

    assert_int_equal(sum, 999999999);
    vni_octree_free(&tree);
    vni_occupancy_free(&occupancy);
}

static void test_equal_depths_make_a_grid(void** state) {
    (void)state;
    const vn_voxel dims = {16, 12, 8};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 5, 6, 7);
    const vni_octree_def def = {VNI_ROOT_CUBE, 2, 2};
    tree_world w = world_make(voxels, def);

    assert_int_equal(w.tree.leaf_count, 4 * 3 * 2 - 1);
    for (uint32_t i = 0; i < w.tree.leaf_count; ++i) {
        const vni_box box = vni_octree_leaf_box(&w.tree, i);
        assert_int_equal(volume(&box), 64);
    }

    const vn_voxel beside = {4, 4, 4};
    assert_int_equal(vni_octree_leaf_at(&w.tree, beside), VNI_NO_LEAF);
    world_free(&w);
}

static void test_blocked_space_has_no_leaf(void** state) {
    (void)state;
    const vn_voxel dims = {70, 9, 5};
    vnt_voxels voxels = vnt_voxels_make(dims);
    memset(voxels.blocked, 1, (size_t)dims.x * (size_t)dims.y * (size_t)dims.z);
    tree_world w = world_make(voxels, whole_def);
    assert_int_equal(w.tree.leaf_count, 0);
    assert_int_equal(w.tree.node_count, 1);
    assert_null(w.tree.codes);
    const vn_point point = {100, 100, 100};
    assert_int_equal(vni_octree_nearest(&w.tree, point, NULL), VNI_NO_LEAF);
    world_free(&w);
}

static void check_refusal(const vni_occupancy* occupancy, uint32_t min_depth, uint32_t max_depth,
                          const char* word) {
    const vn_allocator allocator = vn_default_allocator();
    const vni_octree_def def = {VNI_ROOT_CUBE, min_depth, max_depth};
    vni_octree tree;
    memset(&tree, 255, sizeof tree);
    vn_detail detail;
    assert_int_equal(vni_octree_make(&allocator, occupancy, &def, &tree, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(detail.status, VN_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, word));
    assert_null(tree.nodes);
    vni_octree_free(&tree);
}

static void test_depths_that_cannot_be(void** state) {
    (void)state;
    const vn_voxel dims = {16, 3, 9};
    tree_world w = world_make(vnt_voxels_make(dims), whole_def);
    check_refusal(&w.space->occupancy, 3, 2, "greater than the greatest");
    check_refusal(&w.space->occupancy, 5, UINT32_MAX, "single voxels at depth 4");
    world_free(&w);
}

// --------------------------------------------------------------------------------------------------- roots

static void check_roots(int32_t x, int32_t y, int32_t z, int32_t edge, const int32_t roots[3]) {
    const vn_allocator allocator = vn_default_allocator();
    const vn_voxel dims = {x, y, z};
    const vni_octree_def def = {VNI_ROOT_GCD, 0, UINT32_MAX};
    vni_occupancy occupancy;
    vni_octree tree;
    assert_int_equal(vni_occupancy_make(&allocator, dims, &occupancy, NULL), VN_OK);
    assert_int_equal(vni_octree_make(&allocator, &occupancy, &def, &tree, NULL), VN_OK);
    assert_int_equal(tree.root_edge, edge);
    assert_int_equal(tree.root_edge, 1 << tree.levels);
    assert_memory_equal(tree.roots, roots, sizeof tree.roots);
    assert_int_equal(tree.leaf_count, roots[0] * roots[1] * roots[2]);
    vni_octree_free(&tree);
    vni_occupancy_free(&occupancy);
}

static void test_roots_follow_the_shortest_side(void** state) {
    (void)state;
    check_roots(96, 64, 32, 32, (const int32_t[3]){3, 2, 1});
    check_roots(128, 128, 128, 128, (const int32_t[3]){1, 1, 1});
    check_roots(255, 896, 390, 256, (const int32_t[3]){1, 4, 2});
    check_roots(7, 3, 5, 4, (const int32_t[3]){2, 1, 2});
    check_roots(64, 1, 64, 1, (const int32_t[3]){64, 1, 64});
    check_roots(1000, 1, 1000, 16, (const int32_t[3]){63, 1, 63});
    check_roots(1 << 20, 1, 1, 256, (const int32_t[3]){4096, 1, 1});
}

static uint64_t covered(const tree_world* w) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->tree.leaf_count; ++i) {
        const vni_box box = vni_octree_leaf_box(&w->tree, i);
        assert_int_equal(free_voxels(w, &box), volume(&box));
        sum += (uint64_t)volume(&box);
    }

    return sum;
}

static void test_roots_cover_the_same(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("octree roots", 63));
    for (uint32_t i = vnt_scale(60, 1000); i > 0; --i) {
        const vn_voxel dims = vnt_random_dims(&rng, 30);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        const vni_box all = {{0, 0, 0}, {dims.x, dims.y, dims.z}};
        tree_world cube = world_make(voxels, whole_def);
        const uint64_t free_count = (uint64_t)free_voxels(&cube, &all);
        assert_int_equal(covered(&cube), free_count);
        const vni_octree_def def = {VNI_ROOT_GCD, 0, UINT32_MAX};
        const vn_allocator allocator = vn_default_allocator();
        vni_octree_free(&cube.tree);
        assert_int_equal(vni_octree_make(&allocator, &cube.space->occupancy, &def, &cube.tree, NULL), VN_OK);
        assert_int_equal(covered(&cube), free_count);
        world_free(&cube);
    }
}

// --------------------------------------------------------------------------------------------------- memory

static void test_every_allocation_may_fail(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(67);
    const vn_voxel dims = {30, 20, 25};
    tree_world w = world_make(vnt_voxels_random(&rng, dims), whole_def);

    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_octree tree;
        vn_detail detail;
        status = vni_octree_make(&allocator, &w.space->occupancy, &whole_def, &tree, &detail);
        assert_true(status == (memory.failed ? VN_OUT_OF_MEMORY : VN_OK));

        assert_int_equal(memory.live_bytes, status == VN_OK ? vni_octree_bytes(&tree) : 0);
        if (status != VN_OK)
            assert_non_null(strstr(detail.text, "no memory"));

        vni_octree_free(&tree);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        assert_true(k < 100);
    }

    world_free(&w);
}

/// An allocator that refuses to give back a part of a block, from some call on.
typedef struct stubborn {
    vn_allocator inner;
    uint32_t shrinks, refuse_at;
} stubborn;

static void* stubborn_alloc(void* user, size_t size) {
    stubborn* s = user;
    return s->inner.alloc(s->inner.user, size);
}

static void* stubborn_resize(void* user, void* block, size_t old_size, size_t new_size) {
    stubborn* s = user;
    if (new_size < old_size && s->shrinks++ == s->refuse_at)
        return NULL;
    return s->inner.resize(s->inner.user, block, old_size, new_size);
}

static void stubborn_release(void* user, void* block, size_t size) {
    stubborn* s = user;
    s->inner.release(s->inner.user, block, size);
}

static void test_shrinking_may_fail(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(69);
    const vn_voxel dims = {30, 20, 25};
    tree_world w = world_make(vnt_voxels_random(&rng, dims), whole_def);
    for (uint32_t i = 0; i < 2; ++i) {
        vnt_memory memory = vnt_memory_make();
        stubborn s = {vnt_memory_allocator(&memory), 0, i};
        const vn_allocator allocator = {stubborn_alloc, stubborn_resize, stubborn_release, &s};
        vni_octree tree;
        const vn_status status = vni_octree_make(&allocator, &w.space->occupancy, &whole_def, &tree, NULL);
        assert_int_equal(status, VN_OUT_OF_MEMORY);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_are_those_of_the_definition),
        cmocka_unit_test(test_leaves_of_large_worlds),
        cmocka_unit_test(test_open_space_is_leapt_over),
        cmocka_unit_test(test_equal_depths_make_a_grid),
        cmocka_unit_test(test_blocked_space_has_no_leaf),
        cmocka_unit_test(test_depths_that_cannot_be),
        cmocka_unit_test(test_roots_follow_the_shortest_side),
        cmocka_unit_test(test_roots_cover_the_same),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_shrinking_may_fail),
    };

    return cmocka_run_group_tests_name("classic/octree", tests, NULL, NULL);
}
