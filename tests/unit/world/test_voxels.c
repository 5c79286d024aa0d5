/// Voxel sets against a plain list: every voxel once, in its brick, in order; and the sort beneath.
#include "base/rng.h"
#include "geom/morton.h"
#include "shapes.h"
#include "support.h"
#include "world/radix.h"
#include "world/world.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

static int compare_voxels(const void* a, const void* b) {
    const vn_voxel *v = a, *w = b;
    if (v->z != w->z)
        return v->z < w->z ? -1 : 1;
    if (v->y != w->y)
        return v->y < w->y ? -1 : 1;
    return v->x < w->x ? -1 : v->x > w->x;
}

static vn_world* world_of(const vn_shape* shape, vn_obstacle_info* info) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vn_obstacle_id id;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, shape, &id, NULL), VN_OK);
    assert_int_equal(vn_world_info(world, id, info), VN_OK);
    return world;
}

/// Writes the voxels of a set out again.
static uint64_t list_voxels(const vni_voxels* set, vn_voxel* out) {
    uint64_t count = 0;
    for (uint32_t b = 0; b < set->brick_count; ++b) {
        assert_true(b == 0 || set->bricks[b - 1].key < set->bricks[b].key);
        assert_true(set->bricks[b].bits != 0);
        uint32_t x, y, z;
        vni_morton_decode(set->bricks[b].key, &x, &y, &z);
        for (uint32_t bit = 0; bit < 64; ++bit) {
            if ((set->bricks[b].bits >> bit) & 1)
                out[count++] = (vn_voxel){(int32_t)(4 * x + bit % 4), (int32_t)(4 * y + bit / 4 % 4),
                                          (int32_t)(4 * z + bit / 16)};
        }
    }
    return count;
}

static void check_set(vn_voxel dims, const vn_voxel* voxels, uint32_t count) {
    vn_voxel* expected = malloc((count + 1) * sizeof *expected);
    vn_voxel* found = malloc((count + 1) * sizeof *found);
    for (uint32_t i = 0; i < count; ++i)
        expected[i] = voxels[i];
    qsort(expected, count, sizeof *expected, compare_voxels);
    uint64_t distinct = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == 0 || compare_voxels(&expected[i - 1], &expected[i]) != 0)
            expected[distinct++] = expected[i];
    }
    vn_shape shape = vnt_voxels_shape(dims, 0.25f, voxels, count);
    vn_obstacle_info info;
    vn_world* world = world_of(&shape, &info);
    assert_int_equal(info.voxels, distinct);
    assert_int_equal(info.duplicates, count - distinct);
    assert_int_equal(list_voxels(&vni_world_obstacle(world, 0)->as.voxels, found), distinct);
    qsort(found, (size_t)distinct, sizeof *found, compare_voxels);
    assert_memory_equal(found, expected, (size_t)distinct * sizeof *found);
    vn_world_destroy(world);
    free(expected);
    free(found);
}

static void random_sets(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("world/voxels random_sets", 11));
    static vn_voxel voxels[20000];
    for (uint32_t round = 0; round < vnt_scale(60, 2000); ++round) {
        vn_voxel dims = {vni_rng_range(&rng, 1, 40), vni_rng_range(&rng, 1, 40), vni_rng_range(&rng, 1, 40)};
        if (round % 5 == 4)
            dims.z = 1 << 20;
        uint32_t count = vni_rng_below(&rng, round % 7 == 0 ? 20000 : 300);
        for (uint32_t i = 0; i < count; ++i)
            voxels[i] = (vn_voxel){vni_rng_range(&rng, 0, dims.x - 1), vni_rng_range(&rng, 0, dims.y - 1),
                                   vni_rng_range(&rng, 0, dims.z - 1)};
        check_set(dims, voxels, count);
    }
}

static void extreme_sets(void** state) {
    (void)state;
    const vn_voxel largest = {1 << 20, 1 << 20, 1 << 20};
    const int32_t last = (1 << 20) - 1;
    const vn_voxel corners[4] = {{0, 0, 0}, {last, last, last}, {last, 0, 0}, {0, 0, 0}};
    check_set((vn_voxel){1, 1, 1}, NULL, 0);
    check_set(largest, corners, 0);
    check_set(largest, corners, 4);
    vn_shape shape = vnt_voxels_shape(largest, 1, corners, 4);
    vn_obstacle_info info;
    vn_world_destroy(world_of(&shape, &info));
    assert_true(info.bounds.max.x == 1048576.0f && info.bounds.min.z == 0);
}

static int compare_codes(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

/// Codes carry their first place in the bits below those that are sorted by, so that qsort shows the stable
/// order, and noise above them.
static void radix_sort_is_stable(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("world/voxels radix", 12));
    static uint64_t codes[5000], spare[5000], expected[5000];
    for (uint32_t round = 0; round < vnt_scale(200, 5000); ++round) {
        uint32_t count = vni_rng_below(&rng, 5000);
        uint32_t high = 17 + vni_rng_below(&rng, 48);
        uint64_t mask = high == 64 ? UINT64_MAX : ((uint64_t)1 << high) - 1;
        for (uint32_t i = 0; i < count; ++i) {
            codes[i] = (vni_rng_next(&rng) & vni_rng_next(&rng)) << 16 | i;
            expected[i] = codes[i] & mask;
        }
        qsort(expected, count, sizeof *expected, compare_codes);
        vni_radix_sort(codes, spare, count, 16, high);
        for (uint32_t i = 0; i < count; ++i)
            assert_true((codes[i] & mask) == expected[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets),
        cmocka_unit_test(extreme_sets),
        cmocka_unit_test(radix_sort_is_stable),
    };
    return cmocka_run_group_tests_name("world/voxels", tests, NULL, NULL);
}
