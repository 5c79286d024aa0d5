/// One source, many targets: every answer against a search of its own; exact costs equal, shared ones flagged
/// where they are not proven; the nearest first, targets at one place once.
#include "searches.h"

#include "classic/many.h"

#define TARGETS 24

/// A search with its weights.
typedef struct kind {
    vni_many_algo algo;
    double g_weight, h_weight;
} kind;

static const kind dijkstra = {VNI_MANY_BEST_FIRST, 1, 0}, astar = {VNI_MANY_BEST_FIRST, 1, 1},
                  weighted = {VNI_MANY_BEST_FIRST, 1, 1.7}, greedy = {VNI_MANY_BEST_FIRST, 0, 1},
                  theta = {VNI_MANY_THETA, 1, 1}, lazy = {VNI_MANY_LAZY_THETA, 1, 1};

static const char* const sharing_names[VN_SHARING_COUNT] = {"keyed anew", "exact", "keys kept"};

/// A scene with targets: on the grid any nodes, on portals places that the view's goal stands for in turn.
typedef struct crowd {
    vnt_scene scene;
    vni_many_target targets[TARGETS];
    uint32_t count, aimed;
} crowd;

/// Moves the goal of the view.
static void aim(void* user, uint32_t target) {
    crowd* c = user;
    vnt_scene_request(&c->scene, c->scene.start_point, c->targets[target].point);
    ++c->aimed;
}

static bool crowd_make(crowd* c, vni_rng* rng, vnt_scene_kind scene, int32_t limit) {
    memset(c, 0, sizeof *c);
    if (!vnt_scene_make(&c->scene, rng, scene, limit))
        return false;

    c->count = vni_rng_below(rng, TARGETS + 1);
    for (uint32_t i = 0; i < c->count; ++i) {
        vn_voxel voxel;
        if (!vnt_random_free_voxel(rng, &c->scene.voxels, &voxel))
            return false;

        c->targets[i].point = vn_voxel_center(voxel);
        if (i > 0 && vni_rng_below(rng, 5) == 0)
            c->targets[i].point = c->targets[vni_rng_below(rng, i)].point;

        c->targets[i].node = vnt_is_grid(&c->scene)
                                 ? vni_grid_node(&c->scene.grid, vnt_voxel_of(c->targets[i].point))
                                 : c->scene.goal;
    }

    return true;
}

static const vni_cost* cost_of(const crowd* c, const kind* k) {
    return k->algo == VNI_MANY_BEST_FIRST ? &c->scene.nearest : &c->scene.euclidean;
}

static void begin(crowd* c, const kind* k, vn_classic_sharing how, uint64_t budget, vni_many* out) {
    vni_many_def def = {k->algo, k->g_weight, k->h_weight, false, how, budget, NULL, NULL};
    if (!vnt_is_grid(&c->scene)) {
        def.aim = aim;
        def.user = c;
    }

    c->aimed = 0;
    assert_int_equal(vni_many_begin(out, &def, &c->scene.graph, cost_of(c, k), &c->scene.scratch,
                                    c->scene.start, c->targets, c->count),
                     VN_OK);
}

/// What searches of their own say, each from nothing.
typedef struct single {
    vn_status status;
    double cost, least;
    uint64_t expanded;
} single;

static single search_singly(crowd* c, const kind* k, uint32_t target) {
    vnt_scene* s = &c->scene;
    const uint32_t node = c->targets[target].node;
    single out = {0};
    if (!vnt_is_grid(s))
        aim(c, target);

    vn_status reached = vnt_best_first(s, cost_of(c, k), 1, 0, node, &out.least);
    if (k->algo == VNI_MANY_BEST_FIRST) {
        vni_best_first search;
        vni_best_first_def def = {k->g_weight, k->h_weight, false, false, 0};
        assert_int_equal(
            vni_best_first_begin(&search, &def, &s->graph, cost_of(c, k), &s->scratch, s->start, node),
            VN_OK);
        out.status = vni_best_first_step(&search, UINT64_MAX);
        out.expanded = search.expanded;
    } else {
        vni_theta search;
        vni_theta_def def = {.lazy = k->algo == VNI_MANY_LAZY_THETA, .g_weight = 1, .h_weight = k->h_weight};
        assert_int_equal(
            vni_theta_begin(&search, &def, &s->graph, cost_of(c, k), &s->scratch, s->start, node), VN_OK);
        out.status = vni_theta_step(&search, UINT64_MAX);
        out.expanded = search.expanded;
    }

    out.cost = out.status == VN_OK ? vni_scratch_g(&s->scratch, node) : 0;
    assert_int_equal(out.status, reached);
    return out;
}

/// The path to a target that has just been found.
static void check_path(const crowd* c, const kind* k, uint32_t target) {
    static vn_point points[VNT_MAX_POINTS];
    const vni_many_target* t = &c->targets[target];
    uint32_t count = vnt_route(&c->scene, t->node, k->algo != VNI_MANY_BEST_FIRST, points);
    double cost = vnt_route_cost(cost_of(c, k), points, count);
    assert_memory_equal(&points[0], &c->scene.start_point, sizeof points[0]);
    assert_memory_equal(&points[count - 1], &t->point, sizeof points[0]);
    assert_true(vn_space_check_path(c->scene.space, points, count, NULL));
    assert_true(vnt_close(cost, t->cost) || (vnt_may_bend(&c->scene) && cost < t->cost));
}

/// What the header promises of the cost.
static void check_cost(const kind* k, vn_classic_sharing how, const vni_many_target* t, const single* want) {
    const bool has_bound = k->algo == VNI_MANY_BEST_FIRST && k->g_weight > 0;
    const double weight = fmax(1, k->h_weight);
    if (k->algo == VNI_MANY_BEST_FIRST)
        assert_true(t->cost >= want->least - 1e-9);

    if (t->optimal)
        assert_true(vnt_close(t->cost, want->least));

    if (has_bound && (how != VN_SHARING_KEPT_KEYS || k->h_weight == 0)) {
        assert_true(t->cost <= weight * want->least + 1e-9);
        assert_int_equal(t->optimal, weight <= 1);
    } else if (!has_bound) {
        assert_false(t->optimal);
    }

    if (!has_bound && how == VN_SHARING_EXACT)
        assert_true(t->cost == want->cost); // the very same search
}

static void check_answer(const crowd* c, const kind* k, vn_classic_sharing how, uint32_t target,
                         const single* want) {
    const vni_many_target* t = &c->targets[target];
    assert_int_equal(t->status, want->status);
    if (t->status == VN_OK) {
        check_path(c, k, target);
        check_cost(k, how, t, want);
    } else {
        assert_false(t->optimal);
    }
}

typedef struct outcome {
    vnt_sum cost, single;
    uint64_t optimal, found, expanded, single_expanded;
} outcome;

static void run_crowd(crowd* c, const kind* k, vn_classic_sharing how, outcome* out) {
    single want[TARGETS];
    for (uint32_t i = 0; i < c->count; ++i)
        want[i] = search_singly(c, k, i);

    vni_many many;
    begin(c, k, how, 0, &many);
    const uint64_t calls = c->scene.memory.calls;
    double far = 0;

    vn_status status = VN_RUNNING;
    for (uint32_t answered = 0; status == VN_RUNNING; ++answered) {
        uint32_t target;
        status = vni_many_step(&many, UINT64_MAX, &target);
        if (c->count == 0)
            break;

        assert_true(target < c->count);
        assert_true(many.answered == answered + 1);
        check_answer(c, k, how, target, &want[target]);
        double distance = vni_distance(c->scene.start_point, c->targets[target].point);
        assert_true(distance >= far);

        far = distance;
        if (want[target].status == VN_OK) {
            vnt_sum_add(&out->cost, c->targets[target].cost);
            vnt_sum_add(&out->single, want[target].cost);
        }

        out->found += want[target].status == VN_OK;
        out->optimal += c->targets[target].optimal;
        out->single_expanded += want[target].expanded;
    }

    assert_int_equal(status, VN_OK);
    assert_int_equal(many.answered, c->count);
    assert_int_equal(c->scene.memory.calls, calls);
    out->expanded += vni_many_expanded(&many);
}

static outcome run_many(const char* name, uint64_t seed, const kind* k, vn_classic_sharing how,
                        uint32_t worlds) {
    vni_rng rng = vni_rng_make(vnt_seed(name, seed));
    outcome out = {0};
    for (uint32_t i = 0; i < worlds; ++i) {
        crowd c;
        if (crowd_make(&c, &rng, i % VNT_SCENE_KINDS, i % 8 == 0 ? 30 : 14))
            run_crowd(&c, k, how, &out);
        vnt_scene_free(&c.scene);
    }

    assert_true(out.found > worlds);
    print_message("%s, %s: cost %.3f of single, expanded %.3f, optimal %.2f\n", name, sharing_names[how],
                  out.cost.sum / out.single.sum, (double)out.expanded / (double)out.single_expanded,
                  (double)out.optimal / (double)out.found);
    return out;
}

static void test_dijkstra(void** state) {
    (void)state;
    for (int how = 0; how < VN_SHARING_COUNT; ++how) {
        outcome o = run_many("many dijkstra", 321, &dijkstra, (vn_classic_sharing)how, vnt_scale(14, 1050));
        assert_true(vnt_close(o.cost.sum, o.single.sum));
        assert_true(o.optimal == o.found);
        assert_true(o.expanded < o.single_expanded);
    }
}

static void test_astar(void** state) {
    (void)state;
    const uint32_t worlds = vnt_scale(28, 1050);
    outcome anew = run_many("many astar", 322, &astar, VN_SHARING_NEW_KEYS, worlds);
    outcome exact = run_many("many astar", 322, &astar, VN_SHARING_EXACT, worlds);
    outcome kept = run_many("many astar", 322, &astar, VN_SHARING_KEPT_KEYS, worlds);
    assert_true(vnt_close(exact.cost.sum, exact.single.sum));
    assert_true(anew.cost.sum == exact.cost.sum);
    assert_true(exact.optimal == exact.found);
    assert_true(exact.expanded < exact.single_expanded);
    assert_true(kept.optimal > 0);
    assert_true(kept.optimal < kept.found);

    assert_true(kept.cost.sum >= exact.cost.sum);
    assert_true(kept.expanded > exact.expanded);
    for (int how = 0; how < VN_SHARING_COUNT; ++how)
        run_many("many weighted", 323, &weighted, (vn_classic_sharing)how, vnt_scale(14, 1050));
}

static void test_greedy(void** state) {
    (void)state;
    for (int how = 0; how < VN_SHARING_COUNT; ++how)
        run_many("many greedy", 324, &greedy, (vn_classic_sharing)how, vnt_scale(14, 1050));
}

static void test_theta(void** state) {
    (void)state;
    const kind* kinds[2] = {&theta, &lazy};
    const char* names[2] = {"many theta", "many lazy"};
    for (int i = 0; i < 2; ++i) {
        for (int how = 0; how < VN_SHARING_COUNT; ++how) {
            outcome o = run_many(names[i], 325, kinds[i], (vn_classic_sharing)how, vnt_scale(14, 1050));
            assert_true(how == VN_SHARING_KEPT_KEYS || o.expanded < o.single_expanded);
            assert_true(how != VN_SHARING_NEW_KEYS || o.cost.sum < 1.03 * o.single.sum);
        }
    }
}

// -------------------------------------------------------------------------------------------- contract

/// A corridor one voxel wide: each target lies behind the one before.
static void test_corridor(void** state) {
    (void)state;
    const kind* kinds[6] = {&dijkstra, &astar, &weighted, &greedy, &theta, &lazy};
    const vn_voxel dims = {TARGETS + 1, 1, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    vni_grid grid;
    vni_scratch scratch;
    vni_cost cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    assert_int_equal(vni_grid_make(&space->occupancy, 26, &grid, NULL), VN_OK);
    vn_graph graph = vni_grid_graph(&grid);
    assert_int_equal(vni_scratch_make(&space->allocator, graph.node_limit, graph.node_limit, &scratch),
                     VN_OK);

    for (uint32_t i = 0; i < 18; ++i) {
        const kind* k = kinds[i % 6];
        vni_many_target targets[TARGETS] = {0};
        for (int32_t n = 0; n < TARGETS; ++n) {
            vn_voxel at = {n + 1, 0, 0};
            targets[n].node = vni_grid_node(&grid, at);
            targets[n].point = vn_voxel_center(at);
        }

        vni_many_def def = {k->algo, k->g_weight, k->h_weight, false, (vn_classic_sharing)(i / 6),
                            0,       NULL,        NULL};
        vni_many many;
        uint32_t target;
        assert_int_equal(vni_many_begin(&many, &def, &graph, &cost, &scratch, 0, targets, TARGETS), VN_OK);
        for (uint32_t n = 0; n < TARGETS; ++n) {
            vni_many_step(&many, UINT64_MAX, &target);
            assert_int_equal(target, n);
            assert_int_equal(targets[n].status, VN_OK);
            assert_true(targets[n].cost == n + 1);
        }
    }

    vni_scratch_free(&scratch);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// All targets at one place: one search, and the view is aimed once.
static void test_one_place(void** state) {
    (void)state;
    const kind* kinds[4] = {&dijkstra, &astar, &greedy, &lazy};
    vni_rng rng = vni_rng_make(vnt_seed("many one place", 326));
    for (uint32_t i = 0; i < vnt_scale(48, 400); ++i) {
        crowd c;
        const kind* k = kinds[i % 4];
        if (crowd_make(&c, &rng, i % VNT_SCENE_KINDS, 12) && c.count > 0) {
            for (uint32_t n = 1; n < c.count; ++n)
                c.targets[n] = c.targets[0];

            single want = search_singly(&c, k, 0);
            vni_many many;
            uint32_t target;
            begin(&c, k, (vn_classic_sharing)(i % 3), 0, &many);
            for (uint32_t n = 0; n < c.count; ++n) {
                vni_many_step(&many, UINT64_MAX, &target);
                assert_int_equal(target, n);
                check_answer(&c, k, (vn_classic_sharing)(i % 3), n, &want);
            }

            assert_int_equal(vni_many_expanded(&many), want.expanded);
            assert_int_equal(c.aimed, !vnt_is_grid(&c.scene));
        }

        vnt_scene_free(&c.scene);
    }
}

/// In slices everything is the same, bit for bit.
static void check_slices(crowd* c, const kind* k, vn_classic_sharing how) {
    vni_many_target want[TARGETS];
    vni_many many;
    uint32_t target;
    begin(c, k, how, 0, &many);
    while (vni_many_step(&many, UINT64_MAX, &target) == VN_RUNNING)
        ;

    const uint64_t expanded = vni_many_expanded(&many), checks = vni_many_sight_checks(&many);
    const uint64_t touched = vni_many_touched(&many);
    memcpy(want, c->targets, sizeof want);
    begin(c, k, how, 0, &many);
    while (vni_many_step(&many, 2, &target) == VN_RUNNING)
        ;

    assert_int_equal(vni_many_step(&many, 2, &target), VN_OK);
    assert_int_equal(target, UINT32_MAX);
    assert_true(vni_many_expanded(&many) == expanded);
    assert_true(vni_many_sight_checks(&many) == checks);
    assert_true(vni_many_touched(&many) == touched);
    for (uint32_t i = 0; i < c->count; ++i) {
        assert_true(c->targets[i].order == want[i].order);
        assert_true(c->targets[i].status == want[i].status);
        assert_true(c->targets[i].cost == want[i].cost);
        assert_true(c->targets[i].optimal == want[i].optimal);
    }
}

/// Answers under a limit: those that there are are as they were without it. Returns how many are missing.
static uint32_t check_limited(crowd* c, const kind* k, vn_classic_sharing how, uint64_t budget,
                              vn_status why) {
    vni_many many;
    uint32_t target, failed = 0;
    vni_many_target want[TARGETS];
    memcpy(want, c->targets, sizeof want);
    begin(c, k, how, budget, &many);

    vn_status status = VN_RUNNING;
    while (status == VN_RUNNING && c->count > 0) {
        status = vni_many_step(&many, UINT64_MAX, &target);
        const vni_many_target* t = &c->targets[target];
        assert_true(t->status == VN_OK || t->status == VN_NO_PATH || t->status == why);
        failed += t->status == why;
        if (t->status == VN_OK) {
            check_path(c, k, target);
            if (t->optimal)
                assert_true(vnt_close(t->cost, want[target].cost));
        }
    }

    assert_true(!budget || vni_many_expanded(&many) <= budget);
    memcpy(c->targets, want, sizeof want);
    return failed;
}

static void test_limits(void** state) {
    (void)state;
    const kind* kinds[5] = {&dijkstra, &astar, &greedy, &theta, &lazy};
    vni_rng rng = vni_rng_make(vnt_seed("many limits", 327));
    uint32_t without_room = 0;
    for (uint32_t i = 0; i < vnt_scale(70, 700); ++i) {
        crowd c;
        const kind* k = kinds[i % 5];
        const vn_classic_sharing how = (vn_classic_sharing)(i / 5 % 3);
        if (crowd_make(&c, &rng, i % VNT_SCENE_KINDS, 20) && c.count > 0) {
            check_slices(&c, k, how);
            vni_many many;
            uint32_t target, pages = 0;
            begin(&c, k, how, 0, &many);
            while (vni_many_step(&many, UINT64_MAX, &target) == VN_RUNNING)
                pages = c.scene.scratch.pages_used > pages ? c.scene.scratch.pages_used : pages;

            pages = c.scene.scratch.pages_used > pages ? c.scene.scratch.pages_used : pages;
            uint64_t expanded = vni_many_expanded(&many);
            if (expanded > 1) {
                uint64_t budget = 1 + vni_rng_below(&rng, (uint32_t)expanded - 1);
                assert_true(check_limited(&c, k, how, budget, VN_BUDGET_SPENT) > 0);
            }

            if (pages > 1) {
                vnt_scene_scratch(&c.scene, 64 * (1 + vni_rng_below(&rng, pages - 1)));
                without_room += check_limited(&c, k, how, 0, VN_CAPACITY);
            }
        }

        vnt_scene_free(&c.scene);
    }

    assert_true(without_room > 20);
}

static void test_refusals(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("many refusals", 328));
    crowd c;
    while (!crowd_make(&c, &rng, VNT_GRID_26, 12) || c.count == 0)
        vnt_scene_free(&c.scene);

    vni_many many;
    vn_graph graph = c.scene.graph;
    vni_many_def def = {VNI_MANY_LAZY_THETA, 1, 1, false, VN_SHARING_NEW_KEYS, 0, NULL, NULL};
    graph.capabilities = VN_GRAPH_SEES;
    assert_int_equal(vni_many_begin(&many, &def, &graph, &c.scene.euclidean, &c.scene.scratch, c.scene.start,
                                    c.targets, c.count),
                     VN_UNSUPPORTED);
    def.algo = VNI_MANY_THETA;
    assert_int_equal(vni_many_begin(&many, &def, &graph, &c.scene.euclidean, &c.scene.scratch, c.scene.start,
                                    c.targets, c.count),
                     VN_OK);
    def.aim = aim;
    assert_int_equal(vni_many_begin(&many, &def, &graph, &c.scene.euclidean, &c.scene.scratch, c.scene.start,
                                    c.targets, c.count),
                     VN_UNSUPPORTED);
    graph = c.scene.graph;
    graph.node_limit += 64;
    assert_int_equal(vni_many_begin(&many, &def, &graph, &c.scene.euclidean, &c.scene.scratch, c.scene.start,
                                    c.targets, c.count),
                     VN_CAPACITY);
    vnt_scene_free(&c.scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dijkstra), cmocka_unit_test(test_astar),
                                       cmocka_unit_test(test_greedy),   cmocka_unit_test(test_theta),
                                       cmocka_unit_test(test_corridor), cmocka_unit_test(test_one_place),
                                       cmocka_unit_test(test_limits),   cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("classic/many", tests, NULL, NULL);
}
