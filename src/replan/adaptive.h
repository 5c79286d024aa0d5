/// replan/adaptive.h: the loop that Adaptive A* and its kin share (Koenig and Likhachev 2006): A* from the
/// start, whose lower bounds to the goal get better with every search. Inside the module only.
///
/// After a search whose path costs f, an expanded node n with cost g(n) from the start has the bound f -
/// g(n): the search shows that no path over n is cheaper. Such *learnt* bounds are consistent, with those of
/// the cost for all other nodes: h(u) <= c(u, v) + h(v) for every edge. They stay so while costs only grow.
/// If a search is interrupted, f is the least key of its open set.
///
/// Costs that fell. Of an edge that became cheaper or came, the node that it leaves is in the list of
/// changes. The bound of a node that has learnt nothing is consistent on any graph; so after a change it is
/// enough to look at the edges that leave the changed nodes with learnt bounds. If one of them is too cheap
/// for its bound, or the graph's least cost fell, the planner begins anew. This is exact: a cost that fell
/// and spoils no bound is no reason to begin anew. Which costs changed need not be known.
///
/// A goal that moved, or whose edges changed. All learnt bounds are lowered by one amount, so that they are
/// consistent with the edges to the goal and with the other nodes' bounds of now (moving target adaptive A*:
/// Koenig, Likhachev and Sun 2007). It takes the edges to the goal: on a graph without predecessors the
/// planner begins anew.
///
/// Of the core it has the nodes and the open set. `rhs` is what a node has learnt; `parent` is the next node
/// on a way to the goal that an earlier search has found, so the core's root is the goal (`backward`); and
/// `previous` is, of a node that the search has reached, the one that it was reached from.
#ifndef VNI_REPLAN_ADAPTIVE_H
#define VNI_REPLAN_ADAPTIVE_H

#include "replan/family.h"

/// What a planner does differently. Null members: it has no use for earlier paths.
typedef struct vni_adaptive_rules {
    /// Does a node, which has learnt and has a parent, still know its way to the goal? Then the way costs
    /// what the node has learnt, and the search goes no further there.
    bool (*knows)(vni_replan* r, uint32_t id);

    /// `parent` is the next node on the way from `id`; or there is no such way any more. Null: only the
    /// record of `id` says so.
    void (*link)(vni_replan* r, uint32_t id, uint32_t parent);
    void (*cut)(vni_replan* r, uint32_t id);

    /// The goal has other edges.
    void (*goal_changed)(vni_replan* r);
} vni_adaptive_rules;

// The functions of a planner kind.
void vni_adaptive_begin(vni_replan* r, const vni_adaptive_rules* rules);
bool vni_adaptive_end_changed(vni_replan* r, uint32_t node, bool is_elsewhere);
void vni_adaptive_node_went(vni_replan* r, uint32_t id);
void vni_adaptive_node_changed(vni_replan* r, uint32_t id);
bool vni_adaptive_graph_changed(vni_replan* r, uint32_t nodes);
void vni_adaptive_apply(vni_replan* r);

/// The last step of a search also raises the bounds of all that it has expanded: a few instructions each.
vn_status vni_adaptive_step(vni_replan* r, uint64_t max_expansions);

/// Has the node a learnt bound? And which.
bool vni_adaptive_has_learnt(const vni_plan_node* node);
double vni_adaptive_learnt(const vni_replan* r, const vni_plan_node* node);

/// Is the edge to its parent in the graph of now, and the learnt bound of a node the cost of the way there?
bool vni_adaptive_fits(vni_replan* r, uint32_t id);

/// The lower bound of a node's cost to the goal, as the next search will have it. Also for tests.
double vni_adaptive_bound(vni_replan* r, uint32_t id);

#endif
