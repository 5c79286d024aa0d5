/// tests/unit/geom/oracle.h: slow geometry to judge the fast one by: minimisation by golden section instead
/// of closed forms, and contact of integer triangles and boxes by exact integer predicates instead of
/// separating axes.
#ifndef VNT_GEOM_ORACLE_H
#define VNT_GEOM_ORACLE_H

#include "base/rng.h"
#include "geom/shapes.h"

#define VNT_GOLDEN 0.6180339887498949

typedef struct vnt_patch {
    vni_vec corner, u, v;
    bool triangle; ///< u + v <= 1, else both within [0, 1]
} vnt_patch;

static inline double vnt_point_distance2(vni_vec p, const vni_aabb* box) {
    const double q[3] = {p.x, p.y, p.z}, low[3] = {box->min.x, box->min.y, box->min.z};
    const double high[3] = {box->max.x, box->max.y, box->max.z};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const double out = q[i] < low[i] ? low[i] - q[i] : q[i] > high[i] ? q[i] - high[i] : 0;
        sum += out * out;
    }

    return sum;
}

/// What golden sections are taken of: the squared distance along v at a fixed u, or the least of that along
/// u.
typedef struct vnt_section {
    const vnt_patch* patch;
    const vni_aabb* box;
    vni_vec start;
    bool along_u;
} vnt_section;

static inline double vnt_section_minimum(const vnt_section* section, double limit);

static inline double vnt_section_at(const vnt_section* section, double t) {
    const vnt_patch* patch = section->patch;
    if (!section->along_u)
        return vnt_point_distance2(vni_add_scaled(section->start, patch->v, t), section->box);
    const vnt_section along_v = {patch, section->box, vni_add_scaled(patch->corner, patch->u, t), false};
    return vnt_section_minimum(&along_v, patch->triangle ? 1 - t : 1);
}

/// Least value over [0, limit] of a convex function, to VNT_DOUBT of the argument.
static inline double vnt_section_minimum(const vnt_section* section, double limit) {
    double low = 0, high = limit, a = high - VNT_GOLDEN * (high - low), b = low + VNT_GOLDEN * (high - low);
    double at_a = vnt_section_at(section, a), at_b = vnt_section_at(section, b);
    const double first = vnt_section_at(section, 0), last = vnt_section_at(section, limit);
    double best = first < last ? first : last;
    for (int i = 0; i < 22 && best > 0; ++i) {
        best = at_a < best ? at_a : best;
        best = at_b < best ? at_b : best;
        if (at_a <= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - VNT_GOLDEN * (high - low);
            at_a = vnt_section_at(section, a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + VNT_GOLDEN * (high - low);
            at_b = vnt_section_at(section, b);
        }
    }

    return best;
}

/// Distance of the patch to the box, never below the true one. The squared distance is convex over the patch,
/// so that golden sections within golden sections find its minimum. The point is found to 1e-4 or so: the
/// error is of that size for small distances, and of its square for others.
static inline double vnt_patch_distance(const vnt_patch* patch, const vni_aabb* box) {
    const vnt_section section = {patch, box, patch->corner, true};
    return sqrt(vnt_section_minimum(&section, 1));
}

/// No more than the distance of the patch: that of its bounds.
static inline double vnt_patch_least_distance(const vnt_patch* patch, const vni_aabb* box) {
    const vni_vec corners[3] = {vni_add(patch->corner, patch->u), vni_add(patch->corner, patch->v),
                                vni_add(vni_add(patch->corner, patch->u), patch->v)};
    vni_aabb bounds = {patch->corner, patch->corner};
    for (int i = 0; i < 3; ++i) {
        bounds.min = vni_min(bounds.min, corners[i]);
        bounds.max = vni_max(bounds.max, corners[i]);
    }

    const vni_vec gap = vni_max(vni_sub(bounds.min, box->max), vni_sub(box->min, bounds.max));
    return vni_length(vni_max(gap, vni_v(0, 0, 0)));
}

/// The smaller of `best` and the distance of the patch.
static inline double vnt_nearer_patch(const vnt_patch* patch, const vni_aabb* box, double best) {
    if (best == 0 || vnt_patch_least_distance(patch, box) >= best)
        return best;
    const double distance = vnt_patch_distance(patch, box);
    return distance < best ? distance : best;
}

/// Distances below this are not told from contact.
#define VNT_DOUBT 1e-3

static inline vnt_patch vnt_triangle_patch(const vni_triangle* t) {
    const vnt_patch patch = {t->a, vni_sub(t->b, t->a), vni_sub(t->c, t->a), true};
    return patch;
}

// --------------------------------------------------------------------------------- integer contact, exact

typedef struct vnt_int3 {
    int64_t at[3];
} vnt_int3;

typedef struct vnt_int_box {
    int64_t low[3], high[3];
} vnt_int_box;

/// Six times the signed volume of the tetrahedron.
static inline int64_t vnt_volume(vnt_int3 a, vnt_int3 b, vnt_int3 c, vnt_int3 d) {
    int64_t u[3], v[3], w[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = b.at[i] - a.at[i];
        v[i] = c.at[i] - a.at[i];
        w[i] = d.at[i] - a.at[i];
    }

    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/// Does the closed segment meet the closed box? Times are fractions, compared by cross multiplication.
static inline bool vnt_segment_meets_box(vnt_int3 a, vnt_int3 b, const vnt_int_box* box) {
    int64_t in_up = 0, in_down = 1, out_up = 1, out_down = 1;
    for (int i = 0; i < 3; ++i) {
        const int64_t d = b.at[i] - a.at[i];
        if (d == 0) {
            if (a.at[i] < box->low[i] || a.at[i] > box->high[i])
                return false;
            continue;
        }

        const int64_t size = d > 0 ? d : -d;
        const int64_t enter = d > 0 ? box->low[i] - a.at[i] : a.at[i] - box->high[i];
        const int64_t leave = d > 0 ? box->high[i] - a.at[i] : a.at[i] - box->low[i];
        if (enter * in_down > in_up * size) {
            in_up = enter;
            in_down = size;
        }

        if (leave * out_down < out_up * size) {
            out_up = leave;
            out_down = size;
        }
    }

    return in_up * out_down <= out_up * in_down;
}

/// Does the segment pq cross the triangle? Cases where it lies in the triangle's plane are left to the other
/// predicates.
static inline bool vnt_segment_crosses_triangle(vnt_int3 p, vnt_int3 q, const vnt_int3 t[3]) {
    const int64_t side_p = vnt_volume(t[0], t[1], t[2], p), side_q = vnt_volume(t[0], t[1], t[2], q);
    if ((side_p > 0 && side_q > 0) || (side_p < 0 && side_q < 0) || (side_p == 0 && side_q == 0))
        return false;
    const int64_t a = vnt_volume(p, q, t[0], t[1]), b = vnt_volume(p, q, t[1], t[2]),
                  c = vnt_volume(p, q, t[2], t[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static inline vnt_int3 vnt_box_corner(const vnt_int_box* box, int bits) {
    vnt_int3 p;
    for (int i = 0; i < 3; ++i)
        p.at[i] = bits >> i & 1 ? box->high[i] : box->low[i];
    return p;
}

/// Exact contact of a closed triangle with a closed box of positive size: an edge of the triangle meets the
/// box, or an edge of the box pierces the triangle. (If they touch in neither way, the triangle's plane holds
/// a face of the box within the triangle; then the edges that rise from that face end in the triangle, and
/// pierce it.)
static inline bool vnt_triangle_meets_box(const vnt_int3 t[3], const vnt_int_box* box) {
    for (int i = 0; i < 3; ++i) {
        if (vnt_segment_meets_box(t[i], t[(i + 1) % 3], box))
            return true;
    }

    for (int corner = 0; corner < 8; ++corner) {
        for (int axis = 1; axis < 8; axis <<= 1) {
            if (!(corner & axis) && vnt_segment_crosses_triangle(vnt_box_corner(box, corner),
                                                                 vnt_box_corner(box, corner | axis), t))
                return true;
        }
    }

    return false;
}

// ------------------------------------------------------------------------------------------ random shapes

static inline double vnt_between(vni_rng* rng, double low, double high) {
    return low + (high - low) * vni_rng_real(rng);
}

static inline vni_vec vnt_random_vec(vni_rng* rng, double reach) {
    const double x = vnt_between(rng, -reach, reach), y = vnt_between(rng, -reach, reach);
    return vni_v(x, y, vnt_between(rng, -reach, reach));
}

static inline vn_quat vnt_random_quat(vni_rng* rng) {
    vn_quat q = {1, 0, 0, 0};
    for (int tries = 0; tries < 100; ++tries) {
        q.x = (float)vnt_between(rng, -1, 1);
        q.y = (float)vnt_between(rng, -1, 1);
        q.z = (float)vnt_between(rng, -1, 1);
        q.w = (float)vnt_between(rng, -1, 1);
        const float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

        if (length2 > 0.01f && length2 <= 1)
            break;
    }

    return q;
}

static inline vni_aabb vnt_random_box(vni_rng* rng) {
    const vni_vec low = vnt_random_vec(rng, 2);
    const vni_vec size = vni_v(vnt_between(rng, 0.2, 2), vnt_between(rng, 0.2, 2), vnt_between(rng, 0.2, 2));
    const vni_aabb box = {low, vni_add(low, size)};
    return box;
}

static inline vni_aabb vnt_widened(const vni_aabb* box, double by) {
    const vni_vec margin = vni_v(by, by, by);
    const vni_aabb wide = {vni_sub(box->min, margin), vni_add(box->max, margin)};
    return wide;
}

/// A multiple of 1/4 within +- reach.
static inline double vnt_quarter(vni_rng* rng, int32_t reach) {
    return 0.25 * vni_rng_range(rng, -4 * reach, 4 * reach);
}

static inline vni_vec vnt_quarter_vec(vni_rng* rng, int32_t reach) {
    const double x = vnt_quarter(rng, reach), y = vnt_quarter(rng, reach);
    return vni_v(x, y, vnt_quarter(rng, reach));
}

/// Faces as patches.
static inline void vnt_obb_patches(const vni_obb* obb, vnt_patch patches[6]) {
    for (int i = 0; i < 6; ++i) {
        const int axis = i / 2, j = (axis + 1) % 3, k = (axis + 2) % 3;
        vni_vec corner =
            vni_add_scaled(obb->center, obb->axis[axis], i & 1 ? obb->half[axis] : -obb->half[axis]);
        corner = vni_add_scaled(corner, obb->axis[j], -obb->half[j]);
        patches[i].corner = vni_add_scaled(corner, obb->axis[k], -obb->half[k]);
        patches[i].u = vni_scale(obb->axis[j], 2 * obb->half[j]);
        patches[i].v = vni_scale(obb->axis[k], 2 * obb->half[k]);
        patches[i].triangle = false;
    }
}

/// Distance of the box to the oriented box: to its surface, or 0 if it holds the middle of the box.
static inline double vnt_obb_distance(const vni_obb* obb, const vni_aabb* box) {
    const vni_vec from = vni_sub(vni_scale(vni_add(box->min, box->max), 0.5), obb->center);
    bool inside = true;
    for (int i = 0; i < 3; ++i)
        inside = inside && vni_abs(vni_dot(from, obb->axis[i])) <= obb->half[i];

    if (inside)
        return 0;
    vnt_patch patches[6];
    vnt_obb_patches(obb, patches);

    double best = 1e300;
    for (int i = 0; i < 6; ++i)
        best = vnt_nearer_patch(&patches[i], box, best);

    return best;
}

/// The same for a hull.
static inline double vnt_hull_distance(const vni_hull* hull, const vni_aabb* box) {
    const vni_vec middle = vni_scale(vni_add(box->min, box->max), 0.5);
    bool inside = true;
    double best = 1e300;
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* at = hull->indices + 3 * (size_t)i;
        const vni_triangle t = {hull->vertices[at[0]], hull->vertices[at[1]], hull->vertices[at[2]]};
        const vni_vec normal = vni_cross(vni_sub(t.b, t.a), vni_sub(t.c, t.a));
        inside = inside && vni_dot(normal, vni_sub(middle, t.a)) <= 0;
        const vnt_patch patch = vnt_triangle_patch(&t);
        best = vnt_nearer_patch(&patch, box, best);
    }

    return inside ? 0 : best;
}

#endif
