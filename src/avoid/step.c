/// avoid/step.c: one step of all agents.
///
///     vn_avoid_step
///      |- vni_index_update        buckets of agents and obstacles        serial
///      |- vni_straits_update        who may pass which strait                serial
///      '- move_range              for each agent, in any order; reads the old bodies, writes its own new one
///          |- refresh             list of neighbours, free box
///          |- vni_straits_lead, vni_turn_wish
///          |- vni_add_walls, _obstacles, _neighbours; vni_programme_solve
///          '- move                acceleration, position, walls
#include "avoid/avoid_inside.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/jobs.h"

/// Agents for which one task is worth while.
#define RANGE 64

/// An agent that another disturbed is asked again after so many steps whether it is alone.
#define STEPS_DISTURBED 6

/// Part of an interval, 0 to 1, by slot: so that not all agents renew their lists in the same step.
static float phase_of(uint32_t slot) {
    return (float)(vni_hash_mix(slot + UINT64_C(1)) & 0xffff) / 0x10000;
}

/// Counts down; true, with the next interval set, when the time has come.
static bool is_due(const vn_avoid* avoid, float* due, uint32_t slot) {
    const bool is_new = *due < 0;
    *due -= avoid->dt;
    if (*due > 0)
        return false;
    *due = is_new ? avoid->def.refresh * phase_of(slot) : *due + avoid->def.refresh;
    *due = *due > 0 ? *due : 0;
    return true;
}

static void refresh(vn_avoid* avoid, uint32_t slot) {
    vni_limits* limits = &avoid->limits[slot];
    if (is_due(avoid, &limits->list_due, slot)) {
        vni_list_neighbours(avoid, slot);
        if (avoid->strait_count > 0)
            vni_straits_look(avoid, slot);
    }

    if (avoid->spaces[slot] == NULL)
        return;
    limits->box_due -= avoid->dt;
    if (vni_free_box_is_due(avoid, slot)) {
        (void)vni_free_box_grow(avoid, slot);
        limits->box_due = VNI_BOX_LIFE * avoid->def.refresh;
    }
}

/// Within the acceleration.
static vni_vec accelerate(const vn_avoid* avoid, const vni_moment* m, vni_vec velocity) {
    vni_vec old = vni_wide(m->body->velocity), change = vni_sub(velocity, old);
    double most = (double)(avoid->limits[m->slot].acceleration * avoid->dt), length2 = vni_length2(change);
    if (length2 <= most * most)
        return velocity;
    return vni_add_scaled(old, change, most / sqrt(length2));
}

/// `up` of the def is a unit vector within a thousandth only.
static vni_vec unit_up(const vn_avoid* avoid) {
    const vni_vec up = vni_wide(avoid->def.up);
    return vni_scale(up, 1 / vni_length(up));
}

/// Hard planes for the limit of climbing; they allow v = 0.
static void add_climb(const vn_avoid* avoid, vni_moment* m) {
    const double most = (double)avoid->limits[m->slot].climb;
    if (!(most > 0) || most >= m->lp.speed)
        return;
    const vni_vec up = unit_up(avoid);
    vni_add_plane(&m->lp, up, -most);
    vni_add_plane(&m->lp, vni_scale(up, -1), -most);
}

/// Takes away what exceeds the limit of climbing: velocities that do not come from the programme alone.
static vni_vec within_climb(const vn_avoid* avoid, uint32_t slot, vni_vec velocity) {
    const double most = (double)avoid->limits[slot].climb;
    if (!(most > 0))
        return velocity;
    const vni_vec up = unit_up(avoid);
    const double climb = vni_dot(velocity, up);
    return vni_abs(climb) > most ? vni_add_scaled(velocity, up, vni_clamp(climb, -most, most) - climb)
                                 : velocity;
}

/// The best velocity under all planes; where they contradict each other, first without the caution for
/// obstacles that may turn round, then past other faces of boxes.
static void solve(const vn_avoid* avoid, vni_moment* m, vni_vec* velocity) {
    const uint32_t firm = m->lp.count;
    if (avoid->obstacle_counts[m->slot] > 0)
        vni_add_reversals(avoid, m);
    bool is_free = vni_programme_solve(&m->lp, m->wish, velocity);
    const bool is_careless = !is_free && firm < m->lp.count;
    if (is_careless) {
        m->lp.count = firm;
        is_free = vni_programme_solve(&m->lp, m->wish, velocity);
    }

    if (!is_free && m->boxes_tried > 0)
        vni_try_other_faces(m, velocity);
    if (avoid->obstacle_counts[m->slot] > 0)
        vni_escape(avoid, m, is_careless, velocity);
}

/// The velocity of an agent that no other disturbs; false, and nothing has happened, if one may.
static bool choose_alone(vn_avoid* avoid, vni_moment* m, float* alert, vni_vec* velocity) {
    uint32_t* disturbed = &avoid->limits[m->slot].disturbed;
    if (avoid->strait_count > 0 || avoid->obstacle_counts[m->slot] > 0)
        return false;
    if (*disturbed > 1) {
        --*disturbed;
        return false;
    }

    const vni_vec wish = m->wish;
    const uint32_t count = m->lp.count;
    *alert = vni_turn_wish(avoid, m);
    m->lp.hard = m->lp.count;
    const bool is_alone =
        vni_programme_solve(&m->lp, m->wish, velocity) && vni_is_left_alone(avoid, m, *velocity);
    *disturbed = is_alone ? 0 : STEPS_DISTURBED;
    if (!is_alone) {
        m->wish = wish;
        m->lp.count = count;
    }
    return is_alone;
}

static vni_vec choose(vn_avoid* avoid, vni_moment* m, float* alert) {
    vni_vec velocity;
    if (avoid->def.mode == VN_AVOID_NONE)
        return accelerate(avoid, m, m->wish);
    if (avoid->def.mode == VN_AVOID_PUSH) {
        vni_gather(avoid, m);
        // a contact stops at once, as a wall does
        m->wish = accelerate(avoid, m, m->wish);
        return vni_pushed(avoid, m);
    }

    if (m->box != NULL)
        vni_add_walls(avoid, m);
    add_climb(avoid, m);
    if (choose_alone(avoid, m, alert, &velocity))
        return accelerate(avoid, m, velocity);

    vni_gather(avoid, m);
    if (!vni_straits_lead(avoid, m))
        *alert = vni_turn_wish(avoid, m);

    m->lp.hard = m->lp.count;
    if (avoid->obstacle_counts[m->slot] > 0)
        vni_add_obstacles(avoid, m);
    vni_add_neighbours(avoid, m);
    solve(avoid, m, &velocity);
    return accelerate(avoid, m, velocity);
}

/// Moves and stops at the free box. The velocity is then that of the motion.
static void move(const vn_avoid* avoid, const vni_moment* m, vni_vec velocity, vni_seen* out) {
    const double dt = (double)avoid->dt;
    out->position = vni_add_scaled(m->body->position, velocity, dt);
    for (int k = 0; k < 3 && m->box != NULL; ++k) {
        double* at = &VNI_AXIS(out->position, k);
        double low = vni_axis(m->box->low, k), high = vni_axis(m->box->high, k);
        if (*at < low || *at > high) {
            *at = vni_clamp(*at, low, high);
            double speed = (*at - vni_axis(m->body->position, k)) / dt;
            double was = VNI_AXIS(velocity, k);
            VNI_AXIS(velocity, k) = speed * was > 0 ? (vni_abs(speed) < vni_abs(was) ? speed : was) : 0;
        }
    }

    out->velocity = vni_narrow(velocity);
}

static void note_progress(vn_avoid* avoid, const vni_moment* m, const vni_seen* now) {
    vni_limits* limits = &avoid->limits[m->slot];
    vni_vec wish = vni_wide(m->body->wish);
    bool moves = vni_dot(vni_wide(now->velocity), wish) >= 0.1 * vni_length2(wish);
    limits->held = moves ? 0 : limits->held + avoid->dt;
}

static void move_agent(vn_avoid* avoid, uint32_t slot) {
    const vni_seen* body = &avoid->bodies[slot];
    vni_seen* out = &avoid->next[slot];
    refresh(avoid, slot);
    *out = *body;
    out->alert = 0;
    if (avoid->spaces[slot] != NULL && !avoid->boxes[slot].valid) {
        out->velocity = (vn_vec3){0, 0, 0};
        avoid->limits[slot].held += avoid->dt;
        return;
    }

    // It keeps its velocity: a millimetre over the face, and the way goes on.
    if (avoid->spaces[slot] != NULL && avoid->boxes[slot].crosses) {
        out->position = avoid->boxes[slot].over;
        avoid->boxes[slot].crosses = false;
        avoid->limits[slot].box_due = 0;
        return;
    }

    vni_moment m;
    m.slot = slot;
    m.near_count = m.boxes_tried = 0;
    m.body = body;
    m.box = avoid->spaces[slot] != NULL ? &avoid->boxes[slot] : NULL;
    m.wish = vni_wide(body->wish);
    m.room[0] = m.room[1] = m.room[2] = 1e30;
    m.lp.hard = m.lp.count = 0;
    m.lp.speed = (double)avoid->limits[slot].speed;

    move(avoid, &m, within_climb(avoid, slot, choose(avoid, &m, &out->alert)), out);
    note_progress(avoid, &m, out);
}

static void move_range(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    vn_avoid* avoid = context;
    (void)worker;
    for (uint32_t i = begin; i < end; ++i)
        move_agent(avoid, avoid->live[i]);
}

static void age_obstacles(vn_avoid* avoid) {
    for (uint32_t slot = 0; slot < avoid->obstacle_ids.slots; ++slot)
        avoid->movers[slot].since += (double)avoid->dt;
}

vn_status vn_avoid_step(vn_avoid* avoid, float dt) {
    VNI_ASSERT(avoid != NULL);
    if (!(dt > 0 && dt <= 1))
        return VN_BAD_ARGUMENT;

    avoid->dt = dt;
    vni_index_update(avoid);
    if (avoid->strait_count > 0)
        vni_straits_update(avoid);
    vni_parallel_for(&avoid->def.jobs, avoid->live_count, RANGE, move_range, avoid);

    vni_seen* old = avoid->bodies;
    avoid->bodies = avoid->next;
    avoid->next = old;
    age_obstacles(avoid);
    ++avoid->step;
    return VN_OK;
}
