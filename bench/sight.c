/// bench/sight.c: line of sight with leaps against the walk voxel by voxel, and a swept ball, on the same
/// segments.
#include "bench.h"

#include "probe/sight.h"

#define SEGMENTS 20000
#define BLOCK    500 // segments before the next test takes its turn

enum { LEAPING, WALKING, SWEEPING, TESTS };

typedef struct row {
    const char* name;
    double seconds;
    uint32_t free;
} row;

static bool is_free(const vn_space* space, uint32_t test, vn_point a, vn_point b) {
    if (test == LEAPING)
        return vni_sight(&space->occupancy, a, b);
    return test == WALKING ? vni_sight_by_pieces(&space->occupancy, a, b)
                           : vn_space_sweep_free(space, a, b, 0.5f);
}

static void run_block(const vn_space* space, uint32_t test, const vn_point* a, const vn_point* b, row* r) {
    double begin = vnb_seconds();
    for (uint32_t i = 0; i < BLOCK; ++i)
        r->free += is_free(space, test, a[i], b[i]);
    r->seconds += vnb_seconds() - begin;
}

int main(void) {
    static vn_point a[SEGMENTS], b[SEGMENTS];
    vn_space* space = vnb_space(256, 120, 7);
    vni_rng rng = vni_rng_make(8);
    for (uint32_t i = 0; i < SEGMENTS; ++i) {
        a[i] = vnb_free_point(&rng, space);
        b[i] = vnb_free_point(&rng, space);
    }

    row rows[TESTS] = {{"leaping", 0, 0}, {"voxel by voxel", 0, 0}, {"ball of 0.5 voxel", 0, 0}};
    for (uint32_t block = 0; block < SEGMENTS / BLOCK; ++block)
        for (uint32_t turn = 0; turn < TESTS; ++turn) {
            uint32_t test = rotation_at(TESTS, block, turn);
            run_block(space, test, &a[block * BLOCK], &b[block * BLOCK], &rows[test]);
        }

    printf("%-20s %10s %8s %8s\n", "sight", "us", "time", "free");
    for (int i = 0; i < TESTS; ++i)
        printf("%-20s %10.3f %8.2f %8.3f\n", rows[i].name, rows[i].seconds / SEGMENTS * 1e6,
               rows[i].seconds / rows[LEAPING].seconds, (double)rows[i].free / SEGMENTS);

    vn_space_destroy(space);
    if (rows[LEAPING].free != rows[WALKING].free)
        vnb_fail("leaping and walking disagree");
    return 0;
}
