/// pilot/pilot.c: makes an autopilot, takes what the radar sees, and steps the group that flies.
#include "base/alloc.h"
#include "base/fail.h"
#include "base/sort.h"
#include "geom/units.h"
#include "pilot/pilot_inside.h"
#include "query/zones_check.h"
#include "space/frame.h"

#include <string.h>

#define PILOT_COOKIE 0x70696c02u

static const vni_pilot_kind* const kinds[VN_PILOT_GROUP_COUNT] = {
    &vni_pilot_none,     &vni_pilot_whole, &vni_pilot_lookup, &vni_pilot_fragment,
    &vni_pilot_extended, &vni_pilot_radar, &vni_pilot_predict};

const char* vn_pilot_group_name(vn_pilot_group group) {
    return (unsigned)group < VN_PILOT_GROUP_COUNT ? kinds[group]->name : NULL;
}

bool vn_pilot_group_from_name(const char* name, vn_pilot_group* out) {
    VNI_ASSERT(name != NULL && out != NULL);
    for (int i = 0; i < VN_PILOT_GROUP_COUNT; ++i)
        if (strcmp(name, kinds[i]->name) == 0) {
            *out = (vn_pilot_group)i;
            return true;
        }

    return false;
}

vn_pilot_def vn_default_pilot_def(void) {
    vn_pilot_def def = {.allocator = vn_default_allocator(),
                        .group = VN_PILOT_PREDICT,
                        .radius = 0.75,
                        .cruise_speed = 3,
                        .max_speed = 6,
                        .acceleration = 4,
                        .step = 0.1,
                        .radar = 4,
                        .arrival = 0.5,
                        .look_ahead = 5,
                        .reset_seconds = 0.5,
                        .horizon = 3,
                        .margin = 0.1,
                        .obstacle_speed = 1,
                        .max_sightings = 4096,
                        .max_path = 16384,
                        .cookie = PILOT_COOKIE};
    return def;
}

// -------------------------------------------------------------------------------------------------- places

vni_vec vni_pilot_from_world(const vn_space* space, vn_dvec3 p) {
    return vni_scale(vni_world_to_voxels(space, p), (double)space->resolution);
}

vn_dvec3 vni_pilot_to_world(const vn_space* space, vni_vec at) {
    return vni_voxels_to_world(space, vni_scale(at, 1 / (double)space->resolution));
}

vn_point vni_pilot_point(const vn_space* space, vni_vec at) {
    return vni_nearest_point(vni_scale(at, 1 / (double)space->resolution));
}

bool vni_pilot_sees(const vn_space* space, vni_vec a, vni_vec b) {
    return vn_space_visible(space, vni_pilot_point(space, a), vni_pilot_point(space, b));
}

/// VN_OK: free. Otherwise VN_OUTSIDE, or `blocked`.
static vn_status check_place(const vn_space* space, vn_dvec3 p, vn_status blocked) {
    vn_point point;
    if (vn_space_point_from_world(space, p, &point) != VN_OK)
        return VN_OUTSIDE;
    return vn_space_voxel_free(space, vn_space_voxel_at(space, point)) ? VN_OK : blocked;
}

// -------------------------------------------------------------------------------------------------- making

static bool is_in(double x, double low, double high) {
    return x >= low && x <= high;
}

/// A range and the field that must be in it.
typedef struct range {
    const char* name;
    double value, low, high;
} range;

static vn_status check_ranges(const vn_pilot_def* d, vn_detail* detail) {
    const range ranges[] = {
        {"radius", d->radius, 1e-6, 1e6},
        {"cruise_speed", d->cruise_speed, 1e-6, 1e6},
        {"max_speed", d->max_speed, d->cruise_speed, 1e6},
        {"acceleration", d->acceleration, 1e-6, 1e9},
        {"step", d->step, 1e-3, 1},
        {"radar", d->radar, 0, 1e9},
        {"arrival", d->arrival, 1e-6, 1e9},
        {"look_ahead", d->look_ahead, 1, 1e9},
        {"reset_seconds", d->reset_seconds, 0, 1e9},
        {"horizon", d->horizon, d->step, VNI_MANOEUVRE_STEPS * d->step},
        {"margin", d->margin, 0, 1e6},
        {"error", d->error, 0, 1e6},
        {"error_rate", d->error_rate, 0, 1e6},
        {"obstacle_speed", d->obstacle_speed, 0, 1e6},
        {"max_sightings", d->max_sightings, 1, 1 << 24},
        {"max_path", d->max_path, 2, 1 << 28},
        {"max_speed / (acceleration * step)", d->max_speed / (d->acceleration * d->step), 0, 1e4}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
        const range* r = &ranges[i];
        if (!is_in(r->value, r->low, r->high))
            return vni_fail(detail, VN_BAD_ARGUMENT, "%s is %g; it must be %g to %g", r->name, r->value,
                            r->low, r->high);
    }

    return VN_OK;
}

static vn_status check_space(const vn_pilot_def* def, const vn_space* space, vn_detail* detail) {
    if (space == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no space");
    if ((double)space->radius < def->radius)
        return vni_fail(
            detail, VN_BAD_ARGUMENT,
            "the ship's radius is %g, that of the space %g: bake a layer that is at least as wide",
            def->radius, (double)space->radius);
    return VN_OK;
}

static vn_status check_def(const vn_pilot_def* def, vn_detail* detail) {
    if (def->cookie != PILOT_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_pilot_def()");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if ((unsigned)def->group >= VN_PILOT_GROUP_COUNT)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no group %d", (int)def->group);

    vn_status status = check_ranges(def, detail);
    if (status == VN_OK)
        status = check_space(def, def->space, detail);
    if (status == VN_OK)
        status = vni_zones_check(def->weather, def->weather_count, detail);
    if (status != VN_OK)
        return status;
    status = check_place(def->space, def->position, VN_START_BLOCKED);
    if (status != VN_OK)
        return vni_fail(detail, status, "the ship's position is not in a free voxel");
    status = check_place(def->space, def->goal, VN_GOAL_BLOCKED);
    return status == VN_OK ? VN_OK : vni_fail(detail, status, "the goal is not in a free voxel");
}

static vn_status make_query(const vn_pilot_def* def, const vn_space* space, vn_query** out,
                            vn_detail* detail) {
    vn_query_def q = vn_default_query_def();
    q.allocator = def->allocator;
    q.scratch = vni_space_has_cells(space) ? VN_SCRATCH_CELLS : VN_SCRATCH_GRID;
    q.max_nodes = def->max_nodes;
    return vn_query_create(space, &q, out, detail);
}

/// What depends on the space: the grid or the query.
static vn_status make_search(const vn_pilot* pilot, const vn_space* space, vni_pilot_nodes* nodes,
                             vn_query** query, vn_detail* detail) {
    return pilot->kind->walks ? vni_pilot_nodes_make(nodes, &pilot->def, space, detail)
                              : make_query(&pilot->def, space, query, detail);
}

/// In the voxels of a space.
static void take_weather(vn_pilot* pilot, const vn_space* space) {
    const vn_pilot_def* def = &pilot->def;
    if (pilot->weather == NULL)
        return;

    const vni_frame frame = vni_space_frame(space);
    vni_zone_buffer_clear(pilot->weather);
    vni_zone_buffer_add(pilot->weather, def->weather, def->weather_count, UINT32_MAX, &frame);
}

static bool avoids_weather(const vn_pilot_def* def) {
    return def->weather_count > 0 && def->group != VN_PILOT_NONE;
}

static vn_status make_arrays(vn_pilot* pilot) {
    const vn_pilot_def* def = &pilot->def;
    if (avoids_weather(def)) {
        pilot->weather = vni_alloc(&def->allocator, 1, sizeof *pilot->weather);
        if (pilot->weather == NULL)
            return VN_OUT_OF_MEMORY;
    }

    pilot->seen = VNI_NEW_ARRAY(&def->allocator, vni_seen, def->max_sightings);
    pilot->before = VNI_NEW_ARRAY(&def->allocator, vni_seen, def->max_sightings);
    bool is_made = pilot->seen != NULL && pilot->before != NULL;
    if (pilot->kind->walks) {
        pilot->path = VNI_NEW_ARRAY(&def->allocator, uint32_t, def->max_path);
        is_made = is_made && pilot->path != NULL;
    } else {
        pilot->route = VNI_NEW_ARRAY(&def->allocator, vn_dvec3, def->max_path);
        pilot->escape = vni_alloc(&def->allocator, 1, vni_pilot_escape_bytes());
        is_made = is_made && pilot->route != NULL && pilot->escape != NULL;
    }

    return is_made ? VN_OK : VN_OUT_OF_MEMORY;
}

vn_status vn_pilot_create(const vn_pilot_def* def, vn_pilot** out, vn_detail* detail) {
    VNI_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;

    vn_pilot* pilot = VNI_NEW(&def->allocator, vn_pilot);
    if (pilot == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a pilot");
    pilot->def = *def;
    pilot->kind = kinds[def->group];
    pilot->space = def->space;
    pilot->at = vni_pilot_from_world(def->space, def->position);
    pilot->goal = vni_pilot_from_world(def->space, def->goal);
    status = make_arrays(pilot);
    if (status == VN_OK)
        status = make_search(pilot, def->space, &pilot->nodes, &pilot->query, detail);
    if (status != VN_OK) {
        vn_pilot_destroy(pilot);
        return status == VN_OUT_OF_MEMORY ? vni_fail(detail, status, "no memory for a pilot") : status;
    }

    take_weather(pilot, pilot->space);
    vni_pilot_nodes_bind(&pilot->nodes, pilot->weather);
    *out = pilot;
    return VN_OK;
}

void vn_pilot_destroy(vn_pilot* pilot) {
    if (pilot == NULL)
        return;

    const vn_pilot_def def = pilot->def;
    vni_pilot_nodes_free(&pilot->nodes, &def);
    if (pilot->query != NULL)
        vn_query_destroy(pilot->query);
    VNI_DELETE_ARRAY(&def.allocator, pilot->seen, def.max_sightings);
    VNI_DELETE_ARRAY(&def.allocator, pilot->before, def.max_sightings);
    VNI_DELETE_ARRAY(&def.allocator, pilot->path, def.max_path);
    VNI_DELETE_ARRAY(&def.allocator, pilot->route, def.max_path);
    vni_free(&def.allocator, pilot->escape, 1, vni_pilot_escape_bytes());
    vni_free(&def.allocator, pilot->weather, 1, sizeof *pilot->weather);
    VNI_DELETE(&def.allocator, pilot);
}

// ------------------------------------------------------------------------------------------------- changing

/// Begins a new path in the next step.
static void forget_path(vn_pilot* pilot) {
    pilot->has_path = false;
    pilot->path_count = pilot->route_count = pilot->route_next = 0;
    pilot->patience = pilot->bypass_left = 0;
    if (pilot->phase == VN_PILOT_ARRIVED || pilot->phase == VN_PILOT_LOST)
        pilot->phase = VN_PILOT_FLYING;
}

vn_status vn_pilot_set_goal(vn_pilot* pilot, vn_dvec3 goal) {
    VNI_ASSERT(pilot != NULL);
    const vn_status status = check_place(pilot->space, goal, VN_GOAL_BLOCKED);
    if (status != VN_OK)
        return status;

    pilot->goal = vni_pilot_from_world(pilot->space, goal);
    forget_path(pilot);
    return VN_OK;
}

vn_status vn_pilot_set_space(vn_pilot* pilot, const vn_space* space, vn_detail* detail) {
    VNI_ASSERT(pilot != NULL);
    vni_pilot_nodes nodes = {0};
    vn_query* query = NULL;
    vn_status status = check_space(&pilot->def, space, detail);
    if (status == VN_OK)
        status = make_search(pilot, space, &nodes, &query, detail);
    if (status != VN_OK)
        return status;

    vni_pilot_nodes_free(&pilot->nodes, &pilot->def);
    if (pilot->query != NULL)
        vn_query_destroy(pilot->query);
    pilot->nodes = nodes;
    take_weather(pilot, space);
    vni_pilot_nodes_bind(&pilot->nodes, pilot->weather);
    pilot->query = query;

    // The new grid may begin at another corner.
    const vn_dvec3 at = vni_pilot_to_world(pilot->space, pilot->at);
    const vn_dvec3 goal = vni_pilot_to_world(pilot->space, pilot->goal);
    pilot->space = space;
    pilot->at = vni_pilot_from_world(space, at);
    pilot->goal = vni_pilot_from_world(space, goal);
    pilot->before_count = pilot->seen_count = 0;
    pilot->has_plan = pilot->verified = false;
    forget_path(pilot);
    return VN_OK;
}

vn_status vn_pilot_set_body(vn_pilot* pilot, vn_dvec3 position, vn_dvec3 velocity) {
    VNI_ASSERT(pilot != NULL);
    const vni_vec at = vni_pilot_from_world(pilot->space, position);
    const vni_vec v = vni_v(velocity.x, velocity.y, velocity.z);
    if (!vni_v_is_finite(at) || !vni_v_is_finite(v))
        return VN_BAD_ARGUMENT;

    pilot->at = at;
    pilot->velocity = v;
    pilot->speed = vni_length(v);
    pilot->has_plan = pilot->verified = false;
    if (pilot->kind->walks)
        forget_path(pilot);
    return VN_OK;
}

// --------------------------------------------------------------------------------------------- what is seen

static int compare_ids(const void* a, const void* b) {
    const vni_seen *x = (const vni_seen*)a, *y = (const vni_seen*)b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static const vni_seen* seen_before(const vn_pilot* pilot, uint64_t id) {
    uint32_t low = 0, high = pilot->before_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (pilot->before[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }

    return low < pilot->before_count && pilot->before[low].id == id ? &pilot->before[low] : NULL;
}

/// A velocity that the host does not know: from where it was a step ago; at first it may go anywhere.
static void estimate(const vn_pilot* pilot, vni_seen* s) {
    const vni_seen* before = seen_before(pilot, s->id);
    if (before != NULL)
        s->velocity = vni_scale(vni_sub(s->at, before->at), 1 / pilot->def.step);
    else
        s->growth += pilot->def.obstacle_speed;
}

/// The distance to keep. One that is nearer already must only not come nearer still: a ship inside its own
/// margin would refuse every manoeuvre.
static double reach_of(const vn_pilot* pilot, const vni_seen* s) {
    const double wanted = pilot->def.radius + s->radius + pilot->def.margin + pilot->def.error;
    const double now = vni_length(vni_sub(s->at, pilot->at)) * (1 - 1e-6);
    return now < wanted ? now : wanted;
}

static vni_seen take(const vn_pilot* pilot, const vn_sighting* c) {
    vni_seen s = {.id = c->id, .radius = c->radius, .growth = pilot->def.error_rate};
    s.at = vni_pilot_from_world(pilot->space, c->position);
    if (c->has_velocity)
        s.velocity = vni_v(c->velocity.x, c->velocity.y, c->velocity.z);
    else
        estimate(pilot, &s);
    s.reach = reach_of(pilot, &s);
    return s;
}

static vn_status check_sightings(const vn_sighting* sightings, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const vn_sighting* c = &sightings[i];
        const vni_vec at = vni_v(c->position.x, c->position.y, c->position.z);
        const vni_vec v = vni_v(c->velocity.x, c->velocity.y, c->velocity.z);
        if (!vni_v_is_finite(at) || !(c->radius >= 0) || !vni_is_finite(c->radius) ||
            (c->has_velocity && !vni_v_is_finite(v)))
            return VN_BAD_ARGUMENT;
    }

    return VN_OK;
}

/// Sorted by id, so that the order in which they come makes no difference.
static void look(vn_pilot* pilot, const vn_sighting* sightings, uint32_t count) {
    vni_seen* swapped = pilot->before;
    pilot->before = pilot->seen;
    pilot->before_count = pilot->seen_count;
    pilot->seen = swapped;
    for (uint32_t i = 0; i < count; ++i)
        pilot->seen[i] = take(pilot, &sightings[i]);

    vni_seen spare;
    pilot->seen_count = count;
    vni_sort(pilot->seen, count, sizeof *pilot->seen, compare_ids, &spare);
}

// ----------------------------------------------------------------------------------------------------- step

/// Arrived ships stay so until they have another goal; group 6 goes on avoiding what comes.
static void note(vn_pilot* pilot, bool arrived) {
    const double left = vni_length(vni_sub(pilot->goal, pilot->at));
    if (arrived || (pilot->phase != VN_PILOT_LOST && left <= pilot->def.arrival))
        pilot->phase = VN_PILOT_ARRIVED;
    ++pilot->stats.steps;
    pilot->stats.stopped += vni_length2(pilot->velocity) == 0;
    pilot->stats.unverified += !pilot->kind->walks && !pilot->verified;
}

vn_status vn_pilot_step(vn_pilot* pilot, const vn_sighting* sightings, uint32_t count, vn_pilot_state* out) {
    VNI_ASSERT(pilot != NULL && (sightings != NULL || count == 0));
    if (count > pilot->def.max_sightings)
        return VN_CAPACITY;
    if (check_sightings(sightings, count) != VN_OK)
        return VN_BAD_ARGUMENT;

    const bool arrived = pilot->phase == VN_PILOT_ARRIVED;
    look(pilot, sightings, count);
    if (arrived && pilot->kind->walks)
        pilot->velocity = vni_v(0, 0, 0);
    else
        pilot->kind->step(pilot);

    note(pilot, arrived);
    if (out != NULL)
        vn_pilot_get_state(pilot, out);
    return VN_OK;
}

void vn_pilot_get_state(const vn_pilot* pilot, vn_pilot_state* out) {
    VNI_ASSERT(pilot != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    out->position = vni_pilot_to_world(pilot->space, pilot->at);
    out->velocity = (vn_dvec3){pilot->velocity.x, pilot->velocity.y, pilot->velocity.z};
    out->phase = pilot->phase;
    out->reason = pilot->reason;
    out->verified = pilot->verified;
    out->safe_seconds = pilot->safe_seconds;
}

void vn_pilot_get_stats(const vn_pilot* pilot, vn_pilot_stats* out) {
    VNI_ASSERT(pilot != NULL && out != NULL);
    *out = pilot->stats;
}

void vn_pilot_get_memory(const vn_pilot* pilot, vn_memory* out) {
    VNI_ASSERT(pilot != NULL && out != NULL);
    const vn_pilot_def* def = &pilot->def;
    memset(out, 0, sizeof *out);
    vni_memory_add(out, "pilot", sizeof *pilot);
    vni_memory_add(out, "weather", pilot->weather != NULL ? sizeof *pilot->weather : 0);
    vni_memory_add(out, "sightings", 2 * (size_t)def->max_sightings * sizeof *pilot->seen);
    vni_memory_add(out, "path",
                   (size_t)def->max_path *
                       (pilot->kind->walks ? 2 * sizeof *pilot->path : sizeof *pilot->route));
    vn_memory search = {0};
    if (pilot->kind->walks) {
        vni_scratch_memory(&pilot->nodes.scratch, &search);
        vni_memory_add(out, "search", search.total);
        vni_memory_add(out, "marks", pilot->nodes.mark_words * sizeof *pilot->nodes.marks);
        return;
    }

    vn_query_get_memory(pilot->query, &search);
    vni_memory_add(out, "search", search.total);
    vni_memory_add(out, "escape", vni_pilot_escape_bytes());
}
