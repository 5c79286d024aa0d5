/// query/cells_route.h: from a row of cells to a short polyline on the lattice: taut string, prune, pull, and
/// what zones, walls, limits and goals ask for. Inside the room only.
#ifndef VNI_QUERY_CELLS_ROUTE_H
#define VNI_QUERY_CELLS_ROUTE_H

#include "graph/cost.h"
#include "path/taut.h"
#include "query/terms_search.h"

/// What each quality takes on.
typedef struct vni_effort {
    double weight;
    uint32_t sweeps;   ///< of the taut string
    uint32_t pulls;    ///< rounds of pull and prune
    uint32_t halvings; ///< of each pull
    uint32_t bypasses; ///< rounds of passing on the other side
    uint32_t rounds;   ///< searches
} vni_effort;

extern const vni_effort vni_efforts[VN_QUALITY_COUNT];

/// What the passes go by. Filled by vni_cells_route_prepare; stays where it is.
typedef struct vni_route_terms {
    vni_clearance clearance;
    vni_terms costs;
    vni_cost cost;
    bool has_cost;          ///< false: a way costs its length
    vni_cost inner;         ///< the same, but a way that leaves the limits costs infinity
    vni_lattice_box limits; ///< the space's bounds if there are none
    vni_goal goal;          ///< of the last leg: its end may be moved as long as it has arrived
} vni_route_terms;

/// Takes over the terms of the query's request, but for the goal, which is none.
void vni_cells_route_prepare(vn_query* query);

/// A leg: through the cells corridor[first .. last] of the cells engine, with crossings[i] between the cells
/// i and i + 1, from `start`, which lies in the first, to `end` in the last.
typedef struct vni_leg {
    uint32_t first, last;
    vn_point start, end;
    bool taut; ///< may be pulled taut
    bool ends; ///< at the goal: the end may be moved
} vni_leg;

/// Lays a leg, refines it as the request says, and adds it to the query's points. False if there are too many
/// of them.
bool vni_cells_route_add(vn_query* query, const vni_leg* leg);

/// What a polyline costs, metres.
double vni_cells_route_cost(const vn_query* query, const vn_point* points, uint32_t count);

#endif
