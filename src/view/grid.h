/// view/grid.h: presents the voxels as a graph with 6 or 26 neighbours.
///
/// Edges are implicit. Corners are never cut: a step needs all voxels of the box that it spans to be free.
/// Searches that need more than edges (JPS) use the grid itself.
///
/// Node ids follow the bricks: id = 64 * brick + bit, bricks numbered x fastest. So 64 neighbours in space
/// are 64 neighbours in memory.
#ifndef VNI_VIEW_GRID_H
#define VNI_VIEW_GRID_H

#include "graph/fixed.h"
#include "graph/graph.h"
#include "occupancy/occupancy.h"

#define VNI_GRID_DIRECTIONS 26

typedef struct vni_grid {
    const vni_occupancy* occupancy;
    uint32_t neighbours;                  ///< 6 or 26
    int32_t bricks[3];                    ///< ceil(dims / 4)
    int32_t step[VNI_GRID_DIRECTIONS][3]; ///< faces first, then edges, then corners
    double cost[VNI_GRID_DIRECTIONS];     ///< 1, VNI_EDGE_STEP, VNI_CORNER_STEP
    uint32_t needs[VNI_GRID_DIRECTIONS];  ///< voxels of the surrounding 3x3x3 that must be free: bit
                                          ///< (dx + 1) + 3 (dy + 1) + 9 (dz + 1)
    /// By the node's bit in its brick: difference of the neighbour's id, modulo 2^32.
    uint32_t offset[64][VNI_GRID_DIRECTIONS];
} vni_grid;

/// VN_TOO_LARGE if ids do not fit; VN_UNSUPPORTED unless `neighbours` is 6 or 26. Nothing to free.
vn_status vni_grid_make(const vni_occupancy* occupancy, uint32_t neighbours, vni_grid* out,
                        vn_detail* detail);

/// The grid behind the graph interface. Points to `grid`, which must not move.
vn_graph vni_grid_graph(const vni_grid* grid);

static inline uint32_t vni_grid_node(const vni_grid* grid, vn_voxel v) {
    uint32_t brick =
        (uint32_t)(v.x >> 2) +
        (uint32_t)grid->bricks[0] * ((uint32_t)(v.y >> 2) + (uint32_t)grid->bricks[1] * (uint32_t)(v.z >> 2));
    return brick << 6 | vni_bit_of(v.x, v.y, v.z);
}

vn_voxel vni_grid_voxel(const vni_grid* grid, uint32_t node);

/// Adds the steps of the straight run along one direction from node a to node b.
void vni_grid_add_steps(const vni_grid* grid, uint32_t a, uint32_t b, vni_step_counts* counts);

/// The true length of so many steps, in voxels: the same for all paths with these counts.
double vni_grid_length(const vni_step_counts* counts);

/// The free voxels of the 3x3x3 around a voxel of the space; those outside the space are not free. Bits as in
/// `needs`.
uint32_t vni_grid_free_around(const vni_occupancy* occupancy, vn_voxel v);

#endif
