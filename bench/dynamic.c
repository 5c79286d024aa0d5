/// bench/dynamic.c: a box of 8 x 8 x 8 voxels moves, anywhere in free space and where agents fly; then many
/// at once: the whole update, from the journal to the published version, stage by stage, beside standard
/// queries on the same map in the same run (some of them after every few moves, so that both meet the same
/// machine). DA1 and Full1 if VN_DATA names the folder that holds warframe/, else VN_BENCH_MAP or made-up
/// space.
#include "bench.h"

#include "dynamic/dynamic.h"

#include <string.h>

enum { MOVES = 4000, STEPS = 20, CROWD = 200, CROWD_MOVES = 200, SIDE = 8 };

static const char* const stage_names[VNI_STAGES] = {"footprint", "occupancy",  "cells", "links",
                                                    "seams",     "components", "delta", "publish"};

typedef struct bench {
    vn_world* world;
    vni_dynamic* dynamic;
    const vn_space* first; ///< the first version, pinned
    vn_query* query;       ///< in it
    vn_3dscen scen;        ///< empty: none
    vni_rng rng;
    uint64_t random;
} bench;

typedef struct times {
    double mean, median, p99; ///< microseconds
} times;

static int by_value(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

static times times_of(double* seconds, uint32_t count) {
    times t = {0, 0, 0};
    for (uint32_t i = 0; i < count; ++i)
        t.mean += seconds[i] * 1e6 / count;

    qsort(seconds, count, sizeof *seconds, by_value);
    t.median = seconds[count / 2] * 1e6;
    t.p99 = seconds[count * 99 / 100] * 1e6;
    return t;
}

static void print_times(const char* name, const times* t) {
    printf("  %-16s mean %8.1f us, median %8.1f, p99 %8.1f\n", name, t->mean, t->median, t->p99);
}

static uint64_t clock_ns(void* user) {
    (void)user;
    return (uint64_t)(vnb_seconds() * 1e9);
}

// -------------------------------------------------------------------------------------------------- places

static vn_vec3 corner_of(const bench* b, vn_voxel v) {
    vn_space_info info;
    vn_space_get_info(b->first, &info);
    const double size = (double)info.resolution;
    return (vn_vec3){(float)(info.low.x + v.x * size), (float)(info.low.y + v.y * size),
                     (float)(info.low.z + v.z * size)};
}

/// A random free place for a box's centre, on whole voxels; near geometry: an end of the scenario.
static vn_transform random_place(bench* b, bool near) {
    vn_transform place = vn_transform_identity();
    vn_voxel voxel;
    if (near && b->scen.line_count > 0) {
        const vn_scen_line* line = &b->scen.lines[vni_rng_below(&b->rng, (uint32_t)b->scen.line_count)];
        voxel = vni_rng_below(&b->rng, 2) ? line->start : line->goal;
    } else {
        vn_point point;
        vnb_must(vn_space_random_point(b->first, &b->random, &point), NULL);
        voxel = vn_space_voxel_at(b->first, point);
    }

    place.position = corner_of(b, voxel);
    return place;
}

static vn_obstacle_id add_box(bench* b, const vn_transform* place) {
    const float half = SIDE / 2.0f;
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-half, -half, -half}, {half, half, half}}};
    vn_obstacle_id id;
    vnb_must(vn_world_add_moving(b->world, &box, place, &id, NULL), NULL);
    return id;
}

// ------------------------------------------------------------------------------------------------ measuring

static void update(bench* b) {
    uint32_t count;
    const vni_change* changes = vni_world_changes(b->world, &count);
    vnb_must(vni_dynamic_update(b->dynamic, b->world, changes, count, NULL), NULL);
    vni_world_forget_changes(b->world);
}

/// One question of the scenario, or between two random points that can reach each other.
static double ask(bench* b) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    if (b->scen.line_count > 0) {
        const vn_scen_line* line = &b->scen.lines[vni_rng_below(&b->rng, (uint32_t)b->scen.line_count)];
        request.start = vn_voxel_center(line->start);
        request.goal = vn_voxel_center(line->goal);
    } else {
        const vnb_ends q = vnb_random_ends(&b->rng, b->first);
        request.start = q.start;
        request.goal = q.goal;
    }

    const double begin = vnb_seconds();
    vnb_must(vn_query_find_path(b->query, &request, &result, NULL), NULL);
    return vnb_seconds() - begin;
}

static double step_box(bench* b, vn_obstacle_id id, vn_transform* place) {
    float* at = &place->position.x;
    for (int i = 0; i < 3; ++i)
        at[i] += (float)vni_rng_range(&b->rng, -3, 3);

    const double begin = vnb_seconds();
    vnb_must(vn_world_move(b->world, id, place, NULL), NULL);
    update(b);
    return vnb_seconds() - begin;
}

static void print_split(bench* b, uint32_t updates) {
    vni_stages stages;
    vni_dynamic_get_stages(b->dynamic, &stages);
    printf("  split            ");
    for (int i = 0; i < VNI_STAGES; ++i)
        printf("%s %.1f%s", stage_names[i], (double)stages.spent[i] * 1e-3 / updates,
               i + 1 < VNI_STAGES ? ", " : " us\n");
}

/// Steps of one box, some at each of many places, with as many questions after each.
static void measure_one(bench* b, bool near) {
    static double moves[MOVES], queries[MOVES];
    vn_transform place = random_place(b, near);
    const vn_obstacle_id id = add_box(b, &place);
    uint32_t rebuilt = 0;

    update(b);
    for (uint32_t i = 0; i < MOVES; ++i) {
        vni_dynamic_stats stats;
        if (i % STEPS == 0)
            place = random_place(b, near);

        moves[i] = step_box(b, id, &place);
        vni_dynamic_get_stats(b->dynamic, &stats);
        rebuilt += stats.components_rebuilt;
        for (uint32_t k = 0; k < STEPS && i % STEPS == STEPS - 1; ++k)
            queries[i - k] = ask(b);
    }

    const times update_times = times_of(moves, MOVES), query_times = times_of(queries, MOVES);
    printf("one box, %s:\n", near ? "where agents fly" : "anywhere in free space");
    print_times("whole update", &update_times);
    print_times("standard query", &query_times);
    printf("  update / query   %.2f; components joined anew in %.1f %% of the updates\n",
           update_times.mean / query_times.mean, 100.0 * rebuilt / MOVES);

    vni_dynamic_measure(b->dynamic, clock_ns, NULL);
    for (uint32_t i = 0; i < MOVES; ++i) {
        if (i % STEPS == 0)
            place = random_place(b, near);
        step_box(b, id, &place);
    }

    print_split(b, MOVES);
    vni_dynamic_measure(b->dynamic, NULL, NULL);
    vnb_must(vn_world_remove(b->world, id), NULL);
    update(b);
}

/// Many boxes that fly on, each by less than a voxel a step.
static void measure_crowd(bench* b) {
    static double seconds[CROWD_MOVES];
    static vn_obstacle_id ids[CROWD];
    static vn_transform places[CROWD];
    static float speeds[CROWD][3];

    vni_dynamic_stats stats;
    for (uint32_t i = 0; i < CROWD; ++i) {
        places[i] = random_place(b, true);
        for (int k = 0; k < 3; ++k)
            speeds[i][k] = (float)(vni_rng_real(&b->rng) - 0.5);
        ids[i] = add_box(b, &places[i]);
    }

    update(b);
    vni_dynamic_measure(b->dynamic, clock_ns, NULL);
    for (uint32_t i = 0; i < CROWD_MOVES; ++i) {
        const double begin = vnb_seconds();
        for (uint32_t k = 0; k < CROWD; ++k) {
            float* at = &places[k].position.x;
            for (int axis = 0; axis < 3; ++axis)
                at[axis] += i / 60 % 2 ? -speeds[k][axis] : speeds[k][axis];
            vnb_must(vn_world_move(b->world, ids[k], &places[k], NULL), NULL);
        }

        update(b);
        seconds[i] = vnb_seconds() - begin;
    }

    const times t = times_of(seconds, CROWD_MOVES);
    vni_dynamic_get_stats(b->dynamic, &stats);
    printf("%d boxes at once (%u blocks and %u chunks touched the last time):\n", CROWD, stats.blocks,
           stats.chunks);
    print_times("whole update", &t);
    print_split(b, CROWD_MOVES);
    printf("\n");
}

// ------------------------------------------------------------------------------------------------------ runs

static void run(void) {
    vn_detail detail = {0};
    vni_dynamic_def def = {.allocator = vn_default_allocator(), .jobs = vn_serial_jobs()};
    const vn_query_def query_def = vn_default_query_def();
    bench b = {.world = vnb_world(256, 400, 3, &def.space), .rng = vni_rng_make(6), .random = 5};

    uint64_t version;
    if (!def.space.has_bounds) {
        def.space.has_bounds = true;
        vn_world_get_bounds(b.world, &def.space.bounds);
    }

    if (vnb_map()) {
        char path[1000];
        snprintf(path, sizeof path, "%s.3dscen", vnb_map());
        if (vn_3dscen_read_file(path, &def.allocator, &b.scen, &detail) != VN_OK)
            memset(&b.scen, 0, sizeof b.scen);
    }

    vni_world_forget_changes(b.world);
    vnb_must(vni_dynamic_make(b.world, &def, &b.dynamic, &detail), &detail);
    b.first = vni_dynamic_pin(b.dynamic, &version);
    vnb_must(vn_query_create(b.first, &query_def, &b.query, &detail), &detail);
    vnb_print_space(b.first);
    measure_one(&b, false);
    measure_one(&b, true);
    measure_crowd(&b);
    vn_query_destroy(b.query);
    vni_dynamic_unpin(b.dynamic, version);
    vni_dynamic_free(b.dynamic);
    vn_world_destroy(b.world);
    vn_3dscen_free(&b.scen);
}

int main(void) {
    static const char* const maps[] = {"DA1", "Full1"};
    const char* data = getenv("VN_DATA");
    for (int i = 0; i < (data ? 2 : 1); ++i) {
        char path[1000];
        if (data) {
            snprintf(path, sizeof path, "%s/warframe/%s.3dmap", data, maps[i]);
            setenv("VN_BENCH_MAP", path, 1);
        }
        run();
    }

    return 0;
}
