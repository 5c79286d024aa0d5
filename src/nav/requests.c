/// nav/requests.c: questions from asking to release, and how a worker answers one.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"
#include "query/versions.h"

#include <string.h>

#define SLOT_BITS 20

/// Expansions between two looks at whether the question is still wanted.
#define SLICE 256u

/// A way through cells may have many more portals than points.
#define QUERY_POINTS 65536u

// --------------------------------------------------------------------------------------------------- lists

static const vni_request_queue empty_queue = {VNI_NONE, VNI_NONE, 0};

static void queue_push(vn_nav* nav, vni_request_queue* queue, uint32_t slot) {
    nav->fixed.requests[slot].next = VNI_NONE;
    if (queue->count++ == 0)
        queue->first = slot;
    else
        nav->fixed.requests[queue->last].next = slot;
    queue->last = slot;
}

static uint32_t queue_pop(vn_nav* nav, vni_request_queue* queue) {
    VNI_ASSERT(queue->count > 0);
    uint32_t slot = queue->first;
    queue->first = nav->fixed.requests[slot].next;
    --queue->count;
    return slot;
}

static void free_slot(vn_nav* nav, uint32_t slot) {
    nav->fixed.requests[slot].state = VNI_REQUEST_FREE;
    nav->fixed.requests[slot].next = nav->host.free_request;
    nav->host.free_request = slot;
}

// -------------------------------------------------------------------------------------------------- making

vn_status vni_nav_requests_make(vn_nav* nav) {
    const vn_allocator* allocator = &nav->fixed.allocator;
    uint32_t room = nav->fixed.def.max_requests;
    nav->fixed.requests = vni_alloc_zero(allocator, room, sizeof *nav->fixed.requests);
    nav->fixed.request_points =
        VNI_NEW_ARRAY(allocator, vn_point, (uint64_t)room * nav->fixed.def.max_points);
    nav->fixed.request_zones = VNI_NEW_ARRAY(allocator, vn_zone, (uint64_t)room * VN_MAX_ZONES);
    nav->fixed.request_planes = VNI_NEW_ARRAY(allocator, vn_plane, (uint64_t)room * VN_MAX_ZONE_PLANES);
    nav->fixed.request_connections =
        VNI_NEW_ARRAY(allocator, vn_connection, (uint64_t)room * VN_MAX_CONNECTIONS);
    nav->fixed.request_uses = VNI_NEW_ARRAY(allocator, vn_connection_use, (uint64_t)room * VNI_MAX_USES);
    nav->shared.waiting.entries = VNI_NEW_ARRAY(allocator, vni_heap_entry, room);

    if (!nav->fixed.requests || !nav->fixed.request_points || !nav->fixed.request_zones ||
        !nav->fixed.request_planes || !nav->fixed.request_connections || !nav->fixed.request_uses ||
        !nav->shared.waiting.entries)
        return VN_OUT_OF_MEMORY;

    nav->shared.waiting.capacity = room;
    nav->shared.waiting.positions = (unsigned char*)&nav->fixed.requests[0].heap_position;
    nav->shared.waiting.stride = sizeof *nav->fixed.requests;
    nav->host.submitted = nav->host.begun = nav->host.delivered = nav->shared.finished = empty_queue;

    nav->host.free_request = VNI_NONE;
    for (uint32_t i = room; i-- > 0;) {
        nav->fixed.requests[i].points = nav->fixed.request_points + (size_t)i * nav->fixed.def.max_points;
        nav->fixed.requests[i].zones = nav->fixed.request_zones + (size_t)i * VN_MAX_ZONES;
        nav->fixed.requests[i].planes = nav->fixed.request_planes + (size_t)i * VN_MAX_ZONE_PLANES;
        nav->fixed.requests[i].connections = nav->fixed.request_connections + (size_t)i * VN_MAX_CONNECTIONS;
        nav->fixed.requests[i].uses = nav->fixed.request_uses + (size_t)i * VNI_MAX_USES;
        free_slot(nav, i);
    }

    return VN_OK;
}

void vni_nav_requests_free(vn_nav* nav) {
    const vn_allocator* allocator = &nav->fixed.allocator;
    uint32_t room = nav->fixed.def.max_requests;
    VNI_DELETE_ARRAY(allocator, nav->fixed.requests, room);
    VNI_DELETE_ARRAY(allocator, nav->fixed.request_points, (uint64_t)room * nav->fixed.def.max_points);
    VNI_DELETE_ARRAY(allocator, nav->fixed.request_zones, (uint64_t)room * VN_MAX_ZONES);
    VNI_DELETE_ARRAY(allocator, nav->fixed.request_planes, (uint64_t)room * VN_MAX_ZONE_PLANES);
    VNI_DELETE_ARRAY(allocator, nav->fixed.request_connections, (uint64_t)room * VN_MAX_CONNECTIONS);
    VNI_DELETE_ARRAY(allocator, nav->fixed.request_uses, (uint64_t)room * VNI_MAX_USES);
    VNI_DELETE_ARRAY(allocator, nav->shared.waiting.entries, room);
}

// --------------------------------------------------------------------------------------------- host's calls

vn_nav_request vn_default_nav_request(void) {
    vn_nav_request request;
    memset(&request, 0, sizeof request);
    request.path = vn_default_path_request();
    return request;
}

/// Copies what the caller may free after the call: zones with their planes, and connections.
static void copy_input(vni_request* request, const vn_nav_request* input) {
    const vn_path_request* path = &input->path;
    request->input = *input;
    request->input.path.zones = request->zones;
    request->input.path.connections = request->connections;

    vni_zones_copy(path->zones, path->zone_count, request->zones, request->planes);
    if (path->connection_count > 0)
        memcpy(request->connections, path->connections, path->connection_count * sizeof *path->connections);
}

vn_status vn_nav_submit(vn_nav* nav, const vn_nav_request* request, vn_request_id* out, vn_detail* detail) {
    VNI_ASSERT(nav && request && out);

    vn_status status = vni_query_check(&nav->host.seen->view, &request->path, detail);
    if (status != VN_OK)
        return status;

    uint32_t slot = nav->host.free_request;
    if (slot == VNI_NONE)
        return vni_fail(detail, VN_CAPACITY,
                        "%u requests are under way or not released: release results, or set max_requests "
                        "higher",
                        (unsigned)nav->fixed.def.max_requests);

    // The serial in the high bits makes the id unique for the life of the nav; the slot in the low bits makes
    // looking it up one array access.
    vni_request* entry = &nav->fixed.requests[slot];
    nav->host.free_request = entry->next;
    entry->id = ++nav->host.request_serial << SLOT_BITS | slot;
    copy_input(entry, request);

    entry->needed_round = UINT64_MAX;
    entry->version = NULL;
    entry->space = NULL;
    entry->point_count = entry->use_count = 0;
    memset(&entry->result, 0, sizeof entry->result);
    vni_atomic_store(&entry->cancelled, 0);

    entry->state = VNI_REQUEST_SUBMITTED;
    queue_push(nav, &nav->host.submitted, slot);
    *out = entry->id;

    return VN_OK;
}

static vni_request* find(vn_nav* nav, vn_request_id ticket) {
    uint32_t slot = (uint32_t)(ticket & ((1u << SLOT_BITS) - 1));
    if (slot >= nav->fixed.def.max_requests || nav->fixed.requests[slot].id != ticket)
        return NULL;
    return &nav->fixed.requests[slot];
}

/// The only way to VNI_REQUEST_FINISHED. Inside the monitor.
static void finish(vn_nav* nav, uint32_t slot) {
    nav->fixed.requests[slot].state = VNI_REQUEST_FINISHED;

    if (nav->fixed.def.mode == VN_NAV_REALTIME)
        queue_push(nav, &nav->shared.finished, slot);
    else
        vni_nav_wake(nav); // a tick may wait for this state
}

vn_status vn_nav_cancel(vn_nav* nav, vn_request_id ticket) {
    VNI_ASSERT(nav);

    vni_request* request = find(nav, ticket);
    if (!request)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    bool under_way = request->state > VNI_REQUEST_FREE && request->state < VNI_REQUEST_DELIVERED;
    if (under_way)
        vni_atomic_store(&request->cancelled, 1);

    if (request->state == VNI_REQUEST_WAITING) {
        vni_heap_remove(&nav->shared.waiting, request->heap_position);
        finish(nav, (uint32_t)(request - nav->fixed.requests));
    }

    vni_nav_leave(nav);
    return under_way ? VN_OK : VN_STALE_ID;
}

bool vn_nav_next_result(vn_nav* nav, vn_nav_result* out) {
    VNI_ASSERT(nav && out);

    if (nav->host.delivered.count == 0)
        return false;
    vni_request* request = &nav->fixed.requests[queue_pop(nav, &nav->host.delivered)];
    VNI_ASSERT(request->state == VNI_REQUEST_DELIVERED);

    request->state = VNI_REQUEST_COLLECTED;
    memset(out, 0, sizeof *out);
    out->id = request->id;
    out->user = request->input.user;
    out->version = request->version ? request->version->number : 0;
    out->space = request->space;
    out->begin_tick = request->begin_tick;
    out->end_tick = request->end_tick;
    out->result = request->result;
    out->points = request->points;
    out->point_count = request->point_count;
    out->connections = request->uses;
    out->connection_count = request->use_count;

    return true;
}

static void unpin(vn_nav* nav, vni_request* request) {
    if (request->version)
        vni_nav_version_unpin(nav, request->version);
    request->version = NULL;
    request->space = NULL;
}

void vn_nav_release_result(vn_nav* nav, vn_request_id ticket) {
    VNI_ASSERT(nav);

    vni_request* request = find(nav, ticket);
    if (!request)
        return;

    vni_nav_enter(nav);
    bool held =
        request->state == VNI_REQUEST_COLLECTED; // inside: until it is delivered, a worker may write it
    if (held)
        unpin(nav, request);

    vni_nav_leave(nav);
    if (!held)
        return;

    --nav->host.result_count;
    free_slot(nav, (uint32_t)(request - nav->fixed.requests));
}

// ---------------------------------------------------------------------------------------- to and from
// workers

/// Last moment: the changes that the host has made before asking must be seen.
static void know_needs(vn_nav* nav) {
    for (uint32_t i = nav->host.submitted.first, n = 0; n < nav->host.submitted.count;
         ++n, i = nav->fixed.requests[i].next)
        if (nav->fixed.requests[i].needed_round >=
            nav->host.round) // UINT64_MAX, or changes that may have cancelled out since
            nav->fixed.requests[i].needed_round =
                vni_nav_has_changes(nav) ? nav->host.round : nav->host.round - 1;
}

bool vni_nav_requests_need_update(vn_nav* nav) {
    know_needs(nav);
    for (uint32_t i = nav->host.submitted.first, n = 0; n < nav->host.submitted.count;
         ++n, i = nav->fixed.requests[i].next)
        if (nav->fixed.requests[i].needed_round >= nav->host.round)
            return true;
    return false;
}

static bool may_begin(const vn_nav* nav, const vni_request* request) {
    if (nav->fixed.def.policy != VN_UPDATE_LAST_MOMENT)
        return true;
    return nav->fixed.def.mode == VN_NAV_LOCKSTEP ? request->needed_round <= nav->host.shown_round
                                                  : request->needed_round < nav->host.round;
}

void vni_nav_requests_begin(vn_nav* nav) {
    if (nav->fixed.def.policy == VN_UPDATE_LAST_MOMENT)
        know_needs(nav);

    while (nav->host.submitted.count > 0 && may_begin(nav, &nav->fixed.requests[nav->host.submitted.first])) {
        uint32_t slot = queue_pop(nav, &nav->host.submitted);
        vni_request* request = &nav->fixed.requests[slot];
        request->begin_tick = nav->host.tick;
        if (nav->fixed.def.mode == VN_NAV_LOCKSTEP) {
            request->version = nav->host.seen;
            ++request->version->pins;
            queue_push(nav, &nav->host.begun, slot);
        }

        request->state = VNI_REQUEST_WAITING;
        const vni_heap_entry entry = {-(double)request->input.priority, (double)(request->id >> SLOT_BITS),
                                      slot, slot};
        bool pushed = vni_heap_push(&nav->shared.waiting, entry);
        VNI_ASSERT(pushed); // there is room for all

        (void)pushed;
    }
}

static void deliver(vn_nav* nav, uint32_t slot) {
    vni_request* request = &nav->fixed.requests[slot];
    VNI_ASSERT(request->state == VNI_REQUEST_FINISHED);

    if (vni_atomic_load(&request->cancelled)) {
        unpin(nav, request);
        memset(&request->result, 0, sizeof request->result);
        request->result.status = request->result.reason = VN_CANCELLED;
        request->point_count = request->use_count = 0;
    }

    request->end_tick = nav->host.tick;
    request->state = VNI_REQUEST_DELIVERED;
    ++nav->host.result_count;
    queue_push(nav, &nav->host.delivered, slot);
}

void vni_nav_requests_deliver(vn_nav* nav) {
    while (nav->shared.finished.count > 0)
        deliver(nav, queue_pop(nav, &nav->shared.finished));

    while (nav->host.begun.count > 0 &&
           nav->fixed.requests[nav->host.begun.first].begin_tick + nav->fixed.def.latency <= nav->host.tick) {
        while (nav->fixed.requests[nav->host.begun.first].state != VNI_REQUEST_FINISHED)
            vni_nav_wait(nav);
        deliver(nav, queue_pop(nav, &nav->host.begun));
    }
}

// -------------------------------------------------------------------------------------------------- working

static bool is_late(const vn_nav* nav, const vni_request* request) {
    return nav->fixed.def.mode == VN_NAV_REALTIME && request->input.deadline > 0 &&
           nav->shared.tick - request->begin_tick > request->input.deadline;
}

/// Last moment in realtime: what has begun waits for the update that it needs, also for one that failed and
/// will be tried again.
static bool are_held_back(const vn_nav* nav) {
    if (nav->fixed.def.policy != VN_UPDATE_LAST_MOMENT || nav->fixed.def.mode != VN_NAV_REALTIME)
        return false;
    return nav->shared.update_state == VNI_UPDATE_READY || nav->shared.update_state == VNI_UPDATE_RUNNING ||
           nav->update.status != VN_OK;
}

bool vni_nav_request_take(vn_nav* nav, vni_worker* worker) {
    const bool held_back = are_held_back(nav);
    while (nav->shared.waiting.count > 0 && !held_back) {
        uint32_t slot = vni_heap_pop(&nav->shared.waiting).slot;
        vni_request* request = &nav->fixed.requests[slot];
        if (is_late(nav, request))
            vni_atomic_store(&request->cancelled, 1);

        if (vni_atomic_load(&request->cancelled)) {
            finish(nav, slot);
            continue;
        }

        if (!request->version) {
            request->version = nav->shared.newest;
            ++request->version->pins;
        }

        request->state = VNI_REQUEST_RUNNING;
        ++nav->shared.running;
        worker->slot = slot;
        worker->charged = UINT64_MAX;
        return true;
    }

    return false;
}

static uint32_t most_cells(const vn_layers* layers) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < layers->count; ++i) {
        uint32_t cells = vni_cells_count(&layers->spaces[i]->cells);
        most = cells > most ? cells : most;
    }
    return most;
}

/// Points the worker's query at a version, with a new one if the old has too little room.
static vn_status use_version(vni_worker* worker, const vn_layers* view) {
    vn_nav* nav = worker->nav;
    vn_status status = worker->query ? vni_query_use_layers(worker->query, view) : VN_CAPACITY;
    if (status != VN_CAPACITY)
        return status;

    vn_query_def def = vn_default_query_def();
    def.allocator = nav->fixed.allocator;
    def.scratch = VN_SCRATCH_CELLS;
    def.max_points = nav->fixed.def.max_points > QUERY_POINTS ? nav->fixed.def.max_points : QUERY_POINTS;
    vn_query_destroy(worker->query);
    worker->query = NULL;

    return vni_query_create_spare(view, &def, most_cells(view) / 4 + 4096, &worker->query, NULL);
}

static vn_status begin(vni_worker* worker, vni_request* request) {
    worker->charged = 0;
    const vn_layers* view = &request->version->view;
    request->space = vn_layers_find(view, (double)request->input.path.radius, request->input.path.open_flags);
    vn_status status = use_version(worker, view);
    if (status != VN_OK)
        return status;

    vni_query_use_zones(worker->query, request->version->zones.items, request->version->zones.count);
    return vn_query_begin(worker->query, &request->input.path, NULL);
}

/// The query's result becomes the question's.
static void take_result(vni_worker* worker, vni_request* request) {
    uint32_t count, links;
    vn_query_finish(worker->query, &request->result);
    const vn_point* points = vn_query_points(worker->query, &count);
    const vn_connection_use* uses = vn_query_connections(worker->query, &links);
    VNI_ASSERT(links <= VNI_MAX_USES);

    if (count > worker->nav->fixed.def.max_points) {
        request->result.status = request->result.reason = VN_CAPACITY;
        request->result.point_count = 0;
        count = links = 0;
    }

    if (count > 0)
        memcpy(request->points, points, count * sizeof *points);

    if (links > 0)
        memcpy(request->uses, uses, links * sizeof *uses);

    request->point_count = count;
    request->use_count = links;
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

    vn_status status = VN_RUNNING;
    while (status == VN_RUNNING && *used < most) {
        if (vni_atomic_load(&request->cancelled) || vni_atomic_load(&worker->nav->shared.stop))
            break;
        uint64_t slice = most - *used < SLICE ? most - *used : SLICE;
        status = vn_query_step(worker->query, slice);
        *used += slice;
    }

    bool unwanted = vni_atomic_load(&request->cancelled) || vni_atomic_load(&worker->nav->shared.stop);
    worker->charged += *used;
    if (status == VN_RUNNING && !unwanted)
        return false;

    take_result(worker, request);
    uint64_t over =
        worker->charged > request->result.expanded ? worker->charged - request->result.expanded : 0;
    *used -= over < *used ? over : *used;
    return true;
}

void vni_nav_request_end(vni_worker* worker) {
    vn_nav* nav = worker->nav;
    VNI_ASSERT(worker->slot != VNI_NONE && nav->shared.running > 0);
    --nav->shared.running;
    finish(nav, worker->slot);
    worker->slot = VNI_NONE;
}
