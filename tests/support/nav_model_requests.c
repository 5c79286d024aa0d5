/// tests/support/nav_model_requests.c: requests submitted, cancelled, delivered exactly once, and released.
#include "nav_model.h"
#include "shapes.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool one_in(vni_rng* rng, uint32_t n) {
    return vni_rng_below(rng, n) == 0;
}

uint32_t vnt_model_count(const vnt_model* m, vnt_request_state state) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i)
        count += m->requests[i].state == state;
    return count;
}

/// A random request in this state; null if there is none.
static vnt_request* pick(vnt_model* m, vnt_request_state state) {
    const uint32_t start = vni_rng_below(&m->rng, VNT_REQUESTS);
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i) {
        vnt_request* request = &m->requests[(start + i) % VNT_REQUESTS];
        if (request->state == state)
            return request;
    }

    return NULL;
}

static vnt_request* find(vnt_model* m, vn_request_id request_id) {
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i)
        if (vnt_request_is_held(&m->requests[i]) && m->requests[i].id == request_id)
            return &m->requests[i];
    return NULL;
}

// ----------------------------------------------------------------------------------------------- submitting

static vn_point voxel_centre(vnt_model* m) {
    const double res = (double)m->def.space.resolution;
    const vn_voxel v = {(int32_t)(vni_rng_real(&m->rng) * (double)m->size[0] / res),
                        (int32_t)(vni_rng_real(&m->rng) * (double)m->size[1] / res),
                        (int32_t)(vni_rng_real(&m->rng) * (double)m->size[2] / res)};
    return vn_voxel_center(v);
}

static vn_vec3 random_local(vnt_model* m) {
    const vn_vec3 low = m->def.space.bounds.min;
    return vnt_vec(low.x + m->size[0] * (float)vni_rng_real(&m->rng),
                   low.y + m->size[1] * (float)vni_rng_real(&m->rng),
                   low.z + m->size[2] * (float)vni_rng_real(&m->rng));
}

/// Options that a flood over voxels does not model.
static void make_special(vnt_model* m, vnt_request* request) {
    vn_path_request* path = &request->input.path;
    path->snap_distance = one_in(&m->rng, 2) ? 3 : 0;
    path->allow_partial = one_in(&m->rng, 3);
    path->budget = one_in(&m->rng, 4) ? 1 + vni_rng_below(&m->rng, 20) : 0;
    path->preferred_clearance = one_in(&m->rng, 6) ? 1.5f : 0;
    path->has_limits = one_in(&m->rng, 6);

    path->limits = (vn_box){m->def.space.bounds.min, random_local(m)};
    if (one_in(&m->rng, 3))
        path->goal_kind = (vn_goal_kind)vni_rng_below(&m->rng, VN_GOAL_KIND_COUNT);

    path->goal_distance = path->goal_kind == VN_GOAL_SIGHT ? 0 : 3;
    path->goal_box = (vn_box){random_local(m), m->def.space.bounds.max};
    if (one_in(&m->rng, 2)) {
        request->connection = (vn_connection){random_local(m), random_local(m), 1, one_in(&m->rng, 2), 7};
        path->connections = &request->connection;
        path->connection_count = 1;
    }

    if (one_in(&m->rng, 3)) {
        request->zone =
            (vn_zone){.kind = VN_ZONE_SPHERE, .factor = 3, .center = random_local(m), .radius = 4};
        path->zones = &request->zone;
        path->zone_count = 1;
    }
}

static void make_request(vnt_model* m, vnt_request* request) {
    memset(request, 0, sizeof *request);
    vn_nav_request* input = &request->input;
    const vn_layer_def* layer = &m->def.layers[vni_rng_below(&m->rng, m->def.layer_count)];
    *input = vn_default_nav_request();
    input->path.start = voxel_centre(m);
    input->path.goal = voxel_centre(m);
    input->path.radius = layer->radius;
    input->path.open_flags = layer->open_flags;
    input->path.quality = (vn_quality)vni_rng_below(&m->rng, VN_QUALITY_COUNT);
    input->path.zone_flags = vni_rng_below(&m->rng, 2);
    input->priority = vni_rng_range(&m->rng, -1, 1);
    input->deadline =
        m->def.mode == VN_NAV_REALTIME && one_in(&m->rng, 4) ? 1 + vni_rng_below(&m->rng, 3) : 0;
    input->user = vni_rng_next(&m->rng);
    input->by_id = one_in(&m->rng, 4);

    request->plain = !one_in(&m->rng, 3);
    if (!request->plain)
        make_special(m, request);

    if (one_in(&m->rng, 25)) {
        request->plain = false;
        input->path.goal = vnt_model_point(m);
    }
}

/// Makes a request invalid; false if it stays valid.
static bool spoil(vnt_model* m, vn_path_request* path) {
    switch (vni_rng_below(&m->rng, 60)) {
    case 0: path->radius = 99; return true;
    case 1: path->radius = NAN; return true;
    case 2: path->cookie ^= 1; return true;
    case 3: path->algo = VN_ALGO_COUNT; return true;
    case 4: path->weight = -1; return true;
    case 5: path->zone_count = VN_MAX_ZONES + 1; return true;
    case 6: path->snap_distance = NAN; return true;
    case 7: path->inside_count = VN_MAX_INSIDE + 1; return true;
    case 8: path->inside_count = 1; return true; // the null id
    default: return false;
    }
}

static void submit(vnt_model* m, vnt_request* request, bool spoilt) {
    vn_request_id request_id = 0;
    vnt_request *place = pick(m, VNT_NONE), *uncertain = pick(m, VNT_ABANDONED);
    const bool full = place == NULL && uncertain == NULL;
    vnt_model_enter(m, spoilt ? "submit wrongly" : "submit");
    vn_status status = vn_nav_submit(m->nav, &request->input, &request_id, NULL);
    if (spoilt || full) {
        VNT_REQUIRE(m, status != VN_OK && status != VN_OUT_OF_MEMORY);
        VNT_REQUIRE(m, spoilt || status == VN_CAPACITY);
        ++m->refused;
        return;
    }

    if (place == NULL && status == VN_CAPACITY) // those given up are still in work
        return;

    VNT_REQUIRE(m, status == VN_OK && request_id > m->last_request);
    request->id = m->last_request = request_id;
    request->state = VNT_SUBMITTED;
    request->revision = m->revision;
    request->tick = m->tick;
    *(place != NULL ? place : uncertain) = *request;
}

void vnt_model_submit(vnt_model* m) {
    vnt_request request;
    make_request(m, &request);
    const bool spoilt = spoil(m, &request.input.path);
    submit(m, &request, spoilt);
}

void vnt_model_submit_plain(vnt_model* m) {
    if (pick(m, VNT_NONE) == NULL) {
        vnt_model_release_some(m);
        if (pick(m, VNT_NONE) == NULL)
            return;
    }

    vnt_request request;
    make_request(m, &request);
    request.input.deadline = 0;
    submit(m, &request, false);
}

/// Gives up a request that is fetched by its id; from then on there is none of that id.
static void abandon(vnt_model* m, vnt_request* request) {
    vnt_model_enter(m, "abandon");
    const vn_status status = vn_nav_abandon(m->nav, request->id);
    VNT_REQUIRE(m, status == (request->input.by_id ? VN_OK : VN_STALE_ID));
    if (status != VN_OK)
        return;

    vn_nav_result result;
    VNT_REQUIRE(m, vn_nav_abandon(m->nav, request->id) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_take_result(m->nav, request->id, &result) == VN_STALE_ID);
    m->gone_requests[m->gone_request_count++ % VNT_STALE] = request->id;
    request->state = request->state == VNT_SUBMITTED ? VNT_ABANDONED : VNT_NONE;
}

/// Whether workers are idle depends on their speed. In lockstep nothing that the script does next may, and
/// there the ticks tell: a request waits for two updates at most, then for its own latency.
static bool has_ended(const vnt_model* m, const vnt_request* request) {
    if (m->def.mode == VN_NAV_LOCKSTEP && m->memory == NULL)
        return m->tick > request->tick + 4 * (uint64_t)m->def.latency + 16;
    return m->idle > m->def.latency + 1;
}

void vnt_model_end_abandoned(vnt_model* m) {
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i)
        if (m->requests[i].state == VNT_ABANDONED && has_ended(m, &m->requests[i]))
            m->requests[i].state = VNT_NONE;
}

void vnt_model_cancel(vnt_model* m) {
    if (one_in(&m->rng, 4)) {
        const vnt_request_state state = one_in(&m->rng, 3) ? VNT_COLLECTED : VNT_SUBMITTED;
        vnt_request* given_up = pick(m, state);
        if (given_up != NULL)
            abandon(m, given_up);
        return;
    }

    vnt_request* request = one_in(&m->rng, 6) ? pick(m, VNT_COLLECTED) : pick(m, VNT_SUBMITTED);
    const uint32_t gone = m->gone_request_count < VNT_STALE ? m->gone_request_count : VNT_STALE;
    vnt_model_enter(m, "cancel");
    if (request == NULL) {
        const vn_request_id request_id =
            gone > 0 ? m->gone_requests[vni_rng_below(&m->rng, gone)] : m->last_request + 5;
        VNT_REQUIRE(m, vn_nav_cancel(m->nav, request_id) == VN_STALE_ID);
        return;
    }

    vn_status status = vn_nav_cancel(m->nav, request->id);
    VNT_REQUIRE(m, status == VN_OK || status == VN_STALE_ID); // stale: it has been delivered
    VNT_REQUIRE(m, status == VN_STALE_ID || request->state == VNT_SUBMITTED);
    request->cancelled = request->cancelled || status == VN_OK;
}

// ---------------------------------------------------------------------------------------------- is it right?

/// Are two voxels joined by free voxels that share faces? Brute force.
static bool flood_joins(const vn_space* space, vn_voxel dims, vn_voxel from, vn_voxel to) {
    const int32_t count = dims.x * dims.y * dims.z, step[3] = {1, dims.x, dims.x * dims.y};
    const int32_t start = from.x + dims.x * (from.y + dims.y * from.z);
    const int32_t goal = to.x + dims.x * (to.y + dims.y * to.z);
    unsigned char* seen = calloc((size_t)count, 1);
    int32_t* stack = malloc((size_t)count * sizeof *stack);
    int32_t depth = 0;
    seen[start] = 1;

    stack[depth++] = start;
    while (depth > 0 && !seen[goal]) {
        const int32_t at = stack[--depth];
        const int32_t xyz[3] = {at % dims.x, at / dims.x % dims.y, at / step[2]};
        const int32_t limits[3] = {dims.x, dims.y, dims.z};
        for (int k = 0; k < 6; ++k) {
            int32_t next[3] = {xyz[0], xyz[1], xyz[2]};
            next[k / 2] += k % 2 ? 1 : -1;
            if (next[k / 2] < 0 || next[k / 2] >= limits[k / 2])
                continue;

            const int32_t to_slot = at + (k % 2 ? step[k / 2] : -step[k / 2]);
            if (seen[to_slot] || !vn_space_voxel_free(space, (vn_voxel){next[0], next[1], next[2]}))
                continue;

            seen[to_slot] = 1;
            stack[depth++] = to_slot;
        }
    }

    const bool joined = seen[goal];
    free(stack);
    free(seen);
    return joined;
}

static bool is_unknown(const vn_space* space, vn_voxel voxel) {
    return vn_space_point_unknown(space, vn_voxel_center(voxel));
}

/// The status of a plain request is known without a search.
static void check_status(vnt_model* m, const vnt_request* request, const vn_nav_result* result) {
    vn_space_info info;
    vn_space_get_info(result->space, &info);
    const vn_voxel from = vn_space_voxel_at(result->space, request->input.path.start),
                   to = vn_space_voxel_at(result->space, request->input.path.goal);
    const vn_status status = result->result.status;

    if (status == VN_CAPACITY || status == VN_OUT_OF_MEMORY)
        return;
    if (!vn_space_voxel_free(result->space, from))
        VNT_REQUIRE(m, status == (is_unknown(result->space, from) ? VN_UNKNOWN_SPACE : VN_START_BLOCKED));
    else if (!vn_space_voxel_free(result->space, to))
        VNT_REQUIRE(m, status == (is_unknown(result->space, to) ? VN_UNKNOWN_SPACE : VN_GOAL_BLOCKED));
    else if (flood_joins(result->space, info.dims, from, to))
        VNT_REQUIRE(m, status == VN_OK);
    else
        VNT_REQUIRE(m, status == VN_NO_PATH || status == VN_TOO_NARROW);
}

/// The legs between connections are free in the space of the result.
static void check_points(vnt_model* m, const vn_nav_result* result) {
    uint32_t from = 0;
    for (uint32_t i = 0; i <= result->connection_count; ++i) {
        const uint32_t to =
            i < result->connection_count ? result->connections[i].point : result->point_count - 1;
        VNT_REQUIRE(m, from <= to && to < result->point_count);
        VNT_REQUIRE(m, vn_space_check_path(result->space, result->points + from, to - from + 1, NULL));
        from = to + 1;
    }
}

static void check_cancelled(vnt_model* m, const vnt_request* request, const vn_nav_result* result) {
    VNT_REQUIRE(m, request->cancelled || request->input.deadline > 0);
    VNT_REQUIRE(m, result->version == 0 && result->space == NULL && result->point_count == 0 &&
                       result->connection_count == 0);
    VNT_REQUIRE(m, result->result.point_count == 0 && result->result.connections_used == 0);
    ++m->cancelled;
}

/// The version is the right one, and the space is what that version must show.
static void check_version(vnt_model* m, const vnt_request* request, const vn_nav_result* result) {
    const uint32_t layer = vnt_model_layer(m, request->input.path.radius, request->input.path.open_flags);
    VNT_REQUIRE(m, result->version > 0 && result->space != NULL && layer < VNT_LAYERS);
    const vnt_snapshot* s = vnt_model_find(m, result->version);
    if (m->def.mode == VN_NAV_LOCKSTEP && m->tick - result->begin_tick < VNT_TICKS)
        VNT_REQUIRE(m, result->version == m->versions_at[result->begin_tick % VNT_TICKS]);

    if (m->def.policy == VN_UPDATE_LAST_MOMENT)
        VNT_REQUIRE(m, vnt_model_revision_of(m, result->version) >= request->revision);

    if (s != NULL)
        VNT_REQUIRE(m, request->space_hash == s->hashes[layer]);
}

static void check_result(vnt_model* m, const vnt_request* request, const vn_nav_result* result) {
    VNT_REQUIRE(m, result->user == request->input.user && result->end_tick <= m->tick);
    VNT_REQUIRE(m, result->begin_tick <= result->end_tick);
    if (m->def.mode == VN_NAV_LOCKSTEP)
        VNT_REQUIRE(m, result->end_tick == result->begin_tick + m->def.latency &&
                           (request->input.by_id || result->id > m->last_collected));

    if (request->cancelled)
        VNT_REQUIRE(m, result->result.status == VN_CANCELLED);

    if (result->result.status == VN_CANCELLED) {
        check_cancelled(m, request, result);
        return;
    }

    check_version(m, request, result);
    if (result->result.status == VN_OUT_OF_MEMORY)
        VNT_REQUIRE(m, m->memory != NULL && ++m->excuses <= vnt_memory_failures(m->memory));

    VNT_REQUIRE(m, result->result.point_count == result->point_count);
    const bool has_path = result->result.status == VN_OK || result->result.status == VN_PARTIAL;
    VNT_REQUIRE(m, has_path == (result->point_count > 0));
    if (has_path)
        check_points(m, result);

    if (request->plain)
        check_status(m, request, result);

    m->paths += has_path;
}

// ------------------------------------------------------------------------------------------------ collecting

static uint64_t hash_of(const vn_nav_result* result) {
    uint64_t hash = 0xcbf29ce484222325u;
    if (result->point_count > 0)
        vnt_mix(&hash, result->points, result->point_count * sizeof *result->points);
    return hash;
}

static void trace(vnt_model* m, const vnt_request* request) {
    const vn_nav_result* result = &request->result;
    const uint64_t words[] = {
        result->id,       result->user,        result->version,         (uint64_t)result->result.status,
        result->end_tick, result->point_count, result->result.expanded, request->result_hash};
    vnt_mix(&m->trace, words, sizeof words);
}

/// A result that the host has got.
static void note_result(vnt_model* m, vnt_request* request, const vn_nav_result* result) {
    request->result = *result;
    request->result_hash = hash_of(result);
    request->space_hash = result->space != NULL ? vn_space_content_hash(result->space) : 0;
    request->state = VNT_COLLECTED;
    check_result(m, request, result);
    ++m->results;
    trace(m, request);
}

/// The result of one request that is fetched by its id, if it is there.
static bool take_by_id(vnt_model* m) {
    vn_nav_result result;
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i) {
        vnt_request* request = &m->requests[i];
        if (!vnt_request_is_held(request))
            continue;

        const vn_status status = vn_nav_take_result(m->nav, request->id, &result);
        const bool may_be_there = request->state == VNT_SUBMITTED && request->input.by_id;
        VNT_REQUIRE(m, may_be_there ? status == VN_OK || status == VN_RUNNING : status == VN_STALE_ID);
        if (status != VN_OK)
            continue;

        VNT_REQUIRE(m, result.id == request->id);
        note_result(m, request, &result);
        return true;
    }

    return false;
}

bool vnt_model_collect(vnt_model* m) {
    vn_nav_result result;
    vnt_model_enter(m, "collect");
    if (!vn_nav_next_result(m->nav, &result))
        return take_by_id(m);

    vnt_request* request = find(m, result.id);
    VNT_REQUIRE(m, request != NULL && request->state == VNT_SUBMITTED && "each request has one result");
    VNT_REQUIRE(m, !request->input.by_id);
    note_result(m, request, &result);
    m->last_collected = result.id;
    return true;
}

void vnt_model_release(vnt_model* m, uint32_t index) {
    vnt_request* request = &m->requests[index];
    vnt_model_enter(m, "release");
    VNT_REQUIRE(m, request->result_hash == hash_of(&request->result) && "a result does not change");
    if (request->result.space != NULL)
        VNT_REQUIRE(m, vn_space_content_hash(request->result.space) == request->space_hash);

    vn_nav_release_result(m->nav, request->id);
    vn_nav_release_result(m->nav, request->id); // no effect
    m->gone_requests[m->gone_request_count++ % VNT_STALE] = request->id;
    request->state = VNT_NONE;
}

void vnt_model_release_some(vnt_model* m) {
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i) {
        vnt_request* request = &m->requests[i];
        if (request->state == VNT_COLLECTED && !one_in(&m->rng, 3))
            vnt_model_release(m, i);
        else if (request->state == VNT_SUBMITTED && one_in(&m->rng, 6))
            vn_nav_release_result(m->nav, request->id); // no effect on what has not been collected
    }
}
