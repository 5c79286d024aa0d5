/// bench/taut.c: from corridor to short path: the taut string by its number of sweeps, then prune, pull and
/// bypass, on the corridors that searches find.
#include "bench.h"

#include "path/refine.h"
#include "query/query_inside.h"

#include <string.h>

#define QUERIES 300
#define PASSES  5

/// A corridor's portals, where the search crossed them, and scratch.
typedef struct corridor {
    vnb_ends ends;
    vni_portal* portals;
    float (*crossings)[3];
    float (*taut)[3];
    vn_point* points;
    uint32_t portal_count, point_count;
} corridor;

typedef struct row {
    const char* name;
    double seconds, length; ///< sums
    uint64_t points;
} row;

static corridor take(vn_query* query, const vnb_ends* q) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    request.start = q->start;
    request.goal = q->goal;
    request.refine = VN_REFINE_NONE; // leaves portals and crossings as the search found them
    vnb_must(vn_query_find_path(query, &request, &result, &detail), &detail);
    corridor c = {.ends = *q, .portal_count = query->cells.corridor_count - 1};
    c.portals = vnb_alloc(c.portal_count + 1, sizeof *c.portals);
    c.crossings = vnb_alloc(c.portal_count + 1, sizeof *c.crossings);
    c.taut = vnb_alloc(c.portal_count + 1, sizeof *c.taut);
    c.points = vnb_alloc(c.portal_count + 2, sizeof *c.points);
    memcpy(c.portals, query->cells.portals, c.portal_count * sizeof *c.portals);
    memcpy(c.crossings, query->cells.crossings, c.portal_count * sizeof *c.crossings);

    return c;
}

static void free_corridor(corridor* c) {
    free(c->portals);
    free(c->crossings);
    free(c->taut);
    free(c->points);
}

/// The string as a polyline on the lattice.
static void lay(corridor* c) {
    c->point_count = 0;
    c->points[c->point_count++] = c->ends.start;
    for (uint32_t i = 0; i < c->portal_count; ++i)
        c->points[c->point_count++] = vni_portal_lattice(&c->portals[i], c->taut[i]);
    c->points[c->point_count++] = c->ends.goal;
}

static void add(row* r, const corridor* c, double seconds) {
    r->seconds += seconds;
    r->points += c->point_count;
    r->length += vni_polyline_length(c->points, c->point_count) / VN_LATTICE;
}

static void pull_taut(corridor* c, uint32_t sweeps, row* r) {
    float start[3], goal[3];
    vnb_to_voxels(c->ends.start, start);
    vnb_to_voxels(c->ends.goal, goal);
    double least = 1e9;
    for (int pass = 0; pass < PASSES; ++pass) {
        memcpy(c->taut, c->crossings, c->portal_count * sizeof *c->taut);
        double begin = vnb_seconds();
        vni_taut(c->portals, c->taut, c->portal_count, start, goal, sweeps);
        double seconds = vnb_seconds() - begin;
        least = seconds < least ? seconds : least;
    }

    lay(c);
    add(r, c, sweeps > 0 ? least : 0);
}

/// The passes after the taut string, once each: they work in place.
static void refine(const vni_occupancy* occupancy, corridor* c, row* rows) {
    double begin = vnb_seconds();
    c->point_count = vni_refine_prune(occupancy, NULL, c->points, c->point_count);
    add(&rows[0], c, vnb_seconds() - begin);
    begin = vnb_seconds();
    vni_refine_pull(occupancy, NULL, c->points, c->point_count, 6);
    add(&rows[1], c, vnb_seconds() - begin);
    begin = vnb_seconds();
    c->point_count = vni_refine_bypass(occupancy, NULL, c->points, c->point_count);
    add(&rows[2], c, vnb_seconds() - begin);
}

int main(void) {
    static const uint32_t sweeps[] = {0, 1, 2, 4, 8, 16};
    row rows[] = {{"as found", 0, 0, 0},       {"taut, 1 sweep", 0, 0, 0},  {"taut, 2 sweeps", 0, 0, 0},
                  {"taut, 4 sweeps", 0, 0, 0}, {"taut, 8 sweeps", 0, 0, 0}, {"taut, 16 sweeps", 0, 0, 0},
                  {"4, then prune", 0, 0, 0},  {"then pull", 0, 0, 0},      {"then bypass", 0, 0, 0}};
    const uint32_t count = sizeof sweeps / sizeof *sweeps;
    row again = {"", 0, 0, 0};
    vn_space* space = vnb_space(256, 300, 13);
    vn_query_def def = vn_default_query_def();
    vn_detail detail = {0};
    vn_query* query;
    vnb_must(vn_query_create(space, &def, &query, &detail), &detail);
    vni_rng rng = vni_rng_make(14);

    uint64_t portals = 0;
    for (int i = 0; i < QUERIES; ++i) {
        vnb_ends q = vnb_random_ends(&rng, space);
        corridor c = take(query, &q);
        for (uint32_t turn = 0; turn < count; ++turn) {
            uint32_t k = rotation_at(count, (uint64_t)i, turn);
            pull_taut(&c, sweeps[k], &rows[k]);
        }

        pull_taut(&c, 4, &again);
        refine(&space->occupancy, &c, &rows[count]);
        portals += c.portal_count;
        free_corridor(&c);
    }

    printf("%.1f portals to a corridor\n\n", (double)portals / QUERIES);
    printf("%-18s %10s %12s %10s %10s\n", "pass", "us", "ns/portal", "points", "length");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        printf("%-18s %10.2f %12.1f %10.1f %10.5f\n", rows[k].name, rows[k].seconds / QUERIES * 1e6,
               rows[k].seconds / (double)portals * 1e9, (double)rows[k].points / QUERIES,
               rows[k].length / rows[0].length);

    vn_query_destroy(query);
    vn_space_destroy(space);
    return 0;
}
