/// curve/trajectory.c: times a curve: how fast each part may be flown, then forwards and backwards what the
/// acceleration allows, then a table of knots with constant acceleration between them.
///
/// The passes work on squares of speeds: with constant acceleration along the curve they are linear in the
/// length. In each interval the acceleration along it and the largest one across it keep the limit together.
#include "curve/curve_inside.h"

#include <string.h>

#define TRAJECTORY_COOKIE 0x63750002u
/// Arcs are divided into intervals of at most this angle, radians.
#define ARC_STEP 0.2
/// Below the limits by this factor, so that rounding does not exceed them.
#define SHY (1 - 1e-9)

/// A part of a piece with one bound on its curvature.
typedef struct interval {
    uint32_t piece;
    double length, curvature;
    double cap; ///< square of the speed: never more
} interval;

/// From here to the next knot the acceleration along the curve is constant.
typedef struct knot {
    double time, metres, speed, acceleration;
    uint32_t piece;
    bool is_hold; ///< turns on the spot until the next knot, at the beginning of `piece`
} knot;

struct vn_trajectory {
    vn_allocator allocator;
    const vn_curve* curve;
    knot* knots; ///< the last one is the end
    uint64_t count, capacity;
};

vn_trajectory_def vn_default_trajectory_def(void) {
    vn_trajectory_def def = {.allocator = vn_default_allocator(), .cookie = TRAJECTORY_COOKIE};
    return def;
}

static vn_status check_def(const vn_curve* curve, const vn_trajectory_def* def, vn_detail* detail) {
    double most = curve->def.max_speed;
    if (def->cookie != TRAJECTORY_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_trajectory_def()");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if (!(def->start_speed >= 0 && def->start_speed <= most) ||
        !(def->end_speed >= 0 && def->end_speed <= most))
        return vni_fail(detail, VN_BAD_ARGUMENT, "start_speed %g and end_speed %g must be 0 to max_speed %g",
                        def->start_speed, def->end_speed, most);
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------- intervals

static uint32_t intervals_of(const vni_piece* piece) {
    return piece->kind == VNI_PIECE_ARC ? (uint32_t)floor(piece->angle / ARC_STEP) + 2 : 1;
}

static double square(double x) {
    return x * x;
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double cap_of(const vn_curve_def* def, const vni_piece* piece) {
    double cap = square(def->max_speed);
    if (piece->curvature > 0) {
        cap = lesser(cap, def->max_acceleration / piece->curvature);
        cap = lesser(cap, square(def->max_turn_rate / piece->curvature));
    }

    if (piece->sine > 0)
        cap = lesser(cap, square(def->max_climb_rate / piece->sine));
    return cap * SHY;
}

static uint64_t count_intervals(const vn_curve* curve) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < curve->piece_count; ++i)
        count += intervals_of(&curve->pieces[i]);
    return count;
}

static void fill_intervals(const vn_curve* curve, interval* out) {
    for (uint64_t i = 0; i < curve->piece_count; ++i) {
        const vni_piece* piece = &curve->pieces[i];
        uint32_t parts = intervals_of(piece);
        interval part = {(uint32_t)i, piece->length / parts, piece->curvature, cap_of(&curve->def, piece)};
        for (uint32_t k = 0; k < parts; ++k)
            *out++ = part;
    }
}

// ------------------------------------------------------------------------------------------------- passes

/// The intervals, and the squares of the speeds at their ends: one more.
typedef struct profile {
    const vn_curve* curve;
    interval* intervals;
    double* squares;
    uint64_t count;
    double acceleration;
} profile;

/// The largest square of a speed at one end of an interval, with `from` at the other: the root of
/// ((q - from) / 2 length)^2 + (curvature q)^2 = acceleration^2.
static double reach(const interval* part, double from, double acceleration) {
    double bend = square(2 * part->length * part->curvature);
    double inside = square(2 * part->length * acceleration) * (1 + bend) - bend * square(from);
    double q = (from + sqrt(inside > 0 ? inside : 0)) / (1 + bend);
    return q > from ? q : from;
}

static bool is_stop(const profile* p, uint64_t node) {
    return node > 0 && node < p->count && p->intervals[node].piece != p->intervals[node - 1].piece &&
           p->curve->pieces[p->intervals[node].piece].is_corner;
}

/// The most that a node's two intervals allow.
static double cap_at(const profile* p, uint64_t node) {
    double cap = HUGE_VAL;
    if (node > 0)
        cap = lesser(cap, p->intervals[node - 1].cap);
    if (node < p->count)
        cap = lesser(cap, p->intervals[node].cap);
    return is_stop(p, node) ? 0 : cap;
}

static void pass_forwards(profile* p, double start) {
    p->squares[0] = lesser(start, cap_at(p, 0));
    for (uint64_t i = 0; i < p->count; ++i)
        p->squares[i + 1] = lesser(cap_at(p, i + 1), reach(&p->intervals[i], p->squares[i], p->acceleration));
}

static void pass_backwards(profile* p, double end) {
    p->squares[p->count] = lesser(p->squares[p->count], end);
    for (uint64_t i = p->count; i > 0; --i)
        p->squares[i - 1] =
            lesser(p->squares[i - 1], reach(&p->intervals[i - 1], p->squares[i], p->acceleration));
}

/// A speed that was asked for, and the one that came of it. The caps are a little below the limits.
static bool is_reached(double asked, double squared) {
    return square(asked) * SHY * SHY <= squared;
}

static vn_status run_passes(profile* p, const vn_trajectory_def* def, vn_detail* detail) {
    pass_forwards(p, square(def->start_speed));
    pass_backwards(p, square(def->end_speed));
    if (!is_reached(def->start_speed, p->squares[0]))
        return vni_fail(detail, VN_NOT_FOUND, "start_speed %g is too fast for the curve: at most %g",
                        def->start_speed, sqrt(p->squares[0]));
    if (!is_reached(def->end_speed, p->squares[p->count]))
        return vni_fail(detail, VN_NOT_FOUND, "end_speed %g cannot be reached: at most %g", def->end_speed,
                        sqrt(p->squares[p->count]));
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- knots

/// Where the next knot goes.
typedef struct writer {
    vn_trajectory* trajectory;
    double time, metres;
} writer;

static void add_knot(writer* w, knot next, double seconds, double metres) {
    VNI_ASSERT(w->trajectory->count < w->trajectory->capacity && seconds >= 0);
    next.time = w->time;
    next.metres = w->metres;
    w->trajectory->knots[w->trajectory->count++] = next;
    w->time += seconds;
    w->metres += metres;
}

/// A part with constant acceleration, from one square of a speed to another.
static void add_part(writer* w, uint32_t piece, double metres, double from, double to) {
    double first = sqrt(from), last = sqrt(to);
    if (!(metres > 0) || !(first + last > 0))
        return;

    knot next = {.piece = piece, .speed = first, .acceleration = (to - from) / (2 * metres)};
    add_knot(w, next, 2 * metres / (first + last), metres);
}

/// A straight line: as fast as possible, then constant, then braking; exact.
static void add_line(writer* w, const profile* p, uint64_t i) {
    const interval* part = &p->intervals[i];
    double from = p->squares[i], to = p->squares[i + 1], twice = 2 * p->acceleration;
    double top = lesser(part->cap, (from + to + twice * part->length) / 2);
    double rising = (top - from) / twice, falling = (top - to) / twice;
    double level = part->length - rising - falling;

    add_part(w, part->piece, rising, from, top);
    if (level > 1e-12 * part->length)
        add_part(w, part->piece, level, top, top);
    add_part(w, part->piece, falling, top, to);
}

static void add_hold(writer* w, const profile* p, uint64_t i) {
    const vni_piece* piece = &p->curve->pieces[p->intervals[i].piece];
    double seconds = piece->turn / p->curve->def.max_turn_rate; // 0 without a limit
    knot hold = {.piece = p->intervals[i].piece, .is_hold = true};
    if (is_stop(p, i) && seconds > 0)
        add_knot(w, hold, seconds, 0);
}

static void write_knots(vn_trajectory* trajectory, const profile* p) {
    writer w = {.trajectory = trajectory};
    for (uint64_t i = 0; i < p->count; ++i) {
        const vni_piece* piece = &p->curve->pieces[p->intervals[i].piece];
        w.metres = i > 0 && p->intervals[i].piece == p->intervals[i - 1].piece ? w.metres : piece->start;
        add_hold(&w, p, i);
        if (piece->kind == VNI_PIECE_LINE)
            add_line(&w, p, i);
        else
            add_part(&w, p->intervals[i].piece, p->intervals[i].length, p->squares[i], p->squares[i + 1]);
    }

    knot end = {.piece = p->count > 0 ? p->intervals[p->count - 1].piece : 0};
    end.speed = p->count > 0 ? sqrt(p->squares[p->count]) : 0;
    w.metres = p->curve->info.length;
    add_knot(&w, end, 0, 0);
}

// ------------------------------------------------------------------------------------------------- making

static vn_status make(profile* p, const vn_trajectory_def* def, vn_trajectory** out, vn_detail* detail) {
    vn_trajectory* trajectory = VNI_NEW(&def->allocator, vn_trajectory);
    if (trajectory == NULL)
        return VN_OUT_OF_MEMORY;

    trajectory->allocator = def->allocator;
    trajectory->curve = p->curve;
    trajectory->capacity = 4 * p->count + 1; // at most three parts and a hold each
    trajectory->knots = VNI_NEW_ARRAY(&def->allocator, knot, trajectory->capacity);
    vn_status status = trajectory->knots == NULL ? VN_OUT_OF_MEMORY : VN_OK;
    if (status == VN_OK && p->count > 0) {
        fill_intervals(p->curve, p->intervals);
        status = run_passes(p, def, detail);
    }

    if (status != VN_OK) {
        vn_trajectory_destroy(trajectory);
        return status;
    }

    write_knots(trajectory, p);
    *out = trajectory;
    return VN_OK;
}

vn_status vn_trajectory_make(const vn_curve* curve, const vn_trajectory_def* def, vn_trajectory** out,
                             vn_detail* detail) {
    VNI_ASSERT(curve != NULL && def != NULL && out != NULL);
    *out = NULL;
    vn_status status = check_def(curve, def, detail);
    if (status != VN_OK)
        return status;

    profile p = {.curve = curve, .count = count_intervals(curve)};
    p.acceleration = curve->def.max_acceleration * SHY;
    p.intervals = VNI_NEW_ARRAY(&def->allocator, interval, p.count + 1);
    p.squares = VNI_NEW_ARRAY(&def->allocator, double, p.count + 1);
    status = p.intervals == NULL || p.squares == NULL ? VN_OUT_OF_MEMORY : make(&p, def, out, detail);

    VNI_DELETE_ARRAY(&def->allocator, p.squares, p.count + 1);
    VNI_DELETE_ARRAY(&def->allocator, p.intervals, p.count + 1);
    return status == VN_OUT_OF_MEMORY ? vni_fail(detail, status, "no memory for a trajectory") : status;
}

void vn_trajectory_destroy(vn_trajectory* trajectory) {
    if (trajectory == NULL)
        return;
    vn_allocator allocator = trajectory->allocator;
    VNI_DELETE_ARRAY(&allocator, trajectory->knots, trajectory->capacity);
    VNI_DELETE(&allocator, trajectory);
}

void vn_trajectory_get_memory(const vn_trajectory* trajectory, vn_memory* out) {
    VNI_ASSERT(trajectory != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    vni_memory_add(out, "trajectory", sizeof *trajectory);
    vni_memory_add(out, "knots", (size_t)trajectory->capacity * sizeof *trajectory->knots);
}

// ----------------------------------------------------------------------------------------------- sampling

double vn_trajectory_duration(const vn_trajectory* trajectory) {
    VNI_ASSERT(trajectory != NULL);
    return trajectory->knots[trajectory->count - 1].time;
}

/// The last knot that is not after the time.
static uint64_t find_knot(const vn_trajectory* trajectory, double seconds) {
    uint64_t low = 0, high = trajectory->count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (trajectory->knots[middle].time <= seconds)
            low = middle;
        else
            high = middle;
    }

    return low;
}

/// The direction at a part of a turn on the spot.
static vni_vec turned(const vn_curve* curve, const knot* k, double part) {
    const vni_piece* piece = &curve->pieces[k->piece];
    vni_vec from = vni_piece_at(piece - 1, piece[-1].length).direction, to = vni_piece_at(piece, 0).direction;
    vni_vec across = vni_curve_unit(vni_add_scaled(to, from, -vni_dot(from, to)));
    if (VNI_PI - piece->turn < 1e-6 || vni_length2(across) == 0) // straight back: any side will do
        across = vni_curve_unit(vni_cross(from, vni_abs(from.x) < 0.7 ? vni_v(1, 0, 0) : vni_v(0, 1, 0)));

    double cosine, sine;
    vni_curve_rotate(piece->turn * part, &cosine, &sine);
    return vni_add_scaled(vni_scale(from, cosine), across, sine);
}

static void hold(const vn_curve* curve, const knot* k, double passed, vn_trajectory_state* out) {
    out->metres = k->metres;
    out->position = vni_curve_world(curve, vni_piece_at(&curve->pieces[k->piece], 0).at);
    out->direction = vni_curve_dvec(turned(curve, k, vni_clamp(passed / (k[1].time - k->time), 0, 1)));
}

static void move(const vn_curve* curve, const knot* k, double passed, double most, vn_trajectory_state* out) {
    const vni_piece* piece = &curve->pieces[k->piece];
    double metres = k->metres + (k->speed + k->acceleration * passed / 2) * passed;
    double speed = k->speed + k->acceleration * passed;
    out->metres = vni_clamp(metres, k->metres, most);
    out->speed = speed > 0 ? speed : 0;

    vni_piece_state state = vni_piece_at(piece, out->metres - piece->start);
    vni_vec along = vni_scale(state.direction, k->acceleration);
    out->position = vni_curve_world(curve, state.at);
    out->direction = vni_curve_dvec(state.direction);
    out->velocity = vni_curve_dvec(vni_scale(state.direction, out->speed));
    out->acceleration = vni_curve_dvec(vni_add_scaled(along, state.curvature, square(out->speed)));
}

void vn_trajectory_sample(const vn_trajectory* trajectory, double seconds, vn_trajectory_state* out) {
    VNI_ASSERT(trajectory != NULL && out != NULL);
    const vn_curve* curve = trajectory->curve;
    memset(out, 0, sizeof *out);
    if (curve->piece_count == 0) {
        out->position = vni_curve_world(curve, curve->first);
        return;
    }

    double time = seconds > 0 ? seconds : 0; // also NaN
    uint64_t i = find_knot(trajectory, time);
    const knot* k = &trajectory->knots[i];
    bool is_end = i + 1 == trajectory->count;
    if (k->is_hold)
        hold(curve, k, time - k->time, out);
    else
        move(curve, k, is_end ? 0 : time - k->time, is_end ? k->metres : k[1].metres, out);

    if (is_end) // the curve ends here: nothing bends any more
        out->acceleration = (vn_dvec3){0, 0, 0};
}
