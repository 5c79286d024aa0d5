/// bench/funnel.c: the 3D funnel beside the taut string, in corridors that searches find and in random rows
/// of boxes: lengths over the shortest path in the corridor, and the cost of a portal.
#include "bench.h"

#include "../tests/unit/path/corridors.h"
#include "path/funnel.h"
#include "path/refine.h"
#include "query/query_inside.h"

#include <string.h>

#define QUERIES   300
#define CORRIDORS 300
#define PASSES    5
#define ROUNDS    100 // of the shortest path

/// A corridor, where it is crossed at first, and scratch.
typedef struct job {
    vnt_corridor corridor;
    float crossings[VNT_MAX_BOXES][3], taut[VNT_MAX_BOXES][3];
    vn_point points[VNT_MAX_BOXES + 1];
} job;

typedef struct row {
    const char* name;
    uint32_t sweeps; ///< of the taut string; 0: none
    double seconds, length;
    uint64_t points;
} row;

enum { GIVEN, TAUT_3, TAUT_8, TAUT_64, FUNNEL, SHORTEST, ROWS };

typedef struct table {
    row rows[ROWS];
    uint64_t portals;
    uint32_t corridors, kept; ///< and how often the path given was shorter than the funnel's
} table;

static table make_table(void) {
    table t = {{{"as given", 0, 0, 0, 0},
                {"taut, 3 sweeps", 3, 0, 0, 0},
                {"taut, 8 sweeps", 8, 0, 0, 0},
                {"taut, 64 sweeps", 64, 0, 0, 0},
                {"funnel", 0, 0, 0, 0},
                {"shortest inside", 0, 0, 0, 0}},
               0,
               0,
               0};

    return t;
}

static void add(row* r, const job* j, uint32_t count, double seconds) {
    r->seconds += seconds;
    r->points += count;
    r->length += vni_polyline_length(j->points, count) / VN_LATTICE;
}

static void pull_taut(job* j, row* r) {
    float start[3], goal[3];
    uint32_t n = vnt_portal_count(&j->corridor), count = 0;
    double least = 1e9;
    vnb_to_voxels(j->corridor.start, start);

    vnb_to_voxels(j->corridor.goal, goal);
    for (int pass = 0; pass < PASSES; ++pass) {
        memcpy(j->taut, j->crossings, n * sizeof *j->taut);
        double begin = vnb_seconds();
        vni_taut(j->corridor.portals, j->taut, n, start, goal, r->sweeps);
        double seconds = vnb_seconds() - begin;
        least = seconds < least ? seconds : least;
    }

    j->points[count++] = j->corridor.start;
    for (uint32_t i = 0; i < n; ++i)
        j->points[count++] = vni_portal_lattice(&j->corridor.portals[i], j->taut[i]);

    j->points[count++] = j->corridor.goal;
    add(r, j, count, r->sweeps > 0 ? least : 0);
}

static void run_funnel(job* j, table* t) {
    uint32_t n = vnt_portal_count(&j->corridor), count = 0;
    double least = 1e9;
    for (int pass = 0; pass < PASSES; ++pass) {
        double begin = vnb_seconds();
        count = vni_funnel_over(j->corridor.portals, j->crossings[0], n, j->corridor.start, j->corridor.goal,
                                j->points, n + 2);
        double seconds = vnb_seconds() - begin;
        least = seconds < least ? seconds : least;
    }

    if (count == 0)
        vnb_fail("the funnel returned no points");
    add(&t->rows[FUNNEL], j, count, least);
    t->kept += n > 2 && count == n + 2;
}

static void measure(job* j, table* t) {
    static vnt_geodesic geodesic;
    double bound;
    for (uint32_t turn = 0; turn <= FUNNEL; ++turn) {
        uint32_t k = rotation_at(FUNNEL + 1, t->corridors, turn);
        if (k == FUNNEL)
            run_funnel(j, t);
        else
            pull_taut(j, &t->rows[k]);
    }

    t->rows[SHORTEST].length += vnt_geodesic_find(&j->corridor, ROUNDS, &geodesic, &bound);
    t->portals += vnt_portal_count(&j->corridor);
    ++t->corridors;
}

static void print(const char* title, const table* t) {
    printf("%s: %u, %.1f portals each; the path given was kept %u times\n", title, t->corridors,
           (double)t->portals / t->corridors, t->kept);
    printf("%-18s %10s %12s %10s %12s %12s\n", "path", "us", "ns/portal", "points", "over given",
           "over best");
    for (int k = 0; k < ROWS; ++k) {
        const row* r = &t->rows[k];
        printf("%-18s %10.2f %12.1f %10.1f %12.5f %12.5f\n", r->name, r->seconds / t->corridors * 1e6,
               r->seconds / (double)t->portals * 1e9, (double)r->points / t->corridors,
               r->length / t->rows[GIVEN].length, r->length / t->rows[SHORTEST].length);
    }

    printf("\n");
}

/// Corridors of more than VNT_MAX_BOXES boxes are left out.
static bool take(job* j, vn_query* query, const vnb_ends* q) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    request.start = q->start;
    request.goal = q->goal;
    request.refine = VN_REFINE_NONE; // leaves portals and crossings as the search found them
    vnb_must(vn_query_find_path(query, &request, &result, &detail), &detail);
    const vni_cells_engine* e = &query->cells;

    if (e->corridor_count > VNT_MAX_BOXES)
        return false;
    j->corridor.box_count = e->corridor_count;
    j->corridor.start = q->start;
    j->corridor.goal = q->goal;
    memcpy(j->corridor.portals, e->portals, (e->corridor_count - 1) * sizeof *e->portals);
    memcpy(j->crossings, e->crossings, (e->corridor_count - 1) * sizeof *e->crossings);

    return true;
}

static void run_cells(job* j) {
    table t = make_table();
    vn_space* space = vnb_space(256, 300, 13);
    vn_query_def def = vn_default_query_def();
    vn_detail detail = {0};
    vn_query* query;
    vni_rng rng = vni_rng_make(14);

    vnb_must(vn_query_create(space, &def, &query, &detail), &detail);
    for (int i = 0; i < QUERIES; ++i) {
        vnb_ends q = vnb_random_ends(&rng, space);
        if (take(j, query, &q))
            measure(j, &t);
    }

    print("corridors of the cells search", &t);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static void use_centres(job* j) {
    for (uint32_t i = 0; i < vnt_portal_count(&j->corridor); ++i) {
        const vni_portal* p = &j->corridor.portals[i];
        j->crossings[i][p->axis] = p->plane;
        for (int k = 0; k < 2; ++k)
            j->crossings[i][vni_other_axes[p->axis][k]] = 0.5f * (p->low[k] + p->high[k]);
    }
}

static void run_random(job* j, const char* title, const vnt_winding* w, uint64_t seed) {
    table t = make_table();
    vni_rng rng = vni_rng_make(seed);
    for (int i = 0; i < CORRIDORS; ++i) {
        vnt_corridor_random(&j->corridor, &rng, w);
        use_centres(j);
        measure(j, &t);
    }

    print(title, &t);
}

int main(void) {
    const vnt_winding mixed = {.boxes = 40, .most = 12, .extent = 1000, .turn_of_4 = 2},
                      thin = {.boxes = 40, .most = 1, .extent = 1000, .turn_of_4 = 1},
                      straight = {.boxes = 40, .most = 12, .extent = 1000, .same_sections = true};
    job* j = (job*)vnb_alloc(1, sizeof *j);
    run_cells(j);
    run_random(j, "random boxes, over the centres of portals", &mixed, 1);
    run_random(j, "single voxels", &thin, 2);
    run_random(j, "straight rows", &straight, 3);
    free(j);

    return 0;
}
