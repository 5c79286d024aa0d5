/// avoid/straits.c: passages in which two agents cannot pass each other: one direction at a time, in batches.
///
///     VNI_FAR --heads for it--> VNI_WAITS --nearest of the side whose turn it is--> VNI_PASSES
///        ^                                                                             | is through
///        '----------------------------- some metres on ------------------------ VNI_LEAVES
///
/// Those that wait keep the mouth clear, do not press, and stay in their right half of the space before it;
/// those that leave keep to theirs, the other one. The first of those that wait form the file: it is made
/// anew in each step, so that one that is stuck in the crowd is overtaken, and one that is removed or carried
/// off leaves nothing behind.
///
/// The direction changes when a batch has entered (not: was let into the file), none of it is inside, and the
/// last is a place of the file beyond the exit. Otherwise those who come push the last ones back in, and both
/// stand in the door for ever.
#include "avoid/avoid_inside.h"

#define BATCH     24    // agents of one side, while others wait on the other
#define INSIDE    5     // agents that pass at once, in a strait without length
#define APART     2.6   // greatest radii between two in the file
#define AIR       0.5   // greatest radii between the bodies of two who wait
#define SPACING   1.5   // metres of a longer strait for each further one
#define CLEAR     2.0   // metres before the mouth that those who wait keep free
#define REACH     8.0   // metres from which agents wait
#define LEAVE     5.0   // metres after which an agent has left
#define KEPT      0.5f  // metres by which another must be nearer to the mouth to take a place in the file
#define PATIENCE  6.0f  // seconds until one in the file that does not enter falls back,
#define FALL_BACK 0.5f  // by so many metres a second
#define PRESS     8.0f  // weight gained for each metre too near
#define URGENT    40.0f // weight of those who pass, against those who wait: these have at most 21

static vni_vec corner(vn_dvec3 p) {
    return vni_v(p.x, p.y, p.z);
}

/// The middle of the face through which agents of this side enter.
static vni_vec mouth_of(const vni_strait* strait, int side) {
    const vni_vec low = corner(strait->def.low), high = corner(strait->def.high);
    vni_vec mouth = vni_scale(vni_add(low, high), 0.5);
    VNI_AXIS(mouth, strait->def.axis) = vni_axis(side > 0 ? low : high, (int)strait->def.axis);
    return mouth;
}

/// Metres beyond the mouth of a side, along its direction; negative: before it.
static double beyond(const vni_strait* strait, int side, vni_vec at, bool exit) {
    const int axis = (int)strait->def.axis;
    return side * (vni_axis(at, axis) - vni_axis(mouth_of(strait, exit ? -side : side), axis));
}

static vni_vec direction_of(const vni_strait* strait, int side) {
    vni_vec v = {0, 0, 0};
    VNI_AXIS(v, strait->def.axis) = side;
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
    turn->inside = distance_to(strait, body->position) < 1e-6;
    turn->late = 0;
    if (turn->inside) {
        turn->side = VNI_AXIS(body->wish, axis) >= 0 ? 1 : -1;
        turn->phase = VNI_PASSES;
        return;
    }

    for (int side = -1; side <= 1; side += 2)
        if (beyond(strait, side, body->position, false) < 0 && heads_for(body, mouth_of(strait, side), 0.5)) {
            turn->side = (int8_t)side;
            turn->phase = VNI_WAITS;
        }
}

/// One that passes or has passed: into the strait, out of it, away from it.
static void advance(vn_avoid* avoid, uint32_t slot) {
    vni_turn* turn = &avoid->turns[slot];
    const vni_seen* body = &avoid->bodies[slot];
    vni_strait* strait = &avoid->straits[turn->strait];
    const double out = beyond(strait, turn->side, body->position, true);
    if (turn->phase == VNI_PASSES && !turn->inside) {
        turn->inside = true;
        strait->batch += turn->side == strait->side;
    }

    if (turn->phase == VNI_PASSES && out > 0.1) {
        turn->phase = VNI_LEAVES;
        turn->late = 0;
    } else if (turn->phase == VNI_LEAVES && out < 0)
        turn->phase = VNI_PASSES; // it was pushed back
    else if (turn->phase == VNI_LEAVES &&
             (vni_length(vni_sub(mouth_of(strait, -turn->side), body->position)) > LEAVE ||
              vni_dot(vni_wide(body->wish), direction_of(strait, turn->side)) <= 0))
        turn->phase = VNI_FAR; // it is away, or stays here, or turns round
}

/// Brings an agent up to date: it still heads for the strait, or has come on.
static void follow_up(vn_avoid* avoid, uint32_t slot) {
    vni_turn* turn = &avoid->turns[slot];
    const vni_seen* body = &avoid->bodies[slot];
    const vni_strait* strait = &avoid->straits[turn->strait];
    const vni_vec mouth = mouth_of(strait, turn->side), exit = mouth_of(strait, -turn->side);
    turn->distance = (float)vni_length(vni_sub(mouth, body->position));
    if (beyond(strait, turn->side, body->position, false) >= 0) {
        // one that waited was pushed in, or has come to stand beside the strait
        if (turn->phase == VNI_WAITS) {
            turn->inside = distance_to(strait, body->position) < 1e-6;
            turn->phase = turn->inside ? VNI_PASSES : VNI_FAR;
        } else
            advance(avoid, slot);
        return;
    }

    // at the mouth itself the direction to it says nothing
    turn->inside = false;
    if ((!heads_for(body, mouth, 0.2) && !heads_for(body, exit, 0.2)) ||
        (double)turn->distance > 1.5 * REACH || turn->phase == VNI_LEAVES)
        turn->phase = VNI_FAR;
}

/// Metres by which agents of a file are apart.
static double spacing(const vn_avoid* avoid) {
    return APART * (double)avoid->widest;
}

/// The nearest come first. Those in the file are not overtaken by a little, unless they do not come.
static void set_order(vn_avoid* avoid, vni_turn* turn) {
    const bool files = turn->phase == VNI_PASSES;
    turn->late = files ? turn->late + avoid->dt : turn->late - avoid->dt;
    turn->late = turn->late > 0 ? turn->late : 0;
    turn->order = turn->distance - (files ? KEPT : 0);
    if (turn->late > PATIENCE)
        turn->order += (turn->late - PATIENCE) * FALL_BACK;
}

/// Puts an agent into the file by its order, ties by slot: slots come in ascending order.
static void line_up(vn_avoid* avoid, vni_strait* strait, uint32_t slot) {
    const vni_turn* turns = avoid->turns;
    uint32_t at = strait->file_count;
    if (at < VNI_FILE)
        ++strait->file_count;
    else if (turns[slot].order < turns[strait->file[at - 1]].order)
        --at;
    else
        return;

    for (; at > 0 && turns[strait->file[at - 1]].order > turns[slot].order; --at)
        strait->file[at] = strait->file[at - 1];
    strait->file[at] = slot;
}

/// Counts an agent. All before the mouth wait; then `decide` lets the first of them pass.
static void count_turn(vn_avoid* avoid, uint32_t slot) {
    vni_turn* turn = &avoid->turns[slot];
    vni_strait* strait = &avoid->straits[turn->strait];
    if (turn->phase == VNI_PASSES && turn->inside)
        ++strait->inside;
    else if (turn->phase == VNI_PASSES || turn->phase == VNI_WAITS) {
        set_order(avoid, turn);
        turn->phase = VNI_WAITS;
        ++strait->waiting[turn->side > 0];
        if (turn->side == strait->side)
            line_up(avoid, strait, slot);
    } else if (turn->phase == VNI_LEAVES) {
        turn->late += avoid->dt; // one that stays there is not waited for
        strait->leaving += turn->late < PATIENCE &&
                           beyond(strait, turn->side, avoid->bodies[slot].position, true) < spacing(avoid);
    }
}

/// An agent that is inside against the stream goes along with it.
static void join(const vn_avoid* avoid, vni_turn* turn) {
    const vni_strait* strait = &avoid->straits[turn->strait];
    if (turn->phase == VNI_PASSES && turn->inside && strait->side != 0)
        turn->side = (int8_t)strait->side;
}

// ---------- turns

static uint32_t room_of(const vni_strait* strait) {
    double length = vni_axis(corner(strait->def.high), (int)strait->def.axis) -
                    vni_axis(corner(strait->def.low), (int)strait->def.axis);
    return INSIDE + (uint32_t)vni_clamp(length / SPACING, 0, 1e6);
}

/// How many of the file may pass: those that are left of the batch, if others wait on the other side.
static uint32_t places_of(const vni_strait* strait) {
    const uint32_t room = room_of(strait), other = strait->side < 0;
    const uint32_t left = strait->batch < BATCH ? BATCH - strait->batch : 0;
    const uint32_t places = room > strait->inside ? room - strait->inside : 0;
    return strait->waiting[other] > 0 && left < places ? left : places;
}

/// Lets the first of the file pass, and any that stand in the mouth, where those who come out need to go.
/// Returns how many.
static uint32_t admit(vn_avoid* avoid, const vni_strait* strait) {
    const uint32_t places = places_of(strait);
    const double mouth = spacing(avoid);
    uint32_t count = 0;
    for (uint32_t i = 0; i < strait->file_count; ++i) {
        vni_turn* turn = &avoid->turns[strait->file[i]];
        if (count >= places && (double)turn->distance >= mouth)
            continue;
        turn->phase = VNI_PASSES;
        turn->rank = (uint8_t)count;
        ++count;
    }

    return count;
}

static void decide(vn_avoid* avoid, vni_strait* strait) {
    if (strait->side == 0)
        strait->side = strait->waiting[1] >= strait->waiting[0] ? 1 : -1;
    const uint32_t passing = admit(avoid, strait) + strait->inside;
    const uint32_t own = strait->side > 0, other = 1 - own;

    // the other side's turn: as soon as none is in its way
    if (strait->waiting[other] > 0 && (strait->waiting[own] == 0 || strait->batch >= BATCH) && passing == 0 &&
        strait->leaving == 0) {
        strait->side = -strait->side;
        strait->batch = 0;
    }
}

/// Those who pass or leave come first, whatever the priorities of those who wait. Of these, those too near
/// the mouth must get away through those behind them: the nearer, the weightier.
static float weight_of(const vn_avoid* avoid, uint32_t slot) {
    const vni_turn* turn = &avoid->turns[slot];
    const float own = avoid->limits[slot].weight;
    if (turn->phase == VNI_PASSES || turn->phase == VNI_LEAVES)
        return own * URGENT;
    const float inside = (float)CLEAR + 0.5f - turn->distance;
    return turn->phase == VNI_FAR ? own : inside > 0 ? 1 + PRESS * inside : 1;
}

static void clear_counts(vni_strait* strait) {
    strait->inside = strait->leaving = strait->waiting[0] = strait->waiting[1] = strait->file_count = 0;
}

void vni_straits_update(vn_avoid* avoid) {
    for (uint32_t i = 0; i < avoid->strait_count; ++i)
        clear_counts(&avoid->straits[i]);

    for (uint32_t i = 0; i < avoid->live_count; ++i) {
        const uint32_t slot = avoid->live[i];
        vni_turn* turn = &avoid->turns[slot];
        if (turn->phase == VNI_FAR && turn->near > 0)
            approach(avoid, slot);
        if (turn->phase != VNI_FAR) {
            follow_up(avoid, slot);
            join(avoid, turn);
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

/// Does not press: approaches those who wait before it, and those who pass, no faster than they need not
/// notice.
static void keep_apart(const vn_avoid* avoid, vni_moment* m, const vni_turn* turn) {
    const double air = AIR * (double)avoid->widest;
    for (uint32_t i = 0; i < m->near_count; ++i) {
        const vni_turn* other = &avoid->turns[m->near[i].slot];
        const bool first =
            other->phase == VNI_PASSES || (other->phase == VNI_WAITS && other->distance < turn->distance);
        if (!first || other->strait != turn->strait)
            continue;

        const vni_vec to = vni_sub(avoid->bodies[m->near[i].slot].position, m->body->position);
        const double length = vni_length(to), gap = (double)m->near[i].gap - air;
        const double most = gap > 0 ? gap / (double)avoid->def.horizon : 0;
        const double now = length > 1e-9 ? vni_dot(m->wish, to) / length : 0;
        if (now > most)
            m->wish = vni_add_scaled(m->wish, to, (most - now) / length);
    }
}

/// Before the mouth to its place in the file, the first one to the mouth and, once it stands before it, on
/// through the strait.
static void pass(const vn_avoid* avoid, vni_moment* m, const vni_strait* strait, const vni_turn* turn) {
    const vni_vec ahead = direction_of(strait, turn->side), mouth = mouth_of(strait, turn->side);
    const double along = beyond(strait, turn->side, m->body->position, false);
    const double apart = spacing(avoid);
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
    if (turn->phase == VNI_WAITS) {
        keep_clear(m, mouth);
        keep_apart(avoid, m, turn);
    }
    return true;
}
