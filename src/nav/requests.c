/// nav/requests.c: requests from submission to release. How a worker runs one is in nav/request_run.c.
///
///   host     submit -> [submitted] -> begin           deliver -> [delivered] -> collect -> release
///                                       |                ^
///   worker                          [waiting] -> take -> step ... -> end
///
/// Finished requests reach `deliver` through [finished] in realtime; in lockstep host.begun keeps their
/// order.
///
/// Lockstep fixes three things at the tick that begins a request, whatever the workers do: the version it
/// runs on (the one that the host sees), the tick that delivers it (`latency` ticks later; that tick waits if
/// it must), and its position among the results (the order of submission). Each search is deterministic by
/// itself, so equal calls give equal bytes with any number of workers.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/planned_inside.h"
#include "query/versions.h"

#include <string.h>

#define SLOT_BITS 20

// -------------------------------------------------------------------------------------------------- queues
// Host queues: on the host's thread. shared.finished: monitor held.

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

/// Every array that a request can need is allocated here, at its largest: submitting and running requests
/// allocates nothing, and the addresses in a result stay valid until it is released.
static bool allocate(vn_nav* nav) {
    vni_nav_fixed* fixed = &nav->fixed;
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_REQUESTS);
    const uint64_t capacity = fixed->def.max_requests;
    fixed->requests = vni_alloc_zero(allocator, capacity, sizeof *fixed->requests);
    fixed->request_points = VNI_NEW_ARRAY(allocator, vn_point, capacity * fixed->def.max_points);
    fixed->request_zones = VNI_NEW_ARRAY(allocator, vn_zone, capacity * VN_MAX_ZONES);
    fixed->request_planes = VNI_NEW_ARRAY(allocator, vn_plane, capacity * VN_MAX_ZONE_PLANES);
    fixed->request_connections = VNI_NEW_ARRAY(allocator, vn_connection, capacity * VN_MAX_CONNECTIONS);
    fixed->request_uses = VNI_NEW_ARRAY(allocator, vn_connection_use, capacity * VNI_MAX_USES);
    nav->shared.waiting.entries = VNI_NEW_ARRAY(allocator, vni_heap_entry, capacity);

    return fixed->requests != NULL && fixed->request_points != NULL && fixed->request_zones != NULL &&
           fixed->request_planes != NULL && fixed->request_connections != NULL &&
           fixed->request_uses != NULL && nav->shared.waiting.entries != NULL;
}

vn_status vni_nav_requests_make(vn_nav* nav) {
    if (!allocate(nav))
        return VN_OUT_OF_MEMORY;

    // The heap writes positions straight into the requests, so that a cancelled one is removed in O(log n).
    const vni_nav_fixed* fixed = &nav->fixed;
    nav->shared.waiting.capacity = fixed->def.max_requests;
    nav->shared.waiting.positions = (unsigned char*)&fixed->requests[0].heap_position;
    nav->shared.waiting.stride = sizeof *fixed->requests;
    nav->host.submitted = nav->host.begun = nav->host.delivered = nav->shared.finished = empty_queue;

    // From the last to the first: the free list then hands out slots in ascending order.
    nav->host.free_request = VNI_NONE;
    for (uint32_t i = fixed->def.max_requests; i-- > 0;) {
        vni_request* request = &fixed->requests[i];
        request->points = (vni_slot_points){fixed->request_points + (size_t)i * fixed->def.max_points,
                                            fixed->def.max_points, false};
        request->zones = fixed->request_zones + (size_t)i * VN_MAX_ZONES;
        request->planes = fixed->request_planes + (size_t)i * VN_MAX_ZONE_PLANES;
        request->connections = fixed->request_connections + (size_t)i * VN_MAX_CONNECTIONS;
        request->uses = fixed->request_uses + (size_t)i * VNI_MAX_USES;
        free_slot(nav, i);
    }

    return VN_OK;
}

void vni_nav_requests_free(vn_nav* nav) {
    const vni_nav_fixed* fixed = &nav->fixed;
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_REQUESTS);
    const uint64_t capacity = fixed->def.max_requests;
    for (uint64_t i = 0; fixed->requests != NULL && i < capacity; ++i)
        vni_slot_points_free(allocator, &fixed->requests[i].points);
    VNI_DELETE_ARRAY(allocator, fixed->requests, capacity);
    VNI_DELETE_ARRAY(allocator, fixed->request_points, capacity * fixed->def.max_points);
    VNI_DELETE_ARRAY(allocator, fixed->request_zones, capacity * VN_MAX_ZONES);
    VNI_DELETE_ARRAY(allocator, fixed->request_planes, capacity * VN_MAX_ZONE_PLANES);
    VNI_DELETE_ARRAY(allocator, fixed->request_connections, capacity * VN_MAX_CONNECTIONS);
    VNI_DELETE_ARRAY(allocator, fixed->request_uses, capacity * VNI_MAX_USES);
    VNI_DELETE_ARRAY(allocator, nav->shared.waiting.entries, capacity);
}

// ---------------------------------------------------------------------------------------- the host's calls
// On the host's thread.

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

/// Would the nav take this request? Sets its radius, if that was left to the layers.
static vn_status check_request(vn_nav* nav, vn_nav_request* input, vn_detail* detail) {
    if (input->path.cookie != vn_default_path_request().cookie)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the request with vn_default_nav_request, then change what you mean");
    if (input->path.algo != VN_ALGO_CELLS && (uint32_t)input->path.algo < VN_ALGO_COUNT)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "a nav searches cells only: for other searches pin a version (vn_nav_pin) and make a vn_query");

    if (input->path.observe != NULL)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "a nav searches on its own threads: to observe a search pin a version (vn_nav_pin) and "
            "make a vn_query");

    vn_status status = vni_layers_agent_radius(&nav->host.seen->view, &input->path.radius, detail);
    if (status == VN_OK)
        status = vni_query_check(&nav->host.seen->view, &input->path, detail);
    if (status == VN_OK)
        status = vni_nav_check_inside(nav, input->path.inside, input->path.inside_count, detail);
    if (status == VN_OK)
        status = vni_nav_check_planner(nav, input, detail);
    return status;
}

vn_status vn_nav_submit(vn_nav* nav, const vn_nav_request* request, vn_request_id* out, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && request != NULL && out != NULL);

    vn_nav_request input = *request;
    vn_status status = check_request(nav, &input, detail);
    if (status != VN_OK)
        return status;

    const uint32_t slot = nav->host.free_request;
    if (slot == VNI_NONE)
        return vni_fail(detail, VN_CAPACITY,
                        "%u requests are under way or not released: release results, or set max_requests "
                        "higher",
                        (unsigned)nav->fixed.def.max_requests);

    status = vni_slot_points_reserve(vni_nav_allocator(nav, VNI_PART_REQUESTS), nav->host.max_points,
                                     &nav->fixed.requests[slot].points, detail);
    if (status != VN_OK)
        return status;

    // The serial in the high bits makes the id unique for the life of the nav; the slot in the low bits makes
    // looking it up one array access.
    vni_request* entry = &nav->fixed.requests[slot];
    nav->host.free_request = entry->next;
    entry->id = ++nav->host.request_serial << SLOT_BITS | slot;
    copy_input(entry, &input);

    entry->needed_round = UINT64_MAX;
    entry->version = NULL;
    entry->space = NULL;
    entry->point_count = entry->use_count = 0;
    entry->abandoned = false;
    memset(&entry->result, 0, sizeof entry->result);
    vni_atomic_store(&entry->cancelled, 0);

    entry->state = VNI_REQUEST_SUBMITTED;
    queue_push(nav, &nav->host.submitted, slot);
    *out = entry->id;

    return VN_OK;
}

/// Null if the id was never given out, or its slot has been used again. The request may still be in any
/// state.
static vni_request* find(const vn_nav* nav, vn_request_id id) {
    uint32_t slot = (uint32_t)(id & ((1u << SLOT_BITS) - 1));
    if (slot >= nav->fixed.def.max_requests || nav->fixed.requests[slot].id != id)
        return NULL;
    return &nav->fixed.requests[slot];
}

const vni_request* vni_nav_collected(const vn_nav* nav, vn_request_id id) {
    const vni_request* request = find(nav, id);
    return request != NULL && request->state == VNI_REQUEST_COLLECTED ? request : NULL;
}

/// Every request becomes VNI_REQUEST_FINISHED here. Any thread. Monitor held.
static void finish(vn_nav* nav, uint32_t slot) {
    nav->fixed.requests[slot].state = VNI_REQUEST_FINISHED;

    // Realtime: the order of finishing is the order of the results. Lockstep: host.begun has the order
    // already, and the host may be waiting in vni_nav_requests_deliver for just this state.
    if (nav->fixed.def.mode == VN_NAV_REALTIME)
        queue_push(nav, &nav->shared.finished, slot);
    else
        vni_nav_wake(nav);
}

vn_status vn_nav_cancel(vn_nav* nav, vn_request_id id) {
    VNI_ASSERT(nav != NULL);

    vni_request* request = find(nav, id);
    if (request == NULL || request->abandoned)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    bool under_way = request->state > VNI_REQUEST_FREE && request->state < VNI_REQUEST_DELIVERED;
    if (under_way)
        vni_atomic_store(&request->cancelled, 1);

    // One that runs stops by itself after at most SLICE expansions. One that has only been submitted goes
    // through the heap first: in lockstep its result must keep its tick and its position.
    if (request->state == VNI_REQUEST_WAITING) {
        vni_heap_remove(&nav->shared.waiting, request->heap_position);
        finish(nav, (uint32_t)(request - nav->fixed.requests));
    }

    vni_nav_leave(nav);
    return under_way ? VN_OK : VN_STALE_ID;
}

/// The host takes the result of a delivered request.
static void collect(vni_request* request, vn_nav_result* out) {
    VNI_ASSERT(request->state == VNI_REQUEST_DELIVERED);

    request->state = VNI_REQUEST_COLLECTED;
    memset(out, 0, sizeof *out);
    out->id = request->id;
    out->user = request->input.user;
    out->version = request->version != NULL ? request->version->number : 0;
    out->space = request->space;
    out->begin_tick = request->begin_tick;
    out->end_tick = request->end_tick;
    out->result = request->result;
    out->points = request->points.items;
    out->point_count = request->point_count;
    out->connections = request->uses;
    out->connection_count = request->use_count;
}

bool vn_nav_next_result(vn_nav* nav, vn_nav_result* out) {
    VNI_ASSERT(nav != NULL && out != NULL);

    if (nav->host.delivered.count == 0)
        return false;
    collect(&nav->fixed.requests[queue_pop(nav, &nav->host.delivered)], out);
    return true;
}

/// A request whose result is taken by its id, and which the host still wants.
static vni_request* find_by_id(const vn_nav* nav, vn_request_id id) {
    vni_request* request = find(nav, id);
    return request != NULL && request->input.by_id && !request->abandoned ? request : NULL;
}

vn_status vn_nav_take_result(vn_nav* nav, vn_request_id id, vn_nav_result* out) {
    VNI_ASSERT(nav != NULL && out != NULL);

    vni_request* request = find_by_id(nav, id);
    if (request == NULL)
        return VN_STALE_ID;

    // Until the request is delivered, a worker may write the state.
    vni_nav_enter(nav);
    const vni_request_state state = request->state;
    vni_nav_leave(nav);
    if (state == VNI_REQUEST_FREE || state == VNI_REQUEST_COLLECTED)
        return VN_STALE_ID;
    if (state != VNI_REQUEST_DELIVERED)
        return VN_RUNNING;

    collect(request, out);
    return VN_OK;
}

vn_status vn_nav_get_positions(const vn_nav* nav, const vn_nav_result* result, vn_dvec3* out,
                               uint32_t capacity, uint32_t* count) {
    VNI_ASSERT(nav != NULL && result != NULL && count != NULL && (out != NULL || capacity == 0));

    // A released result has no points any more: its slot may be another request's.
    vni_nav_enter(nav);
    const bool held = vni_nav_collected(nav, result->id) != NULL;
    vni_nav_leave(nav);
    *count = 0;
    if (!held)
        return VN_STALE_ID;

    *count = result->point_count;
    if (*count > 0)
        vn_space_points_to_world(result->space, result->points, *count < capacity ? *count : capacity, out);
    return *count > capacity ? VN_CAPACITY : VN_OK;
}

/// Monitor held.
static void unpin(vn_nav* nav, vni_request* request) {
    if (request->version != NULL)
        vni_nav_version_unpin(nav, request->version);
    request->version = NULL;
    request->space = NULL;
}

void vn_nav_release_result(vn_nav* nav, vn_request_id id) {
    VNI_ASSERT(nav != NULL);

    vni_request* request = find(nav, id);
    if (request == NULL)
        return;

    // The state is read under the monitor: until the request is delivered, a worker may write it.
    vni_nav_enter(nav);
    bool held = request->state == VNI_REQUEST_COLLECTED;
    if (held)
        unpin(nav, request);

    vni_nav_leave(nav);
    if (!held)
        return;

    --nav->host.result_count;
    free_slot(nav, (uint32_t)(request - nav->fixed.requests));
}

vn_status vn_nav_abandon(vn_nav* nav, vn_request_id id) {
    VNI_ASSERT(nav != NULL);

    vni_request* request = find_by_id(nav, id);
    vn_nav_result result;
    if (request == NULL)
        return VN_STALE_ID;

    const bool under_way = vn_nav_cancel(nav, id) == VN_OK;
    request->abandoned = true;
    if (under_way)
        return VN_OK; // its delivery frees it

    // It was delivered, and perhaps taken, or released before.
    const bool was_held = request->state != VNI_REQUEST_FREE;
    if (request->state == VNI_REQUEST_DELIVERED)
        collect(request, &result);
    vn_nav_release_result(nav, id);
    return was_held ? VN_OK : VN_STALE_ID;
}

// ------------------------------------------------------------------------------------ to and from workers
// On the host's thread.

/// Last moment: a request must see all changes that the host made before it. The first tick after the
/// submission sets the round it needs: that of the pending changes, or the previous one if there are none.
/// As long as that round has not been handed over, it is set anew: its changes may cancel out (a zone that
/// moves back), and then there is nothing left to wait for.
static void set_needed_rounds(vn_nav* nav) {
    const uint64_t round = nav->host.round, needed = vni_nav_has_changes(nav) ? round : round - 1;
    uint32_t slot = nav->host.submitted.first;
    for (uint32_t n = nav->host.submitted.count; n > 0; --n) {
        vni_request* request = &nav->fixed.requests[slot];
        if (request->needed_round >= round) // UINT64_MAX at first
            request->needed_round = needed;

        slot = request->next;
    }
}

bool vni_nav_requests_need_update(vn_nav* nav) {
    set_needed_rounds(nav);

    uint32_t slot = nav->host.submitted.first;
    for (uint32_t n = nav->host.submitted.count; n > 0; --n) {
        if (nav->fixed.requests[slot].needed_round >= nav->host.round)
            return true;
        slot = nav->fixed.requests[slot].next;
    }

    return false;
}

/// Last moment: in lockstep a request runs on the version that the host sees, so that version must show the
/// round. In realtime it runs on the newest one when a worker takes it, and are_held_back keeps it in the
/// heap until the update has ended: it is enough that the round has been handed over.
static bool may_begin(const vn_nav* nav, const vni_request* request) {
    if (nav->fixed.def.policy != VN_UPDATE_LAST_MOMENT)
        return true;
    return nav->fixed.def.mode == VN_NAV_LOCKSTEP ? request->needed_round <= nav->host.shown_round
                                                  : request->needed_round < nav->host.round;
}

static void begin_first(vn_nav* nav) {
    uint32_t slot = queue_pop(nav, &nav->host.submitted);
    vni_request* request = &nav->fixed.requests[slot];
    request->begin_tick = nav->host.tick;

    // Lockstep: the version is chosen here, on the host's thread, and not when a worker happens to be free.
    if (nav->fixed.def.mode == VN_NAV_LOCKSTEP) {
        request->version = nav->host.seen;
        ++request->version->pins;
        queue_push(nav, &nav->host.begun, slot);
    }

    // Higher priority first, then older first. Serials are exact as doubles up to 2^44 (64 - SLOT_BITS bits).
    const vni_heap_entry entry = {-(double)request->input.priority, (double)(request->id >> SLOT_BITS), slot,
                                  slot};
    request->state = VNI_REQUEST_WAITING;
    bool pushed = vni_heap_push(&nav->shared.waiting, entry);
    VNI_ASSERT(pushed); // the capacity of the heap is max_requests
    (void)pushed;
}

void vni_nav_requests_begin(vn_nav* nav) {
    if (nav->fixed.def.policy == VN_UPDATE_LAST_MOMENT)
        set_needed_rounds(nav);

    // A request never overtakes an older one: needed rounds do not decrease along the queue.
    while (nav->host.submitted.count > 0 && may_begin(nav, &nav->fixed.requests[nav->host.submitted.first]))
        begin_first(nav);
}

/// Monitor held.
static void deliver(vn_nav* nav, uint32_t slot) {
    vni_request* request = &nav->fixed.requests[slot];
    VNI_ASSERT(request->state == VNI_REQUEST_FINISHED);

    // Whatever a worker found before or after it noticed: a cancelled request has no result. That keeps
    // lockstep independent of the speed of the workers.
    if (vni_atomic_load(&request->cancelled)) {
        unpin(nav, request);
        memset(&request->result, 0, sizeof request->result);
        request->result.status = request->result.reason = VN_CANCELLED;
        request->point_count = request->use_count = 0;
    }

    if (request->abandoned) {
        free_slot(nav, slot);
        return;
    }

    request->end_tick = nav->host.tick;
    request->state = VNI_REQUEST_DELIVERED;
    ++nav->host.result_count;
    if (!request->input.by_id)
        queue_push(nav, &nav->host.delivered, slot);
}

void vni_nav_requests_deliver(vn_nav* nav) {
    // Empty in lockstep.
    while (nav->shared.finished.count > 0)
        deliver(nav, queue_pop(nav, &nav->shared.finished));

    // Empty in realtime. All that are due are delivered by exactly this tick, neither earlier nor later.
    while (nav->host.begun.count > 0) {
        const vni_request* first = &nav->fixed.requests[nav->host.begun.first];
        if (first->begin_tick + nav->fixed.def.latency > nav->host.tick)
            return;
        while (first->state != VNI_REQUEST_FINISHED)
            vni_nav_help_request(nav, first);
        deliver(nav, queue_pop(nav, &nav->host.begun));
    }
}

uint32_t vni_nav_requests_quota(const vn_nav* nav) {
    const uint64_t one = 1u << 16;
    uint64_t sum = 0;
    uint32_t slot = nav->host.begun.first;
    for (uint32_t n = nav->host.begun.count; n > 0; --n) {
        const vni_request* request = &nav->fixed.requests[slot];
        const uint64_t due = request->begin_tick + nav->fixed.def.latency;
        if (request->state != VNI_REQUEST_FINISHED)
            sum += due > nav->host.tick + 1 ? one / (due - nav->host.tick) : one;
        slot = request->next;
    }

    return (uint32_t)((sum + one - 1) / one);
}

// -------------------------------------------------------------------------------------------------- working
// On the thread of a worker, or the host's if there are none.

static bool is_late(const vn_nav* nav, const vni_request* request) {
    return nav->fixed.def.mode == VN_NAV_REALTIME && request->input.deadline > 0 &&
           nav->shared.tick - request->begin_tick > request->input.deadline;
}

/// Last moment in realtime: requests that have begun wait for the update that they need, also for one that
/// failed and will be tried again. Monitor held.
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

        // Realtime: the newest version there is. It is pinned under the monitor, so it cannot go away first.
        if (request->version == NULL) {
            request->version = nav->shared.newest;
            ++request->version->pins;
        }

        // From here to vni_nav_request_end the request is this worker's: it needs no lock to write it.
        request->state = VNI_REQUEST_RUNNING;
        ++nav->shared.running;
        worker->slot = slot;
        worker->charged = UINT64_MAX;
        return true;
    }

    return false;
}

void vni_nav_request_end(vni_worker* worker) {
    vn_nav* nav = worker->nav;
    VNI_ASSERT(worker->slot != VNI_NONE && nav->shared.running > 0);
    --nav->shared.running;
    finish(nav, worker->slot);
    worker->slot = VNI_NONE;
}
