/// graph/graph.h: the interface between spaces and graph searches (volnav/graph.h) under its internal names.
///
/// Nodes are stable 32-bit ids below `node_limit`. Expansion is in batches: one call fills arrays with up to
/// VNI_EDGE_BATCH edges of a node, usually with all. Capability bits say what else a graph can do; a search
/// that needs a missing one refuses with VN_UNSUPPORTED when it begins. Read-only: any number of threads may
/// call it.
#ifndef VNI_GRAPH_GRAPH_H
#define VNI_GRAPH_GRAPH_H

#include "volnav/graph.h"

typedef vn_graph vni_graph;
typedef vn_edges vni_edges;

#define VNI_NO_NODE     VN_NO_NODE
#define VNI_EDGE_BATCH  VN_EDGE_BATCH
#define VNI_CAN_SEE     VN_GRAPH_SEES
#define VNI_CAN_REVERSE VN_GRAPH_IS_SYMMETRIC
#define VNI_IS_GRID     VN_GRAPH_IS_GRID

/// For a graph whose edges are symmetric: each is its own reverse.
static inline void vni_graph_set_symmetric(vn_graph* graph) {
    graph->capabilities |= VN_GRAPH_IS_SYMMETRIC | VN_GRAPH_REVERSES;
    graph->predecessors = graph->expand;
}

#endif
