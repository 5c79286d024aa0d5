/// classic/theta.h: Basic Theta* (Nash, Daniel, Koenig and Felner 2007) and Lazy Theta* (Nash, Koenig and
/// Tovey 2010), after Albertini 2022, 5.3, and Krafft 2019, 2.2.3, on any graph that can see: paths whose
/// turns are nodes, but whose legs are not edges.
///
/// Basic: a node reached from s takes s's parent as its own if that is in sight, else s. Lazy: it takes s's
/// parent on trust, and looks only when it is taken from the open set; if it was wrong, the best closed
/// neighbour becomes its parent. Basic checks a line of sight only where a free one would make the node
/// cheaper than it is: the paths are those of the printed algorithm, the checks fewer. Where a cost is not
/// plain length, and the straight segment from the parent is dearer than the one along the edge, the edge is
/// taken.
///
/// Order of the open set as in search/open.h. Neither search promises the least cost, but with plain length
/// no path is shorter than the straight line, and mostly it is shorter than A*'s on the same graph. The
/// natural lower bound is the Euclidean one; octile and Manhattan overestimate paths that are no edges.
///
/// A leg of the path, from a node to its parent, is a straight segment in sight, at cost->segment, or else an
/// edge of the graph, at what the graph says it costs. Edges that are straight are in sight; an edge that
/// bends (centres of merged boxes, classic/views.h) may not be, and then the leg bends as the edge does.
/// Legs meet at nodes. Those of voxels, boxes and portals are centres of voxels, of boxes, or of faces
/// between two free boxes: plain points (probe/sight.h), so that legs which are free by themselves are free
/// when they are joined.
#ifndef VNI_CLASSIC_THETA_H
#define VNI_CLASSIC_THETA_H

#include "search/open.h"

typedef struct vni_theta_def {
    bool lazy;
    double g_weight, h_weight; ///< of the order of the open set, as in vni_best_first_def
    uint64_t budget;           ///< expansions; 0: no limit

    /// Basic Theta* as Albertini 2022 prints it (algorithm 9): sight is checked for every open neighbour,
    /// also where the result cannot matter. The same paths, more checks.
    bool every_sight;

    /// Theta* Fast (Krafft 2021, 5.2.3.2), basic only: from dynamic nodes no sight is checked, as in A*.
    /// Needs a graph with kinds.
    bool fast;
} vni_theta_def;

typedef struct vni_theta {
    vni_theta_def def;
    const vn_graph* graph;
    const vni_cost* cost;
    bool in_units; ///< edges cost multiples of the unit (graph/fixed.h): straight segments are rounded up to
                   ///< it
    vni_scratch* scratch;
    vni_heap open;
    uint32_t start, goal;
    vn_point goal_point;
    uint64_t expanded, touched;
    uint64_t sight_checks; ///< lines of sight that were checked
    bool goal_waits, full; ///< as in vni_best_first
    vn_status status;
    const vni_observer* observer;                          ///< see vni_theta_observe
    bool (*see)(const void* self, uint32_t a, uint32_t b); ///< the graph's `visible`, or one that also tells
    const void* see_self;
} vni_theta;

/// As vni_best_first_begin; VN_UNSUPPORTED if the graph cannot see, for Lazy Theta* if it has no
/// predecessors, for Theta* Fast if it has no kinds.
vn_status vni_theta_begin(vni_theta* search, const vni_theta_def* def, const vn_graph* graph,
                          const vni_cost* cost, vni_scratch* scratch, uint32_t start, uint32_t goal);

/// After begin: tells `observer` (may be null) of all that follows. The search must then stay where it is.
void vni_theta_observe(vni_theta* search, const vni_observer* observer);

/// As vni_best_first_step. Parents and costs: vni_scratch_parent, vni_scratch_g; of closed nodes they are
/// final, of open ones Lazy Theta* has them on trust.
vn_status vni_theta_step(vni_theta* search, uint64_t max_expansions);

/// As vni_best_first_turn.
vn_status vni_theta_turn(vni_theta* search, uint32_t goal, vni_turn how);

#endif
