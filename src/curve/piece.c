/// curve/piece.c: lines, arcs and cubic Bezier pieces: places on them by length, and bounds on how they turn
/// and climb.
#include "curve/curve_inside.h"

// -------------------------------------------------------------------------------------------------- lines

vni_piece vni_piece_line(vni_vec a, vni_vec b, vni_vec up) {
    vni_piece piece = {.kind = VNI_PIECE_LINE, .p = {a, b}};
    vni_vec along = vni_sub(b, a);
    piece.length = vni_length(along);
    piece.sine = piece.length > 0 ? vni_abs(vni_dot(along, up)) / piece.length : 0;
    return piece;
}

// --------------------------------------------------------------------------------------------------- arcs

/// The largest climb on an arc: at an end, or at the top of its circle's directions if that lies between.
static double arc_sine(const vni_piece* arc, vni_vec up) {
    double cosine, sine, u = vni_dot(arc->p[1], up), v = vni_dot(arc->p[2], up);
    vni_curve_rotate(arc->angle, &cosine, &sine);

    double first = vni_abs(v), last = vni_abs(v * cosine - u * sine);
    double slope_first = -u, slope_last = -u * cosine - v * sine;
    double largest = first > last ? first : last;
    double top = sqrt(u * u + v * v);
    return (slope_first > 0) != (slope_last > 0) ? top : largest;
}

vni_piece vni_piece_arc(vni_vec bend, vni_vec in, vni_vec out, double t, vni_vec up) {
    vni_piece piece = {.kind = VNI_PIECE_ARC};
    vni_vec apart = vni_sub(out, in), across = vni_add_scaled(out, in, -vni_dot(in, out));
    double half_tangent = vni_length(apart) / vni_length(vni_add(in, out));
    VNI_ASSERT(half_tangent > 0 && t > 0);

    vni_vec inwards = vni_curve_unit(across);
    piece.radius = t / half_tangent;
    piece.angle = vni_curve_angle(in, out);
    piece.p[0] = vni_add_scaled(vni_add_scaled(bend, in, -t), inwards, piece.radius);
    piece.p[1] = vni_scale(inwards, -1);
    piece.p[2] = in;
    piece.length = piece.radius * piece.angle;
    piece.curvature = 1 / piece.radius;
    piece.sine = arc_sine(&piece, up);
    return piece;
}

// ------------------------------------------------------------------------------------------------- Bezier

static vni_vec bezier_point(const vni_vec p[4], double u) {
    double w = 1 - u;
    vni_vec a = vni_add_scaled(vni_scale(p[0], w * w * w), p[1], 3 * w * w * u);
    vni_vec b = vni_add_scaled(vni_scale(p[2], 3 * w * u * u), p[3], u * u * u);
    return vni_add(a, b);
}

static vni_vec bezier_speed(const vni_vec p[4], double u) {
    double w = 1 - u;
    vni_vec a = vni_scale(vni_sub(p[1], p[0]), 3 * w * w), b = vni_scale(vni_sub(p[2], p[1]), 6 * w * u);
    return vni_add(vni_add(a, b), vni_scale(vni_sub(p[3], p[2]), 3 * u * u));
}

/// The second derivative.
static vni_vec bezier_change(const vni_vec p[4], double u) {
    vni_vec a = vni_add(vni_add_scaled(p[0], p[1], -2), p[2]);
    vni_vec b = vni_add(vni_add_scaled(p[1], p[2], -2), p[3]);
    return vni_add_scaled(vni_scale(a, 6 * (1 - u)), b, 6 * u);
}

/// Length from 0 to u, by Gauss and Legendre's rule with five nodes: pieces are short enough for it.
static double bezier_length(const vni_vec p[4], double u) {
    static const double node[2] = {0.53846931010568309104, 0.90617984593866399280};
    static const double weight[3] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
    double half = u / 2, sum = weight[0] * vni_length(bezier_speed(p, half));
    for (int i = 0; i < 2; ++i) {
        sum += weight[i + 1] * vni_length(bezier_speed(p, half - half * node[i]));
        sum += weight[i + 1] * vni_length(bezier_speed(p, half + half * node[i]));
    }

    return half * sum;
}

/// A bound on the curvature. The derivatives are mixtures of their control vectors: their product is no
/// longer than the longest product of two, and along the chord the speed is never less than the least of
/// them.
static double bezier_curvature(const vni_vec p[4]) {
    vni_vec chord = vni_curve_unit(vni_sub(p[3], p[0])), speed[3], change[2];
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < 3; ++i) {
        speed[i] = vni_scale(vni_sub(p[i + 1], p[i]), 3);
        double along = vni_dot(speed[i], chord);
        least = along < least ? along : least;
    }

    for (int j = 0; j < 2; ++j) {
        change[j] = vni_scale(vni_sub(speed[j + 1], speed[j]), 2);
        for (int i = 0; i < 3; ++i) {
            double product = vni_length2(vni_cross(speed[i], change[j]));
            most = product > most ? product : most;
        }
    }

    return least > 0 ? sqrt(most) / (least * least * least) : HUGE_VAL;
}

/// A bound on the sine of the climb angle: the most that a control vector climbs, over the least that one
/// goes along the horizontal chord.
static double bezier_sine(const vni_vec p[4], vni_vec up) {
    vni_vec chord = vni_sub(p[3], p[0]);
    chord = vni_curve_unit(vni_add_scaled(chord, up, -vni_dot(chord, up)));
    double rise = 0, run = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        vni_vec speed = vni_sub(p[i + 1], p[i]);
        double climb = vni_abs(vni_dot(speed, up)), along = vni_dot(speed, chord);
        rise = climb > rise ? climb : rise;
        run = along < run ? along : run;
    }

    return run > 0 ? rise / sqrt(rise * rise + run * run) : 1;
}

vni_piece vni_piece_bezier(const vni_vec p[4], vni_vec up) {
    vni_piece piece = {.kind = VNI_PIECE_BEZIER, .p = {p[0], p[1], p[2], p[3]}};
    piece.length = bezier_length(p, 1);
    piece.curvature = bezier_curvature(p);
    piece.sine = bezier_sine(p, up);
    return piece;
}

/// The parameter at a length, by Newton's method: the speed of a short piece hardly changes.
static double bezier_find(const vni_piece* piece, double length) {
    double u = length / piece->length;
    for (int i = 0; i < 4; ++i) {
        double speed = vni_length(bezier_speed(piece->p, u));
        if (speed > 0)
            u = vni_clamp(u - (bezier_length(piece->p, u) - length) / speed, 0, 1);
    }

    return u;
}

static vni_piece_state bezier_state(const vni_piece* piece, double length) {
    double u = bezier_find(piece, length);
    vni_vec speed = bezier_speed(piece->p, u), change = bezier_change(piece->p, u);
    vni_piece_state state = {bezier_point(piece->p, u), vni_curve_unit(speed), {0, 0, 0}};

    vni_vec across = vni_add_scaled(change, state.direction, -vni_dot(change, state.direction));
    double square = vni_length2(speed);
    state.curvature = square > 0 ? vni_scale(across, 1 / square) : across;
    return state;
}

// ------------------------------------------------------------------------------------------------- places

static vni_piece_state arc_state(const vni_piece* arc, double angle) {
    double cosine, sine;
    vni_curve_rotate(angle, &cosine, &sine);
    vni_vec outwards = vni_add_scaled(vni_scale(arc->p[1], cosine), arc->p[2], sine);

    vni_piece_state state;
    state.at = vni_add_scaled(arc->p[0], outwards, arc->radius);
    state.direction = vni_add_scaled(vni_scale(arc->p[2], cosine), arc->p[1], -sine);
    state.curvature = vni_scale(outwards, -1 / arc->radius);
    return state;
}

static vni_piece_state line_state(const vni_piece* line, double length) {
    vni_vec along = vni_curve_unit(vni_sub(line->p[1], line->p[0]));
    vni_piece_state state = {vni_add_scaled(line->p[0], along, length), along, {0, 0, 0}};
    if (length >= line->length) // exactly the end, which may lie in the face of a blocked voxel
        state.at = line->p[1];
    return state;
}

vni_piece_state vni_piece_at(const vni_piece* piece, double length) {
    double within = vni_clamp(length, 0, piece->length);
    switch (piece->kind) {
    case VNI_PIECE_LINE: return line_state(piece, within);
    case VNI_PIECE_ARC: return arc_state(piece, within / piece->radius);
    default: return bezier_state(piece, within);
    }
}

// ------------------------------------------------------------------------------------------------- chords

/// Twice the distance of chord and curve is at most a quarter of the square of the step times the second
/// derivative.
static double most_change(const vni_piece* piece) {
    if (piece->kind == VNI_PIECE_ARC)
        return piece->radius * piece->angle * piece->angle;

    double first = vni_length2(bezier_change(piece->p, 0)), last = vni_length2(bezier_change(piece->p, 1));
    return sqrt(first > last ? first : last);
}

uint32_t vni_piece_chords(const vni_piece* piece, double tolerance) {
    VNI_ASSERT(tolerance > 0);
    if (piece->kind == VNI_PIECE_LINE)
        return 1;

    double chords = floor(sqrt(most_change(piece) / (8 * tolerance))) + 1;
    return chords < VNI_MAX_CHORDS ? (uint32_t)chords : VNI_MAX_CHORDS;
}

vni_vec vni_piece_chord_end(const vni_piece* piece, uint32_t i, uint32_t chords) {
    double part = (double)i / chords;
    switch (piece->kind) {
    case VNI_PIECE_LINE: return i == 0 ? piece->p[0] : piece->p[1];
    case VNI_PIECE_ARC: return arc_state(piece, piece->angle * part).at;
    default: return bezier_point(piece->p, part);
    }
}
