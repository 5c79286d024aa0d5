/// path/funnel_view.c: the field of view as a cone, clipped by planes through the anchor.
///
/// Clipping a ring of corners by a plane is the algorithm of Sutherland and Hodgman (1974). Corners are
/// directions from the anchor, of any length: all planes go through the anchor, so lengths do not matter.
#include "base/assert.h"
#include "path/funnel_inside.h"

/// What is outside a plane by no more than this share of the lengths involved counts as inside, so that views
/// which only just touch are not lost to rounding.
#define NOISE 1e-13

static vni_vec unit(vni_vec v) {
    double length = vni_length(v);
    return length > 0 ? vni_scale(v, 1 / length) : v;
}

// -------------------------------------------------------------------------------------------------- clipping

static double reach(vni_vec v) {
    return vni_abs(v.x) + vni_abs(v.y) + vni_abs(v.z);
}

static bool is_same(vni_vec a, vni_vec b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// False if the cone has no corner to spare.
static bool put(vni_cone* view, vni_vec corner) {
    if (view->count > 0 && is_same(view->corners[view->count - 1], corner))
        return true;
    if (view->count == VNI_CONE_CORNERS)
        return false;
    view->corners[view->count++] = corner;
    return true;
}

/// Drops the last corner if it repeats the first.
static void close_ring(vni_cone* view) {
    if (view->count > 1 && is_same(view->corners[0], view->corners[view->count - 1]))
        --view->count;
}

/// Where the plane cuts the edge between a corner inside and one outside.
static vni_vec cut(vni_vec inside, double above, vni_vec outside, double below) {
    return vni_add_scaled(inside, vni_sub(outside, inside), above / (above - below));
}

/// How far each corner is on the side of the plane that its normal points to; 0 for noise. Returns how many
/// are outside.
static uint32_t measure(const vni_cone* view, vni_vec normal, double* above) {
    uint32_t outside = 0;
    double noise = NOISE * reach(normal);
    for (uint32_t i = 0; i < view->count; ++i) {
        above[i] = vni_dot(normal, view->corners[i]);
        if (above[i] < 0 && above[i] >= -noise * reach(view->corners[i]))
            above[i] = 0;
        outside += above[i] < 0;
    }

    return outside;
}

/// Keeps what is on the side of the plane that its normal points to. A view that would get more corners
/// than VNI_CONE_CORNERS counts as empty: the funnel then turns a portal sooner.
static void clip(vni_cone* view, vni_vec normal) {
    double above[VNI_CONE_CORNERS];
    if (measure(view, normal, above) == 0)
        return;

    vni_cone out = {.count = 0};
    bool fits = true;
    for (uint32_t i = 0; i < view->count; ++i) {
        uint32_t k = i + 1 < view->count ? i + 1 : 0;
        vni_vec here = view->corners[i], next = view->corners[k];
        if (above[i] >= 0)
            fits = fits && put(&out, here);

        if (above[i] > 0 && above[k] < 0)
            fits = fits && put(&out, cut(here, above[i], next, above[k]));

        if (above[i] < 0 && above[k] > 0)
            fits = fits && put(&out, cut(next, above[k], here, above[i]));
    }

    close_ring(&out);
    out.count = fits ? out.count : 0;
    *view = out;
}

/// The corners of a portal as seen from the anchor, in order.
static vni_cone outline(vn_point anchor, const vni_lattice_portal* portal) {
    const double from[3] = {anchor.x, anchor.y, anchor.z};
    const int *others = vni_other_axes[portal->axis], a = others[0], b = others[1];
    vni_cone out = {.count = 0};
    for (int i = 0; i < 4; ++i) {
        vni_vec corner = {0, 0, 0};
        vni_v_set(&corner, portal->axis, portal->plane - from[portal->axis]);
        vni_v_set(&corner, a, (i == 1 || i == 2 ? portal->high[0] : portal->low[0]) - from[a]);
        vni_v_set(&corner, b, (i >= 2 ? portal->high[1] : portal->low[1]) - from[b]);
        put(&out, corner);
    }

    close_ring(&out);
    return out;
}

// ---------------------------------------------------------------------------------------------- seen edge-on

/// Directions in a plane across `axis` that lie within less than half a turn: the two outermost.
static void outermost(const vni_cone* view, int axis, vni_vec* right, vni_vec* left) {
    VNI_ASSERT(view->count > 0);

    *right = *left = view->corners[0];
    for (uint32_t i = 1; i < view->count; ++i) {
        vni_vec v = view->corners[i];
        if (vni_v_get(vni_cross(*right, v), axis) < 0)
            *right = v;
        if (vni_v_get(vni_cross(*left, v), axis) > 0)
            *left = v;
    }
}

/// Clips what lies in a plane across `axis` to the sector of the directions in `sector`, which lies there
/// too.
static void clip_to_sector(vni_cone* view, const vni_cone* sector, int axis) {
    vni_vec right, left, up = {0, 0, 0};
    outermost(sector, axis, &right, &left);
    right = unit(right);
    left = unit(left);
    vni_v_set(&up, axis, 1);
    clip(view, vni_cross(up, right));
    clip(view, vni_cross(left, up));
    clip(view, vni_add(right, left));
}

static void clip_edge_on(vni_cone* view, vn_point anchor, const vni_lattice_portal* portal) {
    vni_vec up = {0, 0, 0};
    vni_v_set(&up, portal->axis, 1);
    clip(view, up);
    clip(view, vni_scale(up, -1));
    for (uint32_t i = 0; i < view->count; ++i)
        vni_v_set(&view->corners[i], portal->axis, 0);

    const vni_cone sector = outline(anchor, portal);
    clip_to_sector(view, &sector, portal->axis);
}

// ------------------------------------------------------------------------------------------------------ view

/// From the anchor to the portal's plane.
static double height(vn_point anchor, const vni_lattice_portal* portal) {
    const double from[3] = {anchor.x, anchor.y, anchor.z};
    return portal->plane - from[portal->axis];
}

vni_cone vni_cone_through(vn_point anchor, const vni_lattice_portal* portal) {
    VNI_ASSERT(!vni_lattice_portal_holds(portal, anchor));
    vni_cone seen = outline(anchor, portal);
    if (height(anchor, portal) == 0) {
        vni_cone sector = {.count = 2};
        outermost(&seen, portal->axis, &sector.corners[0], &sector.corners[1]);
        seen = sector;
    }

    return seen;
}

/// A plane through the anchor and an edge of the portal: the directions that pass it on the side of higher
/// (`up`) coordinates along `axis`, which are `edge` there.
static vni_vec edge_plane(vn_point anchor, const vni_lattice_portal* portal, int axis, int32_t edge,
                          bool up) {
    const double from[3] = {anchor.x, anchor.y, anchor.z};
    double h = height(anchor, portal), side = up ? 1 : -1;
    vni_vec normal = {0, 0, 0};
    vni_v_set(&normal, axis, side * vni_abs(h));
    vni_v_set(&normal, portal->axis, -side * (edge - from[axis]) * (h > 0 ? 1 : -1));
    return normal;
}

static void clip_to_portal(vni_cone* view, vn_point anchor, const vni_lattice_portal* portal) {
    if (portal->low[0] == portal->high[0] ||
        portal->low[1] == portal->high[1]) { // else the four planes see to it
        vni_vec ahead = {0, 0, 0};
        vni_v_set(&ahead, portal->axis, height(anchor, portal));
        clip(view, ahead);
    }

    for (int i = 0; i < 2 && view->count > 0; ++i) {
        int axis = vni_other_axes[portal->axis][i];
        clip(view, edge_plane(anchor, portal, axis, portal->low[i], true));
        clip(view, edge_plane(anchor, portal, axis, portal->high[i], false));
    }
}

bool vni_cone_narrow(vni_cone* view, vn_point anchor, const vni_lattice_portal* portal) {
    VNI_ASSERT(view->count > 0);

    vni_cone narrow = *view;
    if (height(anchor, portal) != 0)
        clip_to_portal(&narrow, anchor, portal);
    else if (vni_lattice_portal_holds(portal, anchor)) // no straight segment comes back to it
        return false;
    else
        clip_edge_on(&narrow, anchor, portal);

    if (narrow.count == 0)
        return false;
    *view = narrow;
    return true;
}

/// Where a direction of the view meets the portal's plane; rounding does not carry it out of the portal.
static vni_vec project(vni_vec direction, vn_point anchor, const vni_lattice_portal* portal) {
    const double from[3] = {anchor.x, anchor.y, anchor.z};
    double h = height(anchor, portal), along = vni_v_get(direction, portal->axis);
    vni_vec out = {0, 0, 0};
    vni_v_set(&out, portal->axis, h);
    for (int i = 0; i < 2; ++i) {
        int axis = vni_other_axes[portal->axis][i];
        double moved = along * h > 0 ? vni_v_get(direction, axis) * (h / along) : 0;
        vni_v_set(&out, axis, vni_clamp(moved, portal->low[i] - from[axis], portal->high[i] - from[axis]));
    }

    return out;
}

vni_cone vni_cone_on(const vni_cone* view, vn_point anchor, const vni_lattice_portal* portal) {
    VNI_ASSERT(view->count > 0);

    vni_cone out = {.count = 0};
    if (height(anchor, portal) != 0) {
        for (uint32_t i = 0; i < view->count; ++i)
            put(&out, project(view->corners[i], anchor, portal));
        close_ring(&out);
        return out;
    }

    const vni_cone whole = outline(anchor, portal);
    out = whole;
    clip_to_sector(&out, view, portal->axis);
    return out.count > 0 ? out : whole;
}
