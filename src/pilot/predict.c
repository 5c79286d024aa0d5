/// pilot/predict.c: group 6: proposes a velocity, and flies it only if a manoeuvre that begins with it is
/// known to be safe to its end; otherwise the best of many others, of what is left of the last one, or an
/// escape.
#include "pilot/pilot_inside.h"

#include "base/sort.h"

enum {
    DIRECTIONS = 26,
    SPEEDS = 6,
    SAMPLES = DIRECTIONS * SPEEDS + 4,
    HOLDS = 4,
    THOROUGH = 12 ///< samples that are tried with every hold
};

/// How long a velocity is kept before braking, seconds; the first is one step.
static const double holds[HOLDS] = {0, 0.4, 0.8, 1.6};

/// A velocity to try, the less cost the better.
typedef struct sample {
    vni_vec velocity;
    double cost;
    uint32_t index;
} sample;

static uint32_t hold_steps(const vn_pilot* pilot, int hold) {
    const double steps = floor(holds[hold] / pilot->def.step + 0.5);
    return steps < 1 ? 1 : steps > VNI_MANOEUVRE_STEPS ? VNI_MANOEUVRE_STEPS : (uint32_t)steps;
}

// ---------------------------------------------------------------------------------------------- preferences

/// Towards the carrot at cruise speed; slower where the goal is near, so that the ship can stop there.
static vni_vec preferred_velocity(const vn_pilot* pilot, vni_vec carrot) {
    const vn_pilot_def* def = &pilot->def;
    const vni_vec way = vni_sub(carrot, pilot->at);
    const double length = vni_length(way);
    const double left = pilot->careful ? length : vni_length(vni_sub(pilot->goal, pilot->at));
    if (!(length > 1e-9))
        return vni_v(0, 0, 0);

    // v^2 / 2a + v dt = left
    const double lag = def->acceleration * def->step;
    const double stop = sqrt(lag * lag + 2 * def->acceleration * left) - lag;
    const double speed = stop < def->cruise_speed ? stop : def->cruise_speed;
    return vni_scale(way, speed / length);
}

static double time_to_meet_any(const vn_pilot* pilot, vni_vec velocity) {
    double first = pilot->def.horizon;
    for (uint32_t i = 0; i < pilot->seen_count; ++i) {
        const double s = vni_time_to_meet(&pilot->seen[i], pilot->at, velocity, 0, pilot->def.horizon);
        first = s < first ? s : first;
    }

    return first;
}

static void add_sample(const vn_pilot* pilot, sample* samples, uint32_t* count, vni_vec velocity,
                       vni_vec preferred) {
    const double time = time_to_meet_any(pilot, velocity);
    sample s = {.velocity = velocity, .index = *count};
    s.cost = vni_length2(vni_sub(velocity, preferred));
    if (time < pilot->def.horizon)
        s.cost += pilot->def.cruise_speed * pilot->def.cruise_speed / (time + 0.1);
    samples[(*count)++] = s;
}

static int compare(const void* a, const void* b) {
    const sample *x = (const sample*)a, *y = (const sample*)b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static vni_vec cube_direction(int i) {
    static const double lengths[4] = {1, 1, 0.70710678118654752, 0.57735026918962576};
    const int k = i < 13 ? i : i + 1, x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
    const double s = lengths[x * x + y * y + z * z];
    return vni_v(x * s, y * s, z * s);
}

/// All velocities to try, best first.
static uint32_t draw_samples(const vn_pilot* pilot, vni_vec preferred, sample* samples) {
    const vn_pilot_def* def = &pilot->def;
    const double speeds[SPEEDS] = {0.15 * def->cruise_speed,
                                   0.4 * def->cruise_speed,
                                   0.7 * def->cruise_speed,
                                   def->cruise_speed,
                                   0.5 * (def->cruise_speed + def->max_speed),
                                   def->max_speed};
    uint32_t count = 0;
    for (int d = 0; d < DIRECTIONS; ++d)
        for (int s = 0; s < SPEEDS; ++s)
            add_sample(pilot, samples, &count, vni_scale(cube_direction(d), speeds[s]), preferred);

    add_sample(pilot, samples, &count, vni_v(0, 0, 0), preferred);
    add_sample(pilot, samples, &count, preferred, preferred);
    add_sample(pilot, samples, &count, vni_scale(preferred, 0.5), preferred);
    add_sample(pilot, samples, &count, vni_scale(preferred, 0.2), preferred);

    sample spare;
    vni_sort(samples, count, sizeof *samples, compare, &spare);
    return count;
}

// ------------------------------------------------------------------------------------------------- decision

/// A manoeuvre with what becomes of it.
typedef struct choice {
    vni_manoeuvre plan;
    vni_outcome outcome;
} choice;

/// Any of the first `hold_count` holds.
static bool try_velocity(const vn_pilot* pilot, vni_vec velocity, int hold_count, choice* out) {
    for (int h = 0; h < hold_count; ++h) {
        choice c = {.plan = vni_manoeuvre_of(velocity, hold_steps(pilot, h))};
        c.outcome = vni_manoeuvre_try(pilot, &c.plan);
        if (vni_outcome_is_safe(pilot, &c.outcome)) {
            *out = c;
            return true;
        }
    }

    return false;
}

static bool try_samples(const vn_pilot* pilot, const sample* samples, uint32_t count, choice* out) {
    for (uint32_t i = 0; i < count; ++i)
        if (try_velocity(pilot, samples[i].velocity, i < THOROUGH ? HOLDS : 1, out))
            return true;
    return false;
}

/// Walls first, then obstacles seen, then those unseen.
static bool is_better(const vni_outcome* a, const vni_outcome* b) {
    if (a->walls != b->walls)
        return a->walls;
    if (a->seen != b->seen)
        return a->seen > b->seen;
    return a->unseen > b->unseen;
}

static void keep_better(const vn_pilot* pilot, vni_manoeuvre plan, choice* best) {
    choice c = {.plan = plan};
    c.outcome = vni_manoeuvre_try(pilot, &c.plan);
    if (is_better(&c.outcome, &best->outcome))
        *best = c;
}

/// Nothing is safe altogether: what is safe longest. Braking at once is always among it, and so is what is
/// left of the last manoeuvre, which ends at rest away from walls.
static choice choose_longest(const vn_pilot* pilot, const sample* samples, uint32_t count) {
    choice best = {.plan = {.count = 0}};
    best.outcome = vni_manoeuvre_try(pilot, &best.plan);
    if (pilot->has_plan)
        keep_better(pilot, pilot->plan, &best);
    for (uint32_t i = 0; i < count; ++i)
        for (int h = 0; h < HOLDS; ++h)
            keep_better(pilot, vni_manoeuvre_of(samples[i].velocity, hold_steps(pilot, h)), &best);

    return best;
}

static choice escape(const vn_pilot* pilot, choice best) {
    vni_manoeuvre plan;
    double seconds = best.outcome.walls ? best.outcome.seen : 0;
    const double before = seconds;
    vni_pilot_escape(pilot, &plan, &seconds);
    if (seconds > before)
        keep_better(pilot, plan, &best);
    return best;
}

/// What is left of the last manoeuvre, whatever a new look says: rounded to lattice points from another
/// place, a line along a wall may seem to touch it.
static choice go_on(const vn_pilot* pilot) {
    choice c = {.plan = pilot->plan};
    c.outcome = vni_manoeuvre_try(pilot, &c.plan);
    return c;
}

static choice decide(const vn_pilot* pilot, vni_vec preferred) {
    sample samples[SAMPLES];
    choice best;
    if (try_velocity(pilot, preferred, HOLDS, &best))
        return best;
    if (pilot->seen_count > 0 && try_velocity(pilot, vni_pilot_propose(pilot, preferred), HOLDS, &best))
        return best;

    const uint32_t count = draw_samples(pilot, preferred, samples);
    if (try_samples(pilot, samples, count, &best))
        return best;

    // What is left of the last manoeuvre needs no search, if it is still safe.
    if (pilot->has_plan) {
        best = go_on(pilot);
        if (vni_outcome_is_safe(pilot, &best.outcome))
            return best;
    }

    best = choose_longest(pilot, samples, count);
    if (!best.outcome.walls && pilot->has_plan)
        return go_on(pilot);
    return best.outcome.walls && best.outcome.seen >= pilot->def.horizon ? best : escape(pilot, best);
}

// ----------------------------------------------------------------------------------------------------- step

static void follow(vn_pilot* pilot, const choice* c) {
    pilot->velocity = c->outcome.first;
    pilot->at = vni_add_scaled(pilot->at, pilot->velocity, pilot->def.step);
    pilot->plan = c->plan;
    vni_manoeuvre_advance(&pilot->plan);
    pilot->has_plan = true;
    pilot->verified = vni_outcome_is_safe(pilot, &c->outcome);
    pilot->safe_seconds = c->outcome.walls ? c->outcome.seen : 0;
}

/// In a wall every manoeuvre touches it: straight to the nearest free place, without one.
static void leave_wall(vn_pilot* pilot) {
    vn_dvec3 place;
    const vn_dvec3 from = vni_pilot_to_world(pilot->space, pilot->at);
    vni_vec velocity = vni_v(0, 0, 0);
    if (vn_space_nearest_free_position(pilot->space, from, HUGE_VAL, &place, NULL) == VN_OK) {
        const vni_vec way = vni_sub(vni_pilot_from_world(pilot->space, place), pilot->at);
        const double length = vni_length(way), wanted = length / pilot->def.step;
        const double speed = wanted < pilot->def.cruise_speed ? wanted : pilot->def.cruise_speed;
        velocity = length > 0 ? vni_scale(way, speed / length) : velocity;
    } else {
        pilot->phase = VN_PILOT_LOST;
        pilot->reason = VN_START_BLOCKED;
    }

    const double most = pilot->def.acceleration * pilot->def.step;
    pilot->velocity = vni_turn_velocity(pilot->velocity, velocity, most);
    pilot->at = vni_add_scaled(pilot->at, pilot->velocity, pilot->def.step);
    pilot->has_plan = pilot->verified = false;
    pilot->safe_seconds = 0;
}

/// By a step of the lattice: the manoeuvre leads out again. Otherwise a new version of the space has put a
/// wall there.
static void leave(vn_pilot* pilot) {
    const vni_vec before = pilot->at;
    if (pilot->has_plan) {
        const choice c = go_on(pilot);
        follow(pilot, &c);
    }

    if (before.x == pilot->at.x && before.y == pilot->at.y && before.z == pilot->at.z)
        leave_wall(pilot);
}

static void step(vn_pilot* pilot) {
    vni_vec carrot = pilot->at;
    pilot->phase = VN_PILOT_FLYING;
    pilot->reason = VN_OK;
    if (!vn_space_point_free(pilot->space, vni_pilot_point(pilot->space, pilot->at))) {
        leave(pilot);
        return;
    }

    // Without a way it stays where it is, and goes on avoiding what comes.
    const bool has_way = vni_pilot_guide(pilot, &carrot);
    if (has_way)
        carrot = vni_pilot_bypass(pilot, carrot);
    const choice c = decide(pilot, has_way ? preferred_velocity(pilot, carrot) : vni_v(0, 0, 0));
    follow(pilot, &c);
    if (has_way && vni_length2(pilot->velocity) == 0)
        pilot->phase = VN_PILOT_WAITING;
}

const vni_pilot_kind vni_pilot_predict = {"predict", false, step, NULL};
