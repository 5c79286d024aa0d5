/// probe/sight.c: line of sight, exact in integers: a leaping walk for segments in general position, a walk
/// by pieces (geom/lattice.h) for segments that lie in a plane between voxels.
///
/// Positions along the segment are fractions travel / length of integers, compared by cross-multiplication.
/// The leaping walk is a ray traversal of a hierarchical grid: it crosses the largest free aligned cube
/// around the current voxel (64, 16, 4 or 1 voxels) in one step.
#include "probe/sight.h"
#include "geom/lattice.h"
#include "geom/units.h"

// Up to eight voxels around a point, as bits of a byte: bit dx + 2 dy + 4 dz is the voxel (dx, dy, dz) above
// the low one.
//
//       dz = 0   dy=1  2 3       dz = 1   dy=1  6 7
//                dy=0  0 1                dy=0  4 5

/// The voxels of the box [low, high] that lie in the space and are free.
static uint32_t free_around(const vni_occupancy* occupancy, const int32_t low[3], const int32_t high[3]) {
    VNI_ASSERT((uint32_t)(high[0] - low[0]) <= 1 && (uint32_t)(high[1] - low[1]) <= 1);
    VNI_ASSERT((uint32_t)(high[2] - low[2]) <= 1);

    uint32_t mask = 0;
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x)
                if (vni_occupancy_free_at(occupancy, x, y, z))
                    mask |= 1u << ((x - low[0]) + 2 * (y - low[1]) + 4 * (z - low[2]));

    return mask;
}

/// All voxels of `free` that are connected with `reached` over faces. 0x55, 0x33, 0x0f are the low voxels of
/// x, y, z: shifted up they become the high ones, and back.
static uint32_t spread(uint32_t reached, uint32_t free) {
    VNI_ASSERT(free <= 0xff && (reached & ~free) == 0);

    for (;;) {
        uint32_t grown = reached;
        grown |= (reached & 0x55u) << 1 | (reached & 0xaau) >> 1;
        grown |= (reached & 0x33u) << 2 | (reached & 0xccu) >> 2;
        grown |= (reached & 0x0fu) << 4 | (reached & 0xf0u) >> 4;
        grown &= free;

        if (grown == reached)
            return reached;
        reached = grown;
    }
}

/// Bit of the voxel `inner` in the box that begins at `outer`.
static uint32_t shift_of(const int32_t outer[3], const int32_t inner[3]) {
    return (uint32_t)((inner[0] - outer[0]) + 2 * (inner[1] - outer[1]) + 4 * (inner[2] - outer[2]));
}

/// All bits of the box [low, high].
static uint32_t bits_of(const int32_t low[3], const int32_t high[3]) {
    uint32_t bits = 1;
    for (int i = 0; i < 3; ++i)
        if (high[i] > low[i])
            bits |= bits << (1 << i);
    return bits;
}

/// The voxels whose closed cubes contain a point.
static void around_point(const int32_t at[3], int32_t low[3], int32_t high[3]) {
    for (int i = 0; i < 3; ++i) {
        high[i] = vni_step_to_voxel(at[i]);
        low[i] = high[i] - vni_step_is_on_plane(at[i]);
    }
}

/// The end of a walk by pieces: the last point reached, and the stretch that begins there.
typedef struct piece_stop {
    vni_lattice_piece point, stretch;
    uint32_t reached; ///< voxels reached around the point; 0 if none is free
} piece_stop;

/// Follows the pieces as far as they are free; false if that is not to the end. From a point to a stretch
/// only those reached voxels survive that touch the stretch too; from a stretch to a point they spread to all
/// free voxels that are connected with them there.
static bool walk_pieces(const vni_occupancy* occupancy, vni_lattice_walk* walk, piece_stop* stop) {
    vni_lattice_next(walk, &stop->point);
    stop->reached = free_around(occupancy, stop->point.low, stop->point.high);
    while (stop->reached && vni_lattice_next(walk, &stop->stretch)) {
        uint32_t kept = stop->reached >> shift_of(stop->point.low, stop->stretch.low) &
                        bits_of(stop->stretch.low, stop->stretch.high);
        if (!kept)
            return false;

        // Back to the box around the next point, which may be larger than the stretch's.
        vni_lattice_next(walk, &stop->point);
        kept <<= shift_of(stop->point.low, stop->stretch.low);
        stop->reached = spread(kept, free_around(occupancy, stop->point.low, stop->point.high));
    }

    return stop->reached != 0;
}

bool vni_sight_by_pieces(const vni_occupancy* occupancy, vn_point a, vn_point b) {
    vni_lattice_walk walk = vni_lattice_begin(a, b);
    piece_stop stop;
    return walk_pieces(occupancy, &walk, &stop);
}

bool vni_point_is_plain(const vni_occupancy* occupancy, vn_point point) {
    const int32_t at[3] = {point.x, point.y, point.z};
    int32_t low[3], high[3];
    around_point(at, low, high);
    uint32_t free = free_around(occupancy, low, high);
    return free && spread(free & (0 - free), free) == free;
}

// ------------------------------------------------------------------------------------- the leaping walk

/// A segment in general position: on no axis does it stay on a plane between voxels, so that every stretch
/// lies inside one voxel. Axes along which it descends are mirrored in the block grid, which maps aligned
/// cubes to aligned cubes: here everything ascends.
typedef struct ray {
    const vni_occupancy* occupancy;
    int64_t start[3], length[3];
    int64_t end[3]; ///< by axis: where it ends; the length, or less if it leaves the space
    int32_t voxel[3];
    int32_t mirror[3]; ///< 0, or -1 for a mirrored axis
    int32_t origin[3]; ///< 0, or the last voxel of the block grid
} ray;

static bool is_inside(const vni_occupancy* occupancy, const int32_t p[3]) {
    for (int i = 0; i < 3; ++i)
        if (p[i] < 0 || p[i] > vni_voxel_to_steps(occupancy->dims[i]))
            return false;
    return true;
}

bool vni_point_is_inside(const vni_occupancy* occupancy, vn_point point) {
    return is_inside(occupancy, (const int32_t[]){point.x, point.y, point.z});
}

/// The coordinate before mirroring: v ^ -1 minus -1 is -v, so it is origin + v or origin - v without a
/// branch.
static inline int32_t true_voxel(const ray* r, int axis, int32_t voxel) {
    return r->origin[axis] + ((voxel ^ r->mirror[axis]) - r->mirror[axis]);
}

/// log2 of the edge of the largest aligned free cube around the voxel, 64, 16, 4 or 1; -1 if the voxel is
/// blocked.
static inline int free_level(const vni_occupancy* occupancy, int32_t x, int32_t y, int32_t z) {
    const vni_block* block = vni_occupancy_block(occupancy, x, y, z);
    if (block == NULL)
        return 6;

    uint32_t chunk = vni_chunk_of(x, y, z), brick = vni_brick_of(x, y, z);
    uint64_t some = block->some[chunk];
    if (!some)
        return 4;
    if (!(some >> brick & 1))
        return 2;

    return vni_block_brick(block, chunk, brick) >> vni_bit_of(x, y, z) & 1 ? -1 : 0;
}

/// Steps along an axis from the start to the upper face of the cube of this level around the voxel.
static inline int64_t travel_to_exit(const ray* r, int axis, int level) {
    return vni_voxel_to_steps64(((r->voxel[axis] >> level) + 1) << level) - r->start[axis];
}

/// Several planes are crossed at one point: is the voxel left connected with the voxel entered, over faces of
/// the free voxels around that point? `other` is per axis the second voxel that touches the point, or the
/// first again.
///
///       +---+---+       from below left to upper right through the point o: allowed if one of the
///       | ? | to|       voxels marked ? is free
///       +---o---+
///       |from ? |
///       +---+---+
static bool passes_point(const ray* r, const int32_t from[3], const int32_t to[3], const int32_t other[3]) {
    int32_t low[3], high[3], true_from[3], true_to[3];
    for (int i = 0; i < 3; ++i) {
        int32_t a = true_voxel(r, i, other[i]);
        true_from[i] = true_voxel(r, i, from[i]);
        true_to[i] = true_voxel(r, i, to[i]);
        low[i] = a < true_to[i] ? a : true_to[i];
        high[i] = a < true_to[i] ? true_to[i] : a;
    }

    uint32_t free = free_around(r->occupancy, low, high);
    uint32_t reached = spread(1u << shift_of(low, true_from) & free, free);
    return reached >> shift_of(low, true_to) & 1;
}

/// Leaves the free cube through an edge or a corner: axes that tie with `first` are crossed together. False
/// if the point cannot be passed.
static bool leap_tied(ray* r, int level, int first, const int64_t travel[3]) {
    int32_t from[3], to[3], other[3];
    for (int i = 0; i < 3; ++i) {
        // Position of axis i at the moment of the crossing: start + travel * length_i / length_first, exact
        // if the division has no remainder.
        int64_t product = travel[first] * r->length[i], whole = product / r->length[first];
        int64_t at = r->start[i] + whole;
        bool crossed = r->length[i] && travel[i] * r->length[first] == product;
        bool on_plane = r->length[i] && whole * r->length[first] == product && vni_step_is_on_plane(at);
        to[i] = crossed ? ((r->voxel[i] >> level) + 1) << level : vni_step_to_voxel64(at);
        from[i] = to[i] - crossed;
        other[i] = to[i] - on_plane; // the point may lie on a plane inside the cube too
    }

    for (int i = 0; i < 3; ++i)
        r->voxel[i] = to[i];

    return passes_point(r, from, to, other);
}

/// The voxel along `axis` when `first` crosses its plane; within the cube. Floors nest: rounding the quotient
/// down and then the voxel is exact.
static inline int32_t voxel_after(const ray* r, int axis, int first, int64_t travel) {
    return vni_step_to_voxel64(r->start[axis] + travel * r->length[axis] / r->length[first]);
}

/// Leaves the free cube of this level. False if it cannot pass where it leaves; `*done` if it ends inside.
static inline bool leap(ray* r, int level, bool* done) {
    const int64_t travel[3] = {travel_to_exit(r, 0, level), travel_to_exit(r, 1, level),
                               travel_to_exit(r, 2, level)};
    const int64_t* length = r->length;

    // Which plane comes first: the least travel / length, by cross-multiplication. An axis of length 0 never
    // is: its products with the others' lengths are positive. A difference of 0 is a tie.
    int64_t x_y = travel[0] * length[1] - travel[1] * length[0];
    int64_t x_z = travel[0] * length[2] - travel[2] * length[0];
    int64_t y_z = travel[1] * length[2] - travel[2] * length[1];
    int first = x_y <= 0 && x_z <= 0 ? 0 : y_z <= 0 ? 1 : 2;
    *done = travel[first] >= r->end[first]; // the end may lie on the plane: then nothing is crossed

    if (*done)
        return true;
    if (first == 0 ? !x_y || !x_z : first == 1 && !y_z)
        return leap_tied(r, level, first, travel);

    if (level > 0) {
        int second = first == 0 ? 1 : 0, third = first == 2 ? 1 : 2;
        r->voxel[second] = voxel_after(r, second, first, travel[first]);
        r->voxel[third] = voxel_after(r, third, first, travel[first]);
    }

    r->voxel[first] = ((r->voxel[first] >> level) + 1) << level;
    return true;
}

/// False if the segment lies in a plane between voxels. `from` lies in the bounds.
static inline bool ray_make(const vni_occupancy* occupancy, const int32_t from[3], const int32_t to[3],
                            ray* r) {
    r->occupancy = occupancy;
    for (int i = 0; i < 3; ++i) {
        int64_t difference = (int64_t)to[i] - from[i];
        int32_t last = occupancy->blocks[i] * VNI_BLOCK_SIZE - 1;
        // It would run along a plane, between two voxels: the walk by pieces handles that.
        if (difference == 0 && vni_step_is_on_plane(from[i]))
            return false;

        r->mirror[i] = -(difference < 0);
        r->origin[i] = difference < 0 ? last : 0;
        r->length[i] = r->end[i] = difference < 0 ? -difference : difference;
        r->start[i] = difference < 0 ? vni_voxel_to_steps64((int64_t)last + 1) - from[i] : from[i];
        r->voxel[i] = vni_step_to_voxel64(r->start[i]);
    }

    return true;
}

/// Leaps along the ray to its end. False if it is stopped: then r->voxel is the one that it could not enter.
static inline bool walk_ray(ray* r) {
    for (bool done = false; !done;) {
        int level = free_level(r->occupancy, true_voxel(r, 0, r->voxel[0]), true_voxel(r, 1, r->voxel[1]),
                               true_voxel(r, 2, r->voxel[2]));
        if (level < 0 || !leap(r, level, &done))
            return false;
    }

    return true;
}

bool vni_sight(const vni_occupancy* occupancy, vn_point a, vn_point b) {
    const int32_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    if (!is_inside(occupancy, from) || !is_inside(occupancy, to))
        return false;
    ray r;
    return ray_make(occupancy, from, to, &r) ? walk_ray(&r) : vni_sight_by_pieces(occupancy, a, b);
}

// --------------------------------------------------------------------------------- where a segment is
// stopped

/// A segment, and the voxels around the stretch that it cannot enter.
typedef struct stopped {
    const vni_occupancy* occupancy;
    int32_t from[3], step[3]; ///< step: -1, 0 or 1
    int64_t length[3];
    int32_t low[3], high[3]; ///< of the stretch
} stopped;

static stopped stopped_make(const vni_occupancy* occupancy, const int32_t from[3], const int32_t to[3]) {
    stopped s = {.occupancy = occupancy};
    for (int i = 0; i < 3; ++i) {
        s.from[i] = from[i];
        s.step[i] = (to[i] > from[i]) - (to[i] < from[i]);
        s.length[i] = ((int64_t)to[i] - from[i]) * s.step[i];
    }

    return s;
}

/// Steps along an axis to where the stretch begins; < 0 if that is before the start.
static int64_t entry_of(const stopped* s, int axis) {
    int64_t plane = vni_voxel_to_steps64((int64_t)s->low[axis] + (s->step[axis] < 0));
    return (plane - s->from[axis]) * s->step[axis];
}

/// The stretch begins where the last of its axes enters its voxels, or at the start: the largest entry /
/// length.
static void find_fraction(const stopped* s, vni_stop* out) {
    out->numerator = 0;
    out->denominator = 1;
    for (int i = 0; i < 3; ++i) {
        int64_t entry = entry_of(s, i);
        if (s->step[i] && entry > 0 && entry * out->denominator > out->numerator * s->length[i]) {
            out->numerator = entry;
            out->denominator = s->length[i];
        }
    }
}

/// The voxels around the stretch that begins at a fraction of the segment.
static void find_stretch(stopped* s, int64_t numerator, int64_t denominator) {
    VNI_ASSERT(denominator > 0);
    for (int i = 0; i < 3; ++i) {
        int64_t at = s->from[i] + s->step[i] * (numerator * s->length[i] / denominator) - (s->step[i] < 0);
        s->high[i] = vni_step_to_voxel64(at);
        s->low[i] = s->high[i] - (s->step[i] == 0 && vni_step_is_on_plane(at));
    }
}

/// The box of voxels around the point where the stretch begins: those of the stretch, and the ones behind it
/// on axes that cross a plane there. Returns, as a bit of this box, the voxel that is behind on all of these.
static uint32_t around_stop(const stopped* s, const vni_stop* stop, int32_t low[3], int32_t high[3]) {
    uint32_t behind = 0;
    for (int i = 0; i < 3; ++i) {
        bool crosses = s->step[i] && entry_of(s, i) * stop->denominator == stop->numerator * s->length[i];
        low[i] = s->low[i] - (crosses && s->step[i] > 0);
        high[i] = s->high[i] + (crosses && s->step[i] < 0);
        behind |= (uint32_t)(crosses && s->step[i] < 0) << i;
        VNI_ASSERT(high[i] - low[i] == 0 || high[i] - low[i] == 1);
    }

    return 1u << behind;
}

/// The blocked voxels ahead of `reached` ones, across faces that the segment runs against; and the sum of the
/// normals of these faces.
static uint32_t met_faces(const stopped* s, uint32_t reached, uint32_t blocked, int32_t normal[3]) {
    static const uint32_t low_side[3] = {0x55, 0x33, 0x0f};
    uint32_t met = 0;
    VNI_ASSERT(reached != 0 && reached <= 0xff && (reached & blocked) == 0);

    for (int i = 0; i < 3; ++i) {
        uint32_t ahead = s->step[i] > 0 ? (reached & low_side[i]) << (1 << i) : 0;
        if (s->step[i] < 0)
            ahead = (reached & ~low_side[i]) >> (1 << i);
        normal[i] = ahead & blocked ? -s->step[i] : 0;
        met |= ahead & blocked;
    }

    return met;
}

/// The first voxel of `among` in the space; if none is, the first one, and `*outside`.
static vn_voxel first_voxel(const vni_occupancy* o, const int32_t low[3], uint32_t among, bool* outside) {
    VNI_ASSERT(among != 0 && among <= 0xff);

    vn_voxel first = {0, 0, 0};
    *outside = true;
    for (uint32_t left = among; left && *outside; left &= left - 1) {
        int32_t bit = (int32_t)vni_lowest_bit(left);
        vn_voxel v = {low[0] + (bit & 1), low[1] + (bit >> 1 & 1), low[2] + (bit >> 2)};
        *outside = !vni_occupancy_inside(o, v.x, v.y, v.z);
        if (left == among || !*outside)
            first = v;
    }

    return first;
}

/// The start itself is not free.
static void explain_start(const vni_occupancy* o, const int32_t from[3], vni_stop* out) {
    int32_t low[3], high[3];
    around_point(from, low, high);
    *out = (vni_stop){.denominator = 1, .inside = true};
    out->voxel = first_voxel(o, low, bits_of(low, high), &out->outside);
}

/// Explains a stop at a stretch that cannot be entered; the start is free. `reached` are the voxels reached
/// around the point where the stretch begins. 0: the segment is at its start, or in general position; then
/// they follow from the voxel behind.
static void explain(const stopped* s, uint32_t reached, vni_stop* out) {
    int32_t low[3], high[3];
    *out = (vni_stop){.inside = false};
    find_fraction(s, out);
    uint32_t behind = around_stop(s, out, low, high);

    uint32_t free = free_around(s->occupancy, low, high), all = bits_of(low, high);
    if (!reached)
        reached = out->numerator == 0 ? free : spread(behind & free, free);

    // `ahead` are the voxels of the stretch. If one of them is met, it is the stop; else another face was.
    uint32_t ahead = bits_of(s->low, s->high) << shift_of(low, s->low);
    uint32_t met = met_faces(s, reached, all & ~free, out->normal);
    VNI_ASSERT((reached & ~free) == 0 && (reached & ahead) == 0 && met != 0);

    vn_voxel beyond = first_voxel(s->occupancy, low, ahead, &out->outside);
    bool outside = false;
    out->voxel = first_voxel(s->occupancy, low, met & ahead ? met & ahead : met, &outside);
    if (out->outside)
        out->voxel = beyond;
}

bool vni_exit_point(const vni_occupancy* occupancy, vn_point a, vn_point b, vni_stop* out) {
    const int32_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    VNI_ASSERT(is_inside(occupancy, from));

    if (is_inside(occupancy, to))
        return false;
    stopped s = stopped_make(occupancy, from, to);
    int64_t margin[3];

    *out = (vni_stop){.numerator = 1, .denominator = 1, .outside = true};
    for (int i = 0; i < 3; ++i) {
        margin[i] = s.step[i] > 0 ? vni_voxel_to_steps64(occupancy->dims[i]) - from[i] : from[i];
        if (margin[i] * out->denominator < out->numerator * s.length[i]) {
            out->numerator = margin[i];
            out->denominator = s.length[i];
        }
    }

    // All axes that leave at the same fraction contribute their normal.
    for (int i = 0; i < 3; ++i)
        if (s.step[i] && margin[i] * out->denominator == out->numerator * s.length[i])
            out->normal[i] = -s.step[i];

    find_stretch(&s, out->numerator, out->denominator);
    out->voxel = (vn_voxel){s.high[0], s.high[1], s.high[2]};
    return true;
}

/// Of a segment in general position. `exit_stop` is null if it ends inside the space.
static bool stop_ray(ray* r, stopped* s, const vni_stop* exit_stop, vni_stop* out) {
    // The walk must end with the space: an axis is done at the first plane at or beyond the exit_stop
    // (rounded up).
    for (int i = 0; exit_stop != NULL && i < 3; ++i)
        r->end[i] =
            (exit_stop->numerator * r->length[i] + exit_stop->denominator - 1) / exit_stop->denominator;

    if (!walk_ray(r))
        for (int i = 0; i < 3; ++i)
            s->low[i] = s->high[i] = true_voxel(r, i, r->voxel[i]);
    else if (exit_stop != NULL)
        find_stretch(s, exit_stop->numerator, exit_stop->denominator);
    else
        return false;

    explain(s, 0, out);
    return true;
}

/// Of a segment in a plane between voxels. Its end may lie beyond the limits of the walk, which takes only
/// its direction from it: lengths are set afterwards, and the walk ends with the space.
static bool stop_pieces(stopped* s, vn_point a, vn_point b, vni_stop* out) {
    const int32_t limit = VNI_LATTICE_LIMIT;
    vn_point towards = {b.x < -limit  ? -limit
                        : b.x > limit ? limit
                                      : b.x,
                        b.y < -limit  ? -limit
                        : b.y > limit ? limit
                                      : b.y,
                        b.z < -limit  ? -limit
                        : b.z > limit ? limit
                                      : b.z};

    vni_lattice_walk walk = vni_lattice_begin(a, towards);
    for (int i = 0; i < 3; ++i)
        walk.length[i] = s->length[i];

    piece_stop stop;
    if (walk_pieces(s->occupancy, &walk, &stop))
        return false;

    for (int i = 0; i < 3; ++i) {
        s->low[i] = stop.stretch.low[i];
        s->high[i] = stop.stretch.high[i];
    }

    explain(s, stop.reached, out);
    return true;
}

bool vni_sight_stop(const vni_occupancy* occupancy, vn_point a, vn_point b, vni_stop* out) {
    const int32_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    int32_t low[3], high[3];
    VNI_ASSERT(occupancy != NULL && out != NULL);

    around_point(from, low, high);
    if (!free_around(occupancy, low, high)) {
        explain_start(occupancy, from, out);
        return true;
    }

    vni_stop exit_stop;
    stopped s = stopped_make(occupancy, from, to);
    bool leaves = vni_exit_point(occupancy, a, b, &exit_stop);
    if (leaves && exit_stop.numerator == 0) {
        find_stretch(&s, 0, 1);
        explain(&s, 0, out);
        return true;
    }

    // The start is free and inside: walk.
    ray r;
    if (ray_make(occupancy, from, to, &r))
        return stop_ray(&r, &s, leaves ? &exit_stop : NULL, out);

    return stop_pieces(&s, a, b, out);
}
