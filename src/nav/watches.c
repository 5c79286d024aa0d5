/// nav/watches.c: watched paths: how they begin and end, and what the host is told about them.
///
/// The host owns a watch. For the time of an update it gives a copy of what moves (`given`: where the agent
/// is, the box of the path ahead) and gets back `found`; the points are read by both and change for neither.
/// So the host may advance or drop a watch at any time, without a lock.
///
/// What the host knows of a path is one place: the first one that is blocked, anywhere ahead of where the
/// agent was when the update was handed over (`known_from`). It holds for the version that the host sees,
/// because every update renews it: it checks the paths that a change touches, and for all others nothing has
/// changed. Whether the place lies within the horizon is a comparison, made whenever the agent or the place
/// moves (`judge`).
///
///        known_from        agent             horizon      block
///   ---------|---------------|==================|-----------#--------->  free within the horizon
///   ---------|--------------------------|===========#======|---------->  the agent has advanced: blocked
///
/// The place says nothing about the path before `known_from`, nor about what follows the block. When the
/// agent turns back, or enters or passes the block, the host checks the path ahead itself, in the version
/// that it sees. It does not leave that to the next update: an agent that moves on inside a block is past
/// every place that an update finds, by the time it is adopted.
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "nav/watch_inside.h"

#include <math.h>
#include <string.h>

/// Of an id: the slot. The rest is a serial number, so that no id is used twice.
#define INDEX_BITS 20

#define WATCH_COOKIE 0x77617401u

vn_watch_def vn_default_watch_def(void) {
    vn_watch_def def;
    memset(&def, 0, sizeof def);
    def.radius = VN_RADIUS_NOT_GIVEN;
    def.cookie = WATCH_COOKIE;
    return def;
}

vn_status vni_nav_watches_make(vn_nav* nav) {
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_WATCHES);
    const uint32_t slots = nav->fixed.watch_slots = 2 * nav->fixed.def.max_watches;
    if (slots == 0)
        return VN_OK;

    const uint64_t points = nav->fixed.def.max_points;
    nav->fixed.watches = vni_alloc_zero(allocator, slots, sizeof *nav->fixed.watches);
    nav->fixed.watch_points = VNI_NEW_ARRAY(allocator, vn_point, slots * points);
    nav->fixed.watch_steps = VNI_NEW_ARRAY(allocator, uint32_t, (uint64_t)slots * VNI_MAX_USES);
    if (nav->fixed.watches == NULL || nav->fixed.watch_points == NULL || nav->fixed.watch_steps == NULL)
        return VN_OUT_OF_MEMORY;

    for (uint32_t i = 0; i < slots; ++i) {
        nav->fixed.watches[i].memory =
            (vni_slot_points){nav->fixed.watch_points + i * points, (uint32_t)points, false};
        nav->fixed.watches[i].steps = nav->fixed.watch_steps + (size_t)i * VNI_MAX_USES;
    }

    return VN_OK;
}

void vni_nav_watches_free(vn_nav* nav) {
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_WATCHES);
    const uint64_t slots = nav->fixed.watch_slots;
    for (uint64_t i = 0; nav->fixed.watches != NULL && i < slots; ++i)
        vni_slot_points_free(allocator, &nav->fixed.watches[i].memory);
    VNI_DELETE_ARRAY(allocator, nav->fixed.watches, slots);
    VNI_DELETE_ARRAY(allocator, nav->fixed.watch_points, slots * nav->fixed.def.max_points);
    VNI_DELETE_ARRAY(allocator, nav->fixed.watch_steps, slots * VNI_MAX_USES);
}

// --------------------------------------------------------------------------------------------------- judging
// On the host's thread.

/// The next update checks the whole path ahead.
static void ask(vn_nav* nav, vni_watched* w) {
    nav->host.fresh_count += !w->fresh;
    w->fresh = true;
}

/// Is the first blocked place ahead of the agent known, or that there is none?
static bool knows_ahead(const vni_watched* w) {
    return w->known && !vni_place_is_before(&w->agent, &w->known_from) &&
           (!w->block.blocked || !vni_place_is_before(&w->block.place, &w->agent));
}

/// Checks the path ahead in the version that the host sees.
static void look_here(const vn_nav* nav, vni_watched* w) {
    w->known_from = w->agent;
    w->block = vni_watch_check(w, w->agent, nav->host.seen);
}

/// Call this whenever the agent, the horizon or the knowledge has changed: it decides whether there is an
/// event to tell. The first check is left to an update.
static void judge(vn_nav* nav, vni_watched* w) {
    const bool is_looked_for = w->in_update && w->given.fresh;
    if (w->known && !knows_ahead(w))
        look_here(nav, w);
    else if (!w->known && !is_looked_for)
        ask(nav, w);

    if (w->known)
        w->is_blocked = w->block.blocked && w->block.place.metres - w->agent.metres <= w->horizon;

    const bool has_event = w->known && w->is_blocked != w->told;
    nav->host.block_events += has_event;
    nav->host.block_events -= w->has_event;
    w->has_event = has_event;
}

// --------------------------------------------------------------------------------------------- begin and end
// On the host's thread.

/// What is watched, and for which agent.
typedef struct subject {
    const vn_point* points;
    const vn_connection_use* uses;
    uint32_t count, use_count;
    float radius;
    uint32_t open_flags, zone_flags;
    uint64_t version;             ///< costs count from here; 0: from the one that the host sees
    const vn_obstacle_id* inside; ///< that are the agent
    uint32_t inside_count;
    bool is_result;
} subject;

/// A slot that neither the host nor the update uses. There always is one: fewer than max_watches are the
/// host's, at most max_watches were handed over, and there are twice as many slots.
static uint32_t free_slot(const vn_nav* nav) {
    uint32_t slot = 0;
    while (nav->fixed.watches[slot].id != 0 || nav->fixed.watches[slot].in_update)
        ++slot;
    VNI_ASSERT(slot < nav->fixed.watch_slots);
    return slot;
}

static bool is_length(double value) {
    return value >= 0 && !isnan(value);
}

static vn_status check_def(const vn_watch_def* def, vn_detail* detail) {
    if (def->cookie != WATCH_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_watch_def, then change what you need");
    if (!is_length(def->horizon) || !is_length(def->horizon_seconds) || !is_length(def->speed))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "the horizon is %g metres, or %g seconds at %g metres per second; none of them may "
                        "be negative",
                        def->horizon, def->horizon_seconds, def->speed);

    if (def->horizon_seconds > 0 && !(def->speed > 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "a horizon in seconds needs the agent's speed");
    return VN_OK;
}

/// Connections in ascending order, each between two points of the path.
static vn_status check_uses(const subject* s, vn_detail* detail) {
    if (s->use_count > VNI_MAX_USES)
        return vni_fail(detail, VN_CAPACITY, "the path uses %u connections; %u are possible",
                        (unsigned)s->use_count, (unsigned)VNI_MAX_USES);

    for (uint32_t i = 0; i < s->use_count; ++i)
        if (s->uses[i].point + 1 >= s->count || (i > 0 && s->uses[i].point <= s->uses[i - 1].point))
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                  "connection %u leaves point %u: they must be in the order of the path, "
                                  "before its last point",
                                  (unsigned)i, (unsigned)s->uses[i].point);

    return VN_OK;
}

static vn_status check_subject(const vn_nav* nav, const subject* s, vn_detail* detail) {
    if (s->count == 0)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no path to watch: it has no points");
    if (s->count > nav->host.max_points)
        return vni_fail(detail, VN_CAPACITY,
                        "the path has %u points: set max_points higher, or call vn_nav_grow",
                        (unsigned)s->count);
    if (nav->host.watch_count == nav->fixed.def.max_watches)
        return vni_fail(detail, VN_CAPACITY, "%u paths are watched: end a watch, or set max_watches higher",
                        (unsigned)nav->host.watch_count);
    return check_uses(s, detail);
}

/// The index of the layer for an agent, the same in all versions. VN_UNSUPPORTED: there is none.
static vn_status find_layer(const vn_nav* nav, const subject* s, uint32_t* out, vn_detail* detail) {
    const vn_layers* view = &nav->host.seen->view;
    float radius = s->radius;
    vn_status status = vni_layers_agent_radius(view, &radius, detail);
    if (status != VN_OK)
        return status;

    const vn_space* space = vn_layers_find(view, (double)radius, s->open_flags);
    if (space == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "no layer is for an agent of radius %g with these flags",
                        (double)radius);

    for (*out = 0; view->spaces[*out] != space; ++*out) {
    }

    return VN_OK;
}

/// The bodies of a result may have gone meanwhile: what does not exist blocks nothing.
static vn_status check_inside(const vn_nav* nav, const subject* s, vn_detail* detail) {
    if (s->is_result)
        return VN_OK;
    return vni_nav_check_inside(nav, s->inside, s->inside_count, detail);
}

static double horizon_of(const vn_watch_def* def) {
    const double by_time = def->horizon_seconds * def->speed;
    const double metres = def->horizon > by_time ? def->horizon : by_time;
    return metres > 0 ? metres : INFINITY;
}

/// Fills an empty slot, except for its base version.
static void fill(vni_watched* w, const subject* s, const vn_watch_def* def) {
    VNI_ASSERT(w->base == NULL && w->given.base == NULL && !w->in_update);

    // All but `in_update`, which an update may be reading.
    const vni_slot_points memory = w->memory;
    uint32_t* steps = w->steps;
    const size_t kept = offsetof(vni_watched, id);
    memset((char*)w + kept, 0, sizeof *w - kept);
    w->memory = memory;
    w->points = memory.items;
    w->steps = steps;

    w->user = def->user;
    w->once = def->once;
    w->horizon = horizon_of(def);
    w->zone_flags = s->zone_flags;
    memcpy(w->points, s->points, s->count * sizeof *s->points);
    w->count = s->count;

    for (uint32_t i = 0; i < s->use_count; ++i)
        w->steps[i] = s->uses[i].point;
    w->step_count = s->use_count;
    w->inside_count = s->inside_count;
    memcpy(w->inside, s->inside, s->inside_count * sizeof *s->inside);
    vni_watch_measure(w);
}

static vn_status begin(vn_nav* nav, const subject* s, const vn_watch_def* def, vn_watch_id* out,
                       vn_detail* detail) {
    uint32_t layer = 0;
    vn_status status = check_def(def, detail);
    if (status == VN_OK)
        status = check_subject(nav, s, detail);
    if (status == VN_OK)
        status = find_layer(nav, s, &layer, detail);
    if (status == VN_OK)
        status = check_inside(nav, s, detail);
    if (status != VN_OK)
        return status;

    const uint32_t slot = free_slot(nav);
    vni_watched* w = &nav->fixed.watches[slot];
    status = vni_slot_points_reserve(vni_nav_allocator(nav, VNI_PART_WATCHES), nav->host.max_points,
                                     &w->memory, detail);
    if (status != VN_OK)
        return status;
    fill(w, s, def);

    // Pins are shared; all the rest of a watch is the host's.
    vni_nav_enter(nav);
    vni_nav_version* base = vni_nav_held_version(nav, s->version);
    if (base != NULL)
        vni_nav_watch_since(nav, w, base);
    vni_nav_leave(nav);

    if (base == NULL)
        return vni_fail(detail, VN_STALE_ID, "version %llu is held by no result and no pin",
                        (unsigned long long)s->version);

    w->layer = layer;
    w->radius = (double)nav->host.seen->view.spaces[layer]->radius;
    w->id = *out = ++nav->host.watch_serial << INDEX_BITS | slot;
    ++nav->host.watch_count;
    ask(nav, w);
    return VN_OK;
}

vn_status vn_nav_watch(vn_nav* nav, const vn_nav_result* result, const vn_watch_def* def, vn_watch_id* out,
                       vn_detail* detail) {
    VNI_ASSERT(nav != NULL && result != NULL && def != NULL && out != NULL);

    // A collected request is the host's until it releases it.
    vni_nav_enter(nav);
    const vni_request* request = vni_nav_collected(nav, result->id);
    vni_nav_leave(nav);
    if (request == NULL)
        return vni_fail(detail, VN_STALE_ID, "the result has been released: watch it before that");

    const vn_path_request* path = &request->input.path;
    const subject s = {request->points.items,
                       request->uses,
                       request->point_count,
                       request->use_count,
                       path->radius,
                       path->open_flags,
                       path->zone_flags,
                       request->version != NULL ? request->version->number : 0,
                       path->inside,
                       path->inside_count,
                       true};
    return begin(nav, &s, def, out, detail);
}

vn_status vn_nav_watch_points(vn_nav* nav, const vn_point* points, uint32_t count, const vn_watch_def* def,
                              vn_watch_id* out, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && def != NULL && out != NULL && (points != NULL || count == 0));
    VNI_ASSERT(def->cookie != WATCH_COOKIE || def->connection_count == 0 || def->connections != NULL);
    const subject s = {
        points,          def->connections, count,       def->connection_count, def->radius, def->open_flags,
        def->zone_flags, def->version,     def->inside, def->inside_count,     false};
    return begin(nav, &s, def, out, detail);
}

/// Gives the slot up; it stays reserved until an update that has it is adopted. Monitor held.
static void forget(vn_nav* nav, vni_watched* w) {
    VNI_ASSERT(nav->host.watch_count > 0 && nav->host.block_events >= w->has_event);
    vni_nav_watch_costs_forget(nav, w);
    nav->host.block_events -= w->has_event;
    w->has_event = false;
    nav->host.fresh_count -= w->fresh;
    w->fresh = false;
    w->id = 0;
    --nav->host.watch_count;
}

vni_watched* vni_nav_find_watch(const vn_nav* nav, vn_watch_id watch) {
    uint32_t slot = (uint32_t)(watch & ((1u << INDEX_BITS) - 1));
    if (watch == 0 || slot >= nav->fixed.watch_slots || nav->fixed.watches[slot].id != watch)
        return NULL;
    return &nav->fixed.watches[slot];
}

vn_status vn_nav_unwatch(vn_nav* nav, vn_watch_id watch) {
    VNI_ASSERT(nav != NULL);
    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    forget(nav, w);
    vni_nav_leave(nav);
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- progress
// On the host's thread.

/// Metres for each step of the lattice.
static double step_of(const vn_nav* nav) {
    return (double)nav->fixed.def.space.resolution / VN_LATTICE;
}

static void move_agent(vn_nav* nav, vni_watched* w, vni_place place) {
    const bool same_segment = place.segment == w->agent.segment;
    w->agent = place;
    if (!same_segment)
        vni_watch_measure(w);
    judge(nav, w);
}

vn_status vn_nav_watch_advance(vn_nav* nav, vn_watch_id watch, uint32_t segment) {
    VNI_ASSERT(nav != NULL);

    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;
    if (segment >= w->count)
        return VN_BAD_ARGUMENT;

    move_agent(nav, w, vni_watch_place_at(w, segment, step_of(nav)));
    return VN_OK;
}

vn_status vn_nav_watch_advance_to(vn_nav* nav, vn_watch_id watch, double metres) {
    VNI_ASSERT(nav != NULL);

    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;
    if (isnan(metres))
        return VN_BAD_ARGUMENT;

    move_agent(nav, w, vni_watch_place_along(w, metres, step_of(nav)));
    return VN_OK;
}

vn_status vn_nav_watch_advance_near(vn_nav* nav, vn_watch_id watch, vn_point point) {
    VNI_ASSERT(nav != NULL);
    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;

    move_agent(nav, w, vni_watch_place_near(w, w->agent, point, step_of(nav)));
    return VN_OK;
}

vn_status vn_nav_watch_advance_near_position(vn_nav* nav, vn_watch_id watch, vn_dvec3 position) {
    VNI_ASSERT(nav != NULL);
    if (vni_nav_find_watch(nav, watch) == NULL)
        return VN_STALE_ID;

    vn_point point;
    const vn_status status = vn_space_point_from_world(nav->host.seen->view.spaces[0], position, &point);
    return status == VN_OK ? vn_nav_watch_advance_near(nav, watch, point) : status;
}

vn_status vn_nav_watch_set_horizon(vn_nav* nav, vn_watch_id watch, double metres) {
    VNI_ASSERT(nav != NULL);
    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;
    if (!is_length(metres))
        return VN_BAD_ARGUMENT;

    w->horizon = metres > 0 ? metres : INFINITY;
    judge(nav, w);
    return VN_OK;
}

vn_status vn_nav_get_watch(const vn_nav* nav, vn_watch_id watch, vn_watch_info* out) {
    VNI_ASSERT(nav != NULL && out != NULL);

    memset(out, 0, sizeof *out);
    const vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;

    out->user = w->user;
    out->progress = w->agent.metres;
    out->length = vni_watch_place_at(w, w->count - 1, step_of(nav)).metres;
    out->horizon = w->horizon;
    out->known = w->known;
    out->blocked = w->block.blocked;
    out->agent_position = vni_watch_position(w, w->agent, nav->host.seen->view.spaces[w->layer]);
    if (!out->blocked)
        return VN_OK;

    out->segment = w->block.place.segment;
    out->point = w->block.point;
    out->position = vn_space_point_to_world(nav->host.seen->view.spaces[w->layer], out->point);
    out->distance = vni_clamp(w->block.place.metres - w->agent.metres, 0, INFINITY);
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------------- events
// On the host's thread.

/// The next watch with an event. Round robin over the slots: a watch that keeps having events cannot keep the
/// others from being read.
static vni_watched* next_with_event(vn_nav* nav) {
    uint32_t slot = nav->host.block_event_next;
    while (!nav->fixed.watches[slot].has_event)
        slot = (slot + 1) % nav->fixed.watch_slots;
    nav->host.block_event_next = (slot + 1) % nav->fixed.watch_slots;
    return &nav->fixed.watches[slot];
}

static void tell(vn_nav* nav, vni_watched* w, vn_nav_event* out) {
    memset(out, 0, sizeof *out);
    out->kind = w->is_blocked ? VN_EVENT_PATH_BLOCKED : VN_EVENT_PATH_FREE;
    out->version = nav->host.seen->number;
    out->watch = w->id;
    out->user = w->user;
    out->segment = w->is_blocked ? w->block.place.segment : w->agent.segment;
    out->point = w->is_blocked ? w->block.point : w->points[w->agent.segment];
    out->position = vn_space_point_to_world(nav->host.seen->view.spaces[w->layer], out->point);
    out->distance = w->is_blocked ? vni_clamp(w->block.place.metres - w->agent.metres, 0, INFINITY) : 0;

    w->told = w->is_blocked;
    w->has_event = false;
    --nav->host.block_events;
    if (!w->once || !w->told)
        return;

    vni_nav_enter(nav);
    forget(nav, w);
    vni_nav_leave(nav);
}

bool vn_nav_next_event(vn_nav* nav, vn_nav_event* out) {
    VNI_ASSERT(nav != NULL && out != NULL);

    // The version first: the other events may refer to it. Versions in between are skipped.
    if (nav->host.reported_version != nav->host.seen->number) {
        memset(out, 0, sizeof *out);
        out->kind = VN_EVENT_VERSION;
        out->version = nav->host.reported_version = nav->host.seen->number;
        return true;
    }

    if (nav->host.block_events == 0)
        return vni_nav_next_cost_event(nav, out);

    tell(nav, next_with_event(nav), out);
    return true;
}

// ----------------------------------------------------------------------------------------------- the update
// Handed over and adopted on the host's thread (monitor held), checked on that of the update.

void vni_nav_watches_hand_over(vn_nav* nav) {
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        vni_watched* w = &nav->fixed.watches[i];
        w->in_update = w->id != 0;
        if (!w->in_update)
            continue;

        w->given.agent = w->agent;
        w->given.low = w->low;
        w->given.high = w->high;
        w->given.fresh = w->fresh;
        w->given.blocked = w->block.blocked;
        vni_nav_watch_costs_hand_over(w);

        // From here on `fresh` is for what the host asks of the next update.
        w->fresh = w->found.checked = false;
    }

    nav->host.fresh_count = 0;
}

void vni_nav_watches_look(vn_nav* nav, const vni_nav_version* before, const vni_nav_version* now) {
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        vni_watched* w = &nav->fixed.watches[i];
        if (!w->in_update)
            continue;

        // A static layer has no deltas: its paths stay as they are.
        const vni_dynamic* dynamic = nav->fixed.dynamic[w->layer];
        const bool touched = dynamic != NULL && vni_watch_is_touched(dynamic, w, before->numbers[w->layer],
                                                                     now->numbers[w->layer]);

        // Of a voxel that stays blocked the reason may change: by the agent itself, or by another.
        w->found.checked = w->given.fresh || touched || w->inside_count > 0;
        if (w->found.checked)
            w->found.block = vni_watch_check(w, w->given.agent, now);

        vni_nav_watch_costs_look(nav, w, before, now);
    }
}

/// Takes over what the update found. A failed update has not checked anything: what was known still holds,
/// for the version that the host still sees, and `judge` asks again for the first check. Paths that were
/// merely touched need no note; the next version is compared with the same one before it.
static void adopt(vni_watched* w, bool looked) {
    w->is_adopted = true;
    if (looked && w->found.checked) {
        w->known = true;
        w->known_from = w->given.agent;
        w->block = w->found.block;
    }

    // Nothing has changed ahead of where the agent was; behind that anything may have.
    if (looked && vni_place_is_before(&w->known_from, &w->given.agent))
        w->known_from = w->given.agent;
}

void vni_nav_watches_adopt(vn_nav* nav, bool looked) {
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        vni_watched* w = &nav->fixed.watches[i];
        if (!w->in_update)
            continue;

        // Costs first, also for a watch that the host has dropped: the pin in `given` must be returned.
        w->in_update = false;
        vni_nav_watch_costs_adopt(nav, w, looked);
        if (w->id != 0)
            adopt(w, looked);
    }

    nav->host.has_adopted = true;
}

void vni_nav_watches_settle(vn_nav* nav) {
    if (!nav->host.has_adopted)
        return;

    nav->host.has_adopted = false;
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        vni_watched* w = &nav->fixed.watches[i];
        if (w->is_adopted)
            judge(nav, w);
        w->is_adopted = false;
    }
}
