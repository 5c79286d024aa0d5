/// nav/request_run.c: how a worker runs a request, in slices: by its query, or by the request's planner
/// (nav/planned.c).
#include "nav/planned_inside.h"
#include "query/versions.h"

#include <string.h>

/// Expansions between two checks whether the request is still wanted.
#define SLICE 256u

static uint32_t most_cells(const vn_layers* layers) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < layers->count; ++i) {
        uint32_t cells = vni_cells_count(&layers->spaces[i]->cells);
        most = cells > most ? cells : most;
    }
    return most;
}

/// Points the worker's query at a version. If the version has more cells than the query can take, the query
/// is replaced by a larger one, with an eighth to spare: a world that grows does not replace it at every
/// version. Paths of up to `points` are found.
static vn_status use_version(vni_worker* worker, const vn_layers* view, uint32_t points) {
    vn_nav* nav = worker->nav;
    vn_status status = worker->query != NULL ? vni_query_use_layers(worker->query, view) : VN_CAPACITY;
    if (status == VN_OK)
        return vn_query_grow(worker->query, points, 0, NULL);
    if (status != VN_CAPACITY)
        return status;

    vn_query_def def = vn_default_query_def();
    def.allocator = *vni_nav_allocator(nav, VNI_PART_WORKERS);
    def.scratch = VN_SCRATCH_CELLS;
    def.max_points = points;

    // The old one goes first: the peak of memory is that of one query.
    vn_query_destroy(worker->query);
    worker->query = NULL;
    return vni_query_create_spare(view, &def, most_cells(view) / 8 + 4096, &worker->query, NULL);
}

vn_status vni_nav_request_prepare(vni_worker* worker) {
    return use_version(worker, &worker->nav->shared.newest->view,
                       vni_nav_query_points(worker->nav->fixed.def.max_points));
}

static vn_status begin(vni_worker* worker, vni_request* request) {
    worker->charged = 0;
    const vn_layers* view = &request->version->view;
    request->space = vn_layers_find(view, (double)request->input.path.radius, request->input.path.open_flags);
    if (request->input.planner != NULL)
        return vni_nav_plan_begin(request);
    vn_status status = use_version(worker, view, vni_nav_query_points(request->points.capacity));
    if (status != VN_OK)
        return status;

    // The version's own zones count besides those of the request.
    vni_query_use_zones(worker->query, request->version->zones.items, request->version->zones.count);
    const vn_path_request* path = &request->input.path;
    vni_query_use_body(worker->query, vni_nav_agent_body(request->version, request->space, path->inside,
                                                         path->inside_count, &worker->agent));
    return vn_query_begin(worker->query, &request->input.path, NULL);
}

/// Copies the result out of the worker's query, which runs the next request.
static void take_result(vni_worker* worker, vni_request* request) {
    uint32_t point_count, use_count;
    vn_query_finish(worker->query, &request->result);
    const vn_point* points = vn_query_points(worker->query, &point_count);
    const vn_connection_use* uses = vn_query_connections(worker->query, &use_count);
    VNI_ASSERT(use_count <= VNI_MAX_USES);

    if (point_count > request->points.capacity) {
        request->result.status = request->result.reason = VN_CAPACITY;
        request->result.needed_points = point_count;
        request->result.point_count = 0;
        point_count = use_count = 0;
    }

    if (point_count > 0)
        memcpy(request->points.items, points, point_count * sizeof *points);

    if (use_count > 0)
        memcpy(request->uses, uses, use_count * sizeof *uses);

    request->point_count = point_count;
    request->use_count = use_count;
}

static bool is_unwanted(const vni_worker* worker, vni_request* request) {
    return vni_atomic_load(&request->cancelled) || vni_atomic_load(&worker->nav->shared.stop);
}

/// Searches in slices, so that a cancelled request, or a nav that is destroyed, waits for one slice only.
static vn_status search(vni_worker* worker, vni_request* request, uint64_t most, uint64_t* used) {
    vn_status status = VN_RUNNING;
    while (status == VN_RUNNING && *used < most) {
        if (is_unwanted(worker, request))
            break;
        uint64_t slice = most - *used < SLICE ? most - *used : SLICE;
        const vn_planner* planner = request->input.planner;
        status = planner != NULL ? planner->step(planner->self, slice) : vn_query_step(worker->query, slice);
        *used += slice;
    }

    return status;
}

bool vni_nav_request_step(vni_worker* worker, uint64_t most, uint64_t* used) {
    VNI_ASSERT(worker->slot != VNI_NONE);

    vni_request* request = &worker->nav->fixed.requests[worker->slot];
    *used = 0;
    if (worker->charged == UINT64_MAX) {
        vn_status status = begin(worker, request);
        if (status != VN_OK) {
            request->result.status = request->result.reason = status;
            return true;
        }
    }

    const vn_status status = search(worker, request, most, used);
    worker->charged += *used;
    if (status == VN_RUNNING && !is_unwanted(worker, request))
        return false;

    // Slices are charged in full, but the last one may have ended early: the budget gets the rest back.
    if (request->input.planner != NULL)
        vni_nav_plan_end(request, status == VN_RUNNING);
    else
        take_result(worker, request);
    const uint64_t expanded = request->result.expanded;
    const uint64_t over = worker->charged > expanded ? worker->charged - expanded : 0;
    *used -= over < *used ? over : *used;
    return true;
}
