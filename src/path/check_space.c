/// path/check_space.c: checks that a polyline is free in a voxel map, under the rules of contact. In integers
/// throughout.
///
/// Every segment is cut at its crossings with the lattice planes. Between two cuts it touches the same 1, 2
/// or 4 voxels; at a cut, and at a vertex of the polyline, up to 8. The walk carries `reach`: the free voxels
/// in which a curve close by can be at this place. Around a point it spreads over shared faces among the free
/// voxels there; of these only the ones that touch the next stretch go on. The path is free when `reach`
/// never runs empty. The voxels around a stretch are among those around either of its ends, so it can only
/// run empty where a stretch begins, or at the first point.
#include "base/assert.h"
#include "path/check.h"

/// The voxels whose closed cubes hold a point or an open stretch: low to low + span on each axis, span 0
/// or 1. Sets of them are masks of 8 bits:
///
///     dz = 0:  2 3     dz = 1:  6 7     bit dx + 2 dy + 4 dz
///              0 1              4 5
typedef struct around {
    int32_t low[3], span[3];
} around;

/// One axis of a segment.
typedef struct track {
    int64_t length;    ///< |b - a|, lattice steps
    int64_t travel;    ///< from a to the next plane ahead, > 0; unused if length is 0
    int32_t sign;      ///< -1, 0, 1
    int32_t low, span; ///< voxels around the current stretch
} track;

typedef struct walk {
    const vni_occupancy* occupancy;
    const vni_body* body;           ///< null: none
    around here;                    ///< around the point that the walk stands on
    uint32_t free;                  ///< those of `here` that are free
    uint32_t reach;                 ///< those of `free` that the curve can be in
    int64_t numerator, denominator; ///< how far along its segment the point is
    vn_check_fault fault;
    vn_voxel voxel; ///< to blame
} walk;

/// The voxel of a coordinate, by rounding down.
static int32_t voxel_of(int64_t coordinate) {
    if (coordinate >= 0)
        return (int32_t)(coordinate / VN_LATTICE);
    return (int32_t)(-((-coordinate + VN_LATTICE - 1) / VN_LATTICE));
}

static void around_coordinate(int64_t coordinate, int32_t* low, int32_t* span) {
    bool on_plane = coordinate % VN_LATTICE == 0;
    *low = voxel_of(coordinate) - (on_plane ? 1 : 0);
    *span = on_plane ? 1 : 0;
}

static around around_point(vn_point p) {
    around result;
    around_coordinate(p.x, &result.low[0], &result.span[0]);
    around_coordinate(p.y, &result.low[1], &result.span[1]);
    around_coordinate(p.z, &result.low[2], &result.span[2]);
    return result;
}

static uint32_t all_of(const around* a) {
    uint32_t mask = a->span[0] ? 3 : 1;
    mask |= a->span[1] ? mask << 2 : 0;
    mask |= a->span[2] ? mask << 4 : 0;
    return mask;
}

static vn_voxel voxel_at(const around* a, uint32_t bit) {
    vn_voxel v = {a->low[0] + (int32_t)(bit & 1), a->low[1] + (int32_t)(bit >> 1 & 1),
                  a->low[2] + (int32_t)(bit >> 2)};
    return v;
}

static bool is_free(const walk* w, vn_voxel v) {
    return vni_occupancy_free_at(w->occupancy, v.x, v.y, v.z) ||
           (w->body != NULL && w->body->holds(w->body->user, v));
}

static uint32_t free_of(const walk* w, const around* a) {
    uint32_t all = all_of(a), mask = 0;
    for (uint32_t bit = 0; bit < 8; ++bit) {
        if (all >> bit & 1)
            mask |= (is_free(w, voxel_at(a, bit)) ? 1u : 0u) << bit;
    }

    return mask;
}

/// Bits by which masks of `inner` move to become masks of `outer`, which holds all its voxels.
static uint32_t shift_into(const around* inner, const around* outer) {
    int32_t dx = inner->low[0] - outer->low[0], dy = inner->low[1] - outer->low[1],
            dz = inner->low[2] - outer->low[2];
    VNI_ASSERT(dx >= 0 && dx + inner->span[0] <= outer->span[0]);
    VNI_ASSERT(dy >= 0 && dy + inner->span[1] <= outer->span[1]);
    VNI_ASSERT(dz >= 0 && dz + inner->span[2] <= outer->span[2]);
    return (uint32_t)(dx + 2 * dy + 4 * dz);
}

/// Spreads `reach` over shared faces among the voxels of `free`.
static uint32_t spread(uint32_t reach, uint32_t free) {
    // One step along each axis in both directions, by shifting the lower half up and the upper half down;
    // three rounds reach every corner of the cube.
    for (;;) {
        uint32_t next = reach;
        next |= (reach & 0x55) << 1 | (reach & 0xaa) >> 1;
        next |= (reach & 0x33) << 2 | (reach & 0xcc) >> 2;
        next |= (reach & 0x0f) << 4 | (reach & 0xf0) >> 4;
        next &= free;

        if (next == reach)
            return reach;
        reach = next;
    }
}

/// Blames the first voxel of `among`, all of them blocked or outside, that lies inside the space; OUTSIDE if
/// none does.
static void blame(walk* w, vn_check_fault fault, const around* a, uint32_t among) {
    VNI_ASSERT(among != 0);

    w->fault = VN_CHECK_OUTSIDE;
    for (uint32_t bit = 8; bit-- > 0;) {
        if (!(among >> bit & 1))
            continue;
        vn_voxel v = voxel_at(a, bit);
        bool inside = vni_occupancy_inside(w->occupancy, v.x, v.y, v.z);
        if (inside || w->fault == VN_CHECK_OUTSIDE)
            w->voxel = v;

        if (inside)
            w->fault = fault;
    }
}

/// Stands on the first point.
static bool start_at(walk* w, vn_point point) {
    w->here = around_point(point);
    w->free = w->reach = free_of(w, &w->here);
    if (w->reach == 0)
        blame(w, VN_CHECK_BLOCKED, &w->here, all_of(&w->here));
    return w->reach != 0;
}

/// Leaves the point along a stretch; `reach` stays in the frame of the point. It need not spread again:
/// whatever shares a face with it has been reached at the point already.
static bool leave(walk* w, const around* stretch) {
    uint32_t all = all_of(stretch) << shift_into(stretch, &w->here);
    uint32_t free = w->free & all;
    w->reach &= free;
    if (w->reach != 0)
        return true;

    if (free == 0)
        blame(w, VN_CHECK_BLOCKED, &w->here, all);
    else
        blame(w, VN_CHECK_SQUEEZED, &w->here, all_of(&w->here) & ~w->free);

    return false;
}

/// Arrives at the point where the stretch ends.
static void arrive(walk* w, const around* stretch, const around* point) {
    uint32_t reach = w->reach >> shift_into(stretch, &w->here) << shift_into(stretch, point);
    w->here = *point;
    w->free = free_of(w, point);
    w->reach = spread(reach, w->free);
    VNI_ASSERT((reach & ~w->free) == 0 && w->reach != 0);
}

static track track_make(int64_t from, int64_t to) {
    track t = {to > from ? to - from : from - to, 0, (to > from) - (to < from), 0, 0};
    if (t.sign > 0) {
        t.low = voxel_of(from);
        t.travel = ((int64_t)t.low + 1) * VN_LATTICE - from;
    } else if (t.sign < 0) {
        t.low = voxel_of(from - 1);
        t.travel = from - (int64_t)t.low * VN_LATTICE;
    } else {
        around_coordinate(from, &t.low, &t.span);
    }

    return t;
}

static around around_stretch(const track tracks[3]) {
    around result;
    for (int axis = 0; axis < 3; ++axis) {
        result.low[axis] = tracks[axis].low;
        result.span[axis] = tracks[axis].span;
    }
    return result;
}

/// The next plane of a walk inside the space: from -2^31 to the last plane, which is at most 2^30.
#define MOST_TRAVEL (((int64_t)1 << 31) + ((int64_t)1 << 30) + VN_LATTICE)

/// Axis a reaches its next plane before axis b does. No overflow: the walk continues only inside the space,
/// whose coordinates are at most 2^30, and no length reaches 2^32; the products fit into 64 bits.
static bool sooner(const track* a, const track* b) {
    VNI_ASSERT(a->travel >= 0 && a->travel <= MOST_TRAVEL && b->travel >= 0 && b->travel <= MOST_TRAVEL);
    return (uint64_t)a->travel * (uint64_t)b->length < (uint64_t)b->travel * (uint64_t)a->length;
}

/// The axis that crosses a plane next, strictly before the end of the segment; -1 if there is none.
static int next_axis(const track tracks[3]) {
    int best = -1;
    for (int axis = 0; axis < 3; ++axis) {
        const track* t = &tracks[axis];
        if (t->sign != 0 && t->travel < t->length && (best < 0 || sooner(t, &tracks[best])))
            best = axis;
    }

    return best;
}

/// Crosses the plane of `first` and of all axes that cross theirs at the same place; returns the
/// voxels around that place.
static around cross(walk* w, track tracks[3], int first) {
    around point = around_stretch(tracks);
    const track meet = tracks[first];
    w->numerator = meet.travel;
    w->denominator = meet.length;
    for (int axis = 0; axis < 3; ++axis) {
        track* t = &tracks[axis];
        if (t->sign == 0 || sooner(t, &meet) || sooner(&meet, t))
            continue;

        point.low[axis] = t->sign > 0 ? t->low : t->low - 1;
        point.span[axis] = 1;
        t->low += t->sign;
        t->travel += VN_LATTICE;
    }

    return point;
}

/// On along the tracks, to b.
static bool walk_tracks(walk* w, track tracks[3], vn_point b) {
    for (;;) {
        around stretch = around_stretch(tracks);
        if (!leave(w, &stretch))
            return false;

        int axis = next_axis(tracks);
        around point = axis < 0 ? around_point(b) : cross(w, tracks, axis);
        arrive(w, &stretch, &point);
        if (axis < 0)
            return true;
    }
}

/// The next point is not a place: the walk stops where it stands.
static void refuse(walk* w) {
    w->fault = VN_CHECK_OUTSIDE;
    w->voxel = (vn_voxel){-1, -1, -1};
    w->numerator = 0;
    w->denominator = 1;
}

/// From the point a, on which the walk stands, to b. A segment without length changes nothing.
static bool walk_segment(walk* w, vn_point a, vn_point b) {
    track tracks[3] = {track_make(a.x, b.x), track_make(a.y, b.y), track_make(a.z, b.z)};
    w->numerator = 0;
    w->denominator = 1;
    if (tracks[0].sign == 0 && tracks[1].sign == 0 && tracks[2].sign == 0)
        return true;
    return walk_tracks(w, tracks, b);
}

/// Passes the planes up to the fraction `skip` of the segment.
static void skip_planes(track* t, double skip) {
    const int64_t steps = (int64_t)(skip * (double)t->length);
    const int64_t reached = steps < t->length ? steps : t->length - 1; // a plane at the end stays ahead
    if (t->sign == 0 || reached < t->travel)
        return;

    const int64_t planes = 1 + (reached - t->travel) / VN_LATTICE;
    t->low += t->sign * (int32_t)planes;
    t->travel += planes * VN_LATTICE;
}

/// Around the place at `skip`, up to which the planes have been passed: on the plane that was passed last,
/// the voxels before it too.
static around around_skipped(const track tracks[3], double skip) {
    around point = around_stretch(tracks);
    for (int axis = 0; axis < 3; ++axis) {
        const track* t = &tracks[axis];
        if (t->sign == 0 || skip * (double)t->length != (double)(t->travel - VN_LATTICE))
            continue;
        point.low[axis] = t->sign > 0 ? t->low - 1 : t->low;
        point.span[axis] = 1;
    }

    return point;
}

/// From inside the segment: its part before `skip`, above 0 and below 1, is not looked at. The walk begins in
/// all free voxels around the place there, as at a first point.
static bool walk_rest(walk* w, vn_point a, vn_point b, double skip) {
    track tracks[3] = {track_make(a.x, b.x), track_make(a.y, b.y), track_make(a.z, b.z)};
    for (int axis = 0; axis < 3; ++axis)
        skip_planes(&tracks[axis], skip);

    w->here = around_skipped(tracks, skip);
    w->free = w->reach = free_of(w, &w->here);
    if (w->reach == 0)
        blame(w, VN_CHECK_BLOCKED, &w->here, all_of(&w->here));

    return w->reach != 0 && walk_tracks(w, tracks, b);
}

/// The segment at which the walk stops; `count` if it comes to the end.
static uint32_t walk_all(walk* w, const vn_point* points, uint32_t count, double skip) {
    const bool inside = skip > 0 && count > 1;
    w->denominator = 1;
    if (inside && (vn_point_is_outside(points[0]) || vn_point_is_outside(points[1]))) {
        refuse(w);
        return 0;
    }

    if (inside ? !walk_rest(w, points[0], points[1], skip) : !start_at(w, points[0]))
        return 0;

    for (uint32_t i = inside; i + 1 < count; ++i) {
        if (vn_point_is_outside(points[i + 1])) {
            refuse(w);
            return i;
        }

        if (!walk_segment(w, points[i], points[i + 1]))
            return i;
    }

    return count;
}

bool vni_check_path_from(const vn_space* space, const vni_body* body, const vn_point* points, uint32_t count,
                         double skip, vn_check_result* out) {
    VNI_ASSERT(space != NULL && (points != NULL || count == 0) && skip >= 0 && skip < 1);

    vn_check_result result = vni_check_result_make();
    if (count == 0) {
        result.fault = VN_CHECK_EMPTY;
    } else {
        walk w = {0};
        w.occupancy = &space->occupancy;
        w.body = body;
        uint32_t stop = walk_all(&w, points, count, skip);
        result.fault = w.fault;
        if (w.fault != VN_CHECK_FREE) {
            VNI_ASSERT(stop < count);
            uint32_t next = stop + 1 < count ? stop + 1 : stop;
            result.segment = stop;
            result.fraction = (double)w.numerator / (double)w.denominator;
            if (stop == 0 && result.fraction < skip) // where it begins, or rounding
                result.fraction = skip;

            result.position = vni_check_position(space, points[stop], points[next], result.fraction);
            result.voxel = w.voxel;
        }
    }

    if (out != NULL)
        *out = result;

    return result.fault == VN_CHECK_FREE;
}

bool vn_space_check_path(const vn_space* space, const vn_point* points, uint32_t count,
                         vn_check_result* out) {
    return vni_check_path_from(space, NULL, points, count, 0, out);
}
