/// voxelise/halfspaces.c: nearest points by the dual active-set method of Goldfarb and Idnani 1983, in three
/// dimensions.
///
/// The point of an intersection nearest to c is c minus a sum of normals of active planes, each with a share
/// (multiplier) >= 0. Planes become active one by one, the most violated first; a plane whose share would
/// become negative is dropped. The distance grows with each plane: it always is a lower bound, and exact once
/// no plane is violated.
#include "voxelise/halfspaces.h"

#include "base/assert.h"
#include <math.h>

#define MOST_ROUNDS  24
#define LEAST_SQUARE 1e-14 /* of the part of a unit normal that is orthogonal to the active ones */

/// The active planes, on which the point lies: at most three are independent.
typedef struct active {
    uint32_t count;
    vni_vec normal[3];
    double share[3];
} active;

/// Splits `a` into shares of the active normals and a rest that is orthogonal to them (Cramer's rule); false
/// if the normals are nearly dependent.
static bool split(const active* set, vni_vec a, double shares[3], vni_vec* rest) {
    const vni_vec* n = set->normal;
    *rest = a;
    if (set->count == 1) {
        shares[0] = vni_dot(n[0], a);
        *rest = vni_add_scaled(a, n[0], -shares[0]);
    } else if (set->count == 2) {
        vni_vec across = vni_cross(n[0], n[1]);
        double square = vni_length2(across);
        if (square < LEAST_SQUARE)
            return false;

        shares[0] = vni_dot(vni_cross(a, n[1]), across) / square;
        shares[1] = vni_dot(vni_cross(n[0], a), across) / square;
        *rest = vni_scale(across, vni_dot(across, a) / square);
    } else if (set->count == 3) {
        vni_vec c12 = vni_cross(n[1], n[2]);
        double volume = vni_dot(n[0], c12);
        if (volume * volume < LEAST_SQUARE)
            return false;

        shares[0] = vni_dot(a, c12) / volume;
        shares[1] = vni_dot(a, vni_cross(n[2], n[0])) / volume;
        shares[2] = vni_dot(a, vni_cross(n[0], n[1])) / volume;
        *rest = vni_v(0, 0, 0);
    }

    return true;
}

static void drop(active* set, uint32_t which) {
    VNI_ASSERT(which < set->count && set->count <= 3);
    --set->count;
    for (uint32_t i = which; i < set->count; ++i) {
        set->normal[i] = set->normal[i + 1];
        set->share[i] = set->share[i + 1];
    }
}

/// Makes `plane`, which `*at` violates, active: moves `*at` onto it, along the active planes.
static bool take_in(active* set, const vni_halfspace* plane, vni_vec* at) {
    double share = 0;
    for (uint32_t round = 0; round < 4; ++round) {
        double shares[3] = {0, 0, 0}, step = HUGE_VAL;
        vni_vec rest;
        if (!split(set, plane->a, shares, &rest))
            return false;

        // Along the way shares change linearly: `first` is the one that becomes 0 first, after `step`.
        uint32_t first = 3;
        for (uint32_t i = 0; i < set->count; ++i) {
            if (shares[i] > 0 && set->share[i] < step * shares[i]) {
                step = set->share[i] / shares[i];
                first = i;
            }
        }

        // `whole` is the step that reaches the plane; none does if the normal depends on the active ones.
        double slope = vni_dot(rest, plane->a);
        double whole = slope > LEAST_SQUARE && set->count < 3
                           ? (vni_dot(plane->a, *at) - plane->bound) / slope
                           : HUGE_VAL;
        bool reaches = whole <= step;
        step = reaches ? whole : step;

        if (!(step < HUGE_VAL))
            return false;
        *at = vni_add_scaled(*at, rest, -step);
        for (uint32_t i = 0; i < set->count; ++i)
            set->share[i] -= step * shares[i];

        share += step;
        if (reaches) {
            VNI_ASSERT(set->count < 3);
            set->normal[set->count] = plane->a;
            set->share[set->count++] = share;
            return true;
        }

        drop(set, first);
    }

    return false;
}

/// The most violated half-space, and by how much. Two running maxima, so that iterations overlap.
static double find_worst(const vni_halfspace* halfspaces, uint32_t count, vni_vec at, uint32_t* which) {
    double beyond[VNI_HALFSPACES], worst[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < count; ++i) {
        beyond[i] = vni_dot(halfspaces[i].a, at) - halfspaces[i].bound;
        worst[i & 1] = beyond[i] > worst[i & 1] ? beyond[i] : worst[i & 1];
    }

    double most = worst[0] > worst[1] ? worst[0] : worst[1];
    for (*which = 0; beyond[*which] < most;)
        ++*which;

    return most;
}

bool vni_halfspaces_nearest(const vni_halfspace* halfspaces, uint32_t count, vni_vec point, double limit,
                            double tolerance, vni_vec* nearest, double* distance) {
    VNI_ASSERT(count > 0 && count <= VNI_HALFSPACES && limit >= 0 && tolerance >= 0);

    active set = {.count = 0};
    *nearest = point;
    for (uint32_t round = 0; round < MOST_ROUNDS; ++round) {
        uint32_t which;
        double worst = find_worst(halfspaces, count, *nearest, &which);
        *distance = vni_length(vni_sub(point, *nearest));
        if (worst <= tolerance || *distance > limit)
            return true;
        if (!take_in(&set, &halfspaces[which], nearest))
            return false;
    }

    return false;
}
