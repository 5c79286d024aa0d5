/// Zones of classics: the cost of a path, integrated or added at nodes, is that of Dijkstra by brute force on
/// the same graph with every edge priced from scratch; any-angle paths pay what they say; refusals name the
/// reason.
#include "cmocka_all.h"
#include "searches.h"

#include "classic/ara.h"
#include "classic/theta.h"
#include "graph/zones.h"
#include "volnav/classic.h"

#include <stdlib.h>

typedef struct zones {
    vni_zone boxes[2];
    vni_zone_ball balls[1];
    vni_zone_plane planes[4];
    vni_zone_hull hulls[1];
    vni_zones set;
} zones;

static double coordinate(vni_rng* rng) {
    return 12 * vni_rng_real(rng) - 1;
}

static void make_zones(zones* z, vni_rng* rng) {
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            double a = coordinate(rng), b = coordinate(rng);
            z->boxes[i].low[k] = a < b ? a : b;
            z->boxes[i].high[k] = a < b ? b : a;
        }
        z->boxes[i].factor = 0.25 + 4 * vni_rng_real(rng);
    }

    z->balls[0] = (vni_zone_ball){{coordinate(rng), coordinate(rng), coordinate(rng)}, 3, 5};
    for (int i = 0; i < 4; ++i)
        z->planes[i] =
            (vni_zone_plane){{vni_rng_real(rng) - 0.5, vni_rng_real(rng) - 0.5, vni_rng_real(rng) - 0.5},
                             2 * vni_rng_real(rng)};
    z->hulls[0] = (vni_zone_hull){z->planes, 4, 2};
    z->set = vni_zones_make(z->boxes, 2);
    vni_zones_add_round(&z->set, z->balls, 1, z->hulls, 1);
}

// ---------- oracle

/// The factor at a point by definition: the largest of the zones that hold it.
static double factor_at(const zones* z, const double p[3], double none) {
    double most = 0, away = 0;
    for (int i = 0; i < 2; ++i) {
        bool in = true;
        for (int k = 0; k < 3; ++k)
            in = in && p[k] >= z->boxes[i].low[k] && p[k] <= z->boxes[i].high[k];
        most = in && z->boxes[i].factor > most ? z->boxes[i].factor : most;
    }

    for (int k = 0; k < 3; ++k)
        away += (p[k] - z->balls[0].center[k]) * (p[k] - z->balls[0].center[k]);
    most = away <= 9 && most < 5 ? 5 : most;

    bool in = true;
    for (int i = 0; i < 4; ++i) {
        double side = -z->planes[i].offset;
        for (int k = 0; k < 3; ++k)
            side += z->planes[i].normal[k] * p[k];
        in = in && side <= 0;
    }
    most = in && most < 2 ? 2 : most;
    return most > 0 ? most : none;
}

/// The integral by 4,000 samples; exact to about 1e-3 of the length.
static double sampled(const zones* z, vn_point a, vn_point b) {
    enum { SAMPLES = 4000 };
    double from[3] = {a.x / 1024.0, a.y / 1024.0, a.z / 1024.0},
           to[3] = {b.x / 1024.0, b.y / 1024.0, b.z / 1024.0};
    double sum = 0, length = 0;
    for (int k = 0; k < 3; ++k)
        length += (to[k] - from[k]) * (to[k] - from[k]);
    for (int i = 0; i < SAMPLES; ++i) {
        double t = (i + 0.5) / SAMPLES, p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = from[k] + t * (to[k] - from[k]);
        sum += factor_at(z, p, 1);
    }
    return sum / SAMPLES * sqrt(length);
}

static double added(const zones* z, vn_point to) {
    const double p[3] = {to.x / 1024.0, to.y / 1024.0, to.z / 1024.0};
    return factor_at(z, p, 0);
}

/// What an edge costs, from where it leads and bends.
static double edge_cost(const vnt_scene* s, const vni_cost* cost, const zones* z, uint32_t a, uint32_t b) {
    vn_point bend, points[2];
    const uint32_t nodes[2] = {a, b};
    s->graph.points(s->graph.self, nodes, 2, points);
    bool bends = vnt_may_bend(s) && vni_view_bend(&s->view, a, b, &bend);
    const vn_point over = bends ? bend : points[0];
    if (cost->at_nodes)
        return vni_distance(points[0], over) + vni_distance(over, points[1]) + added(z, points[1]);

    const double pa[3] = {points[0].x / 1024.0, points[0].y / 1024.0, points[0].z / 1024.0},
                 po[3] = {over.x / 1024.0, over.y / 1024.0, over.z / 1024.0},
                 pb[3] = {points[1].x / 1024.0, points[1].y / 1024.0, points[1].z / 1024.0};
    double both = vni_zones_cost(&z->set, pa, po) + vni_zones_cost(&z->set, po, pb);
    if (a % 7 == 0) { // the integral itself, by sampling
        double by_hand = sampled(z, points[0], over) + sampled(z, over, points[1]);
        assert_true(fabs(by_hand - both) < 0.02 * (1 + both));
    }
    return both;
}

/// Least costs from the start to all nodes, by relaxing until nothing changes.
static double* relax_all(const vnt_scene* s, const vni_cost* cost, const zones* z) {
    uint32_t limit = s->graph.node_limit, to[VN_EDGE_BATCH],
             *queue = calloc((size_t)limit + 1, sizeof *queue);
    double *least = malloc(limit * sizeof *least), ignored[VN_EDGE_BATCH];
    bool* waits = calloc(limit, sizeof *waits);
    const vn_edges edges = {to, ignored};
    assert_true(queue != NULL && least != NULL && waits != NULL);
    for (uint32_t i = 0; i < limit; ++i)
        least[i] = HUGE_VAL;

    uint32_t first = 0, count = 1;
    queue[0] = s->start;
    least[s->start] = 0;
    for (; count > 0; --count) {
        uint32_t node = queue[first], cursor = 0;
        first = (first + 1) % (limit + 1);
        waits[node] = false;
        do {
            uint32_t found = s->graph.expand(s->graph.self, node, &cursor, &edges);
            for (uint32_t i = 0; i < found; ++i) {
                double g = least[node] + edge_cost(s, cost, z, node, to[i]);
                if (!(g < least[to[i]] - 1e-12))
                    continue;
                least[to[i]] = g;
                if (!waits[to[i]])
                    queue[(first + count++ - 1) % (limit + 1)] = to[i];
                waits[to[i]] = true;
            }
        } while (cursor != 0);
    }

    free(queue);
    free(waits);
    return least;
}

// ---------- tests

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-6 * (1 + fabs(b));
}

static void check_scene(vnt_scene* s, const zones* z, bool adds, uint32_t* found) {
    const vni_metric metric = s->kind == VNT_GRID_26  ? VNI_METRIC_OCTILE
                              : s->kind == VNT_GRID_6 ? VNI_METRIC_MANHATTAN
                                                      : VNI_METRIC_EUCLIDEAN;
    const uint32_t neighbours = s->kind == VNT_GRID_6 ? 6 : 26;
    const vni_cost cost =
        adds ? vni_cost_added(metric, neighbours, &z->set) : vni_cost_zones(metric, neighbours, &z->set);
    double* least = relax_all(s, &cost, z);
    double by_dijkstra, by_astar, g;
    vn_status status = vnt_best_first(s, &cost, 1, 0, s->goal, &by_dijkstra);
    assert_int_equal(status, least[s->goal] < HUGE_VAL ? VN_OK : VN_NO_PATH);
    assert_int_equal(vnt_best_first(s, &cost, 1, 1, s->goal, &by_astar), status);
    if (status == VN_OK) {
        assert_true(is_near(by_dijkstra, least[s->goal]));
        assert_true(by_astar == by_dijkstra); // multiples of the unit: exactly
        assert_int_equal(vnt_best_first(s, &cost, 0, 1, s->goal, &g), VN_OK);
        assert_true(g >= by_dijkstra);

        vni_ara ara;
        const vni_ara_def def = {3, 0.5, 0};
        assert_int_equal(vni_ara_begin(&ara, &def, &s->graph, &cost, &s->scratch, s->start, s->goal), VN_OK);
        while ((status = vni_ara_step(&ara, UINT64_MAX)) == VN_RUNNING) {
        }
        assert_int_equal(status, VN_OK);
        assert_true(ara.path_cost == by_dijkstra);
        ++*found;
    }

    free(least);
}

/// Theta*: each leg costs what g says, priced anew.
static void check_theta(vnt_scene* s, const zones* z, bool adds, bool lazy) {
    const vni_cost cost = adds ? vni_cost_added(VNI_METRIC_EUCLIDEAN, 26, &z->set)
                               : vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, &z->set);
    const vni_theta_def def = {.lazy = lazy, .g_weight = 1, .h_weight = 1};
    vni_theta theta;
    assert_int_equal(vni_theta_begin(&theta, &def, &s->graph, &cost, &s->scratch, s->start, s->goal), VN_OK);
    if (vni_theta_step(&theta, UINT64_MAX) != VN_OK)
        return;

    for (uint32_t at = s->goal; at != s->start;) {
        uint32_t parent = vni_scratch_parent(&s->scratch, at);
        const uint32_t nodes[2] = {parent, at};
        vn_point points[2], bend;
        s->graph.points(s->graph.self, nodes, 2, points);
        double leg = vni_scratch_g(&s->scratch, at) - vni_scratch_g(&s->scratch, parent);
        double straight = adds ? vni_distance(points[0], points[1]) + added(z, points[1])
                               : cost.segment(cost.self, points[0], points[1]);
        bool bends = vnt_may_bend(s) && vni_view_bend(&s->view, parent, at, &bend);
        assert_true(is_near(leg, straight) || (bends && is_near(leg, edge_cost(s, &cost, z, parent, at))));
        at = parent;
    }
}

static void test_against_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic zones", 95));
    uint32_t found = 0, bent = 0;
    for (uint32_t i = 0; i < vnt_scale(140, 3000); ++i) {
        static zones z;
        vnt_scene s;
        make_zones(&z, &rng);
        const vnt_scene_kind kind = (vnt_scene_kind)(i % VNT_SCENE_KINDS);
        if (vnt_scene_make(&s, &rng, kind, 9)) {
            uint32_t before = found;
            check_scene(&s, &z, false, &found);
            check_scene(&s, &z, true, &found);
            for (int k = 0; k < 4; ++k)
                check_theta(&s, &z, k & 1, k & 2);
            bent += kind == VNT_MERGED_CENTRES && found > before;
        }
        vnt_scene_free(&s);
    }

    print_message("%u paths\n", found);
    assert_true(found > 120);
    assert_true(bent > 5);
}

/// Through the public functions: a wall of danger with a gap is passed by the gap; refusals.
static void test_requests(void** state) {
    (void)state;
    const vn_voxel dims = {12, 12, 3};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_zone wall = {.kind = VN_ZONE_BOX, .factor = 50, .box = {{5, 0, 0}, {7, 9, 3}}};
    for (int kind = 0; kind < (int)VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_def def = vn_default_classic_def();
        vn_classic_query_def query_def = vn_default_classic_query_def();
        vn_classic* classic;
        vn_classic_query* query;
        vn_classic_result result, plain;
        vn_detail detail;
        def.kind = (vn_classic_kind)kind;
        assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
        assert_int_equal(vn_classic_query_create(classic, &query_def, &query, NULL), VN_OK);

        vn_classic_request r = vn_default_classic_request();
        r.start = vn_voxel_center((vn_voxel){1, 2, 1});
        r.goal = vn_voxel_center((vn_voxel){10, 2, 1});
        assert_int_equal(vn_classic_query_find_path(query, &r, &plain, NULL), VN_OK);
        assert_true(plain.path.cost == plain.path.length);
        r.zones = &wall;
        r.zone_count = 1;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, NULL), VN_OK);
        assert_true(result.path.cost == result.search_cost);
        if (kind == VN_CLASSIC_GRID) { // around it, at what that is long
            assert_true(result.path.length > plain.path.length + 4);
            assert_true(fabs(result.path.cost - result.path.length) < 1e-9);
        } else { // one box: the straight line, 2 of 9 voxels at 50
            assert_true(fabs(result.path.cost - (7 + 2 * 50)) < 1e-9);
        }

        r.zone_mode = VN_ZONES_ADD;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, NULL), VN_OK);
        assert_true(fabs(result.path.cost - result.path.length) <
                    1e-9); // no node of the path lies in the zone
        r.zone_mode = VN_ZONE_MODE_COUNT;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, &detail), VN_UNSUPPORTED);
        r.zone_mode = VN_ZONES_FACTOR;
        r.refine = VN_REFINE_PRUNE;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, &detail), VN_UNSUPPORTED);
        assert_non_null(strstr(detail.text, "prune"));
        r.refine = VN_REFINE_NONE;
        r.algo = VN_CLASSIC_JPS;
        assert_int_equal(vn_classic_supports(classic, &r, &detail), VN_UNSUPPORTED);
        assert_non_null(strstr(detail.text, kind == VN_CLASSIC_GRID ? "through zones" : "grid"));
        r.algo = VN_CLASSIC_ASTAR;
        vn_zone bad = wall;
        bad.factor = -1;
        r.zones = &bad;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, &detail), VN_BAD_ARGUMENT);
        vn_classic_query_destroy(query);
        vn_classic_destroy(classic);
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_brute_force),
                                       cmocka_unit_test(test_requests)};
    return cmocka_run_group_tests_name("classic/zones", tests, NULL, NULL);
}
