/// tests/support/nav_model_watches.c: watched paths and their events, pinned versions, and what zones cost.
#include "nav_model.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// ------------------------------------------------------------------------------------------- cost of zones

/// The part [t0, t1] of the segment a + t d that lies inside a zone; false if none does.
static bool clip_box(const vn_box* box, const double a[3], const double d[3], double* t0, double* t1) {
    const double low[3] = {(double)box->min.x, (double)box->min.y, (double)box->min.z};
    const double high[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    for (int i = 0; i < 3; ++i) {
        if (d[i] == 0) {
            if (a[i] < low[i] || a[i] > high[i])
                return false;
            continue;
        }

        const double u = (low[i] - a[i]) / d[i], v = (high[i] - a[i]) / d[i];
        *t0 = fmax(*t0, fmin(u, v));
        *t1 = fmin(*t1, fmax(u, v));
    }

    return *t0 < *t1;
}

static bool clip_sphere(const vn_zone* z, const double a[3], const double d[3], double* t0, double* t1) {
    const double c[3] = {a[0] - (double)z->center.x, a[1] - (double)z->center.y, a[2] - (double)z->center.z};
    const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], cd = c[0] * d[0] + c[1] * d[1] + c[2] * d[2];
    const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - (double)z->radius * (double)z->radius;
    const double root = cd * cd - dd * cc;
    if (dd == 0 || root <= 0)
        return false;

    *t0 = fmax(*t0, (-cd - sqrt(root)) / dd);
    *t1 = fmin(*t1, (-cd + sqrt(root)) / dd);
    return *t0 < *t1;
}

static bool clip_planes(const vn_zone* z, const double a[3], const double d[3], double* t0, double* t1) {
    for (uint32_t i = 0; i < z->plane_count; ++i) {
        const double n[3] = {(double)z->planes[i].normal.x, (double)z->planes[i].normal.y,
                             (double)z->planes[i].normal.z};
        const double at = n[0] * a[0] + n[1] * a[1] + n[2] * a[2] - (double)z->planes[i].offset;
        const double slope = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
        if (slope == 0 && at > 0)
            return false;

        if (slope > 0)
            *t1 = fmin(*t1, -at / slope);

        if (slope < 0)
            *t0 = fmax(*t0, -at / slope);
    }

    return *t0 < *t1;
}

static bool clip(const vn_zone* z, const double a[3], const double d[3], double* t0, double* t1) {
    *t0 = 0;
    *t1 = 1;
    if (z->kind == VN_ZONE_BOX)
        return clip_box(&z->box, a, d, t0, t1);
    return z->kind == VN_ZONE_SPHERE ? clip_sphere(z, a, d, t0, t1) : clip_planes(z, a, d, t0, t1);
}

static int by_number(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

/// Between two neighbouring ends of zones the largest factor counts.
static double segment_cost(const vn_zone* zones, uint32_t count, uint32_t flags, const double a[3],
                           const double d[3]) {
    double from[VNT_ZONES], to[VNT_ZONES], ends[2 * VNT_ZONES + 2] = {0, 1};
    uint32_t end_count = 2;
    for (uint32_t i = 0; i < count; ++i) {
        const bool counts = zones[i].flags == 0 || (zones[i].flags & flags) != 0;
        if (!counts || !clip(&zones[i], a, d, &from[i], &to[i])) {
            from[i] = 2;
            to[i] = 2;
            continue;
        }

        ends[end_count++] = from[i];
        ends[end_count++] = to[i];
    }

    qsort(ends, end_count, sizeof *ends, by_number);

    double sum = 0;
    for (uint32_t k = 0; k + 1 < end_count; ++k) {
        const double middle = 0.5 * (ends[k] + ends[k + 1]);
        double factor = 0;
        for (uint32_t i = 0; i < count; ++i)
            if (from[i] <= middle && middle <= to[i])
                factor = fmax(factor, (double)zones[i].factor);
        sum += (ends[k + 1] - ends[k]) * (factor > 0 ? factor : 1);
    }

    return sum * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

double vnt_zone_cost(const vn_zone* zones, uint32_t count, uint32_t zone_flags, const vn_nav_def* def,
                     const vn_point* points, uint32_t point_count) {
    const double step = (double)def->space.resolution / VN_LATTICE;
    const vn_vec3 low = def->space.bounds.min;
    double sum = 0;
    for (uint32_t i = 0; i + 1 < point_count; ++i) {
        const vn_point p = points[i], q = points[i + 1];
        const double a[3] = {(double)low.x + p.x * step, (double)low.y + p.y * step,
                             (double)low.z + p.z * step};
        const double d[3] = {((double)q.x - p.x) * step, ((double)q.y - p.y) * step,
                             ((double)q.z - p.z) * step};
        sum += segment_cost(zones, count, zone_flags, a, d);
    }

    return sum;
}

static double cost_in(const vnt_model* m, const vnt_watch* w, const vnt_snapshot* s) {
    return vnt_zone_cost(s->zones, s->zone_count, w->zone_flags, &m->def, w->points, w->count);
}

// ----------------------------------------------------------------------------------------------- watches

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

/// The points of a result, or random ones.
static void take_points(vnt_model* m, vnt_watch* w) {
    w->layer = vni_rng_below(&m->rng, m->def.layer_count);
    w->count = 1 + vni_rng_below(&m->rng, 4);
    for (uint32_t i = 0; i < w->count; ++i)
        w->points[i] = vnt_model_point(m);

    if (one_in(&m->rng, 4))
        return;
    for (uint32_t i = 0; i < VNT_REQUESTS; ++i) {
        const vnt_request* request = &m->requests[i];
        if (request->state != VNT_COLLECTED || request->result.point_count == 0 ||
            request->result.connection_count > 0)
            continue;
        w->layer = vnt_model_layer(m, request->input.path.radius, request->input.path.open_flags);
        w->count = request->result.point_count;
        memcpy(w->points, request->result.points, w->count * sizeof *w->points);
    }
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
    vn_watch_id watch;
    vnt_model_enter(m, "watch wrongly");
    VNT_REQUIRE(m, vn_nav_watch(m->nav, many, 0, 0, 0, &watch) == VN_BAD_ARGUMENT);
    VNT_REQUIRE(m, vn_nav_watch(m->nav, many, VNT_POINTS + 1, 0, 0, &watch) == VN_CAPACITY);
    vn_status status = vn_nav_watch(m->nav, many, 1, 99, 0, &watch);
    VNT_REQUIRE(m, status == VN_UNSUPPORTED || status == VN_CAPACITY);
    ++m->refused;
}

void vnt_model_watch(vnt_model* m) {
    if (one_in(&m->rng, 12)) {
        watch_wrongly(m);
        return;
    }

    vnt_watch w = {0};
    take_points(m, &w);
    const vn_layer_def* layer = &m->def.layers[w.layer];
    const bool full = watch_count(m) == VNT_WATCHES;
    vnt_model_enter(m, "watch");

    vn_status status = vn_nav_watch(m->nav, w.points, w.count, layer->radius, layer->open_flags, &w.id);
    if (full) { // a watch whose event has not been read may already be gone
        VNT_REQUIRE(m, status == VN_CAPACITY || (status == VN_OK && m->events_wait));
        if (status == VN_OK)
            VNT_REQUIRE(m, vn_nav_unwatch(m->nav, m->last_watch = w.id) == VN_OK);
        return;
    }

    VNT_REQUIRE(m, status == VN_OK && w.id > m->last_watch);
    m->last_watch = w.id;
    w.costs_known = costs_are_plain(m, &w);
    w.base = w.costs_known ? cost_in(m, &w, m->shown) : 0;
    *find(m, 0) = w;
}

static void gone(vnt_model* m, vnt_watch* w) {
    m->gone_watches[m->gone_watch_count++ % VNT_STALE] = w->id;
    memset(w, 0, sizeof *w);
}

/// A call said that there is no such watch: only if its event has not been read yet.
static bool is_missing(vnt_model* m, vnt_watch* w, vn_status status) {
    if (status != VN_STALE_ID)
        return false;
    VNT_REQUIRE(m, m->events_wait);
    w->missing = true;
    return true;
}

static void watch_costs(vnt_model* m, vnt_watch* w) {
    const vnt_pin* pin = &m->pins[vni_rng_below(&m->rng, VNT_PINS)];
    const uint64_t version = one_in(&m->rng, 8) ? 1000000 : one_in(&m->rng, 2) ? 0 : pin->version;
    const uint32_t zone_flags = vni_rng_below(&m->rng, 2);
    vnt_model_enter(m, "watch_costs");

    vn_status status = vn_nav_watch_costs(m->nav, w->id, zone_flags, version);
    if (version == 1000000) {
        VNT_REQUIRE(m, status == VN_STALE_ID);
        return;
    }

    if (is_missing(m, w, status))
        return;
    VNT_REQUIRE(m, status == VN_OK);
    const vnt_snapshot* s = version == 0 ? m->shown : vnt_model_find(m, version);
    w->zone_flags = zone_flags;
    w->change = 0;
    w->costs_known = s != NULL && w->from == 0 && costs_are_plain(m, w);
    w->base = w->costs_known ? cost_in(m, w, s) : 0;
}

static void watch_from(vnt_model* m, vnt_watch* w) {
    const uint32_t segment = vni_rng_below(&m->rng, w->count + 1);
    vnt_model_enter(m, "watch_from");
    vn_status status = vn_nav_watch_advance(m->nav, w->id, segment);
    if (is_missing(m, w, status))
        return;

    VNT_REQUIRE(m, status == (segment < w->count ? VN_OK : VN_BAD_ARGUMENT));
    if (status != VN_OK)
        return;

    w->from = segment;
    w->costs_known = false;
}

static void call_with_stale_watch(vnt_model* m) {
    const uint32_t count = m->gone_watch_count < VNT_STALE ? m->gone_watch_count : VNT_STALE;
    const vn_watch_id id = count > 0 ? m->gone_watches[vni_rng_below(&m->rng, count)] : 0;
    vnt_model_enter(m, "calls with a stale watch");
    VNT_REQUIRE(m, vn_nav_watch_advance(m->nav, id, 0) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_watch_costs(m->nav, id, 0, 0) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_unwatch(m->nav, id) == VN_STALE_ID);
}

void vnt_model_change_watch(vnt_model* m) {
    vnt_watch* w = &m->watches[vni_rng_below(&m->rng, VNT_WATCHES)];
    if (w->id == 0) {
        call_with_stale_watch(m);
        return;
    }
    switch (vni_rng_below(&m->rng, 3)) {
    case 0: watch_costs(m, w); return;
    case 1: watch_from(m, w); return;
    default: break;
    }
    vnt_model_enter(m, "unwatch");
    if (!is_missing(m, w, vn_nav_unwatch(m->nav, w->id)))
        gone(m, w);
}

// ------------------------------------------------------------------------------------------------ events

/// Is the path ahead free in the snapshot?
static bool is_free(const vnt_model* m, const vnt_watch* w, const vnt_snapshot* s) {
    return vn_space_check_path(vnt_model_space(m, s, w->layer), w->points + w->from, w->count - w->from,
                               NULL);
}

static void on_blocked(vnt_model* m, const vn_nav_event* e) {
    vnt_watch* w = find(m, e->watch);
    VNT_REQUIRE(m, w != NULL && e->watch != 0 && "a path is reported once, and only while it is watched");
    VNT_REQUIRE(m, e->segment < w->count && e->segment >= w->from);
    const vnt_snapshot* s = vnt_model_find(m, e->version);
    if (s != NULL)
        VNT_REQUIRE(m, !is_free(m, w, s) && "a free path is not reported as blocked");

    gone(m, w);
    ++m->blocked;
}

static void on_costs(vnt_model* m, const vn_nav_event* e) {
    vnt_watch* w = find(m, e->watch);
    VNT_REQUIRE(m, w != NULL && !w->missing && e->segment < w->count && e->segment >= w->from);
    VNT_REQUIRE(m, e->cost_change != 0);
    w->change += e->cost_change;
    ++m->cost_events;
}

void vnt_model_events(vnt_model* m) {
    vn_nav_event e;
    vnt_model_enter(m, "next_event");
    while (vn_nav_next_event(m->nav, &e)) {
        vnt_mix(&m->trace, &e.version, sizeof e.version);
        vnt_mix(&m->trace, &e.watch, sizeof e.watch);
        switch (e.kind) {
        case VN_EVENT_VERSION:
            VNT_REQUIRE(m, e.version > m->reported_version);
            m->reported_version = e.version;
            break;
        case VN_EVENT_PATH_BLOCKED: on_blocked(m, &e); break;
        case VN_EVENT_COSTS_CHANGED: on_costs(m, &e); break;
        default: VNT_REQUIRE(m, e.kind == VN_EVENT_VERSION && "an event of a known kind");
        }
    }

    m->events_wait = false;
    for (uint32_t i = 0; i < VNT_WATCHES; ++i)
        VNT_REQUIRE(m, !m->watches[i].missing);
}

bool vnt_model_watches_agree(const vnt_model* m) {
    for (uint32_t i = 0; i < VNT_WATCHES; ++i) {
        const vnt_watch* w = &m->watches[i];
        if (w->id == 0)
            continue;
        if (!is_free(m, w, m->shown))
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
