/// dynamic/own.c: what one moving obstacle covers, and how many others cover the same voxels.
#include "dynamic/dynamic_inside.h"

/// Of a footprint's brick: counts of `covers`, and VNI_OWN_MANY where static obstacles block.
static vni_own_brick own_brick(const vni_dynamic* dynamic, const vni_footprint_brick* brick) {
    const uint64_t key = vni_brick_key(brick->block, brick->brick);
    uint64_t walls = 0;
    for (uint32_t i = 0; i < VNI_STATICS; ++i)
        walls |= vni_static_brick(&dynamic->statics[i], brick->block, brick->brick);

    vni_own_brick own = {.key = key, .bits = brick->bits};
    for (uint64_t left = brick->bits; left != 0; left &= left - 1) {
        const uint32_t bit = vni_lowest_bit(left);
        const uint32_t moving =
            vni_cover_count(&dynamic->covers[0], key, bit) + vni_cover_count(&dynamic->covers[1], key, bit);
        const uint32_t count = walls >> bit & 1 ? VNI_OWN_MANY : moving;
        const uint32_t most = count < VNI_OWN_MANY ? count : VNI_OWN_MANY;
        VNI_ASSERT(count > 0);
        for (uint32_t i = 0; i < VNI_OWN_PLANES; ++i)
            own.counts[i] |= (uint64_t)(most >> i & 1) << bit;
    }

    return own;
}

uint32_t vni_dynamic_own(const vni_dynamic* dynamic, uint32_t slot, vni_own_brick* out, uint32_t capacity) {
    if (slot >= dynamic->print_capacity || !dynamic->prints[slot].moves)
        return 0;

    const vni_footprint* print = &dynamic->prints[slot].bricks;
    for (uint32_t i = 0; i < print->count && i < capacity; ++i)
        out[i] = own_brick(dynamic, &print->bricks[i]);
    return print->count;
}
