/// tests/unit/path/corridors.h: random corridors: rows of boxes, each touching the next in a rectangle. For
/// tests and benchmarks; nothing here knows a test framework.
#ifndef VNT_CORRIDORS_H
#define VNT_CORRIDORS_H

#include "base/rng.h"
#include "geom/vec.h"
#include "path/taut.h"

#define VNT_MAX_BOXES 256

/// Boxes may overlap others than their neighbours: a corridor may run through itself.
typedef struct vnt_corridor {
    uint32_t box_count;
    int32_t low[VNT_MAX_BOXES][3], high[VNT_MAX_BOXES][3]; ///< voxels, [low, high)
    vni_portal portals[VNT_MAX_BOXES];                     ///< one less than boxes
    vn_point start, goal;
} vnt_corridor;

static inline uint32_t vnt_portal_count(const vnt_corridor* c) {
    return c->box_count - 1;
}

/// Adds a box. It must touch the last one in a rectangle; the portal becomes that.
static inline void vnt_corridor_add(vnt_corridor* c, const int32_t low[3], const int32_t high[3]) {
    uint32_t n = c->box_count++;
    for (int i = 0; i < 3; ++i) {
        c->low[n][i] = low[i];
        c->high[n][i] = high[i];
    }

    if (n == 0)
        return;
    vni_portal* portal = &c->portals[n - 1];
    int32_t from[3], to[3];
    for (int i = 0; i < 3; ++i) {
        from[i] = low[i] > c->low[n - 1][i] ? low[i] : c->low[n - 1][i];
        to[i] = high[i] < c->high[n - 1][i] ? high[i] : c->high[n - 1][i];
        if (from[i] == to[i])
            portal->axis = i;
    }

    portal->plane = (float)from[portal->axis];
    for (int i = 0; i < 2; ++i) {
        portal->low[i] = (float)from[vni_other_axes[portal->axis][i]];
        portal->high[i] = (float)to[vni_other_axes[portal->axis][i]];
    }
}

/// How a corridor winds.
typedef struct vnt_winding {
    uint32_t boxes;
    int32_t most;        ///< edge of a box, voxels
    int32_t extent;      ///< all boxes lie in [0, extent)
    uint32_t turn_of_4;  ///< 0: straight on, 4: a new axis or side at random each time
    bool same_sections;  ///< neighbours have the same section
    uint32_t back_of_16; ///< how often it goes back where it came from
} vnt_winding;

/// A box beside the last one; false if it would leave the extent.
static inline bool vnt_corridor_step(vnt_corridor* c, vni_rng* rng, const vnt_winding* w, int axis, bool up) {
    const int32_t *low = c->low[c->box_count - 1], *high = c->high[c->box_count - 1];
    int32_t from[3], to[3];
    for (int i = 0; i < 3; ++i) {
        int32_t size = vni_rng_range(rng, 1, w->most);
        if (i == axis) {
            from[i] = up ? high[i] : low[i] - size;
            to[i] = from[i] + size;
        } else if (w->same_sections) {
            from[i] = low[i];
            to[i] = high[i];
        } else {
            from[i] = vni_rng_range(rng, low[i] - size + 1, high[i] - 1);
            to[i] = from[i] + size;
            from[i] = from[i] < 0 ? 0 : from[i];
            to[i] = to[i] > w->extent ? w->extent : to[i];
        }

        if (from[i] < 0 || to[i] > w->extent)
            return false;
    }

    vnt_corridor_add(c, from, to);
    return true;
}

/// A lattice point of a closed box: anywhere, or on a coarser grid, so that faces, edges and corners come up.
static inline vn_point vnt_point_in_box(vni_rng* rng, const int32_t low[3], const int32_t high[3]) {
    static const int32_t steps[4] = {1, 256, 512, 1024};
    int32_t step = steps[vni_rng_below(rng, 4)], at[3];
    for (int i = 0; i < 3; ++i)
        at[i] = vni_rng_range(rng, low[i] * VN_LATTICE / step, high[i] * VN_LATTICE / step) * step;
    vn_point p = {at[0], at[1], at[2]};
    return p;
}

/// A lattice point of a closed portal, likewise.
static inline vn_point vnt_point_in_portal(vni_rng* rng, const vni_portal* portal) {
    int32_t low[3], high[3];
    low[portal->axis] = high[portal->axis] = (int32_t)portal->plane;
    for (int i = 0; i < 2; ++i) {
        low[vni_other_axes[portal->axis][i]] = (int32_t)portal->low[i];
        high[vni_other_axes[portal->axis][i]] = (int32_t)portal->high[i];
    }

    return vnt_point_in_box(rng, low, high);
}

static inline void vnt_corridor_random(vnt_corridor* c, vni_rng* rng, const vnt_winding* w) {
    int32_t low[3], high[3];
    int axis = (int)vni_rng_below(rng, 3);
    bool up = vni_rng_below(rng, 2) != 0;
    for (int i = 0; i < 3; ++i) {
        int32_t size = vni_rng_range(rng, 1, w->most);
        low[i] = vni_rng_range(rng, 0, w->extent - size);
        high[i] = low[i] + size;
    }

    c->box_count = 0;
    vnt_corridor_add(c, low, high);
    for (uint32_t tries = 0; c->box_count < w->boxes && tries < 4 * w->boxes; ++tries) {
        uint32_t n = c->box_count;
        if (n > 1 && vni_rng_below(rng, 16) < w->back_of_16)
            vnt_corridor_add(c, c->low[n - 2], c->high[n - 2]);
        else if (!vnt_corridor_step(c, rng, w, axis, up))
            up = !up;

        if (vni_rng_below(rng, 4) < w->turn_of_4) {
            axis = (int)vni_rng_below(rng, 3);
            up = vni_rng_below(rng, 2) != 0;
        }
    }

    c->start = vnt_point_in_box(rng, c->low[0], c->high[0]);
    c->goal = vnt_point_in_box(rng, c->low[c->box_count - 1], c->high[c->box_count - 1]);
}

// ----------------------------------------------------------------------------------- the shortest path
// inside

/// Storage for the shortest path: place 0 is the start, then comes one for each portal, then the goal.
/// Voxels.
typedef struct vnt_geodesic {
    double low[VNT_MAX_BOXES + 1][3], high[VNT_MAX_BOXES + 1][3]; ///< where each place may be
    double at[VNT_MAX_BOXES + 1][3];
    double time[VNT_MAX_BOXES + 1];
    uint32_t count;
} vnt_geodesic;

static inline void vnt_geodesic_begin(const vnt_corridor* c, vnt_geodesic* g) {
    const int32_t ends[2][3] = {{c->start.x, c->start.y, c->start.z}, {c->goal.x, c->goal.y, c->goal.z}};
    g->count = c->box_count + 1;
    for (uint32_t i = 0; i < g->count; ++i)
        for (int k = 0; k < 3; ++k) {
            double low, high;
            if (i == 0 || i + 1 == g->count) {
                low = high = (double)ends[i > 0][k] / VN_LATTICE;
            } else if (k == c->portals[i - 1].axis) {
                low = high = (double)c->portals[i - 1].plane;
            } else {
                int in_plane = k == vni_other_axes[c->portals[i - 1].axis][1];
                low = (double)c->portals[i - 1].low[in_plane];
                high = (double)c->portals[i - 1].high[in_plane];
            }

            g->low[i][k] = low;
            g->high[i][k] = high;
            g->at[i][k] = 0.5 * (low + high);
        }
}

/// One axis: a string through the portals low .. high at the given times, pulled tight. From each bend it
/// goes straight for as long as one slope fits all portals, then bends at the one that was in the way.
static inline void vnt_geodesic_string(vnt_geodesic* g, int axis) {
    for (uint32_t from = 0; from + 1 < g->count;) {
        double least = -HUGE_VAL, most = HUGE_VAL;
        uint32_t at_least = from, at_most = from, bend = 0;
        for (uint32_t i = from + 1; i < g->count && bend == 0; ++i) {
            double span = g->time[i] - g->time[from], x = g->at[from][axis];
            double low = (g->low[i][axis] - x) / span, high = (g->high[i][axis] - x) / span;
            if (low > most)
                bend = at_most;
            else if (high < least)
                bend = at_least;

            if (low > least) {
                least = low;
                at_least = i;
            }

            if (high < most) {
                most = high;
                at_most = i;
            }
        }

        double slope = bend == 0 ? least : bend == at_most ? most : least; // the last portal is a point
        bend = bend == 0 ? g->count - 1 : bend;
        for (uint32_t i = from + 1; i <= bend; ++i)
            g->at[i][axis] = vni_clamp(g->at[from][axis] + slope * (g->time[i] - g->time[from]),
                                       g->low[i][axis], g->high[i][axis]);

        from = bend;
    }
}

/// Length of leg i, no less than `least`.
static inline double vnt_geodesic_leg(const vnt_geodesic* g, uint32_t i, double least) {
    double sum = least * least;
    for (int k = 0; k < 3; ++k)
        sum += (g->at[i + 1][k] - g->at[i][k]) * (g->at[i + 1][k] - g->at[i][k]);
    return sqrt(sum);
}

/// No path through the portals is shorter. Any vectors no longer than 1, one for each leg, prove such a
/// bound: the path along each is no longer than the leg, and summed up, each place counts by the change of
/// direction there, at the point of its portal where that counts most.
static inline double vnt_geodesic_bound(const vnt_geodesic* g, double least) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double before = 0;
        for (uint32_t i = 0; i < g->count; ++i) {
            double after =
                i + 1 < g->count ? (g->at[i + 1][k] - g->at[i][k]) / vnt_geodesic_leg(g, i, least) : 0;
            double change = before - after;
            sum += change * (change > 0 ? g->low[i][k] : g->high[i][k]);
            before = after;
        }
    }

    return sum;
}

/// The shortest path through a corridor's closed portals, by rounds of three strings, one for each axis, with
/// the lengths of the last round as times: each round is shorter, and what they come to is the shortest,
/// since lengths are convex. Returns its length; `bound` gets what no path can be shorter than.
static inline double vnt_geodesic_find(const vnt_corridor* c, uint32_t rounds, vnt_geodesic* g,
                                       double* bound) {
    double least = 1, length = 0;
    vnt_geodesic_begin(c, g);
    *bound = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        g->time[0] = 0;
        for (uint32_t i = 0; i + 1 < g->count; ++i)
            g->time[i + 1] = g->time[i] + vnt_geodesic_leg(g, i, least);

        for (int k = 0; k < 3; ++k)
            vnt_geodesic_string(g, k);

        double proven = vnt_geodesic_bound(g, least);
        *bound = proven > *bound ? proven : *bound;
        least = least > 1e-9 ? least * 0.9 : least;
    }

    for (uint32_t i = 0; i + 1 < g->count; ++i)
        length += vnt_geodesic_leg(g, i, 0);

    return length;
}

#endif
