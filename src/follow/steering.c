/// follow/steering.c: the velocity that a corridor asks for: towards the look-ahead point, slow enough for
/// the corners behind it and for the target.
#include "follow/follow_inside.h"
#include "geom/units.h"
#include "probe/sight.h"

/// Share of the tightest turn towards its aim that an agent flies at most, so that it never circles it.
#define TURN_SHARE 0.9

/// Shares of the acceleration that are planned for braking and for turning: both fit into it at once.

#define PI          3.14159265358979323846
#define BRAKE_SHARE 0.8
#define SIDE_SHARE  0.6

const char* vn_follow_state_name(vn_follow_state state) {
    static const char* const names[] = {"idle", "moving", "arrived", "waiting", "off-path"};
    return (unsigned)state < sizeof names / sizeof *names ? names[state] : NULL;
}

/// What one choice needs.
typedef struct choice {
    const vn_steering_def* def;
    const vn_corridor* corridor;
    double dt, swing, speed;
    vni_vec position, forward;
    vn_corridor_place aim;
    double distance; ///< to the aim
} choice;

static double lower(double a, double b) {
    return a < b ? a : b;
}

/// The speed at which the agent may turn by an angle into a segment of `length` metres. Its radius there is
/// speed / turn rate, or speed squared / acceleration. It neither swings wide by more than the limit, nor
/// circles the end of the segment. As the angle that is left falls, the radius grows to swing / (1 - cosine);
/// the detour is the integral of radius * (1 - cosine) over the angle, at most pi times the swing.
static double corner_speed(const choice* c, vni_vec before, vni_vec after, double length) {
    const double cosine = vni_dot(before, after), bend = 1 - cosine;
    if (bend < 1e-12)
        return c->def->speed;
    const double sine = cosine > 0 ? vni_length(vni_cross(before, after)) : 1;
    const double swing = lower(c->swing, c->def->detour * length / PI);
    const double radius = lower(swing / bend, TURN_SHARE * length / (2 * (sine > 1e-9 ? sine : 1e-9)));
    const double by_turn = c->def->turn_rate * radius;
    const double by_force = sqrt(SIDE_SHARE * c->def->acceleration * radius);
    return lower(c->def->speed, lower(by_turn, by_force));
}

/// The speed of the next step after which the agent can still be as slow as `then`, `distance` metres from
/// here. It never has to brake harder later than it plans to.
static double approach_speed(const choice* c, double then, double distance) {
    const double force = BRAKE_SHARE * c->def->acceleration, change = force * c->dt;
    return sqrt(change * change + then * then + 2 * force * distance) - change;
}

/// For the corners from the aim on, as far as braking takes, and for the target.
static double path_speed(const choice* c, vni_vec direction) {
    const vn_corridor* k = c->corridor;
    const double reach = c->def->speed * c->def->speed / (2 * BRAKE_SHARE * c->def->acceleration);
    double speed = c->def->speed, distance = c->distance;
    vni_vec from = vni_follow_v(c->aim.position), before = direction;
    for (uint32_t i = c->aim.segment + 1; i < k->count && distance <= reach; ++i) {
        const vni_vec to = vni_follow_v(vni_follow_world(k, vni_v_of_point(k->points[i])));
        const vni_vec way = vni_sub(to, from);
        const double length = vni_length(way);
        if (!(length > 0))
            continue;
        const vni_vec after = vni_scale(way, 1 / length);
        speed = lower(speed, approach_speed(c, corner_speed(c, before, after, length), distance));
        distance += length;
        before = after;
        from = to;
    }

    const double rest = c->distance + vni_follow_metres(k, vni_follow_remaining(k)) - c->aim.ahead;
    return lower(speed, approach_speed(c, 0, rest > 0 ? rest : 0));
}

/// For an agent that is too fast for the turn that it has to make now, because its path has changed: it turns
/// and brakes at once. A turn by an angle x costs speed squared / acceleration * (x - sin x) of way; that
/// falls fastest if the acceleration across and against the velocity are as (1 - cos x) to 2 (x - sin x),
/// about 3 to 2 x.
static vni_vec turn_and_brake(const choice* c, vni_vec direction) {
    const double cosine = vni_dot(c->forward, direction), change = c->def->acceleration * c->dt;
    const vni_vec side = vni_add_scaled(direction, c->forward, -cosine);
    const double across = vni_length(side), angle = sqrt(2 * (1 - cosine));
    if (!(across > 1e-9))
        return vni_scale(c->forward, c->speed - change);
    const double turn = 3 / (2 * angle), share = change / sqrt(1 + turn * turn);
    return vni_add_scaled(vni_scale(c->forward, c->speed - share), side, share * turn / across);
}

/// Towards the aim, as slow as the path asks for, and the turn that the agent has to make now.
static vni_vec choose_velocity(const choice* c) {
    const vni_vec way = vni_scale(vni_sub(vni_follow_v(c->aim.position), c->position), 1 / c->distance);
    const vni_vec direction = vni_steering_level(c->def, way, c->forward);
    const double turn = corner_speed(c, c->forward, direction, c->distance);
    const double stop = c->corridor->stall < VNI_STALLED ? c->def->speed : approach_speed(c, 0, c->distance);
    const double most = lower(path_speed(c, way), stop), least = c->speed - c->def->acceleration * c->dt;
    if (turn < least && most >= least)
        return turn_and_brake(c, direction);
    return vni_scale(direction, lower(most, turn));
}

static choice choice_of(const vn_steering_def* def, const vn_corridor* corridor, double dt,
                        const vn_agent_motion* motion) {
    choice c = {.def = def, .corridor = corridor, .dt = dt};
    const vni_vec velocity = vni_follow_v(motion->velocity);
    c.speed = vni_length(velocity);
    c.position = vni_follow_v(motion->position);
    c.forward = c.speed > 0 ? vni_scale(velocity, 1 / c.speed) : vni_follow_v(motion->forward);
    c.swing = def->swing > 0 ? def->swing : corridor->size / 4;
    return c;
}

/// The agent's distance from the end of its path, straight or along it, as a share of what counts as there.
static double share_of_arrival(const choice* c) {
    const vn_corridor* k = c->corridor;
    const double least = vni_follow_metres(k, 4), most = c->def->arrival > least ? c->def->arrival : least;
    const vni_vec target = vni_v_of_point(k->points[k->count - 1]);
    const double straight = vni_length(vni_sub(vni_follow_v(vni_follow_world(k, target)), c->position));
    const double along = vni_follow_metres(k, vni_follow_remaining(k));
    return k->on_path ? (straight > along ? straight : along) / most : HUGE_VAL;
}

// ------------------------------------------------------------------------------------------------------ aim

/// How far beside a free line an agent counts as on it, in steps: what rounding can do.
#define BESIDE 3

/// How far from a corner an agent that has stalled returns to it, in steps.
#define STALL_REACH 16

/// Steps astray after which an agent gives up the way to that corner.
#define STALL_LIMIT 32

/// Is the agent beside the line between two points, and is that free?
static bool is_on_line(const vn_corridor* k, const vn_space* space, vn_point from, vn_point to) {
    const vni_vec a = vni_v_of_point(from), way = vni_sub(vni_v_of_point(to), a);
    const vni_vec at = vni_sub(vni_v_of_point(k->point), a);
    const double length2 = vni_length2(way);
    const double t = length2 > 0 ? vni_clamp(vni_dot(at, way) / length2, 0, 1) : 0;
    return vni_length(vni_sub(at, vni_scale(way, t))) <= BESIDE && vni_sight(&space->occupancy, from, to);
}

/// What remains of the path behind a place.
static double rest_of(const vn_corridor* k, const vni_place* place) {
    return k->rest[place->segment] - place->along;
}

/// The line along the agent's own segment.
static void line_by_segment(vn_corridor* k, const vn_space* space) {
    const uint32_t i = k->segment;
    if (i + 1 >= k->count || !is_on_line(k, space, k->points[i], k->points[i + 1]))
        return;
    k->has_line = true;
    k->line_from = k->points[i];
    k->line_to = (vni_place){.segment = i, .along = k->rest[i] - k->rest[i + 1], .point = k->points[i + 1]};
}

/// The line back to the last corner, if it is at most a voxel away: for an agent that swung out of sight.
static void line_back(vn_corridor* k, const vn_space* space) {
    const vn_point back = k->points[k->segment];
    if (vni_steps_between(k->point, back) > VN_LATTICE || !vni_sight(&space->occupancy, k->point, back))
        return;
    k->has_line = true;
    k->line_from = k->point;
    k->line_to = (vni_place){.segment = k->segment, .point = back};
}

/// The line to the corner beside an agent that has stalled: a few steps beside the exact line rounding may
/// lead into an edge that the line grazes.
static bool line_to_corner(vn_corridor* k, const vn_space* space) {
    for (uint32_t i = k->segment; i < k->count && i < k->segment + 2; ++i) {
        const vn_point corner = k->points[i];
        if (vni_steps_between(k->point, corner) > STALL_REACH ||
            !vni_sight(&space->occupancy, k->point, corner))
            continue;
        k->has_line = true;
        k->line_from = k->point;
        k->line_to = (vni_place){.segment = i, .point = corner};
        return true;
    }

    return false;
}

/// Is the agent within a voxel of where it last stalled?
static bool is_where_it_stalled(const vn_corridor* k) {
    return k->returned > 0 && vni_steps_between(k->point, k->returned_at) < VN_LATTICE;
}

/// The look-ahead of an agent that has stalled: from the exact line rounding may lead to points that do not
/// see its end, but see nearer places. Each stall at the same place halves it.
static double shortened(const vn_corridor* k, double reach) {
    if (!is_where_it_stalled(k))
        return reach;
    const double rest = vni_follow_metres(k, vni_follow_remaining(k)), most = lower(reach, rest);
    return most / (double)(1u << (k->returned < 20 ? k->returned : 20));
}

/// The place to fly to: the look-ahead point, or the end of the line that the agent is on, if that is farther
/// along the path. False if there is none.
static bool take_aim(vn_corridor* k, const vn_space* space, double reach, vn_corridor_place* out) {
    vni_place seen;
    k->returns = k->stall >= VNI_STALLED && line_to_corner(k, space);
    if (k->returns) {
        *out = vni_follow_public(k, &k->line_to);
        return true;
    }

    const double ahead = shortened(k, reach);
    const bool sees = k->on_path && vni_follow_look(k, space, ahead, &seen);
    k->has_line = k->has_line && !(sees && ahead < reach) &&
                  rest_of(k, &k->line_to) < vni_follow_remaining(k) &&
                  (!sees || rest_of(k, &k->line_to) < rest_of(k, &seen)) &&
                  is_on_line(k, space, k->line_from, k->line_to.point);
    if (!k->has_line && (!sees || rest_of(k, &seen) + 1 >= vni_follow_remaining(k)))
        line_by_segment(k, space);
    if (!k->has_line && !sees)
        line_back(k, space);
    if (!k->has_line && sees) {
        k->has_line = true;
        k->line_from = k->point;
        k->line_to = seen;
    }

    if (!k->has_line)
        return false;
    *out = vni_follow_public(k, &k->line_to);
    return true;
}

static vn_point corner_behind(const vn_corridor* k, const vn_corridor_place* place) {
    uint32_t i = place->segment + 1 < k->count ? place->segment + 1 : k->count - 1;
    if (i + 1 < k->count && vni_is_same_point(k->points[i], place->point))
        ++i;
    return k->points[i];
}

/// The state and the velocity. `has_aim`: the velocity leads to `aim`.
static vn_follow_state choose(const vn_steering_def* def, vn_corridor* corridor, const vn_space* space,
                              double dt, const vn_agent_motion* motion, vn_dvec3* velocity, vni_aim* aim,
                              bool* has_aim) {
    choice c = choice_of(def, corridor, dt, motion);
    const double reach = def->look_ahead > 0 ? def->look_ahead : 32 * corridor->size;
    *velocity = (vn_dvec3){0, 0, 0};
    *has_aim = false;
    if (corridor->count == 0)
        return VN_FOLLOW_IDLE;

    const double share = share_of_arrival(&c), speed = vni_length(vni_follow_v(motion->velocity));
    if (share <= 1 && speed <= def->acceleration * dt)
        return VN_FOLLOW_ARRIVED;
    if (share <= 0.5)
        return VN_FOLLOW_MOVING; // brakes
    if (!take_aim(corridor, space, reach, &c.aim))
        return VN_FOLLOW_OFF_PATH;

    c.distance = vni_length(vni_sub(vni_follow_v(c.aim.position), c.position));
    if (c.distance <= vni_follow_metres(corridor, 0.01))
        return VN_FOLLOW_WAITING;
    *velocity = vni_follow_d(choose_velocity(&c));
    *aim = (vni_aim){c.aim.position, c.aim.point, corner_behind(corridor, &c.aim)};
    *has_aim = true;
    return VN_FOLLOW_MOVING;
}

/// What the public calls have in common.
static vn_status begin(const vn_steering_def* def, vn_corridor* corridor, const vn_space* space, double dt,
                       const vn_agent_motion* motion) {
    VNI_ASSERT(def != NULL && corridor != NULL && space != NULL && motion != NULL);
    const vn_status status = vni_steering_check(def, dt);
    if (status != VN_OK)
        return status;
    return vn_corridor_advance_to_position(corridor, space, motion->position) == VN_OUTSIDE ? VN_OUTSIDE
                                                                                            : VN_OK;
}

vn_status vn_steering_choose(const vn_steering_def* def, vn_corridor* corridor, const vn_space* space,
                             double dt, const vn_agent_motion* motion, vn_dvec3* velocity,
                             vn_follow_state* state) {
    vni_aim aim;
    bool has_aim;
    VNI_ASSERT(velocity != NULL && state != NULL);
    const vn_status status = begin(def, corridor, space, dt, motion);
    if (status == VN_OK)
        *state = choose(def, corridor, space, dt, motion, velocity, &aim, &has_aim);
    return status;
}

/// Did the step lead elsewhere than its velocity, by more than a quarter of it? One that ended at its aim did
/// not.
static bool is_astray(const vn_agent_motion* motion, vni_vec before, double dt, const vni_aim* aim) {
    const vni_vec now = vni_follow_v(motion->position), velocity = vni_follow_v(motion->velocity);
    if (aim != NULL && vni_length2(vni_sub(now, vni_follow_v(aim->position))) == 0)
        return false;
    const vni_vec error = vni_sub(vni_sub(now, before), vni_scale(velocity, dt));
    return vni_length(error) > 0.25 * dt * vni_length(velocity);
}

/// Does the agent get on? From a standstill it takes two steps to be so fast.
static bool gets_on(const vn_steering_def* def, double dt, double speed) {
    return speed >= 0.99 * lower(def->speed, 2 * def->acceleration * dt);
}

/// Counts the steps that led astray or were refused, until the agent gets on: one that has to brake after
/// each step, or turns in between, stalls too. Stalled, it stays so until it stands at the corner that it
/// goes to (anywhere, if it sees none), or gives up.
static void note_stall(vn_corridor* corridor, bool astray, bool on, bool is_back) {
    const bool is_stalled = corridor->stall >= VNI_STALLED;
    if (is_stalled && is_back) {
        corridor->returned = is_where_it_stalled(corridor) ? corridor->returned + 1 : 1;
        corridor->returned_at = corridor->point;
    }

    if (is_stalled ? is_back : on)
        corridor->stall = 0;
    else if (astray)
        corridor->stall = corridor->stall < STALL_LIMIT ? corridor->stall + 1 : 0;
}

/// The state after the move.
static vn_follow_state state_after(vn_follow_state state, bool stands, bool turns) {
    if (state == VN_FOLLOW_MOVING && stands && !turns)
        return VN_FOLLOW_WAITING;
    return state == VN_FOLLOW_WAITING && !stands ? VN_FOLLOW_MOVING : state;
}

vn_status vn_steering_step(const vn_steering_def* def, vn_corridor* corridor, const vn_space* space,
                           double dt, vn_agent_motion* motion) {
    vn_dvec3 velocity;
    vni_aim aim;
    vn_point beside;
    bool has_aim;
    const vn_status status = begin(def, corridor, space, dt, motion);
    if (status != VN_OK)
        return status;

    const vni_vec before = vni_follow_v(motion->forward), at = vni_follow_v(motion->position);
    const vn_follow_state state = choose(def, corridor, space, dt, motion, &velocity, &aim, &has_aim);
    const vn_point from = corridor->point;
    vni_steering_move(def, space, dt, velocity, has_aim ? &aim : NULL, from, motion);
    const vni_vec after = vni_follow_v(motion->velocity);
    const bool stands = vni_length2(after) == 0;
    corridor->way_on =
        vni_scale(after, vni_follow_steps(corridor, vni_length(after) / (2 * def->acceleration)));
    motion->state = state_after(state, stands, vni_dot(before, vni_follow_v(motion->forward)) < 1 - 1e-12);

    const bool astray =
        motion->state == VN_FOLLOW_WAITING || is_astray(motion, at, dt, has_aim ? &aim : NULL);
    const bool is_back = !corridor->returns || (stands && state == VN_FOLLOW_WAITING);
    note_stall(corridor, astray, !astray && gets_on(def, dt, vni_length(after)), is_back);

    // rounding may have cost the sight of the path
    const vn_status seen = vn_corridor_advance_to_position(corridor, space, motion->position);
    if (seen == VN_NOT_FOUND && vni_follow_find_sight(corridor, space, from, &beside)) {
        motion->position = vn_space_point_to_world(space, beside);
        (void)!vn_corridor_advance_to_position(corridor, space, motion->position);
    }

    return VN_OK;
}
