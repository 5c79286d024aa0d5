/// Finding in an octree: location codes; the leaf beside another and nearest to a point, against brute force;
/// nothing is allocated.
#include "tree_world.h"

#include <stdlib.h>

// --------------------------------------------------------------------------------------------------- codes

static void test_codes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("octree codes", 64));
    for (uint32_t k = vnt_scale(2000, 100000); k > 0; --k) {
        const uint32_t level = vni_rng_below(&rng, 21);
        int32_t low[3], parent[3], back[3];
        for (int i = 0; i < 3; ++i) {
            low[i] = (int32_t)vni_rng_below(&rng, 1u << (20 - level)) << level;
            parent[i] = level < 20 ? low[i] >> (level + 1) << (level + 1) : 0;
        }

        const uint64_t code = vni_octree_code(low, level);
        assert_int_equal(vni_octree_decode(code, back), level);
        assert_memory_equal(back, low, sizeof low);
        if (level < 20) /* all bits in front of the parent's mark are equal */
            assert_int_equal((code ^ vni_octree_code(parent, level + 1)) >> (3 * level + 4), 0);

        for (uint32_t direction = 0; direction < 6; ++direction) {
            const uint64_t beside = vni_octree_code_beside(code, direction);
            memcpy(back, low, sizeof low);
            back[direction >> 1] += direction & 1 ? 1 << level : -(1 << level);
            assert_int_equal(beside, back[direction >> 1] < 0 ? 0 : vni_octree_code(back, level));
        }
    }
}

// ----------------------------------------------------------------------------------------------- neighbours

typedef struct visited {
    uint32_t leaves[4096], count, limit;
} visited;

static bool note(void* user, uint32_t leaf) {
    visited* v = user;
    assert_true(v->count < 4096);
    v->leaves[v->count++] = leaf;
    return v->count < v->limit;
}

static uint32_t brute_neighbours(const vni_box* boxes, uint32_t count, uint32_t leaf, uint32_t direction,
                                 uint32_t* out) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (direction & 1 ? touches_above(&boxes[leaf], &boxes[i], (int)(direction >> 1))
                          : touches_above(&boxes[i], &boxes[leaf], (int)(direction >> 1)))
            out[found++] = i;
    return found;
}

static void check_neighbours(const tree_world* w, vni_rng* rng) {
    static vni_box boxes[4096];
    static uint32_t brute[4096];
    static visited seen;
    const uint32_t count = w->tree.leaf_count;
    for (uint32_t i = 0; i < count; ++i)
        boxes[i] = vni_octree_leaf_box(&w->tree, i);

    for (uint32_t i = 0; i < count; i += 1 + vni_rng_below(rng, 1 + count / 100))
        for (uint32_t direction = 0; direction < 6; ++direction) {
            const uint32_t found = brute_neighbours(boxes, count, i, direction, brute);
            seen.count = 0;
            seen.limit = UINT32_MAX;
            vni_octree_visit_neighbours(&w->tree, i, direction, note, &seen);
            assert_int_equal(seen.count, found);
            assert_memory_equal(seen.leaves, brute, found * sizeof *brute);
            seen.count = 0;
            seen.limit = 1;
            vni_octree_visit_neighbours(&w->tree, i, direction, note, &seen);
            assert_int_equal(seen.count, found ? 1 : 0);
        }
}

static void test_neighbours_are_all_that_touch(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("octree neighbours", 65));
    for (uint32_t i = vnt_scale(120, 3000); i > 0; --i) {
        tree_world w = world_random(&rng, 24);
        if (w.tree.leaf_count <= 4096)
            check_neighbours(&w, &rng);
        world_free(&w);
    }
}

// -------------------------------------------------------------------------------------------------- nearest

/// A squared distance that always fits.
typedef struct wide {
    uint64_t high, low;
} wide;

static wide brute_distance2(const vni_box* box, vn_point point) {
    const int64_t at[3] = {point.x, point.y, point.z};
    wide sum = {0, 0};
    for (int i = 0; i < 3; ++i) {
        const int64_t below = (int64_t)box->low[i] * VN_LATTICE - at[i];
        const int64_t above = at[i] - (int64_t)box->high[i] * VN_LATTICE;
        const uint64_t gap = (uint64_t)(below > 0 ? below : above > 0 ? above : 0);
        const uint64_t before = sum.low;
        sum.low += gap * gap;
        sum.high += sum.low < before;
    }

    return sum;
}

static void check_nearest(const tree_world* w, vn_point point) {
    uint32_t best = VNI_NO_LEAF;
    wide best2 = {UINT64_MAX, 0};
    for (uint32_t i = 0; i < w->tree.leaf_count; ++i) {
        const vni_box box = vni_octree_leaf_box(&w->tree, i);
        const wide d2 = brute_distance2(&box, point);
        if (d2.high < best2.high || (d2.high == best2.high && d2.low < best2.low)) {
            best2 = d2;
            best = i;
        }
    }

    double distance2 = -1;
    assert_int_equal(vni_octree_nearest(&w->tree, point, NULL), best);
    assert_int_equal(vni_octree_nearest(&w->tree, point, &distance2), best);
    const double brute = (double)best2.high * 18446744073709551616.0 + (double)best2.low;
    if (best == VNI_NO_LEAF)
        assert_true(distance2 == -1);
    else {
        assert_true(distance2 >= brute * (1 - 1e-12));
        assert_true(distance2 <= brute * (1 + 1e-12));
    }
}

/// In the space, often on planes between voxels, or outside, or at the ends of the numbers.
static vn_point random_point(vni_rng* rng, vn_voxel dims) {
    const uint32_t kind = vni_rng_below(rng, 4);
    vn_point point = vnt_random_point(rng, dims, kind ? 1 : VN_LATTICE / 2);
    int32_t* at[3] = {&point.x, &point.y, &point.z};
    for (int i = 0; i < 3; ++i) {
        if (kind == 2 && vni_rng_below(rng, 2))
            *at[i] += vni_rng_range(rng, -40000, 40000);
        if (kind == 3 && vni_rng_below(rng, 2))
            *at[i] = vni_rng_below(rng, 2) ? INT32_MIN : INT32_MAX - (int32_t)vni_rng_below(rng, 3);
    }

    return point;
}

static void test_nearest_is_nearest_of_all(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("octree nearest", 66));
    for (uint32_t i = vnt_scale(120, 3000); i > 0; --i) {
        tree_world w = world_random(&rng, 24);
        for (int k = 0; k < 20; ++k)
            check_nearest(&w, random_point(&rng, w.voxels.dims));
        world_free(&w);
    }
}

/// The largest coordinates that there are: codes, neighbours and distances still fit.
static void test_the_longest_space(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    const vn_voxel dims = {VNI_MAX_DIM, 1, 1};
    uint64_t dense[VNI_BLOCK_BRICKS] = {1};
    for (int root = 0; root < 2; ++root) {
        const vni_octree_def def = {root ? VNI_ROOT_GCD : VNI_ROOT_CUBE, 0, UINT32_MAX};
        vni_occupancy occupancy;
        vni_block* block;
        vni_octree tree;
        assert_int_equal(vni_occupancy_make(&allocator, dims, &occupancy, NULL), VN_OK);
        assert_true(vni_block_pack(&allocator, dense, &block));
        vni_occupancy_set_block(&occupancy, (uint32_t)occupancy.blocks[0] - 1, block);
        assert_int_equal(vni_octree_make(&allocator, &occupancy, &def, &tree, NULL), VN_OK);
        const uint32_t leaves = root ? 4095 + 2 + 6 : 14 + 6;
        assert_int_equal(tree.leaf_count, leaves);
        const vn_voxel end = {VNI_MAX_DIM - 1, 0, 0}, wall = {VNI_MAX_DIM - 64, 0, 0};
        assert_int_equal(vni_octree_leaf_at(&tree, end), leaves - 1);
        assert_int_equal(vni_octree_leaf_at(&tree, wall), VNI_NO_LEAF);
        const vn_point middle = {(VNI_MAX_DIM - 64) * VN_LATTICE + 600, 500, 500}, beyond = {INT32_MAX, 0, 0};
        const vn_voxel above = {wall.x + 1, 0, 0};
        double distance2;
        assert_int_equal(vni_octree_nearest(&tree, middle, &distance2), vni_octree_leaf_at(&tree, above));
        assert_true(distance2 == 424.0 * 424.0);
        assert_int_equal(vni_octree_nearest(&tree, beyond, NULL), leaves - 1);
        visited seen = {.limit = UINT32_MAX};
        vni_octree_visit_neighbours(&tree, leaves - 1, 0, note, &seen);
        vni_octree_visit_neighbours(&tree, leaves - 1, 1, note, &seen);
        assert_int_equal(seen.count, 1);
        assert_int_equal(seen.leaves[0], leaves - 2);
        vni_octree_free(&tree);
        vni_occupancy_free(&occupancy);
    }
}

static void test_finding_allocates_nothing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(68);
    const vn_voxel dims = {30, 20, 25};
    tree_world w = world_make(vnt_voxels_random(&rng, dims), whole_def);
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_octree tree;
    static visited seen;
    seen.limit = UINT32_MAX;
    assert_int_equal(vni_octree_make(&allocator, &w.space->occupancy, &whole_def, &tree, NULL), VN_OK);

    const uint64_t calls = memory.calls;
    for (uint32_t i = 0; i < tree.leaf_count; ++i) {
        seen.count = 0;
        vni_octree_visit_neighbours(&tree, i, i % 6, note, &seen);
        vni_octree_nearest(&tree, random_point(&rng, dims), NULL);
    }

    assert_int_equal(memory.calls, calls);
    vni_octree_free(&tree);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_neighbours_are_all_that_touch),
        cmocka_unit_test(test_nearest_is_nearest_of_all),
        cmocka_unit_test(test_the_longest_space),
        cmocka_unit_test(test_finding_allocates_nothing),
    };

    return cmocka_run_group_tests_name("classic/octree_find", tests, NULL, NULL);
}
