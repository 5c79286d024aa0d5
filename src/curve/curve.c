/// curve/curve.c: curves as objects: defs, making, places on them.
#include "curve/curve_inside.h"

#include <string.h>

#define CURVE_COOKIE 0x63750001u

static const char* const names[VN_CURVE_KIND_COUNT] = {"chaikin", "spline", "turn"};

const char* vn_curve_kind_name(vn_curve_kind kind) {
    return (unsigned)kind < VN_CURVE_KIND_COUNT ? names[kind] : NULL;
}

bool vn_curve_kind_from_name(const char* name, vn_curve_kind* out) {
    VNI_ASSERT(name != NULL && out != NULL);
    for (int i = 0; i < VN_CURVE_KIND_COUNT; ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = (vn_curve_kind)i;
            return true;
        }
    return false;
}

vn_curve_def vn_default_curve_def(void) {
    vn_curve_def def = {.kind = VN_CURVE_TURN, .max_speed = 5, .max_acceleration = 5};
    def.allocator = vn_default_allocator();
    def.max_turn_rate = def.max_climb_rate = def.max_slope = HUGE_VAL;
    def.up = (vn_vec3){0, 1, 0};
    def.allow_stops = true;
    def.step = 1.0 / 60;
    def.cookie = CURVE_COOKIE;
    return def;
}

// -------------------------------------------------------------------------------------------------- checks

/// Far beyond anything that moves, and squares of it are finite.
static bool is_sensible(double x) {
    return x >= 1e-9 && x <= 1e9;
}

static bool is_radius(double x) {
    return x >= 0 && x <= 1e9;
}

static vn_status check_limits(const vn_curve_def* def, vn_detail* detail) {
    if (!is_sensible(def->max_speed) || !is_sensible(def->max_acceleration) || !is_sensible(def->step))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "max_speed %g, max_acceleration %g and step %g must be 1e-9 to 1e9", def->max_speed,
                        def->max_acceleration, def->step);
    if (!(def->max_turn_rate >= 1e-9) || !(def->max_climb_rate >= 1e-9) || !(def->max_slope >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "max_turn_rate %g and max_climb_rate %g must be at least 1e-9, max_slope %g at least "
                        "0; infinity: no limit",
                        def->max_turn_rate, def->max_climb_rate, def->max_slope);
    if (!is_radius(def->turn_radius) || !is_radius(def->min_turn_radius))
        return vni_fail(detail, VN_BAD_ARGUMENT, "turn_radius %g and min_turn_radius %g must be 0 to 1e9",
                        def->turn_radius, def->min_turn_radius);
    return VN_OK;
}

static vn_status check_def(const vn_curve_def* def, vn_detail* detail) {
    vni_vec up = vni_v_from(def->up);
    if (def->cookie != CURVE_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_curve_def()");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if ((unsigned)def->kind >= VN_CURVE_KIND_COUNT)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no curve of kind %d", (int)def->kind);
    if (!vni_v_is_finite(up) || !(vni_length(up) > 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "up must be a direction: finite and not zero");
    return check_limits(def, detail);
}

static vn_status check_points(const vn_space* space, const vn_point* points, uint32_t count,
                              vn_detail* detail) {
    if (count == 0)
        return vni_fail(detail, VN_BAD_ARGUMENT, "a curve needs at least one point");

    for (uint32_t i = 0; i < count; ++i) {
        if (!vni_point_is_within(points[i], space->occupancy.dims))
            return vni_fail_index(detail, VN_OUTSIDE, i, "point %u of the path is outside the space",
                                  (unsigned)i);
        if (!vn_space_point_free(space, points[i]))
            return vni_fail_index(detail, VN_BLOCKED, i, "point %u of the path is blocked", (unsigned)i);
    }

    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- making

/// What the curve must keep from walls. Between two samples `step` apart a motion of bounded acceleration
/// leaves their chord by no more than acceleration * step^2 / 8; rounding to the lattice moves a sample by
/// up to half the diagonal of a step.
static double margin_of(const vn_space* space, const vn_curve_def* def) {
    double lattice = (double)space->resolution / VN_LATTICE;
    double chord = def->max_acceleration * def->step * def->step / 8;
    return 1.001 * (chord + sqrt(3.0) / 2 * lattice);
}

/// The radius that is wanted: at which the turn costs no speed.
static double radius_of(const vn_curve_def* def) {
    double by_acceleration = def->max_speed * def->max_speed / def->max_acceleration;
    double by_rate = def->max_speed / def->max_turn_rate; // 0 without a limit
    double radius = by_acceleration > by_rate ? by_acceleration : by_rate;
    if (def->turn_radius > 0)
        radius = def->turn_radius;
    return radius > def->min_turn_radius ? radius : def->min_turn_radius;
}

static vn_status run_stages(vni_build* build, const vn_point* points, uint32_t count) {
    vn_status status = vni_curve_clear(build, points, count);
    if (status != VN_OK || build->bends.count < 2)
        return status;

    status = vni_curve_add_helices(build);
    if (status == VN_OK)
        status = vni_curve_swing(build);
    return status == VN_OK ? vni_curve_round(build) : status;
}

/// Lengths along the curve, and what it is like.
static void measure(vn_curve* curve, const vni_build* build) {
    vn_curve_info* info = &curve->info;
    double most = 0, sine = 0;
    for (uint64_t i = 0; i < curve->piece_count; ++i) {
        vni_piece* piece = &curve->pieces[i];
        piece->start = info->length;
        info->length += piece->length;
        most = piece->curvature > most ? piece->curvature : most;
        sine = piece->sine > sine ? piece->sine : sine;
    }

    info->kind = curve->def.kind;
    info->least_turn_radius = most > 0 ? 1 / most : HUGE_VAL;
    info->steepest_slope = sine < 1 ? sine / sqrt(1 - sine * sine) : HUGE_VAL;
    info->corners = build->corners;
    info->tightened = build->tightened;
    info->stops = build->stops;
    info->helices = build->helices;
    info->pieces = (uint32_t)curve->piece_count;
    info->margin = build->margin;
}

static void free_bends(const vn_allocator* allocator, vni_bends* bends) {
    VNI_DELETE_ARRAY(allocator, bends->data, bends->capacity);
}

static void take_pieces(vn_curve* curve, vni_build* build) {
    const vn_space* space = build->space;
    curve->allocator = build->def->allocator;
    curve->def = *build->def;
    curve->low = vni_voxels_to_world(space, vni_v(0, 0, 0));
    curve->size = build->size;
    curve->first = build->bends.data[0].at;

    curve->pieces = build->pieces;
    curve->piece_count = build->piece_count;
    curve->piece_capacity = build->piece_capacity;
    build->pieces = NULL;
    build->piece_capacity = 0;
    measure(curve, build);
}

static vn_status make(vni_build* build, const vn_point* points, uint32_t count, vn_curve** out) {
    const vn_allocator* allocator = &build->def->allocator;
    vn_curve* curve = VNI_NEW(allocator, vn_curve);
    if (curve == NULL)
        return VN_OUT_OF_MEMORY;

    vn_status status = run_stages(build, points, count);
    if (status == VN_OK) {
        take_pieces(curve, build);
        *out = curve;
    } else {
        VNI_DELETE(allocator, curve);
    }

    VNI_DELETE_ARRAY(allocator, build->pieces, build->piece_capacity);
    free_bends(allocator, &build->bends);
    free_bends(allocator, &build->next);
    return status;
}

vn_status vn_curve_make(const vn_space* space, const vn_point* points, uint32_t count,
                        const vn_curve_def* def, vn_curve** out, vn_detail* detail) {
    VNI_ASSERT(space != NULL && def != NULL && out != NULL && (points != NULL || count == 0));
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status == VN_OK)
        status = check_points(space, points, count, detail);
    if (status != VN_OK)
        return status;

    vni_build build = {
        .space = space, .def = def, .detail = detail, .points = points, .size = (double)space->resolution};
    build.margin = margin_of(space, def);
    build.radius = radius_of(def);
    build.up = vni_curve_unit(vni_v_from(def->up));
    status = make(&build, points, count, out);
    return status == VN_OUT_OF_MEMORY ? vni_fail(detail, status, "no memory for a curve") : status;
}

void vn_curve_destroy(vn_curve* curve) {
    if (curve == NULL)
        return;
    vn_allocator allocator = curve->allocator;
    VNI_DELETE_ARRAY(&allocator, curve->pieces, curve->piece_capacity);
    VNI_DELETE(&allocator, curve);
}

// -------------------------------------------------------------------------------------------------- reading

void vn_curve_get_info(const vn_curve* curve, vn_curve_info* out) {
    VNI_ASSERT(curve != NULL && out != NULL);
    *out = curve->info;
}

void vn_curve_get_memory(const vn_curve* curve, vn_memory* out) {
    VNI_ASSERT(curve != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    vni_memory_add(out, "curve", sizeof *curve);
    vni_memory_add(out, "pieces", (size_t)curve->piece_capacity * sizeof *curve->pieces);
}

uint32_t vni_curve_find(const vn_curve* curve, double metres) {
    VNI_ASSERT(curve->piece_count > 0);
    uint32_t low = 0, high = (uint32_t)curve->piece_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (curve->pieces[middle].start <= metres)
            low = middle;
        else
            high = middle;
    }

    return low;
}

void vn_curve_at(const vn_curve* curve, double metres, vn_curve_place* out) {
    VNI_ASSERT(curve != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    if (curve->piece_count == 0) {
        out->position = vni_curve_world(curve, curve->first);
        return;
    }

    double at = metres > 0 ? metres : 0; // also NaN
    const vni_piece* piece = &curve->pieces[vni_curve_find(curve, at)];
    vni_piece_state state = vni_piece_at(piece, at - piece->start);
    out->position = vni_curve_world(curve, state.at);
    out->direction = vni_curve_dvec(state.direction);
    out->curvature = vni_curve_dvec(state.curvature);
}

vn_status vn_curve_get_positions(const vn_curve* curve, vn_dvec3* out, uint32_t capacity, uint32_t* count) {
    VNI_ASSERT(curve != NULL && count != NULL && (out != NULL || capacity == 0));
    if (capacity > 0)
        out[0] = vni_curve_world(curve, curve->first);

    *count = 1;
    for (uint64_t i = 0; i < curve->piece_count; ++i) {
        uint32_t chords = vni_piece_chords(&curve->pieces[i], curve->size / 128);
        for (uint32_t k = 1; k <= chords; ++k, ++*count)
            if (*count < capacity)
                out[*count] = vni_curve_world(curve, vni_piece_chord_end(&curve->pieces[i], k, chords));
    }

    return *count <= capacity ? VN_OK : VN_CAPACITY;
}

vn_status vn_curve_get_stops(const vn_curve* curve, vn_curve_stop* out, uint32_t capacity, uint32_t* count) {
    VNI_ASSERT(curve != NULL && count != NULL && (out != NULL || capacity == 0));
    *count = 0;
    for (uint64_t i = 0; i < curve->piece_count; ++i) {
        const vni_piece* piece = &curve->pieces[i];
        if (!piece->is_corner)
            continue;

        if (*count < capacity) {
            vn_curve_stop stop = {piece->start, vni_curve_world(curve, vni_piece_at(piece, 0).at),
                                  piece->turn};
            out[*count] = stop;
        }

        ++*count;
    }

    return *count <= capacity ? VN_OK : VN_CAPACITY;
}
