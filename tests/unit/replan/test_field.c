/// Field D*: its equations against numbers, its values against a fresh search and a slow solver after every
/// change, its paths against the checker.
#include "field_world.h"
#include "replan/field.h"

#include <stdio.h>
#include <stdlib.h>

// ---------- the triangle

typedef struct slope {
    double g[3], c, y;
    uint32_t edge;
} slope;

/// The sum to be made least, at (1, y, z).
static double sum_at(const slope* s, double y, double z) {
    return s->c * sqrt(1 + y * y + z * z) + s->g[0] + (s->g[1] - s->g[0]) * y + (s->g[2] - s->g[1]) * z;
}

static double at_z(const slope* s, double t) {
    return sum_at(s, s->y, t * s->y);
}

static double on_edge(const slope* s, double t) {
    static const double y[4] = {0, 1, 1, 0}, z[4] = {0, 0, 1, 0};
    const uint32_t i = s->edge;
    const double v = y[i] + t * (y[i + 1] - y[i]), w = z[i] + t * (z[i + 1] - z[i]);
    return s->g[i] + t * (s->g[(i + 1) % 3] - s->g[i]) + s->c * sqrt(1 + v * v + w * w);
}

/// The least of a convex function over [0, 1].
static double least_of(double (*f)(const slope*, double), const slope* s) {
    double low = 0, high = 1;
    for (uint32_t i = 0; i < 30; ++i) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (f(s, a) < f(s, b))
            high = b;
        else
            low = a;
    }
    return f(s, low);
}

static double at_y(const slope* s, double y) {
    slope at = *s;
    at.y = y;
    return least_of(at_z, &at);
}

/// By search; corners that are unknown leave an edge, a corner or nothing.
static double slow_triangle(const double g[3], double c) {
    slope s = {{g[0], g[1], g[2]}, c, 0, 0};
    double best = fmin(g[0] + c, fmin(g[1] + c * sqrt(2.0), g[2] + c * sqrt(3.0)));
    for (; s.edge < 3; ++s.edge)
        if (g[s.edge] < HUGE_VAL && g[(s.edge + 1) % 3] < HUGE_VAL)
            best = fmin(best, least_of(on_edge, &s));
    if (g[0] == HUGE_VAL || g[1] == HUGE_VAL || g[2] == HUGE_VAL)
        return best;
    return fmin(best, least_of(at_y, &s));
}

static void test_triangle(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("replan/field/triangle", 1));
    uint32_t inside = 0;
    for (uint32_t i = 0; i < vnt_scale(300, 5000); ++i) {
        const double c = 0.25 + vni_rng_real(&rng) * 3;
        double g[3];
        for (uint32_t k = 0; k < 3; ++k)
            g[k] = vni_rng_below(&rng, 8) == 0 ? HUGE_VAL : 5 - c * k * 0.5 + c * vni_rng_real(&rng);

        const double value = vni_field_triangle(g[0], g[1], g[2], c), slow = slow_triangle(g, c);
        if (slow == HUGE_VAL) {
            assert_true(value == HUGE_VAL);
            continue;
        }
        assert_true(fabs(value - slow) < 1e-6);

        // causality: what the search's bounds stand on
        const double M = (g[0] - g[1]) / c, N = (g[1] - g[2]) / c;
        if (0 < N && N < M && M * M < 1 - M * M - N * N) {
            ++inside;
            for (uint32_t k = 0; k < 3; ++k)
                assert_true(value >= g[k] + c * 0.577);
        }
    }
    assert_true(inside > 5);
}

static void test_groups(void** state) {
    (void)state;
    for (uint32_t mask = 0; mask < 256; ++mask) {
        double cost[8];
        uint32_t groups[VNI_FIELD_GROUPS], label[8], all = 0;
        for (uint32_t i = 0; i < 8; ++i) {
            cost[i] = mask >> i & 1 ? 1 : HUGE_VAL;
            label[i] = i;
        }
        for (uint32_t round = 0; round < 8; ++round)
            for (uint32_t i = 0; i < 8; ++i)
                for (uint32_t axis = 1; axis < 8; axis <<= 1)
                    if ((mask >> i & 1) && (mask >> (i ^ axis) & 1) && label[i ^ axis] < label[i])
                        label[i] = label[i ^ axis];

        vni_field_groups(cost, groups);
        for (uint32_t k = 0; k < VNI_FIELD_GROUPS; ++k) {
            assert_int_equal(all & groups[k], 0);
            all |= groups[k];
            for (uint32_t i = 0; i < 8; ++i)
                for (uint32_t j = 0; j < 8; ++j)
                    if (groups[k] >> i & 1)
                        assert_int_equal(groups[k] >> j & 1, (mask >> j & 1) && label[i] == label[j]);
        }
        assert_int_equal(all, mask);
    }
}

// ---------- a world, a planner and a solver

/// Single voxels at random, up to half of all: free ones meet at edges and corners everywhere.
static void noise_make(replan_world* w, uint64_t seed, const vn_allocator* memory) {
    memset(w, 0, sizeof *w);
    w->rng = vni_rng_make(seed);
    w->dims =
        (vn_voxel){vni_rng_range(&w->rng, 3, 8), vni_rng_range(&w->rng, 3, 8), vni_rng_range(&w->rng, 2, 8)};
    const uint32_t percent = (uint32_t)vni_rng_range(&w->rng, 10, 50);
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    const vn_shape unit = vnt_box_shape(vnt_vec(0.1f, 0.1f, 0.1f), vnt_vec(0.9f, 0.9f, 0.9f));
    for (int32_t i = 0; i < w->dims.x * w->dims.y * w->dims.z; ++i) {
        const float x = (float)(i % w->dims.x), y = (float)(i / w->dims.x % w->dims.y),
                    z = (float)(i / w->dims.x / w->dims.y);
        const vn_shape voxel =
            vnt_box_shape(vnt_vec(x + 0.1f, y + 0.1f, z + 0.1f), vnt_vec(x + 0.9f, y + 0.9f, z + 0.9f));
        vn_obstacle_id id;
        if (vni_rng_below(&w->rng, 100) < percent)
            assert_int_equal(vn_world_add(world, &voxel, &id, NULL), VN_OK);
    }
    for (uint32_t i = 0; i < WORLD_MOVERS; ++i) {
        const vn_transform at = world_spot(w);
        assert_int_equal(vn_world_add_moving(world, &unit, &at, &w->movers[i], NULL), VN_OK);
    }
    world_nav(w, world, memory);
}

static void run_make(run* r, uint64_t seed, bool zones, vn_nav_graph_kind kind, const vn_allocator* memory) {
    memset(r, 0, sizeof *r);
    if (seed % 3 == 0)
        noise_make(&r->world, seed, memory);
    else
        world_make(&r->world, seed, memory);
    if (zones)
        world_change_zone(&r->world);
    vn_nav_graph_def def = vn_default_nav_graph_def();
    def.kind = kind;
    def.zones = zones;
    assert_int_equal(vn_nav_graph_create(r->world.nav, &def, &r->graph, NULL), VN_OK);
    r->source = vn_nav_graph_source(r->graph);
    r->start = world_point(&r->world, vn_nav_graph_space(r->graph));
    r->goal = world_point(&r->world, vn_nav_graph_space(r->graph));
}

/// What corner t of a cell costs, by the planner; HUGE_VAL if it is not settled.
static double settled(vni_replan* r, vn_voxel cell, uint32_t t, double limit) {
    const vni_field f = vni_field_of(r);
    vni_field_cell c;
    vni_field_load(&f, cell, &c);
    const bool is_settled = c.g[t] < HUGE_VAL && c.g[t] == c.nodes[t]->rhs &&
                            c.g[t] + vni_field_bound(&f, vni_field_corner(cell, t)) <= limit;
    return is_settled ? c.g[t] : HUGE_VAL;
}

static double limit_of(vni_replan* r) {
    const vni_field f = vni_field_of(r);
    vn_voxel start;
    return vni_field_end_cell(r->core.graph, VN_START_NODE, &start) ? vni_field_leaf_key(&f, start, 1) : 0;
}

/// Costs by cell and corner, without groups: corners of cells that share a face are one.
typedef struct solver {
    const vn_grid_cells* cells;
    double* cost;  ///< of cells
    double* value; ///< of their corners
    bool fields;   ///< through faces, else from corner to corner
} solver;

static uint32_t cell_index(const solver* s, vn_voxel v) {
    return (uint32_t)((v.z * s->cells->dims.y + v.y) * s->cells->dims.x + v.x);
}

/// What corner t of a cell can be lowered to through that cell.
static double through(const solver* s, uint32_t cell, uint32_t t) {
    static const uint32_t first[6] = {1, 1, 2, 2, 4, 4}, second[6] = {3, 5, 3, 6, 5, 6};
    const double* v = &s->value[8 * cell];
    double best = v[t];
    for (uint32_t m = 1; m < 8; ++m) {
        const double far = sqrt((m & 1) + (m >> 1 & 1) + (double)(m >> 2));
        best = fmin(best, v[t ^ m] + s->cost[cell] * far);
    }
    for (uint32_t i = 0; i < 6 && s->fields; ++i) {
        const double g[3] = {v[t ^ first[i]], v[t ^ second[i]], v[t ^ 7]};
        if (fmin(g[0], fmin(g[1], g[2])) + s->cost[cell] < best)
            best = fmin(best, slow_triangle(g, s->cost[cell]));
    }
    return best;
}

/// The least of a corner over the cells that share it and a face with this one.
static double beside(const solver* s, vn_voxel v, uint32_t t) {
    double best = HUGE_VAL;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const int32_t to = t >> axis & 1 ? 1 : -1;
        const vn_voxel n = {v.x + (axis == 0 ? to : 0), v.y + (axis == 1 ? to : 0),
                            v.z + (axis == 2 ? to : 0)};
        const vn_voxel d = s->cells->dims;
        if (n.x < 0 || n.y < 0 || n.z < 0 || n.x >= d.x || n.y >= d.y || n.z >= d.z)
            continue;
        if (s->cost[cell_index(s, n)] < HUGE_VAL)
            best = fmin(best, s->value[8 * cell_index(s, n) + (t ^ 1u << axis)]);
    }
    return best;
}

/// One sweep over all cells, forward or backward; true if something fell.
static bool sweep(solver* s, bool back) {
    const vn_voxel d = s->cells->dims;
    const int32_t count = d.x * d.y * d.z;
    bool fell = false;
    for (int32_t k = 0; k < count; ++k) {
        const int32_t i = back ? count - 1 - k : k;
        const vn_voxel v = {i % d.x, i / d.x % d.y, i / d.x / d.y};
        for (uint32_t t = 0; t < 8 && s->cost[i] < HUGE_VAL; ++t) {
            const double value = fmin(through(s, (uint32_t)i, t), beside(s, v, t));
            fell = fell || value < s->value[8 * i + (int32_t)t] - 1e-12;
            s->value[8 * i + (int32_t)t] = fmin(s->value[8 * i + (int32_t)t], value);
        }
    }
    return fell;
}

static void solve(const vn_graph* graph, bool fields, solver* out) {
    *out = (solver){.cells = graph->cells, .fields = fields};
    const vn_voxel d = graph->cells->dims;
    const uint32_t count = (uint32_t)(d.x * d.y * d.z);
    out->cost = (double*)malloc(count * sizeof *out->cost);
    out->value = (double*)malloc(8 * count * sizeof *out->value);
    for (uint32_t i = 0; i < count; ++i) {
        const vn_voxel v = {(int32_t)i % d.x, (int32_t)i / d.x % d.y, (int32_t)i / d.x / d.y};
        graph->cells->costs(graph->cells->self, &v, 1, &out->cost[i]);
        for (uint32_t t = 0; t < 8; ++t)
            out->value[8 * i + t] = HUGE_VAL;
    }

    const uint32_t end = VN_GOAL_NODE;
    vn_point goal;
    graph->points(graph->self, &end, 1, &goal);
    const vn_voxel cell = {goal.x >> 10, goal.y >> 10, goal.z >> 10};
    for (uint32_t t = 0; t < 8; ++t)
        out->value[8 * cell_index(out, cell) + t] =
            out->cost[cell_index(out, cell)] * vni_distance(vni_field_point(vni_field_corner(cell, t)), goal);
    for (bool back = false; sweep(out, back) || sweep(out, !back); back = !back)
        continue;
}

static void solver_free(solver* s) {
    free(s->cost);
    free(s->value);
}

// ---------- the same values as a fresh search

typedef struct totals {
    uint64_t plans, paths, none, expanded, fresh, restarts, compared, solved, split;
    double weight, ratios, worst; ///< with a weight: costs of paths to those without
} totals;

/// How many corners have several groups.
static uint64_t count_split(vni_replan* r) {
    const vni_plan_nodes* nodes = &r->core.nodes;
    const vni_field f = vni_field_of(r);
    uint64_t count = 0;
    for (uint32_t slot = 0; slot < nodes->pages_used << 6; ++slot) {
        const uint32_t id = vni_plan_id(nodes, slot);
        count += id >= VN_FIRST_NODE + f.corners && id < VN_FIRST_NODE + 2 * f.corners &&
                 vni_field_mask(&nodes->nodes[slot]) != 0;
    }
    return count;
}

/// All corners that both have settled cost the same, and so do the paths.
static void compare_fresh(run* r, const vn_plan* plan, totals* t) {
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    graph_def.kind = vn_nav_graph_get(r->graph)->cells->neighbours == 6 ? VN_NAV_GRID6 : VN_NAV_GRID26;
    graph_def.zones = r->world.zone.index1 != 0;
    vn_nav_graph* graph;
    assert_int_equal(vn_nav_graph_create(r->world.nav, &graph_def, &graph, NULL), VN_OK);
    const vn_graph_source source = vn_nav_graph_source(graph);
    const vn_replan_def def = field_def();
    vn_planner fresh;
    vn_plan other;
    assert_int_equal(vn_replan_create(&source, &def, &fresh, NULL), VN_OK);
    assert_int_equal(fresh.begin(fresh.self, 0, r->start, r->goal, NULL), VN_OK);
    assert_int_equal(finish(&fresh, 1000000, &other), plan->status);
    t->fresh += other.expanded;

    vni_replan *mine = (vni_replan*)r->planner.self, *its = (vni_replan*)fresh.self;
    if (plan->status == VN_OK && t->weight > 1) {
        const double ratio = other.cost > 0 ? plan->cost / other.cost : 1;
        t->ratios += ratio;
        t->worst = fmax(t->worst, ratio);
    } else if (plan->status == VN_OK) {
        const double limit = limit_of(its);
        assert_true(fabs(limit_of(mine) - limit) < 1e-9);
        const vn_voxel d = r->world.dims;
        for (int32_t i = 0; i < d.x * d.y * d.z * 8; ++i) {
            const vn_voxel v = {i / 8 % d.x, i / 8 / d.x % d.y, i / 8 / d.x / d.y};
            const double b = settled(its, v, (uint32_t)i & 7, limit - 1e-9);
            if (b == HUGE_VAL)
                continue;
            assert_true(fabs(settled(mine, v, (uint32_t)i & 7, limit) - b) < 1e-9);
            ++t->compared;
        }
        assert_true(fabs(other.cost - plan->cost) < 1e-9);
    }
    fresh.free(fresh.self);
    vn_nav_graph_destroy(graph);
}

/// No corner costs more than from corner to corner, nor less than straight.
static void compare_bounds(run* r, totals* t) {
    const vn_graph* graph = vn_nav_graph_get(r->graph);
    vni_replan* mine = (vni_replan*)r->planner.self;
    const double limit = limit_of(mine);
    const vn_voxel d = r->world.dims;
    solver s;
    solve(graph, false, &s);
    for (int32_t i = 0; i < d.x * d.y * d.z * 8; ++i) {
        const vn_voxel v = {i / 8 % d.x, i / 8 / d.x % d.y, i / 8 / d.x / d.y};
        const double value = settled(mine, v, (uint32_t)i & 7, limit);
        if (value == HUGE_VAL || s.cost[i / 8] == HUGE_VAL)
            continue;
        const vn_point at = vni_field_point(vni_field_corner(v, (uint32_t)i & 7));
        assert_true(value <= s.value[i] + 1e-9);
        assert_true(value >= graph->least * vni_distance(at, mine->field.goal) - 1e-9);
        ++t->solved;
    }
    solver_free(&s);
}

static void check_plan(run* r, totals* t) {
    vn_plan plan;
    const vn_status status = finish(&r->planner, 1 + vni_rng_below(&r->world.rng, 400), &plan);
    const vn_space* space = vn_nav_graph_space(r->graph);
    t->expanded += plan.expanded;
    ++t->plans;
    if (!vn_space_point_free(space, r->start) || !vn_space_point_free(space, r->goal)) {
        assert_true(status == VN_START_BLOCKED || status == VN_GOAL_BLOCKED);
        return;
    }

    uint64_t expanded = 0;
    vn_graph_query* query = world_query();
    const double least = world_least(query, vn_nav_graph_get(r->graph), &expanded);
    vn_graph_query_destroy(query);
    assert_int_equal(status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
    ++*(status == VN_OK ? &t->paths : &t->none);
    if (status == VN_OK)
        check_path(r, &plan);
    compare_fresh(r, &plan, t);
    if (status == VN_OK && t->weight == 1 && vni_rng_below(&r->world.rng, 8) == 0)
        compare_bounds(r, t);
}

static void change(run* r) {
    const uint32_t what = vni_rng_below(&r->world.rng, 8);
    if (r->world.zone.index1 != 0 && what < 2)
        world_change_zone(&r->world);
    for (uint32_t v = what == 1 ? 2 + WORLD_HISTORY * vni_rng_below(&r->world.rng, 2) : 1; v > 0; --v)
        world_change(&r->world);
    if (what >= 3 && what < 6) {
        // to the voxel beside, or anywhere
        const vn_point to = {r->start.x + 1024 * vni_rng_range(&r->world.rng, -1, 1), r->start.y, r->start.z};
        const bool is_inside = to.x > 0 && to.x < 1024 * r->world.dims.x;
        r->start = what < 5 && is_inside ? to : world_point(&r->world, vn_nav_graph_space(r->graph));
    }
    if (what == 6 && vni_rng_below(&r->world.rng, 4) == 0)
        r->goal = world_point(&r->world, vn_nav_graph_space(r->graph));
}

static void one_world(uint64_t seed, uint32_t steps, totals* t) {
    run r;
    run_make(&r, seed, seed & 1, seed & 2 ? VN_NAV_GRID26 : VN_NAV_GRID6, NULL);
    vn_replan_def def = field_def();
    def.weight = t->weight;
    assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
    assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
    check_plan(&r, t);

    for (uint32_t i = 0; i < steps; ++i) {
        change(&r);
        const bool moves_first = vni_rng_below(&r.world.rng, 2) == 0;
        if (moves_first)
            assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        assert_int_equal(r.planner.advance(r.planner.self, 0, NULL), VN_OK);
        if (!moves_first)
            assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        if (vni_rng_below(&r.world.rng, 8) == 0)
            (void)r.planner.step(r.planner.self, vni_rng_below(&r.world.rng, 20)); // and goes on unfinished
        else
            check_plan(&r, t);
    }

    vn_plan plan;
    (void)r.planner.path(r.planner.self, &plan);
    t->restarts += plan.restarts;
    t->split += count_split((vni_replan*)r.planner.self);
    run_free(&r);
}

static void test_random_worlds(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/field", 1);
    const uint32_t worlds = vnt_scale(30, 200), steps = vnt_scale(20, 50);
    totals t = {.weight = 1};
    for (uint32_t i = 0; i < worlds; ++i)
        one_world(seed + i, steps, &t);
    printf("field-dstar: %llu plans, %llu paths, %llu none; %llu expanded (fresh: %llu), %llu restarts; %llu "
           "corners as fresh, %llu within bounds, %llu split\n",
           (unsigned long long)t.plans, (unsigned long long)t.paths, (unsigned long long)t.none,
           (unsigned long long)t.expanded, (unsigned long long)t.fresh, (unsigned long long)t.restarts,
           (unsigned long long)t.compared, (unsigned long long)t.solved, (unsigned long long)t.split);
    assert_true(t.paths > t.plans / 3);
    assert_true(t.expanded < t.fresh);
    assert_true(t.none > 0);
    assert_true(t.compared > 0);
    assert_true(t.solved > 0);
    assert_true(t.split > 0);
}

/// With a weight paths stay valid and statuses right; with a small one, costs are nearly the same.
static void test_weights(void** state) {
    (void)state;
    static const double weights[3] = {1.732, 3, 1000};
    const uint64_t seed = vnt_seed("replan/field/weights", 1);
    for (uint32_t k = 0; k < 3; ++k) {
        totals t = {.weight = weights[k]};
        for (uint32_t i = 0; i < vnt_scale(15, 100); ++i)
            one_world(seed + i, vnt_scale(15, 50), &t);
        printf("weight %g: %llu paths, mean %.4f, worst %.4f; %llu expanded (fresh without: %llu)\n",
               t.weight, (unsigned long long)t.paths, t.ratios / (double)t.paths, t.worst,
               (unsigned long long)t.expanded, (unsigned long long)t.fresh);
        if (weights[k] < 10)
            assert_true(t.ratios < (k == 0 ? 1.01 : 1.1) * (double)t.paths);
        assert_true(t.expanded < t.fresh);
    }
}

/// In small worlds, all values against a solver that knows neither groups nor closed forms.
static void test_small_worlds(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/field/small", 1);
    const uint32_t worlds = vnt_scale(4, 40);
    uint64_t compared = 0;
    for (uint32_t done = 0, k = 0; done < worlds; ++k) {
        run r;
        run_make(&r, seed + k, k & 1, VN_NAV_GRID26, NULL);
        const vn_replan_def def = field_def();
        vn_plan plan;
        assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
        assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
        const vn_voxel d = r.world.dims;
        if (d.x * d.y * d.z <= 200 && finish(&r.planner, 1000000, &plan) == VN_OK) {
            vni_replan* mine = (vni_replan*)r.planner.self;
            solver s;
            solve(vn_nav_graph_get(r.graph), true, &s);
            for (int32_t i = 0; i < d.x * d.y * d.z * 8; ++i) {
                const vn_voxel v = {i / 8 % d.x, i / 8 / d.x % d.y, i / 8 / d.x / d.y};
                const double value = settled(mine, v, (uint32_t)i & 7, limit_of(mine));
                if (value == HUGE_VAL)
                    continue;
                assert_true(fabs(value - s.value[i]) < 1e-6);
                ++compared;
            }
            solver_free(&s);
            ++done;
        }
        run_free(&r);
    }
    printf("field-dstar: %llu corners as solved\n", (unsigned long long)compared);
    assert_true(compared > 100);
}

// ---------- limits

/// The first world with a path from corner to corner.
static void make_open(run* r, vn_point* near, vn_point* far) {
    const vn_replan_def def = field_def();
    for (uint64_t seed = 1;; ++seed) {
        vn_plan plan;
        run_make(r, seed, false, VN_NAV_GRID26, NULL);
        const vn_voxel d = r->world.dims;
        *near = vn_voxel_center((vn_voxel){0, 0, 0});
        *far = vn_voxel_center((vn_voxel){d.x - 1, d.y - 1, d.z - 1});
        assert_int_equal(vn_replan_create(&r->source, &def, &r->planner, NULL), VN_OK);
        assert_int_equal(r->planner.begin(r->planner.self, 0, *near, *far, NULL), VN_OK);
        const bool is_open = finish(&r->planner, 1000000, &plan) == VN_OK && plan.expanded > 300;
        r->planner.free(r->planner.self);
        r->planner.self = NULL;
        if (is_open)
            return;
        run_free(r);
    }
}

static void test_capacity(void** state) {
    (void)state;
    run r;
    vn_point near, far;
    make_open(&r, &near, &far);
    vn_replan_def def = field_def();
    def.max_nodes = 192;
    vn_plan plan;
    assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
    assert_int_equal(r.planner.begin(r.planner.self, 0, near, far, NULL), VN_OK);
    assert_int_equal(finish(&r.planner, 1000000, &plan), VN_CAPACITY);
    assert_int_equal(plan.point_count, 0);

    // the next one that fits is found
    assert_int_equal(r.planner.move(r.planner.self, near, near), VN_OK);
    assert_int_equal(finish(&r.planner, 1000000, &plan), VN_OK);
    assert_int_equal(plan.point_count, 1);
    assert_true(plan.cost == 0);
    assert_int_equal(r.planner.advance(r.planner.self, 0, NULL), VN_OK);
    assert_int_equal(finish(&r.planner, 1000000, &plan), VN_OK);
    r.planner.free(r.planner.self);

    // a path that is too long for its memory
    def.max_nodes = 0;
    def.max_points = 3;
    assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
    assert_int_equal(r.planner.begin(r.planner.self, 0, near, far, NULL), VN_OK);
    assert_int_equal(r.planner.step(r.planner.self, 1000000), VN_OK);
    assert_int_equal(r.planner.path(r.planner.self, &plan), VN_CAPACITY);
    assert_int_equal(plan.point_count, 0);
    run_free(&r);
}

/// Every allocation fails once: statuses say so, and the next call makes up for it.
static void test_out_of_memory(void** state) {
    (void)state;
    for (uint64_t fail = 0, done = 0; !done; ++fail) {
        run r;
        run_make(&r, 2, true, VN_NAV_GRID26, NULL);
        vnt_memory memory = vnt_memory_make();
        vn_replan_def def = field_def();
        def.allocator = vnt_memory_allocator(&memory);
        memory.fail_at = fail;
        vn_status status = vn_replan_create(&r.source, &def, &r.planner, NULL);
        if (status == VN_OK) {
            status = r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL);
            done = status == VN_OK;
            if (!done)
                assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
            vn_plan plan;
            (void)finish(&r.planner, 1000000, &plan);
            if (plan.status == VN_OK)
                check_path(&r, &plan);
            r.planner.free(r.planner.self);
        }
        assert_true(done || status == VN_OUT_OF_MEMORY);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        r.planner.self = NULL;
        run_free(&r);
    }
}

static void count_expansion(void* user, const vn_search_event* event) {
    assert_int_equal(event->kind, VN_SEARCH_EXPAND);
    assert_int_equal(event->point.x & 1023, 0); // a corner
    ++*(uint64_t*)user;
}

static void test_frame(void** state) {
    (void)state;
    vn_replan_algo algo;
    bool backward;
    assert_string_equal(vn_replan_algo_name(VN_REPLAN_FIELD), "field-dstar");
    assert_true(vn_replan_algo_from_name("field-dstar", &algo, &backward));
    assert_int_equal(algo, VN_REPLAN_FIELD);

    // cells that are no voxels have no corners
    run r;
    run_make(&r, 1, false, VN_NAV_CELLS_PORTAL, NULL);
    vn_replan_def def = field_def();
    assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_UNSUPPORTED);
    run_free(&r);

    // ids are 32 bits
    run_make(&r, 1, false, VN_NAV_GRID6, NULL);
    vn_graph graph = *vn_nav_graph_get(r.graph);
    vn_grid_cells cells = *graph.cells;
    graph.cells = &cells;
    assert_int_equal(vn_replan_supports(&graph, VN_REPLAN_FIELD, NULL), VN_OK);
    assert_int_equal(vni_field_usual_nodes(&graph), vni_field_node_limit(&graph));
    cells.dims = (vn_voxel){99, 99, 99};
    assert_int_equal(vni_field_usual_nodes(&graph), 1500000 + 24);
    cells.dims = (vn_voxel){1020, 1020, 1020};
    assert_int_equal(vn_replan_supports(&graph, VN_REPLAN_FIELD, NULL), VN_UNSUPPORTED);
    cells.dims = (vn_voxel){1000000, 1000000, 1000000};
    assert_int_equal(vn_replan_supports(&graph, VN_REPLAN_FIELD, NULL), VN_UNSUPPORTED);

    uint64_t seen = 0;
    def.observe = count_expansion;
    def.observe_user = &seen;
    vn_plan plan;
    assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
    const vn_point from = vn_voxel_center((vn_voxel){0, 0, 0});
    assert_int_equal(r.planner.begin(r.planner.self, 0, from, r.goal, NULL), VN_OK);
    assert_int_equal(finish(&r.planner, 1000000, &plan), VN_OK);
    assert_true(seen > 0);
    assert_int_equal(seen, plan.expanded);
    assert_true(plan.bound == 0);
    run_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangle),      cmocka_unit_test(test_groups),
        cmocka_unit_test(test_random_worlds), cmocka_unit_test(test_weights),
        cmocka_unit_test(test_small_worlds),  cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
