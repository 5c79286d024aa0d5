/// tests/unit/replan/toy_plans.h: planners on the graph of toy_source.h, and what they must find.
#ifndef VNT_TOY_PLANS_H
#define VNT_TOY_PLANS_H

#include "plan_cases.h"
#include "toy_source.h"

static inline vn_plan plan_of(vn_planner* p) {
    vn_plan plan;
    (void)p->path(p->self, &plan);
    return plan;
}

static inline vn_status finish(vn_planner* p) {
    vn_status status;
    do
        status = p->step(p->self, 1000);
    while (status == VN_RUNNING);
    return status;
}

/// The planner ends with this status, and with the least cost if it is VN_OK.
static inline void check_toy(vn_planner* p, const vn_graph_source* source, const plan_case* c,
                             vn_status expected) {
    uint64_t expanded = 0;
    assert_int_equal(finish(p), expected);
    const vn_plan plan = plan_of(p);
    assert_int_equal(plan.status, expected);
    if (expected != VN_OK) {
        assert_int_equal(plan.point_count, 0);
        return;
    }

    vn_graph_query* query = world_query();
    const double least = world_least(query, source->graph(source->self), &expanded);
    vn_graph_query_destroy(query);
    assert_true(plan.cost >= least - 1e-6);
    assert_true(plan.cost <= c->weight * least + 1e-6);
    assert_true(plan.point_count > 0);
}

#endif
