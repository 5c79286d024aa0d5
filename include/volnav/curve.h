/// volnav/curve.h: from a path to a curve that an agent can fly, and from a curve to a trajectory: position,
/// velocity and acceleration at any time.
///
/// A path is a polyline: at its corners an agent would have to stop. A curve rounds the corners and keeps
/// clear of the obstacles; where a corner cannot be rounded, the curve keeps it, and the trajectory stops
/// there and turns on the spot. No limit is ever exceeded: a path for which that is impossible is refused.
/// docs/curves.md explains how, with a picture.
///
/// Metres, seconds and radians. Making curves and trajectories allocates, sampling them does not. The same
/// input gives the same bytes on every machine. A curve or trajectory is immutable: any thread may read it.
#ifndef VOLNAV_CURVE_H
#define VOLNAV_CURVE_H

#include "volnav/space.h"

typedef struct vn_curve vn_curve;
typedef struct vn_trajectory vn_trajectory;

/// How corners are rounded.
typedef enum vn_curve_kind {
    VN_CURVE_CHAIKIN = 0, ///< corners cut for ever (Chaikin 1974), which converges to a quadratic B-spline
    VN_CURVE_SPLINE = 1,  ///< centripetal Catmull-Rom spline through the corners, as cubic Bezier pieces
    VN_CURVE_TURN = 2,    ///< straight lines and circular arcs
    VN_CURVE_KIND_COUNT
} vn_curve_kind;

/// The name used on the command line ("chaikin", "spline", "turn"); null for an unknown value.
VN_API const char* vn_curve_kind_name(vn_curve_kind kind);
VN_API bool vn_curve_kind_from_name(const char* name, vn_curve_kind* out);

/// Limits of the agent, and how its curve is made. Infinity means "no limit" where it is allowed.
typedef struct vn_curve_def {
    vn_allocator allocator;
    vn_curve_kind kind;      ///< default VN_CURVE_TURN
    double max_speed;        ///< m/s, 1e-9 to 1e9 (default 5)
    double max_acceleration; ///< m/s^2, 1e-9 to 1e9, along the curve and across it together (default 5)
    double max_turn_rate;    ///< rad/s of the direction of motion, >= 1e-9; infinity (default)
    double max_climb_rate;   ///< m/s up or down, >= 1e-9; infinity (default)
    double max_slope;        ///< rise over run, up or down: 1 is 45 degrees; >= 0 or infinity (default)
    vn_vec3 up;              ///< direction against gravity, any length but 0; default +Y

    /// Radius of the arcs of VN_CURVE_TURN where it fits, metres; 0 (default): the least at which
    /// max_speed can be kept. Where it does not fit arcs are tighter, down to min_turn_radius.
    double turn_radius;
    double min_turn_radius; ///< metres, >= 0 (default 0); no kind of curve turns tighter than this
    bool allow_stops;       ///< false: a corner that cannot be rounded is refused (default true)

    /// Seconds, 1e-9 to 1e9 (default 1/60). Positions of the trajectory at most this far apart in time,
    /// rounded to the lattice and joined by straight lines, pass vn_space_check_path.
    double step;
    uint32_t cookie;
} vn_curve_def;

VN_API vn_curve_def vn_default_curve_def(void);

/// Makes a curve along a free path of lattice points in `space`, such as that of vn_query_points. The
/// obstacles are those of the space, inflated by its radius: the curve is where the agent's centre goes. It
/// begins at the first point and ends at the last. Near walls it leaves the path a little, so that rounding
/// and the chords between samples stay free, and swings out before a corner where that allows a larger
/// radius.
///
/// Corners are rounded as widely as wanted if that fits, otherwise more tightly, otherwise (allow_stops) not
/// at all. Where the path is steeper than max_slope, the curve goes up or down in a helix. An end that
/// touches a wall is left or reached by a short straight line with a stop at its other end.
///
/// VN_NOT_FOUND: no curve keeps the limits: too steep and no free space for a helix, no free space beside a
/// wall, a corner that would need a stop. `detail->index` is the segment of the path (from point `index` to
/// the next), and the text says which limit. VN_BAD_DEF, VN_BAD_ARGUMENT: the def, or no points. VN_OUTSIDE,
/// VN_BLOCKED: a point is outside the space, or no free voxel touches it; `index` is that point.
/// VN_OUT_OF_MEMORY. Connections (vn_query_connections) and the points inside obstacles
/// (vn_path_result.inside_points) are no part of a free path: make a curve for each part between them.
///
/// The curve does not refer to the space afterwards. Cost: in proportion to corners, a few swept balls each.
VN_NODISCARD vn_status vn_curve_make(const vn_space* space, const vn_point* points, uint32_t count,
                                     const vn_curve_def* def, vn_curve** out, vn_detail* detail);

/// Null is allowed. No trajectory of the curve may be in use.
VN_API void vn_curve_destroy(vn_curve* curve);

typedef struct vn_curve_info {
    vn_curve_kind kind;
    double length;            ///< metres
    double least_turn_radius; ///< metres, rounded down by up to a few percent for chaikin and spline;
                              ///< infinity for a straight line. Stops do not count
    double steepest_slope;    ///< rise over run of the steepest place
    uint32_t corners;         ///< rounded
    uint32_t tightened;       ///< of these: more tightly than was wanted, for lack of space
    uint32_t stops;           ///< corners that are not rounded
    uint32_t helices;
    uint32_t pieces; ///< straight lines, arcs and Bezier pieces
    double margin; ///< metres that the curve keeps from blocked voxels (except at ends that touch one): what
                   ///< chords between samples and rounding to the lattice may need
} vn_curve_info;

VN_API void vn_curve_get_info(const vn_curve* curve, vn_curve_info* out);
VN_API void vn_curve_get_memory(const vn_curve* curve, vn_memory* out);

/// A place on a curve.
typedef struct vn_curve_place {
    vn_dvec3 position;  ///< world coordinates
    vn_dvec3 direction; ///< unit; zero if the curve has no length
    vn_dvec3 curvature; ///< towards the centre of the turn, 1 / radius long, 1/m
} vn_curve_place;

/// The place so many metres along the curve; before its beginning (also: NaN) the first, beyond its end the
/// last. At a stop the direction is the one after it. O(log pieces).
VN_API void vn_curve_at(const vn_curve* curve, double metres, vn_curve_place* out);

/// The curve as a polyline for drawing, corners included; it leaves the curve by no more than 1/64 voxel and
/// is free, as positions of the world. Writes up to `capacity` positions, and sets `*count` to the number of
/// all. VN_CAPACITY: `capacity` is smaller than that. `out` may be null if `capacity` is 0.
VN_NODISCARD vn_status vn_curve_get_positions(const vn_curve* curve, vn_dvec3* out, uint32_t capacity,
                                              uint32_t* count);

/// A corner that is not rounded: speed 0, and a turn on the spot.
typedef struct vn_curve_stop {
    double metres;     ///< along the curve
    vn_dvec3 position; ///< world coordinates
    double angle;      ///< of the turn, radians
} vn_curve_stop;

/// The stops in their order. Writes up to `capacity`, sets `*count`, as above.
VN_NODISCARD vn_status vn_curve_get_stops(const vn_curve* curve, vn_curve_stop* out, uint32_t capacity,
                                          uint32_t* count);

// -------------------------------------------------------------------------------------------- trajectory

typedef struct vn_trajectory_def {
    vn_allocator allocator;
    double start_speed, end_speed; ///< m/s along the curve, 0 to max_speed (default 0: from rest to rest)
    uint32_t cookie;
} vn_trajectory_def;

VN_API vn_trajectory_def vn_default_trajectory_def(void);

/// Times a curve under the limits of its def: as fast as speed, acceleration, turn rate and climb rate allow
/// (exactly on straight lines; elsewhere piece by piece). At each stop it holds for as long as the turn takes
/// at max_turn_rate. `curve` must outlive the trajectory.
///
/// VN_NOT_FOUND: a start or end speed that the curve does not allow, because a turn or the end comes too
/// early; the text says which is the highest. VN_BAD_DEF, VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY. O(pieces).
VN_NODISCARD vn_status vn_trajectory_make(const vn_curve* curve, const vn_trajectory_def* def,
                                          vn_trajectory** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_trajectory_destroy(vn_trajectory* trajectory);

/// Seconds from the first point to the last.
VN_API double vn_trajectory_duration(const vn_trajectory* trajectory);
VN_API void vn_trajectory_get_memory(const vn_trajectory* trajectory, vn_memory* out);

/// State of motion at one time.
typedef struct vn_trajectory_state {
    vn_dvec3 position;     ///< world coordinates
    vn_dvec3 velocity;     ///< m/s
    vn_dvec3 acceleration; ///< m/s^2; where it jumps, the later value
    vn_dvec3 direction;    ///< unit: of the velocity; at a stop it turns from the old one to the new one
    double speed;          ///< m/s
    double metres;         ///< along the curve
} vn_trajectory_state;

/// The state `seconds` after the beginning; before it (also: NaN) the first, after the end the last with
/// acceleration 0. O(log pieces).
VN_API void vn_trajectory_sample(const vn_trajectory* trajectory, double seconds, vn_trajectory_state* out);

#endif
