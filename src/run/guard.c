/// run/guard.c: distances from what may be reached, and manoeuvres flown in thought.
#include "run/guard.h"

#include <string.h>

#include "sim/turn.h"

enum { DEPTH = 6 }; ///< how often the time of a step is halved before a close call counts as a hit

static double part(vn_dvec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double magnitude(double x) {
    return x < 0 ? -x : x;
}

static double above(double x, double half) {
    const double d = magnitude(x) - half;
    return d > 0 ? d : 0;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double beyond(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0;
}

static double from_box(vn_dvec3 p, vn_dvec3 low, vn_dvec3 high) {
    return vni_length(
        (vn_dvec3){beyond(p.x, low.x, high.x), beyond(p.y, low.y, high.y), beyond(p.z, low.z, high.z)});
}

// ----------------------------------------------------------------------------------------- what is reached

vni_reach vni_reach_wall(const vn_box* box) {
    const vn_dvec3 low = vni_exact(box->min), high = vni_exact(box->max);
    return (vni_reach){.kind = VNI_REACH_STANDS,
                       .at = vni_scaled(vni_sum(low, high), 0.5),
                       .half = vni_scaled(vni_difference(high, low), 0.5),
                       .low = low,
                       .high = high};
}

static void set_rotor(vni_reach* r, const vn_mover_state* state, double factor) {
    const double spin = part(vni_exact(state->spin), r->axis);
    const vn_quat q = state->transform.rotation;
    const double s = part((vn_dvec3){(double)q.x, (double)q.y, (double)q.z}, r->axis), c = (double)q.w;
    const double u = part(r->half, (r->axis + 1) % 3), v = part(r->half, (r->axis + 2) % 3);
    r->kind = VNI_REACH_ROTOR;
    r->cosine = c * c - s * s;
    r->sine = 2 * s * c;
    r->turns = factor * spin / VNI_TAU;
    r->around = sqrt(u * u + v * v);
}

vni_reach vni_reach_mover(const vn_mover_info* info, const vn_mover_state* state, double factor, double age) {
    vni_reach r = vni_reach_wall(&info->reach);
    const bool ball = info->shape.kind == VN_SHAPE_SPHERE;
    const double radius = ball ? (double)info->shape.as.sphere.radius : 0;
    const vn_dvec3 v = vni_exact(state->velocity);
    r.at = vni_exact(state->transform.position);
    r.half = ball ? (vn_dvec3){radius, radius, radius} : vni_exact(info->shape.as.box.max);
    r.speed = factor * info->speed;
    r.age = age;
    r.axis = info->axis;
    if (info->kind == VN_MOTION_PATROL) {
        r.kind = VNI_REACH_RAIL;
        r.way = vni_scaled((vn_dvec3){magnitude(v.x), magnitude(v.y), magnitude(v.z)}, factor);
    } else if (info->kind == VN_MOTION_TURN && !ball) {
        set_rotor(&r, state, factor);
    }
    return r;
}

/// Rails grow both ways until they fill the box that they never leave.
static double from_rail(const vni_reach* r, vn_dvec3 p, double seconds) {
    const vn_dvec3 most = vni_sum(r->half, vni_scaled(r->way, seconds));
    vn_dvec3 low = vni_difference(r->at, most), high = vni_sum(r->at, most);
    low = (vn_dvec3){larger(low.x, r->low.x), larger(low.y, r->low.y), larger(low.z, r->low.z)};
    high = (vn_dvec3){smaller(high.x, r->high.x), smaller(high.y, r->high.y), smaller(high.z, r->high.z)};
    return from_box(p, low, high);
}

/// The cylinder that a rotor sweeps.
static double from_cylinder(const vni_reach* r, vn_dvec3 p) {
    const vn_dvec3 d = vni_difference(p, r->at);
    const double u = part(d, (r->axis + 1) % 3), v = part(d, (r->axis + 2) % 3);
    const double out = above(sqrt(u * u + v * v), r->around),
                 along = above(part(d, r->axis), part(r->half, r->axis));
    return sqrt(out * out + along * along);
}

static double from_rotor(const vni_reach* r, vn_dvec3 p, double seconds) {
    double c, s;
    vni_turn(r->turns * seconds, &c, &s);
    const double cosine = r->cosine * c - r->sine * s, sine = r->sine * c + r->cosine * s;
    const int a = (r->axis + 1) % 3, b = (r->axis + 2) % 3;
    const vn_dvec3 d = vni_difference(p, r->at);
    const double u = part(d, a), v = part(d, b);
    return vni_length((vn_dvec3){above(u * cosine + v * sine, part(r->half, a)),
                                 above(v * cosine - u * sine, part(r->half, b)),
                                 above(part(d, r->axis), part(r->half, r->axis))});
}

double vni_reach_distance(const vni_reach* r, vn_dvec3 point, double seconds) {
    switch (r->kind) {
    case VNI_REACH_RAIL: return from_rail(r, point, r->age + seconds);
    case VNI_REACH_ROTOR: return from_rotor(r, point, r->age + seconds);
    default: return from_box(point, r->low, r->high);
    }
}

double vni_reach_distance_ever(const vni_reach* r, vn_dvec3 point) {
    return r->kind == VNI_REACH_ROTOR ? from_cylinder(r, point) : from_box(point, r->low, r->high);
}

// ---------------------------------------------------------------------------------------------------- plans

vn_dvec3 vni_guard_turn(const vni_guard* g, vn_dvec3 from, vn_dvec3 to) {
    const vn_dvec3 change = vni_difference(to, from);
    const double length = vni_length(change), most = g->acceleration * g->step;
    return length <= most ? to : vni_sum(from, vni_scaled(change, most / length));
}

bool vni_guard_brake(const vni_guard* g, vni_plan* plan, vn_dvec3 velocity) {
    const vn_dvec3 rest = {0, 0, 0};
    while (vni_length(velocity) > 0) {
        if (plan->count == VNI_PLAN_STEPS)
            return false;
        velocity = vni_guard_turn(g, velocity, rest);
        plan->velocity[plan->count++] = velocity;
    }
    return true;
}

bool vni_guard_hold(const vni_guard* g, vni_plan* plan, vn_dvec3 velocity, vn_dvec3 target, uint32_t steps) {
    plan->count = 0;
    if (steps > VNI_PLAN_STEPS)
        return false;
    for (uint32_t i = 0; i < steps; ++i)
        plan->velocity[plan->count++] = velocity = vni_guard_turn(g, velocity, target);
    return vni_guard_brake(g, plan, velocity);
}

void vni_plan_advance(vni_plan* plan) {
    if (plan->count > 0)
        memmove(plan->velocity, plan->velocity + 1, --plan->count * sizeof *plan->velocity);
}

// -------------------------------------------------------------------------------------------------- judging

void vni_guard_look(vni_guard* g, vn_dvec3 at) {
    for (uint32_t i = 0; i < g->count; ++i)
        g->near[i] = vni_reach_distance(&g->reach[i], at, 0);
}

/// While the ball flies from p to q. In half the time nothing comes nearer than by what both fly.
static bool is_clear(const vni_reach* r, vn_dvec3 p, vn_dvec3 q, double from, double span, double keep,
                     int depth) {
    const vn_dvec3 middle = vni_scaled(vni_sum(p, q), 0.5);
    const double slack = 0.5 * (vni_length(vni_difference(q, p)) + r->speed * span);
    if (r->kind == VNI_REACH_ROTOR && from_cylinder(r, middle) >= keep + slack)
        return true;

    const double d = vni_reach_distance(r, middle, from + 0.5 * span);
    if (d >= keep + slack)
        return true;
    if (d < keep || depth == 0)
        return false;
    return is_clear(r, p, middle, from, 0.5 * span, keep, depth - 1) &&
           is_clear(r, middle, q, from + 0.5 * span, 0.5 * span, keep, depth - 1);
}

static bool is_inside(const vni_guard* g, vn_dvec3 p) {
    return p.x >= g->low.x && p.y >= g->low.y && p.z >= g->low.z && p.x <= g->high.x && p.y <= g->high.y &&
           p.z <= g->high.z;
}

static bool is_haven(const vni_guard* g, vn_dvec3 p, double keep) {
    for (uint32_t i = 0; i < g->count; ++i)
        if (vni_reach_distance_ever(&g->reach[i], p) < keep)
            return false;
    return true;
}

/// Those that are so near that the plan may meet them.
static uint32_t list_near(const vni_guard* g, const vni_plan* plan, double keep, uint32_t* list) {
    uint32_t count = 0;
    double way = 0;
    const double seconds = plan->count * g->step;
    for (uint32_t i = 0; i < plan->count; ++i)
        way += vni_length(plan->velocity[i]) * g->step;
    for (uint32_t i = 0; i < g->count; ++i)
        if (g->near[i] <= 2 * keep + way + g->reach[i].speed * seconds)
            list[count++] = i;
    return count;
}

double vni_guard_try(const vni_guard* g, vn_dvec3 at, const vni_plan* plan, double keep) {
    uint32_t list[VNI_GUARD_MOST];
    const uint32_t count = list_near(g, plan, keep, list);
    for (uint32_t k = 0; k < plan->count; ++k) {
        const vn_dvec3 to = vni_sum(at, vni_scaled(plan->velocity[k], g->step));
        const double time = k * g->step;
        if (!is_inside(g, to))
            return time;
        for (uint32_t i = 0; i < count; ++i)
            if (!is_clear(&g->reach[list[i]], at, to, time, g->step, keep, DEPTH))
                return time;
        at = to;
    }

    return is_haven(g, at, keep) ? HUGE_VAL : plan->count * g->step;
}
