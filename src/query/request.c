/// query/request.c: checks a request, chooses the layer that serves it, and converts it to voxels.
#include "base/fail.h"
#include "geom/vec.h"
#include "query/query_inside.h"
#include "query/zones_check.h"
#include "space/frame.h"
#include "space/layers.h"

#include <math.h>
#include <string.h>

#define REQUEST_COOKIE 0x71b40006u
#define FIELD_COOKIE   0x71b40003u

vn_path_request vn_default_path_request(void) {
    vn_path_request request;
    memset(&request, 0, sizeof request);
    request.start_position = request.goal_position = (vn_dvec3){NAN, NAN, NAN};
    request.radius = VN_RADIUS_NOT_GIVEN;
    request.neighbours = 26;
    request.clearance_weight = 4;
    request.cookie = REQUEST_COOKIE;
    return request;
}

vn_field_request vn_default_field_request(void) {
    vn_field_request request;
    memset(&request, 0, sizeof request);
    request.radius = VN_RADIUS_NOT_GIVEN;
    request.cookie = FIELD_COOKIE;
    return request;
}

// ---------------------------------------------------------------------------------------------- checking

static bool is_finite_vec(vn_vec3 v) {
    return vni_v_is_finite(vni_v_from(v));
}

static bool is_box(const vn_box* box) {
    return is_finite_vec(box->min) && is_finite_vec(box->max) && box->min.x <= box->max.x &&
           box->min.y <= box->max.y && box->min.z <= box->max.z;
}

/// Within [low, high]; false for NaN.
static bool is_within(float value, float low, float high) {
    return value >= low && value <= high;
}

static vn_status check_scratch(const vn_query* query, const vn_path_request* r, vn_detail* detail) {
    bool cells = r->algo == VN_ALGO_CELLS;
    if (cells && !(query->scratch & VN_SCRATCH_CELLS))
        return vni_fail(
            detail, VN_UNSUPPORTED,
            vni_space_has_cells(query->space)
                ? "this query has no scratch for the cells search: make it with VN_SCRATCH_CELLS"
                : "the space was baked without cells: search it with astar, or bake it with cells");

    if (!cells && !(query->scratch & VN_SCRATCH_GRID))
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "this query has no scratch for grid searches: make it with VN_SCRATCH_GRID or VN_SCRATCH_ALL");

    return VN_OK;
}

/// Refuses what only the search over cells supports.
static vn_status check_grid_support(const vn_path_request* r, vn_detail* detail) {
    const char* what = r->refine == VN_REFINE_TAUT     ? "a taut string"
                       : r->goal_kind != VN_GOAL_POINT ? "a goal that is not a point"
                       : r->connection_count > 0       ? "a connection"
                       : r->has_limits                 ? "a limiting box"
                       : r->preferred_clearance > 0    ? "a preferred clearance"
                       : r->jitter > 0                 ? "jitter"
                                                       : NULL;

    if (what == NULL)
        return VN_OK;
    return vni_fail(detail, VN_UNSUPPORTED,
                    "%s needs the search over cells; %s searches the grid and has none", what,
                    vn_algo_name(r->algo));
}

static bool are_planes(const vn_zone* zone) {
    if (zone->planes == NULL || zone->plane_count == 0)
        return false;
    for (uint32_t i = 0; i < zone->plane_count; ++i) {
        const vn_vec3 n = zone->planes[i].normal;
        if (!is_finite_vec(n) || (n.x == 0 && n.y == 0 && n.z == 0) ||
            !vni_is_finite((double)zone->planes[i].offset))
            return false;
    }

    return true;
}

/// Why a zone is invalid; null if it is valid.
static const char* fault_of_zone(const vn_zone* zone) {
    if (!is_within(zone->factor, 1e-6f, 1e6f))
        return "needs a factor from 1e-6 to 1e6";
    switch (zone->kind) {
    case VN_ZONE_BOX: return is_box(&zone->box) ? NULL : "needs a finite box with min <= max";
    case VN_ZONE_SPHERE:
        return is_finite_vec(zone->center) && zone->radius >= 0 && vni_is_finite((double)zone->radius)
                   ? NULL
                   : "needs a finite center, and a finite radius that is not negative";
    case VN_ZONE_HULL:
        return are_planes(zone) ? NULL : "needs planes, each with a finite normal that is not 0";
    case VN_ZONE_KIND_COUNT: break;
    }
    return "has an unknown kind";
}

vn_status vni_zones_check(const vn_zone* zones, uint32_t count, vn_detail* detail) {
    uint64_t planes = 0;
    if (count > VN_MAX_ZONES)
        return vni_fail(detail, VN_CAPACITY, "the request has %u zones; %d are possible", count,
                        VN_MAX_ZONES);

    for (uint32_t i = 0; i < count; ++i) {
        planes += zones[i].kind == VN_ZONE_HULL ? zones[i].plane_count : 0;
        if (planes > VN_MAX_ZONE_PLANES)
            return vni_fail_index(detail, VN_CAPACITY, i,
                                  "the zones up to number %u have more than %d planes together: take simpler "
                                  "shapes",
                                  i, VN_MAX_ZONE_PLANES);

        const char* fault = fault_of_zone(&zones[i]);
        if (fault != NULL)
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i, "zone %u %s", i, fault);
    }

    return VN_OK;
}

static vn_status check_connections(const vn_connection* connections, uint32_t count, vn_detail* detail) {
    if (count > VN_MAX_CONNECTIONS)
        return vni_fail(detail, VN_CAPACITY, "the request has %u connections; %d are possible", count,
                        VN_MAX_CONNECTIONS);

    for (uint32_t i = 0; i < count; ++i)
        if (!is_finite_vec(connections[i].from) || !is_finite_vec(connections[i].to) ||
            !is_within(connections[i].cost, 0, 1e6f))
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                  "connection %u needs two finite ends and a cost from 0 to 1e6", i);

    return VN_OK;
}

static vn_status check_limits(bool has_limits, const vn_box* limits, vn_detail* detail) {
    if (has_limits && !is_box(limits))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the limits are not a finite box with min <= max");
    return VN_OK;
}

static vn_status check_numbers(const vn_path_request* r, vn_detail* detail) {
    if (vn_algo_name(r->algo) == NULL)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "there is no algorithm number %d here; those of volnav/classic.h need vn_classic_query_find_path",
            (int)r->algo);
    if (vn_heuristic_name(r->heuristic) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no heuristic number %d", (int)r->heuristic);
    if (vn_quality_name(r->quality) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no quality number %d", (int)r->quality);
    if (vn_refine_name(r->refine) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no refinement number %d", (int)r->refine);
    if (vn_goal_kind_name(r->goal_kind) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no kind of goal number %d", (int)r->goal_kind);
    if (r->neighbours != 6 && r->neighbours != 26)
        return vni_fail(detail, VN_UNSUPPORTED, "a grid has 6 or 26 neighbours, not %u", r->neighbours);
    if (r->weight != 0 && !(r->weight >= 1 && r->weight <= 1e6))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the weight is %g; it must be 1 to 1e6", r->weight);

    if (!(r->snap_distance >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the snap distance is %g; it must not be negative",
                        r->snap_distance);

    return VN_OK;
}

/// Refuses what only the library volnav_classic supports.
static vn_status check_not_classic(const vn_path_request* r, vn_detail* detail) {
    bool has_refine =
        r->refine < VN_REFINE_SMOOTH || (r->algo == VN_ALGO_CELLS && r->refine != VN_REFINE_SMOOTH);
    if (has_refine)
        return VN_OK;
    return vni_fail(detail, VN_UNSUPPORTED,
                    "%s is in the library volnav_classic: call vn_classic_query_find_path (volnav/classic.h)",
                    vn_refine_name(r->refine));
}

static vn_status check_terms(const vn_path_request* r, vn_detail* detail) {
    if (r->goal_kind == VN_GOAL_BOX && !is_box(&r->goal_box))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the goal is not a finite box with min <= max");
    if (!(r->goal_distance >= 0) || !vni_is_finite(r->goal_distance))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the goal's distance is %g; it must be 0 metres or more",
                        r->goal_distance);

    if (!is_within(r->preferred_clearance, 0, 1e6f))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "the preferred clearance is %g; it must be from 0 to 1e6 metres",
                        (double)r->preferred_clearance);

    if (!is_within(r->clearance_weight, 0, 1000))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the weight of clearance is %g; it must be from 0 to 1000",
                        (double)r->clearance_weight);

    if (!is_within(r->jitter, 0, 1))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the jitter is %g; it must be from 0 to 1",
                        (double)r->jitter);

    return check_limits(r->has_limits, &r->limits, detail);
}

/// True unless the position is as the default leaves it.
static bool is_given(vn_dvec3 position) {
    return !isnan(position.x) || !isnan(position.y) || !isnan(position.z);
}

static vn_status check_ends(const vn_path_request* r, vn_detail* detail) {
    if (!r->use_positions && (is_given(r->start_position) || is_given(r->goal_position)))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "start_position or goal_position is set, but use_positions is false: set it to true, "
                        "or set `start` and `goal`");
    return VN_OK;
}

static vn_status check_request(const vn_query* query, const vn_path_request* r, vn_detail* detail) {
    if (r->cookie != REQUEST_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the request with vn_default_path_request, then change what you mean");

    vn_status status = check_ends(r, detail);
    if (status == VN_OK)
        status = check_numbers(r, detail);
    if (status == VN_OK)
        status = check_not_classic(r, detail);
    if (status == VN_OK)
        status = check_terms(r, detail);
    if (status == VN_OK)
        status = vni_zones_check(r->zones, r->zone_count, detail);
    if (status == VN_OK)
        status = check_connections(r->connections, r->connection_count, detail);
    if (status == VN_OK)
        status = check_scratch(query, r, detail);
    if (status == VN_OK)
        status = vni_query_check_fuel(query, r, detail);
    if (status == VN_OK)
        status = vni_query_check_inside(query, r, detail);
    if (status == VN_OK && r->algo != VN_ALGO_CELLS)
        status = check_grid_support(r, detail);

    return status;
}

static vn_status check_field(const vn_query* query, const vn_field_request* r, vn_detail* detail) {
    if (r->cookie != FIELD_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the request with vn_default_field_request, then change what you mean");

    if (!(query->scratch & VN_SCRATCH_CELLS))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a field needs a space with cells, and a query with VN_SCRATCH_CELLS");

    if (!(r->max_cost >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the maximum cost is %g; it must not be negative",
                        r->max_cost);

    vn_status status = check_limits(r->has_limits, &r->limits, detail);
    return status == VN_OK ? vni_zones_check(r->zones, r->zone_count, detail) : status;
}

// ------------------------------------------------------------------------------------------------ taking

/// The layer for this agent becomes the query's space.
static vn_status choose_layer(vn_query* query, float radius, uint32_t open_flags, vn_detail* detail) {
    vn_status status = VN_OK;
    if (query->layers != NULL)
        status = vni_layers_agent_radius(query->layers, &radius, detail);
    else if (radius == VN_RADIUS_NOT_GIVEN)
        radius = query->space->radius;

    if (status != VN_OK)
        return status;
    if (!vni_is_finite((double)radius) || !(radius >= 0)) // what a bake takes: any radius of a space will do
        return vni_fail(detail, VN_BAD_ARGUMENT, "the agent's radius is %g; it must be 0 metres or more",
                        (double)radius);

    const vn_space* space = query->space;
    if (query->layers != NULL)
        space = vn_layers_find(query->layers, (double)radius, open_flags);
    else if (radius > space->radius)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "the space was baked for a radius of %g metres, and the agent has %g: bake one for it",
            (double)space->radius, (double)radius);

    if (space == NULL)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "no layer is for an agent of radius %g with these flags: bake one for it",
                        (double)radius);

    query->space = space;
    return VN_OK;
}

/// The zones that every request has, and those of this one.
static void take_zones(vn_query* query, const vn_zone* zones, uint32_t count, uint32_t flags) {
    vni_zone_buffer* buffer = query->zone_buffer;
    query->zones = NULL;
    if (buffer == NULL || query->standing_count + count == 0)
        return;

    const vni_frame grid = {query->space->low, (double)query->space->resolution};
    vni_zone_buffer_clear(buffer);
    vni_zone_buffer_add(buffer, query->standing, query->standing_count, flags, &grid);
    vni_zone_buffer_add(buffer, zones, count, flags, &grid);
    if (buffer->box_count + buffer->ball_count + buffer->hull_count > 0)
        query->zones = &buffer->set;
}

/// A lattice coordinate within the space: the nearest one at or above (`up`), or at or below.
static int32_t to_lattice(double voxels, int32_t dim, bool up) {
    double scaled = vni_voxels_to_steps(voxels), rounded = up ? -floor(-scaled) : floor(scaled);
    return (int32_t)vni_clamp(rounded, -1, vni_voxels_to_steps(dim) + 1);
}

/// The lattice points inside a closed local box, as a box: low above high where there is none. Cut to one
/// step around the space, so that boxes far outside do not overflow.
static void take_box(const vn_space* space, const vn_box* box, vn_point* low, vn_point* high) {
    const int32_t* dims = space->occupancy.dims;
    vni_vec from = vni_local_to_voxels(space, box->min), to = vni_local_to_voxels(space, box->max);
    *low = (vn_point){to_lattice(from.x, dims[0], true), to_lattice(from.y, dims[1], true),
                      to_lattice(from.z, dims[2], true)};
    *high = (vn_point){to_lattice(to.x, dims[0], false), to_lattice(to.y, dims[1], false),
                       to_lattice(to.z, dims[2], false)};
}

static void take_limits(vn_query* query, bool has_limits, const vn_box* limits) {
    query->has_limits = has_limits;
    if (has_limits)
        take_box(query->space, limits, &query->limit_low, &query->limit_high);
}

bool vni_is_in_limits(const vn_query* query, vn_point p) {
    const vn_point low = query->limit_low, high = query->limit_high;
    return !query->has_limits ||
           (p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z);
}

/// One end of a connection: on the lattice, free, within the limits.
static bool take_connection_end(const vn_query* query, vn_vec3 end, vn_point* point, vni_cell_ref* cell) {
    vn_voxel voxel;
    return vn_space_point_from_local(query->space, end, point) == VN_OK && vni_is_in_limits(query, *point) &&
           vni_space_free_voxel_at(query->space, *point, &voxel) &&
           vni_cells_find(&query->space->cells, voxel, cell);
}

static void take_connections(vn_query* query, const vn_connection* connections, uint32_t count) {
    query->connection_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        vni_connection* taken = &query->connections[query->connection_count];
        if (!take_connection_end(query, connections[i].from, &taken->from, &taken->from_cell) ||
            !take_connection_end(query, connections[i].to, &taken->to, &taken->to_cell)) {
            ++query->result.connections_ignored;
            continue;
        }

        taken->cost = (double)connections[i].cost / (double)query->space->resolution;
        taken->both_ways = connections[i].bidirectional;
        taken->index = i;
        ++query->connection_count;
    }
}

/// Forgets everything that the last request left behind.
static void forget(vn_query* query) {
    query->point_count = 0;
    query->connection_use_count = 0;
    query->connection_count = 0;
    query->leg_count = 0;
    query->has_search = false;
    query->has_field = false;
    query->observer = NULL;
    memset(&query->result, 0, sizeof query->result);
    query->result.passing_radius = -1;
}

vn_status vni_query_take(vn_query* query, const vn_path_request* request, vn_detail* detail) {
    forget(query);
    vn_status status = check_request(query, request, detail);
    if (status == VN_OK)
        status = choose_layer(query, request->radius, request->open_flags, detail);

    if (status != VN_OK)
        return status;
    query->request = *request;
    if (request->use_positions) {
        query->request.start = vni_point_at(query->space, request->start_position);
        query->request.goal = vni_point_at(query->space, request->goal_position);
    }

    query->watcher =
        (vni_observer){request->observe, request->observe_user, (double)query->space->resolution};
    query->observer = request->observe != NULL ? &query->watcher : NULL;
    query->result.start = query->request.start;
    query->result.goal = query->request.goal;
    query->result.layer_radius = query->space->radius;
    take_zones(query, request->zones, request->zone_count, request->zone_flags);
    vni_query_take_fuel(query);
    take_limits(query, request->has_limits, &request->limits);

    take_connections(query, request->connections, request->connection_count);
    if (request->goal_kind == VN_GOAL_BOX)
        take_box(query->space, &request->goal_box, &query->goal_low, &query->goal_high);

    return VN_OK;
}

vn_status vni_query_take_field(vn_query* query, const vn_field_request* request, vn_detail* detail) {
    forget(query);
    vn_status status = check_field(query, request, detail);
    if (status == VN_OK)
        status = choose_layer(query, request->radius, request->open_flags, detail);

    if (status != VN_OK)
        return status;
    query->request = vn_default_path_request();
    query->request.start = query->result.start = request->source;
    query->request.radius = request->radius;
    query->request.open_flags = request->open_flags;
    query->request.budget = request->budget;
    query->has_fuel = false;
    query->result.layer_radius = query->space->radius;
    take_zones(query, request->zones, request->zone_count, request->zone_flags);
    take_limits(query, request->has_limits, &request->limits);

    return VN_OK;
}
