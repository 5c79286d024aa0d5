/// Blocks and bricks against plain arrays; limits; memory.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "occupancy/occupancy.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

static void test_matches_plain_array(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("occupancy", 11));
    for (uint32_t round = 0; round < vnt_scale(40, 400); ++round) {
        vn_voxel dims = vnt_random_dims(&rng, round % 4 == 0 ? 140 : 20);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        uint64_t blocked = 0;
        for (int32_t z = -1; z <= dims.z; ++z)
            for (int32_t y = -1; y <= dims.y; ++y)
                for (int32_t x = -1; x <= dims.x; ++x) {
                    vn_voxel v = {x, y, z};
                    bool inside = x >= 0 && y >= 0 && z >= 0 && x < dims.x && y < dims.y && z < dims.z;
                    bool is_free = vnt_voxels_are_free(&voxels, x, y, z);
                    assert_int_equal(vn_space_voxel_free(space, v), is_free);
                    blocked += inside && !is_free;
                }

        vn_space_info info;
        vn_space_get_info(space, &info);
        assert_int_equal(info.blocked_voxels, blocked);
        assert_int_equal(info.free_voxels, (uint64_t)dims.x * (uint64_t)dims.y * (uint64_t)dims.z - blocked);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

static void test_pack_and_unpack(void** state) {
    (void)state;
    static uint64_t dense[VNI_BLOCK_BRICKS], again[VNI_BLOCK_BRICKS];
    vni_rng rng = vni_rng_make(vnt_seed("pack", 12));
    vn_allocator allocator = vn_default_allocator();
    for (uint32_t round = 0; round < 50; ++round) {
        for (uint32_t i = 0; i < VNI_BLOCK_BRICKS; ++i) {
            uint32_t kind = vni_rng_below(&rng, 8);
            dense[i] = kind < 4 || round == 0 ? 0 : kind < 6 ? ~(uint64_t)0 : vni_rng_next(&rng);
        }

        vni_block* block;
        assert_true(vni_block_pack(&allocator, dense, &block));
        assert_true((block == NULL) == (round == 0));
        vni_block_unpack(block, again);
        assert_memory_equal(dense, again, sizeof dense);
        vni_block_retain(block);
        vni_block_release(&allocator, block);
        vni_block_release(&allocator, block);
    }
}

static void test_limits(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vni_occupancy o;
    vn_detail detail;
    const vn_voxel none = {4, 0, 4}, negative = {4, 4, -1}, wide = {VNI_MAX_DIM + 1, 1, 1},
                   huge = {100000, 100000, 100000};
    assert_int_equal(vni_occupancy_make(&allocator, none, &o, &detail), VN_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, "along y"));
    assert_int_equal(vni_occupancy_make(&allocator, negative, &o, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vni_occupancy_make(&allocator, wide, &o, &detail), VN_TOO_LARGE);
    assert_int_equal(vni_occupancy_make(&allocator, huge, &o, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "coarser"));
    vni_occupancy_free(&o);
}

/// 1000^3 voxels with 300,000 blocked ones scattered at random, the worst case for bricks, stay below 30 MB.
static void test_sparse_world_is_small(void** state) {
    (void)state;
    static uint64_t dense[VNI_BLOCK_BRICKS];
    vni_rng rng = vni_rng_make(vnt_seed("sparse", 13));
    vn_allocator allocator = vn_default_allocator();
    vni_occupancy o;
    const vn_voxel dims = {1000, 1000, 1000};
    assert_int_equal(vni_occupancy_make(&allocator, dims, &o, NULL), VN_OK);

    uint32_t blocks = vni_occupancy_block_count(&o), left = 300000;
    for (uint32_t i = 0; i < blocks; ++i) {
        memset(dense, 0, sizeof dense);
        for (uint32_t n = left / (blocks - i); n > 0;
             --n, --left) // all 64^3 are inside but for the last blocks' rims, which is fine here
            dense[vni_rng_below(&rng, VNI_BLOCK_BRICKS)] |= (uint64_t)1 << vni_rng_below(&rng, 64);

        vni_block* block;
        assert_true(vni_block_pack(&allocator, dense, &block));
        vni_occupancy_set_block(&o, i, block);
    }

    assert_int_equal(left, 0);
    vn_memory memory;
    vni_occupancy_memory(&o, &memory);
    assert_true(memory.total < 30u * 1000 * 1000);

    size_t sum = 0;
    for (uint32_t i = 0; i < memory.count; ++i)
        sum += memory.parts[i].bytes;

    assert_int_equal(sum, memory.total);
    vni_occupancy_free(&o);
}

static void test_out_of_memory(void** state) {
    (void)state;
    static uint64_t dense[VNI_BLOCK_BRICKS];
    dense[5] = 7;
    const vn_voxel dims = {100, 70, 9};
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_occupancy o;

        vn_status status = vni_occupancy_make(&allocator, dims, &o, NULL);
        if (status == VN_OK) {
            vni_block* block;
            if (vni_block_pack(&allocator, dense, &block))
                vni_occupancy_set_block(&o, 0, block);
            else
                status = VN_OUT_OF_MEMORY;
        }

        vni_occupancy_free(&o);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed) {
            assert_int_equal(status, VN_OK);
            break;
        }

        assert_int_equal(status, VN_OUT_OF_MEMORY);
    }
}

static void test_hash_tells_spaces_apart(void** state) {
    (void)state;
    const vn_voxel dims = {70, 10, 10};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* empty = vnt_voxels_space(&voxels);
    vnt_voxels_block(&voxels, 69, 3, 4);
    vn_space* one = vnt_voxels_space(&voxels);
    vn_space* same = vnt_voxels_space(&voxels);
    assert_true(vn_space_content_hash(empty) != vn_space_content_hash(one));
    assert_true(vn_space_content_hash(same) == vn_space_content_hash(one));
    vn_space_destroy(empty);
    vn_space_destroy(one);
    vn_space_destroy(same);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches_plain_array),
        cmocka_unit_test(test_pack_and_unpack),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_sparse_world_is_small),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_hash_tells_spaces_apart),
    };

    return cmocka_run_group_tests_name("occupancy/occupancy", tests, NULL, NULL);
}
