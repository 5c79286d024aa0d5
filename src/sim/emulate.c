/// sim/emulate.c: nodes of a path that are blocked at a rate (Maruszczyk 2016).
#include <assert.h>

#include "sim/mover.h"

#define EMULATED_COOKIE 0x656d7501u

vn_emulated_def vn_default_emulated_def(void) {
    return (vn_emulated_def){.nodes = 1, .interval = 10, .spared = 1, .cookie = EMULATED_COOKIE};
}

/// Another path, others blocked.
static uint64_t seed_of(const vn_emulated_def* def, uint64_t burst, const vn_voxel* path, uint32_t count) {
    uint64_t seed = vni_random_of(def->seed, burst);
    for (uint32_t i = 0; i < count; ++i) {
        seed = vni_random_of(seed, (uint64_t)(uint32_t)path[i].x << 32 | (uint32_t)path[i].y);
        seed = vni_random_of(seed, (uint32_t)path[i].z);
    }

    return seed;
}

vn_status vn_emulate_blocks(const vn_emulated_def* def, uint64_t step, const vn_voxel* path,
                            uint32_t path_count, uint32_t* out, uint32_t capacity, uint32_t* count) {
    assert(def != NULL && count != NULL && (path != NULL || path_count == 0));
    assert(out != NULL || capacity == 0);
    *count = 0;
    if (def->cookie != EMULATED_COOKIE) {
        return VN_BAD_DEF;
    }

    if (def->interval == 0) {
        return VN_BAD_ARGUMENT;
    }

    // Selection sampling: each candidate is taken with the share of what is still wanted in what is left, so
    // that all sets of that size are equally likely.
    const uint32_t first = def->spared > 1 ? def->spared : 1;
    uint32_t left = path_count > first + (uint64_t)1 ? path_count - 1 - first : 0;
    uint32_t wanted = def->nodes < left ? def->nodes : left, written = 0;
    uint64_t random = seed_of(def, step / def->interval, path, path_count);
    *count = wanted;
    for (uint32_t i = first; wanted > 0; ++i, --left) {
        const uint64_t draw = (vn_random_next(&random) >> 32) * left >> 32;
        if (draw < wanted) {
            if (written < capacity) {
                out[written++] = i;
            }
            --wanted;
        }
    }

    return *count <= capacity ? VN_OK : VN_CAPACITY;
}
