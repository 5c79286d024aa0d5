/// Validation of occupancy: refused exactly when a block is not what packing its voxels gives.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "base/alloc.h"
#include "cells/validate.h"
#include "space/space.h"

#include <string.h>

static void expect(vn_status got, vn_status want, const vn_detail* detail) {
    if (got != want)
        print_message("%s: %s\n", vn_status_word(got), detail->text);
    assert_int_equal(got, want);
}

static void test_what_is_made_passes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate occupancy", 301));
    for (uint32_t i = 0; i < vnt_scale(30, 300); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 3 ? 70 : 20));
        vn_space* space = vnt_voxels_space(&voxels);
        vn_detail detail;
        expect(vni_occupancy_validate(&space->occupancy, &detail), VN_OK, &detail);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// Is the block what packing its voxels gives? Only for blocks that store as many bricks as they flag.
static bool is_as_packed(const vni_block* block, const int32_t limit[3]) {
    static uint64_t dense[VNI_BLOCK_BRICKS];
    vn_allocator allocator = vn_default_allocator();
    vni_block* packed;
    uint32_t flagged = 0;
    for (uint32_t c = 0; c < 64; ++c)
        for (uint32_t b = 0; b < 64; ++b)
            flagged += (block->some[c] >> b & 1) && !(block->full[c] >> b & 1);

    if (flagged != block->mixed_count)
        return false;
    vni_block_unpack(block, dense);
    for (int32_t z = 0; z < 64; ++z)
        for (int32_t y = 0; y < 64; ++y)
            for (int32_t x = 0; x < 64; ++x)
                if ((x >= limit[0] || y >= limit[1] || z >= limit[2]) &&
                    dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)] >> vni_bit_of(x, y, z) & 1)
                    return false;

    assert_true(vni_block_pack(&allocator, dense, &packed));
    bool same = packed != NULL && packed->mixed_count == block->mixed_count &&
                packed->blocked_voxels == block->blocked_voxels &&
                memcmp(packed->first, block->first, sizeof block->first) == 0 &&
                memcmp(packed->some, block->some, sizeof block->some) == 0 &&
                memcmp(packed->full, block->full, sizeof block->full) == 0 &&
                memcmp(packed->bricks, block->bricks, block->mixed_count * sizeof(uint64_t)) == 0;
    vni_block_release(&allocator, packed);

    return same;
}

/// Some bytes of a block that are about to change.
typedef struct target {
    unsigned char* data;
    size_t count, size; ///< elements and bytes of each
    bool is_length;     ///< may only become smaller
} target;

static target pick_occupancy(vni_rng* rng, vni_block* block) {
    switch (vni_rng_below(rng, 8)) {
    case 0: return (target){(unsigned char*)&block->mixed_count, 1, 4, true};
    case 1: return (target){(unsigned char*)&block->blocked_voxels, 1, 4, false};
    case 2: return (target){(unsigned char*)block->first, 64, 2, false};
    case 3:
    case 4: return (target){(unsigned char*)block->some, 64, 8, false};
    case 5: return (target){(unsigned char*)block->full, 64, 8, false};
    default: return (target){(unsigned char*)block->bricks, block->mixed_count, 8, false};
    }
}

/// One change in one block: refused exactly when the block is not what packing gives.
static bool mutate_occupancy(vni_rng* rng, vni_occupancy* o, uint32_t index) {
    unsigned char before[8];
    vni_block* block = o->table[index];
    const target t = pick_occupancy(rng, block);
    if (t.count == 0)
        return false;

    unsigned char* element = t.data + t.size * vni_rng_below(rng, (uint32_t)t.count);
    memcpy(before, element, t.size);
    const uint32_t at = vni_rng_below(rng, (uint32_t)t.size), blocked = block->blocked_voxels;
    if (t.is_length)
        block->mixed_count = block->mixed_count ? vni_rng_below(rng, block->mixed_count) : 0;
    else if (vni_rng_below(rng, 4) == 0)
        memset(element, vni_rng_below(rng, 2) ? 255 : 0, t.size);
    else
        element[at] = (unsigned char)(element[at] ^ 1u << vni_rng_below(rng, 8));

    const uint64_t total = o->blocked_voxels;
    const bool repairs = vni_rng_below(rng, 2);
    if (repairs) { // as a forger would
        block->blocked_voxels = 0;
        for (uint32_t c = 0; c < 64; ++c)
            for (uint32_t b = 0; b < 64; ++b)
                block->blocked_voxels += block->full[c] >> b & 1 ? 64 : 0;
        for (uint32_t i = 0; i < block->mixed_count; ++i)
            block->blocked_voxels += vni_popcount(block->bricks[i]);
        o->blocked_voxels = o->blocked_voxels - blocked + block->blocked_voxels;
    }

    int32_t limit[3];
    vni_block_limit(o->dims, o->blocks, index, limit);
    vn_detail detail = {0};
    const bool ok =
        is_as_packed(block, limit) && o->blocked_voxels == total - blocked + block->blocked_voxels;
    expect(vni_occupancy_validate(o, &detail), ok ? VN_OK : VN_BAD_DATA, &detail);
    block->blocked_voxels = blocked;
    o->blocked_voxels = total;
    memcpy(element, before, t.size);

    return ok;
}

static void test_mutations(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate occupancy changes", 106));
    uint32_t accepted = 0;
    for (uint32_t world = 0; world < vnt_scale(15, 150); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, world % 3 ? 70 : 20));
        vn_space* space = vnt_voxels_space(&voxels);
        vni_occupancy* o = &space->occupancy;
        for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
            const uint32_t index = vni_rng_below(&rng, vni_occupancy_block_count(o));
            if (o->table[index] != NULL)
                accepted += mutate_occupancy(&rng, o, index);
        }

        vn_detail detail;
        expect(vni_occupancy_validate(o, &detail), VN_OK, &detail);
        ++o->blocked_voxels;
        expect(vni_occupancy_validate(o, &detail), VN_BAD_DATA, &detail);
        --o->blocked_voxels;
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u accepted\n", accepted);
}

/// A block that is stored though it is free.
static void test_free_block_is_not_stored(void** state) {
    (void)state;
    const vn_voxel dims = {64, 64, 64};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 1, 2, 3);
    vn_space* space = vnt_voxels_space(&voxels);
    vni_block* block = space->occupancy.table[0];
    const uint64_t some = block->some[0];
    vn_detail detail = {0};
    block->some[0] = 0;

    block->mixed_count = block->blocked_voxels = 0;
    for (uint32_t i = 0; i < 64; ++i)
        block->first[i] = 0;

    space->occupancy.blocked_voxels = 0;
    expect(vni_occupancy_validate(&space->occupancy, &detail), VN_BAD_DATA, &detail);
    assert_non_null(strstr(detail.text, "a free block is not stored"));
    block->some[0] = some;
    block->mixed_count = block->blocked_voxels = 1;
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// A brick too many at the end, which nothing points to.
static void test_brick_that_is_not_used(void** state) {
    (void)state;
    const vn_voxel dims = {64, 64, 64};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 1, 2, 3);
    vn_space* space = vnt_voxels_space(&voxels);
    const vni_block* block = space->occupancy.table[0];
    const size_t size = vni_block_bytes(block);
    vni_block* longer = vni_alloc(&space->allocator, 1, size + sizeof(uint64_t));
    assert_non_null(longer);
    memcpy(longer, block, size);
    longer->bricks[1] = 1;
    longer->mixed_count = 2;
    vni_occupancy_set_block(&space->occupancy, 0, longer);
    vn_detail detail = {0};
    expect(vni_occupancy_validate(&space->occupancy, &detail), VN_BAD_DATA, &detail);
    assert_non_null(strstr(detail.text, "block 0: 1 bricks are used, but 2 are stored"));
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_made_passes),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_free_block_is_not_stored),
        cmocka_unit_test(test_brick_that_is_not_used),
    };

    return cmocka_run_group_tests_name("occupancy/validate_occupancy", tests, NULL, NULL);
}
