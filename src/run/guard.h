/// run/guard.h: what moving boxes may reach, and manoeuvres that stay clear of it until they stand where
/// nothing ever comes. Private to run.
///
/// Of each box its kind of motion is known, not its schedule: a box on a rail may go either way at its speed
/// at any time; a rotor turns on; what blinks counts as there. A manoeuvre is verified if the ball keeps its
/// distance from all of this in every step, and from all that could ever be reached when it stands. What is
/// left of a verified manoeuvre is verified in every later step too: what may be reached then is part of what
/// could be reached before.
#ifndef VNI_RUN_GUARD_H
#define VNI_RUN_GUARD_H

#include "sim/vec.h"
#include "volnav/sim.h"

enum { VNI_GUARD_MOST = 64, VNI_PLAN_STEPS = 400 };

typedef enum vni_reach_kind { VNI_REACH_STANDS, VNI_REACH_RAIL, VNI_REACH_ROTOR } vni_reach_kind;

/// A box, and where it may be some seconds after it was seen.
typedef struct vni_reach {
    vni_reach_kind kind;
    vn_dvec3 at, half;          ///< when it was seen; metres
    vn_dvec3 way;               ///< rail: metres per second along each axis, either way
    vn_dvec3 low, high;         ///< rail: it never leaves this box
    int axis;                   ///< rotor: 0 to 2
    double cosine, sine, turns; ///< rotor: its angle when it was seen, and turns per second
    double around;              ///< rotor: no point of it is farther from the axis
    double speed;               ///< of its fastest point, metres per second
    double age;                 ///< seconds since it was seen
} vni_reach;

/// A box that stands.
vni_reach vni_reach_wall(const vn_box* box);

/// A mover as it was seen `age` seconds ago. All speeds are `factor` times those of the scene.
vni_reach vni_reach_mover(const vn_mover_info* info, const vn_mover_state* state, double factor, double age);

/// Least distance of a point from where the box may be `seconds` from now, and from where it may ever be.
double vni_reach_distance(const vni_reach* reach, vn_dvec3 point, double seconds);
double vni_reach_distance_ever(const vni_reach* reach, vn_dvec3 point);

/// A velocity for each step; then it stands.
typedef struct vni_plan {
    vn_dvec3 velocity[VNI_PLAN_STEPS];
    uint32_t count;
} vni_plan;

typedef struct vni_guard {
    vni_reach reach[VNI_GUARD_MOST];
    double near[VNI_GUARD_MOST]; ///< distance from where the ball is now
    uint32_t count;
    vn_dvec3 low, high;  ///< the centre of the ball stays inside
    double step;         ///< seconds
    double speed;        ///< at most, metres per second
    double acceleration; ///< metres per second squared
} vni_guard;

/// After all of `reach` has been set: the ball is at `at`.
void vni_guard_look(vni_guard* guard, vn_dvec3 at);

/// From one velocity towards another, as far as one step leads.
vn_dvec3 vni_guard_turn(const vni_guard* guard, vn_dvec3 from, vn_dvec3 to);

/// Appends steps that brake from `velocity`. False: the plan is full.
bool vni_guard_brake(const vni_guard* guard, vni_plan* plan, vn_dvec3 velocity);

/// Turns from `velocity` to `target` and keeps that, for `steps` in all, then brakes. False: the plan is
/// full.
bool vni_guard_hold(const vni_guard* guard, vni_plan* plan, vn_dvec3 velocity, vn_dvec3 target,
                    uint32_t steps);

/// Seconds until the plan comes nearer than `keep` metres to something; HUGE_VAL: never.
double vni_guard_try(const vni_guard* guard, vn_dvec3 at, const vni_plan* plan, double keep);

/// Drops the first step.
void vni_plan_advance(vni_plan* plan);

#endif
