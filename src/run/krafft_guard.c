/// run/krafft_guard.c: flight by the sixth autopilot among boxes: the newest path gives the direction, and
/// only what begins a verified manoeuvre (guard.h) is flown. An agent that comes no nearer for a while goes
/// by a way that no mover ever reaches.
#include "run/krafft_inside.h"

enum { DIRECTIONS = 26, SPEEDS = 3, SAMPLES = DIRECTIONS * SPEEDS + 1, HOLDS = 5, FOLLOWS = 5, AHEAD = 12 };

/// Seconds: how long a velocity is kept, and a path followed, before braking; 0: one step.
static const double holds[HOLDS] = {0, 0.4, 0.8, 1.6, 2.4}, follows[FOLLOWS] = {0.3, 0.7, 1.4, 2.8, 4.2};

static const double patience = 1.5, first_detour = 3, longest_detour = 48; ///< seconds
static const double carrot_ahead = 1.5;                                    ///< metres along a path

/// Metres that detours keep beyond the margin, so that a ball beside one is not too near yet.
static const double detour_spare = 0.15;

vn_status vni_krafft_open_guard(vni_krafft* k, vn_detail* detail) {
    const vn_run_def* r = &k->run->def;
    const double keep = k->info.agent_radius + k->margin + detour_spare;
    vn_space_def bake = vni_krafft_space(&r->allocator, k->scene, (float)keep);
    vn_query_def query = vn_default_query_def();
    vn_world* world;
    vn_status status = vni_krafft_world(&r->allocator, k->scene, true, NULL, NULL, &world, detail);
    if (status != VN_OK)
        return status;
    bake.resolution = 0.5f * k->info.resolution;
    status = vn_space_bake(world, &bake, &k->havens, detail);
    vn_world_destroy(world);
    query.allocator = r->allocator;
    if (status == VN_OK)
        status = vn_query_create(k->havens, &query, &k->haven_query, detail);

    k->guard.low = vni_exact(k->info.bounds.min);
    k->guard.high = vni_exact(k->info.bounds.max);
    k->guard.step = r->step;
    k->guard.speed = k->info.agent_speed;
    k->guard.acceleration = k->acceleration;
    k->best = HUGE_VAL;
    k->length = first_detour;
    return status;
}

/// Walls, and the movers as they were at the time that the agent knows of. What blinks counts as there.
static vn_status look(vni_krafft* k, double seen, double seconds) {
    vni_guard* g = &k->guard;
    g->count = 0;
    for (uint32_t i = 0; i < k->info.walls; ++i) {
        const vn_box wall = vn_moving_scene_wall(k->scene, i);
        g->reach[g->count++] = vni_reach_wall(&wall);
    }
    for (uint32_t i = 0; i < k->info.movers; ++i) {
        vn_mover_state state;
        const vn_status status =
            vn_moving_scene_get_state(k->scene, i, vni_krafft_clock(k, seen), NULL, &state);
        if (status != VN_OK)
            return status;
        g->reach[g->count++] = vni_reach_mover(&k->movers[i], &state, k->run->def.speed, seconds - seen);
    }
    vni_guard_look(g, k->at);
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- the path

/// A path as the manoeuvres follow it.
typedef struct way {
    const vn_dvec3* points;
    uint32_t count;
    bool sees; ///< lines of sight in the space of the planner mean something
} way;

static double length_of(const way* w, vn_dvec3 from) {
    double length = 0;
    for (uint32_t i = 0; i < w->count; ++i) {
        length += vni_length(vni_difference(w->points[i], from));
        from = w->points[i];
    }
    return length;
}

static double clamp(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static vn_dvec3 nearest_on(vn_dvec3 a, vn_dvec3 b, vn_dvec3 p) {
    const vn_dvec3 d = vni_difference(b, a), e = vni_difference(p, a);
    const double square = d.x * d.x + d.y * d.y + d.z * d.z;
    return vni_sum(a, vni_scaled(d, square > 0 ? clamp((d.x * e.x + d.y * e.y + d.z * e.z) / square) : 0));
}

/// The point a little farther along the path than the place on it nearest to p, among the next segments.
static vn_dvec3 carrot_at(const way* w, vn_dvec3 p, uint32_t* segment) {
    uint32_t best = *segment;
    double least = HUGE_VAL, left = carrot_ahead;
    vn_dvec3 at = w->points[best];
    for (uint32_t i = *segment; i + 1 < w->count && i < *segment + AHEAD; ++i) {
        const vn_dvec3 n = nearest_on(w->points[i], w->points[i + 1], p);
        const double d = vni_length(vni_difference(n, p));
        if (d < least - 1e-9) {
            least = d;
            best = i;
            at = n;
        }
    }

    *segment = best;
    for (uint32_t i = best + 1; i < w->count; ++i) {
        const vn_dvec3 step = vni_difference(w->points[i], at);
        const double length = vni_length(step);
        if (length >= left)
            return vni_sum(at, vni_scaled(step, left / length));
        left -= length;
        at = w->points[i];
    }
    return at;
}

/// The farthest of the next points of the path in sight; false: none is.
static bool find_carrot(const vni_krafft* k, const way* w, vn_dvec3* out) {
    const uint32_t last = w->count < 4 * AHEAD ? w->count : 4 * AHEAD;
    for (uint32_t i = last; w->sees && i-- > 0;)
        if (vn_space_visible_positions(k->course.space, k->at, w->points[i])) {
            *out = w->points[i];
            return true;
        }
    return false;
}

static vn_dvec3 towards(vn_dvec3 from, vn_dvec3 to, double speed) {
    const vn_dvec3 d = vni_difference(to, from);
    const double length = vni_length(d);
    return length > 1e-9 ? vni_scaled(d, speed / length) : (vn_dvec3){0, 0, 0};
}

// ----------------------------------------------------------------------------------------------- manoeuvres

static uint32_t steps_of(const vni_krafft* k, double seconds) {
    const double steps = floor(seconds / k->guard.step + 0.5);
    return steps < 1 ? 1 : steps > VNI_PLAN_STEPS ? VNI_PLAN_STEPS : (uint32_t)steps;
}

static bool is_verified(const vni_krafft* k, const vni_plan* plan) {
    return vni_guard_try(&k->guard, k->at, plan, k->info.agent_radius + k->margin) == HUGE_VAL;
}

/// A velocity, kept for one of the holds.
static bool try_velocity(const vni_krafft* k, vn_dvec3 velocity, int hold_count, vni_plan* out) {
    for (int h = 0; h < hold_count; ++h)
        if (vni_guard_hold(&k->guard, out, k->velocity, velocity, steps_of(k, holds[h])) &&
            is_verified(k, out))
            return true;
    return false;
}

static bool make_follow(const vni_krafft* k, const way* w, double speed, uint32_t steps, vni_plan* out) {
    vn_dvec3 at = k->at, velocity = k->velocity;
    uint32_t segment = 0;
    out->count = 0;
    while (out->count < steps) {
        const vn_dvec3 target = towards(at, carrot_at(w, at, &segment), speed);
        velocity = vni_guard_turn(&k->guard, velocity, target);
        at = vni_sum(at, vni_scaled(velocity, k->guard.step));
        out->velocity[out->count++] = velocity;
    }
    return vni_guard_brake(&k->guard, out, velocity);
}

static bool try_follow(const vni_krafft* k, const way* w, double speed, vni_plan* out) {
    for (int f = 0; f < FOLLOWS; ++f)
        if (make_follow(k, w, speed, steps_of(k, follows[f]), out) && is_verified(k, out))
            return true;
    return false;
}

/// A velocity to try, the less cost the better.
typedef struct sample {
    vn_dvec3 velocity;
    double cost;
} sample;

static double square_of(vn_dvec3 v) {
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

static void add_sample(sample* samples, uint32_t* count, vn_dvec3 velocity, vn_dvec3 preferred) {
    const double cost = square_of(vni_difference(velocity, preferred));
    uint32_t i = (*count)++;
    for (; i > 0 && samples[i - 1].cost > cost; --i)
        samples[i] = samples[i - 1];
    samples[i] = (sample){velocity, cost};
}

/// All velocities to try, best first.
static uint32_t draw_samples(const vni_krafft* k, vn_dvec3 preferred, sample* samples) {
    uint32_t count = 0;
    add_sample(samples, &count, (vn_dvec3){0, 0, 0}, preferred);
    for (int i = 0; i < DIRECTIONS + 1; ++i) {
        const vn_dvec3 d = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        const double length = vni_length(d);
        for (int s = 1; s <= SPEEDS && length > 0; ++s)
            add_sample(samples, &count, vni_scaled(d, k->guard.speed * s / (SPEEDS * length)), preferred);
    }
    return count;
}

/// What is left of the last manoeuvre needs to keep half the margin only: it has been verified, and what has
/// been rounded since must not undo that.
static bool may_go_on(const vni_krafft* k) {
    return vni_guard_try(&k->guard, k->at, &k->plan, k->info.agent_radius + 0.5 * k->margin) == HUGE_VAL;
}

/// Nothing is verified: what stays clear longest. What is left of the last manoeuvre is among it.
static void take_longest(const vni_krafft* k, const sample* samples, uint32_t count, vni_plan* out) {
    vni_plan trial;
    double best = vni_guard_try(&k->guard, k->at, &k->plan, k->info.agent_radius);
    *out = k->plan;
    for (uint32_t i = 0; i < count; ++i)
        for (int h = 0; h < HOLDS; ++h) {
            if (!vni_guard_hold(&k->guard, &trial, k->velocity, samples[i].velocity, steps_of(k, holds[h])))
                continue;
            const double seconds = vni_guard_try(&k->guard, k->at, &trial, k->info.agent_radius);
            if (seconds > best) {
                best = seconds;
                *out = trial;
            }
        }
}

/// Samples in the order of their cost, with the last manoeuvre among them. False: none is verified.
static bool try_samples(const vni_krafft* k, const sample* samples, uint32_t count, vn_dvec3 preferred,
                        vni_plan* out) {
    const vn_dvec3 rest = {0, 0, 0};
    const vn_dvec3 first = k->plan.count > 0 ? k->plan.velocity[0] : rest;
    const bool goes_on = may_go_on(k);
    const double cost = square_of(vni_difference(first, preferred));
    for (uint32_t i = 0; i < count; ++i) {
        if (goes_on && samples[i].cost >= cost)
            break;
        if (try_velocity(k, samples[i].velocity, 3, out))
            return true;
    }
    if (goes_on)
        *out = k->plan;
    return goes_on;
}

/// Straight to the farthest point in sight, along the path, the same slower, anything else.
static bool decide(const vni_krafft* k, const way* w, vni_plan* out) {
    sample samples[SAMPLES + SPEEDS];
    vn_dvec3 carrot, preferred = {0, 0, 0};
    uint32_t segment = 0;
    const bool straight = w->count > 0 && find_carrot(k, w, &carrot);
    if (w->count > 0)
        preferred = towards(k->at, straight ? carrot : carrot_at(w, k->at, &segment), k->guard.speed);
    for (int s = SPEEDS; s > 0 && w->count > 0; --s) {
        const double part = (double)s / SPEEDS;
        if (straight && try_velocity(k, vni_scaled(preferred, part), HOLDS, out))
            return true;
        if (try_follow(k, w, part * k->guard.speed, out))
            return true;
    }

    const uint32_t count = draw_samples(k, preferred, samples);
    if (try_samples(k, samples, count, preferred, out))
        return true;
    take_longest(k, samples, count, out);
    return false;
}

// --------------------------------------------------------------------------------------------------- detours

/// A way to the goal that no mover ever reaches, from a place `within` so many metres to one so near the
/// goal.
static vn_status ask_haven_way(vni_krafft* k, double within) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.use_positions = true;
    request.start_position = k->at;
    request.goal_position = k->goal;
    request.snap_distance = within;
    return vn_query_find_path(k->haven_query, &request, &result, NULL);
}

/// One that stands between a rotor and a wall may be far from all such ways. Without a path, or stuck for the
/// third time, it rather takes a far one than none. What is flown towards it is verified as all else is.
static vn_status find_haven_way(vni_krafft* k) {
    k->route_count = 0;
    vn_status status = ask_haven_way(k, 4);
    const bool needs = k->course.count == 0 || k->length > 4 * first_detour;
    if (needs && (status == VN_START_BLOCKED || status == VN_GOAL_BLOCKED))
        status = ask_haven_way(k, 16);
    if (status == VN_OK)
        return vn_query_get_positions(k->haven_query, k->route, VNI_KRAFFT_POINTS, &k->route_count);
    return VN_OK;
}

/// An agent that has come no nearer to its goal for a while takes a detour, each time for longer.
static void watch_progress(vni_krafft* k, const way* w, double seconds) {
    const double left = w->count > 0 ? length_of(w, k->at) : HUGE_VAL;
    k->since += seconds;
    if (left < k->best - 0.5) {
        k->best = left;
        k->since = 0;
    }

    k->detour -= seconds;
    if (k->since > patience && k->detour <= 0) {
        k->detour = k->length;
        k->length = k->length < longest_detour ? 2 * k->length : longest_detour;
        k->best = HUGE_VAL;
        k->since = 0;
    }
}

static vn_status plan(vni_krafft* k, vn_detail* detail) {
    const double within = 4;
    vn_status status = vni_course_find(&k->course, k->at, k->goal, within, detail);
    if (status != VN_OK)
        return status;

    // Paths on graphs end at a node: from there to the goal itself.
    if (k->course.count > 0 && k->course.count < VNI_KRAFFT_POINTS)
        k->course.points[k->course.count++] = k->goal;
    const way w = {k->course.points, k->course.count, true};
    watch_progress(k, &w, k->run->def.replan);
    return k->detour > 0 ? find_haven_way(k) : VN_OK;
}

// ------------------------------------------------------------------------------------------------- the step

vn_status vni_krafft_guarded(vni_krafft* k, double seen, double seconds, bool plans, vn_detail* detail) {
    vn_status status = plans ? plan(k, detail) : VN_OK;
    if (status == VN_OK)
        status = look(k, seen, seconds);
    if (status != VN_OK)
        return status;

    const bool detours = k->detour > 0 && k->route_count > 0;
    const way w =
        detours ? (way){k->route, k->route_count, false} : (way){k->course.points, k->course.count, true};
    vni_plan chosen;
    const vn_dvec3 rest = {0, 0, 0};
    k->run->result.unverified += !decide(k, &w, &chosen);
    k->velocity = chosen.count > 0 ? chosen.velocity[0] : rest;
    k->at = vni_sum(k->at, vni_scaled(k->velocity, k->guard.step));
    k->plan = chosen;
    vni_plan_advance(&k->plan);
    k->legs[0] = k->at;
    k->leg_count = 1;
    k->run->result.stopped += vni_length(k->velocity) == 0;
    return VN_OK;
}
