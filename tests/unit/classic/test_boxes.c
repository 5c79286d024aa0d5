/// Boxes of an octree, as they are and merged: free, disjoint, complete, as few as merging can make them;
/// their portals against all pairs; centres; memory. And the counts of a real map in long runs.
#include "tree_world.h"

#include "base/hash.h"
#include "classic/boxes.h"
#include "volnav/io.h"

#include <stdio.h>
#include <stdlib.h>

typedef vn_status make_boxes(const vn_allocator* allocator, const vni_octree* tree, vni_boxes* out,
                             vn_detail* detail);

static vni_boxes boxes_of(const tree_world* w, make_boxes* make) {
    const vn_allocator allocator = vn_default_allocator();
    vni_boxes boxes;
    assert_int_equal(make(&allocator, &w->tree, &boxes, NULL), VN_OK);
    assert_ptr_equal(boxes.tree, &w->tree);
    return boxes;
}

// ---------------------------------------------------------------------------------------------------- boxes

/// Paints each box with its number: none meets another, and each voxel has the box of its leaf.
static void check_cover(const tree_world* w, const vni_boxes* boxes) {
    const vn_voxel dims = w->voxels.dims;
    const size_t row = (size_t)dims.x, layer = row * (size_t)dims.y, count = layer * (size_t)dims.z;
    uint32_t* paint = malloc(count * sizeof *paint);
    assert_non_null(paint);

    memset(paint, 255, count * sizeof *paint);
    for (uint32_t i = 0; i < boxes->box_count; ++i) {
        const vni_box* box = &boxes->boxes[i];
        for (int axis = 0; axis < 3; ++axis)
            assert_true(box->low[axis] < box->high[axis]);

        for (int32_t z = box->low[2]; z < box->high[2]; ++z)
            for (int32_t y = box->low[1]; y < box->high[1]; ++y)
                for (int32_t x = box->low[0]; x < box->high[0]; ++x) {
                    uint32_t* at = &paint[(size_t)x + row * (size_t)y + layer * (size_t)z];
                    assert_int_equal(*at, UINT32_MAX);
                    *at = i;
                }
    }

    for (size_t i = 0; i < count; ++i) {
        const vn_voxel voxel = {(int32_t)(i % row), (int32_t)(i % layer / row), (int32_t)(i / layer)};
        assert_int_equal(vni_boxes_at(boxes, voxel), paint[i]);
        const bool in_leaf = vni_octree_leaf_at(&w->tree, voxel) != VNI_NO_LEAF;
        assert_int_equal(paint[i] != UINT32_MAX, in_leaf);
        assert_true(!in_leaf || vnt_voxels_are_free(&w->voxels, voxel.x, voxel.y, voxel.z));
    }

    free(paint);
}

/// Numbered in the order of their lowest leaves.
static void check_numbers(const vni_boxes* boxes) {
    uint32_t seen = 0;
    for (uint32_t leaf = 0; leaf < boxes->tree->leaf_count; ++leaf) {
        const uint32_t box = boxes->of_leaf != NULL ? boxes->of_leaf[leaf] : leaf;
        assert_true(box <= seen);
        seen += box == seen;
    }

    assert_int_equal(seen, boxes->box_count);
}

// -------------------------------------------------------------------------------------------------- portals

static bool is_whole_side(const vni_box* a, const vni_box* b, int axis) {
    for (int i = 0; i < 3; ++i)
        if (i != axis && (a->low[i] != b->low[i] || a->high[i] != b->high[i]))
            return false;
    return true;
}

/// Is box b just above box a on an axis? Which one: 0 to 2; -1.
static int axis_between(const vni_box* a, const vni_box* b) {
    for (int axis = 0; axis < 3; ++axis)
        if (touches_above(a, b, axis))
            return axis;
    return -1;
}

static void check_rectangle(const vni_box* a, const vni_box* b, int axis) {
    const vni_portal portal = vni_boxes_portal(a, b);
    const vn_point centre = vni_portal_centre(&portal);
    const int32_t at[3] = {centre.x, centre.y, centre.z};
    int side = 0;

    assert_int_equal(portal.axis, axis);
    for (int i = 0; i < 3; ++i) {
        const int32_t low = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        const int32_t high = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
        assert_int_equal(2 * at[i], (low + high) * VN_LATTICE);
        if (i == axis) {
            assert_true(portal.plane == (float)low);
        } else {
            assert_true(portal.low[side] == (float)low);
            assert_true(portal.high[side] == (float)high);
            ++side;
        }
    }
}

/// All pairs in order, against the list; if merged, none of them could be merged.
static void check_portals(const vni_boxes* boxes, bool is_merged) {
    uint32_t found = 0;
    for (uint32_t a = 0; a < boxes->box_count; ++a)
        for (uint32_t b = 0; b < boxes->box_count; ++b) {
            const int axis = axis_between(&boxes->boxes[a], &boxes->boxes[b]);
            if (axis < 0)
                continue;

            assert_true(found < boxes->portal_count);
            assert_int_equal(boxes->portals[found][0], a);
            assert_int_equal(boxes->portals[found][1], b);
            check_rectangle(&boxes->boxes[a], &boxes->boxes[b], axis);
            assert_false(is_merged && is_whole_side(&boxes->boxes[a], &boxes->boxes[b], axis));
            ++found;
        }

    assert_int_equal(found, boxes->portal_count);
}

/// Each box lists just its portals, in order.
static void check_lists(const vni_boxes* boxes) {
    assert_int_equal(boxes->first[0], 0);
    assert_int_equal(boxes->first[boxes->box_count], 2 * boxes->portal_count);
    for (uint32_t box = 0; box < boxes->box_count; ++box) {
        assert_true(boxes->first[box] <= boxes->first[box + 1]);
        for (uint32_t i = boxes->first[box]; i < boxes->first[box + 1]; ++i) {
            const uint32_t portal = boxes->on_box[i];
            assert_true(portal < boxes->portal_count);
            assert_true(boxes->portals[portal][0] == box || boxes->portals[portal][1] == box);
            assert_true(i == boxes->first[box] || boxes->on_box[i - 1] < portal);
        }
    }
}

static void check_boxes(const tree_world* w, const vni_boxes* boxes, bool is_merged) {
    check_cover(w, boxes);
    check_numbers(boxes);
    check_lists(boxes);
    if (boxes->box_count < 3000)
        check_portals(boxes, is_merged);
}

// ----------------------------------------------------------------------------------------------------- tests

static void test_leaves_are_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("boxes of leaves", 71));
    for (uint32_t i = vnt_scale(80, 2000); i > 0; --i) {
        tree_world w = world_random(&rng, 20);
        vni_boxes boxes = boxes_of(&w, vni_boxes_from_leaves);
        assert_int_equal(boxes.box_count, w.tree.leaf_count);
        assert_null(boxes.of_leaf);
        check_boxes(&w, &boxes, false);
        vni_boxes_free(&boxes);
        world_free(&w);
    }
}

static bool are_equal(const vni_boxes* a, const vni_boxes* b) {
    return a->box_count == b->box_count && a->portal_count == b->portal_count &&
           !memcmp(a->boxes, b->boxes, a->box_count * sizeof *a->boxes) &&
           !memcmp(a->of_leaf, b->of_leaf, a->tree->leaf_count * sizeof *a->of_leaf) &&
           !memcmp(a->portals, b->portals, a->portal_count * sizeof *a->portals) &&
           !memcmp(a->first, b->first, (a->box_count + 1) * sizeof *a->first) &&
           !memcmp(a->on_box, b->on_box, 2 * a->portal_count * sizeof *a->on_box);
}

static void test_merged_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("merged boxes", 72));
    uint64_t leaves = 0, merged = 0;
    for (uint32_t i = vnt_scale(120, 3000); i > 0; --i) {
        tree_world w = world_random(&rng, i % 4 ? 20 : 32);
        vni_boxes boxes = boxes_of(&w, vni_boxes_merged), again = boxes_of(&w, vni_boxes_merged);
        check_boxes(&w, &boxes, true);
        if (w.tree.leaf_count)
            assert_true(boxes.portal_count == 0 || are_equal(&boxes, &again));

        leaves += w.tree.leaf_count;
        merged += boxes.box_count;
        vni_boxes_free(&boxes);
        vni_boxes_free(&again);
        world_free(&w);
    }

    assert_true(3 * merged < 2 * leaves);
}

/// A pillar in a cube: leaves of three sizes around it. Four boxes would do, but greedy merging ends with one
/// more (as in figure 3.4 of Massonnat 2023): the column at (4, 5) is left over when its neighbours have
/// found others.
static void test_around_a_pillar(void** state) {
    (void)state;
    const vn_voxel dims = {8, 8, 8};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t y = 0; y < 8; ++y)
        vnt_voxels_block(&voxels, 4, y, 4);

    tree_world w = world_make(voxels, whole_def);
    vni_boxes leaves = boxes_of(&w, vni_boxes_from_leaves), merged = boxes_of(&w, vni_boxes_merged);
    assert_int_equal(leaves.box_count, 6 + 2 * (2 * 3) + 8 * 3);
    assert_int_equal(merged.box_count, 5);
    const vni_box column = {{4, 0, 5}, {5, 8, 6}};
    const vn_voxel inside = {4, 3, 5};
    assert_memory_equal(&merged.boxes[vni_boxes_at(&merged, inside)], &column, sizeof column);
    vni_boxes_free(&leaves);
    vni_boxes_free(&merged);
    world_free(&w);
}

static void test_open_and_blocked_space(void** state) {
    (void)state;
    const vn_voxel dims = {13, 7, 21};
    make_boxes* const makers[2] = {vni_boxes_from_leaves, vni_boxes_merged};
    for (int k = 0; k < 4; ++k) {
        vnt_voxels voxels = vnt_voxels_make(dims);
        memset(voxels.blocked, k & 1, 13 * 7 * 21);
        tree_world w = world_make(voxels, whole_def);
        vni_boxes boxes = boxes_of(&w, makers[k >> 1]);
        assert_int_equal(boxes.box_count, !(k & 1));
        assert_int_equal(boxes.portal_count, 0);
        assert_int_equal(boxes.first[boxes.box_count], 0);
        const vn_voxel inside = {12, 6, 20}, outside = {13, 6, 20};
        assert_int_equal(vni_boxes_at(&boxes, inside), k & 1 ? UINT32_MAX : 0);
        assert_int_equal(vni_boxes_at(&boxes, outside), UINT32_MAX);
        vni_boxes_free(&boxes);
        world_free(&w);
    }
}

/// The grid of least boxes that limits of depth can force merges to one box again.
static void test_a_grid_merges_to_one(void** state) {
    (void)state;
    const vn_voxel dims = {11, 8, 5};
    const vni_octree_def def = {VNI_ROOT_GCD, 3, 3};
    tree_world w = world_make(vnt_voxels_make(dims), def);
    vni_boxes merged = boxes_of(&w, vni_boxes_merged);
    assert_int_equal(w.tree.leaf_count, 11 * 8 * 5);
    assert_int_equal(merged.box_count, 1);
    vni_boxes_free(&merged);
    world_free(&w);
}

/// The same on every machine and with every compiler.
static void test_merging_is_golden(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(74);
    const vn_voxel dims = {50, 41, 37};
    uint64_t hash = 0, count = 0;
    for (int i = 0; i < 10; ++i) {
        tree_world w = world_make(vnt_voxels_random(&rng, dims), whole_def);
        vni_boxes merged = boxes_of(&w, vni_boxes_merged);
        hash = vni_hash_bytes(merged.boxes, merged.box_count * sizeof *merged.boxes, hash);
        hash = vni_hash_bytes(merged.on_box, 2 * merged.portal_count * sizeof *merged.on_box, hash);
        count += merged.box_count;
        vni_boxes_free(&merged);
        world_free(&w);
    }

    assert_int_equal(count, 23885);
    assert_int_equal(hash, UINT64_C(0xea631335eb7d0fe8));
}

static void test_centres_are_exact(void** state) {
    (void)state;
    const vni_box far = {{VNI_MAX_DIM - 1, 3, 0}, {VNI_MAX_DIM, 4, VNI_MAX_DIM}};
    const vni_box beside = {{VNI_MAX_DIM - 2, 3, 5}, {VNI_MAX_DIM - 1, 9, VNI_MAX_DIM}};
    const vn_point centre = vni_box_centre(&far);
    assert_int_equal(centre.x, VNI_MAX_DIM * 1024 - 512);
    assert_int_equal(centre.y, 3 * 1024 + 512);
    assert_int_equal(centre.z, VNI_MAX_DIM * 512);
    check_rectangle(&beside, &far, 0);
    const vni_portal portal = vni_boxes_portal(&beside, &far);
    assert_int_equal(vni_portal_centre(&portal).z, (VNI_MAX_DIM + 5) * 512);
}

// --------------------------------------------------------------------------------------------------- memory

static void check_failures(const tree_world* w, make_boxes* make) {
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_boxes boxes;
        vn_detail detail;
        status = make(&allocator, &w->tree, &boxes, &detail);
        assert_true(status == (memory.failed ? VN_OUT_OF_MEMORY : VN_OK));

        assert_int_equal(memory.live_bytes, status == VN_OK ? vni_boxes_bytes(&boxes) : 0);
        if (status != VN_OK) {
            assert_null(boxes.boxes);
            assert_non_null(strstr(detail.text, "no memory"));
        }

        vni_boxes_free(&boxes);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        assert_true(k < 100);
    }
}

static void test_every_allocation_may_fail(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(73);
    const vn_voxel dims = {20, 20, 20};
    tree_world w = world_make(vnt_voxels_random(&rng, dims), whole_def);
    check_failures(&w, vni_boxes_from_leaves);
    check_failures(&w, vni_boxes_merged);
    vni_boxes none = {0};
    assert_int_equal(vni_boxes_bytes(&none), 0);
    vni_boxes_free(&none);
    world_free(&w);
}

// ------------------------------------------------------------------------------------------------- real map

static bool read_map(const char* name, vnt_voxels* out) {
    const char* data = getenv("VN_DATA");
    char path[1024];
    vn_3dmap map;
    if (data == NULL || vnt_scale(0, 1) == 0)
        return false;

    snprintf(path, sizeof path, "%s/warframe/%s", data, name);
    if (vn_3dmap_read_file(path, NULL, &map, NULL) != VN_OK)
        return false;

    *out = vnt_voxels_make(map.dims);
    for (uint64_t i = 0; i < map.voxel_count; ++i)
        vnt_voxels_block(out, map.voxels[i].x, map.voxels[i].y, map.voxels[i].z);

    vn_3dmap_free(&map);
    return true;
}

/// Massonnat 2023 has 41,385 leaves and 10,552 merged boxes on this map, with the root elsewhere and the
/// boxes merged in random order. Long runs only, with VN_DATA naming the folder of the shared data.
static void test_counts_on_complex(void** state) {
    (void)state;
    vnt_voxels voxels;
    if (!read_map("Complex.3dmap", &voxels))
        skip();

    tree_world w = world_make(voxels, whole_def);
    vni_boxes merged = boxes_of(&w, vni_boxes_merged);
    assert_int_equal(w.tree.leaf_count, 41812);
    assert_int_equal(merged.box_count, 9549);
    check_boxes(&w, &merged, true);
    vni_boxes_free(&merged);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_are_boxes),     cmocka_unit_test(test_merged_boxes),
        cmocka_unit_test(test_around_a_pillar),      cmocka_unit_test(test_open_and_blocked_space),
        cmocka_unit_test(test_a_grid_merges_to_one), cmocka_unit_test(test_merging_is_golden),
        cmocka_unit_test(test_centres_are_exact),    cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_counts_on_complex),
    };

    return cmocka_run_group_tests_name("classic/boxes", tests, NULL, NULL);
}
