/// bench/bench.h: what the benchmarks share: clocks, a fixed loop to compare machines by, and worlds to
/// measure in.
///
/// Contenders take turns in rotated order (rotation_at), and whatever fails ends the program with the reason:
/// a call that fails is fast.
///
/// Times of one run are compared with each other, never with those of another machine: each program prints
/// ratios, and the calibration loop's rate beside them. Include it first.
#ifndef VNB_BENCH_H
#define VNB_BENCH_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif

#include "../apps/volnav/shell/rotation.h"
#include "base/rng.h"
#include "space/space.h"
#include "volnav/io.h"
#include "volnav/volnav.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/// Seconds of wall time: for work on several threads.
static inline double vnb_wall(void) {
    struct timespec t;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &t);
#else
    timespec_get(&t, TIME_UTC);
#endif
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
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

/// Ends the program with the reason unless the status is VN_OK. `detail` may be null.
static inline void vnb_must(vn_status status, const vn_detail* detail) {
    if (status != VN_OK) {
        fprintf(stderr, "%s: %s\n", vn_status_word(status),
                detail != NULL ? detail->text : vn_status_text(status));
        exit(1);
    }
}

/// Ends the program with the reason.
static inline void vnb_fail(const char* reason) {
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

/// calloc that ends the program when there is no memory.
static inline void* vnb_alloc(size_t count, size_t size) {
    void* block = calloc(count, size);
    if (block == NULL)
        vnb_fail("out of memory");
    return block;
}

/// Bytes that grow, such as a file in memory.
typedef struct vnb_bytes {
    uint8_t* data;
    size_t size, capacity;
} vnb_bytes;

/// Appends to the vnb_bytes `user`; as vn_sink.write.
static inline bool vnb_append(void* user, const void* data, size_t size) {
    vnb_bytes* b = user;
    if (b->capacity < b->size + size) {
        b->capacity = 2 * (b->size + size);
        b->data = realloc(b->data, b->capacity);
        if (b->data == NULL)
            vnb_fail("out of memory");
    }

    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

// ---------------------------------------------------------------------------------------------- worlds

/// The map that the environment variable VN_BENCH_MAP names (a .3dmap file); null: make a world.
static inline const char* vnb_map(void) {
    return getenv("VN_BENCH_MAP");
}

static inline void vnb_add_boxes(vn_world* world, int32_t size, uint32_t boxes, uint64_t seed) {
    vn_detail detail = {0};
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
}

/// A cube of `size` voxels with random boxes in it, or the map. `def` gets the bounds.
static inline vn_world* vnb_world(int32_t size, uint32_t boxes, uint64_t seed, vn_space_def* def) {
    vn_detail detail = {0};
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    *def = vn_default_space_def();

    vnb_must(vn_world_create(&world_def, &world), NULL);
    if (vnb_map() != NULL) {
        vn_allocator allocator = vn_default_allocator();
        vn_3dmap map;
        vnb_must(vn_3dmap_read_file(vnb_map(), &allocator, &map, &detail), &detail);
        vn_shape shape = vn_3dmap_shape(&map);
        vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
        vn_3dmap_free(&map);
    } else {
        vnb_add_boxes(world, size, boxes, seed);
        def->has_bounds = true;
        def->bounds.max = (vn_vec3){(float)size, (float)size, (float)size};
    }

    return world;
}

/// The calibration loop's rate, and the space in one line.
static inline void vnb_print_space(const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    printf("calibration: %.0f M steps/s\n", vnb_calibration());
    printf("space: %d x %d x %d voxels, %.2f %% blocked, %llu cells%s%s\n\n", info.dims.x, info.dims.y,
           info.dims.z,
           100.0 * (double)info.blocked_voxels / (double)(info.blocked_voxels + info.free_voxels),
           (unsigned long long)info.cells, vnb_map() != NULL ? ", " : "", vnb_map() != NULL ? vnb_map() : "");
}

/// That world baked, and printed.
static inline vn_space* vnb_space(int32_t size, uint32_t boxes, uint64_t seed) {
    vn_detail detail = {0};
    vn_space_def def;
    vn_space* space;
    vn_world* world = vnb_world(size, boxes, seed, &def);
    vnb_must(vn_space_bake(world, &def, &space, &detail), &detail);
    vn_world_destroy(world);
    vnb_print_space(space);

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

/// A start, a goal that can be reached from it, and the cells that hold them.
typedef struct vnb_ends {
    vn_point start, goal;
    vni_cell_ref start_cell, goal_cell;
} vnb_ends;

static inline vnb_ends vnb_random_ends(vni_rng* rng, const vn_space* space) {
    for (;;) {
        vnb_ends ends = {.start = vnb_free_point(rng, space), .goal = vnb_free_point(rng, space)};
        if (vni_cells_find(&space->cells, vn_space_voxel_at(space, ends.start), &ends.start_cell) &&
            vni_cells_find(&space->cells, vn_space_voxel_at(space, ends.goal), &ends.goal_cell) &&
            vni_cells_component(&space->cells, ends.start_cell) ==
                vni_cells_component(&space->cells, ends.goal_cell))
            return ends;
    }
}

/// A lattice point in voxels.
static inline void vnb_to_voxels(vn_point p, float out[3]) {
    out[0] = (float)p.x / VN_LATTICE;
    out[1] = (float)p.y / VN_LATTICE;
    out[2] = (float)p.z / VN_LATTICE;
}

#endif
