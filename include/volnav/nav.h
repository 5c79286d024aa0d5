/// volnav/nav.h: the running system: a world that changes, space that follows it, and questions that are
/// answered in the background. One object that a game holds; the thread that holds it (the host) never waits.
///
///   every frame:  vn_nav_move, vn_nav_submit ...  ->  vn_nav_tick  ->  vn_nav_next_result, vn_nav_next_event
///
/// Changes are gathered. An update makes the next version of the space from all that have come in since the
/// one before began; there is one update at a time. Questions are answered on the newest version that there
/// is when they begin, and say which one that was. All functions are for the host's thread alone. In steady
/// state (a fixed set of obstacles and zones that move, questions and watches within their limits) the host's
/// calls allocate nothing, unless there are no workers and a question or an update needs more room than ever
/// before.
#ifndef VOLNAV_NAV_H
#define VOLNAV_NAV_H

#include "volnav/query.h"

typedef struct vn_nav vn_nav;

typedef enum vn_nav_mode {
    VN_NAV_REALTIME = 0, ///< everything as soon as it is done
    VN_NAV_LOCKSTEP = 1  ///< everything a fixed number of ticks after it was begun: the same calls give the
                         ///< same bytes, whatever the number of workers. A tick waits for what is due.
} vn_nav_mode;

/// When changes become a version (Massonnat 2023, 5.4).
typedef enum vn_update_policy {
    VN_UPDATE_ALWAYS = 0,     ///< as soon as something has changed
    VN_UPDATE_EVERY_N = 1,    ///< when `every` ticks have passed since the last update began
    VN_UPDATE_LAST_MOMENT = 2 ///< when a change touches a watched path, or a question comes in, which then is
                              ///< answered with all changes made before it; what moved and moved back in
                              ///< between costs nothing. Also when thousands have gathered.
} vn_update_policy;

typedef struct vn_nav_def {
    vn_allocator allocator; ///< thread-safe if there are workers
    uint32_t workers;       ///< threads in the background, up to 64; 0: everything happens inside vn_nav_tick
    vn_nav_mode mode;
    uint32_t latency; ///< lockstep: ticks from the one that begins something to the one that shows it, 1 to
                      ///< 1000 (default 2)
    vn_update_policy policy;
    uint32_t every; ///< ticks, for VN_UPDATE_EVERY_N (default 4)

    /// Its allocator, radius and open_flags are not used; cells are needed, a seed or VN_UNKNOWN_REFUSED are
    /// VN_UNSUPPORTED. The bounds are fixed when the nav is made. The jobs bake the first version, and later
    /// serve updates in which something that stands still has changed: on a worker's thread, if there are
    /// any.
    vn_space_def space;
    vn_layer_def layers[VN_MAX_LAYERS]; ///< in any order, as for vn_layers_bake (default: one, radius 0)
    uint32_t layer_count;
    uint32_t static_layers; ///< bit i: layers[i] is not updated: it keeps showing the first version
    uint32_t max_requests;  ///< that wait, run, or have not been released; 1 to 2^20 (default 256)
    uint32_t max_points;    ///< of a path; longer ones answer VN_CAPACITY (default 1024)
    uint32_t max_watches;   ///< up to 2^19 (default 256)

    /// Realtime without workers: expansions that all questions of a tick may take together; what is left goes
    /// on in the next one. 0 (default): no limit.
    uint64_t budget;
    uint64_t (*clock)(void* user); ///< nanoseconds, for the statistics; may be null; called on any thread
    void* clock_user;
    bool measure_stages; ///< also where the time of updates goes; asks the clock some twenty times a block
    uint32_t cookie;
} vn_nav_def;

VN_API vn_nav_def vn_default_nav_def(void);

/// Bakes the first version. On VN_OK the nav owns the world: nobody else may use it any more, its allocator
/// is used by the workers and by the host (for zones), so it must be thread-safe too, and the ids of its
/// obstacles and zones are good for the functions below. On failure the world is the caller's as before.
/// VN_BAD_DEF, VN_BAD_ARGUMENT, VN_UNSUPPORTED (also: workers in a build without threads), and as
/// vn_layers_bake.
VN_API vn_status vn_nav_create(vn_world* world, const vn_nav_def* def, vn_nav** out, vn_detail* detail);

/// Waits for what is running, and frees everything, also what was not collected, released or unpinned, and
/// the world. Null is allowed.
VN_API void vn_nav_destroy(vn_nav* nav);

/// One step: takes what is done, starts what is due. Without workers it does the work itself.
/// VN_OUT_OF_MEMORY: an update failed; the last version stays, and the next tick tries again, together with
/// what is changed until then: what needs too much may be removed. Questions of VN_UPDATE_LAST_MOMENT wait
/// for it. VN_TOO_LARGE likewise: a solid mesh that crosses 2^32 lines of voxels, or more.
VN_API vn_status vn_nav_tick(vn_nav* nav, vn_detail* detail);

// ----------------------------------------------------------------------------------------------- changes
// As the functions of volnav/world.h of the same names, with the same answers; versions that begin later see
// what they change. A call that answers VN_OK is never refused later: an update that runs out of memory keeps
// its changes and is tried again by the next tick. Any other answer: nothing has changed, and the ids to come
// are the same as without the call.

/// `flags` as in vn_world_set_flags. The shape is copied.
VN_API vn_status vn_nav_add(vn_nav* nav, const vn_shape* shape, uint32_t flags, vn_obstacle_id* out,
                            vn_detail* detail);
VN_API vn_status vn_nav_add_moving(vn_nav* nav, const vn_shape* shape, const vn_transform* transform,
                                   uint32_t flags, vn_obstacle_id* out, vn_detail* detail);

/// As vn_world_move, and judged by the same code. An obstacle that moves several times before an update
/// begins costs as one that moves once. O(1); of a hull its vertices.
VN_API vn_status vn_nav_move(vn_nav* nav, vn_obstacle_id id, const vn_transform* transform, vn_detail* detail);
VN_API vn_status vn_nav_set_flags(vn_nav* nav, vn_obstacle_id id, uint32_t flags);

/// What agents may expect of it, metres a second; known at once, and no change of the space. As
/// vn_world_set_velocity and vn_world_get_velocity.
VN_API vn_status vn_nav_set_velocity(vn_nav* nav, vn_obstacle_id id, vn_vec3 velocity);
VN_API vn_status vn_nav_get_velocity(const vn_nav* nav, vn_obstacle_id id, vn_vec3* out);

/// Where it is, all changes included. VN_STALE_ID; VN_UNSUPPORTED if it cannot move.
VN_API vn_status vn_nav_get_transform(const vn_nav* nav, vn_obstacle_id id, vn_transform* out);
VN_API vn_status vn_nav_remove(vn_nav* nav, vn_obstacle_id id);

/// Is there such an obstacle, all changes included?
VN_API bool vn_nav_has(const vn_nav* nav, vn_obstacle_id id);

/// Zones (volnav/world.h) count in every question, besides its own, by its zone_flags. Those that the world
/// had when the nav was made are there from the beginning. Changes of zones are gathered with all others and
/// seen by the same versions; if nothing else has changed, the new version has the same spaces, and costs no
/// more than a copy of its tables. Moving a zone there and back before an update begins is no change.
VN_API vn_status vn_nav_add_zone(vn_nav* nav, const vn_zone_def* def, vn_zone_id* out, vn_detail* detail);
VN_API vn_status vn_nav_move_zone(vn_nav* nav, vn_zone_id id, const vn_transform* transform, vn_detail* detail);
VN_API vn_status vn_nav_remove_zone(vn_nav* nav, vn_zone_id id);
VN_API bool vn_nav_has_zone(const vn_nav* nav, vn_zone_id id);

// --------------------------------------------------------------------------------------------- questions

typedef uint64_t vn_request_id; ///< never 0, never used twice

typedef struct vn_nav_request {
    vn_path_request path; ///< VN_ALGO_CELLS only; zones and links are copied
    int32_t priority;     ///< higher first; then older first
    uint32_t deadline;    ///< realtime: ticks after which it is not begun any more: VN_CANCELLED; 0: none
    uint64_t user;        ///< comes back with the answer
} vn_nav_request;

VN_API vn_nav_request vn_default_nav_request(void);

/// The next tick begins it. VN_CAPACITY: max_requests are under way or have not been released. Bad requests
/// as vn_query_begin, at once.
VN_API vn_status vn_nav_submit(vn_nav* nav, const vn_nav_request* request, vn_request_id* out, vn_detail* detail);

/// It will be answered with VN_CANCELLED; VN_STALE_ID if there is no such question under way.
VN_API vn_status vn_nav_cancel(vn_nav* nav, vn_request_id id);

/// What a question came to. With VN_CANCELLED, version is 0 and there are no space, points and links.
/// result.status may also be VN_OUT_OF_MEMORY: a version with many more cells than before needs more room
/// than there is.
typedef struct vn_nav_result {
    vn_request_id id;
    uint64_t user;
    uint64_t version;         ///< of the space that it was found in
    const vn_space* space;    ///< that space itself: the layer, in that version; lives as the points do
    uint64_t begin_tick, end_tick; ///< the ticks that took up the question and brought the answer
    vn_path_result result;
    const vn_point* points; ///< live until the answer is released
    uint32_t point_count;
    const vn_connection_use* connections; ///< that the path takes, as vn_query_connections; live as the points do
    uint32_t connection_count;
} vn_nav_result;

/// The next answer that a tick has brought, in the order in which they were finished (lockstep: asked); false
/// if there is none. It keeps its place among max_requests, and its version, until vn_nav_release_result.
VN_API bool vn_nav_next_result(vn_nav* nav, vn_nav_result* out);

/// No effect on what has not been collected, or has been released.
VN_API void vn_nav_release_result(vn_nav* nav, vn_request_id id);

// ---------------------------------------------------------------------------------------------- watching

typedef uint64_t vn_watch_id; ///< never 0, never used twice

/// Watches a path (points are copied) of an agent with this radius and these flags, in the layer that is for
/// it; the first look is at the newest version. A path that takes links is watched leg by leg. VN_CAPACITY:
/// max_watches or max_points; VN_BAD_ARGUMENT: no points; VN_UNSUPPORTED: no layer is for this agent.
VN_API vn_status vn_nav_watch(vn_nav* nav, const vn_point* points, uint32_t count, float radius,
                              uint32_t open_flags, vn_watch_id* out);

/// The agent has passed the points before `segment`: they are not looked at any more. An agent that has turned
/// back may give a lower segment than before: the path is then looked at again from there. VN_STALE_ID;
/// VN_BAD_ARGUMENT: there is no such segment.
VN_API vn_status vn_nav_watch_advance(vn_nav* nav, vn_watch_id watch, uint32_t segment);
VN_API vn_status vn_nav_unwatch(vn_nav* nav, vn_watch_id watch);

/// What the path costs counts from `version` on: the one that its answer names, as long as that is held (by
/// an answer that has not been released, or a pin), else VN_STALE_ID; 0: from the newest one that the host
/// knows, as without this call. `zone_flags` as in its request; without this call they are 0.
VN_API vn_status vn_nav_watch_costs(vn_nav* nav, vn_watch_id watch, uint32_t zone_flags, uint64_t version);

typedef enum vn_nav_event_kind {
    VN_EVENT_VERSION = 1,      ///< there is a new version; only the newest is told
    VN_EVENT_PATH_BLOCKED = 2, ///< a watched path is blocked ahead of its agent; it is not watched any more

    /// Zones have changed on a watched path, ahead of its agent; it is watched on. That there is a better way
    /// elsewhere is not told: look again when there is a new version, if that matters.
    VN_EVENT_COSTS_CHANGED = 3
} vn_nav_event_kind;

typedef struct vn_nav_event {
    vn_nav_event_kind kind;
    uint64_t version; ///< in which it is so
    vn_watch_id watch;
    uint32_t segment; ///< the first segment that is no longer free, or whose cost has changed
    vn_point at; ///< the last point of it that still is free, rounded towards its start; its start if the
                 ///< cost has changed

    /// VN_EVENT_COSTS_CHANGED: metres that the way ahead costs more, or less, since this was told last.
    double cost_change;
} vn_nav_event;

/// The next event that a tick has brought; false if there is none.
VN_API bool vn_nav_next_event(vn_nav* nav, vn_nav_event* out);

// -------------------------------------------------------------------------------------------- looking in

/// The newest version of the layer for an agent (vn_layers_find), for questions of one's own, on any thread;
/// it lives until it is unpinned. Null, and nothing is pinned, if there is no layer.
VN_API const vn_space* vn_nav_pin(vn_nav* nav, double radius, uint32_t open_flags, uint64_t* version);

/// VN_STALE_ID: the host has not pinned this version, or not so often.
VN_API vn_status vn_nav_unpin(vn_nav* nav, uint64_t version);

/// The zones of a version, for requests of one's own: they live as long as the host holds the version, by a
/// pin or an answer that has not been released; those of the newest one that the host knows until the next
/// tick. VN_STALE_ID: nobody holds it.
VN_API vn_status vn_nav_get_zones(const vn_nav* nav, uint64_t version, const vn_zone** out, uint32_t* count);

/// The local boxes in which zones differ between a version and the one before it: around what was there, and
/// what is there now. They live as the zones do. VN_STALE_ID.
VN_API vn_status vn_nav_get_cost_changes(const vn_nav* nav, uint64_t version, const vn_box** out,
                                     uint32_t* count);

/// Where the time of an update goes.
typedef enum vn_update_stage {
    VN_STAGE_FOOTPRINT = 0,  ///< what the obstacles cover
    VN_STAGE_OCCUPANCY = 1,  ///< bricks and blocks of voxels
    VN_STAGE_CELLS = 2,      ///< cutting the touched chunks
    VN_STAGE_LINKS = 3,      ///< between cells of a block
    VN_STAGE_SEAMS = 4,      ///< between blocks
    VN_STAGE_COMPONENTS = 5, ///< what can reach what
    VN_STAGE_DELTA = 6,      ///< what has changed, for those who ask
    VN_STAGE_PUBLISH = 7,    ///< tables, versions, what is freed
    VN_STAGE_COUNT
} vn_update_stage;

/// "footprint", "occupancy" ...; null for an unknown number.
VN_API const char* vn_update_stage_name(vn_update_stage stage);

typedef struct vn_nav_stats {
    uint64_t tick;
    uint64_t version;                         ///< the newest one that questions see
    uint32_t versions;                        ///< held, by anybody
    uint32_t waiting;                         ///< questions not begun
    uint32_t running;                         ///< questions begun, not answered
    uint32_t finished;                        ///< answers not released
    uint32_t pending_changes;                 ///< not yet taken by an update
    uint64_t updates;                         ///< that have ended, with or without a new version
    uint64_t last_update_ns, total_update_ns; ///< by the def's clock
    uint64_t version_lag; ///< ticks since the oldest change that no version shows yet; 0 if all are shown

    /// With measure_stages: of all updates and layers, by vn_update_stage. Less than the total, which also
    /// has the world's own work and the watches.
    uint64_t stage_ns[VN_STAGE_COUNT];
} vn_nav_stats;

VN_API void vn_nav_get_stats(const vn_nav* nav, vn_nav_stats* out);

#endif
