/// nav/watch_place.c: places on watched paths: where the agent is, and where the path is blocked.
///
/// A place is a segment and a fraction of it. Places are compared by these two, never by metres: a fraction
/// that the checker returns is exact, metres are rounded.
///
/// Connections divide a path into legs. The step from the end of a leg to the beginning of the next one has
/// no length and is not checked:
///
///   0 ---- 1 ---- 2 . . . . 3 ---- 4        steps = {2}: legs 0-1-2 and 3-4
#include "nav/watch_inside.h"
#include "path/check.h"

#include <math.h>

// --------------------------------------------------------------------------------------------------- lengths

/// The first step by a connection at or after a segment; the last point if there is none. It is where the
/// leg ends.
static uint32_t leg_end(const vni_watched* w, uint32_t segment) {
    for (uint32_t i = 0; i < w->step_count; ++i)
        if (w->steps[i] >= segment)
            return w->steps[i];
    return w->count - 1;
}

bool vni_watch_is_step(const vni_watched* w, uint32_t segment) {
    return segment + 1 < w->count && leg_end(w, segment) == segment;
}

/// From a place on the path to a point, in lattice steps, squared.
static double square_to(const vni_watched* w, uint32_t segment, double fraction, vn_point to) {
    const vn_point a = w->points[segment], b = w->points[segment + 1 < w->count ? segment + 1 : segment];
    const double x = a.x + fraction * ((double)b.x - a.x) - to.x,
                 y = a.y + fraction * ((double)b.y - a.y) - to.y,
                 z = a.z + fraction * ((double)b.z - a.z) - to.z;
    return x * x + y * y + z * z;
}

static double length_of(const vni_watched* w, uint32_t segment, double step) {
    if (segment + 1 >= w->count || vni_watch_is_step(w, segment))
        return 0;
    return sqrt(square_to(w, segment, 0, w->points[segment + 1])) * step;
}

// ---------------------------------------------------------------------------------------------------- places

vni_place vni_watch_place_at(const vni_watched* w, uint32_t segment, double step) {
    VNI_ASSERT(segment < w->count);
    vni_place place = {segment, 0, 0};
    for (uint32_t i = 0; i < segment; ++i)
        place.metres += length_of(w, i, step);
    return place;
}

vni_place vni_watch_place_along(const vni_watched* w, double metres, double step) {
    vni_place place = {0, 0, 0};
    for (; place.segment + 1 < w->count; ++place.segment) {
        const double length = length_of(w, place.segment, step), rest = metres - place.metres;
        if (rest < length) {
            place.fraction = rest > 0 ? rest / length : 0;
            place.metres = rest > 0 ? metres : place.metres;
            return place;
        }

        place.metres += length;
    }

    return place;
}

/// The fraction of a segment that is nearest to a point, from `least` to 1.
static double nearest_fraction(const vni_watched* w, uint32_t segment, double least, vn_point to) {
    const vn_point a = w->points[segment], b = w->points[segment + 1];
    const double d[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    const double p[3] = {(double)to.x - a.x, (double)to.y - a.y, (double)to.z - a.z};
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double at = square > 0 ? (d[0] * p[0] + d[1] * p[1] + d[2] * p[2]) / square : 0;
    return at < least ? least : at < 1 ? at : 1;
}

vni_place vni_watch_place_near(const vni_watched* w, vni_place from, vn_point point, double step) {
    vni_place best = from;
    double least = square_to(w, from.segment, from.fraction, point);
    double metres = vni_watch_place_at(w, from.segment, step).metres;
    for (uint32_t i = from.segment; i + 1 < w->count; ++i) {
        const double length = length_of(w, i, step);
        const bool is_step = vni_watch_is_step(w, i);
        const double at = is_step ? 1 : nearest_fraction(w, i, i == from.segment ? from.fraction : 0, point);

        // The end of a segment is the beginning of the next one; that of a step too.
        const double square = at < 1 ? square_to(w, i, at, point) : square_to(w, i + 1, 0, point);
        if (square < least) {
            least = square;
            best = at < 1 ? (vni_place){i, at, metres + at * length} : (vni_place){i + 1, 0, metres + length};
        }

        metres += length;
    }

    return best;
}

vn_dvec3 vni_watch_position(const vni_watched* w, vni_place place, const vn_space* space) {
    const uint32_t next = place.segment + 1 < w->count ? place.segment + 1 : place.segment;
    const vn_dvec3 a = vn_space_point_to_world(space, w->points[place.segment]);
    const vn_dvec3 b = vn_space_point_to_world(space, w->points[next]);
    const double at = place.fraction;
    return (vn_dvec3){a.x + at * (b.x - a.x), a.y + at * (b.y - a.y), a.z + at * (b.z - a.z)};
}

// -------------------------------------------------------------------------------------------------- checking

/// From `a` towards `b`, rounded towards `a`; 0 <= at <= 1.
static int32_t coordinate_at(int32_t a, int32_t b, double at) {
    return (int32_t)(a + (int64_t)(at * ((double)b - a)));
}

static vn_point point_at(vn_point a, vn_point b, double at) {
    return (vn_point){coordinate_at(a.x, b.x, at), coordinate_at(a.y, b.y, at), coordinate_at(a.z, b.z, at)};
}

/// A fault of the leg from point `first` to `last`, as a place on the path.
static vni_watch_block block_at(const vni_watched* w, uint32_t first, uint32_t last,
                                const vn_check_result* result, double step) {
    const uint32_t segment = first + result->segment, next = segment < last ? segment + 1 : segment;
    vni_watch_block block = {true, vni_watch_place_at(w, segment, step), {0, 0, 0}};
    block.place.fraction = result->fraction;
    block.place.metres += result->fraction * length_of(w, segment, step);
    block.point = point_at(w->points[segment], w->points[next], result->fraction);
    return block;
}

vni_watch_block vni_watch_check(const vni_watched* w, vni_place from, const vni_nav_version* version) {
    const vn_space* space = version->view.spaces[w->layer];
    vni_nav_agent agent;
    const vni_body* body = vni_nav_agent_body(version, space, w->inside, w->inside_count, &agent);
    const double step = (double)space->resolution / VN_LATTICE;
    uint32_t first = from.segment;
    double skip = from.fraction;

    while (first < w->count) {
        const uint32_t last = leg_end(w, first);
        vn_check_result result;
        if (!vni_check_path_from(space, body, w->points + first, last - first + 1, skip, &result))
            return block_at(w, first, last, &result, step);
        first = last + 1;
        skip = 0;
    }

    return (vni_watch_block){0};
}
