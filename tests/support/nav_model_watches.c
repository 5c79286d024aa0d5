/// tests/support/nav_model_watches.c: watched paths and their events, and pinned versions.
///
/// What a watch must have told is found by brute force: in every version the checker goes over the path from
/// the agent on, leg by leg, and the first place that is blocked is compared with the horizon. Metres are
/// rounded, so the question is asked twice, for a slightly longer and a slightly shorter part of the path:
/// what is free in the longer one must not be reported, what is blocked in the shorter one must be.
#include "nav_model.h"
#include "path/check.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Metres by which rounding may move a place.
#define NUDGE 1e-6

static bool one_in(vni_rng* rng, uint32_t n) {
    return vni_rng_below(rng, n) == 0;
}

vn_point vnt_model_point(vnt_model* m) {
    static const int32_t odd[] = {INT32_MIN, INT32_MAX, INT32_MIN + 1, -1, 0, 1 << 30, -(1 << 30)};
    const double scale = VN_LATTICE / (double)m->def.space.resolution;
    int32_t at[3];
    for (int i = 0; i < 3; ++i)
        at[i] = (int32_t)(vni_rng_real(&m->rng) * (double)m->size[i] * scale);

    if (one_in(&m->rng, 20))
        at[vni_rng_below(&m->rng, 3)] = odd[vni_rng_below(&m->rng, 7)];

    return (vn_point){at[0], at[1], at[2]};
}

// -------------------------------------------------------------------------------------------------- places

static double step_of(const vnt_model* m) {
    return (double)m->def.space.resolution / VN_LATTICE;
}

static bool is_step(const vnt_watch* w, uint32_t segment) {
    for (uint32_t i = 0; i < w->use_count; ++i)
        if (w->uses[i].point == segment)
            return true;
    return false;
}

/// Of segment i, metres; 0 for a step by a connection, and after the last point.
static double length_of(const vnt_model* m, const vnt_watch* w, uint32_t i) {
    if (i + 1 >= w->count || is_step(w, i))
        return 0;
    const vn_point a = w->points[i], b = w->points[i + 1];
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return step_of(m) * sqrt(x * x + y * y + z * z);
}

/// From the first point to point `to`, metres.
static double length_to(const vnt_model* m, const vnt_watch* w, uint32_t to) {
    double sum = 0;
    for (uint32_t i = 0; i < to; ++i)
        sum += length_of(m, w, i);
    return sum;
}

/// The segment and the fraction of it at which a path is so many metres long.
static uint32_t place_at(const vnt_model* m, const vnt_watch* w, double metres, double* fraction) {
    *fraction = 0;
    for (uint32_t i = 0; i + 1 < w->count; ++i) {
        const double start = length_to(m, w, i), length = length_of(m, w, i);
        if (metres <= start)
            return i;
        if (metres < start + length && (metres - start) / length < 1) {
            *fraction = (metres - start) / length;
            return i;
        }
    }

    return w->count - 1;
}

/// Metres from the first point to the first place that is blocked, from `metres` on; infinity if there is
/// none. `segment` may be null.
static double first_block(const vnt_model* m, const vnt_watch* w, const vnt_snapshot* s, double metres,
                          uint32_t* segment) {
    const vn_space* space = vnt_model_space(m, s, w->layer);
    double skip;
    uint32_t first = place_at(m, w, metres, &skip);
    while (first < w->count) {
        uint32_t last = first;
        while (last + 1 < w->count && !is_step(w, last))
            ++last;

        vn_check_result result;
        if (!vni_check_path_from(space, NULL, w->points + first, last - first + 1, skip, &result)) {
            const uint32_t at = first + result.segment;
            if (segment != NULL)
                *segment = at;
            return length_to(m, w, at) + (at < last ? result.fraction * length_of(m, w, at) : 0);
        }

        first = last + 1;
        skip = 0;
    }

    return INFINITY;
}

/// Is the path blocked between the agent and its horizon, both moved outwards by `more` metres?
static bool is_blocked(const vnt_model* m, const vnt_watch* w, const vnt_snapshot* s, double more) {
    const double horizon = w->horizon > 0 ? w->horizon : INFINITY,
                 block = first_block(m, w, s, w->at - more, NULL);
    return block < INFINITY && block <= w->at + horizon + more;
}

// ------------------------------------------------------------------------------------------------- watching

static double cost_in(const vnt_model* m, const vnt_watch* w, const vnt_snapshot* s) {
    double sum = 0;
    for (uint32_t i = 0; i + 1 < w->count; ++i)
        if (!is_step(w, i))
            sum += vnt_zone_cost(s->zones, s->zone_count, w->zone_flags, &m->def, w->points + i, 2);
    return sum;
}

static uint32_t watch_count(const vnt_model* m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VNT_WATCHES; ++i)
        count += m->watches[i].id != 0;
    return count;
}

/// Null if there is none; id 0: a free entry of the list.
static vnt_watch* find(vnt_model* m, vn_watch_id id) {
    for (uint32_t i = 0; i < VNT_WATCHES; ++i)
        if (m->watches[i].id == id)
            return &m->watches[i];
    return NULL;
}

/// Random points, now and then with connections between them.
static void take_random_points(vnt_model* m, vnt_watch* w) {
    w->layer = vni_rng_below(&m->rng, m->def.layer_count);
    w->zone_flags = vni_rng_below(&m->rng, 2);
    w->count = 1 + vni_rng_below(&m->rng, 4);
    for (uint32_t i = 0; i < w->count; ++i)
        w->points[i] = vnt_model_point(m);

    for (uint32_t i = 0; i + 1 < w->count; ++i)
        if (one_in(&m->rng, 5))
            w->uses[w->use_count++] = (vn_connection_use){i, 0, false};
}

static const vnt_request* some_path(const vnt_model* m) {
    const vnt_request* found = NULL;
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i)
        if (m->requests[i].state == VNT_COLLECTED && m->requests[i].result.point_count > 0)
            found = &m->requests[i];
    return found;
}

static void take_result(vnt_model* m, vnt_watch* w, const vnt_request* request) {
    const vn_nav_result* result = &request->result;
    const vn_path_request* path = &request->input.path;
    VNT_REQUIRE(m, result->connection_count <= VNT_USES);
    w->layer = vnt_model_layer(m, path->radius, path->open_flags);
    w->zone_flags = path->zone_flags;
    w->count = result->point_count;
    w->use_count = result->connection_count;
    memcpy(w->points, result->points, w->count * sizeof *w->points);
    if (w->use_count > 0)
        memcpy(w->uses, result->connections, w->use_count * sizeof *w->uses);
}

/// Can the cost of a version's zones along the path be predicted, up to rounding?
static bool costs_are_plain(const vnt_model* m, const vnt_watch* w) {
    const double far_away = 4096.0 * VN_LATTICE;
    bool near_by = !vnt_model_is_async(m);
    for (uint32_t i = 0; i < w->count; ++i)
        near_by = near_by && fabs((double)w->points[i].x) < far_away &&
                  fabs((double)w->points[i].y) < far_away && fabs((double)w->points[i].z) < far_away;
    return near_by;
}

static void watch_wrongly(vnt_model* m) {
    static const vn_point many[VNT_POINTS + 1];
    const vn_connection_use uses[2] = {{1, 0, false}, {1, 0, false}};
    vn_watch_def def = vn_default_watch_def();
    def.radius = m->def.layers[0].radius;
    def.open_flags = m->def.layers[0].open_flags;
    vn_watch_id watch;
    vnt_model_enter(m, "watch wrongly");
    VNT_REQUIRE(m, vn_nav_watch_points(m->nav, many, 0, &def, &watch, NULL) == VN_BAD_ARGUMENT);
    VNT_REQUIRE(m, vn_nav_watch_points(m->nav, many, VNT_POINTS + 1, &def, &watch, NULL) == VN_CAPACITY);

    vn_watch_def wrong[5] = {def, def, def, def, def};
    wrong[0].radius = 99;
    wrong[1].horizon = -1;
    wrong[2].horizon_seconds = 2; // without a speed
    wrong[3].version = 1000000;
    wrong[4].connections = uses;
    wrong[4].connection_count = 2;
    for (uint32_t i = 0; i < 5; ++i) {
        static const vn_status must[5] = {VN_UNSUPPORTED, VN_BAD_ARGUMENT, VN_BAD_ARGUMENT, VN_STALE_ID,
                                          VN_BAD_ARGUMENT};
        vn_status status = vn_nav_watch_points(m->nav, many, 3, &wrong[i], &watch, NULL);
        VNT_REQUIRE(m, status == must[i] || status == VN_CAPACITY);
    }

    wrong[0].cookie ^= 1;
    VNT_REQUIRE(m, vn_nav_watch_points(m->nav, many, 3, &wrong[0], &watch, NULL) == VN_BAD_DEF);
    const vn_nav_result stale = {.id = m->last_request + 7};
    VNT_REQUIRE(m, vn_nav_watch(m->nav, &stale, &def, &watch, NULL) == VN_STALE_ID);
    ++m->refused;
}

/// The whole path, or some metres or seconds of it.
static void choose_horizon(vnt_model* m, vnt_watch* w, vn_watch_def* def) {
    w->horizon = one_in(&m->rng, 3) ? 0 : 0.5 + 15 * vni_rng_real(&m->rng);
    w->once = one_in(&m->rng, 4);
    w->user = vni_rng_next(&m->rng);
    def->once = w->once;
    def->user = w->user;
    def->horizon = w->horizon;
    if (w->horizon > 0 && one_in(&m->rng, 2)) {
        def->horizon = w->horizon / 2; // the farther one counts
        def->horizon_seconds = w->horizon / 4;
        def->speed = 4;
    }
}

/// The costs of the path count from this version on.
static void begin_costs(vnt_model* m, vnt_watch* w, uint64_t version) {
    const vnt_snapshot* s = version == 0 ? m->shown : vnt_model_find(m, version);
    w->change = 0;
    w->costs_known = s != NULL && w->at == 0 && costs_are_plain(m, w);
    w->base = w->costs_known ? cost_in(m, w, s) : 0;
}

void vnt_model_watch(vnt_model* m) {
    if (one_in(&m->rng, 12)) {
        watch_wrongly(m);
        return;
    }

    vnt_watch w = {0};
    vn_watch_def def = vn_default_watch_def();
    const vnt_request* request = one_in(&m->rng, 4) ? NULL : some_path(m);
    if (request != NULL)
        take_result(m, &w, request);
    else
        take_random_points(m, &w);

    choose_horizon(m, &w, &def);
    const bool by_result = request != NULL && one_in(&m->rng, 2), full = watch_count(m) == VNT_WATCHES;
    if (!by_result) {
        def.radius = m->def.layers[w.layer].radius;
        def.open_flags = m->def.layers[w.layer].open_flags;
        def.zone_flags = w.zone_flags;
        def.version = request != NULL ? request->result.version : 0;
        def.connections = w.uses;
        def.connection_count = w.use_count;
    }

    vnt_model_enter(m, by_result ? "watch" : "watch_points");
    const vn_status status = by_result ? vn_nav_watch(m->nav, &request->result, &def, &w.id, NULL)
                                       : vn_nav_watch_points(m->nav, w.points, w.count, &def, &w.id, NULL);
    VNT_REQUIRE(m, status == (full ? VN_CAPACITY : VN_OK));
    if (full)
        return;

    VNT_REQUIRE(m, w.id > m->last_watch);
    m->last_watch = w.id;
    w.began_at = m->tick;
    begin_costs(m, &w, request != NULL ? request->result.version : 0);
    *find(m, 0) = w;
}

static void gone(vnt_model* m, vnt_watch* w) {
    m->gone_watches[m->gone_watch_count++ % VNT_STALE] = w->id;
    memset(w, 0, sizeof *w);
}

static void watch_costs(vnt_model* m, vnt_watch* w) {
    const vnt_pin* pin = &m->pins[vni_rng_below(&m->rng, VNT_PINS)];
    const uint64_t version = one_in(&m->rng, 8) ? 1000000 : one_in(&m->rng, 2) ? 0 : pin->version;
    const uint32_t zone_flags = vni_rng_below(&m->rng, 2);
    vnt_model_enter(m, "watch_costs");

    vn_status status = vn_nav_watch_costs(m->nav, w->id, zone_flags, version);
    VNT_REQUIRE(m, status == (version == 1000000 ? VN_STALE_ID : VN_OK));
    if (status != VN_OK)
        return;

    w->zone_flags = zone_flags;
    begin_costs(m, w, version);
}

// -------------------------------------------------------------------------------------------------- progress

static vn_watch_info info_of(const vnt_model* m, const vnt_watch* w) {
    vn_watch_info info;
    VNT_REQUIRE(m, vn_nav_get_watch(m->nav, w->id, &info) == VN_OK);
    return info;
}

static void agent_is_at(vnt_model* m, vnt_watch* w, double metres) {
    const vn_watch_info info = info_of(m, w);
    VNT_REQUIRE(m, fabs(info.progress - metres) <= 1e-9 * (1 + metres));
    VNT_REQUIRE(m, fabs(info.length - length_to(m, w, w->count - 1)) <= 1e-9 * (1 + info.length));
    w->at = info.progress;
    w->costs_known = false;
}

static void advance(vnt_model* m, vnt_watch* w) {
    const uint32_t segment = vni_rng_below(&m->rng, w->count + 1);
    vnt_model_enter(m, "watch_advance");
    vn_status status = vn_nav_watch_advance(m->nav, w->id, segment);
    VNT_REQUIRE(m, status == (segment < w->count ? VN_OK : VN_BAD_ARGUMENT));
    if (status == VN_OK)
        agent_is_at(m, w, length_to(m, w, segment));
}

/// On by a little, exactly to the first block, or anywhere.
static void advance_to(vnt_model* m, vnt_watch* w) {
    const double length = length_to(m, w, w->count - 1);
    const vn_watch_info info = info_of(m, w);
    double metres = w->at + 3 * vni_rng_real(&m->rng);
    if (one_in(&m->rng, 4))
        metres = (length + 2) * vni_rng_real(&m->rng) - 1;

    if (one_in(&m->rng, 5))
        metres = info.progress + info.distance;

    vnt_model_enter(m, "watch_advance_to");
    VNT_REQUIRE(m, vn_nav_watch_advance_to(m->nav, w->id, NAN) == VN_BAD_ARGUMENT);
    VNT_REQUIRE(m, vn_nav_watch_advance_to(m->nav, w->id, metres) == VN_OK);
    agent_is_at(m, w, fmin(fmax(metres, 0), length));
}

/// From a place on the path to a point, metres.
static double distance_to(const vnt_model* m, const vnt_watch* w, double metres, vn_point p) {
    double fraction;
    const uint32_t i = place_at(m, w, metres, &fraction), next = i + 1 < w->count ? i + 1 : i;
    const vn_point a = w->points[i], b = w->points[next];
    const double x = a.x + fraction * ((double)b.x - a.x) - p.x,
                 y = a.y + fraction * ((double)b.y - a.y) - p.y,
                 z = a.z + fraction * ((double)b.z - a.z) - p.z;
    return step_of(m) * sqrt(x * x + y * y + z * z);
}

static double point_distance(const vnt_model* m, vn_point a, vn_point b) {
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return step_of(m) * sqrt(x * x + y * y + z * z);
}

/// To the place nearest to a point: none of many places ahead is nearer.
static void advance_near(vnt_model* m, vnt_watch* w) {
    const vn_point point =
        one_in(&m->rng, 3) ? w->points[vni_rng_below(&m->rng, w->count)] : vnt_model_point(m);
    vnt_model_enter(m, "watch_advance_near");
    VNT_REQUIRE(m, vn_nav_watch_advance_near(m->nav, w->id, point) == VN_OK);
    const vn_watch_info info = info_of(m, w);
    VNT_REQUIRE(m, info.progress >= w->at && info.progress <= info.length);

    // Points on both sides of a step by a connection have the same metres: any of them may be meant.
    double here = distance_to(m, w, info.progress, point);
    for (uint32_t i = 0; i < w->count; ++i)
        if (fabs(length_to(m, w, i) - info.progress) <= NUDGE)
            here = fmin(here, point_distance(m, w->points[i], point));

    for (uint32_t k = 1; k <= 64 && info.length > w->at + 65 * NUDGE; ++k) {
        const double there = distance_to(m, w, w->at + (info.length - w->at) * k / 64, point);
        VNT_REQUIRE(m, here <= there * (1 + 1e-9) + 2 * NUDGE);
    }

    agent_is_at(m, w, info.progress);
}

static void set_horizon(vnt_model* m, vnt_watch* w) {
    vnt_model_enter(m, "watch_set_horizon");
    VNT_REQUIRE(m, vn_nav_watch_set_horizon(m->nav, w->id, -1) == VN_BAD_ARGUMENT);
    w->horizon = one_in(&m->rng, 3) ? 0 : 10 * vni_rng_real(&m->rng);
    VNT_REQUIRE(m, vn_nav_watch_set_horizon(m->nav, w->id, w->horizon) == VN_OK);
}

static void call_with_stale_watch(vnt_model* m) {
    const uint32_t count = m->gone_watch_count < VNT_STALE ? m->gone_watch_count : VNT_STALE;
    const vn_watch_id id = count > 0 ? m->gone_watches[vni_rng_below(&m->rng, count)] : 0;
    vn_watch_info info;
    vnt_model_enter(m, "calls with a stale watch");
    VNT_REQUIRE(m, vn_nav_watch_advance(m->nav, id, 0) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_watch_advance_to(m->nav, id, 0) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_watch_advance_near(m->nav, id, (vn_point){0, 0, 0}) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_watch_set_horizon(m->nav, id, 1) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_get_watch(m->nav, id, &info) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_watch_costs(m->nav, id, 0, 0) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_unwatch(m->nav, id) == VN_STALE_ID);
}

void vnt_model_change_watch(vnt_model* m) {
    vnt_watch* w = &m->watches[vni_rng_below(&m->rng, VNT_WATCHES)];
    if (w->id == 0) {
        call_with_stale_watch(m);
        return;
    }

    switch (vni_rng_below(&m->rng, 9)) {
    case 0: watch_costs(m, w); return;
    case 1: advance(m, w); return;
    case 2:
    case 3:
    case 4: advance_to(m, w); return;
    case 5:
    case 6: advance_near(m, w); return;
    case 7: set_horizon(m, w); return;
    default: break;
    }
    vnt_model_enter(m, "unwatch");
    VNT_REQUIRE(m, vn_nav_unwatch(m->nav, w->id) == VN_OK);
    gone(m, w);
}

// ------------------------------------------------------------------------------------------------ events

/// Blocked and free take turns, and each is true in the version that the event names.
static void on_path_event(vnt_model* m, const vn_nav_event* e, bool blocked) {
    vnt_watch* w = find(m, e->watch);
    VNT_REQUIRE(m, w != NULL && e->watch != 0 && e->segment < w->count && e->user == w->user);
    VNT_REQUIRE(m, w->told != blocked && "blocked and free take turns");
    w->told = blocked;
    m->blocked += blocked;
    m->freed += !blocked;

    const vnt_snapshot* s = vnt_model_find(m, e->version);
    if (s != NULL && blocked) {
        uint32_t segments[2] = {0, 0};
        const double early = first_block(m, w, s, w->at - NUDGE, &segments[0]);
        const double late = first_block(m, w, s, w->at + NUDGE, &segments[1]);
        VNT_REQUIRE(m, is_blocked(m, w, s, NUDGE) && "a free path is not reported as blocked");
        if (early == late && segments[0] == segments[1])
            VNT_REQUIRE(m, e->segment == segments[0] &&
                               fabs(early - w->at - e->distance) <= 1e-5 * (1 + e->distance));
    } else if (s != NULL) {
        VNT_REQUIRE(m, !is_blocked(m, w, s, -NUDGE) && "a blocked path is not reported as free");
    }

    if (blocked && w->once)
        gone(m, w);
}

static void on_costs(vnt_model* m, const vn_nav_event* e) {
    vnt_watch* w = find(m, e->watch);
    VNT_REQUIRE(m, w != NULL && e->segment < w->count && e->user == w->user);
    VNT_REQUIRE(m, e->cost_change != 0 && !is_step(w, e->segment));
    VNT_REQUIRE(m, e->segment + 1 < w->count && length_to(m, w, e->segment + 1) >= w->at - NUDGE &&
                       "what the agent has passed is not told");
    w->change += e->cost_change;
    ++m->cost_events;
}

/// All events have been read: what was told is true in the version that is shown.
static bool agrees(const vnt_model* m, const vnt_watch* w) {
    const vn_watch_info info = info_of(m, w);
    if (!info.known)
        return false;
    if (w->told ? !is_blocked(m, w, m->shown, NUDGE) : is_blocked(m, w, m->shown, -NUDGE))
        return false;

    const double block = first_block(m, w, m->shown, w->at - NUDGE, NULL);
    const double later = first_block(m, w, m->shown, w->at + NUDGE, NULL);
    return block < later || info.blocked == (block < INFINITY);
}

/// After every tick whose version is certain: every watch that has been checked agrees, and in lockstep none
/// waits for its first check longer than two updates take.
static void check_all_told(vnt_model* m) {
    if (m->def.mode == VN_NAV_REALTIME && m->def.workers > 0)
        return;
    const uint64_t longest = m->def.mode == VN_NAV_LOCKSTEP ? 2 * m->def.latency + 1 : UINT32_MAX;
    for (uint32_t i = 0; i < VNT_WATCHES; ++i) {
        const vnt_watch* w = &m->watches[i];
        if (w->id == 0)
            continue;

        if (info_of(m, w).known)
            VNT_REQUIRE(m, agrees(m, w) && "what was told of a path is true in every version");
        else
            VNT_REQUIRE(m, m->excuses > 0 || m->tick <= w->began_at + longest);
        ++m->rechecked;
    }
}

void vnt_model_events(vnt_model* m) {
    vn_nav_event e;
    vnt_model_enter(m, "next_event");
    while (vn_nav_next_event(m->nav, &e)) {
        const uint64_t words[] = {e.version, e.watch, (uint64_t)e.kind, e.segment, e.user};
        vnt_mix(&m->trace, words, sizeof words);
        switch (e.kind) {
        case VN_EVENT_VERSION:
            VNT_REQUIRE(m, e.version > m->reported_version);
            m->reported_version = e.version;
            break;
        case VN_EVENT_PATH_BLOCKED: on_path_event(m, &e, true); break;
        case VN_EVENT_PATH_FREE: on_path_event(m, &e, false); break;
        case VN_EVENT_COSTS_CHANGED: on_costs(m, &e); break;
        default: VNT_REQUIRE(m, e.kind == VN_EVENT_VERSION && "an event of a known kind");
        }
    }

    check_all_told(m);
}

bool vnt_model_watches_agree(const vnt_model* m) {
    for (uint32_t i = 0; i < VNT_WATCHES; ++i) {
        const vnt_watch* w = &m->watches[i];
        if (w->id == 0)
            continue;
        if (!agrees(m, w))
            return false;

        const double must = w->costs_known ? cost_in(m, w, m->shown) : 0, is = w->base + w->change;
        if (w->costs_known && !(fabs(must - is) <= 1e-5 * (1 + must)))
            return false;
    }

    return true;
}

// -------------------------------------------------------------------------------------------------- pins

void vnt_model_pin(vnt_model* m) {
    vnt_pin* pin = &m->pins[vni_rng_below(&m->rng, VNT_PINS)];
    uint64_t version = 0;
    vnt_model_enter(m, "pin");
    VNT_REQUIRE(m, vn_nav_pin(m->nav, 99, 0, &version) == NULL && version == 0);
    if (pin->version != 0)
        return;

    pin->layer = vni_rng_below(&m->rng, m->def.layer_count);
    const vn_layer_def* layer = &m->def.layers[pin->layer];
    pin->space = vn_nav_pin(m->nav, (double)layer->radius, layer->open_flags, &pin->version);
    VNT_REQUIRE(m, pin->space != NULL && pin->version > 0);
    const vnt_snapshot* s = vnt_model_find(m, pin->version);
    pin->hash = vn_space_content_hash(pin->space);
    VNT_REQUIRE(m, s != NULL && pin->hash == s->hashes[pin->layer]);
}

static bool is_pinned(const vnt_model* m, uint64_t version) {
    for (uint32_t i = 0; i < VNT_PINS; ++i)
        if (m->pins[i].version == version)
            return true;
    return false;
}

void vnt_model_unpin(vnt_model* m) {
    vnt_pin* pin = &m->pins[vni_rng_below(&m->rng, VNT_PINS)];
    vnt_model_enter(m, "unpin");
    const uint64_t other = 1 + vni_rng_below(&m->rng, 30);
    if (!is_pinned(m, other))
        VNT_REQUIRE(m, vn_nav_unpin(m->nav, other) == VN_STALE_ID);

    if (pin->version == 0)
        return;

    const vn_zone* zones;
    const vn_box* boxes;
    uint32_t count;
    VNT_REQUIRE(m, vn_nav_get_zones(m->nav, pin->version, &zones, &count) == VN_OK && count <= VNT_ZONES);
    VNT_REQUIRE(m, vn_nav_get_cost_changes(m->nav, pin->version, &boxes, &count) == VN_OK);
    VNT_REQUIRE(m, vn_space_content_hash(pin->space) == pin->hash && "a pinned version does not change");
    VNT_REQUIRE(m, vn_nav_unpin(m->nav, pin->version) == VN_OK);
    *pin = (vnt_pin){0};
}
