/// Voxel sets against a plain list: every voxel once, in its brick, in order; boxes against their voxels; and
/// the sort beneath.
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
    assert_int_equal(vn_world_get_info(world, id, info), VN_OK);

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
    assert_true(info.bounds.max.x == 1048576.0f);
    assert_true(info.bounds.min.z == 0);
}

// -------------------------------------------------------------------------------------------------- boxes

static vn_shape boxes_shape(vn_voxel dims, const vn_voxel_box* boxes, uint64_t count) {
    vn_shape shape = vnt_voxels_shape(dims, 0.25f, NULL, 0);
    shape.as.voxels.boxes = boxes;
    shape.as.voxels.box_count = count;
    return shape;
}

/// Voxels and boxes together against the same voxels one by one: bricks equal to the bit.
static void check_boxes(vn_voxel dims, const vn_voxel* voxels, uint32_t voxel_count,
                        const vn_voxel_box* boxes, uint32_t box_count) {
    static vn_voxel all[200000];
    uint32_t count = 0;
    for (; count < voxel_count; ++count)
        all[count] = voxels[count];

    for (uint32_t i = 0; i < box_count; ++i)
        for (int32_t z = boxes[i].low.z; z < boxes[i].high.z; ++z)
            for (int32_t y = boxes[i].low.y; y < boxes[i].high.y; ++y)
                for (int32_t x = boxes[i].low.x; x < boxes[i].high.x; ++x) {
                    assert_true(count < 200000);
                    all[count++] = (vn_voxel){x, y, z};
                }

    vn_shape listed = vnt_voxels_shape(dims, 0.25f, all, count),
             alone = vnt_voxels_shape(dims, 0.25f, voxels, voxel_count),
             boxed = boxes_shape(dims, boxes, box_count);
    boxed.as.voxels.voxels = voxels;
    boxed.as.voxels.voxel_count = voxel_count;
    vn_obstacle_info listed_info, boxed_info, alone_info;
    vn_world *expected = world_of(&listed, &listed_info), *found = world_of(&boxed, &boxed_info);
    vn_world_destroy(world_of(&alone, &alone_info));
    const vni_voxels *a = &vni_world_obstacle(expected, 0)->as.voxels,
                     *b = &vni_world_obstacle(found, 0)->as.voxels;

    assert_int_equal(b->brick_count, a->brick_count);
    if (a->brick_count > 0)
        assert_memory_equal(b->bricks, a->bricks, a->brick_count * sizeof *a->bricks);

    assert_int_equal(boxed_info.voxels, listed_info.voxels);
    assert_int_equal(boxed_info.duplicates, alone_info.duplicates);
    assert_true(boxed_info.volume == listed_info.volume);
    vn_world_destroy(expected);
    vn_world_destroy(found);
}

static vn_voxel_box random_box(vni_rng* rng, vn_voxel dims, int32_t most) {
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    int32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = vni_rng_range(rng, 0, size[i]);
        high[i] = low[i] + vni_rng_range(rng, -1, most);
        high[i] = high[i] > size[i] ? size[i] : high[i];
        if (vni_rng_below(rng, 3) == 0) { // aligned ones cover whole cubes
            low[i] &= -8;
            high[i] &= -8;
        }
    }

    return (vn_voxel_box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static void random_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("world/voxels random_boxes", 13));
    static vn_voxel voxels[300];
    static vn_voxel_box boxes[200];
    for (uint32_t round = 0; round < vnt_scale(150, 3000); ++round) {
        vn_voxel dims = {vni_rng_range(&rng, 1, 70), vni_rng_range(&rng, 1, 70), vni_rng_range(&rng, 1, 70)};
        if (round % 5 == 4)
            dims.x = 1 << 20;

        bool many = round % 2;
        uint32_t box_count = vni_rng_below(&rng, many ? 200 : 6), count = vni_rng_below(&rng, 2) ? 0 : 300;
        for (uint32_t i = 0; i < box_count; ++i)
            boxes[i] = random_box(&rng, dims, many ? 6 : 40);

        for (uint32_t i = 0; i < count; ++i)
            voxels[i] = (vn_voxel){vni_rng_range(&rng, 0, dims.x - 1), vni_rng_range(&rng, 0, dims.y - 1),
                                   vni_rng_range(&rng, 0, dims.z - 1)};

        check_boxes(dims, voxels, count, boxes, box_count);
    }
}

/// 10^9 voxels and more: as fast as their bricks can be written. Two boxes that overlap, neither aligned.
static void large_boxes(void** state) {
    (void)state;
    int32_t edge = (int32_t)vnt_scale(500, 1001);
    vn_voxel dims = {edge + 3, edge + 5, edge + 1};
    vn_voxel_box boxes[2] = {{{1, 0, 1}, {edge + 1, edge, edge + 1}}, {{3, 2, 0}, {edge, edge + 5, edge}}};
    vn_shape shape = boxes_shape(dims, boxes, 2);
    vn_obstacle_info info;
    vn_world* world = world_of(&shape, &info);
    uint64_t e = (uint64_t)edge;
    assert_int_equal(info.voxels, e * e * e + (e - 3) * (e + 3) * e - (e - 3) * (e - 2) * (e - 1));

    const vni_voxels* set = &vni_world_obstacle(world, 0)->as.voxels;
    for (uint32_t i = 1; i < set->brick_count; ++i)
        assert_true(set->bricks[i - 1].key < set->bricks[i].key);

    vn_world_destroy(world);
}

static vn_status add_boxes(const vn_allocator* allocator, vn_voxel dims, const vn_voxel_box* boxes,
                           uint64_t count, vn_detail* detail) {
    vn_world_def def = vn_default_world_def();
    if (allocator != NULL)
        def.allocator = *allocator;

    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    vn_shape shape = boxes_shape(dims, boxes, count);
    vn_status status = vn_world_add(world, &shape, NULL, detail);
    assert_int_equal(vn_world_count(world), status == VN_OK);
    vn_world_destroy(world);

    return status;
}

static void bad_boxes_are_named(void** state) {
    (void)state;
    const vn_voxel dims = {10, 20, 30};
    for (int axis = 0; axis < 6; ++axis) {
        vn_voxel_box boxes[3] = {
            {{0, 0, 0}, {10, 20, 30}}, {{5, 5, 5}, {5, 99, 99}}, {{0, 0, 0}, {10, 20, 30}}};
        int32_t* number = axis < 3 ? &boxes[2].low.x + axis : &boxes[2].high.x + axis - 3;
        *number += axis < 3 ? -1 : 1;
        vn_detail detail;
        assert_int_equal(add_boxes(NULL, dims, boxes, 3, &detail), VN_BAD_DATA);
        assert_int_equal(detail.index, 2);
        assert_non_null(strstr(detail.text, "10 x 20 x 30"));
        assert_int_equal(add_boxes(NULL, dims, boxes, 2, &detail), VN_OK);
    }

    vn_voxel_box extreme = {{INT32_MIN, 0, 0}, {INT32_MAX, 1, 1}};
    assert_int_equal(add_boxes(NULL, dims, &extreme, 1, NULL), VN_BAD_DATA);
    extreme = (vn_voxel_box){{INT32_MAX, 0, 0}, {INT32_MIN, 1, 1}};
    assert_int_equal(add_boxes(NULL, dims, &extreme, 1, NULL), VN_OK);
}

static void* refuse_large(void* user, size_t size) {
    (void)user;
    return size > (size_t)1 << 30 ? NULL : malloc(size);
}

/// Impossible sizes are refused at once; possible ones are counted before memory is allocated.
static void too_large_boxes_are_refused(void** state) {
    (void)state;
    const int32_t all = 1 << 20;
    const vn_voxel dims = {all, all, all};
    vn_voxel_box boxes[2] = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {all, all, all}}};
    vn_detail detail;
    assert_int_equal(add_boxes(NULL, dims, boxes, 2, &detail), VN_TOO_LARGE);
    assert_int_equal(detail.index, 1);
    assert_non_null(strstr(detail.text, "larger voxels"));
    boxes[0] = (vn_voxel_box){{0, 0, 0}, {1 << 12, 1 << 12, 1 << 13}};
    boxes[1] = (vn_voxel_box){{all / 2, 0, 0}, {all / 2 + (1 << 12), 1 << 12, (1 << 13) - 4}};
    vn_allocator allocator = vn_default_allocator();
    allocator.alloc = refuse_large;
    assert_int_equal(add_boxes(&allocator, dims, boxes, 1, &detail), VN_OUT_OF_MEMORY);
    assert_non_null(strstr(detail.text, "2147483648 bricks"));
    assert_int_equal(add_boxes(&allocator, dims, boxes, 2, &detail), VN_OUT_OF_MEMORY);
    boxes[1].high.z += 4; // from 2^32 - 2^20 to 2^32 bricks
    assert_int_equal(add_boxes(&allocator, dims, boxes, 2, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "split"));
}

/// Every allocation of a set of voxels and boxes fails once.
static void boxes_run_out_of_memory(void** state) {
    (void)state;
    const vn_voxel voxels[3] = {{9, 9, 9}, {0, 0, 0}, {30, 1, 1}};
    vn_voxel_box boxes[40];
    vni_rng rng = vni_rng_make(14);
    for (uint32_t i = 0; i < 40; ++i)
        boxes[i] = random_box(&rng, (vn_voxel){40, 40, 40}, 20);

    vn_shape shape = boxes_shape((vn_voxel){40, 40, 40}, boxes, 40);
    shape.as.voxels.voxels = voxels;
    shape.as.voxels.voxel_count = 3;
    vn_status status = VN_OUT_OF_MEMORY;

    uint64_t k = 1;
    for (; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_world_def def = vn_default_world_def();
        def.allocator = vnt_memory_allocator(&memory);
        vn_world* world;
        vn_detail detail;
        assert_int_equal(vn_world_create(&def, &world), VN_OK);
        status = vn_world_add(world, &shape, NULL, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_true(status == VN_OK || detail.status == status);
        assert_int_equal(vn_world_count(world), status == VN_OK);
        vn_world_destroy(world);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }

    assert_true(k > 8);
}

// --------------------------------------------------------------------------------------------------- sort

static int compare_codes(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

/// Codes carry their first position in the bits below those that are sorted by, so that qsort shows the
/// stable order, and noise above them.
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
        cmocka_unit_test(random_boxes),
        cmocka_unit_test(large_boxes),
        cmocka_unit_test(bad_boxes_are_named),
        cmocka_unit_test(too_large_boxes_are_refused),
        cmocka_unit_test(boxes_run_out_of_memory),
        cmocka_unit_test(radix_sort_is_stable),
    };

    return cmocka_run_group_tests_name("world/voxels", tests, NULL, NULL);
}
