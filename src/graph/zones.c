/// graph/zones.c: clips a segment to zones and adds up the costs of its parts.
///
/// Boxes by slabs (Kay and Kajiya 1986), hulls by half-spaces (Cyrus and Beck 1978), balls by the chord.
#include "graph/zones.h"
#include "base/assert.h"
#include "geom/units.h"

#include <math.h>

/// The part of a segment inside a zone: parameters from 0 to 1.
typedef struct span {
    double from, to, factor;
} span;

static double lesser(double a, double b) {
    return a < b ? a : b;
}

vni_zones vni_zones_make(const vni_zone* zones, uint32_t count) {
    VNI_ASSERT(count <= VNI_MAX_ZONES && (zones != NULL || count == 0));
    vni_zones out = {.zones = zones, .count = count, .least = 1};
    for (uint32_t i = 0; i < count; ++i) {
        VNI_ASSERT(zones[i].factor > 0);
        out.least = lesser(zones[i].factor, out.least);
    }

    return out;
}

void vni_zones_add_round(vni_zones* zones, const vni_zone_ball* balls, uint32_t ball_count,
                         const vni_zone_hull* hulls, uint32_t hull_count) {
    VNI_ASSERT(zones->count + ball_count + hull_count <= VNI_MAX_ZONES);

    zones->balls = balls;
    zones->ball_count = ball_count;
    zones->hulls = hulls;
    zones->hull_count = hull_count;
    for (uint32_t i = 0; i < ball_count; ++i) {
        VNI_ASSERT(balls[i].factor > 0 && balls[i].radius >= 0);
        zones->least = lesser(balls[i].factor, zones->least);
    }

    for (uint32_t i = 0; i < hull_count; ++i) {
        VNI_ASSERT(hulls[i].factor > 0);
        zones->least = lesser(hulls[i].factor, zones->least);
    }
}

static bool clip_box(const vni_zone* zone, const double a[3], const double b[3], span* out) {
    out->from = 0;
    out->to = 1;
    out->factor = zone->factor;
    for (int i = 0; i < 3; ++i) {
        double d = b[i] - a[i];
        if (d == 0) {
            if (a[i] < zone->low[i] || a[i] > zone->high[i])
                return false;
            continue;
        }

        double t0 = (zone->low[i] - a[i]) / d, t1 = (zone->high[i] - a[i]) / d;
        double enter = t0 < t1 ? t0 : t1, leave = t0 < t1 ? t1 : t0;
        out->from = enter > out->from ? enter : out->from;
        out->to = leave < out->to ? leave : out->to;
    }

    return out->from < out->to;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The chord extends equally to both sides of the line's point nearest to the centre.
static bool clip_ball(const vni_zone_ball* ball, const double a[3], const double b[3], span* out) {
    double segment[3], arm[3];
    for (int i = 0; i < 3; ++i) {
        segment[i] = b[i] - a[i];
        arm[i] = ball->center[i] - a[i];
    }

    double length2 = dot(segment, segment);
    if (length2 == 0)
        return false;

    double nearest = dot(arm, segment) / length2;
    for (int i = 0; i < 3; ++i)
        arm[i] -= nearest * segment[i];

    double chord2 = ball->radius * ball->radius - dot(arm, arm);
    if (!(chord2 > 0))
        return false;

    double half = sqrt(chord2 / length2);
    out->from = nearest - half > 0 ? nearest - half : 0;
    out->to = nearest + half < 1 ? nearest + half : 1;
    out->factor = ball->factor;
    return out->from < out->to;
}

static bool clip_hull(const vni_zone_hull* hull, const double a[3], const double b[3], span* out) {
    out->from = 0;
    out->to = 1;
    out->factor = hull->factor;
    for (uint32_t i = 0; i < hull->plane_count; ++i) {
        const vni_zone_plane* plane = &hull->planes[i];
        double before = dot(plane->normal, a) - plane->offset, after = dot(plane->normal, b) - plane->offset;
        if (before > 0 && after > 0)
            return false;
        if (before == after)
            continue;

        // Descending through the plane the segment enters, ascending it leaves.
        double t = before / (before - after);
        if (before > after)
            out->from = t > out->from ? t : out->from;
        else
            out->to = t < out->to ? t : out->to;
    }

    return out->from < out->to;
}

/// The parts of the segment inside zones; returns their number.
static uint32_t clip_all(const vni_zones* zones, const double a[3], const double b[3], span* spans) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < zones->count; ++i)
        count += clip_box(&zones->zones[i], a, b, &spans[count]);

    for (uint32_t i = 0; i < zones->ball_count; ++i)
        count += clip_ball(&zones->balls[i], a, b, &spans[count]);

    for (uint32_t i = 0; i < zones->hull_count; ++i)
        count += clip_hull(&zones->hulls[i], a, b, &spans[count]);

    VNI_ASSERT(count <= VNI_MAX_ZONES);

    return count;
}

/// The largest factor of the spans that contain t; 1 if none does.
static double factor_at(const span* spans, uint32_t count, double t) {
    double factor = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (t > spans[i].from && t < spans[i].to && spans[i].factor > factor)
            factor = spans[i].factor;
    return factor > 0 ? factor : 1;
}

static void insert(double* sorted, uint32_t count, double value) {
    while (count > 0 && sorted[count - 1] > value) {
        sorted[count] = sorted[count - 1];
        --count;
    }
    sorted[count] = value;
}

uint32_t vni_zones_parts(const vni_zones* zones, const double a[3], const double b[3],
                         vni_zone_part parts[VNI_MAX_ZONE_PARTS]) {
    span spans[VNI_MAX_ZONES];
    double cuts[2 * VNI_MAX_ZONES + 2];
    uint32_t count = clip_all(zones, a, b, spans), cut_count = 2, part_count = 0;
    if (count == 0)
        return 0;

    // Between two neighbouring cuts the set of zones, and so the factor, is constant: the middle decides.
    cuts[0] = 0;
    cuts[1] = 1;
    for (uint32_t i = 0; i < count; ++i) {
        insert(cuts, cut_count++, spans[i].from);
        insert(cuts, cut_count++, spans[i].to);
    }

    for (uint32_t i = 1; i < cut_count; ++i)
        if (cuts[i] > cuts[i - 1])
            parts[part_count++] = (vni_zone_part){cuts[i] - cuts[i - 1],
                                                  factor_at(spans, count, 0.5 * (cuts[i] + cuts[i - 1]))};

    return part_count;
}

double vni_zones_cost(const vni_zones* zones, const double a[3], const double b[3]) {
    vni_zone_part parts[VNI_MAX_ZONE_PARTS];
    uint32_t count = vni_zones_parts(zones, a, b, parts);
    double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2], length = sqrt(x * x + y * y + z * z);
    if (count == 0)
        return length;

    double sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += parts[i].share * parts[i].factor;

    return sum * length;
}

static double zone_segment(const void* self, vn_point from, vn_point to) {
    double a[3], b[3];
    vni_point_to_voxels(from, a);
    vni_point_to_voxels(to, b);
    return vni_zones_cost((const vni_zones*)self, a, b);
}

vni_cost vni_cost_zones(vni_metric metric, uint32_t neighbours, const vni_zones* zones) {
    vni_cost cost = vni_cost_length(metric, neighbours);
    cost.self = zones;
    cost.is_length = false;
    cost.least = zones->least;
    cost.segment = zone_segment;
    return cost;
}

// -------------------------------------------------------------------------------------------- added at nodes

static bool box_holds(const vni_zone* box, const double p[3]) {
    for (int i = 0; i < 3; ++i)
        if (p[i] < box->low[i] || p[i] > box->high[i])
            return false;
    return true;
}

static bool ball_holds(const vni_zone_ball* ball, const double p[3]) {
    const double arm[3] = {p[0] - ball->center[0], p[1] - ball->center[1], p[2] - ball->center[2]};
    return dot(arm, arm) <= ball->radius * ball->radius;
}

static bool hull_holds(const vni_zone_hull* hull, const double p[3]) {
    for (uint32_t i = 0; i < hull->plane_count; ++i)
        if (dot(hull->planes[i].normal, p) > hull->planes[i].offset)
            return false;
    return true;
}

double vni_zones_at(const vni_zones* zones, const double point[3]) {
    double most = 0;
    for (uint32_t i = 0; i < zones->count; ++i)
        if (zones->zones[i].factor > most && box_holds(&zones->zones[i], point))
            most = zones->zones[i].factor;

    for (uint32_t i = 0; i < zones->ball_count; ++i)
        if (zones->balls[i].factor > most && ball_holds(&zones->balls[i], point))
            most = zones->balls[i].factor;

    for (uint32_t i = 0; i < zones->hull_count; ++i)
        if (zones->hulls[i].factor > most && hull_holds(&zones->hulls[i], point))
            most = zones->hulls[i].factor;

    return most;
}

// ---------- a box in zones

/// How a zone meets a box.
typedef enum meeting { APART, PARTLY, WHOLLY } meeting;

static meeting meet_box(const vni_zone* zone, const double low[3], const double high[3]) {
    bool holds = true;
    for (int i = 0; i < 3; ++i) {
        if (!(low[i] < zone->high[i]) || !(high[i] > zone->low[i]))
            return APART;
        holds = holds && low[i] >= zone->low[i] && high[i] <= zone->high[i];
    }
    return holds ? WHOLLY : PARTLY;
}

static meeting meet_ball(const vni_zone_ball* ball, const double low[3], const double high[3]) {
    const double limit = ball->radius * ball->radius;
    double nearest = 0, farthest = 0; // squares
    for (int i = 0; i < 3; ++i) {
        const double below = low[i] - ball->center[i], above = ball->center[i] - high[i];
        const double near = below > 0 ? below : above > 0 ? above : 0;
        const double far = below < above ? below : above; // the negative of the greater distance
        nearest += near * near;
        farthest += far * far;
    }
    return !(nearest < limit) ? APART : farthest <= limit ? WHOLLY : PARTLY;
}

/// May take a hull for near that no single plane parts from the box.
static meeting meet_hull(const vni_zone_hull* hull, const double low[3], const double high[3]) {
    bool holds = true;
    for (uint32_t i = 0; i < hull->plane_count; ++i) {
        const vni_zone_plane* plane = &hull->planes[i];
        double deepest[3], outermost[3];
        for (int k = 0; k < 3; ++k) {
            deepest[k] = plane->normal[k] > 0 ? low[k] : high[k];
            outermost[k] = plane->normal[k] > 0 ? high[k] : low[k];
        }
        if (!(dot(plane->normal, deepest) < plane->offset))
            return APART;
        holds = holds && dot(plane->normal, outermost) <= plane->offset;
    }
    return holds ? WHOLLY : PARTLY;
}

typedef struct most_cost {
    double factor;
    bool covered; ///< one of the zones holds all of the box
} most_cost;

static void take(most_cost* most, meeting how, double factor) {
    if (how == APART)
        return;
    most->factor = factor > most->factor ? factor : most->factor;
    most->covered = most->covered || how == WHOLLY;
}

double vni_zones_most(const vni_zones* zones, const double low[3], const double high[3]) {
    most_cost most = {0, false};
    for (uint32_t i = 0; i < zones->count; ++i)
        take(&most, meet_box(&zones->zones[i], low, high), zones->zones[i].factor);
    for (uint32_t i = 0; i < zones->ball_count; ++i)
        take(&most, meet_ball(&zones->balls[i], low, high), zones->balls[i].factor);
    for (uint32_t i = 0; i < zones->hull_count; ++i)
        take(&most, meet_hull(&zones->hulls[i], low, high), zones->hulls[i].factor);
    return most.covered || most.factor > 1 ? most.factor : 1;
}

bool vni_zones_weigh(const vni_zones* zones) {
    bool weigh = false;
    for (uint32_t i = 0; i < zones->count; ++i)
        weigh = weigh || zones->zones[i].factor != 1;
    for (uint32_t i = 0; i < zones->ball_count; ++i)
        weigh = weigh || zones->balls[i].factor != 1;
    for (uint32_t i = 0; i < zones->hull_count; ++i)
        weigh = weigh || zones->hulls[i].factor != 1;
    return weigh;
}

static double added_segment(const void* self, vn_point from, vn_point to) {
    double at[3];
    vni_point_to_voxels(to, at);
    return vni_distance(from, to) + vni_zones_at((const vni_zones*)self, at);
}

vni_cost vni_cost_added(vni_metric metric, uint32_t neighbours, const vni_zones* zones) {
    vni_cost cost = vni_cost_length(metric, neighbours);
    cost.self = zones;
    cost.is_length = false;
    cost.segment = added_segment;
    cost.at_nodes = true;
    return cost;
}
