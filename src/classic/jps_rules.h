/// classic/jps_rules.h: which steps jump point search takes from a voxel, by the direction it was reached in
/// and by what is free around it.
///
/// Let x be reached from p by a step along d. A step from x to n is *pruned* if within the 3x3x3 around x
/// some path leads from p to n, not through x, that is shorter, or as long and ends with a better step. Steps
/// that are not pruned with everything free are *natural*; the others that are not pruned are *forced*.
///
/// Order of steps, the best first: along z, along y, along x; over edges and over corners in the grid's
/// order.
///
/// 26 neighbours, corners never cut (p to x is one step, so the box between them is free); e, f: steps along
/// the other axes.
///   d straight: natural d. Forced: e and d+e if p+e is blocked; e+f if p+e and p+f are; d+e+f if p+e, p+f or
///     p+e+f is.
///   d = a+b over an edge: natural a, b, a+b. Forced only if p+f, p+a+f or p+b+f is blocked: a+b+f always;
///     f unless p leads to it by (a+f, b) or (b+f, a) with a better last step; a+f unless p leads to it by
///     (a, a+b+f), which is shorter, or by (a+f, a+b) with a better last step; b+f likewise.
///   d over a corner: natural are the seven steps made of its parts. Nothing is forced.
/// 6 neighbours: natural d and steps along better axes; others forced if p's neighbour in that direction is
/// blocked.
///
/// A step is taken only if all voxels of its box are free.
#ifndef VNI_CLASSIC_JPS_RULES_H
#define VNI_CLASSIC_JPS_RULES_H

#include "view/grid.h"

#define VNI_JPS_NO_ARRIVAL VNI_GRID_DIRECTIONS ///< of a start: nothing is pruned
#define VNI_JPS_MAX_FORCED 16

/// A step that may be forced: taken if all of `needs` is free, unless all of one of the masks is. Bits as in
/// vni_grid.needs; an unused mask has a bit that is never free.
typedef struct vni_jps_forced {
    uint32_t direction, needs, masks[3];
} vni_jps_forced;

typedef struct vni_jps_rules {
    uint32_t neighbours;                       ///< 6 or 26
    uint32_t rows;                             ///< directions that are jumped along rows, as a set
    uint32_t natural[VNI_GRID_DIRECTIONS + 1]; ///< by direction of arrival, as a set
    uint32_t needs[VNI_GRID_DIRECTIONS];       ///< the grid's
    uint32_t watch[VNI_GRID_DIRECTIONS];       ///< voxels of the 3x3x3: while they are free nothing is forced
    uint32_t forced_count[VNI_GRID_DIRECTIONS];
    vni_jps_forced forced[VNI_GRID_DIRECTIONS][VNI_JPS_MAX_FORCED];
    uint8_t direction_of[27]; ///< by (dx+1) + 3 (dy+1) + 9 (dz+1)
} vni_jps_rules;

void vni_jps_rules_make(const vni_grid* grid, vni_jps_rules* out);

/// Directions of the steps to take from a voxel reached in direction `arrival` (VNI_JPS_NO_ARRIVAL: all that
/// there are), as a set; `free` as vni_grid_free_around.
uint32_t vni_jps_successors(const vni_jps_rules* rules, uint32_t arrival, uint32_t free);

/// Is any of them forced?
bool vni_jps_is_forced(const vni_jps_rules* rules, uint32_t arrival, uint32_t free);

/// A better step has a lower rank.
uint32_t vni_jps_rank(const vni_grid* grid, uint32_t direction);

/// The axis of a straight step.
static inline int vni_jps_axis(const vni_grid* grid, uint32_t direction) {
    VNI_ASSERT(direction < 6);
    return grid->step[direction][0] ? 0 : grid->step[direction][1] ? 1 : 2;
}

static inline uint32_t vni_jps_direction(const vni_jps_rules* rules, int32_t dx, int32_t dy, int32_t dz) {
    VNI_ASSERT((uint32_t)(dx + 1) <= 2 && (uint32_t)(dy + 1) <= 2 && (uint32_t)(dz + 1) <= 2);
    VNI_ASSERT(dx || dy || dz);
    return rules->direction_of[(dx + 1) + 3 * (dy + 1) + 9 * (dz + 1)];
}

#endif
