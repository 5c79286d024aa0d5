/// Far walls: what is remembered gives the result of a look of its own, and saves nearly all of the looks.
#include "query/far_walls.h"

#include "base/rng.h"
#include "cmocka_all.h"
#include "spaces.h"
#include "support.h"

#include "probe/nearest.h"

#include <math.h>
#include <string.h>

/// A long space with a few blocked voxels.
static vn_space sparse_space(vni_rng* rng, vn_voxel dims, uint32_t blocked) {
    vn_space space = vnt_space_make(dims.x, dims.y, dims.z, 1, NULL);
    uint64_t* dense = calloc(VNI_BLOCK_BRICKS, sizeof *dense);
    assert_non_null(dense);
    for (uint32_t i = 0; i < blocked; ++i) {
        uint32_t index = vni_rng_below(rng, vni_occupancy_block_count(&space.occupancy));
        vni_block* block = NULL;
        memset(dense, 0, VNI_BLOCK_BRICKS * sizeof *dense);
        dense[0] = 1; // the low corner of the block
        assert_true(vni_block_pack(&space.allocator, dense, &block));
        vni_occupancy_set_block(&space.occupancy, index, block);
    }

    free(dense);
    return space;
}

static vn_voxel random_voxel(vni_rng* rng, vn_voxel dims) {
    return (vn_voxel){(int32_t)vni_rng_below(rng, (uint32_t)dims.x),
                      (int32_t)vni_rng_below(rng, (uint32_t)dims.y),
                      (int32_t)vni_rng_below(rng, (uint32_t)dims.z)};
}

static void check_voxel(vni_far_walls* far, vn_voxel v, double most) {
    vni_vec low = vni_v(v.x, v.y, v.z), high = vni_v(v.x + 1.0, v.y + 1.0, v.z + 1.0);
    double near = -1, distance = -1;
    vn_voxel wall;
    bool is_near = vni_nearest_blocked(far->occupancy, low, high, most, &wall, &near);
    assert_int_equal(vni_far_walls_find(far, v, most, &distance), is_near);
    assert_true(!is_near || near == distance);
}

static void test_against_nearest(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("far walls", 1101));
    for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
        const vn_voxel dims = {1 + vni_rng_range(&rng, 0, 2000), 1 + vni_rng_range(&rng, 0, 200), 100};
        vn_space space = sparse_space(&rng, dims, vni_rng_below(&rng, 4));
        vni_far_walls far = {.looks = 0};
        vni_far_walls_begin(&far, &space.occupancy);

        vn_voxel v = random_voxel(&rng, dims);
        for (uint32_t k = 0; k < 200; ++k) {
            double most = VNI_FAR + 1 + vni_rng_below(&rng, 400);
            check_voxel(&far, v, vni_rng_below(&rng, 8) ? most : HUGE_VAL);
            vn_voxel next = {v.x + vni_rng_range(&rng, -9, 9), v.y, v.z};
            v = vni_rng_below(&rng, 20) == 0 || next.x < 0 || next.x >= dims.x ? random_voxel(&rng, dims)
                                                                               : next;
        }

        vnt_space_free(&space);
    }
}

/// Voxel after voxel along an empty space: one look, however long the space is.
static void test_one_look(void** state) {
    (void)state;
    vn_space space = vnt_space_make(1 << 17, 8, 8, 1, NULL);
    vni_far_walls far = {.looks = 0};
    vni_far_walls_begin(&far, &space.occupancy);
    for (int32_t x = 0; x < 2000; ++x)
        check_voxel(&far, (vn_voxel){x, 3, 3}, HUGE_VAL);

    assert_in_range(far.looks, 1, 1 << 11);
    vnt_space_free(&space);
}

/// Of two openings the nearer one is replaced, so that each end of a search keeps its own, also where one of
/// them has a wall beside it.
static void test_each_end_keeps_its_own(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(1);
    const vn_voxel dims = {1 << 13, 8, 8};
    vn_space space = sparse_space(&rng, dims, 1);
    vni_far_walls far = {.looks = 0};
    vni_vec low = vni_v(0, 0, 0), high = vni_v(1, 1, 1);
    vn_voxel wall;
    double distance;
    assert_true(vni_nearest_blocked(&space.occupancy, low, high, HUGE_VAL, &wall, &distance));
    const int32_t away = wall.x < dims.x / 2 ? 2000 : -2000;
    for (int order = 0; order < 2; ++order) {
        const vn_voxel beside[2] = {{wall.x + 1, 0, 0}, {wall.x, 1, 0}}, open = {wall.x + away, 4, 4};
        vni_far_walls_begin(&far, &space.occupancy);
        check_voxel(&far, order ? open : beside[0], 100);
        check_voxel(&far, order ? beside[0] : open, 100);
        check_voxel(&far, beside[1], 100);

        const uint64_t looks = far.looks;
        check_voxel(&far, (vn_voxel){open.x + 3, 4, 4}, 100); // known: no look
        assert_int_equal(far.looks, looks);
    }

    vnt_space_free(&space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_nearest),
                                       cmocka_unit_test(test_one_look),
                                       cmocka_unit_test(test_each_end_keeps_its_own)};
    return cmocka_run_group_tests_name("query/far_walls", tests, NULL, NULL);
}
