/// Fuel of segments against the formulas, libm and fine sampling; its lower bound against every edge of
/// random grids and against Dijkstra on empty ones.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "graph/fixed.h"
#include "graph/fuel.h"
#include "search/best_first.h"
#include "space/space.h"
#include "view/grid.h"

#include <math.h>
#include <string.h>

enum { ZONES = 5 };

static const double pi = 3.14159265358979323846;

static void pitch_is_that_of_libm(void** state) {
    (void)state;
    double worst = 0, before = -1;
    assert_true(vni_pitch_share(0) == 0);
    assert_true(vni_pitch_share(1) == 1);
    for (int i = 0; i <= 100000; ++i) {
        const double share = vni_pitch_share(i / 100000.0), expected = atan(i / 100000.0) * 4 / pi;
        worst = fmax(worst, fabs(share - expected));
        assert_true(share > before);
        before = share;
    }

    print_message("error of the pitch: %.2g\n", worst);
    assert_true(worst <= 1e-15);
    assert_true(fabs(vni_pitch_share(sqrt(0.5)) * 45 - 35.264389682754654) <= 1e-13);
}

/// What a voxel costs at a pitch, degrees, by the words of the thesis and of the header.
static double rate_by_words(vni_fuel_law law, double climb, double sink, double factor, double pitch) {
    if (law == VNI_FUEL_BY_PITCH) {
        const double limited = fmax(-45, fmin(45, pitch));
        return factor * (limited > 0 ? 1 + climb * limited / 45 : 1 + sink * limited / 45);
    }

    const double height = sin(pitch * pi / 180);
    return fmax(0, factor + (height > 0 ? climb : sink) * height);
}

static void rates_are_those_of_the_thesis(void** state) {
    (void)state;
    static const double pitches[7] = {-90, -45, -20, 0, 20, 45, 90};
    static const double coefficients[7] = {0.75, 0.75, 1 - 0.25 * 20 / 45, 1, 1 + 0.5 * 20 / 45, 1.5, 1.5};
    vni_fuel fuel;
    vni_fuel_make(VNI_FUEL_BY_PITCH, 1, 0.5, 0.25, NULL, &fuel);
    for (int i = 0; i < 7; ++i) {
        const double angle = pitches[i] * pi / 180;
        const double a[3] = {1, 2, 3}, b[3] = {1 + 6 * cos(angle), 2 + 10 * sin(angle), 3 + 8 * cos(angle)};
        assert_true(fabs(vni_fuel_cost(&fuel, a, b) - 10 * coefficients[i]) <= 1e-12);
    }

    const double a[3] = {0, 0, 0};
    assert_true(vni_fuel_cost(&fuel, a, a) == 0);
}

static void random_zones(vni_rng* rng, vni_zone zones[ZONES], double size) {
    for (uint32_t i = 0; i < ZONES; ++i) {
        for (int k = 0; k < 3; ++k) {
            zones[i].low[k] = vni_rng_real(rng) * size;
            zones[i].high[k] = zones[i].low[k] + 1 + vni_rng_real(rng) * size / 2;
        }
        zones[i].factor = 0.25 * vni_rng_range(rng, 1, 16);
    }
}

static double factor_at(const vni_zones* zones, const double p[3]) {
    const double factor = vni_zones_at(zones, p);
    return factor > 0 ? factor : 1;
}

static double sampled(vni_fuel_law law, double climb, double sink, const vni_zones* zones, const double a[3],
                      const double b[3]) {
    enum { PARTS = 20000 };
    const double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    const double length = sqrt(x * x + y * y + z * z), pitch = atan2(y, sqrt(x * x + z * z)) * 180 / pi;
    double sum = 0;
    for (int i = 0; i < PARTS; ++i) {
        const double t = (i + 0.5) / PARTS, p[3] = {a[0] + x * t, a[1] + y * t, a[2] + z * t};
        sum += rate_by_words(law, climb, sink, factor_at(zones, p), pitch);
    }

    return sum / PARTS * length;
}

/// A law with random numbers: sometimes the descent is free.
static void random_fuel(vni_rng* rng, const vni_zones* zones, vni_fuel* out) {
    const vni_fuel_law law = vni_rng_below(rng, 2) == 0 ? VNI_FUEL_BY_PITCH : VNI_FUEL_BY_HEIGHT;
    const int up = (int)vni_rng_below(rng, 3);
    const double climb = vni_rng_below(rng, 4) == 0 ? 0.5 : vni_rng_real(rng) * 3;
    const double share = vni_rng_below(rng, 4) == 0 ? 1 : vni_rng_real(rng);
    vni_fuel_make(law, up, climb, law == VNI_FUEL_BY_PITCH ? share : share * climb, zones, out);
}

static void segments_are_integrals(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fuel of segments", 301));
    uint32_t uneven = 0;
    const uint32_t rounds = vnt_scale(200, 3000);
    for (uint32_t i = 0; i < rounds; ++i) {
        vni_zone items[ZONES];
        random_zones(&rng, items, 20);
        const vni_zones zones = vni_zones_make(items, ZONES);
        vni_fuel fuel;
        random_fuel(&rng, &zones, &fuel);
        fuel.up = 1;

        double a[3], b[3], middle[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = vni_rng_real(&rng) * 24;
            b[k] = vni_rng_real(&rng) * 24;
            middle[k] = a[k] + 0.375 * (b[k] - a[k]);
        }

        const double cost = vni_fuel_cost(&fuel, a, b), back = vni_fuel_cost(&fuel, b, a);
        assert_true(fabs(cost - sampled(fuel.law, fuel.climb, fuel.sink, &zones, a, b)) <=
                    1e-3 * cost + 0.05);
        assert_true(fabs(cost - vni_fuel_cost(&fuel, a, middle) - vni_fuel_cost(&fuel, middle, b)) <=
                    1e-9 * cost + 1e-9);
        assert_true(cost >= vni_fuel_fair_cost(&fuel, a, b) * (1 - 1e-12));
        uneven += fabs(cost - back) > 1e-3 * cost;
    }

    assert_true(uneven > rounds / 2);
}

// ---------- lower bounds

/// Every edge of the grid: h(u) <= cost + h(v), h(goal) = 0, h >= 0; so h is consistent and admissible.
/// Returns the number of edges.
static uint32_t check_grid(const vni_grid* grid, const vni_fuel* fuel, vn_voxel goal) {
    const vn_graph graph = vni_grid_graph(grid);
    const vni_cost cost = vni_cost_fuel(fuel);
    const vn_point end = vn_voxel_center(goal);
    uint32_t edges = 0;
    assert_true(vni_fuel_bound(fuel, end, end) == 0);
    for (uint32_t node = 0; node < graph.node_limit; ++node) {
        const vn_voxel v = vni_grid_voxel(grid, node);
        if (!vni_occupancy_inside(grid->occupancy, v.x, v.y, v.z) ||
            !vni_occupancy_free_at(grid->occupancy, v.x, v.y, v.z))
            continue;

        uint32_t to[VN_EDGE_BATCH], cursor = 0;
        double prices[VN_EDGE_BATCH];
        const vn_edges out = {to, prices};
        const uint32_t count = graph.expand(graph.self, node, &cursor, &out);
        vni_price_edges(&graph, &cost, node, to, count, prices);
        const double here = vni_fuel_bound(fuel, vn_voxel_center(v), end);
        assert_true(here >= 0);
        for (uint32_t i = 0; i < count; ++i, ++edges)
            assert_true(here <=
                        prices[i] + vni_fuel_bound(fuel, vn_voxel_center(vni_grid_voxel(grid, to[i])), end));
    }

    return edges;
}

static void bounds_are_consistent_on_every_edge(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fuel bounds", 302));
    uint64_t edges = 0;
    for (uint32_t world = 0; world < vnt_scale(60, 1500); ++world) {
        const vn_voxel dims = vnt_random_dims(&rng, 14);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        vni_grid grid;
        vni_zone items[ZONES];
        vni_fuel fuel;
        const uint32_t neighbours = vni_rng_below(&rng, 4) == 0 ? 6 : 26;
        random_zones(&rng, items, 14);
        const vni_zones zones = vni_zones_make(items, vni_rng_below(&rng, ZONES + 1));
        assert_int_equal(vni_grid_make(&space->occupancy, neighbours, &grid, NULL), VN_OK);
        random_fuel(&rng, vni_rng_below(&rng, 4) > 0 ? &zones : NULL, &fuel);
        vni_fuel_find_bound(&fuel, neighbours);

        const vn_voxel goal = {vni_rng_range(&rng, 0, dims.x - 1), vni_rng_range(&rng, 0, dims.y - 1),
                               vni_rng_range(&rng, 0, dims.z - 1)};
        edges += check_grid(&grid, &fuel, goal);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%llu edges\n", (unsigned long long)edges);
    assert_true(edges > 100000);
}

/// R16's law, or a random one of gravity whose descents are not free.
static void convex_fuel(vni_rng* rng, vni_fuel* out) {
    const double climb = vni_rng_real(rng) * 3, sink = vni_rng_real(rng) * fmin(1, climb);
    if (vni_rng_below(rng, 2) == 0)
        vni_fuel_make(VNI_FUEL_BY_PITCH, 1, 0.5, 0.25, NULL, out);
    else
        vni_fuel_make(VNI_FUEL_BY_HEIGHT, 1, climb, sink, NULL, out);
}

/// On an empty grid in fair weather the bound is the cost of the cheapest path itself, but for half units.
static void bounds_are_tight_on_empty_grids(void** state) {
    (void)state;
    enum { SIZE = 17 };
    vni_rng rng = vni_rng_make(vnt_seed("tight fuel bounds", 303));
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){SIZE, SIZE, SIZE});
    vn_space* space = vnt_voxels_space(&voxels);
    vn_allocator allocator = vn_default_allocator();
    vni_scratch scratch;
    vni_grid grid;
    const vni_best_first_def def = {.g_weight = 1};
    double worst = 0;
    for (uint32_t round = 0; round < vnt_scale(40, 400); ++round) {
        const uint32_t neighbours = round % 4 == 0 ? 6 : 26;
        vni_fuel fuel;
        convex_fuel(&rng, &fuel);
        vni_fuel_find_bound(&fuel, neighbours);
        const vni_cost cost = vni_cost_fuel(&fuel);
        assert_int_equal(vni_grid_make(&space->occupancy, neighbours, &grid, NULL), VN_OK);
        const vn_graph graph = vni_grid_graph(&grid);
        assert_int_equal(vni_scratch_make(&allocator, graph.node_limit, graph.node_limit, &scratch), VN_OK);

        // From the middle: no cheapest path needs to leave the cube.
        const vn_voxel from = {SIZE / 2, SIZE / 2, SIZE / 2};
        const vn_voxel to = {vni_rng_range(&rng, 4, 12), vni_rng_range(&rng, 4, 12),
                             vni_rng_range(&rng, 4, 12)};
        vni_best_first search;
        const uint32_t goal = vni_grid_node(&grid, to);
        assert_int_equal(
            vni_best_first_begin(&search, &def, &graph, &cost, &scratch, vni_grid_node(&grid, from), goal),
            VN_OK);
        assert_int_equal(vni_best_first_step(&search, UINT64_MAX), VN_OK);
        const double g = vni_best_first_g(&search, goal),
                     bound = vni_fuel_bound(&fuel, vn_voxel_center(from), vn_voxel_center(to));
        assert_true(bound <= g);
        worst = fmax(worst, g - bound);
        vni_scratch_free(&scratch);
    }

    print_message("a bound is below the cost by up to %.1f units\n", worst / VNI_COST_UNIT);
    assert_true(worst <= 32 * VNI_COST_UNIT);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pitch_is_that_of_libm),
        cmocka_unit_test(rates_are_those_of_the_thesis),
        cmocka_unit_test(segments_are_integrals),
        cmocka_unit_test(bounds_are_consistent_on_every_edge),
        cmocka_unit_test(bounds_are_tight_on_empty_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
