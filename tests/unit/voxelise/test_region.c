/// tests/unit/voxelise/test_region.c: the kept region against a plain flood fill.
#include "base/rng.h"
#include "cmocka_all.h"
#include "support.h"
#include "voxelise/fill.h"
#include "voxelise/stamp.h"
#include "voxels.h"
#include <stdlib.h>
#include <string.h>

static vni_occupancy pack(const vn_allocator* allocator, const vnt_voxels* voxels) {
    vni_occupancy o;
    assert_int_equal(vni_occupancy_make(allocator, voxels->dims, &o, NULL), VN_OK);
    uint64_t dense[VNI_BLOCK_BRICKS];
    for (int32_t b = 0; b < (int32_t)vni_occupancy_block_count(&o); ++b) {
        int32_t bx = b % o.blocks[0] * 64, by = b / o.blocks[0] % o.blocks[1] * 64,
                bz = b / o.blocks[0] / o.blocks[1] * 64;
        memset(dense, 0, sizeof dense);
        for (int32_t i = 0; i < 64 * 64 * 64; ++i) {
            int32_t x = bx + (i & 63), y = by + (i >> 6 & 63), z = bz + (i >> 12);
            if (vni_occupancy_inside(&o, x, y, z) && !vnt_voxels_are_free(voxels, x, y, z))
                dense[vni_dense_index(x, y, z)] |= (uint64_t)1 << vni_bit_of(x, y, z);
        }

        vni_block* block;
        assert_true(vni_block_pack(allocator, dense, &block));
        vni_occupancy_set_block(&o, (uint32_t)b, block);
    }

    return o;
}

/// 1 for every voxel that the seed reaches.
static unsigned char* flood(const vnt_voxels* voxels, vn_voxel seed) {
    vn_voxel d = voxels->dims;
    size_t count = (size_t)d.x * (size_t)d.y * (size_t)d.z, head = 0, tail = 0;
    unsigned char* reached = calloc(count, 1);
    vn_voxel* queue = malloc(count * sizeof *queue);
    queue[tail++] = seed;

    reached[seed.x + d.x * (seed.y + d.y * seed.z)] = 1;
    while (head < tail) {
        vn_voxel v = queue[head++];
        for (int i = 0; i < 6; ++i) {
            int32_t step = i % 2 ? 1 : -1;
            vn_voxel n = {v.x + (i / 2 == 0) * step, v.y + (i / 2 == 1) * step, v.z + (i / 2 == 2) * step};
            if (!vnt_voxels_are_free(voxels, n.x, n.y, n.z) || reached[n.x + d.x * (n.y + d.y * n.z)])
                continue;
            reached[n.x + d.x * (n.y + d.y * n.z)] = 1;
            queue[tail++] = n;
        }
    }

    free(queue);
    return reached;
}

static void compare(const vnt_voxels* voxels, vn_voxel seed) {
    vn_allocator allocator = vn_default_allocator();
    vni_occupancy o = pack(&allocator, voxels);
    unsigned char* reached = flood(voxels, seed);
    assert_int_equal(vni_keep_region(&o, seed, NULL, NULL), VN_OK);
    uint64_t blocked = 0;

    vn_voxel d = voxels->dims;
    for (int32_t z = 0; z < d.z; ++z)
        for (int32_t y = 0; y < d.y; ++y)
            for (int32_t x = 0; x < d.x; ++x) {
                bool free_now = vni_occupancy_free_at(&o, x, y, z);
                if (free_now != (reached[x + d.x * (y + d.y * z)] != 0))
                    fail_msg("voxel %d %d %d is %s", x, y, z, free_now ? "free" : "blocked");
                blocked += !free_now;
            }

    assert_int_equal(o.blocked_voxels, blocked);
    for (uint32_t b = 0; b < vni_occupancy_block_count(&o); ++b)
        blocked -= o.table[b] != NULL ? o.table[b]->blocked_voxels : 0;

    assert_int_equal(blocked, 0);
    free(reached);
    vni_occupancy_free(&o);
}

static bool pick_free(vni_rng* rng, const vnt_voxels* voxels, vn_voxel* out) {
    for (int i = 0; i < 1000; ++i) {
        *out =
            (vn_voxel){vni_rng_range(rng, 0, voxels->dims.x - 1), vni_rng_range(rng, 0, voxels->dims.y - 1),
                       vni_rng_range(rng, 0, voxels->dims.z - 1)};
        if (vnt_voxels_are_free(voxels, out->x, out->y, out->z))
            return true;
    }

    return false;
}

static void test_random(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("region/random", 31));
    for (uint32_t round = 0; round < vnt_scale(60, 1500); ++round) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, round % 3 ? 40 : 90));
        vn_voxel seed;
        if (pick_free(&rng, &voxels, &seed))
            compare(&voxels, seed);
        vnt_voxels_free(&voxels);
    }
}

/// Dust near the point where free space falls apart: long, winding regions.
static void test_winding_regions(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("region/winding", 32));
    for (uint32_t round = 0; round < vnt_scale(10, 200); ++round) {
        vn_voxel dims = {70, 66, 35};
        vnt_voxels voxels = vnt_voxels_make(dims);
        for (int32_t i = 0; i < dims.x * dims.y * dims.z; ++i)
            voxels.blocked[i] = vni_rng_below(&rng, 1000) < 640 + 10 * (round % 6);

        vn_voxel seed;
        if (pick_free(&rng, &voxels, &seed))
            compare(&voxels, seed);

        vnt_voxels_free(&voxels);
    }
}

/// All-free blocks between walls, some of them cut off.
static void test_free_blocks(void** state) {
    (void)state;
    vn_voxel dims = {200, 130, 70}, seeds[] = {{0, 0, 0}, {199, 129, 69}, {70, 70, 65}};
    for (int hole = 0; hole < 2; ++hole) {
        vnt_voxels voxels = vnt_voxels_make(dims);
        for (int32_t z = 0; z < dims.z; ++z)
            for (int32_t y = 0; y < dims.y; ++y)
                vnt_voxels_block(&voxels, 60, y, z);

        if (hole)
            voxels.blocked[60 + 200 * (129 + 130 * 69)] = 0;

        for (int i = 0; i < 3; ++i)
            compare(&voxels, seeds[i]);

        vnt_voxels_free(&voxels);
    }
}

typedef struct watcher {
    uint64_t calls, stop_at;
    double last;
} watcher;

static bool watch(void* user, const char* stage, double fraction) {
    watcher* w = user;
    assert_string_equal(stage, "region");
    assert_true(fraction >= w->last);
    assert_true(fraction <= 1);
    w->last = fraction;
    return w->calls++ != w->stop_at;
}

/// Cancelled at each call and without memory at each allocation: the occupancy is as it was.
static void test_clean_failure(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("region/failure", 33));
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){150, 70, 66});
    for (int i = 0; i < 100000; ++i)
        vnt_voxels_block(&voxels, vni_rng_range(&rng, 1, 80), vni_rng_range(&rng, 0, 69),
                         vni_rng_range(&rng, 0, 65));

    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_occupancy o = pack(&allocator, &voxels);
    uint64_t hash = vni_occupancy_hash(&o), blocks = memory.live_blocks, bytes = memory.live_bytes;

    vn_status status = VN_CANCELLED;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        watcher w = {.stop_at = k};
        memory.failed = false;
        memory.fail_at = k % 2 ? memory.calls + k / 2 : UINT64_MAX;
        w.stop_at = k % 2 ? UINT64_MAX : k / 2;
        status = vni_keep_region(&o, (vn_voxel){0, 0, 0}, watch, &w);

        if (status == VN_OK)
            break;
        assert_int_equal(status, k % 2 ? VN_OUT_OF_MEMORY : VN_CANCELLED);
        assert_true(vni_occupancy_hash(&o) == hash);
        assert_true(memory.live_blocks == blocks);
        assert_true(memory.live_bytes == bytes);
        assert_true(!memory.mismatch);
    }

    assert_true(vni_occupancy_hash(&o) != hash);
    vni_occupancy_free(&o);
    assert_true(memory.live_blocks == 0);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_winding_regions),
        cmocka_unit_test(test_free_blocks),
        cmocka_unit_test(test_clean_failure),
    };

    return cmocka_run_group_tests_name("space/region", tests, NULL, NULL);
}
