/// Any-angle planners after every change, on every space with lines of sight: paths pass the checker and are
/// as long as they say, there is one if Dijkstra finds one, and in the mean they are about as long as those
/// of a fresh Theta*, and shorter than those of A*.
#include "replan/replan_inside.h"
#include "replan_spaces.h"

#include <stdio.h>

typedef struct totals {
    uint64_t plans, paths, none, full, failed; ///< failed: advances
    uint64_t lines;                            ///< Fast: nodes on others than neighbours
    uint64_t passes;                           ///< AD*: looked at in between
    uint64_t beyond;                           ///< paths over a line where the graph has no way
    uint64_t expanded, theta_expanded, checks, theta_checks, restarts, flaws;
    double over_theta, over_astar; ///< sums of the ratios of lengths
    double worst;                  ///< over Theta*
} totals;

typedef struct run {
    plan_space space;
    vn_planner planner;
    vn_graph_query* query;
    vn_point start, goal; ///< centres of voxels
    vn_point off;         ///< where in their voxels the ends are
    bool is_off, may_be_full, keeps_goal;
    vnt_memory memory; ///< of the planner
    totals* totals;
} run;

/// What the source tells of voxels that changed.
typedef enum told { ALL_BRICKS, UNKNOWN_BRICKS, NO_BRICKS } told;

static vn_status tell_nothing(void* self, uint64_t version, const vn_brick_change** out, uint32_t* count) {
    (void)self;
    (void)version;
    *out = NULL;
    *count = 0;
    return VN_OK;
}

// ---------- comparisons

static double length_of(const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        sum += vni_distance(points[i - 1], points[i]);
    return sum;
}

static double find(run* r, vn_classic_algo algo, vn_graph_result* result) {
    const vn_graph* graph = r->space.source.graph(r->space.source.self);
    vn_graph_request request = vn_default_graph_request();
    request.algo = algo;
    assert_int_equal(vn_graph_query_grow(r->query, graph->node_limit, NULL), VN_OK);
    const vn_status status = vn_graph_query_find_path(r->query, graph, &request, result, NULL);
    assert_true(status == VN_OK || status == VN_NO_PATH);
    if (status != VN_OK)
        return HUGE_VAL;

    uint32_t count;
    const vn_point* points = vn_graph_query_points(r->query, &count);
    return length_of(points, count);
}

static void compare(run* r, const vn_plan* plan, double theta, double astar) {
    totals* t = r->totals;
    const double length = length_of(plan->points, plan->point_count);
    assert_true(fabs(plan->cost - length) <= 1e-7 * (1 + length));
    if (!(astar < HUGE_VAL)) {
        ++t->beyond;
        return;
    }
    ++t->paths;
    const double ratio = theta > 0 ? length / theta : 1;
    t->over_theta += ratio;
    t->over_astar += astar > 0 ? length / astar : 1;
    t->worst = ratio > t->worst ? ratio : t->worst;
}

static bool is_neighbour(const vn_graph* graph, uint32_t from, uint32_t id) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    bool found = false;
    do {
        const uint32_t count = graph->expand(graph->self, from, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            found = found || to[i] == id;
    } while (cursor != 0);
    return found;
}

/// Fast: dynamic nodes hang on their neighbours. Returns how many nodes hang on others.
static uint32_t check_fast(const vni_replan* planner) {
    const vni_lifelong* core = &planner->core;
    uint32_t lines = 0;
    assert_true(core->under_weight == 0.5);
    for (uint32_t slot = 0; slot < core->nodes.pages_used << 6; ++slot) {
        const vni_plan_node* node = &core->nodes.nodes[slot];
        const uint32_t id = vni_plan_id(&core->nodes, slot);
        uint8_t kind;
        if (id < VN_FIRST_NODE || node->parent == VN_NO_NODE)
            continue;
        core->graph->kinds(core->graph->self, &id, 1, &kind);
        const bool is_line = !is_neighbour(core->graph, node->parent, id);
        assert_true(kind != VN_NODE_DYNAMIC || !is_line);
        lines += is_line;
    }
    return lines;
}

/// The path of a pass of any-angle AD*: right, and within its bound.
static void check_pass(run* r, const vn_plan* plan) {
    vn_graph_result astar;
    const vni_replan* planner = (const vni_replan*)r->planner.self;
    assert_int_equal(planner->def.algo, VN_REPLAN_AA_AD);
    space_check_path(&r->space, plan);
    ++r->totals->passes;
    if (find(r, VN_CLASSIC_ASTAR, &astar) < HUGE_VAL)
        assert_true(plan->cost <= plan->bound * astar.cost * (1 + 1e-7) + 1e-6);
}

/// Steps in slices, and compares with searches from scratch.
static void check_plan(run* r) {
    const bool passes = ((const vni_replan*)r->planner.self)->def.algo == VN_REPLAN_AA_AD;
    const uint64_t slice = 1 + vni_rng_below(&r->space.world.rng, passes ? 20 : 400);
    vn_status status;
    vn_plan plan;
    do {
        status = r->planner.step(r->planner.self, slice);
        assert_int_equal(r->planner.path(r->planner.self, &plan), status);
        if (plan.point_count > 0 && status == VN_RUNNING)
            check_pass(r, &plan);
    } while (status == VN_RUNNING);

    const vn_space* voxels = space_voxels(&r->space);
    totals* t = r->totals;
    ++t->plans;
    if (status == VN_CAPACITY) {
        assert_true(r->may_be_full);
        ++t->full;
        return;
    }
    if (!vn_space_point_free(voxels, r->start) || !vn_space_point_free(voxels, r->goal)) {
        assert_int_equal(status, vn_space_point_free(voxels, r->start) ? VN_GOAL_BLOCKED : VN_START_BLOCKED);
        return;
    }

    vn_graph_result theta, astar;
    const double theta_length = find(r, VN_CLASSIC_THETA, &theta);
    const double astar_length = find(r, VN_CLASSIC_ASTAR, &astar);
    t->expanded += plan.expanded;
    t->checks += plan.sight_checks;
    t->theta_expanded += theta.expanded;
    t->theta_checks += theta.sight_checks;
    if (status == VN_NO_PATH) {
        assert_true(astar_length == HUGE_VAL);
        ++t->none;
        return;
    }
    assert_int_equal(status, VN_OK);
    const vni_replan* planner = (const vni_replan*)r->planner.self;
    if (planner->def.algo == VN_REPLAN_AA_AD && astar_length < HUGE_VAL) {
        assert_true(plan.bound == planner->def.ad_floor);
        assert_true(plan.cost <= plan.bound * astar.cost * (1 + 1e-7) + 1e-6);
    } else if (planner->def.algo != VN_REPLAN_AA_AD) {
        assert_true(plan.bound == 0);
    }
    if (planner->def.algo == VN_REPLAN_AAMT_FAST)
        t->lines += check_fast(planner);
    space_check_path(&r->space, &plan);
    compare(r, &plan, theta_length, astar_length);
}

// ---------- runs

static vn_point place(const run* r, vn_point centre) {
    return (vn_point){centre.x + r->off.x, centre.y + r->off.y, centre.z + r->off.z};
}

static void move(run* r) {
    const vn_status status = r->planner.move(r->planner.self, place(r, r->start), place(r, r->goal));
    assert_int_equal(status, VN_OK);
}

static void change(run* r) {
    const uint32_t what = vni_rng_below(&r->space.world.rng, 8);
    for (uint32_t v = what == 1 ? 2 + WORLD_HISTORY * vni_rng_below(&r->space.world.rng, 2) : 1; v > 0; --v)
        world_change(&r->space.world);

    // both orders, and each alone; a tree must advance first
    const bool moves = what != 2, last = what == 3 || space_is_tree(&r->space);
    if (moves) {
        r->start = space_move_end(&r->space, r->start);
        r->goal = r->keeps_goal ? r->goal : space_move_end(&r->space, r->goal);
        vni_rng* rng = &r->space.world.rng;
        if (r->is_off && !r->keeps_goal)
            r->off = (vn_point){vni_rng_range(rng, -100, 100), vni_rng_range(rng, -500, 500),
                                vni_rng_range(rng, -500, 500)};
    }
    if (moves && !last)
        move(r);
    assert_int_equal(r->planner.advance(r->planner.self, 0, NULL), VN_OK);
    if (moves && last)
        move(r);
}

static vn_status try_create(run* r, const vn_replan_def* def) {
    const vn_status status = vn_replan_create(&r->space.source, def, &r->planner, NULL);
    assert_true(status == VN_OK || r->memory.live_blocks == 0);
    return status;
}

/// In a run with failures, the first allocations fail one after the other.
static void begin_run(run* r, const vn_replan_def* def, bool fails) {
    vn_status status;
    uint64_t k = 0;
    do {
        r->memory.fail_at = fails ? r->memory.calls + k++ : UINT64_MAX;
        status = try_create(r, def);
    } while (status == VN_OUT_OF_MEMORY);
    assert_int_equal(status, VN_OK);

    r->start = world_point(&r->space.world, space_voxels(&r->space));
    r->goal = world_point(&r->space.world, space_voxels(&r->space));
    k = 0;
    do {
        r->memory.fail_at = fails ? r->memory.calls + k++ : UINT64_MAX;
        status = r->planner.begin(r->planner.self, 0, r->start, r->goal, NULL);
    } while (status == VN_OUT_OF_MEMORY);
    assert_int_equal(status, VN_OK);
    r->memory.fail_at = UINT64_MAX;
}

static void end_run(run* r) {
    const vni_replan* planner = (const vni_replan*)r->planner.self;
    r->totals->restarts += planner->restarts;
    r->totals->flaws += planner->lines.flaws;
    assert_true(vni_plan_nodes_are_valid(&planner->core.nodes));
    r->planner.free(r->planner.self);
    assert_int_equal(r->memory.live_blocks, 0);
    assert_false(r->memory.mismatch);
    vn_graph_query_destroy(r->query);
    space_free(&r->space);
}

/// A version that there is no memory for is made up for by the next advance.
static void fail_to_advance(run* r) {
    world_change(&r->space.world);
    r->memory.fail_at = r->memory.calls;
    const vn_status status = r->planner.advance(r->planner.self, 0, NULL);
    r->memory.fail_at = UINT64_MAX;
    assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
    if (status == VN_OK)
        return;
    assert_int_equal(r->planner.step(r->planner.self, 100), VN_OUT_OF_MEMORY);
    ++r->totals->failed;
}

typedef struct run_def {
    vn_replan_algo algo;
    bool backward, fails;
    bool keeps_goal; ///< AD* begins anew if it moves
    uint32_t max_nodes;
    told told;
} run_def;

static void one_run(uint64_t seed, uint32_t kind, const run_def* d, uint32_t steps, totals* t) {
    run r = {.totals = t, .may_be_full = d->max_nodes > 0, .memory = vnt_memory_make()};
    space_make(&r.space, (plan_space_kind)kind, seed, NULL);
    r.space.may_skip = vni_rng_below(&r.space.world.rng, 2) == 0;
    r.is_off = vni_rng_below(&r.space.world.rng, 2) == 0;
    r.keeps_goal = d->keeps_goal;
    r.query = world_query();
    if (d->told != ALL_BRICKS)
        r.space.source.get_bricks = d->told == NO_BRICKS ? tell_nothing : NULL;
    vn_replan_def def = vn_default_replan_def();
    def.allocator = vnt_memory_allocator(&r.memory);
    def.algo = d->algo;
    def.backward = d->backward;
    def.max_nodes = d->max_nodes;
    begin_run(&r, &def, d->fails);
    check_plan(&r);

    for (uint32_t i = 0; i < steps; ++i) {
        if (d->fails)
            fail_to_advance(&r);
        change(&r);
        if (vni_rng_below(&r.space.world.rng, 8) == 0)
            (void)r.planner.step(r.planner.self, vni_rng_below(&r.space.world.rng, 20)); // unfinished
        else
            check_plan(&r);
    }
    end_run(&r);
}

static void add(totals* sum, const totals* t) {
    sum->plans += t->plans;
    sum->paths += t->paths;
    sum->full += t->full;
    sum->failed += t->failed;
    sum->lines += t->lines;
    sum->flaws += t->flaws;
    sum->passes += t->passes;
    sum->over_theta += t->over_theta;
    sum->over_astar += t->over_astar;
    sum->worst = t->worst > sum->worst ? t->worst : sum->worst;
}

static void report(const char* name, const char* space, const totals* t) {
    printf("%-14s %-18s: %5llu plans, %5llu paths, %4llu none, %3llu beyond; %7llu expanded (Theta* %7llu), "
           "%7llu checks (%7llu), %llu restarts; length / Theta* %.5f, worst %.4f, / A* %.5f\n",
           name, space, (unsigned long long)t->plans, (unsigned long long)t->paths,
           (unsigned long long)t->none, (unsigned long long)t->beyond, (unsigned long long)t->expanded,
           (unsigned long long)t->theta_expanded, (unsigned long long)t->checks,
           (unsigned long long)t->theta_checks, (unsigned long long)t->restarts,
           t->over_theta / (double)t->paths, t->worst, t->over_astar / (double)t->paths);
}

/// All spaces, or those with kinds of nodes.
static totals all_runs(const run_def* d, uint32_t worlds) {
    const uint64_t seed = vnt_seed("replan/any_angle", 1);
    const uint32_t steps = vnt_scale(20, 60);
    totals sum = {0};
    for (uint32_t kind = 0; kind < SPACE_COUNT; ++kind) {
        totals t = {0};
        if (d->algo == VN_REPLAN_AAMT_FAST && kind != SPACE_HYBRID)
            continue;
        for (uint32_t k = 0; k < worlds; ++k)
            one_run(seed + 1000 * k + kind, kind, d, steps, &t);
        report(vn_replan_algo_name(d->algo), space_name(kind), &t);
        assert_true(t.beyond == 0 || kind >= SPACE_HYBRID);
        add(&sum, &t);
    }
    assert_true(sum.paths + sum.full > sum.plans / 4);
    return sum;
}

static void check_lengths(const totals* sum) {
    assert_true(sum->over_theta <= 1.01 * (double)sum->paths);
    assert_true(sum->over_astar < (double)sum->paths);
    assert_true(sum->flaws == 0);
}

static void test_any_angle(void** state) {
    (void)state;
    const run_def d = {.algo = VN_REPLAN_AAMT};
    const totals sum = all_runs(&d, vnt_scale(4, 40));
    check_lengths(&sum);
}

static void test_backward(void** state) {
    (void)state;
    const run_def d = {.algo = VN_REPLAN_AAMT, .backward = true};
    const totals sum = all_runs(&d, vnt_scale(4, 40));
    check_lengths(&sum);
}

static void test_fast(void** state) {
    (void)state;
    const run_def d = {.algo = VN_REPLAN_AAMT_FAST};
    const totals sum = all_runs(&d, vnt_scale(10, 60));
    check_lengths(&sum);
    assert_true(sum.lines > 0);
}

/// Lengths are bound by A*'s, plan by plan; those of Theta* are near in the mean.
static void check_ad(const totals* sum) {
    printf("aaad-star: %llu passes looked at; length / Theta* %.5f\n", (unsigned long long)sum->passes,
           sum->over_theta / (double)sum->paths);
    assert_true(sum->over_theta <= 1.03 * (double)sum->paths);
    assert_true(sum->over_astar < (double)sum->paths);
    assert_true(sum->flaws == 0);
    assert_true(sum->passes > 0);
}

static void test_ad(void** state) {
    (void)state;
    run_def d = {.algo = VN_REPLAN_AA_AD};
    const totals moving = all_runs(&d, vnt_scale(2, 20));
    check_ad(&moving);
    d.keeps_goal = true;
    const totals sum = all_runs(&d, vnt_scale(4, 40));
    check_ad(&sum);

    // lines are cut and the source does not say so; memory and nodes that run out
    const run_def silent = {.algo = VN_REPLAN_AA_AD, .keeps_goal = true, .told = NO_BRICKS};
    assert_true(all_runs(&silent, vnt_scale(16, 40)).flaws > 0);
    const run_def fails = {.algo = VN_REPLAN_AA_AD, .keeps_goal = true, .fails = true};
    assert_true(all_runs(&fails, vnt_scale(2, 10)).failed > 0);
    const run_def few = {.algo = VN_REPLAN_AA_AD, .keeps_goal = true, .max_nodes = 64 * 4};
    assert_true(all_runs(&few, vnt_scale(3, 10)).full > 0);
}

// ---------- what a source does not tell

static void test_unknown_bricks(void** state) {
    (void)state;
    const run_def d = {.algo = VN_REPLAN_AAMT, .told = UNKNOWN_BRICKS};
    const totals sum = all_runs(&d, vnt_scale(4, 20));
    check_lengths(&sum);
}

/// Lines are cut and the source does not say so: paths are put right at the end.
static void test_silent_bricks(void** state) {
    (void)state;
    const run_def d = {.algo = VN_REPLAN_AAMT, .told = NO_BRICKS};
    const totals sum = all_runs(&d, vnt_scale(12, 40));
    assert_true(sum.flaws > 0);
}

// ---------- memory and nodes that run out

static void test_failures(void** state) {
    (void)state;
    const run_def d = {.algo = VN_REPLAN_AAMT, .fails = true};
    const totals sum = all_runs(&d, vnt_scale(4, 10));
    assert_true(sum.failed > 0);
    assert_true(sum.flaws == 0);
}

static void test_few_nodes(void** state) {
    (void)state;
    const run_def d = {.algo = VN_REPLAN_AAMT, .max_nodes = 64 * 4};
    const totals sum = all_runs(&d, vnt_scale(3, 10));
    assert_true(sum.full > 0 && sum.paths > 0);
    assert_true(sum.flaws == 0);
}

// ---------- what is refused

static void check_refused(const vn_graph_source* source, vn_replan_algo algo, const char* reason) {
    vn_replan_def def = vn_default_replan_def();
    vn_planner planner;
    vn_detail detail;
    memset(&detail, 0, sizeof detail);
    def.algo = algo;
    assert_int_equal(vn_replan_create(source, &def, &planner, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, reason));
}

static void tick_some(plan_space* s) {
    for (uint32_t i = 0; i < 6; ++i)
        assert_int_equal(vn_nav_tick(s->world.nav, NULL), VN_OK);
}

static void check_theta(const vn_graph* graph, vn_status expected) {
    for (uint32_t i = VN_CLASSIC_THETA; i <= VN_CLASSIC_LAZY_THETA; ++i) {
        vn_detail detail = {0};
        assert_int_equal(vn_graph_supports(graph, (vn_classic_algo)i, &detail), expected);
        assert_int_equal(strstr(detail.text, "zones") != NULL, expected != VN_OK);
    }
    assert_int_equal(vn_graph_supports(graph, VN_CLASSIC_ASTAR, NULL), VN_OK);
}

/// A zone of this factor comes while a planner runs, and goes again.
static void check_zone(vn_nav_graph_kind kind, float factor) {
    plan_space s;
    space_make(&s, SPACE_GRID26, 1, NULL);
    vn_nav_graph* graph;
    vn_nav_graph_def def = vn_default_nav_graph_def();
    def.kind = kind;
    def.zones = true;
    assert_int_equal(vn_nav_graph_create(s.world.nav, &def, &graph, NULL), VN_OK);
    const vn_graph_source source = vn_nav_graph_source(graph);
    vn_replan_def replan_def = vn_default_replan_def();
    replan_def.algo = VN_REPLAN_AAMT;
    vn_planner p;
    assert_int_equal(vn_replan_create(&source, &replan_def, &p, NULL), VN_OK);
    const vn_point start = world_point(&s.world, vn_nav_graph_space(graph)),
                   goal = world_point(&s.world, vn_nav_graph_space(graph));
    assert_int_equal(p.begin(p.self, 0, start, goal, NULL), VN_OK);
    assert_int_equal(p.step(p.self, UINT64_MAX), VN_OK);

    vn_plan before;
    assert_int_equal(p.path(p.self, &before), VN_OK);

    vn_zone_id zone;
    vn_zone_def zone_def = vn_default_zone_def();
    zone_def.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 5);
    zone_def.factor = factor;
    zone_def.transform = world_spot(&s.world);
    assert_int_equal(vn_nav_add_zone(s.world.nav, &zone_def, &zone, NULL), VN_OK);
    tick_some(&s);
    const bool weighs = factor != 1;
    assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
    assert_int_equal(p.step(p.self, UINT64_MAX), weighs ? VN_UNSUPPORTED : VN_OK);
    check_theta(vn_nav_graph_get(graph), weighs ? VN_UNSUPPORTED : VN_OK);
    if (weighs) {
        check_refused(&source, VN_REPLAN_AAMT, "zones");
        check_refused(&source, VN_REPLAN_AA_AD, "zones");
    }

    vn_plan after;
    assert_int_equal(vn_nav_remove_zone(s.world.nav, zone), VN_OK);
    tick_some(&s);
    assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
    assert_int_equal(p.step(p.self, UINT64_MAX), VN_OK);
    assert_int_equal(p.path(p.self, &after), VN_OK);
    assert_true(vn_space_check_path(vn_nav_graph_space(graph), after.points, after.point_count, NULL));
    assert_true(after.cost <= before.cost * 1.1);
    check_theta(vn_nav_graph_get(graph), VN_OK);
    p.free(p.self);
    vn_nav_graph_destroy(graph);
    space_free(&s);
}

static void test_refused(void** state) {
    (void)state;
    plan_space s;
    space_make(&s, SPACE_GRID26, 1, NULL);
    check_refused(&s.source, VN_REPLAN_AAMT_FAST, "kinds of nodes");
    space_free(&s);
}

/// Whether lines become cheaper or dearer: they would be priced wrongly.
static void test_zones(void** state) {
    (void)state;
    for (vn_nav_graph_kind kind = VN_NAV_GRID6; kind < VN_NAV_GRAPH_KINDS; ++kind) {
        check_zone(kind, 0.5f);
        check_zone(kind, 1);
        check_zone(kind, 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_angle),     cmocka_unit_test(test_backward),
        cmocka_unit_test(test_fast),          cmocka_unit_test(test_unknown_bricks),
        cmocka_unit_test(test_silent_bricks), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_few_nodes),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_zones),         cmocka_unit_test(test_ad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
