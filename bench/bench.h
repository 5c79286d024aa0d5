/// bench/bench.h: what the benchmarks share: a clock of this thread's own time, a fixed loop to compare
/// machines by, and worlds to measure in.
///
/// Times of one run are compared with each other, never with those of another machine: each program prints
/// ratios, and the calibration loop's rate beside them.
#ifndef VNB_BENCH_H
#define VNB_BENCH_H

#include "base/rng.h"
#include "volnav/io.h"
#include "volnav/volnav.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Seconds of CPU time of this thread.
static inline double vnb_seconds(void) {
#ifdef CLOCK_THREAD_CPUTIME_ID
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

/// Millions of dependent integer steps a second: the same work everywhere.
static inline double vnb_calibration(void) {
    vni_rng rng = vni_rng_make(1);
    uint64_t sum = 0;
    double begin = vnb_seconds();
    for (uint32_t i = 0; i < 20000000; ++i)
        sum += vni_rng_next(&rng);
    double seconds = vnb_seconds() - begin;
    return sum ? 20 / seconds : 0;
}

static inline void vnb_must(vn_status status, const vn_detail* detail) {
    if (status != VN_OK) {
        fprintf(stderr, "%s: %s\n", vn_status_word(status), detail ? detail->text : vn_status_text(status));
        exit(1);
    }
}

/// A cube of `size` voxels with random boxes in it, or the map that the environment variable VN_BENCH_MAP
/// names (a .3dmap file).
static inline vn_space* vnb_space(int32_t size, uint32_t boxes, uint64_t seed) {
    vn_detail detail = {0};
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_world* world;
    vn_space* space;
    vnb_must(vn_world_create(&world_def, &world), NULL);
    const char* file = getenv("VN_BENCH_MAP");
    if (file) {
        vn_allocator allocator = vn_default_allocator();
        vn_3dmap map;
        vnb_must(vn_3dmap_read_file(file, &allocator, &map, &detail), &detail);
        vn_shape shape = vn_3dmap_shape(&map);
        vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
        vn_3dmap_free(&map);
    } else {
        vni_rng rng = vni_rng_make(seed);
        for (uint32_t i = 0; i < boxes; ++i) {
            vn_shape shape = {.kind = VN_SHAPE_BOX};
            float* low = &shape.as.box.min.x;
            float* high = &shape.as.box.max.x;
            for (int k = 0; k < 3; ++k) {
                low[k] = (float)vni_rng_range(&rng, 0, size - 2);
                high[k] = low[k] + (float)vni_rng_range(&rng, 1, size / 6);
            }
            vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
        }
        def.has_bounds = true;
        def.bounds.max = (vn_vec3){(float)size, (float)size, (float)size};
    }
    vnb_must(vn_space_bake(world, &def, &space, &detail), &detail);
    vn_world_destroy(world);
    vn_space_info info;
    vn_space_get_info(space, &info);
    printf("space: %d x %d x %d voxels, %.2f %% blocked%s%s\n", info.dims.x, info.dims.y, info.dims.z,
           100.0 * (double)info.blocked_voxels / (double)(info.blocked_voxels + info.free_voxels),
           file ? ", " : "", file ? file : "");
    return space;
}

/// The centre of a random free voxel.
static inline vn_point vnb_free_point(vni_rng* rng, const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    for (;;) {
        vn_voxel v = {vni_rng_range(rng, 0, info.dims.x - 1), vni_rng_range(rng, 0, info.dims.y - 1),
                      vni_rng_range(rng, 0, info.dims.z - 1)};
        if (vn_space_voxel_free(space, v))
            return vn_voxel_center(v);
    }
}

#endif
