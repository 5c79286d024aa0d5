/// nav/nav_inside.h: the parts of a nav, and which thread may touch which of them. For this module only.
///
/// Three kinds of threads meet in a nav:
///
///   host     the thread that calls the public functions and vn_nav_tick
///   update   the threads that run pieces of the one update that may be under way
///   workers  the threads that run pieces of requests and updates: the nav's own, those of the host that call
///            vn_nav_work, or the host's one thread in its tick if there are neither
///
///                 hand over (tick)                            adopt (a later tick)
///   host     ---------+----------------------------------------------+------------------->
///                     | taken, zones, watches                        ^ version, blocked watches
///   update            +--> apply -> layers -> version -> watches ----+
///
/// struct vn_nav has one member for each owner: `fixed`, `host`, `update` and `shared`. The comment on each
/// struct is the rule. The monitor (one lock and one condition) protects `shared`; nothing else needs it.
#ifndef VNI_NAV_NAV_INSIDE_H
#define VNI_NAV_NAV_INSIDE_H

#include "base/assert.h"
#include "base/heap.h"
#include "base/idpool.h"
#include "base/tally.h"
#include "base/threads.h"
#include "dynamic/dynamic.h"
#include "nav/bodies_inside.h"
#include "nav/points_inside.h"
#include "space/layers.h"
#include "space/space.h"
#include "space/zone_buffer.h"
#include "volnav/nav.h"
#include "world/sense.h"
#include "world/world.h"

#define VNI_NONE         UINT32_MAX
#define VNI_QUERY_POINTS 65536u                   ///< of a worker's query, at least
#define VNI_MAX_USES     (2 * VN_MAX_CONNECTIONS) ///< on one path: each connection at most once in each direction

// ------------------------------------------------------------------------------------------------ versions

/// The zones of a version; the planes of `items` lie in `planes`.
typedef struct vni_nav_zones {
    vn_zone items[VN_MAX_ZONES];
    vn_plane planes[VN_MAX_ZONE_PLANES];
    vn_box changed[2 * VN_MAX_ZONES]; ///< where costs differ from the previous version
    uint32_t count, changed_count;
    uint64_t since; ///< the first version with exactly these zones
} vni_nav_zones;

/// A version of all layers. It pins the version of each dynamic layer. The content is immutable once the
/// version is published; the pins and `next` are shared (under the monitor).
typedef struct vni_nav_version {
    vn_layers view;                  ///< the spaces, in the form that a query takes
    uint64_t numbers[VN_MAX_LAYERS]; ///< versions of the dynamic layers
    uint64_t number;
    uint32_t pins;      ///< by any owner; one of them for being the newest
    uint32_t host_pins; ///< how many of these were made by vn_nav_pin
    vni_nav_zones zones;
    vni_nav_bodies bodies;
    struct vni_nav_record* record;                        ///< its changes, until it is published
    const struct vni_slot_version* graphs[VN_MAX_LAYERS]; ///< pinned where a reader went; shared as pins
    struct vni_nav_version* next;                         ///< the next older one that is still held
} vni_nav_version;

// ------------------------------------------------------------------------------------------------- changes

typedef enum vni_op_kind { VNI_OP_ADD, VNI_OP_MOVE, VNI_OP_FLAGS, VNI_OP_REMOVE, VNI_OP_SENSE } vni_op_kind;

/// A change that waits for the world. The host has already got VN_OK for it, so the world must not refuse it:
/// everything that can be wrong is checked before it is listed. Only memory can run out when it is applied;
/// then it is tried again.
typedef struct vni_op {
    vni_op_kind kind;
    vn_obstacle_id id;
    vn_transform transform; ///< VNI_OP_MOVE
    uint32_t flags;         ///< VNI_OP_FLAGS
    vni_obstacle* record;   ///< VNI_OP_ADD: ready for the world, which then owns it; null after that
    vn_transform before;    ///< VNI_OP_MOVE: the transform before this round of changes
    vni_edits edits;        ///< VNI_OP_SENSE: the nav's memory; empty once the world has them
    vn_box box;             ///< but for VNI_OP_FLAGS: bounds of what it may block from now on
    bool blocks;            ///< false: blocks nothing new; it is removed, or back where it was
} vni_op;

typedef struct vni_ops {
    vni_op* items;
    uint64_t capacity;
    uint32_t count;
} vni_ops;

/// What the host knows of an obstacle, all changes included; by slot.
typedef struct vni_known {
    const vni_motion* motion; ///< null: it does not move. The host may read its shape only: the shape never
                              ///< changes, and lives until an update applies the removal. The rest belongs to
                              ///< the update
    vn_transform transform;   ///< if it moves
    vn_vec3 velocity;         ///< likewise
    uint32_t flags;
    vn_box bounds;     ///< with that transform
    vni_map_grid grid; ///< of a sensed voxel set
    uint64_t listed;   ///< the round of changes in which it moved or was sensed last
    uint32_t at;       ///< index of that change in `pending`, if `listed` is the current round
} vni_known;

/// A zone as it was handed over last; by slot.
typedef struct vni_known_zone {
    uint32_t generation; ///< 0: the slot was empty
    bool changed;        ///< the zone differs now
    vn_transform transform;
    vn_box bounds;
} vni_known_zone;

// ------------------------------------------------------------------------------------------------ requests

/// FREE -> SUBMITTED -> WAITING -> RUNNING -> FINISHED -> DELIVERED -> COLLECTED -> FREE. A request that is
/// cancelled in time goes from WAITING to FINISHED directly.
typedef enum vni_request_state {
    VNI_REQUEST_FREE,      ///< in the free list
    VNI_REQUEST_SUBMITTED, ///< in host.submitted
    VNI_REQUEST_WAITING,   ///< in shared.waiting
    VNI_REQUEST_RUNNING,   ///< a worker's
    VNI_REQUEST_FINISHED,  ///< realtime: in shared.finished; lockstep: still in host.begun
    VNI_REQUEST_DELIVERED, ///< in host.delivered, unless it is taken by its id
    VNI_REQUEST_COLLECTED  ///< the host holds the result
} vni_request_state;

/// The owner follows from the state: shared from WAITING on, the worker's while RUNNING (outside the
/// monitor), shared again when FINISHED, else the host's. `state` itself is shared from WAITING to FINISHED.
/// `cancelled` may be read by the worker at any time.
typedef struct vni_request {
    vni_request_state state;
    uint32_t next; ///< slot of the next one in its queue or in the free list
    uint32_t heap_position;
    vn_request_id id;
    vn_nav_request input;       ///< as submitted; points into the three arrays below
    vn_zone* zones;             ///< VN_MAX_ZONES of them
    vn_plane* planes;           ///< VN_MAX_ZONE_PLANES
    vn_connection* connections; ///< VN_MAX_CONNECTIONS
    uint64_t begin_tick, end_tick;
    uint64_t needed_round; ///< last moment: the round of changes that it must see; UINT64_MAX: not known yet
    vni_atomic cancelled;  ///< the host no longer wants it
    bool abandoned;        ///< the host's: nor its result
    vni_nav_version* version; ///< pinned from the beginning until the release; null before
    const vn_space* space;
    vn_path_result result;
    vni_slot_points points;
    uint32_t point_count;
    vn_connection_use* uses; ///< VNI_MAX_USES
    uint32_t use_count;
} vni_request;

/// First in, first out, chained by vni_request.next.
typedef struct vni_request_queue {
    uint32_t first, last, count;
} vni_request_queue;

// ------------------------------------------------------------------------------------------------- watches

/// A place on a watched path: on the segment from point `segment` to the next one.
typedef struct vni_place {
    uint32_t segment;
    double fraction; ///< of the segment, 0 <= fraction < 1; 0 at the last point
    double metres;   ///< along the path from its first point; steps by connections have no length
} vni_place;

/// Whether the path is blocked ahead of a place, and the first place where it is.
typedef struct vni_watch_block {
    bool blocked;
    vni_place place; ///< the last free one before it
    vn_point point;  ///< that place, rounded towards the start of its segment
} vni_watch_block;

/// Written by the host at the hand-over, read by the update.
typedef struct vni_watch_given {
    vni_place agent;
    uint32_t zone_flags;
    vni_nav_version* base; ///< as vni_watched.base; the pin moves along
    bool fresh;
    bool blocked; ///< as known: the update checks whether what is freed frees the path
    vn_point low, high;
} vni_watch_given;

/// Written by the update, read by the host when it adopts it.
typedef struct vni_watch_found {
    bool checked; ///< `block` is what the path ahead of given.agent is now; false: nothing has changed
    vni_watch_block block;
    uint32_t change_count, first, last; ///< segments whose costs have changed
    double cost_change, cost;           ///< of the path ahead, metres
} vni_watch_found;

/// The host's, except `given` and `found`, which belong to the update while `in_update` is set. Meanwhile
/// `points`, `count`, `steps`, `step_count` and `layer` are read by both and written by neither: a slot is
/// not reused until it is adopted.
typedef struct vni_watched {
    bool in_update; ///< the update reads it. First: written at hand-over and adoption only, also for an empty
                    ///< slot, because a running update goes through all of them
    vn_watch_id id; ///< 0: the slot is empty, or the host no longer watches it
    uint64_t user;
    bool fresh;      ///< the next update checks all of it, touched or not
    bool once;       ///< ends with the first event of a blocked path
    bool is_adopted; ///< vni_nav_watches_settle is to judge it
    uint32_t layer;
    double radius;    ///< of the layer, metres
    double horizon;   ///< metres ahead of the agent; infinity: the whole path
    vn_point* points; ///< those of `memory`
    vni_slot_points memory;
    uint32_t* steps; ///< VNI_MAX_USES: segments that are steps by connections, ascending
    uint32_t count, step_count;
    vn_obstacle_id inside[VN_MAX_INSIDE]; ///< that are the agent: read by both, like the points
    uint32_t inside_count;
    vni_place agent;
    vn_point low, high; ///< closed box of the path ahead

    // in the version that the host sees, on the path from `known_from` on; see watches.c
    bool known;
    vni_place known_from;
    vni_watch_block block;
    bool is_blocked; ///< between the agent and its horizon
    bool told;       ///< the last event said that it is blocked
    bool has_event;  ///< these two differ

    uint32_t zone_flags;
    vni_nav_version* base; ///< pinned: cost changes count from there; null: from the version checked last
    bool costs_changed;    ///< an event for the host:
    double cost_change;    ///< metres
    uint32_t costs_first, costs_last; ///< segments
    uint64_t costs_version;
    vni_watch_given given;
    vni_watch_found found;
} vni_watched;

// ----------------------------------------------------------------------------------------------------- nav

/// A running update goes through these, in pieces.
typedef enum vni_nav_stage {
    VNI_NAV_APPLY,  ///< changes reach the world; one piece at a time
    VNI_NAV_LAYERS, ///< layer after layer; pieces on several threads
    VNI_NAV_VERSION ///< the version is made, and watches are checked; one piece
} vni_nav_stage;

/// A piece of an update: the thread's that has claimed it.
typedef struct vni_nav_piece {
    vni_nav_stage stage;
    vni_update_piece of_layer; ///< VNI_NAV_LAYERS
    bool is_over;              ///< the stage is (others than VNI_NAV_LAYERS)
    vn_status status;          ///< likewise
    uint64_t units, ns;
} vni_nav_piece;

/// NONE -> READY (host) -> RUNNING -> DONE (update) -> NONE (host).
typedef enum vni_update_state {
    VNI_UPDATE_NONE,
    VNI_UPDATE_READY,
    VNI_UPDATE_RUNNING,
    VNI_UPDATE_DONE
} vni_update_state;

/// What one thread at a time needs to work: a query, and a lane of each layer. `slot`, `busy` and `worked_at`
/// are shared (under the monitor); `query` and `charged` belong to the thread that has set `busy`.
typedef struct vni_worker {
    vn_nav* nav;
    vn_query* query;
    uint32_t lane;       ///< index of this worker
    uint32_t slot;       ///< of the request in work, or VNI_NONE
    bool busy;           ///< a thread runs a slice of it
    uint64_t worked_at;  ///< the tick of the last slice
    vni_nav_agent agent; ///< of the request in work; of the thread, as `query`
    uint64_t charged;    ///< expansions already charged to the budget; UINT64_MAX: the request has not begun
#if VOLNAV_THREADS
    vni_thread* thread;
#endif
} vni_worker;

/// What the memory of a nav is for: vn_nav_get_memory. The world has an allocator of its own.
typedef enum vni_nav_part {
    VNI_PART_LAYERS,   ///< versions of the space, and the scratch of updates
    VNI_PART_REQUESTS, ///< requests and results
    VNI_PART_WATCHES,
    VNI_PART_WORKERS, ///< threads and the scratch of searches
    VNI_PART_ZONES,
    VNI_PART_NAV, ///< the nav itself and its list of changes
    VNI_PARTS
} vni_nav_part;

/// Set up by vn_nav_create and unchanged until vn_nav_destroy: any thread may read it, without a lock. That
/// holds for the pointers; what they point at is owned as follows:
///
///   world     obstacles: the update's. Zones: the host's. Only its allocator is used by both
///   dynamic   updating: the update's. Pinning and unpinning: any thread (dynamic/dynamic.h)
///   requests  by their state: see vni_request
///   watches   see vni_watched
///   workers   see vni_worker
typedef struct vni_nav_fixed {
    vn_nav_def def;             ///< its layers sorted
    vni_tally parts[VNI_PARTS]; ///< allocators that count
    vn_allocator allocator;     ///< that of VNI_PART_NAV
    vn_dvec3 low;               ///< low corner of the grid, local metres
    vn_world* world;
    vni_dynamic* dynamic[VN_MAX_LAYERS];    ///< by layer; null: a static one
    vn_space* static_spaces[VN_MAX_LAYERS]; ///< likewise
    const vn_layers* baked;                 ///< the caller's; while the nav is made from them, else null
    struct vni_nav_live* live;              ///< changes and graphs (live_inside.h); null: no history

    vni_request* requests; ///< max_requests of them; their arrays:
    vn_point* request_points;
    vn_zone* request_zones;
    vn_plane* request_planes;
    vn_connection* request_connections;
    vn_connection_use* request_uses;

    vni_watched* watches; ///< 2 * max_watches: a slot that was given up may have to wait for the update
    vn_point* watch_points;
    uint32_t* watch_steps;
    uint32_t watch_slots;

    vni_worker* workers;   ///< def.workers, then def.slots, then the host's own if there are no workers
    uint32_t worker_count; ///< at least one
#if VOLNAV_THREADS
    vni_monitor* monitor;
#endif
} vni_nav_fixed;

/// The host's alone: no other thread reads or writes it, so it needs no lock.
typedef struct vni_nav_host {
    uint64_t tick;
    vni_nav_version* seen; ///< the version that the host sees; pinned
    uint32_t max_points;   ///< of paths that are requested or watched from now on
    size_t world_bytes;    ///< when no update was running last

    // changes of obstacles
    vni_idpool ids; ///< in the state that the world's pool will have when all listed changes are applied: it
                    ///< gets the same calls in the same order, and neither gives an id back after a failure
    vni_known* known;
    uint64_t known_capacity;
    vni_ops pending;
    uint64_t round;       ///< number of the changes in `pending`, from 1; lower ones have been handed over
    uint64_t shown_round; ///< the last one that `seen` shows
    uint64_t pending_since, taken_since; ///< ticks of the oldest change in `pending` and in update.taken

    // changes of zones
    vni_known_zone known_zones[VN_MAX_ZONES];   ///< as handed over last
    vni_known_zone version_zones[VN_MAX_ZONES]; ///< those of the version before update.zones
    uint32_t zone_changes;                      ///< not handed over yet
    uint64_t zones_since;                       ///< the tick of the first of them

    // the update, as the host sees it
    uint64_t update_due;   ///< lockstep: the tick that shows it
    uint64_t update_begun; ///< tick of the last one that took changes
    bool update_is_out;    ///< handed over and not adopted yet
    bool takes_changes;    ///< the next one takes what is pending
    bool retries;          ///< the last one failed
    uint64_t updates, last_update_ns, total_update_ns;
    uint64_t stage_ns[VN_STAGE_COUNT];

    // watches
    uint32_t watch_count;
    uint32_t fresh_count; ///< watches with `fresh`
    bool has_adopted;     ///< vni_nav_watches_settle has something to do
    uint64_t watch_serial;
    uint64_t reported_version;               ///< the last one that an event named
    uint32_t block_events, block_event_next; ///< watches with `has_event`; the slot to look at first
    uint32_t cost_events, cost_event_next;   ///< watches with `costs_changed`; the slot to look at first

    // requests
    uint32_t free_request; ///< head of the free list
    uint64_t request_serial;
    vni_request_queue submitted; ///< not begun
    vni_request_queue begun;     ///< lockstep only: in the order of submission
    vni_request_queue delivered; ///< not collected
    uint32_t result_count;       ///< delivered or collected, not released
} vni_nav_host;

/// The update's from the tick that hands it over (shared.update_state becomes READY) to the tick that adopts
/// it (DONE becomes NONE); the host's in between. The state changes under the monitor, which orders the
/// accesses of both. Exceptions: the update never writes taken.count or `has_zones`, so that the host may
/// read them at any time; workers read `status` under the monitor while no update is ready or running.
typedef struct vni_nav_update_data {
    vni_ops taken;                 ///< the changes to apply
    uint32_t applied;              ///< how many of them the world has
    vni_nav_zones* zones;          ///< the zones of the next version,
    bool has_zones;                ///< if they have changed
    vni_zone_buffer* zone_buffers; ///< scratch: two, to compare costs before and after
    vn_status status;              ///< of the last attempt
    vn_detail detail;              ///< if it failed
    vni_nav_version* made;         ///< null if nothing has changed, or if it is published
    vni_nav_bodies bodies;         ///< of the next version
    const vni_change* changes;     ///< of the world, for the layers
    uint32_t change_count;
    uint64_t ns;                       ///< of all pieces
    uint64_t stage_ns[VN_STAGE_COUNT]; ///< of all updates so far
} vni_nav_update_data;

/// Any thread's, under the monitor. `stop` is atomic: a running search reads it without the lock. `newest` is
/// read by the update without the lock, too: see vni_nav_update_run.
typedef struct vni_nav_shared {
    vni_atomic stop; ///< the nav is being destroyed
    uint64_t tick;   ///< a copy of host.tick, for deadlines
    vni_update_state update_state;
    vni_nav_stage stage;        ///< of a running update
    bool alone;                 ///< a piece is out, and no other may be
    uint32_t layer;             ///< VNI_NAV_LAYERS: the one in work
    uint64_t update_units;      ///< that it has taken so far
    uint64_t expected;          ///< that the last one took in all; 0: none has ended
    int64_t balance;            ///< work on updates above (below: on requests) their share; see workers.c
    vni_nav_version* newest;    ///< head of the list of all versions that are held, newest first
    vni_nav_version* spare;     ///< versions to be used again
    vni_heap waiting;           ///< requests, by priority, then by age
    vni_request_queue finished; ///< realtime only: in the order in which they finished
    uint32_t running;           ///< requests in work
} vni_nav_shared;

struct vn_nav {
    vni_nav_fixed fixed;
    vni_nav_host host;
    vni_nav_update_data update;
    vni_nav_shared shared;
};

/// The allocator for a part of the nav.
static inline const vn_allocator* vni_nav_allocator(const vn_nav* nav, vni_nav_part part) {
    return &nav->fixed.parts[part].allocator;
}

// ---------------------------------------------------------------------------------------------- workers.c
// "Monitor held" below: the caller is between vni_nav_enter and vni_nav_leave. "Outside": it is not.

void vni_nav_enter(const vn_nav* nav);
void vni_nav_leave(const vn_nav* nav);
void vni_nav_wait(vn_nav* nav); ///< Monitor held, and released while waiting. Only if another thread works.
void vni_nav_wake(vn_nav* nav); ///< Monitor held. Wakes all threads that wait.

/// Makes the workers and starts their threads, if any.
vn_status vni_nav_start(vn_nav* nav, vn_detail* detail);

/// Joins the threads and frees the workers. Outside.
void vni_nav_stop(vn_nav* nav);

/// Does the host some of the work itself? It does without workers and slots; in lockstep with slots only when
/// something is due.
static inline bool vni_nav_host_works(const vn_nav* nav) {
    return nav->fixed.def.workers == 0 && nav->fixed.def.slots == 0;
}

/// How many workers there are for this def: at least one.
static inline uint32_t vni_nav_worker_count(const vn_nav_def* def) {
    return def->workers + def->slots + (def->workers == 0);
}

/// Runs what is ready on the host's thread: in realtime within the budget, in lockstep an even part of what
/// will be due. Monitor held, and released while working.
void vni_nav_work_here(vn_nav* nav);

/// Lockstep: waits for the update, or for a request, or without workers does a piece of it. Monitor held, and
/// released meanwhile.
void vni_nav_help_update(vn_nav* nav);
void vni_nav_help_request(vn_nav* nav, const vni_request* request);

// -------------------------------------------------------------------------------------------------- nav.c

/// Makes a nav from baked layers; from the world if `baked` is null.
vn_status vni_nav_create(vn_world* world, const vn_layers* baked, const vn_nav_def* def, vn_nav** out,
                         vn_detail* detail);

// ------------------------------------------------------------------------------------------------ region.c

/// Is the seed inside the space, and free in at least one layer of the first version? VN_OUTSIDE, VN_BLOCKED.
vn_status vni_nav_check_seed(const vn_nav* nav, vn_detail* detail);

/// Limits the spaces of a new version to the region of the seed, if there is one. On the thread of the
/// update.
void vni_nav_find_regions(const vn_nav* nav, vni_nav_version* version);

// ----------------------------------------------------------------------------------------- create_baked.c

/// Do the layers belong to the world, and can a nav with this def take them?
vn_status vni_nav_check_baked(const vn_world* world, const vn_layers* baked, const vn_nav_def* def,
                              vn_detail* detail);

/// Makes a layer from that of fixed.baked. Before threads run.
vn_status vni_nav_layer_take_baked(vn_nav* nav, uint32_t index, const vni_dynamic_def* def,
                                   vn_detail* detail);

// --------------------------------------------------------------------------------------------- versions.c

/// A version of the layers in their current state, pinned once and in no list yet; null if memory runs out.
/// On the thread of the update. Outside.
vni_nav_version* vni_nav_version_make(vn_nav* nav, uint64_t number);

/// Makes it the newest; takes over its pin. Monitor held.
void vni_nav_publish(vn_nav* nav, vni_nav_version* version);

/// Gives back one that was not published. Monitor held.
void vni_nav_version_drop(vn_nav* nav, vni_nav_version* version);

/// The last unpin recycles it. Monitor held.
void vni_nav_version_unpin(vn_nav* nav, vni_nav_version* version);

/// The newest one that is held and not after `most`, nor before `least` (may be null). Monitor held.
vni_nav_version* vni_nav_version_upto(const vn_nav* nav, uint64_t most, vni_nav_version* least);

/// Frees all of them, pinned or not. When no other thread is left.
void vni_nav_versions_free(vn_nav* nav);

// ---------------------------------------------------------------------------------------------- changes.c
// On the host's thread. Outside or monitor held: they touch nothing that is shared.

vn_status vni_nav_changes_make(vn_nav* nav, vn_detail* detail);
void vni_nav_changes_free(vn_nav* nav);

/// Bounds of what an operation may block from now on, as far as the host knows; false if nothing.
bool vni_nav_op_box(const vn_nav* nav, const vni_op* op, vn_box* out);

// ------------------------------------------------------------------------------------------------- zones.c

/// Takes the world's zones for the first version. VN_OUT_OF_MEMORY.
vn_status vni_nav_zones_make(vn_nav* nav);
void vni_nav_zones_free(vn_nav* nav);

/// Copies the world's zones for the update, which must not be under way; once more after a failed one. On the
/// host's thread.
void vni_nav_zones_take(vn_nav* nav);

/// Gives a new version the zones that were taken, or else those of the newest version. On the thread of the
/// update.
void vni_nav_zones_put(const vn_nav* nav, vni_nav_version* version);

/// Boxes in which costs will change by what has not been handed over; returns their number.
uint32_t vni_nav_zone_boxes(const vn_nav* nav, vn_box out[2 * VN_MAX_ZONES]);

/// Are there changes that have not been handed over?
static inline bool vni_nav_has_changes(const vn_nav* nav) {
    return nav->host.pending.count > 0 || nav->host.zone_changes > 0;
}

/// The tick of the oldest of these changes. There must be one.
static inline uint64_t vni_nav_changed_since(const vn_nav* nav) {
    VNI_ASSERT(vni_nav_has_changes(nav));
    const uint64_t obstacles = nav->host.pending.count > 0 ? nav->host.pending_since : UINT64_MAX;
    const uint64_t zones = nav->host.zone_changes > 0 ? nav->host.zones_since : UINT64_MAX;
    return obstacles < zones ? obstacles : zones;
}

// ----------------------------------------------------------------------------------------------- update.c

/// The update itself, between READY and DONE: applies `taken`, updates the layers, makes a version, checks
/// the watched paths. Claim and end: monitor held. Run: outside, on any thread; it stops after about `most`
/// units. Claim is false if there is no update, or while other threads have all that can be done now.
bool vni_nav_update_claim(vn_nav* nav, vni_nav_piece* out);
void vni_nav_update_run(vn_nav* nav, vni_nav_piece* piece, uint32_t lane, uint64_t most);
void vni_nav_update_end(vn_nav* nav, const vni_nav_piece* piece);

/// Should an update be handed over now? Notes in host.takes_changes whether it is to take the changes. On the
/// host's thread; touches only what is the host's. Outside.
bool vni_nav_update_is_due(vn_nav* nav);

/// Hands an update over. On the host's thread. Monitor held.
void vni_nav_hand_over(vn_nav* nav);

/// Takes back an update that is done; in lockstep one that is due, for which it waits. On the host's thread.
/// Monitor held. VN_OUT_OF_MEMORY, VN_TOO_LARGE: it failed and must be handed over again.
vn_status vni_nav_adopt(vn_nav* nav, vn_detail* detail);

// ---------------------------------------------------------------------------------------------- watches.c

vn_status vni_nav_watches_make(vn_nav* nav);
void vni_nav_watches_free(vn_nav* nav);

/// Gives the watches to the update (host), checks them (update; outside), and takes them back (host).
/// `looked`: the update got as far as checking them. Monitor held for the first and the last. After the last
/// one vni_nav_watches_settle decides what there is to tell, before the next hand-over or event. It may check
/// paths whose agents have turned back meanwhile, so it is for the host outside: workers need not wait.
void vni_nav_watches_hand_over(vn_nav* nav);
void vni_nav_watches_look(vn_nav* nav, const vni_nav_version* before, const vni_nav_version* now);
void vni_nav_watches_adopt(vn_nav* nav, bool looked);
void vni_nav_watches_settle(vn_nav* nav);

/// Null if the id is stale. On the host's thread.
vni_watched* vni_nav_find_watch(const vn_nav* nav, vn_watch_id watch);

// --------------------------------------------------------------------------------------------- requests.c

vn_status vni_nav_requests_make(vn_nav* nav);
void vni_nav_requests_free(vn_nav* nav);

/// Last moment: does a submitted request need changes that have not been handed over? On the host's thread.
bool vni_nav_requests_need_update(vn_nav* nav);

/// The request of a result that the host has collected and not released; null if there is none. On the host's
/// thread. Monitor held.
const vni_request* vni_nav_collected(const vn_nav* nav, vn_request_id id);

/// Points of a worker's query, for paths of `points`: a route through cells may have many more portals than
/// the path has points.
static inline uint32_t vni_nav_query_points(uint32_t points) {
    return points > VNI_QUERY_POINTS ? points : VNI_QUERY_POINTS;
}

/// Passes submitted requests to the workers, and finished ones (lockstep: those that are due, for which it
/// waits) to the host. On the host's thread. Monitor held.
void vni_nav_requests_begin(vn_nav* nav);
void vni_nav_requests_deliver(vn_nav* nav);

/// Lockstep without workers: how many requests this tick should end, for an even load. On the host's thread.
uint32_t vni_nav_requests_quota(const vn_nav* nav);

/// Takes the next request for a worker; false if there is none. Monitor held.
bool vni_nav_request_take(vn_nav* nav, vni_worker* worker);

/// Makes the worker's query, which else its first request does. Before any thread runs. VN_OUT_OF_MEMORY.
vn_status vni_nav_request_prepare(vni_worker* worker);

/// Runs the worker's request for up to `most` expansions; `used` gets how many it took. True when it has
/// ended. Outside.
bool vni_nav_request_step(vni_worker* worker, uint64_t most, uint64_t* used);

/// Marks it finished. Monitor held.
void vni_nav_request_end(vni_worker* worker);

#endif
