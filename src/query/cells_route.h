/// query/cells_route.h: from a corridor of cells to a short polyline on the lattice: taut string, prune,
/// pull, and the passes that zones, walls, limits and goals call for. For the query module only.
#ifndef VNI_QUERY_CELLS_ROUTE_H
#define VNI_QUERY_CELLS_ROUTE_H

#include "graph/cost.h"
#include "path/taut.h"
#include "query/terms_search.h"

/// How much work each quality spends.
typedef struct vni_effort {
    double weight;
    uint32_t sweeps;   ///< of the taut string
    uint32_t pulls;    ///< rounds of pull and prune
    uint32_t halvings; ///< of each pull
    uint32_t bypasses; ///< rounds of passing obstacles on the other side
    uint32_t rounds;   ///< searches
} vni_effort;

extern const vni_effort vni_efforts[VN_QUALITY_COUNT];

// ---------- terms

/// What a route costs and where it may run. Points into itself: it must not be copied.
typedef struct vni_route_terms {
    vni_clearance clearance;
    vni_terms costs;
    vni_cost cost;
    bool has_cost;          ///< false: a route costs its length
    vni_cost inner;         ///< the same, but a segment that leaves the limits costs infinity
    bool has_limits;        ///< of the request
    vni_lattice_box limits; ///< without a request's: the bounds of the space
    vni_goal goal;          ///< of the last leg: its end may be moved as long as it stays in the goal
    double resolution;      ///< metres of a voxel
} vni_route_terms;

/// Takes the clearance from the request; `zones` and `limits` may be null. The goal is none.
void vni_route_terms_set(vni_route_terms* terms, const vn_path_request* request,
                         const vni_occupancy* occupancy, double resolution, const vni_zones* zones,
                         const vni_lattice_box* limits);

/// After that: what a route costs is fuel, which must outlive the terms.
void vni_route_terms_burn(vni_route_terms* terms, const vni_fuel* fuel);

/// Cost of a polyline, metres.
double vni_route_cost(const vni_route_terms* terms, const vn_point* points, uint32_t count);

// ---------- legs

/// All that laying a route reads and writes. Everything is borrowed.
typedef struct vni_route {
    const vni_cells* cells;
    const vni_occupancy* occupancy;
    const vni_route_terms* terms;
    const vni_effort* effort;
    vn_refine refine;
    const vni_cell_ref* corridor; ///< the cells in order
    uint32_t corridor_count;
    float (*crossings)[3]; ///< [i]: where the route passes from cell i to i + 1, voxels; the taut string
                           ///< moves it
    vni_portal* portals;   ///< scratch, [i]: the rectangle that the cells i and i + 1 share
    vn_point* points;      ///< output, leg after leg
    uint32_t point_count, max_points;
} vni_route;

/// A leg: through the cells corridor[first .. last], from `start` in the first to `end` in the last.
typedef struct vni_leg {
    uint32_t first, last;
    vn_point start, end;
    bool taut; ///< may be pulled taut
    bool ends; ///< at the goal: the end may be moved
} vni_leg;

/// Lays a leg, refines it as the request says, and appends it to the points. False if they do not fit.
bool vni_route_add_leg(vni_route* route, const vni_leg* leg);

/// Refines a polyline that is laid and refined already for other terms, for those of the route; as far as the
/// request allows refining. Reads terms, occupancy, effort, refine and points.
void vni_route_refine_again(vni_route* route);

#endif
