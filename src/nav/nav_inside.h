/// nav/nav_inside.h: what a nav is made of. Inside the room only.
///
/// Who owns what:
///   host     everything that is not named below; no lock
///   task     the one update that may be under way: the world, the dynamic layers, `taken` and `task`, from
///            the tick that hands them over until the tick that sees that it is done
///   worker   the question that it runs, and its query object
///   shared   what is said to be, under the monitor
#ifndef VNI_NAV_NAV_INSIDE_H
#define VNI_NAV_NAV_INSIDE_H

#include "base/assert.h"
#include "base/heap.h"
#include "base/idpool.h"
#include "base/threads.h"
#include "dynamic/dynamic.h"
#include "space/layers.h"
#include "space/space.h"
#include "space/zone_buffer.h"
#include "volnav/nav.h"
#include "world/world.h"

#define VNI_NONE     UINT32_MAX
#define VNI_MAX_USES (2 * VN_MAX_CONNECTIONS) ///< of links on a path: each at most once in each direction

// ------------------------------------------------------------------------------------------------ versions

/// The zones of a version; `items` have their planes in `planes`.
typedef struct vni_nav_zones {
    vn_zone items[VN_MAX_ZONES];
    vn_plane planes[VN_MAX_ZONE_PLANES];
    vn_box changed[2 * VN_MAX_ZONES]; ///< where something costs other than in the version before
    uint32_t count, changed_count;
    uint64_t since; ///< the version since which they are so
} vni_nav_zones;

/// A version of all layers; shared. It has the layers' versions pinned.
typedef struct vni_nav_version {
    vn_layers view;                  ///< the spaces, as a query wants them
    uint64_t numbers[VN_MAX_LAYERS]; ///< of the dynamic layers' versions
    uint64_t number;
    uint32_t pins;      ///< by anybody; one for being the newest
    uint32_t host_pins; ///< of these: by vn_nav_pin
    vni_nav_zones zones;
    struct vni_nav_version* next;
} vni_nav_version;

// ------------------------------------------------------------------------------------------------- changes

typedef enum vni_op_kind { VNI_OP_ADD, VNI_OP_MOVE, VNI_OP_FLAGS, VNI_OP_REMOVE } vni_op_kind;

/// A change that waits for the world. The host has been told that it is done, so the world cannot refuse it:
/// all that could be wrong was found out before it was listed. Only memory may be short when it is applied;
/// then it is tried again.
typedef struct vni_op {
    vni_op_kind kind;
    vn_obstacle_id id;
    vn_transform place;   ///< VNI_OP_MOVE
    uint32_t flags;       ///< VNI_OP_FLAGS
    vni_obstacle* record; ///< VNI_OP_ADD: ready to be put into the world, which owns it then; null after that
    vn_transform home;    ///< VNI_OP_MOVE: where it was before
    vn_box box;           ///< VNI_OP_ADD, VNI_OP_MOVE: around what it may block from now on
    bool blocks;          ///< false: nothing new; it goes, or is back where it was
} vni_op;

typedef struct vni_ops {
    vni_op* items;
    uint64_t capacity;
    uint32_t count;
} vni_ops;

/// What the host knows of an obstacle; by slot.
typedef struct vni_known {
    const vni_motion* motion; ///< null: it does not move. The task's but for its shape, which never changes,
                              ///< and which lives until the task sees that the host has removed it
    vn_transform place;       ///< if it moves; all changes included
    vn_vec3 velocity;         ///< the same
    vn_box bounds;            ///< that it has there
    uint64_t listed;          ///< the round of changes in which it moved last
    uint32_t at;              ///< its move in `pending`, if `listed` is this round
} vni_known;

/// What the host knows of a zone: as it was handed over last; by slot.
typedef struct vni_known_zone {
    uint32_t generation; ///< 0: there was none
    bool changed;        ///< since
    vn_transform place;
    vn_box bounds;
} vni_known_zone;

// ----------------------------------------------------------------------------------------------- questions

typedef enum vni_request_state {
    VNI_FREE,     ///< in the free list
    VNI_NEW,      ///< asked; in the host's list
    VNI_WAITING,  ///< in the heap (shared)
    VNI_RUNNING,  ///< a worker's
    VNI_FINISHED, ///< in the list of the finished (shared)
    VNI_DELIVERED,
    VNI_COLLECTED
} vni_request_state;

typedef struct vni_request {
    vni_request_state state; ///< shared from VNI_WAITING to VNI_FINISHED
    uint32_t next;           ///< in its list
    uint32_t heap_position;
    vn_request_id ticket;
    vn_nav_request request;
    vn_zone* zones;       ///< room for VN_MAX_ZONES
    vn_plane* planes;     ///< room for VN_MAX_ZONE_PLANES
    vn_connection* links; ///< room for VN_MAX_CONNECTIONS
    uint64_t asked, answered;
    uint64_t needs;       ///< last moment: the round of changes that has to be seen; UINT64_MAX: not known
    vni_atomic cancelled; ///< the host does not want it any more
    vni_nav_version* version; ///< pinned from the beginning to the release; null before
    const vn_space* space;
    vn_path_result result;
    vn_point* points; ///< room for max_points
    uint32_t point_count;
    vn_connection_use* uses; ///< room for VNI_MAX_USES
    uint32_t use_count;
} vni_request;

/// First in, first out, by vni_request.next.
typedef struct vni_line {
    uint32_t first, last, count;
} vni_line;

// ------------------------------------------------------------------------------------------------- watches

typedef struct vni_watched {
    vn_watch_id id; ///< 0: the host does not want it any more, or nothing is here
    bool in_task;   ///< the task reads it: the slot stays as it is
    bool fresh;     ///< nobody has looked at the whole of it yet
    uint32_t layer;
    double radius;    ///< of the layer, metres
    vn_point* points; ///< room for max_points
    uint32_t count, from;
    vn_point low, high; ///< box of what lies ahead, closed
    uint32_t zone_flags;
    vni_nav_version* base; ///< pinned: costs count from there; null: from the version looked at last
    bool costs_changed;    ///< news for the host:
    double cost_change;    ///< metres
    uint32_t costs_segment;
    uint64_t costs_version;
    // for the task:
    uint32_t task_from, task_zone_flags;
    vni_nav_version* task_base; ///< as `base`
    bool task_fresh;
    vn_point task_low, task_high;
    // from the task:
    bool blocked;
    uint32_t segment;
    vn_point at;
    uint32_t task_change_count, task_first, task_last; ///< segments whose costs have changed
    double task_change, task_cost;                     ///< of what lies ahead, metres
} vni_watched;

/// The update under way.
typedef struct vni_nav_task {
    uint32_t applied;      ///< operations of `taken` that the world has seen
    vn_status status;      ///< of the last try
    vn_detail detail;      ///< if it failed
    vni_nav_version* made; ///< null if nothing has changed
    uint64_t ns;
    uint64_t stage_ns[VN_STAGE_COUNT]; ///< of all updates so far
} vni_nav_task;

typedef enum vni_task_state { VNI_TASK_NONE, VNI_TASK_READY, VNI_TASK_RUNS, VNI_TASK_DONE } vni_task_state;

typedef struct vni_worker {
    vn_nav* nav;
    vn_query* query;
    uint32_t question; ///< in work, or VNI_NONE
    uint64_t charged;  ///< expansions of it that the budget knows of
#if VOLNAV_THREADS
    vni_thread* thread;
#endif
} vni_worker;

struct vn_nav {
    vn_nav_def def;
    vn_allocator allocator;
    uint64_t tick;
    vn_dvec3 low; ///< of the grid, local

    // changes
    vni_idpool ids; ///< as the world's when all that is listed has been applied: it gets the same calls, and
                    ///< neither ever takes an id that it gives back because something else failed
    vni_known* known;
    uint64_t known_capacity;
    vni_ops pending;      ///< the host's
    vni_ops taken;        ///< the task's
    uint64_t round;       ///< of `pending`, from 1; those below have been handed over
    uint64_t shown_round; ///< the last one that the host sees
    uint64_t pending_since, taken_since;

    // zones
    vni_known_zone known_zones[VN_MAX_ZONES];
    vni_known_zone version_zones[VN_MAX_ZONES]; ///< those of the version before `zones_taken`
    uint32_t zone_changes;                      ///< that have not been handed over
    uint64_t zones_since;                       ///< the tick of the first of them

    // the task's
    vn_world* world; ///< but for its zones, which are the host's
    vni_nav_zones* zones_taken;
    bool zones_are_out;                     ///< `zones_taken` has to become part of a version
    vni_zone_buffer* zone_buffers;          ///< two
    vni_dynamic* dynamic[VN_MAX_LAYERS];    ///< in order of layers; null: a static one
    vn_space* static_spaces[VN_MAX_LAYERS]; ///< likewise
    vni_nav_task task;
    uint64_t task_due;   ///< lockstep: the tick that shows it
    uint64_t task_begun; ///< tick of the last one that took changes
    bool task_is_out;    ///< handed over, and not taken back
    bool takes_changes;  ///< the next one takes what is pending
    bool retries;        ///< the last one failed

    // watches
    vni_watched* watches; ///< twice max_watches: some wait for the task
    vn_point* watch_points;
    uint32_t watch_slots, watch_count;
    uint32_t fresh_count;
    uint64_t watch_serial;
    vn_nav_event* events; ///< ring of blocked paths
    uint32_t event_capacity, event_first, event_count;
    uint64_t told_version;
    uint32_t cost_events, cost_event_next; ///< watches with `costs_changed`; the slot to look at first

    // questions
    vni_request* questions;
    vn_point* answer_points;
    vn_zone* zones;
    vn_plane* planes;
    vn_connection* links;
    vn_connection_use* uses;
    uint32_t free_question;
    uint64_t serial;
    vni_line asked;        ///< not begun
    vni_line begun;        ///< lockstep: in the order asked
    vni_line delivered;    ///< not collected
    uint32_t answered;     ///< delivered or collected
    vni_nav_version* seen; ///< the version that the host sees; pinned

    // shared
#if VOLNAV_THREADS
    vni_monitor* monitor;
#endif
    vni_atomic stop;
    uint64_t shared_tick;
    vni_task_state task_state;
    vni_nav_version *newest, *spare; ///< `newest` heads the row of all that are held
    vni_heap waiting;
    vni_line finished; ///< realtime
    uint32_t running;
    uint64_t updates, last_ns, total_ns;
    uint64_t stage_ns[VN_STAGE_COUNT];

    vni_worker* workers; ///< one at least
    uint32_t worker_count;
};

// ---------------------------------------------------------------------------------------------- workers.c

void vni_nav_enter(const vn_nav* nav);
void vni_nav_leave(const vn_nav* nav);
void vni_nav_wait(vn_nav* nav); ///< inside; in a build without threads it is never called
void vni_nav_wake(vn_nav* nav); ///< inside

/// Starts the threads, if there are to be any.
vn_status vni_nav_start(vn_nav* nav, vn_detail* detail);

/// Ends them, and frees the workers.
void vni_nav_stop(vn_nav* nav);

/// What is ready, on this thread, within the budget.
void vni_nav_work_here(vn_nav* nav);

// --------------------------------------------------------------------------------------------- versions.c
// Inside the monitor, but for vni_nav_version_make, which the task calls outside.

/// A version of the layers as they are, pinned once, in no row; null if there is no memory.
vni_nav_version* vni_nav_version_make(vn_nav* nav, uint64_t number);
void vni_nav_publish(vn_nav* nav, vni_nav_version* version);
void vni_nav_version_unpin(vn_nav* nav, vni_nav_version* version);

/// When nobody reads any more: all of them, pinned or not.
void vni_nav_versions_free(vn_nav* nav);

// ---------------------------------------------------------------------------------------------- changes.c

vn_status vni_nav_changes_make(vn_nav* nav, vn_detail* detail);
void vni_nav_changes_free(vn_nav* nav);

/// What an operation may block from now on, as far as the host knows; false if nothing.
bool vni_nav_op_box(const vn_nav* nav, const vni_op* op, vn_box* out);

// ------------------------------------------------------------------------------------------------- zones.c

/// Takes the world's zones for the first version. VN_OUT_OF_MEMORY.
vn_status vni_nav_zones_make(vn_nav* nav);
void vni_nav_zones_free(vn_nav* nav);

/// Copies the zones for the task, which must not be under way; also again, if it failed.
void vni_nav_zones_take(vn_nav* nav);

/// In the task: those that were taken, or else those of the newest version, become the version's.
void vni_nav_zones_put(const vn_nav* nav, vni_nav_version* version);

/// Where costs will change by what has not been handed over; returns how many boxes there are.
uint32_t vni_nav_zone_boxes(const vn_nav* nav, vn_box out[2 * VN_MAX_ZONES]);

/// Has anything changed that has not been handed over?
static inline bool vni_nav_has_changes(const vn_nav* nav) {
    return nav->pending.count > 0 || nav->zone_changes > 0;
}

/// The tick of the oldest of these changes; there is one.
static inline uint64_t vni_nav_changed_since(const vn_nav* nav) {
    VNI_ASSERT(vni_nav_has_changes(nav));
    if (nav->zone_changes == 0)
        return nav->pending_since;
    return nav->pending.count > 0 && nav->pending_since < nav->zones_since ? nav->pending_since
                                                                           : nav->zones_since;
}

// ----------------------------------------------------------------------------------------------- update.c

/// The task: applies `taken`, makes a version, looks at the watched paths. Outside the monitor.
void vni_nav_update(vn_nav* nav);

/// Is there something for the task to do, and is none under way? Looks at what is the host's only: outside.
bool vni_nav_update_is_due(vn_nav* nav);

/// Hands the task over. Inside the monitor.
void vni_nav_hand_over(vn_nav* nav);

/// Takes what the task has done, if it is done (lockstep: due). Inside the monitor. VN_OUT_OF_MEMORY: it
/// failed, and is to be handed over again.
vn_status vni_nav_adopt(vn_nav* nav, vn_detail* detail);

// ---------------------------------------------------------------------------------------------- watches.c

vn_status vni_nav_watches_make(vn_nav* nav);
void vni_nav_watches_free(vn_nav* nav);

/// Gives the watches to the task, looks at them in the task, and takes them back.
void vni_nav_watches_hand_over(vn_nav* nav);
void vni_nav_watches_look(vn_nav* nav, const vni_nav_version* before, const vni_nav_version* now);
void vni_nav_watches_adopt(vn_nav* nav, bool looked);

/// Does a pending change touch what lies ahead on a watched path?
bool vni_nav_watches_touched(const vn_nav* nav);

/// Does a local box touch what lies ahead, as the task sees it?
bool vni_nav_box_is_ahead(const vn_nav* nav, const vn_box* box, const vni_watched* watched);
vni_watched* vni_nav_find_watch(vn_nav* nav, vn_watch_id watch); ///< null if there is none

// ------------------------------------------------------------------------------------------ watch_costs.c

/// The costs of a path count from this version on. Inside the monitor, as the next one.
void vni_nav_watch_since(vn_nav* nav, vni_watched* watched, vni_nav_version* version);
void vni_nav_watch_costs_forget(vn_nav* nav, vni_watched* watched);
bool vni_nav_next_cost_event(vn_nav* nav, vn_nav_event* out);

/// As the functions of watches.c, for one watch.
void vni_nav_watch_costs_hand_over(vni_watched* watched);
void vni_nav_watch_costs_look(vn_nav* nav, vni_watched* watched, const vni_nav_version* before,
                              const vni_nav_version* now);
void vni_nav_watch_costs_adopt(vn_nav* nav, vni_watched* watched, bool looked);

// -------------------------------------------------------------------------------------------- questions.c

vn_status vni_nav_requests_make(vn_nav* nav);
void vni_nav_requests_free(vn_nav* nav);

/// Last moment: is there a question that needs changes which have not been handed over?
bool vni_nav_requests_need_update(vn_nav* nav);

/// What was asked goes to the workers, what they have finished (lockstep: what is due) to the host. Inside
/// the monitor.
void vni_nav_requests_begin(vn_nav* nav);
void vni_nav_requests_deliver(vn_nav* nav);

/// Takes the next question for a worker; false if there is none. Inside the monitor.
bool vni_nav_request_take(vn_nav* nav, vni_worker* worker);

/// Up to `most` expansions of the worker's question, all told; true when it has ended. Outside.
bool vni_nav_request_step(vni_worker* worker, uint64_t most, uint64_t* used);

/// Inside.
void vni_nav_request_end(vni_worker* worker);

#endif
