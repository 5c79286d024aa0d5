/// The limit on consecutive climbs against brute force over pairs of voxel and climbs, on small worlds; ends
/// on faces; capacity, partial paths and what a search expanded.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3 };

/// A step cuts no corner.
static bool is_step(const vnt_voxels* voxels, vn_voxel v, const int32_t d[3]) {
    for (int i = 0; i < 8; ++i)
        if (!vnt_voxels_are_free(voxels, v.x + (i & 1 ? d[0] : 0), v.y + (i & 2 ? d[1] : 0),
                                 v.z + (i & 4 ? d[2] : 0)))
            return false;
    return true;
}

/// By the words of volnav/fuel.h, without zones.
static double burn(const vn_fuel_model* m, const int32_t d[3]) {
    const double up = d[m->up], length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double pitch = asin(up / length) / (3.14159265358979323846 / 4), t = fmax(-1, fmin(1, pitch));
    if (m->kind == VN_FUEL_NONE)
        return length;
    if (m->kind == VN_FUEL_R16)
        return length * (1 + (t > 0 ? m->climb : m->sink) * t);
    return fmax(0, length + (up > 0 ? m->climb : m->sink) * up);
}

/// The least cost from `from` to every pair, by Bellman and Ford.
typedef struct table {
    const vnt_voxels* voxels;
    const vn_fuel_model* model;
    uint32_t neighbours;
    double* cost; ///< [climbs][voxel]
} table;

static double* entry(const table* t, vn_voxel v, uint32_t climbs) {
    const vn_voxel n = t->voxels->dims;
    return &t->cost[v.x + n.x * (v.y + n.y * (v.z + n.z * (int32_t)climbs))];
}

static bool relax(const table* t, vn_voxel v, uint32_t climbs) {
    bool changed = false;
    for (int32_t i = 0; i < 27; ++i) {
        const int32_t d[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        const int32_t moved = abs(d[0]) + abs(d[1]) + abs(d[2]);
        if (moved == 0 || (t->neighbours == 6 && moved > 1) || !is_step(t->voxels, v, d))
            continue;
        const uint32_t next = d[t->model->up] > 0 ? climbs + 1 : 0;
        if (next > t->model->max_climbs)
            continue;

        double* there = entry(t, (vn_voxel){v.x + d[0], v.y + d[1], v.z + d[2]}, next);
        const double cost = *entry(t, v, climbs) + burn(t->model, d);
        changed |= cost < *there - 1e-12;
        *there = cost < *there - 1e-12 ? cost : *there;
    }

    return changed;
}

/// Infinity: there is no such path.
static double least_cost(table* t, vn_voxel from, vn_voxel to) {
    const vn_voxel n = t->voxels->dims;
    const uint32_t layers = t->model->max_climbs + 1;
    t->cost = malloc((size_t)(n.x * n.y * n.z) * layers * sizeof *t->cost);
    assert_non_null(t->cost);
    for (uint32_t i = 0; i < (uint32_t)(n.x * n.y * n.z) * layers; ++i)
        t->cost[i] = HUGE_VAL;

    *entry(t, from, 0) = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < n.x * n.y * n.z; ++i)
            for (uint32_t c = 0; c < layers; ++c) {
                const vn_voxel v = {i % n.x, i / n.x % n.y, i / n.x / n.y};
                changed |= *entry(t, v, c) < HUGE_VAL && relax(t, v, c);
            }
    }

    double best = HUGE_VAL;
    for (uint32_t c = 0; c < layers; ++c)
        best = fmin(best, *entry(t, to, c));
    free(t->cost);
    return best;
}

/// The longest run of climbs between centres.
static uint32_t longest_climb(const vn_query* query, uint32_t up) {
    uint32_t count, run = 0, longest = 0;
    const vn_point* points = vn_query_points(query, &count);
    for (uint32_t i = 1; i < count; ++i) {
        const int32_t d[3] = {points[i].x - points[i - 1].x, points[i].y - points[i - 1].y,
                              points[i].z - points[i - 1].z};
        const int32_t most = abs(d[0]) > abs(d[1]) ? abs(d[0]) : abs(d[1]);
        const uint32_t steps = (uint32_t)((most > abs(d[2]) ? most : abs(d[2])) / VN_LATTICE);
        run = d[up] > 0 ? run + steps : 0;
        longest = run > longest ? run : longest;
    }

    return longest;
}

static vn_query* make_query(const vn_space* space, uint32_t max_nodes) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.scratch = VN_SCRATCH_GRID;
    def.max_climbs = MOST;
    def.max_nodes = max_nodes;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    return query;
}

typedef struct tally {
    uint32_t found, none, limited; ///< limited: dearer than without the limit
} tally;

static void check_pair(const vnt_voxels* voxels, vn_query* query, vn_path_request request, vn_voxel from,
                       vn_voxel to, tally* all) {
    table t = {.voxels = voxels, .model = &request.fuel, .neighbours = request.neighbours};
    const double expected = least_cost(&t, from, to);
    vn_path_result result;
    request.start = vn_voxel_center(from);
    request.goal = vn_voxel_center(to);
    for (int algo = VN_ALGO_ASTAR; algo <= VN_ALGO_GREEDY; ++algo) {
        request.algo = (vn_algo)algo;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL),
                         expected < HUGE_VAL ? VN_OK : VN_NO_PATH);
        if (expected == HUGE_VAL)
            continue;

        assert_true(longest_climb(query, request.fuel.up) <= request.fuel.max_climbs);
        if (algo != VN_ALGO_GREEDY)
            assert_true(fabs(result.cost - expected) <= 1e-7 * (1 + expected));
        else
            assert_true(result.cost >= expected - 1e-7 * (1 + expected));
    }

    all->none += expected == HUGE_VAL;
    if (expected == HUGE_VAL)
        return;
    request.algo = VN_ALGO_ASTAR;
    request.fuel.max_climbs = 0;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    ++all->found;
    all->limited += result.cost < expected - 1e-6;
}

static void agrees_with_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("climbs", 321));
    tally all = {0};
    for (uint32_t world = 0; world < vnt_scale(120, 3000); ++world) {
        const vn_voxel dims = {vni_rng_range(&rng, 2, 6), vni_rng_range(&rng, 4, 8),
                               vni_rng_range(&rng, 1, 5)};
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        vn_query* query = make_query(space, 0);
        vn_voxel from, to;
        for (int i = 0; i < 3; ++i) {
            if (!vnt_random_free_voxel(&rng, &voxels, &from) || !vnt_random_free_voxel(&rng, &voxels, &to))
                break;
            vn_path_request request = vn_default_path_request();
            request.neighbours = vni_rng_below(&rng, 3) == 0 ? 6 : 26;
            request.fuel = vn_default_fuel_model((vn_fuel_kind)vni_rng_below(&rng, VN_FUEL_KIND_COUNT));
            request.fuel.up = vni_rng_below(&rng, 3);
            request.fuel.max_climbs = 1 + vni_rng_below(&rng, MOST);
            check_pair(&voxels, query, request, from, to, &all);
        }

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u found, %u of them dearer by the limit; %u without a path\n", (unsigned)all.found,
                  (unsigned)all.limited, (unsigned)all.none);
    assert_true(all.limited > 10);
    assert_true(all.none > 10);
}

/// A shaft of one voxel has no level step. With a limit of 1 there is a path down, but none up; with 3 the
/// path climbs 3, sinks 1, and so on.
static void shafts_are_one_way(void** state) {
    (void)state;
    const vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){1, 12, 1});
    for (int cells = 0; cells < 2; ++cells) {
        vn_space* space = cells ? vnt_voxels_cells(&voxels, &serial) : vnt_voxels_space(&voxels);
        vn_query* query = make_query(space, 0);
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.algo = VN_ALGO_ASTAR;
        request.fuel.up = 1;
        request.fuel.max_climbs = 1;
        request.start = vn_voxel_center((vn_voxel){0, 1, 0});
        request.goal = vn_voxel_center((vn_voxel){0, 9, 0});
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_NO_PATH);

        // As far as it gets.
        request.allow_partial = true;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_PARTIAL);
        assert_true(fabs(result.length - 1) <= 1e-12);
        request.allow_partial = false;
        request.goal = vn_voxel_center((vn_voxel){0, 2, 0});
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);

        // A start on the face between two voxels is in the upper one too.
        request.start = (vn_point){VN_LATTICE / 2, 2 * VN_LATTICE, VN_LATTICE / 2};
        request.goal = vn_voxel_center((vn_voxel){0, 3, 0});
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        request.goal = (vn_point){VN_LATTICE / 2, 4 * VN_LATTICE, VN_LATTICE / 2};
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        request.goal = vn_voxel_center((vn_voxel){0, 4, 0});
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_NO_PATH);

        request.start = vn_voxel_center((vn_voxel){0, 9, 0});
        request.goal = vn_voxel_center((vn_voxel){0, 1, 0});
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);

        request.start = vn_voxel_center((vn_voxel){0, 1, 0});
        request.goal = vn_voxel_center((vn_voxel){0, 9, 0});
        request.fuel.max_climbs = 3;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(fabs(result.length - 14) <= 1e-12);
        vn_query_destroy(query);
        vn_space_destroy(space);
    }

    vnt_voxels_free(&voxels);
}

static bool count_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)in_corridor;
    assert_in_range(low.x, 0, 9);
    assert_in_range(low.y, 0, 9);
    assert_in_range(low.z, 0, 9);
    assert_int_equal(high.y, low.y + 1);
    ++*(uint64_t*)user;
    return true;
}

/// Pairs fill the scratch: growing helps, and the boxes that are visited are voxels.
static void grows_and_shows_voxels(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){10, 10, 10});
    vn_space* space = vnt_voxels_space(&voxels);
    vn_query* query = make_query(space, 64);
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.algo = VN_ALGO_DIJKSTRA;
    request.fuel = vn_default_fuel_model(VN_FUEL_GRAVITY);
    request.fuel.max_climbs = 1;
    request.start = vn_voxel_center((vn_voxel){0, 0, 0});
    request.goal = vn_voxel_center((vn_voxel){9, 9, 9});
    int rounds = 0;
    while (vn_query_find_path(query, &request, &result, NULL) == VN_CAPACITY) {
        assert_true(++rounds < 20);
        assert_int_equal(vn_query_grow(query, result.needed_points, result.needed_nodes, NULL), VN_OK);
    }

    assert_int_equal(result.status, VN_OK);
    assert_true(rounds > 0);
    uint64_t boxes = 0;
    vn_query_visit_expanded(query, count_box, &boxes);
    assert_true(boxes == result.expanded);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(shafts_are_one_way),
        cmocka_unit_test(grows_and_shows_voxels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
