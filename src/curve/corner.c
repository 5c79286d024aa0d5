/// curve/corner.c: rounds bends: each kind of curve as pieces between two points of the lines that meet.
#include "curve/curve_inside.h"

/// Bends below this angle, radians, are straight.
#define STRAIGHT 1e-9
/// Halvings of the scale before a bend becomes a stop.
#define TRIES 10
/// A Bezier piece turns by no more than this, radians: then its length and its bounds are good.
#define MAX_TURN 0.15
/// Halvings of a Bezier piece.
#define MAX_DEPTH 12
/// A corner takes at most this many times as much of one line as of the other.
#define MAX_UNEVEN 2.0

vni_corner vni_corner_at(vni_vec before, vni_vec bend, vni_vec after) {
    vni_vec in = vni_sub(bend, before), out = vni_sub(after, bend);
    vni_corner corner = {.bend = bend, .before = vni_length(in), .after = vni_length(out)};
    corner.in = vni_curve_unit(in);
    corner.out = vni_curve_unit(out);
    corner.angle = vni_curve_angle(corner.in, corner.out);
    return corner;
}

// ------------------------------------------------------------------------------------------------- Bezier

/// Pieces of one corner.
typedef struct list {
    const vni_build* build;
    vni_piece* data;
    uint32_t count;
    bool is_full;
} list;

static void halve(const vni_vec p[4], vni_vec low[4], vni_vec high[4]) {
    vni_vec a = vni_scale(vni_add(p[0], p[1]), 0.5), b = vni_scale(vni_add(p[1], p[2]), 0.5);
    vni_vec c = vni_scale(vni_add(p[2], p[3]), 0.5);
    vni_vec ab = vni_scale(vni_add(a, b), 0.5), bc = vni_scale(vni_add(b, c), 0.5);

    low[0] = p[0];
    low[1] = a;
    low[2] = ab;
    low[3] = high[0] = vni_scale(vni_add(ab, bc), 0.5);
    high[1] = bc;
    high[2] = c;
    high[3] = p[3];
}

/// Adds a cubic in parts that turn little.
static void add_bezier(list* l, const vni_vec p[4], int depth) {
    vni_piece piece = vni_piece_bezier(p, l->build->up);
    if (depth > 0 && piece.curvature * piece.length <= MAX_TURN) {
        l->is_full = l->is_full || l->count == VNI_CORNER_PIECES;
        if (!l->is_full)
            l->data[l->count++] = piece;
        return;
    }

    vni_vec low[4], high[4];
    l->is_full = l->is_full || depth == MAX_DEPTH;
    if (l->is_full)
        return;

    halve(p, low, high);
    add_bezier(l, low, depth + 1);
    add_bezier(l, high, depth + 1);
}

/// The limit of Chaikin's cuts: the parabola that touches both lines.
static void add_chaikin(list* l, vni_vec a, vni_vec bend, vni_vec b) {
    vni_vec third = vni_scale(bend, 2.0 / 3);
    vni_vec p[4] = {a, vni_add_scaled(third, a, 1.0 / 3), vni_add_scaled(third, b, 1.0 / 3), b};
    add_bezier(l, p, 0);
}

/// Centripetal Catmull-Rom through a, the bend and b; further knots lie evenly spaced on the lines, so that
/// the tangents at a and b lie in them.
static void add_spline(list* l, const vni_corner* corner, double before, double after) {
    double alpha = sqrt(before), beta = sqrt(after);
    vni_vec bend = corner->bend, m = vni_scale(corner->in, alpha - before / (alpha + beta));
    m = vni_add_scaled(m, corner->out, beta - after / (alpha + beta));

    vni_vec a = vni_add_scaled(bend, corner->in, -before), b = vni_add_scaled(bend, corner->out, after);
    vni_vec first[4] = {a, vni_add_scaled(a, corner->in, before / 3), vni_add_scaled(bend, m, -alpha / 3),
                        bend};
    vni_vec second[4] = {bend, vni_add_scaled(bend, m, beta / 3), vni_add_scaled(b, corner->out, -after / 3),
                         b};
    add_bezier(l, first, 0);
    add_bezier(l, second, 0);
}

// ------------------------------------------------------------------------------------------------ corners

static bool keeps_limits(const list* l) {
    double least = l->build->def->min_turn_radius, sine = vni_build_max_sine(l->build);
    for (uint32_t i = 0; i < l->count; ++i)
        if (l->data[i].curvature * least > 1 + 1e-9 || l->data[i].sine > sine * (1 + 1e-9))
            return false;
    return !l->is_full;
}

/// Lengths of both lines that a corner takes.
static void take(const vni_build* build, const vni_corner* corner, double scale, double* before,
                 double* after) {
    double shorter = corner->before < corner->after ? corner->before : corner->after;
    double longest = MAX_UNEVEN * shorter;
    *before = scale * (corner->before < longest ? corner->before : longest);
    *after = scale * (corner->after < longest ? corner->after : longest);
    if (build->def->kind != VN_CURVE_TURN)
        return;

    double half_tangent =
        vni_length(vni_sub(corner->out, corner->in)) / vni_length(vni_add(corner->out, corner->in));
    double wanted = build->radius * half_tangent;
    *before = *after = scale * (wanted < shorter ? wanted : shorter);
}

uint32_t vni_corner_pieces(const vni_build* build, const vni_corner* corner, double scale, vni_piece* out,
                           double* taken_before, double* taken_after) {
    VNI_ASSERT(scale > 0 && scale <= 1);
    list l = {.build = build, .data = out};
    take(build, corner, scale, taken_before, taken_after);
    if (!(*taken_before > 0 && *taken_after > 0) || VNI_PI - corner->angle < 1e-6)
        return 0;

    vni_vec a = vni_add_scaled(corner->bend, corner->in, -*taken_before);
    vni_vec b = vni_add_scaled(corner->bend, corner->out, *taken_after);
    if (build->def->kind == VN_CURVE_TURN)
        l.data[l.count++] = vni_piece_arc(corner->bend, corner->in, corner->out, *taken_before, build->up);
    else if (build->def->kind == VN_CURVE_CHAIKIN)
        add_chaikin(&l, a, corner->bend, b);
    else
        add_spline(&l, corner, *taken_before, *taken_after);

    return keeps_limits(&l) ? l.count : 0;
}

/// The box around what the pieces may cover: ends, bend and control points.
static void find_box(const vni_corner* corner, const vni_piece* pieces, uint32_t count, double before,
                     double after, vni_vec* low, vni_vec* high) {
    vni_vec a = vni_add_scaled(corner->bend, corner->in, -before);
    vni_vec b = vni_add_scaled(corner->bend, corner->out, after);
    *low = vni_min(corner->bend, vni_min(a, b));
    *high = vni_max(corner->bend, vni_max(a, b));
    for (uint32_t i = 0; i < count; ++i)
        for (int k = 0; pieces[i].kind == VNI_PIECE_BEZIER && k < 4; ++k) {
            *low = vni_min(*low, pieces[i].p[k]);
            *high = vni_max(*high, pieces[i].p[k]);
        }
}

uint32_t vni_corner_fit(const vni_build* build, const vni_corner* corner, double scale, vni_piece* out,
                        double* taken_before, double* taken_after) {
    uint32_t count = vni_corner_pieces(build, corner, scale, out, taken_before, taken_after);
    vni_vec low, high;
    find_box(corner, out, count, *taken_before, *taken_after, &low, &high);
    if (count == 0 || !vni_build_is_inside(build, low) || !vni_build_is_inside(build, high))
        return 0;
    if (vni_build_box_is_free(build, low, high))
        return count;

    for (uint32_t i = 0; i < count; ++i)
        if (!vni_build_piece_is_free(build, &out[i]))
            return 0;
    return count;
}

// ------------------------------------------------------------------------------------------------ rounding

static bool add_piece(vni_build* build, vni_piece piece) {
    if (!vni_grow(&build->def->allocator, &build->pieces, &build->piece_capacity, build->piece_count + 1,
                  sizeof *build->pieces)) {
        build->status = VN_OUT_OF_MEMORY;
        return false;
    }

    build->pieces[build->piece_count++] = piece;
    return true;
}

/// What is being laid: where the last piece ended, and the turn on the spot that comes next.
typedef struct pen {
    vni_vec at;
    bool is_corner;
    double turn;
} pen;

static bool lay(vni_build* build, pen* p, vni_piece piece) {
    piece.is_corner = p->is_corner;
    piece.turn = p->turn;
    p->is_corner = false;
    p->turn = 0;
    return add_piece(build, piece);
}

static bool lay_line(vni_build* build, pen* p, vni_vec to) {
    vni_piece line = vni_piece_line(p->at, to, build->up);
    p->at = to;
    return line.length <= 1e-9 * build->size || lay(build, p, line);
}

/// The corner at a bend, with what it may take of both lines: half of one that another corner shares.
vni_corner vni_build_corner(const vni_build* build, uint64_t i) {
    VNI_ASSERT(i > 0 && i + 1 < build->bends.count);
    const vni_bend* bends = build->bends.data;
    vni_corner corner = vni_corner_at(bends[i - 1].at, bends[i].at, bends[i + 1].at);
    if (i > 1 && !bends[i - 1].stop)
        corner.before /= 2;
    if (i + 2 < build->bends.count && !bends[i + 1].stop)
        corner.after /= 2;
    return corner;
}

/// Stops at a bend, if that is allowed.
static bool lay_stop(vni_build* build, pen* p, uint64_t i, const vni_corner* corner) {
    vni_bend* bend = &build->bends.data[i];
    if (!build->def->allow_stops) {
        vni_build_refuse(build, bend->source,
                         "the corner at its beginning cannot be rounded within the limits, and stops are not "
                         "allowed");
        return false;
    }

    bend->stop = true;
    ++build->stops;
    if (!lay_line(build, p, bend->at))
        return false;

    p->is_corner = true;
    p->turn = corner->angle;
    return true;
}

/// `scale` is half of that which was taken.
static bool is_tightened(const vni_build* build, double scale, const vni_piece* pieces) {
    return build->def->kind == VN_CURVE_TURN ? pieces->radius < build->radius * (1 - 1e-9) : scale < 0.5;
}

static bool lay_bend(vni_build* build, pen* p, uint64_t i) {
    vni_piece pieces[VNI_CORNER_PIECES];
    vni_corner corner = vni_build_corner(build, i);
    double scale = 1, before, after;
    uint32_t count = 0;
    if (corner.angle < STRAIGHT && !build->bends.data[i].stop)
        return lay_line(build, p, corner.bend);

    for (int k = 0; k < TRIES && count == 0 && !build->bends.data[i].stop; ++k, scale /= 2)
        count = vni_corner_fit(build, &corner, scale, pieces, &before, &after);
    if (count == 0)
        return lay_stop(build, p, i, &corner);

    ++build->corners;
    build->tightened += is_tightened(build, scale, pieces);
    if (!lay_line(build, p, vni_add_scaled(corner.bend, corner.in, -before)))
        return false;

    for (uint32_t k = 0; k < count; ++k)
        if (!lay(build, p, pieces[k]))
            return false;

    p->at = vni_add_scaled(corner.bend, corner.out, after);
    return true;
}

vn_status vni_curve_round(vni_build* build) {
    const vni_bends* bends = &build->bends;
    pen p = {.at = bends->data[0].at};
    for (uint64_t i = 1; i + 1 < bends->count; ++i)
        if (!lay_bend(build, &p, i))
            return build->status;

    if (bends->count > 1)
        lay_line(build, &p, bends->data[bends->count - 1].at);
    return build->status;
}
