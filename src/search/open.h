/// search/open.h: what the graph searches have in common: the open set over a scratch, the nodes that an
/// expansion has just reached, and turning an open set to another goal.
///
/// Order of every open set: key, then lower bound, then the node's canonical key (its id, where the graph has
/// no `keys`): total, so that the same request always gives the same path, whatever ids history has given.
#ifndef VNI_SEARCH_OPEN_H
#define VNI_SEARCH_OPEN_H

#include "graph/cost.h"
#include "graph/fixed.h"
#include "graph/graph.h"
#include "graph/observer.h"
#include "search/scratch.h"

#include <string.h>

/// Nodes that an expansion reached for the first time: they wait for their lower bounds, which come in one
/// call.
typedef struct vni_fresh {
    uint32_t count;
    uint32_t ids[VN_EDGE_BATCH];
    uint32_t slots[VN_EDGE_BATCH];
    vn_point points[VN_EDGE_BATCH];
    double h[VN_EDGE_BATCH];
} vni_fresh;

static inline void vni_fresh_add(vni_fresh* fresh, uint32_t id, uint32_t slot) {
    VNI_ASSERT(fresh->count < VN_EDGE_BATCH);
    fresh->ids[fresh->count] = id;
    fresh->slots[fresh->count++] = slot;
}

/// Makes `node` the only fresh one, with its cost and parent. False if the scratch is full.
static inline bool vni_fresh_only(vni_fresh* fresh, vni_scratch* scratch, uint32_t node, double g,
                                  uint32_t parent) {
    uint32_t slot = vni_scratch_slot(scratch, node);
    fresh->count = 0;
    if (slot == UINT32_MAX)
        return false;

    vni_fresh_add(fresh, node, slot);
    scratch->nodes[slot].g = g;
    scratch->nodes[slot].parent = parent;
    return true;
}

/// Lower bounds, from `points` to `goal`, of the nodes whose points are known. Scaled ones are multiples of
/// the unit of costs again, as the edges are that vni_price_edges prices.
static inline void vni_fresh_bounds(vni_fresh* fresh, const vni_cost* cost, vn_point goal) {
    cost->lower_bounds(cost->self, fresh->points, fresh->count, goal, fresh->h);
    for (uint32_t i = 0; cost->least != 1 && i < fresh->count; ++i)
        fresh->h[i] = vni_cost_down(fresh->h[i] * cost->least);
}

/// The same for nodes whose points are fetched here.
static inline void vni_fresh_measure(vni_fresh* fresh, const vn_graph* graph, const vni_cost* cost,
                                     vn_point goal) {
    graph->points(graph->self, fresh->ids, fresh->count, fresh->points);
    vni_fresh_bounds(fresh, cost, goal);
}

/// What entries of the open set have as id: the canonical order of the fresh nodes, which is ids[i] itself
/// where the graph has no keys. A node follows from the slot of its entry (vni_scratch_node).
static inline void vni_fresh_order(const vni_fresh* fresh, const vn_graph* graph,
                                   uint32_t out[VN_EDGE_BATCH]) {
    if (graph->keys != NULL)
        graph->keys(graph->self, fresh->ids, fresh->count, out);
    else
        memcpy(out, fresh->ids, fresh->count * sizeof *out);
}

/// How a search that has ended goes on with another goal; bits.
typedef enum vni_turn {
    VNI_TURN_KEEP_KEYS = 0,
    VNI_TURN_NEW_KEYS = 1, ///< open nodes get keys for the new goal
    VNI_TURN_MOVED = 2 ///< the goal is the same node, but at another place and with other edges. It has not
                       ///< been expanded, and is on the path to no other node
} vni_turn;

/// What the edges from a node really cost, rounded up to the unit of costs (graph/fixed.h), for costs that
/// are not their length; of edges that bend, both parts.
void vni_price_edges(const vn_graph* graph, const vni_cost* cost, uint32_t from, const uint32_t* to,
                     uint32_t count, double* out);

/// The same for the edges from `to` to the node.
void vni_price_edges_back(const vn_graph* graph, const vni_cost* cost, uint32_t node, const uint32_t* to,
                          uint32_t count, double* out);

/// Cost of the way from a to b over `bend`, or straight if that is null; not rounded.
double vni_price_way(const vni_cost* cost, vn_point a, const vn_point* bend, vn_point b);

/// Forgets what is in the scratch and makes an empty open set over its memory, of all of its capacity. False
/// if the scratch is too small for the graph.
bool vni_open_begin(vni_heap* open, const vn_graph* graph, vni_scratch* scratch);

/// Puts the entries, whose keys have changed, in order again. About O(open).
void vni_open_sort(vni_heap* open);

/// New lower bounds, to `goal`, for all open nodes, and the keys g_weight * g + h_weight * h; then in order.
void vni_open_turn(vni_heap* open, const vn_graph* graph, const vni_cost* cost, const vni_scratch* scratch,
                   vn_point goal, double g_weight, double h_weight);

/// Makes a node unseen again, wherever it is.
void vni_open_forget(vni_heap* open, vni_scratch* scratch, uint32_t node);

#endif
