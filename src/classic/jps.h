/// classic/jps.h: jump point search on the voxel grid in three dimensions, with 26 neighbours and no corner
/// cutting, and with 6 neighbours (Krafft 2021 5.1.2). Costs the same as A*, always.
///
/// Sources: jump points, Harabor and Grastien 2011; scanning words of the map, Harabor and Grastien 2014;
/// three dimensions, Nobes et al. 2022. The pruning rules are our own derivation from the definition in
/// jps_rules.h.
///
/// Canonical paths. Of several equally short paths to a voxel one counts: the one whose last step is the best
/// in a fixed order of directions (jps_rules.h: straight steps before those over edges before those over
/// corners, so the path itself turns from corner steps to edge steps to straight ones). A step from x to n is
/// left out if the voxel before x leads to n without x, more cheaply or as cheaply with a better last step.
/// Whichever of its best predecessors x was reached from, the step that the canonical path takes from x is
/// never left out: so one parent a node is enough, and ties may be broken in any way.
///
/// Jumping. Straight runs are never walked: one lookup gives the next voxel of the row at which something is
/// forced (jps_rows.h), or the bricks of the row are scanned a word at a time (jps_jump.h). Steps over edges
/// are walked in line, without the open set, while nothing in it is better; steps over corners go through it
/// one by one. So only as much of the space is looked at as A*'s order asks for. Nothing recurses.
///
/// Costs. Those of the grid (graph/fixed.h): sums are exact, and equal costs compare equal, which keeps the
/// plateaus of the open set in order, and makes g the same as A*'s to the last bit.
#ifndef VNI_CLASSIC_JPS_H
#define VNI_CLASSIC_JPS_H

#include "classic/jps_rows.h"
#include "classic/jps_rules.h"
#include "graph/cost.h"
#include "graph/observer.h"
#include "search/scratch.h"

/// What jumping needs to know of a grid; made once, then read by any number of threads.
typedef struct vni_jps_index {
    const vni_grid* grid;
    const vni_jps_rows* rows; ///< null: bricks are scanned
    vni_jps_rules rules;
} vni_jps_index;

/// Allocates nothing. The grid's neighbours say which rules: 26 or 6. `rows` (may be null) are those of the
/// same occupancy; grids of 6 and 26 neighbours may share them. Both must stay where they are.
void vni_jps_index_make(const vni_grid* grid, const vni_jps_rows* rows, vni_jps_index* out);

typedef struct vni_jps_def {
    double weight; ///< on h, >= 1: then the cost is at most this times the least
    bool track_nearest;
    uint64_t budget; ///< expansions; 0: no limit
} vni_jps_def;

/// How the lower bound is worked out.
typedef enum vni_jps_bound {
    VNI_JPS_BOUND_OCTILE,
    VNI_JPS_BOUND_MANHATTAN,
    VNI_JPS_BOUND_ASKED ///< by the cost object
} vni_jps_bound;

typedef struct vni_jps {
    vni_jps_def def;
    const vni_jps_index* index;
    const vni_cost* cost;
    vni_jps_bound bound;
    vni_scratch* scratch; ///< node ids are the grid's
    vni_heap open;
    uint32_t start, goal;
    int32_t goal_at[3];
    uint64_t expanded; ///< nodes taken from the open set
    uint64_t touched;  ///< voxels with a record
    uint64_t scanned;  ///< voxels walked in line, and words of bricks or rows' events looked at
    uint32_t nearest;  ///< of all voxels that were reached, jumped over ones too; it has a record
    double nearest_h;
    vn_status status;
    const vni_observer* observer; ///< null after begin: set it then
} vni_jps;

/// As vni_best_first_begin; also VN_UNSUPPORTED unless the cost is plain length. A node's record in the
/// scratch names its parent: the leg between the two is a straight run of steps along one direction of the
/// grid, and free. Walking parents from the goal and joining them by straight segments gives the path.
vn_status vni_jps_begin(vni_jps* search, const vni_jps_def* def, const vni_jps_index* index,
                        const vni_cost* cost, vni_scratch* scratch, uint32_t start, uint32_t goal);

/// As vni_best_first_step. One expansion may walk up to 12 runs as long as the grid.
vn_status vni_jps_step(vni_jps* search, uint64_t max_expansions);

/// The node before `node`; VN_NO_NODE for the start. Only nodes with a record.
uint32_t vni_jps_parent(const vni_jps* search, uint32_t node);
/// Cost of the path to it, voxels.
double vni_jps_g(const vni_jps* search, uint32_t node);

#endif
