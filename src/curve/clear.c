/// curve/clear.c: from the points of a path, which may touch walls, to bends that keep the margin.
///
/// A taut path touches the corners of obstacles. Its points move off them a little, to the outside of the
/// turn if possible. Where a segment still comes too close, a bend is inserted beside the place. An end that
/// touches a wall stays: a leg inside one free voxel joins it with a place that has free space.
#include "curve/curve_inside.h"
#include "geom/units.h"
#include "probe/hit.h"
#include "probe/sight.h"

/// Bends inserted into one segment lie at most this deep inside each other.
#define MAX_DEPTH 6

static vni_vec metres_of(const vni_build* build, vn_point point) {
    return vni_scale(vni_point_in_voxels(point), build->size);
}

static bool has_room(const vni_build* build, vni_vec at, double radius) {
    return vni_build_is_free(build, at, at, radius);
}

// ------------------------------------------------------------------------------------------------- points

/// The directions to the 26 neighbours in the order of their index; the one in the middle is zero.
static vni_vec neighbour_direction(int index) {
    vni_vec d = vni_v(index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1);
    return vni_curve_unit(d);
}

/// A place on the path where a bend goes: unit vectors along the path up to there and on from there, and to
/// the side on which free space is likely.
typedef struct spot {
    vni_vec at, in, out, hint;
    bool is_strict; ///< see is_beside
} spot;

static bool sees(const vni_build* build, vni_vec a, vni_vec b) {
    double scale = 1 / build->size;
    return vni_sight(&build->space->occupancy, vni_nearest_point(vni_scale(a, scale)),
                     vni_nearest_point(vni_scale(b, scale)));
}

/// Is a place on the same side of the walls as the path? Surely if it sees the path before and behind the
/// spot (strict); beside a corner it may only see the spot.
static bool is_beside(const vni_build* build, const spot* s, vni_vec place, double distance) {
    if (!s->is_strict)
        return sees(build, s->at, place);
    return sees(build, vni_add_scaled(s->at, s->in, -distance), place) &&
           sees(build, vni_add_scaled(s->at, s->out, distance), place);
}

/// A place `distance` metres from a spot with space for a ball: in the direction of the hint, else in that of
/// a neighbour, the nearest to the hint.
static bool move_off(const vni_build* build, const spot* s, double distance, vni_vec* out) {
    double radius = distance / 2 > build->margin ? distance / 2 : build->margin, best = -2;
    *out = vni_add_scaled(s->at, s->hint, distance);
    if (vni_length2(s->hint) > 0 && has_room(build, *out, radius) && is_beside(build, s, *out, distance))
        return true;

    for (int i = 0; i < 27; ++i) {
        vni_vec direction = neighbour_direction(i), place = vni_add_scaled(s->at, direction, distance);
        double score = vni_dot(direction, s->hint);
        if (i != 13 && score > best && has_room(build, place, radius) &&
            is_beside(build, s, place, distance)) {
            best = score;
            *out = place;
        }
    }

    return best > -2;
}

/// A place near a spot with space to spare, or as much as there is. False if there is none.
static bool find_room(const vni_build* build, spot s, vni_vec* out) {
    double most = build->size / 8 > 4 * build->margin ? build->size / 8 : 4 * build->margin;
    *out = s.at;
    if (has_room(build, s.at, most / 2))
        return true;

    for (int i = 0; i < 2; ++i) {
        s.is_strict = i == 0;
        for (double distance = most; distance > build->margin; distance /= 2)
            if (move_off(build, &s, distance, out))
                return true;
    }

    *out = s.at;
    return has_room(build, s.at, build->margin);
}

/// A point of the path, and the segment that leads on from it.
typedef struct station {
    vn_point point;
    uint32_t source;
} station;

/// At a station between two others; the likely side is the outside of the turn.
static spot spot_at(const vni_build* build, const station* s) {
    spot at = {.at = metres_of(build, s[0].point)};
    at.in = vni_curve_unit(vni_sub(at.at, metres_of(build, s[-1].point)));
    at.out = vni_curve_unit(vni_sub(metres_of(build, s[1].point), at.at));
    at.hint = vni_curve_unit(vni_sub(at.in, at.out));
    return at;
}

// --------------------------------------------------------------------------------------------------- ends

/// The way from an end towards one of 27 places in a free voxel that touches it, made flat enough.
static vni_vec leg_into(const vni_build* build, vni_vec end, vn_voxel voxel, int index) {
    static const double part[3] = {0.5, 0.25, 0.75}; // the centre first
    vni_vec place =
        vni_v(voxel.x + part[index % 3], voxel.y + part[index / 3 % 3], voxel.z + part[index / 9]);
    vni_vec leg = vni_sub(vni_scale(place, build->size), end);
    double slope = build->def->max_slope, rise = vni_dot(leg, build->up);
    vni_vec level = vni_add_scaled(leg, build->up, -rise);
    double most = vni_is_finite(slope) ? 0.999 * slope * vni_length(level) : vni_abs(rise);
    return vni_abs(rise) <= most ? leg : vni_add_scaled(level, build->up, rise > 0 ? most : -most);
}

static bool is_in_voxel(const vni_build* build, vni_vec at, vn_voxel voxel) {
    vni_vec v = vni_scale(at, 1 / build->size), n = vni_nearest_in_voxel(v, voxel);
    return v.x == n.x && v.y == n.y && v.z == n.z;
}

/// The shortest leg in one direction that ends with the margin to spare.
static bool try_leg(const vni_build* build, vni_vec end, vn_voxel voxel, int index, vni_vec* out) {
    vni_vec leg = leg_into(build, end, voxel, index);
    if (vni_length2(leg) == 0)
        return false;

    for (double part = 0.125; part <= 1; part *= 2) {
        *out = vni_add_scaled(end, leg, part);
        if (is_in_voxel(build, *out, voxel) && has_room(build, *out, 3 * build->margin))
            return true;
    }

    return false;
}

static bool find_place(const vni_build* build, vni_vec end, vn_voxel voxel, vni_vec* out) {
    for (int i = 0; i < 27; ++i)
        if (try_leg(build, end, voxel, i, out))
            return true;
    return false;
}

/// A leg into one of the voxels that touch an end. One that the path goes into comes before one that it only
/// touches; then the one that leads best along the path.
typedef struct leg {
    vni_vec place;
    double score;
} leg;

static double score_of(const vni_build* build, vni_vec end, vni_vec place, vn_voxel voxel, vni_vec ahead) {
    vni_vec soon = vni_add_scaled(end, ahead, 1e-6 * build->size);
    double score = vni_dot(vni_curve_unit(vni_sub(place, end)), ahead);
    return is_in_voxel(build, soon, voxel) ? score + 4 : score;
}

/// The legs into the up to eight free voxels that touch an end. Their number.
static int find_legs(const vni_build* build, vn_point point, vni_vec ahead, leg out[8]) {
    vni_vec end = metres_of(build, point);
    int count = 0;
    for (int i = 0; i < 8; ++i) {
        bool is_low[3] = {i & 1, i >> 1 & 1, i >> 2 & 1};
        vn_voxel voxel = {vni_step_to_voxel(point.x - is_low[0]), vni_step_to_voxel(point.y - is_low[1]),
                          vni_step_to_voxel(point.z - is_low[2])};
        bool is_twice = (is_low[0] && !vni_step_is_on_plane(point.x)) ||
                        (is_low[1] && !vni_step_is_on_plane(point.y)) ||
                        (is_low[2] && !vni_step_is_on_plane(point.z));
        if (is_twice || !vni_occupancy_free_at(&build->space->occupancy, voxel.x, voxel.y, voxel.z) ||
            !find_place(build, end, voxel, &out[count].place))
            continue;

        out[count].score = score_of(build, end, out[count].place, voxel, ahead);
        ++count;
    }

    return count;
}

/// The leg with so many better ones; false if there are not so many.
static bool find_leg(const vni_build* build, vn_point point, vni_vec ahead, int rank, vni_vec* out) {
    leg legs[8];
    int count = find_legs(build, point, ahead, legs);
    for (int i = 0; i < count; ++i) {
        int better = 0;
        for (int k = 0; k < count; ++k)
            better += legs[k].score > legs[i].score || (legs[k].score == legs[i].score && k < i);

        if (better == rank) {
            *out = legs[i].place;
            return true;
        }
    }

    return false;
}

static bool end_has_room(const vni_build* build, vn_point point) {
    return has_room(build, metres_of(build, point), build->margin);
}

/// Adds the first or the last point, with its leg if it touches a wall.
static bool add_end(vni_build* build, vn_point point, vn_point other, uint32_t source, bool is_first) {
    vni_bend end = {.at = metres_of(build, point), .source = source}, foot = end;
    if (end_has_room(build, point))
        return vni_build_add(build, end);

    vni_vec ahead = vni_curve_unit(vni_sub(metres_of(build, other), end.at));
    if (!find_leg(build, point, ahead, build->ranks[is_first ? 0 : 1], &foot.at)) {
        vni_build_refuse(build, source, "an end touches a wall, and there is no free space beside it");
        return false;
    }

    foot.stop = true;
    foot.leg = !is_first;
    end.leg = is_first;
    return is_first ? vni_build_add(build, end) && vni_build_add(build, foot)
                    : vni_build_add(build, foot) && vni_build_add(build, end);
}

static bool add_stations(vni_build* build, const station* stations, uint32_t count) {
    const station* last = &stations[count - 1];
    if (!add_end(build, stations[0].point, stations[1].point, stations[0].source, true))
        return false;

    for (uint32_t i = 1; i + 1 < count; ++i) {
        vni_bend bend = {.at = metres_of(build, stations[i].point), .source = stations[i].source};
        find_room(build, spot_at(build, stations + i), &bend.at);
        if (!vni_build_add(build, bend))
            return false;
    }

    return add_end(build, last->point, last[-1].point, last[-1].source, false);
}

// ----------------------------------------------------------------------------------------------- segments

/// Where a ball of the margin's size is first stopped between a and b, and the direction away from there.
static bool find_touch(const vni_build* build, vni_vec a, vni_vec b, vni_vec* at, vni_vec* away) {
    double scale = 1 / build->size, fraction;
    vni_vec from = vni_scale(a, scale), to = vni_scale(b, scale);
    vn_voxel voxel;
    if (!vni_sweep_touch(&build->space->occupancy, from, to, build->margin * scale, 1, &voxel, &fraction))
        return false;

    vni_vec center = vni_add_scaled(from, vni_sub(to, from), fraction);
    *away = vni_curve_unit(vni_sub(center, vni_nearest_in_voxel(center, voxel)));
    *at = vni_scale(center, build->size);
    return fraction > 0 && fraction < 1;
}

/// Adds bends from a, which is there already, up to b. False if there is no way round what is too close.
static bool connect(vni_build* build, vni_bend a, vni_bend b, int depth) {
    if (a.leg || vni_build_is_free(build, a.at, b.at, build->margin))
        return vni_build_add(build, b);

    vni_bend between = {.source = a.source};
    spot touch = {.in = vni_curve_unit(vni_sub(b.at, a.at))};
    touch.out = touch.in;
    if (depth == 0 || !has_room(build, a.at, build->margin) ||
        !find_touch(build, a.at, b.at, &touch.at, &touch.hint) || !find_room(build, touch, &between.at))
        return false;

    return connect(build, a, between, depth - 1) && connect(build, between, b, depth - 1);
}

/// The same, from voxel to voxel if it must be.
static bool join(vni_build* build, vni_bend a, vni_bend b) {
    uint64_t count = build->next.count;
    if (connect(build, a, b, MAX_DEPTH))
        return true;

    build->next.count = count;
    return build->status == VN_OK && vni_curve_detour(build, a, b);
}

/// The points without those that repeat the one before.
static uint32_t find_stations(const vn_point* points, uint32_t count, station* out) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (kept == 0 || !vni_is_same_point(out[kept - 1].point, points[i]))
            out[kept++].point = points[i];
        out[kept - 1].source = i;
    }

    return kept;
}

static vn_status clear_stations(vni_build* build, const station* stations, uint32_t count) {
    if (count == 1) {
        vni_build_add(build, (vni_bend){.at = metres_of(build, stations[0].point)});
        vni_build_swap(build);
        return build->status;
    }

    if (!add_stations(build, stations, count))
        return build->status;

    vni_build_swap(build);
    const vni_bends* bends = &build->bends;
    if (!vni_build_add(build, bends->data[0]))
        return build->status;
    for (uint64_t i = 0; i + 1 < bends->count; ++i)
        if (!join(build, bends->data[i], bends->data[i + 1]))
            return build->status;

    vni_build_swap(build);
    return build->status;
}

/// Tries the legs of both ends in turn: along an edge between voxels the best one may lead to the wrong side.
static vn_status try_legs(vni_build* build, const station* stations, uint32_t count) {
    for (int i = 0; i < 64; ++i) {
        build->status = VN_OK;
        build->bends.count = build->next.count = 0;
        build->ranks[0] = i % 8;
        build->ranks[1] = i / 8;
        vn_status status = clear_stations(build, stations, count);
        if (status != VN_NOT_FOUND)
            return status;
    }

    // The reason is that of the best legs.
    build->status = VN_OK;
    build->bends.count = build->next.count = 0;
    build->ranks[0] = build->ranks[1] = 0;
    return clear_stations(build, stations, count);
}

vn_status vni_curve_clear(vni_build* build, const vn_point* points, uint32_t count) {
    VNI_ASSERT(count > 0);
    station* stations = VNI_NEW_ARRAY(&build->def->allocator, station, count);
    if (stations == NULL)
        return build->status = VN_OUT_OF_MEMORY;

    uint32_t kept = find_stations(points, count, stations);
    if (clear_stations(build, stations, kept) == VN_NOT_FOUND &&
        (!end_has_room(build, stations[0].point) || !end_has_room(build, stations[kept - 1].point)))
        try_legs(build, stations, kept);

    VNI_DELETE_ARRAY(&build->def->allocator, stations, count);
    return build->status;
}
