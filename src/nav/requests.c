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

static const vni_line no_line = {VNI_NONE, VNI_NONE, 0};

static void line_push(vn_nav* nav, vni_line* line, uint32_t slot) {
    nav->questions[slot].next = VNI_NONE;
    if (line->count++ == 0)
        line->first = slot;
    else
        nav->questions[line->last].next = slot;
    line->last = slot;
}

static uint32_t line_pop(vn_nav* nav, vni_line* line) {
    VNI_ASSERT(line->count > 0);
    uint32_t slot = line->first;
    line->first = nav->questions[slot].next;
    --line->count;
    return slot;
}

static void free_slot(vn_nav* nav, uint32_t slot) {
    nav->questions[slot].state = VNI_FREE;
    nav->questions[slot].next = nav->free_question;
    nav->free_question = slot;
}

// -------------------------------------------------------------------------------------------------- making

vn_status vni_nav_requests_make(vn_nav* nav) {
    const vn_allocator* allocator = &nav->allocator;
    uint32_t room = nav->def.max_requests;
    nav->questions = vni_alloc_zero(allocator, room, sizeof *nav->questions);
    nav->answer_points = VNI_NEW_ARRAY(allocator, vn_point, (uint64_t)room * nav->def.max_points);
    nav->zones = VNI_NEW_ARRAY(allocator, vn_zone, (uint64_t)room * VN_MAX_ZONES);
    nav->planes = VNI_NEW_ARRAY(allocator, vn_plane, (uint64_t)room * VN_MAX_ZONE_PLANES);
    nav->links = VNI_NEW_ARRAY(allocator, vn_connection, (uint64_t)room * VN_MAX_CONNECTIONS);
    nav->uses = VNI_NEW_ARRAY(allocator, vn_connection_use, (uint64_t)room * VNI_MAX_USES);
    nav->waiting.entries = VNI_NEW_ARRAY(allocator, vni_heap_entry, room);

    if (!nav->questions || !nav->answer_points || !nav->zones || !nav->planes || !nav->links || !nav->uses ||
        !nav->waiting.entries)
        return VN_OUT_OF_MEMORY;

    nav->waiting.capacity = room;
    nav->waiting.positions = (unsigned char*)&nav->questions[0].heap_position;
    nav->waiting.stride = sizeof *nav->questions;
    nav->asked = nav->begun = nav->delivered = nav->finished = no_line;

    nav->free_question = VNI_NONE;
    for (uint32_t i = room; i-- > 0;) {
        nav->questions[i].points = nav->answer_points + (size_t)i * nav->def.max_points;
        nav->questions[i].zones = nav->zones + (size_t)i * VN_MAX_ZONES;
        nav->questions[i].planes = nav->planes + (size_t)i * VN_MAX_ZONE_PLANES;
        nav->questions[i].links = nav->links + (size_t)i * VN_MAX_CONNECTIONS;
        nav->questions[i].uses = nav->uses + (size_t)i * VNI_MAX_USES;
        free_slot(nav, i);
    }

    return VN_OK;
}

void vni_nav_requests_free(vn_nav* nav) {
    const vn_allocator* allocator = &nav->allocator;
    uint32_t room = nav->def.max_requests;
    VNI_DELETE_ARRAY(allocator, nav->questions, room);
    VNI_DELETE_ARRAY(allocator, nav->answer_points, (uint64_t)room * nav->def.max_points);
    VNI_DELETE_ARRAY(allocator, nav->zones, (uint64_t)room * VN_MAX_ZONES);
    VNI_DELETE_ARRAY(allocator, nav->planes, (uint64_t)room * VN_MAX_ZONE_PLANES);
    VNI_DELETE_ARRAY(allocator, nav->links, (uint64_t)room * VN_MAX_CONNECTIONS);
    VNI_DELETE_ARRAY(allocator, nav->uses, (uint64_t)room * VNI_MAX_USES);
    VNI_DELETE_ARRAY(allocator, nav->waiting.entries, room);
}

// --------------------------------------------------------------------------------------------- host's calls

vn_nav_request vn_default_nav_request(void) {
    vn_nav_request request;
    memset(&request, 0, sizeof request);
    request.path = vn_default_path_request();
    return request;
}

vn_status vn_nav_submit(vn_nav* nav, const vn_nav_request* request, vn_request_id* out, vn_detail* detail) {
    VNI_ASSERT(nav && request && out);

    vn_status status = vni_query_check(&nav->seen->view, &request->path, detail);
    if (status != VN_OK)
        return status;

    if (nav->free_question == VNI_NONE)
        return vni_fail(detail, VN_CAPACITY,
                        "%u questions are under way or not released: release answers, or set max_requests "
                        "higher",
                        (unsigned)nav->def.max_requests);

    uint32_t slot = nav->free_question;
    vni_request* q = &nav->questions[slot];
    nav->free_question = q->next;
    q->ticket = ++nav->serial << SLOT_BITS | slot;
    q->request = *request;
    q->request.path.zones = q->zones;
    q->request.path.connections = q->links;

    vni_zones_copy(request->path.zones, request->path.zone_count, q->zones, q->planes);
    if (request->path.connection_count > 0)
        memcpy(q->links, request->path.connections, request->path.connection_count * sizeof *q->links);

    q->needs = UINT64_MAX;
    q->version = NULL;
    q->space = NULL;
    q->point_count = q->use_count = 0;
    memset(&q->result, 0, sizeof q->result);
    vni_atomic_store(&q->cancelled, 0);
    q->state = VNI_NEW;
    line_push(nav, &nav->asked, slot);
    *out = q->ticket;

    return VN_OK;
}

static vni_request* find(vn_nav* nav, vn_request_id ticket) {
    uint32_t slot = (uint32_t)(ticket & ((1u << SLOT_BITS) - 1));
    if (slot >= nav->def.max_requests || nav->questions[slot].ticket != ticket)
        return NULL;
    return &nav->questions[slot];
}

/// The only way to VNI_FINISHED. Inside the monitor.
static void finish(vn_nav* nav, uint32_t slot) {
    nav->questions[slot].state = VNI_FINISHED;

    if (nav->def.mode == VN_NAV_REALTIME)
        line_push(nav, &nav->finished, slot);
    else
        vni_nav_wake(nav); // a tick may wait for this state
}

vn_status vn_nav_cancel(vn_nav* nav, vn_request_id ticket) {
    VNI_ASSERT(nav);

    vni_request* q = find(nav, ticket);
    if (!q)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    bool under_way = q->state > VNI_FREE && q->state < VNI_DELIVERED;
    if (under_way)
        vni_atomic_store(&q->cancelled, 1);

    if (q->state == VNI_WAITING) {
        vni_heap_remove(&nav->waiting, q->heap_position);
        finish(nav, (uint32_t)(q - nav->questions));
    }

    vni_nav_leave(nav);
    return under_way ? VN_OK : VN_STALE_ID;
}

bool vn_nav_next_result(vn_nav* nav, vn_nav_result* out) {
    VNI_ASSERT(nav && out);

    if (nav->delivered.count == 0)
        return false;
    vni_request* q = &nav->questions[line_pop(nav, &nav->delivered)];
    VNI_ASSERT(q->state == VNI_DELIVERED);

    q->state = VNI_COLLECTED;
    memset(out, 0, sizeof *out);
    out->id = q->ticket;
    out->user = q->request.user;
    out->version = q->version ? q->version->number : 0;
    out->space = q->space;
    out->begin_tick = q->asked;
    out->end_tick = q->answered;
    out->result = q->result;
    out->points = q->points;
    out->point_count = q->point_count;
    out->connections = q->uses;
    out->connection_count = q->use_count;

    return true;
}

static void unpin(vn_nav* nav, vni_request* q) {
    if (q->version)
        vni_nav_version_unpin(nav, q->version);
    q->version = NULL;
    q->space = NULL;
}

void vn_nav_release_result(vn_nav* nav, vn_request_id ticket) {
    VNI_ASSERT(nav);

    vni_request* q = find(nav, ticket);
    if (!q)
        return;

    vni_nav_enter(nav);
    bool held = q->state == VNI_COLLECTED; // inside: until it is delivered, a worker may write it
    if (held)
        unpin(nav, q);

    vni_nav_leave(nav);
    if (!held)
        return;

    --nav->answered;
    free_slot(nav, (uint32_t)(q - nav->questions));
}

// ---------------------------------------------------------------------------------------- to and from
// workers

/// Last moment: the changes that the host has made before asking must be seen.
static void know_needs(vn_nav* nav) {
    for (uint32_t i = nav->asked.first, n = 0; n < nav->asked.count; ++n, i = nav->questions[i].next)
        if (nav->questions[i].needs >= nav->round) // UINT64_MAX, or changes that may have cancelled out since
            nav->questions[i].needs = vni_nav_has_changes(nav) ? nav->round : nav->round - 1;
}

bool vni_nav_requests_need_update(vn_nav* nav) {
    know_needs(nav);
    for (uint32_t i = nav->asked.first, n = 0; n < nav->asked.count; ++n, i = nav->questions[i].next)
        if (nav->questions[i].needs >= nav->round)
            return true;
    return false;
}

static bool may_begin(const vn_nav* nav, const vni_request* q) {
    if (nav->def.policy != VN_UPDATE_LAST_MOMENT)
        return true;
    return nav->def.mode == VN_NAV_LOCKSTEP ? q->needs <= nav->shown_round : q->needs < nav->round;
}

void vni_nav_requests_begin(vn_nav* nav) {
    if (nav->def.policy == VN_UPDATE_LAST_MOMENT)
        know_needs(nav);

    while (nav->asked.count > 0 && may_begin(nav, &nav->questions[nav->asked.first])) {
        uint32_t slot = line_pop(nav, &nav->asked);
        vni_request* q = &nav->questions[slot];
        q->asked = nav->tick;
        if (nav->def.mode == VN_NAV_LOCKSTEP) {
            q->version = nav->seen;
            ++q->version->pins;
            line_push(nav, &nav->begun, slot);
        }

        q->state = VNI_WAITING;
        const vni_heap_entry entry = {-(double)q->request.priority, (double)(q->ticket >> SLOT_BITS), slot,
                                      slot};
        bool pushed = vni_heap_push(&nav->waiting, entry);
        VNI_ASSERT(pushed); // there is room for all

        (void)pushed;
    }
}

static void deliver(vn_nav* nav, uint32_t slot) {
    vni_request* q = &nav->questions[slot];
    VNI_ASSERT(q->state == VNI_FINISHED);

    if (vni_atomic_load(&q->cancelled)) {
        unpin(nav, q);
        memset(&q->result, 0, sizeof q->result);
        q->result.status = q->result.reason = VN_CANCELLED;
        q->point_count = q->use_count = 0;
    }

    q->answered = nav->tick;
    q->state = VNI_DELIVERED;
    ++nav->answered;
    line_push(nav, &nav->delivered, slot);
}

void vni_nav_requests_deliver(vn_nav* nav) {
    while (nav->finished.count > 0)
        deliver(nav, line_pop(nav, &nav->finished));

    while (nav->begun.count > 0 && nav->questions[nav->begun.first].asked + nav->def.latency <= nav->tick) {
        while (nav->questions[nav->begun.first].state != VNI_FINISHED)
            vni_nav_wait(nav);
        deliver(nav, line_pop(nav, &nav->begun));
    }
}

// -------------------------------------------------------------------------------------------------- working

static bool is_late(const vn_nav* nav, const vni_request* q) {
    return nav->def.mode == VN_NAV_REALTIME && q->request.deadline > 0 &&
           nav->shared_tick - q->asked > q->request.deadline;
}

/// Last moment in realtime: what has begun waits for the update that it needs, also for one that failed and
/// will be tried again.
static bool are_held_back(const vn_nav* nav) {
    if (nav->def.policy != VN_UPDATE_LAST_MOMENT || nav->def.mode != VN_NAV_REALTIME)
        return false;
    return nav->task_state == VNI_TASK_READY || nav->task_state == VNI_TASK_RUNS || nav->task.status != VN_OK;
}

bool vni_nav_request_take(vn_nav* nav, vni_worker* worker) {
    const bool held_back = are_held_back(nav);
    while (nav->waiting.count > 0 && !held_back) {
        uint32_t slot = vni_heap_pop(&nav->waiting).slot;
        vni_request* q = &nav->questions[slot];
        if (is_late(nav, q))
            vni_atomic_store(&q->cancelled, 1);

        if (vni_atomic_load(&q->cancelled)) {
            finish(nav, slot);
            continue;
        }

        if (!q->version) {
            q->version = nav->newest;
            ++q->version->pins;
        }

        q->state = VNI_RUNNING;
        ++nav->running;
        worker->question = slot;
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
    def.allocator = nav->allocator;
    def.scratch = VN_SCRATCH_CELLS;
    def.max_points = nav->def.max_points > QUERY_POINTS ? nav->def.max_points : QUERY_POINTS;
    vn_query_destroy(worker->query);
    worker->query = NULL;

    return vni_query_create_spare(view, &def, most_cells(view) / 4 + 4096, &worker->query, NULL);
}

static vn_status begin(vni_worker* worker, vni_request* q) {
    worker->charged = 0;
    const vn_layers* view = &q->version->view;
    q->space = vn_layers_find(view, (double)q->request.path.radius, q->request.path.open_flags);
    vn_status status = use_version(worker, view);
    if (status != VN_OK)
        return status;

    vni_query_use_zones(worker->query, q->version->zones.items, q->version->zones.count);
    return vn_query_begin(worker->query, &q->request.path, NULL);
}

/// The query's result becomes the question's.
static void take_result(vni_worker* worker, vni_request* q) {
    uint32_t count, links;
    vn_query_finish(worker->query, &q->result);
    const vn_point* points = vn_query_points(worker->query, &count);
    const vn_connection_use* uses = vn_query_connections(worker->query, &links);
    VNI_ASSERT(links <= VNI_MAX_USES);

    if (count > worker->nav->def.max_points) {
        q->result.status = q->result.reason = VN_CAPACITY;
        q->result.point_count = 0;
        count = links = 0;
    }

    if (count > 0)
        memcpy(q->points, points, count * sizeof *points);

    if (links > 0)
        memcpy(q->uses, uses, links * sizeof *uses);

    q->point_count = count;
    q->use_count = links;
}

bool vni_nav_request_step(vni_worker* worker, uint64_t most, uint64_t* used) {
    VNI_ASSERT(worker->question != VNI_NONE);

    vni_request* q = &worker->nav->questions[worker->question];
    *used = 0;
    if (worker->charged == UINT64_MAX) {
        vn_status status = begin(worker, q);
        if (status != VN_OK) {
            q->result.status = q->result.reason = status;
            return true;
        }
    }

    vn_status status = VN_RUNNING;
    while (status == VN_RUNNING && *used < most) {
        if (vni_atomic_load(&q->cancelled) || vni_atomic_load(&worker->nav->stop))
            break;
        uint64_t slice = most - *used < SLICE ? most - *used : SLICE;
        status = vn_query_step(worker->query, slice);
        *used += slice;
    }

    bool unwanted = vni_atomic_load(&q->cancelled) || vni_atomic_load(&worker->nav->stop);
    worker->charged += *used;
    if (status == VN_RUNNING && !unwanted)
        return false;

    take_result(worker, q);
    uint64_t over = worker->charged > q->result.expanded ? worker->charged - q->result.expanded : 0;
    *used -= over < *used ? over : *used;
    return true;
}

void vni_nav_request_end(vni_worker* worker) {
    vn_nav* nav = worker->nav;
    VNI_ASSERT(worker->question != VNI_NONE && nav->running > 0);
    --nav->running;
    finish(nav, worker->question);
    worker->question = VNI_NONE;
}
