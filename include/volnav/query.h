/// volnav/query.h: finding a path.
///
/// A query object is scratch memory: its capacity is fixed when it is made, and finding a path allocates
/// nothing. Spaces are shared, query objects are not: one for each thread.
///
/// Either one call, vn_find_path, or in slices over several frames: vn_query_begin, vn_query_step until it no
/// longer returns VN_RUNNING, then vn_query_finish. Calls in the wrong order return VN_BAD_ORDER and change
/// nothing.
#ifndef VOLNAV_QUERY_H
#define VOLNAV_QUERY_H

#include "volnav/space.h"

typedef struct vn_query vn_query;

/// What a query object has room for.
typedef enum vn_query_room {
    VN_ROOM_DEFAULT = 0, ///< for the cells search if the space has cells, else for grid searches
    VN_ROOM_CELLS = 1,   ///< for VN_ALGO_CELLS; about 80 bytes for each cell of the space
    VN_ROOM_GRID = 2,    ///< for all others; about 40 bytes for each of max_nodes, written only when needed
    VN_ROOM_ALL = 3      ///< for every search
} vn_query_room;

typedef struct vn_query_def {
    vn_allocator allocator;
    vn_query_room room;
    uint32_t max_nodes;  ///< voxels that a grid search may touch; 0: all of the space, up to 16 million
    uint32_t max_points; ///< points of a path; 0: 65536
    uint32_t cookie;
} vn_query_def;

VN_API vn_query_def vn_default_query_def(void);

/// Makes scratch for searches on `space`, which must outlive the query.
VN_API vn_status vn_query_create(const vn_space* space, const vn_query_def* def, vn_query** out,
                                 vn_detail* detail);
VN_API void vn_query_destroy(vn_query* query);
VN_API void vn_query_memory(const vn_query* query, vn_memory* out);

typedef enum vn_algo {
    VN_ALGO_CELLS = 0, ///< the fast search over cells, at any angle; needs a space with cells
    VN_ALGO_ASTAR = 1, ///< on the voxel grid, as are the others
    VN_ALGO_DIJKSTRA = 2,
    VN_ALGO_GREEDY = 3,
    VN_ALGO_ASTAR_LIST = 4, ///< A* with R16's unsorted open list: for comparison only, quadratic
    VN_ALGO_COUNT
} vn_algo;

/// The name on the command line ("cells", "astar-list" ...); null for an unknown number.
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

/// How much trouble the cells search takes. `fast` and `standard` search once and pull the way taut; `best`
/// searches with weight 1 from both ends' points of view, tries to pass obstacles on the other side, and
/// keeps the shorter of the two ways.
typedef enum vn_quality {
    VN_QUALITY_STANDARD = 0,
    VN_QUALITY_FAST = 1,
    VN_QUALITY_BEST = 2,
    VN_QUALITY_COUNT
} vn_quality;

VN_API const char* vn_quality_name(vn_quality quality);
VN_API bool vn_quality_from_name(const char* name, vn_quality* out);

/// What happens to a way after it has been found.
typedef enum vn_refine {
    VN_REFINE_DEFAULT = 0, ///< all passes of the quality for cells; none on the grid
    VN_REFINE_NONE = 1,    ///< as the search left it
    VN_REFINE_PRUNE = 2,   ///< leave out points that are not needed
    VN_REFINE_TAUT = 3,    ///< cells only: pull taut inside the corridor, nothing else
    VN_REFINE_COUNT
} vn_refine;

VN_API const char* vn_refine_name(vn_refine refine);
VN_API bool vn_refine_from_name(const char* name, vn_refine* out);

/// Zones that a request may have.
#define VN_MAX_ZONES 64

/// A box in which every metre of way costs `factor` metres: rain, fog, a place that others watch; below 1, a
/// place that is liked. Where zones overlap, the largest factor counts.
typedef struct vn_zone {
    vn_box box;   ///< local
    float factor; ///< 1e-6 to 1e6
} vn_zone;

typedef struct vn_path_request {
    vn_point start, goal; ///< see vn_space_point
    vn_algo algo;
    vn_quality quality; ///< cells
    vn_refine refine;
    vn_heuristic heuristic; ///< grid
    uint32_t neighbours;    ///< grid: 26 (default) or 6; corners are never cut

    /// On the heuristic, >= 1. 0: the quality's own for cells (1.11 standard, 1.25 fast, 1 best), 1 on the
    /// grid.
    double weight;
    uint64_t budget;      ///< expansions; 0: no limit
    bool allow_partial;   ///< if the goal is not reached: the path to what was reached nearest to it
    double snap_distance; ///< metres; a blocked end moves to the nearest free point within this
    const vn_zone* zones; ///< the path with the least cost is looked for; read by vn_query_begin only
    uint32_t zone_count;  ///< up to VN_MAX_ZONES
    bool check; ///< judge the path by vn_check_path_space before it is returned; debug builds always do
    uint32_t cookie;
} vn_path_request;

VN_API vn_path_request vn_default_path_request(void);

typedef struct vn_path_result {
    vn_status status; ///< VN_OK, VN_PARTIAL, or why there is no path
    vn_status reason; ///< with VN_PARTIAL: what ended the search (VN_NO_PATH, VN_BUDGET_SPENT, VN_CAPACITY,
                      ///< VN_CANCELLED); else = status
    uint32_t point_count;
    double length;  ///< metres along the polyline
    double cost;    ///< by the request's cost; without zones this is the length
    double bound;   ///< the path costs at most bound times the least on this grid; 0 if nothing is promised
    double weight;  ///< on the heuristic, as used
    uint32_t turns; ///< inner points at which the direction changes
    bool checked;   ///< the path was judged and found free; one that is not comes back as VN_BAD_DATA
    uint64_t expanded;    ///< cells or voxels taken from the open set
    uint64_t touched;     ///< grid: voxels that the search wrote to
    vn_point start, goal; ///< as used: moved when snapped
    bool has_nearest;     ///< start or goal is blocked: the nearest free point follows
    vn_point nearest;
    double nearest_distance; ///< metres
} vn_path_result;

/// Starts a search. Blocked or outside ends do not fail here: the next step reports them, and finish gives
/// the nearest free point. VN_UNSUPPORTED for a combination that does not exist; detail says which part of
/// it.
VN_API vn_status vn_query_begin(vn_query* query, const vn_path_request* request, vn_detail* detail);

/// Expands up to `max_expansions` nodes. VN_RUNNING: call again. Anything else: the search has ended, call
/// vn_query_finish.
VN_API vn_status vn_query_step(vn_query* query, uint64_t max_expansions);

/// Ends the search and fills `result`; one that is still running counts as cancelled. Returns
/// result->status.
VN_API vn_status vn_query_finish(vn_query* query, vn_path_result* result);

/// begin, step to the end, finish.
VN_API vn_status vn_find_path(vn_query* query, const vn_path_request* request, vn_path_result* result,
                              vn_detail* detail);

/// The points of the last path, from start to goal; they belong to the query and live until its next begin.
/// Collinear grid points are left out.
VN_API const vn_point* vn_query_points(const vn_query* query, uint32_t* count);

/// The boxes [low, high) of voxels that the last search expanded, for pictures and debugging; in no
/// particular order. Stops when `visit` returns false. A grid search gives single voxels. `in_corridor` marks
/// the cells that the way was found through.
typedef bool vn_visit_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor);
VN_API void vn_query_visit_expanded(const vn_query* query, vn_visit_box* visit, void* user);

#endif
