/// curve/helix.c: where a segment is too steep, bends on a helix around it, eight to a turn.
///
/// The helix goes through both ends of the segment; its axis stands beside them. Its edges climb a little
/// less than the limit, because the arcs that round its bends climb more steeply in their middle.
#include "curve/curve_inside.h"

#define SIDES     8
#define MAX_SIDES (64 * SIDES)
/// Of the limit: what an edge may climb; cos(pi / 8) is 0.9239.
#define EDGE_SLOPE 0.92
/// Edge of an octagon, in radii of the circle around it: 2 sin(pi / 8).
#define EDGE 0.76536686473017954

static const double circle[SIDES][2] = {{1, 0},  {0.70710678118654752, 0.70710678118654752},
                                        {0, 1},  {-0.70710678118654752, 0.70710678118654752},
                                        {-1, 0}, {-0.70710678118654752, -0.70710678118654752},
                                        {0, -1}, {0.70710678118654752, -0.70710678118654752}};

/// A helix from a to b: `sides` edges around an axis that stands `radius` from them.
typedef struct helix {
    vni_vec a, b, east, north;
    double radius;
    uint32_t side, sides;
    bool is_left;
} helix;

static vni_vec helix_bend(const helix* h, uint32_t i) {
    if (i == 0 || i == h->sides)
        return i == 0 ? h->a : h->b;

    const double* first = circle[h->side];
    const double* now = circle[(h->side + (h->is_left ? i : SIDES - i % SIDES)) % SIDES];
    vni_vec at = vni_add_scaled(h->a, vni_sub(h->b, h->a), (double)i / h->sides);
    at = vni_add_scaled(at, h->east, h->radius * (now[0] - first[0]));
    return vni_add_scaled(at, h->north, h->radius * (now[1] - first[1]));
}

/// Edges needed, whole turns: each goes at least an octagon's edge less its share of the way from a to b.
static double sides_of(const vni_build* build, const helix* h) {
    vni_vec along = vni_sub(h->b, h->a);
    double rise = vni_abs(vni_dot(along, build->up));
    double run = vni_length(vni_add_scaled(along, build->up, -vni_dot(along, build->up)));
    double edges = (rise / (EDGE_SLOPE * build->def->max_slope) + run) / (EDGE * h->radius);
    return SIDES * (floor(edges / SIDES) + 1);
}

static bool helix_is_free(const vni_build* build, const helix* h) {
    for (uint32_t i = 0; i < h->sides; ++i) {
        vni_vec from = helix_bend(h, i), to = helix_bend(h, i + 1);
        if (!vni_build_is_free(build, from, to, build->margin) || !vni_build_is_flat(build, from, to))
            return false;
    }

    return true;
}

/// Tries all sides and both ways round, with one radius.
static bool find_helix(const vni_build* build, helix* h) {
    double sides = sides_of(build, h);
    if (!(sides <= MAX_SIDES))
        return false;

    h->sides = (uint32_t)sides;
    for (uint32_t i = 0; i < 2 * SIDES; ++i) {
        h->side = i / 2;
        h->is_left = i % 2 == 0;
        if (helix_is_free(build, h))
            return true;
    }

    return false;
}

static bool add_helix(vni_build* build, vni_bend a, vni_bend b) {
    vni_vec axis = vni_abs(build->up.x) < 0.7 ? vni_v(1, 0, 0) : vni_v(0, 0, 1);
    helix h = {.a = a.at, .b = b.at, .east = vni_curve_unit(vni_cross(build->up, axis))};
    h.north = vni_cross(build->up, h.east);
    double least = build->def->min_turn_radius, wanted = build->radius;
    for (int i = 0; i < 5; ++i, wanted /= 2) {
        h.radius = (wanted > least ? wanted : least) / EDGE_SLOPE;
        if (h.radius <= 4 * build->margin || !find_helix(build, &h))
            continue;

        ++build->helices;
        for (uint32_t k = 1; k < h.sides; ++k)
            if (!vni_build_add(build, (vni_bend){.at = helix_bend(&h, k), .source = a.source}))
                return false;

        return vni_build_add(build, b);
    }

    vni_build_refuse(build, a.source, "it is steeper than max_slope, and there is no free space for a helix");
    return false;
}

vn_status vni_curve_add_helices(vni_build* build) {
    const vni_bends* bends = &build->bends;
    if (!vni_is_finite(build->def->max_slope))
        return VN_OK;
    if (!vni_build_add(build, bends->data[0]))
        return build->status;

    for (uint64_t i = 0; i + 1 < bends->count; ++i) {
        vni_bend a = bends->data[i], b = bends->data[i + 1];
        bool is_flat = vni_build_is_flat(build, a.at, b.at);
        if (!(is_flat ? vni_build_add(build, b) : add_helix(build, a, b)))
            return build->status;
    }

    vni_build_swap(build);
    return VN_OK;
}
