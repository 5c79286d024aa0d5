/// pilot/manoeuvre.c: manoeuvres flown in thought: do they meet walls, obstacles that are seen, or could they
/// meet those that are not seen yet?
///
/// A manoeuvre is a row of straight segments, one a step. While the velocity turns, each has a direction of
/// its own; from then on it keeps the direction, also while braking, so that one line of sight covers the
/// rest.
#include "pilot/pilot_inside.h"

uint32_t vni_horizon_steps(const vn_pilot* pilot) {
    return (uint32_t)floor(pilot->def.horizon / pilot->def.step + 0.5);
}

vni_vec vni_turn_velocity(vni_vec from, vni_vec to, double most) {
    const vni_vec change = vni_sub(to, from);
    const double length = vni_length(change);
    return length <= most ? to : vni_add_scaled(from, change, most / length);
}

vni_manoeuvre vni_manoeuvre_of(vni_vec velocity, uint32_t steps) {
    vni_manoeuvre plan = {.velocity = {velocity}, .steps = {steps}, .count = 1};
    return plan;
}

void vni_manoeuvre_advance(vni_manoeuvre* plan) {
    if (plan->count == 0 || --plan->steps[0] > 0)
        return;

    --plan->count;
    for (uint32_t i = 0; i < plan->count; ++i) {
        plan->velocity[i] = plan->velocity[i + 1];
        plan->steps[i] = plan->steps[i + 1];
    }
}

double vni_time_to_meet(const vni_seen* seen, vni_vec from, vni_vec velocity, double after, double within) {
    const vni_vec d = vni_sub(vni_add_scaled(seen->at, seen->velocity, after), from);
    const vni_vec w = vni_sub(seen->velocity, velocity);
    const double reach = seen->reach + seen->growth * after;
    // |d + w s| = reach + growth s, of which the first root counts.
    const double a = vni_dot(w, w) - seen->growth * seen->growth, b = vni_dot(d, w) - reach * seen->growth;
    const double c = vni_dot(d, d) - reach * reach;
    if (c < 0)
        return 0;

    const double root = b * b - a * c;
    if (root < 0)
        return HUGE_VAL;
    const double below = sqrt(root) - b;
    if (!(below > 0))
        return HUGE_VAL;

    const double s = c / below;
    return s <= within ? s : HUGE_VAL;
}

/// Braking: the distance is the sum of what each step covers.
vni_vec vni_rest_place(const vn_pilot* pilot, vni_vec at, vni_vec velocity) {
    const double most = pilot->def.acceleration * pilot->def.step, speed = vni_length(velocity);
    if (!(speed > most))
        return at;

    const double steps = floor(speed / most); // with some speed left; the last one may leave almost none
    const double sum = steps * speed - most * steps * (steps + 1) / 2;
    return vni_add_scaled(at, velocity, sum * pilot->def.step / speed);
}

/// A manoeuvre in progress.
typedef struct flight {
    const vn_pilot* pilot;
    vni_vec at, velocity;
    vni_vec anchor; ///< from here to `at` no line of sight has been asked for
    double time;
    vni_outcome outcome;
    bool hit, exposed; ///< the time to an obstacle, or to an unseen one, is known
} flight;

static void meet_seen(flight* f) {
    const double step = f->pilot->def.step;
    double first = HUGE_VAL;
    for (uint32_t i = 0; i < f->pilot->seen_count; ++i) {
        const double s = vni_time_to_meet(&f->pilot->seen[i], f->at, f->velocity, f->time, step);
        first = s < first ? s : first;
    }

    if (first <= step) {
        f->hit = true;
        f->outcome.seen = f->time + first;
    }
}

/// While the ship moves: what is beyond the radar now may come nearer as fast as obstacles can.
static void meet_unseen(flight* f, vni_vec next) {
    const vn_pilot_def* def = &f->pilot->def;
    const double far = vni_length(vni_sub(next, f->pilot->at)) + def->radius;
    if (far > def->radar - def->obstacle_speed * (f->time + def->step)) {
        f->exposed = true;
        f->outcome.unseen = f->time;
    }
}

/// One step at the velocity; false: it ends in a wall. `turns`: the direction is another than before.
static bool fly_step(flight* f, vni_vec velocity, bool turns, double horizon) {
    if (turns && !vni_pilot_sees(f->pilot->space, f->anchor, f->at))
        return false;

    if (turns)
        f->anchor = f->at;
    f->velocity = velocity;
    const vni_vec next = vni_add_scaled(f->at, velocity, f->pilot->def.step);
    if (!f->hit && f->time < horizon)
        meet_seen(f);
    if (!f->exposed && f->time < horizon && vni_length2(velocity) > 0)
        meet_unseen(f, next);

    f->at = next;
    f->time += f->pilot->def.step;
    return true;
}

static bool is_same(vni_vec a, vni_vec b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// All pieces, step by step.
static bool fly_pieces(flight* f, const vni_manoeuvre* plan, double horizon) {
    const double most = f->pilot->def.acceleration * f->pilot->def.step;
    bool is_first = true;
    for (uint32_t i = 0; i < plan->count; ++i)
        for (uint32_t k = 0; k < plan->steps[i]; ++k) {
            const vni_vec next = vni_turn_velocity(f->velocity, plan->velocity[i], most);
            if (!fly_step(f, next, is_first || !is_same(next, f->velocity), horizon))
                return false;
            if (is_first)
                f->outcome.first = next;
            is_first = false;
        }

    return true;
}

/// Brakes in a straight line, then stands until the horizon. One line of sight for all of it.
static bool fly_brake(flight* f, double horizon, bool is_first) {
    const double most = f->pilot->def.acceleration * f->pilot->def.step;
    const vni_vec zero = vni_v(0, 0, 0);
    do {
        const vni_vec next = vni_turn_velocity(f->velocity, zero, most);
        fly_step(f, next, false, horizon);
        if (is_first)
            f->outcome.first = next;
        is_first = false;
    } while (vni_length2(f->velocity) > 0);

    if (!vni_pilot_sees(f->pilot->space, f->anchor, f->at))
        return false;
    f->anchor = f->at;

    // Standing still, obstacles come straight at it: one test each.
    for (uint32_t i = 0; !f->hit && f->time < horizon && i < f->pilot->seen_count; ++i) {
        const double s = vni_time_to_meet(&f->pilot->seen[i], f->at, zero, f->time, horizon - f->time);
        if (f->time + s < f->outcome.seen)
            f->outcome.seen = f->time + s;
    }

    return true;
}

vni_outcome vni_manoeuvre_try(const vn_pilot* pilot, const vni_manoeuvre* plan) {
    const double horizon = pilot->def.horizon;
    flight f = {.pilot = pilot, .at = pilot->at, .velocity = pilot->velocity, .anchor = pilot->at};
    f.outcome.seen = f.outcome.unseen = horizon;
    f.outcome.walls = fly_pieces(&f, plan, horizon) && fly_brake(&f, horizon, plan->count == 0);
    return f.outcome;
}

bool vni_outcome_is_safe(const vn_pilot* pilot, const vni_outcome* outcome) {
    const double horizon = pilot->def.horizon;
    return outcome->walls && outcome->seen >= horizon &&
           (pilot->def.ignore_unseen || outcome->unseen >= horizon);
}
