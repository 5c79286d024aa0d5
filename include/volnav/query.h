/// volnav/query.h: finding a path.
///
/// A query object is scratch memory: its capacity is fixed when it is made, and finding a path allocates
/// nothing. Spaces are shared, query objects are not: one for each thread.
///
/// Either one call, vn_query_find_path, or in slices over several frames: vn_query_begin, vn_query_step until it no
/// longer returns VN_RUNNING, then vn_query_finish. Calls in the wrong order return VN_BAD_ORDER and change
/// nothing.
#ifndef VOLNAV_QUERY_H
#define VOLNAV_QUERY_H

#include "volnav/layers.h"

typedef struct vn_query vn_query;

/// What a query object has room for.
typedef enum vn_query_scratch {
    VN_SCRATCH_DEFAULT = 0, ///< for the cells search if the space has cells, else for grid searches
    VN_SCRATCH_CELLS = 1,   ///< for VN_ALGO_CELLS; about 96 bytes for each cell of the space
    VN_SCRATCH_GRID = 2,    ///< for all others; about 40 bytes for each of max_nodes, written only when needed
    VN_SCRATCH_ALL = 3      ///< for every search
} vn_query_scratch;

typedef struct vn_query_def {
    vn_allocator allocator;
    vn_query_scratch scratch;
    uint32_t max_nodes;  ///< voxels that a grid search may touch; 0: all of the space, up to 16 million
    uint32_t max_points; ///< points of a path; 0: 65536
    uint32_t cookie;
} vn_query_def;

VN_API vn_query_def vn_default_query_def(void);

/// Makes scratch for searches on `space`, which must outlive the query.
VN_API vn_status vn_query_create(const vn_space* space, const vn_query_def* def, vn_query** out,
                                 vn_detail* detail);

/// The same for all layers: each request names the radius and the flags of its agent, and is answered in the
/// layer that vn_layers_find gives. Room for the largest of them.
VN_API vn_status vn_query_create_layers(const vn_layers* layers, const vn_query_def* def, vn_query** out,
                                        vn_detail* detail);
VN_API void vn_query_destroy(vn_query* query);
VN_API void vn_query_get_memory(const vn_query* query, vn_memory* out);

typedef enum vn_algo {
    VN_ALGO_CELLS = 0, ///< the fast search over cells, at any angle; needs a space with cells
    VN_ALGO_ASTAR = 1, ///< on the voxel grid, as are the others
    VN_ALGO_DIJKSTRA = 2,
    VN_ALGO_GREEDY = 3,
    VN_ALGO_ASTAR_LIST = 4, ///< A* with R16's unsorted open list: for comparison only, quadratic
    VN_ALGO_COUNT
} vn_algo; // ARA*, JPS and Theta*: vn_classic_algo in volnav/classic.h

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
    VN_REFINE_SMOOTH = 4,  ///< post-smoothing (Albertini 2022): volnav/classic.h only, else VN_UNSUPPORTED
    VN_REFINE_FUNNEL = 5, ///< cells, and volnav/classic.h: the 3D funnel (Massonnat 2023), which shortens the
                          ///< way inside the corridor that the search found
    VN_REFINE_FUNNEL_PRUNE = 6, ///< likewise: and then pruning from the goal
    VN_REFINE_COUNT
} vn_refine;

VN_API const char* vn_refine_name(vn_refine refine);
VN_API bool vn_refine_from_name(const char* name, vn_refine* out);

/// Links that a request may have.
#define VN_MAX_CONNECTIONS 64

/// A connection that the geometry does not show: a portal, a lift, a landing spot.
typedef struct vn_connection {
    vn_vec3 from, to; ///< local; an end that is not free in the layer takes the link out
    float cost;       ///< metres of way that it counts as, 0 to 1e6
    bool both_ways;
    uint32_t id; ///< the caller's
} vn_connection;

/// What counts as having arrived. All but VN_GOAL_POINT need VN_ALGO_CELLS.
typedef enum vn_goal_kind {
    VN_GOAL_POINT = 0,  ///< at `goal`
    VN_GOAL_BOX = 1,    ///< anywhere in `goal_box`
    VN_GOAL_SPHERE = 2, ///< within `goal_distance` metres of `goal`, which need not be free
    VN_GOAL_SIGHT = 3,  ///< where `goal` is in sight (vn_space_visible), no farther than `goal_distance`
                        ///< metres from it (0: from anywhere)
    VN_GOAL_KIND_COUNT
} vn_goal_kind;

VN_API const char* vn_goal_kind_name(vn_goal_kind kind);
VN_API bool vn_goal_kind_from_name(const char* name, vn_goal_kind* out);

typedef struct vn_path_request {
    vn_point start, goal; ///< see vn_space_point_from_world
    vn_goal_kind goal_kind;
    vn_box goal_box;      ///< local; VN_GOAL_BOX
    double goal_distance; ///< metres; VN_GOAL_SPHERE, VN_GOAL_SIGHT

    float radius;        ///< of the agent, metres: the layer must have at least this
    uint32_t open_flags; ///< obstacles that it may pass, see vn_world_set_flags
    vn_algo algo;
    vn_quality quality; ///< cells
    vn_refine refine;
    vn_heuristic heuristic; ///< grid
    uint32_t neighbours;    ///< grid: 26 (default) or 6; corners are never cut

    /// On the heuristic, 1 to 1e6. 0: the quality's own for cells (1.11 standard, 1.25 fast, 1 best), 1 on
    /// the grid.
    double weight;
    uint64_t budget;      ///< expansions; 0: no limit
    bool allow_partial;   ///< if the goal is not reached: the path to what was reached nearest to it
    double snap_distance; ///< metres; a blocked end moves to the nearest free point within this
    const vn_zone* zones; ///< the path with the least cost is looked for; read by vn_query_begin only
    uint32_t zone_count;  ///< up to VN_MAX_ZONES, with up to VN_MAX_ZONE_PLANES: see volnav/world.h
    uint32_t zone_flags;  ///< which zones with flags count; those without always do
    const vn_connection* connections; ///< connections that the path may use; cells only; read by vn_query_begin only
    uint32_t connection_count; ///< up to VN_MAX_CONNECTIONS

    bool has_limits; ///< cells only: the path stays inside `limits`: an altitude band, an arena
    vn_box limits;   ///< local, closed; if flat, inside a layer of voxels: hardly any way runs between two

    /// Cells only: the distance from walls that the path prefers, metres. Nearer, every metre costs more: 1 +
    /// clearance_weight times the missing part of the distance. A narrow door is still passed. 0, or less
    /// than a tenth of a voxel: none; more than 64 voxels count as 64.
    float preferred_clearance;
    float clearance_weight; ///< 0 to 1000; default 4

    /// Cells only: up to this part is added to what each cell of the search costs, by chance, so that agents
    /// choose different ways. 0 (none) to 1. The same seed gives the same path.
    float jitter;
    uint64_t jitter_seed;
    bool check; ///< judge the path by vn_space_check_path before it is returned; debug builds always do
    uint32_t cookie;
} vn_path_request;

VN_API vn_path_request vn_default_path_request(void);

/// Which end of a path a status is about.
typedef enum vn_path_end { VN_END_NONE = 0, VN_END_START = 1, VN_END_GOAL = 2 } vn_path_end;

typedef struct vn_path_result {
    vn_status status; ///< VN_OK, VN_PARTIAL, or why there is no path
    vn_status reason; ///< with VN_PARTIAL: what ended the search (VN_NO_PATH, VN_TOO_NARROW, VN_BUDGET_SPENT,
                      ///< VN_CAPACITY, VN_CANCELLED); VN_CANCELLED with VN_OK: there is a path, but the
                      ///< search was ended before it had tried to better it; else = status
    uint32_t point_count;
    double length;  ///< metres along the polyline
    double cost;    ///< by the request's cost, links included; without zones, links and clearance the length
    double bound;   ///< the path costs at most bound times the least on this grid; 0 if nothing is promised
    double weight;  ///< on the heuristic, as used
    uint32_t turns; ///< inner points at which the direction changes
    bool checked;   ///< the path was judged and found free; one that is not comes back as VN_BAD_DATA
    uint64_t expanded;    ///< cells or voxels taken from the open set
    uint64_t touched;     ///< grid: voxels that the search wrote to
    vn_point start, goal; ///< as used: moved when snapped
    vn_path_end end;      ///< with VN_START_BLOCKED, VN_GOAL_BLOCKED, VN_OUTSIDE and VN_UNKNOWN_SPACE: which one
    bool has_nearest;     ///< that end is not free: the nearest free point follows
    vn_point nearest;
    double nearest_distance; ///< metres
    float layer_radius;      ///< of the layer that was searched

    /// With VN_TOO_NARROW: the widest radius of another layer in which the ends are joined (vn_query_find_passage
    /// finds out more); with a blocked end: of another layer in which that end is free. Below 0: there is
    /// none.
    float passing_radius;
    uint32_t connections_used;    ///< see vn_query_connections
    uint32_t connections_ignored; ///< because an end was not free, or outside the limits
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
VN_API vn_status vn_query_find_path(vn_query* query, const vn_path_request* request, vn_path_result* result,
                              vn_detail* detail);

/// The points of the last path, from start to goal; they belong to the query and live until its next begin, a
/// refused one included: then, and while a search runs, there are none. Collinear grid points are left out.
VN_API const vn_point* vn_query_points(const vn_query* query, uint32_t* count);

/// The links that the last path takes: from points[point] to points[point + 1] it is the request's link
/// `link` (backwards if `reversed`), and nothing of `length`.
typedef struct vn_connection_use {
    uint32_t point, connection;
    bool reversed;
} vn_connection_use;
VN_API const vn_connection_use* vn_query_connections(const vn_query* query, uint32_t* count);

// ------------------------------------------------------------------------------------------------ widest way

/// The widest way between two points.
typedef struct vn_passage {
    vn_status
        status;    ///< VN_OK; VN_START_BLOCKED, VN_GOAL_BLOCKED, VN_OUTSIDE; VN_NO_PATH: joined in no layer
    double radius; ///< an agent of this radius would pass, metres: at least the layer's own
    float layer_radius;  ///< of the widest layer in which they are joined
    vn_point bottleneck; ///< centre of the voxel where the way is narrowest, nearest to the start
    bool limited;        ///< nowhere narrower than `up_to`: radius = up_to, or the layer's if that is more
    uint64_t expanded;   ///< voxels, and cells of a wider layer
} vn_passage;

/// Finds the way from start to goal whose narrowest place is widest, in the widest layer that joins them (of
/// those that open nothing but `open_flags`; of equal ones that which opens most): over voxels that share
/// faces, where the width of a voxel is the layer's radius and the distance from its closed cube to the
/// nearest blocked cube. So a bake of those voxels for this radius would join the ends, and one for more
/// would not. A voxel that is free in the next wider layer that opens no more is at least as wide as that.
/// The bounds of the space are no wall; where only that wider layer knows of a wall beyond them, the radius
/// is the wider layer's, which no agent quite reaches. Widths above `up_to` (metres, for instance the radius
/// that failed; infinity is allowed) are not told apart.
///
/// Searches from both ends. A small room behind a narrow door costs about its voxels, and with a wider layer
/// less, however long the way beyond it; a wall across the map costs its surface with a wider layer, and
/// without one the voxels on one side of it: give a `budget` (voxels and cells, and what takes as long:
/// looking for walls more than 64 voxels away; 0: no limit). Uses the query's room for grid searches
/// (VN_SCRATCH_GRID, else VN_UNSUPPORTED, as when every layer opens more than the flags); ends a search that is
/// running; the points and the result of one that has ended stay. VN_CAPACITY, VN_BUDGET_SPENT: the radius is
/// the layer's own if it has cells, else 0. VN_BAD_ARGUMENT: up_to is negative or NaN. Allocates nothing.
VN_API vn_status vn_query_find_passage(vn_query* query, vn_point start, vn_point goal, uint32_t open_flags,
                                 double up_to, uint64_t budget, vn_passage* out, vn_detail* detail);

// ------------------------------------------------------------------------------------------------ cost field

/// From one source to everywhere at once. Needs room for the cells search.
typedef struct vn_field_request {
    vn_point source;
    float radius; ///< as in vn_path_request, and the next ones too
    uint32_t open_flags;
    const vn_zone* zones;
    uint32_t zone_count, zone_flags;
    bool has_limits;
    vn_box limits;
    double max_cost; ///< metres; little beyond is looked at, and nothing beyond is told; 0: no limit
    uint64_t budget; ///< cells; 0: no limit
    uint32_t cookie;
} vn_field_request;

VN_API vn_field_request vn_default_field_request(void);

/// Spreads from the source over cells, the cheapest first. VN_OK, VN_BUDGET_SPENT (what has been reached can
/// be asked for), VN_START_BLOCKED, VN_OUTSIDE, VN_UNKNOWN_SPACE; bad requests as vn_query_begin. `cells` (may be
/// null) gets how many were expanded. The field lives in the query until its next field, search or passage.
VN_API vn_status vn_query_build_field(vn_query* query, const vn_field_request* request, uint64_t* cells,
                               vn_detail* detail);

/// What the way to each target costs, metres: that of vn_query_field_path, pulled taut and pruned, so at least the
/// cheapest and seldom much more. Infinity: blocked, outside the space or the limits, not reached, above
/// max_cost, or a way of too many points (max_points). VN_BAD_ORDER without a field. About as long as a short
/// search for each.
VN_API vn_status vn_query_field_costs(vn_query* query, const vn_point* targets, uint32_t count, double* costs);

/// The way to one target; its points by vn_query_points. VN_NO_PATH where the cost is infinite, VN_CAPACITY
/// if it has too many points.
VN_API vn_status vn_query_field_path(vn_query* query, vn_point target, vn_path_result* result);

/// A random point of the field: uniform by volume over the points for which vn_query_field_costs tells a cost, that
/// is, one of at most max_cost. `random` as in vn_space_random_point. `cost` (may be null) gets what
/// vn_query_field_costs would tell. VN_NO_PATH after 10,000 points that were too far; VN_BAD_ORDER without a field.
VN_API vn_status vn_query_field_random(vn_query* query, uint64_t* random, vn_point* out, double* cost);

// ------------------------------------------------------------------------------------------------- debugging

/// The boxes [low, high) of voxels that the last search expanded, for pictures and debugging; in no
/// particular order. Stops when `visit` returns false. A grid search gives single voxels. `in_corridor` marks
/// the cells that the way was found through.
typedef bool vn_visit_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor);
VN_API void vn_query_visit_expanded(const vn_query* query, vn_visit_box* visit, void* user);

#endif
