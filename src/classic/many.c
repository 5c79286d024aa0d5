/// classic/many.c: the targets in their order, and one search that goes from one to the next.
#include "classic/many.h"
#include "geom/vec.h"

#include <string.h>

static bool is_theta(const vni_many* m) {
    return m->def.algo != VNI_MANY_BEST_FIRST;
}

/// Does the order of the open set depend on the target?
static bool has_aim(const vni_many* m) {
    return m->def.h_weight != 0;
}

/// Each target is searched for from scratch.
static bool is_single(const vni_many* m) {
    bool has_bound = m->cost->admissible && m->def.g_weight > 0;
    return m->def.sharing == VN_SHARING_EXACT && (is_theta(m) || (has_aim(m) && !has_bound));
}

/// Are costs that were found under keys for one target the least?
static bool is_optimal(const vni_many* m) {
    if (is_theta(m) || !(m->def.g_weight > 0))
        return false;
    return !has_aim(m) || (m->cost->admissible && m->def.h_weight <= m->def.g_weight);
}

// ----------------------------------------------------------------------------------------------- order

/// By distance, then position, so that targets at one point are neighbours, then number: total.
static bool comes_before(const vni_many_target* targets, vn_point source, uint32_t i, uint32_t k) {
    vn_point a = targets[i].point, b = targets[k].point;
    double da = vni_steps_between(source, a), db = vni_steps_between(source, b);
    if (da != db)
        return da < db;
    if (a.x != b.x)
        return a.x < b.x;
    if (a.y != b.y)
        return a.y < b.y;
    if (a.z != b.z)
        return a.z < b.z;
    if (targets[i].node != targets[k].node)
        return targets[i].node < targets[k].node;

    return i < k;
}

/// Lets the entry at `at` sink in the heap of the first `count`, the last in order at the top.
static void sink(vni_many_target* targets, vn_point source, uint32_t at, uint32_t count) {
    uint32_t moved = targets[at].order;
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count &&
            comes_before(targets, source, targets[child].order, targets[child + 1].order))
            ++child;

        if (!comes_before(targets, source, moved, targets[child].order))
            break;
        targets[at].order = targets[child].order;
        at = child;
    }

    targets[at].order = moved;
}

static void sort_targets(vni_many_target* targets, uint32_t count, vn_point source) {
    VNI_ASSERT(count < UINT32_MAX / 2);

    for (uint32_t i = 0; i < count; ++i)
        targets[i].order = i;

    for (uint32_t i = count / 2; i-- > 0;)
        sink(targets, source, i, count);

    for (uint32_t left = count; left-- > 1;) {
        uint32_t last = targets[0].order;
        targets[0].order = targets[left].order;
        targets[left].order = last;
        sink(targets, source, 0, left);
    }
}

static bool same_place(const vni_many_target* a, const vni_many_target* b) {
    return a->node == b->node && vni_is_same_point(a->point, b->point);
}

// ---------------------------------------------------------------------------------------------- search

uint64_t vni_many_expanded(const vni_many* m) {
    uint64_t now = is_theta(m) ? m->search.theta.expanded : m->search.best_first.expanded;
    return m->expanded + (m->begun ? now : 0);
}

uint64_t vni_many_touched(const vni_many* m) {
    uint64_t now = is_theta(m) ? m->search.theta.touched : m->search.best_first.touched;
    return m->touched + (m->begun ? now : 0);
}

uint64_t vni_many_sight_checks(const vni_many* m) {
    return m->sight_checks + (m->begun && is_theta(m) ? m->search.theta.sight_checks : 0);
}

/// A new search, without a memory of those before. What it returns is the status of the target.
static vn_status begin_search(vni_many* m, uint32_t goal) {
    m->expanded = vni_many_expanded(m);
    m->touched = vni_many_touched(m);
    m->sight_checks = vni_many_sight_checks(m);
    m->begun = false;
    uint64_t left = m->def.budget;

    if (left && m->expanded >= left)
        return VN_BUDGET_SPENT;
    left -= left ? m->expanded : 0;
    vn_status status;
    if (is_theta(m)) {
        vni_theta_def def = {.lazy = m->def.algo == VNI_MANY_LAZY_THETA,
                             .g_weight = m->def.g_weight,
                             .h_weight = m->def.h_weight,
                             .budget = left,
                             .every_sight = m->def.every_sight};
        status = vni_theta_begin(&m->search.theta, &def, m->graph, m->cost, m->scratch, m->start, goal);
        if (status == VN_OK)
            vni_theta_observe(&m->search.theta, m->observer);
    } else {
        vni_best_first_def def = {m->def.g_weight, m->def.h_weight, false, false, left};
        status =
            vni_best_first_begin(&m->search.best_first, &def, m->graph, m->cost, m->scratch, m->start, goal);
        m->search.best_first.observer = m->observer;
    }

    m->begun = status == VN_OK;
    return m->begun ? VN_RUNNING : status;
}

/// Turns the search that there is to the next target.
static vn_status turn_search(vni_many* m, uint32_t goal) {
    const bool rekey = has_aim(m) && m->def.sharing != VN_SHARING_KEPT_KEYS;
    vni_turn how = (vni_turn)((rekey ? VNI_TURN_NEW_KEYS : 0) | (m->def.aim != NULL ? VNI_TURN_MOVED : 0));
    vn_status status = is_theta(m) ? vni_theta_turn(&m->search.theta, goal, how)
                                   : vni_best_first_turn(&m->search.best_first, goal, how);
    if (status != VN_OK && has_aim(m) && !rekey)
        m->mixed = true;

    return status;
}

static void answer(vni_many* m, uint32_t index, vn_status status) {
    vni_many_target* target = &m->targets[index];
    target->status = status;
    target->cost = status == VN_OK ? vni_scratch_g(m->scratch, target->node) : 0;
    target->optimal = status == VN_OK && is_optimal(m) && !m->mixed;
    m->searching = false;
    ++m->answered;
}

/// Begins with the next target. VN_RUNNING, or its status.
static vn_status begin_target(vni_many* m, uint32_t index) {
    const vni_many_target* target = &m->targets[index];
    if (m->answered > 0) {
        const vni_many_target* last = &m->targets[m->targets[m->answered - 1].order];
        if (same_place(target, last))
            return last->status;
    }

    if (m->def.aim != NULL)
        m->def.aim(m->def.user, index);

    return m->begun && !is_single(m) ? turn_search(m, target->node) : begin_search(m, target->node);
}

vn_status vni_many_begin(vni_many* m, const vni_many_def* def, const vn_graph* graph, const vni_cost* cost,
                         vni_scratch* scratch, uint32_t start, vni_many_target* targets, uint32_t count) {
    VNI_ASSERT(start < graph->node_limit && (count == 0 || targets != NULL));
    VNI_ASSERT(def->g_weight >= 0 && def->h_weight >= 0);

    const uint32_t sees = def->algo == VNI_MANY_BEST_FIRST ? 0 : VN_GRAPH_SEES;
    const uint32_t reverses =
        def->algo == VNI_MANY_LAZY_THETA || def->aim != NULL ? VN_GRAPH_IS_SYMMETRIC : 0;
    memset(m, 0, sizeof *m);
    if ((graph->capabilities & (sees | reverses)) != (sees | reverses))
        return VN_UNSUPPORTED;

    vni_heap open;
    if (!vni_open_begin(&open, graph, scratch))
        return VN_CAPACITY;

    m->def = *def;
    m->graph = graph;
    m->cost = cost;
    m->scratch = scratch;
    m->start = start;
    m->targets = targets;

    m->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        VNI_ASSERT(targets[i].node < graph->node_limit);
        targets[i].status = VN_RUNNING;
    }

    vn_point source;
    graph->points(graph->self, &start, 1, &source);
    sort_targets(targets, count, source);
    return VN_OK;
}

vn_status vni_many_step(vni_many* m, uint64_t max_expansions, uint32_t* target) {
    *target = UINT32_MAX;
    if (m->answered == m->count)
        return VN_OK;

    uint32_t index = m->targets[m->answered].order;
    vn_status status = m->searching ? VN_RUNNING : begin_target(m, index);
    if (status == VN_RUNNING)
        status = is_theta(m) ? vni_theta_step(&m->search.theta, max_expansions)
                             : vni_best_first_step(&m->search.best_first, max_expansions);

    if (status == VN_RUNNING) {
        m->searching = true;
        return VN_RUNNING;
    }

    answer(m, index, status);
    *target = index;
    return m->answered == m->count ? VN_OK : VN_RUNNING;
}
