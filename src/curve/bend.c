/// curve/bend.c: makes space for turns: two bends close together become one, hairpins become two bends, and
/// bends swing out from the obstacle that they go around.
///
/// A taut path turns at the corner of an obstacle, on whose side there is no free space to cut the corner.
/// The bend moves to the outside by as much as the rounded corner cuts off, so that the curve passes where
/// the path did.
#include "curve/curve_inside.h"

/// Bends that turn by more, radians, are hairpins.
#define HAIRPIN 1.9
/// Halvings of the size that is wanted.
#define TRIES 4
/// Rounds over all bends: one that moves makes space for its neighbours.
#define ROUNDS 2

static bool is_way(const vni_build* build, vni_vec a, vni_vec b) {
    return vni_build_is_free(build, a, b, build->margin) && vni_build_is_flat(build, a, b);
}

/// A little space beside what a bend touches.
static double gap_of(const vni_build* build) {
    return build->margin + build->size / 16;
}

// ------------------------------------------------------------------------------------------------- merging

/// Where the line from `before` through a comes nearest to the line from `after` back through b, if that is
/// ahead of both.
static bool find_apex(vni_vec before, vni_vec a, vni_vec b, vni_vec after, vni_vec* out) {
    vni_vec in = vni_curve_unit(vni_sub(a, before)), on = vni_curve_unit(vni_sub(after, b));
    vni_vec between = vni_sub(b, a);
    double both = vni_dot(in, on), in_part = vni_dot(between, in), on_part = vni_dot(between, on);
    double square = 1 - both * both;
    if (square < 1e-6)
        return false;

    double ahead = (in_part - both * on_part) / square, back = (on_part - both * in_part) / square;
    vni_vec first = vni_add_scaled(a, in, ahead), second = vni_add_scaled(b, on, -back);
    *out = vni_scale(vni_add(first, second), 0.5);
    return ahead > 0 && back > 0;
}

/// The radius that fits between the middles of the segments at a bend.
static double radius_at(vni_vec before, vni_vec bend, vni_vec after) {
    vni_corner corner = vni_corner_at(before, bend, after);
    double shorter = corner.before < corner.after ? corner.before : corner.after;
    double apart = vni_length(vni_sub(corner.out, corner.in));
    return apart > 0 ? shorter / 2 * vni_length(vni_add(corner.in, corner.out)) / apart : HUGE_VAL;
}

/// One bend instead of two with a short segment between them, if that gives a larger radius.
static bool try_merge(const vni_build* build, vni_vec before, vni_vec a, vni_vec b, vni_vec after,
                      vni_vec* out) {
    double first = radius_at(before, a, b), second = radius_at(a, b, after);
    double radius = first < second ? first : second;
    if (radius >= build->radius || !find_apex(before, a, b, after, out))
        return false;

    double longer = vni_length(vni_sub(*out, a)) + vni_length(vni_sub(b, *out)) - vni_length(vni_sub(b, a));
    return longer <= build->radius && radius_at(before, *out, after) > radius &&
           is_way(build, before, *out) && is_way(build, *out, after);
}

/// Merges bend i with the one before it, or adds it.
static bool merge(vni_build* build, uint64_t i) {
    const vni_bend* bends = build->bends.data;
    vni_bends* next = &build->next;
    vni_vec apex;
    if (i > 1 && i + 1 < build->bends.count && next->count > 1) {
        vni_bend* last = &next->data[next->count - 1];
        if (!last->stop && !bends[i].stop &&
            try_merge(build, last[-1].at, last->at, bends[i].at, bends[i + 1].at, &apex)) {
            last->at = apex;
            last->source = bends[i].source;
            return true;
        }
    }

    return vni_build_add(build, bends[i]);
}

static vn_status merge_all(vni_build* build) {
    for (uint64_t i = 0; i < build->bends.count; ++i)
        if (!merge(build, i))
            return build->status;

    vni_build_swap(build);
    return VN_OK;
}

// ----------------------------------------------------------------------------------------------- hairpins

/// Two bends instead of one, `reach` before it and behind it along the direction in the middle of the turn.
static bool try_split(const vni_build* build, const vni_corner* corner, double reach, vni_vec before,
                      vni_vec after, vni_vec out[2]) {
    vni_vec middle = vni_curve_unit(vni_add(corner->in, corner->out));
    vni_vec away = vni_curve_unit(vni_sub(corner->in, corner->out));
    vni_vec top = vni_add_scaled(corner->bend, away, gap_of(build));
    out[0] = vni_add_scaled(top, middle, -reach);
    out[1] = vni_add_scaled(top, middle, reach);
    return is_way(build, before, out[0]) && is_way(build, out[0], out[1]) && is_way(build, out[1], after);
}

/// Splits a hairpin if that gives a larger radius than it has.
static bool split(vni_build* build, uint64_t i) {
    const vni_bends* bends = &build->bends;
    vni_bend bend = bends->data[i];
    vni_corner corner = vni_build_corner(build, i);
    if (bend.stop || corner.angle < HAIRPIN || VNI_PI - corner.angle < 1e-6)
        return vni_build_add(build, bend);

    double shorter = corner.before < corner.after ? corner.before : corner.after;
    double radius =
        shorter * vni_length(vni_add(corner.in, corner.out)) / vni_length(vni_sub(corner.out, corner.in));
    double reach = build->radius < shorter ? build->radius : shorter;
    vni_vec two[2], before = build->next.data[build->next.count - 1].at, after = bends->data[i + 1].at;
    for (int k = 0; k < TRIES && reach > radius; ++k, reach /= 2)
        if (try_split(build, &corner, reach, before, after, two)) {
            bend.at = two[0];
            vni_bend second = {.at = two[1], .source = bend.source};
            return vni_build_add(build, bend) && vni_build_add(build, second);
        }

    return vni_build_add(build, bend);
}

static vn_status split_all(vni_build* build) {
    const vni_bends* bends = &build->bends;
    for (uint64_t i = 0; i < bends->count; ++i) {
        bool is_end = i == 0 || i + 1 == bends->count;
        if (!(is_end ? vni_build_add(build, bends->data[i]) : split(build, i)))
            return build->status;
    }

    vni_build_swap(build);
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- swing

/// How far a rounded corner stays away from its bend.
static double cut_off(const vni_build* build, const vni_corner* corner, double before, double after) {
    if (build->def->kind == VN_CURVE_CHAIKIN) { // at half of the parabola
        vni_vec a = vni_scale(corner->in, -before), b = vni_scale(corner->out, after);
        return vni_length(vni_add(a, b)) / 4;
    }

    double along = vni_length(vni_add(corner->in, corner->out)); // 2 cos(angle / 2)
    double radius = before * along / vni_length(vni_sub(corner->out, corner->in));
    return radius * (2 / along - 1);
}

/// Can the corner at bend i be rounded at this scale?
static bool fits(const vni_build* build, uint64_t i, double scale, double* before, double* after) {
    vni_piece pieces[VNI_CORNER_PIECES];
    vni_corner corner = vni_build_corner(build, i);
    return vni_corner_fit(build, &corner, scale, pieces, before, after) > 0;
}

/// Moves a bend outwards, if the corner then fits at this scale.
static bool try_swing(vni_build* build, uint64_t i, double scale, double before, double after) {
    vni_bend* bends = build->bends.data;
    vni_corner corner = vni_build_corner(build, i);
    double distance = cut_off(build, &corner, before, after) + gap_of(build);
    vni_vec away = vni_curve_unit(vni_sub(corner.in, corner.out)), old = bends[i].at;
    bends[i].at = vni_add_scaled(old, away, distance);
    if (distance <= build->radius && is_way(build, bends[i - 1].at, bends[i].at) &&
        is_way(build, bends[i].at, bends[i + 1].at) && fits(build, i, scale, &before, &after))
        return true;

    bends[i].at = old;
    return false;
}

static void swing(vni_build* build, uint64_t i) {
    const vni_bend* bends = build->bends.data;
    double scale = 1, before, after, angle = vni_build_corner(build, i).angle;
    if (bends[i].stop || bends[i - 1].leg || bends[i].leg || angle < 1e-6 || VNI_PI - angle < 1e-6)
        return;

    for (int k = 0; k < TRIES; ++k, scale /= 2)
        if (fits(build, i, scale, &before, &after) || try_swing(build, i, scale, before, after))
            return;
}

vn_status vni_curve_swing(vni_build* build) {
    vn_status status = VN_OK;
    for (int round = 0; round < ROUNDS && status == VN_OK; ++round)
        status = merge_all(build);
    if (status == VN_OK)
        status = split_all(build);
    if (status != VN_OK || build->def->kind == VN_CURVE_SPLINE) // which cuts nothing off
        return status;

    for (int round = 0; round < ROUNDS; ++round)
        for (uint64_t i = 1; i + 1 < build->bends.count; ++i)
            swing(build, i);
    return VN_OK;
}
