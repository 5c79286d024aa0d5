/// Field D*: its equations against numbers, its values against a fresh search and a slow solver after every
/// change, its paths against the checker.
#include "live/grid.h"
#include "path/refine.h"
#include "replan/field.h"
#include "replan_world.h"
#include "space/space.h"

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
    for (uint32_t i = 0; i < 44; ++i) {
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

typedef struct run {
    replan_world world;
    vn_nav_graph* graph;
    vn_graph_source source;
    vn_planner planner;
    vn_point start, goal;
} run;

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

static vn_replan_def field_def(void) {
    vn_replan_def def = vn_default_replan_def();
    def.algo = VN_REPLAN_FIELD;
    return def;
}

static void run_free(run* r) {
    if (r->planner.self != NULL)
        r->planner.free(r->planner.self);
    vn_nav_graph_destroy(r->graph);
    world_free(&r->world);
}

static vn_status finish(const vn_planner* planner, uint64_t slice, vn_plan* plan) {
    vn_status status;
    do {
        status = planner->step(planner->self, slice);
        assert_int_equal(planner->path(planner->self, plan), status);
    } while (status == VN_RUNNING);
    return status;
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
    return vni_field_end_cell(r->core.graph, VN_START_NODE, &start) ? vni_field_leaf_key(&f, start) : 0;
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

// ---------- paths

/// The integral of the cells' costs along a path each of whose legs lies in one cell, or on a face or an edge
/// of several: then any of them may count.
static void integrate(const vn_graph* graph, const vn_point* p, uint32_t count, double out[2]) {
    out[0] = out[1] = 0;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const double a[3] = {p[i].x, p[i].y, p[i].z}, b[3] = {p[i + 1].x, p[i + 1].y, p[i + 1].z};
        double least = HUGE_VAL, most = 0;
        for (uint32_t k = 0; k < 8; ++k) {
            int32_t at[3];
            for (uint32_t axis = 0; axis < 3; ++axis)
                at[axis] = (int32_t)floor((a[axis] + b[axis]) / 2048 + (k >> axis & 1 ? 1e-6 : -1e-6));
            const vn_voxel v = {at[0], at[1], at[2]};
            double cost;
            graph->cells->costs(graph->cells->self, &v, 1, &cost);
            least = fmin(least, cost);
            most = cost < HUGE_VAL ? fmax(most, cost) : most;
        }
        out[0] += least * vni_distance(p[i], p[i + 1]);
        out[1] += most * vni_distance(p[i], p[i + 1]);
    }
}

static void check_path(const run* r, const vn_plan* plan) {
    const vn_graph* graph = vn_nav_graph_get(r->graph);
    const uint32_t ends[2] = {VN_START_NODE, VN_GOAL_NODE};
    vn_point at[2];
    graph->points(graph->self, ends, 2, at);
    assert_true(vn_space_check_path(vn_nav_graph_space(r->graph), plan->points, plan->point_count, NULL));
    assert_memory_equal(&plan->points[0], &at[0], sizeof at[0]);
    assert_memory_equal(&plan->points[plan->point_count - 1], &at[1], sizeof at[1]);
    assert_true(plan->cost >= graph->least * vni_distance(at[0], at[1]) - 1e-9);
    double cost[2];
    integrate(graph, plan->points, plan->point_count, cost);
    assert_true(plan->cost > cost[0] - 1e-6);
    assert_true(plan->cost < cost[1] + 1e-6);
}

// ---------- the same values as a fresh search

typedef struct totals {
    uint64_t plans, paths, none, expanded, fresh, restarts, compared, solved, split;
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
    assert_int_equal(fresh.begin(fresh.self, r->start, r->goal, NULL), VN_OK);
    assert_int_equal(finish(&fresh, 1000000, &other), plan->status);
    t->fresh += other.expanded;

    vni_replan *mine = (vni_replan*)r->planner.self, *its = (vni_replan*)fresh.self;
    if (plan->status == VN_OK) {
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
    if (status == VN_OK && vni_rng_below(&r->world.rng, 8) == 0)
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
    const vn_replan_def def = field_def();
    assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
    assert_int_equal(r.planner.begin(r.planner.self, r.start, r.goal, NULL), VN_OK);
    check_plan(&r, t);

    for (uint32_t i = 0; i < steps; ++i) {
        change(&r);
        const bool moves_first = vni_rng_below(&r.world.rng, 2) == 0;
        if (moves_first)
            assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        assert_int_equal(r.planner.advance(r.planner.self, NULL), VN_OK);
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
    const uint32_t worlds = vnt_scale(30, 400), steps = vnt_scale(20, 50);
    totals t = {0};
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

/// In small worlds, all values against a solver that knows neither groups nor closed forms.
static void test_small_worlds(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/field/small", 1);
    const uint32_t worlds = vnt_scale(6, 40);
    uint64_t compared = 0;
    for (uint32_t done = 0, k = 0; done < worlds; ++k) {
        run r;
        run_make(&r, seed + k, k & 1, VN_NAV_GRID26, NULL);
        const vn_replan_def def = field_def();
        vn_plan plan;
        assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
        assert_int_equal(r.planner.begin(r.planner.self, r.start, r.goal, NULL), VN_OK);
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

// ---------- how good its paths are

enum { MOST_POINTS = 4096, QUALITY_SIZE = 28, QUALITY_BOXES = 40, QUALITY_ZONES = 6 };

/// Boxes lie between voxels, so that a voxel's cost is that of its centre all over; balls do not.
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

typedef struct quality {
    ratios raw, pruned, against_raw, straight;
    uint32_t kept, points;
} quality;

static void measure(run* r, const vni_cost* cost, quality* q) {
    static line field, astar, field_pruned, astar_pruned;
    vn_plan plan;
    if (finish(&r->planner, 1000000, &plan) != VN_OK)
        return;
    check_path(r, &plan);
    take_line(cost, plan.points, plan.point_count, &field);

    vn_graph_query* query = world_query();
    uint64_t expanded = 0;
    (void)world_least(query, vn_nav_graph_get(r->graph), &expanded);
    uint32_t count;
    const vn_point* points = vn_graph_query_points(query, &count);
    take_line(cost, points, count, &astar);
    vn_graph_query_destroy(query);
    if (astar.cost < 4)
        return;

    const vn_space* space = vn_nav_graph_space(r->graph);
    prune(space, cost, &field, &field_pruned, &q->kept);
    prune(space, cost, &astar, &astar_pruned, &q->kept);
    add_ratio(&q->raw, field.cost, astar.cost);
    add_ratio(&q->pruned, field_pruned.cost, astar_pruned.cost);
    add_ratio(&q->against_raw, field_pruned.cost, astar.cost);
    add_ratio(&q->straight, field.cost, field_pruned.cost);
    q->points += plan.point_count;
}

/// Returns the mean of the costs against A*, both pruned.
static double quality_of(const char* what, zone_mix zones) {
    const uint64_t seed = vnt_seed("replan/field/quality", 1);
    quality q = {0};
    for (uint32_t k = 0; k < vnt_scale(6, 100); ++k) {
        run r = {0};
        quality_world(&r.world, seed + k, zones);
        vn_nav_graph_def def = vn_default_nav_graph_def();
        def.kind = VN_NAV_GRID26;
        def.zones = zones != NO_ZONES;
        assert_int_equal(vn_nav_graph_create(r.world.nav, &def, &r.graph, NULL), VN_OK);
        r.source = vn_nav_graph_source(r.graph);
        const vn_replan_def planner_def = field_def();
        assert_int_equal(vn_replan_create(&r.source, &planner_def, &r.planner, NULL), VN_OK);
        const vni_live_grid* grid = (const vni_live_grid*)vn_nav_graph_get(r.graph)->self;
        const vni_cost length = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
        for (uint32_t i = 0; i < 10; ++i) {
            r.start = world_point(&r.world, vn_nav_graph_space(r.graph));
            r.goal = world_point(&r.world, vn_nav_graph_space(r.graph));
            assert_int_equal(r.planner.begin(r.planner.self, r.start, r.goal, NULL), VN_OK);
            measure(&r, zones != NO_ZONES ? &grid->cost : &length, &q);
        }
        run_free(&r);
    }

    printf("%s, %u paths, %.1f points, %u kept as they were:\n", what, q.raw.count,
           (double)q.points / q.raw.count, q.kept);
    print_ratios("field / A*", &q.raw);
    print_ratios("field / A*, both pruned", &q.pruned);
    print_ratios("field pruned / A*", &q.against_raw);
    print_ratios("field / field pruned", &q.straight);
    assert_true(q.raw.count > 25);
    return q.pruned.sum / q.pruned.count;
}

static void test_quality(void** state) {
    (void)state;
    assert_true(quality_of("uniform", NO_ZONES) <= 1.02);
    assert_true(quality_of("zones that are boxes", BOX_ZONES) <= 1.02);
    assert_true(quality_of("zones that are balls", BALL_ZONES) <= 1.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangle),      cmocka_unit_test(test_groups),
        cmocka_unit_test(test_random_worlds), cmocka_unit_test(test_small_worlds),
        cmocka_unit_test(test_quality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
