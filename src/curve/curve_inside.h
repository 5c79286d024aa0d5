/// curve/curve_inside.h: curves in parts: bends become pieces, pieces become a curve. Inside the module only.
///
/// All vectors are metres from the low corner of the space. A path goes through these stages:
///
///   clear.c    points -> bends that keep the margin from walls
///   detour.c   where that fails: from voxel to voxel
///   helix.c    segments that are too steep become helices
///   bend.c     bends merge, split and swing out to make space for turns
///   corner.c   each bend becomes a rounded corner, as large as fits, or a stop
///   piece.c    lines, arcs and Bezier pieces: evaluated, measured, bounded
#ifndef VNI_CURVE_INSIDE_H
#define VNI_CURVE_INSIDE_H

#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "space/frame.h"
#include "volnav/curve.h"

#define VNI_PI 3.14159265358979323846

// ------------------------------------------------------------------------------------------------ angles

/// Cosine and sine of an angle in [-pi, pi], radians, within 1e-14, without libm.
void vni_curve_rotate(double angle, double* cosine, double* sine);

/// The angle between two unit vectors, 0 to pi, within 1e-15.
double vni_curve_angle(vni_vec a, vni_vec b);

/// The unit vector of a; zero stays zero.
static inline vni_vec vni_curve_unit(vni_vec a) {
    double length = vni_length(a);
    return length > 0 ? vni_scale(a, 1 / length) : a;
}

// ------------------------------------------------------------------------------------------------ pieces

typedef enum vni_piece_kind { VNI_PIECE_LINE, VNI_PIECE_ARC, VNI_PIECE_BEZIER } vni_piece_kind;

typedef struct vni_piece {
    vni_piece_kind kind;
    bool is_corner; ///< a stop before it: the direction jumps
    vni_vec p[4];   ///< line: ends; arc: centre, unit vectors to its beginning and along it; control points
    double radius, angle; ///< of an arc
    double start, length; ///< along the curve, metres
    double curvature;     ///< never more than this
    double sine;          ///< of the climb angle, up or down: never more than this
    double turn;          ///< of the stop before it, radians
} vni_piece;

/// State at a length along a piece.
typedef struct vni_piece_state {
    vni_vec at, direction, curvature;
} vni_piece_state;

vni_piece vni_piece_line(vni_vec a, vni_vec b, vni_vec up);

/// The arc that leaves `bend - t * in` in direction `in` and ends at `bend + t * out`. in != -out.
vni_piece vni_piece_arc(vni_vec bend, vni_vec in, vni_vec out, double t, vni_vec up);
vni_piece vni_piece_bezier(const vni_vec p[4], vni_vec up);

vni_piece_state vni_piece_at(const vni_piece* piece, double length);

/// At most this many chords.
#define VNI_MAX_CHORDS 4096

/// Chords that leave the piece by no more than `tolerance` metres, and the ends of those: 0 to that number.
uint32_t vni_piece_chords(const vni_piece* piece, double tolerance);
vni_vec vni_piece_chord_end(const vni_piece* piece, uint32_t i, uint32_t chords);

// ----------------------------------------------------------------------------------------------- building

/// A point of the polyline that becomes the curve.
typedef struct vni_bend {
    vni_vec at;
    uint32_t source; ///< segment of the path that leads on from it
    bool stop;       ///< is not rounded
    bool leg;        ///< the segment that follows joins an end that touches a wall: inside one free voxel
} vni_bend;

typedef struct vni_bends {
    vni_bend* data;
    uint64_t count, capacity;
} vni_bends;

typedef struct vni_build {
    const vn_space* space;
    const vn_curve_def* def;
    vn_detail* detail;
    const vn_point* points; ///< of the path
    double size;            ///< of a voxel, metres
    double margin;          ///< metres that the curve keeps from walls
    double radius;          ///< wanted, metres
    vni_vec up;             ///< unit
    int ranks[2];           ///< of the legs at both ends that touch a wall: 0 is the best
    vni_bends bends, next;
    vni_piece* pieces;
    uint64_t piece_count, piece_capacity;
    uint32_t corners, tightened, stops, helices;
    vn_status status; ///< VN_OUT_OF_MEMORY ends every stage
} vni_build;

/// Adds a bend to `next`. False, with the status set, if memory runs out.
bool vni_build_add(vni_build* build, vni_bend bend);

/// Makes `next` the bends, and empties it.
void vni_build_swap(vni_build* build);

/// Refuses: VN_NOT_FOUND at a segment of the path.
vn_status vni_build_refuse(vni_build* build, uint32_t source, const char* text);

/// Can a ball of `radius` metres move from a to b, with its centre inside the bounds?
bool vni_build_is_free(const vni_build* build, vni_vec a, vni_vec b, double radius);

/// Is the box free, with the margin around it, as far as it lies in the space?
bool vni_build_box_is_free(const vni_build* build, vni_vec low, vni_vec high);

/// Does a piece whose control points are inside the bounds keep the margin?
bool vni_build_piece_is_free(const vni_build* build, const vni_piece* piece);
bool vni_build_is_inside(const vni_build* build, vni_vec at);

/// Is the way from a to b no steeper than the limit?
bool vni_build_is_flat(const vni_build* build, vni_vec a, vni_vec b);

/// The largest sine of a climb angle that the limit allows.
double vni_build_max_sine(const vni_build* build);

vn_status vni_curve_clear(vni_build* build, const vn_point* points, uint32_t count);

/// Adds bends from a, which is there already, to b, through the free voxels around a segment of the path.
/// False, with the status set, if memory runs out or there is no way.
bool vni_curve_detour(vni_build* build, vni_bend a, vni_bend b);
vn_status vni_curve_add_helices(vni_build* build);
vn_status vni_curve_swing(vni_build* build);
vn_status vni_curve_round(vni_build* build);

/// A bend between straight lines, and how much of both a corner takes.
typedef struct vni_corner {
    vni_vec bend, in, out; ///< unit vectors towards the bend and away from it
    double before, after;  ///< metres up to the neighbours
    double angle;          ///< between them
} vni_corner;

vni_corner vni_corner_at(vni_vec before, vni_vec bend, vni_vec after);

/// The corner at bend i, neither the first nor the last, with what it may take of both lines.
vni_corner vni_build_corner(const vni_build* build, uint64_t i);

/// The pieces that round a corner at a scale of (0, 1]: 1 is as large as is wanted. Returns their number, at
/// most VNI_CORNER_PIECES, and the lengths taken of both lines; 0 if the def's limits forbid it.
#define VNI_CORNER_PIECES 160
uint32_t vni_corner_pieces(const vni_build* build, const vni_corner* corner, double scale, vni_piece* out,
                           double* taken_before, double* taken_after);

/// The same, and they keep the margin.
uint32_t vni_corner_fit(const vni_build* build, const vni_corner* corner, double scale, vni_piece* out,
                        double* taken_before, double* taken_after);

// ------------------------------------------------------------------------------------------------ objects

struct vn_curve {
    vn_allocator allocator;
    vn_curve_def def;
    vn_dvec3 low; ///< world position of the low corner of the space
    double size;  ///< of a voxel
    vni_vec up;
    vni_vec first; ///< position of a curve without pieces
    vni_piece* pieces;
    uint64_t piece_count, piece_capacity;
    vn_curve_info info;
};

/// The piece at a length along the curve; of two, the later one. piece_count > 0.
uint32_t vni_curve_find(const vn_curve* curve, double metres);

static inline vn_dvec3 vni_curve_world(const vn_curve* curve, vni_vec v) {
    vn_dvec3 p = {curve->low.x + v.x, curve->low.y + v.y, curve->low.z + v.z};
    return p;
}
static inline vn_dvec3 vni_curve_dvec(vni_vec v) {
    vn_dvec3 p = {v.x, v.y, v.z};
    return p;
}

#endif
