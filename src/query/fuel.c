/// query/fuel.c: fuel models of requests, checked and taken over; and the meter.
#include "base/fail.h"
#include "query/query_inside.h"
#include "query/zones_check.h"
#include "space/frame.h"

#include <string.h>

vn_fuel_model vn_default_fuel_model(vn_fuel_kind kind) {
    vn_fuel_model model;
    memset(&model, 0, sizeof model);
    model.kind = kind;
    model.up = 1;
    model.per_metre = 0.2;
    model.climb = kind == VN_FUEL_GRAVITY ? 1 : 0.5;
    model.sink = model.climb / 2;
    model.avoids_weather = model.avoids_moving = true;
    return model;
}

// ---------- checking

/// Within [low, high]; false for NaN.
static bool is_within(double value, double low, double high) {
    return value >= low && value <= high;
}

static vn_status check_model(const vn_fuel_model* m, vn_detail* detail) {
    if (vn_fuel_kind_name(m->kind) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no fuel model number %d", (int)m->kind);
    if (m->up > 2)
        return vni_fail(detail, VN_BAD_ARGUMENT, "the up axis of the fuel model is %u; it must be 0, 1 or 2",
                        (unsigned)m->up);
    if (m->max_climbs > VN_MAX_CLIMBS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "the limit on climbs is %u; it must be 0 to %d",
                        (unsigned)m->max_climbs, VN_MAX_CLIMBS);

    if (m->kind == VN_FUEL_NONE)
        return VN_OK;
    if (!is_within(m->per_metre, 1e-9, 1e9))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the fuel for a metre is %g; it must be from 1e-9 to 1e9",
                        m->per_metre);
    if (!is_within(m->climb, 0, 1000))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the fuel model's climb is %g; it must be from 0 to 1000",
                        m->climb);

    const double most = m->kind == VN_FUEL_R16 ? 1 : m->climb;
    if (!is_within(m->sink, 0, most))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the fuel model's sink is %g; it must be from 0 to %g (%s)",
                        m->sink, most, m->kind == VN_FUEL_R16 ? "a share" : "its climb");

    return VN_OK;
}

static vn_status check_climbs(const vn_query* query, const vn_path_request* r, vn_detail* detail) {
    if (r->fuel.max_climbs == 0)
        return VN_OK;
    if (r->algo == VN_ALGO_CELLS)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "climbs are steps of the grid, and the cells search has none: limit them with astar or "
            "dijkstra");
    if (r->refine != VN_REFINE_NONE && r->refine != VN_REFINE_DEFAULT)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a path whose climbs are limited consists of steps of the grid: set refine to none");
    if (r->fuel.max_climbs > query->max_climbs)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "this query has scratch for up to %u consecutive climbs, and the request limits them to "
            "%u: make the query with max_climbs",
            (unsigned)query->max_climbs, (unsigned)r->fuel.max_climbs);

    return VN_OK;
}

vn_status vni_query_check_fuel(const vn_query* query, const vn_path_request* r, vn_detail* detail) {
    vn_status status = check_model(&r->fuel, detail);
    if (status == VN_OK)
        status = check_climbs(query, r, detail);
    if (status != VN_OK || r->fuel.kind == VN_FUEL_NONE)
        return status;

    const char* what = r->heuristic != VN_HEURISTIC_DEFAULT && r->algo != VN_ALGO_CELLS ? "another heuristic"
                       : r->connection_count > 0                                        ? "a connection"
                       : r->preferred_clearance > 0 ? "a preferred clearance"
                                                    : NULL;
    if (what == NULL)
        return VN_OK;
    return vni_fail(detail, VN_UNSUPPORTED, "%s has no meaning in fuel: leave it out, or the fuel model",
                    what);
}

// ---------- taking

static void make(const vn_fuel_model* model, const vni_zones* zones, vni_fuel* out) {
    const vni_fuel_law law = model->kind == VN_FUEL_R16 ? VNI_FUEL_BY_PITCH : VNI_FUEL_BY_HEIGHT;
    vni_fuel_make(law, (int)model->up, model->climb, model->sink, zones, out);
}

void vni_query_take_fuel(vn_query* query) {
    const vn_fuel_model* model = &query->request.fuel;
    query->has_fuel = model->kind != VN_FUEL_NONE;
    if (!query->has_fuel)
        return;

    make(model, query->zones, &query->meter);
    if (!model->avoids_weather || !model->avoids_moving)
        query->zones = NULL;

    make(model, query->zones, &query->fuel);
    if (query->request.algo != VN_ALGO_CELLS)
        vni_fuel_find_bound(&query->fuel, query->request.neighbours);
}

// ---------- the meter

static double burn(const vni_fuel* fuel, const vn_space* space, double per_metre, const vn_point* points,
                   uint32_t count) {
    const vni_cost cost = vni_cost_fuel(fuel);
    double voxels = 0;
    for (uint32_t i = 1; i < count; ++i)
        voxels += cost.segment(cost.self, points[i - 1], points[i]);
    return vni_voxels_to_metres(space, voxels) * per_metre;
}

double vni_query_fuel(const vn_query* query, const vn_point* points, uint32_t count) {
    if (!query->has_fuel)
        return 0;
    return burn(&query->meter, query->space, query->request.fuel.per_metre, points, count);
}

vn_status vn_fuel_of_path(const vn_space* space, const vn_fuel_model* model, const vn_zone* zones,
                          uint32_t zone_count, uint32_t zone_flags, const vn_point* points, uint32_t count,
                          double* fuel, vn_detail* detail) {
    VNI_ASSERT(space != NULL && model != NULL && fuel != NULL && (points != NULL || count == 0));
    VNI_ASSERT(zones != NULL || zone_count == 0);

    *fuel = 0;
    vn_status status = check_model(model, detail);
    if (status == VN_OK)
        status = vni_zones_check(zones, zone_count, detail);
    if (status != VN_OK || model->kind == VN_FUEL_NONE)
        return status;

    vni_zone_buffer buffer; // only the used part is touched
    const vni_frame grid = vni_space_frame(space);
    vni_zone_buffer_clear(&buffer);
    vni_zone_buffer_add(&buffer, zones, zone_count, zone_flags, &grid);
    vni_fuel meter;
    make(model, &buffer.set, &meter);
    *fuel = burn(&meter, space, model->per_metre, points, count);
    return VN_OK;
}
