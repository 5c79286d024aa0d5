/// avoid/straits.c: passages in which two agents cannot pass each other: one direction at a time, in batches.
///
///     VNI_FAR --heads for it--> VNI_WAITS --nearest of the side whose turn it is--> VNI_PASSES
///        ^                                                                             | is through
///        '----------------------------- some metres on ------------------------ VNI_LEAVES
///
/// Those that wait keep the mouth clear and stay in their right half of the space before it; those that leave
/// keep to theirs, the other one. Counts are taken anew in each step, so that an agent that is removed or
/// carried off leaves nothing behind.
#include "avoid/avoid_inside.h"

#define BATCH    24    // agents of one side, while others wait on the other
#define INSIDE   5     // agents that pass at once, in a strait without length
#define APART    2.6   // greatest radii between two in the file
#define SPACING  1.5   // metres of a longer strait for each further one
#define CLEAR    2.0   // metres before the mouth that those who wait keep free
#define REACH    8.0   // metres from which agents wait
#define LEAVE    5.0   // metres after which an agent has left
#define PATIENCE 3.0f  // seconds that the strait waits for one that does not come
#define PRESS    8.0f  // weight gained for each metre too near
#define URGENT   20.0f // weight of those who pass, against those who wait

static vni_vec corner(vn_dvec3 p) {
    return vni_v(p.x, p.y, p.z);
}

/// The middle of the face through which agents of this side enter.
static vni_vec mouth_of(const vni_strait* strait, int side) {
    const vni_vec low = corner(strait->def.low), high = corner(strait->def.high);
    vni_vec mouth = vni_scale(vni_add(low, high), 0.5);
    (&mouth.x)[strait->def.axis] = vni_axis(side > 0 ? low : high, (int)strait->def.axis);
    return mouth;
}

/// Metres beyond the mouth of a side, along its direction; negative: before it.
static double beyond(const vni_strait* strait, int side, vni_vec at, bool exit) {
    const int axis = (int)strait->def.axis;
    return side * (vni_axis(at, axis) - vni_axis(mouth_of(strait, exit ? -side : side), axis));
}

static vni_vec direction_of(const vni_strait* strait, int side) {
    vni_vec v = {0, 0, 0};
    (&v.x)[strait->def.axis] = side;
    return v;
}

static double distance_to(const vni_strait* strait, vni_vec at) {
    vni_vec nearest = vni_min(vni_max(at, corner(strait->def.low)), corner(strait->def.high));
    return vni_length(vni_sub(nearest, at));
}

void vni_straits_look(vn_avoid* avoid, uint32_t slot) {
    double best = REACH;
    avoid->turns[slot].near = 0;
    for (uint32_t i = 0; i < avoid->strait_count; ++i) {
        double distance = distance_to(&avoid->straits[i], avoid->bodies[slot].position);
        if (distance < best) {
            best = distance;
            avoid->turns[slot].near = (uint16_t)(i + 1);
        }
    }
}

/// Does the agent want to go to this point? `least` is the cosine.
static bool heads_for(const vni_seen* body, vni_vec point, double least) {
    vni_vec to = vni_sub(point, body->position), wish = vni_wide(body->wish);
    double scale = sqrt(vni_length2(to) * vni_length2(wish));
    return scale > 1e-9 && vni_dot(to, wish) >= least * scale;
}

// ---------- phases

static void approach(vn_avoid* avoid, uint32_t slot) {
    vni_turn* turn = &avoid->turns[slot];
    const vni_seen* body = &avoid->bodies[slot];
    const vni_strait* strait = &avoid->straits[turn->near - 1];
    const int axis = (int)strait->def.axis;
    turn->strait = turn->near - 1u;
    if (distance_to(strait, body->position) < 1e-6) {
        turn->side = (&body->wish.x)[axis] >= 0 ? 1 : -1;
        turn->phase = VNI_PASSES;
        return;
    }

    for (int side = -1; side <= 1; side += 2)
        if (beyond(strait, side, body->position, false) < 0 && heads_for(body, mouth_of(strait, side), 0.5)) {
            turn->side = (int8_t)side;
            turn->phase = VNI_WAITS;
        }
}

static void follow_up(vn_avoid* avoid, uint32_t slot) {
    vni_turn* turn = &avoid->turns[slot];
    const vni_seen* body = &avoid->bodies[slot];
    const vni_strait* strait = &avoid->straits[turn->strait];
    const vni_vec mouth = mouth_of(strait, turn->side), exit = mouth_of(strait, -turn->side);
    const bool before = beyond(strait, turn->side, body->position, false) < 0;
    turn->distance = (float)vni_length(vni_sub(mouth, body->position));

    if (turn->phase == VNI_LEAVES && beyond(strait, turn->side, body->position, true) < 0)
        turn->phase = before ? VNI_FAR : VNI_PASSES; // it was pushed back
    if (turn->phase == VNI_LEAVES) {
        if (vni_length(vni_sub(exit, body->position)) > LEAVE ||
            vni_dot(vni_wide(body->wish), direction_of(strait, turn->side)) < 0)
            turn->phase = VNI_FAR;
    } else if (before) {
        if (!heads_for(body, mouth, 0.2) || (double)turn->distance > 1.5 * REACH)
            turn->phase = VNI_FAR;
        else if (turn->phase == VNI_PASSES && avoid->limits[slot].held > PATIENCE)
            turn->phase = VNI_WAITS; // it is stuck in the crowd: the others need not wait for it
    } else if (beyond(strait, turn->side, body->position, true) > 0.1)
        turn->phase = turn->phase == VNI_PASSES ? VNI_LEAVES : VNI_FAR;
}

/// Puts an agent into the file by its distance, ties by slot; slots come in ascending order. False if the
/// file is full of nearer ones.
static void line_up(vn_avoid* avoid, vni_strait* strait, uint32_t slot) {
    uint32_t at = strait->file_count;
    if (at < VNI_FILE)
        ++strait->file_count;
    else if (avoid->turns[slot].distance < avoid->turns[strait->file[--at]].distance)
        avoid->turns[strait->file[at]].rank = VNI_FILE;
    else {
        avoid->turns[slot].rank = VNI_FILE;
        return;
    }

    for (; at > 0 && avoid->turns[strait->file[at - 1]].distance > avoid->turns[slot].distance; --at)
        strait->file[at] = strait->file[at - 1];
    strait->file[at] = slot;
}

static void count_turn(vn_avoid* avoid, uint32_t slot) {
    const vni_turn* turn = &avoid->turns[slot];
    vni_strait* strait = &avoid->straits[turn->strait];
    const uint32_t side = turn->side > 0;
    if (turn->phase == VNI_PASSES) {
        ++strait->passing;
        if (beyond(strait, turn->side, avoid->bodies[slot].position, false) < 0)
            line_up(avoid, strait, slot);
    }

    // the other side may not push it back
    if (turn->phase == VNI_LEAVES && avoid->limits[slot].held < PATIENCE &&
        beyond(strait, turn->side, avoid->bodies[slot].position, true) < CLEAR)
        ++strait->leaving;
    if (turn->phase != VNI_WAITS)
        return;
    // slots come in ascending order: the first of equals stays
    if (strait->waiting[side]++ == 0 || turn->distance < avoid->turns[strait->first[side]].distance)
        strait->first[side] = slot;
}

/// An agent that is inside against the stream goes along with it.
static void join(const vn_avoid* avoid, vni_turn* turn, vni_vec at) {
    const vni_strait* strait = &avoid->straits[turn->strait];
    if (turn->phase == VNI_PASSES && strait->side != 0 && turn->side != strait->side &&
        beyond(strait, turn->side, at, false) >= 0 && beyond(strait, turn->side, at, true) <= 0)
        turn->side = (int8_t)strait->side;
}

// ---------- turns

static uint32_t room_of(const vni_strait* strait) {
    double length = vni_axis(corner(strait->def.high), (int)strait->def.axis) -
                    vni_axis(corner(strait->def.low), (int)strait->def.axis);
    return INSIDE + (uint32_t)vni_clamp(length / SPACING, 0, 1e6);
}

static void decide(vn_avoid* avoid, vni_strait* strait) {
    if (strait->side == 0)
        strait->side = strait->waiting[1] >= strait->waiting[0] ? 1 : -1;
    const uint32_t own = strait->side > 0, other = 1 - own;
    for (uint32_t i = 0; i < strait->file_count; ++i)
        avoid->turns[strait->file[i]].rank = (uint8_t)i;

    // the other side's turn: as soon as the strait is empty
    if (strait->waiting[other] > 0 && (strait->waiting[own] == 0 || strait->batch >= BATCH)) {
        if (strait->passing == 0 && strait->leaving == 0) {
            strait->side = -strait->side;
            strait->batch = 0;
        }
        return;
    }

    if (strait->waiting[own] > 0 && strait->passing < room_of(strait) && strait->file_count < VNI_FILE) {
        avoid->turns[strait->first[own]].rank = (uint8_t)strait->file_count;
        avoid->turns[strait->first[own]].phase = VNI_PASSES;
        ++strait->batch;
    }
}

/// Those who wait too near the mouth must get away through those behind them: the nearer, the weightier.
static float weight_of(const vn_avoid* avoid, uint32_t slot) {
    const vni_turn* turn = &avoid->turns[slot];
    const float own = avoid->limits[slot].weight;
    if (turn->phase == VNI_PASSES || turn->phase == VNI_LEAVES)
        return own * URGENT;
    const float inside = (float)CLEAR + 0.5f - turn->distance;
    return turn->phase == VNI_WAITS && inside > 0 ? own * (1 + PRESS * inside) : own;
}

void vni_straits_update(vn_avoid* avoid) {
    for (uint32_t i = 0; i < avoid->strait_count; ++i)
        avoid->straits[i].passing = avoid->straits[i].leaving = avoid->straits[i].waiting[0] = avoid->straits[i].waiting[1] =
            avoid->straits[i].file_count = 0;

    for (uint32_t i = 0; i < avoid->live_count; ++i) {
        const uint32_t slot = avoid->live[i];
        vni_turn* turn = &avoid->turns[slot];
        if (turn->phase == VNI_FAR && turn->near > 0)
            approach(avoid, slot);
        if (turn->phase != VNI_FAR) {
            follow_up(avoid, slot);
            join(avoid, turn, avoid->bodies[slot].position);
            count_turn(avoid, slot);
        }
    }

    for (uint32_t i = 0; i < avoid->strait_count; ++i)
        decide(avoid, &avoid->straits[i]);
    for (uint32_t i = 0; i < avoid->live_count; ++i)
        avoid->bodies[avoid->live[i]].weight = weight_of(avoid, avoid->live[i]);
}

// ---------- motion

/// In its right half, or on the way there.
static void keep_right(const vn_avoid* avoid, vni_moment* m, const vni_strait* strait, int side,
                       vni_vec mouth) {
    vni_vec right = vni_right_of(avoid, direction_of(strait, side));
    double inside = vni_dot(right, vni_sub(m->body->position, mouth)) - (double)m->body->radius;
    double speed = vni_length(m->wish);
    if (inside >= 0) {
        vni_add_plane(&m->lp, vni_scale(right, 1), -inside / (double)avoid->def.wall_horizon);
        return;
    }

    m->wish = vni_add_scaled(m->wish, right, vni_clamp(-inside, 0, 1) * speed);
    m->wish = vni_scale(m->wish, speed / vni_length(m->wish));
}

/// Not into the ball before the mouth; out of it, if it is in.
static void keep_clear(vni_moment* m, vni_vec mouth) {
    vni_vec away = vni_sub(m->body->position, mouth);
    double distance = vni_length(away), speed = vni_length(m->wish);
    if (distance < 1e-6)
        return;

    away = vni_scale(away, 1 / distance);
    double out = vni_clamp(CLEAR - distance, -0.5 * speed, 0.5 * speed) * (distance < CLEAR ? 2 : 1),
           now = vni_dot(m->wish, away);
    if (now < out)
        m->wish = vni_add_scaled(m->wish, away, out - now);
}

/// Before the mouth to its place in the file, the first one to the mouth and, once it stands before it, on
/// through the strait.
static void pass(const vn_avoid* avoid, vni_moment* m, const vni_strait* strait, const vni_turn* turn) {
    const vni_vec ahead = direction_of(strait, turn->side), mouth = mouth_of(strait, turn->side);
    const double along = beyond(strait, turn->side, m->body->position, false);
    const double apart = APART * (double)avoid->widest;
    double next = along + 1;
    if (along < 0) {
        vni_vec aside = vni_add_scaled(vni_sub(m->body->position, mouth), ahead, -along);
        next = turn->rank > 0                                      ? -apart * turn->rank
               : vni_length(aside) < 0.5 * (double)m->body->radius ? along + 1
                                                                   : -0.5 * (double)m->body->radius;
    }

    vni_vec to = vni_sub(vni_add_scaled(mouth, ahead, next), m->body->position);
    double length = vni_length(to), speed = vni_clamp(2 * length, 0, m->lp.speed);
    m->wish = length > 1e-9 ? vni_scale(to, speed / length) : vni_v(0, 0, 0);
}

bool vni_straits_lead(const vn_avoid* avoid, vni_moment* m) {
    const vni_turn* turn = &avoid->turns[m->slot];
    if (avoid->strait_count == 0 || turn->phase == VNI_FAR)
        return false;

    const vni_strait* strait = &avoid->straits[turn->strait];
    const vni_vec mouth = mouth_of(strait, turn->phase == VNI_LEAVES ? -turn->side : turn->side);
    if (turn->phase == VNI_PASSES) {
        pass(avoid, m, strait, turn);
        return true;
    }

    if (vni_length2(m->wish) < 1e-12)
        return true;
    keep_right(avoid, m, strait, turn->side, mouth);
    if (turn->phase == VNI_WAITS)
        keep_clear(m, mouth);
    return true;
}
