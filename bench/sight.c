/// bench/sight.c: line of sight with leaps against the walk voxel by voxel, and a swept ball, on the same
/// segments.
#include "bench.h"

#include "probe/sight.h"

#define SEGMENTS 20000

int main(void) {
    static vn_point a[SEGMENTS], b[SEGMENTS];
    vn_space* space = vnb_space(256, 120, 7);
    vni_rng rng = vni_rng_make(8);
    for (uint32_t i = 0; i < SEGMENTS; ++i) {
        a[i] = vnb_free_point(&rng, space);
        b[i] = vnb_free_point(&rng, space);
    }

    uint32_t leaping = 0, walking = 0, sweeping = 0;
    double begin = vnb_seconds();
    for (uint32_t i = 0; i < SEGMENTS; ++i)
        leaping += vni_sight(&space->occupancy, a[i], b[i]);

    double leap = vnb_seconds() - begin;
    begin = vnb_seconds();
    for (uint32_t i = 0; i < SEGMENTS; ++i)
        walking += vni_sight_by_pieces(&space->occupancy, a[i], b[i]);

    double walk = vnb_seconds() - begin;
    begin = vnb_seconds();
    for (uint32_t i = 0; i < SEGMENTS; ++i)
        sweeping += vn_space_sweep_free(space, a[i], b[i], 0.5f);

    double sweep = vnb_seconds() - begin;
    printf("%-20s %10s %8s %8s\n", "sight", "us", "time", "free");
    printf("%-20s %10.3f %8.2f %8.3f\n", "leaping", leap / SEGMENTS * 1e6, 1.0, (double)leaping / SEGMENTS);
    printf("%-20s %10.3f %8.2f %8.3f\n", "voxel by voxel", walk / SEGMENTS * 1e6, walk / leap,
           (double)walking / SEGMENTS);
    printf("%-20s %10.3f %8.2f %8.3f\n", "ball of 0.5 voxel", sweep / SEGMENTS * 1e6, sweep / leap,
           (double)sweeping / SEGMENTS);
    vn_space_destroy(space);

    return leaping == walking ? 0 : 1;
}
