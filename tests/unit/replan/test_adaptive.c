/// The Adaptive A* family against a fresh Dijkstra after every change, on every graph of a nav: worlds whose
/// costs only grow while the start follows its path, and worlds where everything moves. Costs are equal,
/// paths pass the checker, and bounds stay consistent. Beside them the expansions of A* from scratch.
#include "replan_world.h"

#include "replan/adaptive.h"

#include <stdio.h>

static const vn_replan_algo algos[] = {VN_REPLAN_ADAPTIVE, VN_REPLAN_MPAA, VN_REPLAN_TREE_ADAPTIVE};
enum { ALGOS = sizeof algos / sizeof *algos };

typedef enum change_mode {
    FOLLOWS,  ///< costs grow, the start follows the path
    GROWS,    ///< costs grow, the start goes anywhere at times, and so does the goal
    ANYTHING, ///< boxes and zones move as well
    MODES
} change_mode;

static const char* const mode_names[MODES] = {"costs grow, start follows", "costs grow, ends move",
                                              "anything"};

typedef struct totals {
    uint64_t plans, paths, expanded, astar, runs, restarts, learnt, small;
} totals;

typedef struct run {
    replan_world world;
    vn_nav_graph* graph;
    vn_graph_source source;
    vn_planner planner;
    vn_graph_query* query;
    vn_point start, goal;
    change_mode mode;
    totals* totals;
} run;

static vni_replan* inside(const run* r) {
    return (vni_replan*)r->planner.self;
}

// ---------- what must hold

enum { SMALL = 1024 };

/// Nodes whose edges are to be looked at, each once.
typedef struct queue {
    uint32_t ids[SMALL], count;
    bool has[SMALL];
} queue;

static void add(queue* q, uint32_t id) {
    if (q == NULL || q->has[id])
        return;
    q->has[id] = true;
    q->ids[q->count++] = id;
}

static void check_edges(const run* r, uint32_t id, queue* q) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    const double h = vni_adaptive_bound(inside(r), id);
    do {
        const uint32_t count = vni_lifelong_edges(&inside(r)->core, true, id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            if (to[i] < VN_FIRST_NODE)
                assert_true(to[i] == VN_START_NODE || h <= cost[i]);
            else
                assert_true(h <= cost[i] + vni_adaptive_bound(inside(r), to[i]));
            if (to[i] >= VN_FIRST_NODE)
                add(q, to[i]);
        }
    } while (cursor != 0);
}

/// The bounds of all nodes that have learnt; in small worlds also of all that can be reached from them.
static void check_bounds(const run* r) {
    const vni_plan_nodes* nodes = &inside(r)->core.nodes;
    queue q = {.count = 0}, *small = vn_nav_graph_get(r->graph)->node_limit <= SMALL ? &q : NULL;
    check_edges(r, VN_START_NODE, small);
    for (uint32_t slot = 0; slot < nodes->pages_used << 6; ++slot) {
        const uint32_t id = vni_plan_id(nodes, slot);
        if (!vni_adaptive_has_learnt(&nodes->nodes[slot]))
            continue;
        ++r->totals->learnt;
        check_edges(r, id, small);
    }
    for (uint32_t i = 0; i < q.count; ++i)
        check_edges(r, q.ids[i], small);
    r->totals->small += q.count;
}

/// Every node of the tree is as far from the goal as it has learnt.
static void check_tree(const run* r) {
    const vni_plan_nodes* nodes = &inside(r)->core.nodes;
    assert_true(vni_plan_nodes_are_valid(nodes));
    for (uint32_t slot = 0; slot < nodes->pages_used << 6; ++slot) {
        const uint32_t id = vni_plan_id(nodes, slot);
        if (id != VN_START_NODE && nodes->nodes[slot].parent != VN_NO_NODE)
            assert_true(vni_adaptive_fits(inside(r), id));
    }
}

static void check_path(const run* r, const vn_plan* plan) {
    vn_check_result result;
    assert_true(plan->point_count >= 1);
    assert_true(vn_space_check_path(vn_nav_graph_space(r->graph), plan->points, plan->point_count, &result));
    const uint32_t ends[2] = {VN_START_NODE, VN_GOAL_NODE};
    const vn_graph* graph = vn_nav_graph_get(r->graph);
    vn_point at[2];
    graph->points(graph->self, ends, 2, at);
    assert_memory_equal(&plan->points[0], &at[0], sizeof at[0]);
    assert_memory_equal(&plan->points[plan->point_count - 1], &at[1], sizeof at[1]);
}

static uint64_t count_astar(const run* r) {
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result;
    (void)vn_graph_query_find_path(r->query, vn_nav_graph_get(r->graph), &request, &result, NULL);
    return result.expanded;
}

/// Steps in slices, and compares with a search from scratch. `next` gets where the path leads.
static void check_plan(run* r, vn_point* next) {
    const uint64_t slice = 1 + vni_rng_below(&r->world.rng, 100);
    vn_status status;
    vn_plan plan;
    do {
        status = r->planner.step(r->planner.self, slice);
        assert_int_equal(r->planner.path(r->planner.self, &plan), status);
    } while (status == VN_RUNNING);
    assert_int_equal(r->planner.step(r->planner.self, 0), status);

    const vn_space* space = vn_nav_graph_space(r->graph);
    const bool free_start = vn_space_point_free(space, r->start),
               free_goal = vn_space_point_free(space, r->goal);
    ++r->totals->plans;
    if (!free_start || !free_goal) {
        assert_int_equal(status, free_start ? VN_GOAL_BLOCKED : VN_START_BLOCKED);
        return;
    }

    uint64_t unused = 0;
    const double least = world_least(r->query, vn_nav_graph_get(r->graph), &unused);
    r->totals->expanded += plan.expanded + (status == VN_OK); // A* counts the goal
    r->totals->astar += count_astar(r);
    check_bounds(r);
    if (inside(r)->kind == &vni_plan_tree_adaptive)
        check_tree(r);
    assert_int_equal(status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
    if (status != VN_OK)
        return;

    ++r->totals->paths;
    assert_true(fabs(plan.cost - least) <= 1e-7 * (1 + least));
    assert_true(plan.bound == 1);
    check_path(r, &plan);
    *next =
        plan.points[plan.point_count > 1 ? 1 + vni_rng_below(&r->world.rng, 2) % (plan.point_count - 1) : 0];
}

// ---------- what changes

static void tick(run* r) {
    for (uint32_t i = 0; i < 6; ++i)
        assert_int_equal(vn_nav_tick(r->world.nav, NULL), VN_OK);
}

/// A box appears, or ground becomes dear.
static void grow_costs(run* r, bool zones) {
    const vn_vec3 at = world_spot(&r->world).position;
    if (zones && vni_rng_below(&r->world.rng, 4) == 0) {
        vn_zone_def def = vn_default_zone_def();
        def.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 3);
        def.factor = 2;
        def.transform.position = at;
        vn_zone_id zone;
        assert_int_equal(vn_nav_add_zone(r->world.nav, &def, &zone, NULL), VN_OK);
    } else {
        const vn_vec3 size = world_box(&r->world, 2).as.box.max;
        const vn_shape box = vnt_box_shape(at, vnt_vec(at.x + size.x, at.y + size.y, at.z + size.z));
        vn_obstacle_id id;
        assert_int_equal(vn_nav_add(r->world.nav, &box, 0, &id, NULL), VN_OK);
    }
    tick(r);
}

static void change_world(run* r, bool zones) {
    const uint32_t what = vni_rng_below(&r->world.rng, 8);
    if (r->mode != ANYTHING) {
        for (uint32_t i = what == 0 ? 3 : what<5; i> 0; --i)
            grow_costs(r, zones);
        return;
    }
    if (zones && what == 0)
        world_change_zone(&r->world);
    for (uint32_t v = what == 1 ? 2 + WORLD_HISTORY * vni_rng_below(&r->world.rng, 2) : 1; v > 0; --v)
        world_change(&r->world);
}

static vn_point any_point(run* r) {
    return world_point(&r->world, vn_nav_graph_space(r->graph));
}

static void move_ends(run* r, vn_point next) {
    r->start = next;
    if (r->mode != FOLLOWS && vni_rng_below(&r->world.rng, 4) == 0)
        r->start = any_point(r);
    if (r->mode != FOLLOWS && vni_rng_below(&r->world.rng, 6) == 0)
        r->goal = any_point(r);
    const bool is_far = memcmp(&r->start, &r->goal, sizeof r->start) != 0;
    if (!is_far && r->mode == FOLLOWS)
        r->start = any_point(r); // it has arrived; another one sets out
}

static void one_step(run* r, bool zones) {
    vn_point next = r->start;
    check_plan(r, &next);
    change_world(r, zones);
    move_ends(r, next);

    // both orders, and each alone; sometimes a search is interrupted
    const bool moves_first = vni_rng_below(&r->world.rng, 2) == 0;
    if (moves_first)
        assert_int_equal(r->planner.move(r->planner.self, r->start, r->goal), VN_OK);
    if (r->mode != FOLLOWS && vni_rng_below(&r->world.rng, 4) == 0)
        (void)r->planner.step(r->planner.self, vni_rng_below(&r->world.rng, 20));
    assert_int_equal(r->planner.advance(r->planner.self, 0, NULL), VN_OK);
    if (!moves_first)
        assert_int_equal(r->planner.move(r->planner.self, r->start, r->goal), VN_OK);
}

static void run_begin(run* r, uint64_t seed, vn_nav_graph_kind kind, const vn_replan_def* def) {
    world_make(&r->world, seed, NULL);
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    graph_def.kind = kind;
    graph_def.zones = vni_rng_below(&r->world.rng, 2) == 0;
    assert_int_equal(vn_nav_graph_create(r->world.nav, &graph_def, &r->graph, NULL), VN_OK);
    r->source = vn_nav_graph_source(r->graph);
    r->query = world_query();
    assert_int_equal(vn_replan_create(&r->source, def, &r->planner, NULL), VN_OK);
    r->start = any_point(r);
    r->goal = any_point(r);
}

static void run_end(run* r) {
    r->planner.free(r->planner.self);
    vn_graph_query_destroy(r->query);
    vn_nav_graph_destroy(r->graph);
    world_free(&r->world);
}

static void one_run(uint64_t seed, vn_nav_graph_kind kind, vn_replan_algo algo, change_mode mode, totals* t) {
    run r = {.mode = mode, .totals = t};
    vn_replan_def def = vn_default_replan_def();
    def.algo = algo;
    run_begin(&r, seed, kind, &def);
    const bool zones = vni_rng_below(&r.world.rng, 2) == 0;
    assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
    for (uint32_t i = vnt_scale(25, 60); i > 0; --i)
        one_step(&r, zones);

    vn_plan plan;
    (void)r.planner.path(r.planner.self, &plan);
    t->restarts += plan.restarts;
    ++t->runs;
    // voxels that only become blocked make no edge of the grid cheaper; cells are cut anew
    if (mode == FOLLOWS && (kind == VN_NAV_GRID6 || kind == VN_NAV_GRID26))
        assert_int_equal(plan.restarts, 1);
    run_end(&r);
}

static void test_random_worlds(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/adaptive", 1);
    uint64_t expanded[MODES][ALGOS] = {{0}}, astar[MODES][ALGOS] = {{0}};
    for (uint32_t mode = 0; mode < MODES; ++mode)
        for (uint32_t i = 0; i < ALGOS; ++i)
            for (uint32_t kind = 0; kind < VN_NAV_GRAPH_KINDS; ++kind) {
                totals t = {0};
                for (uint32_t k = 0; k < vnt_scale(mode == FOLLOWS ? 12 : 4, 40); ++k)
                    one_run(seed + 1000 * k + kind, (vn_nav_graph_kind)kind, algos[i], (change_mode)mode, &t);
                printf("%-26s graph %u %-14s %llu plans, %llu paths; %llu expanded (A* %llu); %llu "
                       "restarts in %llu runs; bounds: %llu learnt, %llu of small worlds\n",
                       mode_names[mode], kind, vn_replan_algo_name(algos[i]), (unsigned long long)t.plans,
                       (unsigned long long)t.paths, (unsigned long long)t.expanded,
                       (unsigned long long)t.astar, (unsigned long long)t.restarts,
                       (unsigned long long)t.runs, (unsigned long long)t.learnt, (unsigned long long)t.small);
                assert_true(t.paths > t.plans / 4);
                expanded[mode][i] += t.expanded;
                astar[mode][i] += t.astar;
                if (mode == FOLLOWS && algos[i] != VN_REPLAN_ADAPTIVE)
                    assert_true(t.expanded < t.astar);
            }

    // Adaptive A* over all graphs together: nodes whose keys tie with the goal's may be other ones than those
    // of A*, and on the grid of 6 neighbours more.
    for (uint32_t i = 0; i < ALGOS; ++i)
        assert_true(expanded[FOLLOWS][i] < astar[FOLLOWS][i]);
}

// ---------- a goal that moves in a world that stays: nothing is begun anew

static void test_goal_moves(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/adaptive-goal", 1);
    for (uint32_t i = 0; i < ALGOS; ++i)
        for (uint32_t k = 0; k < vnt_scale(8, 60); ++k) {
            totals t = {0};
            run r = {.mode = GROWS, .totals = &t};
            vn_replan_def def = vn_default_replan_def();
            def.algo = algos[i];
            run_begin(&r, seed + k, (vn_nav_graph_kind)(k % VN_NAV_GRAPH_KINDS), &def);
            assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);

            bool reached = true;
            for (uint32_t step = 0; step < 20; ++step) {
                vn_point next = r.start;
                const uint64_t paths = t.paths;
                check_plan(&r, &next);
                reached = reached && t.paths > paths;
                r.goal = any_point(&r);
                assert_int_equal(r.planner.move(r.planner.self, next, r.goal), VN_OK);
                r.start = next;
            }
            vn_plan plan;
            (void)r.planner.path(r.planner.self, &plan);
            if (reached) // a bound of a goal that cannot be reached cannot be lowered
                assert_int_equal(plan.restarts, 1);
            run_end(&r);
        }
}

// ---------- too little memory

static void test_capacity(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/adaptive-capacity", 1);
    uint32_t full = 0, recovered = 0;
    for (uint32_t k = 0; k < 24; ++k) {
        totals t = {0};
        run r = {.mode = GROWS, .totals = &t};
        vn_replan_def def = vn_default_replan_def();
        def.algo = algos[k % ALGOS];
        def.max_nodes = 64 * (6 + k);
        run_begin(&r, seed + k, VN_NAV_GRID26, &def);
        assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
        for (uint32_t step = 0; step < 30; ++step) {
            const vn_status status = r.planner.step(r.planner.self, UINT64_MAX);
            if (status == VN_CAPACITY) {
                // what earlier searches have left is forgotten
                ++full;
                const vn_status again = r.planner.step(r.planner.self, UINT64_MAX);
                recovered += again == VN_OK;
                assert_true(inside(&r)->core.nodes.pages_used <= 6 + k);
                if (again == VN_OK)
                    check_plan(&r, &(vn_point){0, 0, 0});
            } else {
                check_plan(&r, &(vn_point){0, 0, 0});
            }
            r.start = any_point(&r);
            assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        }
        run_end(&r);
    }
    printf("full %u times, %u of them found a path in the next step\n", full, recovered);
    assert_true(full > recovered);
    assert_true(recovered > 0);
}

/// Fails the allocation with this number. False: there was none.
static bool fail_at(vn_replan_algo algo, uint64_t number) {
    vnt_memory memory = vnt_memory_make();
    memory.fail_at = number;
    totals t = {0};
    run r = {.mode = ANYTHING, .totals = &t};
    world_make(&r.world, 7, NULL);
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    assert_int_equal(vn_nav_graph_create(r.world.nav, &graph_def, &r.graph, NULL), VN_OK);
    r.source = vn_nav_graph_source(r.graph);
    r.query = world_query();
    vn_replan_def def = vn_default_replan_def();
    def.allocator = vnt_memory_allocator(&memory);
    def.algo = algo;

    vn_detail detail;
    vn_status status = vn_replan_create(&r.source, &def, &r.planner, &detail);
    if (status != VN_OK) {
        assert_int_equal(status, VN_OUT_OF_MEMORY);
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
    }
    r.start = any_point(&r);
    r.goal = any_point(&r);
    status = r.planner.begin(r.planner.self, 0, r.start, r.goal, &detail);
    if (status != VN_OK) {
        assert_int_equal(status, VN_OUT_OF_MEMORY);
        assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
    }

    for (uint32_t step = 0; step < 30; ++step) {
        const uint64_t calls = memory.calls;
        check_plan(&r, &(vn_point){0, 0, 0});
        assert_int_equal(memory.calls, calls); // no allocation in a step
        world_change(&r.world);
        status = r.planner.advance(r.planner.self, 0, &detail);
        if (status == VN_OK)
            continue;
        assert_int_equal(status, VN_OUT_OF_MEMORY);
        assert_int_equal(r.planner.step(r.planner.self, 1), VN_OUT_OF_MEMORY);
        assert_int_equal(r.planner.advance(r.planner.self, 0, NULL), VN_OK);
    }

    run_end(&r);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
    return memory.failed;
}

static void test_failing_allocations(void** state) {
    (void)state;
    for (uint32_t i = 0; i < ALGOS; ++i) {
        uint64_t number = 0;
        while (fail_at(algos[i], number))
            ++number;
        printf("%s: %llu allocations\n", vn_replan_algo_name(algos[i]), (unsigned long long)number);
        assert_true(number > 7); // the planner, its points, its nodes, and some more as the cells grow
    }
}

static void test_names(void** state) {
    (void)state;
    for (uint32_t i = 0; i < ALGOS; ++i) {
        vn_replan_algo algo = VN_REPLAN_LPA;
        bool backward = true;
        assert_true(vn_replan_algo_from_name(vn_replan_algo_name(algos[i]), &algo, &backward));
        assert_int_equal(algo, algos[i]);
        assert_false(backward);
    }
    assert_null(vn_replan_algo_name(VN_REPLAN_ALGO_COUNT));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds), cmocka_unit_test(test_goal_moves),
        cmocka_unit_test(test_capacity),      cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
