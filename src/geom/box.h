/// geom/box.h: boxes of voxels that share faces, as decompositions of free space are made of them.
#ifndef VNI_GEOM_BOX_H
#define VNI_GEOM_BOX_H

#include "base/assert.h"
#include "geom/units.h"

/// Voxels of a box [low, high).
typedef struct vni_box {
    int32_t low[3], high[3];
} vni_box;

/// The rectangle that two boxes share: flat along `axis`, where low and high are equal.
typedef struct vni_face {
    int axis;
    int32_t low[3], high[3];
} vni_face;

static inline bool vni_box_equals(const vni_box* a, const vni_box* b) {
    for (int i = 0; i < 3; ++i)
        if (a->low[i] != b->low[i] || a->high[i] != b->high[i])
            return false;
    return true;
}

static inline vni_box vni_box_of(vn_voxel_box b) {
    return (vni_box){{b.low.x, b.low.y, b.low.z}, {b.high.x, b.high.y, b.high.z}};
}

static inline vn_voxel vni_box_low(const vni_box* box) {
    return (vn_voxel){box->low[0], box->low[1], box->low[2]};
}

/// Do the boxes have a voxel in common?
static inline bool vni_box_overlaps(const vni_box* a, const vni_box* b) {
    for (int i = 0; i < 3; ++i)
        if (a->low[i] >= b->high[i] || b->low[i] >= a->high[i])
            return false;
    return true;
}

/// The face between `lower` and `upper`, which do not overlap; false if `upper` does not touch a high side of
/// `lower`, or along an edge or corner only.
static inline bool vni_box_face(const vni_box* lower, const vni_box* upper, vni_face* out) {
    out->axis = -1;
    for (int i = 0; i < 3; ++i) {
        out->low[i] = lower->low[i] > upper->low[i] ? lower->low[i] : upper->low[i];
        out->high[i] = lower->high[i] < upper->high[i] ? lower->high[i] : upper->high[i];
        if (out->low[i] < out->high[i])
            continue;
        if (lower->high[i] != upper->low[i] || out->axis >= 0)
            return false;
        out->axis = i;
    }

    return out->axis >= 0;
}

/// The middle of a box or of a face, given by its corners. On the lattice: half voxels at the finest.
static inline vn_point vni_box_middle(const int32_t low[3], const int32_t high[3]) {
    return (vn_point){vni_half_voxels_to_steps(low[0] + high[0]), vni_half_voxels_to_steps(low[1] + high[1]),
                      vni_half_voxels_to_steps(low[2] + high[2])};
}

/// Does the straight segment between the centres of two boxes that share a face pass through that face?
bool vni_box_is_straight(const vni_box* a, const vni_box* b);

#endif
