/// classic/hybrid.h: Krafft's hybrid search graph (Krafft 2021, 5.2): few nodes, at the edges of static
/// obstacles and wherever moving ones can be.
///
/// Nodes are voxels of the grid, of three kinds. *Dynamic*: those that a moving obstacle can block. *Dynamic
/// neighbour*: the 26 around each of these, a buffer in which an agent can step aside. *Static*: free voxels
/// at a convex edge or corner of a static obstacle, where shortest paths turn. All other voxels are unused.
///
/// A dynamic node is joined with the 26 voxels around it. The others are joined with the first used voxel
/// that stepping finds in each of 26 directions (hybrid_steps.h), which may be far away. The agent flies
/// straight, so such an edge exists only if the straight line is free of static obstacles; it is noted with
/// the dynamic voxels on the line, so that blocking one of them closes the edge. Edges are one-way: a node
/// may be the target of hundreds (`back`).
///
/// One rule for all edges: an edge is open if every voxel whose closed cube the line touches is free. So no
/// corner is cut, and the steps between adjacent voxels are those of the grid.
///
/// The nodes and edges of a graph never change; which edges are open is a state (classic/hybrid_state.h), one
/// for each version of the space.
#ifndef VNI_CLASSIC_HYBRID_H
#define VNI_CLASSIC_HYBRID_H

#include "classic/area.h"
#include "classic/hybrid_steps.h"
#include "classic/numbers.h"
#include "volnav/graph.h"

#define VNI_NO_HYBRID UINT32_MAX

/// More edges are VN_TOO_LARGE.
#define VNI_HYBRID_MAX_EDGES (1u << 30)

/// Voxels of the largest space; above it VN_TOO_LARGE: vertex neighbours are found by stepping through
/// planes, which for large spaces takes hours.
#define VNI_HYBRID_MAX_VOXELS ((uint64_t)1 << 26)

/// An edge of a static or dynamic neighbour node.
typedef struct vni_hybrid_edge {
    uint32_t from, to;
    double cost; ///< length, voxel units
} vni_hybrid_edge;

typedef struct vni_hybrid {
    vn_allocator allocator;
    vni_grid grid; ///< 26 neighbours; its occupancy is null: states bring theirs
    uint64_t brick_count;
    uint64_t *used, *dynamic, *neighbour; ///< by brick: voxels that are nodes, and of which kind
    uint32_t* first;                      ///< by brick: nodes before it
    uint32_t* voxels;    ///< by node: its id in the grid; ascending, so nodes are in its order
    vni_stepper stepper; ///< also finds the neighbours of start and goal

    vni_hybrid_edge* edges; ///< by `from`, then by direction
    uint32_t* edge_first;   ///< by node, plus one: its edges; none of dynamic nodes
    uint32_t* back;         ///< edges by `to`, then by number
    uint32_t* back_first;   ///< by node, plus one
    uint32_t* cross;        ///< edges by the dynamic nodes on their lines, ends included, then by number
    uint32_t* cross_first;  ///< by node, plus one; none of other nodes

    uint32_t node_count, dynamic_count, neighbour_count;
    uint32_t edge_count, cross_count;
} vni_hybrid;

/// Makes nodes and edges. `fixed`: the static obstacles alone; `area`: where moving ones can be. Neither is
/// kept. VN_OUT_OF_MEMORY, VN_TOO_LARGE, VN_CANCELLED: then `out` is zeroed.
vn_status vni_hybrid_make(const vn_allocator* allocator, const vni_occupancy* fixed, const vni_area* area,
                          vn_progress* progress, void* progress_user, vni_hybrid* out, vn_detail* detail);

/// Writes what a graph is made of: static obstacles, dynamic voxels, edges (docs/files.md). The same graph
/// gives the same bytes.
void vni_hybrid_write(const vni_hybrid* hybrid, vni_number_writer* w);

/// The reverse, for spaces of these dimensions. Which voxels are nodes follows from obstacles and dynamic
/// voxels; each edge is looked at: whether it leads in its direction to a node, and no static obstacle is on
/// the line. O(voxels + length of edges). VN_BAD_FORMAT, VN_MISMATCH: another size; VN_TOO_LARGE,
/// VN_OUT_OF_MEMORY: then `out` is zeroed.
vn_status vni_hybrid_read(const vn_allocator* allocator, const int32_t dims[3], vni_number_reader* in,
                          vni_hybrid* out, vn_detail* detail);

/// A zeroed graph is allowed.
void vni_hybrid_free(vni_hybrid* hybrid);
size_t vni_hybrid_bytes(const vni_hybrid* hybrid);

/// The node of a voxel that lies inside; VNI_NO_HYBRID if it is unused. O(1).
static inline uint32_t vni_hybrid_node(const vni_hybrid* hybrid, vn_voxel v) {
    const uint32_t id = vni_grid_node(&hybrid->grid, v);
    const uint64_t bit = (uint64_t)1 << (id & 63), word = hybrid->used[id >> 6];
    return word & bit ? hybrid->first[id >> 6] + vni_popcount(word & (bit - 1)) : VNI_NO_HYBRID;
}

static inline vn_voxel vni_hybrid_voxel(const vni_hybrid* hybrid, uint32_t node) {
    return vni_grid_voxel(&hybrid->grid, hybrid->voxels[node]);
}

static inline bool vni_hybrid_is_dynamic(const vni_hybrid* hybrid, uint32_t node) {
    return vni_bits_get(hybrid->dynamic, hybrid->voxels[node]);
}

vn_node_kind vni_hybrid_kind(const vni_hybrid* hybrid, uint32_t node);

/// Are all voxels free whose closed cubes the line between the centres of a and b touches, ends included?
bool vni_hybrid_line_is_open(const vni_occupancy* occupancy, vn_voxel a, vn_voxel b);

#endif
