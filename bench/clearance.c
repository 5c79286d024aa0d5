/// bench/clearance.c: paths as the search leaves them and the same paths led away from walls: the time, what
/// is gained, and the cost in length and points. Also the integral of clearance alone.
#include "bench.h"

#include "path/refine.h"
#include "path/refine_clear.h"
#include "probe/clearance.h"

#include <string.h>

#define QUERIES    300
#define MAX_POINTS 4096
#define WEIGHT     4.0

typedef struct route {
    vn_point* points;
    uint32_t count;
} route;

/// Sums over all paths.
typedef struct sums {
    double seconds, slowest; ///< slowest: of one path
    double cost, length;     ///< voxels
    double missing;          ///< voxels of path, times what is missing of the distance
    double close;            ///< voxels of path that keep less than half of the distance
    uint64_t points;
} sums;

static double take_routes(const vn_space* space, route* routes) {
    vn_query_def def = vn_default_query_def();
    vn_detail detail = {0};
    vn_query* query;
    double seconds = 0;
    vnb_must(vn_query_create(space, &def, &query, &detail), &detail);

    vni_rng rng = vni_rng_make(14);
    for (int i = 0; i < QUERIES; ++i) {
        vnb_ends q = vnb_random_ends(&rng, space);
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = q.start;
        request.goal = q.goal;
        double begin = vnb_seconds();
        vnb_must(vn_query_find_path(query, &request, &result, &detail), &detail);
        seconds += vnb_seconds() - begin;
        const vn_point* points = vn_query_points(query, &routes[i].count);
        routes[i].points = vnb_alloc(routes[i].count, sizeof *points);
        memcpy(routes[i].points, points, routes[i].count * sizeof *points);
    }

    vn_query_destroy(query);
    return seconds;
}

/// Voxels of path that are closer to walls than half of the distance, by samples a quarter of a voxel apart.
static double close_part(const vni_clearance* c, const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i) {
        vni_vec a = vni_scale(vni_v_of_point(points[i - 1]), 1.0 / VN_LATTICE),
                segment = vni_sub(vni_scale(vni_v_of_point(points[i]), 1.0 / VN_LATTICE), a);
        double length = vni_length(segment);
        uint32_t parts = (uint32_t)(4 * length) + 1;
        for (uint32_t k = 0; k < parts; ++k)
            if (vni_clearance_missing(c, vni_add_scaled(a, segment, (k + 0.5) / parts)) > 0.5)
                sum += length / parts;
    }

    return sum;
}

static void add(sums* s, const vni_cost* cost, const vn_point* points, uint32_t count, double seconds) {
    const vni_terms* terms = (const vni_terms*)cost->self;
    double total = vni_polyline_cost(cost, points, count) / VN_LATTICE,
           length = vni_polyline_length(points, count) / VN_LATTICE;
    s->seconds += seconds;
    s->slowest = seconds > s->slowest ? seconds : s->slowest;
    s->cost += total;
    s->length += length;
    s->missing += (total - length) / WEIGHT;
    s->close += close_part(terms->clearance, points, count);
    s->points += count;
}

static void print_row(const char* name, const sums* s, const sums* plain) {
    printf("%-12s %10.1f %10.1f %8.1f %10.4f %10.4f %11.1f %9.1f\n", name, s->seconds / QUERIES * 1e6,
           s->slowest * 1e6, (double)s->points / QUERIES, s->length / plain->length, s->cost / plain->cost,
           100 * s->missing / s->length, 100 * s->close / s->length);
}

static void measure(const vn_space* space, const route* routes, double distance, double search_seconds) {
    static vn_point points[MAX_POINTS];
    const vni_clearance clearance = {&space->occupancy, distance, WEIGHT};
    const vni_terms terms = {NULL, &clearance};
    const vni_cost cost = vni_cost_terms(VNI_METRIC_EUCLIDEAN, 26, &terms);
    sums plain = {0}, cleared = {0};

    double integral = 0;
    for (int i = 0; i < QUERIES; ++i) {
        uint32_t count = routes[i].count;
        memcpy(points, routes[i].points, count * sizeof *points);
        double begin = vnb_seconds();
        double before = vni_polyline_cost(&cost, points, count);
        integral += vnb_seconds() - begin;
        add(&plain, &cost, points, count, 0);
        begin = vnb_seconds();
        count = vni_refine_clear(&space->occupancy, &cost, distance, points, count, MAX_POINTS, NULL, NULL);

        add(&cleared, &cost, points, count, vnb_seconds() - begin);
        if (!vn_space_check_path(space, points, count, NULL) ||
            vni_polyline_cost(&cost, points, count) > before * (1 + 1e-9)) {
            fprintf(stderr, "path %d: blocked or dearer\n", i);
            exit(1);
        }
    }

    plain.seconds = search_seconds;
    printf("distance %g voxels, weight %g: the integral takes %.1f us a path, %.0f ns a voxel\n", distance,
           WEIGHT, integral / QUERIES * 1e6, integral / plain.length * 1e9);
    printf("%-12s %10s %10s %8s %10s %10s %11s %9s\n", "path", "us", "slowest", "points", "length", "cost",
           "missing, %", "close, %");
    print_row("as found", &plain, &plain);
    print_row("cleared", &cleared, &plain);
    printf("\n");
}

int main(void) {
    static const double distances[] = {1, 2, 4};
    route* routes = vnb_alloc(QUERIES, sizeof *routes);
    vn_space* space = vnb_space(256, 300, 13);
    double seconds = take_routes(space, routes);
    for (size_t i = 0; i < sizeof distances / sizeof *distances; ++i)
        measure(space, routes, distances[i], seconds);

    for (int i = 0; i < QUERIES; ++i)
        free(routes[i].points);

    free(routes);
    vn_space_destroy(space);
    return 0;
}
