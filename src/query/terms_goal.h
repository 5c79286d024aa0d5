/// query/terms_goal.h: where a search may end: a box, a ball, a place from which a point is in sight, or
/// nowhere.
#ifndef VNI_QUERY_TERMS_GOAL_H
#define VNI_QUERY_TERMS_GOAL_H

#include "occupancy/occupancy.h"
#include "volnav/math.h"

/// A closed box of lattice points; empty if low is above high on an axis.
typedef struct vni_lattice_box {
    int32_t low[3], high[3];
} vni_lattice_box;

typedef enum vni_goal_kind {
    VNI_GOAL_NONE, ///< a field: everything is wanted, nothing ends the search
    VNI_GOAL_BOX,  ///< anywhere in `box`; a single point too
    VNI_GOAL_BALL, ///< within `distance` of `center`
    VNI_GOAL_SIGHT ///< at a plain point (probe/sight.h) where `center` is in sight, no farther than
                   ///< `distance`
} vni_goal_kind;

typedef struct vni_goal {
    vni_goal_kind kind;
    vni_lattice_box box; ///< may be empty
    vn_point center;     ///< anywhere
    double distance;     ///< lattice steps, may be infinite
} vni_goal;

/// What two boxes share.
vni_lattice_box vni_lattice_box_cut(const vni_lattice_box* a, const vni_lattice_box* b);
bool vni_lattice_box_is_empty(const vni_lattice_box* box);
bool vni_lattice_box_holds(const vni_lattice_box* box, vn_point p);

/// The point of a box, which is not empty, that is nearest to a point in lattice steps.
vn_point vni_lattice_box_nearest(const vni_lattice_box* box, const double at[3]);

/// Distance of p (voxels) from the nearest point of the region, or from the point to be seen; voxels. Not for
/// VNI_GOAL_NONE.
float vni_goal_away(const vni_goal* goal, const float p[3]);

/// Lower bound of the length that is left from p (voxels), voxels; 0 without a goal.
float vni_goal_least(const vni_goal* goal, const float p[3]);

/// The place that a path from p heads for, voxels. Not for VNI_GOAL_NONE.
void vni_goal_aim(const vni_goal* goal, const float p[3], float out[3]);

/// The goal holds p: a path may end there. Exact.
bool vni_goal_holds(const vni_goal* goal, const vni_occupancy* occupancy, vn_point p);

/// The point of the goal in `box` that is nearest to `from`, which lies in the box. For a box or a ball:
/// false exactly when they share no point. For sight a few places are tried: `from`, the point of the box
/// that is nearest to the one to be seen, its centre, and those of its octants if it is large.
bool vni_goal_reach(const vni_goal* goal, const vni_occupancy* occupancy, const vni_lattice_box* box,
                    vn_point from, vn_point* out);

/// The centre of a voxel in `box` that the goal holds, the nearest to `from` of all. False if there is none
/// nearer than `limit` lattice steps. O(voxels) lines of sight.
bool vni_goal_sweep(const vni_goal* goal, const vni_occupancy* occupancy, const vni_lattice_box* box,
                    vn_point from, double limit, vn_point* out);

/// The first point inside the goal on the segment from `from` to `to`, which the goal holds: by halving, to
/// about a lattice step. The point is at most a step off the segment.
vn_point vni_goal_first(const vni_goal* goal, const vni_occupancy* occupancy, vn_point from, vn_point to);

#endif
