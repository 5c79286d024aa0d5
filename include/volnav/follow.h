/// volnav/follow.h: one agent that follows a path: where it is on it (vn_corridor), and how it flies along it
/// within its limits (vn_steering). For any space and any path of it; nothing here plans.
///
/// Every frame: vn_steering_step. When a new path arrives: vn_corridor_join. When there is a new version of
/// the space: vn_corridor_repair. An agent that the host moves itself (physics, animation) uses the corridor
/// alone: vn_corridor_advance_to_position, vn_corridor_look_ahead. docs/following.md has the whole loop.
///
/// Positions are world metres, and stand for the nearest lattice point, as everywhere in volnav. The space
/// may be another version at every call, of the same grid. Deterministic. Creating a corridor allocates;
/// nothing else does. One thread at a time for each corridor; spaces may be shared.
#ifndef VOLNAV_FOLLOW_H
#define VOLNAV_FOLLOW_H

#include "volnav/query.h"

// ---------------------------------------------------------------------------------------------- corridor

/// A path, and where its agent is: on the path, and really.
typedef struct vn_corridor vn_corridor;

typedef struct vn_corridor_def {
    vn_allocator allocator;
    uint32_t max_points; ///< of a path; default 256; 44 bytes each

    /// True: the path is followed as it is. For paths that minimise more than length (zones, preferred
    /// clearance), whose corners must not be cut. Default false: they are cut wherever line of sight allows.
    bool keep_corners;
    uint32_t cookie;
} vn_corridor_def;

VN_API vn_corridor_def vn_default_corridor_def(void);

/// VN_BAD_DEF. VN_BAD_ARGUMENT: max_points below 2. VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_corridor_create(const vn_corridor_def* def, vn_corridor** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_corridor_destroy(vn_corridor* corridor);

/// A place on the path.
typedef struct vn_corridor_place {
    vn_dvec3 position;
    vn_point point;   ///< the lattice point nearest to it
    uint32_t segment; ///< it lies on the segment from points[segment] to the next
    double ahead;     ///< metres along the path, from where the agent is on it
} vn_corridor_place;

typedef struct vn_corridor_info {
    uint32_t point_count; ///< 0: no path
    uint32_t segment;     ///< on which the agent is
    double length;        ///< of the path, metres
    double remaining;     ///< of it, ahead of the agent
    double offset;        ///< metres from where the agent is to its place on the path
    bool on_path;         ///< false: it sees no point of the path ahead; see vn_corridor_advance_to_position
    vn_dvec3 position;    ///< of the agent, as last reported
    vn_dvec3 place;       ///< of the agent on the path
    vn_dvec3 target;      ///< the last point
    uint32_t needed_points; ///< after VN_CAPACITY: max_points with which that call would have succeeded
} vn_corridor_info;

VN_API void vn_corridor_get_info(const vn_corridor* corridor, vn_corridor_info* out);

/// The points of the path; those before the agent's segment are behind it. Valid until the path changes.
VN_API const vn_point* vn_corridor_points(const vn_corridor* corridor, uint32_t* count);

/// Takes a path (vn_query_points, vn_nav_result): the agent is at its first point, and the old path is
/// forgotten. The points are copied. They must be free in `space`, as the paths of all searches are. A path
/// with connections is given in parts, each up to the next connection; of one that starts inside the agent's
/// own obstacles (inside_points), the part in free space. VN_BAD_ARGUMENT: no points. VN_OUTSIDE: a point
/// outside the space. VN_CAPACITY. On failure the old path stays. O(count).
VN_NODISCARD vn_status vn_corridor_set(vn_corridor* corridor, const vn_space* space, const vn_point* points,
                                       uint32_t count);

/// Forgets the path.
VN_API void vn_corridor_clear(vn_corridor* corridor);

/// Advances the agent by `metres` (not negative) along the path: it is then on it. Returns what remains.
VN_API double vn_corridor_advance(vn_corridor* corridor, double metres);

/// Reports where the agent really is. Its place on the path becomes the nearest visible one that is not
/// behind its last place; candidates are the point of each segment nearest to it and the corners. Within one
/// lattice step of a segment it does not look at later ones, so that a path may cross itself. VN_NOT_FOUND:
/// no candidate is visible, the agent is off the path, and its place stays. VN_OUTSIDE: nothing has changed.
/// O(points ahead), and mostly one line of sight.
VN_NODISCARD vn_status vn_corridor_advance_to_position(vn_corridor* corridor, const vn_space* space,
                                                       vn_dvec3 position);

/// The next corners, the target included: writes up to `capacity`, and returns how many.
VN_API uint32_t vn_corridor_next_corners(const vn_corridor* corridor, vn_dvec3* out, uint32_t capacity);

/// The farthest point of the path at most `metres` ahead that is visible from where the agent really is: of
/// the corners, and on the segment behind the farthest visible one (there by bisection). With keep_corners
/// not beyond the next corner. VN_NOT_FOUND: none is.
VN_NODISCARD vn_status vn_corridor_look_ahead(const vn_corridor* corridor, const vn_space* space,
                                              double metres, vn_corridor_place* out);

/// Where on its path the agent will be in so many seconds, if it flies at `speed` metres a second: the start
/// for a request whose result takes that long (Krafft 2019, 4.4.3). VN_NOT_FOUND: there is no path.
VN_NODISCARD vn_status vn_corridor_predict(const vn_corridor* corridor, double seconds, double speed,
                                           vn_corridor_place* out);

typedef enum vn_join {
    VN_JOIN_ALWAYS = 0,    ///< take the new path
    VN_JOIN_IF_SHORTER = 1 ///< keep the old one if it has the same target, is free, and not longer, what the
                           ///< turn costs the agent (steered) included, or if it is too fast for that turn
} vn_join;

/// Takes a new path while the agent is under way. It is joined ahead of the agent: if it begins on the old
/// path ahead of the agent (vn_corridor_predict), the old one leads there; then the agent flies straight to
/// the farthest visible corner of both. The agent never returns to the first point of a path that it has
/// passed. `joined` (may be null): false if the old path was kept. With keep_corners it joins at the nearest
/// place instead. VN_NOT_FOUND: no point of the new path is visible, and it does not begin on the old one;
/// the old path is kept: ask for a path from where the agent is. VN_BAD_ARGUMENT, VN_OUTSIDE, VN_CAPACITY: as
/// vn_corridor_set. O(points) lines of sight at most.
VN_NODISCARD vn_status vn_corridor_join(vn_corridor* corridor, const vn_space* space, const vn_point* points,
                                        uint32_t count, vn_join rule, bool* joined);

/// Moves the target a little without a search: the path ends at the earliest of its last 16 corners from
/// which the new target is visible (the old target may become a corner), and is pulled taut there.
/// VN_NOT_FOUND: it is visible from none; VN_BLOCKED: it is not free; VN_OUTSIDE; VN_CAPACITY. Then nothing
/// has changed.
VN_NODISCARD vn_status vn_corridor_move_target(vn_corridor* corridor, const vn_space* space, vn_point target);
VN_NODISCARD vn_status vn_corridor_move_target_position(vn_corridor* corridor, const vn_space* space,
                                                        vn_dvec3 target);

typedef enum vn_repair_kind {
    VN_REPAIR_KEPT = 0,     ///< the path ahead is free
    VN_REPAIR_REPAIRED = 1, ///< parts were replaced; the path ahead is free
    VN_REPAIR_REPLAN = 2    ///< it is blocked, and stays so: `reason`
} vn_repair_kind;

typedef struct vn_repair {
    vn_repair_kind kind;
    /// VN_START_BLOCKED, VN_GOAL_BLOCKED: the agent or its target is not free. Otherwise why the local search
    /// failed: VN_BUDGET_SPENT, VN_NO_PATH, VN_CAPACITY (of the query or the corridor); VN_STALE: the query
    /// searches another version than `space`.
    vn_status reason;
    double blocked;    ///< metres along the path from the agent to the first block; infinity if there is none
    double change;     ///< metres by which the path ahead became longer
    uint32_t searches; ///< local ones
    uint64_t expanded; ///< in all of them
} vn_repair;

/// Checks the path ahead of the agent in a new version of the space and repairs it where it is blocked: each
/// blocked part, from the last free point before it to the first free point behind it, is replaced by the
/// path of a search with at most `budget` expansions (all parts together; 0: no limit), up to 4 parts, and
/// pulled taut. `query` belongs to the same version; its last path is overwritten. O(voxels crossed) if the
/// path is free. Allocates nothing. VN_OK: see `out`. VN_BAD_ORDER: a search of the query is running.
VN_NODISCARD vn_status vn_corridor_repair(vn_corridor* corridor, const vn_space* space, vn_query* query,
                                          uint64_t budget, vn_repair* out);

// --------------------------------------------------------------------------------------------- wall slide

/// A move that slides along walls: the displacement, of `wanted` metres from `position`, that stays in free
/// space. Where a wall stops it, the rest goes on along the wall. Exact: the straight move by the result is
/// free under the rules of contact; it ends where the slide would bend around something. Zero if the position
/// is not free or `wanted` is not finite.
VN_API vn_dvec3 vn_space_slide(const vn_space* space, vn_dvec3 position, vn_dvec3 wanted);

// ----------------------------------------------------------------------------------------------- steering

/// Limits of an agent. It can stand in the air, and turn there.
typedef struct vn_steering_def {
    double speed;        ///< metres a second; default 3
    double acceleration; ///< in any direction, metres a second squared; default 6
    double turn_rate;    ///< of its forward direction, radians a second; infinity: no limit; default pi
    double climb;        ///< of its velocity against the horizontal, up or down, radians; default pi / 2: any
    double arrival;      ///< metres from the target that count as there; half as near it only brakes; default
                         ///< 0.05
    double detour;       ///< length that its turns may cost, as a share of the path; default 0.015
    double swing;        ///< metres that it may swing wide in a turn; 0 (default): a quarter of a voxel
    double look_ahead;   ///< metres; 0 (default): 32 voxels
    vn_vec3 up;          ///< unit; default +Y
    uint32_t cookie;
} vn_steering_def;

VN_API vn_steering_def vn_default_steering_def(void);

typedef enum vn_follow_state {
    VN_FOLLOW_IDLE = 0,    ///< no path
    VN_FOLLOW_MOVING = 1,  ///< flies, or turns on the spot
    VN_FOLLOW_ARRIVED = 2, ///< stands at the target
    VN_FOLLOW_WAITING = 3, ///< stands, because the way ahead is not free: repair or replan
    VN_FOLLOW_OFF_PATH = 4 ///< sees no point of its path ahead, and is more than a voxel away from its last
                           ///< corner: brakes, and needs a path from where it is
} vn_follow_state;

/// "idle", "moving" ...; null for an unknown value.
VN_API const char* vn_follow_state_name(vn_follow_state state);

/// Motion of an agent. The host may change position and velocity between steps.
typedef struct vn_agent_motion {
    vn_dvec3 position;
    vn_dvec3 velocity;   ///< metres a second
    vn_dvec3 forward;    ///< unit: the direction of the velocity; while the agent stands, where it looks
    vn_quat orientation; ///< turns +Z to forward, and +Y as near to `up` as that allows
    vn_follow_state state;
    bool held; ///< a wall held the agent back: it brakes, and is where it was. Only if the space or the
               ///< motion was changed from outside
} vn_agent_motion;

/// At rest. `forward` need not be a unit vector; zero: +Z.
VN_API vn_agent_motion vn_agent_motion_at(const vn_steering_def* def, vn_dvec3 position, vn_dvec3 forward);

/// One step of `dt` seconds (> 0) along the corridor: chooses the velocity, moves, and advances the corridor.
///
/// The agent flies towards the look-ahead point, slows down for corners so that it swings wide by at most
/// def.swing, and flies little farther than the path is long (def.detour), and stops at the target without
/// overshoot. Speed, acceleration, turn rate and climb are never exceeded. Each position is free, and so is
/// the straight way from the last one; the velocity is always one from which braking straight ahead stays in
/// free space. A position may differ from velocity times dt by up to 5 lattice steps, and a step onto a
/// corner may be shorter. On a path steeper than `climb` the agent zigzags, as far as walls allow.
/// VN_BAD_DEF, VN_BAD_ARGUMENT: the def or dt. VN_OUTSIDE: the position is outside the space. Then nothing
/// has changed.
VN_NODISCARD vn_status vn_steering_step(const vn_steering_def* def, vn_corridor* corridor,
                                        const vn_space* space, double dt, vn_agent_motion* motion);

/// The first half: the velocity that the corridor asks for, and the state. The corridor is advanced to the
/// agent's position. For hosts that alter the velocity, to avoid others for example.
VN_NODISCARD vn_status vn_steering_choose(const vn_steering_def* def, vn_corridor* corridor,
                                          const vn_space* space, double dt, const vn_agent_motion* motion,
                                          vn_dvec3* velocity, vn_follow_state* state);

/// The second half: moves with the velocity nearest to `velocity` that the limits and the walls allow, and
/// sets all of `motion` but its state.
VN_NODISCARD vn_status vn_steering_move(const vn_steering_def* def, const vn_space* space, double dt,
                                        vn_dvec3 velocity, vn_agent_motion* motion);

#endif
