/// volnav/planner.h: planners that keep what they know while the world and both ends move, and the graphs
/// that they follow, as tables of functions.
///
///   a nav, a tree, a roadmap  -> vn_graph_source ->  a planner  -> vn_planner ->  the host, or a nav
///
/// Both tables are open: a program may plan on a graph of its own, or have a nav run a planner of its own.
/// volnav/replan.h (library volnav_classic) makes the planners of the D* family.
#ifndef VOLNAV_PLANNER_H
#define VOLNAV_PLANNER_H

#include "volnav/changes.h"

/// One reader's graph of a world that changes: its newest version, with start and goal of its own, and what
/// changed on the way there. Used by one thread at a time; what `self` is belongs to whoever made the source,
/// and outlives it.
typedef struct vn_graph_source {
    void* self;

    /// The graph of the pinned version, and its number. The pointer stays the same; what it points to changes
    /// with `advance` and `set_end`.
    const vn_graph* (*graph)(void* self);
    uint64_t (*version)(void* self);

    /// Puts VN_START_NODE or VN_GOAL_NODE at a point. VN_BLOCKED, VN_OUTSIDE: then there is no such end.
    /// VN_STALE: nor here, because the world went on and the source must advance first.
    vn_status (*set_end)(void* self, uint32_t node, vn_point point);

    /// Goes on to the newest version, or to the newest that is not after `version` if that is not 0 (a source
    /// that has the newest one only goes there), and holds the changes of all versions in between. The ends
    /// are to be set again. VN_STALE: some of the changes are no longer kept; the graph is that of the new
    /// version all the same. VN_OUT_OF_MEMORY: the version stays.
    vn_status (*advance)(void* self, uint64_t version);

    /// The changes by node of a version that the last advance went through, to be taken in order. VN_STALE:
    /// no such version was held.
    vn_status (*get_changes)(void* self, uint64_t version, vn_node_changes* out);

    /// The voxels that such a version changed, for lines of sight. Null: unknown.
    vn_status (*get_bricks)(void* self, uint64_t version, const vn_brick_change** out, uint32_t* count);
} vn_graph_source;

/// What a planner has to say after a step.
typedef struct vn_plan {
    vn_status status;       ///< as the last step returned it
    uint64_t version;       ///< of the world that it is about
    const vn_point* points; ///< lattice points from start to goal; live until the planner's next call
    uint32_t point_count;   ///< 0: there is no path
    double cost;            ///< voxels
    double bound;           ///< the cost is at most this times the least on its graph; 0: no guarantee
    uint64_t expanded;      ///< nodes, by this plan alone: since the last begin, move or advance
    uint64_t sight_checks;  ///< likewise
    uint64_t restarts;      ///< searches from scratch since the planner was made, the first one included
} vn_plan;

/// A planner: begin once, then each frame move and advance (either may be left out), step until it is done,
/// and read the path. One thread at a time.
typedef struct vn_planner {
    void* self;

    /// Forgets everything and plans from `start` to `goal` in the newest version, or in `version` if that is
    /// not 0, as `advance`. VN_OK: step may be called. VN_OUT_OF_MEMORY: nothing is planned until a later
    /// begin succeeds.
    vn_status (*begin)(void* self, uint64_t version, vn_point start, vn_point goal, vn_detail* detail);

    /// Moves the ends. What the planner cannot repair it begins anew by itself. VN_BAD_ORDER: before begin.
    vn_status (*move)(void* self, vn_point start, vn_point goal);

    /// Goes on to the newest version of the world, or to `version` if that is not 0, as the source does. The
    /// only call besides begin in which memory grows. VN_OUT_OF_MEMORY: the next advance makes up for it, and
    /// until then step returns this status.
    vn_status (*advance)(void* self, uint64_t version, vn_detail* detail);

    /// Works for up to `max_expansions` nodes. VN_RUNNING: call it again. VN_OK: there is a path, and it is
    /// as good as the planner makes it. VN_START_BLOCKED, VN_GOAL_BLOCKED, VN_OUTSIDE, VN_NO_PATH.
    /// VN_CAPACITY: more nodes than allowed; the next step begins anew. VN_STALE: an end moved after the
    /// world of a tree went on: advance first. VN_BAD_ORDER: before begin.
    vn_status (*step)(void* self, uint64_t max_expansions);

    /// The path so far: with VN_RUNNING, one only from a planner that improves its path step by step. Returns
    /// out->status; VN_CAPACITY: the path has too many points.
    vn_status (*path)(void* self, vn_plan* out);

    void (*free)(void* self);
} vn_planner;

#endif
