/// query/query_inside.h: what a query object is made of, and the two engines behind it. For the query module
/// only.
#ifndef VNI_QUERY_QUERY_INSIDE_H
#define VNI_QUERY_QUERY_INSIDE_H

#include "base/hash.h"
#include "graph/fuel.h"
#include "query/cells_route.h"
#include "search/best_first.h"
#include "space/body.h"
#include "space/space.h"
#include "space/zone_buffer.h"
#include "view/climbs.h"
#include "view/grid.h"
#include "volnav/query.h"

/// The grid engine: best-first search over voxels, from one side of the start to one of the goal after
/// another (vni_space_sides) until a pair is connected. With a limit on climbs the nodes are pairs of a voxel
/// and a number of climbs (view/climbs.h).
typedef struct vni_grid_engine {
    vni_grid grid6, grid26;
    vni_climb_grid climbs;
    bool has_climbs; ///< the last request limits them
    vni_scratch scratch;
    vn_graph graph;
    vni_cost cost;
    vni_best_first search;
    vn_voxel starts[8], goals[8]; ///< sides
    uint32_t start_count, goal_count;
    uint32_t start_side, goal_side;
    uint64_t expanded, touched; ///< by searches before, between other sides
} vni_grid_engine;

/// The last round of a request with fuel: from start to goal, by fuel.
#define VNI_FUEL_ROUND 2

/// The cells engine: search over cells, then a taut string. Corridors have up to max_points - 1 cells.
typedef struct vni_cells_engine {
    vni_cells_search search; ///< for plain requests; the scratch of both
    vni_terms_search wide;   ///< for those with terms, and for fields
    bool is_plain;           ///< which one serves the last request
    vni_route_terms terms;
    vni_route_terms fuel_terms; ///< with fuel as the cost, if the request wants it
    float ends[2][3];           ///< start and goal of the request, voxels
    vni_hop hops[VNI_MAX_HOPS];
    uint32_t hop_count;
    vni_cell_ref* corridor;
    float (*crossings)[3];
    vni_portal* portals;
    vn_point* other; ///< a second polyline, for the best of two
    uint32_t corridor_count;
    uint32_t round; ///< of the best quality: 0 from start to goal, 1 from goal to start; VNI_FUEL_ROUND
    uint32_t other_count;
    uint64_t expanded; ///< in rounds before
    double max_cost;   ///< of the field, metres; infinity: no limit
} vni_cells_engine;

/// A connection of the request whose ends are free.
typedef struct vni_connection {
    vn_point from, to;
    vni_cell_ref from_cell, to_cell;
    double cost; ///< voxels
    bool both_ways;
    uint32_t index; ///< in the request
} vni_connection;

/// The way out of named obstacles (query/inside.c). Its memory grows when it must.
typedef struct vni_inside_search {
    vni_world_body made; ///< of the last request; empty in a nav
    vni_body body;       ///< the same
    vni_map seen;        ///< voxels by coordinates
    vn_voxel* voxels;    ///< in the order in which they were found
    uint32_t* parents;   ///< indices in `voxels`
    vn_point* leg;       ///< from the start to the exit
    uint64_t voxel_capacity, parent_capacity, leg_capacity;
    uint32_t count;
} vni_inside_search;

typedef enum vni_query_phase {
    VNI_PHASE_IDLE,   ///< no request yet, or the result has been fetched
    VNI_PHASE_SEARCH, ///< the search runs
    VNI_PHASE_ENDED   ///< its status is known, the result has not been fetched
} vni_query_phase;

struct vn_query {
    vn_allocator allocator;
    const vn_layers* layers; ///< null: `space` is the only one
    const vn_space* space;   ///< of the layers: the one that serves the last request
    uint32_t max_cells;      ///< of the largest layer
    uint32_t scratch;        ///< vn_query_scratch bits, never 0
    vn_point* points;
    uint32_t max_points, point_count;

    const vni_zones* zones;       ///< null: they cost the search nothing; else those in zone_buffer
    vni_zone_buffer* zone_buffer; ///< null in a query that only checks
    const vn_zone* standing;      ///< zones that every request has besides its own, see query/versions.h
    uint32_t standing_count;

    bool has_fuel;       ///< the request's cost is fuel
    uint32_t max_climbs; ///< that the scratch allows for

    vni_connection connections[VN_MAX_CONNECTIONS];
    uint32_t connection_count;
    vn_connection_use connection_uses[VNI_MAX_HOPS]; ///< of the last path, in its order
    uint32_t connection_use_count;
    bool has_limits;
    vn_point limit_low, limit_high; ///< closed; low above high: nothing is inside
    vn_point goal_low, goal_high;   ///< VN_GOAL_BOX, likewise

    bool knows_inside;    ///< a nav's: `body` is given for each request
    const vni_body* body; ///< of the obstacles that the request names; null: none
    vni_inside_search inside;
    uint32_t leg_count; ///< points of inside.leg before the exit; 0: the path starts where it is free

    vni_query_phase phase;
    bool has_search; ///< the last request got as far as searching: its footprint can be visited
    bool has_field;  ///< the last request was a field, and it is still valid
    vn_path_request request;
    vni_observer watcher;         ///< the request's observer
    const vni_observer* observer; ///< that, or null
    vn_path_result result;
    vn_voxel start_voxel, goal_voxel;
    vni_grid_engine grid;
    vni_cells_engine cells;
    vni_fuel fuel;  ///< what the search minimises, if has_fuel
    vni_fuel meter; ///< the same with all zones, where the search ignores the weather
};

/// Checks a request and takes it over: its layer, and its zones, connections, limits and goal in voxels or
/// lattice points. The last request is forgotten, even if this one is refused: then the query has no points,
/// no connections and no search.
vn_status vni_query_take(vn_query* query, const vn_path_request* request, vn_detail* detail);

/// The same for a field, as a path request without a goal.
vn_status vni_query_take_field(vn_query* query, const vn_field_request* request, vn_detail* detail);

/// Finds the voxel where an end of a path lies, moving `point` to the nearest free one if the request allows
/// it. Else VN_OUTSIDE, VN_UNKNOWN_SPACE, VN_START_BLOCKED or VN_GOAL_BLOCKED, with the nearest free point in
/// the result.
vn_status vni_query_place(vn_query* query, vn_path_end end, vn_point* point, vn_voxel* voxel);

/// Paths that start inside named obstacles: checks the names; finds the body of the request that was taken
/// (VN_STALE_ID, VN_OUT_OF_MEMORY); is the start blocked, and in the body?
vn_status vni_query_check_inside(const vn_query* query, const vn_path_request* request, vn_detail* detail);
vn_status vni_query_open(vn_query* query, vn_detail* detail);
bool vni_query_starts_inside(const vn_query* query);

/// Finds the way out, after the goal has been placed: result.start becomes the exit. VN_START_BLOCKED,
/// VN_OUT_OF_MEMORY. After the search vni_query_join_leg puts the way before the path.
vn_status vni_query_leave(vn_query* query, vn_detail* detail);
void vni_query_join_leg(vn_query* query);
void vni_query_inside_free(vn_query* query);
size_t vni_query_inside_bytes(const vn_query* query);

/// Fuel: checks the model of a request; takes it over, after the zones; what a part of the path burns (0
/// without a model).
vn_status vni_query_check_fuel(const vn_query* query, const vn_path_request* request, vn_detail* detail);
void vni_query_take_fuel(vn_query* query);
double vni_query_fuel(const vn_query* query, const vn_point* points, uint32_t count);

/// After both ends have been placed: moves a snapped end to where it reaches the other one, if it does not
/// and the request allows it, and notes the legs in the result. Ends that were free cost two comparisons.
void vni_query_settle_snapped(vn_query* query);

/// The radius of the widest layer that is narrower than the query's, for the same doors, for which `holds` is
/// true; below 0 if there is none.
typedef bool vni_layer_holds(const vn_query* query, const vn_space* space);
float vni_query_widest_other(const vn_query* query, vni_layer_holds* holds);

/// Is the end free there, as requested?
vni_layer_holds vni_start_is_free, vni_goal_is_free;

/// True without limits.
bool vni_is_in_limits(const vn_query* query, vn_point point);

/// Both engines: make and free their memory; begin, step and finish a search for query->request between
/// result.start and result.goal. `finish` turns the end of the search into points, length and cost, or leaves
/// the status unchanged.
vn_status vni_grid_engine_make(vn_query* query, uint32_t max_nodes, vn_detail* detail);
void vni_grid_engine_free(vn_query* query);
vn_status vni_grid_engine_begin(vn_query* query);
vn_status vni_grid_engine_step(vn_query* query, uint64_t max_expansions);
void vni_grid_engine_finish(vn_query* query);
void vni_grid_engine_visit(const vn_query* query, vn_visit_box* visit, void* user);

vn_status vni_cells_engine_make(vn_query* query, vn_detail* detail);
void vni_cells_engine_free(vn_query* query);
size_t vni_cells_engine_bytes(const vn_query* query);
vn_status vni_cells_engine_begin(vn_query* query);
vn_status vni_cells_engine_step(vn_query* query, uint64_t max_expansions);
void vni_cells_engine_finish(vn_query* query);
void vni_cells_engine_visit(const vn_query* query, vn_visit_box* visit, void* user);

/// Sets the terms of the route (cells.terms) for the request that was taken; the goal is none.
void vni_cells_engine_set_terms(vn_query* query);

/// Starts the search with terms from result.start, after vni_cells_engine_set_terms; nothing beyond
/// `max_cost` (voxels) is reached.
vn_status vni_cells_engine_begin_terms(vn_query* query, const vni_goal* goal, double max_cost);

/// Lays and refines the path from the start to `end` in the cell of `node`, which the search with terms has
/// reached by `entry`; `taut` and `ends` as in vni_leg, for the last leg. False if it has too many points.
bool vni_cells_engine_lay(vn_query* query, uint32_t node, const vni_entry* entry, vn_point end, bool taut,
                          bool ends);

#endif
