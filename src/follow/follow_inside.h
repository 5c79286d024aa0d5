/// follow/follow_inside.h: the corridor's inside, and what its files share. Lengths are in lattice steps.
#ifndef VNI_FOLLOW_INSIDE_H
#define VNI_FOLLOW_INSIDE_H

#include "base/assert.h"
#include "follow/turn.h"
#include "space/space.h"
#include "volnav/follow.h"

/// A place on a polyline.
typedef struct vni_place {
    uint32_t segment;
    double along;
    vn_point point;  ///< rounded
    double distance; ///< from whoever asked
} vni_place;

struct vn_corridor {
    vn_allocator allocator;
    uint32_t capacity, count, needed;
    bool keep_corners;
    vn_point* points;
    double* rest;     ///< from each point to the end of the path
    vn_point* next;   ///< scratch: the path to come
    vn_point* splice; ///< scratch: a part of it

    vn_dvec3 origin, low; ///< the frame of the space: vni_voxels_to_world
    double size;          ///< of a voxel, metres

    uint32_t segment; ///< the agent is on the segment from points[segment] to the next
    double along;     ///< so far on it
    vn_dvec3 position;
    vn_point point; ///< lattice point of `position`
    bool on_path;
    vni_vec way_on; ///< from the agent to where it would stand if it braked now, in steps

    /// The line that the agent flies along: from a lattice point to a place of the path that was visible from
    /// there. Beside it, it goes on to its end, even where rounding costs the sight of it.
    bool has_line;
    vn_point line_from;
    vni_place line_to;

    /// Steps that went elsewhere than the velocity led, or nowhere, since the agent last got on. From
    /// VNI_STALLED on it goes back to the corner beside it (`returns`, if it sees one), stands, and sets out
    /// along the exact line.
    uint32_t stall;
    bool returns;
    uint32_t returned;    ///< how often in a row at the same place
    vn_point returned_at; ///< the place
};

#define VNI_STALLED 4

// ------------------------------------------------------------------------------------------------- corridor

double vni_follow_metres(const vn_corridor* corridor, double steps);
double vni_follow_steps(const vn_corridor* corridor, double metres);
vn_dvec3 vni_follow_world(const vn_corridor* corridor, vni_vec steps);

/// The corridor lies in the frame of this space.
void vni_follow_frame(vn_corridor* corridor, const vn_space* space);

/// The place so far along a segment.
vni_vec vni_follow_along(const vn_point* points, uint32_t count, uint32_t segment, double along);

/// The place so many steps ahead of the agent; beyond the end, the end.
vni_place vni_follow_ahead(const vn_corridor* corridor, double steps);
vn_corridor_place vni_follow_public(const vn_corridor* corridor, const vni_place* place);

/// What remains of the path ahead of the agent.
double vni_follow_remaining(const vn_corridor* corridor);

/// The path becomes the `count` points of `next`, which begins at the agent.
void vni_follow_commit(vn_corridor* corridor, uint32_t count);

/// Copies points without repetitions; returns how many. `out` may be `points`.
uint32_t vni_follow_tidy(vn_point* out, const vn_point* points, uint32_t count);

/// Checks the arguments of vn_corridor_set.
vn_status vni_follow_accept(vn_corridor* corridor, const vn_space* space, const vn_point* points,
                            uint32_t count);

// --------------------------------------------------------------------------------------------------- places

/// The nearest visible place of a polyline from the given place on, by the rule of
/// vn_corridor_advance_to_position. `at`: lattice steps.
bool vni_follow_nearest(const vn_space* space, const vn_point* points, uint32_t count, uint32_t segment,
                        double along, vni_vec at, vn_point from, vni_place* out);

/// As vn_corridor_look_ahead, for a corridor with a path.
bool vni_follow_look(const vn_corridor* corridor, const vn_space* space, double metres, vni_place* out);

/// Writes the path ahead as seen from the agent into `out`: the agent's point, its place on the path if it
/// does not see the next corner, and the corners. `out` holds one point more than the path has. Returns how
/// many.
uint32_t vni_follow_list(const vn_corridor* corridor, const vn_space* space, vn_point* out);

/// The last point of the polyline that is visible from `from`; UINT32_MAX if none is.
uint32_t vni_follow_farthest(const vn_space* space, const vn_point* points, uint32_t count, vn_point from);

/// All segments are free, all inner points plain.
bool vni_follow_is_free(const vn_space* space, const vn_point* points, uint32_t count);

/// Pulls the points [first, last] of a polyline taut; returns its new count.
uint32_t vni_follow_taut(const vn_space* space, vn_point* points, uint32_t count, uint32_t first,
                         uint32_t last);

// ---------------------------------------------------------------------------------------------------- moves

/// May the agent go straight from one point to another and stay there? The way is free and its end plain.
bool vni_follow_may_go(const vn_space* space, vn_point from, vn_point to);

typedef enum vni_landing {
    VNI_LAND_NOWHERE,
    VNI_LAND_FREE,
    VNI_LAND_IN_SIGHT ///< of the aim, or there is none
} vni_landing;

/// Moves from the point `from` to `*position`; or to a lattice point next to the one that it stands for, if
/// only that is free, or if only from there `aim` (may be null) is visible; or to the edge that the way
/// grazes. `*position` and `*point` are then where it ends. VNI_LAND_NOWHERE: nothing is written.
vni_landing vni_follow_land(const vn_space* space, vn_point from, const vn_point* aim, vn_dvec3* position,
                            vn_point* point);

/// A lattice point next to the agent's, to which the way from `from` is free, and from which its path is
/// visible; false if there is none.
bool vni_follow_find_sight(const vn_corridor* corridor, const vn_space* space, vn_point from, vn_point* out);

// ------------------------------------------------------------------------------------------------- steering

/// Where the velocity is to lead: a visible place of the path. A step that would pass it ends there.
typedef struct vni_aim {
    vn_dvec3 position;
    vn_point point;
    vn_point next; ///< the corner behind it; at the end of the path, the end
} vni_aim;

vn_status vni_steering_check(const vn_steering_def* def, double dt);

/// As vn_steering_move, for checked arguments; `aim` may be null.
void vni_steering_move(const vn_steering_def* def, const vn_space* space, double dt, vn_dvec3 velocity,
                       const vni_aim* aim, vn_point from, vn_agent_motion* motion);

/// The direction (unit) in the range of climbs that is nearest to `direction`. Straight up or down it keeps
/// the heading of `forward`.
vni_vec vni_steering_level(const vn_steering_def* def, vni_vec direction, vni_vec forward);

/// Cosine and sine of an angle of 0 to pi, the same on every machine.
void vni_follow_angle(double radians, double* cosine, double* sine);

static inline vni_vec vni_follow_v(vn_dvec3 p) {
    return vni_v(p.x, p.y, p.z);
}

static inline vn_dvec3 vni_follow_d(vni_vec v) {
    return (vn_dvec3){v.x, v.y, v.z};
}

#endif
