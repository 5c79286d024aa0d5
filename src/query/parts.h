/// query/parts.h: what a query object is made of, and the two engines behind it. Inside the room only.
#ifndef VNI_QUERY_PARTS_H
#define VNI_QUERY_PARTS_H

#include "path/taut.h"
#include "query/cells_search.h"
#include "search/best_first.h"
#include "space/grid.h"
#include "space/space.h"
#include "volnav/query.h"

/// The grid engine: best-first search over voxels.
typedef struct vni_grid_engine {
    vni_grid grid6, grid26;
    vni_scratch scratch;
    vni_graph graph;
    vni_cost cost;
    vni_best_first search;
} vni_grid_engine;

/// The cells engine: search over cells, then a taut string. Room for corridors of up to max_points - 1 cells.
typedef struct vni_cells_engine {
    vni_cells_search search;
    vni_cell_ref* corridor;
    float (*crossings)[3];
    vni_portal* portals;
    vn_point* other; ///< a second polyline, for the best of two
    uint32_t corridor_count;
    uint32_t round; ///< of the best quality: 0 from start to goal, 1 from goal to start
    uint32_t other_count;
    uint64_t expanded; ///< in rounds before
} vni_cells_engine;

typedef enum vni_query_phase {
    VNI_PHASE_IDLE,   ///< nothing asked yet, or the result has been fetched
    VNI_PHASE_SEARCH, ///< the search runs
    VNI_PHASE_ENDED   ///< its status is known, the result has not been fetched
} vni_query_phase;

struct vn_query {
    vn_allocator allocator;
    const vn_space* space;
    uint32_t room; ///< vn_query_room bits, never 0
    vn_point* points;
    uint32_t max_points, point_count;

    const vni_zones* zones; ///< null, or the request's, which are these:
    vni_zones zone_set;
    vni_zone zone_items[VN_MAX_ZONES];
    vni_cost zone_cost;

    vni_query_phase phase;
    bool has_search; ///< the last request got as far as searching: its footprint can be visited
    vn_path_request request;
    vn_path_result result;
    vn_voxel start_voxel, goal_voxel;
    vni_grid_engine grid;
    vni_cells_engine cells;
};

/// Both engines: make and free their memory; begin, step and finish a search for query->request between
/// result.start and result.goal. `finish` turns the end of the search into points, length and cost, or leaves
/// the status as it is.
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

#endif
