/// tests/unit/replan/plan_cases.h: the planners that tests go through, and what they promise.
#ifndef VNT_PLAN_CASES_H
#define VNT_PLAN_CASES_H

#include "replan_spaces.h"

typedef struct plan_case {
    const char* name;
    vn_replan_algo algo;
    bool backward;
    double weight;                ///< also the bound
    bool moves_start, moves_goal; ///< what the algorithm repairs
} plan_case;

static const plan_case plan_cases[] = {
    {"lpa-star", VN_REPLAN_LPA, false, 1, false, false},
    {"dstar-lite", VN_REPLAN_DSTAR_LITE, false, 1, true, false},
    {"dstar-lite x2", VN_REPLAN_DSTAR_LITE, false, 2, true, false},
    {"ad-star", VN_REPLAN_AD, false, 1, true, false},
    {"dstar", VN_REPLAN_DSTAR, false, 1, true, false},
    {"mtdstar-basic", VN_REPLAN_MT_BASIC, false, 1, true, true},
    {"mtdstar-basic-backward", VN_REPLAN_MT_BASIC, true, 1, true, true},
    {"mtdstar", VN_REPLAN_MT, false, 1, true, true},
    {"mtdstar-backward", VN_REPLAN_MT, true, 1, true, true},
};

enum { PLAN_CASES = sizeof plan_cases / sizeof *plan_cases };

static inline vn_replan_def plan_case_def(const plan_case* c) {
    vn_replan_def def = vn_default_replan_def();
    def.algo = c->algo;
    def.backward = c->backward;
    def.weight = c->weight;
    return def;
}

/// Compares a finished plan with a search from scratch on the same graph: status, cost, bound. Returns
/// whether there is a path.
static inline bool plan_case_check(const plan_case* c, vn_graph_query* query, const plan_space* s,
                                   vn_status status, const vn_plan* plan, vn_point start, vn_point goal,
                                   uint64_t* dijkstra) {
    const bool free_start = vn_space_point_free(space_voxels(s), start),
               free_goal = vn_space_point_free(space_voxels(s), goal);
    if (!free_start || !free_goal) {
        assert_int_equal(status, free_start ? VN_GOAL_BLOCKED : VN_START_BLOCKED);
        assert_int_equal(plan->point_count, 0);
        return false;
    }

    const double least = world_least(query, s->source.graph(s->source.self), dijkstra);
    const double slack = 1e-7 * (1 + least);
    assert_int_equal(status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
    if (status != VN_OK)
        return false;
    assert_true(plan->cost >= least - slack);
    assert_true(plan->cost <= c->weight * least + slack);
    assert_true(plan->bound <= c->weight);
    space_check_path(s, plan);
    return true;
}

#endif
