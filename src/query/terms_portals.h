/// query/terms_portals.h: portals under the agent's terms: cut to the limits, kept off the rim for the sake
/// of clearance, and headed for a goal or, without one, for the cells beyond.
#ifndef VNI_QUERY_TERMS_PORTALS_H
#define VNI_QUERY_TERMS_PORTALS_H

#include "geom/units.h"
#include "query/cells_enter.h"
#include "query/terms_search.h"

/// Under limits a portal can be passed if a lattice point within them lies inside its rectangle, off the rim:
/// only there a vertex touches no other cells. Exact.
static inline bool vni_terms_passable(const vni_terms_def* def, const vni_face_portals* portals,
                                      const vni_link_group* group, int k) {
    const int axes[2] = {portals->a, portals->b};
    int32_t low[2], high[2];
    vni_rect_of(group, portals, k, low, high);
    for (int i = 0; i < 2; ++i)
        if (vni_voxel_to_steps(low[i]) + 1 > def->limits.high[axes[i]] ||
            vni_voxel_to_steps(high[i]) - 1 < def->limits.low[axes[i]])
            return false;

    return true;
}

/// The limits continue behind the plane of a face, on its upper or lower side. A cell that they only touch
/// there is not entered: a path would have to slide along its face.
static inline bool vni_terms_continue(const vni_terms_def* def, const vni_face_portals* portals,
                                      bool upwards) {
    int32_t plane = vni_voxel_to_steps((int32_t)portals->plane);
    int32_t low = def->limits.low[portals->axis], high = def->limits.high[portals->axis];
    return !def->has_limits || (upwards ? plane >= low && plane < high : plane > low && plane <= high);
}

/// Cuts four ranges to the limits. A range beyond them collapses to a point, so that low <= high always
/// holds.
static inline void vni_terms_clip(const vni_terms_def* def, int axis, vni_f4* low, vni_f4* high) {
    const vni_f4 from = vni_f4_all(vni_steps_to_voxels_f((float)def->limits.low[axis])),
                 to = vni_f4_all(vni_steps_to_voxels_f((float)def->limits.high[axis]));
    *low = vni_f4_max(*low, from);
    *high = vni_f4_max(*low, vni_f4_min(*high, to));
}

/// Keeps `distance` away from both ends of four ranges; a range narrower than twice that becomes its middle.
static inline void vni_terms_inset(float distance, vni_f4* low, vni_f4* high) {
    const vni_f4 half = vni_f4_mul(vni_f4_sub(*high, *low), vni_f4_all(0.5f));
    const vni_f4 by = vni_f4_min(half, vni_f4_all(distance));
    *low = vni_f4_add(*low, by);
    *high = vni_f4_max(*low, vni_f4_sub(*high, by));
}

/// Where entry points may lie in the portals of four links.
static inline vni_rects vni_terms_rects(const vni_terms_def* def, const vni_link_group* group,
                                        const vni_face_portals* portals) {
    vni_rects rects = vni_rects_of(group, portals);
    if (def->has_limits) {
        vni_terms_clip(def, portals->a, &rects.low_a, &rects.high_a);
        vni_terms_clip(def, portals->b, &rects.low_b, &rects.high_b);
    }

    // The rim of a portal is often the edge of a wall. This is a guess, but a cheap one: the cost decides.
    if (def->costs->clearance != NULL) {
        float distance = (float)def->costs->clearance->distance;
        vni_terms_inset(distance, &rects.low_a, &rects.high_a);
        vni_terms_inset(distance, &rects.low_b, &rects.high_b);
    }

    return rects;
}

/// Without a goal: the centres of the cells beyond, cut to the limits. The cheapest route to the centre of a
/// cell is a good route to most of it, and to what lies behind.
static inline vni_targets vni_terms_middles(const vni_terms_def* def, const vni_face_portals* portals,
                                            const vni_link_group* group) {
    const vni_block_view* view = &def->cells->views[portals->block];
    uint8_t low[3][4], high[3][4];
    vni_f4 middle[3];

    // Four boxes, transposed: one row of bytes for each axis, as the conversion to floats wants them. Unused
    // slots repeat the first cell.
    for (int k = 0; k < 4; ++k) {
        const vni_cell* cell = &view->cells[group->to[group->to[k] == VNI_NO_CELL ? 0 : k]];
        for (int i = 0; i < 3; ++i) {
            low[i][k] = cell->low[i];
            high[i][k] = cell->high[i];
        }
    }

    for (int i = 0; i < 3; ++i) {
        const vni_f4 sum = vni_f4_add(vni_f4_from_bytes(low[i]), vni_f4_from_bytes(high[i]));
        middle[i] = vni_f4_add(vni_f4_mul(sum, vni_f4_all(0.5f)), vni_f4_all((float)view->low[i]));
        if (def->has_limits)
            middle[i] = vni_f4_clamp(middle[i], vni_f4_all(vni_steps_to_voxels_f((float)def->limits.low[i])),
                                     vni_f4_all(vni_steps_to_voxels_f((float)def->limits.high[i])));
    }

    const vni_targets targets = {middle[portals->a], middle[portals->b],
                                 vni_f4_sub(middle[portals->axis], vni_f4_all(portals->plane))};
    return targets;
}

#endif
