/// bench/validate.c: times the validation of a space, by stage and number of threads: a generated space (or
/// the map that VN_BENCH_MAP names), and the largest Warframe map if VN_DATA names the folder that holds
/// warframe/.
#include "bench.h"

#include "cells/validate.h"

#define PASSES 25

enum { STAGES = 6 };
static const char* const stage_names[STAGES] = {"occupancy", "tables",     "blocks",
                                                "seams",     "components", "all"};

/// Wall seconds by stage.
typedef struct stages {
    double seconds[STAGES];
} stages;

static stages run(const vn_space* space, const vn_jobs* jobs) {
    typedef vn_status stage(vni_validation*, vn_detail*);
    static stage* const rest[3] = {vni_validation_blocks, vni_validation_seams, vni_validation_components};
    stages s;
    vn_detail detail = {0};
    vni_validation v;

    double begin = vnb_wall(), last = begin;
    for (int i = 0; i < STAGES - 1; ++i) {
        vn_status status = i == 0   ? vni_occupancy_validate(&space->occupancy, &detail)
                           : i == 1 ? vni_validation_make(&space->cells, &space->occupancy, jobs, &v, &detail)
                                    : rest[i - 2](&v, &detail);
        vnb_must(status, &detail);
        double now = vnb_wall();
        s.seconds[i] = now - last;
        last = now;
    }

    vni_validation_free(&v);
    s.seconds[STAGES - 1] = vnb_wall() - begin;
    return s;
}

/// The least of each stage over the passes.
static stages best_of(const vn_space* space, const vn_jobs* jobs) {
    stages best = run(space, jobs);
    for (int pass = 1; pass < PASSES; ++pass) {
        stages now = run(space, jobs);
        for (int i = 0; i < STAGES; ++i)
            best.seconds[i] = now.seconds[i] < best.seconds[i] ? now.seconds[i] : best.seconds[i];
    }

    return best;
}

static void measure(const vn_space* space) {
    vn_allocator allocator = vn_default_allocator();
    vn_pool* pool;
    vnb_must(vn_pool_create(&allocator, 2, &pool), NULL);
    vn_jobs jobs = vn_pool_jobs(pool);
    stages one = best_of(space, NULL), two = best_of(space, &jobs);

    printf("%-18s %14s %14s %8s\n", "stage (wall ms)", "1 thread", "2 threads", "gain");
    for (int i = 0; i < STAGES; ++i)
        printf("%-18s %14.3f %14.3f %8.2f\n", stage_names[i], one.seconds[i] * 1e3, two.seconds[i] * 1e3,
               one.seconds[i] / two.seconds[i]);

    printf("\n");
    vn_pool_destroy(pool);
}

static vn_space* read_map(const char* path) {
    vn_allocator allocator = vn_default_allocator();
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_detail detail = {0};
    vn_3dmap map;
    vn_world* world;
    vn_space* space;
    vnb_must(vn_3dmap_read_file(path, &allocator, &map, &detail), &detail);
    vnb_must(vn_world_create(&world_def, &world), NULL);
    vn_shape shape = vn_3dmap_shape(&map);
    vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
    vnb_must(vn_space_bake(world, &def, &space, &detail), &detail);
    vn_world_destroy(world);
    vn_3dmap_free(&map);

    return space;
}

int main(void) {
    vn_space* space = vnb_space(512, 400, 15);
    measure(space);
    vn_space_destroy(space);
    const char* data = getenv("VN_DATA");
    if (data != NULL) {
        char path[1000];
        snprintf(path, sizeof path, "%s/warframe/Full1.3dmap", data);
        space = read_map(path);
        vnb_print_space(space);
        measure(space);
        vn_space_destroy(space);
    }

    return 0;
}
