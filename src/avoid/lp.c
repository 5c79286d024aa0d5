/// avoid/lp.c: the three stages (on a line, on a plane, in the ball) and the stage for planes that contradict
/// each other.
#include "avoid/lp.h"

#include "base/assert.h"

/// Planes whose normals differ by less than this are parallel, and a violation below it is rounding.
#define TINY 1e-9

/// What is sought: the point nearest to `wish`, or the farthest in its direction (then of unit length).
typedef struct aim {
    vni_vec wish;
    bool farthest;
    double speed;
} aim;

/// The first plane from `at` on that a velocity violates; `count` if there is none.
static uint32_t find_violated(const vni_plane* planes, uint32_t at, uint32_t count, vni_vec v) {
    while (at < count && !(vni_dot(planes[at].normal, v) < planes[at].offset - TINY))
        ++at;
    return at;
}

/// On the line point + t * direction, where `point` is its point nearest to the origin.
static bool solve_line(const vni_plane* planes, uint32_t count, const aim* a, vni_vec point,
                       vni_vec direction, vni_vec* out) {
    double along = vni_dot(point, direction);
    double space = along * along + a->speed * a->speed - vni_length2(point);
    if (space < 0)
        return false;

    double root = sqrt(space), low = -along - root, high = -along + root;
    for (uint32_t i = 0; i < count; ++i) {
        double slope = vni_dot(planes[i].normal, direction);
        double need = planes[i].offset - vni_dot(planes[i].normal, point);
        if (slope > -TINY && slope < TINY) {
            if (need > TINY)
                return false;
            continue;
        }

        double t = need / slope;
        if (slope > 0)
            low = t > low ? t : low;
        else
            high = t < high ? t : high;
        if (low > high)
            return false;
    }

    double t = vni_dot(direction, vni_sub(a->wish, point));
    if (a->farthest)
        t = vni_dot(direction, a->wish) > 0 ? high : low;
    *out = vni_add_scaled(point, direction, vni_clamp(t, low, high));
    return true;
}

/// The optimum on a plane alone: on the disc that the ball cuts out of it. False if they do not meet.
static bool solve_disc(const vni_plane* plane, const aim* a, vni_vec* out) {
    double room = a->speed * a->speed - plane->offset * plane->offset;
    if (room < 0)
        return false;

    // in the plane: from the disc's centre to the wish, or the wish's direction
    vni_vec center = vni_scale(plane->normal, plane->offset);
    vni_vec side = vni_add_scaled(a->wish, plane->normal, -vni_dot(plane->normal, a->wish));
    double length2 = vni_length2(side);
    if (length2 > room || (a->farthest && length2 > TINY * TINY))
        side = vni_scale(side, sqrt(room / length2));
    else if (a->farthest)
        side = vni_v(0, 0, 0);

    *out = vni_add(center, side);
    return true;
}

/// The line in which two planes meet; false if they are parallel.
static bool meet(const vni_plane* a, const vni_plane* b, vni_vec* point, vni_vec* direction) {
    vni_vec cross = vni_cross(b->normal, a->normal);
    double length2 = vni_length2(cross);
    if (length2 < TINY * TINY)
        return false;

    *direction = vni_scale(cross, 1 / sqrt(length2));
    vni_vec on = vni_scale(a->normal, a->offset), across = vni_cross(*direction, a->normal);
    *point = vni_add_scaled(on, across, (b->offset - vni_dot(b->normal, on)) / vni_dot(b->normal, across));
    return true;
}

/// On the plane `at`, under the planes before it.
static bool solve_plane(const vni_plane* planes, uint32_t at, const aim* a, vni_vec* out) {
    vni_vec best, point, direction;
    if (!solve_disc(&planes[at], a, &best))
        return false;

    for (uint32_t i = 0; (i = find_violated(planes, i, at, best)) < at; ++i)
        if (!meet(&planes[at], &planes[i], &point, &direction) ||
            !solve_line(planes, i, a, point, direction, &best))
            return false;

    *out = best;
    return true;
}

/// Returns `count`, or the first plane that leaves nothing; then `out` is the optimum before it.
static uint32_t solve_ball(const vni_plane* planes, uint32_t count, const aim* a, vni_vec* out) {
    double length2 = vni_length2(a->wish);
    *out = a->wish;
    if (a->farthest)
        *out = vni_scale(a->wish, a->speed);
    else if (length2 > a->speed * a->speed)
        *out = vni_scale(a->wish, a->speed / sqrt(length2));

    for (uint32_t i = 0; (i = find_violated(planes, i, count, *out)) < count; ++i)
        if (!solve_plane(planes, i, a, out))
            return i;

    return count;
}

/// The plane on whose allowed side a violates less than b: (a - b) . v >= difference of the offsets. False if
/// the two are parallel: then one of them always decides.
static bool balance(const vni_plane* a, const vni_plane* b, vni_plane* out) {
    vni_vec normal = vni_sub(a->normal, b->normal);
    double length2 = vni_length2(normal);
    if (length2 < TINY * TINY)
        return false;

    double scale = 1 / sqrt(length2);
    *out = (vni_plane){vni_scale(normal, scale), (a->offset - b->offset) * scale};
    return true;
}

/// From plane `from` on, which failed: lowers the worst violation of the planes that are not hard. Each in
/// turn that is worse than the worst so far becomes as small as it can without any other becoming worse.
static void relax(const vni_programme* lp, uint32_t from, vni_vec* out) {
    vni_plane planes[VNI_MAX_PLANES];
    double worst = 0;
    for (uint32_t i = 0; i < lp->hard; ++i)
        planes[i] = lp->planes[i];

    for (uint32_t i = from; i < lp->count; ++i) {
        const vni_plane* plane = &lp->planes[i];
        if (plane->offset - vni_dot(plane->normal, *out) <= worst)
            continue;

        uint32_t count = lp->hard;
        for (uint32_t j = lp->hard; j < i; ++j)
            count += balance(&lp->planes[j], plane, &planes[count]);

        // by rounding this may fail, where the old point is the optimum already
        aim a = {plane->normal, true, lp->speed};
        vni_vec best;
        if (solve_ball(planes, count, &a, &best) == count)
            *out = best;
        worst = plane->offset - vni_dot(plane->normal, *out);
    }
}

bool vni_programme_solve(const vni_programme* lp, vni_vec wish, vni_vec* out) {
    VNI_ASSERT(lp->hard <= lp->count && lp->count <= VNI_MAX_PLANES && lp->speed > 0);
    aim a = {wish, false, lp->speed};
    uint32_t done = solve_ball(lp->planes, lp->count, &a, out);
    if (done == lp->count)
        return true;

    // hard planes hold v = 0, so that they fail by rounding only
    if (done < lp->hard) {
        *out = vni_v(0, 0, 0);
        return false;
    }

    relax(lp, done, out);
    return false;
}
