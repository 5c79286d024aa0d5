/// How good the paths of Field D* are, after pruning, beside those of A* on the same grid: in uniform worlds
/// and in zones.
#include "field_world.h"
#include "live/grid.h"
#include "path/refine.h"
#include "space/space.h"

#include <stdio.h>

enum { MOST_POINTS = 4096, QUALITY_SIZE = 28, QUALITY_BOXES = 40, QUALITY_ZONES = 6 };

/// Boxes lie between voxels, so that a voxel costs the same all over; balls do not.
typedef enum zone_mix { NO_ZONES, BOX_ZONES, BALL_ZONES } zone_mix;

/// Static boxes at random, and zones.
static void quality_world(replan_world* w, uint64_t seed, zone_mix zones) {
    memset(w, 0, sizeof *w);
    w->rng = vni_rng_make(seed);
    w->dims = (vn_voxel){QUALITY_SIZE, QUALITY_SIZE, QUALITY_SIZE};
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (uint32_t i = 0; i < QUALITY_BOXES; ++i) {
        const vn_vec3 at = world_spot(w).position, size = world_box(w, 10).as.box.max;
        const vn_shape wall = vnt_box_shape(at, vnt_vec(at.x + size.x, at.y + size.y, at.z + size.z));
        vn_obstacle_id id;
        assert_int_equal(vn_world_add(world, &wall, &id, NULL), VN_OK);
    }
    for (uint32_t i = 0; i < QUALITY_ZONES && zones != NO_ZONES; ++i) {
        static const float factors[] = {0.5f, 2, 3, 5};
        vn_zone_def def = vn_default_zone_def();
        def.shape = zones == BOX_ZONES ? world_box(w, 16) : vnt_sphere_shape(vnt_vec(0, 0, 0), 7);
        def.factor = factors[vni_rng_below(&w->rng, 4)];
        def.transform = world_spot(w);
        assert_int_equal(vn_world_add_zone(world, &def, &w->zone, NULL), VN_OK);
    }

    world_nav(w, world, NULL);
}

/// Ratios of one path's cost to another's.
typedef struct ratios {
    double sum, worst;
    uint32_t count;
} ratios;

static void add_ratio(ratios* r, double a, double b) {
    r->sum += a / b;
    r->worst = a / b > r->worst ? a / b : r->worst;
    ++r->count;
}

static void print_ratios(const char* what, const ratios* r) {
    printf("  %-34s mean %.4f, worst %.4f\n", what, r->sum / r->count, r->worst);
}

typedef struct line {
    vn_point points[MOST_POINTS];
    uint32_t count;
    double cost;
} line;

/// Prunes a copy of a path; one that the rules of contact do not allow any more stays as it was.
static void prune(const vn_space* space, const vni_cost* cost, const line* from, line* out, uint32_t* kept) {
    *out = *from;
    out->count = vni_refine_prune(&space->occupancy, cost, out->points, out->count);
    if (!vn_space_check_path(space, out->points, out->count, NULL)) {
        *out = *from;
        ++*kept;
    }
    out->cost = vni_steps_to_voxels(vni_polyline_cost(cost, out->points, out->count));
}

static void take_line(const vni_cost* cost, const vn_point* points, uint32_t count, line* out) {
    assert_true(count <= MOST_POINTS);
    memcpy(out->points, points, count * sizeof *points);
    out->count = count;
    out->cost = vni_steps_to_voxels(vni_polyline_cost(cost, points, count));
}

static void find_astar(const run* r, const vni_cost* cost, line* out) {
    const vn_graph* graph = vn_nav_graph_get(r->graph);
    vn_graph_query* query = world_query();
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result;
    uint32_t count;
    assert_int_equal(vn_graph_query_grow(query, graph->node_limit, NULL), VN_OK);
    assert_int_equal(vn_graph_query_find_path(query, graph, &request, &result, NULL), VN_OK);
    const vn_point* points = vn_graph_query_points(query, &count);
    take_line(cost, points, count, out);
    vn_graph_query_destroy(query);
}

/// Pulls and bypasses a pruned path, as queries on cells do.
static void refine(const vn_space* space, const vni_cost* cost, line* l) {
    const vni_occupancy* o = &space->occupancy;
    for (uint32_t i = 0; i < 8; ++i) {
        (void)vni_refine_pull(o, cost, l->points, l->count, 8);
        l->count = vni_refine_bypass(o, cost, l->points, l->count);
        l->count = vni_refine_prune(o, cost, l->points, l->count);
    }
    assert_true(vn_space_check_path(space, l->points, l->count, NULL));
    l->cost = vni_steps_to_voxels(vni_polyline_cost(cost, l->points, l->count));
}

typedef struct quality {
    ratios raw, pruned, refined, straight, said;
    uint32_t kept, points;
    uint64_t expanded;
} quality;

static void measure(run* r, const vni_cost* cost, quality* q) {
    static line field, astar, field_pruned, astar_pruned;
    vn_plan plan;
    if (finish(&r->planner, 1000000, &plan) != VN_OK)
        return;
    check_path(r, &plan);
    take_line(cost, plan.points, plan.point_count, &field);

    find_astar(r, cost, &astar);
    if (astar.cost < 4)
        return;

    const vn_space* space = vn_nav_graph_space(r->graph);
    prune(space, cost, &field, &field_pruned, &q->kept);
    prune(space, cost, &astar, &astar_pruned, &q->kept);
    add_ratio(&q->said, field.cost, plan.cost);
    add_ratio(&q->raw, field.cost, astar.cost);
    add_ratio(&q->pruned, field_pruned.cost, astar_pruned.cost);
    refine(space, cost, &astar_pruned);
    add_ratio(&q->refined, field_pruned.cost, astar_pruned.cost);
    add_ratio(&q->straight, field.cost, field_pruned.cost);
    q->points += plan.point_count;
    q->expanded += plan.expanded;
}

/// Returns the mean of the costs against A*: this pruned, that refined in all ways.
static double quality_of(const char* what, zone_mix zones, double weight) {
    const uint64_t seed = vnt_seed("replan/field/quality", 1);
    quality q = {0};
    for (uint32_t k = 0; k < vnt_scale(3, 50); ++k) {
        run r = {0};
        quality_world(&r.world, seed + k, zones);
        vn_nav_graph_def def = vn_default_nav_graph_def();
        def.kind = VN_NAV_GRID26;
        def.zones = zones != NO_ZONES;
        assert_int_equal(vn_nav_graph_create(r.world.nav, &def, &r.graph, NULL), VN_OK);
        r.source = vn_nav_graph_source(r.graph);
        vn_replan_def planner_def = field_def();
        planner_def.weight = weight;
        assert_int_equal(vn_replan_create(&r.source, &planner_def, &r.planner, NULL), VN_OK);
        const vni_live_grid* grid = (const vni_live_grid*)vn_nav_graph_get(r.graph)->self;
        const vni_cost length = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
        for (uint32_t i = 0; i < 10; ++i) {
            r.start = world_point(&r.world, vn_nav_graph_space(r.graph));
            r.goal = world_point(&r.world, vn_nav_graph_space(r.graph));
            assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
            measure(&r, zones != NO_ZONES ? &grid->cost : &length, &q);
        }
        run_free(&r);
    }

    printf("%s, weight %g: %u paths, %.1f points, %.0f expanded, %u kept as they were\n", what, weight,
           q.raw.count, (double)q.points / q.raw.count, (double)q.expanded / q.raw.count, q.kept);
    print_ratios("field / A*", &q.raw);
    print_ratios("field / A*, both pruned", &q.pruned);
    print_ratios("field pruned / A* pulled, bypassed", &q.refined);
    print_ratios("field / field pruned", &q.straight);
    print_ratios("field / what it said", &q.said);
    assert_true(q.raw.count > 15);

    // A voxel costs at most what the planner takes it for; a leg along the face of a closed box may not.
    if (zones != BOX_ZONES)
        assert_true(q.said.worst <= 1.0001);
    return q.refined.sum / q.refined.count;
}

static void test_quality(void** state) {
    (void)state;
    for (uint32_t i = 0; i < 2; ++i) {
        const double weight = i == 0 ? 1 : 1.732;
        assert_true(quality_of("uniform", NO_ZONES, weight) <= 1.02);
        assert_true(quality_of("zones that are boxes", BOX_ZONES, weight) <= 1.02);
    }
    assert_true(quality_of("zones that are balls", BALL_ZONES, 1) <= 1.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quality)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
