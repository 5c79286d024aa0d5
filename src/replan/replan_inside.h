/// replan/replan_inside.h: what all planners have in common, and what each adds. Inside the module only.
///
/// A planner is a vni_planner_kind: a handful of functions, most of them those of the family
/// (replan/family.h). The frame (replan.c) owns the source, the ends, the versions and the path; it calls the
/// kind when something changed that the kind may repair, and begins anew when it cannot.
#ifndef VNI_REPLAN_INSIDE_H
#define VNI_REPLAN_INSIDE_H

#include "replan/lifelong.h"
#include "volnav/replan.h"

typedef struct vni_replan vni_replan;

typedef struct vni_planner_kind {
    const char* name;
    bool backward;            ///< from goal to start, unless `turns`
    bool turns;               ///< both directions exist: the def says which
    uint32_t needs;           ///< vn_graph_capability bits
    vni_lifelong_rules rules; ///< of the core

    /// Plans from scratch, with the source's graph and the ends of now.
    void (*begin)(vni_replan* r);

    /// Graph and ends are about to change, and are still those of the last step: what the kind keeps outside
    /// the open set goes there. Null: nothing to do.
    void (*pause)(vni_replan* r);

    /// An end (VN_START_NODE, VN_GOAL_NODE) is elsewhere, or its edges may have changed because the graph
    /// did. False: begin anew.
    bool (*end_changed)(vni_replan* r, uint32_t node, bool is_elsewhere);

    /// The world changed: nodes that went, then nodes to look at again, in the order of versions.
    void (*node_went)(vni_replan* r, uint32_t node);
    void (*node_changed)(vni_replan* r, uint32_t node);

    /// All changes of the graph are known. False: begin anew. Null: nothing to do.
    bool (*graph_changed)(vni_replan* r, uint32_t nodes);

    /// After all of the above, once.
    void (*apply)(vni_replan* r);

    /// As vn_planner.step.
    vn_status (*step)(vni_replan* r, uint64_t max_expansions);

    /// Ids of its nodes are below this, and without max_nodes it has memory for so many. Null: as the graph.
    uint64_t (*node_limit)(const vn_graph* graph);
    uint32_t (*usual_nodes)(const vn_graph* graph);

    /// Lays the path into r->points, and finds what it costs. VN_CAPACITY. Null: vni_replan_lay, and the
    /// core's cost.
    vn_status (*lay)(vni_replan* r, double* cost);
} vni_planner_kind;

/// Passes of a planner that improves its path step by step.
typedef struct vni_anytime {
    double weight;    ///< of the pass
    uint32_t serial;  ///< of the pass, in the marks of nodes that were settled in it
    uint32_t waiting; ///< nodes in nodes.list that improved after that
    bool in_pass;
    bool has_path; ///< of an earlier pass, for the graph and ends of now
} vni_anytime;

typedef enum vni_adaptive_state {
    VNI_ADAPTIVE_SEARCHES,
    VNI_ADAPTIVE_OVER, ///< the search has ended
    VNI_ADAPTIVE_STALE ///< something has changed: search again
} vni_adaptive_state;

/// Searches of a planner whose bounds get better (replan/adaptive.h).
typedef struct vni_adaptive {
    const struct vni_adaptive_rules* rules;
    vn_point goal; ///< where the bounds lead to
    double fallen; ///< what nodes have learnt is too high by this
    vni_adaptive_state state;
    uint32_t serial; ///< of the search, in the marks of nodes that it has reached
    uint32_t closed; ///< in nodes.list: nodes that it has expanded

    double least; ///< cost of the best path so far; HUGE_VAL: none
    uint32_t met; ///< the goal, or the node from which on the path is an earlier one
    uint32_t met_from;
} vni_adaptive;

/// Lines of sight of an any-angle planner.
typedef struct vni_any_angle {
    uint64_t version; ///< of the world in which they were looked at
    vn_point root;    ///< where those of the root begin
    uint64_t flaws;   ///< that paths had at the end of a search: none, if the source tells all that changes
} vni_any_angle;

/// Field D*: where it began.
typedef struct vni_field_root {
    bool has_goal;      ///< it was free
    vn_voxel goal_cell; ///< that the goal lies in
    vn_point goal;
} vni_field_root;

struct vni_replan {
    vn_graph_source source;
    vn_replan_def def;
    const vni_planner_kind* kind;
    vni_lifelong core;
    vni_observer observer;

    vn_point ends[2];
    vn_status end_status[2]; ///< of set_end
    bool has_begun;
    bool must_begin;  ///< what is known is of no use: the next call that may, begins anew
    vn_status failed; ///< VN_OUT_OF_MEMORY of the last advance, else VN_OK
    vn_status status; ///< of the last step

    vn_point* points; ///< of the path
    uint32_t point_count, max_points;
    double bound; ///< of the path's cost against the least
    uint64_t restarts, sight_checks;
    vni_anytime anytime;
    vni_adaptive adaptive;
    vni_any_angle lines;
    vni_field_root field;
};

/// The lower bounds that fit the graph and the def.
vni_cost vni_replan_bounds(const vni_replan* r);

/// Where an end really is, in the source's graph of now: on a grid, at the centre of its voxel. One that is
/// blocked has no edges: then, where it was put.
vn_point vni_replan_end(const vni_replan* r, uint32_t end);

/// Lays the path along the parents, from the leaf to the root, into r->points. VN_CAPACITY.
vn_status vni_replan_lay(vni_replan* r);

// The planners, one file each.
extern const vni_planner_kind vni_plan_lpa, vni_plan_dstar_lite, vni_plan_ad, vni_plan_dstar,
    vni_plan_mt_basic, vni_plan_mt, vni_plan_aamt, vni_plan_aamt_fast, vni_plan_field, vni_plan_adaptive,
    vni_plan_mpaa, vni_plan_tree_adaptive, vni_plan_aa_ad;

#endif
