/// path/funnel_portal.c: portals on the lattice, and the exact test whether a route crosses them.
///
/// Places on a leg are fractions of integers and compared by cross-multiplication, so no test depends on
/// rounding.
#include "base/assert.h"
#include "geom/lattice.h"
#include "geom/units.h"
#include "path/funnel.h"
#include "path/funnel_inside.h"

// ---------------------------------------------------------------------------------------------- portals

static int64_t floor_of(double x) {
    int64_t whole = (int64_t)x;
    return (double)whole > x ? whole - 1 : whole;
}

static int32_t round_down(double x) {
    VNI_ASSERT(x >= -VNI_LATTICE_LIMIT && x <= VNI_LATTICE_LIMIT);
    return (int32_t)floor_of(x);
}

vni_lattice_portal vni_lattice_portal_of(const vni_portal* portal) {
    VNI_ASSERT(portal->axis >= 0 && portal->axis < 3);

    vni_lattice_portal rect = {
        portal->axis, round_down(vni_voxels_to_steps((double)portal->plane)), {0, 0}, {0, 0}};
    for (int i = 0; i < 2; ++i) {
        VNI_ASSERT(portal->low[i] <= portal->high[i]);
        rect.low[i] = -round_down(vni_voxels_to_steps(-(double)portal->low[i]));
        rect.high[i] = round_down(vni_voxels_to_steps((double)portal->high[i]));
        rect.high[i] = rect.high[i] > rect.low[i] ? rect.high[i] : rect.low[i];
    }

    return rect;
}

vni_lattice_portal vni_lattice_portal_inside(const vni_portal* portal) {
    vni_lattice_portal rect = vni_lattice_portal_of(portal);
    for (int i = 0; i < 2; ++i) {
        if (rect.high[i] - rect.low[i] >= 2) {
            ++rect.low[i];
            --rect.high[i];
        } else {
            rect.high[i] = rect.low[i];
        }
    }

    return rect;
}

bool vni_lattice_portal_holds(const vni_lattice_portal* portal, vn_point point) {
    const int32_t at[3] = {point.x, point.y, point.z};
    const int* others = vni_other_axes[portal->axis];
    return at[portal->axis] == portal->plane && at[others[0]] >= portal->low[0] &&
           at[others[0]] <= portal->high[0] && at[others[1]] >= portal->low[1] &&
           at[others[1]] <= portal->high[1];
}

vn_point vni_lattice_portal_nearest(const vni_lattice_portal* portal, vn_point from, vni_vec offset) {
    const int32_t base[3] = {from.x, from.y, from.z};
    int32_t out[3];
    out[portal->axis] = portal->plane;
    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[portal->axis][i];
        double low = (double)portal->low[i] - base[k], high = (double)portal->high[i] - base[k];
        out[k] = (int32_t)(base[k] + floor_of(vni_clamp(vni_v_get(offset, k) + 0.5, low, high)));
    }

    vn_point p = {out[0], out[1], out[2]};
    return p;
}

// -------------------------------------------------------------------------------------------------- crossing

/// A place on a leg, from 0 to 1, as a fraction. Both numbers are differences of coordinates: the product of
/// two fits in an int64.
typedef struct place {
    int64_t over, under; ///< under > 0
} place;

static bool is_before(place a, place b) {
    return a.over * b.under < b.over * a.under;
}

static place later(place a, place b) {
    return is_before(a, b) ? b : a;
}

static place sooner(place a, place b) {
    return is_before(b, a) ? b : a;
}

/// A part of a leg.
typedef struct stretch {
    place from, to;
} stretch;

/// A leg across the portal's plane meets it in one place.
static bool cross_at(const vni_lattice_portal* portal, const int64_t a[3], const int64_t d[3], stretch* out) {
    int64_t sign = d[portal->axis] > 0 ? 1 : -1;
    const place at = {(portal->plane - a[portal->axis]) * sign, d[portal->axis] * sign};
    if (at.over < 0 || at.over > at.under)
        return false;

    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[portal->axis][i];
        int64_t moved = d[k] * at.over;
        if (moved < (portal->low[i] - a[k]) * at.under || moved > (portal->high[i] - a[k]) * at.under)
            return false;
    }

    out->from = out->to = at;
    return true;
}

/// A leg in the portal's plane.
static bool slide_over(const vni_lattice_portal* portal, const int64_t a[3], const int64_t d[3],
                       stretch* out) {
    stretch part = {{0, 1}, {1, 1}};
    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[portal->axis][i];
        if (d[k] == 0 && (a[k] < portal->low[i] || a[k] > portal->high[i]))
            return false;
        if (d[k] == 0)
            continue;

        int64_t sign = d[k] > 0 ? 1 : -1;
        const place low = {(portal->low[i] - a[k]) * sign, d[k] * sign},
                    high = {(portal->high[i] - a[k]) * sign, d[k] * sign};
        part.from = later(part.from, sign > 0 ? low : high);
        part.to = sooner(part.to, sign > 0 ? high : low);
    }

    *out = part;
    return !is_before(part.to, part.from);
}

static bool is_in_range(vn_point p) {
    const vni_vec v = vni_abs_each(vni_v_of_point(p));
    return v.x <= VNI_LATTICE_LIMIT && v.y <= VNI_LATTICE_LIMIT && v.z <= VNI_LATTICE_LIMIT;
}

/// The part of the leg from a to b that lies in the closed portal. False if there is none.
static bool meet(const vni_lattice_portal* portal, vn_point a, vn_point b, stretch* out) {
    VNI_ASSERT(is_in_range(a) && is_in_range(b));
    const int64_t from[3] = {a.x, a.y, a.z},
                  d[3] = {(int64_t)b.x - a.x, (int64_t)b.y - a.y, (int64_t)b.z - a.z};
    if (d[portal->axis] != 0)
        return cross_at(portal, from, d, out);
    return from[portal->axis] == portal->plane && slide_over(portal, from, d, out);
}

/// Moves `at` on to the first place where the leg is in the portal. False if there is none from there on.
static bool go_on(const vni_portal* portal, vn_point a, vn_point b, place* at) {
    vni_lattice_portal rect = vni_lattice_portal_of(portal);
    stretch part = {{0, 1}, {0, 1}};
    if (!meet(&rect, a, b, &part) || is_before(part.to, *at))
        return false;
    *at = later(*at, part.from);
    return true;
}

uint32_t vni_portals_missed(const vni_portal* portals, uint32_t first, uint32_t last, vn_point a,
                            vn_point b) {
    VNI_ASSERT(first <= last);
    place at = {0, 1};
    while (first < last && go_on(&portals[first], a, b, &at))
        ++first;
    return first;
}

// -------------------------------------------------------------------------------------------------- corridor

/// A set: how many portals may have been crossed at a vertex, `least` + b for each bit b. A vertex in the
/// shared edge of several portals can count for any of them, so all counts are followed at once.
typedef struct crossed {
    uint32_t least;
    uint64_t bits;
} crossed;

static bool has(const crossed* set, uint32_t number) {
    return number >= set->least && number - set->least < 64 && set->bits >> (number - set->least) & 1;
}

static void add(crossed* set, uint32_t number) {
    if (set->bits == 0)
        set->least = number;
    if (number - set->least < 64)
        set->bits |= (uint64_t)1 << (number - set->least);
}

/// The set holds a greater number.
static bool has_more(const crossed* set, uint32_t number) {
    return number - set->least < 63 && set->bits >> (number - set->least) >> 1;
}

/// What may have been crossed after the leg from a to b, which lies in the last portal crossed; at the end of
/// the route (`is_last`) it may lie anywhere, and all must have been crossed.
static crossed after_leg(const vni_portal* portals, uint32_t count, vn_point a, vn_point b,
                         const crossed* before, bool is_last) {
    crossed after = {0, 0};
    place at = {0, 1};
    bool is_on = false; // the leg has crossed `number` portals at `at`, as early as it can
    for (uint32_t number = before->least; number <= count; ++number) {
        if (has(before, number)) {
            at = (place){0, 1};
            is_on = true;
        }

        if (!is_on && !has_more(before, number))
            break;
        if (is_on && is_last && number == count)
            add(&after, number);

        if (is_on && !is_last && number > 0) {
            vni_lattice_portal portal = vni_lattice_portal_of(&portals[number - 1]);
            if (vni_lattice_portal_holds(&portal, b))
                add(&after, number);
        }

        is_on = is_on && number < count && go_on(&portals[number], a, b, &at);
    }

    return after;
}

bool vni_is_in_corridor(const vni_portal* portals, uint32_t count, const vn_point* points,
                        uint32_t point_count) {
    if (point_count == 0)
        return false;
    crossed now = {0, 1};
    uint32_t last = point_count > 1 ? point_count - 1 : 1;
    for (uint32_t i = 1; i <= last && now.bits != 0; ++i)
        now = after_leg(portals, count, points[i - 1], points[i < point_count ? i : i - 1], &now, i == last);

    return now.bits != 0;
}
