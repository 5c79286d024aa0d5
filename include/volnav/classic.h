/// volnav/classic.h: search spaces and searches of the literature, on the voxels of a vn_space, for
/// comparison and choice. Library volnav_classic.
///
/// A *classic* is a search space: the voxel grid, an octree (Albertini 2022, Massonnat 2023) or a merged
/// octree (Massonnat 2023). It is immutable: any number of threads may read it; a tree can also follow a
/// changing space (below). A classic query is scratch memory for one thread; finding a path allocates
/// nothing. Agents of non-zero size: bake the space for their radius.
#ifndef VOLNAV_CLASSIC_H
#define VOLNAV_CLASSIC_H

#include "volnav/planner.h"
#include "volnav/query.h"

typedef struct vn_classic vn_classic;
typedef struct vn_classic_query vn_classic_query;

typedef enum vn_classic_kind {
    VN_CLASSIC_GRID = 0, ///< the voxels themselves
    VN_CLASSIC_OCTREE = 1,
    VN_CLASSIC_MERGED = 2, ///< the octree's leaves, merged while they stay boxes
    VN_CLASSIC_KIND_COUNT
} vn_classic_kind;

/// The name on the command line: "grid", "octree", "merged".
VN_API const char* vn_classic_kind_name(vn_classic_kind kind);
VN_API bool vn_classic_kind_from_name(const char* name, vn_classic_kind* out);

/// What the nodes of the graph are.
typedef enum vn_classic_graph {
    VN_GRAPH_DEFAULT = 0,     ///< centres on the grid, transitions on the trees
    VN_GRAPH_CENTRES = 1,     ///< of the boxes: the dual graph of Albertini 2022
    VN_GRAPH_TRANSITIONS = 2, ///< of the faces between them: the movement graph of Massonnat 2023
    VN_GRAPH_COUNT
} vn_classic_graph;

/// "default", "centres", "transitions".
VN_API const char* vn_classic_graph_name(vn_classic_graph graph);
VN_API bool vn_classic_graph_from_name(const char* name, vn_classic_graph* out);

typedef enum vn_classic_algo {
    VN_CLASSIC_ASTAR = 0,
    VN_CLASSIC_DIJKSTRA = 1,
    VN_CLASSIC_GREEDY = 2,     ///< best-first search by the heuristic alone
    VN_CLASSIC_ASTAR_LIST = 3, ///< A* with R16's unsorted open list: for comparison only, quadratic
    VN_CLASSIC_ARA = 4,        ///< ARA*: weighted passes, each with a proven bound
    VN_CLASSIC_JPS = 5,        ///< jump point search on the grid's centres, 26 neighbours
    VN_CLASSIC_JPS6 = 6,       ///< with 6 neighbours
    VN_CLASSIC_THETA = 7,      ///< Basic Theta*
    VN_CLASSIC_LAZY_THETA = 8,
    VN_CLASSIC_THETA_FAST = 9, ///< Krafft 2021, 5.2.3.2: checks sight only from static and dynamic neighbour
                               ///< nodes; on graphs with node kinds only (vn_graph_query_find_path)
    VN_CLASSIC_ALGO_COUNT
} vn_classic_algo;

/// The name on the command line ("astar", "lazy-theta" ...), the same as vn_algo_name where the core has the
/// algorithm too; null for an unknown number.
VN_API const char* vn_classic_algo_name(vn_classic_algo algo);

/// False if there is no algorithm of that name.
VN_API bool vn_classic_algo_from_name(const char* name, vn_classic_algo* out);

typedef struct vn_classic_def {
    vn_allocator allocator;
    vn_classic_kind kind;
    uint32_t min_depth; ///< trees: leaves are at least this deep (default 0)
    uint32_t max_depth; ///< and at most this (default: down to the voxel); equal to min_depth: a grid
    bool split_root;    ///< trees: several roots, as large as the greatest common divisor of the dimensions
                        ///< allows, instead of one cube that holds the space
    bool follows;       ///< trees without a greatest depth: vn_classic_follow can be called
    uint32_t history;   ///< follows: versions whose changes are kept; 0: 64
    uint64_t version;   ///< follows: number of the first version (default 1)
    bool greedy; ///< follows, merged: boxes that were split are not restored, but merged with what is around
                 ///< them (Massonnat 2023, 5.1). For comparison: their number grows. At most 2^24 voxels
    uint64_t (*clock)(void* user); ///< follows: nanoseconds, for vn_classic_get_times; may be null
    void* clock_user;
    vn_progress* progress; ///< may be null
    void* progress_user;
    uint32_t cookie;
} vn_classic_def;

VN_API vn_classic_def vn_default_classic_def(void);

/// Builds the search space over `space`, which must outlive it. VN_BAD_DEF, VN_BAD_ARGUMENT, VN_TOO_LARGE,
/// VN_OUT_OF_MEMORY, VN_CANCELLED.
VN_API vn_status vn_classic_build(const vn_space* space, const vn_classic_def* def, vn_classic** out,
                                  vn_detail* detail);
VN_API void vn_classic_destroy(vn_classic* classic);
VN_API void vn_classic_get_memory(const vn_classic* classic, vn_memory* out);

/// The bytes of a tree (Massonnat 2023, 3.2.2: built once, loaded quickly), for a .vnav beside its layer
/// (volnav/store.h: vn_store_tree). Of a merged octree that follows changes: the saved boxes, of the first
/// space. The same tree gives the same bytes. VN_UNSUPPORTED: a grid, a tree with a greatest depth, or
/// a greedy one. VN_OUT_OF_MEMORY. VN_IO: the sink failed.
VN_API vn_status vn_classic_write(const vn_classic* classic, const vn_sink* sink, vn_detail* detail);

/// A classic from these bytes, over the space that it was written for; kind, depths and roots are those of
/// the bytes, the rest is the def's. The bytes are not believed: VN_BAD_FORMAT unless the leaves are those
/// that vn_classic_build would give, and the merged boxes boxes. VN_MISMATCH: a space of another size.
/// VN_UNSUPPORTED: a greedy def. Otherwise as vn_classic_build.
VN_API vn_status vn_classic_read(const vn_space* space, const vn_classic_def* def, const void* data,
                                 size_t size, vn_classic** out, vn_detail* detail);

typedef struct vn_classic_info {
    vn_classic_kind kind;
    uint64_t leaves;   ///< free leaves of the octree; of the grid its free voxels
    uint64_t cells;    ///< boxes, after merging if the kind merges
    uint64_t portals;  ///< faces between them; 0 on the grid, which does not store them
    uint32_t depth;    ///< of the deepest leaf; of the grid 0, like the next two
    int32_t root_edge; ///< voxels
    vn_voxel roots;    ///< trees along each axis
} vn_classic_info;

VN_API void vn_classic_get_info(const vn_classic* classic, vn_classic_info* out);

/// Visits the boxes (of the grid the free voxels) that have voxels in [low, high), for drawing; stops when
/// `visit` returns false.
VN_API void vn_classic_visit_boxes(const vn_classic* classic, vn_voxel low, vn_voxel high,
                                   vn_visit_cell* visit, void* user);

/// The free box nearest to a point that may lie anywhere, and its distance in metres. VN_NOT_FOUND if nothing
/// is free, VN_OUTSIDE for vn_point_outside. Trees: branch and bound over the tree.
VN_API vn_status vn_classic_nearest_box(const vn_classic* classic, vn_point point, vn_voxel* low,
                                        vn_voxel* high, double* distance);

// ---------------------------------------------------------------------------------------- following changes

/// Follows to `space`, the next version of the space that the classic is over, with the same dimensions
/// (Massonnat 2023, ch. 5). `changes` are what changed since the last call (vn_nav_get_changes; of several
/// versions, pass null); null: unknown, everything is looked at. `version` is above all before. Octree: the
/// leaves are those of a new build. Merged: the boxes of the first space, restored where they are free, split
/// around what blocks them now; leaves of an octree where the first space was blocked and this one is not. A
/// box that is the same before and after keeps its nodes' ids.
///
/// One thread at a time, and no search on the classic meanwhile. `space` replaces the last one, which may go
/// then. VN_BAD_ARGUMENT: not made with `follows`, another size, an old version. VN_OUT_OF_MEMORY,
/// VN_TOO_LARGE: the classic stays at the last version; keep both spaces until a later call succeeds, which
/// makes up for this one. Cost: in proportion to the change.
VN_API vn_status vn_classic_follow(vn_classic* classic, const vn_space* space, uint64_t version,
                                   const vn_layer_changes* changes, vn_detail* detail);

/// Makes the graphs of a classic that follows anew from its boxes as they are, as version `version`, above
/// all before: all nodes get other ids, without gaps, and there are no changes of this version and of those
/// before. For comparison (Massonnat 2023, table 6.3), and after long runs. No view may exist, no changes be
/// held, and its queries must have forgotten their last search (vn_classic_query_forget). Statuses as
/// vn_classic_follow; on failure nothing has changed. Cost: in proportion to the graph.
VN_API vn_status vn_classic_rebuild_graph(vn_classic* classic, uint64_t version, vn_detail* detail);

/// What vn_classic_follow took so far, by the def's clock, calls that failed not counted.
typedef struct vn_classic_times {
    uint64_t updates;
    uint64_t tree_ns;  ///< boxes
    uint64_t graph_ns; ///< nodes and edges
} vn_classic_times;

/// All 0 if it does not follow; times are 0 without a clock.
VN_API void vn_classic_get_times(const vn_classic* classic, vn_classic_times* out);

/// The version that the classic is at; 0 if it does not follow.
VN_API uint64_t vn_classic_version(const vn_classic* classic);

/// One of the two graphs of a classic that follows, in the version that was the newest when the view was
/// made, or advanced: for other planners (volnav/graph.h). The version stays until the next advance. One
/// thread at a time; making, advancing and setting ends not while vn_classic_follow runs.
typedef struct vn_classic_view vn_classic_view;

/// VN_BAD_ARGUMENT: the classic does not follow. VN_OUT_OF_MEMORY.
VN_API vn_status vn_classic_view_create(vn_classic* classic, vn_classic_graph graph, vn_classic_view** out,
                                        vn_detail* detail);
VN_API void vn_classic_view_destroy(vn_classic_view* view);

/// Goes on to the newest version; the ends are gone until they are set again. Allocates nothing.
VN_API void vn_classic_view_advance(vn_classic_view* view);
VN_API uint64_t vn_classic_view_version(const vn_classic_view* view);

/// Lives as long as the view; what it points to changes with an advance. Lines of sight are those of the
/// classic's space: use it before the next vn_classic_follow.
VN_API const vn_graph* vn_classic_view_graph(const vn_classic_view* view);

/// Puts VN_START_NODE or VN_GOAL_NODE at a free point; VN_BLOCKED, VN_OUTSIDE: then it is not there. Before
/// the next vn_classic_follow only: VN_STALE after it, and no end either.
VN_API vn_status vn_classic_view_set_end(vn_classic_view* view, uint32_t node, vn_point point);

/// The view as a source of planners (volnav/planner.h), without bricks. The view outlives it, and no other
/// caller advances the view. Its `advance` goes on to what vn_classic_follow made, holds the changes on the
/// way there and never runs out of memory; VN_STALE: more versions than the history. After vn_classic_follow,
/// a planner on it advances before it moves or steps.
VN_API vn_graph_source vn_classic_view_source(vn_classic_view* view);

/// What `version` changed in a graph against the version before, by node. The lists live until they are
/// released; each hold needs its release. VN_STALE: older than the history. VN_BAD_ARGUMENT: no such version,
/// the first one, or the classic does not follow. Any thread.
VN_API vn_status vn_classic_hold_changes(const vn_classic* classic, vn_classic_graph graph, uint64_t version,
                                         vn_held_changes* out, vn_detail* detail);
VN_API void vn_classic_release_changes(const vn_classic* classic, vn_held_changes* changes);

// ------------------------------------------------------------------------------------------------ searching

typedef struct vn_classic_query_def {
    vn_allocator allocator;
    uint32_t max_nodes; ///< nodes that a search may touch; 0: all of the graph, up to 16 million; of one that
                        ///< follows changes: twice the graph of now
    uint32_t max_points;  ///< points of a path, or of all paths to many targets; 0: 65536. The funnel needs a
                          ///< point for each portal of the corridor
    uint32_t max_targets; ///< of vn_classic_query_find_many; 0: 256
    uint32_t cookie;
} vn_classic_query_def;

VN_API vn_classic_query_def vn_default_classic_query_def(void);
VN_API vn_status vn_classic_query_create(const vn_classic* classic, const vn_classic_query_def* def,
                                         vn_classic_query** out, vn_detail* detail);
VN_API void vn_classic_query_destroy(vn_classic_query* query);
/// Forgets the last search and its points. Of a classic that follows changes, a query keeps the version of
/// its last search until it forgets it, searches again or is destroyed.
VN_API void vn_classic_query_forget(vn_classic_query* query);
VN_API void vn_classic_query_get_memory(const vn_classic_query* query, vn_memory* out);

/// One pass of ARA*: the best path so far costs at most `bound` times the least on this graph.
typedef struct vn_classic_pass {
    uint32_t number; ///< from 0
    double weight, bound;
    double cost;            ///< metres
    uint64_t expanded;      ///< so far
    const vn_point* points; ///< live until the function returns
    uint32_t point_count;   ///< 0: more than max_points
} vn_classic_pass;

/// Returns false to stop with the best path so far.
typedef bool vn_classic_on_pass(void* user, const vn_classic_pass* pass);

/// What the factor of a zone means.
typedef enum vn_zone_mode {
    VN_ZONES_FACTOR = 0, ///< inside, length counts so many times: integrated along each edge, as in the core
    VN_ZONES_ADD = 1, ///< metres that each node inside adds when it is entered, the largest if several zones
                      ///< hold it; the start adds nothing (Maruszczyk 2016)
    VN_ZONE_MODE_COUNT
} vn_zone_mode;

typedef struct vn_classic_request {
    vn_point start, goal;
    vn_classic_algo algo; ///< default A*
    vn_classic_graph graph;
    uint32_t neighbours;    ///< grid, centres: 26 (default) or 6; corners are never cut. JPS6 always has 6
    vn_heuristic heuristic; ///< default: octile or Manhattan on the grid's centres, but Euclidean for Theta*
                            ///< and on every other graph, where the others overestimate
    double weight;          ///< on the heuristic, 1 to 1e6; 0: 1. Not for ARA*, Dijkstra and greedy
    double g_weight;  ///< A*, Theta*: the open set is ordered by g_weight * g + h_weight * weight * h, each
    double h_weight;  ///< 0 to 1, not both 0 (Albertini 2022, 5.1.4); default 1, 1
    bool every_sight; ///< Theta*, not lazy: checks sight for every neighbour, as Albertini 2022 prints it;
                      ///< the same paths, more checks
    double ara_first; ///< ARA*: the first weight, 1 to 1e6 (3)
    double ara_step;  ///< and what it falls by from pass to pass (0.2)
    vn_classic_on_pass* on_pass; ///< ARA*; may be null
    void* on_pass_user;
    vn_refine refine; ///< default: none. Prune: from the goal (Massonnat 2023). Funnel: only after a search
                      ///< whose legs are edges of the graph, not on the grid's centres with 26 neighbours
    uint64_t budget;  ///< expansions; 0: no limit
    double snap_distance; ///< metres; a blocked end moves to the nearest free point within this
    bool check; ///< judge the path by vn_space_check_path before it is returned; debug builds always do
    const vn_zone* zones; ///< the search then minimises cost, not length; read by vn_classic_query_begin
                          ///< only. Not for JPS, and not with a refinement
    uint32_t zone_count;  ///< up to VN_MAX_ZONES, with up to VN_MAX_ZONE_PLANES in total
    uint32_t zone_flags;  ///< as in vn_path_request
    vn_zone_mode zone_mode;
    vn_search_observer* observe; ///< told of each expansion and each line of sight, those of the refinement
                                 ///< too, see volnav/observe.h; may be null
    void* observe_user;
    uint32_t cookie;
} vn_classic_request;

VN_API vn_classic_request vn_default_classic_request(void);

typedef struct vn_classic_result {
    vn_path_result path; ///< as of vn_query_find_path; `cost` is the length, or with zones search_cost;
                         ///< `bound` is about search_cost: ARA*'s, the weight's, or 0 if nothing is promised
    uint64_t sight_checks; ///< lines of sight that search and refinement checked
    uint64_t closed;  ///< different nodes that were taken from the open set, but for those of ARA* that wait
                      ///< in it again; of many targets the sum over their searches
    uint64_t scanned; ///< JPS: words or voxels that jumping looked at
    uint32_t passes;  ///< ARA*: finished
    double search_cost; ///< metres, before refinement: the sum of the edges, the ends joined to the graph
} vn_classic_result;

/// Starts a search, as vn_query_begin: requests that cannot be are refused here, with the reason in `detail`
/// (VN_BAD_DEF, VN_BAD_ARGUMENT, VN_UNSUPPORTED). Ends that are blocked or outside are not: the next step
/// returns their status. VN_BAD_ORDER: a search has not been finished; nothing changes.
VN_API vn_status vn_classic_query_begin(vn_classic_query* query, const vn_classic_request* request,
                                        vn_detail* detail);

/// Expands up to `max_expansions` nodes. VN_RUNNING: call it again. Any other status: the search has ended,
/// call vn_classic_query_finish. VN_BAD_ORDER: none has begun. The result does not depend on the sizes of the
/// steps.
VN_API vn_status vn_classic_query_step(vn_classic_query* query, uint64_t max_expansions);

/// Ends a search that runs: VN_CANCELLED, or VN_OK if ARA* has a path already. One that has ended keeps its
/// status, which is returned. VN_BAD_ORDER: none has begun.
VN_API vn_status vn_classic_query_cancel(vn_classic_query* query);

/// Fills `result` and makes the path; a search that still runs is cancelled. Returns result->path.status;
/// VN_BAD_ORDER: none has begun.
VN_API vn_status vn_classic_query_finish(vn_classic_query* query, vn_classic_result* result,
                                         vn_detail* detail);

/// A whole search: begin, step to the end, finish. Statuses as of vn_query_find_path; also VN_START_BLOCKED
/// or VN_GOAL_BLOCKED for an end that is free in the space but in no leaf of a tree of limited depth.
/// VN_UNSUPPORTED: a combination of space, graph, algorithm and refinement that does not exist; detail names
/// what is missing. ARA* with a budget or nodes that are used up after it has a path gives VN_OK, and
/// VN_BUDGET_SPENT or VN_CAPACITY as the reason. Allocates nothing.
VN_API vn_status vn_classic_query_find_path(vn_classic_query* query, const vn_classic_request* request,
                                            vn_classic_result* result, vn_detail* detail);

/// VN_OK if the classic supports requests with this algorithm, graph, number of neighbours and refinement;
/// else VN_UNSUPPORTED, and detail names what is missing; VN_BAD_DEF, VN_BAD_ARGUMENT as
/// vn_classic_query_find_path. Nothing is searched.
VN_API vn_status vn_classic_supports(const vn_classic* classic, const vn_classic_request* request,
                                     vn_detail* detail);

/// Does the classic have a graph that this algorithm can search? Grids have all algorithms, trees all but JPS
/// and JPS6. vn_classic_supports judges a whole request.
VN_API bool vn_classic_has_algo(const vn_classic* classic, vn_classic_algo algo);

/// The points of the last path, or of all paths to many targets one after another; they live until the next
/// search, or request that is refused. Collinear points are left out.
VN_API const vn_point* vn_classic_query_points(const vn_classic_query* query, uint32_t* count);

/// The boxes that the last search expanded (of transitions the one below each portal, so some come twice; of
/// JPS also voxels that it walked over), for pictures; in no particular order. Stops when `visit` returns
/// false. `in_corridor` is never set.
VN_API void vn_classic_query_visit_expanded(const vn_classic_query* query, vn_visit_box* visit, void* user);

/// The boxes whose nodes are in the open set when the last search ends: one that its budget stops shows its
/// frontier there. Otherwise as vn_classic_query_visit_expanded; ARA*: those of its last pass.
VN_API void vn_classic_query_visit_open(const vn_classic_query* query, vn_visit_box* visit, void* user);

// --------------------------------------------------------------------------------------------- many targets

/// What the searches for the single targets have in common.
typedef enum vn_classic_sharing {
    /// Open and closed sets; the open ones are ordered anew for each target. Dijkstra and A* keep what a
    /// single search promises.
    VN_SHARING_NEW_KEYS = 0,

    /// The same where that keeps what a single search promises, or else what it finds; where it does not
    /// (greedy, Theta*, A* with a heuristic that may overestimate), only targets at one point share a search.
    VN_SHARING_EXACT = 1,

    /// Albertini 2022, ch. 6: open nodes keep the order that they had for earlier targets, so that A* too may
    /// miss the least cost. Expands more nodes than VN_SHARING_NEW_KEYS: for comparison.
    VN_SHARING_KEPT_KEYS = 2,
    VN_SHARING_COUNT
} vn_classic_sharing;

typedef struct vn_classic_target {
    vn_status status;
    double length;                     ///< metres along the path
    double cost;                       ///< metres, as search_cost
    uint32_t first_point, point_count; ///< in vn_classic_query_points, from the source to the target
    bool optimal; ///< the cost is the least on this graph; false where the search promises no such thing, or
                  ///< sharing may have lost it
} vn_classic_target;

/// From request->start to each of the `count` targets (request->goal is not read), nearest first. Dijkstra,
/// greedy, A*, Theta* and Lazy Theta*; each path is refined as the request says. `out` gets one entry for
/// each target, with the status that a single search would give; `total` (may be null) the sums: lengths and
/// costs of the targets that were reached, work of all. The budget is for all of them together. Returns VN_OK
/// if every target was reached, else the status of the first that was not; VN_CAPACITY without a search if
/// there are more than max_targets. A target that is blocked, or whose path does not fit, does not stop the
/// others. Allocates nothing.
VN_API vn_status vn_classic_query_find_many(vn_classic_query* query, const vn_classic_request* request,
                                            const vn_point* targets, uint32_t count,
                                            vn_classic_sharing sharing, vn_classic_target* out,
                                            vn_classic_result* total, vn_detail* detail);

// ------------------------------------------------------------------------------------ searches on any graph

/// Scratch memory for searches on graphs (volnav/graph.h), from VN_START_NODE to VN_GOAL_NODE: those of a
/// nav, of a classic that follows one, or the caller's own. One thread at a time; a search allocates nothing.
typedef struct vn_graph_query vn_graph_query;

typedef struct vn_graph_query_def {
    vn_allocator allocator;
    uint32_t node_limit; ///< of the graphs, at most; vn_graph_query_grow makes it more
    uint32_t max_nodes;  ///< nodes that a search may touch; 0: all of the graph
    uint32_t max_points; ///< of a path; 0: 65536
    uint32_t cookie;
} vn_graph_query_def;

VN_API vn_graph_query_def vn_default_graph_query_def(void);
VN_NODISCARD vn_status vn_graph_query_create(const vn_graph_query_def* def, vn_graph_query** out,
                                             vn_detail* detail);

/// Null is allowed.
VN_API void vn_graph_query_destroy(vn_graph_query* query);

/// Makes capacity for graphs of `node_limit` ids, if there is less. The last path is forgotten.
/// VN_OUT_OF_MEMORY: nothing has changed.
VN_NODISCARD vn_status vn_graph_query_grow(vn_graph_query* query, uint32_t node_limit, vn_detail* detail);

typedef struct vn_graph_request {
    vn_classic_algo algo;   ///< all but JPS and JPS6; Theta* needs a graph that sees (default A*)
    vn_heuristic heuristic; ///< default: octile or Manhattan on a grid (Euclidean for Theta*), else
                            ///< Euclidean. Others than Euclidean are for grids only
    double weight;          ///< on the heuristic, 1 to 1e6 (default 1)
    double ara_first;       ///< as in vn_classic_request, like the next one
    double ara_step;
    uint64_t budget; ///< expansions; 0: no limit
    vn_search_observer* observe; ///< told of each expansion and each line of sight, see volnav/observe.h; may
                                 ///< be null
    void* observe_user;
    double voxel_size; ///< metres, for the observer (default 1)
    uint32_t cookie;
} vn_graph_request;

VN_API vn_graph_request vn_default_graph_request(void);

typedef struct vn_graph_result {
    double cost;  ///< voxels: the sum of the edges, or of the legs
    double bound; ///< the cost is at most this times the least; 0: no guarantee
    uint64_t expanded, touched;
    uint64_t sight_checks;
    uint32_t point_count;
    uint32_t needed_nodes; ///< VN_CAPACITY: node limit of the graph, or twice max_nodes
} vn_graph_result;

/// VN_OK; VN_NO_PATH; VN_BUDGET_SPENT; VN_CAPACITY (the graph, the search or the path does not fit);
/// VN_UNSUPPORTED: the graph lacks what the algorithm needs, detail names it; VN_BAD_DEF, VN_BAD_ARGUMENT.
VN_NODISCARD vn_status vn_graph_query_find_path(vn_graph_query* query, const vn_graph* graph,
                                                const vn_graph_request* request, vn_graph_result* result,
                                                vn_detail* detail);

/// VN_OK if the algorithm can search the graph, else VN_UNSUPPORTED with what is missing.
VN_NODISCARD vn_status vn_graph_supports(const vn_graph* graph, vn_classic_algo algo, vn_detail* detail);

/// The points of the last path, from start to goal, and the nodes whose points they are (VN_NO_NODE where an
/// edge bends). They live until the next call.
VN_API const vn_point* vn_graph_query_points(const vn_graph_query* query, uint32_t* count);
VN_API const uint32_t* vn_graph_query_nodes(const vn_graph_query* query, uint32_t* count);

/// The nodes that are in the open set when the last search ends, in no particular order: writes up to
/// `capacity` of them, and returns the number of all. `out` may be null if `capacity` is 0. O(touched).
VN_API uint32_t vn_graph_query_get_open(const vn_graph_query* query, uint32_t* out, uint32_t capacity);

// ------------------------------------------------------------------- graphs of a space that does not change

/// Voxels or cells of a space as a graph, with a start and a goal, for single plans and searches. The space
/// outlives it. One thread at a time; any number of graphs on one space.
typedef struct vn_space_graph vn_space_graph;

typedef struct vn_space_graph_def {
    vn_allocator allocator;
    vn_nav_graph_kind kind; ///< default VN_NAV_GRID26
    const vn_zone* zones; ///< edges cost what these make of their length; read by vn_space_graph_create only
    uint32_t zone_count;  ///< up to VN_MAX_ZONES, with up to VN_MAX_ZONE_PLANES in total
    uint32_t zone_flags;  ///< as in vn_path_request
    uint32_t cookie;
} vn_space_graph_def;

VN_API vn_space_graph_def vn_default_space_graph_def(void);

/// VN_BAD_DEF; VN_BAD_ARGUMENT; VN_CAPACITY: too many zones; VN_UNSUPPORTED: cells of a space that was baked
/// without them; VN_TOO_LARGE: ids do not fit in 32 bits; VN_OUT_OF_MEMORY. Grids O(1), cells O(cells).
VN_NODISCARD vn_status vn_space_graph_create(const vn_space* space, const vn_space_graph_def* def,
                                             vn_space_graph** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_space_graph_destroy(vn_space_graph* graph);

/// As a source of planners (volnav/planner.h), of one version, 1; its `graph` and `set_end` also serve
/// vn_graph_query_find_path. Lives as long as `graph`.
VN_API vn_graph_source vn_space_graph_source(vn_space_graph* graph);

#endif
