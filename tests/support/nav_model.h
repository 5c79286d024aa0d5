/// tests/support/nav_model.h: a plain model of a nav, and random calls that both must agree on.
///
/// The model keeps lists: obstacles, zones, requests, watches, pins. It shares no code with src/nav.
/// Whenever an update takes the changes, the model builds a separate world from its lists and bakes
/// it: this snapshot is what the next version must show, down to the hash of its content. Every call goes
/// through a function here that makes the call, checks its status and effect, and only then notes it in the
/// lists.
///
/// A difference prints the seed, the step and the call, and fails the test (cmocka). All functions are for
/// one thread; the nav may have workers.
#ifndef VNT_NAV_MODEL_H
#define VNT_NAV_MODEL_H

#include "base/rng.h"
#include "support.h"
#include "volnav/nav.h"

enum {
    VNT_SHAPES = 14,    ///< that obstacles are made of
    VNT_OBSTACLES = 14, ///< at once
    VNT_ZONES = 6,      ///< at once
    VNT_REQUESTS = 6,   ///< not released
    VNT_WATCHES = 4,    ///< at once
    VNT_PINS = 5,       ///< at once
    VNT_LAYERS = 3,     ///< at most
    VNT_STALE = 16,     ///< stale ids remembered
    VNT_SNAPSHOTS = 16, ///< versions remembered
    VNT_TICKS = 256,    ///< ticks remembered
    VNT_POINTS = 64,    ///< of a path
    VNT_USES = 4,       ///< connections of a path
    VNT_SLOTS = 4096,   ///< of ids, in the longest script
    VNT_MAP_X = 11,     ///< size of the sensed map, in its voxels
    VNT_MAP_Y = 9,
    VNT_MAP_Z = 6,
    VNT_MAP = VNT_MAP_X * VNT_MAP_Y * VNT_MAP_Z
};

/// Arrays of a shape; the shape points into them.
typedef struct vnt_form {
    vn_shape shape;
    vn_vec3 corners[8];
    vn_voxel voxels[24];
    bool may_move, may_turn; ///< `may_turn`: by any angle
} vnt_form;

typedef struct vnt_obstacle {
    bool alive, moves;
    vn_obstacle_id id;
    uint32_t form, flags;
    vn_transform transform;
    vn_vec3 velocity;
} vnt_obstacle;

/// A sensed map: two voxel sets on one grid.
typedef struct vnt_map {
    bool alive;
    vn_obstacle_id occupied, unknown; ///< `unknown` may be null, for lack of memory
    vn_vec3 low;
    float size;
    uint8_t states[VNT_MAP]; ///< vn_voxel_state, x fastest
} vnt_map;

typedef struct vnt_zone {
    bool alive;
    vn_zone_id id;
    vn_zone_def def;
} vnt_zone;

/// What a version must show.
typedef struct vnt_snapshot {
    uint64_t version;
    uint64_t revision; ///< the changes up to this one are in it
    vn_world* world;   ///< built from the lists; owns the planes of `zones`
    vn_space* spaces[VNT_LAYERS];
    uint64_t hashes[VNT_LAYERS];
    vn_zone_id zone_ids[VNT_ZONES];
    vn_transform zone_transforms[VNT_ZONES];
    vn_zone zones[VNT_ZONES];
    uint32_t zone_count;
    bool compared[VNT_LAYERS];
} vnt_snapshot;

/// Abandoned: the nav may still be at work on it.
typedef enum vnt_request_state { VNT_NONE, VNT_SUBMITTED, VNT_COLLECTED, VNT_ABANDONED } vnt_request_state;

typedef struct vnt_request {
    vnt_request_state state;
    vn_request_id id;
    vn_nav_request input;
    vn_connection connection;
    vn_zone zone;
    bool plain;     ///< a flood over voxels decides whether there is a path
    bool cancelled; ///< by the host
    uint64_t revision, tick;
    vn_nav_result result;
    uint64_t result_hash, space_hash; ///< of the points and the space, when it was collected
} vnt_request;

/// Has the host its id, and gets or has a result?
static inline bool vnt_request_is_held(const vnt_request* request) {
    return request->state == VNT_SUBMITTED || request->state == VNT_COLLECTED;
}

typedef struct vnt_watch {
    vn_watch_id id; ///< 0: none
    uint64_t user;
    vn_point points[VNT_POINTS];
    vn_connection_use uses[VNT_USES];
    uint32_t count, use_count, layer, zone_flags;
    double horizon;      ///< metres; 0: the whole path
    double at;           ///< where the agent is, metres along the path
    bool once, told;     ///< `told`: the last event said that it is blocked
    uint64_t began_at;   ///< the last tick before
    bool costs_known;    ///< the sum below can be predicted
    double base, change; ///< cost of the path, metres: at first, and the changes reported since
} vnt_watch;

typedef struct vnt_pin {
    uint64_t version; ///< 0: none
    uint32_t layer;
    const vn_space* space;
    uint64_t hash;
} vnt_pin;

typedef struct vnt_model {
    // position in the script, for messages
    uint64_t seed;
    uint32_t step;
    const char* call;

    vn_nav* nav;
    vn_nav_def def;
    vnt_memory* memory; ///< null: allocations do not fail
    uint64_t failures;  ///< of allocations, before the call under way
    uint64_t excuses;   ///< how often a call returned VN_OUT_OF_MEMORY
    bool slow_host;     ///< as in the script
    vni_rng rng;
    float size[3]; ///< of the space, metres

    vnt_form forms[VNT_SHAPES];
    vnt_obstacle obstacles[VNT_OBSTACLES];
    vnt_map map;
    vnt_zone zones[VNT_ZONES];
    vn_obstacle_id gone[VNT_STALE];
    vn_zone_id gone_zones[VNT_STALE];
    uint32_t generations[VNT_SLOTS];
    uint32_t gone_count, gone_zone_count;

    uint64_t tick, revision;
    vn_status last_status;             ///< of the tick before
    uint32_t pending;                  ///< changes, as of the last statistics
    uint64_t waits_since;              ///< the tick since which changes wait; 0: none
    uint64_t took_at;                  ///< the tick of the last take
    bool takes;                        ///< `take` is under way
    bool may_repeat;                   ///< it includes a failed one: a new version may have the old content
    uint64_t due;                      ///< lockstep: the tick that shows it
    vnt_snapshot first, *shown, *take; ///< `first` has the static layers
    vnt_snapshot* ring[VNT_SNAPSHOTS]; ///< by version
    uint64_t versions_at[VNT_TICKS];   ///< by tick
    vnt_request requests[VNT_REQUESTS];
    vn_request_id last_request, last_collected;
    uint32_t idle; ///< ticks in a row before which no request waited or ran
    vnt_watch watches[VNT_WATCHES];
    vn_watch_id last_watch;
    uint64_t reported_version;
    vnt_pin pins[VNT_PINS];
    vn_request_id gone_requests[VNT_STALE];
    vn_watch_id gone_watches[VNT_STALE];
    uint32_t gone_request_count, gone_watch_count;

    // counts
    uint64_t calls, ticks, versions, results, paths, cancelled, blocked, freed, rechecked, cost_events,
        refused, compared, settled, sensed;
    uint64_t trace; ///< lockstep: hash of all results and events
} vnt_model;

/// Realtime, and work goes on between or beyond ticks: when it ends is not known.
static inline bool vnt_model_is_async(const vnt_model* m) {
    return m->def.mode == VN_NAV_REALTIME && (m->def.workers > 0 || m->def.slots > 0 || m->def.budget > 0);
}

// ------------------------------------------------------------------------------------------- nav_model.c

/// Prints the position in the script and fails the test.
void vnt_model_fail(const vnt_model* m, const char* condition, const char* file, int line);

#define VNT_REQUIRE(m, condition)                                                                            \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            vnt_model_fail(m, #condition, __FILE__, __LINE__);                                               \
    } while (0)

/// Before each call on the nav: counts it, notes the failed allocations so far, and resets the watchdog.
void vnt_model_enter(vnt_model* m, const char* call);

/// True if the call failed for lack of memory; then an allocation must have failed during it.
bool vnt_model_excused(vnt_model* m, vn_status status);

/// Mixes bytes into a hash (FNV-1a).
void vnt_mix(uint64_t* hash, const void* data, size_t size);

/// The layer for an agent by the rule of vn_layers_find; VNT_LAYERS if there is none.
uint32_t vnt_model_layer(const vnt_model* m, float radius, uint32_t open_flags);

/// The world and the spaces of the current lists. Fails the test if they cannot be built.
vnt_snapshot* vnt_snapshot_make(vnt_model* m);
void vnt_snapshot_free(vnt_snapshot* s);

/// What a version must show; null if it is not remembered.
vnt_snapshot* vnt_model_find(const vnt_model* m, uint64_t version);

/// The changes that a version shows at least; UINT64_MAX if it is not remembered.
uint64_t vnt_model_revision_of(const vnt_model* m, uint64_t version);

/// The space of a layer in a snapshot.
const vn_space* vnt_model_space(const vnt_model* m, const vnt_snapshot* s, uint32_t layer);

/// Calls vn_nav_tick and checks everything that must hold after it.
void vnt_model_tick(vnt_model* m);

/// Compares statistics with the lists, after any call.
void vnt_model_check_stats(vnt_model* m);

/// Ticks until nothing is under way, and compares everything. Memory must not run out.
void vnt_model_settle(vnt_model* m);

// ------------------------------------------------------------------------------------ nav_model_changes.c

/// Fills the forms and the lists, and returns a world with the same content; null if memory runs out.
vn_world* vnt_model_world(vnt_model* m, const vn_allocator* allocator);
vn_shape vnt_model_zone_shape(vni_rng* rng, vn_vec3 corners[6]);
void vnt_model_add(vnt_model* m);
void vnt_model_move(vnt_model* m);
void vnt_model_set_flags(vnt_model* m);
void vnt_model_set_velocity(vnt_model* m);
void vnt_model_remove(vnt_model* m);
void vnt_model_change_zones(vnt_model* m);

/// Calls with stale ids, or invalid transforms and shapes: refused, and nothing changes.
void vnt_model_change_wrongly(vnt_model* m);

/// A refused call has changed nothing: neither the number of pending changes.
uint32_t vnt_model_pending(const vnt_model* m);
void vnt_model_check_refused(vnt_model* m, uint32_t pending);

/// A new id: no id is given twice.
void vnt_model_check_new_id(vnt_model* m, vn_obstacle_id id);
void vnt_model_note_gone(vnt_model* m, vn_obstacle_id id);

/// Compares what the getters return at once: existence, transform, velocity.
void vnt_model_look(vnt_model* m);

// ------------------------------------------------------------------------------------- nav_model_sense.c

/// Adds the map, removes it, or tells it a batch of voxels.
void vnt_model_sense(vnt_model* m);

/// The same with what no nav accepts.
void vnt_model_sense_wrongly(vnt_model* m);

/// Adds the map as it is to another world, as plain voxel sets.
void vnt_model_build_map(const vnt_model* m, vn_world* world);

// ---------------------------------------------------------------------------------- nav_model_requests.c

void vnt_model_submit(vnt_model* m);
void vnt_model_submit_plain(vnt_model* m); ///< a request that is never refused, if there is capacity
/// After a tick: requests that were given up long enough ago have ended.
void vnt_model_end_abandoned(vnt_model* m);
void vnt_model_cancel(vnt_model* m);
bool vnt_model_collect(vnt_model* m); ///< one; false if there is none
void vnt_model_release(vnt_model* m, uint32_t index);
void vnt_model_release_some(vnt_model* m);
uint32_t vnt_model_count(const vnt_model* m, vnt_request_state state);

// ------------------------------------------------------------- nav_model_watches.c, nav_model_costs.c

vn_point vnt_model_point(vnt_model* m); ///< now and then far outside
void vnt_model_watch(vnt_model* m);
void vnt_model_change_watch(vnt_model* m);
void vnt_model_events(vnt_model* m); ///< reads all of them

/// When nothing is under way: what was told of each path is true, and changes of cost add up.
bool vnt_model_watches_agree(const vnt_model* m);
void vnt_model_pin(vnt_model* m);
void vnt_model_unpin(vnt_model* m);

/// Cost of a polyline in a grid that begins at `low`, by brute force over zones; metres.
double vnt_zone_cost(const vn_zone* zones, uint32_t count, uint32_t zone_flags, const vn_nav_def* def,
                     const vn_point* points, uint32_t point_count);

// ------------------------------------------------------------------------------------------- nav_script.c

typedef struct vnt_script {
    uint64_t seed;
    uint32_t calls;
    vn_nav_mode mode;
    uint32_t workers;
    uint32_t slots;          ///< vn_nav_work is called between the calls, a few times, on this thread
    bool settles;            ///< also at random points in the middle
    bool slow_host;          ///< pauses after each tick: the workers are done before the host looks
    vnt_memory* memory;      ///< may be null
    uint32_t memory_back_at; ///< the call before which allocations work again
} vnt_script;

/// Ends the program with a message if a minute passes before the next call of this; null: switches it off.
void vnt_model_watch_over(const vnt_model* m);

/// Runs a script: makes a nav, calls, settles, destroys. False if the nav could not be made for lack of
/// memory. Adds what it did to `sums` (may be null).
bool vnt_script_run(const vnt_script* script, vnt_model* sums);

/// Adds the counts of one model to the sums.
void vnt_script_add(vnt_model* sums, const vnt_model* m);

/// Prints the sums in one line.
void vnt_script_print(const char* name, const vnt_model* sums, uint64_t scripts);

#endif
