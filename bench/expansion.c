/// bench/expansion.c: the search over cells alone, from two cells to a corridor that is not pulled taut, by
/// weight.
#include "bench.h"

#include "query/cells_search.h"

#define QUERIES 500
#define PASSES  5

typedef struct row {
    float weight;
    double seconds, length;
    uint64_t expanded;
} row;

static void search(vni_cells_search* s, const vn_space* space, const vnb_ends* q, row* r) {
    float start[3], goal[3];
    vnb_to_voxels(q->start, start);
    vnb_to_voxels(q->goal, goal);
    double least = 1e9;
    for (int pass = 0; pass < PASSES; ++pass) {
        double begin = vnb_seconds();
        vnb_must(vni_cells_search_begin(s, &space->cells, start, q->start_cell, goal, q->goal_cell, r->weight,
                                        NULL, 0, false),
                 NULL);
        vn_status status = vni_cells_search_step(s, UINT64_MAX);
        double seconds = vnb_seconds() - begin;
        vnb_must(status, NULL);
        least = seconds < least ? seconds : least;
    }

    r->seconds += least;
    r->expanded += s->expanded;
    r->length += (double)s->best;
}

int main(void) {
    row rows[] = {{1.0f, 0, 0, 0}, {1.05f, 0, 0, 0}, {1.1f, 0, 0, 0}, {1.25f, 0, 0, 0}, {1.5f, 0, 0, 0}};
    const uint32_t count = sizeof rows / sizeof *rows;
    vn_allocator allocator = vn_default_allocator();
    vn_space* space = vnb_space(256, 300, 11);
    vni_cells_search s;
    vnb_must(vni_cells_search_make(&allocator, vni_cells_count(&space->cells), &s), NULL);

    vni_rng rng = vni_rng_make(12);
    for (int i = 0; i < QUERIES; ++i) {
        vnb_ends q = vnb_random_ends(&rng, space);
        for (uint32_t turn = 0; turn < count; ++turn)
            search(&s, space, &q, &rows[rotation_at(count, (uint64_t)i, turn)]);
    }

    printf("%-10s %10s %10s %14s %8s %8s\n", "weight", "us/query", "expanded", "ns/expansion", "time",
           "length");
    for (size_t k = 0; k < count; ++k)
        printf("%-10.2f %10.2f %10.1f %14.1f %8.2f %8.4f\n", (double)rows[k].weight,
               rows[k].seconds / QUERIES * 1e6, (double)rows[k].expanded / QUERIES,
               rows[k].seconds / (double)rows[k].expanded * 1e9, rows[k].seconds / rows[0].seconds,
               rows[k].length / rows[0].length);

    vni_cells_search_free(&s);
    vn_space_destroy(space);
    return 0;
}
