/// avoid/boxes.c: how an agent keeps clear of a moving box.
///
/// Seen from the box, which then stands still, the agent is a point and the box is thicker by the agent's
/// radius. The point stays out of it as long as it stays beyond one of its six faces. Each face offers a
/// plane in velocity space:
///
///   a face that the agent is beyond     come no nearer within the horizon than that face
///   a face that it is not beyond        be beyond it before the faces that keep it out now are reached
///
/// One plane has to do, for the free velocities are not convex: the one that the present velocity satisfies
/// best, or violates least. If the planes of several boxes then contradict each other, the other faces of the
/// nearest boxes are tried, and of what is free the velocity nearest to the present one is taken.
#include "avoid/avoid_inside.h"

/// An agent as the box sees it.
typedef struct relation {
    vni_vec axis[3];
    double from[3];  ///< of the agent, along each axis
    double speed[3]; ///< of the agent, relative to the box
    double size[3];  ///< half extents, with the agent's radius
} relation;

static relation relate(const vni_moment* m, const vni_mover* mover, vni_vec center) {
    const vni_vec from = vni_sub(m->body->position, center);
    const vni_vec velocity = vni_sub(vni_wide(m->body->velocity), mover->velocity);
    relation r;
    for (int k = 0; k < 3; ++k) {
        r.axis[k] = mover->axis[k];
        r.from[k] = vni_dot(from, r.axis[k]);
        r.speed[k] = vni_dot(velocity, r.axis[k]);
        r.size[k] = (double)(VNI_AXIS(mover->def.half, k) + mover->def.radius + m->body->radius);
    }

    return r;
}

/// Metres beyond the nearer face across an axis; negative: between the two.
static double gap_of(const relation* r, int axis) {
    return vni_abs(r->from[axis]) - r->size[axis];
}

/// Seconds until the agent is no longer beyond any face but those across `except`; at most `most`.
static double time_left(const relation* r, int except, double most) {
    double left = 0;
    for (int k = 0; k < 3; ++k) {
        const double gap = gap_of(r, k), closing = r->from[k] > 0 ? -r->speed[k] : r->speed[k];
        if (k == except || gap <= 0)
            continue;
        const double seconds = closing * most > gap ? gap / closing : most;
        left = seconds > left ? seconds : left;
    }

    return left;
}

/// The speed away from the box, across the face on `side` (-1, +1) of an axis, that keeps the agent out.
static double speed_needed(const relation* r, int axis, int side, double horizon, double contact) {
    const double beyond = side * r->from[axis] - r->size[axis];
    if (beyond > 0)
        return -beyond / horizon;

    const double left = time_left(r, axis, horizon);
    return -beyond / (left > contact ? left : contact);
}

/// A direction without the parts along which walls leave less than a radius.
static vni_vec flattened(const vni_moment* m, vni_vec v) {
    const double least = (double)m->body->radius;
    return vni_v(m->room[0] < least ? 0 : v.x, m->room[1] < least ? 0 : v.y, m->room[2] < least ? 0 : v.z);
}

/// Sorts a face in: the one with most to spare first, of equal ones the earlier.
static void offer_face(vni_box_faces* faces, vni_plane plane, double room) {
    uint32_t at = faces->count;
    if (at == VNI_TRIED_FACES && room <= faces->room[at - 1])
        return;

    if (at == VNI_TRIED_FACES)
        --at;
    else
        ++faces->count;
    for (; at > 0 && faces->room[at - 1] < room; --at) {
        faces->planes[at] = faces->planes[at - 1];
        faces->room[at] = faces->room[at - 1];
    }

    faces->planes[at] = plane;
    faces->room[at] = room;
}

void vni_add_box(vni_moment* m, const vni_mover* mover, vni_vec center, double horizon, double contact,
                 bool may_try) {
    const relation r = relate(m, mover, center);
    vni_box_faces faces = {.index = m->lp.count};
    for (int i = 0; i < 6; ++i) {
        const int axis = i >> 1, side = i & 1 ? 1 : -1;
        const vni_vec way = flattened(m, vni_scale(r.axis[axis], side));
        const double length = vni_length(way);
        if (length < 0.1) // too narrow
            continue;

        const double needed = speed_needed(&r, axis, side, horizon, contact);
        const double offset = needed + side * vni_dot(mover->velocity, r.axis[axis]);
        offer_face(&faces, (vni_plane){vni_scale(way, 1 / length), offset / length},
                   side * r.speed[axis] - needed);
    }

    if (faces.count == 0)
        return;
    vni_add_plane(&m->lp, faces.planes[0].normal, faces.planes[0].offset);
    if (may_try && m->boxes_tried < VNI_TRIED_BOXES && faces.index < m->lp.count)
        m->tried[m->boxes_tried++] = faces;
}

// ------------------------------------------------------------------------------------------ several boxes

/// Puts the next combination of faces into the programme; false after the last.
static bool next_combination(vni_moment* m, uint32_t chosen[VNI_TRIED_BOXES]) {
    for (uint32_t i = 0; i < m->boxes_tried; ++i) {
        const vni_box_faces* faces = &m->tried[i];
        chosen[i] = chosen[i] + 1 < faces->count ? chosen[i] + 1 : 0;
        m->lp.planes[faces->index] = faces->planes[chosen[i]];
        if (chosen[i] != 0)
            return true;
    }

    return false;
}

static double worst_violation(const vni_programme* lp, vni_vec velocity) {
    double worst = 0;
    for (uint32_t i = 0; i < lp->count; ++i) {
        const double short_of = lp->planes[i].offset - vni_dot(lp->planes[i].normal, velocity);
        worst = short_of > worst ? short_of : worst;
    }
    return worst;
}

void vni_try_other_faces(vni_moment* m, vni_vec* velocity) {
    const vni_vec now = vni_wide(m->body->velocity);
    uint32_t chosen[VNI_TRIED_BOXES] = {0};
    double least = worst_violation(&m->lp, *velocity), nearest = VNI_FAR_AWAY;
    while (next_combination(m, chosen)) {
        vni_vec other;
        const bool is_free = vni_programme_solve(&m->lp, m->wish, &other);
        const double worst = is_free ? 0 : worst_violation(&m->lp, other);
        const double change = vni_length2(vni_sub(other, now));
        if (worst > least || (worst == least && change >= nearest))
            continue;

        least = worst;
        nearest = change;
        *velocity = other;
    }
}
