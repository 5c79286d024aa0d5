/// bench/curve.c: what a curve and its trajectory cost beside the query that found the path, and a sample of
/// the trajectory; with what came of it: length, time, least radius, stops.
#include "bench.h"

#include "volnav/curve.h"

#define QUERIES 300
#define PASSES  5
#define SAMPLES 1000

typedef struct row {
    const char* name;
    double make, time, sample; ///< seconds, sums of the least of the passes
    double length, duration;
    uint64_t corners, stops, pieces, refused;
} row;

typedef struct bench {
    vn_space* space;
    vn_query* query;
    vn_point points[4096];
    uint32_t count;
    double query_seconds, length;
    uint64_t path_points;
    row rows[VN_CURVE_KIND_COUNT];
} bench;

static void find_path(bench* b, const vnb_ends* ends) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    double least = 1e9;
    request.start = ends->start;
    request.goal = ends->goal;
    for (int pass = 0; pass < PASSES; ++pass) {
        double begin = vnb_seconds();
        vnb_must(vn_query_find_path(b->query, &request, &result, &detail), &detail);
        double seconds = vnb_seconds() - begin;
        least = seconds < least ? seconds : least;
    }

    const vn_point* points = vn_query_points(b->query, &b->count);
    if (b->count > sizeof b->points / sizeof *b->points)
        vnb_fail("a path is too long");
    memcpy(b->points, points, b->count * sizeof *points);
    b->query_seconds += least;
    b->length += result.length;
    b->path_points += b->count;
}

/// Seconds for a sample, and a sum so that nothing is left out.
static double sample(const vn_trajectory* trajectory, double* sum) {
    double begin = vnb_seconds(), duration = vn_trajectory_duration(trajectory);
    for (int i = 0; i < SAMPLES; ++i) {
        vn_trajectory_state m;
        vn_trajectory_sample(trajectory, duration * i / SAMPLES, &m);
        *sum += m.position.x;
    }

    return (vnb_seconds() - begin) / SAMPLES;
}

static void add_info(row* r, const vn_curve* curve, const vn_trajectory* trajectory) {
    vn_curve_info info;
    vn_curve_get_info(curve, &info);
    r->length += info.length;
    r->duration += vn_trajectory_duration(trajectory);
    r->corners += info.corners;
    r->stops += info.stops;
    r->pieces += info.pieces;
}

static void measure(bench* b, row* r, const vn_curve_def* def, double* sum) {
    vn_trajectory_def timing = vn_default_trajectory_def();
    double make = 1e9, time = 1e9, one = 1e9;
    for (int pass = 0; pass < PASSES; ++pass) {
        vn_curve* curve;
        vn_trajectory* trajectory;
        vn_detail detail = {0};
        double begin = vnb_seconds();
        vn_status status = vn_curve_make(b->space, b->points, b->count, def, &curve, &detail);
        double made = vnb_seconds();
        if (status == VN_NOT_FOUND) {
            ++r->refused;
            return;
        }

        vnb_must(status, &detail);
        vnb_must(vn_trajectory_make(curve, &timing, &trajectory, &detail), &detail);
        double timed = vnb_seconds(), sampled = sample(trajectory, sum);
        make = made - begin < make ? made - begin : make;
        time = timed - made < time ? timed - made : time;
        one = sampled < one ? sampled : one;
        if (pass == 0)
            add_info(r, curve, trajectory);
        vn_trajectory_destroy(trajectory);
        vn_curve_destroy(curve);
    }

    r->make += make;
    r->time += time;
    r->sample += one;
}

static void print(const bench* b) {
    printf("query: %.2f us, %.1f points, %.1f m\n\n", b->query_seconds / QUERIES * 1e6,
           (double)b->path_points / QUERIES, b->length / QUERIES);
    printf("%-8s %9s %8s %9s %10s %8s %8s %8s %8s %8s\n", "curve", "make us", "/ query", "timing us",
           "sample ns", "length", "seconds", "corners", "stops", "pieces");
    for (int k = 0; k < VN_CURVE_KIND_COUNT; ++k) {
        const row* r = &b->rows[k];
        double made = QUERIES - (double)r->refused;
        printf("%-8s %9.2f %8.3f %9.2f %10.0f %8.4f %8.2f %8.2f %8.2f %8.1f\n", r->name, r->make / made * 1e6,
               r->make / b->query_seconds, r->time / made * 1e6, r->sample / made * 1e9,
               r->length / b->length, r->duration / made, (double)r->corners / made, (double)r->stops / made,
               (double)r->pieces / made);
        if (r->refused > 0)
            printf("         %llu refused\n", (unsigned long long)r->refused);
    }
}

int main(void) {
    static bench b;
    vn_query_def def = vn_default_query_def();
    vn_detail detail = {0};
    double sum = 0;
    b.space = vnb_space(256, 300, 13);
    vnb_must(vn_query_create(b.space, &def, &b.query, &detail), &detail);
    vni_rng rng = vni_rng_make(14);
    for (int i = 0; i < QUERIES; ++i) {
        vnb_ends ends = vnb_random_ends(&rng, b.space);
        find_path(&b, &ends);
        for (uint32_t turn = 0; turn < VN_CURVE_KIND_COUNT; ++turn) {
            uint32_t k = rotation_at(VN_CURVE_KIND_COUNT, (uint64_t)i, turn);
            vn_curve_def curve_def = vn_default_curve_def();
            curve_def.kind = (vn_curve_kind)k;
            curve_def.max_turn_rate = 2;
            b.rows[k].name = vn_curve_kind_name((vn_curve_kind)k);
            measure(&b, &b.rows[k], &curve_def, &sum);
        }
    }

    print(&b);
    printf("\n(sum of samples %g)\n", sum);
    vn_query_destroy(b.query);
    vn_space_destroy(b.space);
    return 0;
}
