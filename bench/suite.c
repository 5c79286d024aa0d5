/// bench/suite.c: every query of a space, in nanoseconds a call, on the same world and the same points;
/// beside each the ratio to a plain line of sight, which is comparable between machines.
#include "bench.h"

#include <math.h>

#define POINTS 4000
#define PASSES 5

/// What the queries are about. `far` lies anywhere, `near` within 8 voxels of the point, `solid` is
/// the centre of a blocked voxel.
typedef struct suite {
    const vn_space* space;
    const vn_world* world;
    vn_point at[POINTS], far[POINTS], near[POINTS], solid[POINTS];
    uint64_t random;
} suite;

/// Runs query number i; the sum of what it returns keeps the compiler from dropping it.
typedef uint64_t query(suite* s, uint32_t i);

static uint64_t run_sight(suite* s, uint32_t i) {
    return vn_space_visible(s->space, s->at[i], s->far[i]);
}

static uint64_t run_short_ray(suite* s, uint32_t i) {
    vn_hit hit;
    return vn_space_raycast(s->space, NULL, s->at[i], s->near[i], &hit);
}

static uint64_t run_long_ray(suite* s, uint32_t i) {
    vn_hit hit;
    return vn_space_raycast(s->space, NULL, s->at[i], s->far[i], &hit);
}

static uint64_t run_ray_with_name(suite* s, uint32_t i) {
    vn_hit hit;
    return vn_space_raycast(s->space, s->world, s->at[i], s->far[i], &hit) + hit.obstacle.index1;
}

static uint64_t run_short_sweep(suite* s, uint32_t i) {
    vn_hit hit;
    return vn_space_sweep(s->space, NULL, s->at[i], s->near[i], 0.5f, &hit);
}

static uint64_t run_long_sweep(suite* s, uint32_t i) {
    vn_hit hit;
    return vn_space_sweep(s->space, NULL, s->at[i], s->far[i], 0.5f, &hit);
}

static uint64_t run_wide_sweep(suite* s, uint32_t i) {
    vn_hit hit;
    return vn_space_sweep(s->space, NULL, s->at[i], s->far[i], 4, &hit);
}

static uint64_t run_sweep_free(suite* s, uint32_t i) {
    return vn_space_sweep_free(s->space, s->at[i], s->far[i], 0.5f);
}

static uint64_t run_obstacle(suite* s, uint32_t i) {
    return vn_space_obstacle_at(s->space, s->world, vn_space_voxel_at(s->space, s->solid[i])).index1;
}

static uint64_t run_wall(suite* s, uint32_t i) {
    vn_wall wall;
    vnb_must(vn_space_nearest_wall(s->space, s->at[i], HUGE_VAL, &wall), NULL);
    return (uint64_t)wall.voxel.x;
}

static uint64_t run_near_wall(suite* s, uint32_t i) {
    vn_wall wall;
    vn_status status = vn_space_nearest_wall(s->space, s->at[i], 4, &wall); // there may be none within 4
    if (status == VN_BAD_ARGUMENT)
        vnb_must(status, NULL);
    return status == VN_OK;
}

static uint64_t run_nearest_free(suite* s, uint32_t i) {
    vn_point point;
    double distance;
    vn_dvec3 position = vn_space_point_to_world(s->space, s->at[i]);
    vnb_must(vn_space_nearest_free(s->space, position, HUGE_VAL, &point, &distance), NULL);
    return (uint64_t)point.x;
}

static uint64_t run_nearest_from_solid(suite* s, uint32_t i) {
    vn_point point;
    double distance;
    vn_dvec3 position = vn_space_point_to_world(s->space, s->solid[i]);
    vnb_must(vn_space_nearest_free(s->space, position, HUGE_VAL, &point, &distance), NULL);
    return (uint64_t)point.x;
}

static uint64_t run_random(suite* s, uint32_t i) {
    vn_point point;
    (void)i;
    vnb_must(vn_space_random_point(s->space, &s->random, &point), NULL);
    return (uint64_t)point.x;
}

static uint64_t run_reachable(suite* s, uint32_t i) {
    return vn_space_reachable(s->space, s->at[i], s->far[i]);
}

static uint64_t run_point_free(suite* s, uint32_t i) {
    return vn_space_point_free(s->space, s->at[i]);
}

/// The voxels [low, high) with both points in them.
static void box_of(const vn_space* space, vn_point a, vn_point b, vn_voxel* low, vn_voxel* high) {
    vn_voxel p = vn_space_voxel_at(space, a), q = vn_space_voxel_at(space, b);
    *low = (vn_voxel){p.x < q.x ? p.x : q.x, p.y < q.y ? p.y : q.y, p.z < q.z ? p.z : q.z};
    *high = (vn_voxel){1 + (p.x < q.x ? q.x : p.x), 1 + (p.y < q.y ? q.y : p.y), 1 + (p.z < q.z ? q.z : p.z)};
}

static uint64_t run_box_free(suite* s, uint32_t i) {
    vn_voxel low, high;
    box_of(s->space, s->at[i], s->near[i], &low, &high);
    return vn_space_box_free(s->space, low, high);
}

static bool count_cell(void* user, vn_voxel low, vn_voxel high) {
    (void)low;
    (void)high;
    ++*(uint64_t*)user;
    return true;
}

static uint64_t run_cells(suite* s, uint32_t i) {
    vn_voxel low, high;
    uint64_t cells = 0;
    box_of(s->space, s->at[i], s->near[i], &low, &high);
    vn_space_visit_cells(s->space, low, high, count_cell, &cells);
    return cells;
}

// --------------------------------------------------------------------------------------------- measuring

static int32_t near_coordinate(vni_rng* rng, int32_t at, int32_t dim) {
    int32_t low = at - 8 * VN_LATTICE, high = at + 8 * VN_LATTICE, most = dim * VN_LATTICE;
    return vni_rng_range(rng, low < 0 ? 0 : low, high > most ? most : high);
}

static vn_point blocked_point(vni_rng* rng, const vn_space* space) {
    const int32_t* dims = space->occupancy.dims;
    for (;;) {
        vn_voxel v = {vni_rng_range(rng, 0, dims[0] - 1), vni_rng_range(rng, 0, dims[1] - 1),
                      vni_rng_range(rng, 0, dims[2] - 1)};
        if (!vn_space_voxel_free(space, v))
            return vn_voxel_center(v);
    }
}

static void choose_points(suite* s) {
    vni_rng rng = vni_rng_make(21);
    const int32_t* dims = s->space->occupancy.dims;
    for (uint32_t i = 0; i < POINTS; ++i) {
        vn_point at = vnb_free_point(&rng, s->space);
        s->at[i] = at;
        s->far[i] = vnb_free_point(&rng, s->space);
        s->near[i] = (vn_point){near_coordinate(&rng, at.x, dims[0]), near_coordinate(&rng, at.y, dims[1]),
                                near_coordinate(&rng, at.z, dims[2])};
        s->solid[i] = blocked_point(&rng, s->space);
    }
}

typedef struct row {
    const char* name;
    query* run;
    double seconds; ///< the least of several passes over all points
    double mean;    ///< of what it returns
} row;

static void run_pass(suite* s, row* r) {
    uint64_t sum = 0;
    double begin = vnb_seconds();
    for (uint32_t i = 0; i < POINTS; ++i)
        sum += r->run(s, i);

    double seconds = vnb_seconds() - begin;
    r->seconds = seconds < r->seconds || r->seconds == 0 ? seconds : r->seconds;
    r->mean = (double)sum / POINTS;
}

int main(void) {
    row rows[] = {{"line of sight", run_sight, 0, 0},
                  {"ray, 8 voxels", run_short_ray, 0, 0},
                  {"ray, anywhere", run_long_ray, 0, 0},
                  {"ray with obstacle", run_ray_with_name, 0, 0},
                  {"ball of 0.5, 8 voxels", run_short_sweep, 0, 0},
                  {"ball of 0.5, anywhere", run_long_sweep, 0, 0},
                  {"ball of 4, anywhere", run_wide_sweep, 0, 0},
                  {"ball of 0.5, yes or no", run_sweep_free, 0, 0},
                  {"obstacle at a voxel", run_obstacle, 0, 0},
                  {"nearest wall", run_wall, 0, 0},
                  {"wall within 4 voxels", run_near_wall, 0, 0},
                  {"nearest free, from free", run_nearest_free, 0, 0},
                  {"nearest free, from solid", run_nearest_from_solid, 0, 0},
                  {"random free point", run_random, 0, 0},
                  {"reachable", run_reachable, 0, 0},
                  {"point free", run_point_free, 0, 0},
                  {"box free", run_box_free, 0, 0},
                  {"cells in a box", run_cells, 0, 0}};
    static suite s;
    vn_space_def def;
    vn_space* space;
    vn_detail detail = {0};
    vn_world* world = vnb_world(256, 120, 7, &def);
    vnb_must(vn_space_bake(world, &def, &space, &detail), &detail);
    vnb_print_space(space);
    s.space = space;
    s.world = world;
    choose_points(&s);

    const uint32_t count = sizeof rows / sizeof *rows;
    for (uint32_t pass = 0; pass < PASSES; ++pass)
        for (uint32_t turn = 0; turn < count; ++turn)
            run_pass(&s, &rows[rotation_at(count, pass, turn)]);

    printf("%-26s %10s %8s %10s\n", "query", "ns", "time", "mean");
    for (uint32_t i = 0; i < count; ++i)
        printf("%-26s %10.1f %8.2f %10.3f\n", rows[i].name, rows[i].seconds / POINTS * 1e9,
               rows[i].seconds / rows[0].seconds, rows[i].mean);

    vn_space_destroy(space);
    vn_world_destroy(world);
    return 0;
}
