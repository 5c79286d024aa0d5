/// search/open.h: what the graph searches have in common: the open set over a scratch, the nodes that an
/// expansion has just reached, and turning an open set to another goal.
///
/// Order of every open set: key, then lower bound, then the graph's canonical order of nodes (`keys`; the id
/// where there is none): total, so that the same request always gives the same path, whatever ids the nodes
/// got in the course of time. vni_heap_entry.id holds that order; the node follows from the slot.
#ifndef VNI_SEARCH_OPEN_H
#define VNI_SEARCH_OPEN_H

#include "graph/cost.h"
#include "graph/graph.h"
#include "search/scratch.h"

#include <string.h>

/// Nodes that an expansion reached for the first time: they wait for their lower bounds, which come in one
/// call.
typedef struct vni_fresh {
    uint32_t count;
    uint32_t ids[VNI_EDGE_BATCH];
    uint32_t slots[VNI_EDGE_BATCH];
    vn_point points[VNI_EDGE_BATCH];
    double h[VNI_EDGE_BATCH];
} vni_fresh;

static inline void vni_fresh_add(vni_fresh* fresh, uint32_t id, uint32_t slot) {
    VNI_ASSERT(fresh->count < VNI_EDGE_BATCH);
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

/// The canonical order of the fresh nodes: ids[i] itself where the graph has no keys.
static inline void vni_fresh_order(const vni_fresh* fresh, const vni_graph* graph,
                                   uint32_t out[VNI_EDGE_BATCH]) {
    if (graph->keys != NULL)
        graph->keys(graph->self, fresh->ids, fresh->count, out);
    else
        memcpy(out, fresh->ids, fresh->count * sizeof *out);
}

/// Lower bounds, from `points` to `goal`, of the nodes whose points are known.
static inline void vni_fresh_bounds(vni_fresh* fresh, const vni_cost* cost, vn_point goal) {
    cost->lower_bounds(cost->self, fresh->points, fresh->count, goal, fresh->h);
    for (uint32_t i = 0; i < fresh->count; ++i)
        fresh->h[i] *= cost->least;
}

/// The same for nodes whose points are fetched here.
static inline void vni_fresh_measure(vni_fresh* fresh, const vni_graph* graph, const vni_cost* cost,
                                     vn_point goal) {
    graph->points(graph->self, fresh->ids, fresh->count, fresh->points);
    vni_fresh_bounds(fresh, cost, goal);
}

/// How a search that has ended goes on with another goal; bits.
typedef enum vni_turn {
    VNI_TURN_KEEP_KEYS = 0,
    VNI_TURN_NEW_KEYS = 1, ///< open nodes get keys for the new goal
    VNI_TURN_MOVED = 2 ///< the goal is the same node, but at another place and with other edges. It has not
                       ///< been expanded, and is on the path to no other node
} vni_turn;

/// What the edges from a node really cost, for costs that are not their length. Edges must be straight, as
/// those between centres of boxes (classic/views.h) may not be.
void vni_price_edges(const vni_graph* graph, const vni_cost* cost, uint32_t from, const uint32_t* to,
                     uint32_t count, double* out);

/// Forgets what is in the scratch and makes an empty open set over its memory, of all of its capacity. False
/// if the scratch is too small for the graph.
bool vni_open_begin(vni_heap* open, const vni_graph* graph, vni_scratch* scratch);

/// Puts the entries, whose keys have changed, in order again. About O(open).
void vni_open_sort(vni_heap* open);

/// New lower bounds, to `goal`, for all open nodes, and the keys g_weight * g + h_weight * h; then in order.
void vni_open_turn(vni_heap* open, const vni_graph* graph, const vni_cost* cost, const vni_scratch* scratch,
                   vn_point goal, double g_weight, double h_weight);

/// Makes a node unseen again, wherever it is.
void vni_open_forget(vni_heap* open, vni_scratch* scratch, uint32_t node);

#endif
