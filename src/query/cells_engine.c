/// query/cells_engine.c: from a search over cells to a short polyline on the lattice: corridor, taut string,
/// prune, pull, and for the best quality a second way.
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "path/refine.h"
#include "query/parts.h"

#include <string.h>

/// What each quality takes on.
typedef struct effort {
    double weight;
    uint32_t sweeps;   ///< of the taut string
    uint32_t pulls;    ///< rounds of pull and prune
    uint32_t halvings; ///< of each pull
    uint32_t bypasses; ///< rounds of passing on the other side
    uint32_t rounds;   ///< searches
} effort;

static const effort efforts[VN_QUALITY_COUNT] = {
    [VN_QUALITY_STANDARD] = {1.11, 3, 1, 4, 0, 1},
    [VN_QUALITY_FAST] = {1.25, 3, 0, 0, 0, 1},
    [VN_QUALITY_BEST] = {1.0, 8, 2, 6, 1, 2},
};

vn_status vni_cells_engine_make(vn_query* query, vn_detail* detail) {
    vni_cells_engine* e = &query->cells;
    const vn_allocator* allocator = &query->allocator;
    vn_status status = vni_cells_search_make(allocator, vni_cells_count(&query->space->cells), &e->search);
    e->corridor = VNI_NEW_ARRAY(allocator, vni_cell_ref, query->max_points);
    e->crossings = (float(*)[3])vni_alloc(allocator, query->max_points, sizeof *e->crossings);
    e->portals = VNI_NEW_ARRAY(allocator, vni_portal, query->max_points);
    e->other = VNI_NEW_ARRAY(allocator, vn_point, query->max_points);
    if (status != VN_OK || !e->corridor || !e->crossings || !e->portals || !e->other)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a search over %u cells",
                        vni_cells_count(&query->space->cells));
    return VN_OK;
}

void vni_cells_engine_free(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    vni_cells_search_free(&e->search);
    VNI_DELETE_ARRAY(&query->allocator, e->corridor, query->max_points);
    vni_free(&query->allocator, e->crossings, query->max_points, sizeof *e->crossings);
    VNI_DELETE_ARRAY(&query->allocator, e->portals, query->max_points);
    VNI_DELETE_ARRAY(&query->allocator, e->other, query->max_points);
}

size_t vni_cells_engine_bytes(const vn_query* query) {
    const vni_cells_engine* e = &query->cells;
    if (!e->corridor)
        return 0;
    size_t point = sizeof *e->corridor + sizeof *e->crossings + sizeof *e->portals + sizeof *e->other;
    return vni_cells_search_bytes(&e->search) + query->max_points * point;
}

static void to_voxels(vn_point p, float out[3]) {
    out[0] = (float)p.x / VN_LATTICE;
    out[1] = (float)p.y / VN_LATTICE;
    out[2] = (float)p.z / VN_LATTICE;
}

/// Starts the search of this round: the second one goes from goal to start.
static vn_status begin_round(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    const vni_cells* cells = &query->space->cells;
    const vn_path_request* request = &query->request;
    float start[3], goal[3];
    vni_cell_ref start_cell = {0, 0}, goal_cell = {0, 0};
    to_voxels(query->result.start, start);
    to_voxels(query->result.goal, goal);
    bool found = vni_cells_find(cells, query->start_voxel, &start_cell) &&
                 vni_cells_find(cells, query->goal_voxel, &goal_cell);
    VNI_ASSERT(found); // both voxels are free
    if (!found)
        return VN_BAD_DATA;
    query->result.weight = request->weight > 0 ? request->weight : efforts[request->quality].weight;
    float weight = (float)query->result.weight;
    if (e->round == 0)
        return vni_cells_search_begin(&e->search, cells, start, start_cell, goal, goal_cell, weight,
                                      query->zones, request->budget, request->allow_partial);
    return vni_cells_search_begin(&e->search, cells, goal, goal_cell, start, start_cell, weight, query->zones,
                                  request->budget, false);
}

vn_status vni_cells_engine_begin(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    if (query->zones)
        query->zone_cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, query->zones);
    e->round = 0;
    e->other_count = 0;
    e->corridor_count = 0;
    e->expanded = 0;
    return begin_round(query);
}

// --------------------------------------------------------------------------------------- corridor to
// polyline

/// The rectangle that two neighbouring cells share.
static vni_portal portal_between(const vni_cells* cells, vni_cell_ref u, vni_cell_ref v) {
    const vni_block_view *ub = &cells->views[u.block], *vb = &cells->views[v.block];
    const vni_cell *uc = &ub->cells[u.cell], *vc = &vb->cells[v.cell];
    int32_t low[3], high[3]; // what the two closed boxes share: flat along one axis
    vni_portal portal = {0, 0, {0, 0}, {0, 0}};
    for (int i = 0; i < 3; ++i) {
        int32_t a = ub->low[i] + uc->low[i], b = vb->low[i] + vc->low[i];
        int32_t c = ub->low[i] + uc->high[i], d = vb->low[i] + vc->high[i];
        low[i] = a > b ? a : b;
        high[i] = c < d ? c : d;
        if (low[i] == high[i])
            portal.axis = i;
    }
    VNI_ASSERT(low[portal.axis] == high[portal.axis]);
    portal.plane = (float)low[portal.axis];
    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[portal.axis][i];
        VNI_ASSERT(low[k] < high[k]);
        portal.low[i] = (float)low[k];
        portal.high[i] = (float)high[k];
    }
    return portal;
}

/// The point of a closed cell that is nearest to `goal`.
static vn_point nearest_in_cell(const vni_cells* cells, vni_cell_ref ref, vn_point goal) {
    const vni_block_view* view = &cells->views[ref.block];
    const vni_cell* c = &view->cells[ref.cell];
    int32_t at[3] = {goal.x, goal.y, goal.z};
    for (int i = 0; i < 3; ++i) {
        int32_t low = (view->low[i] + c->low[i]) * VN_LATTICE,
                high = (view->low[i] + c->high[i]) * VN_LATTICE;
        at[i] = at[i] < low ? low : at[i] > high ? high : at[i];
    }
    vn_point p = {at[0], at[1], at[2]};
    return p;
}

/// Corridor and crossings as a polyline: start, a point in each portal, and the goal; for a partial way the
/// point of the last cell that is nearest to the goal. False if it has too many points.
static bool lay_points(vn_query* query, vn_point start, vn_point goal, bool reached, bool pull) {
    vni_cells_engine* e = &query->cells;
    e->corridor_count =
        vni_cells_search_corridor(&e->search, e->corridor, e->crossings, query->max_points - 1);
    query->point_count = 0;
    if (e->corridor_count == 0)
        return true;
    if (e->corridor_count > query->max_points - 1)
        return false;
    uint32_t portals = e->corridor_count - 1;
    VNI_ASSERT(portals + 2 <= query->max_points);
    for (uint32_t i = 0; i < portals; ++i)
        e->portals[i] = portal_between(&query->space->cells, e->corridor[i], e->corridor[i + 1]);
    float from[3], to[3];
    to_voxels(start, from);
    to_voxels(goal, to);
    if (pull)
        vni_taut(e->portals, e->crossings, portals, from, to, efforts[query->request.quality].sweeps);
    query->points[query->point_count++] = start;
    for (uint32_t i = 0; i < portals; ++i)
        query->points[query->point_count++] = vni_portal_lattice(&e->portals[i], e->crossings[i]);
    query->points[query->point_count++] =
        reached ? goal : nearest_in_cell(&query->space->cells, e->corridor[portals], goal);
    return true;
}

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// A start that lies on its first portal, or equal ends, would leave points without a distance between them.
static void drop_repeats(vn_query* query) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < query->point_count; ++i)
        if (kept == 0 || !is_same(query->points[kept - 1], query->points[i]))
            query->points[kept++] = query->points[i];
    query->point_count = kept;
}

/// What the passes go by: null for plain length.
static const vni_cost* cost_of(const vn_query* query) {
    return query->zones ? &query->zone_cost : NULL;
}

static double cost_of_points(const vn_query* query, const vn_point* points, uint32_t count) {
    return vni_polyline_cost(cost_of(query), points, count) / VN_LATTICE * (double)query->space->resolution;
}

/// With zones: leads the way around them where that is cheaper.
static void avoid_zones(vn_query* query) {
    const vni_occupancy* occupancy = &query->space->occupancy;
    const vni_cost* cost = &query->zone_cost;
    query->point_count =
        vni_refine_split(occupancy, cost, query->points, query->point_count, query->max_points);
    query->point_count = vni_refine_bypass(occupancy, cost, query->points, query->point_count);
    vni_refine_pull(occupancy, cost, query->points, query->point_count, 6);
    query->point_count = vni_refine_prune(occupancy, cost, query->points, query->point_count);
}

static void refine(vn_query* query) {
    const vni_cost* cost = cost_of(query);
    const vni_occupancy* occupancy = &query->space->occupancy;
    const effort* takes = &efforts[query->request.quality];
    vn_refine passes = query->request.refine;
    if (passes == VN_REFINE_NONE || passes == VN_REFINE_TAUT)
        return;
    query->point_count = vni_refine_prune(occupancy, cost, query->points, query->point_count);
    if (passes == VN_REFINE_PRUNE)
        return;
    for (uint32_t i = 0; query->zones && i < 2; ++i)
        avoid_zones(query);
    for (uint32_t i = 0; i <= takes->bypasses; ++i) {
        if (i > 0)
            query->point_count = vni_refine_bypass(occupancy, cost, query->points, query->point_count);
        for (uint32_t k = 0; k < takes->pulls; ++k) {
            if (!vni_refine_pull(occupancy, cost, query->points, query->point_count, takes->halvings))
                break;
            query->point_count = vni_refine_prune(occupancy, cost, query->points, query->point_count);
        }
    }
}

/// Lays the way, pulled taut if that is asked for; a taut string minds length alone, so that with zones the
/// slack one stays if it is cheaper.
static bool lay_best(vn_query* query, vn_point start, vn_point goal, bool reached, bool pull) {
    if (!lay_points(query, start, goal, reached, pull))
        return false;
    if (!pull || !query->zones)
        return true;
    double taut = cost_of_points(query, query->points, query->point_count);
    lay_points(query, start, goal, reached, false);
    if (taut < cost_of_points(query, query->points, query->point_count))
        lay_points(query, start, goal, reached, true);
    return true;
}

/// Lays and refines the way of the search that has just ended. False if it has too many points.
static bool make_polyline(vn_query* query, bool reached) {
    bool swapped = query->cells.round == 1;
    vn_point start = query->result.start, goal = query->result.goal;
    bool pull = query->request.refine == VN_REFINE_DEFAULT || query->request.refine == VN_REFINE_TAUT;
    if (!lay_best(query, swapped ? goal : start, swapped ? start : goal, reached, pull && reached))
        return false;
    drop_repeats(query);
    refine(query);
    return true;
}

static void reverse(vn_point* points, uint32_t count) {
    for (uint32_t i = 0, k = count; i + 1 < k; ++i) {
        vn_point swap = points[i];
        points[i] = points[--k];
        points[k] = swap;
    }
}

/// Keeps the shorter of the way that was put aside and the one just made, which runs from goal to start.
static void keep_shorter(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    if (query->point_count > 0 && cost_of_points(query, query->points, query->point_count) <
                                      cost_of_points(query, e->other, e->other_count)) {
        reverse(query->points, query->point_count);
        return;
    }
    memcpy(query->points, e->other, e->other_count * sizeof *e->other);
    query->point_count = e->other_count;
}

/// After the first search of the best quality: its way is put aside, and the second one starts.
static vn_status next_round(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    if (!make_polyline(query, true))
        return VN_CAPACITY;
    memcpy(e->other, query->points, query->point_count * sizeof *e->other);
    e->other_count = query->point_count;
    e->expanded += e->search.expanded;
    e->round = 1;
    vn_status status = begin_round(query);
    return status == VN_OK ? VN_RUNNING : status;
}

vn_status vni_cells_engine_step(vn_query* query, uint64_t max_expansions) {
    vni_cells_engine* e = &query->cells;
    vn_status status = vni_cells_search_step(&e->search, max_expansions);
    if (e->round == 1 && (status == VN_NO_PATH || status == VN_BUDGET_SPENT))
        return VN_OK; // there is the first way
    if (status == VN_OK && e->round + 1 < efforts[query->request.quality].rounds)
        return next_round(query);
    return status;
}

/// There is a way from the first search, whatever became of the second.
static void finish_second(vn_query* query) {
    query->result.status = query->result.reason = VN_OK;
    query->point_count = 0;
    if (query->cells.search.status == VN_OK && !make_polyline(query, true))
        query->point_count = 0; // too many points: the first way stays
    keep_shorter(query);
}

static void finish_first(vn_query* query) {
    vn_path_result* result = &query->result;
    bool reached = result->status == VN_OK;
    if (!reached && !query->request.allow_partial)
        return;
    if (make_polyline(query, reached)) {
        result->status = reached ? VN_OK : VN_PARTIAL;
        return;
    }
    query->point_count = 0;
    result->status = result->reason = VN_CAPACITY;
}

void vni_cells_engine_finish(vn_query* query) {
    const vni_cells_engine* e = &query->cells;
    vn_path_result* result = &query->result;
    result->expanded = e->expanded + e->search.expanded;
    if (e->round == 1)
        finish_second(query);
    else
        finish_first(query);
    result->cost = cost_of_points(query, query->points, query->point_count);
}

// ---------------------------------------------------------------------------------------------- footprint

static bool is_in_corridor(const vni_cells_engine* e, vni_cell_ref ref) {
    for (uint32_t i = 0; i < e->corridor_count; ++i)
        if (e->corridor[i].block == ref.block && e->corridor[i].cell == ref.cell)
            return true;
    return false;
}

void vni_cells_engine_visit(const vn_query* query, vn_visit_box* visit, void* user) {
    const vni_cells_engine* e = &query->cells;
    const vni_cells* cells = &query->space->cells;
    uint32_t blocks = (uint32_t)cells->blocks[0] * (uint32_t)cells->blocks[1] * (uint32_t)cells->blocks[2];
    for (uint32_t block = 0; block < blocks; ++block) {
        const vni_block_view* view = &cells->views[block];
        for (uint32_t i = 0; i < cells->table[block]->cell_count; ++i) {
            const vni_entry* entry = e->search.entries[view->base + i];
            vni_cell_ref ref = {block, i};
            bool closed = entry[0].stamp == (e->search.generation | 1u) ||
                          entry[1].stamp == (e->search.generation | 1u);
            bool in_corridor = is_in_corridor(e, ref); // the cell where the two sides met may still be open
            if (!closed && !in_corridor)
                continue;
            const vni_cell* c = &view->cells[i];
            vn_voxel low = {view->low[0] + c->low[0], view->low[1] + c->low[1], view->low[2] + c->low[2]};
            vn_voxel high = {view->low[0] + c->high[0], view->low[1] + c->high[1], view->low[2] + c->high[2]};
            if (!visit(user, low, high, in_corridor))
                return;
        }
    }
}
