/// tests/support/nav_model_costs.c: what zones cost along a polyline, by brute force.
#include "nav_model.h"

#include <math.h>
#include <stdlib.h>

/// The part [t0, t1] of the segment a + t d that lies inside a zone; false if none does.
static bool clip_box(const vn_box* box, const double a[3], const double d[3], double* t0, double* t1) {
    const double low[3] = {(double)box->min.x, (double)box->min.y, (double)box->min.z};
    const double high[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    for (int i = 0; i < 3; ++i) {
        if (d[i] == 0) {
            if (a[i] < low[i] || a[i] > high[i])
                return false;
            continue;
        }

        const double u = (low[i] - a[i]) / d[i], v = (high[i] - a[i]) / d[i];
        *t0 = fmax(*t0, fmin(u, v));
        *t1 = fmin(*t1, fmax(u, v));
    }

    return *t0 < *t1;
}

static bool clip_sphere(const vn_zone* z, const double a[3], const double d[3], double* t0, double* t1) {
    const double c[3] = {a[0] - (double)z->center.x, a[1] - (double)z->center.y, a[2] - (double)z->center.z};
    const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], cd = c[0] * d[0] + c[1] * d[1] + c[2] * d[2];
    const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - (double)z->radius * (double)z->radius;
    const double root = cd * cd - dd * cc;
    if (dd == 0 || root <= 0)
        return false;

    *t0 = fmax(*t0, (-cd - sqrt(root)) / dd);
    *t1 = fmin(*t1, (-cd + sqrt(root)) / dd);
    return *t0 < *t1;
}

static bool clip_planes(const vn_zone* z, const double a[3], const double d[3], double* t0, double* t1) {
    for (uint32_t i = 0; i < z->plane_count; ++i) {
        const double n[3] = {(double)z->planes[i].normal.x, (double)z->planes[i].normal.y,
                             (double)z->planes[i].normal.z};
        const double at = n[0] * a[0] + n[1] * a[1] + n[2] * a[2] - (double)z->planes[i].offset;
        const double slope = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
        if (slope == 0 && at > 0)
            return false;

        if (slope > 0)
            *t1 = fmin(*t1, -at / slope);

        if (slope < 0)
            *t0 = fmax(*t0, -at / slope);
    }

    return *t0 < *t1;
}

static bool clip(const vn_zone* z, const double a[3], const double d[3], double* t0, double* t1) {
    *t0 = 0;
    *t1 = 1;
    if (z->kind == VN_ZONE_BOX)
        return clip_box(&z->box, a, d, t0, t1);
    return z->kind == VN_ZONE_SPHERE ? clip_sphere(z, a, d, t0, t1) : clip_planes(z, a, d, t0, t1);
}

static int by_number(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

/// Between two neighbouring ends of zones the largest factor counts.
static double segment_cost(const vn_zone* zones, uint32_t count, uint32_t flags, const double a[3],
                           const double d[3]) {
    double from[VNT_ZONES], to[VNT_ZONES], ends[2 * VNT_ZONES + 2] = {0, 1};
    uint32_t end_count = 2;
    for (uint32_t i = 0; i < count; ++i) {
        const bool counts = zones[i].flags == 0 || (zones[i].flags & flags) != 0;
        if (!counts || !clip(&zones[i], a, d, &from[i], &to[i])) {
            from[i] = 2;
            to[i] = 2;
            continue;
        }

        ends[end_count++] = from[i];
        ends[end_count++] = to[i];
    }

    qsort(ends, end_count, sizeof *ends, by_number);

    double sum = 0;
    for (uint32_t k = 0; k + 1 < end_count; ++k) {
        const double middle = 0.5 * (ends[k] + ends[k + 1]);
        double factor = 0;
        for (uint32_t i = 0; i < count; ++i)
            if (from[i] <= middle && middle <= to[i])
                factor = fmax(factor, (double)zones[i].factor);
        sum += (ends[k + 1] - ends[k]) * (factor > 0 ? factor : 1);
    }

    return sum * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

double vnt_zone_cost(const vn_zone* zones, uint32_t count, uint32_t zone_flags, const vn_nav_def* def,
                     const vn_point* points, uint32_t point_count) {
    const double step = (double)def->space.resolution / VN_LATTICE;
    const vn_vec3 low = def->space.bounds.min;
    double sum = 0;
    for (uint32_t i = 0; i + 1 < point_count; ++i) {
        const vn_point p = points[i], q = points[i + 1];
        const double a[3] = {(double)low.x + p.x * step, (double)low.y + p.y * step,
                             (double)low.z + p.z * step};
        const double d[3] = {((double)q.x - p.x) * step, ((double)q.y - p.y) * step,
                             ((double)q.z - p.z) * step};
        sum += segment_cost(zones, count, zone_flags, a, d);
    }

    return sum;
}
