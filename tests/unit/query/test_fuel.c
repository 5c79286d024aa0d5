/// Fuel as the cost of searches: on the grid A* = Dijkstra and least, over cells never more than without
/// fuel; the meter; weather switched off; what is refused; memory that runs out.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "voxels.h"

#include "query/cells_search.h"
#include "space/space.h"
#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>
#include <string.h>

enum { ZONES = 4 };

/// A space with a query, and weather.
typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vn_query* query;
    vn_zone zones[ZONES];
} scene;

static float random_float(vni_rng* rng, double size) {
    return (float)(vni_rng_real(rng) * size);
}

static void random_weather(vni_rng* rng, vn_voxel dims, vn_zone zones[ZONES]) {
    const double size[3] = {dims.x, dims.y, dims.z};
    memset(zones, 0, ZONES * sizeof *zones);
    for (uint32_t i = 0; i < ZONES; ++i) {
        float low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            low[k] = random_float(rng, size[k]);
            high[k] = low[k] + 1 + random_float(rng, size[k] / 2);
        }
        zones[i].box = (vn_box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
        zones[i].factor = i == 0 ? VN_BAD_WEATHER : i == 1 ? 0.5f : 1 + random_float(rng, 5);
        if (i == 2) {
            zones[i].kind = VN_ZONE_SPHERE;
            zones[i].center = zones[i].box.min;
            zones[i].radius = 1 + random_float(rng, size[0] / 3);
        }
    }
}

static scene open_scene(vnt_voxels voxels, uint32_t max_climbs) {
    const vn_jobs serial = vn_serial_jobs();
    scene s = {.voxels = voxels};
    s.space = vnt_voxels_cells(&s.voxels, &serial);
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_ALL;
    def.max_climbs = max_climbs;
    assert_int_equal(vn_query_create(s.space, &def, &s.query, NULL), VN_OK);
    return s;
}

static void close_scene(scene* s) {
    vn_query_destroy(s->query);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

static vn_fuel_model random_model(vni_rng* rng) {
    vn_fuel_model model = vn_default_fuel_model(vni_rng_below(rng, 2) == 0 ? VN_FUEL_R16 : VN_FUEL_GRAVITY);
    model.up = vni_rng_below(rng, 3);
    if (vni_rng_below(rng, 2) == 0)
        return model;

    model.per_metre = 0.01 + vni_rng_real(rng) * 10;
    model.climb = vni_rng_real(rng) * 4;
    model.sink = vni_rng_real(rng) * (model.kind == VN_FUEL_R16 ? 1 : model.climb);
    return model;
}

/// A path, its result, and what the meter says of it.
typedef struct plan {
    vn_path_result result;
    double fuel;
} plan;

static plan find(const scene* s, const vn_fuel_model* model, const vn_path_request* request) {
    plan p;
    uint32_t count;
    vn_query_find_path(s->query, request, &p.result, NULL);
    const vn_point* points = vn_query_points(s->query, &count);
    assert_int_equal(vn_fuel_of_path(s->space, model, request->zones, request->zone_count,
                                     request->zone_flags, points, count, &p.fuel, NULL),
                     VN_OK);
    if (p.result.status == VN_OK)
        assert_true(vn_space_check_path(s->space, points, count, NULL));
    return p;
}

/// The same request with and without fuel. The one with it burns no more, and says what the meter says.
static plan compare(const scene* s, vn_path_request request, vn_fuel_model model, plan* without) {
    const uint32_t climbs = model.max_climbs;
    request.fuel = vn_default_fuel_model(VN_FUEL_NONE);
    request.fuel.up = model.up;
    request.fuel.max_climbs = climbs;
    *without = find(s, &model, &request);
    assert_true(without->result.fuel == 0);

    request.fuel = model;
    plan with = find(s, &model, &request);
    assert_int_equal(with.result.status, without->result.status);
    if (with.result.status != VN_OK)
        return with;

    // On the grid steps are rounded up to the unit of costs; cells compare what they return.
    const double slack = request.algo == VN_ALGO_CELLS ? 1e-12 : 1e-9;
    assert_true(with.fuel <= without->fuel * (1 + slack) + 1e-12);
    assert_true(fabs(with.result.fuel - with.fuel) <= 1e-12 * with.fuel);
    assert_true(fabs(with.result.cost * model.per_metre - with.fuel) <= 1e-9 * with.fuel + 1e-12);
    return with;
}

typedef struct sums {
    uint32_t queries, better[2]; ///< grid, cells: burns less than without
    double with[2], without[2];
    uint64_t astar, dijkstra; ///< expansions
} sums;

static void add(sums* all, int kind, const plan* with, const plan* without) {
    all->with[kind] += with->fuel;
    all->without[kind] += without->fuel;
    all->better[kind] += with->fuel < without->fuel * (1 - 1e-9);
}

static void check_query(const scene* s, vn_path_request request, const vn_fuel_model* model, sums* all) {
    plan without;
    request.neighbours = all->queries % 5 == 0 ? 6 : 26;
    request.algo = VN_ALGO_DIJKSTRA;
    const plan dijkstra = compare(s, request, *model, &without);
    request.algo = VN_ALGO_ASTAR;
    const plan astar = compare(s, request, *model, &without);
    assert_int_equal(astar.result.status, dijkstra.result.status);
    if (astar.result.status != VN_OK)
        return;

    ++all->queries;
    assert_true(fabs(astar.fuel - dijkstra.fuel) <= 1e-9 * dijkstra.fuel);
    assert_true(astar.result.expanded <= dijkstra.result.expanded);
    assert_true(astar.result.bound == 1);
    all->astar += astar.result.expanded;
    all->dijkstra += dijkstra.result.expanded;
    add(all, 0, &astar, &without);

    request.algo = VN_ALGO_CELLS;
    request.quality = (vn_quality)(all->queries % VN_QUALITY_COUNT);
    const plan cells = compare(s, request, *model, &without);
    add(all, 1, &cells, &without);
}

static void fuel_is_never_more_than_without(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fuel", 311));
    const uint32_t queries = vnt_scale(150, 4000);
    sums all = {0};
    while (all.queries < queries) {
        const vn_voxel dims = {vni_rng_range(&rng, 8, 24), vni_rng_range(&rng, 8, 24),
                               vni_rng_range(&rng, 8, 24)};
        scene s = open_scene(vnt_voxels_random(&rng, dims), 0);
        vn_voxel a, b;
        for (int i = 0; i < 4; ++i) {
            if (!vnt_random_free_voxel(&rng, &s.voxels, &a) || !vnt_random_free_voxel(&rng, &s.voxels, &b))
                break;
            vn_path_request request = vn_default_path_request();
            random_weather(&rng, dims, s.zones);
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            request.zones = s.zones;
            request.zone_count = vni_rng_below(&rng, ZONES + 1);
            const vn_fuel_model model = random_model(&rng);
            check_query(&s, request, &model, &all);
        }
        close_scene(&s);
    }

    for (int kind = 0; kind < 2; ++kind)
        print_message("%s: %u queries, %u burn less than without fuel as the cost; %.4f of its fuel\n",
                      kind == 0 ? "grid" : "cells", (unsigned)all.queries, (unsigned)all.better[kind],
                      all.with[kind] / all.without[kind]);
    print_message("A* expands %.3f of Dijkstra; cells burn %.4f of the grid\n",
                  (double)all.astar / (double)all.dijkstra, all.with[1] / all.with[0]);
    assert_true(all.better[0] > queries / 20);
    assert_true(all.better[1] > queries / 20);
}

// ---------- worlds with an answer

/// A wall across the room with a door at its foot and a gap above it: by length over the top, by fuel through
/// the door far aside.
static void goes_around_instead_of_over(void** state) {
    (void)state;
    const vn_voxel dims = {40, 20, 30};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t y = 0; y < 8; ++y)
        for (int32_t z = 0; z < 30; ++z)
            if (y > 2 || z > 2)
                vnt_voxels_block(&voxels, 20, y, z);

    scene s = open_scene(voxels, 0);
    vn_fuel_model model = vn_default_fuel_model(VN_FUEL_GRAVITY);
    model.climb = model.sink = 4;
    for (int algo = VN_ALGO_CELLS; algo <= VN_ALGO_DIJKSTRA; ++algo) {
        vn_path_request request = vn_default_path_request();
        plan without;
        request.algo = (vn_algo)algo;
        request.start = vn_voxel_center((vn_voxel){10, 1, 12});
        request.goal = vn_voxel_center((vn_voxel){30, 1, 12});
        const plan with = compare(&s, request, model, &without);
        assert_true(with.fuel < 0.8 * without.fuel);
        assert_true(with.result.length > without.result.length);
    }

    close_scene(&s);
}

static void to_voxels(const float p[3], double out[3]) {
    for (int k = 0; k < 3; ++k)
        out[k] = (double)p[k];
}

/// What the crossings of a corridor burn, from start to goal.
static double fuel_of_corridor(const vni_fuel* fuel, const float start[3], float (*crossings)[3],
                               uint32_t count, const float goal[3]) {
    double sum = 0, a[3], b[3];
    to_voxels(start, a);
    for (uint32_t i = 0; i < count; ++i) {
        to_voxels(i + 1 < count ? crossings[i] : goal, b);
        sum += vni_fuel_cost(fuel, a, b);
        memcpy(a, b, sizeof a);
    }

    return sum;
}

/// The search over cells counts fuel in the direction of flight on both of its sides. Entries of cells may be
/// bettered after the sides have met, so that the corridor may differ a little from what the search counted.
static void cells_count_fuel_in_the_direction_of_flight(void** state) {
    (void)state;
    enum { MOST = 1024 };
    static vni_cell_ref corridor[MOST];
    static float crossings[MOST][3];
    vni_rng rng = vni_rng_make(vnt_seed("fuel over cells", 314));
    vn_allocator allocator = vn_default_allocator();
    vni_fuel fuel;
    vni_fuel_make(VNI_FUEL_BY_HEIGHT, 1, 3, 0, NULL, &fuel);
    double counted = 0, burnt = 0;
    uint32_t exact = 0, all = 0;
    for (uint32_t world = 0; world < vnt_scale(60, 600); ++world) {
        scene s = open_scene(vnt_voxels_random(&rng, (vn_voxel){24, 24, 24}), 0);
        const vni_cells* cells = &s.space->cells;
        vni_cells_search search;
        vni_cell_ref a, b;
        vn_voxel from, to;
        assert_int_equal(vni_cells_search_make(&allocator, vni_cells_count(cells), &search), VN_OK);
        assert_true(vnt_random_free_voxel(&rng, &s.voxels, &from));
        assert_true(vnt_random_free_voxel(&rng, &s.voxels, &to));
        assert_true(vni_cells_find(cells, from, &a));
        assert_true(vni_cells_find(cells, to, &b));
        const float start[3] = {(float)from.x + 0.5f, (float)from.y + 0.5f, (float)from.z + 0.5f};
        const float goal[3] = {(float)to.x + 0.5f, (float)to.y + 0.5f, (float)to.z + 0.5f};
        assert_int_equal(vni_cells_search_begin(&search, cells, start, a, goal, b, 1, NULL, 0, false), VN_OK);
        search.fuel = &fuel;
        vni_cells_search_step(&search, UINT64_MAX);
        const uint32_t count = vni_cells_search_corridor(&search, corridor, crossings, MOST);
        if (count > 1) {
            const double fuel_burnt = fuel_of_corridor(&fuel, start, crossings, count, goal);
            counted += (double)search.best;
            burnt += fuel_burnt;
            exact += fabs(fuel_burnt - (double)search.best) <= 1e-4 * fuel_burnt;
            ++all;
        }
        vni_cells_search_free(&search);
        close_scene(&s);
    }

    print_message("%u of %u corridors burn what was counted; %.4f in all\n", (unsigned)exact, (unsigned)all,
                  burnt / counted);
    assert_true(exact > all * 3 / 4);
    assert_true(fabs(burnt - counted) <= 0.02 * counted);
}

/// Weather counts for the meter always, for the search only with both kinds of avoidance.
static void weather_is_avoided_when_switched_on(void** state) {
    (void)state;
    scene s = open_scene(vnt_voxels_make((vn_voxel){40, 20, 20}), 0);
    const vn_zone rain = {.box = {{15, 0, 0}, {25, 14, 20}}, .factor = 8};
    for (int algo = VN_ALGO_CELLS; algo <= VN_ALGO_DIJKSTRA; ++algo)
        for (int on = 0; on < 4; ++on) {
            vn_path_request request = vn_default_path_request();
            request.algo = (vn_algo)algo;
            request.start = vn_voxel_center((vn_voxel){5, 10, 10});
            request.goal = vn_voxel_center((vn_voxel){35, 10, 10});
            request.zones = &rain;
            request.zone_count = 1;
            request.fuel = vn_default_fuel_model(VN_FUEL_R16);
            request.fuel.avoids_weather = on & 1;
            request.fuel.avoids_moving = on & 2;
            const plan p = find(&s, &request.fuel, &request);
            assert_int_equal(p.result.status, VN_OK);
            assert_true(fabs(p.result.fuel - p.fuel) <= 1e-12 * p.fuel);
            if (on == 3)
                assert_true(p.fuel < 0.2 * (20 + 10 * 8));
            else
                assert_true(fabs(p.fuel - 0.2 * (20 + 10 * 8)) <= 1e-9);
        }

    close_scene(&s);
}

/// Half of the segment lies in the rain, which doubles that half.
static void meter_cuts_segments(void** state) {
    (void)state;
    scene s = open_scene(vnt_voxels_make((vn_voxel){20, 20, 20}), 0);
    const vn_zone rain = {.box = {{10, 0, 0}, {20, 20, 20}}, .factor = VN_BAD_WEATHER, .flags = 2};
    const vn_point line[2] = {{5 * VN_LATTICE, 5 * VN_LATTICE, 0}, {15 * VN_LATTICE, 5 * VN_LATTICE, 0}};
    const vn_fuel_model model = vn_default_fuel_model(VN_FUEL_R16);
    double fuel;
    assert_int_equal(vn_fuel_of_path(s.space, &model, &rain, 1, 2, line, 2, &fuel, NULL), VN_OK);
    assert_true(fabs(fuel - 0.2 * (5 + 2 * 5)) <= 1e-12);
    assert_int_equal(vn_fuel_of_path(s.space, &model, &rain, 1, 1, line, 2, &fuel, NULL), VN_OK);
    assert_true(fabs(fuel - 0.2 * 10) <= 1e-12);
    assert_int_equal(vn_fuel_of_path(s.space, &model, NULL, 0, 0, line, 0, &fuel, NULL), VN_OK);
    assert_true(fuel == 0);

    const vn_fuel_model none = vn_default_fuel_model(VN_FUEL_NONE);
    assert_int_equal(vn_fuel_of_path(s.space, &none, &rain, 1, 2, line, 2, &fuel, NULL), VN_OK);
    assert_true(fuel == 0);
    close_scene(&s);
}

/// Terms that the search by fuel does not serve: limits and regions as goals.
static void terms_keep_their_promises(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fuel with terms", 312));
    for (uint32_t world = 0; world < vnt_scale(30, 400); ++world) {
        const vn_voxel dims = {20, 20, 20};
        scene s = open_scene(vnt_voxels_random(&rng, dims), 0);
        vn_voxel a, b;
        if (vnt_random_free_voxel(&rng, &s.voxels, &a) && vnt_random_free_voxel(&rng, &s.voxels, &b)) {
            vn_path_request request = vn_default_path_request();
            plan without;
            random_weather(&rng, dims, s.zones);
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            request.zones = s.zones;
            request.zone_count = ZONES;
            request.has_limits = world % 2 == 0;
            request.limits = (vn_box){{2, 3, 1}, {17, 19, 18.5f}};
            request.goal_kind = world % 3 == 0 ? VN_GOAL_SPHERE : VN_GOAL_POINT;
            request.goal_distance = 3;
            request.allow_partial = world % 5 == 0;
            const plan with = compare(&s, request, random_model(&rng), &without);
            uint32_t count;
            const vn_point* points = vn_query_points(s.query, &count);
            for (uint32_t i = 0; request.has_limits && with.result.status == VN_OK && i < count; ++i) {
                assert_in_range(points[i].x, 2 * VN_LATTICE, 17 * VN_LATTICE);
                assert_in_range(points[i].y, 3 * VN_LATTICE, 19 * VN_LATTICE);
            }
        }
        close_scene(&s);
    }
}

/// The way out of a named obstacle burns too, and is in the cost.
static void starts_inside_an_obstacle(void** state) {
    (void)state;
    const vn_world_def world_def = vn_default_world_def();
    const vn_shape box = vnt_box_shape(vnt_vec(2, 8, 2), vnt_vec(18, 13, 18));
    vn_space_def def = vn_default_space_def();
    vn_query_def query_def = vn_default_query_def();
    scene s = {0};
    vn_world* world;
    vn_path_request request = vn_default_path_request();
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &box, &request.inside[0], NULL), VN_OK);
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {20, 20, 20}};
    query_def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_space_bake(world, &def, &s.space, NULL), VN_OK);
    assert_int_equal(vn_query_create(s.space, &query_def, &s.query, NULL), VN_OK);

    request.inside_count = 1;
    request.inside_world = world;
    request.start = vn_voxel_center((vn_voxel){10, 11, 10}); // nearest to the top
    request.goal = vn_voxel_center((vn_voxel){10, 18, 12});
    request.fuel = vn_default_fuel_model(VN_FUEL_GRAVITY);
    for (int algo = VN_ALGO_CELLS; algo <= VN_ALGO_ASTAR; ++algo) {
        vn_path_result result;
        uint32_t count;
        double fuel;
        request.algo = (vn_algo)algo;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        const vn_point* points = vn_query_points(s.query, &count);
        assert_true(result.inside_points > 0);
        assert_int_equal(vn_fuel_of_path(s.space, &request.fuel, NULL, 0, 0, points, count, &fuel, NULL),
                         VN_OK);
        assert_true(fabs(result.fuel - fuel) <= 1e-12 * fuel);
        assert_true(fabs(result.cost * request.fuel.per_metre - fuel) <= 1e-9 * fuel);
        assert_true(fabs(fuel - 0.2 * result.length) > 0.1); // it climbs
    }

    vn_query_destroy(s.query);
    vn_space_destroy(s.space);
    vn_world_destroy(world);
}

/// A search in slices gives the same path; one that is cancelled in its last round still has the path without
/// fuel.
static void slices_and_cancelling(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fuel in slices", 313));
    uint32_t late = 0;
    for (uint32_t world = 0; world < vnt_scale(20, 200); ++world) {
        scene s = open_scene(vnt_voxels_random(&rng, (vn_voxel){24, 24, 24}), 0);
        vn_voxel a, b;
        assert_true(vnt_random_free_voxel(&rng, &s.voxels, &a));
        assert_true(vnt_random_free_voxel(&rng, &s.voxels, &b));
        vn_path_request request = vn_default_path_request();
        vn_path_result whole, cut;
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        request.quality = (vn_quality)(world % 3);
        request.fuel = vn_default_fuel_model(VN_FUEL_R16);
        vn_query_find_path(s.query, &request, &whole, NULL);
        for (uint64_t steps = 0; steps <= whole.expanded; ++steps) {
            assert_int_equal(vn_query_begin(s.query, &request, NULL), VN_OK);
            for (uint64_t i = 0; i < steps; ++i)
                vn_query_step(s.query, 1);
            vn_query_finish(s.query, &cut);
            if (cut.status == VN_OK && cut.reason == VN_CANCELLED) {
                ++late;
                assert_true(cut.fuel >= whole.fuel * (1 - 1e-12));
            } else if (cut.status == VN_OK)
                assert_true(cut.fuel == whole.fuel);
        }
        close_scene(&s);
    }

    assert_true(late > 0);
}

// ---------- refusals

static vn_status status_of(const scene* s, const vn_path_request* request) {
    vn_path_result result;
    vn_detail detail = {0};
    const vn_status status = vn_query_find_path(s->query, request, &result, &detail);
    assert_true(status == VN_OK || detail.text[0] != '\0');
    return status;
}

static void refuses_what_makes_no_sense(void** state) {
    (void)state;
    scene s = open_scene(vnt_voxels_make((vn_voxel){8, 8, 8}), 2);
    vn_path_request good = vn_default_path_request();
    good.start = vn_voxel_center((vn_voxel){1, 1, 1});
    good.goal = vn_voxel_center((vn_voxel){6, 6, 6});
    good.algo = VN_ALGO_ASTAR;
    good.fuel = vn_default_fuel_model(VN_FUEL_R16);
    assert_int_equal(status_of(&s, &good), VN_OK);

    vn_path_request r = good;
    r.fuel.kind = (vn_fuel_kind)7;
    assert_int_equal(status_of(&s, &r), VN_UNSUPPORTED);
    const struct {
        double per_metre, climb, sink;
        uint32_t up, climbs;
    } bad[8] = {{0, 0.5, 0.25, 1, 0},   {NAN, 0.5, 0.25, 1, 0}, {0.2, -1, 0, 1, 0},
                {0.2, 1001, 0, 1, 0},   {0.2, 0.5, 1.01, 1, 0}, {0.2, 0.5, NAN, 1, 0},
                {0.2, 0.5, 0.25, 3, 0}, {0.2, 0.5, 0.25, 1, 16}};
    for (int i = 0; i < 8; ++i) {
        r = good;
        r.fuel.per_metre = bad[i].per_metre;
        r.fuel.climb = bad[i].climb;
        r.fuel.sink = bad[i].sink;
        r.fuel.up = bad[i].up;
        r.fuel.max_climbs = bad[i].climbs;
        assert_int_equal(status_of(&s, &r), VN_BAD_ARGUMENT);
    }

    r = good;
    r.fuel = vn_default_fuel_model(VN_FUEL_GRAVITY);
    r.fuel.sink = 1.01 * r.fuel.climb;
    assert_int_equal(status_of(&s, &r), VN_BAD_ARGUMENT);
    r = good;
    r.heuristic = VN_HEURISTIC_OCTILE;
    assert_int_equal(status_of(&s, &r), VN_UNSUPPORTED);
    r = good;
    r.algo = VN_ALGO_CELLS;
    assert_int_equal(status_of(&s, &r), VN_OK);
    r.preferred_clearance = 1;
    assert_int_equal(status_of(&s, &r), VN_UNSUPPORTED);
    r.preferred_clearance = 0;
    const vn_connection lift = {{1, 1, 1}, {6, 6, 6}, 1, false, 0};
    r.connections = &lift;
    r.connection_count = 1;
    assert_int_equal(status_of(&s, &r), VN_UNSUPPORTED);
    close_scene(&s);
}

static void refuses_climbs_that_it_cannot_count(void** state) {
    (void)state;
    scene s = open_scene(vnt_voxels_make((vn_voxel){8, 8, 8}), 2);
    vn_path_request good = vn_default_path_request();
    good.start = vn_voxel_center((vn_voxel){1, 1, 1});
    good.goal = vn_voxel_center((vn_voxel){6, 6, 6});
    good.algo = VN_ALGO_ASTAR;
    good.fuel.up = 1;
    good.fuel.max_climbs = 2;
    assert_int_equal(status_of(&s, &good), VN_OK);

    vn_path_request r = good;
    r.fuel.max_climbs = 3;
    assert_int_equal(status_of(&s, &r), VN_UNSUPPORTED);
    r = good;
    r.algo = VN_ALGO_CELLS;
    assert_int_equal(status_of(&s, &r), VN_UNSUPPORTED);
    r = good;
    r.refine = VN_REFINE_PRUNE;
    assert_int_equal(status_of(&s, &r), VN_UNSUPPORTED);

    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.max_climbs = VN_MAX_CLIMBS + 1;
    assert_int_equal(vn_query_create(s.space, &def, &query, NULL), VN_BAD_ARGUMENT);
    close_scene(&s);
}

static void names_lead_back(void** state) {
    (void)state;
    for (int i = 0; i < VN_FUEL_KIND_COUNT; ++i) {
        vn_fuel_kind kind;
        assert_true(vn_fuel_kind_from_name(vn_fuel_kind_name((vn_fuel_kind)i), &kind));
        assert_int_equal(kind, i);
    }

    vn_fuel_kind kind;
    assert_false(vn_fuel_kind_from_name("steam", &kind));
    assert_null(vn_fuel_kind_name(VN_FUEL_KIND_COUNT));
}

// ---------- memory

/// Every allocation of a query for climbs fails in turn, also those of growing it; searches allocate nothing.
static void memory_may_run_out(void** state) {
    (void)state;
    scene s = open_scene(vnt_voxels_make((vn_voxel){12, 12, 12}), 0);
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center((vn_voxel){1, 1, 1});
    request.goal = vn_voxel_center((vn_voxel){10, 10, 10});
    request.fuel = vn_default_fuel_model(VN_FUEL_GRAVITY);
    bool made = false;
    for (uint64_t k = 0; !made; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        vn_path_result result;
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        def.scratch = VN_SCRATCH_ALL;
        def.max_climbs = 3;
        def.max_nodes = 64;
        vn_status status = vn_query_create(s.space, &def, &query, NULL);
        if (status == VN_OK && vn_query_grow(query, 0, 1 << 20, NULL) == VN_OK) {
            const uint64_t calls = memory.calls;
            made = !memory.failed;
            for (int algo = VN_ALGO_CELLS; algo <= VN_ALGO_ASTAR; ++algo) {
                request.algo = (vn_algo)algo;
                request.fuel.max_climbs = algo == VN_ALGO_ASTAR ? 3 : 0;
                assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
            }
            assert_true(memory.calls == calls);
        }

        vn_query_destroy(query);
        assert_true(memory.live_blocks == 0);
        assert_false(memory.mismatch);
    }

    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fuel_is_never_more_than_without),
        cmocka_unit_test(goes_around_instead_of_over),
        cmocka_unit_test(cells_count_fuel_in_the_direction_of_flight),
        cmocka_unit_test(weather_is_avoided_when_switched_on),
        cmocka_unit_test(meter_cuts_segments),
        cmocka_unit_test(terms_keep_their_promises),
        cmocka_unit_test(starts_inside_an_obstacle),
        cmocka_unit_test(slices_and_cancelling),
        cmocka_unit_test(refuses_what_makes_no_sense),
        cmocka_unit_test(refuses_climbs_that_it_cannot_count),
        cmocka_unit_test(names_lead_back),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
