/// follow/corridor.c: a path and the place of its agent: memory, setting, advancing by metres, what lies
/// ahead.
#include "base/alloc.h"
#include "base/fail.h"
#include "follow/follow_inside.h"
#include "path/refine.h"
#include "probe/sight.h"
#include "space/frame.h"

#include <string.h>

#define CORRIDOR_COOKIE 0x636f7201u

// --------------------------------------------------------------------------------------------------- memory

vn_corridor_def vn_default_corridor_def(void) {
    vn_corridor_def def = {.allocator = vn_default_allocator(), .max_points = 256, .cookie = CORRIDOR_COOKIE};
    return def;
}

static vn_status check_def(const vn_corridor_def* def, vn_detail* detail) {
    if (def->cookie != CORRIDOR_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "The corridor's def does not come from vn_default_corridor_def().");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "The allocator of the corridor lacks a function.");
    if (def->max_points < 2)
        return vni_fail(detail, VN_BAD_ARGUMENT, "A corridor holds at least 2 points.");
    return VN_OK;
}

vn_status vn_corridor_create(const vn_corridor_def* def, vn_corridor** out, vn_detail* detail) {
    VNI_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;

    vn_corridor* c = VNI_NEW(&def->allocator, vn_corridor);
    if (c == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "No memory for a corridor.");
    c->allocator = def->allocator;
    c->capacity = def->max_points;
    c->keep_corners = def->keep_corners;
    c->points = VNI_NEW_ARRAY(&c->allocator, vn_point, c->capacity);
    c->rest = VNI_NEW_ARRAY(&c->allocator, double, c->capacity);
    // a list of what lies ahead may begin with the agent and its place on the path
    c->next = VNI_NEW_ARRAY(&c->allocator, vn_point, (uint64_t)c->capacity + 2);
    c->splice = VNI_NEW_ARRAY(&c->allocator, vn_point, (uint64_t)c->capacity + 2);
    if (c->points == NULL || c->rest == NULL || c->next == NULL || c->splice == NULL) {
        vn_corridor_destroy(c);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "No memory for a corridor of %u points.", def->max_points);
    }

    *out = c;
    return VN_OK;
}

void vn_corridor_destroy(vn_corridor* corridor) {
    if (corridor == NULL)
        return;
    const vn_allocator allocator = corridor->allocator;
    VNI_DELETE_ARRAY(&allocator, corridor->points, corridor->capacity);
    VNI_DELETE_ARRAY(&allocator, corridor->rest, corridor->capacity);
    VNI_DELETE_ARRAY(&allocator, corridor->next, (uint64_t)corridor->capacity + 2);
    VNI_DELETE_ARRAY(&allocator, corridor->splice, (uint64_t)corridor->capacity + 2);
    VNI_DELETE(&allocator, corridor);
}

// ---------------------------------------------------------------------------------------------------- units

double vni_follow_metres(const vn_corridor* corridor, double steps) {
    return vni_steps_to_voxels(steps) * corridor->size;
}

double vni_follow_steps(const vn_corridor* corridor, double metres) {
    return corridor->size > 0 ? vni_voxels_to_steps(metres / corridor->size) : 0;
}

vn_dvec3 vni_follow_world(const vn_corridor* corridor, vni_vec steps) {
    const vn_dvec3 low = corridor->low, origin = corridor->origin;
    return (vn_dvec3){origin.x + (low.x + vni_follow_metres(corridor, steps.x)),
                      origin.y + (low.y + vni_follow_metres(corridor, steps.y)),
                      origin.z + (low.z + vni_follow_metres(corridor, steps.z))};
}

void vni_follow_frame(vn_corridor* corridor, const vn_space* space) {
    corridor->origin = space->origin;
    corridor->low = space->low;
    corridor->size = (double)space->resolution;
}

static vn_dvec3 world_of(const vn_corridor* corridor, vn_point point) {
    return vni_follow_world(corridor, vni_v_of_point(point));
}

// --------------------------------------------------------------------------------------------------- places

vni_vec vni_follow_along(const vn_point* points, uint32_t count, uint32_t segment, double along) {
    const vni_vec a = vni_v_of_point(points[segment]);
    if (segment + 1 >= count || along <= 0)
        return a;

    const vni_vec b = vni_v_of_point(points[segment + 1]), way = vni_sub(b, a);
    const double length = vni_length(way);
    return along < length ? vni_add_scaled(a, way, along / length) : b;
}

static double segment_length(const vn_corridor* c, uint32_t segment) {
    return c->rest[segment] - (segment + 1 < c->count ? c->rest[segment + 1] : 0);
}

vni_place vni_follow_ahead(const vn_corridor* corridor, double steps) {
    vni_place place = {.segment = corridor->segment, .along = corridor->along + (steps > 0 ? steps : 0)};
    while (place.segment + 2 < corridor->count && place.along > segment_length(corridor, place.segment)) {
        place.along -= segment_length(corridor, place.segment);
        ++place.segment;
    }

    const double length = segment_length(corridor, place.segment);
    place.along = place.along < length ? place.along : length;
    place.point =
        vni_point_of_v(vni_follow_along(corridor->points, corridor->count, place.segment, place.along));
    return place;
}

double vni_follow_remaining(const vn_corridor* corridor) {
    if (corridor->count == 0)
        return 0;
    const double left = corridor->rest[corridor->segment] - corridor->along;
    return left > 0 ? left : 0;
}

vn_corridor_place vni_follow_public(const vn_corridor* corridor, const vni_place* place) {
    const vni_vec at = vni_follow_along(corridor->points, corridor->count, place->segment, place->along);
    const double ahead =
        corridor->rest[corridor->segment] - corridor->along - (corridor->rest[place->segment] - place->along);
    return (vn_corridor_place){.position = vni_follow_world(corridor, at),
                               .point = place->point,
                               .segment = place->segment,
                               .ahead = ahead > 0 ? vni_follow_metres(corridor, ahead) : 0};
}

void vn_corridor_get_info(const vn_corridor* corridor, vn_corridor_info* out) {
    VNI_ASSERT(corridor != NULL && out != NULL);
    *out = (vn_corridor_info){.position = corridor->position, .needed_points = corridor->needed};
    if (corridor->count == 0)
        return;

    const vni_place place = vni_follow_ahead(corridor, 0);
    out->point_count = corridor->count;
    out->segment = corridor->segment;
    out->length = vni_follow_metres(corridor, corridor->rest[0]);
    out->remaining = vni_follow_metres(corridor, vni_follow_remaining(corridor));
    out->place = vni_follow_public(corridor, &place).position;
    out->offset = vni_length(vni_sub(vni_follow_v(out->place), vni_follow_v(out->position)));
    out->on_path = corridor->on_path;
    out->target = world_of(corridor, corridor->points[corridor->count - 1]);
}

const vn_point* vn_corridor_points(const vn_corridor* corridor, uint32_t* count) {
    VNI_ASSERT(corridor != NULL && count != NULL);
    *count = corridor->count;
    return corridor->points;
}

uint32_t vn_corridor_next_corners(const vn_corridor* corridor, vn_dvec3* out, uint32_t capacity) {
    VNI_ASSERT(corridor != NULL && (out != NULL || capacity == 0));
    uint32_t count = 0;
    if (corridor->count == 1 && capacity > 0)
        out[count++] = world_of(corridor, corridor->points[0]);
    for (uint32_t i = corridor->segment + 1; i < corridor->count && count < capacity; ++i)
        out[count++] = world_of(corridor, corridor->points[i]);
    return count;
}

vn_status vn_corridor_predict(const vn_corridor* corridor, double seconds, double speed,
                              vn_corridor_place* out) {
    VNI_ASSERT(corridor != NULL && out != NULL);
    if (corridor->count == 0)
        return VN_NOT_FOUND;
    const vni_place place = vni_follow_ahead(corridor, vni_follow_steps(corridor, seconds * speed));
    *out = vni_follow_public(corridor, &place);
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- setting

uint32_t vni_follow_tidy(vn_point* out, const vn_point* points, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (kept == 0 || !vni_is_same_point(out[kept - 1], points[i]))
            out[kept++] = points[i];
    return kept;
}

static void measure(vn_corridor* c) {
    double sum = 0;
    for (uint32_t i = c->count; i > 0; --i) {
        if (i < c->count)
            sum += vni_steps_between(c->points[i - 1], c->points[i]);
        c->rest[i - 1] = sum;
    }
}

void vni_follow_commit(vn_corridor* corridor, uint32_t count) {
    VNI_ASSERT(count >= 1 && count <= corridor->capacity);
    corridor->count = vni_follow_tidy(corridor->points, corridor->next, count);
    corridor->segment = 0;
    corridor->along = 0;
    corridor->on_path = true;
    corridor->has_line = false;
    measure(corridor);
}

vn_status vni_follow_accept(vn_corridor* corridor, const vn_space* space, const vn_point* points,
                            uint32_t count) {
    VNI_ASSERT(corridor != NULL && space != NULL && (points != NULL || count == 0));
    if (count == 0)
        return VN_BAD_ARGUMENT;
    for (uint32_t i = 0; i < count; ++i)
        if (!vni_point_is_inside(&space->occupancy, points[i]))
            return VN_OUTSIDE;

    if (count <= corridor->capacity)
        return VN_OK;
    corridor->needed = count;
    return VN_CAPACITY;
}

vn_status vn_corridor_set(vn_corridor* corridor, const vn_space* space, const vn_point* points,
                          uint32_t count) {
    const vn_status status = vni_follow_accept(corridor, space, points, count);
    if (status != VN_OK)
        return status;

    vni_follow_frame(corridor, space);
    memcpy(corridor->next, points, count * sizeof *points);
    vni_follow_commit(corridor, count);
    corridor->way_on = vni_v(0, 0, 0);
    corridor->stall = 0;
    corridor->returned = 0;
    corridor->point = points[0];
    corridor->position = world_of(corridor, points[0]);
    return VN_OK;
}

void vn_corridor_clear(vn_corridor* corridor) {
    VNI_ASSERT(corridor != NULL);
    corridor->count = 0;
    corridor->segment = 0;
    corridor->along = 0;
    corridor->on_path = false;
    corridor->has_line = false;
}

double vn_corridor_advance(vn_corridor* corridor, double metres) {
    VNI_ASSERT(corridor != NULL);
    if (corridor->count == 0)
        return 0;

    const vni_place place = vni_follow_ahead(corridor, vni_follow_steps(corridor, metres));
    corridor->segment = place.segment;
    corridor->along = place.along;
    corridor->point = place.point;
    corridor->position = vni_follow_public(corridor, &place).position;
    corridor->on_path = true;
    return vni_follow_metres(corridor, vni_follow_remaining(corridor));
}
