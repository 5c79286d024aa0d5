/// tests/unit/replan/field_world.h: a world with a planner, for the tests of Field D*, and the check of its
/// paths.
#ifndef VNT_FIELD_WORLD_H
#define VNT_FIELD_WORLD_H

#include "graph/cost.h"
#include "replan_world.h"

typedef struct run {
    replan_world world;
    vn_nav_graph* graph;
    vn_graph_source source;
    vn_planner planner;
    vn_point start, goal;
} run;

static inline vn_replan_def field_def(void) {
    vn_replan_def def = vn_default_replan_def();
    def.algo = VN_REPLAN_FIELD;
    return def;
}

static inline void run_free(run* r) {
    if (r->planner.self != NULL)
        r->planner.free(r->planner.self);
    vn_nav_graph_destroy(r->graph);
    world_free(&r->world);
}

static inline vn_status finish(const vn_planner* planner, uint64_t slice, vn_plan* plan) {
    vn_status status;
    do {
        status = planner->step(planner->self, slice);
        assert_int_equal(planner->path(planner->self, plan), status);
    } while (status == VN_RUNNING);
    return status;
}

/// The integral of the cells' costs along a path each of whose legs lies in one cell, or on a face or an edge
/// of several: then any of them may count.
static inline void integrate(const vn_graph* graph, const vn_point* p, uint32_t count, double out[2]) {
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

static inline void check_path(const run* r, const vn_plan* plan) {
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

#endif
