/// query/grow.c: enlarges a query object, after a result of VN_CAPACITY.
#include "base/alloc.h"
#include "base/fail.h"
#include "query/query_inside.h"

#include <string.h>

/// Everything in a query that holds `max_points`.
typedef struct point_arrays {
    vn_point* points;
    vni_cell_ref* corridor;
    float (*crossings)[3];
    vni_portal* portals;
    vn_point* other;
} point_arrays;

static void free_arrays(const vn_allocator* allocator, const point_arrays* a, uint32_t max_points) {
    VNI_DELETE_ARRAY(allocator, a->points, max_points);
    VNI_DELETE_ARRAY(allocator, a->corridor, max_points);
    vni_free(allocator, a->crossings, max_points, sizeof *a->crossings);
    VNI_DELETE_ARRAY(allocator, a->portals, max_points);
    VNI_DELETE_ARRAY(allocator, a->other, max_points);
}

/// Those of the cells engine only if the query has one. False, with nothing allocated, if memory runs out.
static bool make_arrays(const vn_query* query, uint32_t max_points, point_arrays* out) {
    const vn_allocator* allocator = &query->allocator;
    const bool cells = query->scratch & VN_SCRATCH_CELLS;
    memset(out, 0, sizeof *out);
    out->points = VNI_NEW_ARRAY(allocator, vn_point, max_points);
    if (cells) {
        out->corridor = VNI_NEW_ARRAY(allocator, vni_cell_ref, max_points);
        out->crossings = (float(*)[3])vni_alloc(allocator, max_points, sizeof *out->crossings);
        out->portals = VNI_NEW_ARRAY(allocator, vni_portal, max_points);
        out->other = VNI_NEW_ARRAY(allocator, vn_point, max_points);
    }

    bool made = out->points != NULL && (!cells || (out->corridor != NULL && out->crossings != NULL &&
                                                   out->portals != NULL && out->other != NULL));
    if (!made)
        free_arrays(allocator, out, max_points);
    return made;
}

/// Replaces the arrays. The last path and its corridor move along; the rest is scratch.
static void use_arrays(vn_query* query, const point_arrays* next, uint32_t max_points) {
    vni_cells_engine* e = &query->cells;
    const point_arrays old = {query->points, e->corridor, e->crossings, e->portals, e->other};
    memcpy(next->points, old.points, query->point_count * sizeof *old.points);
    if (e->corridor_count > 0)
        memcpy(next->corridor, old.corridor, e->corridor_count * sizeof *old.corridor);

    query->points = next->points;
    e->corridor = next->corridor;
    e->crossings = next->crossings;
    e->portals = next->portals;
    e->other = next->other;
    free_arrays(&query->allocator, &old, query->max_points);
    query->max_points = max_points;
}

/// The voxels of the last grid search are forgotten.
static void use_scratch(vn_query* query, const vni_scratch* next) {
    vni_scratch_free(&query->grid.scratch);
    query->grid.scratch = *next;
    if (query->request.algo != VN_ALGO_CELLS)
        query->has_search = false;
}

static vn_status make_scratch(const vn_query* query, uint32_t max_nodes, vni_scratch* out) {
    const uint32_t limit = vni_climb_grid_limit(&query->grid.grid26, query->max_climbs);
    return vni_scratch_make(&query->allocator, limit, max_nodes, out);
}

vn_status vn_query_grow(vn_query* query, uint32_t max_points, uint32_t max_nodes, vn_detail* detail) {
    VNI_ASSERT(query != NULL);
    if (query->phase != VNI_PHASE_IDLE)
        return vni_fail(detail, VN_BAD_ORDER, "a search is in progress: call vn_query_finish first");

    const uint64_t nodes = (uint64_t)query->grid.scratch.page_capacity << 6;
    const bool more_points = max_points > query->max_points,
               more_nodes = (query->scratch & VN_SCRATCH_GRID) && max_nodes > nodes;
    point_arrays arrays;
    vni_scratch scratch;

    // Allocates everything before it changes anything.
    if (more_points && !make_arrays(query, max_points, &arrays))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for paths of %u points", max_points);
    if (more_nodes && make_scratch(query, max_nodes, &scratch) != VN_OK) {
        if (more_points)
            free_arrays(&query->allocator, &arrays, max_points);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a search of %u voxels", max_nodes);
    }

    if (more_points)
        use_arrays(query, &arrays, max_points);
    if (more_nodes)
        use_scratch(query, &scratch);
    return VN_OK;
}
