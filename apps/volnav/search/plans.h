/// volnav/search/plans.h: the planners of volnav/replan.h on the command line, each for a single plan: on the
/// voxels, on trees, on hybrid graph and waypoints.
#ifndef PLANS_H
#define PLANS_H

#include "search/classics.h"
#include "search/roads.h"

/// Where planners plan, over the layer that is searched: built once, for any number of plans. Make it with
/// {0}.
typedef struct plan_space {
    const char* name; ///< "grid", "octree" ...
    classics trees;   ///< which follow
    vn_classic_kind tree;
    roads roads;
    vn_roadmap_kind road;
    bool is_road;
} plan_space;

/// One planner with its own graph, for one thread. Make it with {0}.
typedef struct one_plan {
    vn_space_graph* voxels; ///< one of these three
    vn_classic_view* tree;
    vn_roadmap_view* road;
    vn_graph_source source;
    vn_planner planner;
    vn_point* points; ///< of the last path
    uint32_t capacity;
} one_plan;

/// The name of the space in which planners plan if this one is asked for: cells are searched on the grid.
const char* plans_space_name(const char* space);

/// Does it find paths that leave the edges of its graph?
bool plans_is_any_angle(vn_replan_algo planner);

/// The def of a planner. VN_UNSUPPORTED: the request asks for what planners do not know; detail names it.
vn_status plans_def(const search_options* options, const search_algo* algo, const char* space,
                    const vn_path_request* request, vn_replan_def* out, vn_detail* detail);

/// Builds the space unless it is there. EXIT_BAD after a message; free it either way.
int plans_build(const loaded* in, const search_options* options, const road_options* areas, const char* space,
                bool quiet, plan_space* out);
void plans_free_space(plan_space* space);

/// Makes a planner. What it cannot plan on is VN_UNSUPPORTED, and detail names it. Free it either way.
vn_status plans_create(const loaded* in, const plan_space* space, const search_options* options,
                       const vn_replan_def* def, const vn_path_request* request, one_plan* out,
                       vn_detail* detail);
void plans_free(one_plan* p);

/// Plans from point to point, up to `budget` expansions (0: no limit), and fills result and points.
vn_status plans_find(const loaded* in, one_plan* p, const vn_replan_def* def, vn_point start, vn_point goal,
                     uint64_t budget, vn_classic_result* out, uint32_t* count);

/// From world position to world position, then through both checkers, as search_run.
void plans_run(const loaded* in, one_plan* p, const vn_replan_def* def, const vn_path_request* request,
               const double* from, const double* to, search_outcome* out);

#endif
