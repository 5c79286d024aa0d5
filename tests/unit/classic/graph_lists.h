/// tests/unit/classic/graph_lists.h: edges of a graph as lists, and checks that every graph must pass.
#ifndef GRAPH_LISTS_H
#define GRAPH_LISTS_H

#include "cmocka_all.h"
#include "volnav/graph.h"
#include <string.h>

/// All edges of a node, forwards or backwards.
typedef struct edge_list {
    uint32_t to[1024];
    double cost[1024];
    uint32_t count;
} edge_list;

static inline void list_edges(const vn_graph* graph, uint32_t id, bool back, edge_list* out) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    out->count = 0;
    do {
        const uint32_t n = (back ? graph->predecessors : graph->expand)(graph->self, id, &cursor, &edges);
        assert_true(n <= VN_EDGE_BATCH && out->count + n <= 1024);
        memcpy(out->to + out->count, to, n * sizeof *to);
        memcpy(out->cost + out->count, cost, n * sizeof *cost);
        out->count += n;
    } while (cursor != 0);
}

static inline bool has_edge(const edge_list* list, uint32_t to, double cost) {
    for (uint32_t i = 0; i < list->count; ++i)
        if (list->to[i] == to)
            return list->cost[i] == cost;
    return false;
}

/// Every edge that leaves one of the nodes [first, end) is among the predecessors of its target, and there
/// are as many predecessors as edges. All of these are nodes.
static inline void check_predecessors(const vn_graph* graph, uint32_t first, uint32_t end) {
    uint64_t forwards = 0, backwards = 0;
    for (uint32_t node = first; node < end; ++node) {
        edge_list out, in;
        list_edges(graph, node, false, &out);
        list_edges(graph, node, true, &in);
        forwards += out.count;
        backwards += in.count;
        for (uint32_t i = 0; i < out.count; ++i) {
            edge_list back;
            list_edges(graph, out.to[i], true, &back);
            assert_true(has_edge(&back, node, out.cost[i]));
        }
    }
    assert_int_equal(forwards, backwards);
}

#endif
