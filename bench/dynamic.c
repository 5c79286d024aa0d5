/// bench/dynamic.c: times updates of a dynamic layer, from the journal to the published version, in total and
/// stage by stage: a box of 8 x 8 x 8 voxels that moves, anywhere in free space and where agents fly; then
/// many boxes at once. Standard queries on the same map run between the moves, so that both see the same
/// state of the machine. Maps: DA1 and Full1 if VN_DATA names the folder that holds warframe/, else
/// VN_BENCH_MAP or a generated space.
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

// -------------------------------------------------------------------------------------------- obstacles

static vn_vec3 corner_of(const bench* b, vn_voxel v) {
    vn_space_info info;
    vn_space_get_info(b->first, &info);
    const double size = (double)info.resolution;
    return (vn_vec3){(float)(info.low.x + v.x * size), (float)(info.low.y + v.y * size),
                     (float)(info.low.z + v.z * size)};
}

/// Where a box is put: a random free point on whole voxels, or, near geometry, an end of a line of the
/// scenario.
static vn_transform random_transform(bench* b, bool near) {
    vn_transform transform = vn_transform_identity();
    vn_voxel voxel;
    if (near && b->scen.line_count > 0) {
        const vn_scen_line* line = &b->scen.lines[vni_rng_below(&b->rng, (uint32_t)b->scen.line_count)];
        voxel = vni_rng_below(&b->rng, 2) ? line->start : line->goal;
    } else {
        vn_point point;
        vnb_must(vn_space_random_point(b->first, &b->random, &point), NULL);
        voxel = vn_space_voxel_at(b->first, point);
    }

    transform.position = corner_of(b, voxel);
    return transform;
}

static vn_obstacle_id add_box(bench* b, const vn_transform* transform) {
    const float half = SIDE / 2.0f;
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-half, -half, -half}, {half, half, half}}};
    vn_obstacle_id id;
    vnb_must(vn_world_add_moving(b->world, &box, transform, &id, NULL), NULL);
    return id;
}

// ------------------------------------------------------------------------------------------------ measuring

static void update(bench* b) {
    uint32_t count;
    const vni_change* changes = vni_world_changes(b->world, &count);
    vnb_must(vni_dynamic_update(b->dynamic, b->world, changes, count, NULL), NULL);
    vni_world_forget_changes(b->world);
}

/// Seconds of one query: a line of the scenario, or two random points that can reach each other.
static double time_query(bench* b) {
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

static double step_box(bench* b, vn_obstacle_id id, vn_transform* transform) {
    float* at = &transform->position.x;
    for (int i = 0; i < 3; ++i)
        at[i] += (float)vni_rng_range(&b->rng, -3, 3);

    const double begin = vnb_seconds();
    vnb_must(vn_world_move(b->world, id, transform, NULL), NULL);
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

/// Moves one box, some steps from each of many starting points, with as many queries after these steps.
static void measure_one(bench* b, bool near) {
    static double moves[MOVES], queries[MOVES];
    vn_transform transform = random_transform(b, near);
    const vn_obstacle_id id = add_box(b, &transform);
    uint32_t rebuilt = 0;

    update(b);
    for (uint32_t i = 0; i < MOVES; ++i) {
        vni_dynamic_stats stats;
        if (i % STEPS == 0)
            transform = random_transform(b, near);

        moves[i] = step_box(b, id, &transform);
        vni_dynamic_get_stats(b->dynamic, &stats);
        rebuilt += stats.components_rebuilt;
        for (uint32_t k = 0; k < STEPS && i % STEPS == STEPS - 1; ++k)
            queries[i - k] = time_query(b);
    }

    const times update_times = times_of(moves, MOVES), query_times = times_of(queries, MOVES);
    printf("one box, %s:\n", near ? "where agents fly" : "anywhere in free space");
    print_times("whole update", &update_times);
    print_times("standard query", &query_times);
    printf("  update / query   %.2f; components relabelled in %.1f %% of the updates\n",
           update_times.mean / query_times.mean, 100.0 * rebuilt / MOVES);

    vni_dynamic_measure(b->dynamic, clock_ns, NULL);
    for (uint32_t i = 0; i < MOVES; ++i) {
        if (i % STEPS == 0)
            transform = random_transform(b, near);
        step_box(b, id, &transform);
    }

    print_split(b, MOVES);
    vni_dynamic_measure(b->dynamic, NULL, NULL);
    vnb_must(vn_world_remove(b->world, id), NULL);
    update(b);
}

// --------------------------------------------------------------------------------------------------- pieces

enum { PHASES = 16, PIECE_UNITS = 1024 };

/// Pieces of updates, by phase (dynamic/steps.c).
typedef struct pieces {
    uint64_t count[PHASES], units[PHASES];
    double seconds[PHASES], longest[PHASES];
} pieces;

/// An update piece by piece, as a nav runs it.
static void update_in_pieces(bench* b, pieces* p) {
    uint32_t count;
    vn_status status;
    vni_update_piece piece;
    const vni_change* changes = vni_world_changes(b->world, &count);
    vni_dynamic_begin(b->dynamic, b->world, changes, count, NULL);
    while (vni_dynamic_claim(b->dynamic, &piece)) {
        const uint32_t phase = piece.phase;
        const double begin = vnb_seconds();
        vni_dynamic_run(b->dynamic, &piece, 0, PIECE_UNITS);
        const double seconds = vnb_seconds() - begin;
        vni_dynamic_end(b->dynamic, &piece);

        ++p->count[phase];
        p->units[phase] += piece.units;
        p->seconds[phase] += seconds;
        if (seconds > p->longest[phase])
            p->longest[phase] = seconds;
    }

    if (!vni_dynamic_is_done(b->dynamic, &status))
        vnb_fail("the update has not ended");
    vnb_must(status, NULL);
    vni_world_forget_changes(b->world);
}

static void print_pieces(const pieces* p, uint32_t updates) {
    for (uint32_t i = 0; i < PHASES; ++i)
        if (p->count[i] > 0)
            printf("  phase %2u: %6.1f pieces, %8.1f units, %8.1f us an update; %6.1f ns a unit; longest "
                   "%.0f us\n",
                   i, (double)p->count[i] / updates, (double)p->units[i] / updates,
                   1e6 * p->seconds[i] / updates, 1e9 * p->seconds[i] / (double)(p->units[i] + 1),
                   1e6 * p->longest[i]);
}

/// Moves many boxes at once, each by less than a voxel a step.
static void measure_crowd(bench* b) {
    static double seconds[CROWD_MOVES];
    static vn_obstacle_id ids[CROWD];
    static vn_transform transforms[CROWD];
    static float speeds[CROWD][3];
    pieces in_pieces;
    memset(&in_pieces, 0, sizeof in_pieces);

    vni_dynamic_stats stats;
    for (uint32_t i = 0; i < CROWD; ++i) {
        transforms[i] = random_transform(b, true);
        for (int k = 0; k < 3; ++k)
            speeds[i][k] = (float)(vni_rng_real(&b->rng) - 0.5);
        ids[i] = add_box(b, &transforms[i]);
    }

    update(b);
    vni_dynamic_measure(b->dynamic, clock_ns, NULL);
    for (uint32_t i = 0; i < CROWD_MOVES; ++i) {
        const double begin = vnb_seconds();
        for (uint32_t k = 0; k < CROWD; ++k) {
            float* at = &transforms[k].position.x;
            for (int axis = 0; axis < 3; ++axis)
                at[axis] += i / 60 % 2 ? -speeds[k][axis] : speeds[k][axis];
            vnb_must(vn_world_move(b->world, ids[k], &transforms[k], NULL), NULL);
        }

        update_in_pieces(b, &in_pieces);
        seconds[i] = vnb_seconds() - begin;
    }

    const times t = times_of(seconds, CROWD_MOVES);
    vni_dynamic_get_stats(b->dynamic, &stats);
    printf("%d boxes at once (%u blocks and %u chunks touched the last time):\n", CROWD, stats.blocks,
           stats.chunks);
    print_times("whole update", &t);
    print_split(b, CROWD_MOVES);
    print_pieces(&in_pieces, CROWD_MOVES);
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

    if (vnb_map() != NULL) {
        char path[1000];
        snprintf(path, sizeof path, "%s.3dscen", vnb_map());
        if (vn_3dscen_read_file(path, &def.allocator, &b.scen, &detail) != VN_OK) {
            printf("no scenario %s: random points instead\n", path);
            memset(&b.scen, 0, sizeof b.scen);
        }
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
    for (int i = 0; i < (data != NULL ? 2 : 1); ++i) {
        char path[1000];
        if (data != NULL) {
            snprintf(path, sizeof path, "%s/warframe/%s.3dmap", data, maps[i]);
            setenv("VN_BENCH_MAP", path, 1);
        }
        run();
    }

    return 0;
}
