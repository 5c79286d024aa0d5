/// query/inside.c: paths that start inside obstacles which the request names.
///
/// Free space without these obstacles is what is free now, and the body: the voxels that they alone block.
/// A breadth-first search over the body finds the way out:
///
///     +-------------------+
///     | body           |        s    start
///     |     s . . . .     |        e    exit: the centre of the first free voxel from which the goal can be
///     |             .     |             reached; the usual search begins there
///     +-------------.-----+        .    leg: from centre to centre over shared faces, shortened where all
///                   e ---->             voxels that a straight line touches are open or free
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/lattice.h"
#include "path/refine.h"
#include "query/query_inside.h"
#include "query/versions.h"
#include "space/frame.h"

#include <string.h>

#define NO_PARENT UINT32_MAX

// ------------------------------------------------------------------------------------------------ body

vn_status vni_query_check_inside(const vn_query* query, const vn_path_request* r, vn_detail* detail) {
    if (r->inside_count > VN_MAX_INSIDE)
        return vni_fail(detail, VN_CAPACITY,
                        "the request names %u obstacles to start inside; %d are possible",
                        (unsigned)r->inside_count, VN_MAX_INSIDE);
    if (r->inside_count > 0 && query->knows_inside && r->inside_world != NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "a nav has its own world: leave inside_world null");
    if (r->inside_count > 0 && !query->knows_inside && r->inside_world == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "obstacles are named in `inside`: set inside_world to the world of the bake");
    return VN_OK;
}

void vni_query_use_body(vn_query* query, const vni_body* body) {
    query->knows_inside = true;
    query->body = body;
}

vn_status vni_query_open(vn_query* query, vn_detail* detail) {
    const vn_path_request* r = &query->request;
    query->leg_count = 0;
    if (query->knows_inside)
        return VN_OK;

    vni_world_body_free(&query->inside.made);
    query->body = NULL;
    if (r->inside_count == 0)
        return VN_OK;

    const vn_status status = vni_world_body_make(query->space, r->inside_world, r->inside, r->inside_count,
                                                 &query->allocator, &query->inside.made, detail);
    query->inside.body = (vni_body){vni_world_body_holds, &query->inside.made};
    query->body = status == VN_OK ? &query->inside.body : NULL;
    return status;
}

void vni_query_inside_free(vn_query* query) {
    vni_inside_search* s = &query->inside;
    vni_world_body_free(&s->made);
    vni_map_destroy(&s->seen);
    VNI_DELETE_ARRAY(&query->allocator, s->voxels, s->voxel_capacity);
    VNI_DELETE_ARRAY(&query->allocator, s->parents, s->parent_capacity);
    VNI_DELETE_ARRAY(&query->allocator, s->leg, s->leg_capacity);
}

size_t vni_query_inside_bytes(const vn_query* query) {
    const vni_inside_search* s = &query->inside;
    vn_memory memory = {0};
    if (s->made.own.table != NULL) {
        vni_occupancy_memory(&s->made.own, &memory);
        vni_occupancy_memory(&s->made.others, &memory);
    }

    return memory.total + vni_map_bytes(&s->seen) + (size_t)s->voxel_capacity * sizeof *s->voxels +
           (size_t)s->parent_capacity * sizeof *s->parents + (size_t)s->leg_capacity * sizeof *s->leg;
}

static bool is_open(const vn_query* query, vn_voxel v) {
    return query->body->holds(query->body->user, v);
}

static bool is_free(const vn_query* query, vn_voxel v) {
    return vni_occupancy_free_at(&query->space->occupancy, v.x, v.y, v.z);
}

bool vni_query_starts_inside(const vn_query* query) {
    vn_voxel around[8], voxel;
    if (query->body == NULL || query->request.inside_count == 0 || vn_point_is_outside(query->result.start) ||
        vni_space_free_voxel_at(query->space, query->result.start, &voxel))
        return false;

    const uint32_t count = vni_voxels_around(query->result.start, around);
    for (uint32_t i = 0; i < count; ++i)
        if (is_open(query, around[i]))
            return true;
    return false;
}

// ------------------------------------------------------------------------------------------------- way out

/// What the exit should reach.
typedef struct aim {
    bool any;              ///< every exit will do
    vni_components joined; ///< components that reach the goal
} aim;

static aim aim_of(const vn_query* query) {
    aim a = {.any = query->request.goal_kind != VN_GOAL_POINT || query->connection_count > 0 ||
                    !vni_space_has_cells(query->space)};
    if (!a.any)
        a.joined = vni_space_components_at(query->space, query->result.goal);
    return a;
}

static bool reaches(const vn_query* query, const aim* a, vn_voxel exit) {
    if (a->any)
        return true;
    const vni_components here = vni_space_components_at(query->space, vn_voxel_center(exit));
    for (uint32_t i = 0; i < here.count; ++i)
        if (vni_components_have(&a->joined, here.labels[i]))
            return true;
    return false;
}

/// False if memory runs out. A voxel that was seen before is not added again.
static bool push(vn_query* query, vn_voxel v, uint32_t parent) {
    vni_inside_search* s = &query->inside;
    const uint64_t key = (uint64_t)v.x << 40 | (uint64_t)v.y << 20 | (uint64_t)v.z;
    if (vni_map_find(&s->seen, key) != NULL)
        return true;

    const uint64_t need = (uint64_t)s->count + 1;
    if (!vni_grow(&query->allocator, &s->voxels, &s->voxel_capacity, need, sizeof *s->voxels) ||
        !vni_grow(&query->allocator, &s->parents, &s->parent_capacity, need, sizeof *s->parents) ||
        !vni_map_put(&s->seen, key, s->count))
        return false;

    s->voxels[s->count] = v;
    s->parents[s->count++] = parent;
    return true;
}

static bool push_sources(vn_query* query) {
    vn_voxel around[8];
    const uint32_t count = vni_voxels_around(query->result.start, around);
    for (uint32_t i = 0; i < count; ++i)
        if (is_open(query, around[i]) && !push(query, around[i], NO_PARENT))
            return false;
    return true;
}

static bool is_exit(const vn_query* query, vn_voxel v) {
    return is_free(query, v) && vni_space_in_region(query->space, v) &&
           vni_is_in_limits(query, vn_voxel_center(v));
}

/// The neighbours of voxel `at`: those of the body are searched later; a free one is an exit. `*exit` is
/// the first exit that reaches the goal (then true), or the first one at all. VN_RUNNING: none reaches it.
static vn_status expand(vn_query* query, const aim* a, uint32_t at, uint32_t* exit) {
    static const int32_t steps[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    vni_inside_search* s = &query->inside;
    for (uint32_t i = 0; i < 6; ++i) {
        const vn_voxel from = s->voxels[at];
        const vn_voxel v = {from.x + steps[i][0], from.y + steps[i][1], from.z + steps[i][2]};
        if (!vni_occupancy_inside(&query->space->occupancy, v.x, v.y, v.z))
            continue;

        const bool leaves = is_exit(query, v);
        const uint32_t before = s->count;
        if ((leaves || is_open(query, v)) && !push(query, v, at))
            return VN_OUT_OF_MEMORY;
        if (!leaves || s->count == before)
            continue;

        const bool good = reaches(query, a, v);
        if (good || *exit == NO_PARENT)
            *exit = before;
        if (good)
            return VN_OK;
    }

    return VN_RUNNING;
}

/// VN_START_BLOCKED: there is no way out.
static vn_status find_exit(vn_query* query, uint32_t* exit) {
    vni_inside_search* s = &query->inside;
    const aim a = aim_of(query);
    *exit = NO_PARENT;
    s->count = 0;
    vni_map_clear(&s->seen);
    if (!push_sources(query))
        return VN_OUT_OF_MEMORY;

    for (uint32_t at = 0; at < s->count; ++at) {
        if (is_free(query, s->voxels[at])) // an exit that does not reach the goal
            continue;
        const vn_status status = expand(query, &a, at, exit);
        if (status != VN_RUNNING)
            return status;
    }

    return *exit != NO_PARENT ? VN_OK : VN_START_BLOCKED;
}

// ----------------------------------------------------------------------------------------------------- leg

/// Are all voxels that the segment touches open or free?
static bool is_clear(const vn_query* query, vn_point a, vn_point b) {
    vni_lattice_walk walk = vni_lattice_begin(a, b);
    vni_lattice_piece piece;
    while (vni_lattice_next(&walk, &piece))
        for (int32_t z = piece.low[2]; z <= piece.high[2]; ++z)
            for (int32_t y = piece.low[1]; y <= piece.high[1]; ++y)
                for (int32_t x = piece.low[0]; x <= piece.high[0]; ++x) {
                    const vn_voxel v = {x, y, z};
                    if (!vni_occupancy_inside(&query->space->occupancy, x, y, z) ||
                        (!is_free(query, v) && !is_open(query, v)))
                        return false;
                }
    return true;
}

/// The way from the start to the exit, both included. False if memory runs out.
static bool lay(vn_query* query, uint32_t exit) {
    vni_inside_search* s = &query->inside;
    uint32_t count = 1;
    for (uint32_t at = exit; at != NO_PARENT; at = s->parents[at])
        ++count;
    if (!vni_grow(&query->allocator, &s->leg, &s->leg_capacity, count, sizeof *s->leg))
        return false;

    s->leg[0] = query->request.start;
    for (uint32_t at = exit, i = count; at != NO_PARENT; at = s->parents[at])
        s->leg[--i] = vn_voxel_center(s->voxels[at]);
    query->leg_count = count;
    return true;
}

/// From each point on to the farthest that a clear segment leads to: the last one first, then by halves of
/// the distance, so that long ways cost little.
static void shorten(vn_query* query) {
    vn_point* leg = query->inside.leg;
    uint32_t kept = 1, at = 0;
    const uint32_t count = query->leg_count;
    while (at + 1 < count) {
        uint32_t step = count - 1 - at;
        while (step > 1 && !is_clear(query, leg[at], leg[at + step]))
            step /= 2;

        at += step;
        leg[kept++] = leg[at]; // kept <= at: what lies ahead stays
    }

    query->leg_count = kept;
}

vn_status vni_query_leave(vn_query* query, vn_detail* detail) {
    vn_path_result* result = &query->result;
    uint32_t exit;
    vn_status status = find_exit(query, &exit);
    if (status == VN_OK && !lay(query, exit))
        status = VN_OUT_OF_MEMORY;
    if (status == VN_OUT_OF_MEMORY)
        return vni_fail(detail, status, "no memory left for the way out of the obstacles named in `inside`");

    if (status != VN_OK) {
        result->end = VN_END_START;
        return vni_fail(detail, status,
                        "the obstacles named in `inside` border no free space: others enclose them");
    }

    shorten(query);
    query->start_voxel = query->inside.voxels[exit];
    result->start = query->inside.leg[--query->leg_count]; // the exit; the search adds it to the path
    return VN_OK;
}

void vni_query_join_leg(vn_query* query) {
    vn_path_result* result = &query->result;
    const uint32_t legs = query->leg_count;
    if (legs == 0)
        return;

    const vn_point exit = result->start;
    result->start = query->request.start;
    result->bound = 0;
    if (query->point_count == 0)
        return;

    VNI_ASSERT(vni_is_same_point(query->points[0], exit));
    if (query->point_count + legs > query->max_points) {
        result->status = result->reason = VN_CAPACITY;
        result->needed_points = query->point_count + legs;
        query->point_count = query->connection_use_count = 0;
        return;
    }

    memmove(query->points + legs, query->points, query->point_count * sizeof *query->points);
    memcpy(query->points, query->inside.leg, legs * sizeof *query->points);
    query->point_count += legs;
    for (uint32_t i = 0; i < query->connection_use_count; ++i)
        query->connection_uses[i].point += legs;

    result->inside_points = legs;
    result->cost += query->has_fuel
                        ? vni_query_fuel(query, query->points, legs + 1) / query->request.fuel.per_metre
                        : vni_steps_to_metres(query->space, vni_polyline_length(query->points, legs + 1));
}
