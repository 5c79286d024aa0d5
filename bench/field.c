/// bench/field.c: cost fields: building one, reading targets and random points from it, and the cost of its
/// paths compared with single searches for the same targets. Then searches with terms beside the plain one.
#include "bench.h"

#include <math.h>

enum { FIELDS = 30, TARGETS = 40 };

typedef struct sums {
    double make, ask, random, search; ///< seconds
    double ratio, worst, field, own;  ///< costs
    uint64_t cells, targets, above, points;
} sums;

static void compare(vn_query* query, vn_query* other, const vnb_ends* from, const vnb_ends* to, sums* s) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    double cost = 0;
    request.start = from->start;
    request.goal = to->goal;

    for (uint32_t turn = 0; turn < 2; ++turn) {
        double begin = vnb_seconds();
        if (rotation_at(2, s->targets, turn) == 0) {
            vnb_must(vn_query_field_costs(query, &to->goal, 1, &cost), NULL);
            s->ask += vnb_seconds() - begin;
        } else {
            vnb_must(vn_query_find_path(other, &request, &result, &detail), &detail);
            s->search += vnb_seconds() - begin;
        }
    }

    double ratio = result.cost > 0 ? cost / result.cost : 1;
    s->ratio += ratio;
    s->worst = ratio > s->worst ? ratio : s->worst;
    s->above += ratio > 1.05;
    s->field += cost;
    s->own += result.cost;
    ++s->targets;
}

static void one_field(vn_query* query, vn_query* other, vni_rng* rng, const vn_space* space, sums* s) {
    vnb_ends from = vnb_random_ends(rng, space);
    vn_field_request request = vn_default_field_request();
    vn_detail detail = {0};
    uint64_t cells, random = 1;
    request.source = from.start;
    double begin = vnb_seconds();
    vnb_must(vn_query_build_field(query, &request, &cells, &detail), &detail);
    s->make += vnb_seconds() - begin;

    s->cells += cells;
    for (int i = 0; i < TARGETS; ++i) {
        vnb_ends to = vnb_random_ends(rng, space);
        if (vni_cells_component(&space->cells, from.start_cell) ==
            vni_cells_component(&space->cells, to.goal_cell))
            compare(query, other, &from, &to, s);
    }

    begin = vnb_seconds();
    for (int i = 0; i < TARGETS; ++i) {
        vn_point p;
        double cost;
        vnb_must(vn_query_field_random(query, &random, &p, &cost), NULL);
        ++s->points;
    }

    s->random += vnb_seconds() - begin;
}

static void bench_fields(vn_query* query, vn_query* other, const vn_space* space) {
    vni_rng rng = vni_rng_make(6);
    sums s = {0};
    for (int i = 0; i < FIELDS; ++i)
        one_field(query, other, &rng, space, &s);

    double targets = (double)s.targets;
    printf("field: %.2f ms, %.0f cells, %.0f ns a cell\n", s.make / FIELDS * 1e3, (double)s.cells / FIELDS,
           s.make / (double)s.cells * 1e9);
    printf("target %.1f us, random point %.1f us; a single search %.1f us\n", s.ask / targets * 1e6,
           s.random / (double)s.points * 1e6, s.search / targets * 1e6);
    printf("cost over the search's: mean %.4f, total %.4f, worst %.3f, above 1.05 %.2f %%\n\n",
           s.ratio / targets, s.field / s.own, s.worst, 100 * (double)s.above / targets);
}

// ----------------------------------------------------------------------------------------------------- terms

typedef struct row {
    const char* name;
    vn_goal_kind kind;
    float clearance, jitter;
    bool limits;
    uint32_t connections;
    double seconds, cost;
    uint64_t expanded;
} row;

static vn_connection random_connection(vni_rng* rng, const vn_space* space) {
    const float size = space->resolution / VN_LATTICE;
    vn_point a = vnb_free_point(rng, space), b = vnb_free_point(rng, space);
    const vn_dvec3 low = space->low;
    vn_connection connection = {{(float)low.x + (float)a.x * size, (float)low.y + (float)a.y * size,
                                 (float)low.z + (float)a.z * size},
                                {(float)low.x + (float)b.x * size, (float)low.y + (float)b.y * size,
                                 (float)low.z + (float)b.z * size},
                                20,
                                true,
                                0};

    return connection;
}

static void run(vn_query* query, const vn_space* space, const vnb_ends* q, const vn_connection* connections,
                row* r) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    request.start = q->start;
    request.goal = q->goal;
    request.goal_kind = r->kind;
    request.goal_distance = r->kind == VN_GOAL_SPHERE ? 10 * (double)space->resolution : 0;
    request.preferred_clearance = r->clearance * space->resolution;
    request.jitter = r->jitter;
    request.has_limits = r->limits;
    request.limits = (vn_box){{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    request.connections = connections;
    request.connection_count = r->connections;
    double begin = vnb_seconds();
    vnb_must(vn_query_find_path(query, &request, &result, &detail), &detail);
    r->seconds += vnb_seconds() - begin;
    r->expanded += result.expanded;
    r->cost += result.cost;
}

static void bench_terms(vn_query* query, const vn_space* space) {
    enum { QUERIES = 200 };
    row rows[] = {{.name = "plain"},
                  {.name = "limits around everything", .limits = true},
                  {.name = "within 10 voxels", .kind = VN_GOAL_SPHERE},
                  {.name = "in sight", .kind = VN_GOAL_SIGHT},
                  {.name = "8 connections", .connections = 8},
                  {.name = "64 connections", .connections = VN_MAX_CONNECTIONS},
                  {.name = "jitter 0.3", .jitter = 0.3f},
                  {.name = "clearance 2", .clearance = 2}};
    const uint32_t count = sizeof rows / sizeof *rows;
    vn_connection connections[VN_MAX_CONNECTIONS];

    vni_rng rng = vni_rng_make(7);
    for (uint32_t i = 0; i < VN_MAX_CONNECTIONS; ++i)
        connections[i] = random_connection(&rng, space);

    for (int i = 0; i < QUERIES; ++i) {
        vnb_ends q = vnb_random_ends(&rng, space);
        for (uint32_t turn = 0; turn < count; ++turn)
            run(query, space, &q, connections, &rows[rotation_at(count, (uint64_t)i, turn)]);
    }

    printf("%-26s %10s %10s %8s %8s\n", "request", "us/query", "expanded", "time", "cost");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        printf("%-26s %10.1f %10.1f %8.2f %8.4f\n", rows[k].name, rows[k].seconds / QUERIES * 1e6,
               (double)rows[k].expanded / QUERIES, rows[k].seconds / rows[0].seconds,
               rows[k].cost / rows[0].cost);
}

int main(void) {
    vn_space* space = vnb_space(96, 400, 5);
    vn_query_def def = vn_default_query_def();
    vn_query *query, *other;
    vn_detail detail = {0};
    vnb_must(vn_query_create(space, &def, &query, &detail), &detail);
    vnb_must(vn_query_create(space, &def, &other, &detail), &detail);
    bench_fields(query, other, space);
    bench_terms(query, space);
    vn_query_destroy(query);
    vn_query_destroy(other);
    vn_space_destroy(space);

    return 0;
}
