/// tests/unit/replan/toy_source.h: a source whose graph a test writes itself: squares in rows of 64, joined
/// over their sides, of which some are blocked, and to which rows are added. Its advance fails on demand.
#ifndef VNT_TOY_SOURCE_H
#define VNT_TOY_SOURCE_H

#include "volnav/planner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOY_ROW = 64, TOY_MOST = 64 * 64 };

typedef struct toy {
    // as the test writes it
    uint64_t version;
    uint32_t rows;
    bool blocked[TOY_MOST];
    bool fails;   ///< the next advances
    bool lies;    ///< they have no changes
    bool rough;   ///< steps cost 1 to 8
    double sight; ///< squares: ends that are nearer are joined by a straight edge

    // as it was pinned
    uint64_t shown_version;
    uint32_t shown_rows;
    bool shown[TOY_MOST];
    uint32_t ends[2]; ///< squares; TOY_MOST: none
    vn_graph graph;

    // of the last advance
    uint64_t from;
    uint32_t lists[3][TOY_MOST], counts[3]; ///< came, went, changed
} toy;

static inline bool toy_is_free(const toy* t, uint32_t square) {
    return square < TOY_ROW * t->shown_rows && !t->shown[square];
}

static inline vn_point toy_point(uint32_t square) {
    return (vn_point){(int32_t)(square % TOY_ROW) * 1024, (int32_t)(square / TOY_ROW) * 1024, 0};
}

static inline double toy_distance(uint32_t a, uint32_t b) {
    const double x = (double)(a % TOY_ROW) - (double)(b % TOY_ROW);
    const double y = (double)(a / TOY_ROW) - (double)(b / TOY_ROW);
    return sqrt(x * x + y * y);
}

/// The squares beside one, TOY_MOST where there is none.
static inline void toy_beside(uint32_t square, uint32_t out[4]) {
    out[0] = square % TOY_ROW > 0 ? square - 1 : TOY_MOST;
    out[1] = square % TOY_ROW + 1 < TOY_ROW ? square + 1 : TOY_MOST;
    out[2] = square >= TOY_ROW ? square - TOY_ROW : TOY_MOST;
    out[3] = square + TOY_ROW < TOY_MOST ? square + TOY_ROW : TOY_MOST;
}

static inline uint32_t toy_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const toy* t = (const toy*)self;
    const bool is_end = node < VN_FIRST_NODE;
    const uint32_t square = is_end ? t->ends[node] : node - VN_FIRST_NODE;
    uint32_t beside[4], count = 0;
    *cursor = 0;
    if (square == TOY_MOST)
        return 0;

    for (uint32_t end = 0; end < 2; ++end)
        if (t->ends[end] == square && end != node) {
            out->to[count] = end;
            out->cost[count++] = 0;
        }
    if (is_end && t->ends[1 - node] != TOY_MOST && toy_distance(square, t->ends[1 - node]) < t->sight) {
        out->to[count] = 1 - node;
        out->cost[count++] = toy_distance(square, t->ends[1 - node]);
    }
    if (is_end) {
        out->to[count] = square + VN_FIRST_NODE;
        out->cost[count++] = 0;
        return count;
    }

    toy_beside(square, beside);
    for (uint32_t i = 0; i < 4; ++i)
        if (toy_is_free(t, beside[i])) {
            out->to[count] = beside[i] + VN_FIRST_NODE;
            out->cost[count++] = t->rough ? 1 + (square + beside[i]) * 2654435761u % 8u : 1;
        }
    return count;
}

static inline void toy_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const toy* t = (const toy*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = toy_point(nodes[i] < VN_FIRST_NODE ? t->ends[nodes[i]] : nodes[i] - VN_FIRST_NODE);
}

static inline const vn_graph* toy_graph(void* self) {
    return &((toy*)self)->graph;
}

static inline uint64_t toy_version(void* self) {
    return ((toy*)self)->shown_version;
}

static inline vn_status toy_set_end(void* self, uint32_t node, vn_point point) {
    toy* t = (toy*)self;
    const uint32_t square = (uint32_t)(point.x / 1024 + TOY_ROW * (point.y / 1024));
    t->ends[node] = toy_is_free(t, square) ? square : TOY_MOST;
    return t->ends[node] != TOY_MOST ? VN_OK : VN_BLOCKED;
}

static inline void toy_list(toy* t, uint32_t square, uint32_t which) {
    t->lists[which][t->counts[which]++] = square + VN_FIRST_NODE;
}

/// All differences as those of the newest version.
static inline void toy_compare(toy* t, const toy* before) {
    memset(t->counts, 0, sizeof t->counts);
    for (uint32_t i = 0; i < TOY_MOST; ++i) {
        const bool was = toy_is_free(before, i), is = toy_is_free(t, i);
        uint32_t beside[4];
        bool differs = false;
        toy_beside(i, beside);
        for (uint32_t k = 0; k < 4; ++k)
            differs = differs || toy_is_free(before, beside[k]) != toy_is_free(t, beside[k]);
        if (was != is)
            toy_list(t, i, is ? 0 : 1);
        else if (is && differs)
            toy_list(t, i, 2);
    }
}

static inline vn_status toy_advance(void* self, uint64_t version) {
    (void)version;
    toy* t = (toy*)self;
    if (t->fails)
        return VN_OUT_OF_MEMORY;
    toy* before = (toy*)malloc(sizeof *before);
    *before = *t;
    t->from = t->shown_version;
    t->shown_version = t->version;
    t->shown_rows = t->rows;
    memcpy(t->shown, t->blocked, sizeof t->shown);
    t->graph.node_limit = VN_FIRST_NODE + TOY_ROW * t->shown_rows;
    t->ends[0] = t->ends[1] = TOY_MOST;
    toy_compare(t, before);
    free(before);
    return t->lies ? VN_STALE : VN_OK;
}

static inline vn_status toy_get_changes(void* self, uint64_t version, vn_node_changes* out) {
    const toy* t = (const toy*)self;
    *out = (vn_node_changes){.version = version};
    if (t->lies || version <= t->from || version > t->shown_version)
        return VN_STALE;
    if (version == t->shown_version)
        *out = (vn_node_changes){version,      t->lists[0],  t->lists[1], t->lists[2],
                                 t->counts[0], t->counts[1], t->counts[2]};
    return VN_OK;
}

static inline vn_graph_source toy_make(toy* t, uint32_t rows) {
    memset(t, 0, sizeof *t);
    t->version = t->shown_version = 1;
    t->rows = t->shown_rows = rows;
    t->ends[0] = t->ends[1] = TOY_MOST;
    t->graph = (vn_graph){.self = t,
                          .node_limit = VN_FIRST_NODE + TOY_ROW * rows,
                          .capabilities = VN_GRAPH_REVERSES | VN_GRAPH_IS_SYMMETRIC,
                          .expand = toy_expand,
                          .points = toy_points,
                          .predecessors = toy_expand,
                          .least = 1};
    return (vn_graph_source){.self = t,
                             .graph = toy_graph,
                             .version = toy_version,
                             .set_end = toy_set_end,
                             .advance = toy_advance,
                             .get_changes = toy_get_changes};
}

/// Blocks the row but for one square, or opens it again.
static inline void toy_wall(toy* t, uint32_t row, bool blocked, uint32_t gap) {
    for (uint32_t x = 0; x < TOY_ROW; ++x)
        t->blocked[row * TOY_ROW + x] = blocked && x != gap;
    ++t->version;
}

#endif
