/// volnav/query.h: path queries.
///
/// A query object is scratch memory: finding a path allocates nothing. Its capacity is set at creation; a
/// result of VN_CAPACITY says how much would be needed, and vn_query_grow enlarges it.
/// Spaces may be shared between threads; each thread needs its own query object.
///
/// Find a path in one call, vn_query_find_path, or in slices over several frames: vn_query_begin, then
/// vn_query_step while it returns VN_RUNNING, then vn_query_finish. Calls in the wrong order return
/// VN_BAD_ORDER and change nothing.
#ifndef VOLNAV_QUERY_H
#define VOLNAV_QUERY_H

#include "volnav/fuel.h"
#include "volnav/layers.h"
#include "volnav/observe.h"

typedef struct vn_query vn_query;

/// The searches for which a query object has scratch memory.
typedef enum vn_query_scratch {
    VN_SCRATCH_DEFAULT = 0, ///< the cells search if the space has cells, otherwise grid searches
    VN_SCRATCH_CELLS = 1,   ///< VN_ALGO_CELLS; about 96 bytes per cell of the space
    VN_SCRATCH_GRID = 2,    ///< all others; about 40 bytes for each of max_nodes, touched only when needed
    VN_SCRATCH_ALL = 3      ///< every search
} vn_query_scratch;

typedef struct vn_query_def {
    vn_allocator allocator;
    vn_query_scratch scratch;
    uint32_t max_nodes; ///< voxels that a grid search may touch; 0: all voxels of the space, up to 16 million
    uint32_t max_points; ///< points of a path, before it is pulled taut: cells crossed; 0: 65536
    uint32_t
        max_climbs; ///< grid searches: the largest vn_fuel_model.max_climbs of a request, which makes the
                    ///< table of pages max_climbs + 1 times as large (4 bytes for 64 voxels); default 0
    uint32_t cookie;
} vn_query_def;

VN_API vn_query_def vn_default_query_def(void);

/// Creates a query object for searches in `space`, which must outlive it.
VN_NODISCARD vn_status vn_query_create(const vn_space* space, const vn_query_def* def, vn_query** out,
                                       vn_detail* detail);

/// The same for several layers, with scratch memory for the largest: each request states the radius and flags
/// of its agent, and vn_layers_find selects the layer to search.
VN_NODISCARD vn_status vn_query_create_layers(const vn_layers* layers, const vn_query_def* def,
                                              vn_query** out, vn_detail* detail);
VN_API void vn_query_destroy(vn_query* query);

/// Enlarges a query to paths of `max_points` points and grid searches of `max_nodes` voxels; what is already
/// large enough stays (0: no change). After VN_CAPACITY:
///
///   vn_query_grow(query, result.needed_points, result.needed_nodes, &detail), then the same request again
///
/// The last path, its result and a field stay; get the points of the path again. VN_BAD_ORDER: a search is in
/// progress. VN_OUT_OF_MEMORY: nothing was changed.
VN_NODISCARD vn_status vn_query_grow(vn_query* query, uint32_t max_points, uint32_t max_nodes,
                                     vn_detail* detail);
VN_API void vn_query_get_memory(const vn_query* query, vn_memory* out);

typedef enum vn_algo {
    VN_ALGO_CELLS = 0, ///< any-angle search over cells, the fastest; needs a space with cells
    VN_ALGO_ASTAR = 1, ///< on the voxel grid, like all below
    VN_ALGO_DIJKSTRA = 2,
    VN_ALGO_GREEDY = 3,
    VN_ALGO_ASTAR_LIST =
        4, ///< A* with the unsorted open list of Maruszczyk 2016; quadratic, for comparison only
    VN_ALGO_COUNT
} vn_algo; // ARA*, JPS and Theta*: vn_classic_algo in volnav/classic.h

/// The name used on the command line ("cells", "astar-list" ...); null for an unknown value.
VN_API const char* vn_algo_name(vn_algo algo);

/// False if no algorithm has that name.
VN_API bool vn_algo_from_name(const char* name, vn_algo* out);

typedef enum vn_heuristic {
    VN_HEURISTIC_DEFAULT = 0, ///< octile with 26 neighbours, Manhattan with 6
    VN_HEURISTIC_OCTILE = 1,
    VN_HEURISTIC_EUCLIDEAN = 2,
    VN_HEURISTIC_MANHATTAN = 3, ///< overestimates with 26 neighbours
    VN_HEURISTIC_R16 = 4,       ///< the sorted diagonal distance of Maruszczyk 2016; may overestimate
    VN_HEURISTIC_COUNT
} vn_heuristic;

VN_API const char* vn_heuristic_name(vn_heuristic heuristic);
VN_API bool vn_heuristic_from_name(const char* name, vn_heuristic* out);

/// Effort of the cells search. Fast and standard search once and pull the path taut. Best searches with
/// weight 1, once from each end, also tries to pass obstacles on their other side, and keeps the shorter
/// path.
typedef enum vn_quality {
    VN_QUALITY_STANDARD = 0,
    VN_QUALITY_FAST = 1,
    VN_QUALITY_BEST = 2,
    VN_QUALITY_COUNT
} vn_quality;

VN_API const char* vn_quality_name(vn_quality quality);
VN_API bool vn_quality_from_name(const char* name, vn_quality* out);

/// Refinement of a path after the search.
typedef enum vn_refine {
    VN_REFINE_DEFAULT = 0, ///< cells: all passes of the quality; grid: none
    VN_REFINE_NONE = 1,    ///< keep the path as found
    VN_REFINE_PRUNE = 2,   ///< remove points that are not needed
    VN_REFINE_TAUT = 3,    ///< cells only: pull the path taut inside its corridor, nothing else
    VN_REFINE_SMOOTH =
        4, ///< post-smoothing (Albertini 2022): volnav/classic.h only, otherwise VN_UNSUPPORTED
    VN_REFINE_FUNNEL = 5, ///< cells, and volnav/classic.h: the 3D funnel (Massonnat 2023), which shortens the
                          ///< path inside the corridor that the search found
    VN_REFINE_FUNNEL_PRUNE = 6, ///< the same, followed by pruning from the goal
    VN_REFINE_COUNT
} vn_refine;

VN_API const char* vn_refine_name(vn_refine refine);
VN_API bool vn_refine_from_name(const char* name, vn_refine* out);

/// Maximum number of connections in a request.
#define VN_MAX_CONNECTIONS 64

/// An off-mesh connection, which the geometry does not show: a teleporter, a lift, a landing spot.
typedef struct vn_connection {
    vn_vec3 from, to;   ///< local; ignored if an end is not free in the layer
    float cost;         ///< metres, 0 to 1e6
    bool bidirectional; ///< may also be used from `to` to `from`
    uint32_t id;        ///< for the caller
} vn_connection;

/// When the goal is reached. All but VN_GOAL_POINT need VN_ALGO_CELLS.
typedef enum vn_goal_kind {
    VN_GOAL_POINT = 0,  ///< at `goal`
    VN_GOAL_BOX = 1,    ///< anywhere in `goal_box`
    VN_GOAL_SPHERE = 2, ///< within `goal_distance` metres of `goal`, which need not be free
    VN_GOAL_SIGHT = 3, ///< where `goal` is visible (vn_space_visible) and at most `goal_distance` metres away
                       ///< (0: at any distance)
    VN_GOAL_KIND_COUNT
} vn_goal_kind;

VN_API const char* vn_goal_kind_name(vn_goal_kind kind);
VN_API bool vn_goal_kind_from_name(const char* name, vn_goal_kind* out);

/// Maximum number of obstacles that a request may start inside of.
#define VN_MAX_INSIDE 8

typedef struct vn_path_request {
    vn_point start, goal; ///< lattice points, see vn_space_point_from_world
    vn_goal_kind goal_kind;
    vn_box goal_box;      ///< local; VN_GOAL_BOX
    double goal_distance; ///< metres; VN_GOAL_SPHERE, VN_GOAL_SIGHT

    float radius;        ///< of the agent, metres; the layer's radius must be at least this. Default:
                         ///< VN_RADIUS_NOT_GIVEN
    uint32_t open_flags; ///< obstacles that the agent may pass, see vn_world_set_flags
    vn_algo algo;
    vn_quality quality; ///< cells
    vn_refine refine;
    vn_heuristic heuristic; ///< grid
    uint32_t neighbours;    ///< grid: 26 (default) or 6; corners are never cut

    /// Weight of the heuristic, 1 to 1e6. 0: for cells by quality (1.11 standard, 1.25 fast, 1 best), on the
    /// grid 1.
    double weight;
    uint64_t budget;    ///< limit on expansions; 0: none
    bool allow_partial; ///< if the goal is not reached, return the path to the reached point nearest to it
    double
        snap_distance; ///< metres; an end that is not free moves to a free point within this distance: the
                       ///< nearest one connected with the other end, otherwise the nearest; see vn_snap_leg
    const vn_zone* zones; ///< the search then minimises cost, not length; read by vn_query_begin only
    uint32_t zone_count;  ///< up to VN_MAX_ZONES, with up to VN_MAX_ZONE_PLANES in total, see volnav/world.h
    uint32_t zone_flags;  ///< selects the zones with one of these flags; zones without flags always apply
    const vn_connection* connections; ///< that the path may use; cells only; read by vn_query_begin only
    uint32_t connection_count;        ///< up to VN_MAX_CONNECTIONS

    bool has_limits; ///< cells only: the path stays inside `limits`, such as an altitude band or an arena
    vn_box limits;   ///< local, closed. Place a flat box inside a slab of voxels: between two slabs few paths
                     ///< exist

    /// Cells only: preferred distance from walls, metres. Closer to a wall, every metre costs 1 +
    /// clearance_weight times the missing fraction of that distance. Narrow doors can still be passed. Values
    /// below a tenth of a voxel count as 0 (no preference), those above 64 voxels as 64.
    float preferred_clearance;
    float clearance_weight; ///< 0 to 1000; default 4

    /// Cells only: raises the cost of each cell by a random fraction of up to this much, so that agents
    /// choose different paths. 0 (none) to 1. The same seed gives the same path.
    float jitter;
    uint64_t jitter_seed;
    bool check; ///< verify the path with vn_space_check_path before returning it; debug builds always do

    bool use_positions; ///< true: from start_position to goal_position; `start` and `goal` are not read
    vn_dvec3 start_position, goal_position; ///< world metres; not finite: outside. Default NaN: set without
                                            ///< use_positions they are VN_BAD_ARGUMENT
    vn_search_observer* observe; ///< told of each expansion, see volnav/observe.h; may be null. Not in
                                 ///< records, and not for a nav
    void* observe_user;

    /// Obstacles inside which the path may start, for an agent that is itself an obstacle. If the start is
    /// blocked by these alone (at the radius of the layer), the path begins with the way out of what they
    /// alone block, to a free voxel; if possible to one that is connected with the goal. That leg is checked
    /// against all other obstacles, and after it the named ones block as all others do; the goal must not lie
    /// in them. result.inside_points says how long it is. No way out: VN_START_BLOCKED, and the detail of
    /// vn_query_begin or vn_query_find_path says so. A start that is free, or blocked by others too, is not
    /// affected; the leg comes before snapping. Such requests allocate memory, in contrast to all others, and
    /// cost a bake of the blocks of 64^3 voxels around the obstacles: VN_OUT_OF_MEMORY. Limits count from the
    /// exit on. VN_STALE_ID: an id is not in the world. VN_CAPACITY: more than VN_MAX_INSIDE.
    vn_obstacle_id inside[VN_MAX_INSIDE];
    uint32_t inside_count;
    const vn_world* inside_world; ///< that of the bake, unchanged; read by vn_query_begin only. In a nav null

    /// Fuel as the cost, and a limit on climbs; see volnav/fuel.h. Default: none. With a kind other than
    /// VN_FUEL_NONE costs are metres of level flight in fair weather, the lower bound is fuel's own
    /// (`heuristic` must be the default), and connections and a preferred clearance are VN_UNSUPPORTED.
    vn_fuel_model fuel;
    uint32_t cookie;
} vn_path_request;

VN_API vn_path_request vn_default_path_request(void);

/// The end of a path that a status refers to.
typedef enum vn_path_end { VN_END_NONE = 0, VN_END_START = 1, VN_END_GOAL = 2 } vn_path_end;

/// Is the straight leg between an end as requested and as snapped free?
typedef enum vn_leg_state {
    VN_LEG_NONE = 0,     ///< the end was not moved: there is no leg
    VN_LEG_FREE = 1,     ///< yes, for an agent of `radius`: free in that narrower layer
    VN_LEG_BLOCKED = 2,  ///< no: the end is free in a narrower layer, but the leg is free in none
    VN_LEG_UNCHECKED = 3 ///< not known: the end is free in no layer of the query. vn_world_check_path tells
} vn_leg_state;

/// The leg between where an agent is (or wants to go) and where its path begins (or ends), if that end was
/// snapped. It is not part of the path, of its length or of its check.
///
/// Of two ends that are not free, the start is snapped first, to the nearest free point, and then the goal to
/// the nearest one connected with it; if there is none, the other way round; if there is none either, both to
/// the nearest. A goal that is not a point, connections, and a space without cells: always to the nearest.
typedef struct vn_snap_leg {
    vn_leg_state state;
    vn_dvec3 from, to; ///< world; of the start: from the agent to the path; of the goal: from the path on
    double distance;   ///< metres
    float radius;      ///< VN_LEG_FREE: of the widest layer in which it is free
} vn_snap_leg;

typedef struct vn_path_result {
    vn_status status; ///< VN_OK, VN_PARTIAL, or the reason why there is no path
    vn_status reason; ///< with VN_PARTIAL: why the search ended (VN_NO_PATH, VN_TOO_NARROW, VN_BUDGET_SPENT,
                      ///< VN_CAPACITY, VN_CANCELLED); VN_CANCELLED with VN_OK: the path was found, but the
                      ///< search was ended before trying to improve it; otherwise the same as status
    uint32_t point_count;
    double length;  ///< of the polyline, metres
    double cost;    ///< including connections, metres; without zones, connections and clearance the length
    double bound;   ///< the cost is at most this times the least cost on this grid (steps count up to 1.4e-9
                    ///< more than their length); 0: no guarantee
    double weight;  ///< of the heuristic, as used
    uint32_t turns; ///< inner points where the direction changes
    bool checked;   ///< the path was verified to be free; a path that fails is returned as VN_BAD_DATA
    uint64_t expanded;    ///< cells or voxels removed from the open set
    uint64_t touched;     ///< grid: voxels that the search wrote to
    vn_point start, goal; ///< as used, after snapping
    vn_path_end end;      ///< at fault, with VN_START_BLOCKED, VN_GOAL_BLOCKED, VN_OUTSIDE, VN_UNKNOWN_SPACE
    bool has_nearest;     ///< that end is not free, and `nearest` is the nearest free point
    vn_point nearest;
    double nearest_distance; ///< metres
    float layer_radius;      ///< radius of the layer searched

    /// The largest radius of another layer that would do; negative if there is none. With VN_TOO_NARROW: a
    /// layer in which the ends are connected (vn_query_find_passage gives more). With a blocked end: a layer
    /// in which that end is free.
    float passing_radius;
    uint32_t connections_used;    ///< see vn_query_connections
    uint32_t connections_ignored; ///< with an end that is not free, or outside the limits

    vn_dvec3 start_position, goal_position; ///< of `start` and `goal`, world metres
    vn_dvec3 nearest_position;              ///< of `nearest`, if has_nearest
    vn_snap_leg start_leg, goal_leg;        ///< of ends that were snapped

    /// VN_CAPACITY as status or reason: what the query lacked, for vn_query_grow; 0: there was enough. With
    /// this many points the same request succeeds. How many nodes a grid search needs is not known before it
    /// ends: this is twice as many as there were, or all voxels of the space.
    uint32_t needed_points, needed_nodes;

    /// The path starts inside obstacles that the request names: its first points, up to the first one in free
    /// space, points[inside_points]. They count in length and cost, the latter without zones. Check the rest
    /// with vn_space_check_path(space, points + inside_points, point_count - inside_points, ...).
    uint32_t inside_points;

    double fuel; ///< that the whole path burns, connections excluded, by the request's model; 0 without one
} vn_path_result;

/// Starts a search. Invalid requests fail here: VN_BAD_DEF, VN_BAD_ARGUMENT, or VN_UNSUPPORTED for an
/// unsupported combination, with the reason in `detail`. Blocked and outside ends do not: the next step
/// returns their status, and vn_query_finish the nearest free point.
VN_NODISCARD vn_status vn_query_begin(vn_query* query, const vn_path_request* request, vn_detail* detail);

/// Expands up to `max_expansions` nodes. VN_RUNNING: call it again. Any other status: the search has ended,
/// call vn_query_finish.
VN_API vn_status vn_query_step(vn_query* query, uint64_t max_expansions);

/// Ends the search and fills `result`. A search that is still running counts as cancelled. Returns
/// result->status.
VN_API vn_status vn_query_finish(vn_query* query, vn_path_result* result);

/// A whole search: begin, step to the end, finish.
VN_API vn_status vn_query_find_path(vn_query* query, const vn_path_request* request, vn_path_result* result,
                                    vn_detail* detail);

/// The points of the last path, from start to goal. They belong to the query and stay valid until its next
/// vn_query_begin, even a failing one. While a search runs, or after a refused request, there are none. Of
/// collinear grid points only the ends are kept.
VN_API const vn_point* vn_query_points(const vn_query* query, uint32_t* count);

/// The same points as world positions: writes up to `capacity` of them, and sets `*count` to the number of
/// all. VN_CAPACITY: `capacity` is smaller than that. `out` may be null if `capacity` is 0.
VN_NODISCARD vn_status vn_query_get_positions(const vn_query* query, vn_dvec3* out, uint32_t capacity,
                                              uint32_t* count);

/// A connection used by a path: the path goes from points[point] to points[point + 1] by the request's
/// connection `connection`, from `to` to `from` if `reversed`. That step is not part of the length.
typedef struct vn_connection_use {
    uint32_t point, connection;
    bool reversed;
} vn_connection_use;

/// The connections used by the last path, in its order; valid as long as its points.
VN_API const vn_connection_use* vn_query_connections(const vn_query* query, uint32_t* count);

// ----------------------------------------------------------------------------------------------- passage

/// The widest route between two points.
typedef struct vn_passage {
    vn_status status; ///< VN_OK; VN_START_BLOCKED, VN_GOAL_BLOCKED, VN_OUTSIDE; VN_NO_PATH: not connected in
                      ///< any layer
    double radius;    ///< of the largest agent that can pass, metres; at least that of the layer
    float layer_radius;  ///< of the widest layer in which the points are connected
    vn_point bottleneck; ///< centre of the narrowest voxel; of several, the one nearest to the start
    bool limited; ///< nowhere narrower than max_radius; radius is then max_radius, or the layer's if larger
    uint64_t expanded;            ///< voxels, and cells of a wider layer
    vn_dvec3 bottleneck_position; ///< of `bottleneck`, world metres
} vn_passage;

/// Finds the route from start to goal whose narrowest point is widest, in the widest layer that connects them
/// (among the layers that open nothing but `open_flags`; of equally wide ones, the one that opens most).
/// Routes lead over voxels that share faces. The width of a voxel is the radius of the layer plus the
/// distance from its closed cube to the nearest blocked cube: a bake of these voxels for the resulting radius
/// would connect the ends, and for any larger radius it would not. A voxel that is free in the next wider
/// layer (one that opens no more) is at least as wide as that layer. The bounds of the space are not walls;
/// where only the wider layer knows of a wall beyond them, the result is the radius of that layer, which
/// agents can approach but not reach. Widths above `max_radius` (metres, for example the radius that failed;
/// infinity is allowed) are not distinguished.
///
/// Searches from both ends. A small chamber behind a narrow door costs about its voxels, or less with a wider
/// layer, however long the route beyond it. A wall across the map costs its surface with a wider layer, and
/// without one the voxels on one side: set a `budget` (voxels and cells, and the equivalent time for finding
/// walls more than 64 voxels away; 0: no limit). Needs VN_SCRATCH_GRID, otherwise VN_UNSUPPORTED, as when
/// every layer opens more than `open_flags`. Ends a running search; the points and the result of a finished
/// one stay valid. VN_CAPACITY, VN_BUDGET_SPENT: the radius is that of the layer if it has cells, otherwise
/// 0. VN_BAD_ARGUMENT: max_radius is negative or NaN. Allocates nothing.
VN_API vn_status vn_query_find_passage(vn_query* query, vn_point start, vn_point goal, uint32_t open_flags,
                                       double max_radius, uint64_t budget, vn_passage* out,
                                       vn_detail* detail);

// -------------------------------------------------------------------------------------------- cost field

/// Costs from one source to all points. Needs scratch memory for the cells search.
typedef struct vn_field_request {
    vn_point source;
    float radius; ///< this and the next fields as in vn_path_request
    uint32_t open_flags;
    const vn_zone* zones;
    uint32_t zone_count, zone_flags;
    bool has_limits;
    vn_box limits;
    double max_cost; ///< metres; points beyond it are not reported, and hardly searched; 0: no limit
    uint64_t budget; ///< limit on cells; 0: none
    uint32_t cookie;
} vn_field_request;

VN_API vn_field_request vn_default_field_request(void);

/// Expands cells from the source, in order of cost. VN_OK; VN_BUDGET_SPENT (the part reached can be used);
/// VN_START_BLOCKED, VN_OUTSIDE, VN_UNKNOWN_SPACE for the source; invalid requests as in vn_query_begin.
/// `cells` (may be null) receives the number expanded. The field stays in the query until its next field,
/// search or passage.
VN_API vn_status vn_query_build_field(vn_query* query, const vn_field_request* request, uint64_t* cells,
                                      vn_detail* detail);

/// The cost of the path to each target, metres. It is that of vn_query_field_path, pulled taut and pruned:
/// never below the least cost and seldom much above. Infinity: the target is blocked, outside the space or
/// the limits, not reached or above max_cost, or the path needs more than max_points. VN_BAD_ORDER: there is
/// no field. Each target takes about as long as a short search.
VN_API vn_status vn_query_field_costs(vn_query* query, const vn_point* targets, uint32_t count,
                                      double* costs);

/// The path to one target; vn_query_points returns its points. VN_NO_PATH: the cost is infinite. VN_OUTSIDE:
/// so it is, because the target lies outside the space. VN_CAPACITY: the path needs more than max_points;
/// result says how many. VN_BAD_ORDER: there is no field.
VN_API vn_status vn_query_field_path(vn_query* query, vn_point target, vn_path_result* result);

/// A random point of the field, uniformly distributed by volume over the points for which
/// vn_query_field_costs gives a finite cost, at most max_cost. `random` as in vn_space_random_point. `cost`
/// (may be null) receives that cost. VN_NOT_FOUND: 10,000 random points were all too far. VN_BAD_ORDER: there
/// is no field.
VN_API vn_status vn_query_field_random(vn_query* query, uint64_t* random, vn_point* out, double* cost);

// --------------------------------------------------------------------------------------------- debugging

/// Visits the voxel boxes [low, high) that the last search expanded, in no particular order, for pictures and
/// debugging: cells, or single voxels of a grid search. `in_corridor` marks the cells that the path was found
/// through. Stops when `visit` returns false.
typedef bool vn_visit_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor);
VN_API void vn_query_visit_expanded(const vn_query* query, vn_visit_box* visit, void* user);

#endif
