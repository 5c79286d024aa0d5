/// classic/ends.h: start and goal of one reader, joined with nodes of a graph that it shares with others; and
/// a writer of edges in batches.
#ifndef VNI_CLASSIC_ENDS_H
#define VNI_CLASSIC_ENDS_H

#include "base/assert.h"
#include "geom/units.h"
#include "occupancy/occupancy.h"
#include "volnav/graph.h"

/// Most nodes that an end is joined with.
#define VNI_END_JOINS 32

typedef struct vni_end {
    bool is_set;
    vn_point point;
    uint32_t count;
    uint32_t nodes[VNI_END_JOINS]; ///< ids
    double costs[VNI_END_JOINS];   ///< voxels
} vni_end;

typedef struct vni_ends {
    vni_end at[2]; ///< start, goal
    bool see;      ///< each other
    double cost;   ///< between them
} vni_ends;

/// Sets an end, joined with no node yet.
void vni_ends_set(vni_ends* ends, uint32_t which, vn_point point, const vni_occupancy* occupancy);

/// Joins an end with a node at a point that it sees.
void vni_ends_join(vni_ends* ends, uint32_t which, uint32_t id, vn_point point);

/// Edges that are being written in batches of VN_EDGE_BATCH: the first `skip` were in earlier ones.
typedef struct vni_edge_writer {
    const vn_edges* out;
    uint32_t skip, seen, count;
} vni_edge_writer;

static inline vni_edge_writer vni_edge_writer_make(const vn_edges* out, uint32_t cursor) {
    return (vni_edge_writer){out, cursor, 0, 0};
}

static inline void vni_put_edge(vni_edge_writer* w, uint32_t to, double cost) {
    const bool earlier = w->seen++ < w->skip;
    if (earlier || w->count == VN_EDGE_BATCH)
        return;
    w->out->to[w->count] = to;
    w->out->cost[w->count++] = cost;
}

/// The cursor of the next batch; 0 if there is none.
static inline uint32_t vni_edge_cursor(const vni_edge_writer* w) {
    return w->seen > w->skip + w->count ? w->skip + w->count : 0;
}

/// The edges of an end, to nodes and to the other end.
void vni_put_end(const vni_ends* ends, uint32_t which, vni_edge_writer* writer);

/// The edges between a node and the ends.
void vni_put_joined(const vni_ends* ends, uint32_t id, vni_edge_writer* writer);

/// Voxels between two points.
static inline double vni_voxels_between(vn_point a, vn_point b) {
    return vni_steps_to_voxels(vni_steps_between(a, b));
}

#endif
