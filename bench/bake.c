/// bench/bake.c: from voxels in memory to a space with cells, by stage and by number of threads.
#include "bench.h"

#include <string.h>

#define PASSES 5

enum { STAGES = 6 };
static const char* const stage_names[STAGES] = {"voxels to world", "voxelise", "cells",
                                                "links",           "rest",     "all but world"};

/// Wall seconds by stage.
typedef struct stages {
    double seconds[STAGES];
    double last; ///< when the stage before ended
    int at;      ///< the stage that runs
} stages;

static bool watch(void* user, const char* stage, double fraction) {
    stages* s = user;
    double now = vnb_wall();
    (void)fraction;
    for (int i = 1; i < STAGES; ++i)
        if (strcmp(stage, stage_names[i]) == 0)
            s->at = i;

    s->seconds[s->at] += now - s->last; // a call comes when a part of the stage has been done
    s->last = now;
    return true;
}

/// The least of each stage over the passes.
static void keep_least(stages* best, const stages* now) {
    for (int i = 0; i < STAGES; ++i)
        best->seconds[i] = now->seconds[i] < best->seconds[i] ? now->seconds[i] : best->seconds[i];
}

/// Bakes twice: with a progress callback, for the stages, and without, for the whole.
static vn_space* bake(const vn_world* world, vn_space_def* def, stages* out) {
    vn_detail detail = {0};
    vn_space* space;
    def->progress = watch;
    def->progress_user = out;
    out->last = vnb_wall();
    vnb_must(vn_space_bake(world, def, &space, &detail), &detail);
    out->seconds[4] = vnb_wall() - out->last;
    vn_space_destroy(space);
    def->progress = NULL;
    double begin = vnb_wall();
    vnb_must(vn_space_bake(world, def, &space, &detail), &detail);
    out->seconds[5] = vnb_wall() - begin;

    return space;
}

/// One pass, from the voxels on.
static stages run(const vn_shape* voxels, vn_space_def* def, uint64_t* hash) {
    stages s = {.at = 1};
    vn_detail detail = {0};
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    double begin = vnb_wall();
    vnb_must(vn_world_create(&world_def, &world), NULL);
    vnb_must(vn_world_add(world, voxels, NULL, &detail), &detail);
    s.seconds[0] = vnb_wall() - begin;
    vn_space* space = bake(world, def, &s);
    *hash = vn_space_content_hash(space);
    vn_space_destroy(space);
    vn_world_destroy(world);

    return s;
}

/// A fixed amount of work without memory, for what a second thread can gain at all (two may share one core).
static void spin(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    uint64_t* sums = context;
    for (uint32_t item = begin; item < end; ++item) {
        vni_rng rng = vni_rng_make(item);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < 1000000; ++i)
            sum += vni_rng_next(&rng);
        sums[worker] = sum; // or the compiler drops it all
    }
}

static double spin_seconds(const vn_jobs* jobs) {
    uint64_t sums[2] = {0, 0};
    double begin = vnb_wall();
    void* handle = jobs->enqueue(jobs->user, spin, sums, 100, 1);
    if (handle != NULL)
        jobs->finish(jobs->user, handle);

    double seconds = vnb_wall() - begin;
    return sums[0] + sums[1] ? seconds : 0;
}

/// The blocked voxels of a space as a list.
typedef struct voxel_list {
    vn_voxel* voxels;
    uint64_t count;
} voxel_list;

static bool collect(void* user, vn_voxel first, int32_t length) {
    voxel_list* list = user;
    for (int32_t i = 0; i < length; ++i)
        list->voxels[list->count++] = (vn_voxel){first.x + i, first.y, first.z};
    return true;
}

static voxel_list voxels_of(const vn_space* space, vn_space_info* info) {
    vn_space_get_info(space, info);
    voxel_list list = {vnb_alloc(info->blocked_voxels + 1, sizeof *list.voxels), 0};
    vn_space_visit_blocked(space, (vn_voxel){0, 0, 0}, info->dims, collect, &list);
    return list;
}

int main(void) {
    static const uint32_t threads[] = {1, 2};
    stages best[2];
    uint64_t hashes[2] = {0, 0};
    double spins[2];
    vn_space_def defs[2];
    vn_pool* pools[2];
    vn_space_info info;
    vn_space* space = vnb_space(320, 400, 15);
    voxel_list list = voxels_of(space, &info);
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.dims = info.dims;
    shape.as.voxels.size = 1;
    shape.as.voxels.voxels = list.voxels;

    shape.as.voxels.voxel_count = list.count;
    for (int t = 0; t < 2; ++t) {
        defs[t] = vn_default_space_def();
        vnb_must(vn_pool_create(&defs[t].allocator, threads[t], &pools[t]), NULL);
        defs[t].jobs = vn_pool_jobs(pools[t]);
    }

    for (uint32_t turn = 0; turn < 2 * PASSES; ++turn) {
        const uint32_t pass = turn / 2, t = rotation_at(2, pass, turn % 2);
        stages s = run(&shape, &defs[t], &hashes[t]);
        double seconds = spin_seconds(&defs[t].jobs);
        if (pass == 0)
            best[t] = s;
        keep_least(&best[t], &s);
        spins[t] = pass == 0 || seconds < spins[t] ? seconds : spins[t];
    }

    for (int t = 0; t < 2; ++t)
        vn_pool_destroy(pools[t]);

    printf("%-18s %14s %14s %8s\n", "stage (wall ms)", "1 thread", "2 threads", "gain");
    for (int i = 0; i < STAGES; ++i)
        printf("%-18s %14.2f %14.2f %8.2f\n", stage_names[i], best[0].seconds[i] * 1e3,
               best[1].seconds[i] * 1e3, best[0].seconds[i] / best[1].seconds[i]);

    printf("%-18s %14.2f %14.2f %8.2f\n", "calibration loop", spins[0] * 1e3, spins[1] * 1e3,
           spins[0] / spins[1]);
    vn_space_destroy(space);
    free(list.voxels);
    if (hashes[0] != hashes[1])
        vnb_fail("one thread and two bake different spaces");
    return 0;
}
