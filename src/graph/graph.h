/// graph/graph.h: the interface between spaces and graph searches (volnav/graph.h) with what the library
/// adds.
///
/// Nodes are stable 32-bit ids below `node_limit`. Expansion is in batches: one call fills arrays with up to
/// VN_EDGE_BATCH edges of a node, usually with all. Capability bits say what else a graph can do; a search
/// that needs a missing one refuses with VN_UNSUPPORTED when it begins. Read-only: any number of threads may
/// call it.
#ifndef VNI_GRAPH_GRAPH_H
#define VNI_GRAPH_GRAPH_H

#include "volnav/graph.h"

/// For a graph whose edges are symmetric: each is its own reverse.
static inline void vni_graph_set_symmetric(vn_graph* graph) {
    graph->capabilities |= VN_GRAPH_IS_SYMMETRIC | VN_GRAPH_REVERSES;
    graph->predecessors = graph->expand;
}

/// Do straight lines cost other than their length? Then any-angle searches cannot say what they cost.
static inline bool vni_graph_has_zones(const vn_graph* graph) {
    return (graph->capabilities & VN_GRAPH_HAS_ZONES) || (graph->least != 0 && graph->least != 1);
}

#endif
