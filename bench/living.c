/// bench/living: moving a box of 8 x 8 x 8 voxels: the whole update, from the journal to the published
/// version, beside a standard query on the same map in the same run.
#include "bench.h"

#include "space/living.h"

enum { MOVES = 4000, QUERIES = 2000 };

static int by_value(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

typedef struct times {
    double mean, median, p99;
} times;

static times times_of(double* seconds, uint32_t count) {
    times t = {0, 0, 0};
    for (uint32_t i = 0; i < count; ++i)
        t.mean += seconds[i] * 1e6 / count;
    qsort(seconds, count, sizeof *seconds, by_value);
    t.median = seconds[count / 2] * 1e6;
    t.p99 = seconds[count * 99 / 100] * 1e6;
    return t;
}

/// A random free place for the box's centre, on whole voxels.
static vn_transform random_place(const vn_space* space, uint64_t* random) {
    vn_point point;
    vn_transform place = vn_identity();
    vnb_must(vn_space_random_free(space, random, &point), NULL);
    vn_voxel voxel = vn_space_voxel(space, point);
    vn_space_info info;
    vn_space_get_info(space, &info);
    place.position = (vn_vec3){(float)(info.low.x + (double)voxel.x * (double)info.resolution),
                               (float)(info.low.y + (double)voxel.y * (double)info.resolution),
                               (float)(info.low.z + (double)voxel.z * (double)info.resolution)};
    return place;
}

static times measure_moves(vn_world* world, vni_living* living, vn_obstacle_id id, const vn_space* first,
                           uint32_t* rebuilt) {
    static double seconds[MOVES];
    uint64_t random = 5;
    vni_rng rng = vni_rng_make(6);
    vn_transform place = vn_identity();
    *rebuilt = 0;
    for (uint32_t i = 0; i < MOVES; ++i) {
        if (i % 50 == 0)
            place = random_place(first, &random); // elsewhere; then step by step
        place.position.x += (float)vni_rng_range(&rng, -2, 2);
        place.position.y += (float)vni_rng_range(&rng, -2, 2);
        place.position.z += (float)vni_rng_range(&rng, -2, 2);
        uint32_t count;
        vni_living_stats stats;
        double begin = vnb_seconds();
        vnb_must(vn_world_move(world, id, &place, NULL), NULL);
        const vni_change* changes = vni_world_changes(world, &count);
        vnb_must(vni_living_update(living, world, changes, count, NULL), NULL);
        vni_world_forget_changes(world);
        seconds[i] = vnb_seconds() - begin;
        vni_living_get_stats(living, &stats);
        *rebuilt += stats.components_rebuilt;
    }
    return times_of(seconds, MOVES);
}

static times measure_queries(const vn_space* space) {
    static double seconds[QUERIES];
    vn_query_def def = vn_default_query_def();
    vn_query* query = NULL;
    vn_detail detail = {0};
    uint64_t random = 9;
    vnb_must(vn_query_create(space, &def, &query, &detail), &detail);
    for (uint32_t i = 0; i < QUERIES;) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        vnb_must(vn_space_random_free(space, &random, &request.start), NULL);
        vnb_must(vn_space_random_free(space, &random, &request.goal), NULL);
        if (!vn_space_reachable(space, request.start, request.goal))
            continue;
        double begin = vnb_seconds();
        vnb_must(vn_find_path(query, &request, &result, NULL), NULL);
        seconds[i++] = vnb_seconds() - begin;
    }
    vn_query_destroy(query);
    return times_of(seconds, QUERIES);
}

int main(void) {
    vn_detail detail = {0};
    vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-4, -4, -4}, {4, 4, 4}}};
    vn_transform place = vn_identity();
    vn_obstacle_id id;
    vni_living_def def = {.allocator = vn_default_allocator(), .jobs = vn_serial_jobs()};
    vni_living* living = NULL;
    vn_world* world = vnb_world(256, 400, 3, &def.space);
    if (!def.space.has_bounds) {
        def.space.has_bounds = true;
        vn_world_bounds(world, &def.space.bounds);
    }
    vnb_must(vn_world_add_moving(world, &box, &place, &id, &detail), &detail);
    vni_world_forget_changes(world);
    vnb_must(vni_living_make(world, &def, &living, &detail), &detail);
    uint64_t version;
    uint32_t rebuilt;
    const vn_space* first = vni_living_pin(living, &version);
    vnb_print_space(first);
    times moves = measure_moves(world, living, id, first, &rebuilt), queries = measure_queries(first);
    printf("update: mean %.1f us, median %.1f, p99 %.1f; components joined anew in %.1f %%\n", moves.mean,
           moves.median, moves.p99, 100.0 * rebuilt / MOVES);
    printf("standard query: mean %.1f us, median %.1f, p99 %.1f\n", queries.mean, queries.median,
           queries.p99);
    printf("update / query: %.2f\n", moves.mean / queries.mean);
    vni_living_unpin(living, version);
    vni_living_free(living);
    vn_world_destroy(world);
    return 0;
}
