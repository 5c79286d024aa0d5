/// volnav/sim.h: procedural test scenes, modelled on those of the theses and generated from a seed: worlds
/// that stand still, and worlds with a clock. Library volnav_sim.
#ifndef VOLNAV_SIM_H
#define VOLNAV_SIM_H

#include "volnav/nav.h"

typedef struct vn_scene_info {
    const char* name;        ///< such as "zigzag"
    const char* source;      ///< the scene it reproduces, such as "Massonnat 2023, figure 6.1"
    const char* description; ///< one line
    float resolution;        ///< edge of a voxel in the thesis, metres
    vn_box bounds;
    bool has_seed;
    vn_vec3 seed; ///< a free point; regions not connected to it are closed
} vn_scene_info;

VN_API uint32_t vn_scene_count(void);

/// Null if the index is out of range.
VN_API const vn_scene_info* vn_scene_get(uint32_t index);

/// False if no scene has that name.
VN_API bool vn_scene_find(const char* name, uint32_t* index);

/// Adds the obstacles of a scene to an empty world; one unit of the thesis is one metre. The same seed gives
/// the same world on every machine; scenes without randomness ignore the seed. VN_BAD_ARGUMENT: no such
/// scene. VN_BAD_ORDER: the world is not empty. Otherwise as vn_world_add; after a failure the world is empty
/// again.
VN_API vn_status vn_scene_build(uint32_t index, uint64_t seed, vn_world* world, vn_detail* detail);

// ----------------------------------------------------------------------------------- scenes with a clock
// A moving scene is a pure function: the time in seconds gives the state of each of its movers, in any order
// of times, on any thread, the same bytes on every machine. It holds no state of a run. What depends on an
// agent (blinkers that wait until it is gone) is a small state of the caller's.

/// Latest time, seconds: about 115 days.
#define VN_MAX_SCENE_SECONDS 1e7

/// Most movers of a scene, most of them that blink, and most points of one path.
#define VN_MAX_MOVERS        65536u
#define VN_MAX_BLINKERS      256u
#define VN_MAX_MOTION_POINTS 65536u

typedef enum vn_motion_kind {
    VN_MOTION_STILL = 0,  ///< static geometry; with `vanishes`, a wall that an explosion opens
    VN_MOTION_PATROL = 1, ///< at constant speed along a polyline and back, or round and round
    VN_MOTION_TURN = 2,   ///< turns about an axis through its position
    VN_MOTION_BLINK = 3,  ///< appears and disappears on a timer
    VN_MOTION_DRIFT = 4,  ///< constant velocity, until it meets the bounds of the scene
    VN_MOTION_ORBIT = 5,  ///< flies to a place, orbits it, flies to the next: a closed tour at constant speed
    VN_MOTION_KIND_COUNT
} vn_motion_kind;

/// "still", "patrol" ...; null for an unknown value.
VN_API const char* vn_motion_name(vn_motion_kind kind);

/// What a drifting mover does at the bounds of the scene.
typedef enum vn_motion_edge {
    VN_EDGE_BOUNCE = 0, ///< its box stays inside: it is reflected
    VN_EDGE_VANISH = 1, ///< it is gone for good once its centre has left
    VN_EDGE_RETURN = 2 ///< the same, but later it enters again through a random face, aimed at a random point
                       ///< inside. Lives last as long as the diagonal of the bounds takes
} vn_motion_edge;

/// A motion. Of the fields after `offset` only those of the kind are read; all zero is a valid start.
typedef struct vn_motion {
    vn_motion_kind kind;
    double offset; ///< seconds that are added to the time, 0 to VN_MAX_SCENE_SECONDS: the phase

    vn_vec3 position; ///< still, turn, blink: where it is; drift: where it is at time -offset

    const vn_vec3* points; ///< patrol: 2 or more, not all equal; orbit: 1 or more centres. Copied
    uint32_t point_count;
    double speed; ///< patrol, orbit: metres per second, above 0
    bool closed;  ///< patrol: from the last point straight to the first, instead of back the same way

    int axis;                ///< turn: 0 to 2, the x, y or z axis
    double turns_per_second; ///< turn: positive is counter-clockwise seen against the axis; within +- 1000

    double on, off; ///< blink: seconds, 0.001 or more; present first

    vn_vec3 velocity; ///< drift: metres per second
    vn_motion_edge edge;

    double radius;  ///< orbit: metres, above 0; horizontal circles (up is +Y), entered at +x
    uint32_t turns; ///< orbit: whole turns around each centre, 1 to 1000
} vn_motion;

/// Something that is in a scene for a time: an obstacle, perhaps with a zone around it.
typedef struct vn_mover_def {
    vn_shape shape; ///< box or sphere around the origin of its frame: a box with max = -min, or a sphere with
                    ///< center 0; more than 0 on each axis
    vn_motion motion;
    double appears, vanishes; ///< it is there in [appears, vanishes), seconds; default 0 and infinity

    /// Sphere of influence (Massonnat 2023, chapter 5: enemies to keep away from): a zone around the mover.
    float influence;        ///< metres; 0 (default): none. At most VN_MAX_ZONES movers have one
    float influence_factor; ///< of the zone, see vn_zone; default 4
    uint32_t cookie;
} vn_mover_def;

/// A still box of one metre at (0, 0, 0).
VN_API vn_mover_def vn_default_mover_def(void);

/// How the goal of the scene "krafft" moves.
typedef enum vn_goal_motion {
    VN_GOAL_MOTION_NONE = 0,
    VN_GOAL_MOTION_VERTICAL = 1,  ///< up and down along y (Krafft 2019, 5.2)
    VN_GOAL_MOTION_HORIZONTAL = 2 ///< back and forth along x (Krafft 2021, 5.1.4)
} vn_goal_motion;

typedef struct vn_moving_scene_def {
    vn_allocator allocator;
    const char* name; ///< see vn_moving_scene_get
    uint64_t seed;

    vn_goal_motion goal; ///< krafft
    bool mirrored;       ///< krafft: all of it mirrored along x: agent top right, goal bottom left

    vn_box bounds;       ///< all but krafft, whose own are 64 x 56 x 16 (default: 20 x 20 x 20)
    float resolution;    ///< the same: edge of a voxel, metres (default 0.625)
    uint32_t count;      ///< debris, hunters: how many (default 8)
    float size;          ///< debris, hunters: edges of boxes and diameters of spheres are 0.5 to 1 times this
                         ///< (default 1.5 metres)
    double speed;        ///< debris, hunters: 0.5 to 1 times this, metres per second (default 2)
    vn_motion_edge edge; ///< debris

    const vn_mover_def* movers; ///< of the caller's, after those of the scene; copied
    uint32_t mover_count;
    uint32_t cookie;
} vn_moving_scene_def;

/// "krafft", seed 0, the goal static.
VN_API vn_moving_scene_def vn_default_moving_scene_def(void);

/// The scenes with a clock: "krafft", "debris", "hunters", and "empty", which has only the movers of the
/// caller. Their bounds and resolution are those of the default def; has_seed is false.
VN_API uint32_t vn_moving_scene_count(void);

/// Null if the index is out of range.
VN_API const vn_scene_info* vn_moving_scene_get(uint32_t index);

/// False if no scene has that name.
VN_API bool vn_moving_scene_find(const char* name, uint32_t* index);

typedef struct vn_moving_scene vn_moving_scene;

/// Makes a scene. It never changes, so that any number of threads may read it. VN_BAD_DEF. VN_NOT_FOUND: no
/// scene has that name. VN_BAD_ARGUMENT: a value is not finite or out of range; detail->index is the mover at
/// fault, counted from the scene's first. Centres must stay inside the bounds, and the box of a mover that
/// bounces must fit into them. VN_UNSUPPORTED: another shape than a box or a sphere. VN_TOO_LARGE: more than
/// VN_MAX_MOVERS, VN_MAX_BLINKERS or VN_MAX_ZONES. VN_OUT_OF_MEMORY. Costs O(movers and points).
VN_NODISCARD vn_status vn_moving_scene_create(const vn_moving_scene_def* def, vn_moving_scene** out,
                                              vn_detail* detail);

/// Null is allowed.
VN_API void vn_moving_scene_destroy(vn_moving_scene* scene);

typedef struct vn_moving_scene_info {
    const vn_scene_info* kind; ///< entry of the table
    uint64_t seed;
    vn_box bounds;
    float resolution; ///< edge of a voxel, metres
    uint32_t movers, blinkers, walls;
    bool has_agent;      ///< krafft: the next ones and vn_moving_scene_get_goal mean something
    vn_vec3 start;       ///< of the agent
    double agent_radius; ///< metres
    double agent_speed;  ///< metres per second, above that of goal and movers
} vn_moving_scene_info;

VN_API void vn_moving_scene_get_info(const vn_moving_scene* scene, vn_moving_scene_info* out);

/// Static box i, below `walls`.
VN_API vn_box vn_moving_scene_wall(const vn_moving_scene* scene, uint32_t index);

/// Adds the walls to a world. After a failure none of them is left in it. As vn_world_add.
VN_NODISCARD vn_status vn_moving_scene_build(const vn_moving_scene* scene, vn_world* world,
                                             vn_detail* detail);

/// Where the goal is, and its velocity (may be null). VN_BAD_ARGUMENT: a time that is not in 0 to
/// VN_MAX_SCENE_SECONDS. VN_UNSUPPORTED: the scene has no goal.
VN_NODISCARD vn_status vn_moving_scene_get_goal(const vn_moving_scene* scene, double seconds,
                                                vn_vec3* position, vn_vec3* velocity);

typedef struct vn_mover_info {
    vn_motion_kind kind;
    int axis; ///< of turning movers; otherwise -1
    uint32_t
        color; ///< 0xRRGGBBAA. Krafft's: patrols green, about z red, about x dark blue, blinkers light blue
    vn_shape shape; ///< in its own frame: a box or a sphere

    /// What plans should keep away from (Krafft 2019, 4.4.4), in the same frame: the shape with a margin, and
    /// stretched along the motion. Still and blinking movers: the shape itself.
    vn_shape planning;
    vn_box reach; ///< all that the shape can ever cover lies inside; drift: the bounds of the scene
    double speed; ///< greatest speed of any of its points, metres per second
    float influence, influence_factor; ///< 0: none
} vn_mover_info;

/// Mover i, below `movers`.
VN_API void vn_moving_scene_get_mover(const vn_moving_scene* scene, uint32_t index, vn_mover_info* out);

typedef struct vn_mover_state {
    vn_transform transform; ///< from the mover's frame to local coordinates; its scale is 1
    vn_vec3 velocity;       ///< of its centre, metres per second
    vn_vec3 spin;           ///< angular velocity: the axis times radians per second
    bool present;           ///< if false, the rest is where it was, or would be
} vn_mover_state;

/// Which blinkers are there, a bit for each, in the order of the movers. Owned by the caller.
typedef struct vn_blinkers {
    uint64_t present[VN_MAX_BLINKERS / 64];
} vn_blinkers;

/// State of a mover at a time. `blinkers`: null, then blinkers keep to their timers. VN_BAD_ARGUMENT: no such
/// mover, or a time that is not in 0 to VN_MAX_SCENE_SECONDS. O(log points). Allocates nothing.
VN_NODISCARD vn_status vn_moving_scene_get_state(const vn_moving_scene* scene, uint32_t index, double seconds,
                                                 const vn_blinkers* blinkers, vn_mover_state* out);

/// What the timers say at a time: where a run begins. Times as above.
VN_NODISCARD vn_status vn_moving_scene_get_timers(const vn_moving_scene* scene, double seconds,
                                                  vn_blinkers* out);

/// Blinkers that change only while no agent is near (Krafft 2019, 4.4.4): each one whose timer says something
/// else than the state changes in `*blinkers`, unless one of the agents (local positions) is closer to its
/// shape than `distance` metres. A function of its arguments only. VN_BAD_ARGUMENT: the time, a distance
/// below 0, or a position that is not finite; then nothing has changed.
VN_NODISCARD vn_status vn_moving_scene_blink(const vn_moving_scene* scene, double seconds,
                                             const vn_vec3* agents, uint32_t agent_count, float distance,
                                             vn_blinkers* blinkers);

// ------------------------------------------------------------------------------------------- frame loop

/// A scene at work in one world, and in the nav that takes this world: remembers the ids of its movers.
/// One thread.
typedef struct vn_staging vn_staging;

typedef struct vn_staging_def {
    vn_allocator allocator;
    const vn_moving_scene* scene; ///< must live longer
    bool planning;                ///< the planning volumes instead of the shapes
    bool no_zones;                ///< without the spheres of influence
    uint32_t flags;               ///< of all movers, as in vn_world_set_flags
    uint32_t cookie;
} vn_staging_def;

VN_API vn_staging_def vn_default_staging_def(void);

/// VN_BAD_DEF; VN_BAD_ARGUMENT: no scene; VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_staging_create(const vn_staging_def* def, vn_staging** out);

/// Null is allowed. The obstacles stay where they are.
VN_API void vn_staging_destroy(vn_staging* staging);

/// Brings the movers and zones of the world to the state of a time: adds those that are there now, moves and
/// removes others, sets velocities. Those that have not moved cost nothing. `blinkers` as in
/// vn_moving_scene_get_state. Call it once before vn_nav_create, and then vn_staging_to_nav every frame,
/// before the tick. Still movers are static obstacles. Allocates only when something appears.
/// VN_BAD_ARGUMENT: the time. Otherwise as vn_world_add_moving and vn_world_add_zone; after a failure some
/// movers may be at the new time and some at the old: call it again. VN_STALE_ID: something else removed one
/// of the movers.
VN_NODISCARD vn_status vn_staging_to_world(vn_staging* staging, vn_world* world, double seconds,
                                           const vn_blinkers* blinkers, vn_detail* detail);

/// The same for a nav: the one that took the world, or one without any of the movers.
VN_NODISCARD vn_status vn_staging_to_nav(vn_staging* staging, vn_nav* nav, double seconds,
                                         const vn_blinkers* blinkers, vn_detail* detail);

/// Id of mover i; the null id while it is not there.
VN_API vn_obstacle_id vn_staging_obstacle(const vn_staging* staging, uint32_t index);

// ------------------------------------------------------------------------------------- asteroid fields
// The worlds in which Maruszczyk 2016 tests autopilots: nodes of 4 metres, some of them rock that stands
// still, and asteroids that fly through everything at constant velocity. Where an asteroid is follows from
// time and seed alone.

/// Edge of a node, metres, and nodes along x, y and z: 200 x 100 x 200 metres.
#define VN_ROCK_NODE   4.0f
#define VN_ROCK_NODES  50
#define VN_ROCK_HEIGHT 25

typedef enum vn_rock_layout {
    VN_ROCKS_SPARSE = 0, ///< 2,079 of 62,500 nodes, as in the thesis, which calls it 4 %
    VN_ROCKS_EVEN = 1,   ///< 10,000 nodes (16 %), spread evenly
    VN_ROCKS_MAZE = 2,   ///< 16 %: eight walls across x, each with one window of 3 x 3 nodes
    VN_ROCKS_LARGE = 3,  ///< sparse, of 75 x 25 x 175 nodes: the thesis's world of 300 x 100 x 700 metres
    VN_ROCKS_30 = 4,     ///< sparse, of 30 x 8 x 30 nodes: the thesis's worlds of experiments 1 and 2 ...
    VN_ROCKS_60 = 5,     ///< ... of 60 x 15 x 60 ...
    VN_ROCKS_120 = 6,    ///< ... and of 120 x 30 x 120 nodes
    VN_ROCK_LAYOUT_COUNT
} vn_rock_layout;

/// Where a flight through the rocks begins and ends: centres of nodes, which no layout blocks, nor what is
/// around them. Layouts of other sizes have other goals.
VN_API vn_dvec3 vn_rocks_start(void);
VN_API vn_dvec3 vn_rocks_goal(void);
VN_API vn_dvec3 vn_rocks_goal_of(vn_rock_layout layout);

/// The bounds of a layout are (0, 0, 0) and this, metres.
VN_API vn_dvec3 vn_rocks_size(vn_rock_layout layout);

/// Adds rocks to a world: boxes that stay `gap` metres (0 to 1.5) inside their nodes. A bake with resolution
/// 4 and these bounds blocks exactly the nodes of the layout for radii up to the gap. The maze has a box for
/// each part of a wall. VN_BAD_ARGUMENT: an unknown layout, or another gap. Otherwise as vn_world_add.
VN_NODISCARD vn_status vn_rocks_build(vn_rock_layout layout, uint64_t seed, float gap, vn_world* world,
                                      vn_detail* detail);

typedef struct vn_asteroid {
    uint64_t id;       ///< the same for as long as it exists
    vn_dvec3 position; ///< of the centre, metres
    vn_dvec3 velocity; ///< metres per second
    double radius;     ///< metres
} vn_asteroid;

typedef struct vn_asteroids_def {
    vn_allocator allocator;
    uint64_t seed;
    uint32_t count;                ///< so many in each cube of `tile` metres, at most 60000 (default 50)
    double tile;                   ///< metres (default 30)
    double radius_min, radius_max; ///< metres (default 0.4 and 0.6)
    double speed;                  ///< metres per second (default 0.8) ...
    double speed_spread;           ///< ... and the fraction by which it varies (default 0.2)

    /// The part of them that crosses the route instead of drifting anywhere (default 0.5): each comes from
    /// `entry` metres away, passes a random place of the route at a random time, at most `spread` metres off,
    /// and vanishes as far behind it. They appear at least entry / 2 from the route. Of these, as many are in
    /// flight per metre of route as a corridor of 30 x 30 metres would hold by the density.
    double aimed;
    const vn_dvec3* route; ///< metres; read by vn_asteroids_create only. At `route[0]` a ship starts
    uint32_t route_count;  ///< 0: none is aimed
    double entry;          ///< metres (default 22)
    double spread;         ///< metres (default 5)
    double clear;          ///< at time 0 none is nearer to the start than this, metres (default 6)
    double seconds;        ///< how long they go on crossing the route (default 600)
    uint32_t cookie;
} vn_asteroids_def;

VN_API vn_asteroids_def vn_default_asteroids_def(void);

/// A field: never changes, so that any number of threads may read it. Without bounds.
typedef struct vn_asteroids vn_asteroids;

/// VN_BAD_DEF. VN_BAD_ARGUMENT: a value is not finite or out of range. VN_TOO_LARGE: more than a million
/// cross the route. VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_asteroids_create(const vn_asteroids_def* def, vn_asteroids** out,
                                           vn_detail* detail);

/// Null is allowed.
VN_API void vn_asteroids_destroy(vn_asteroids* field);

/// The asteroids whose surface is at most `reach` metres from a position at a time: what a radar sees. Writes
/// at most `capacity` of them, always in the same order, and sets `*count` to the number of all. VN_CAPACITY:
/// `capacity` is smaller. VN_BAD_ARGUMENT: a value is not finite, a time that is not in 0 to
/// VN_MAX_SCENE_SECONDS, or a reach that is not in 0 to 1000. O(asteroids in flight). Allocates nothing.
VN_NODISCARD vn_status vn_asteroids_near(const vn_asteroids* field, double seconds, vn_dvec3 position,
                                         double reach, vn_asteroid* out, uint32_t capacity, uint32_t* count);

// ----------------------------------------------------------------------------------- emulated obstacles

/// Maruszczyk 2016, "True Dynamic obstacles": before there were any, nodes of the path itself were marked as
/// not passable at a given rate.
typedef struct vn_emulated_def {
    uint64_t seed;
    uint32_t nodes;    ///< how many are blocked at a time (default 1)
    uint32_t interval; ///< steps until others are blocked instead, 1 or more (default 10)
    uint32_t spared;   ///< so many nodes at the beginning of the path stay free, the first always (default 1)
    uint32_t cookie;
} vn_emulated_def;

VN_API vn_emulated_def vn_default_emulated_def(void);

/// Indices of the nodes of a path that are blocked in a step, ascending; never the last node. A function of
/// the def, step / interval, and the path. Writes at most `capacity` of them, the lowest, and sets `*count`
/// to the number of all: `nodes`, or as many as there are. VN_CAPACITY: `capacity` is smaller. VN_BAD_DEF;
/// VN_BAD_ARGUMENT: interval 0. O(path). Allocates nothing.
VN_NODISCARD vn_status vn_emulate_blocks(const vn_emulated_def* def, uint64_t step, const vn_voxel* path,
                                         uint32_t path_count, uint32_t* out, uint32_t capacity,
                                         uint32_t* count);

#endif
