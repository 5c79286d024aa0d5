/// avoid/free_box.c: the box of free voxels around an agent, which stands for the walls near it.
///
/// First the voxel of the agent, then as much of its way ahead as stays a free box, then all six faces in
/// turn, in steps that double. Start and end of a step lie in one convex box, so that a step needs no sweep.
///
/// The box is drawn in by INSET on every side: an agent is then always inside a free voxel of the box and
/// never on the edge between two that touch at it only.
#include "avoid/avoid_inside.h"
#include "probe/sight.h"
#include "space/frame.h"

#define INSET (1.0 / 512) // voxels
#define FACES 6

/// Seconds after which a box may be grown again, though it is not old.
#define PAUSE 0.05f

typedef struct growth {
    const vni_occupancy* occupancy;
    int32_t low[3], high[3];   ///< voxels, high excluded
    int32_t least[3], most[3]; ///< the box stays within these
    uint32_t walls, done;      ///< bit for each face
} growth;

static bool is_free(const growth* g, const int32_t low[3], const int32_t high[3]) {
    return vni_box_is_free(g->occupancy, (vn_voxel){low[0], low[1], low[2]},
                           (vn_voxel){high[0], high[1], high[2]});
}

/// Moves a face outwards by `step` voxels, if what it passes is free.
static bool push_face(growth* g, int face, int32_t step) {
    const int axis = face >> 1;
    int32_t low[3] = {g->low[0], g->low[1], g->low[2]}, high[3] = {g->high[0], g->high[1], g->high[2]};
    if (face & 1) {
        low[axis] = g->high[axis];
        high[axis] = g->high[axis] + step;
    } else {
        high[axis] = g->low[axis];
        low[axis] = g->low[axis] - step;
    }

    if (!is_free(g, low, high))
        return false;
    if (face & 1)
        g->high[axis] = high[axis];
    else
        g->low[axis] = low[axis];
    return true;
}

/// Up to `step` voxels: as many as are free. A face that is stopped is a wall, one at its limit is done.
static void grow_face(growth* g, int face, int32_t step) {
    const int axis = face >> 1;
    const uint32_t bit = 1u << face;
    int32_t room = face & 1 ? g->most[axis] - g->high[axis] : g->low[axis] - g->least[axis];
    if (room <= step) {
        step = room;
        g->done |= bit;
    }

    if (step == 0 || push_face(g, face, step))
        return;
    g->done |= bit;
    g->walls |= bit;
    for (int32_t part = step / 2 > 0 ? step / 2 : 0; part > 0; part /= 2)
        (void)push_face(g, face, part);
}

static void grow_faces(growth* g) {
    for (int32_t step = 1; g->done != 63; step = step < 16 ? 2 * step : step)
        for (int face = 0; face < 6; ++face)
            if (!(g->done >> face & 1))
                grow_face(g, face, step);
}

/// Extends the box from `at` towards `to` (voxel units), as far as it stays free: the boxes around longer
/// parts of the way contain those around shorter ones. Returns the part of the way, in sixteenths.
static uint32_t grow_ahead(growth* g, vni_vec at, vni_vec to) {
    const int32_t low[3] = {g->low[0], g->low[1], g->low[2]}, high[3] = {g->high[0], g->high[1], g->high[2]};
    uint32_t done = 0;
    for (uint32_t part = 16; part > 0 && done < 16; part /= 2) {
        vni_vec tip = vni_add_scaled(at, vni_sub(to, at), (double)(done + part) / 16);
        int32_t next_low[3], next_high[3];
        for (int k = 0; k < 3; ++k) {
            double voxel = vni_clamp(floor(vni_axis(tip, k)), g->least[k], g->most[k] - 1);
            next_low[k] = (int32_t)voxel < low[k] ? (int32_t)voxel : low[k];
            next_high[k] = (int32_t)voxel + 1 > high[k] ? (int32_t)voxel + 1 : high[k];
        }

        if (!is_free(g, next_low, next_high))
            continue;
        for (int k = 0; k < 3; ++k) {
            g->low[k] = next_low[k];
            g->high[k] = next_high[k];
        }
        done += part;
    }

    return done;
}

/// The voxel of a position (voxel units), if it is free; else one that touches it.
static bool start_voxel(const vn_space* space, vni_vec at, vn_voxel* out) {
    const vni_occupancy* o = &space->occupancy;
    if (!(at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x <= o->dims[0] && at.y <= o->dims[1] &&
          at.z <= o->dims[2]))
        return false;
    *out = (vn_voxel){(int32_t)at.x, (int32_t)at.y, (int32_t)at.z};
    return vni_occupancy_free_at(o, out->x, out->y, out->z) ||
           vni_space_free_voxel_at(space, vni_nearest_point(at), out);
}

static growth start_growth(const vn_space* space, vn_voxel voxel, int32_t reach) {
    growth g = {.occupancy = &space->occupancy};
    for (int k = 0; k < 3; ++k) {
        const int32_t v = VNI_AXIS(voxel, k), dim = space->occupancy.dims[k];
        g.low[k] = v;
        g.high[k] = v + 1;
        g.least[k] = v - reach > 0 ? v - reach : 0;
        g.most[k] = v + 1 + reach < dim ? v + 1 + reach : dim;
    }

    return g;
}

/// The faces at the bounds of the space are walls as well.
static void finish_box(const vn_space* space, growth* g, vni_free_box* box) {
    for (int k = 0; k < 3; ++k) {
        if (g->low[k] == 0)
            g->walls |= 1u << 2 * k;
        if (g->high[k] == space->occupancy.dims[k])
            g->walls |= 2u << 2 * k;
    }

    vn_dvec3 low = vni_voxels_to_world(space, vni_v(g->low[0] + INSET, g->low[1] + INSET, g->low[2] + INSET));
    vn_dvec3 high =
        vni_voxels_to_world(space, vni_v(g->high[0] - INSET, g->high[1] - INSET, g->high[2] - INSET));
    *box = (vni_free_box){.low = vni_v(low.x, low.y, low.z),
                          .high = vni_v(high.x, high.y, high.z),
                          .walls = g->walls,
                          .valid = true};
}

/// A path that turns round the edge of a wall leads along the very face between two voxels, and an agent that
/// is drawn in by INSET may be in the one from which the way does not go on. So at a face the voxel beyond it
/// is tried too. If the way goes on farther from there, `over` (voxel units) is the move across the face:
/// it is made by itself, for only the two voxels are known to be free around it.
static bool look_over_faces(const vn_space* space, vn_voxel voxel, int32_t reach, vni_vec at, vni_vec to,
                            uint32_t farthest, vni_vec* over) {
    bool is_better = false;
    for (int face = 0; face < FACES && farthest < 16; ++face) {
        const int axis = face >> 1;
        const double part = vni_axis(at, axis) - VNI_AXIS(voxel, axis);
        vn_voxel beyond = voxel;
        VNI_AXIS(beyond, axis) += face & 1 ? 1 : -1;
        if ((face & 1 ? 1 - part : part) > 2 * INSET ||
            !vni_occupancy_free_at(&space->occupancy, beyond.x, beyond.y, beyond.z))
            continue;

        growth other = start_growth(space, beyond, reach);
        vni_vec move = {0, 0, 0};
        // never farther than from INSET to INSET: what is left of it is drawn in by the next step
        const double across = (face & 1 ? 1 - part : part) + INSET;
        VNI_AXIS(move, axis) = (face & 1 ? 1 : -1) * (across < 2 * INSET ? across : 2 * INSET);
        const uint32_t ahead = grow_ahead(&other, vni_add(at, move), vni_add(to, move));
        if (ahead <= farthest)
            continue;
        farthest = ahead;
        *over = move;
        is_better = true;
    }

    return is_better;
}

bool vni_free_box_grow(vn_avoid* avoid, uint32_t slot) {
    const vn_space* space = avoid->spaces[slot];
    const vni_seen* body = &avoid->bodies[slot];
    const double size = (double)space->resolution;
    vni_vec at = vni_world_to_voxels(space, (vn_dvec3){body->position.x, body->position.y, body->position.z});
    vn_voxel voxel;
    avoid->boxes[slot].valid = false;
    if (!start_voxel(space, at, &voxel))
        return false;

    const double voxels = floor((double)avoid->def.box_reach / size);
    const int32_t reach = voxels < 64 ? (int32_t)voxels + 1 : 64;
    growth g = start_growth(space, voxel, reach);
    double seconds = (double)(avoid->def.wall_horizon + avoid->def.refresh) + 2 * (double)avoid->dt;
    const vni_vec to = vni_add_scaled(at, vni_wide(body->wish), seconds / size);
    vni_vec over = {0, 0, 0};
    const uint32_t farthest = grow_ahead(&g, at, to);
    const bool crosses = look_over_faces(space, voxel, reach, at, to, farthest, &over);
    grow_faces(&g);
    finish_box(space, &g, &avoid->boxes[slot]);
    avoid->boxes[slot].crosses = crosses;
    if (crosses)
        avoid->boxes[slot].over = vni_add_scaled(body->position, over, size);
    return true;
}

bool vni_free_box_is_due(const vn_avoid* avoid, uint32_t slot) {
    const vni_limits* limits = &avoid->limits[slot];
    const vni_free_box* box = &avoid->boxes[slot];
    const vni_seen* body = &avoid->bodies[slot];
    if (limits->box_due <= 0)
        return true;
    if (limits->box_due > VNI_BOX_LIFE * avoid->def.refresh - PAUSE)
        return false;

    double seconds = (double)(avoid->def.wall_horizon + avoid->dt);
    for (int k = 0; k < 3; ++k) {
        double tip = vni_axis(body->position, k) + (double)VNI_AXIS(body->wish, k) * seconds;
        if (tip < vni_axis(box->low, k) || tip > vni_axis(box->high, k))
            return true;
    }

    return false;
}
