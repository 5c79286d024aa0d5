/// volnav/nav.h: the runtime system of a game: a changing world, spaces that follow it, and path requests
/// processed in the background. The thread that owns the nav (the host) never waits, except in lockstep mode.
///
///   every frame:  vn_nav_move, vn_nav_submit ...  ->  vn_nav_tick  ->  vn_nav_next_result, vn_nav_next_event
///
/// Changes are collected. An update creates the next version of the space from all changes made since the
/// previous update began; one update runs at a time. A request runs on the newest version available when it
/// begins, and its result names that version. All functions must be called on the host's thread, except for
/// vn_nav_work. In steady
/// state (a fixed set of moving obstacles and zones, requests and watches within their limits) the host's
/// calls allocate nothing, except for vn_nav_sense, unless there are no workers and a request or an update
/// needs more memory than ever before.
#ifndef VOLNAV_NAV_H
#define VOLNAV_NAV_H

#include "volnav/changes.h"
#include "volnav/planner.h"
#include "volnav/query.h"

typedef struct vn_nav vn_nav;

typedef enum vn_nav_mode {
    VN_NAV_REALTIME = 0, ///< results appear as soon as they are ready
    VN_NAV_LOCKSTEP = 1  ///< results appear a fixed number of ticks after their work began: the same calls
                         ///< give the same bytes for any number of workers. A tick waits for what is due.
} vn_nav_mode;

/// When an update begins (Massonnat 2023, 5.4).
typedef enum vn_update_policy {
    VN_UPDATE_ALWAYS = 0,     ///< as soon as something has changed
    VN_UPDATE_EVERY_N = 1,    ///< when update_interval ticks have passed since the last update began
    VN_UPDATE_LAST_MOMENT = 2 ///< when a change touches a watched path, or a request arrives; the request
                              ///< then sees all changes made before it. A move that is undone in between
                              ///< costs nothing. Also when thousands of changes have accumulated.
} vn_update_policy;

typedef struct vn_nav_def {
    vn_allocator allocator; ///< must be thread-safe if there are workers or slots
    uint32_t workers; ///< background threads, up to 64; 0: all work is done inside vn_nav_tick, or in slots
    vn_nav_mode mode;
    uint32_t latency; ///< lockstep: ticks from the beginning of an update or request to its result, 1 to 1000
                      ///< (default 2)
    vn_update_policy policy;
    uint32_t update_interval; ///< ticks, for VN_UPDATE_EVERY_N (default 4)

    /// Parameters of the bake. Its allocator, radius and open_flags are ignored; cells are required. With a
    /// seed, points that are not connected with it in a version
    /// count as blocked there: for requests, nearest and random points, but not for voxels, sight and rays.
    /// While an obstacle covers the seed, the free voxel nearest to it takes its place. The bounds are fixed
    /// at creation. The jobs bake the first version and later run updates in which a static obstacle has
    /// changed (on a worker's thread, if there are workers).
    vn_space_def space;
    vn_layer_def layers[VN_MAX_LAYERS]; ///< in any order, as for vn_layers_bake (default: one, radius 0)
    uint32_t layer_count;
    uint32_t static_layers; ///< bit i: layers[i] is never updated and stays at the first version
    uint32_t max_requests;  ///< waiting, running, or with a result not released; 1 to 2^20 (default 256)
    uint32_t max_points;    ///< of a path; longer ones return VN_CAPACITY, with their number in
                            ///< needed_points, for vn_nav_grow (default 1024)
    uint32_t max_watches;   ///< up to 2^19 (default 256)

    /// Realtime without workers and slots: limit on the work of a tick, in work units; the next tick
    /// continues the rest, of requests and updates. 0 (default): none, and the update comes first. One unit
    /// is an expansion of a search, or as much of an update (docs/dynamic.md). A tick exceeds it by at most
    /// the largest piece that cannot be divided.
    uint64_t budget;
    uint64_t (*clock)(void* user); ///< in nanoseconds, for statistics; may be null; called on any thread
    void* clock_user;
    bool measure_stages; ///< also measure the stages of updates; reads the clock about twenty times per block

    /// Threads of the host that may call vn_nav_work at the same time, up to 64 (default 0). With slots and
    /// no workers the tick does no work itself; in lockstep it finishes what is due.
    uint32_t slots;

    /// Percent of the work that updates get while both an update and requests wait, 1 to 99 (default 50); the
    /// rest is for requests. Where one has nothing to do, the other gets all. Ignored in lockstep, and
    /// without workers, slots and budget.
    uint32_t update_share;

    /// Versions whose changes are kept for vn_nav_get_changes, up to 2^16; 0 (default): none, and nothing is
    /// paid for them. With a history every change of an obstacle makes a version, also one that blocks and
    /// frees no voxel.
    uint32_t history;

    /// Bits 1 << vn_nav_graph_kind: graphs of the dynamic layers for which changes by node are listed; 0
    /// (default): none. Needs a history. Who pays: creating the nav builds the graph over cells, O(cells); an
    /// update lists the changes of grids by node, and for cells what went and came, with neighbours; the
    /// graph over cells itself goes on when a reader does (vn_nav_graph_advance), on the reader's thread.
    uint32_t graphs;
    uint32_t cookie;
} vn_nav_def;

VN_API vn_nav_def vn_default_nav_def(void);

/// Bakes the first version. On VN_OK the nav owns the world: it must not be used by anyone else. The world's
/// allocator is used by workers and host (for zones), so it must be thread-safe too. The ids of existing
/// obstacles and zones remain valid for the functions below. On failure the world stays with the caller.
/// VN_BAD_DEF, VN_BAD_ARGUMENT, VN_UNSUPPORTED (also: workers in a build without threads), and those of
/// vn_layers_bake.
VN_NODISCARD vn_status vn_nav_create(vn_world* world, const vn_nav_def* def, vn_nav** out, vn_detail* detail);

/// As vn_nav_create, but the first version is not baked: it is that of `layers`, which were baked before or
/// read from a .vnav (vn_layers_read, vn_layers_load_file). Resolution, bounds, unknown space and layers of
/// the def are ignored: those of the layers count, in their order, also for `static_layers`. The layers must
/// have been baked from this world (vn_world_hash, otherwise VN_STALE), either from all of its obstacles or
/// from the static ones alone: then the moving ones are added. The versions are the same, byte for byte, as
/// those of a nav that bakes. The nav shares memory with the layers, which stay the caller's, may be
/// destroyed at any time, and may serve several navs; they must have the def's allocator (VN_BAD_ARGUMENT).
/// VN_UNSUPPORTED: layers without cells. Costs a hash of the world, tables, and voxelising static obstacles
/// in the blocks that moving ones touch, if these were baked. Parts that a seed closed in the bake open again
/// in blocks that are voxelised later: set space.has_seed to keep them closed for requests. VN_UNSUPPORTED
/// also: static_layers, but layers baked from the static obstacles alone. Layers that a nav has saved bring
/// the voxels of its sensed sets along, which replace those that the sets have in the world: VN_STALE if
/// there are no such sets in the same slots. With sensed sets, or refused unknown space, beside other
/// obstacles each kind is voxelised once.
VN_NODISCARD vn_status vn_nav_create_baked(vn_world* world, const vn_layers* layers, const vn_nav_def* def,
                                           vn_nav** out, vn_detail* detail);

/// Raises max_points, after a result of VN_CAPACITY; a smaller number changes nothing:
///
///   vn_nav_grow(nav, result.result.needed_points, &detail), then the same request again
///
/// It holds for requests and watches made from now on. Results that are held, requests under way and watches
/// stay as they are. The memory is taken when they are made: vn_nav_submit and vn_nav_watch may then return
/// VN_OUT_OF_MEMORY, with nothing changed. VN_TOO_LARGE: more than 2^28.
VN_NODISCARD vn_status vn_nav_grow(vn_nav* nav, uint32_t max_points, vn_detail* detail);

/// Waits for running work, then frees everything: the world, and results and versions that were not
/// collected, released or unpinned. Null is allowed.
VN_API void vn_nav_destroy(vn_nav* nav);

/// Advances by one tick: collects finished work and starts what is due. Without workers it does the work
/// itself. VN_OUT_OF_MEMORY: an update failed. The last version stays current, and the next tick tries again,
/// together with all changes made until then: an obstacle that needs too much memory can be removed. Requests
/// under VN_UPDATE_LAST_MOMENT wait for that update. VN_TOO_LARGE: the same; a solid mesh crosses 2^32 or
/// more lines of voxels.
VN_NODISCARD vn_status vn_nav_tick(vn_nav* nav, vn_detail* detail);

/// Does one piece of work: a slice of an update or of a request, usually well below a millisecond. For
/// threads of the host, in place of workers or beside them: `slot` is below def.slots, and of the threads
/// that call at the same time each has a slot of its own. True if it has done something: call it again.
/// False: nothing is ready now, or there is no such slot; a tick, or a piece that another thread ends, may
/// change that. This is the one function for other threads than the host's; in a build without threads it is
/// for the host's. Results and versions appear at the host's ticks. No call may be under way when the nav is
/// destroyed.
VN_API bool vn_nav_work(vn_nav* nav, uint32_t slot);

// ----------------------------------------------------------------------------------------------- changes
// These correspond to the functions of volnav/world.h with the same names and return the same statuses.
// Versions whose update begins later include the change. A change accepted with VN_OK is never lost: an
// update that runs out of memory keeps its changes, and the next tick tries again. On any other status
// nothing has changed, and later ids are the same as without the call.

/// Adds an obstacle; `flags` as in vn_world_set_flags. The shape is copied.
VN_NODISCARD vn_status vn_nav_add(vn_nav* nav, const vn_shape* shape, uint32_t flags, vn_obstacle_id* out,
                                  vn_detail* detail);
VN_NODISCARD vn_status vn_nav_add_moving(vn_nav* nav, const vn_shape* shape, const vn_transform* transform,
                                         uint32_t flags, vn_obstacle_id* out, vn_detail* detail);

/// As vn_world_move, with the same checks. Moving an obstacle several times before an update begins costs as
/// much as moving it once. O(1); hulls: their vertices.
VN_NODISCARD vn_status vn_nav_move(vn_nav* nav, vn_obstacle_id id, const vn_transform* transform,
                                   vn_detail* detail);
VN_API vn_status vn_nav_set_flags(vn_nav* nav, vn_obstacle_id id, uint32_t flags);

/// Takes a batch of voxels that a depth camera or lidar has seen, as vn_world_sense: made for 10^5 voxels at
/// 10 Hz. The sets are static voxel sets with as.voxels.sensed, of the world at creation or added later;
/// `unknown` has VN_FLAG_UNKNOWN, and space.unknown says how it counts, VN_UNKNOWN_REFUSED included: then
/// results say that an end lies in unknown space (vn_space_point_unknown). Batches before an update begins
/// are joined: later ones win, and each 4x4x4 cube counts once. The update stamps the chunks of 16^3 voxels
/// around changed cubes again, in each layer by its radius, and no others. Allocates: 80 bytes for each entry
/// during the call, and up to 48 for each cube until an update has taken it.
VN_NODISCARD vn_status vn_nav_sense(vn_nav* nav, const vn_sense_batch* batch, uint32_t* outside,
                                    vn_detail* detail);

/// Velocity in metres per second. Stored for the host's own steering and avoidance: only vn_nav_get_velocity
/// reads it. It does not move the obstacle (call vn_nav_move), and neither searches nor watches look ahead by
/// it. Takes effect immediately. As vn_world_set_velocity and vn_world_get_velocity.
VN_NODISCARD vn_status vn_nav_set_velocity(vn_nav* nav, vn_obstacle_id id, vn_vec3 velocity);
VN_NODISCARD vn_status vn_nav_get_velocity(const vn_nav* nav, vn_obstacle_id id, vn_vec3* out);

/// The current transform, including pending changes. VN_STALE_ID; VN_UNSUPPORTED: not a moving obstacle.
VN_NODISCARD vn_status vn_nav_get_transform(const vn_nav* nav, vn_obstacle_id id, vn_transform* out);

/// A moving obstacle as the host knows it, pending changes included.
typedef struct vn_nav_mover {
    vn_obstacle_id id;
    uint32_t flags;
    vn_shape_kind kind;
    vn_transform transform;
    vn_vec3 velocity; ///< as set by vn_nav_set_velocity
    vn_box bounds;    ///< of its shape, before the transform; for a sphere, the cube around it
} vn_nav_mover;

/// Goes through the moving obstacles in the order of their slots: `*at` is 0 at first, and is changed by the
/// call. False: there are no more. For steering: `for (uint32_t at = 0; vn_nav_next_mover(nav, &at, &m);)`.
VN_API bool vn_nav_next_mover(const vn_nav* nav, uint32_t* at, vn_nav_mover* out);
VN_API vn_status vn_nav_remove(vn_nav* nav, vn_obstacle_id id);

/// True if the obstacle exists, including pending changes.
VN_API bool vn_nav_has(const vn_nav* nav, vn_obstacle_id id);

/// Zones (volnav/world.h) apply to every request, in addition to its own, by its zone_flags. Zones of the
/// world at creation are included from the start. Changes of zones are collected with all others and appear
/// in the same versions. If nothing else has changed, the new version shares the spaces of the previous one
/// and costs only a copy of its tables. Moving a zone away and back before an update begins is no change.
VN_NODISCARD vn_status vn_nav_add_zone(vn_nav* nav, const vn_zone_def* def, vn_zone_id* out,
                                       vn_detail* detail);
VN_NODISCARD vn_status vn_nav_move_zone(vn_nav* nav, vn_zone_id id, const vn_transform* transform,
                                        vn_detail* detail);
VN_API vn_status vn_nav_remove_zone(vn_nav* nav, vn_zone_id id);
VN_API bool vn_nav_has_zone(const vn_nav* nav, vn_zone_id id);

// ---------------------------------------------------------------------------------------------- requests

typedef uint64_t vn_request_id; ///< never 0, never reused

typedef struct vn_nav_request {
    /// VN_ALGO_CELLS only; zones and connections are copied. The obstacles of path.inside must move and have
    /// VN_FLAG_BODY (VN_UNSUPPORTED), and inside_world is null. The footprints are those of the version that
    /// the request runs on: an obstacle that the version does not have yet, or no longer, opens nothing, and
    /// in a static layer none does. No bake: O(voxels of the footprints).
    vn_path_request path;
    /// Null: cells answer. Else this planner does, which lives on from request to request and repairs what it
    /// knows (volnav/planner.h, volnav/replan.h), on any thread that works for the nav: it and its allocator
    /// must bear that. It plans on the version of the request; of `path` it gets start and goal, radius and
    /// open_flags must be those of its graph, and the rest must be as in the default (VN_UNSUPPORTED). It is
    /// used from the submission to the result, by one request at a time (VN_BAD_ORDER), and must live so
    /// long. A planner that cannot go to that version gives VN_STALE.
    const vn_planner* planner;
    int32_t priority;  ///< higher first; equal ones in order of submission
    uint32_t deadline; ///< realtime: cancelled (VN_CANCELLED) if not begun after this many ticks; 0: none
    uint64_t user;     ///< returned with the result
    bool by_id;        ///< the result is fetched by vn_nav_take_result, not by vn_nav_next_result: for parts
                       ///< of a program that share a nav without seeing each other's results
} vn_nav_request;

VN_API vn_nav_request vn_default_nav_request(void);

/// Submits a request; the next tick may begin it. `*out` receives its id. VN_CAPACITY: max_requests are
/// waiting, running, or have results not released. Invalid requests fail immediately, as in vn_query_begin.
VN_NODISCARD vn_status vn_nav_submit(vn_nav* nav, const vn_nav_request* request, vn_request_id* out,
                                     vn_detail* detail);

/// Cancels a request: its result will be VN_CANCELLED. VN_STALE_ID: no such request is waiting or running.
VN_API vn_status vn_nav_cancel(vn_nav* nav, vn_request_id id);

/// Result of a request. With VN_CANCELLED, version is 0 and space, points and connections are empty.
/// result.status may also be VN_OUT_OF_MEMORY: a version with many more cells than before needs more scratch
/// memory than is available.
typedef struct vn_nav_result {
    vn_request_id id;
    uint64_t user;
    uint64_t version;              ///< of the space in which the path was found
    const vn_space* space;         ///< that space: the layer, in that version; valid as long as the points
    uint64_t begin_tick, end_tick; ///< ticks in which the request began and its result arrived
    vn_path_result result;
    const vn_point* points; ///< valid until the result is released
    uint32_t point_count;
    const vn_connection_use* connections; ///< as vn_query_connections; valid as long as the points
    uint32_t connection_count;
} vn_nav_result;

/// The next result, in order of completion (lockstep: of submission); false if there is none. The result
/// counts towards max_requests and keeps its version alive until vn_nav_release_result.
VN_API bool vn_nav_next_result(vn_nav* nav, vn_nav_result* out);

/// The result of a request that was submitted with `by_id`, once; as vn_nav_next_result otherwise.
/// VN_RUNNING: there is none yet. VN_STALE_ID: there is no such request, it was not submitted with `by_id`,
/// or its result was taken before. O(1).
VN_NODISCARD vn_status vn_nav_take_result(vn_nav* nav, vn_request_id id, vn_nav_result* out);

/// Gives up a request that was submitted with `by_id`, in any state: it is cancelled, and its result is
/// released as soon as there is one. VN_STALE_ID: there is no such request. O(log n).
VN_API vn_status vn_nav_abandon(vn_nav* nav, vn_request_id id);

/// The path of a collected result as world positions: writes up to `capacity` of them, and sets `*count` to
/// the number of all. VN_CAPACITY: `capacity` is smaller than that. VN_STALE_ID: the result is released.
VN_NODISCARD vn_status vn_nav_get_positions(const vn_nav* nav, const vn_nav_result* result, vn_dvec3* out,
                                            uint32_t capacity, uint32_t* count);

/// Releases a collected result. No effect on one that is not collected yet, or already released.
VN_API void vn_nav_release_result(vn_nav* nav, vn_request_id id);

// ---------------------------------------------------------------------------------------------- watching

typedef uint64_t vn_watch_id; ///< never 0, never reused

/// How a path is watched. Events tell when the path becomes blocked between the agent and its horizon, and
/// when it is free there again.
typedef struct vn_watch_def {
    /// Metres ahead of the agent, along the path; or seconds at `speed` (metres per second). If both are
    /// given, the farther one counts. 0 (default): the whole path.
    double horizon;
    double horizon_seconds;
    double speed;
    bool once;     ///< the first VN_EVENT_PATH_BLOCKED ends the watch, when it is read
    uint64_t user; ///< returned with each event

    // For vn_nav_watch_points only; the path of a result brings its own.
    float radius;        ///< of the agent, as in vn_nav_request
    uint32_t open_flags; ///< as in vn_path_request, like the next one
    uint32_t zone_flags;
    uint64_t version; ///< in which the path was found, see vn_nav_watch_costs; 0: the newest
    const vn_connection_use* connections; ///< as in vn_nav_result
    uint32_t connection_count;
    vn_obstacle_id inside[VN_MAX_INSIDE]; ///< the agent's own obstacles, which do not block the path
    uint32_t inside_count;
    uint32_t cookie;
} vn_watch_def;

VN_API vn_watch_def vn_default_watch_def(void);

/// Watches the path of a result that is not released yet: its points (copied), for its agent, from its
/// version on. The obstacles that its request names in `inside` never block it, wherever they are: the agent
/// takes them along. Such a path is checked at every update. The first check is part of the next update that
/// begins. Steps by connections are not checked. VN_BAD_ARGUMENT: no points, or a negative horizon.
/// VN_CAPACITY: max_watches. VN_STALE_ID: the result is released.
VN_NODISCARD vn_status vn_nav_watch(vn_nav* nav, const vn_nav_result* result, const vn_watch_def* def,
                                    vn_watch_id* out, vn_detail* detail);

/// The same for any polyline. Also VN_CAPACITY: max_points. VN_UNSUPPORTED: no layer for this agent.
/// VN_STALE_ID: the version is not held.
VN_NODISCARD vn_status vn_nav_watch_points(vn_nav* nav, const vn_point* points, uint32_t count,
                                           const vn_watch_def* def, vn_watch_id* out, vn_detail* detail);

/// Reports that the agent is at the first point of `segment`; at first it is at the first point of the path.
/// What lies behind it is no longer checked. A block that enters the horizon is an event at once, without an
/// update. O(points); if the agent turns back, or is inside or past a blocked place, the path ahead is
/// checked at once, which takes O(voxels crossed). VN_STALE_ID. VN_BAD_ARGUMENT: no such segment.
VN_API vn_status vn_nav_watch_advance(vn_nav* nav, vn_watch_id watch, uint32_t segment);

/// The same by metres along the path from its first point, clamped to its length. Steps by connections have
/// no length. VN_STALE_ID. VN_BAD_ARGUMENT: NaN.
VN_API vn_status vn_nav_watch_advance_to(vn_nav* nav, vn_watch_id watch, double metres);

/// The same by position: the place on the path nearest to `point`, among those not behind the last reported
/// one; of several, the first. Where a path runs close to itself, metres are the safer measure. VN_STALE_ID.
VN_API vn_status vn_nav_watch_advance_near(vn_nav* nav, vn_watch_id watch, vn_point point);

/// The same for a position. VN_OUTSIDE: it is outside the space or not finite; the agent stays where it was.
VN_API vn_status vn_nav_watch_advance_near_position(vn_nav* nav, vn_watch_id watch, vn_dvec3 position);

/// Sets the horizon, metres; 0: the whole path. VN_STALE_ID. VN_BAD_ARGUMENT: negative or NaN.
VN_API vn_status vn_nav_watch_set_horizon(vn_nav* nav, vn_watch_id watch, double metres);
VN_API vn_status vn_nav_unwatch(vn_nav* nav, vn_watch_id watch);

/// State of a watch.
typedef struct vn_watch_info {
    uint64_t user;
    double progress, length; ///< of the agent, and of the path, metres
    double horizon;          ///< metres; infinity: the whole path
    bool known;              ///< false: the first check has not ended yet
    bool blocked;     ///< anywhere ahead, also beyond the horizon, in the newest version known to the host
    uint32_t segment; ///< if blocked: as in the event, like the next ones
    vn_point point;
    double distance;
    vn_dvec3 position;       ///< of `point`, world metres
    vn_dvec3 agent_position; ///< at `progress`, world metres
} vn_watch_info;

/// VN_STALE_ID. O(points).
VN_NODISCARD vn_status vn_nav_get_watch(const vn_nav* nav, vn_watch_id watch, vn_watch_info* out);

/// Sets the version from which cost changes of a watched path are measured: that of its result, as long as a
/// result not released or a pin holds it, otherwise VN_STALE_ID. 0: the newest version known to the host.
/// `zone_flags` as in the request. vn_nav_watch does this with the version and the flags of its result.
VN_NODISCARD vn_status vn_nav_watch_costs(vn_nav* nav, vn_watch_id watch, uint32_t zone_flags,
                                          uint64_t version);

typedef enum vn_nav_event_kind {
    VN_EVENT_VERSION = 1,      ///< a new version is available; only the newest is reported
    VN_EVENT_PATH_BLOCKED = 2, ///< a watched path is blocked between its agent and the horizon

    /// Zones have changed on a watched path, anywhere ahead of its agent. Better alternatives are not
    /// reported: if they matter, search again when there is a new version. A change gives no event if the
    /// agent has passed it all before the event is read.
    VN_EVENT_COSTS_CHANGED = 3,

    /// After VN_EVENT_PATH_BLOCKED: the path is free up to the horizon again, because the obstacle moved, or
    /// because the block is now behind the agent or beyond the horizon. The two take turns. A change that is
    /// undone before its event is read gives no event.
    VN_EVENT_PATH_FREE = 4
} vn_nav_event_kind;

typedef struct vn_nav_event {
    vn_nav_event_kind kind;
    uint64_t version; ///< that the event refers to
    vn_watch_id watch;
    uint32_t segment; ///< the first that is blocked, or whose cost has changed; free: that of the agent
    vn_point point;   ///< blocked: the last free point of that segment, rounded towards its start; otherwise
                      ///< its start

    /// VN_EVENT_COSTS_CHANGED: change in the cost of the path ahead since the last report, metres.
    double cost_change;
    uint64_t user;     ///< of the watch
    double distance;   ///< blocked: metres along the path from the agent to `point`
    vn_dvec3 position; ///< of `point`, world metres
} vn_nav_event;

/// The next event; false if there is none.
VN_API bool vn_nav_next_event(vn_nav* nav, vn_nav_event* out);

// ---------------------------------------------------------------------------------------------- versions

/// Pins the newest version of the layer for an agent (vn_layers_find), for queries of the host on any thread.
/// It stays valid until unpinned. Null, with nothing pinned, if there is no such layer.
VN_API const vn_space* vn_nav_pin(vn_nav* nav, double radius, uint32_t open_flags, uint64_t* version);

/// Undoes one pin. VN_STALE_ID: the version is not pinned.
VN_API vn_status vn_nav_unpin(vn_nav* nav, uint64_t version);

/// The zones of a version, for requests of the host. Valid as long as a pin or a result not released holds
/// the version; those of the newest version known to the host, until the next tick. VN_STALE_ID: the version
/// is not held.
VN_NODISCARD vn_status vn_nav_get_zones(const vn_nav* nav, uint64_t version, const vn_zone** out,
                                        uint32_t* count);

/// Boxes (local) around the zones that differ between a version and the one before: their old and new
/// extents. Valid as long as the zones. VN_STALE_ID.
VN_NODISCARD vn_status vn_nav_get_cost_changes(const vn_nav* nav, uint64_t version, const vn_box** out,
                                               uint32_t* count);

// ----------------------------------------------------------------------------- changes and graphs of
// versions For planners that repair what they know instead of searching anew. These functions may be called
// on any thread, like vn_nav_work; none may be under way when the nav is destroyed, and all that they gave
// out must have been given back. In lockstep a thread other than the host's sees the newest version at no
// fixed tick.

/// The changes of a version against the one before, held until vn_nav_release_changes. VN_STALE: older than
/// the last def.history versions, or the first one. VN_BAD_ARGUMENT: no such version yet. VN_UNSUPPORTED:
/// def.history is 0. O(history).
VN_NODISCARD vn_status vn_nav_get_changes(vn_nav* nav, uint64_t version, const vn_changes** out);
VN_API void vn_nav_release_changes(vn_nav* nav, const vn_changes* changes);

typedef struct vn_nav_graph_def {
    vn_nav_graph_kind kind; ///< one of those in vn_nav_def.graphs
    float radius;           ///< of the agent, as in vn_layers_find, like the next one
    uint32_t open_flags;
    bool zones;          ///< edges cost what the nav's zones make of their length; default: their length
    uint32_t zone_flags; ///< as in vn_path_request
    uint32_t cookie;
} vn_nav_graph_def;

VN_API vn_nav_graph_def vn_default_nav_graph_def(void);

/// One reader's graph of a layer, in a version that it pins. It is used by one thread at a time, and takes
/// its memory from the nav's allocator, which must be thread-safe if that is not the host's thread.
typedef struct vn_nav_graph vn_nav_graph;

/// Opens the graph in the newest version, without start and goal. VN_BAD_DEF. VN_UNSUPPORTED: no such dynamic
/// layer, or the nav does not follow this kind (vn_nav_def.graphs). VN_TOO_LARGE: ids do not fit in 32 bits.
/// Costs what vn_nav_graph_advance does.
VN_NODISCARD vn_status vn_nav_graph_create(vn_nav* nav, const vn_nav_graph_def* def, vn_nav_graph** out,
                                           vn_detail* detail);

/// Null is allowed. Before the nav is destroyed.
VN_API void vn_nav_graph_destroy(vn_nav_graph* graph);

/// The graph of its version (volnav/graph.h), its number, and the space of that version; valid until the next
/// advance.
VN_API const vn_graph* vn_nav_graph_get(const vn_nav_graph* graph);
VN_API uint64_t vn_nav_graph_version(const vn_nav_graph* graph);
VN_API const vn_space* vn_nav_graph_space(const vn_nav_graph* graph);

/// Puts the start (0) or the goal (1), as node VN_START_NODE or VN_GOAL_NODE, at a point; on a grid, at the
/// centre of its voxel. Its edges, and those back to it, are not in the deltas: they belong to this reader.
/// VN_OUTSIDE, VN_BLOCKED: then there is no such end. VN_BAD_ARGUMENT: neither 0 nor 1. O(1).
VN_NODISCARD vn_status vn_nav_graph_set_end(vn_nav_graph* graph, uint32_t end, vn_point point);

/// Goes on to the newest version, and holds the changes of all versions in between. Ends stay where they are,
/// if that is free; otherwise they are gone until they are set again. VN_STALE: some of these changes are no
/// longer kept; the graph is that of the newest version all the same, and a planner begins anew.
/// VN_OUT_OF_MEMORY, VN_TOO_LARGE: the reader stays at its version, with the changes that it held, and may
/// try again.
///
/// On a grid O(versions in between). Over cells, readers of a layer share a graph, and the first that asks
/// for a version makes it and its changes by node, for all, version by version; others that ask meanwhile
/// wait, updates do not. It costs what the update would have paid: O(cells that went and came, their
/// neighbours, and the portals of all of these) for each version. If no reader of the layer has gone on for
/// more than def.history versions, O(cells) once; ids are kept then too.
VN_NODISCARD vn_status vn_nav_graph_advance(vn_nav_graph* graph);

/// The same, to the newest version that is not after `version` and still held by a pin, a request or a
/// result: of a result, to exactly its version.
VN_NODISCARD vn_status vn_nav_graph_advance_to(vn_nav_graph* graph, uint64_t version);

/// The changes by node of a version that the last advance went through. Who goes through several takes them
/// in order: an id that went may come again later, as another node. Edges are to be read from the newest
/// graph only. VN_STALE: no such version was held.
VN_NODISCARD vn_status vn_nav_graph_get_changes(const vn_nav_graph* graph, uint64_t version,
                                                vn_node_changes* out);

/// The same as planners take it (volnav/planner.h); lives as long as `graph`. Bricks live until the next call
/// for bricks, or the next advance.
VN_API vn_graph_source vn_nav_graph_source(vn_nav_graph* graph);

// -------------------------------------------------------------------------------------------- statistics

/// Stages of an update.
typedef enum vn_update_stage {
    VN_STAGE_FOOTPRINT = 0,  ///< voxels covered by obstacles
    VN_STAGE_OCCUPANCY = 1,  ///< bricks and blocks of voxels
    VN_STAGE_CELLS = 2,      ///< recutting the changed chunks
    VN_STAGE_LINKS = 3,      ///< links inside a block
    VN_STAGE_SEAMS = 4,      ///< links between blocks
    VN_STAGE_COMPONENTS = 5, ///< connected components
    VN_STAGE_DELTA = 6,      ///< list of changes
    VN_STAGE_PUBLISH = 7,    ///< tables, versions, releasing memory
    VN_STAGE_COUNT
} vn_update_stage;

/// "footprint", "occupancy" ...; null for an unknown value.
VN_API const char* vn_update_stage_name(vn_update_stage stage);

typedef struct vn_nav_stats {
    uint64_t tick;
    uint64_t version;                         ///< the newest that requests see
    uint32_t versions;                        ///< number of versions alive
    uint32_t waiting;                         ///< requests not begun
    uint32_t running;                         ///< requests begun, without a result
    uint32_t finished;                        ///< results not released
    uint32_t pending_changes;                 ///< not yet included in an update
    uint64_t updates;                         ///< completed, with or without a new version
    uint64_t last_update_ns, total_update_ns; ///< by the def's clock, summed over its pieces
    uint64_t version_lag; ///< ticks since the oldest change not in any version yet; 0 if there is none

    /// With measure_stages: sum over all updates and layers, by vn_update_stage. Less than the total, which
    /// includes the work on the world and the watches.
    uint64_t stage_ns[VN_STAGE_COUNT];
} vn_nav_stats;

VN_API void vn_nav_get_stats(const vn_nav* nav, vn_nav_stats* out);

/// Memory by part: "world", "layers" (all versions, and the scratch of updates), "requests", "watches",
/// "workers" (threads, and the scratch of searches), "zones", "nav" (the rest, such as changes not taken
/// yet). While an update runs, "world" is as of the last call at which none was running. Layers that the nav
/// was made from (vn_nav_create_baked) count as the nav's. O(obstacles).
VN_API void vn_nav_get_memory(vn_nav* nav, vn_memory* out);

#endif
