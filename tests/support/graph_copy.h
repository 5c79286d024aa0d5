/// tests/support/graph_copy.h: graphs as plain copies, which can be compared, and changed by what a delta
/// names.
#ifndef VNT_GRAPH_COPY_H
#define VNT_GRAPH_COPY_H

#include "cmocka_all.h"
#include "volnav/graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct live_edge {
    uint32_t to;
    double cost;
} live_edge;

typedef struct live_node {
    bool exists;
    uint32_t key;
    vn_point point;
    live_edge* edges; ///< sorted by `to`
    uint32_t count;
} live_node;

typedef struct live_copy {
    live_node* nodes;
    uint32_t limit;
} live_copy;

static inline int live_by_id(const void* a, const void* b) {
    const uint32_t x = ((const live_edge*)a)->to, y = ((const live_edge*)b)->to;
    return x < y ? -1 : x > y;
}

/// The edges of a node, without duplicates.
static inline void live_copy_edges(const vn_graph* graph, uint32_t id, live_node* out) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    free(out->edges);
    out->edges = NULL;
    out->count = 0;
    do {
        const uint32_t more = graph->expand(graph->self, id, &cursor, &edges);
        assert_true(more <= VN_EDGE_BATCH);
        out->edges = realloc(out->edges, (out->count + more + 1) * sizeof *out->edges);
        assert_non_null(out->edges);
        for (uint32_t i = 0; i < more; ++i)
            out->edges[out->count++] = (live_edge){to[i], cost[i]};
    } while (cursor != 0);

    qsort(out->edges, out->count, sizeof *out->edges, live_by_id);
}

static inline void live_copy_node(const vn_graph* graph, uint32_t id, live_node* out) {
    out->exists = true;
    graph->points(graph->self, &id, 1, &out->point);
    out->key = id;
    if (graph->keys != NULL)
        graph->keys(graph->self, &id, 1, &out->key);
    live_copy_edges(graph, id, out);
}

/// `exists` says which ids are nodes; the ends are left out.
static inline live_copy live_copy_make(const vn_graph* graph, bool (*exists)(const void* user, uint32_t id),
                                       const void* user) {
    live_copy copy = {calloc(graph->node_limit + 1, sizeof(live_node)), graph->node_limit};
    assert_non_null(copy.nodes);
    for (uint32_t id = VN_FIRST_NODE; id < graph->node_limit; ++id)
        if (exists(user, id))
            live_copy_node(graph, id, &copy.nodes[id]);
    return copy;
}

static inline void live_copy_free(live_copy* copy) {
    for (uint32_t i = 0; i < copy->limit; ++i)
        free(copy->nodes[i].edges);
    free(copy->nodes);
    *copy = (live_copy){0};
}

static inline bool live_same_node(const live_node* a, const live_node* b) {
    if (a->exists != b->exists)
        return false;
    if (!a->exists)
        return true;
    if (a->key != b->key || memcmp(&a->point, &b->point, sizeof a->point) != 0 || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; ++i)
        if (a->edges[i].to != b->edges[i].to || a->edges[i].cost != b->edges[i].cost)
            return false;
    return true;
}

/// Equal, up to ids that neither has.
static inline void live_copy_compare(const live_copy* a, const live_copy* b) {
    static const live_node none = {0};
    const uint32_t limit = a->limit > b->limit ? a->limit : b->limit;
    for (uint32_t i = 0; i < limit; ++i) {
        const live_node *x = i < a->limit ? &a->nodes[i] : &none, *y = i < b->limit ? &b->nodes[i] : &none;
        if (!live_same_node(x, y))
            fail_msg("node %u differs (%d %d, %u and %u edges)", i, x->exists, y->exists, x->count, y->count);
    }
}

static inline void live_copy_grow(live_copy* copy, uint32_t limit) {
    if (limit <= copy->limit)
        return;
    copy->nodes = realloc(copy->nodes, (limit + 1) * sizeof(live_node));
    assert_non_null(copy->nodes);
    memset(copy->nodes + copy->limit, 0, (limit + 1 - copy->limit) * sizeof(live_node));
    copy->limit = limit;
}

/// Brings a copy of the version before up to this one by what the delta names, and by nothing else.
static inline void live_copy_replay(live_copy* copy, const vn_node_changes* changes, const vn_graph* now) {
    live_copy_grow(copy, now->node_limit);
    for (uint32_t i = 0; i < changes->went_count; ++i) {
        live_node* node = &copy->nodes[changes->went[i]];
        assert_true(node->exists);
        node->exists = false;
    }

    for (uint32_t i = 0; i < changes->came_count; ++i) {
        live_node* node = &copy->nodes[changes->came[i]];
        assert_false(node->exists);
        live_copy_node(now, changes->came[i], node);
    }

    for (uint32_t i = 0; i < changes->changed_count; ++i) {
        live_node* node = &copy->nodes[changes->changed[i]];
        assert_true(node->exists);
        const vn_point before = node->point;
        const uint32_t key = node->key;
        live_copy_node(now, changes->changed[i], node);
        assert_memory_equal(&before, &node->point, sizeof before);
        assert_int_equal(key, node->key);
    }
}

#endif
