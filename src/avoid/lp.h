/// avoid/lp.h: the linear programme of avoidance: the velocity nearest to a wish inside a ball and on the
/// allowed side of planes.
///
/// Incremental, as Seidel's (1991): planes are added one by one; one that the optimum so far violates holds
/// the new optimum, a problem of one dimension less. Planes are few (below 48) and come nearest first, so
/// they are not shuffled: the result depends on their order only within rounding.
#ifndef VNI_AVOID_LP_H
#define VNI_AVOID_LP_H

#include "geom/vec.h"

/// Velocities v with normal . v >= offset; the normal is a unit vector.
typedef struct vni_plane {
    vni_vec normal;
    double offset;
} vni_plane;

#define VNI_MAX_PLANES 48

/// The first `hard` planes allow v = 0 and are never violated; the others are relaxed together if they
/// contradict each other: the worst violation is then the least possible.
typedef struct vni_programme {
    vni_plane planes[VNI_MAX_PLANES];
    uint32_t hard, count;
    double speed; ///< radius of the ball, > 0
} vni_programme;

static inline void vni_add_plane(vni_programme* lp, vni_vec normal, double offset) {
    if (lp->count < VNI_MAX_PLANES)
        lp->planes[lp->count++] = (vni_plane){normal, offset};
}

/// The best velocity. Returns true if no plane is violated (beyond rounding).
bool vni_programme_solve(const vni_programme* lp, vni_vec wish, vni_vec* out);

#endif
