/// volnav/query.h: finding a path.
///
/// A query object is scratch memory: its capacity is fixed when it is made, and finding a path allocates nothing. Spaces are shared,
/// query objects are not: one for each thread.
///
/// Either one call, vn_find_path, or in slices over several frames: vn_query_begin, vn_query_step until it no longer
/// returns VN_RUNNING, then vn_query_finish. Calls in the wrong order return VN_BAD_ORDER and change nothing.
#ifndef VOLNAV_QUERY_H
#define VOLNAV_QUERY_H

#include "volnav/space.h"

typedef struct vn_query vn_query;

typedef struct vn_query_def {
    vn_allocator allocator;
    uint32_t max_nodes; ///< nodes that one search may touch; 0: as many as the space has, up to 16 million. About 40 bytes each, touched lazily
    uint32_t max_points; ///< points of a path; 0: 65536
    uint32_t cookie;
} vn_query_def;

VN_API vn_query_def vn_default_query_def(void);

/// Makes scratch for searches on `space`, which must outlive the query.
VN_API vn_status vn_query_create(const vn_space* space, const vn_query_def* def, vn_query** out, vn_detail* detail);
VN_API void vn_query_destroy(vn_query* query);
VN_API void vn_query_memory(const vn_query* query, vn_memory* out);

typedef enum vn_algo {
    VN_ALGO_ASTAR = 0,
    VN_ALGO_DIJKSTRA = 1,
    VN_ALGO_GREEDY = 2,
    VN_ALGO_ASTAR_LIST = 3, ///< A* with R16's unsorted open list: for comparison only, quadratic
    VN_ALGO_COUNT
} vn_algo;

/// The name on the command line ("astar", "astar-list" ...); null for an unknown number.
VN_API const char* vn_algo_name(vn_algo algo);

/// False if there is no algorithm of that name.
VN_API bool vn_algo_from_name(const char* name, vn_algo* out);

typedef enum vn_heuristic {
    VN_HEURISTIC_DEFAULT = 0, ///< octile with 26 neighbours, Manhattan with 6
    VN_HEURISTIC_OCTILE = 1,
    VN_HEURISTIC_EUCLIDEAN = 2,
    VN_HEURISTIC_MANHATTAN = 3, ///< overestimates with 26 neighbours
    VN_HEURISTIC_R16 = 4,       ///< the sorted diagonal of Maruszczyk 2016; may overestimate
    VN_HEURISTIC_COUNT
} vn_heuristic;

VN_API const char* vn_heuristic_name(vn_heuristic heuristic);
VN_API bool vn_heuristic_from_name(const char* name, vn_heuristic* out);

typedef struct vn_path_request {
    vn_point start, goal; ///< see vn_space_point
    vn_algo algo;
    vn_heuristic heuristic;
    uint32_t neighbours;    ///< 26 (default) or 6; corners are never cut
    double weight;          ///< on the heuristic, >= 1 for A*; the path costs at most this much times the least
    uint64_t budget;        ///< expansions; 0: no limit
    bool allow_partial;     ///< when the goal is not reached: the path to the node reached that is nearest to it
    double snap_distance;   ///< metres; a blocked end moves to the nearest free point if it is no farther than this
    uint32_t cookie;
} vn_path_request;

VN_API vn_path_request vn_default_path_request(void);

typedef struct vn_path_result {
    vn_status status; ///< VN_OK, VN_PARTIAL, or why there is no path
    vn_status reason; ///< with VN_PARTIAL: what ended the search (VN_NO_PATH, VN_BUDGET_SPENT, VN_CAPACITY, VN_CANCELLED); else = status
    uint32_t point_count;
    double length;    ///< metres along the polyline
    double cost;      ///< by the request's cost; without zones this is the length
    double bound;     ///< the path costs at most bound times the least on this grid; 0 if nothing is promised
    uint64_t expanded; ///< nodes taken from the open set
    uint64_t touched;  ///< nodes that the search wrote to
    vn_point start, goal; ///< as used: moved when snapped
    bool has_nearest;     ///< start or goal is blocked: the nearest free point follows
    vn_point nearest;
    double nearest_distance; ///< metres
} vn_path_result;

/// Starts a search. Blocked or outside ends do not fail here: the next step reports them, and finish gives the nearest free point.
/// VN_UNSUPPORTED for a combination that does not exist; detail says which part of it.
VN_API vn_status vn_query_begin(vn_query* query, const vn_path_request* request, vn_detail* detail);

/// Expands up to `max_expansions` nodes. VN_RUNNING: call again. Anything else: the search has ended, call vn_query_finish.
VN_API vn_status vn_query_step(vn_query* query, uint64_t max_expansions);

/// Ends the search, whether it is done (VN_RUNNING so far counts as cancelled) or not, and fills `result`. Returns result->status.
VN_API vn_status vn_query_finish(vn_query* query, vn_path_result* result);

/// begin, step to the end, finish.
VN_API vn_status vn_find_path(vn_query* query, const vn_path_request* request, vn_path_result* result, vn_detail* detail);

/// The points of the last path, from start to goal; they belong to the query and live until its next begin. Collinear grid points are left out.
VN_API const vn_point* vn_query_points(const vn_query* query, uint32_t* count);

/// The voxels that the last search expanded, for pictures and debugging; in no particular order. Stops when `visit` returns false.
typedef bool vn_visit_voxel(void* user, vn_voxel voxel);
VN_API void vn_query_visit_expanded(const vn_query* query, vn_visit_voxel* visit, void* user);

#endif
