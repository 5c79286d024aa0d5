/// classic/classic_inside.h: what a classic and its query are made of. For this module only.
#ifndef VNI_CLASSIC_CLASSIC_INSIDE_H
#define VNI_CLASSIC_CLASSIC_INSIDE_H

#include "classic/ara.h"
#include "classic/jps.h"
#include "classic/many.h"
#include "classic/views.h"
#include "probe/endpoint.h"
#include "space/zone_buffer.h"
#include "volnav/classic.h"

struct vn_classic {
    vn_allocator allocator;
    const vn_space* space;
    vn_classic_kind kind;
    bool split_root; ///< as of the def, like the next two
    uint32_t min_depth, max_depth;
    vni_grid grid6, grid26; ///< VN_CLASSIC_GRID, and the next three
    vni_jps_rows rows;
    vni_jps_index jps6, jps26;
    vni_octree tree; ///< the others, and the next two
    vni_boxes boxes;
    vn_point* centres; ///< of the portals
    bool follows;      ///< instead of these three:
    vni_follow follow;
};

typedef enum vni_classic_phase {
    VNI_CLASSIC_IDLE,   ///< no request yet, or its result has been fetched
    VNI_CLASSIC_SEARCH, ///< the search runs
    VNI_CLASSIC_ENDED   ///< its status is known, the result has not been fetched
} vni_classic_phase;

struct vn_classic_query {
    vn_allocator allocator;
    const vn_classic* classic;
    vni_scratch scratch;
    uint32_t max_points, max_targets;
    vn_point* points;
    uint32_t point_count;

    // For the funnel, max_points of each.
    uint32_t* nodes;
    vni_portal* portals;
    float (*crossings)[3];

    // Of many targets: those that could be placed.
    vni_many_target* targets;
    vni_endpoint* places;
    vn_voxel* starts;  ///< that their searches begin in
    uint32_t* indices; ///< in the caller's array

    // The last request: one search after another, for each pair of sides that its ends have.
    vni_classic_phase phase;
    vn_status status; ///< of the search that runs or has ended
    vni_endpoint start, goal;
    uint32_t pair;   ///< number of the pair of sides
    uint64_t budget; ///< that is left for the search; 0: no limit
    bool enough;     ///< ARA*: the caller wants no more passes

    // The last search.
    vn_classic_request request;   ///< nothing in it is a default
    vni_observer watcher;         ///< the request's observer
    const vni_observer* observer; ///< that, or null
    vni_zone_buffer* zone_buffer; ///< of the request
    bool has_zones;
    vni_view view;
    const vni_slot_version* pinned; ///< of a classic that follows changes: that of the view
    vn_graph graph;
    vni_cost cost;
    union {
        vni_best_first best_first;
        vni_theta theta;
        vni_jps jps;
        vni_ara ara;
        vni_many many;
    } search;
    vn_classic_result result;
};

/// Is the algorithm one whose legs are no edges?
static inline bool vni_is_theta(vn_classic_algo algo) {
    return algo == VN_CLASSIC_THETA || algo == VN_CLASSIC_LAZY_THETA;
}

static inline bool vni_is_jps(vn_classic_algo algo) {
    return algo == VN_CLASSIC_JPS || algo == VN_CLASSIC_JPS6;
}

/// Does it order its open set as one of the three weightings of best-first search?
static inline bool vni_is_best_first(vn_classic_algo algo) {
    return algo == VN_CLASSIC_ASTAR || algo == VN_CLASSIC_DIJKSTRA || algo == VN_CLASSIC_GREEDY ||
           algo == VN_CLASSIC_ASTAR_LIST;
}

/// Has any search expanded the node with this record, or JPS jumped over it? All positions beyond those in
/// the open set say so, but for two.
static inline bool vni_is_expanded(const vni_node* node) {
    return node->position > VNI_MAX_NODES && node->position != VNI_NODE_UNSEEN &&
           node->position != VNI_NODE_FRESH;
}

/// Checks a request for this classic and replaces its defaults by values: VN_BAD_DEF,
/// VN_BAD_ARGUMENT, VN_UNSUPPORTED.
vn_status vni_classic_resolve(const vn_classic* classic, const vn_classic_request* request,
                              vn_classic_request* out, vn_detail* detail);

/// The grid of a resolved request.
static inline const vni_grid* vni_classic_grid(const vn_classic* classic, const vn_classic_request* request) {
    return request->neighbours == 6 ? &classic->grid6 : &classic->grid26;
}

/// An empty classic of a def that is right. VN_BAD_DEF, VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY.
vn_status vni_classic_begin(const vn_space* space, const vn_classic_def* def, vn_classic** out,
                            vn_detail* detail);

/// The transitions of a tree whose boxes are there.
vn_status vni_classic_make_centres(vn_classic* classic, vn_detail* detail);

/// Makes a classic follow changes; with a tree and merged boxes to take over, or null.
vn_status vni_classic_build_live(vn_classic* classic, const vn_classic_def* def, vni_octree* tree,
                                 vni_boxes* boxes, vn_detail* detail);

/// Of a classic that follows changes: parts of vn_classic_get_memory, _get_info and _visit_boxes.
void vni_classic_live_memory(const vn_classic* classic, vn_memory* out);
void vni_classic_live_info(const vn_classic* classic, vn_classic_info* out);
void vni_classic_live_visit(const vn_classic* classic, vn_voxel low, vn_voxel high, vn_visit_cell* visit,
                            void* user);

/// Ids that the scratch of a query is made for, of a classic that follows changes: more than there are.
uint32_t vni_classic_live_limit(const vn_classic* classic);

/// Nodes that a search of it may touch, if the caller does not say: twice as many as there are.
uint32_t vni_classic_live_nodes(const vn_classic* classic);

/// Forgets the last search: before a request is looked at, so that one that is refused leaves no points.
void vni_classic_forget(vn_classic_query* query);

/// Takes over a resolved request.
void vni_classic_take(vn_classic_query* query, const vn_classic_request* resolved);

/// As vni_endpoint_place, but of a tree the voxel lies in one of its boxes.
vn_status vni_classic_place(const vn_classic* classic, vn_point point, double snap_distance,
                            vni_endpoint* out);

/// Chooses voxels for two placed ends that lie on faces, edges or corners: those of pair number `number` of
/// their sides (vni_space_sides) that a path may join, from 0 on. Number 0 always exists. False,
/// and nothing changed, if there are not so many.
bool vni_classic_pair(const vn_classic* classic, uint32_t number, vni_endpoint* start, vni_endpoint* goal);

/// Makes the view, the graph and the cost of the resolved request between two ends.
void vni_classic_view(vn_classic_query* query, const vni_endpoint* start, const vni_endpoint* goal);

/// The weights of best-first search, and of Theta* and JPS (the second only).
void vni_classic_weights(const vn_classic_request* request, double* g_weight, double* h_weight);

/// One search between the ends of the view: begin; step, as vni_best_first_step, until it is no longer
/// VN_RUNNING (ARA* shows its passes); end, with the status of the last step, or VN_CANCELLED: adds its
/// counts to the result, and returns what has become of it.
vn_status vni_classic_search_begin(vn_classic_query* query);
vn_status vni_classic_search_step(vn_classic_query* query, uint64_t max_expansions);
vn_status vni_classic_search_end(vn_classic_query* query, vn_status status);

/// Of the search that runs.
uint64_t vni_classic_search_expanded(const vn_classic_query* query);

/// Writes the path that the last search found to the goal of the view into `points`, and refines it if that
/// is wanted. Returns how many points; 0 if they do not fit.
uint32_t vni_classic_lay(vn_classic_query* query, vn_point* points, uint32_t capacity, bool refined);

/// What that path costs along the graph, its ends joined to it, in metres.
double vni_classic_cost(const vn_classic_query* query);

/// Metres along a polyline.
double vni_classic_length(const vn_classic_query* query, const vn_point* points, uint32_t count);

/// The last word on a path, as in vn_query_find_path: true without looking unless the request or the build
/// asks for it.
bool vni_classic_judge(vn_classic_query* query, const vn_point* points, uint32_t count);

#endif
