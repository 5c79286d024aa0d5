/// tests/unit/curve/judge.h: judges a trajectory from outside, by its positions alone: differences of
/// positions against the limits, and the exact checker. Shares no code with src/curve.
#ifndef VNT_CURVE_JUDGE_H
#define VNT_CURVE_JUDGE_H

#include "cmocka_all.h"
#include "volnav/curve.h"
#include "volnav/path.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// The step of differences, seconds, and how often they are taken.
#define JUDGE_H     1e-3
#define JUDGE_EVERY (1.0 / 120)
/// A limit may be exceeded by this factor; accelerations also by the rounding of positions, divided by the
/// square of the step.
#define JUDGE_SLACK 1e-5

/// What was seen, each as a multiple of its limit (0 without one).
typedef struct judge_verdict {
    bool is_free;          ///< sampled every 1/60 s
    vn_check_result check; ///< of the checker
    double speed, acceleration, turn, slope, climb;
    double velocity;  ///< worst difference of the reported velocity and that of the positions, over a * h
    double overshoot; ///< metres that the way along the curve went back or beyond its length
    double missed;    ///< metres from the end of the path, at the end
    double moved;     ///< metres from the first point, at the beginning
    uint32_t stops;
} judge_verdict;

static inline vn_dvec3 judge_sub(vn_dvec3 a, vn_dvec3 b) {
    vn_dvec3 d = {a.x - b.x, a.y - b.y, a.z - b.z};
    return d;
}
static inline double judge_dot(vn_dvec3 a, vn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double judge_length(vn_dvec3 a) {
    return sqrt(judge_dot(a, a));
}
static inline double judge_angle(vn_dvec3 a, vn_dvec3 b) {
    vn_dvec3 cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return atan2(judge_length(cross), judge_dot(a, b));
}
static inline void judge_most(double* most, double value) {
    if (!(value <= *most))
        *most = value;
}

/// The samples of every 1/60 s, on the lattice, through the exact checker.
static inline void judge_check(const vn_space* space, const vn_trajectory* trajectory, double step,
                               judge_verdict* v) {
    double duration = vn_trajectory_duration(trajectory);
    uint32_t count = (uint32_t)(duration / step) + 2;
    vn_point* points = malloc(count * sizeof *points);
    assert_non_null(points);
    for (uint32_t i = 0; i < count; ++i) {
        vn_trajectory_state m;
        vn_trajectory_sample(trajectory, i * step, &m);
        if (vn_space_point_from_world(space, m.position, &points[i]) != VN_OK)
            points[i] = vn_point_outside();
    }

    v->is_free = vn_space_check_path(space, points, count, &v->check);
    free(points);
}

/// What rounding to double may move a position by, metres.
static inline double judge_noise(vn_dvec3 p) {
    return 4 * DBL_EPSILON * fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
}

/// Differences around one time.
static inline void judge_at(const vn_trajectory* trajectory, const vn_curve_def* def, double t,
                            judge_verdict* v) {
    vn_trajectory_state a, b, c;
    vn_trajectory_sample(trajectory, t - JUDGE_H, &a);
    vn_trajectory_sample(trajectory, t, &b);
    vn_trajectory_sample(trajectory, t + JUDGE_H, &c);
    vn_dvec3 first = judge_sub(b.position, a.position), second = judge_sub(c.position, b.position);
    vn_dvec3 both = judge_sub(c.position, a.position);
    double moved = judge_length(second), limit = def->max_acceleration, noise = judge_noise(b.position);

    judge_most(&v->speed, (moved - noise) / JUDGE_H / def->max_speed);
    double change = judge_length(judge_sub(second, first)) - 2 * noise;
    judge_most(&v->acceleration, change / (JUDGE_H * JUDGE_H) / limit);
    judge_most(&v->turn, judge_angle(b.direction, c.direction) / JUDGE_H / def->max_turn_rate);
    vn_dvec3 velocity = {both.x / (2 * JUDGE_H), both.y / (2 * JUDGE_H), both.z / (2 * JUDGE_H)};
    judge_most(&v->velocity, judge_length(judge_sub(velocity, b.velocity)) / (limit * JUDGE_H));
    judge_most(&v->overshoot, b.metres - c.metres);

    vn_dvec3 up = {(double)def->up.x, (double)def->up.y, (double)def->up.z};
    double size = judge_length(up), rise = fabs(judge_dot(second, up)) / size;
    double run = sqrt(fmax(0, moved * moved - rise * rise));
    judge_most(&v->climb, rise / JUDGE_H / def->max_climb_rate);
    // Across a stop the chord of two directions may be steeper than both; too short a way is all rounding.
    bool is_one_way =
        judge_dot(b.velocity, c.velocity) > 0.9 * b.speed * c.speed && moved > 1e-7 + 1e6 * noise;
    if (is_one_way && isfinite(def->max_slope))
        judge_most(&v->slope, rise / fmax(run * def->max_slope, 1e-300));
}

/// At the end, the limits and the reported state.
static inline judge_verdict judge_run(const vn_space* space, const vn_curve* curve,
                                      const vn_trajectory* trajectory, const vn_curve_def* def,
                                      vn_point start, vn_point goal) {
    judge_verdict v = {0};
    double duration = vn_trajectory_duration(trajectory);
    vn_trajectory_state first, last;
    vn_curve_info info;
    vn_curve_get_info(curve, &info);
    judge_check(space, trajectory, def->step, &v);
    for (double t = JUDGE_H; t + JUDGE_H < duration; t += JUDGE_EVERY)
        judge_at(trajectory, def, t, &v);

    vn_trajectory_sample(trajectory, 0, &first);
    vn_trajectory_sample(trajectory, duration, &last);
    v.moved = judge_length(judge_sub(first.position, vn_space_point_to_world(space, start)));
    v.missed = judge_length(judge_sub(last.position, vn_space_point_to_world(space, goal)));
    judge_most(&v.overshoot, last.metres - info.length);
    v.stops = info.stops;
    return v;
}

static inline void judge_print(const judge_verdict* v) {
    fprintf(
        stderr,
        "free %d (%s segment %u), speed %.7g, acceleration %.7g, turn %.7g, slope %.7g, climb %.7g, velocity "
        "%.3g, overshoot %g, missed %g, moved %g\n",
        v->is_free, vn_check_fault_word(v->check.fault), v->check.segment, v->speed, v->acceleration, v->turn,
        v->slope, v->climb, v->velocity, v->overshoot, v->missed, v->moved);
}

static inline bool judge_accepts(const judge_verdict* v) {
    const double limit = 1 + JUDGE_SLACK;
    return v->is_free && v->speed <= limit && v->acceleration <= limit && v->turn <= limit &&
           v->slope <= limit && v->climb <= limit && v->velocity <= 1.001 && v->overshoot <= 1e-12 &&
           v->missed <= 1e-9 && v->moved <= 1e-9;
}

#endif
