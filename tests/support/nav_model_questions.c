/// tests/support/nav_model_questions.c: questions asked, cancelled, answered exactly once, and released.
#include "nav_model.h"
#include "shapes.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool one_in(vni_rng* rng, uint32_t n) {
    return vni_rng_below(rng, n) == 0;
}

uint32_t vnt_model_count(const vnt_model* m, vnt_question_state state) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VNT_QUESTIONS; ++i)
        count += m->questions[i].state == state;
    return count;
}

/// A random question in this state; null if there is none.
static vnt_question* pick(vnt_model* m, vnt_question_state state) {
    const uint32_t start = vni_rng_below(&m->rng, VNT_QUESTIONS);
    for (uint32_t i = 0; i < VNT_QUESTIONS; ++i) {
        vnt_question* q = &m->questions[(start + i) % VNT_QUESTIONS];
        if (q->state == state)
            return q;
    }

    return NULL;
}

static vnt_question* find(vnt_model* m, vn_request_id ticket) {
    for (uint32_t i = 0; i < VNT_QUESTIONS; ++i)
        if (m->questions[i].state != VNT_NONE && m->questions[i].ticket == ticket)
            return &m->questions[i];
    return NULL;
}

// ---------------------------------------------------------------------------------------------------- asking

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

/// Options that a flood over voxels knows nothing of.
static void make_special(vnt_model* m, vnt_question* q) {
    vn_path_request* path = &q->request.path;
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
        q->link = (vn_connection){random_local(m), random_local(m), 1, one_in(&m->rng, 2), 7};
        path->connections = &q->link;
        path->connection_count = 1;
    }

    if (one_in(&m->rng, 3)) {
        q->zone = (vn_zone){.kind = VN_ZONE_SPHERE, .factor = 3, .center = random_local(m), .radius = 4};
        path->zones = &q->zone;
        path->zone_count = 1;
    }
}

static void make_question(vnt_model* m, vnt_question* q) {
    memset(q, 0, sizeof *q);
    vn_nav_request* r = &q->request;
    const vn_layer_def* layer = &m->def.layers[vni_rng_below(&m->rng, m->def.layer_count)];
    *r = vn_default_nav_request();
    r->path.start = voxel_centre(m);
    r->path.goal = voxel_centre(m);
    r->path.radius = layer->radius;
    r->path.open_flags = layer->open_flags;
    r->path.quality = (vn_quality)vni_rng_below(&m->rng, VN_QUALITY_COUNT);
    r->path.zone_flags = vni_rng_below(&m->rng, 2);
    r->priority = vni_rng_range(&m->rng, -1, 1);
    r->deadline = m->def.mode == VN_NAV_REALTIME && one_in(&m->rng, 4) ? 1 + vni_rng_below(&m->rng, 3) : 0;
    r->user = vni_rng_next(&m->rng);

    q->plain = !one_in(&m->rng, 3);
    if (!q->plain)
        make_special(m, q);

    if (one_in(&m->rng, 25)) {
        q->plain = false;
        r->path.goal = vnt_model_point(m);
    }
}

/// Breaks a request; false if it is left right.
static bool spoil(vnt_model* m, vn_path_request* path) {
    switch (vni_rng_below(&m->rng, 60)) {
    case 0: path->radius = 99; return true;
    case 1: path->radius = NAN; return true;
    case 2: path->cookie ^= 1; return true;
    case 3: path->algo = VN_ALGO_COUNT; return true;
    case 4: path->weight = -1; return true;
    case 5: path->zone_count = VN_MAX_ZONES + 1; return true;
    case 6: path->snap_distance = NAN; return true;
    default: return false;
    }
}

static void ask(vnt_model* m, vnt_question* q, bool spoilt) {
    vn_request_id ticket = 0;
    const bool full = pick(m, VNT_NONE) == NULL;
    vnt_model_enter(m, spoilt ? "ask wrongly" : "ask");
    vn_status status = vn_nav_submit(m->nav, &q->request, &ticket, NULL);
    if (spoilt || full) {
        VNT_REQUIRE(m, status != VN_OK && status != VN_OUT_OF_MEMORY);
        VNT_REQUIRE(m, spoilt || status == VN_CAPACITY);
        ++m->refused;
        return;
    }

    VNT_REQUIRE(m, status == VN_OK && ticket > m->last_ticket);
    q->ticket = m->last_ticket = ticket;
    q->state = VNT_ASKED;
    q->revision = m->revision;
    q->tick = m->tick;
    *pick(m, VNT_NONE) = *q;
}

void vnt_model_ask(vnt_model* m) {
    vnt_question q;
    make_question(m, &q);
    const bool spoilt = spoil(m, &q.request.path);
    ask(m, &q, spoilt);
}

void vnt_model_ask_plainly(vnt_model* m) {
    if (!pick(m, VNT_NONE)) {
        vnt_model_release_some(m);
        if (!pick(m, VNT_NONE))
            return;
    }

    vnt_question q;
    make_question(m, &q);
    q.request.deadline = 0;
    ask(m, &q, false);
}

void vnt_model_cancel(vnt_model* m) {
    vnt_question* q = one_in(&m->rng, 6) ? pick(m, VNT_COLLECTED) : pick(m, VNT_ASKED);
    const uint32_t gone = m->gone_ticket_count < VNT_STALE ? m->gone_ticket_count : VNT_STALE;
    vnt_model_enter(m, "cancel");
    if (!q) {
        const vn_request_id ticket =
            gone > 0 ? m->gone_tickets[vni_rng_below(&m->rng, gone)] : m->last_ticket + 5;
        VNT_REQUIRE(m, vn_nav_cancel(m->nav, ticket) == VN_STALE_ID);
        return;
    }

    vn_status status = vn_nav_cancel(m->nav, q->ticket);
    VNT_REQUIRE(m, status == VN_OK || status == VN_STALE_ID); // stale: it has been delivered
    VNT_REQUIRE(m, status == VN_STALE_ID || q->state == VNT_ASKED);
    q->cancelled = q->cancelled || status == VN_OK;
}

// ---------------------------------------------------------------------------------------------- is it right?

/// Can one walk over free voxels that share faces? Brute force.
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

/// A plain question's status is known without any search.
static void check_status(vnt_model* m, const vnt_question* q, const vn_nav_result* a) {
    vn_space_info info;
    vn_space_get_info(a->space, &info);
    const vn_voxel from = vn_space_voxel_at(a->space, q->request.path.start),
                   to = vn_space_voxel_at(a->space, q->request.path.goal);
    const vn_status status = a->result.status;

    if (status == VN_CAPACITY || status == VN_OUT_OF_MEMORY)
        return;
    if (!vn_space_voxel_free(a->space, from))
        VNT_REQUIRE(m, status == VN_START_BLOCKED);
    else if (!vn_space_voxel_free(a->space, to))
        VNT_REQUIRE(m, status == VN_GOAL_BLOCKED);
    else if (flood_joins(a->space, info.dims, from, to))
        VNT_REQUIRE(m, status == VN_OK);
    else
        VNT_REQUIRE(m, status == VN_NO_PATH || status == VN_TOO_NARROW);
}

/// The legs between links are free in the space of the answer.
static void check_points(vnt_model* m, const vn_nav_result* a) {
    uint32_t from = 0;
    for (uint32_t i = 0; i <= a->connection_count; ++i) {
        const uint32_t to = i < a->connection_count ? a->connections[i].point : a->point_count - 1;
        VNT_REQUIRE(m, from <= to && to < a->point_count);
        VNT_REQUIRE(m, vn_space_check_path(a->space, a->points + from, to - from + 1, NULL));
        from = to + 1;
    }
}

static void check_cancelled(vnt_model* m, const vnt_question* q, const vn_nav_result* a) {
    VNT_REQUIRE(m, q->cancelled || q->request.deadline > 0);
    VNT_REQUIRE(m, a->version == 0 && a->space == NULL && a->point_count == 0 && a->connection_count == 0);
    VNT_REQUIRE(m, a->result.point_count == 0 && a->result.connections_used == 0);
    ++m->cancelled;
}

/// The version is the right one, and the space is what that version must show.
static void check_version(vnt_model* m, const vnt_question* q, const vn_nav_result* a) {
    const uint32_t layer = vnt_model_layer(m, q->request.path.radius, q->request.path.open_flags);
    VNT_REQUIRE(m, a->version > 0 && a->space && layer < VNT_LAYERS);
    const vnt_snapshot* s = vnt_model_find(m, a->version);
    if (m->def.mode == VN_NAV_LOCKSTEP && m->tick - a->begin_tick < VNT_TICKS)
        VNT_REQUIRE(m, a->version == m->versions_at[a->begin_tick % VNT_TICKS]);

    if (m->def.policy == VN_UPDATE_LAST_MOMENT)
        VNT_REQUIRE(m, vnt_model_revision_of(m, a->version) >= q->revision);

    if (s)
        VNT_REQUIRE(m, q->space_hash == s->hashes[layer]);
}

static void check_answer(vnt_model* m, const vnt_question* q, const vn_nav_result* a) {
    VNT_REQUIRE(m, a->user == q->request.user && a->end_tick <= m->tick);
    VNT_REQUIRE(m, a->begin_tick <= a->end_tick);
    if (m->def.mode == VN_NAV_LOCKSTEP)
        VNT_REQUIRE(m, a->end_tick == a->begin_tick + m->def.latency && a->id > m->last_collected);

    if (q->cancelled)
        VNT_REQUIRE(m, a->result.status == VN_CANCELLED);

    if (a->result.status == VN_CANCELLED) {
        check_cancelled(m, q, a);
        return;
    }

    check_version(m, q, a);
    if (a->result.status == VN_OUT_OF_MEMORY)
        VNT_REQUIRE(m, m->memory && ++m->excuses <= vnt_memory_failures(m->memory));

    VNT_REQUIRE(m, a->result.point_count == a->point_count);
    const bool has_path = a->result.status == VN_OK || a->result.status == VN_PARTIAL;
    VNT_REQUIRE(m, has_path == (a->point_count > 0));
    if (has_path)
        check_points(m, a);

    if (q->plain)
        check_status(m, q, a);

    m->paths += has_path;
}

// ------------------------------------------------------------------------------------------------ collecting

static uint64_t hash_of(const vn_nav_result* a) {
    uint64_t hash = 0xcbf29ce484222325u;
    if (a->point_count > 0)
        vnt_mix(&hash, a->points, a->point_count * sizeof *a->points);
    return hash;
}

static void trace(vnt_model* m, const vnt_question* q) {
    const vn_nav_result* a = &q->answer;
    const uint64_t words[] = {a->id,       a->user,        a->version,         (uint64_t)a->result.status,
                              a->end_tick, a->point_count, a->result.expanded, q->answer_hash};
    vnt_mix(&m->trace, words, sizeof words);
}

bool vnt_model_collect(vnt_model* m) {
    vn_nav_result answer;
    vnt_model_enter(m, "collect");
    if (!vn_nav_next_result(m->nav, &answer))
        return false;

    vnt_question* q = find(m, answer.id);
    VNT_REQUIRE(m, q && q->state == VNT_ASKED && "each ticket is answered once");
    q->answer = answer;
    q->answer_hash = hash_of(&answer);
    q->space_hash = answer.space ? vn_space_content_hash(answer.space) : 0;
    q->state = VNT_COLLECTED;
    check_answer(m, q, &answer);
    m->last_collected = answer.id;
    ++m->answers;
    trace(m, q);

    return true;
}

void vnt_model_release(vnt_model* m, uint32_t question) {
    vnt_question* q = &m->questions[question];
    vnt_model_enter(m, "release");
    VNT_REQUIRE(m, q->answer_hash == hash_of(&q->answer) && "an answer stays as it is");
    if (q->answer.space)
        VNT_REQUIRE(m, vn_space_content_hash(q->answer.space) == q->space_hash);

    vn_nav_release_result(m->nav, q->ticket);
    vn_nav_release_result(m->nav, q->ticket); // no effect
    m->gone_tickets[m->gone_ticket_count++ % VNT_STALE] = q->ticket;
    q->state = VNT_NONE;
}

void vnt_model_release_some(vnt_model* m) {
    for (uint32_t i = 0; i < VNT_QUESTIONS; ++i) {
        vnt_question* q = &m->questions[i];
        if (q->state == VNT_COLLECTED && !one_in(&m->rng, 3))
            vnt_model_release(m, i);
        else if (q->state == VNT_ASKED && one_in(&m->rng, 6))
            vn_nav_release_result(m->nav, q->ticket); // no effect on what has not been collected
    }
}
