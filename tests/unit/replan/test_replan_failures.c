/// What a planner says when something is wrong, and how it recovers: memory, nodes, budget, versions that are
/// gone, calls in the wrong order, defs that cannot be.
#include "replan/nodes.h"
#include "toy_plans.h"

#include <stdio.h>

// ---------- names and defs

static void test_names(void** state) {
    (void)state;
    vn_replan_algo algo;
    bool backward;
    for (uint32_t i = 0; i < VN_REPLAN_ALGO_COUNT; ++i) {
        const char* name = vn_replan_algo_name((vn_replan_algo)i);
        assert_non_null(name);
        backward = true;
        assert_true(vn_replan_algo_from_name(name, &algo, &backward));
        assert_int_equal(algo, i);
        assert_false(backward);

        char turned[64];
        (void)snprintf(turned, sizeof turned, "%s-backward", name);
        const bool turns =
            i == VN_REPLAN_MT || i == VN_REPLAN_MT_BASIC || i == VN_REPLAN_AAMT || i == VN_REPLAN_AAMT_FAST;
        assert_int_equal(vn_replan_algo_from_name(turned, &algo, &backward), turns);
        if (turns) {
            assert_int_equal(algo, i);
            assert_true(backward);
        }
    }

    assert_null(vn_replan_algo_name(VN_REPLAN_ALGO_COUNT));
    assert_null(vn_replan_algo_name((vn_replan_algo)-1));
    assert_false(vn_replan_algo_from_name("", &algo, &backward));
    assert_false(vn_replan_algo_from_name("mtdstar-", &algo, &backward));
    assert_false(vn_replan_algo_from_name("mtdstar-backwards", &algo, &backward));
    assert_false(vn_replan_algo_from_name("lpa", &algo, &backward));
}

static void check_refused(const vn_graph_source* source, const vn_replan_def* def, vn_status expected,
                          const char* reason) {
    vn_planner planner = {.self = &planner};
    vn_detail detail;
    memset(&detail, 0, sizeof detail);
    assert_int_equal(vn_replan_create(source, def, &planner, &detail), expected);
    assert_non_null(strstr(detail.text, reason));
    assert_null(planner.self);
    assert_null(planner.free);
}

static void test_bad_defs(void** state) {
    (void)state;
    static toy t;
    const vn_graph_source source = toy_make(&t, 2);
    const vn_replan_def good = vn_default_replan_def();
    vn_replan_def def = good;
    def.cookie = 0;
    check_refused(&source, &def, VN_BAD_DEF, "vn_default_replan_def");
    def = good;
    def.allocator.alloc = NULL;
    check_refused(&source, &def, VN_BAD_ARGUMENT, "allocator");
    def = good;
    def.algo = VN_REPLAN_ALGO_COUNT;
    check_refused(&source, &def, VN_BAD_ARGUMENT, "no planner number");

    // numbers out of range, and those that are none
    const double wrong_weights[] = {0, 0.99, 1.01e6, (double)NAN, -1};
    for (uint32_t i = 0; i < sizeof wrong_weights / sizeof *wrong_weights; ++i) {
        double* const weights[] = {&def.weight, &def.ad_first, &def.ad_floor};
        for (uint32_t k = 0; k < 3; ++k) {
            def = good;
            *weights[k] = wrong_weights[i];
            check_refused(&source, &def, VN_BAD_ARGUMENT, "1 to 1e6");
        }
    }
    const double wrong_steps[] = {0, -1, (double)NAN};
    for (uint32_t i = 0; i < sizeof wrong_steps / sizeof *wrong_steps; ++i) {
        double* const steps[] = {&def.ad_step, &def.ad_restart, &def.voxel_size};
        for (uint32_t k = 0; k < 3; ++k) {
            def = good;
            *steps[k] = wrong_steps[i];
            check_refused(&source, &def, VN_BAD_ARGUMENT, "above 0");
        }
    }
}

/// What an algorithm says of a graph that can only be expanded; null: it needs no more.
static const char* reason_of(vn_replan_algo algo) {
    if (algo == VN_REPLAN_ADAPTIVE || algo == VN_REPLAN_MPAA || algo == VN_REPLAN_TREE_ADAPTIVE)
        return NULL;
    return algo == VN_REPLAN_FIELD ? "voxels of a grid" : "predecessors";
}

static void test_unsupported(void** state) {
    (void)state;
    static toy t;
    const vn_graph_source source = toy_make(&t, 2);
    vn_replan_def def = vn_default_replan_def();
    vn_detail detail;
    t.graph.capabilities = 0;
    for (uint32_t i = 0; i < VN_REPLAN_ALGO_COUNT; ++i) {
        def.algo = (vn_replan_algo)i;
        if (reason_of(def.algo) == NULL) {
            assert_int_equal(vn_replan_supports(&t.graph, def.algo, &detail), VN_OK);
            continue;
        }
        check_refused(&source, &def, VN_UNSUPPORTED, reason_of(def.algo));
        assert_int_equal(vn_replan_supports(&t.graph, (vn_replan_algo)i, &detail), VN_UNSUPPORTED);
        assert_non_null(strstr(detail.text, vn_replan_algo_name((vn_replan_algo)i)));
    }
    assert_int_equal(vn_replan_supports(&t.graph, VN_REPLAN_ALGO_COUNT, &detail), VN_BAD_ARGUMENT);

    t.graph.capabilities = VN_GRAPH_REVERSES | VN_GRAPH_SEES | VN_GRAPH_HAS_KINDS;
    for (uint32_t i = 0; i < VN_REPLAN_ALGO_COUNT; ++i) {
        def = vn_default_replan_def();
        def.algo = (vn_replan_algo)i;
        const bool is_field = i == VN_REPLAN_FIELD;
        assert_int_equal(vn_replan_supports(&t.graph, def.algo, &detail), is_field ? VN_UNSUPPORTED : VN_OK);
        def.backward = true;
        if (is_field)
            continue;
        if (i != VN_REPLAN_MT && i != VN_REPLAN_MT_BASIC && i != VN_REPLAN_AAMT && i != VN_REPLAN_AAMT_FAST)
            check_refused(&source, &def, VN_UNSUPPORTED, "one direction");
    }

    def = vn_default_replan_def();
    def.heuristic = VN_HEURISTIC_R16;
    check_refused(&source, &def, VN_UNSUPPORTED, "overestimates");
    def.heuristic = VN_HEURISTIC_OCTILE;
    check_refused(&source, &def, VN_UNSUPPORTED, "Euclidean");
    def.heuristic = VN_HEURISTIC_MANHATTAN;
    check_refused(&source, &def, VN_UNSUPPORTED, "Euclidean");

    plan_space s;
    space_make(&s, SPACE_GRID26, 5, NULL);
    check_refused(&s.source, &def, VN_UNSUPPORTED, "26 neighbours");
    space_free(&s);
}

// ---------- order

static void check_no_order(vn_planner* p) {
    const vn_point at = toy_point(3);
    vn_plan plan;
    assert_int_equal(p->move(p->self, at, at), VN_BAD_ORDER);
    assert_int_equal(p->advance(p->self, 0, NULL), VN_BAD_ORDER);
    assert_int_equal(p->step(p->self, 10), VN_BAD_ORDER);
    assert_int_equal(p->path(p->self, &plan), VN_BAD_ORDER);
    assert_int_equal(plan.status, VN_BAD_ORDER);
    assert_int_equal(plan.point_count, 0);
}

static void test_order(void** state) {
    (void)state;
    static toy t;
    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        const vn_graph_source source = toy_make(&t, 8);
        const vn_replan_def def = plan_case_def(&plan_cases[i]);
        vn_planner p;
        vn_plan plan;
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        check_no_order(&p);
        assert_int_equal(p.begin(p.self, 0, toy_point(0), toy_point(130), NULL), VN_OK);
        assert_int_equal(p.path(p.self, &plan), VN_RUNNING); // nothing has been looked at
        assert_int_equal(plan.point_count, 0);
        check_toy(&p, &source, &plan_cases[i], VN_OK);

        // one that cannot begin forgets what it had
        t.fails = true;
        vn_detail detail;
        memset(&detail, 0, sizeof detail);
        assert_int_equal(p.begin(p.self, 0, toy_point(0), toy_point(130), &detail), VN_OUT_OF_MEMORY);
        assert_non_null(strstr(detail.text, "memory"));
        check_no_order(&p);
        t.fails = false;
        assert_int_equal(p.begin(p.self, 0, toy_point(0), toy_point(131), NULL), VN_OK);
        check_toy(&p, &source, &plan_cases[i], VN_OK);
        p.free(p.self);
    }

    vn_planner none;
    const vn_graph_source source = toy_make(&t, 8);
    const vn_replan_def def = vn_default_replan_def();
    assert_int_equal(vn_replan_create(&source, &def, &none, NULL), VN_OK);
    none.free(NULL);
    none.free(none.self);
}

// ---------- memory

/// Fails every allocation of one call in turn; the last try succeeds. Returns how many failed.
typedef vn_status try_call(vn_planner* p, void* user);

static uint32_t fail_each(vnt_memory* memory, vn_planner* p, try_call* call, void* user) {
    for (uint32_t k = 0;; ++k) {
        memory->failed = false;
        memory->fail_at = memory->calls + k;
        const vn_status status = call(p, user);
        memory->fail_at = UINT64_MAX;
        assert_int_equal(status, memory->failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status == VN_OK)
            return k;
    }
}

typedef struct creation {
    const vn_graph_source* source;
    const vn_replan_def* def;
    const vnt_memory* memory;
} creation;

static vn_status try_create(vn_planner* p, void* user) {
    const creation* c = (const creation*)user;
    const vn_status status = vn_replan_create(c->source, c->def, p, NULL);
    if (status != VN_OK) {
        assert_int_equal(c->memory->live_blocks, 0);
        assert_null(p->self);
    }
    return status;
}

static vn_status try_begin(vn_planner* p, void* user) {
    (void)user;
    const vn_status status = p->begin(p->self, 0, toy_point(0), toy_point(TOY_ROW * 7 + 60), NULL);
    if (status != VN_OK)
        check_no_order(p);
    return status;
}

/// After a failure, the ends may move all the same; nothing else is to be had.
static vn_status try_advance(vn_planner* p, void* user) {
    (void)user;
    const vn_status status = p->advance(p->self, 0, NULL);
    if (status == VN_OK)
        return status;
    assert_int_equal(plan_of(p).status, VN_OUT_OF_MEMORY);
    assert_int_equal(p->step(p->self, 100), VN_OUT_OF_MEMORY);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(p->move(p->self, toy_point(i), toy_point(TOY_ROW * 7 + 50 + i)), VN_OK);
        assert_int_equal(p->step(p->self, 100), VN_OUT_OF_MEMORY);
        assert_int_equal(plan_of(p).point_count, 0);
    }
    return status;
}

static void test_memory(void** state) {
    (void)state;
    static toy t;
    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        const plan_case* c = &plan_cases[i];
        vnt_memory memory = vnt_memory_make();
        vn_replan_def def = plan_case_def(c);
        def.allocator = vnt_memory_allocator(&memory);
        const vn_graph_source source = toy_make(&t, 8);
        creation made = {&source, &def, &memory};
        vn_planner p;
        assert_int_equal(fail_each(&memory, &p, try_create, &made), 2);
        assert_int_equal(fail_each(&memory, &p, try_begin, NULL), 5); // four arrays and a table
        check_toy(&p, &source, c, VN_OK);

        // A changed world of the same size takes nothing; a larger one grows all arrays.
        toy_wall(&t, 2, true, 9);
        assert_int_equal(fail_each(&memory, &p, try_advance, NULL), 0);
        check_toy(&p, &source, c, VN_OK);
        for (uint32_t k = 0; k < 3; ++k) {
            t.rows += 16;
            toy_wall(&t, 5, k % 2 == 0, 40 + k);
            assert_int_equal(fail_each(&memory, &p, try_advance, NULL), 5);
            check_toy(&p, &source, c, VN_OK);
        }

        // begun again in the same world
        assert_int_equal(fail_each(&memory, &p, try_begin, NULL), 0);
        check_toy(&p, &source, c, VN_OK);
        p.free(p.self);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

/// A source that cannot advance stays at its version, and so does the plan; then all changes are made up for
/// without a restart.
static void test_source_memory(void** state) {
    (void)state;
    static toy t;
    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        const plan_case* c = &plan_cases[i];
        vn_replan_def def = plan_case_def(c);
        def.ad_restart = 1e9;
        const vn_graph_source source = toy_make(&t, 8);
        const vn_point start = toy_point(0), goal = toy_point(TOY_ROW * 7 + 60);
        vn_planner p;
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        assert_int_equal(p.begin(p.self, 0, start, goal, NULL), VN_OK);
        check_toy(&p, &source, c, VN_OK);

        t.fails = true;
        for (uint32_t k = 1; k < 4; ++k) {
            toy_wall(&t, 2 * k, true, 20 * k);
            assert_int_equal(p.advance(p.self, 0, NULL), VN_OUT_OF_MEMORY);
            assert_int_equal(p.step(p.self, 1000), VN_OUT_OF_MEMORY);
            assert_int_equal(plan_of(&p).version, 1);
            assert_int_equal(p.move(p.self, start, goal), VN_OK);
        }
        t.fails = false;
        assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
        check_toy(&p, &source, c, VN_OK);
        assert_int_equal(plan_of(&p).version, 4);
        assert_int_equal(plan_of(&p).restarts, 1);
        p.free(p.self);
    }
}

/// Sources allocate when their views are made, and never when they advance.
static void test_views_memory(void** state) {
    (void)state;
    for (uint32_t kind = SPACE_OCTREE_CENTRES; kind < SPACE_COUNT; ++kind) {
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        plan_space s;
        space_make(&s, (plan_space_kind)kind, 3, &allocator);
        const uint64_t blocks = memory.live_blocks;
        vn_status status = VN_OUT_OF_MEMORY;
        for (uint32_t k = 0; status != VN_OK; ++k) {
            memory.failed = false;
            memory.fail_at = memory.calls + k;
            vn_classic_view* tree = NULL;
            vn_roadmap_view* road = NULL;
            status = s.tree != NULL ? vn_classic_view_create(s.tree, VN_GRAPH_CENTRES, &tree, NULL)
                                    : vn_roadmap_view_create(s.road, &road, NULL);
            memory.fail_at = UINT64_MAX;
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_int_equal(status == VN_OK, tree != NULL || road != NULL);
            assert_true(k > 0 || status != VN_OK);
            vn_classic_view_destroy(tree);
            vn_roadmap_view_destroy(road);
            assert_int_equal(memory.live_blocks, blocks);
        }

        for (uint32_t i = 0; i < 12; ++i) {
            world_change(&s.world);
            const uint64_t calls = memory.calls, from = s.source.version(s.source.self);
            assert_int_equal(s.source.advance(s.source.self, 0), VN_OK);
            assert_true(s.source.version(s.source.self) == s.version);
            assert_true(memory.calls == calls);
            vn_node_changes changes;
            assert_int_equal(s.source.get_changes(s.source.self, from, &changes), VN_STALE);
            assert_int_equal(s.source.get_changes(s.source.self, s.version + 1, &changes), VN_STALE);
        }
        space_free(&s);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

// ---------- nodes

/// A pool that grows keeps what it knows; one that cannot has changed nothing.
static void test_pool(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_plan_nodes n;
    vni_plan_nodes_make(&allocator, &n);
    assert_true(vni_plan_nodes_grow(&n, 200, 200));
    for (uint32_t id = 0; id < 128; ++id) {
        n.nodes[vni_plan_slot(&n, id)].g = id;
        n.list[id] = 1000 - id;
    }
    vni_plan_set_parent(&n, 70, 3);

    bool grown = false;
    for (uint32_t k = 0; !grown; ++k) {
        const vni_plan_nodes before = n;
        memory.fail_at = memory.calls + k;
        grown = vni_plan_nodes_grow(&n, 5000, 5000);
        assert_true(grown || memcmp(&before, &n, sizeof n) == 0);
        assert_true(k > 0 || !grown);
    }
    for (uint32_t id = 0; id < 128; ++id) {
        assert_true(vni_plan_at(&n, id)->g == id);
        assert_int_equal(n.list[id], 1000 - id);
    }
    assert_int_equal(vni_plan_at(&n, 70)->parent, 3);
    assert_true(vni_plan_nodes_are_valid(&n));
    assert_true(vni_plan_slot(&n, 4999) != UINT32_MAX);
    vni_plan_nodes_free(&n);
    assert_int_equal(memory.live_blocks, 0);
}

static void test_nodes(void** state) {
    (void)state;
    static toy t;
    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        const plan_case* c = &plan_cases[i];
        vn_replan_def def = plan_case_def(c);
        def.max_nodes = 64 * 3; // the ends, and two rows
        const vn_graph_source source = toy_make(&t, 20);
        const vn_point start = toy_point(0), far = toy_point(TOY_ROW * 19 + 60), near = toy_point(40);
        vn_planner p;
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        assert_int_equal(p.begin(p.self, 0, start, far, NULL), VN_OK);
        check_toy(&p, &source, c, VN_CAPACITY);
        const uint64_t restarts = plan_of(&p).restarts;
        check_toy(&p, &source, c, VN_CAPACITY); // begun anew, and again too many
        assert_int_equal(plan_of(&p).restarts, restarts + 1);

        // A smaller world: behind a wall only one row is left, and the start moves there.
        toy_wall(&t, 1, true, TOY_ROW);
        assert_int_equal(p.move(p.self, start, near), VN_OK);
        assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
        check_toy(&p, &source, c, VN_OK);
        assert_true(plan_of(&p).restarts > restarts + 1);

        // And it is too large again, and small again.
        toy_wall(&t, 1, false, 0);
        assert_int_equal(p.move(p.self, start, far), VN_OK);
        assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
        check_toy(&p, &source, c, VN_CAPACITY);
        toy_wall(&t, 1, true, TOY_ROW);
        assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
        assert_int_equal(p.move(p.self, near, start), VN_OK);
        check_toy(&p, &source, c, VN_OK);
        p.free(p.self);
    }
}

/// A path of too many points is said to be one, and the plan stays.
static void test_points(void** state) {
    (void)state;
    static toy t;
    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        vn_replan_def def = plan_case_def(&plan_cases[i]);
        def.max_points = 10;
        const vn_graph_source source = toy_make(&t, 2);
        vn_planner p;
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        assert_int_equal(p.begin(p.self, 0, toy_point(0), toy_point(10), NULL), VN_OK);
        assert_int_equal(finish(&p), VN_OK);
        assert_int_equal(plan_of(&p).status, VN_CAPACITY);
        assert_int_equal(plan_of(&p).point_count, 0);
        assert_int_equal(p.move(p.self, toy_point(1), toy_point(10)), VN_OK);
        check_toy(&p, &source, &plan_cases[i], VN_OK);
        assert_int_equal(plan_of(&p).point_count, 10);
        p.free(p.self);
    }
}

// ---------- budget, and versions that are gone

typedef struct pair {
    plan_space space;
    vn_planner planner;
    vn_point points[512];
    uint32_t point_count;
    vn_plan plan;
} pair;

static void pair_begin(pair* p, plan_space_kind kind, const plan_case* c, uint64_t seed) {
    const vn_replan_def def = plan_case_def(c);
    space_make(&p->space, kind, seed, NULL);
    assert_int_equal(vn_replan_create(&p->space.source, &def, &p->planner, NULL), VN_OK);
    const vn_point start = world_point(&p->space.world, space_voxels(&p->space)),
                   goal = world_point(&p->space.world, space_voxels(&p->space));
    assert_int_equal(p->planner.begin(p->planner.self, 0, start, goal, NULL), VN_OK);
}

static vn_status pair_finish(pair* p, uint64_t slice) {
    vn_status status;
    do
        status = p->planner.step(p->planner.self, slice);
    while (status == VN_RUNNING);
    p->plan = plan_of(&p->planner);
    p->point_count = p->plan.point_count;
    assert_true(p->point_count <= 512);
    if (p->point_count > 0)
        memcpy(p->points, p->plan.points, p->point_count * sizeof *p->points);
    return status;
}

static void pair_end(pair* p) {
    p->planner.free(p->planner.self);
    space_free(&p->space);
}

/// Steps of one expansion find what a single step finds.
static void test_budget(void** state) {
    (void)state;
    static pair one, two;
    const uint64_t seed = vnt_seed("replan/budget", 1);
    for (uint32_t kind = 0; kind < SPACE_COUNT; ++kind)
        for (uint32_t i = 0; i < PLAN_CASES; ++i) {
            pair_begin(&one, (plan_space_kind)kind, &plan_cases[i], seed + i);
            pair_begin(&two, (plan_space_kind)kind, &plan_cases[i], seed + i);
            for (uint32_t k = 0; k < 6; ++k) {
                assert_int_equal(pair_finish(&one, 1), pair_finish(&two, UINT64_MAX));
                assert_true(one.plan.cost == two.plan.cost);
                assert_true(one.plan.bound == two.plan.bound);
                assert_true(one.plan.expanded == two.plan.expanded);
                assert_int_equal(one.point_count, two.point_count);
                assert_memory_equal(one.points, two.points, one.point_count * sizeof *one.points);
                world_change(&one.space.world);
                world_change(&two.space.world);
                assert_int_equal(one.planner.advance(one.planner.self, 0, NULL), VN_OK);
                assert_int_equal(two.planner.advance(two.planner.self, 0, NULL), VN_OK);
            }
            pair_end(&one);
            pair_end(&two);
        }
}

/// More versions than the history: the planner begins anew, once, and is right.
static void test_falls_behind(void** state) {
    (void)state;
    static pair p;
    const uint64_t seed = vnt_seed("replan/behind", 1);
    vn_graph_query* query = world_query();
    for (uint32_t kind = 0; kind < SPACE_COUNT; ++kind)
        for (uint32_t i = 0; i < PLAN_CASES; ++i) {
            pair_begin(&p, (plan_space_kind)kind, &plan_cases[i], seed + i);
            (void)pair_finish(&p, 1000);
            assert_int_equal(p.plan.restarts, 1);
            const uint64_t from = world_version(&p.space.world);
            while (world_version(&p.space.world) < from + WORLD_HISTORY + 2)
                world_change(&p.space.world);
            assert_int_equal(p.planner.advance(p.planner.self, 0, NULL), VN_OK);
            const vn_status status = pair_finish(&p, 1000);
            assert_int_equal(p.plan.restarts, 2);

            const vn_graph* graph = p.space.source.graph(p.space.source.self);
            const uint32_t ends[2] = {VN_START_NODE, VN_GOAL_NODE};
            vn_point at[2];
            uint64_t dijkstra = 0;
            graph->points(graph->self, ends, 2, at);
            if (status == VN_OK || status == VN_NO_PATH)
                (void)plan_case_check(&plan_cases[i], query, &p.space, status, &p.plan, at[0], at[1],
                                      &dijkstra);
            pair_end(&p);
        }
    vn_graph_query_destroy(query);
}

/// The same of a source that always says so.
static void test_no_changes(void** state) {
    (void)state;
    static toy t;
    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        const vn_graph_source source = toy_make(&t, 12);
        const vn_replan_def def = plan_case_def(&plan_cases[i]);
        vn_planner p;
        t.lies = true;
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        assert_int_equal(p.begin(p.self, 0, toy_point(0), toy_point(TOY_ROW * 7 + 60), NULL), VN_OK);
        for (uint32_t k = 1; k < 6; ++k) {
            check_toy(&p, &source, &plan_cases[i], VN_OK);
            assert_int_equal(plan_of(&p).restarts, k);
            toy_wall(&t, 2 * k, true, 10 * k);
            assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
        }
        p.free(p.self);
    }
}

/// Ends that come into sight of each other have an edge that is in no list of changes.
static void test_ends_meet(void** state) {
    (void)state;
    static toy t;
    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        const vn_graph_source source = toy_make(&t, 20);
        const vn_replan_def def = plan_case_def(&plan_cases[i]);
        const vn_point goal = toy_point(TOY_ROW * 10 + 30);
        vn_planner p;
        t.sight = 6;
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        assert_int_equal(p.begin(p.self, 0, toy_point(0), goal, NULL), VN_OK);
        check_toy(&p, &source, &plan_cases[i], VN_OK);
        for (uint32_t k = 0; k < 3; ++k) {
            assert_int_equal(p.move(p.self, toy_point(TOY_ROW * (7 + k) + 27), goal), VN_OK);
            check_toy(&p, &source, &plan_cases[i], VN_OK);
            assert_int_equal(plan_of(&p).point_count, 2);
            assert_int_equal(p.move(p.self, toy_point(k), goal), VN_OK);
            check_toy(&p, &source, &plan_cases[i], VN_OK);
            assert_true(plan_of(&p).point_count > 2);
        }
        p.free(p.self);
    }
}

/// An end that moves after a tree has followed, and before the planner has advanced, has no place yet.
static void test_stale_ends(void** state) {
    (void)state;
    static pair p;
    for (uint32_t kind = SPACE_OCTREE_CENTRES; kind < SPACE_HYBRID; ++kind) {
        pair_begin(&p, (plan_space_kind)kind, &plan_cases[1], 11);
        (void)pair_finish(&p, 1000);
        const uint64_t from = world_version(&p.space.world);
        while (world_version(&p.space.world) == from)
            world_change(&p.space.world);

        const vn_point start = world_point(&p.space.world, space_voxels(&p.space)),
                       goal = world_point(&p.space.world, space_voxels(&p.space));
        assert_int_equal(p.planner.move(p.planner.self, start, goal), VN_OK);
        assert_int_equal(p.planner.step(p.planner.self, 1000), VN_STALE);
        assert_int_equal(plan_of(&p.planner).point_count, 0);
        assert_int_equal(p.planner.advance(p.planner.self, 0, NULL), VN_OK);
        assert_int_not_equal(pair_finish(&p, 1000), VN_STALE);
        pair_end(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_bad_defs),
        cmocka_unit_test(test_unsupported),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_source_memory),
        cmocka_unit_test(test_views_memory), cmocka_unit_test(test_pool),
        cmocka_unit_test(test_nodes),        cmocka_unit_test(test_points),
        cmocka_unit_test(test_budget),       cmocka_unit_test(test_falls_behind),
        cmocka_unit_test(test_no_changes),   cmocka_unit_test(test_ends_meet),
        cmocka_unit_test(test_stale_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
